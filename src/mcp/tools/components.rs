//! Component tools: read components with their links, stakeholders and relationships; create and update components.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    change_set::change_set,
    stakeholders::Holder,
    tool::{arguments, within},
};
use crate::{
    domain::{
        catalogue,
        core::{
            Call, Gate, ViewTx,
            access::{Editor, Viewer},
        },
        input::{Nullable, at_most, objects},
        map::{
            change_set::ChangeSet,
            components::{self, Component, ComponentDetails, ComponentPatch, NewComponent},
            lines::RelationshipLine,
            relationships,
        },
        values::{Coordinate, Id, Keywords, Name, Properties, Size, Text},
    },
    error::{Error, Problem, Result},
    mcp::results::{SpaceLeft, page},
};

/// Maximum number of components that a call reads.
const MAX_READ_COMPONENTS: usize = 20;
/// Maximum number of components that a call writes.
const MAX_WRITTEN_COMPONENTS: usize = 50;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_READ_COMPONENTS == 20 && MAX_WRITTEN_COMPONENTS == 50);

/// Which components.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct GetComponents {
    /// Id of the workspace.
    workspace_id: String,
    /// Ids of 1 to 20 components.
    #[serde(deserialize_with = "at_most::<MAX_READ_COMPONENTS, _, _>")]
    #[schema(min_items = 1, max_items = 20)]
    component_ids: Vec<String>,
    /// `nextCursor` of the previous call, for the next page, with the same `componentIds`.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

/// Components to add or change.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct UpsertComponents {
    /// Id of the workspace.
    workspace_id: String,
    /// 1 to 50 components, all or nothing.
    #[serde(deserialize_with = "at_most::<MAX_WRITTEN_COMPONENTS, _, _>")]
    #[schema(min_items = 1, max_items = 50)]
    components: Vec<Upserted>,
}

/// A component to add or change. What is absent stays as it is.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Upserted {
    /// Updates the component with this id, or creates it. Default: creates one, with an id from the name.
    #[schema(nullable = false)]
    id: Option<Id>,
    /// Required to create one.
    #[schema(schema_with = catalogue::component_type_ids, required = false)]
    type_id: Option<String>,
    /// Required to create one.
    #[schema(nullable = false)]
    name: Option<Name>,
    /// Purpose.
    #[schema(nullable = false)]
    description: Option<Text>,
    /// Horizontal position in pixels; a card is about 200 × 80. Omit x and y for a free position.
    #[schema(nullable = false)]
    x: Option<Coordinate>,
    /// Vertical position in pixels.
    #[schema(nullable = false)]
    y: Option<Coordinate>,
    /// Width of an empty group; null: by content.
    #[serde(default)]
    #[schema(value_type = Option<Size>)]
    width: Nullable<Size>,
    /// Height.
    #[serde(default)]
    #[schema(value_type = Option<Size>)]
    height: Nullable<Size>,
    /// Replaces all.
    #[schema(nullable = false)]
    tags: Option<Keywords>,
    /// Replaces all.
    #[schema(nullable = false)]
    technology: Option<Keywords>,
    /// Free-form, for example {"lifecycle": "live", "team": "payments"}; replaces all properties.
    #[schema(nullable = false)]
    properties: Option<Properties>,
}

objects!(Upserted);
arguments!(
    GetComponents: "Everything about 1 to 20 components: fields and properties, relationships to and from each, \
            owners and other stakeholders, external links. Get ids from search or get_workspace. Unknown ids are in \
            `missing`. Example: {\"workspaceId\": \"web-shop\", \"componentIds\": [\"checkout\", \"orders-db\"]}",
    UpsertComponents: "Create components, and update those whose `id` exists (omitted fields stay); up to 50, all or \
            nothing. Read get_type_catalogue first for `typeId`, and search first to avoid duplicates. Choose \
            readable ids (\"orders-db\") for use with upsert_relationships. Does not delete. Example: \
            {\"workspaceId\": \"web-shop\", \"components\": [{\"id\": \"orders-db\", \"typeId\": \"database\", \
            \"name\": \"Orders\"}, {\"id\": \"checkout\", \"description\": \"Takes orders\"}]}",
);

/// A component with all that hangs on it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Details {
    id: String,
    type_id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    description: Option<String>,
    x: f64,
    y: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    width: Option<Size>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    height: Option<Size>,
    tags: Keywords,
    technology: Keywords,
    properties: Properties,
    revision: i64,
    /// Outgoing.
    outgoing: Vec<Edge>,
    /// Incoming.
    incoming: Vec<Edge>,
    /// True if there are more relationships than listed; `trace_dependencies` and `get_workspace` list all.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    more_relationships: bool,
    stakeholders: Vec<Holder>,
    links: Vec<Outside>,
}

/// A relationship, seen from one of its ends.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Edge {
    relationship_id: String,
    type_id: String,
    /// The other end.
    component_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    label: Option<String>,
    #[serde(skip_serializing_if = "Keywords::is_empty")]
    #[schema(required = false)]
    technology: Keywords,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    line: Option<RelationshipLine>,
}

/// A link to the outside.
#[derive(Debug, Serialize, ToSchema)]
pub struct Outside {
    id: i64,
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    title: Option<String>,
}

