//! Compares a model with the existing workspace and plans the writes.

use std::collections::HashMap;

use super::{BulkPreview, BulkWorkspace, IdsByKind, check::Checked, difference::Difference};
use crate::{
    domain::{
        core::{EditTx, OrgTx, Precondition, Reads},
        map::change_set::ChangeSet,
        map::{
            components::{Component, NewComponent},
            placement::Placement,
            relationships::{NewRelationship, Relationship},
            store,
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
}

impl BulkPlan {
    pub(in crate::domain) fn make(existing: Option<&EditTx<'_>>, id: &Id, model: Checked) -> Result<Self> {
        let (old_components, old_relationships, own) = match existing {
            None => (Vec::new(), Vec::new(), None),
            Some(tx) => {
                let (conn, key) = (tx.core().conn, tx.key());
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
                (store::components::list(conn, &key)?, store::relationships::list(conn, &key)?, own)
            }
        };
        let workspace_id = id.as_str();
        let wanted = wanted_components(workspace_id, &old_components, model.components);
        let components = Difference::make(old_components, |row| &row.id, |row| &mut row.seq, wanted);
        let wanted = wanted_relationships(workspace_id, &old_relationships, model.relationships);
        let relationships = Difference::make(old_relationships, |row| &row.id, |row| &mut row.seq, wanted);
        Ok(Self { workspace: model.workspace, own, components, relationships })
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
        BulkPreview {
            dry_run: true,
            created: IdsByKind {
                workspaces: itself(!exists),
                components: self.components.created(|row| &row.id),
                relationships: self.relationships.created(|row| &row.id),
            },
            updated: IdsByKind {
                workspaces: itself(changed),
                components: self.components.updated(|row| &row.id),
                relationships: self.relationships.updated(|row| &row.id),
            },
            deleted: IdsByKind {
                workspaces: Vec::new(),
                components: self.components.deleted(|row| &row.id),
                relationships: self.relationships.deleted(|row| &row.id),
            },
            ignored,
        }
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
        for row in &self.relationships.removed {
            set.remove(row)?;
        }
        let relationships = self.relationships.write(set)?;
        for row in &removed {
            set.remove_component(row)?;
        }
        let workspace = match self.own {
            Some((_, after)) => set.put_workspace(after)?,
            None => set.now().workspace_now()?,
        };
        Ok((workspace, components, relationships))
    }
}

fn wanted_components(workspace_id: &str, existing: &[Component], items: Vec<NewComponent>) -> Vec<Component> {
    let known: HashMap<&str, &Component> = existing.iter().map(|row| (row.id.as_str(), row)).collect();
    let spot = |item: &NewComponent| {
        let now = || item.id.as_ref().and_then(|id| known.get(id.as_str())).map(|row| (row.x, row.y));
        item.position().or_else(now)
    };
    let mut placement = Placement::new(items.iter().filter_map(spot));
    items
        .into_iter()
        .map(|mut item| {
            let spot = spot(&item).unwrap_or_else(|| placement.place());
            let id = item.id.take().map(String::from).unwrap_or_default();
            let existing = known.get(id.as_str());
            if let Some(existing) = existing {
                item.keep(existing);
            }
            let metadata = existing.map(|row| row.metadata.clone()).unwrap_or_default();
            Component { metadata, ..item.into_row(workspace_id, id, spot) }
        })
        .collect()
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
