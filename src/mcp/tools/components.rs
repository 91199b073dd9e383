//! The tool that creates and updates components.

use serde::Deserialize;

use super::{
    change_set::change_set,
    placing::{PlacementInput, Placing},
    results::writes::{OldNames, OverlapReport, Upserted, WriteResult},
    tool::{Rejected, arguments, found},
    upserts::{Effect, Item, expect, merged, same_name, write_others},
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
            components::{self, ComponentPatch, NewComponent},
            near, processes,
        },
        values::{Coordinate, Id, Keywords, Name, Properties, Size, Text},
    },
    error::{Error, Problem, Result},
    mcp::services::Site,
};

/// Maximum number of components that a call writes.
const MAX_WRITTEN_COMPONENTS: usize = 50;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_WRITTEN_COMPONENTS == 50);

/// Components to add or change.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct UpsertComponents {
    /// Id of the workspace.
    workspace_id: String,
    /// 1 to 50 components, all or nothing.
    #[serde(deserialize_with = "at_most::<MAX_WRITTEN_COMPONENTS, _, _>")]
    #[schema(min_items = 1, max_items = 50)]
    components: Vec<ComponentInput>,
    #[serde(skip)]
    rejected: Rejected,
}

/// A component to add or change. What is absent stays as it is.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ComponentInput {
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
    /// Component that contains this one (`contains`), also of the same call; null: none.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    parent_id: Nullable<String>,
    /// Left edge in pixels. Omit x and y for a free place in the group or beside related components. A card is 180 to 260
    /// wide and 64 to 124 high; steps of 300 × 160 are good. A component with parts is a box around them, with 20 of
    /// padding and 40 for its title; its own x and y do not count.
    #[schema(nullable = false)]
    x: Option<Coordinate>,
    /// Top edge, down from 0.
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
    /// Null: none.
    #[serde(default)]
    #[schema(schema_with = catalogue::lifecycle_state_ids, required = false)]
    lifecycle: Nullable<String>,
    /// Free-form; these are set, null removes one, others stay.
    #[schema(nullable = false)]
    properties: Option<Properties>,
    /// `revision` that you read: refused if it has changed since.
    #[schema(nullable = false)]
    expected_revision: Option<i64>,
}

objects!(ComponentInput);
arguments!(
    UpsertComponents { rejected }: "Create components, and update those whose `id` exists (omitted fields stay); all or \
            nothing. Read get_type_catalogue and search first, to avoid duplicates. Choose readable ids \
            (\"orders-db\"); without `id`, an equal name is refused. `overlaps` in the result are pairs now drawn \
            over each other. Example: {\"workspaceId\": \"web-shop\", \"components\": [{\"id\": \"orders-db\", \
            \"typeId\": \"database\", \"name\": \"Orders\", \"parentId\": \"core\"}, {\"id\": \"checkout\", \
            \"description\": \"Takes orders\"}]}",
);

/// Adds and changes components.
pub async fn upsert_components(
    site: Site,
    call: Call<Editor>,
    request: UpsertComponents,
) -> Result<WriteResult<Upserted>> {
    if request.components.is_empty() && request.rejected.is_empty() {
        return Err(Error::invalid("components", Problem::items(MAX_WRITTEN_COMPONENTS)));
    }
    let write = move |set: &mut ChangeSet<'_, '_>| {
        let (mut items, rejected) = (request.components, request.rejected);
        let mut inputs: Vec<PlacementInput> = items.iter().map(placement_input).collect();
        let mut placing = Placing::begin(set, &mut inputs)?;
        placing.accept_parents(rejected.ids.iter().cloned());
        // Without an id in the call, an equal name is rejected, not an id that is generated from the name.
        let has_id: Vec<bool> = items.iter().map(|item| item.id.is_some()).collect();
        for (item, PlacementInput { id, x, y, .. }) in items.iter_mut().zip(inputs) {
            (item.id, item.x, item.y) = (id, x, y);
        }
        let mut old_names = OldNames::default();
        let items = items.into_iter().zip(has_id).collect();
        let mut items = write_others("components", items, rejected, |index, (item, has_id)| {
            placing.expect_parent(set, index)?;
            upsert(set, item, has_id, &mut old_names)
        })?;
        let overlaps = placing.end(set, &mut items)?;
        Ok((items, overlaps, old_names))
    };
    let result: WriteResult<(Vec<Item>, OverlapReport, OldNames)> =
        change_set(&site, call, request.workspace_id, "components", write).await?;
    Ok(result.map(|(items, overlaps, old_names)| Upserted::new(items, overlaps, old_names)))
}

fn placement_input(item: &ComponentInput) -> PlacementInput {
    let ComponentInput { id, type_id, name, description, parent_id, x, y, width, height, .. } = item.clone();
    PlacementInput { id, type_id, name, description, parent_id, x, y, width, height }
}

/// Returns the id and the effect. `has_id` is whether the call contains the id.
fn upsert(set: &mut ChangeSet<'_, '_>, item: ComponentInput, has_id: bool, old_names: &mut OldNames) -> Result<Item> {
    let ComponentInput { id, type_id, name, description, x, y, width, height, tags, technology, .. } = item;
    let existing = match &id {
        Some(id) => found(components::find(set.now(), id.as_str()))?,
        None => None,
    };
    let stored = existing.as_ref().map(|row| row.properties.clone()).unwrap_or_default();
    let properties = merged(&stored, item.properties, item.lifecycle)?;
    if let Some(before) = existing {
        let row = (ChangedKind::Component, before.id.as_str());
        expect(set.now(), row, before.metadata.revision, item.expected_revision)?;
        let patch = ComponentPatch {
            id: None,
            type_id,
            name,
            description,
            x,
            y,
            width,
            height,
            tags,
            technology,
            opens: Nullable::Absent,
            properties,
        };
        let after = components::update(set.tx(), &before.id, patch)?;
        if after.name != before.name {
            let (processes, more) = processes::that_mention(set.now(), &before.name)?;
            if more {
                old_names.more.push(before.id.clone());
            }
            if !processes.is_empty() {
                old_names.processes.insert(before.id.clone(), processes);
            }
        }
        let effect = Effect::of_update(after == before);
        return Ok((after.id, effect));
    }
    if let (true, Some(id), Some(_)) = (has_id, &id, item.expected_revision) {
        return Err(Error::invalid("id", near::no_component(set.now(), id.as_str())?));
    }
    let required = |field: &str| Error::invalid(field, Problem::required(", because no component has this id"));
    let (type_id, name) = (type_id.ok_or_else(|| required("typeId"))?, name.ok_or_else(|| required("name"))?);
    if !has_id && let Some(existing_id) = components::named(set.now(), name.as_str())? {
        return Err(same_name("component", &existing_id, "id"));
    }
    let opens = Nullable::Absent;
    let new = NewComponent { id, type_id, name, description, x, y, width, height, tags, technology, opens, properties };
    components::create(set.tx(), new).map(|row| (row.id, Effect::Created))
}
