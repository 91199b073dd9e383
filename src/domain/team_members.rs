//! Members and leads of teams.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    access::{Directory, OrgTx, OrgViewTx, Reads, Written},
    directory,
    input::{Input, objects},
    paging::{Page, Paging, Window},
    people::{Person, PersonCard},
    store::{self, directory::Entry},
    teams::Team,
    values::TeamRole,
    workspaces::same,
};
use crate::error::{Error, Result};

/// A person's membership in a team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Membership {
    /// Id of the team.
    pub team_id: String,
    /// Id of the person.
    pub person_id: String,
    /// Role of the person in the team.
    pub role: TeamRole,
    /// Revision, and when and by whom the member was added.
    #[serde(flatten)]
    pub written: Written,
}

/// A member of a team, with the person expanded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamMember {
    /// Id of the team.
    #[schema(example = "payments")]
    pub team_id: String,
    /// Id of the person.
    #[schema(example = "grace-hopper")]
    pub person_id: String,
    /// Role of the person in the team.
    pub role: TeamRole,
    /// Directory revision at the last write of this member; the value for `If-Match`.
    pub revision: i64,
    /// Time when the member was added, in Unix milliseconds.
    pub added_at: i64,
    /// Id of the user who added the member; null if the system did.
    #[schema(required)]
    pub added_by: Option<i64>,
    /// The person.
    pub person: PersonCard,
}

/// A team member to add.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewTeamMember {
    /// If given, must be the team id in the path.
    #[schema(nullable = false)]
    pub team_id: Option<String>,
    /// Id of a person in the organization.
    #[schema(example = "grace-hopper")]
    pub person_id: String,
    /// Role in the team. Default: `member`.
    #[schema(nullable = false)]
    pub role: Option<TeamRole>,
}

/// Fields of a team member to update.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct TeamMemberPatch {
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub team_id: Option<String>,
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub person_id: Option<String>,
    /// The new role in the team.
    pub role: TeamRole,
}

objects!(NewTeamMember, TeamMemberPatch);
impl Input for NewTeamMember {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for TeamMemberPatch {
    const READ_ONLY: &'static [&'static str] = ROW;
}

/// Fields of a membership in responses that a client cannot write.
const ROW: &[&str] = &["revision", "addedAt", "addedBy", "person"];

/// Lists the members of a team, in the order in which they were added.
pub fn list(tx: &OrgViewTx<'_>, team_id: &str, org_id: Option<&str>, paging: &Paging) -> Result<Page<TeamMember>> {
    let team: Team = directory::read(tx, team_id, org_id)?;
    store::teams::members(tx.core().conn, &team.org_id, team_id, &paging.window("team-members")?)
}

/// Adds a person to a team. Fails with a conflict if the person is already a member.
pub fn add(tx: &mut OrgTx<'_>, team_id: &str, new: NewTeamMember) -> Result<TeamMember> {
    let mut directory = tx.directory()?;
    directory::find::<Team>(&directory, team_id)?;
    same("teamId", new.team_id.as_deref(), team_id)?;
    let person_id = new.person_id;
    directory::known::<Person>(directory.core(), directory.organization_id(), "personId", &person_id)?;
    if membership(&directory, team_id, &person_id)?.is_some() {
        return Err(Error::Conflict(format!("`{person_id}` belongs to the team already; PATCH changes their role")));
    }
    let added = enter(&mut directory, team_id, person_id, new.role)?;
    shown(&directory, &added)
}

/// Writes a new membership. The person must not be a member yet.
pub(super) fn enter(
    directory: &mut Directory<'_>,
    team_id: &str,
    person_id: String,
    role: Option<TeamRole>,
) -> Result<Membership> {
    let role = role.unwrap_or(TeamRole::Member);
    directory.create(Membership { team_id: team_id.to_owned(), person_id, role, written: Written::default() })
}

/// Updates the role of a team member.
pub fn change(tx: &mut OrgTx<'_>, team_id: &str, person_id: &str, patch: &TeamMemberPatch) -> Result<TeamMember> {
    let mut directory = tx.directory()?;
    let before = expected(&directory, team_id, person_id)?;
    same("teamId", patch.team_id.as_deref(), team_id)?;
    same("personId", patch.person_id.as_deref(), person_id)?;
    let after = directory.update(&before, Membership { role: patch.role, ..before.clone() })?;
    shown(&directory, &after)
}

/// Removes a person from a team.
pub fn remove(tx: &mut OrgTx<'_>, team_id: &str, person_id: &str) -> Result<()> {
    let mut directory = tx.directory()?;
    let membership = expected(&directory, team_id, person_id)?;
    directory.delete(&membership)
}

/// Deletes all memberships of a person or of a team.
pub(super) fn end_all<E: Entry>(directory: &mut Directory<'_>, of: &E) -> Result<()> {
    let conn = directory.core().conn;
    for membership in store::teams::memberships(conn, directory.organization_id(), E::LINKED_BY, of.id())? {
        directory.delete(&membership)?;
    }
    Ok(())
}

/// Finds the membership. Fails if it does not match the request's `If-Match`.
fn expected(directory: &Directory<'_>, team_id: &str, person_id: &str) -> Result<Membership> {
    directory::find::<Team>(directory, team_id)?;
    let found = membership(directory, team_id, person_id)?.ok_or(Error::NotFound("member"))?;
    directory.expect_as(&found, &shown(directory, &found)?)?;
    Ok(found)
}

fn membership(directory: &Directory<'_>, team_id: &str, person_id: &str) -> Result<Option<Membership>> {
    store::teams::membership_of(directory.core().conn, directory.organization_id(), team_id, person_id)
}

fn shown(directory: &Directory<'_>, of: &Membership) -> Result<TeamMember> {
    let members =
        store::teams::members(directory.core().conn, directory.organization_id(), &of.team_id, &Window::whole())?.items;
    members.into_iter().find(|member| member.person_id == of.person_id).ok_or(Error::NotFound("member"))
}
