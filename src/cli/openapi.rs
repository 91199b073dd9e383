//! `planroom openapi`.

use super::output::{Failure, print};

pub(super) fn run() -> Result<(), Failure> {
    print(&format!("{}\n", crate::rest::openapi().to_pretty_json()?))
}
