//! Turns what a reader found into the rows of a reading.

use std::{
    collections::{HashMap, HashSet},
    rc::Rc,
    sync::Arc,
};

use serde_json::{Map, Value};

use super::{
    Arrow, At, Builder, C, Holder, ids,
    ids::{Ids, Wanted},
    keys::{Key, Kind, key_of},
    names::Names,
};
use crate::{
    processes,
    reading::{
        Component, Diagnostic, Link, Origin, Person, Process, Reading, Relationship, Stakeholder, Team, TeamMember,
        View, ViewDefinition, ViewPlace, ViewSelector, Workspace,
    },
    spacing::{self, MAX_COORDINATE},
    text,
    types::{self, Hints},
};

/// Maximum number of components of a view.
const MAX_VIEW_COMPONENTS: usize = 1_000;
/// Maximum length of the ids of a view, in bytes, so that its definition stays within its limit.
const MAX_VIEW_BYTES: usize = 48 << 10;

/// Identifies relationships that are merged into one row: both ends, the type, the label and the chosen ID.
type MergeKey = (C, C, &'static str, Rc<str>, Option<Rc<str>>);

impl Builder<'_> {
    /// The rows.
    pub(crate) fn finish(mut self) -> Reading {
        let names: Vec<Arc<str>> = self.files.iter().map(|file| Arc::from(file.name())).collect();
        let origin = |key: String, scope: Option<&Arc<str>>, at: At| {
            let file = names.get(at.file).cloned().unwrap_or_else(|| Arc::from(""));
            let scope = scope.filter(|scope| scope.strip_suffix(':') != Some(&*file)).cloned();
            Origin { key, scope, file, line: at.line.max(1) }
        };
        let keys = &mut self.keys;
        let keys: Vec<String> = self.component_keys.iter().map(|key| keys.written(Kind::Component, key)).collect();
        let ids = {
            let rows = self.components.iter().zip(&keys);
            let wanted = rows.map(|(one, key)| Wanted { chosen: one.id.as_deref(), name: &one.name, key });
            ids::all(&wanted.collect::<Vec<_>>())
        };
        self.warn_about_ids(&ids);
        let id = |component: C| ids[component.0].clone();
        let types = self.types();
        let mut links = Vec::new();
        let mut components = Vec::with_capacity(self.components.len());
        for ((at, draft), key) in std::mem::take(&mut self.components).into_iter().enumerate().zip(keys) {
            let scope = Some(self.component_keys[at].scope.clone());
            let mut seen = HashSet::new();
            for (title, url) in &draft.links {
                let Some(url) = text::web_address(url).filter(|url| seen.insert(url.clone())) else { continue };
                let title = title.as_deref().map(text::name).filter(|title| !title.is_empty());
                let origin = origin(format!("{key}:{url}"), scope.as_ref(), draft.at);
                links.push(Link { origin, component_id: id(C(at)), kind: "url", url, title });
            }
            let position = draft.position.filter(|(x, y)| x.abs() <= MAX_COORDINATE && y.abs() <= MAX_COORDINATE);
            let Names { code_name, namespace, inferred } =
                Names::of(self.format, &draft, &self.component_keys[at].local);
            components.push(Component {
                code_name,
                namespace,
                inferred,
                properties: self.properties(draft.properties, draft.at),
                origin: origin(key, scope.as_ref(), draft.at),
                is_box: draft.is_box,
                has_own_id: draft.id.as_deref() == Some(ids[at].as_str()),
                id: id(C(at)),
                type_id: types[at],
                name: draft.name,
                description: draft.description,
                x: position.map(|(x, _)| x),
                y: position.map(|(_, y)| y),
                tags: text::keywords(draft.tags.iter().map(String::as_str).filter(|tag| !tag.starts_with("planroom:"))),
                technology: text::keywords(draft.technology.iter().map(String::as_str)),
            });
        }
        let relationships = self.relationships(&components, &types, origin);
        let (people, teams) = self.directory(origin);
        let stakeholders = self.attached(&components, &people, &teams, origin);
        let processes = self.written_processes(&components, origin);
        let (views, mut view_places) = self.written_views(&components, origin);
        spacing::spread(&mut components, &relationships, &mut view_places);
        self.diagnostics.sort_by_key(|(at, ..)| *at);
        let diagnostics = std::mem::take(&mut self.diagnostics).into_iter().map(|(at, severity, text)| {
            let Origin { file, line, .. } = origin(String::new(), None, at);
            Diagnostic { file, line, severity, text }
        });
        let diagnostics = diagnostics.collect();
        let given = self.options.name.as_deref().map(text::name).filter(|name| !name.is_empty());
        let from_file = || self.files.iter().map(|file| text::name(file.stem())).find(|name| !name.is_empty());
        let is_named = self.name.is_some();
        let name = given.or(self.name).or_else(from_file).unwrap_or_else(|| "Imported map".into());
        Reading {
            format: "planroom/1",
            workspace: Workspace { name, is_named, description: self.description },
            people,
            teams,
            components,
            relationships,
            stakeholders,
            links,
            processes,
            views,
            view_places,
            diagnostics,
            diagnostic_count: self.diagnostic_count,
            ignored: self.ignored,
            unreadable: self.unreadable,
        }
    }

    fn types(&self) -> Vec<&'static str> {
        let all = self.components.iter().map(|one| {
            let hints = Hints { explicit: one.explicit.as_deref(), level: one.level, ..Hints::default() };
            let planroom = one.tags.iter().any(|tag| tag.starts_with("planroom:"));
            if one.is_fixed && !planroom {
                return types::component(&hints);
            }
            let (shape, technology) =
                if one.is_fixed { (None, &[][..]) } else { (one.shape.as_deref(), &one.technology[..]) };
            types::component(&Hints { shape, tags: &one.tags, technology, ..hints })
        });
        all.collect()
    }

    fn relationships(
        &mut self,
        components: &[Component],
        types: &[&'static str],
        origin: impl Fn(String, Option<&Arc<str>>, At) -> Origin,
    ) -> Vec<Relationship> {
        let mut ids = Ids::default();
        let mut rows: Vec<(Relationship, Key)> = Vec::new();
        let arrows = std::mem::take(&mut self.arrows);
        // Chosen ids come first, so that no other row gets them.
        let chosen: Vec<Option<String>> = arrows.iter().map(|(arrow, _)| ids.choose(arrow.id.as_deref()?)).collect();
        for (part, whole) in std::mem::take(&mut self.wholes).into_iter().enumerate() {
            let Some((whole, at)) = whole else { continue };
            let Key { scope, local } = self.component_keys[part].clone();
            let key = self.keys.take(Kind::Relationship, scope, format!("contains:{local}"));
            let (whole, part) = (&components[whole.0], &components[part]);
            let row = Relationship {
                origin: origin(String::new(), Some(&key.scope), at),
                id: ids.take(ids::relationship(&whole.id, "contains", &part.id)),
                source_id: whole.id.clone(),
                target_id: part.id.clone(),
                type_id: "contains",
                label: None,
                technology: Vec::new(),
                properties: Map::new(),
            };
            rows.push((row, key));
        }
        // The same pair, type and label is one row, unless the rows have ids of their own.
        let mut known: HashMap<MergeKey, usize> = HashMap::new();
        for ((arrow, scope), chosen) in arrows.into_iter().zip(chosen) {
            let Arrow { from, to, label, technology, type_id, is_bidirectional, mut properties, key, at, .. } = arrow;
            let guessed = || types::relationship(types[from.0], types[to.0], &label, &technology);
            let type_id = type_id.unwrap_or_else(guessed);
            if is_bidirectional {
                properties.push(("bidirectional".into(), true.into()));
            }
            let properties = self.properties(properties, at);
            let merge_key = (from, to, type_id, Rc::from(label.as_str()), chosen.as_deref().map(Rc::from));
            if let Some(row) = known.get(&merge_key) {
                let row = &mut rows[*row].0;
                let all = row.technology.iter().map(String::as_str).chain(technology.iter().map(String::as_str));
                row.technology = text::keywords(all);
                row.properties.extend(properties);
                continue;
            }
            known.insert(merge_key, rows.len());
            let (source, target) = (&components[from.0], &components[to.0]);
            // The key of a component elsewhere is that which others see.
            let end = |end: C| match &self.component_keys[end.0] {
                key if key.scope == scope => &*key.local,
                _ => &*components[end.0].origin.key,
            };
            let key = key.unwrap_or_else(|| format!("{}->{}:{label}", end(from), end(to)));
            let key = self.keys.take(Kind::Relationship, scope, key_of(&key));
            let row = Relationship {
                origin: origin(String::new(), Some(&key.scope), at),
                id: chosen.unwrap_or_else(|| ids.take(ids::relationship(&source.id, type_id, &target.id))),
                source_id: source.id.clone(),
                target_id: target.id.clone(),
                type_id,
                label: (!label.is_empty()).then_some(label),
                technology: text::keywords(technology.iter().map(String::as_str)),
                properties,
            };
            rows.push((row, key));
        }
        let keyed = |(mut row, key): (Relationship, Key)| {
            row.origin.key = self.keys.written(Kind::Relationship, &key);
            row
        };
        rows.into_iter().map(keyed).collect()
    }

    fn directory(&mut self, origin: impl Fn(String, Option<&Arc<str>>, At) -> Origin) -> (Vec<Person>, Vec<Team>) {
        let drafts = std::mem::take(&mut self.people);
        let wanted = drafts.iter().map(|one| Wanted { chosen: None, name: &one.name, key: &one.key });
        let ids = ids::all(&wanted.collect::<Vec<_>>());
        let mut people: Vec<Person> = Vec::new();
        for (draft, id) in drafts.into_iter().zip(ids) {
            let mut properties = self.properties(draft.properties, draft.at);
            let (email, other): (Vec<String>, Vec<String>) =
                draft.email.into_iter().map(|text| text.trim().to_owned()).partition(|text| is_email(text));
            if let Some(text) = other.first().filter(|text| !text.is_empty()) {
                properties.insert("email".into(), text::cut(text, 254).into());
            }
            people.push(Person {
                name: named(&draft.name, &draft.key),
                title: draft.title.as_deref().map(text::name).filter(|title| !title.is_empty()),
                origin: origin(draft.key, None, draft.at),
                id,
                email: email.into_iter().next(),
                properties,
            });
        }
        let drafts = std::mem::take(&mut self.teams);
        let wanted = drafts.iter().map(|one| Wanted { chosen: None, name: &one.name, key: &one.key });
        let ids = ids::all(&wanted.collect::<Vec<_>>());
        let mut teams = Vec::new();
        for (draft, id) in drafts.into_iter().zip(ids) {
            let members = draft.members.iter().map(|person| TeamMember { person_id: people[person.0].id.clone() });
            teams.push(Team {
                name: named(&draft.name, &draft.key),
                members: members.collect(),
                properties: self.properties(draft.properties, draft.at),
                origin: origin(draft.key, None, draft.at),
                id,
                description: draft.description.as_deref().and_then(text::description),
            });
        }
        (people, teams)
    }

    fn attached(
        &mut self,
        components: &[Component],
        people: &[Person],
        teams: &[Team],
        origin: impl Fn(String, Option<&Arc<str>>, At) -> Origin,
    ) -> Vec<Stakeholder> {
        let mut seen = HashSet::new();
        let mut rows = std::mem::take(&mut self.stakeholders);
        rows.retain(|(component, holder, role, _)| seen.insert((*component, *holder, *role)));
        let row = |(component, holder, role, at): (C, Holder, &'static str, At)| {
            let scope = Some(&self.component_keys[component.0].scope);
            let component = &components[component.0];
            let (key, person_id, team_id) = match holder {
                Holder::Person(person) => (&people[person.0].origin.key, Some(people[person.0].id.clone()), None),
                Holder::Team(team) => (&teams[team.0].origin.key, None, Some(teams[team.0].id.clone())),
            };
            let origin = origin(format!("{}:{role}:{key}", component.origin.key), scope, at);
            Stakeholder { origin, component_id: component.id.clone(), person_id, team_id, link_type: role }
        };
        rows.into_iter().map(row).collect()
    }

    fn written_processes(
        &mut self,
        components: &[Component],
        origin: impl Fn(String, Option<&Arc<str>>, At) -> Origin,
    ) -> Vec<Process> {
        let (mut ids, mut rows) = (Ids::default(), Vec::new());
        for (draft, key) in std::mem::take(&mut self.processes) {
            let written = processes::write(&draft.events, |component: C| components[component.0].name.clone());
            let name = named(&draft.name, &draft.key);
            if written.steps == 0 {
                self.info(
                    draft.at,
                    format!("`{name}` has no steps between components of the map, so it is no process"),
                );
                continue;
            }
            if written.is_cut {
                self.warn(draft.at, format!("`{name}` is too large for a process; its end is missing"));
            }
            let participants = written.participants.into_iter();
            rows.push(Process {
                id: ids.take_kebab(&name, "process"),
                name,
                origin: origin(self.keys.written(Kind::Process, &key), Some(&key.scope), draft.at),
                steps: written.steps,
                description: draft.description.as_deref().and_then(text::description),
                mermaid: written.mermaid,
                participants: participants
                    .map(|(alias, C(at))| (alias, Value::from(components[at].id.as_str())))
                    .collect(),
            });
        }
        rows
    }

    fn written_views(
        &mut self,
        components: &[Component],
        origin: impl Fn(String, Option<&Arc<str>>, At) -> Origin,
    ) -> (Vec<View>, Vec<ViewPlace>) {
        let mut ids = Ids::default();
        let (mut views, mut places) = (Vec::new(), Vec::new());
        for (draft, key) in std::mem::take(&mut self.views) {
            let name = named(&draft.name, &draft.key);
            let mut seen = HashSet::new();
            let listed: Vec<String> = draft
                .components
                .iter()
                .filter(|one| seen.insert(**one))
                .map(|C(at)| components[*at].id.clone())
                .collect();
            // A view without a list would show all components.
            if listed.is_empty() {
                self.info(
                    draft.at,
                    format!("the view `{name}` was not imported, because it shows no component of the map"),
                );
                continue;
            }
            let bytes: usize = listed.iter().map(|id| id.len() + 3).sum();
            if listed.len() > MAX_VIEW_COMPONENTS
                || bytes > MAX_VIEW_BYTES
                || places.len() + listed.len() > super::MAX_RELATIONSHIPS
            {
                self.warn(
                    draft.at,
                    format!("the view `{name}` was not imported, because it shows too many components"),
                );
                continue;
            }
            let id = ids.take_kebab(&name, "view");
            let is_finite = |number: f64| number.abs() <= MAX_COORDINATE;
            let mut with_position = HashSet::new();
            let own = draft.positions.iter().filter(|(component, x, y)| {
                seen.contains(component) && is_finite(*x) && is_finite(*y) && with_position.insert(*component)
            });
            let before = places.len();
            places.extend(own.map(|(component, x, y)| ViewPlace {
                view_id: id.clone(),
                component_id: components[component.0].id.clone(),
                x: *x,
                y: *y,
            }));
            views.push(View {
                origin: origin(self.keys.written(Kind::View, &key), Some(&key.scope), draft.at),
                id,
                name,
                description: draft.description.as_deref().and_then(text::description),
                definition: ViewDefinition {
                    include: [ViewSelector { ids: listed }],
                    implied_relationships: draft.implies_relationships,
                },
                layout: if places.len() > before { "own" } else { "shared" },
            });
        }
        (views, places)
    }
}

/// A name, or the key if it is empty.
fn named(name: &str, key: &str) -> String {
    let names = [text::name(name), text::name(key)];
    names.into_iter().find(|name| !name.is_empty()).unwrap_or_else(|| "Unnamed".into())
}

/// Whether a person can have a text as email address.
fn is_email(text: &str) -> bool {
    let parts = text.split('@').collect::<Vec<_>>();
    let valid = |c: char| !c.is_whitespace() && !text::is_hidden(c);
    parts.len() == 2
        && !parts[1].starts_with('[')
        && parts.iter().all(|part| !part.is_empty())
        && text.chars().all(valid)
        && text.chars().count() <= 254
}
