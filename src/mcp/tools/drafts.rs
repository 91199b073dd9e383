//! Tools for drafts: an assistant proposes changes instead of making them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::tool::arguments;
use crate::{
    domain::{
        core::{
            Call, DraftTx, Gate, ProposerTx,
            access::{DraftReader, Drafter, Proposer},
        },
        drafts::{self, Draft, DraftPatch, DraftState, NewDraft, RequestedState},
        input::optional_at_most,
        values::{Name, Text},
    },
    error::Result,
    mcp::results::{SpaceLeft, page},
};

/// A draft to start.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct StartDraft {
    /// Id of the workspace.
    workspace_id: String,
    /// What it changes.
    title: Name,
    /// Markdown: why.
    #[schema(value_type = Option<String>, nullable = false)]
    description: Option<Text>,
    /// Logins or user ids, asked when it is submitted.
    #[serde(default, deserialize_with = "optional_at_most::<20, _, _>")]
    #[schema(nullable = false, max_items = 20)]
    reviewers: Option<Vec<String>>,
}

/// A draft to submit.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct SubmitDraft {
    /// Id of the draft.
    draft_id: String,
    /// New title.
    #[schema(value_type = Option<String>, nullable = false)]
    title: Option<Name>,
    /// New Markdown.
    #[schema(value_type = Option<String>, nullable = false)]
    description: Option<Text>,
    /// All users to ask: logins or user ids.
    #[serde(default, deserialize_with = "optional_at_most::<20, _, _>")]
    #[schema(nullable = false, max_items = 20)]
    reviewers: Option<Vec<String>>,
}

/// A draft to compare.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct CompareDraft {
    /// Id of the draft.
    draft_id: String,
    /// `nextCursor` of the previous call.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

arguments!(
    StartDraft: "Start a draft: a copy of a workspace in which you propose changes that users review before they are real. \
            Use it for a protected workspace, or when the user wants a proposal. Pass `draftId` as `workspaceId` to other \
            tools (search does not find drafts; query_components does), then call submit_draft.",
    SubmitDraft: "Submit a draft for review, with another title, description or reviewers if given. Users review it on the \
            map and merge it.",
    CompareDraft: "What a draft changes in its workspace as it is now, as Markdown, with the fields that both have changed.",
);

/// A draft.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownDraft {
    draft_id: String,
    /// Its workspace.
    workspace_id: String,
    title: String,
    state: DraftState,
    is_behind: bool,
    /// Logins.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reviewers: Vec<String>,
}

/// A comparison.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Compared {
    draft_id: String,
    markdown: String,
    /// Whether more follows.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

impl ShownDraft {
    fn of(draft: Draft) -> Self {
        let Draft { id, workspace_id, title, state, is_behind, reviewers, .. } = draft;
        let reviewers = reviewers.into_iter().map(|user| user.login.unwrap_or(user.display_name)).collect();
        Self { draft_id: id, workspace_id, title, state, is_behind, reviewers }
    }
}

/// Starts a draft.
pub async fn start_draft(gate: Gate, call: Call<Proposer>, ask: StartDraft) -> Result<ShownDraft> {
    let StartDraft { workspace_id, title, description, reviewers } = ask;
    let reviewers = match reviewers {
        Some(named) => {
            let find = move |tx: &ProposerTx<'_>| drafts::reviewers_named(tx, &named);
            Some(gate.read(call.clone(), workspace_id.clone(), find).await?)
        }
        None => None,
    };
    let new = NewDraft { title, description, reviewers, source_id: None, submit: None };
    drafts::create(&gate, call, workspace_id, new).await.map(ShownDraft::of)
}

/// Submits a draft.
pub async fn submit_draft(gate: Gate, call: Call<Drafter>, ask: SubmitDraft) -> Result<ShownDraft> {
    let SubmitDraft { draft_id, title, description, reviewers } = ask;
    let submit = move |tx: &mut DraftTx<'_>| {
        let reviewers = reviewers.as_ref().map(|named| drafts::reviewers_named(tx, named)).transpose()?;
        drafts::update(tx, &DraftPatch { title, description, reviewers, state: Some(RequestedState::Open) })
    };
    gate.write(call, draft_id, submit).await.map(ShownDraft::of)
}

/// Compares a draft with its workspace.
pub async fn compare_draft(gate: Gate, call: Call<DraftReader>, ask: CompareDraft) -> Result<Compared> {
    let CompareDraft { draft_id, cursor } = ask;
    let text = gate.read(call.large(), draft_id.clone(), drafts::compare_as_text).await?;
    let (lines, next_cursor) = page(text.lines(), cursor.as_deref(), &mut SpaceLeft::after(&draft_id))?;
    Ok(Compared { draft_id, markdown: lines.join("\n"), truncated: next_cursor.is_some(), next_cursor })
}
