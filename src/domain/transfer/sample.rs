//! The sample workspace: a well-known system to explore and edit.

use std::collections::BTreeSet;

use super::document::{Document, DocumentTeam};
use crate::{
    domain::{
        core::{Core, Directory, Reads},
        directory::{
            entries::{self, LinkedEntry},
            people::{NewPerson, Person},
            team_members::{self, Membership},
            teams::Team,
        },
        input,
        values::Id,
    },
    error::Result,
};

/// The sample in export format.
pub const FILE: &str = include_str!("../../../assets/sample.json");

/// Parses the sample.
pub(in crate::domain) fn document() -> Result<Document> {
    input::parse(FILE.as_bytes()).map(|(document, _)| document)
}

/// Organizations that have workspaces deleted before `before` in which people or teams of the sample are stakeholders.
pub(in crate::domain) fn organizations_losing_it(core: &Core<'_>, before: i64) -> Result<BTreeSet<String>> {
    let Document { people, teams, .. } = document()?;
    let (people, teams) = (people.unwrap_or_default(), teams.unwrap_or_default());
    let people: Vec<&str> = people.iter().map(person_id).collect();
    let teams: Vec<&str> = teams.iter().map(|team| team.id.as_str()).collect();
    let mut organizations = BTreeSet::from_iter(entries::linked_by_deleted::<Person>(core, &people, before)?);
    organizations.extend(entries::linked_by_deleted::<Team>(core, &teams, before)?);
    Ok(organizations)
}

/// Deletes the people and teams of the sample from an organization, except those in use: with other contents
/// than in the sample, with a user account, with stakeholder links, or in a team with others.
pub(in crate::domain) fn delete_unused_entries(core: &Core<'_>, organization_id: String) -> Result<()> {
    let Document { people, teams, .. } = document()?;
    let mut directory = Directory::new(core, organization_id);
    let is_same = |person: &Person, new: &NewPerson| person.user_id.is_none() && person.matches(new);
    let mut people = unused(&directory, &people.unwrap_or_default(), person_id, is_same)?;
    let is_same = |team: &Team, new: &DocumentTeam| team.matches(&new.into());
    let mut teams = unused(&directory, &teams.unwrap_or_default(), |team| team.id.as_str(), is_same)?;
    // A team that stays keeps its members, and a person who stays keeps the teams.
    loop {
        let before = people.len() + teams.len();
        people.retain(|(_, memberships)| {
            memberships.iter().all(|of| teams.iter().any(|(team, _)| team.id == of.team_id))
        });
        teams
            .retain(|(_, members)| members.iter().all(|of| people.iter().any(|(person, _)| person.id == of.person_id)));
        if people.len() + teams.len() == before {
            break;
        }
    }
    for (team, members) in teams {
        for membership in members {
            directory.delete(&membership)?;
        }
        directory.delete(&team)?;
    }
    people.iter().try_for_each(|(person, _)| directory.delete(person))
}

/// The entries of the sample that an organization has with the same contents and without stakeholder links, and their
/// memberships.
fn unused<E: LinkedEntry, N>(
    directory: &Directory<'_>,
    of_sample: &[N],
    id: fn(&N) -> &str,
    is_same: impl Fn(&E, &N) -> bool,
) -> Result<Vec<(E, Vec<Membership>)>> {
    let (core, organization_id) = (directory.core(), directory.organization_id());
    let mut unused = Vec::new();
    for new in of_sample {
        let found: Option<E> = entries::find_row(core.conn, organization_id, id(new))?;
        if let Some(entry) = found.filter(|entry| is_same(entry, new))
            && !entries::is_linked::<E>(core, organization_id, id(new))?
        {
            let memberships = team_members::of(directory, &entry)?;
            unused.push((entry, memberships));
        }
    }
    Ok(unused)
}

fn person_id(person: &NewPerson) -> &str {
    person.id.as_ref().map_or("", Id::as_str)
}
