//! People, teams, roles and kinds in an imported file.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::parts::Parts;
use crate::{
    domain::{
        core::{Entity, OrgTx, Reads},
        directory::{
            component_kinds::{self, ComponentKind, NewComponentKind},
            entries::{self, Entry},
            people::{self, NewPerson, Person},
            roles::{self, NewRole, Role},
            team_members,
            teams::{self, NewTeam, Team},
        },
        transfer::document::DocumentTeam,
        values::{OrgRole, Properties},
    },
    error::{Error, FieldPath, Result},
};

/// The entries of a file that the organization does not have, and the ids of existing entries with different contents.
pub(super) struct NewEntries {
    people: Vec<NewPerson>,
    teams: Vec<DocumentTeam>,
    roles: Vec<NewRole>,
    /// Ids of new entries, by kind. A set, because stakeholders and members may refer to each entry thousands of times.
    new_ids: HashSet<(Entity, String)>,
    different: Parts,
    kinds: Vec<NewComponentKind>,
    /// Ids of kinds in the file, with the ids of existing kinds of the same name.
    existing_kinds: HashMap<String, String>,
    /// Ids of kinds that the caller cannot create.
    ignored_kinds: Vec<String>,
}

impl NewEntries {
    pub(super) fn of(
        tx: &OrgTx<'_>,
        people: Vec<NewPerson>,
        teams: Vec<DocumentTeam>,
        roles: Vec<NewRole>,
        kinds: Vec<NewComponentKind>,
    ) -> Result<Self> {
        let mut different = Parts::default();
        let people = missing(tx, people, person_id, Person::matches, &mut different.people)?;
        let roles = missing(tx, roles, role_id, Role::matches, &mut different.roles)?;
        let matches = |team: &Team, one: &DocumentTeam| team.matches(&one.into());
        let teams = missing(tx, teams, |one| one.id.as_str(), matches, &mut different.teams)?;
        let mut new_ids = HashSet::new();
        new_ids.extend(people.iter().map(|one| (Entity::Person, person_id(one).to_owned())));
        new_ids.extend(teams.iter().map(|one| (Entity::Team, one.id.as_str().to_owned())));
        new_ids.extend(roles.iter().map(|one| (Entity::Role, role_id(one).to_owned())));
        let kinds = missing(tx, kinds, kind_id, ComponentKind::matches, &mut different.kinds)?;
        let (existing_kinds, ignored_kinds) = Default::default();
        let mut new_entries = Self { people, teams, roles, new_ids, different, kinds, existing_kinds, ignored_kinds };
        new_entries.check(tx)?;
        new_entries.match_kinds(tx)?;
        Ok(new_entries)
    }

    /// Checks that members of new teams exist as people, and that the caller may create roles.
    fn check(&self, tx: &OrgTx<'_>) -> Result<()> {
        for team in &self.teams {
            for (at, member) in team.members.iter().enumerate() {
                if !self.has(tx, Entity::Person, &member.person_id)? {
                    let field = FieldPath::from(["teams", team.id.as_str(), "members"]).index(at).field("personId");
                    return Err(Error::invalid(field, format!("there is no person `{}`", member.person_id)));
                }
            }
        }
        if is_admin(tx)? || self.roles.is_empty() {
            return Ok(());
        }
        Err(Error::Forbidden(
            "the file brings roles that this organization does not have; an admin of it must import it, or make them \
             first",
        ))
    }

    /// Finds existing kinds with the names of the new ones. Unlike roles, kinds need not exist, so those that the caller
    /// cannot create are ignored.
    fn match_kinds(&mut self, tx: &OrgTx<'_>) -> Result<()> {
        let organization_id = tx.organization_id()?.to_owned();
        let mut missing = Vec::new();
        for kind in std::mem::take(&mut self.kinds) {
            let id = kind_id(&kind).to_owned();
            match component_kinds::with_name(tx.core(), &organization_id, kind.name.as_str())? {
                Some(existing) => {
                    if !existing.matches(&kind) {
                        self.different.kinds.push(existing.id.clone());
                    }
                    self.existing_kinds.insert(id, existing.id);
                }
                None => missing.push(kind),
            }
        }
        if is_admin(tx)? {
            self.kinds = missing;
        } else {
            self.ignored_kinds = missing.iter().map(|kind| kind_id(kind).to_owned()).collect();
        }
        Ok(())
    }

