//! Placement in tool calls that write components: groups in `parentId`, positions of new components, and the overlaps
//! that a call causes. And the tool that arranges components.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;

use super::{
    change_set::change_set,
    results::writes::{Arrangement, OverlapReport, WriteResult},
    tool::{arguments, within},
    upserts::{Effect, Item, write_all},
};
use crate::{
    describe::ToSchema,
    domain::{
        catalogue,
        core::{Call, access::Editor},
        input::{Nullable, optional_at_most},
        map::{
            arrangement::Arranged,
            change_set::ChangeSet,
            components::{self, NewComponent},
            near,
            placement::Map,
        },
        values::{Coordinate, Id, Name, Size, Text},
    },
    error::{Error, Result},
    mcp::services::Site,
};

/// Maximum number of components of a call.
const MAX_COMPONENTS: usize = 300;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_COMPONENTS == 300);

/// The arguments of `upsert_components` that determine where a component is drawn.
pub(super) struct PlacementInput {
    pub(super) id: Option<Id>,
    pub(super) type_id: Option<String>,
    pub(super) name: Option<Name>,
    pub(super) description: Option<Text>,
    pub(super) parent_id: Nullable<String>,
    pub(super) x: Option<Coordinate>,
    pub(super) y: Option<Coordinate>,
    pub(super) width: Nullable<Size>,
    pub(super) height: Nullable<Size>,
}

/// The placement of a call of `upsert_components`.
pub(super) struct Placing {
    before: Map,
    /// The ids of the components of the call.
    ids: HashSet<String>,
    /// The `parentId` of each component of the call.
    parents: Vec<Nullable<String>>,
}

impl Placing {
    /// Gives the new components of a call ids and positions.
    pub(super) fn begin(set: &mut ChangeSet<'_, '_>, items: &mut [PlacementInput]) -> Result<Self> {
        let before = set.map()?;
        let mut new: Vec<(usize, NewComponent)> = Vec::new();
        let mut taken: HashSet<String> = HashSet::new();
        for (index, item) in items.iter_mut().enumerate() {
            let exists = |id: &Id| taken.contains(id.as_str()) || before.has(id.as_str());
            // Writing a component without a type or name fails.
            let (false, Some(type_id), Some(name)) = (item.id.as_ref().is_some_and(exists), &item.type_id, &item.name)
            else {
                continue;
            };
            if item.id.is_none() {
                item.id = components::free_id(set.now(), name, |id| taken.contains(id))?;
            }
            taken.extend(item.id.as_ref().map(|id| id.as_str().to_owned()));
            let component = NewComponent {
                id: item.id.clone(),
                type_id: type_id.clone(),
                name: name.clone(),
                description: item.description.clone(),
                x: item.x,
                y: item.y,
                width: item.width,
                height: item.height,
                tags: None,
                technology: None,
                opens: Nullable::Absent,
                properties: None,
            };
            new.push((index, component));
        }
        // A component with several groups is placed in the last one.
        let mut groups: HashMap<&str, &str> = HashMap::new();
        for item in items.iter() {
            if let (Nullable::Value(group), Some(part)) = (&item.parent_id, &item.id) {
                groups.insert(part.as_str(), group);
            }
        }
        let planned: Vec<_> =
            groups.into_iter().map(|(part, group)| (group, part, catalogue::CONTAINS, None)).collect();
        set.place_new(&mut new.iter_mut().map(|(_, new)| new).collect::<Vec<_>>(), &planned)?;
        for (index, new) in new {
            (items[index].x, items[index].y) = (new.x, new.y);
        }
        let ids = items.iter().filter_map(|item| item.id.as_ref().map(|id| id.as_str().to_owned())).collect();
        let parents = items.iter().map(|item| item.parent_id.clone()).collect();
        Ok(Self { before, ids, parents })
    }

    /// Accepts items with errors as groups, because their own errors are listed.
    pub(super) fn accept_parents(&mut self, ids: impl Iterator<Item = String>) {
        self.ids.extend(ids);
    }

    /// Fails if the group of an item does not exist and is not in the call.
    pub(super) fn expect_parent(&self, set: &ChangeSet<'_, '_>, index: usize) -> Result<()> {
        match self.parents.get(index) {
            Some(Nullable::Value(group)) if !self.before.has(group) && !self.ids.contains(group) => {
                Err(Error::invalid("parentId", near::no_component(set.now(), group)?))
            }
            _ => Ok(()),
        }
    }

    /// Puts the written components into their groups, and reports overlaps.
    pub(super) fn end(self, set: &mut ChangeSet<'_, '_>, items: &mut [Item]) -> Result<OverlapReport> {
        let parents = self.parents.into_iter().zip(items).collect();
        write_all("components", parents, |index, (parent, (id, effect))| {
            let group = match &parent {
                Nullable::Absent => return Ok(()),
                Nullable::Null => None,
                Nullable::Value(group) => Some(group.as_str()),
            };
            if set.set_parent(index, id, group)? && *effect == Effect::Unchanged {
                *effect = Effect::Updated;
            }
            Ok(())
        })?;
        match set.check_as("parentId")? {
            Some((index, error)) => Err(within(error, "components", index)),
            None => set.settle(&self.before).map(OverlapReport::from),
        }
    }
}

/// The components to arrange.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ArrangeComponents {
    /// Id of the workspace.
    workspace_id: String,
    /// Components to arrange, with everything in them; one group: its contents. Default: the whole map.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_COMPONENTS, _, _>")]
    #[schema(min_items = 1, max_items = 300, nullable = false)]
    component_ids: Option<Vec<String>>,
    /// Only return the new positions.
    #[schema(nullable = false)]
    dry_run: Option<bool>,
}

arguments!(
    ArrangeComponents: "Arrange up to 300 components in layers from left to right, in the direction of their \
            relationships, groups as blocks. It moves what people have placed: ask before you arrange a map that they \
            arranged. One change, which can be undone. Example: {\"workspaceId\": \"web-shop\", \"componentIds\": \
            [\"core\"]}",
);

/// Arranges components.
pub async fn arrange_components(
    site: Site,
    call: Call<Editor>,
    request: ArrangeComponents,
) -> Result<WriteResult<Arrangement>> {
    let ArrangeComponents { workspace_id, component_ids, dry_run } = request;
    let dry_run = dry_run.unwrap_or(false);
    let ids = component_ids.unwrap_or_default();
    let result = change_set(&site, call, workspace_id, "componentIds", move |set| set.arrange(&ids, dry_run)).await?;
    Ok(result.map(|arranged: Arranged| Arrangement {
        dry_run,
        moved: arranged.moved.len(),
        overlaps: arranged.overlaps.into(),
        positions: dry_run.then_some(arranged.moved),
    }))
}
