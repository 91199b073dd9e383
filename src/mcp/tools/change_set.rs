//! Writing in a workspace: each tool call is one change set, written completely or not at all.

use super::tool::within;
use crate::{
    domain::{
        core::{Answer, Call, Gate, access::Editor},
        map::change_set::ChangeSet,
    },
    error::Result,
};

/// Runs `write` as one change set of a workspace. An error of the rule of containment, which is checked at the end, names
/// the item of the argument `list`.
pub(super) async fn change_set<T, F>(
    gate: &Gate,
    call: Call<Editor>,
    workspace_id: String,
    list: &'static str,
    write: F,
) -> Result<T>
where
    T: Answer,
    F: for<'t, 'c> FnOnce(&mut ChangeSet<'t, 'c>) -> Result<T> + Send + 'static,
{
    let write = move |set: &mut ChangeSet<'_, '_>| {
        let written = write(set)?;
        match set.check()? {
            None => Ok(written),
            Some((at, error)) => Err(within(error, list, at)),
        }
    };
    gate.write(call, workspace_id, move |tx| write(&mut ChangeSet::new(tx))).await
}
