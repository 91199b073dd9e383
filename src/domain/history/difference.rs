//! The difference between two states of a workspace.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use serde_json::{Map, Value};

use super::{
    changes::{METADATA_FIELDS, differing},
    state::weigh_at,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{LoggedRow, ViewTx, WholeMap},
        map::workspaces::Workspace,
        state::{MapRow, WorkspaceState},
    },
    error::{Error, Result},
};

/// The difference between two revisions of a workspace. Members are not compared.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceDifference {
    /// First revision.
    #[schema(example = 12)]
    pub from: i64,
    /// Second revision.
    #[schema(example = 31)]
    pub to: i64,
    /// Changed fields of the workspace itself, by name.
    pub workspace: BTreeMap<String, FieldChange>,
    /// Components.
    pub components: KindDifference,
    /// Relationships.
    pub relationships: KindDifference,
    /// Stakeholders, without embedded people and teams.
    pub stakeholders: KindDifference,
    /// External links.
    pub links: KindDifference,
    /// Processes.
    pub processes: KindDifference,
    /// Notes, frames and images.
    pub notes: KindDifference,
    /// Views.
    pub views: KindDifference,
    /// Positions of components in views.
    pub view_places: KindDifference,
    /// Lines of relationships in views.
    pub view_lines: KindDifference,
    /// Tours.
    pub tours: KindDifference,
    /// Decisions.
    pub decisions: KindDifference,
}

/// The difference between the rows of one kind.
#[derive(Debug, Serialize, ToSchema)]
pub struct KindDifference {
    /// Rows that exist only in the second state, in its order.
    pub added: Vec<DifferenceRow>,
    /// Rows that exist in both states with different contents, in the order of the second state.
    pub changed: Vec<ChangedRow>,
    /// Rows that exist only in the first state, in its order.
    pub removed: Vec<DifferenceRow>,
}

/// A row that exists in only one of the two states.
#[derive(Debug, Serialize, ToSchema)]
pub struct DifferenceRow {
    /// Order value (`seq`) of the row; absent for kinds without an order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub seq: Option<i64>,
    /// The row, in the same shape as in read responses.
    #[schema(value_type = Object)]
    pub row: Map<String, Value>,
}

/// A row that exists in both states with different contents.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangedRow {
    /// Row id as text, unique among rows of its kind.
    #[schema(example = "checkout")]
    pub entity_id: String,
    /// Display name in the second state.
    #[schema(example = "Checkout")]
    pub name: String,
    /// Changed fields, by name. `seq` is the order value of the row.
    pub fields: BTreeMap<String, FieldChange>,
}

/// The values of a field in both states; null where it was never set.
#[derive(Debug, Serialize, ToSchema)]
pub struct FieldChange {
    /// Value in the first state.
    #[schema(required, value_type = Option<Value>, example = "Checkout")]
    pub from: Value,
    /// Value in the second state.
    #[schema(required, value_type = Option<Value>, example = "Check-out")]
    pub to: Value,
}

/// Estimated memory of [`difference`] in bytes: both states and their difference.
pub fn weigh_difference(tx: &ViewTx<'_>, from: i64, to: Option<i64>) -> Result<usize> {
    Ok(weigh_at(tx, to.map_or(from, |to| from.min(to)))?.saturating_mul(3))
}

/// Compares two revisions. `to` defaults to the current revision.
///
/// If `from` is newer than `to`, the difference is reported in reverse.
pub fn difference(tx: &ViewTx<'_>, from: i64, to: Option<i64>, whole: &WholeMap) -> Result<WorkspaceDifference> {
    let to = to.unwrap_or(tx.workspace().metadata.revision);
    for (name, revision) in [("from", from), ("to", to)] {
        if revision < 1 {
            return Err(Error::invalid(name, "must be a revision, 1 or more"));
        }
    }
    between((from, &WorkspaceState::at(tx, from, whole)?), (to, &WorkspaceState::at(tx, to, whole)?))
}

/// Compares two states, given with their revisions.
pub(super) fn between(
    (from, a): (i64, &WorkspaceState),
    (to, b): (i64, &WorkspaceState),
) -> Result<WorkspaceDifference> {
    Ok(WorkspaceDifference {
        from,
        to,
        workspace: fields(&own(&a.workspace)?, &own(&b.workspace)?),
        components: compare(&a.components, &b.components)?,
        relationships: compare(&a.relationships, &b.relationships)?,
        stakeholders: compare(&a.stakeholders, &b.stakeholders)?,
        links: compare(&a.links, &b.links)?,
        processes: compare(&a.processes, &b.processes)?,
        notes: compare(&a.notes, &b.notes)?,
        views: compare(&a.views, &b.views)?,
        view_places: compare(&a.view_places, &b.view_places)?,
        view_lines: compare(&a.view_lines, &b.view_lines)?,
        tours: compare(&a.tours, &b.tours)?,
        decisions: compare(&a.decisions, &b.decisions)?,
    })
}

fn compare<R: MapRow>(a: &[R], b: &[R]) -> Result<KindDifference> {
    let mut left: HashMap<String, &R> = a.iter().map(|row| (row.key(), row)).collect();
    let (mut added, mut changed) = (Vec::new(), Vec::new());
    for row in b {
        match left.remove(&row.key()) {
            None => added.push(then(row)?),
            Some(before) if before == row => {}
            Some(before) => {
                let fields = fields(&logged_fields(before)?, &logged_fields(row)?);
                if !fields.is_empty() {
                    changed.push(ChangedRow { entity_id: row.key(), name: row.name(), fields });
                }
            }
        }
    }
    let removed = a.iter().filter(|row| left.contains_key(&row.key())).map(then).collect::<Result<_>>()?;
    Ok(KindDifference { added, changed, removed })
}

fn fields(a: &Map<String, Value>, b: &Map<String, Value>) -> BTreeMap<String, FieldChange> {
    let value = |row: &Map<String, Value>, name: &str| row.get(name).cloned().unwrap_or_default();
    differing(a, b).map(|name| (name.to_owned(), FieldChange { from: value(a, name), to: value(b, name) })).collect()
}

fn then<R: MapRow>(row: &R) -> Result<DifferenceRow> {
    let mut row = logged_fields(row)?;
    let seq = row.shift_remove("seq").and_then(|seq| seq.as_i64());
    Ok(DifferenceRow { seq, row })
}

fn logged_fields<R: MapRow>(row: &R) -> Result<Map<String, Value>> {
    object(&LoggedRow::of(row))
}

/// The workspace's own fields, without fields that depend on the reader.
fn own(workspace: &Workspace) -> Result<Map<String, Value>> {
    let mut own = object(workspace)?;
    own.retain(|name, _| {
        let name = name.as_str();
        !Workspace::READER_FIELDS.contains(&name) && !METADATA_FIELDS.contains(&name)
    });
    Ok(own)
}

fn object(row: &impl Serialize) -> Result<Map<String, Value>> {
    match serde_json::to_value(row)? {
        Value::Object(row) => Ok(row),
        _ => Err(Error::internal("a row is no object")),
    }
}
