//! `planroom openapi`.

use super::output::{Failure, print};
use crate::contracts;

pub(super) fn run() -> Result<(), Failure> {
    print(&contracts::text(contracts::OPENAPI)?)
}
