//! Stakeholders: people and teams attached to components with a role.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    access::{EditTx, Reads, ViewTx, Written},
    components, directory,
    input::{Input, objects, stamped},
    paging::{Page, Paging},
    people::{Person, PersonCard},
    roles::Role,
    store,
    teams::Team,
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
    let (core, organization_id) = (tx.core(), organization(tx));
    match (&new.person_id, &new.team_id) {
        (Some(id), None) => directory::known::<Person>(core, organization_id, "personId", id)?,
        (None, Some(id)) => directory::known::<Team>(core, organization_id, "teamId", id)?,
        (None, None) => return Err(Error::invalid("personId", "is required, or `teamId` instead")),
        (Some(_), Some(_)) => return Err(Error::invalid("teamId", "must be left out where `personId` is given")),
    }
    directory::known::<Role>(core, organization_id, "linkType", &new.link_type)?;
    let link = StakeholderLink {
        id: 0,
        workspace_id: tx.workspace().id.clone(),
        component_id: component_id.to_owned(),
        person_id: new.person_id,
        team_id: new.team_id,
        link_type: new.link_type,
        properties: new.properties.unwrap_or_default(),
        written: Written::default(),
    };
    only(tx, &link)?;
    let link = tx.create(link)?;
    find(tx, component_id, link.id)
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
    directory::known::<Role>(tx.core(), organization(tx), "linkType", &after.link_type)?;
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
    let (core, organization_id) = (tx.core(), organization(tx));
    if !directory::has::<Role>(core, organization_id, &link.link_type)? {
        return Ok(Some(("role", link.link_type.clone())));
    }
    match (&link.person_id, &link.team_id) {
        (Some(id), _) if !directory::has::<Person>(core, organization_id, id)? => Ok(Some(("person", id.clone()))),
        (_, Some(id)) if !directory::has::<Team>(core, organization_id, id)? => Ok(Some(("team", id.clone()))),
        _ => Ok(None),
    }
}
