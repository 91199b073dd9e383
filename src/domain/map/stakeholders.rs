//! Stakeholders: people and teams linked to components with a role.

use super::components;
pub use super::model::stakeholders::{NewStakeholder, StakeholderPatch};
pub use crate::domain::directory::model::stakeholders::{Stakeholder, StakeholderLink, StakeholderTeam};
pub(in crate::domain) use crate::domain::directory::stakeholders::{
    has_another, of_component as rows_of_component, row_by_id, rows,
};
use crate::{
    domain::{
        core::{EditTx, Entity, Reads, RowMetadata, ViewTx},
        directory::{self, entries},
        input::same,
        paging::{Page, Paging},
    },
    error::{Error, Problem, Result},
};

const NOT_FOUND: Error = Error::NotFound("stakeholder");

/// Lists the stakeholders of a workspace, in creation order.
pub fn list(tx: &ViewTx<'_>, paging: &Paging) -> Result<Page<Stakeholder>> {
    directory::stakeholders::rows(tx.core().conn, &tx.key(), &paging.window("stakeholders")?)
}

/// Lists the stakeholders of a component, in creation order.
pub fn of_component(tx: &ViewTx<'_>, component_id: &str, paging: &Paging) -> Result<Page<Stakeholder>> {
    components::find(tx, component_id)?;
    let window = paging.window("component-stakeholders")?;
    directory::stakeholders::of_component(tx.core().conn, &tx.key(), component_id, &window)
}

/// Links a person or a team to a component.
pub fn create(tx: &mut EditTx<'_>, component_id: &str, new: NewStakeholder) -> Result<Stakeholder> {
    components::find(tx, component_id)?;
    same("componentId", new.component_id.as_deref(), component_id)?;
    new.check_holder()?;
    new.check_names(|entity, id| is_there(tx, entity, id))?;
    let link = new.into_row(&tx.workspace().id, component_id.to_owned());
    only(tx, &link)?;
    let link = tx.create(link)?;
    find(tx, component_id, link.id)
}

/// A directory entry that a stakeholder refers to, and the field that refers to it.
pub(in crate::domain) struct EntryReference<'n> {
    pub(in crate::domain) field: &'static str,
    pub(in crate::domain) entity: Entity,
    pub(in crate::domain) id: &'n str,
}

impl EntryReference<'_> {
    fn unknown(&self) -> Error {
        let text = format!("there is no {} `{}` in this organization", self.entity.as_str(), self.id);
        Error::invalid(self.field, text)
    }
}

impl NewStakeholder {
    /// Checks that exactly one of person and team is given.
    pub(in crate::domain) fn check_holder(&self) -> Result<()> {
        match (&self.person_id, &self.team_id) {
            (Some(_), None) | (None, Some(_)) => Ok(()),
            (None, None) => Err(Error::invalid("personId", Problem::required(", or `teamId` instead"))),
            (Some(_), Some(_)) => Err(Error::invalid("teamId", "must be left out where `personId` is given")),
        }
    }

    /// Checks that person, team, and role exist. `has` returns whether an entry with the given kind and id exists.
    pub(in crate::domain) fn check_names(&self, mut has: impl FnMut(Entity, &str) -> Result<bool>) -> Result<()> {
        self.named().try_for_each(|one| if has(one.entity, one.id)? { Ok(()) } else { Err(one.unknown()) })
    }

    /// Directory entries that the stakeholder refers to.
    pub(in crate::domain) fn named(&self) -> impl Iterator<Item = EntryReference<'_>> {
        named(self.person_id.as_deref(), self.team_id.as_deref(), &self.link_type)
    }

    /// Builds the row, without an id.
    pub(in crate::domain) fn into_row(self, workspace_id: &str, component_id: String) -> StakeholderLink {
        StakeholderLink {
            id: 0,
            workspace_id: workspace_id.to_owned(),
            component_id,
            person_id: self.person_id,
            team_id: self.team_id,
            link_type: self.link_type,
            properties: self.properties.unwrap_or_default(),
            metadata: RowMetadata::default(),
        }
    }
}

