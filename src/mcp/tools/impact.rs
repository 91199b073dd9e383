//! The tools for dependency analysis.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::tool::arguments;
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, Gate, access::Viewer},
        map::{
            impact::{
                self, AffectedOwner, DependencyPath, Direction, Impact, MAX_PATH_LENGTH, MAX_PATHS, ReachedComponent,
                TypeFilter,
            },
            views,
        },
    },
    error::Result,
    mcp::results::{SpaceLeft, TEXT, page, position, truncate},
};

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_PATH_LENGTH == 100 && MAX_PATHS == 50);

/// Where to begin, and which way to look.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct TraceDependencies {
    /// Id of the workspace.
    workspace_id: String,
    /// The component to start from.
    component_id: String,
    /// Default: dependents.
    #[schema(inline, nullable = false)]
    direction: Option<Direction>,
    /// Relationships away. Default: 100.
    #[schema(minimum = 1, nullable = false, maximum = 100)]
    depth: Option<u32>,
    /// Types of relationships to follow. Default: dependencies.
    #[schema(nullable = false)]
    relation_types: Option<Vec<String>>,
    /// Only components and groups in this view; `outsideView` counts the others.
    #[schema(nullable = false)]
    view_id: Option<String>,
    /// All of one list, in pages.
    #[schema(inline, nullable = false)]
    list: Option<AffectedList>,
    /// `nextCursor` of the previous call.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

/// A list of what else is affected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum AffectedList {
    /// Enclosing groups.
    Groups,
    /// Processes.
    Processes,
    /// Owners.
    Owners,
}

/// Between what to look.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct FindPaths {
    /// Id of the workspace.
    workspace_id: String,
    /// The component to start from.
    from: String,
    /// The target component.
    to: String,
    /// Maximum number of paths. Default: 5.
    #[schema(minimum = 1, nullable = false, maximum = 50)]
    count: Option<u32>,
    /// Maximum number of relationships of a path. Default: 12.
    #[schema(minimum = 1, nullable = false, maximum = 100)]
    longest: Option<u32>,
    #[schema(nullable = false)]
    relation_types: Option<Vec<String>>,
    /// `nextCursor` of the previous call.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

arguments!(
    TraceDependencies: "What fails when a component fails (`dependents`), or what it needs (`dependencies`), \
            nearest first: \"what breaks if …\", \"who uses …\". `through` is the previous component, `typeId` the \
            type of the relationship. Also enclosing `groups`, and `processes` and `owners` affected; read those \
            in `more` with `list`. contains, owns, monitors and related-to are followed only if `relationTypes` \
            names them; streams-to and replicates-to backwards. Example: {\"workspaceId\": \"web-shop\", \
            \"componentId\": \"orders-db\", \"depth\": 3}",
    FindPaths: "The shortest paths from one component to another that it depends on, without loops. If there is \
            none, try again with `from` and `to` swapped. `complete`: these are all paths of that length. Example: \
            {\"workspaceId\": \"web-shop\", \"from\": \"web\", \"to\": \"orders-db\"}",
);

/// Columns of the rows of a trace in the text of the result.
const COLUMNS: [&str; 6] = ["componentId", "name", "distance", "through", "typeId", "label"];
/// Maximum number of groups, processes and owners in a result; `list` reads the rest.
const MAX_AFFECTED: usize = 100;

/// A component that was reached.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Traced {
    component_id: String,
    name: String,
    type_id: String,
    /// Distance in relationships.
    distance: u32,
    /// Components of a shortest path, from the start to this one.
    path: Vec<String>,
    /// The last relationship of the path.
    relationship_id: String,
    /// Type of that relationship.
    relation_type_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

impl Traced {
    /// The row for the text, in the order of [`COLUMNS`].
    fn row(&self) -> Value {
        let through = self.path.len().checked_sub(2).map(|at| &self.path[at]);
        let label = self.label.as_deref().unwrap_or_default();
        json!([self.component_id, self.name, self.distance, through, self.relation_type_id, label])
    }
}

