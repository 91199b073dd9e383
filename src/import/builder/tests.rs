//! Tests of the rules that all formats share.

use super::*;
