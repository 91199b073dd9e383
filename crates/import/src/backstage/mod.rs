//! Backstage catalogs: `catalog-info.yaml` files, and the JSON of `/api/catalog/entities`.
//!
//! A key is an entity reference in full and in lowercase, `kind:namespace/name`, because a component and its API often have
//! the same name. References to files are followed inside the set only, and addresses (`$text`) are not followed.

mod entity;

use std::collections::{HashMap, HashSet};

use self::entity::{Entity, reference};
use super::{
    builder::{Arrow, At, Builder, C, Draft, Holder, P, PersonDraft, T, TeamDraft},
    files::{File, Refusal},
    roots, text, types,
};

/// Memory of an entity and its key, in bytes.
const ENTITY_BYTES: usize = 400;
/// Steps for resolving a reference.
const REFERENCE_STEPS: usize = 10;

/// Whether a file is a catalog file.
pub(super) fn recognizes(file: &File) -> bool {
    let text = file.text();
    file.has_extension(&["yaml", "yml", "json"])
        && (roots::values(text, "apiVersion").any(|value| value.starts_with("backstage.io/"))
            || text.contains("\"apiVersion\":\"backstage.io/")
            || text.contains("\"apiVersion\": \"backstage.io/"))
}

/// Reads catalogs.
pub(super) fn read(builder: &mut Builder<'_>, files: &[usize]) -> Result<(), Refusal> {
    builder.scope(Some(":"));
    let (components, teams, people, holders) = Default::default();
    let mut catalog = Catalog { builder, components, teams, people, holders };
    let entities = catalog.entities(files)?;
    for entity in &entities {
        catalog.add(entity)?;
    }
    for entity in &entities {
        catalog.relate(entity)?;
    }
    Ok(())
}

struct Catalog<'b, 's> {
    builder: &'b mut Builder<'s>,
    components: HashMap<String, C>,
    teams: HashMap<String, T>,
    people: HashMap<String, P>,
    holders: HashMap<String, Holder>,
}

impl Catalog<'_, '_> {
    /// All entities, including those in files that a location refers to.
    fn entities(&mut self, files: &[usize]) -> Result<Vec<Entity>, Refusal> {
        let (mut known, mut open) = (files.iter().copied().collect::<HashSet<_>>(), files.to_vec());
        let (mut entities, mut at) = (Vec::new(), 0);
        let mut keys: HashMap<String, At> = HashMap::new();
        while let Some(&file) = open.get(at) {
            at += 1;
            for node in self.builder.yaml(file)? {
                for entity in entity::all(&node, file) {
                    let Some(entity) = entity else {
                        self.builder.ignore("documents that are no entities", 1);
                        continue;
                    };
                    self.builder.charge(ENTITY_BYTES, entity.at)?;
                    if entity.kind == "location" {
                        self.location(&entity, file, |other| {
                            if known.insert(other) {
                                open.push(other);
                            }
                        })?;
                        continue;
                    }
                    let key = entity.key();
                    if let Some(first) = keys.get(&key) {
                        let first = format!("{}:{}", self.builder.files.at(first.file).name(), first.line);
                        let text = format!("`{key}` is already in {first}; this one was not imported");
                        self.builder.warn(entity.at, text);
                        continue;
                    }
                    keys.insert(key, entity.at);
                    entities.push(entity);
                }
            }
        }
        Ok(entities)
    }

    /// Calls `open` with each file that a location refers to.
    fn location(&mut self, entity: &Entity, file: usize, mut open: impl FnMut(usize)) -> Result<(), Refusal> {
        let spec = entity.spec();
        let targets = spec.text("target").into_iter().chain(spec.texts("targets"));
        for target in targets {
            let found = self.builder.resolve(file, target, entity.at)?;
            if found.is_empty() {
                self.builder.info(
                    entity.at,
                    format!("`{target}` is not among the files; add it if its entities belong on the map"),
                );
            }
            found.into_iter().for_each(&mut open);
        }
        Ok(())
    }

