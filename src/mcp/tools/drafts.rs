//! Tools for drafts: an assistant proposes changes instead of making them.

use std::fmt;

use serde::{Deserialize, Deserializer, de::Visitor};
use serde_json::json;

use super::{
    results::{
        Table,
        collaboration::{DraftComparison, DraftSummary, login},
    },
    tool::arguments,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{
            Call, DraftTx, Gate, ProposerTx,
            access::{DraftReader, Drafter, Proposer, Viewer},
        },
        drafts::{self, Draft, DraftFilter, DraftPatch, DraftState, NewDraft, RequestedState},
        input::optional_at_most,
        paging::Paging,
        values::{Name, Text},
    },
    error::Result,
    mcp::{
        results::{SpaceLeft, page},
        services::Site,
    },
};

/// A login or a user id. An id can also be a number, as in the REST API; the schema of the tool has no type arrays.
#[derive(Debug)]
struct UserName(String);

impl<'de> Deserialize<'de> for UserName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct TextOrNumber;

        impl Visitor<'_> for TextOrNumber {
            type Value = UserName;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a login or a user id")
            }

            fn visit_str<E>(self, text: &str) -> std::result::Result<UserName, E> {
                Ok(UserName(text.to_owned()))
            }

            fn visit_u64<E>(self, id: u64) -> std::result::Result<UserName, E> {
                Ok(UserName(id.to_string()))
            }
        }

        deserializer.deserialize_any(TextOrNumber)
    }
}

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
    /// Logins or user ids.
    #[serde(default, deserialize_with = "optional_at_most::<20, _, _>")]
    #[schema(value_type = Option<Vec<String>>, nullable = false, max_items = 20)]
    reviewers: Option<Vec<UserName>>,
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
    /// All reviewers: logins or user ids.
    #[serde(default, deserialize_with = "optional_at_most::<20, _, _>")]
    #[schema(value_type = Option<Vec<String>>, nullable = false, max_items = 20)]
    reviewers: Option<Vec<UserName>>,
}

/// The drafts of a workspace.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ListDrafts {
    /// Id of the workspace.
    workspace_id: String,
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
            Use it if you cannot change the workspace, or when the user wants a proposal. Pass `draftId` as `workspaceId` to other \
            tools (search does not find drafts; query_components does), then call submit_draft.",
    SubmitDraft: "Submit a draft for review, with another title, description or reviewers if given. Users review it on the \
            map and merge it.",
    ListDrafts: "Unfinished drafts of a workspace, newest first.",
    CompareDraft: "What a draft changes in its workspace as it is now, as Markdown, with the fields that both have changed and \
            its reviews.",
);

/// The columns of a list of drafts.
const COLUMNS: [&str; 7] = ["draftId", "number", "title", "state", "author", "reviewers", "isBehind"];

/// Lists the drafts of a workspace that are neither merged nor closed.
pub async fn list_drafts(gate: Gate, call: Call<Viewer>, request: ListDrafts) -> Result<Table> {
    let ListDrafts { workspace_id, cursor } = request;
    let unfinished = [DraftState::Draft, DraftState::Open, DraftState::ChangesRequested, DraftState::Approved];
    let filter = DraftFilter { state: Some(unfinished.map(DraftState::as_str).join(",")), ..DraftFilter::default() };
    gate.read(call.large(), workspace_id, move |tx| {
        let found = drafts::list(tx, &filter, &Paging::default())?.items;
        let rows = found.into_iter().map(|draft| {
            let Draft { id, number, title, state, author, reviewers, is_behind, .. } = draft;
            let reviewers: Vec<String> = reviewers.into_iter().map(login).collect();
            json!([id, number, title, state, login(author), reviewers, is_behind])
        });
        Table::page(None, &COLUMNS, rows, cursor.as_deref())
    })
    .await
}

/// Starts a draft.
pub async fn start_draft(site: Site, call: Call<Proposer>, request: StartDraft) -> Result<DraftSummary> {
    let links = site.links(&call).await?;
    let StartDraft { workspace_id, title, description, reviewers } = request;
    let reviewers = match reviewers {
        Some(named) => {
            let find = move |tx: &ProposerTx<'_>| {
                drafts::reviewers_named(tx, named.iter().map(|UserName(name)| name.as_str()))
            };
            Some(site.gate.read(call.clone(), workspace_id.clone(), find).await?)
        }
        None => None,
    };
    let new = NewDraft { title, description, reviewers, source_id: None, submit: None };
    drafts::create(&site.gate, call, workspace_id, new).await.map(|draft| DraftSummary::new(draft, &links))
}

/// Submits a draft.
pub async fn submit_draft(site: Site, call: Call<Drafter>, request: SubmitDraft) -> Result<DraftSummary> {
    let links = site.links(&call).await?;
    let SubmitDraft { draft_id, title, description, reviewers } = request;
    let submit = move |tx: &mut DraftTx<'_>| {
        let named = reviewers.as_ref().map(|named| named.iter().map(|UserName(name)| name.as_str()));
        let reviewers = named.map(|named| drafts::reviewers_named(tx, named)).transpose()?;
        drafts::update(tx, &DraftPatch { title, description, reviewers, state: Some(RequestedState::Open) })
    };
    site.gate.write(call, draft_id, submit).await.map(|draft| DraftSummary::new(draft, &links))
}

/// Compares a draft with its workspace.
pub async fn compare_draft(gate: Gate, call: Call<DraftReader>, request: CompareDraft) -> Result<DraftComparison> {
    let CompareDraft { draft_id, cursor } = request;
    let whole = gate.whole_map(&call, draft_id.clone(), drafts::weigh).await?;
    let read = move |tx: &DraftTx<'_>| Ok(drafts::compare_as_text(tx, &whole)? + &drafts::reviews_as_text(tx)?);
    let text = gate.read(call.large(), draft_id.clone(), read).await?;
    let (lines, next_cursor) = page(text.lines(), cursor.as_deref(), &mut SpaceLeft::after(&draft_id))?;
    Ok(DraftComparison { draft_id, markdown: lines.join("\n"), next: next_cursor.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_named_by_a_login_or_an_id() {
        let named: Vec<UserName> = serde_json::from_str(r#"["eve", "7", 7]"#).unwrap();
        assert_eq!(named.iter().map(|UserName(name)| name.as_str()).collect::<Vec<_>>(), ["eve", "7", "7"]);
        let error = serde_json::from_str::<UserName>("true").unwrap_err().to_string();
        assert!(error.contains("expected a login or a user id"), "{error}");
    }
}
