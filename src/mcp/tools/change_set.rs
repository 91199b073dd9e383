//! Writing in a workspace: each tool call is one change set, written completely or not at all.

use serde::Serialize;

use super::tool::within;
use crate::{
    domain::{
        core::{Answer, Call, access::Editor},
        map::change_set::{ChangeSet, Outcome},
    },
    error::Result,
    mcp::{links::Links, services::Site},
};

/// The result of a tool that writes: its own fields, how the write is undone, and where it is seen.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Done<T> {
    #[serde(flatten)]
    pub(super) answer: T,
    /// The change set for `undo`; absent if nothing was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) change_set_id: Option<String>,
    /// Revision of the workspace afterward; absent where the answer has the revision of a row.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) revision: Option<i64>,
    /// Where the web client shows it; absent where the answer has an address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) url: Option<String>,
    #[serde(skip)]
    pub(super) links: Links,
}

impl<T> Done<T> {
    /// The same with another answer.
    pub(super) fn map<R>(self, to: impl FnOnce(T) -> R) -> Done<R> {
        let Self { answer, change_set_id, revision, url, links } = self;
        Done { answer: to(answer), change_set_id, revision, url, links }
    }

    /// The same with another address.
    pub(super) fn at(self, url: impl FnOnce(&Links, &T) -> String) -> Self {
        Self { url: Some(url(&self.links, &self.answer)), ..self }
    }

    /// The same without the revision of the workspace.
    pub(super) fn without_revision(self) -> Self {
        Self { revision: None, ..self }
    }
}

/// Runs `write` as one change set of a workspace. An error of the rule of containment, which is checked at the end, names
/// the item of the argument `list`.
pub(super) async fn change_set<T, F>(
    site: &Site,
    call: Call<Editor>,
    workspace_id: String,
    list: &'static str,
    write: F,
) -> Result<Done<T>>
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
            Some((at, error)) => Err(within(error, list, at)),
        }
    };
    let (answer, Outcome { change_set_id, revision }) =
        site.gate.write(call, workspace_id, move |tx| write(&mut ChangeSet::new(tx))).await?;
    Ok(Done { answer, change_set_id, revision: Some(revision), url, links })
}
