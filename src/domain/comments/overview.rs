//! The number of threads for each anchor, who can comment, and whom comments can mention.

use serde_json::json;

pub use super::model::{CommentOverview, CommentSettingsPatch, MentionQuery};
use super::{may_comment, notify_followers, steps::Steps, store};
use crate::{
    domain::{
        core::{OwnTx, Reads, ViewTx},
        users::Profile,
    },
    error::{Error, Problem, Result},
};

/// Maximum number of points in the overview.
const MAX_POINTS: i64 = 1_000;
/// Maximum length of the text that people are searched for, in characters.
const MAX_QUERY_CHARS: usize = 200;
/// Maximum number of users that are suggested.
const MAX_SUGGESTED: i64 = 20;

/// Reads the overview of a workspace.
pub fn read(tx: &ViewTx<'_>) -> Result<CommentOverview> {
    let (conn, pk) = (tx.core().conn, tx.pk());
    let (commenters, _) = store::overview::settings(conn, tx.access_pk())?;
    let anchors = store::overview::anchors(conn, pk)?;
    let steps = Steps::new(tx);
    let mut detached = anchors.iter().filter(|anchor| anchor.detached).map(|anchor| anchor.open).sum();
    for (process_id, step, text) in store::overview::open_steps(conn, pk)? {
        detached += i64::from(steps.find(&process_id, step, text.as_deref())?.is_none());
    }
    Ok(CommentOverview {
        commenters,
        can_comment: may_comment(commenters, tx.workspace().my_role),
        open: anchors.iter().map(|anchor| anchor.open).sum(),
        resolved: anchors.iter().map(|anchor| anchor.resolved).sum(),
        detached,
        points: store::overview::points(conn, pk, MAX_POINTS)?,
        anchors,
    })
}

/// Updates the settings, as an owner.
pub fn update(tx: &mut OwnTx<'_>, patch: &CommentSettingsPatch) -> Result<CommentOverview> {
    let (conn, pk) = (tx.core().conn, tx.pk());
    let (before, _) = store::overview::settings(conn, pk)?;
    if let Some(commenters) = patch.commenters.filter(|after| *after != before) {
        store::overview::set_commenters(conn, pk, commenters)?;
        let details = json!({ "workspacePk": pk, "commenters": commenters });
        tx.core().audit("comments.update", tx.core().actor(), &details)?;
        notify_followers(tx, "settings", None);
    }
    read(tx)
}

/// Users who can view the workspace, to be mentioned.
pub fn people(tx: &ViewTx<'_>, query: &MentionQuery) -> Result<Vec<Profile>> {
    let text = query.q.as_deref().unwrap_or_default();
    Problem::check_length(text, 0, MAX_QUERY_CHARS).map_err(|problem| Error::invalid("q", problem))?;
    store::people::with_access(tx.core().conn, tx.access_pk(), text.trim(), MAX_SUGGESTED)
}
