//! Writing in a workspace: each tool call is one change set, written completely or not at all.

use super::{results::writes::WriteResult, tool::within};
use crate::{
    domain::{
        core::{Answer, Call, access::Editor},
        map::change_set::{ChangeSet, Outcome},
    },
    error::Result,
    mcp::services::Site,
};

/// Runs `write` as one change set of a workspace. An error of the rule of containment, which is checked at the end, has
/// the path of the item in the argument `list`.
pub(super) async fn change_set<T, F>(
    site: &Site,
    call: Call<Editor>,
    workspace_id: String,
    list: &'static str,
    write: F,
) -> Result<WriteResult<T>>
where
    T: Answer,
    F: for<'t, 'c> FnOnce(&mut ChangeSet<'t, 'c>) -> Result<T> + Send + 'static,
{
    let links = site.links(&call).await?;
    let url = Some(links.workspace(&workspace_id));
    let write = move |set: &mut ChangeSet<'_, '_>| {
        let written = write(set)?;
        match set.check()? {
            None => Ok((written, set.outcome()?)),
            Some((index, error)) => Err(within(error, list, index)),
        }
    };
    let (result, Outcome { change_set_id, revision }) =
        site.gate.write(call, workspace_id, move |tx| write(&mut ChangeSet::new(tx))).await?;
    Ok(WriteResult { result, change_set_id, revision: Some(revision), url, links })
}
