//! Parts of the functions that apply operations.

use std::collections::HashSet;

use super::{
    RowId,
    body::{Position, path},
    session::{OperationTarget, OperationsRun},
};
use crate::{
    domain::{
        core::{Entity, Reads},
        map::components,
    },
    error::{Error, Result},
};

/// Adds the location to an error in a row or in the fields of an operation. After a conflict, errors are dropped,
/// because they may be a consequence of the conflict.
pub(super) fn located<T>(
    session: &OperationsRun<'_, '_>,
    index: usize,
    part: &str,
    result: Result<T>,
) -> Result<Option<T>> {
    match result {
        Ok(done) => Ok(Some(done)),
        Err(Error::Invalid { .. } | Error::NotFound(_) | Error::Conflict(_)) if session.has_conflicts() => Ok(None),
        Err(error) => Err(error.within(path(index, part))),
    }
}

pub(super) fn at(index: usize, entity: Entity, id: Option<&str>) -> OperationTarget {
    OperationTarget { index, entity, id: id.map(|id| RowId::Text(id.to_owned())) }
}

pub(super) fn has_component(session: &OperationsRun<'_, '_>, id: &str) -> Result<bool> {
    let tx = session.now();
    components::id_taken(tx.core().conn, tx.pk(), id)
}

/// Checks that no component is moved twice by the operation.
pub(super) fn check_unique(index: usize, positions: &[Position]) -> Result<()> {
    let mut seen = HashSet::new();
    match positions.iter().position(|to| !seen.insert(to.id.as_str())) {
        None => Ok(()),
        Some(place) => {
            let field = path(index, "positions").index(place).field("id");
            Err(Error::invalid(field, format!("the component `{}` is named twice", positions[place].id)))
        }
    }
}