    fn add(&mut self, entity: &Entity) -> Result<(), Refusal> {
        let (key, spec) = (entity.key(), entity.spec());
        let profile = |field| spec.at(&["profile", field]).and_then(|node| node.as_text());
        let name = entity.title();
        let at = entity.at;
        match entity.kind.as_str() {
            "component" | "api" | "resource" | "system" | "domain" => {
                let component = self.builder.component(draft(entity))?;
                self.components.insert(key, component);
            }
            "group" => {
                let mut properties = Vec::new();
                if let Some(parent) = spec.text("parent") {
                    properties.push(("parent".to_owned(), parent.into()));
                }
                let name = profile("displayName").unwrap_or(name).to_owned();
                let description = entity.metadata("description").map(str::to_owned);
                let team = TeamDraft { key: key.clone(), name, description, properties, members: Vec::new(), at };
                let team = self.builder.team(team)?;
                self.holders.insert(key.clone(), Holder::Team(team));
                self.teams.insert(key, team);
            }
            "user" => {
                let name = profile("displayName").unwrap_or(name).to_owned();
                let email = profile("email").map(str::to_owned);
                let person = PersonDraft { key: key.clone(), name, email, at, ..PersonDraft::default() };
                let person = self.builder.person(person)?;
                self.holders.insert(key.clone(), Holder::Person(person));
                self.people.insert(key, person);
            }
            _ => self.builder.ignore(entity.written_kind(), 1),
        }
        Ok(())
    }

    fn relate(&mut self, entity: &Entity) -> Result<(), Refusal> {
        let spec = entity.spec();
        if let Some(&person) = self.people.get(&entity.key()) {
            for team in spec.texts("memberOf") {
                if let Some(team) = resolve(self.builder, &self.teams, entity, team, &["group"])? {
                    self.builder.member(team, person, entity.at)?;
                }
            }
        }
        if let Some(&team) = self.teams.get(&entity.key()) {
            for person in spec.texts("members") {
                if let Some(person) = resolve(self.builder, &self.people, entity, person, &["user"])? {
                    self.builder.member(team, person, entity.at)?;
                }
            }
        }
        let Some(&component) = self.components.get(&entity.key()) else { return Ok(()) };
        self.owner(entity, component)?;
        self.whole(entity, component)?;
        let edges: [(&str, &[&str], Edge); 4] = [
            ("consumesApis", &["api"], Edge::Calls),
            ("dependsOn", &["component", "resource"], Edge::DependsOn),
            ("dependencyOf", &["component", "resource"], Edge::DependencyOf),
            // A change that breaks the component breaks its API.
            ("providesApis", &["api"], Edge::ProvidedBy),
        ];
        for (field, kinds, edge) in edges {
            for node in spec.items(field) {
                let Some(text) = node.as_text() else { continue };
                let Some(other) = resolve(self.builder, &self.components, entity, text, kinds)? else { continue };
                let arrow = Arrow::new(component, other, At::new(entity.at.file, node.line));
                let depends_on = Some("depends-on");
                self.builder.arrow(match edge {
                    Edge::Calls => Arrow { type_id: Some("calls"), ..arrow },
                    Edge::DependsOn => Arrow { type_id: depends_on, ..arrow },
                    Edge::DependencyOf => Arrow { from: other, to: component, type_id: depends_on, ..arrow },
                    Edge::ProvidedBy => {
                        let label = "provided by".to_owned();
                        Arrow { from: other, to: component, type_id: depends_on, label, ..arrow }
                    }
                })?;
            }
        }
        Ok(())
    }

    fn owner(&mut self, entity: &Entity, component: C) -> Result<(), Refusal> {
        let Some(owner) = entity.spec().text("owner") else { return Ok(()) };
        if let Some(team) = self.unlisted_team(entity, owner)? {
            return self.builder.stakeholder(component, Holder::Team(team), "owner", entity.at);
        }
        let Some(holder) = resolve(self.builder, &self.holders, entity, owner, &["group", "user"])? else {
            return Ok(());
        };
        self.builder.stakeholder(component, holder, "owner", entity.at)
    }

