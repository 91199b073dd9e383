//! Compares a model with the existing workspace and plans the writes.

use std::collections::HashMap;

use super::{
    BulkPreview, BulkWorkspace, IdsByKind,
    check::Checked,
    difference::{Difference, RowWrite},
};
use crate::{
    domain::{
        core::{EditTx, OrgTx, Precondition, Reads, Record, ViewTx, WholeMap},
        map::change_set::ChangeSet,
        map::{
            components::{self, Component, NewComponent},
            consequences::{AffectedRow, attached},
            placement::{self, Extent, Map, Overlaps, Point},
            places,
            relationships::{self, NewRelationship, Relationship},
            workspaces::{self, NewWorkspace, Workspace},
        },
        values::Id,
    },
    error::{Error, Result},
};

/// Path of the field in a body.
pub(in crate::domain) const ORGANIZATION_ACCESS: &str = "workspace.organizationAccess";

/// The writes of a bulk replacement.
pub(in crate::domain) struct BulkPlan {
    workspace: Option<BulkWorkspace>,
    /// The existing workspace row and its new state.
    own: Option<(Workspace, Workspace)>,
    components: Difference<Component>,
    relationships: Difference<Relationship>,
    /// The new components that had no position.
    placed: Vec<String>,
}

impl BulkPlan {
    /// Estimated memory of [`Self::make`] in bytes, in addition to the body: the rows before and after the replacement.
    pub(in crate::domain) fn weigh(tx: &OrgTx<'_>, id: &str) -> Result<usize> {
        tx.edit(id)?.map_or(Ok(0), |edit| Ok(edit.weight()?.saturating_mul(2)))
    }

    pub(in crate::domain) fn make(
        existing: Option<&EditTx<'_>>,
        id: &Id,
        model: Checked,
        _: &WholeMap,
    ) -> Result<Self> {
        let (old_components, old_relationships, own) = match existing {
            None => (Vec::new(), Vec::new(), None),
            Some(tx) => {
                let before = tx.workspace().clone();
                let after = match model.workspace.clone() {
                    None => before.clone(),
                    Some(own) => Workspace {
                        name: own.name.into(),
                        description: own.description.map(String::from),
                        properties: own.properties.unwrap_or_default(),
                        ..before.clone()
                    },
                };
                let own = Some((before, after));
                (tx.rows::<Component>()?, tx.rows::<Relationship>()?, own)
            }
        };
        let workspace_id = id.as_str();
        let obstacles = existing.map_or_else(|| Ok(Vec::new()), |tx| places::obstacles(tx))?;
        let (wanted, placed) =
            wanted_components(workspace_id, &old_components, model.components, &model.relationships, obstacles);
        let components = Difference::make(old_components, |row| &mut row.seq, wanted);
        let wanted = wanted_relationships(workspace_id, &old_relationships, model.relationships);
        let relationships = Difference::make(old_relationships, |row| &mut row.seq, wanted);
        Ok(Self { workspace: model.workspace, own, components, relationships, placed })
    }

    /// Fields of the body that are ignored because they differ from those of the existing workspace, which only its
    /// owners change.
    pub(in crate::domain) fn kept_fields(&self) -> impl Iterator<Item = String> {
        let (before, asked) = (self.own.as_ref().map(|(before, _)| before), self.workspace.as_ref());
        let (visibility, access) = before.zip(asked).map_or((false, false), |(before, asked)| {
            let visibility = asked.visibility.is_some_and(|asked| asked != before.visibility);
            (visibility, asked.organization_access.is_some_and(|asked| asked != before.organization_access))
        });
        let kept = [("workspace.visibility", visibility), (ORGANIZATION_ACCESS, access)];
        kept.into_iter().filter(|(_, differs)| *differs).map(|(field, _)| field.to_owned())
    }

    pub(in crate::domain) fn preview(&self, id: &Id, exists: bool, ignored: Vec<String>) -> BulkPreview {
        let itself = |is: bool| if is { vec![id.as_str().to_owned()] } else { Vec::new() };
        let changed = self.own.as_ref().is_some_and(|(before, after)| before != after);
        let ids = |write, workspaces| IdsByKind {
            workspaces,
            components: self.components.keys(write),
            relationships: self.relationships.keys(write),
        };
        BulkPreview {
            dry_run: true,
            created: ids(RowWrite::Create, itself(!exists)),
            updated: ids(RowWrite::Update, itself(changed)),
            deleted: ids(RowWrite::Delete, Vec::new()),
            ignored,
            overlaps: Overlaps::default(),
        }
    }

    /// All rows that the replacement creates, changes or deletes in the workspace `tx`, if it exists.
    pub(in crate::domain) fn affected(&self, tx: Option<&ViewTx<'_>>) -> Result<Vec<AffectedRow>> {
        fn add<R: Record>(rows: &mut Vec<AffectedRow>, of: &Difference<R>) {
            for (before, after) in &of.rows {
                match before {
                    None => rows.push(AffectedRow::new(after)),
                    Some(before) if before != after => rows.push(AffectedRow::of(before)),
                    Some(_) => {}
                }
            }
            rows.extend(of.removed.iter().map(AffectedRow::of));
        }
        let mut rows = Vec::new();
        add(&mut rows, &self.components);
        add(&mut rows, &self.relationships);
        if let Some(tx) = tx {
            for removed in &self.components.removed {
                tx.core().check_alive()?;
                let (stakeholders, links) = attached(tx, &tx.key(), &removed.id)?;
                rows.extend(stakeholders.into_iter().chain(links));
            }
        }
        if let Some((before, after)) = &self.own
            && before != after
        {
            rows.push(AffectedRow::new(before));
        }
        Ok(rows)
    }

