//! Tools for decisions (ADR).

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    change_set::{Done, change_set},
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
    mcp::{
        results::{SpaceLeft, beginning, page},
        services::Site,
    },
};

/// Which decisions.
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

/// Which decision.
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

/// A page of decisions.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    /// Revision of the workspace.
    revision: i64,
    columns: [&'static str; 7],
    rows: Vec<Value>,
    /// Whether there are more.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// A decision.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownDecision {
    decision_id: String,
    number: i64,
    title: String,
    status: DecisionStatus,
    date: String,
    authors: Vec<String>,
    component_ids: Vec<String>,
    supersedes: Vec<String>,
    body: String,
    /// Whether the end of the text is left out.
    truncated: bool,
    /// Revision of the decision.
    revision: i64,
    workspace_revision: i64,
    /// Where the web client shows it.
    url: String,
}

/// A saved decision.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Saved {
    decision_id: String,
    number: i64,
    status: DecisionStatus,
    /// Whether it was created.
    created: bool,
}

/// The decisions of a workspace.
pub async fn list_decisions(gate: Gate, call: Call<Viewer>, ask: ListDecisions) -> Result<Listed> {
    const COLUMNS: [&str; 7] = ["id", "number", "title", "status", "date", "componentIds", "supersedes"];
    let ListDecisions { workspace_id, status, component_id, cursor } = ask;
    gate.read(call.large(), workspace_id, move |tx| {
        let revision = tx.workspace().metadata.revision;
        let filter = DecisionFilter { status, component_id };
        let found = decisions::list(tx, &filter, &Paging::default())?.items;
        let rows = found
            .into_iter()
            .map(|row| json!([row.id, row.number, row.title, row.status, row.date, row.component_ids, row.supersedes]));
        let (rows, next_cursor) = page(rows, cursor.as_deref(), &mut SpaceLeft::after(&(revision, COLUMNS)))?;
        Ok(Listed { revision, columns: COLUMNS, rows, truncated: next_cursor.is_some(), next_cursor })
    })
    .await
}

/// A decision with its text, as far as it fits.
pub async fn get_decision(site: Site, call: Call<Viewer>, ask: GetDecision) -> Result<ShownDecision> {
    let GetDecision { workspace_id, decision_id } = ask;
    let url = site.links(&call).await?.decision(&workspace_id, &decision_id);
    let read = move |tx: &ViewTx<'_>| Ok((decisions::read(tx, &decision_id)?, tx.workspace().metadata.revision));
    let (row, workspace_revision) = site.gate.read(call, workspace_id, read).await?;
    let (body, truncated) = shortened(row.body);
    Ok(ShownDecision {
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

/// The beginning of a text that fits in a result, and whether it is only the beginning.
fn shortened(text: String) -> (String, bool) {
    const MAX_BYTES: usize = 20 << 10;
    let shown = beginning(text.chars(), MAX_BYTES);
    if shown.len() == text.len() { (text, false) } else { (shown, true) }
}

/// Creates or changes a decision.
pub async fn save_decision(site: Site, call: Call<Editor>, ask: SaveDecision) -> Result<Done<Saved>> {
    let SaveDecision { workspace_id, decision_id, title, status, date, authors, component_ids, supersedes, body } = ask;
    let write = move |set: &mut ChangeSet<'_, '_>| {
        let present = match &decision_id {
            Some(id) => found(decisions::read(set.now(), id.as_str()))?,
            None => None,
        };
        let created = present.is_none();
        let row: Decision = match present {
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
                    && let Some(known) = decisions::titled(set.now(), title.as_str())?
                {
                    let text = format!("there is a decision `{known}` of this title already; give its decisionId");
                    return Err(Error::invalid("title", text));
                }
                decisions::create(
                    set.tx(),
                    NewDecision { id: decision_id, title, status, date, authors, component_ids, supersedes, body },
                )?
            }
        };
        Ok(Saved { decision_id: row.id, number: row.number, status: row.status, created })
    };
    let done = change_set(&site, call, workspace_id.clone(), "decisions", write).await?;
    Ok(done.at(|links, saved| links.decision(&workspace_id, &saved.decision_id)))
}
