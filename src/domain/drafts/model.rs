//! Drafts, reviews, and the requests that write them.

use serde::{Deserialize, Serialize};

use crate::{
    describe::{IntoParams, ToSchema},
    domain::{
        history::ChangedKind,
        input::{Input, empty_or_at_most, objects, optional_at_most},
        users::Profile,
        values::{CommentText, Name, SourceId, Text, words},
    },
};

words! {
    /// State of a draft.
    DraftState {
        /// Not submitted.
        Draft = "draft",
        /// Submitted for review.
        Open = "open",
        /// An editor has requested changes, and it was not changed and submitted again since.
        ChangesRequested = "changes-requested",
        /// It has the required approvals, at least one.
        Approved = "approved",
        /// Merged.
        Merged = "merged",
        /// Closed without a merge.
        Closed = "closed",
    }
}
words! {
    /// Verdict of a review.
    ReviewState {
        /// The draft can be merged. Lapses when the map of the draft changes.
        Approved = "approved",
        /// The draft must change first.
        ChangesRequested = "changes-requested",
        /// Neither.
        Comment = "comment",
    }
}
words! {
    /// A state that a request sets.
    RequestedState {
        /// Submits the draft. If its map has changed since, earlier requests for changes no longer count.
        Open = "open",
        /// Withdraws it from review, or reopens a merged or closed draft whose map still exists.
        Draft = "draft",
    }
}
words! {
    /// Which side a conflict is decided for.
    MergeSide {
        /// The workspace.
        Base = "base",
        /// The draft.
        Draft = "draft",
    }
}

/// A draft: proposed changes of a workspace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "what the caller can do with it, for buttons")]
pub struct Draft {
    /// Id of the draft; also the id of the workspace that contains its map.
    #[schema(example = "draft-3f6k2m9qx0ab")]
    pub id: String,
    /// Number of the draft in its workspace, from 1.
    #[schema(example = 4)]
    pub number: i64,
    /// Id of the workspace that it changes, its base.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// Title.
    #[schema(example = "Split the checkout")]
    pub title: String,
    /// Description in Markdown.
    #[schema(required)]
    pub description: Option<String>,
    /// State.
    pub state: DraftState,
    /// The user who started it.
    pub author: Profile,
    /// Users who were asked for a review.
    pub reviewers: Vec<Profile>,
    /// Reviews, oldest first, at most the newest 100. Empty in lists.
    pub reviews: Vec<DraftReview>,
    /// Number of approvals that count.
    pub approvals: i64,
    /// Number of approvals that the workspace requires; 0 if it is not protected.
    pub required_approvals: i64,
    /// Revision of the base from which the draft was started or last updated.
    pub base_revision: i64,
    /// Whether the base has changed since. False for merged and closed drafts.
    pub is_behind: bool,
    /// Revision of the draft's map. Starts with the revision of the base.
    pub revision: i64,
    /// Whether the caller can edit, submit and close the draft.
    pub can_edit: bool,
    /// Whether the caller can approve the draft and request changes: an editor who has not changed it.
    pub can_review: bool,
    /// Whether the caller can merge the draft now, apart from conflicts.
    pub can_merge: bool,
    /// When it was merged, in Unix milliseconds; absent if it was not.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub merged_at: Option<i64>,
    /// When it was closed, in Unix milliseconds; absent if it was not.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub closed_at: Option<i64>,
    /// The user who merged or closed it; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub ended_by: Option<Profile>,
    /// Change set of the merge in the base, which its user can undo there; absent if the merge changed nothing.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub change_set_id: Option<String>,
    /// Whether the map of the draft exists. It is removed 30 days after the draft was merged or closed.
    pub has_map: bool,
    /// Id of the source whose sync started the draft; absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub source_id: Option<String>,
    /// Creation time in Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub created_at: i64,
    /// Time of the last change of the draft, apart from its map, in Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub updated_at: i64,
}

/// A review of a draft.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftReview {
    /// Id.
    pub id: i64,
    /// The user who wrote it.
    pub reviewer: Profile,
    /// Verdict.
    pub verdict: ReviewState,
    /// Markdown.
    #[schema(required)]
    pub text: Option<String>,
    /// Revision of the draft's map that was reviewed.
    pub revision: i64,
    /// Creation time in Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub created_at: i64,
    /// Whether the verdict counts: the reviewer is an editor of the base and has not reviewed again, an approval is of the current
    /// map and by a user who has not changed it, and the draft was not changed and submitted again since a request for changes.
    pub is_current: bool,
}

/// A draft to start.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewDraft {
    /// Title.
    #[schema(example = "Split the checkout")]
    pub title: Name,
    /// Description in Markdown.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Ids of users to ask for a review, at most 20.
    #[serde(default, deserialize_with = "optional_at_most::<20, _, _>")]
    #[schema(nullable = false, max_items = 20)]
    pub reviewers: Option<Vec<i64>>,
    /// Id of the source whose sync starts the draft. If an unfinished draft of the caller has it, that one is returned.
    #[schema(nullable = false)]
    pub source_id: Option<SourceId>,
    /// Whether to submit the draft for review at once. Default: false.
    #[serde(default)]
    #[schema(nullable = false)]
    pub submit: Option<bool>,
}