fn named<'n>(
    person_id: Option<&'n str>,
    team_id: Option<&'n str>,
    link_type: &'n str,
) -> impl Iterator<Item = EntryReference<'n>> {
    let person = person_id.map(|id| EntryReference { field: "personId", entity: Entity::Person, id });
    let team = team_id.map(|id| EntryReference { field: "teamId", entity: Entity::Team, id });
    let role = EntryReference { field: "linkType", entity: Entity::Role, id: link_type };
    person.into_iter().chain(team).chain([role])
}

/// Whether the workspace's organization has this person, team, or role.
pub(in crate::domain) fn is_there(tx: &ViewTx<'_>, entity: Entity, id: &str) -> Result<bool> {
    entries::has_entry(tx.core(), organization(tx), entity, id)
}

/// Updates the role or properties of a stakeholder link.
pub fn update(tx: &mut EditTx<'_>, component_id: &str, id: i64, patch: StakeholderPatch) -> Result<Stakeholder> {
    let before = expected(tx, component_id, id)?;
    same("id", patch.id.map(|id| id.to_string()).as_deref(), &id.to_string())?;
    same("componentId", patch.component_id.as_deref(), component_id)?;
    same("personId", patch.person_id.as_deref(), before.person_id.as_deref().unwrap_or_default())?;
    same("teamId", patch.team_id.as_deref(), before.team_id.as_deref().unwrap_or_default())?;
    let old = before.clone();
    let after = StakeholderLink {
        link_type: patch.link_type.unwrap_or(old.link_type),
        properties: patch.properties.unwrap_or(old.properties),
        ..old
    };
    let role = EntryReference { field: "linkType", entity: Entity::Role, id: &after.link_type };
    if !is_there(tx, role.entity, role.id)? {
        return Err(role.unknown());
    }
    only(tx, &after)?;
    tx.update(&before, after)?;
    find(tx, component_id, id)
}

/// Deletes a stakeholder link.
pub fn delete(tx: &mut EditTx<'_>, component_id: &str, id: i64) -> Result<()> {
    let link = expected(tx, component_id, id)?;
    tx.delete(&link)
}

fn find(tx: &ViewTx<'_>, component_id: &str, id: i64) -> Result<Stakeholder> {
    components::find(tx, component_id)?;
    directory::stakeholders::find_row(tx.core().conn, &tx.key(), component_id, id)?.ok_or(NOT_FOUND)
}

/// Finds the link. Fails if it does not match the request's `If-Match`.
fn expected(tx: &EditTx<'_>, component_id: &str, id: i64) -> Result<StakeholderLink> {
    let found = find(tx, component_id, id)?;
    tx.expect_as(&found.link, &found)?;
    Ok(found.link)
}

fn organization<'a>(tx: &'a ViewTx<'_>) -> &'a str {
    tx.workspace().org_id.as_deref().unwrap_or_default()
}

/// Rejects a second link of the same person or team to the same component with the same role.
fn only(tx: &EditTx<'_>, link: &StakeholderLink) -> Result<()> {
    if !directory::stakeholders::has_another(tx.core().conn, tx.pk(), link)? {
        return Ok(());
    }
    let who = link.person_id.as_ref().or(link.team_id.as_ref()).map_or("", |id| id.as_str());
    Err(Error::Conflict(format!("`{who}` is attached to this component as `{}` already", link.link_type)))
}

/// First directory entry that a link refers to but that does not exist: its kind and id.
pub(in crate::domain) fn missing(tx: &EditTx<'_>, link: &StakeholderLink) -> Result<Option<(&'static str, String)>> {
    for EntryReference { entity, id, .. } in named(link.person_id.as_deref(), link.team_id.as_deref(), &link.link_type)
    {
        if !is_there(tx, entity, id)? {
            return Ok(Some((entity.as_str(), id.to_owned())));
        }
    }
    Ok(None)
}