    /// Makes components refer to the existing kinds of the same name.
    pub(super) fn rename_kinds<'p>(&self, properties: impl Iterator<Item = &'p mut Properties>) {
        if self.existing_kinds.is_empty() {
            return;
        }
        for properties in properties {
            let Some(Value::String(id)) = properties.get(component_kinds::PROPERTY) else { continue };
            if let Some(existing) = self.existing_kinds.get(&id) {
                properties.replace(component_kinds::PROPERTY, existing);
            }
        }
    }

    /// Parts of the file that the caller cannot import.
    pub(super) fn ignored(&self) -> impl Iterator<Item = String> {
        self.ignored_kinds.iter().map(|id| format!("kinds.{id}"))
    }

    /// Whether the organization has an entry, or will have it after the import.
    pub(super) fn has(&self, tx: &OrgTx<'_>, entity: Entity, id: &str) -> Result<bool> {
        let is_new = self.new_ids.contains(&(entity, id.to_owned()));
        Ok(is_new || entries::has_entry(tx.core(), tx.organization_id()?, entity, id)?)
    }

    /// Existing entries that differ from the file.
    pub(super) fn different(&self) -> Parts {
        self.different.clone()
    }

    /// Adds the new entries to `created`.
    pub(super) fn add_ids(&self, created: &mut Parts) {
        created.people = self.people.iter().map(|one| person_id(one).to_owned()).collect();
        created.teams = self.teams.iter().map(|one| one.id.as_str().to_owned()).collect();
        created.roles = self.roles.iter().map(|one| role_id(one).to_owned()).collect();
        created.kinds = self.kinds.iter().map(|one| kind_id(one).to_owned()).collect();
    }

    pub(super) fn write(self, tx: &mut OrgTx<'_>) -> Result<()> {
        if !self.roles.is_empty() || !self.kinds.is_empty() {
            let mut admin = tx.as_admin()?;
            for role in self.roles {
                roles::create(&mut admin, role)?;
            }
            for kind in self.kinds {
                component_kinds::create(&mut admin, kind)?;
            }
        }
        for person in self.people {
            people::create(tx, person)?;
        }
        for team in self.teams {
            teams::create(tx, NewTeam::from(&team))?;
            let mut directory = tx.directory()?;
            for member in team.members {
                team_members::enter(&mut directory, team.id.as_str(), member.person_id, member.role)?;
            }
        }
        Ok(())
    }
}

fn person_id(one: &NewPerson) -> &str {
    one.id.as_ref().map_or("", |id| id.as_str())
}

fn is_admin(tx: &OrgTx<'_>) -> Result<bool> {
    let organization = tx.caller()?.organization.as_ref();
    Ok(organization.is_some_and(|organization| organization.role == OrgRole::Admin))
}

fn kind_id(one: &NewComponentKind) -> &str {
    one.id.as_ref().map_or("", |id| id.as_str())
}

fn role_id(one: &NewRole) -> &str {
    one.id.as_ref().map_or("", |id| id.as_str())
}

/// Returns the `entries` that the organization does not have. Adds the ids of existing entries with different contents
/// to `different`.
fn missing<E: Entry, N>(
    tx: &OrgTx<'_>,
    entries: Vec<N>,
    id: fn(&N) -> &str,
    matches: fn(&E, &N) -> bool,
    different: &mut Vec<String>,
) -> Result<Vec<N>> {
    let organization_id = tx.organization_id()?.to_owned();
    let mut missing = Vec::new();
    for one in entries {
        let found: Option<E> = entries::find_row(tx.core().conn, &organization_id, id(&one))?;
        match found {
            Some(existing) if matches(&existing, &one) => {}
            Some(existing) => different.push(existing.id().to_owned()),
            None => missing.push(one),
        }
    }
    Ok(missing)
}
