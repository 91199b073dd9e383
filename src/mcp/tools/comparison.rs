//! The tool that compares two states of a workspace.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::{
    results::map::{DifferenceRow, Differences},
    tool::arguments,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, Gate, ViewTx, access::Viewer},
        history::{self, FieldChange, KindDifference, Moment, WorkspaceDifference},
    },
    error::{Error, Result},
    mcp::results::{SpaceLeft, page, position, truncate},
};

/// The states to compare.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Compare {
    /// Id of the workspace.
    workspace_id: String,
    /// A revision, the name of a version, or a time.
    #[serde(deserialize_with = "moment")]
    #[schema(value_type = String)]
    from: Moment,
    /// Default: now.
    #[serde(default, deserialize_with = "optional_moment")]
    #[schema(value_type = String, nullable = false, required = false)]
    to: Option<Moment>,
    /// `nextCursor` of the previous call, with the same `from` and `to`.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

arguments!(
    Compare: "What differs between two states of a workspace, with the values: `added` and `removed` are rows of \
            kind, id, name; `changed` of kind, id, field, from, to (of a view, `places` and `lines` only as numbers). Example: {\"workspaceId\": \"web-shop\", \
            \"from\": \"2026-11-22\"}",
);

/// Clients send a revision as a number or a text.
#[derive(Deserialize)]
#[serde(untagged)]
enum NumberOrText {
    Number(i64),
    Text(String),
}

impl From<NumberOrText> for Moment {
    fn from(value: NumberOrText) -> Self {
        match value {
            NumberOrText::Number(revision) => Self::Revision(revision),
            NumberOrText::Text(text) => Self::read(&text),
        }
    }
}

fn moment<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Moment, D::Error> {
    NumberOrText::deserialize(deserializer).map(Moment::from)
}

fn optional_moment<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Option<Moment>, D::Error> {
    Ok(Option::<NumberOrText>::deserialize(deserializer)?.map(Moment::from))
}

/// Compares two states. Pages after the first compare with the revision that the first page had.
pub async fn compare(gate: Gate, call: Call<Viewer>, request: Compare) -> Result<Differences> {
    let Compare { workspace_id, from, to, cursor } = request;
    let (revision, place) = match cursor.as_deref().and_then(|text| text.split_once(':')) {
        Some((revision, place)) => {
            let invalid = |_| Error::invalid("cursor", "must be the `nextCursor` of the previous call");
            (Some(revision.parse().map_err(invalid)?), Some(place.to_owned()))
        }
        None => (None, cursor),
    };
    let is_now = to.is_none();
    let to = to.or(revision.map(Moment::Revision));
    position(place.as_deref())?;
    let states = (from.clone(), to.clone());
    let weigh = move |tx: &ViewTx<'_>| history::weigh_comparison(tx, &states.0, states.1.as_ref());
    let whole = gate.whole_map(&call, workspace_id.clone(), weigh).await?;
    gate.read(call.large(), workspace_id, move |tx| {
        let found = history::compare(tx, &from, to.as_ref(), &whole)?;
        let (from, to) = (found.from, found.to);
        let all = rows(tx.workspace().id.as_str(), found);
        let total = all.len();
        let (rows, next) = page(all, place.as_deref(), &mut SpaceLeft::after(&()))?;
        let next_cursor = next.map(|next| if is_now { format!("{to}:{next}") } else { next });
        let (mut added, mut changed, mut removed) = (Vec::new(), Vec::new(), Vec::new());
        for row in rows {
            match row {
                DifferenceRow::Added(_) => added.push(row),
                DifferenceRow::Changed(..) => changed.push(row),
                DifferenceRow::Removed(_) => removed.push(row),
            }
        }
        let revision = tx.workspace().metadata.revision;
        Ok(Differences { revision, from, to, total, added, changed, removed, next: next_cursor.into() })
    })
    .await
}

