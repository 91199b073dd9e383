//! Who belongs to a team, and who leads it.

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
    /// The team.
    pub team_id: String,
    /// The person.
    pub person_id: String,
    /// What they are in it.
    pub role: TeamRole,
    /// Since when, and by whom.
    #[serde(flatten)]
    pub written: Written,
}

/// A member of a team, with who they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamMember {
    /// The team.
    #[schema(example = "payments")]
    pub team_id: String,
    /// The person.
    #[schema(example = "grace-hopper")]
    pub person_id: String,
    /// What they are in it.
    pub role: TeamRole,
    /// The directory's revision when this was last written; goes into `If-Match`.
    pub revision: i64,
    /// Unix milliseconds.
    pub added_at: i64,
    /// User id; null when the system did it.
    #[schema(required)]
    pub added_by: Option<i64>,
    /// Who they are.
    pub person: PersonCard,
}

/// A member to be added.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewTeamMember {
    /// The team of the path; accepted when equal.
    #[schema(nullable = false)]
    pub team_id: Option<String>,
    /// A person of the organization.
    #[schema(example = "grace-hopper")]
    pub person_id: String,
    /// `member` when absent.
    #[schema(nullable = false)]
    pub role: Option<TeamRole>,
}

/// Another role for a member.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct TeamMemberPatch {
    /// Cannot change; accepted when equal.
    #[schema(nullable = false)]
    pub team_id: Option<String>,
    /// Cannot change; accepted when equal.
    #[schema(nullable = false)]
    pub person_id: Option<String>,
    /// What they are from now on.
    pub role: TeamRole,
}

objects!(NewTeamMember, TeamMemberPatch);
impl Input for NewTeamMember {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for TeamMemberPatch {
    const READ_ONLY: &'static [&'static str] = ROW;
}

/// What a membership has beside its own fields.
const ROW: &[&str] = &["revision", "addedAt", "addedBy", "person"];

/// The members of a team, in the order in which they were added.
pub fn list(tx: &OrgViewTx<'_>, team_id: &str, org_id: Option<&str>, paging: &Paging) -> Result<Page<TeamMember>> {
    let team: Team = directory::read(tx, team_id, org_id)?;
    store::teams::members(tx.core().conn, &team.org_id, team_id, &paging.window("team-members")?)
}

/// Adds a person to a team. Who belongs to it already stays what they are: a conflict.
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

/// Writes that a person, who does not yet, belongs to a team.
pub(super) fn enter(
    directory: &mut Directory<'_>,
    team_id: &str,
    person_id: String,
    role: Option<TeamRole>,
) -> Result<Membership> {
    let role = role.unwrap_or(TeamRole::Member);
    directory.create(Membership { team_id: team_id.to_owned(), person_id, role, written: Written::default() })
}

/// Changes what a member is in a team.
pub fn change(tx: &mut OrgTx<'_>, team_id: &str, person_id: &str, patch: &TeamMemberPatch) -> Result<TeamMember> {
    let mut directory = tx.directory()?;
    let before = expected(&directory, team_id, person_id)?;
    same("teamId", patch.team_id.as_deref(), team_id)?;
    same("personId", patch.person_id.as_deref(), person_id)?;
    let after = directory.update(&before, Membership { role: patch.role, ..before.clone() })?;
    shown(&directory, &after)
}

/// Takes a person out of a team.
pub fn remove(tx: &mut OrgTx<'_>, team_id: &str, person_id: &str) -> Result<()> {
    let mut directory = tx.directory()?;
    let membership = expected(&directory, team_id, person_id)?;
    directory.delete(&membership)
}

/// Ends all memberships of a person or in a team.
pub(super) fn end_all<E: Entry>(directory: &mut Directory<'_>, of: &E) -> Result<()> {
    let conn = directory.core().conn;
    for membership in store::teams::memberships(conn, directory.organization_id(), E::LINKED_BY, of.id())? {
        directory.delete(&membership)?;
    }
    Ok(())
}

/// The membership, which is as the request's `If-Match` says.
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
