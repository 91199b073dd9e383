//! Tools for decisions (ADR).

use serde::Deserialize;
use serde_json::json;

use super::{
    change_set::change_set,
    results::{
        Table,
        collaboration::{DecisionDetails, SavedDecision},
        writes::WriteResult,
    },
    tool::{arguments, found},
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{
            Call, Gate, ViewTx,
            access::{Editor, Viewer},
        },
        map::{
            change_set::ChangeSet,
            decisions::{
                self, Decision, DecisionBody, DecisionDate, DecisionFilter, DecisionPatch, DecisionStatus, NewDecision,
            },
        },
        paging::Paging,
        values::{Id, KebabId, Name},
    },
    error::{Error, Problem, Result},
    mcp::{results::beginning, services::Site},
};

/// Which decisions to list.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ListDecisions {
    workspace_id: String,
    #[schema(inline, nullable = false)]
    status: Option<DecisionStatus>,
    /// Only those that concern it.
    #[schema(nullable = false)]
    component_id: Option<Id>,
    #[schema(nullable = false)]
    cursor: Option<String>,
}

/// The decision to read.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct GetDecision {
    workspace_id: String,
    decision_id: String,
}

/// A decision to create or change. What is absent stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct SaveDecision {
    workspace_id: String,
    /// Of an existing decision, or a new one in kebab-case.
    #[schema(value_type = Option<String>, nullable = false)]
    decision_id: Option<KebabId>,
    #[schema(value_type = Option<String>, nullable = false)]
    title: Option<Name>,
    #[schema(inline, nullable = false)]
    status: Option<DecisionStatus>,
    /// YYYY-MM-DD.
    #[schema(value_type = Option<String>, nullable = false)]
    date: Option<DecisionDate>,
    #[schema(value_type = Option<Vec<String>>, nullable = false)]
    authors: Option<Vec<Name>>,
    #[schema(value_type = Option<Vec<String>>, nullable = false)]
    component_ids: Option<Vec<Id>>,
    /// Ids of decisions that it replaces; they become superseded.
    #[schema(value_type = Option<Vec<String>>, nullable = false)]
    supersedes: Option<Vec<KebabId>>,
    /// Markdown.
    #[schema(value_type = Option<String>, nullable = false)]
    body: Option<DecisionBody>,
}

arguments!(
    ListDecisions: "Architecture decision records (ADR) of a workspace, by number, without their texts.",
    GetDecision: "One architecture decision record (ADR) with its Markdown text, of which the end may be left out (`truncated`).",
    SaveDecision: "Create or change a decision (ADR). New ones are `proposed` and get the next number. Do not accept one \
            unless the user says so.",
);

/// Lists the decisions of a workspace.
pub async fn list_decisions(gate: Gate, call: Call<Viewer>, request: ListDecisions) -> Result<Table> {
    const COLUMNS: [&str; 7] = ["id", "number", "title", "status", "date", "componentIds", "supersedes"];
    let ListDecisions { workspace_id, status, component_id, cursor } = request;
    gate.read(call.large(), workspace_id, move |tx| {
        let revision = tx.workspace().metadata.revision;
        let filter = DecisionFilter { status, component_id };
        let found = decisions::list(tx, &filter, &Paging::default())?.items;
        let rows = found
            .into_iter()
            .map(|row| json!([row.id, row.number, row.title, row.status, row.date, row.component_ids, row.supersedes]));
        Table::page(Some(revision), &COLUMNS, rows, cursor.as_deref())
    })
    .await
}

/// Reads a decision with as much of its text as fits.
pub async fn get_decision(site: Site, call: Call<Viewer>, request: GetDecision) -> Result<DecisionDetails> {
    let GetDecision { workspace_id, decision_id } = request;
    let url = site.links(&call).await?.decision(&workspace_id, &decision_id);
    let read = move |tx: &ViewTx<'_>| Ok((decisions::read(tx, &decision_id)?, tx.workspace().metadata.revision));
    let (row, workspace_revision) = site.gate.read(call, workspace_id, read).await?;
    let (body, truncated) = shortened(row.body);
    Ok(DecisionDetails {
        decision_id: row.id,
        number: row.number,
        title: row.title,
        status: row.status,
        date: row.date,
        authors: row.authors.into_texts(),
        component_ids: row.component_ids.into_texts(),
        supersedes: row.supersedes.into_texts(),
        body,
        truncated,
        revision: row.metadata.revision,
        workspace_revision,
        url,
    })
}

/// As much of a text as fits in a result, and whether the end is omitted.
fn shortened(text: String) -> (String, bool) {
    const MAX_BYTES: usize = 20 << 10;
    let start = beginning(text.chars(), MAX_BYTES);
    if start.len() == text.len() { (text, false) } else { (start, true) }
}

/// Creates or changes a decision.
pub async fn save_decision(
    site: Site,
    call: Call<Editor>,
    request: SaveDecision,
) -> Result<WriteResult<SavedDecision>> {
    let SaveDecision { workspace_id, decision_id, title, status, date, authors, component_ids, supersedes, body } =
        request;
    let write = move |set: &mut ChangeSet<'_, '_>| {
        let existing = match &decision_id {
            Some(id) => found(decisions::read(set.now(), id.as_str()))?,
            None => None,
        };
        let created = existing.is_none();
        let row: Decision = match existing {
            Some(row) => decisions::update(
                set.tx(),
                &row.id,
                DecisionPatch {
                    title,
                    status,
                    date,
                    authors,
                    component_ids,
                    supersedes,
                    body,
                    ..DecisionPatch::default()
                },
            )?,
            None => {
                let required = || Error::invalid("title", Problem::required(", because no decision has this id"));
                let title = title.ok_or_else(required)?;
                if decision_id.is_none()
                    && let Some(existing_id) = decisions::titled(set.now(), title.as_str())?
                {
                    let text = format!("the decision `{existing_id}` has this title; set `decisionId` to change it");
                    return Err(Error::invalid("title", text));
                }
                decisions::create(
                    set.tx(),
                    NewDecision { id: decision_id, title, status, date, authors, component_ids, supersedes, body },
                )?
            }
        };
        Ok(SavedDecision { decision_id: row.id, number: row.number, status: row.status, created })
    };
    let result = change_set(&site, call, workspace_id.clone(), "decisions", write).await?;
    Ok(result.with_url(|links, saved| links.decision(&workspace_id, &saved.decision_id)))
}
