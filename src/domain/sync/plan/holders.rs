//! People, teams, stakeholders and links of a source.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::planner::{Planner, Standing};
use crate::{
    domain::{
        core::{Entity, Reads},
        directory::{entries, people::NewPerson, teams::NewTeam},
        map::{
            links::{self, Link},
            stakeholders::NewStakeholder,
        },
        sync::{
            fields,
            model::{
                claims::Fields,
                reading::{ReadPerson, ReadStakeholder, ReadTeam},
                request::{
                    HolderKind, HolderRef,
                    SyncKind::{Component, Link as LinkKind, Stakeholder},
                },
            },
        },
        values::{Id, KebabId},
    },
    error::{Error, FieldPath, Result},
};

/// The built-in role of owners, and the field of a claim that names them.
const OWNER: &str = "owner";

/// Maximum number of owners of a component that are noted for the drift report.
const MAX_NOTED_OWNERS: usize = 20;

/// Component, person, team and role.
type Holding = (String, Option<String>, Option<String>, String);

impl Planner<'_, '_> {
    /// Attaches the people, teams and links of the source.
    pub(super) fn plan_holders(&mut self) -> Result<()> {
        self.check_directory()?;
        let mut holders = Holders::default();
        let attached: HashMap<Holding, i64> = self
            .now
            .stakeholders
            .values()
            .map(|row| {
                let row = row.clone();
                ((row.component_id, row.person_id, row.team_id, row.link_type), row.id)
            })
            .collect();
        let request = self.request;
        for row in &request.request.reading.stakeholders {
            self.plan_stakeholder(row, &attached, &mut holders)?;
        }
        self.note_owners(&holders.owners);
        self.plan_owners(&holders.owners)?;
        self.plan_links()
    }

    /// Notes the owners of the source with its components, for the drift report. They are no field of a merge, because
    /// owners are rows of their own.
    fn note_owners(&mut self, owners: &Owners) {
        for claim in self.plan.claims.iter_mut().filter(|claim| claim.kind == Component) {
            if let Some(own) = claim.row_id.as_ref().and_then(|id| owners.get(id)) {
                let listed: Vec<&str> = own.iter().take(MAX_NOTED_OWNERS).map(String::as_str).collect();
                claim.base.set(OWNER, listed);
            }
        }
    }

    fn has_entry(&self, entity: Entity, id: &str) -> Result<bool> {
        let organization = self.tx.workspace().org_id.as_deref().unwrap_or_default();
        entries::has_entry(self.tx.core(), organization, entity, id)
    }

    /// Checks that the entries in the request exist.
    fn check_directory(&self) -> Result<()> {
        let request = &self.request.request;
        for (list, given) in [("owners", &request.owners), ("directory", &request.directory)] {
            for (key, holder) in given {
                let (entity, what) = match holder.kind {
                    HolderKind::Person => (Entity::Person, "person"),
                    HolderKind::Team => (Entity::Team, "team"),
                };
                if !self.has_entry(entity, holder.id.as_str())? {
                    let text = format!("there is no {what} `{}` in this organization", holder.id.as_str());
                    return Err(Error::invalid(FieldPath::from([list, key.as_str(), "id"]), text));
                }
            }
        }
        Ok(())
    }

