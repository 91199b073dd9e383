//! People, teams, stakeholders and links of the sources.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{planner::Planner, standing::Standing};
use crate::{
    domain::{
        core::{Entity, Reads},
        directory::{entries, people::NewPerson, teams::NewTeam},
        map::{
            links::{self, Link},
            stakeholders::NewStakeholder,
        },
        sync::{
            fields::{self, OWNER},
            model::{
                claims::Fields,
                reading::{ReadPerson, ReadStakeholder, ReadTeam},
                request::{
                    HolderKind, HolderRef, SyncKind,
                    SyncKind::{Component, Link as LinkKind, Stakeholder},
                },
            },
        },
        values::{Id, KebabId},
    },
    error::{Error, FieldPath, Result},
};

/// Maximum number of owners of a component that are noted for the drift report.
const MAX_NOTED_OWNERS: usize = 20;

/// Component, person, team and role.
type Holding = (String, Option<String>, Option<String>, String);

impl<'p> Planner<'p, '_> {
    /// Attaches the people, teams and links of the sources.
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
        for (source, checked) in self.sources().filter(|(_, source)| !source.is_evidence) {
            holders.index(&checked.reading.people, &checked.reading.teams);
            for row in &checked.reading.stakeholders {
                self.plan_stakeholder(source, row, &attached, &mut holders)?;
            }
        }
        self.note_owners(&holders.owners);
        self.plan_owners(&holders.owners)?;
        self.plan_links()
    }

    /// Notes the owners of each source with its components, for the drift report. They are no field of a merge, because
    /// owners are rows of their own.
    fn note_owners(&mut self, owners: &Owners) {
        for claim in self.plan.claims.iter_mut().filter(|claim| claim.kind == Component) {
            let Some(row) = &claim.row_id else { continue };
            if let Some(own) = owners.get(&(claim.source_id.clone(), row.clone())) {
                let listed: Vec<&str> = own.iter().take(MAX_NOTED_OWNERS).map(String::as_str).collect();
                claim.base.set(OWNER, listed);
            }
        }
    }

    /// The component of the map that a stakeholder or link of a source belongs to, if the request selects it.
    fn component_of(&self, source: usize, id: &str) -> Option<String> {
        let checked = &self.run.sources[source];
        let at = checked.components.get(id).copied()?;
        let key = checked.reading.components[at].origin.key.as_str();
        self.rows[source][at].clone().filter(|_| self.run.selects(source, Component, key))
    }

    /// Whether a source did not describe this component of the map before, but another one or none.
    fn is_new_to(&self, source: usize, id: &str, component: &str) -> bool {
        let checked = &self.run.sources[source];
        let key = checked.components.get(id).map(|at| checked.reading.components[*at].origin.key.as_str());
        let known = key.and_then(|key| self.claim(source, Component, key)?.row_id.as_deref());
        self.created.contains_key(component) || known != Some(component)
    }

    /// Whether a stakeholder or link is of a source. One that was attached by hand stays the map's own.
    fn is_of_source(&self, kind: SyncKind, id: &str) -> bool {
        self.claims_of(kind, id).next().is_some()
    }

    fn has_entry(&self, entity: Entity, id: &str) -> Result<bool> {
        let organization = self.tx.workspace().org_id.as_deref().unwrap_or_default();
        entries::has_entry(self.tx.core(), organization, entity, id)
    }

    /// Checks that the entries in the request exist.
    fn check_directory(&self) -> Result<()> {
        let request = &self.run.request;
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
        source: usize,
        row: &'p ReadStakeholder,
        attached: &HashMap<Holding, i64>,
        holders: &mut Holders,
    ) -> Result<()> {
        let Some(component) = self.component_of(source, row.component_id.as_str()) else { return Ok(()) };
        let role = row.link_type.as_str();
        if !holders.has_role(role, || self.has_entry(Entity::Role, role))? {
            let text = format!("the organization has no role `{role}`, so the stakeholder was left out");
            self.lists.warn(row.origin.file.as_str(), row.origin.line, text);
            return Ok(());
        }
        let (person_id, team_id) = self.holder(source, row, holders)?;
        if role == OWNER {
            let owner = fields::owner(person_id.as_deref(), team_id.as_deref());
            let key = (self.run.sources[source].id().to_owned(), component.clone());
            holders.owners.entry(key).or_default().extend(owner);
        }
        let holding = (component.clone(), person_id.clone(), team_id.clone(), role.to_owned());
        if let Some(id) = attached.get(&holding) {
            let id = id.to_string();
            if self.is_of_source(Stakeholder, &id) {
                let claim = self.seen(source, Stakeholder, &row.origin, Some(id.clone()), Fields::default());
                self.plan.claims.push(claim);
                self.used.insert((Stakeholder, id));
            }
            self.lists.unchanged += 1;
            return Ok(());
        }
        let who = person_id.as_deref().or(team_id.as_deref()).unwrap_or_default();
        let name = format!("{who} ({role}) of {}", self.drawn_name(&component));
        if !self.is_new_to(source, row.component_id.as_str(), &component)
            && let Standing::Deleted(id) = self.standing(source, Stakeholder, row.origin.key.as_str())?
        {
            self.keep_deleted(source, Stakeholder, &row.origin, &id, name);
            return Ok(());
        }
        let claim = self.seen(source, Stakeholder, &row.origin, None, Fields::default());
        if let Some(at) = holders.planned.get(&holding) {
            self.plan.new_stakeholders[*at].2.push(claim);
            return Ok(());
        }
        holders.planned.insert(holding, self.plan.new_stakeholders.len());
        self.lists.added.push(self.row(source, Stakeholder, &row.origin, None, name));
        let new =
            NewStakeholder { component_id: None, person_id, team_id, link_type: role.to_owned(), properties: None };
        self.plan.new_stakeholders.push((component, new, vec![claim]));
        Ok(())
    }

    /// The person or team of the organization that a stakeholder of the source is, which may be new.
    fn holder(
        &mut self,
        source: usize,
        row: &ReadStakeholder,
        holders: &mut Holders,
    ) -> Result<(Option<String>, Option<String>)> {
        let run = self.run;
        let reading = &run.sources[source].reading;
        let given = |key: &str| run.request.directory.get(key);
        let chosen = |holder: &HolderRef| match holder.kind {
            HolderKind::Person => (Some(holder.id.as_str().to_owned()), None),
            HolderKind::Team => (None, Some(holder.id.as_str().to_owned())),
        };
        if let Some(id) = &row.team_id {
            let team = &reading.teams[holders.teams[id.as_str()]];
            if let Some(holder) = given(team.origin.key.as_str()) {
                return Ok(chosen(holder));
            }
            self.need_team(&reading.people, team, holders)?;
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
    fn need_team(&mut self, people: &[ReadPerson], row: &ReadTeam, holders: &mut Holders) -> Result<()> {
        let id = row.id.as_str();
        if !holders.known.insert((Entity::Team, id.to_owned())) || self.has_entry(Entity::Team, id)? {
            return Ok(());
        }
        let mut members = Vec::new();
        for member in &row.members {
            let person = &people[holders.people[member.person_id.as_str()]];
            match self.run.request.directory.get(person.origin.key.as_str()) {
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
        let owners = &self.run.request.owners;
        if owners.is_empty() {
            return Ok(());
        }
        let role: KebabId = KebabId::new(OWNER).map_err(|wrong| Error::invalid("owners", wrong))?;
        let mut owned: HashSet<String> = known.keys().map(|(_, component)| component.clone()).collect();
        // Owners by key come before the general one.
        for is_general in [false, true] {
            for (source, checked) in self.sources().filter(|(_, source)| !source.is_evidence) {
                for (at, row) in checked.reading.components.iter().enumerate() {
                    let Some(id) = self.rows[source][at].clone().filter(|id| self.created.contains_key(id)) else {
                        continue;
                    };
                    let holder = if is_general {
                        owners.get("*").filter(|_| !row.is_box)
                    } else {
                        owners.get(row.origin.key.as_str())
                    };
                    let Some(holder) = holder.filter(|_| owned.insert(id.clone())) else { continue };
                    let (person_id, team_id) = match holder.kind {
                        HolderKind::Person => (Some(holder.id.as_str().to_owned()), None),
                        HolderKind::Team => (None, Some(holder.id.as_str().to_owned())),
                    };
                    let link_type = role.as_str().to_owned();
                    let new = NewStakeholder { component_id: None, person_id, team_id, link_type, properties: None };
                    self.plan.new_stakeholders.push((id, new, Vec::new()));
                }
            }
        }
        Ok(())
    }

    fn plan_links(&mut self) -> Result<()> {
        let attached: HashMap<(String, String), i64> =
            self.now.links.values().map(|row| ((row.component_id.clone(), row.url.clone()), row.id)).collect();
        let mut planned: HashMap<(String, String), usize> = HashMap::new();
        for (source, checked) in self.sources().filter(|(_, source)| !source.is_evidence) {
            for row in &checked.reading.links {
                let Some(component) = self.component_of(source, row.component_id.as_str()) else { continue };
                let url = String::from(row.url.clone());
                if let Some(id) = attached.get(&(component.clone(), url.clone())) {
                    let id = id.to_string();
                    if self.is_of_source(LinkKind, &id) {
                        let claim = self.seen(source, LinkKind, &row.origin, Some(id.clone()), Fields::default());
                        self.plan.claims.push(claim);
                        self.used.insert((LinkKind, id));
                    }
                    self.lists.unchanged += 1;
                    continue;
                }
                if !self.is_new_to(source, row.component_id.as_str(), &component)
                    && let Standing::Deleted(id) = self.standing(source, LinkKind, row.origin.key.as_str())?
                {
                    self.keep_deleted(source, LinkKind, &row.origin, &id, url);
                    continue;
                }
                let claim = self.seen(source, LinkKind, &row.origin, None, Fields::default());
                if let Some(at) = planned.get(&(component.clone(), url.clone())) {
                    self.plan.new_links[*at].1.push(claim);
                    continue;
                }
                planned.insert((component.clone(), url.clone()), self.plan.new_links.len());
                self.lists.added.push(self.row(source, LinkKind, &row.origin, None, url));
                let plain = links::plain(&self.tx.workspace().id, component, row.url.clone());
                let link = Link { title: row.title.as_ref().map(|title| title.as_str().to_owned()), ..plain };
                self.plan.new_links.push((link, vec![claim]));
            }
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
    /// Planned stakeholders, by their index in the plan.
    planned: HashMap<Holding, usize>,
    /// The owners that the sources name.
    owners: Owners,
}

/// Owners by source and component of the map.
type Owners = HashMap<(String, String), BTreeSet<String>>;

impl Holders {
    /// Indexes the people and teams of a source by id.
    fn index(&mut self, people: &[ReadPerson], teams: &[ReadTeam]) {
        self.people = people.iter().enumerate().map(|(at, row)| (row.id.as_str().to_owned(), at)).collect();
        self.teams = teams.iter().enumerate().map(|(at, row)| (row.id.as_str().to_owned(), at)).collect();
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
