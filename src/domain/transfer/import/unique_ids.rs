//! Ids of the entries of a file.

use std::collections::HashSet;

use crate::error::{Error, FieldPath, Problem, Result};

/// Checks that every entry has an id and that ids are unique.
pub(super) fn check_unique_ids<'i>(part: &str, ids: impl Iterator<Item = Option<&'i str>>) -> Result<()> {
    let mut seen = HashSet::new();
    for (index, id) in ids.enumerate() {
        let field = FieldPath::item(part, index).field("id");
        match id {
            None => return Err(Error::invalid(field, Problem::required(" in a file"))),
            Some(id) if !seen.insert(id) => {
                return Err(Error::invalid(field, format!("the id `{id}` is repeated")));
            }
            Some(_) => {}
        }
    }
    Ok(())
}