    fn plan_stakeholder(
        &mut self,
        row: &ReadStakeholder,
        attached: &HashMap<Holding, i64>,
        holders: &mut Holders,
    ) -> Result<()> {
        let Some(at) = self.request.components.get(row.component_id.as_str()).copied() else { return Ok(()) };
        let component_key = self.request.request.reading.components[at].origin.key.as_str();
        let Some(component) = self.rows[at].clone() else { return Ok(()) };
        if !self.request.selects(Component, component_key) {
            return Ok(());
        }
        let role = row.link_type.as_str();
        if !holders.has_role(role, || self.has_entry(Entity::Role, role))? {
            let text = format!("the organization has no role `{role}`, so the stakeholder was left out");
            self.lists.warn(row.origin.file.as_str(), row.origin.line, text);
            return Ok(());
        }
        let (person_id, team_id) = self.holder(row, holders)?;
        if role == OWNER {
            let owner = fields::owner(person_id.as_deref(), team_id.as_deref());
            holders.owners.entry(component.clone()).or_default().extend(owner);
        }
        let holding = (component.clone(), person_id.clone(), team_id.clone(), role.to_owned());
        if let Some(id) = attached.get(&holding) {
            let id = id.to_string();
            // A stakeholder that was attached by hand stays the map's own.
            let is_own = self.gone.contains_key(&(Stakeholder, id.clone()))
                || self
                    .claim(Stakeholder, row.origin.key.as_str())
                    .is_some_and(|claim| claim.row_id.as_deref() == Some(&*id));
            if is_own {
                let claim = self.seen(Stakeholder, &row.origin, Some(id.clone()), Fields::default());
                self.plan.claims.push(claim);
                self.used.insert((Stakeholder, id));
            }
            self.lists.unchanged += 1;
            return Ok(());
        }
        if !holders.planned.insert(holding) {
            return Ok(());
        }
        let who = person_id.as_deref().or(team_id.as_deref()).unwrap_or_default();
        let name = format!("{who} ({role}) of {}", self.drawn_name(&component));
        let is_new_component = self.created.contains_key(&component);
        if matches!(self.standing(Stakeholder, row.origin.key.as_str())?, Standing::Deleted) && !is_new_component {
            self.keep_deleted(Stakeholder, &row.origin, name);
            return Ok(());
        }
        self.lists.added.push(Self::row(Stakeholder, &row.origin, None, name));
        let claim = self.seen(Stakeholder, &row.origin, None, Fields::default());
        let new =
            NewStakeholder { component_id: None, person_id, team_id, link_type: role.to_owned(), properties: None };
        self.plan.new_stakeholders.push((component, new, Some(claim)));
        Ok(())
    }

    /// The person or team of the organization that a stakeholder of the source is, which may be new.
    fn holder(&mut self, row: &ReadStakeholder, holders: &mut Holders) -> Result<(Option<String>, Option<String>)> {
        let request = self.request;
        let reading = &request.request.reading;
        let given = |key: &str| request.request.directory.get(key);
        let chosen = |holder: &HolderRef| match holder.kind {
            HolderKind::Person => (Some(holder.id.as_str().to_owned()), None),
            HolderKind::Team => (None, Some(holder.id.as_str().to_owned())),
        };
        holders.index(&reading.people, &reading.teams);
        if let Some(id) = &row.team_id {
            let team = &reading.teams[holders.teams[id.as_str()]];
            if let Some(holder) = given(team.origin.key.as_str()) {
                return Ok(chosen(holder));
            }
            self.need_team(team, holders)?;
            return Ok((None, Some(id.as_str().to_owned())));
        }
        let id = row.person_id.as_ref().map(Id::as_str).unwrap_or_default();
        let person = &reading.people[holders.people[id]];
        if let Some(holder) = given(person.origin.key.as_str()) {
            return Ok(chosen(holder));
        }
        self.need_person(person, holders)?;
        Ok((Some(id.to_owned()), None))
    }

    fn need_person(&mut self, row: &ReadPerson, holders: &mut Holders) -> Result<()> {
        let id = row.id.as_str();
        if holders.known.insert((Entity::Person, id.to_owned())) && !self.has_entry(Entity::Person, id)? {
            self.plan.holders.people.push(NewPerson {
                id: Some(row.id.clone()),
                org_id: None,
                name: row.name.clone(),
                email: row.email.clone(),
                photo_url: None,
                title: row.title.clone(),
                bio: None,
                contact: None,
                properties: row.properties.clone(),
            });
        }
        Ok(())
    }

    /// Creates a team with its members, unless the organization has it.
    fn need_team(&mut self, row: &ReadTeam, holders: &mut Holders) -> Result<()> {
        let id = row.id.as_str();
        if !holders.known.insert((Entity::Team, id.to_owned())) || self.has_entry(Entity::Team, id)? {
            return Ok(());
        }
        let request = self.request;
        let mut members = Vec::new();
        for member in &row.members {
            let person = &request.request.reading.people[holders.people[member.person_id.as_str()]];
            match request.request.directory.get(person.origin.key.as_str()) {
                Some(HolderRef { kind: HolderKind::Person, id }) => members.push(id.as_str().to_owned()),
                Some(_) => {}
                None => {
                    self.need_person(person, holders)?;
                    members.push(person.id.as_str().to_owned());
                }
            }
        }
        members.sort();
        members.dedup();
        let new = NewTeam {
            id: Some(row.id.clone()),
            org_id: None,
            name: row.name.clone(),
            description: row.description.clone(),
            properties: row.properties.clone(),
        };
        self.plan.holders.teams.push((new, members));
        Ok(())
    }

