//! Operations on decisions.

use super::{
    parts::{at, located},
    session::OperationsRun,
};
use crate::{
    domain::{
        core::{Entity, Reads},
        map::decisions::{self, DecisionPatch, NewDecision},
        values::KebabId,
    },
    error::Result,
};

pub(super) fn create(session: &mut OperationsRun<'_, '_>, index: usize, new: NewDecision) -> Result<()> {
    if let Some(id) = new.id.as_ref().map(KebabId::as_str) {
        let tx = session.now();
        if let Some(row) = decisions::find_row(tx.core().conn, &tx.key(), id)? {
            return session.taken(&at(index, Entity::Decision, Some(id)), &row);
        }
    }
    let created = session.set.create_decision(new);
    if let Some(row) = located(session, index, "row", created)? {
        session.created(Entity::Decision, row.id);
    }
    Ok(())
}

pub(super) fn update(
    session: &mut OperationsRun<'_, '_>,
    index: usize,
    id: &str,
    patch: DecisionPatch,
    revision: Option<i64>,
) -> Result<()> {
    let at = at(index, Entity::Decision, Some(id));
    let tx = session.now();
    match decisions::find_row(tx.core().conn, &tx.key(), id)? {
        None => session.deleted(&at),
        Some(row) if session.is_current(&at, &row, revision)? => {
            let updated = session.set.update_decision(id, patch);
            located(session, index, "fields", updated).map(drop)
        }
        Some(_) => Ok(()),
    }
}
