//! Stakeholders: people and teams linked to components with a role.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    access::{EditTx, Entity, Reads, ViewTx, Written},
    components, directory,
    input::{Input, objects, stamped},
    paging::{Page, Paging},
    people::PersonCard,
    store,
    values::Properties,
    workspaces::same,
};
use crate::error::{Error, Result};

const HIDDEN: Error = Error::NotFound("stakeholder");

/// A link of a person or a team to a component, with a role. Exactly one of `personId` and `teamId` is set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StakeholderLink {
    /// Id; never reused, even after deletion.
    pub id: i64,
    /// Id of the workspace.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// Id of the component.
    #[schema(example = "checkout")]
    pub component_id: String,
    /// Id of the person, if the stakeholder is a person.
    #[schema(required, example = "grace-hopper")]
    pub person_id: Option<String>,
    /// Id of the team, if the stakeholder is a team.
    #[schema(required)]
    pub team_id: Option<String>,
    /// Id of the role.
    #[schema(example = "owner")]
    pub link_type: String,
    /// Free-form properties.
    pub properties: Properties,
    /// Revision, timestamps, and authors.
    #[serde(flatten)]
    pub written: Written,
}

/// A stakeholder link with its person or team expanded. The stored row contains only the link: the person or team
/// changes independently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stakeholder {
    /// The stored link.
    #[serde(flatten)]
    pub link: StakeholderLink,
    /// The person, if the stakeholder is a person.
    #[schema(required)]
    pub person: Option<PersonCard>,
    /// The team, if the stakeholder is a team.
    #[schema(required)]
    pub team: Option<StakeholderTeam>,
}

impl Stakeholder {
    /// Name of the person or team.
    pub fn name(&self) -> &str {
        let person = self.person.as_ref().map(|person| person.name.as_str());
        person.or(self.team.as_ref().map(|team| team.name.as_str())).unwrap_or_default()
    }
}

/// A team as embedded in a stakeholder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StakeholderTeam {
    /// Team id.
    pub id: String,
    /// Name.
    pub name: String,
}

/// Fields of a new stakeholder. Exactly one of `personId` and `teamId` is required.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewStakeholder {
    /// If given, must be the component id in the path.
    #[schema(nullable = false)]
    pub component_id: Option<String>,
    /// Id of a person in the organization.
    #[schema(nullable = false, example = "grace-hopper")]
    pub person_id: Option<String>,
    /// Id of a team in the organization.
    #[schema(nullable = false)]
    pub team_id: Option<String>,
    /// Id of a role in the organization.
    #[schema(example = "owner")]
    pub link_type: String,
    /// Free-form properties.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// Fields of a stakeholder to update. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct StakeholderPatch {
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub id: Option<i64>,
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub component_id: Option<String>,
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub person_id: Option<String>,
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub team_id: Option<String>,
    /// Id of a role in the organization.
    #[schema(nullable = false, example = "support")]
    pub link_type: Option<String>,
    /// Free-form properties; replaces all existing ones.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

objects!(NewStakeholder, StakeholderPatch);
impl Input for NewStakeholder {
    const READ_ONLY: &'static [&'static str] = stamped!("" ["id", "workspaceId", "person", "team"]);
}
impl Input for StakeholderPatch {
    const READ_ONLY: &'static [&'static str] = stamped!("" ["workspaceId", "person", "team"]);
}

/// Lists the stakeholders of a workspace, in creation order.
pub fn list(tx: &ViewTx<'_>, paging: &Paging) -> Result<Page<Stakeholder>> {
    store::stakeholders::list(tx.core().conn, &tx.key(), &paging.window("stakeholders")?)
}

/// Lists the stakeholders of a component, in creation order.
pub fn of_component(tx: &ViewTx<'_>, component_id: &str, paging: &Paging) -> Result<Page<Stakeholder>> {
    components::find(tx, component_id)?;
    let window = paging.window("component-stakeholders")?;
    store::stakeholders::of_component(tx.core().conn, &tx.key(), component_id, &window)
}

