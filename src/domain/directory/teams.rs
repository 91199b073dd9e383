//! Teams: groups of people who share ownership of components.

pub use super::model::teams::{NewTeam, Team, TeamDetails, TeamPatch};
pub(in crate::domain) use super::store::teams::members;
use super::{
    entries::{self, EntryIds},
    store,
    team_members::{self},
};
use crate::{
    domain::{
        core::{OrgAdminTx, OrgTx, OrgViewTx, Reads, RowMetadata},
        paging::{Page, Paging, Window},
        slug,
        values::{Id, Text},
    },
    error::Result,
};

/// Lists the teams that the caller can access, in creation order.
pub fn list(tx: &OrgViewTx<'_>, paging: &Paging) -> Result<Page<Team>> {
    entries::list(tx, paging)
}

/// Id of a team of the active organization with this name, ignoring the case of the letters a to z.
pub fn named(tx: &OrgTx<'_>, name: &str) -> Result<Option<String>> {
    store::entries::id_of_name::<Team>(tx.core().conn, tx.organization_id()?, name)
}

/// Reads a team with its members. `org_id` selects the organization if several have a team with this id.
pub fn read(tx: &OrgViewTx<'_>, id: &str, org_id: Option<&str>) -> Result<TeamDetails> {
    let team: Team = entries::read(tx, id, org_id)?;
    let members = store::teams::members(tx.core().conn, &team.org_id, id, &Window::whole())?.items;
    Ok(TeamDetails { team, members })
}

/// Creates a team without members.
pub fn create(tx: &mut OrgTx<'_>, new: NewTeam) -> Result<Team> {
    let given = EntryIds { id: new.id.as_ref().map(Id::as_str), org_id: new.org_id.as_deref() };
    let base = || slug::from_name(new.name.as_str());
    entries::create(tx.directory()?, &given, base, |id, org_id, seq| Team {
        seq,
        id,
        org_id,
        name: new.name.clone().into(),
        description: new.description.map(String::from),
        properties: new.properties.unwrap_or_default(),
        metadata: RowMetadata::default(),
    })
}

impl Team {
    /// Whether creating `new` would result in this team. Members are not compared.
    pub(in crate::domain) fn matches(&self, new: &NewTeam) -> bool {
        self.name == new.name.as_str()
            && self.description.as_deref() == new.description.as_ref().map(Text::as_str)
            && self.properties == new.properties.clone().unwrap_or_default()
    }
}

/// Updates a team.
pub fn update(tx: &mut OrgTx<'_>, id: &str, patch: TeamPatch) -> Result<Team> {
    let given = EntryIds { id: patch.id.as_deref(), org_id: patch.org_id.as_deref() };
    entries::update(tx.directory()?, id, &given, |old: Team| Team {
        name: patch.name.map_or(old.name, String::from),
        description: patch.description.map(String::from).or(old.description),
        properties: patch.properties.unwrap_or(old.properties),
        ..old
    })
}

/// Deletes a team and its memberships, not its members. Fails with [`crate::Error::InUse`] while the team is a
/// stakeholder, unless `force` is set: then these stakeholder links are deleted too.
pub fn delete(tx: &mut OrgAdminTx<'_>, id: &str, force: bool) -> Result<()> {
    let team: Team = entries::release(tx, id, force)?;
    let mut directory = tx.directory()?;
    team_members::end_all(&mut directory, &team)?;
    directory.delete(&team)
}

/// Deletes a team that the caller created and that no stakeholder link uses.
pub fn delete_own(tx: &mut OrgTx<'_>, id: &str) -> Result<()> {
    let team: Team = entries::release_own(tx, id)?;
    let mut directory = tx.directory()?;
    team_members::end_all(&mut directory, &team)?;
    directory.delete(&team)
}