/// All differences: the changed fields of the workspace itself, then those of its rows, kind by kind.
fn rows(workspace_id: &str, found: WorkspaceDifference) -> Vec<DifferenceRow> {
    let WorkspaceDifference { workspace, components, relationships, stakeholders, links, processes, notes, .. } = found;
    let WorkspaceDifference { views, view_places, view_lines, tours, decisions, .. } = found;
    let mut all = Vec::new();
    changed(&mut all, "workspace", workspace_id, workspace);
    let kinds = [
        ("component", components),
        ("relationship", relationships),
        ("stakeholder", stakeholders),
        ("link", links),
        ("process", processes),
        ("note", notes),
        ("decision", decisions),
        ("view", views),
        ("tour", tours),
    ];
    // An added or removed view includes its places and lines.
    let is_whole = |id: &str| {
        let (_, views) = &kinds[kinds.len() - 2];
        let mut rows = views.added.iter().chain(&views.removed);
        rows.any(|state| state.row.get("id").is_some_and(|row_id| row_id == id))
    };
    let mut arranged = arranged("places", view_places);
    arranged.extend(self::arranged("lines", view_lines));
    arranged.retain(|(id, ..)| !is_whole(id));
    for (kind, KindDifference { added, changed: updated, removed }) in kinds {
        all.extend(added.iter().map(|state| DifferenceRow::Added(described(kind, &state.row))));
        for row in updated {
            changed(&mut all, kind, &row.entity_id, row.fields);
        }
        all.extend(removed.iter().map(|state| DifferenceRow::Removed(described(kind, &state.row))));
    }
    let row = |(id, part, count): (String, &str, usize)| {
        DifferenceRow::Changed("view", id, part.to_owned(), Value::Null, format!("{count} changed").into())
    };
    all.extend(arranged.into_iter().map(row));
    all
}

/// The number of different places of components or lines of relationships by view. Listed one by one, they would hide the
/// other differences.
fn arranged(part: &'static str, found: KindDifference) -> Vec<(String, &'static str, usize)> {
    let KindDifference { added, changed, removed } = found;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let whole = added.iter().chain(&removed);
    let whole = whole.filter_map(|state| state.row.get("viewId").and_then(Value::as_str));
    // The id of such a row begins with that of its view.
    let parts = changed.iter().filter_map(|row| row.entity_id.split('/').next());
    for view in whole.chain(parts) {
        *counts.entry(view.to_owned()).or_default() += 1;
    }
    counts.into_iter().map(|(view, count)| (view, part, count)).collect()
}

/// Adds a row per changed field. Changed properties are fields of their own.
fn changed(all: &mut Vec<DifferenceRow>, kind: &'static str, id: &str, fields: BTreeMap<String, FieldChange>) {
    let mut add = |field: String, from: &Value, to: &Value| {
        all.push(DifferenceRow::Changed(kind, id.to_owned(), field, shortened(from), shortened(to)));
    };
    for (field, FieldChange { from, to }) in fields {
        match (&from, &to) {
            (Value::Object(before), Value::Object(after)) => {
                let removed = before.keys().filter(|key| !after.contains_key(*key));
                for key in after.keys().chain(removed) {
                    let (from, to) = (before.get(key), after.get(key));
                    if from != to {
                        add(format!("{field}.{key}"), from.unwrap_or(&Value::Null), to.unwrap_or(&Value::Null));
                    }
                }
            }
            _ => add(field, &from, &to),
        }
    }
}

/// A value for the result: long ones are truncated.
fn shortened(value: &Value) -> Value {
    match value {
        Value::String(text) => truncate(text).into(),
        Value::Array(_) | Value::Object(_) => {
            let text = value.to_string();
            let truncated = truncate(&text);
            if truncated == text { value.clone() } else { truncated.into() }
        }
        value => value.clone(),
    }
}

/// Kind, id and name of a row.
fn described(kind: &str, row: &Map<String, Value>) -> [String; 3] {
    let text = |field: &str| match row.get(field) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Null) | None => String::new(),
        Some(other) => other.to_string(),
    };
    let name = match kind {
        "relationship" => format!("{} {} {}", text("sourceId"), text("typeId"), text("targetId")),
        "stakeholder" => {
            format!("{}{} {} of {}", text("personId"), text("teamId"), text("linkType"), text("componentId"))
        }
        "link" => text("url"),
        "note" => text("text"),
        _ => text("name"),
    };
    [kind.to_owned(), text("id"), truncate(&name)]
}
