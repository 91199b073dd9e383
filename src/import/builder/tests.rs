//! Tests of the rules that all formats share.

#[allow(unused_imports)]
use super::*;
