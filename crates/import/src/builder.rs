//! Collects what a reader finds and applies the rules that all formats share.
//!
//! Readers add components, relationships and other rows in the order of the source, and may refer to a component before
//! everything about it is known: types, ids and texts are determined in [`Builder::finish`].

mod components;
mod copies;
mod drafts;
mod finish;
mod ids;
mod keys;
mod names;
mod sources;

use std::{
    cell::Cell,
    collections::{BTreeMap, HashMap, HashSet},
    rc::Rc,
    sync::Arc,
};

use serde_json::{Map, Value};

pub(super) use self::drafts::{Arrow, At, C, Draft, Holder, P, PersonDraft, ProcessDraft, T, TeamDraft, ViewDraft};
use self::keys::{Key, Keys, key_of};
use super::{
    budget::Budget,
    files::{Files, Refusal},
    format::Format,
    options::Options,
    reading::Severity,
    secrets::{is_secret, without_secrets},
    text,
};

/// Maximum number of components of a reading.
pub const MAX_COMPONENTS: usize = 20_000;
/// Maximum number of relationships of a reading, including those that put components into others.
pub const MAX_RELATIONSHIPS: usize = 50_000;
/// Maximum number of people, teams, stakeholders, links, processes or views of a reading.
pub const MAX_ENTRIES: usize = 20_000;
/// Maximum number of diagnostics that a reading keeps.
pub const MAX_DIAGNOSTICS: usize = 200;
/// Maximum number of components above another one.
const MAX_NESTING: usize = 64;
/// Maximum length of the properties of a row, in bytes of JSON. A row may have a little more.
const MAX_PROPERTIES_BYTES: usize = 32 << 10;
/// Maximum length of the text of a property, in characters.
const MAX_PROPERTY_CHARS: usize = 4_000;
/// Maximum nesting depth of the value of a property.
const MAX_PROPERTY_DEPTH: usize = 8;

/// See the module documentation.
pub(super) struct Builder<'s> {
    format: Format,
    pub(super) files: &'s Files,
    pub(super) options: &'s Options,
    pub(super) budget: Rc<Budget<'s>>,
    /// Estimated memory of the rows, in bytes.
    row_bytes: usize,
    /// The position of the last draft.
    last: At,
    /// The position at which the budget was exhausted.
    exhausted_at: Cell<Option<At>>,
    name: Option<String>,
    description: Option<String>,
    components: Vec<Draft>,
    keys: Keys,
    /// The keys of the components.
    component_keys: Vec<Key>,
    by_key: HashMap<Arc<str>, C>,
    /// What the keys of the rows are local to, if it is not their file.
    scope: Option<Arc<str>>,
    file_scopes: Vec<Arc<str>>,
    /// The component that contains each component, and where that is written.
    wholes: Vec<Option<(C, At)>>,
    /// Relationships, and what their keys are local to.
    arrows: Vec<(Arrow, Arc<str>)>,
    people: Vec<PersonDraft>,
    teams: Vec<TeamDraft>,
    members: HashSet<(T, P)>,
    pub(super) owners: drafts::Owners,
    stakeholders: Vec<(C, Holder, &'static str, At)>,
    processes: Vec<(ProcessDraft, Key)>,
    views: Vec<(ViewDraft, Key)>,
    diagnostics: Vec<(At, Severity, String)>,
    diagnostic_count: usize,
    ignored: BTreeMap<String, usize>,
    /// Files whose notation is invalid.
    pub(super) unreadable: Vec<Refusal>,
}

impl<'s> Builder<'s> {
    #[cfg(test)]
    pub(super) fn new(files: &'s Files, options: &'s Options) -> Self {
        Self::within(Format::StructurizrDsl, files, options, Budget::new(files.bytes(), crate::budget::NEVER_CANCELED))
    }

    /// Creates a builder that charges this budget.
    pub(super) fn within(format: Format, files: &'s Files, options: &'s Options, budget: Rc<Budget<'s>>) -> Self {
        Self {
            format,
            files,
            options,
            budget,
            row_bytes: 0,
            last: At::new(0, 1),
            exhausted_at: Cell::new(None),
            name: None,
            description: None,
            components: Vec::new(),
            keys: Keys::default(),
            component_keys: Vec::new(),
            by_key: HashMap::new(),
            scope: None,
            file_scopes: keys::file_scopes(files),
            wholes: Vec::new(),
            arrows: Vec::new(),
            people: Vec::new(),
            teams: Vec::new(),
            members: HashSet::new(),
            owners: drafts::Owners::default(),
            stakeholders: Vec::new(),
            processes: Vec::new(),
            views: Vec::new(),
            diagnostics: Vec::new(),
            diagnostic_count: 0,
            ignored: BTreeMap::new(),
            unreadable: Vec::new(),
        }
    }

