//! Stakeholders: people and teams attached to components with a role.

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

/// A person or a team attached to a component with a role: the link itself. Exactly one of the two is set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StakeholderLink {
    /// Never used again, not even after deletion.
    pub id: i64,
    /// The workspace.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// The component.
    #[schema(example = "checkout")]
    pub component_id: String,
    /// The person, if it is one.
    #[schema(required, example = "grace-hopper")]
    pub person_id: Option<String>,
    /// The team, if it is one.
    #[schema(required)]
    pub team_id: Option<String>,
    /// The role, by id.
    #[schema(example = "owner")]
    pub link_type: String,
    /// Free-form.
    pub properties: Properties,
    /// Revision, times and authors.
    #[serde(flatten)]
    pub written: Written,
}

/// A link, and who they are whom it attaches. Its own row has no part in that: they change by themselves.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Stakeholder {
    /// The link.
    #[serde(flatten)]
    pub link: StakeholderLink,
    /// The person, expanded.
    #[schema(required)]
    pub person: Option<PersonCard>,
    /// The team, expanded.
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

/// A team as a stakeholder shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StakeholderTeam {
    /// Team id.
    pub id: String,
    /// Name.
    pub name: String,
}

/// A stakeholder to be attached. Exactly one of `personId` and `teamId` is given.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewStakeholder {
    /// The component of the path; accepted when equal.
    #[schema(nullable = false)]
    pub component_id: Option<String>,
    /// A person of the organization.
    #[schema(nullable = false, example = "grace-hopper")]
    pub person_id: Option<String>,
    /// A team of the organization.
    #[schema(nullable = false)]
    pub team_id: Option<String>,
    /// A role of the organization, by id.
    #[schema(example = "owner")]
    pub link_type: String,
    /// Free-form.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// What to change of a stakeholder; what is absent stays.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct StakeholderPatch {
    /// Cannot change; accepted when equal.
    #[schema(nullable = false)]
    pub id: Option<i64>,
    /// Cannot change; accepted when equal.
    #[schema(nullable = false)]
    pub component_id: Option<String>,
    /// Cannot change; accepted when equal.
    #[schema(nullable = false)]
    pub person_id: Option<String>,
    /// Cannot change; accepted when equal.
    #[schema(nullable = false)]
    pub team_id: Option<String>,
    /// A role of the organization, by id.
    #[schema(nullable = false, example = "support")]
    pub link_type: Option<String>,
    /// Replaces all properties.
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

/// The stakeholders of a workspace, in order of creation.
pub fn list(tx: &ViewTx<'_>, paging: &Paging) -> Result<Page<Stakeholder>> {
    store::stakeholders::list(tx.core().conn, &tx.key(), &paging.window("stakeholders")?)
}

/// The stakeholders of a component, in order of creation.
pub fn of_component(tx: &ViewTx<'_>, component_id: &str, paging: &Paging) -> Result<Page<Stakeholder>> {
    components::find(tx, component_id)?;
    let window = paging.window("component-stakeholders")?;
    store::stakeholders::of_component(tx.core().conn, &tx.key(), component_id, &window)
}

/// Attaches a person or a team to a component.
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

/// An entry of the directory that a stakeholder names, and the field that names it.
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
    /// Exactly one of person and team is given. `prefix` leads to the stakeholder in the request.
    pub(super) fn check_holder(&self, prefix: &str) -> Result<()> {
        match (&self.person_id, &self.team_id) {
            (Some(_), None) | (None, Some(_)) => Ok(()),
            (None, None) => Err(Error::invalid(format!("{prefix}personId"), "is required, or `teamId` instead")),
            (Some(_), Some(_)) => {
                Err(Error::invalid(format!("{prefix}teamId"), "must be left out where `personId` is given"))
            }
        }
    }

    /// Person, team and role exist, which `has` says by kind and id.
    pub(super) fn check_names(&self, prefix: &str, mut has: impl FnMut(Entity, &str) -> Result<bool>) -> Result<()> {
        self.named().try_for_each(|one| if has(one.entity, one.id)? { Ok(()) } else { Err(one.unknown(prefix)) })
    }

    /// The entries of the directory that it names.
    pub(super) fn named(&self) -> impl Iterator<Item = Named<'_>> {
        named(self.person_id.as_deref(), self.team_id.as_deref(), &self.link_type)
    }

    /// The row, without an id.
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

/// Whether the organization of the workspace has this person, team or role.
pub(super) fn is_there(tx: &ViewTx<'_>, entity: Entity, id: &str) -> Result<bool> {
    directory::has_entry(tx.core(), organization(tx), entity, id)
}

/// Changes the role in which somebody is attached, or the link's properties.
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

/// Takes a person or a team off a component.
pub fn delete(tx: &mut EditTx<'_>, component_id: &str, id: i64) -> Result<()> {
    let link = expected(tx, component_id, id)?;
    tx.delete(&link)
}

fn find(tx: &ViewTx<'_>, component_id: &str, id: i64) -> Result<Stakeholder> {
    components::find(tx, component_id)?;
    store::stakeholders::find(tx.core().conn, &tx.key(), component_id, id)?.ok_or(HIDDEN)
}

/// The link, which is as the request's `If-Match` says.
fn expected(tx: &EditTx<'_>, component_id: &str, id: i64) -> Result<StakeholderLink> {
    let found = find(tx, component_id, id)?;
    tx.expect_as(&found.link, &found)?;
    Ok(found.link)
}

fn organization<'a>(tx: &'a ViewTx<'_>) -> &'a str {
    tx.workspace().org_id.as_deref().unwrap_or_default()
}

/// Refuses to attach the same to the same in the same role twice.
fn only(tx: &EditTx<'_>, link: &StakeholderLink) -> Result<()> {
    if !store::stakeholders::has_another(tx.core().conn, tx.pk(), link)? {
        return Ok(());
    }
    let who = link.person_id.as_ref().or(link.team_id.as_ref()).map_or("", |id| id.as_str());
    Err(Error::Conflict(format!("`{who}` is attached to this component as `{}` already", link.link_type)))
}

/// What a link needs of the directory that is not there: its kind and id.
pub(super) fn missing(tx: &EditTx<'_>, link: &StakeholderLink) -> Result<Option<(&'static str, String)>> {
    for Named { entity, id, .. } in named(link.person_id.as_deref(), link.team_id.as_deref(), &link.link_type) {
        if !is_there(tx, entity, id)? {
            return Ok(Some((entity.as_str(), id.to_owned())));
        }
    }
    Ok(None)
}
