//! Placement in tool calls that write components: groups given as `parentId`, positions of new components, and the overlaps
//! that a call causes. And the tool that arranges components.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::{
    change_set::{Done, change_set},
    tool::{arguments, within},
    upserts::{Effect, Item, OverlapReport, write_all},
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
pub(super) struct Drawn {
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
    /// The group of each component of the call, if it is given.
    parents: Vec<Nullable<String>>,
}

impl Placing {
    /// Gives the new components of a call ids and positions.
    pub(super) fn begin(set: &mut ChangeSet<'_, '_>, items: &mut [Drawn]) -> Result<Self> {
        let before = set.map()?;
        let mut new: Vec<(usize, NewComponent)> = Vec::new();
        let mut taken: HashSet<String> = HashSet::new();
        for (at, item) in items.iter_mut().enumerate() {
            let is_known = |id: &Id| taken.contains(id.as_str()) || before.has(id.as_str());
            // Writing a component without a type or name fails.
            let (false, Some(type_id), Some(name)) =
                (item.id.as_ref().is_some_and(is_known), &item.type_id, &item.name)
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
            new.push((at, component));
        }
        // Of several groups of a component, the last.
        let mut groups: HashMap<&str, &str> = HashMap::new();
        for item in items.iter() {
            if let (Nullable::Value(group), Some(part)) = (&item.parent_id, &item.id) {
                groups.insert(part.as_str(), group);
            }
        }
        let planned: Vec<_> =
            groups.into_iter().map(|(part, group)| (group, part, catalogue::CONTAINS, None)).collect();
        set.place_new(&mut new.iter_mut().map(|(_, new)| new).collect::<Vec<_>>(), &planned)?;
        for (at, new) in new {
            (items[at].x, items[at].y) = (new.x, new.y);
        }
        let ids = items.iter().filter_map(|item| item.id.as_ref().map(|id| id.as_str().to_owned())).collect();
        let parents = items.iter().map(|item| item.parent_id.clone()).collect();
        Ok(Self { before, ids, parents })
    }

    /// Accepts these groups, of items that are wrong: their own errors are listed.
    pub(super) fn accept_parents(&mut self, ids: impl Iterator<Item = String>) {
        self.ids.extend(ids);
    }

    /// Refuses a group of the item `at` that does not exist and is not written by the call.
    pub(super) fn expect_parent(&self, set: &ChangeSet<'_, '_>, at: usize) -> Result<()> {
        match self.parents.get(at) {
            Some(Nullable::Value(group)) if !self.before.has(group) && !self.ids.contains(group) => {
                Err(Error::invalid("parentId", near::no_component(set.now(), group)?))
            }
            _ => Ok(()),
        }
    }

    /// Puts the written components into their groups, and reports overlaps.
    pub(super) fn end(self, set: &mut ChangeSet<'_, '_>, items: &mut [Item]) -> Result<OverlapReport> {
        let parents = self.parents.into_iter().zip(items).collect();
        write_all("components", parents, |at, (parent, (id, effect))| {
            let group = match &parent {
                Nullable::Absent => return Ok(()),
                Nullable::Null => None,
                Nullable::Value(group) => Some(group.as_str()),
            };
            if set.set_parent(at, id, group)? && *effect == Effect::Unchanged {
                *effect = Effect::Updated;
            }
            Ok(())
        })?;
        match set.check_as("parentId")? {
            Some((at, error)) => Err(within(error, "components", at)),
            None => set.settle(&self.before).map(OverlapReport::from),
        }
    }
}

/// What to arrange.
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

/// What was arranged.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Arrangement {
    /// Whether this was a dry run.
    dry_run: bool,
    /// The number of moved components.
    moved: usize,
    /// Ids and new positions, in a dry run.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<Vec<(String, f64, f64)>>,
    #[serde(flatten)]
    overlaps: OverlapReport,
}

/// Arranges components.
pub async fn arrange_components(site: Site, call: Call<Editor>, ask: ArrangeComponents) -> Result<Done<Arrangement>> {
    let ArrangeComponents { workspace_id, component_ids, dry_run } = ask;
    let dry_run = dry_run.unwrap_or(false);
    let ids = component_ids.unwrap_or_default();
    let done = change_set(&site, call, workspace_id, "componentIds", move |set| set.arrange(&ids, dry_run)).await?;
    Ok(done.map(|arranged: Arranged| Arrangement {
        dry_run,
        moved: arranged.moved.len(),
        overlaps: arranged.overlaps.into(),
        positions: dry_run.then_some(arranged.moved),
    }))
}
