//! `planroom openapi`.

use super::{Failure, print};

pub(super) fn run() -> Result<(), Failure> {
    print(&format!("{}\n", crate::rest::openapi().to_pretty_json()?))
}