    /// The team that an owner names, if its entity is not among those that are read: teams are often in other files than
    /// what they own. A reference without a kind means a group.
    fn unlisted_team(&mut self, entity: &Entity, owner: &str) -> Result<Option<T>, Refusal> {
        let find = |kind: &str| self.holders.contains_key(&reference(owner, kind, &entity.namespace));
        let key = reference(owner, "group", &entity.namespace);
        let name = owner.rsplit(['/', ':']).next().unwrap_or_default().trim().to_owned();
        if find("group") || find("user") || !key.starts_with("group:") || name.is_empty() {
            return Ok(None);
        }
        let team = TeamDraft { key: key.clone(), name, at: entity.at, ..TeamDraft::default() };
        let team = self.builder.team(team)?;
        self.holders.insert(key, Holder::Team(team));
        Ok(Some(team))
    }

    /// Puts a component into the nearest entity around it.
    fn whole(&mut self, entity: &Entity, component: C) -> Result<(), Refusal> {
        let spec = entity.spec();
        let around =
            [("subcomponentOf", "component"), ("system", "system"), ("subdomainOf", "domain"), ("domain", "domain")];
        for (field, kind) in around {
            let Some(text) = spec.text(field) else { continue };
            if let Some(whole) = resolve(self.builder, &self.components, entity, text, &[kind])? {
                return self.builder.contain(whole, component, entity.at);
            }
        }
        Ok(())
    }
}

/// What a reference means. Without a kind in the reference, the kinds are tried in order.
fn resolve<X: Copy>(
    builder: &mut Builder<'_>,
    known: &HashMap<String, X>,
    from: &Entity,
    text: &str,
    kinds: &[&str],
) -> Result<Option<X>, Refusal> {
    builder.charge_steps(kinds.len() * REFERENCE_STEPS, from.at)?;
    let found = kinds.iter().find_map(|kind| known.get(&reference(text, kind, &from.namespace)).copied());
    if found.is_none() {
        let text = text::cut(text, 100);
        builder.warn(from.at, format!("`{text}`, which `{}` refers to, is not among the entities", from.key()));
    }
    Ok(found)
}

enum Edge {
    Calls,
    DependsOn,
    DependencyOf,
    ProvidedBy,
}

fn draft(entity: &Entity) -> Draft {
    let spec = entity.spec();
    let kind = spec.text("type").unwrap_or_default();
    let known = match kind.to_lowercase().as_str() {
        "website" | "frontend" | "ui" => Some("web-app"),
        "s3-bucket" | "bucket" => Some("storage"),
        "kafka-topic" => Some("topic"),
        "kubernetes-cluster" => Some("cluster"),
        "model" => Some("ml-model"),
        other => types::component_type(other).or_else(|| types::technology(other)),
    };
    let level = match entity.kind.as_str() {
        "api" => "api",
        "system" => "system",
        "domain" => "domain",
        _ => known.unwrap_or("service"),
    };
    let mut draft = Draft::new(entity.key(), entity.title(), level, entity.at);
    draft.is_fixed = matches!(level, "api" | "system" | "domain") || known.is_some();
    draft.description = entity.metadata("description").map(str::to_owned);
    if entity.kind == "api" {
        draft.technologies(kind);
    } else if known.is_none() {
        draft.property("backstage.type", kind);
    }
    if let Some(lifecycle) = spec.text("lifecycle") {
        match lifecycle.to_lowercase().as_str() {
            "production" => draft.property("lifecycle", "live"),
            "experimental" => draft.property("lifecycle", "building"),
            other if types::lifecycle(other).is_some() => draft.property("lifecycle", other),
            _ => draft.property("backstage.lifecycle", lifecycle),
        }
    }
    let metadata = entity.node.get("metadata");
    draft.tags = metadata.into_iter().flat_map(|metadata| metadata.texts("tags")).map(str::to_owned).collect();
    for (name, value) in metadata.map_or(&[][..], |metadata| metadata.entries("annotations")) {
        // What the catalog itself notes changes with each run.
        if let Some(value) = value.scalar().filter(|_| !name.starts_with("backstage.io/")) {
            draft.property(name, value);
        }
    }
    for link in metadata.map_or(&[][..], |metadata| metadata.items("links")) {
        if let Some(url) = link.text("url") {
            draft.links.push((link.text("title").map(str::to_owned), url.to_owned()));
        }
    }
    draft
}

#[cfg(test)]
mod tests;
