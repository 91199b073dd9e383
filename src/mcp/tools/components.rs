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
        access::{Call, Gate, ViewTx},
        catalogue,
        components::{self, Component, ComponentDetails, ComponentPatch, NewComponent},
        input::{at_most, objects},
        operations::ChangeSet,
        relationships,
        values::{Coordinate, Id, Name, Properties, Text},
    },
    error::{Error, Result},
    mcp::answers::{Room, page},
};

/// Which components.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct GetComponents {
    /// Id of the workspace.
    workspace_id: String,
    /// Ids of 1 to 20 components.
    #[serde(deserialize_with = "at_most::<20, _, _>")]
    #[schema(min_items = 1, max_items = 20)]
    component_ids: Vec<String>,
    /// `nextCursor` of the call before, for its next page; the same `componentIds` go with it.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

/// Components to add or change.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct UpsertComponents {
    /// Id of the workspace.
    workspace_id: String,
    /// 1 to 50 components; all are written or none.
    #[serde(deserialize_with = "at_most::<50, _, _>")]
    #[schema(min_items = 1, max_items = 50)]
    components: Vec<Upserted>,
}

/// A component to add or change. What is absent stays as it is.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Upserted {
    /// Changes the component of this id, or adds one with it. Absent: adds one, with an id made from its name.
    #[schema(nullable = false)]
    id: Option<Id>,
    /// Required for a new one.
    #[schema(schema_with = catalogue::component_type_ids, required = false)]
    type_id: Option<String>,
    /// Required for a new one.
    #[schema(nullable = false)]
    name: Option<Name>,
    /// What it does.
    #[schema(nullable = false)]
    description: Option<Text>,
    /// Canvas position to the right, in pixels; a card is some 200 × 80. Leave x and y out for a free spot.
    #[schema(nullable = false)]
    x: Option<Coordinate>,
    /// Canvas position downwards.
    #[schema(nullable = false)]
    y: Option<Coordinate>,
    /// Free-form, as in {"lifecycle": "live", "team": "payments"}; replaces all properties.
    #[schema(nullable = false)]
    properties: Option<Properties>,
}

objects!(Upserted);
arguments!(
    GetComponents: "Everything about 1 to 20 components: fields and properties, relationships to and from each, owners and other \
            stakeholders, external links. Use it after search or get_workspace gave you ids. Ids that do not exist are in \
            `missing`. Example: {\"workspaceId\": \"web-shop\", \"componentIds\": [\"checkout\", \"orders-db\"]}",
    UpsertComponents: "Add components, and change those whose `id` exists (what you leave out stays); up to 50, all or nothing. Read \
            get_type_catalogue first for `typeId`, and search first so as not to add what is there. Choose speaking ids \
            (\"orders-db\") so that you can relate them at once with upsert_relationships. Not for deleting. \
            Example: {\"workspaceId\": \"web-shop\", \"components\": [{\"id\": \"orders-db\", \"typeId\": \"database\", \"name\": \
            \"Orders\"}, {\"id\": \"checkout\", \"description\": \"Takes orders\"}]}",
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
    properties: Properties,
    revision: i64,
    /// From it to others.
    outgoing: Vec<Edge>,
    /// From others to it.
    incoming: Vec<Edge>,
    /// Present and true when there are more relationships than are listed; `trace_dependencies` and `get_workspace` list all.
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
    /// Ids that no component of the workspace has.
    missing: Vec<String>,
    /// Whether something had to be left out: call again with `nextCursor`, or ask for fewer at once.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// What was written.
#[derive(Debug, Serialize, ToSchema)]
pub struct Written {
    /// Ids of those that were added, in the order of the call.
    created: Vec<String>,
    /// Ids of those that were there before.
    updated: Vec<String>,
}

/// Relationships of one component that are listed: more do not fit into an answer.
const MOST_EDGES: u32 = 300;
/// So many are read as quickly as one; more take the threads for heavy reads.
const FEW: usize = 5;

/// Components with all that hangs on them.
pub async fn get_components(gate: Gate, call: Call, ask: GetComponents) -> Result<Found> {
    if ask.component_ids.is_empty() {
        return Err(Error::invalid("componentIds", "must name 1 to 20 components"));
    }
    let few = ask.component_ids.len() <= FEW;
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
        let (components, next_cursor) = page(all, ask.cursor.as_deref(), &mut Room::beside(&missing))?;
        Ok(Found { components, missing, truncated: next_cursor.is_some(), next_cursor })
    };
    if few { gate.view(call, workspace_id, work).await } else { gate.view_all(call, workspace_id, work).await }
}

fn details(tx: &ViewTx<'_>, found: ComponentDetails) -> Result<Details> {
    let ComponentDetails { component, links, stakeholders } = found;
    let (mut outgoing, mut incoming) = (Vec::new(), Vec::new());
    let mut rows = relationships::of_component(tx, &component.id, i64::from(MOST_EDGES) + 1)?;
    let more_relationships = rows.len() > MOST_EDGES as usize;
    rows.truncate(MOST_EDGES as usize);
    for row in rows {
        let to = row.source_id == component.id;
        let component_id = if to { row.target_id } else { row.source_id };
        let edge = Edge { relationship_id: row.id, type_id: row.type_id, component_id, label: row.label };
        if to { outgoing.push(edge) } else { incoming.push(edge) }
    }
    Ok(Details {
        id: component.id,
        type_id: component.type_id,
        name: component.name,
        description: component.description,
        x: component.x,
        y: component.y,
        properties: component.properties,
        revision: component.written.revision,
        outgoing,
        incoming,
        more_relationships,
        stakeholders: stakeholders.into_iter().map(Holder::from).collect(),
        links: links.into_iter().map(|link| Outside { id: link.id, url: link.url, title: link.title }).collect(),
    })
}

/// Adds and changes components.
pub async fn upsert_components(gate: Gate, call: Call, ask: UpsertComponents) -> Result<Written> {
    if ask.components.is_empty() {
        return Err(Error::invalid("components", "must have 1 to 50 items"));
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
    let Upserted { id, type_id, name, description, x, y, properties } = item;
    let present = match &id {
        Some(id) => found(components::find(set.now(), id.as_str()))?,
        None => None,
    };
    if let Some(Component { id, .. }) = present {
        let patch = ComponentPatch { id: None, type_id, name, description, x, y, properties };
        return set.update_component(&id, patch).map(|row| (row.id, false));
    }
    let needed =
        |field: &str| Error::invalid(field, "is required: there is no component of this id yet, so one is added");
    let (type_id, name) = (type_id.ok_or_else(|| needed("typeId"))?, name.ok_or_else(|| needed("name"))?);
    let new = NewComponent { id, type_id, name, description, x, y, properties };
    set.create_component(new).map(|row| (row.id, true))
}

/// What was looked for, if it is there.
pub(super) fn found<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Err(Error::NotFound(_)) => Ok(None),
        other => other.map(Some),
    }
}