    /// The workspace's own fields. The first file that has a name decides.
    pub(super) fn workspace(&mut self, name: Option<&str>, description: Option<&str>) {
        if self.name.is_none() {
            self.name = name.map(text::name).filter(|name| !name.is_empty());
            self.description = description.and_then(text::description);
        }
    }

    /// Says what the keys of the rows that follow are local to, such as a project: the beginning of their keys if others
    /// have the same. Without, they are local to the file of each row. `:` means all files: the same key is the same row.
    pub(super) fn scope(&mut self, scope: Option<&str>) {
        self.scope = scope.map(Arc::from);
    }

    /// The key of a row, unique where it is local to.
    fn local_key(&mut self, kind: keys::Kind, key: &str, at: At) -> Key {
        let scope = self.scope_at(at);
        self.keys.take(kind, scope, key_of(key))
    }

    /// The scope of a row's key: the explicit scope, or the file that contains the row.
    fn scope_at(&self, at: At) -> Arc<str> {
        self.scope.clone().or_else(|| self.file_scopes.get(at.file).cloned()).unwrap_or_else(|| ":".into())
    }

    /// The component that contains another one.
    pub(super) fn whole(&self, part: C) -> Option<C> {
        self.wholes[part.0].map(|(whole, _)| whole)
    }

    /// Puts a component into another one. A component is part of one other component: further ones become related to it.
    pub(super) fn contain(&mut self, whole: C, part: C, at: At) -> Result<(), Refusal> {
        if self.whole(part) == Some(whole) {
            return Ok(());
        }
        let (mut above, mut levels) = (Some(whole), 0);
        while let Some(component) = above.filter(|component| *component != part && levels <= MAX_NESTING) {
            above = self.whole(component);
            levels += 1;
        }
        if above.is_none() && self.whole(part).is_none() {
            self.wholes[part.0] = Some((whole, at));
            return Ok(());
        }
        let (of, name) = (&self.components[whole.0].name, &self.components[part.0].name);
        if whole == part {
            let text = format!("`{name}` cannot be part of itself");
            self.warn(at, text);
            return Ok(());
        }
        let text = if above == Some(part) {
            format!("`{name}` cannot be part of `{of}`, which is part of it; they are drawn as related")
        } else if above.is_some() {
            format!("`{name}` is nested too deep in `{of}`; they are drawn as related")
        } else {
            format!("`{name}` is already part of another component; it is drawn as related to `{of}`")
        };
        self.warn(at, text);
        self.arrow(Arrow { label: "contains".into(), type_id: Some("related-to"), ..Arrow::new(whole, part, at) })
    }

    /// Adds a relationship.
    pub(super) fn arrow(&mut self, mut arrow: Arrow) -> Result<(), Refusal> {
        if self.arrows.len() + self.components.len() >= MAX_RELATIONSHIPS {
            let text = format!("there are more than {MAX_RELATIONSHIPS} relationships; import a part of them");
            return Err(self.refusal(arrow.at, text));
        }
        self.charge_draft(arrow.memory_estimate(), arrow.at)?;
        arrow.label = text::label(&arrow.label);
        let scope = self.scope_at(arrow.at);
        arrow.id = arrow.id.map(|id| without_secrets(&id).into_owned());
        self.arrows.push((arrow, scope));
        Ok(())
    }

    /// Adds a person.
    pub(super) fn person(&mut self, mut person: PersonDraft) -> Result<P, Refusal> {
        self.check_count(self.people.len(), "people", person.at)?;
        self.charge_draft(person.memory_estimate(), person.at)?;
        person.key = key_of(&person.key);
        person.name = text::name(&person.name);
        person.email = person.email.map(|email| without_secrets(&email).into_owned());
        self.people.push(person);
        Ok(P(self.people.len() - 1))
    }

    /// Adds a team.
    pub(super) fn team(&mut self, mut team: TeamDraft) -> Result<T, Refusal> {
        self.check_count(self.teams.len(), "teams", team.at)?;
        self.charge_draft(team.memory_estimate(), team.at)?;
        team.key = key_of(&team.key);
        team.name = text::name(&team.name);
        self.teams.push(team);
        Ok(T(self.teams.len() - 1))
    }

    /// Adds a person to a team.
    pub(super) fn member(&mut self, team: T, person: P, at: At) -> Result<(), Refusal> {
        if self.members.insert((team, person)) {
            self.charge(drafts::LINK_BYTES, at)?;
            self.teams[team.0].members.push(person);
        }
        Ok(())
    }

