//! The tools for dependency analysis.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    results::{
        Either, ListPage, Table,
        components::{Affected, AffectedList, ComponentRef, DependencyTrace, PathPage, TracedComponent, owner_row},
    },
    tool::arguments,
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, Gate, access::Viewer},
        map::{
            impact::{self, Direction, Impact, MAX_PATH_LENGTH, MAX_PATHS, ReachedComponent, TypeFilter},
            views,
        },
    },
    error::Result,
    mcp::results::{SpaceLeft, TEXT, page, position, truncate},
};

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_PATH_LENGTH == 100 && MAX_PATHS == 50);

/// The start, direction and extent of a trace.
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

/// The ends of the paths to find.
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

type AffectedItems = ListPage<ComponentRef, AffectedList>;

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

/// Finds the components that depend on a component, or that it depends on.
pub async fn trace_dependencies(
    gate: Gate,
    call: Call<Viewer>,
    request: TraceDependencies,
) -> Result<Either<Box<DependencyTrace>, AffectedItems>> {
    let types = type_filter(request.relation_types)?;
    gate.read(call.large(), request.workspace_id, move |tx| {
        let direction = request.direction.unwrap_or_default();
        let mut impact = impact::reach(tx, &request.component_id, direction, request.depth, &types)?;
        let members = request.view_id.as_deref().map(|id| views::reading::member_ids(tx, id)).transpose()?;
        let is_shown = |id: &str| members.as_ref().is_none_or(|members| members.contains(id));
        impact.groups.retain(|id| is_shown(id));
        let revision = tx.workspace().metadata.revision;
        match request.list {
            Some(list) => items(impact, revision, list, request.cursor.as_deref()).map(Either::Right),
            None => {
                let from = position(request.cursor.as_deref())?;
                trace(impact, revision, from, is_shown).map(|trace| Either::Left(trace.into()))
            }
        }
    })
    .await
}

/// A page of a list of what else is affected.
fn items(impact: Impact, revision: i64, list: AffectedList, cursor: Option<&str>) -> Result<AffectedItems> {
    let Impact { component_id, direction, groups, processes, owners, .. } = impact;
    let (columns, all): (&[_], Vec<Value>) = match list {
        AffectedList::Groups => (&["componentId"], groups.into_iter().map(|id| json!([id])).collect()),
        AffectedList::Processes => {
            let rows = processes.into_iter().map(|process| json!([process.process_id, process.name]));
            (&["processId", "name"], rows.collect())
        }
        AffectedList::Owners => {
            (&["kind", "id", "name", "components"], owners.into_iter().map(|owner| json!(owner_row(owner))).collect())
        }
    };
    let total = all.len();
    let (rows, next_cursor) = page(all, cursor, &mut SpaceLeft::after(&component_id))?;
    let table = Table { revision: Some(revision), columns: columns.into(), rows, next: next_cursor.into() };
    Ok(ListPage { row: ComponentRef { component_id, direction: Some(direction) }, list, total, table })
}

/// A page of a trace, starting at the position `from`. Paths can contain components that are not shown.
fn trace(impact: Impact, revision: i64, from: usize, is_shown: impl Fn(&str) -> bool) -> Result<DependencyTrace> {
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
        owners: owners.into_iter().take(MAX_AFFECTED).map(owner_row).collect(),
        not_followed,
    });
    let before: HashMap<&str, &str> =
        reached.iter().map(|component| (component.component_id.as_str(), component.from.as_str())).collect();
    let mut space = SpaceLeft::after(&(&component_id, &affected));
    let shown: Vec<&ReachedComponent> = reached.iter().filter(|component| is_shown(&component.component_id)).collect();
    let (mut items, mut rows) = (Vec::new(), Vec::new());
    for component in shown.iter().skip(from) {
        let item = traced(component, &before);
        let row = row(&item);
        if !space.take_both(&row, &item) && !items.is_empty() {
            break;
        }
        items.push(item);
        rows.push(row);
    }
    let (total, next) = (shown.len(), from + items.len());
    let next_cursor = (next < total).then(|| next.to_string());
    let mut trace = DependencyTrace {
        component_id,
        direction,
        revision,
        total,
        outside_view: (total < reached.len()).then(|| reached.len() - total),
        reached: Vec::new(),
        affected,
        next: next_cursor.into(),
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

/// A reached component with its path, given the previous component of each.
fn traced(component: &ReachedComponent, before: &HashMap<&str, &str>) -> TracedComponent {
    let mut path = vec![component.component_id.clone()];
    let mut current = component.component_id.as_str();
    while let Some(from) = before.get(current).filter(|_| path.len() <= component.distance as usize) {
        path.push((*from).to_owned());
        current = from;
    }
    path.reverse();
    TracedComponent {
        component_id: component.component_id.clone(),
        name: component.name.clone(),
        type_id: component.type_id.clone(),
        distance: component.distance,
        path,
        relationship_id: component.relationship_id.clone(),
        relation_type_id: component.relation_type_id.clone(),
        label: component.label.as_deref().map(truncate),
    }
}

/// The row of a component in the text, in the order of [`COLUMNS`].
fn row(component: &TracedComponent) -> Value {
    let TracedComponent { component_id, name, distance, path, relation_type_id, label, .. } = component;
    let through = path.len().checked_sub(2).map(|index| &path[index]);
    json!([component_id, name, distance, through, relation_type_id, label.as_deref().unwrap_or_default()])
}

/// Finds paths between two components.
pub async fn find_paths(gate: Gate, call: Call<Viewer>, request: FindPaths) -> Result<PathPage> {
    let types = type_filter(request.relation_types)?;
    gate.read(call.large(), request.workspace_id, move |tx| {
        let found = impact::paths(tx, &request.from, &request.to, request.count, request.longest, &types)?;
        let total = found.paths.len();
        let (paths, next_cursor) = page(found.paths, request.cursor.as_deref(), &mut SpaceLeft::after(&()))?;
        let revision = tx.workspace().metadata.revision;
        Ok(PathPage { revision, total, paths, complete: found.complete, next: next_cursor.into() })
    })
    .await
}

fn type_filter(types: Option<Vec<String>>) -> Result<TypeFilter> {
    TypeFilter::new(types.map(|types| types.join(",")).as_deref())
}