/// The components that were asked for.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Found {
    components: Vec<Details>,
    /// Unknown ids.
    missing: Vec<String>,
    /// Whether the result is incomplete: call again with `nextCursor`, or with fewer ids.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// What was written.
#[derive(Debug, Serialize, ToSchema)]
pub struct Written {
    /// Ids of the created ones, in the order of the call.
    created: Vec<String>,
    /// Ids of the updated ones.
    updated: Vec<String>,
}

/// Maximum number of listed relationships of a component: more do not fit into a result.
const MAX_EDGES: u32 = 300;
/// Up to this number, components are read on the threads for point reads.
const MAX_POINT_READS: usize = 5;

/// Components with all that hangs on them.
pub async fn get_components(gate: Gate, call: Call<Viewer>, ask: GetComponents) -> Result<Found> {
    if ask.component_ids.is_empty() {
        return Err(Error::invalid("componentIds", Problem::items(MAX_READ_COMPONENTS)));
    }
    let few = ask.component_ids.len() <= MAX_POINT_READS;
    let workspace_id = ask.workspace_id;
    let work = move |tx: &ViewTx<'_>| {
        let (mut all, mut missing) = (Vec::new(), Vec::new());
        for id in &ask.component_ids {
            match components::read(tx, id) {
                Ok(found) => all.push(details(tx, found)?),
                Err(Error::NotFound(_)) => missing.push(id.clone()),
                Err(error) => return Err(error),
            }
        }
        let (components, next_cursor) = page(all, ask.cursor.as_deref(), &mut SpaceLeft::after(&missing))?;
        Ok(Found { components, missing, truncated: next_cursor.is_some(), next_cursor })
    };
    if few { gate.read(call, workspace_id, work).await } else { gate.read(call.large(), workspace_id, work).await }
}

fn details(tx: &ViewTx<'_>, found: ComponentDetails) -> Result<Details> {
    let ComponentDetails { component, links, stakeholders } = found;
    let (mut outgoing, mut incoming) = (Vec::new(), Vec::new());
    let mut rows = relationships::of_component(tx, &component.id, i64::from(MAX_EDGES) + 1)?;
    let more_relationships = rows.len() > MAX_EDGES as usize;
    rows.truncate(MAX_EDGES as usize);
    for row in rows {
        let to = row.source_id == component.id;
        let component_id = if to { row.target_id } else { row.source_id };
        let (technology, line) = (row.technology, row.line);
        let edge =
            Edge { relationship_id: row.id, type_id: row.type_id, component_id, label: row.label, technology, line };
        if to { outgoing.push(edge) } else { incoming.push(edge) }
    }
    Ok(Details {
        id: component.id,
        type_id: component.type_id,
        name: component.name,
        description: component.description,
        x: component.x,
        y: component.y,
        width: component.width,
        height: component.height,
        tags: component.tags,
        technology: component.technology,
        properties: component.properties,
        revision: component.metadata.revision,
        outgoing,
        incoming,
        more_relationships,
        stakeholders: stakeholders.into_iter().map(Holder::from).collect(),
        links: links.into_iter().map(|link| Outside { id: link.id, url: link.url, title: link.title }).collect(),
    })
}

/// Adds and changes components.
pub async fn upsert_components(gate: Gate, call: Call<Editor>, ask: UpsertComponents) -> Result<Written> {
    if ask.components.is_empty() {
        return Err(Error::invalid("components", Problem::items(MAX_WRITTEN_COMPONENTS)));
    }
    let written: Vec<(String, bool)> = change_set(&gate, call, ask.workspace_id, "components", move |set| {
        let items = ask.components.into_iter().enumerate();
        items.map(|(at, item)| upsert(set, item).map_err(|error| within(error, "components", at))).collect()
    })
    .await?;
    let (created, updated): (Vec<_>, Vec<_>) = written.into_iter().partition(|(_, new)| *new);
    let ids = |some: Vec<(String, bool)>| some.into_iter().map(|(id, _)| id).collect();
    Ok(Written { created: ids(created), updated: ids(updated) })
}

/// Answers with the id, and whether it is new.
fn upsert(set: &mut ChangeSet<'_, '_>, item: Upserted) -> Result<(String, bool)> {
    let Upserted { id, type_id, name, description, x, y, width, height, tags, technology, properties } = item;
    let present = match &id {
        Some(id) => found(components::find(set.now(), id.as_str()))?,
        None => None,
    };
    if let Some(Component { id, .. }) = present {
        let patch =
            ComponentPatch { id: None, type_id, name, description, x, y, width, height, tags, technology, properties };
        return set.update_component(&id, patch).map(|row| (row.id, false));
    }
    let needed = |field: &str| Error::invalid(field, Problem::required(", because no component has this id"));
    let (type_id, name) = (type_id.ok_or_else(|| needed("typeId"))?, name.ok_or_else(|| needed("name"))?);
    let new = NewComponent { id, type_id, name, description, x, y, width, height, tags, technology, properties };
    set.create_component(new).map(|row| (row.id, true))
}

/// What was looked for, if it is there.
pub(super) fn found<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Err(Error::NotFound(_)) => Ok(None),
        other => other.map(Some),
    }
}
