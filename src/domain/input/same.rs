//! Fields of a resource that can be sent back but not changed.

use crate::error::{Error, Result};

/// Rejects a read-only field whose value differs from the current one.
pub(in crate::domain) fn same(field: &str, given: Option<&str>, actual: &str) -> Result<()> {
    match given {
        Some(given) if given != actual => Err(Error::invalid(field, format!("cannot change; it is `{actual}`"))),
        _ => Ok(()),
    }
}
