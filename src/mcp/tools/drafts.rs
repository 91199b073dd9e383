//! Tools for drafts: an assistant proposes changes instead of making them.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::tool::arguments;
use crate::{
    domain::{
        core::{
            Call, DraftTx, Gate, ProposerTx,
            access::{DraftReader, Drafter, Proposer, Viewer},
        },
        drafts::{self, Draft, DraftFilter, DraftPatch, DraftState, NewDraft, RequestedState},
        input::optional_at_most,
        paging::Paging,
        users::Profile,
        values::{Name, Text},
    },
    error::Result,
    mcp::{
        links::Links,
        results::{SpaceLeft, page},
        services::Site,
    },
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

/// Which drafts.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ListDrafts {
    /// Id of the workspace.
    workspace_id: String,
    /// Default: all that are not merged or closed.
    #[schema(inline, nullable = false)]
    state: Option<DraftState>,
    /// Only those of the user.
    #[schema(nullable = false)]
    mine: Option<bool>,
    /// `nextCursor` of the previous call.
    #[schema(nullable = false)]
    cursor: Option<String>,
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
    ListDrafts: "Drafts of a workspace: proposed changes, newest first.",
    CompareDraft: "What a draft changes in its workspace as it is now, as Markdown, with the fields that both have changed and \
            its reviews.",
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
    /// Where the web client shows it.
    url: String,
}

/// A draft of a list, as a row of a table.
#[derive(Debug, Serialize)]
struct Row(String, i64, String, DraftState, String, Vec<String>, bool);

/// The names of the cells of a [`Row`].
const COLUMNS: [&str; 7] = ["draftId", "number", "title", "state", "author", "reviewers", "isBehind"];

/// A page of drafts.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Drafts {
    columns: [&'static str; 7],
    rows: Vec<Row>,
    /// Whether more follow.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
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

/// The login of a user, which other tools take.
fn login(user: Profile) -> String {
    user.login.unwrap_or(user.display_name)
}

impl ShownDraft {
    fn of(draft: Draft, links: &Links) -> Self {
        let Draft { id, workspace_id, title, state, is_behind, reviewers, .. } = draft;
        let reviewers = reviewers.into_iter().map(login).collect();
        let url = links.draft(&workspace_id, &id);
        Self { draft_id: id, workspace_id, title, state, is_behind, reviewers, url }
    }
}

impl Row {
    fn of(draft: Draft) -> Self {
        let Draft { id, number, title, state, author, reviewers, is_behind, .. } = draft;
        Self(id, number, title, state, login(author), reviewers.into_iter().map(login).collect(), is_behind)
    }
}

/// Drafts of a workspace.
pub async fn list_drafts(gate: Gate, call: Call<Viewer>, ask: ListDrafts) -> Result<Drafts> {
    let ListDrafts { workspace_id, state, mine, cursor } = ask;
    let unfinished = [DraftState::Draft, DraftState::Open, DraftState::ChangesRequested, DraftState::Approved];
    let states = state.map_or_else(|| unfinished.to_vec(), |state| vec![state]);
    let filter = DraftFilter {
        state: Some(states.iter().map(|state| state.as_str()).collect::<Vec<_>>().join(",")),
        author: mine.filter(|mine| *mine).map(|_| "me".to_owned()),
        reviewer: None,
    };
    gate.read(call.large(), workspace_id, move |tx| {
        let found = drafts::list(tx, &filter, &Paging::default())?.items;
        let (rows, next_cursor) =
            page(found.into_iter().map(Row::of), cursor.as_deref(), &mut SpaceLeft::after(&COLUMNS))?;
        Ok(Drafts { columns: COLUMNS, rows, truncated: next_cursor.is_some(), next_cursor })
    })
    .await
}

/// Starts a draft.
pub async fn start_draft(site: Site, call: Call<Proposer>, ask: StartDraft) -> Result<ShownDraft> {
    let links = site.links(&call).await?;
    let StartDraft { workspace_id, title, description, reviewers } = ask;
    let reviewers = match reviewers {
        Some(named) => {
            let find = move |tx: &ProposerTx<'_>| drafts::reviewers_named(tx, &named);
            Some(site.gate.read(call.clone(), workspace_id.clone(), find).await?)
        }
        None => None,
    };
    let new = NewDraft { title, description, reviewers, source_id: None, submit: None };
    drafts::create(&site.gate, call, workspace_id, new).await.map(|draft| ShownDraft::of(draft, &links))
}

/// Submits a draft.
pub async fn submit_draft(site: Site, call: Call<Drafter>, ask: SubmitDraft) -> Result<ShownDraft> {
    let links = site.links(&call).await?;
    let SubmitDraft { draft_id, title, description, reviewers } = ask;
    let submit = move |tx: &mut DraftTx<'_>| {
        let reviewers = reviewers.as_ref().map(|named| drafts::reviewers_named(tx, named)).transpose()?;
        drafts::update(tx, &DraftPatch { title, description, reviewers, state: Some(RequestedState::Open) })
    };
    site.gate.write(call, draft_id, submit).await.map(|draft| ShownDraft::of(draft, &links))
}

/// Compares a draft with its workspace.
pub async fn compare_draft(gate: Gate, call: Call<DraftReader>, ask: CompareDraft) -> Result<Compared> {
    let CompareDraft { draft_id, cursor } = ask;
    let read = |tx: &DraftTx<'_>| Ok(drafts::compare_as_text(tx)? + &drafts::reviews_as_text(tx)?);
    let text = gate.read(call.large(), draft_id.clone(), read).await?;
    let (lines, next_cursor) = page(text.lines(), cursor.as_deref(), &mut SpaceLeft::after(&draft_id))?;
    Ok(Compared { draft_id, markdown: lines.join("\n"), truncated: next_cursor.is_some(), next_cursor })
}
