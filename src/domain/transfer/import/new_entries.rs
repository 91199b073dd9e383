//! People, teams, roles and kinds in an imported file.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::parts::ImportedRows;
use crate::{
    domain::{
        core::{Entity, OrgTx, Reads},
        directory::{
            component_kinds::{self, ComponentKind, Lookup, NewComponentKind},
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
    different: ImportedRows,
    kinds: Vec<NewComponentKind>,
    kind_changes: KindChanges,
    /// Ids of kinds that the caller cannot create.
    ignored_kinds: Vec<String>,
}

/// How the values of the property `kind` change.
#[derive(Default)]
struct KindChanges {
    in_file: Lookup,
    /// Ids of kinds in the file, with their ids in the organization after the import. Without the kinds that the caller
    /// cannot create.
    ids: HashMap<String, String>,
    after_import: Lookup,
}

impl KindChanges {
    /// The new value. None if the value refers to the same kind in the organization, or to no kind of the file.
    fn new_value(&self, value: &str) -> Option<&str> {
        let id = self.ids.get(self.in_file.find(value)?)?.as_str();
        (self.after_import.find(value) != Some(id)).then_some(id)
    }
}

impl NewEntries {
    pub(super) fn of(
        tx: &OrgTx<'_>,
        people: Vec<NewPerson>,
        teams: Vec<DocumentTeam>,
        roles: Vec<NewRole>,
        kinds: Vec<NewComponentKind>,
    ) -> Result<Self> {
        let mut different = ImportedRows::default();
        let people = missing(tx, people, person_id, Person::matches, &mut different.people)?;
        let roles = missing(tx, roles, role_id, Role::matches, &mut different.roles)?;
        let matches = |team: &Team, one: &DocumentTeam| team.matches(&one.into());
        let teams = missing(tx, teams, |one| one.id.as_str(), matches, &mut different.teams)?;
        let mut new_ids = HashSet::new();
        new_ids.extend(people.iter().map(|one| (Entity::Person, person_id(one).to_owned())));
        new_ids.extend(teams.iter().map(|one| (Entity::Team, one.id.as_str().to_owned())));
        new_ids.extend(roles.iter().map(|one| (Entity::Role, role_id(one).to_owned())));
        let (kind_changes, ignored_kinds) = Default::default();
        let mut new_entries =
            Self { people, teams, roles, new_ids, different, kinds: Vec::new(), kind_changes, ignored_kinds };
        new_entries.check(tx)?;
        new_entries.match_kinds(tx, kinds)?;
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

    /// Finds existing kinds with the ids or names of the kinds in the file. Unlike roles, kinds need not exist, so those
    /// that the caller cannot create are ignored.
    fn match_kinds(&mut self, tx: &OrgTx<'_>, in_file: Vec<NewComponentKind>) -> Result<()> {
        if in_file.is_empty() {
            return Ok(());
        }
        let organization_id = tx.organization_id()?.to_owned();
        let mut ids: HashMap<String, String> =
            in_file.iter().map(|kind| (kind_id(kind).to_owned(), kind_id(kind).to_owned())).collect();
        let lookup = Lookup::new(in_file.iter().map(id_and_name));
        let mut new = Vec::new();
        for kind in missing(tx, in_file, kind_id, ComponentKind::matches, &mut self.different.kinds)? {
            match component_kinds::with_name(tx.core(), &organization_id, kind.name.as_str())? {
                Some(existing) => {
                    if !existing.matches(&kind) {
                        self.different.kinds.push(existing.id.clone());
                    }
                    ids.insert(kind_id(&kind).to_owned(), existing.id);
                }
                None => new.push(kind),
            }
        }
        if is_admin(tx)? {
            self.kinds = new;
        } else {
            self.ignored_kinds = new.iter().map(|kind| kind_id(kind).to_owned()).collect();
            for id in &self.ignored_kinds {
                ids.remove(id);
            }
        }
        let existing = component_kinds::all(tx.core(), &organization_id)?;
        let existing = existing.iter().map(|kind| (&*kind.id, &*kind.name));
        let after_import = Lookup::new(existing.chain(self.kinds.iter().map(id_and_name)));
        self.kind_changes = KindChanges { in_file: lookup, ids, after_import };
        Ok(())
    }

    /// Makes components refer to the same kinds in the organization as in the file.
    pub(super) fn rename_kinds<'p>(&self, properties: impl Iterator<Item = &'p mut Properties>) {
        if self.kind_changes.ids.is_empty() {
            return;
        }
        for properties in properties {
            let Some(Value::String(value)) = properties.get(component_kinds::PROPERTY) else { continue };
            if let Some(id) = self.kind_changes.new_value(&value) {
                properties.replace(component_kinds::PROPERTY, id);
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
    pub(super) fn different(&self) -> ImportedRows {
        self.different.clone()
    }

    /// Adds the new entries to `created`.
    pub(super) fn add_ids(&self, created: &mut ImportedRows) {
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

fn id_and_name(one: &NewComponentKind) -> (&str, &str) {
    (kind_id(one), one.name.as_str())
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
