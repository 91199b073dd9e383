//! Tools that create and update relationships.

use serde::Deserialize;

use super::{
    change_set::change_set,
    results::writes::{OldNames, OverlapReport, Upserted, WriteResult},
    tool::{Rejected, arguments, found},
    upserts::{Effect, Item, expect, merged, write_others},
};
use crate::{
    describe::ToSchema,
    domain::{
        catalogue,
        core::{Call, access::Editor},
        history::ChangedKind,
        input::{Nullable, at_most, objects},
        map::{
            change_set::ChangeSet,
            components,
            lines::RelationshipLine,
            near,
            relationships::{self, NewRelationship, RelationshipPatch},
        },
        values::{Id, Keywords, Properties, Text},
    },
    error::{Error, Problem, Result},
    mcp::services::Site,
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
    relationships: Vec<RelationshipInput>,
    #[serde(skip)]
    rejected: Rejected,
}

/// A relationship to add or change. What is absent stays as it is.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct RelationshipInput {
    /// Updates the relationship with this id, or creates it. Default: the one with these ends and type.
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
    /// As for components.
    #[schema(nullable = false)]
    properties: Option<Properties>,
    /// As for components.
    #[schema(nullable = false)]
    expected_revision: Option<i64>,
}

objects!(RelationshipInput);
arguments!(
    UpsertRelationships { rejected }: "Create relationships between existing components, and update those whose `id` exists \
            (omitted fields stay); all or nothing. `contains` puts its target inside its source; a component has \
            one parent. Only a second one with the same ends and type needs an `id`. Example: checkout writes \
            orders-db: {\"workspaceId\": \"web-shop\", \"relationships\": [{\"sourceId\": \"checkout\", \
            \"typeId\": \"writes\", \"targetId\": \"orders-db\"}]}",
);

/// Adds and changes relationships.
pub async fn upsert_relationships(
    site: Site,
    call: Call<Editor>,
    request: UpsertRelationships,
) -> Result<WriteResult<Upserted>> {
    if request.relationships.is_empty() && request.rejected.is_empty() {
        return Err(Error::invalid("relationships", Problem::items(MAX_RELATIONSHIPS)));
    }
    let write = move |set: &mut ChangeSet<'_, '_>| {
        let before = set.map()?;
        let items = write_others("relationships", request.relationships, request.rejected, |index, item| {
            upsert(set, index, item)
        })?;
        // Placement requires that containment is a forest.
        let overlaps = if set.check()?.is_none() { set.settle(&before)?.into() } else { OverlapReport::default() };
        Ok((items, overlaps))
    };
    let result: WriteResult<(Vec<Item>, OverlapReport)> =
        change_set(&site, call, request.workspace_id, "relationships", write).await?;
    Ok(result.map(|(items, overlaps)| Upserted::new(items, overlaps, OldNames::default())))
}

/// Returns the id and the effect.
fn upsert(set: &mut ChangeSet<'_, '_>, index: usize, item: RelationshipInput) -> Result<Item> {
    let RelationshipInput { id, source_id, target_id, type_id, label, technology, line, .. } = item;
    let existing = match (&id, &source_id, &target_id, &type_id) {
        (Some(id), ..) => found(relationships::find(set.now(), id.as_str()))?,
        (None, Some(source), Some(target), Some(type_id)) => {
            relationships::between(set.now(), [source, target], type_id)?
        }
        _ => None,
    };
    for (field, end) in [("sourceId", &source_id), ("targetId", &target_id)] {
        if let Some(end) = end
            && found(components::find(set.now(), end))?.is_none()
        {
            return Err(Error::invalid(field, near::no_component(set.now(), end)?));
        }
    }
    let stored = existing.as_ref().map(|row| row.properties.clone()).unwrap_or_default();
    let properties = merged(&stored, item.properties, Nullable::Absent)?;
    if let Some(before) = existing {
        let row = (ChangedKind::Relationship, before.id.as_str());
        expect(set.now(), row, before.metadata.revision, item.expected_revision)?;
        let patch = RelationshipPatch { id: None, source_id, target_id, type_id, label, technology, line, properties };
        let after = set.update_relationship(index, &before.id, patch)?;
        let effect = Effect::of_update(after == before);
        return Ok((after.id, effect));
    }
    let required = |field: &str, value: Option<String>| {
        value.ok_or_else(|| Error::invalid(field, Problem::required(", because no relationship has this id")))
    };
    let (source_id, target_id) = (required("sourceId", source_id)?, required("targetId", target_id)?);
    let new = NewRelationship {
        id,
        source_id,
        target_id,
        type_id: required("typeId", type_id)?,
        label,
        technology,
        line,
        properties,
    };
    set.create_relationship(index, new).map(|row| (row.id, Effect::Created))
}