/// Links a person or a team to a component.
pub fn create(tx: &mut EditTx<'_>, component_id: &str, new: NewStakeholder) -> Result<Stakeholder> {
    components::find(tx, component_id)?;
    same("componentId", new.component_id.as_deref(), component_id)?;
    new.check_holder("")?;
    new.check_names("", |entity, id| is_there(tx, entity, id))?;
    let link = new.into_row(&tx.workspace().id, component_id.to_owned());
    only(tx, &link)?;
    let link = tx.create(link)?;
    find(tx, component_id, link.id)
}

/// A directory entry that a stakeholder refers to, and the field that refers to it.
pub(super) struct Named<'n> {
    pub(super) field: &'static str,
    pub(super) entity: Entity,
    pub(super) id: &'n str,
}

impl Named<'_> {
    fn unknown(&self, prefix: &str) -> Error {
        let text = format!("there is no {} `{}` in this organization", self.entity.as_str(), self.id);
        Error::invalid(format!("{prefix}{}", self.field), text)
    }
}

impl NewStakeholder {
    /// Checks that exactly one of person and team is given. `prefix` is the path of the stakeholder in the request.
    pub(super) fn check_holder(&self, prefix: &str) -> Result<()> {
        match (&self.person_id, &self.team_id) {
            (Some(_), None) | (None, Some(_)) => Ok(()),
            (None, None) => Err(Error::invalid(format!("{prefix}personId"), "is required, or `teamId` instead")),
            (Some(_), Some(_)) => {
                Err(Error::invalid(format!("{prefix}teamId"), "must be left out where `personId` is given"))
            }
        }
    }

    /// Checks that person, team, and role exist. `has` returns whether an entry with the given kind and id exists.
    pub(super) fn check_names(&self, prefix: &str, mut has: impl FnMut(Entity, &str) -> Result<bool>) -> Result<()> {
        self.named().try_for_each(|one| if has(one.entity, one.id)? { Ok(()) } else { Err(one.unknown(prefix)) })
    }

    /// Directory entries that the stakeholder refers to.
    pub(super) fn named(&self) -> impl Iterator<Item = Named<'_>> {
        named(self.person_id.as_deref(), self.team_id.as_deref(), &self.link_type)
    }

    /// Builds the row, without an id.
    pub(super) fn into_row(self, workspace_id: &str, component_id: String) -> StakeholderLink {
        StakeholderLink {
            id: 0,
            workspace_id: workspace_id.to_owned(),
            component_id,
            person_id: self.person_id,
            team_id: self.team_id,
            link_type: self.link_type,
            properties: self.properties.unwrap_or_default(),
            written: Written::default(),
        }
    }
}

fn named<'n>(
    person_id: Option<&'n str>,
    team_id: Option<&'n str>,
    link_type: &'n str,
) -> impl Iterator<Item = Named<'n>> {
    let person = person_id.map(|id| Named { field: "personId", entity: Entity::Person, id });
    let team = team_id.map(|id| Named { field: "teamId", entity: Entity::Team, id });
    let role = Named { field: "linkType", entity: Entity::Role, id: link_type };
    person.into_iter().chain(team).chain([role])
}

/// Whether the workspace's organization has this person, team, or role.
pub(super) fn is_there(tx: &ViewTx<'_>, entity: Entity, id: &str) -> Result<bool> {
    directory::has_entry(tx.core(), organization(tx), entity, id)
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
    let role = Named { field: "linkType", entity: Entity::Role, id: &after.link_type };
    if !is_there(tx, role.entity, role.id)? {
        return Err(role.unknown(""));
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
    store::stakeholders::find(tx.core().conn, &tx.key(), component_id, id)?.ok_or(HIDDEN)
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
    if !store::stakeholders::has_another(tx.core().conn, tx.pk(), link)? {
        return Ok(());
    }
    let who = link.person_id.as_ref().or(link.team_id.as_ref()).map_or("", |id| id.as_str());
    Err(Error::Conflict(format!("`{who}` is attached to this component as `{}` already", link.link_type)))
}

/// First directory entry that a link refers to but that does not exist: its kind and id.
pub(super) fn missing(tx: &EditTx<'_>, link: &StakeholderLink) -> Result<Option<(&'static str, String)>> {
    for Named { entity, id, .. } in named(link.person_id.as_deref(), link.team_id.as_deref(), &link.link_type) {
        if !is_there(tx, entity, id)? {
            return Ok(Some((entity.as_str(), id.to_owned())));
        }
    }
    Ok(None)
}