    /// The overlaps that are not there before.
    pub(in crate::domain) fn overlaps(&self) -> Overlaps {
        let (components, relationships) = (&self.components, &self.relationships);
        let old = components.rows.iter().filter_map(|(before, _)| before.as_ref()).chain(&components.removed);
        let old_lines =
            relationships.rows.iter().filter_map(|(before, _)| before.as_ref()).chain(&relationships.removed);
        let new = drawn(components.rows.iter().map(|(_, row)| row), relationships.rows.iter().map(|(_, row)| row));
        placement::caused(&drawn(old, old_lines), &new)
    }

    /// The workspace to create if it does not exist.
    pub(in crate::domain) fn new_workspace(&self, tx: &OrgTx<'_>, id: &Id) -> Result<NewWorkspace> {
        if !matches!(tx.core().call.precondition, Precondition::None) {
            return Err(Error::Stale { current: Box::default(), changed_by: None });
        }
        workspaces::usable(id)?;
        let text = "is required, with its `name`: the workspace does not exist yet";
        let own = self.workspace.clone().ok_or_else(|| Error::invalid("workspace", text))?;
        Ok(NewWorkspace {
            id: Some(id.clone()),
            name: own.name,
            description: own.description,
            visibility: own.visibility,
            organization_access: own.organization_access,
            properties: own.properties,
            org_id: None,
            sample: None,
            template: None,
        })
    }

    /// Writes the differences. Components are created before relationships that refer to them, and deleted after
    /// relationships that referred to them.
    pub(in crate::domain) fn apply(
        self,
        set: &mut ChangeSet<'_, '_>,
    ) -> Result<(Workspace, Vec<Component>, Vec<Relationship>)> {
        let removed = self.components.removed.clone();
        let components = self.components.write(set)?;
        set.remember_placed(self.placed);
        set.mark_placed()?;
        for row in &self.relationships.removed {
            relationships::remove(set.tx(), row)?;
        }
        let relationships = self.relationships.write(set)?;
        for row in &removed {
            components::remove(set.tx(), row)?;
        }
        let workspace = match self.own {
            Some((_, after)) => set.put_workspace(after)?,
            None => set.now().workspace_now()?,
        };
        Ok((workspace, components, relationships))
    }
}

/// Where these components are drawn.
fn drawn<'r>(
    components: impl Iterator<Item = &'r Component>,
    relationships: impl Iterator<Item = &'r Relationship>,
) -> Map {
    let items = components.map(|row| places::item_of(row, Some((row.x, row.y)))).collect();
    let ends = |row: &'r Relationship| (row.source_id.as_str(), row.target_id.as_str(), row.type_id.as_str(), None);
    places::connected(items, &relationships.map(ends).collect::<Vec<_>>())
}

fn wanted_components(
    workspace_id: &str,
    existing: &[Component],
    items: Vec<NewComponent>,
    relationships: &[NewRelationship],
    obstacles: Vec<(Point, Extent)>,
) -> (Vec<Component>, Vec<String>) {
    let known: HashMap<&str, &Component> = existing.iter().map(|row| (row.id.as_str(), row)).collect();
    let (mut rows, mut spots) = (Vec::with_capacity(items.len()), Vec::with_capacity(items.len()));
    for mut item in items {
        let id = item.id.take().map(String::from).unwrap_or_default();
        let existing = known.get(id.as_str());
        if let Some(existing) = existing {
            item.keep(existing);
        }
        let spot = item.position().or_else(|| existing.map(|row| (row.x, row.y)));
        let metadata = existing.map(|row| row.metadata.clone()).unwrap_or_default();
        rows.push(Component { metadata, ..item.into_row(workspace_id, id, spot.unwrap_or_default()) });
        spots.push(spot);
    }
    let placed = rows.iter().zip(&spots).filter(|(_, spot)| spot.is_none()).map(|(row, _)| row.id.clone()).collect();
    if spots.iter().any(Option::is_none) {
        let items = rows.iter().zip(spots).map(|(row, spot)| places::item_of(row, spot)).collect();
        let ends: Vec<places::Ends<'_>> = relationships.iter().map(places::ends_of).collect();
        let mut map = places::connected(items, &ends);
        map.block(obstacles);
        placement::place(&mut map, None);
        for row in &mut rows {
            (row.x, row.y) = map.position(&row.id).unwrap_or((row.x, row.y));
        }
    }
    (rows, placed)
}

fn wanted_relationships(
    workspace_id: &str,
    existing: &[Relationship],
    items: Vec<NewRelationship>,
) -> Vec<Relationship> {
    let known: HashMap<&str, &Relationship> = existing.iter().map(|row| (row.id.as_str(), row)).collect();
    items
        .into_iter()
        .map(|mut item| {
            let id = item.id.take().map(String::from).unwrap_or_default();
            let existing = known.get(id.as_str());
            if let Some(existing) = existing {
                item.keep(existing);
            }
            let metadata = existing.map(|row| row.metadata.clone()).unwrap_or_default();
            Relationship { metadata, ..item.into_row(workspace_id, id) }
        })
        .collect()
}
