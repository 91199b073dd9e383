//! The tool that compares two states of a workspace.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::tool::arguments;
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, Gate, ViewTx, access::Viewer},
        history::{self, FieldChange, KindDifference, Moment, WorkspaceDifference},
    },
    error::{Error, Result},
    mcp::results::{SpaceLeft, page, position, truncate},
};

/// Which states.
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

/// A revision may be a number or a text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Given {
    Number(i64),
    Text(String),
}

impl From<Given> for Moment {
    fn from(given: Given) -> Self {
        match given {
            Given::Number(revision) => Self::Revision(revision),
            Given::Text(text) => Self::read(&text),
        }
    }
}

fn moment<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Moment, D::Error> {
    Given::deserialize(deserializer).map(Moment::from)
}

fn optional_moment<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Option<Moment>, D::Error> {
    Ok(Option::<Given>::deserialize(deserializer)?.map(Moment::from))
}

/// A row of one of the three lists.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Row {
    Added([String; 3]),
    Changed(&'static str, String, String, Value, Value),
    Removed([String; 3]),
}

/// A page of the differences.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Differences {
    /// Revision of the workspace.
    revision: i64,
    /// Revision of the first state.
    from: i64,
    /// Revision of the second state.
    to: i64,
    /// Number of differences on all pages.
    total: usize,
    /// Kind, id and name.
    added: Vec<Row>,
    /// Kind, id, field, value before, value after.
    changed: Vec<Row>,
    /// Kind, id and name.
    removed: Vec<Row>,
    /// Whether there are more.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// Compares two states. Pages after the first compare with the revision that the first page had.
pub async fn compare(gate: Gate, call: Call<Viewer>, ask: Compare) -> Result<Differences> {
    let Compare { workspace_id, from, to, cursor } = ask;
    let (revision, place) = match cursor.as_deref().and_then(|text| text.split_once(':')) {
        Some((revision, place)) => {
            let wrong = |_| Error::invalid("cursor", "must be the `nextCursor` of the previous call");
            (Some(revision.parse().map_err(wrong)?), Some(place.to_owned()))
        }
        None => (None, cursor),
    };
    let is_now = to.is_none();
    let to = to.or(revision.map(Moment::Revision));
    position(place.as_deref())?;
    let ends = (from.clone(), to.clone());
    let weigh = move |tx: &ViewTx<'_>| history::weigh_comparison(tx, &ends.0, ends.1.as_ref());
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
                Row::Added(_) => added.push(row),
                Row::Changed(..) => changed.push(row),
                Row::Removed(_) => removed.push(row),
            }
        }
        let revision = tx.workspace().metadata.revision;
        Ok(Differences {
            revision,
            from,
            to,
            total,
            added,
            changed,
            removed,
            truncated: next_cursor.is_some(),
            next_cursor,
        })
    })
    .await
}

/// All differences: the changed fields of the workspace itself, then those of its rows, kind by kind.
fn rows(workspace_id: &str, found: WorkspaceDifference) -> Vec<Row> {
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
    // Views that were added or removed are rows; how they are arranged is a part of them.
    let is_whole = |id: &str| {
        let (_, views) = &kinds[kinds.len() - 2];
        let mut rows = views.added.iter().chain(&views.removed);
        rows.any(|then| then.row.get("id").is_some_and(|known| known == id))
    };
    let mut arranged = arranged("places", view_places);
    arranged.extend(self::arranged("lines", view_lines));
    arranged.retain(|(id, ..)| !is_whole(id));
    for (kind, KindDifference { added, changed: both, removed }) in kinds {
        all.extend(added.iter().map(|then| Row::Added(described(kind, &then.row))));
        for row in both {
            changed(&mut all, kind, &row.entity_id, row.fields);
        }
        all.extend(removed.iter().map(|then| Row::Removed(described(kind, &then.row))));
    }
    let row = |(id, part, count): (String, &str, usize)| {
        Row::Changed("view", id, part.to_owned(), Value::Null, format!("{count} changed").into())
    };
    all.extend(arranged.into_iter().map(row));
    all
}

/// How many places of components or lines of relationships differ, by view. One by one they would hide what else differs.
fn arranged(part: &'static str, found: KindDifference) -> Vec<(String, &'static str, usize)> {
    let KindDifference { added, changed, removed } = found;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let whole = added.iter().chain(&removed);
    let whole = whole.filter_map(|then| then.row.get("viewId").and_then(Value::as_str));
    // The id of such a row begins with that of its view.
    let parts = changed.iter().filter_map(|row| row.entity_id.split('/').next());
    for view in whole.chain(parts) {
        *counts.entry(view.to_owned()).or_default() += 1;
    }
    counts.into_iter().map(|(view, count)| (view, part, count)).collect()
}

/// Adds a row per changed field. Changed properties are fields of their own.
fn changed(all: &mut Vec<Row>, kind: &'static str, id: &str, fields: BTreeMap<String, FieldChange>) {
    let mut add = |field: String, from: &Value, to: &Value| {
        all.push(Row::Changed(kind, id.to_owned(), field, shown(from), shown(to)));
    };
    for (field, FieldChange { from, to }) in fields {
        match (&from, &to) {
            (Value::Object(before), Value::Object(after)) => {
                let gone = before.keys().filter(|key| !after.contains_key(*key));
                for key in after.keys().chain(gone) {
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

/// A value as it is shown: long ones are cut.
fn shown(value: &Value) -> Value {
    match value {
        Value::String(text) => truncate(text).into(),
        Value::Array(_) | Value::Object(_) => {
            let text = value.to_string();
            let cut = truncate(&text);
            if cut == text { value.clone() } else { cut.into() }
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