    /// Attaches a person or team to a component. `role` is the id of a built-in role.
    pub(super) fn stakeholder(&mut self, of: C, holder: Holder, role: &'static str, at: At) -> Result<(), Refusal> {
        self.check_count(self.stakeholders.len(), "stakeholders", at)?;
        self.charge(drafts::ROW_BYTES, at)?;
        self.stakeholders.push((of, holder, role, at));
        Ok(())
    }

    /// Adds a process.
    pub(super) fn process(&mut self, process: ProcessDraft) -> Result<(), Refusal> {
        self.check_count(self.processes.len(), "processes", process.at)?;
        self.charge_draft(process.memory_estimate(), process.at)?;
        self.charge_steps(process.events.len() * drafts::EVENT_STEPS, process.at)?;
        let key = self.local_key(keys::Kind::Process, &process.key, process.at);
        self.processes.push((process, key));
        Ok(())
    }

    /// Adds a view.
    pub(super) fn view(&mut self, view: ViewDraft) -> Result<(), Refusal> {
        self.check_count(self.views.len(), "views", view.at)?;
        self.charge_draft(view.memory_estimate(), view.at)?;
        let key = self.local_key(keys::Kind::View, &view.key, view.at);
        self.views.push((view, key));
        Ok(())
    }

    /// Counts items that have no counterpart on the map.
    pub(super) fn ignore(&mut self, what: &str, count: usize) {
        const MAX_NAMES: usize = 100;
        let what = text::cut(&without_secrets(what), 60);
        if count > 0 && (self.ignored.len() < MAX_NAMES || self.ignored.contains_key(&what)) {
            *self.ignored.entry(what).or_default() += count;
        }
    }

    /// Explains something.
    pub(super) fn info(&mut self, at: At, text: impl Into<String>) {
        self.diagnostic(at, Severity::Info, text.into());
    }

    /// Reports that a part of the source is missing on the map, or not as written.
    pub(super) fn warn(&mut self, at: At, text: impl Into<String>) {
        self.diagnostic(at, Severity::Warning, text.into());
    }

    /// Reports an invalid part of the source.
    pub(super) fn error(&mut self, at: At, text: impl Into<String>) {
        self.diagnostic(at, Severity::Error, text.into());
    }

    fn diagnostic(&mut self, at: At, severity: Severity, text: String) {
        self.diagnostic_count += 1;
        // A source can cause many diagnostics. An exhausted budget ends the reading at the next fallible charge.
        let _ = self.charge_steps(1 + text.len() / 64, at);
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            self.diagnostics.push((at, severity, text::cut(&without_secrets(&text), 500)));
        }
    }

    /// The error that ends the reading.
    pub(super) fn refusal(&self, at: At, text: impl Into<String>) -> Refusal {
        let file = (at.file < self.files.iter().len()).then(|| self.files.at(at.file).name().to_owned());
        Refusal { file, line: Some(at.line), text: without_secrets(&text.into()).into_owned() }
    }

    fn check_count(&self, count: usize, what: &str, at: At) -> Result<(), Refusal> {
        if count < MAX_ENTRIES {
            return Ok(());
        }
        Err(self.refusal(at, format!("there are more than {MAX_ENTRIES} {what}; import a part of them")))
    }

    /// Properties without secrets, within the limits of a row.
    fn properties(&mut self, properties: Vec<(String, Value)>, at: At) -> Map<String, Value> {
        let (mut kept, mut bytes) = (Map::new(), 0);
        for (name, value) in properties {
            let name = text::name(&name);
            if name.is_empty() {
                continue;
            }
            if is_secret(&name) {
                self.info(at, format!("the property `{name}` was not imported, because it may be a secret"));
                continue;
            }
            let value = clean(value, 0);
            bytes += name.len() + value.to_string().len() + 4;
            if bytes > MAX_PROPERTIES_BYTES {
                self.warn(at, format!("the properties from `{name}` on were not imported, because there are too many"));
                break;
            }
            kept.insert(name, value);
        }
        kept
    }
}

/// A value without secrets in addresses.
fn clean(value: Value, depth: usize) -> Value {
    match value {
        Value::String(text) => text::cut(&without_secrets(&text), MAX_PROPERTY_CHARS).into(),
        Value::Array(_) | Value::Object(_) if depth == MAX_PROPERTY_DEPTH => Value::Null,
        Value::Array(items) => items.into_iter().map(|item| clean(item, depth + 1)).collect(),
        Value::Object(fields) => {
            let kept = fields.into_iter().filter(|(name, _)| !is_secret(name));
            Value::Object(kept.map(|(name, value)| (name, clean(value, depth + 1))).collect())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests;