/// Fields of a draft to update. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DraftPatch {
    /// Title.
    #[schema(nullable = false)]
    pub title: Option<Name>,
    /// Description in Markdown; `""` removes it.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Ids of all users to ask for a review, at most 20.
    #[serde(default, deserialize_with = "optional_at_most::<20, _, _>")]
    #[schema(nullable = false, max_items = 20)]
    pub reviewers: Option<Vec<i64>>,
    /// State to set.
    #[schema(nullable = false)]
    pub state: Option<RequestedState>,
}

/// A review to write.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewReview {
    /// Verdict.
    pub verdict: ReviewState,
    /// Markdown. Required for a comment.
    #[schema(nullable = false)]
    pub text: Option<CommentText>,
    /// Revision of the draft's map that was looked at: 409 with the code `stale` if the map has
    /// changed since.
    #[schema(nullable = false)]
    pub expected_revision: Option<i64>,
}

/// The decision about a conflict.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Resolution {
    /// Kind of row.
    pub kind: ChangedKind,
    /// Id of the row in the comparison.
    #[schema(example = "checkout")]
    pub id: String,
    /// Field. Without it, all conflicts of the row are decided.
    #[schema(nullable = false, example = "name")]
    pub field: Option<String>,
    /// The side whose value is taken.
    pub take: MergeSide,
}

/// Decisions for an update of a draft from its base.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DraftUpdate {
    /// Decisions about conflicts, at most 10,000.
    #[serde(default, deserialize_with = "empty_or_at_most::<10_000, _, _>")]
    #[schema(max_items = 10_000)]
    pub resolutions: Vec<Resolution>,
    /// Decides all other conflicts.
    #[schema(nullable = false)]
    pub otherwise: Option<MergeSide>,
}

/// Decisions for a merge.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct DraftMerge {
    /// Decisions about conflicts, at most 10,000.
    #[serde(default, deserialize_with = "empty_or_at_most::<10_000, _, _>")]
    #[schema(max_items = 10_000)]
    pub resolutions: Vec<Resolution>,
    /// Decides all other conflicts.
    #[schema(nullable = false)]
    pub otherwise: Option<MergeSide>,
    /// Revision of the draft's map that was looked at: 409 with the code `stale` if the map has
    /// changed since.
    #[schema(nullable = false)]
    pub expected_revision: Option<i64>,
}

/// Protection of a workspace.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceProtection {
    /// Whether the map changes only when drafts are merged.
    pub protected: bool,
    /// Number of approvals that a draft needs.
    pub required_approvals: i64,
    /// Whether owners can change the map directly, and merge drafts without approvals.
    pub owners_exempt: bool,
    /// Whether the caller can change the map directly.
    pub can_bypass: bool,
}

/// Protection to set. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ProtectionPatch {
    /// Whether the map changes only when drafts are merged.
    #[schema(nullable = false)]
    pub protected: Option<bool>,
    /// Number of approvals that a draft needs. Default: 1.
    #[schema(nullable = false, minimum = 0, maximum = 10)]
    pub required_approvals: Option<i64>,
    /// Whether owners can change the map directly, and merge drafts without approvals. Default: true.
    #[schema(nullable = false)]
    pub owners_exempt: Option<bool>,
}

/// The outcome of a merge.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftMergeResult {
    /// The draft.
    pub draft: Draft,
    /// Change set of the merge in the base; null if nothing had to change.
    #[schema(required)]
    pub change_set_id: Option<String>,
    /// Revision of the base.
    pub revision: i64,
    /// Number of rows that changed.
    pub rows: usize,
}

/// The outcome of an update from the base.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DraftUpdateResult {
    /// The draft.
    pub draft: Draft,
    /// Change set of the update in the draft; null if nothing had to change.
    #[schema(required)]
    pub change_set_id: Option<String>,
    /// Number of rows that changed.
    pub rows: usize,
}

/// Which drafts to list.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DraftFilter {
    /// States, separated by commas. Default: all.
    #[param(example = "draft,open")]
    pub state: Option<String>,
    /// Id of the author, or `me`.
    pub author: Option<String>,
    /// Id of a user, or `me`: only drafts that are waiting for a review by this user, who is a reviewer and has not reviewed
    /// the draft since it was submitted, or whose approval has lapsed.
    pub reviewer: Option<String>,
}

objects!(NewDraft, DraftPatch, NewReview, Resolution, DraftUpdate, DraftMerge, ProtectionPatch);
impl Input for NewDraft {}
impl Input for DraftPatch {}
impl Input for NewReview {}
impl Input for DraftUpdate {}
impl Input for DraftMerge {}
impl Input for ProtectionPatch {}