/// What else is affected. Lists are limited; their numbers of items are not.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Affected {
    group_count: usize,
    groups: Vec<String>,
    process_count: usize,
    /// Ids.
    processes: Vec<String>,
    owner_count: usize,
    /// Kind, id, name and number of components.
    owners: Vec<(&'static str, String, String, usize)>,
    /// Relationships by type.
    not_followed: BTreeMap<String, usize>,
    /// The lists that have more items than are shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    more: Vec<AffectedList>,
}

/// What was reached.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Trace {
    component_id: String,
    direction: Direction,
    /// Revision of the workspace.
    revision: i64,
    /// Number of components on all pages.
    total: usize,
    /// Number of components that were reached and are not in the view.
    #[serde(skip_serializing_if = "Option::is_none")]
    outside_view: Option<usize>,
    reached: Vec<Traced>,
    /// On the first page.
    #[serde(flatten)]
    affected: Option<Affected>,
    /// Whether there are more.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    /// The text: rows instead of `reached`.
    #[serde(rename = "$text")]
    text: Value,
}

/// A page of a list of what else is affected.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Items {
    component_id: String,
    direction: Direction,
    revision: i64,
    list: AffectedList,
    /// Number of items on all pages.
    total: usize,
    columns: &'static [&'static str],
    rows: Vec<Value>,
    /// Whether there are more.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// A trace, or one of its lists.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Traces {
    /// The components.
    Components(Box<Trace>),
    /// A list of what else is affected.
    Items(Items),
}

/// The paths that were found.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// Revision of the workspace.
    revision: i64,
    /// Number of paths on all pages.
    total: usize,
    paths: Vec<DependencyPath>,
    /// Whether these are all paths of the requested length.
    complete: bool,
    /// Whether there are more that were found.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// What depends on a component, or what it depends on.
pub async fn trace_dependencies(gate: Gate, call: Call<Viewer>, ask: TraceDependencies) -> Result<Traces> {
    let kinds = kinds(ask.relation_types)?;
    gate.read(call.large(), ask.workspace_id, move |tx| {
        let direction = ask.direction.unwrap_or_default();
        let mut impact = impact::reach(tx, &ask.component_id, direction, ask.depth, &kinds)?;
        let members = ask.view_id.as_deref().map(|id| views::reading::member_ids(tx, id)).transpose()?;
        let is_shown = |id: &str| members.as_ref().is_none_or(|members| members.contains(id));
        impact.groups.retain(|id| is_shown(id));
        let revision = tx.workspace().metadata.revision;
        match ask.list {
            Some(list) => items(impact, revision, list, ask.cursor.as_deref()).map(Traces::Items),
            None => {
                let from = position(ask.cursor.as_deref())?;
                trace(impact, revision, from, is_shown).map(|trace| Traces::Components(trace.into()))
            }
        }
    })
    .await
}

/// A page of a list of what else is affected.
fn items(impact: Impact, revision: i64, list: AffectedList, cursor: Option<&str>) -> Result<Items> {
    let Impact { component_id, direction, groups, processes, owners, .. } = impact;
    let (columns, all): (&[_], Vec<Value>) = match list {
        AffectedList::Groups => (&["componentId"], groups.into_iter().map(|id| json!([id])).collect()),
        AffectedList::Processes => {
            let rows = processes.into_iter().map(|process| json!([process.process_id, process.name]));
            (&["processId", "name"], rows.collect())
        }
        AffectedList::Owners => {
            (&["kind", "id", "name", "components"], owners.into_iter().map(|one| json!(owner(one))).collect())
        }
    };
    let total = all.len();
    let (rows, next_cursor) = page(all, cursor, &mut SpaceLeft::after(&component_id))?;
    let truncated = next_cursor.is_some();
    Ok(Items { component_id, direction, revision, list, total, columns, rows, truncated, next_cursor })
}

