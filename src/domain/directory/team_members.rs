//! Members and leads of teams.

pub use super::model::team_members::{Membership, NewTeamMember, TeamMember, TeamMemberPatch};
use super::{
    entries,
    people::Person,
    store::{self, entries::LinkedEntry},
    teams::Team,
};
use crate::{
    domain::{
        core::{Core, Directory, OrgTx, OrgViewTx, Reads, RowMetadata},
        input::same,
        paging::{Page, Paging, Window},
        values::TeamRole,
    },
    error::{Error, Result},
};

/// Lists the members of a team, in the order in which they were added.
pub fn list(tx: &OrgViewTx<'_>, team_id: &str, org_id: Option<&str>, paging: &Paging) -> Result<Page<TeamMember>> {
    let team: Team = entries::read(tx, team_id, org_id)?;
    store::teams::members(tx.core().conn, &team.org_id, team_id, &paging.window("team-members")?)
}

/// The teams of all people of an organization: person id and team id.
pub(in crate::domain) fn teams_of_people(core: &Core<'_>, organization_id: &str) -> Result<Vec<(String, String)>> {
    store::teams::teams_of_people(core.conn, organization_id)
}

/// Adds a person to a team. Fails with a conflict if the person is already a member.
pub fn add(tx: &mut OrgTx<'_>, team_id: &str, new: NewTeamMember) -> Result<TeamMember> {
    let mut directory = tx.directory()?;
    entries::find::<Team>(&directory, team_id)?;
    same("teamId", new.team_id.as_deref(), team_id)?;
    let person_id = new.person_id;
    entries::known::<Person>(directory.core(), directory.organization_id(), "personId", &person_id)?;
    if membership(&directory, team_id, &person_id)?.is_some() {
        return Err(Error::TeamMemberExists(person_id));
    }
    let added = enter(&mut directory, team_id, person_id, new.role)?;
    shown(&directory, &added)
}

/// Writes a new membership. The person must not be a member yet.
pub(in crate::domain) fn enter(
    directory: &mut Directory<'_>,
    team_id: &str,
    person_id: String,
    role: Option<TeamRole>,
) -> Result<Membership> {
    let role = role.unwrap_or(TeamRole::Member);
    directory.create(Membership { team_id: team_id.to_owned(), person_id, role, metadata: RowMetadata::default() })
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

/// All memberships of a person or of a team.
pub(in crate::domain) fn of<E: LinkedEntry>(directory: &Directory<'_>, entry: &E) -> Result<Vec<Membership>> {
    store::teams::memberships(directory.core().conn, directory.organization_id(), E::LINKED_BY, entry.id())
}

/// Deletes all memberships of a person or of a team.
pub(in crate::domain) fn end_all<E: LinkedEntry>(directory: &mut Directory<'_>, entry: &E) -> Result<()> {
    for membership in of(directory, entry)? {
        directory.delete(&membership)?;
    }
    Ok(())
}

/// Finds the membership. Fails if it does not match the request's `If-Match`.
fn expected(directory: &Directory<'_>, team_id: &str, person_id: &str) -> Result<Membership> {
    entries::find::<Team>(directory, team_id)?;
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