    /// Gives new components the owners that the request names. They are the map's own from then on.
    fn plan_owners(&mut self, known: &Owners) -> Result<()> {
        let request = self.request;
        let owners = &request.request.owners;
        if owners.is_empty() {
            return Ok(());
        }
        let role: KebabId = KebabId::new(OWNER).map_err(|wrong| Error::invalid("owners", wrong))?;
        for (at, row) in request.request.reading.components.iter().enumerate() {
            let Some(id) = self.rows[at].clone().filter(|id| self.created.contains_key(id) && !known.contains_key(id))
            else {
                continue;
            };
            let general = owners.get("*").filter(|_| !row.is_box);
            let Some(holder) = owners.get(row.origin.key.as_str()).or(general) else { continue };
            let (person_id, team_id) = match holder.kind {
                HolderKind::Person => (Some(holder.id.as_str().to_owned()), None),
                HolderKind::Team => (None, Some(holder.id.as_str().to_owned())),
            };
            let link_type = role.as_str().to_owned();
            let new = NewStakeholder { component_id: None, person_id, team_id, link_type, properties: None };
            self.plan.new_stakeholders.push((id, new, None));
        }
        Ok(())
    }

    fn plan_links(&mut self) -> Result<()> {
        let request = self.request;
        let attached: HashMap<(String, String), i64> =
            self.now.links.values().map(|row| ((row.component_id.clone(), row.url.clone()), row.id)).collect();
        let mut planned = HashSet::new();
        for row in &request.request.reading.links {
            let Some(at) = request.components.get(row.component_id.as_str()).copied() else { continue };
            let key = request.request.reading.components[at].origin.key.as_str();
            let Some(component) = self.rows[at].clone() else { continue };
            if !request.selects(Component, key) {
                continue;
            }
            let url = String::from(row.url.clone());
            if let Some(id) = attached.get(&(component.clone(), url.clone())) {
                let id = id.to_string();
                let is_own = self.gone.contains_key(&(LinkKind, id.clone()))
                    || self
                        .claim(LinkKind, row.origin.key.as_str())
                        .is_some_and(|claim| claim.row_id.as_deref() == Some(&*id));
                if is_own {
                    let claim = self.seen(LinkKind, &row.origin, Some(id.clone()), Fields::default());
                    self.plan.claims.push(claim);
                    self.used.insert((LinkKind, id));
                }
                self.lists.unchanged += 1;
                continue;
            }
            let is_new_component = self.created.contains_key(&component);
            if matches!(self.standing(LinkKind, row.origin.key.as_str())?, Standing::Deleted) && !is_new_component {
                self.keep_deleted(LinkKind, &row.origin, url);
                continue;
            }
            if !planned.insert((component.clone(), url.clone())) {
                continue;
            }
            self.lists.added.push(Self::row(LinkKind, &row.origin, None, url));
            let plain = links::plain(&self.tx.workspace().id, component, row.url.clone());
            let link = Link { title: row.title.as_ref().map(|title| title.as_str().to_owned()), ..plain };
            let claim = self.seen(LinkKind, &row.origin, None, Fields::default());
            self.plan.new_links.push((link, claim));
        }
        Ok(())
    }
}

/// What is known of people, teams and roles while they are planned.
#[derive(Default)]
struct Holders {
    people: HashMap<String, usize>,
    teams: HashMap<String, usize>,
    known: HashSet<(Entity, String)>,
    roles: HashMap<String, bool>,
    planned: HashSet<Holding>,
    /// The owners that the source names, by component of the map.
    owners: Owners,
}

/// Owners by component.
type Owners = HashMap<String, BTreeSet<String>>;

impl Holders {
    /// Indexes the people and teams of the reading by id, once.
    fn index(&mut self, people: &[ReadPerson], teams: &[ReadTeam]) {
        if self.people.is_empty() && self.teams.is_empty() {
            self.people = people.iter().enumerate().map(|(at, row)| (row.id.as_str().to_owned(), at)).collect();
            self.teams = teams.iter().enumerate().map(|(at, row)| (row.id.as_str().to_owned(), at)).collect();
        }
    }

    fn has_role(&mut self, role: &str, has: impl FnOnce() -> Result<bool>) -> Result<bool> {
        if let Some(known) = self.roles.get(role) {
            return Ok(*known);
        }
        let found = has()?;
        self.roles.insert(role.to_owned(), found);
        Ok(found)
    }
}
