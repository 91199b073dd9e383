//! Drafts: proposed changes of a workspace, which are compared with it, reviewed, and merged as one change set.
//!
//! The map of a draft is a workspace of its own, so everything that reads or writes a workspace works with the id of a draft. It
//! refers to its base, which decides who can access it at the time of use, and no list of workspaces contains it. The
//! state of the base from which it was started is stored with the draft, as in a version: with it, a merge knows which side
//! has changed what.

mod cleanup;
mod comparison;
mod create;
pub(in crate::domain) mod merge;
mod merging;
mod model;
mod protection;
mod reviews;
mod rules;
mod store;
mod text;

pub(in crate::domain) use self::cleanup::remove_old_maps;
pub use self::{
    comparison::{DraftChange, DraftComparison, compare, weigh},
    create::create,
    merging::{close, merge, update_from_base},
    model::{
        Draft, DraftFilter, DraftMerge, DraftMergeResult, DraftPatch, DraftReview, DraftState, DraftUpdate,
        DraftUpdateResult, MergeSide, NewDraft, NewReview, ProtectionPatch, RequestedState, Resolution, ReviewState,
        WorkspaceProtection,
    },
    protection::{protect, protection},
    reviews::review,
    rules::{list, read, reviewers_named, update},
    text::{compare_as_text, reviews_as_text},
};

use serde_json::json;

use super::core::{Audience, Core};
use crate::error::{DraftRefusal, Error};

/// Maximum number of unfinished drafts of a workspace.
pub const MAX_UNFINISHED: i64 = 200;
/// Maximum number of unfinished drafts of a workspace by one user.
pub const MAX_UNFINISHED_OF_USER: i64 = 50;

/// Tells followers of the base and of the draft that the draft has changed, or without one the protection of the base.
fn notify_followers(core: &Core<'_>, base_pk: i64, draft: Option<(&str, Option<i64>)>, op: &str) {
    let event = json!({ "op": op, "draftId": draft.map(|(id, _)| id) }).to_string();
    let map = draft.and_then(|(_, map_pk)| map_pk);
    for pk in [Some(base_pk), map].into_iter().flatten() {
        core.notify_after_commit(pk, Audience::Everyone, "drafts", event.clone());
    }
}

/// The error for an action that the state of a draft does not allow.
fn wrong_state(message: &str) -> Error {
    Error::Draft(Box::new(DraftRefusal { code: "draft_state", message: message.to_owned(), ..DraftRefusal::default() }))
}
