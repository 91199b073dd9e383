//! Tools that create and update relationships.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    change_set::change_set,
    components::found,
    tool::{arguments, within},
};
use crate::{
    domain::{
        catalogue,
        core::{Call, Gate, access::Editor},
        input::{Nullable, at_most, objects},
        map::{
            change_set::ChangeSet,
            lines::RelationshipLine,
            relationships::{self, NewRelationship, RelationshipPatch},
        },
        values::{Id, Keywords, Properties, Text},
    },
    error::{Error, Problem, Result},
};

/// Maximum number of relationships of a call.
const MAX_RELATIONSHIPS: usize = 100;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_RELATIONSHIPS == 100);

/// Relationships to add or change.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct UpsertRelationships {
    /// Id of the workspace.
    workspace_id: String,
    /// 1 to 100 relationships, all or nothing.
    #[serde(deserialize_with = "at_most::<MAX_RELATIONSHIPS, _, _>")]
    #[schema(min_items = 1, max_items = 100)]
    relationships: Vec<Upserted>,
}

/// A relationship to add or change. What is absent stays as it is.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Upserted {
    /// Updates the relationship with this id, or creates it. Default: creates one, with an id from its ends and type.
    #[schema(nullable = false)]
    id: Option<Id>,
    /// Component that depends; required to create one.
    #[schema(nullable = false, example = "checkout")]
    source_id: Option<String>,
    /// Component that it depends on; required to create one.
    #[schema(nullable = false, example = "orders-db")]
    target_id: Option<String>,
    /// Required to create one.
    #[schema(schema_with = catalogue::relation_type_ids, required = false)]
    type_id: Option<String>,
    /// Label of the arrow.
    #[schema(nullable = false)]
    label: Option<Text>,
    /// Replaces all.
    #[schema(nullable = false)]
    technology: Option<Keywords>,
    /// How it is drawn; null: automatically.
    #[serde(default)]
    #[schema(value_type = Option<RelationshipLine>)]
    line: Nullable<RelationshipLine>,
    /// Free-form; replaces all properties.
    #[schema(nullable = false)]
    properties: Option<Properties>,
}

objects!(Upserted);
arguments!(
    UpsertRelationships: "Create relationships between existing components, and update those whose `id` exists \
            (omitted fields stay); up to 100, all or nothing. `checkout calls payments`: sourceId checkout, targetId \
            payments, typeId calls. `contains` puts its target inside its source; a component has one parent. Without \
            `id`, a repeated call creates a duplicate: check get_components first. Example: {\"workspaceId\": \
            \"web-shop\", \"relationships\": [{\"sourceId\": \"checkout\", \"typeId\": \"writes\", \"targetId\": \
            \"orders-db\"}]}",
);

/// What was written.
#[derive(Debug, Serialize, ToSchema)]
pub struct Written {
    /// Ids of the created ones, in the order of the call.
    created: Vec<String>,
    /// Ids of the updated ones.
    updated: Vec<String>,
}

/// Adds and changes relationships.
pub async fn upsert_relationships(gate: Gate, call: Call<Editor>, ask: UpsertRelationships) -> Result<Written> {
    if ask.relationships.is_empty() {
        return Err(Error::invalid("relationships", Problem::items(MAX_RELATIONSHIPS)));
    }
    let written: Vec<(String, bool)> = change_set(&gate, call, ask.workspace_id, "relationships", move |set| {
        let items = ask.relationships.into_iter().enumerate();
        items.map(|(at, item)| upsert(set, at, item).map_err(|error| within(error, "relationships", at))).collect()
    })
    .await?;
    let (created, updated): (Vec<_>, Vec<_>) = written.into_iter().partition(|(_, new)| *new);
    let ids = |some: Vec<(String, bool)>| some.into_iter().map(|(id, _)| id).collect();
    Ok(Written { created: ids(created), updated: ids(updated) })
}

/// Answers with the id, and whether it is new.
fn upsert(set: &mut ChangeSet<'_, '_>, at: usize, item: Upserted) -> Result<(String, bool)> {
    let Upserted { id, source_id, target_id, type_id, label, technology, line, properties } = item;
    let present = match &id {
        Some(id) => found(relationships::find(set.now(), id.as_str()))?,
        None => None,
    };
    if let Some(row) = present {
        let patch = RelationshipPatch { id: None, source_id, target_id, type_id, label, technology, line, properties };
        return set.update_relationship(at, &row.id, patch).map(|row| (row.id, false));
    }
    let needed = |field: &str, given: Option<String>| {
        given.ok_or_else(|| Error::invalid(field, Problem::required(", because no relationship has this id")))
    };
    let (source_id, target_id) = (needed("sourceId", source_id)?, needed("targetId", target_id)?);
    let new = NewRelationship {
        id,
        source_id,
        target_id,
        type_id: needed("typeId", type_id)?,
        label,
        technology,
        line,
        properties,
    };
    set.create_relationship(at, new).map(|row| (row.id, true))
}