/// A page of a trace, starting at the position `from`. Paths can contain components that are not shown.
fn trace(impact: Impact, revision: i64, from: usize, is_shown: impl Fn(&str) -> bool) -> Result<Trace> {
    let Impact { component_id, direction, reached, groups, processes, owners, not_followed } = impact;
    let more = [
        (AffectedList::Groups, groups.len()),
        (AffectedList::Processes, processes.len()),
        (AffectedList::Owners, owners.len()),
    ];
    let affected = (from == 0).then(|| Affected {
        more: more.into_iter().filter_map(|(list, count)| (count > MAX_AFFECTED).then_some(list)).collect(),
        group_count: groups.len(),
        groups: groups.into_iter().take(MAX_AFFECTED).collect(),
        process_count: processes.len(),
        processes: processes.into_iter().take(MAX_AFFECTED).map(|process| process.process_id).collect(),
        owner_count: owners.len(),
        owners: owners.into_iter().take(MAX_AFFECTED).map(owner).collect(),
        not_followed,
    });
    let before: HashMap<&str, &str> =
        reached.iter().map(|one| (one.component_id.as_str(), one.from.as_str())).collect();
    let mut room = SpaceLeft::after(&(&component_id, &affected));
    let shown: Vec<&ReachedComponent> = reached.iter().filter(|one| is_shown(&one.component_id)).collect();
    let (mut items, mut rows) = (Vec::new(), Vec::new());
    for one in shown.iter().skip(from) {
        let item = traced(one, &before);
        let row = item.row();
        if !room.take_both(&row, &item) && !items.is_empty() {
            break;
        }
        items.push(item);
        rows.push(row);
    }
    let (total, next) = (shown.len(), from + items.len());
    let next_cursor = (next < total).then(|| next.to_string());
    let mut trace = Trace {
        component_id,
        direction,
        revision,
        total,
        outside_view: (total < reached.len()).then(|| reached.len() - total),
        reached: Vec::new(),
        affected,
        truncated: next_cursor.is_some(),
        next_cursor,
        text: Value::Null,
    };
    let mut text = serde_json::to_value(&trace)?;
    if let Some(fields) = text.as_object_mut() {
        fields.shift_remove(TEXT);
        fields.shift_remove("reached");
        fields.insert("columns".into(), json!(COLUMNS));
        fields.insert("rows".into(), rows.into());
    }
    (trace.reached, trace.text) = (items, text);
    Ok(trace)
}

fn owner(owner: AffectedOwner) -> (&'static str, String, String, usize) {
    let AffectedOwner { person_id, team_id, name, component_count } = owner;
    let kind = if person_id.is_some() { "person" } else { "team" };
    (kind, person_id.or(team_id).unwrap_or_default(), name, component_count)
}

/// A reached component with its path, given the previous component of each.
fn traced(one: &ReachedComponent, before: &HashMap<&str, &str>) -> Traced {
    let mut path = vec![one.component_id.clone()];
    let mut at = one.component_id.as_str();
    while let Some(from) = before.get(at).filter(|_| path.len() <= one.distance as usize) {
        path.push((*from).to_owned());
        at = from;
    }
    path.reverse();
    Traced {
        component_id: one.component_id.clone(),
        name: one.name.clone(),
        type_id: one.type_id.clone(),
        distance: one.distance,
        path,
        relationship_id: one.relationship_id.clone(),
        relation_type_id: one.relation_type_id.clone(),
        label: one.label.as_deref().map(truncate),
    }
}

/// The ways between two components.
pub async fn find_paths(gate: Gate, call: Call<Viewer>, ask: FindPaths) -> Result<Found> {
    let kinds = kinds(ask.relation_types)?;
    gate.read(call.large(), ask.workspace_id, move |tx| {
        let found = impact::paths(tx, &ask.from, &ask.to, ask.count, ask.longest, &kinds)?;
        let total = found.paths.len();
        let (paths, next_cursor) = page(found.paths, ask.cursor.as_deref(), &mut SpaceLeft::after(&()))?;
        let (revision, truncated) = (tx.workspace().metadata.revision, next_cursor.is_some());
        Ok(Found { revision, total, paths, complete: found.complete, truncated, next_cursor })
    })
    .await
}

fn kinds(types: Option<Vec<String>>) -> Result<TypeFilter> {
    TypeFilter::new(types.map(|types| types.join(",")).as_deref())
}
