//! Teams: groups of people who share ownership of components.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    access::{OrgAdminTx, OrgTx, OrgViewTx, Reads, Written},
    directory::{self, Identity},
    input::{Input, objects, stamped},
    paging::{Page, Paging, Window},
    slug, store,
    team_members::{self, TeamMember},
    values::{Id, Name, Properties, Text},
};
use crate::error::Result;

/// A team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Team {
    /// Position in creation order.
    #[serde(skip)]
    pub seq: i64,
    /// Id, unique in the organization.
    #[schema(example = "payments")]
    pub id: String,
    /// Id of the organization.
    #[schema(example = "org_2x7Yk")]
    pub org_id: String,
    /// Name.
    #[schema(example = "Payments")]
    pub name: String,
    /// Description; absent if never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// Free-form properties.
    pub properties: Properties,
    /// Revision, timestamps, and authors.
    #[serde(flatten)]
    pub written: Written,
}

/// Fields of a new team.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewTeam {
    /// Default: derived from the name.
    #[schema(nullable = false)]
    pub id: Option<Id>,
    /// If given, must be the id of the active organization.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// Name.
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Free-form properties.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

/// Fields of a team to update. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct TeamPatch {
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub org_id: Option<String>,
    /// Name.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Description; `""` clears it.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Free-form properties; replaces all existing ones.
    #[schema(nullable = false)]
    pub properties: Option<Properties>,
}

objects!(NewTeam, TeamPatch);
impl Input for NewTeam {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for TeamPatch {
    const READ_ONLY: &'static [&'static str] = ROW;
}

/// Fields of a team in responses that a client cannot write.
const ROW: &[&str] = stamped!("" []);

/// A team with its members.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TeamDetails {
    /// The team.
    pub team: Team,
    /// Members of the team, in the order in which they were added.
    pub members: Vec<TeamMember>,
}

/// Lists the teams that the caller can access, in creation order.
pub fn list(tx: &OrgViewTx<'_>, paging: &Paging) -> Result<Page<Team>> {
    directory::list(tx, paging)
}

/// Reads a team with its members. `org_id` selects the organization if several have a team with this id.
pub fn read(tx: &OrgViewTx<'_>, id: &str, org_id: Option<&str>) -> Result<TeamDetails> {
    let team: Team = directory::read(tx, id, org_id)?;
    let members = store::teams::members(tx.core().conn, &team.org_id, id, &Window::whole())?.items;
    Ok(TeamDetails { team, members })
}

/// Creates a team without members.
pub fn create(tx: &mut OrgTx<'_>, new: NewTeam) -> Result<Team> {
    let given = Identity { id: new.id.as_ref().map(Id::as_str), org_id: new.org_id.as_deref() };
    let base = || slug::from_name(new.name.as_str());
    directory::create(tx.directory()?, &given, base, |id, org_id, seq| Team {
        seq,
        id,
        org_id,
        name: new.name.clone().into(),
        description: new.description.map(String::from),
        properties: new.properties.unwrap_or_default(),
        written: Written::default(),
    })
}

impl Team {
    /// Whether creating `new` would result in this team. Members are not compared.
    pub(super) fn is_said_by(&self, new: &NewTeam) -> bool {
        self.name == new.name.as_str()
            && self.description.as_deref() == new.description.as_ref().map(Text::as_str)
            && self.properties == new.properties.clone().unwrap_or_default()
    }
}

/// Updates a team.
pub fn update(tx: &mut OrgTx<'_>, id: &str, patch: TeamPatch) -> Result<Team> {
    let given = Identity { id: patch.id.as_deref(), org_id: patch.org_id.as_deref() };
    directory::update(tx.directory()?, id, &given, |old: Team| Team {
        name: patch.name.map_or(old.name, String::from),
        description: patch.description.map(String::from).or(old.description),
        properties: patch.properties.unwrap_or(old.properties),
        ..old
    })
}

/// Deletes a team and its memberships, not its members. Fails with [`crate::Error::InUse`] while the team is a
/// stakeholder, unless `force` is set: then these stakeholder links are deleted too.
pub fn delete(tx: &mut OrgAdminTx<'_>, id: &str, force: bool) -> Result<()> {
    let team: Team = directory::release(tx, id, force)?;
    let mut directory = tx.directory()?;
    team_members::end_all(&mut directory, &team)?;
    directory.delete(&team)
}
