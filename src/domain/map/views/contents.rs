//! What the selectors of views are evaluated on: the components of a workspace, with their relationships and stakeholders.

use std::{
    borrow::Cow,
    cell::OnceCell,
    collections::{HashMap, HashSet},
};

use super::text::Texts;
pub(in crate::domain) use crate::domain::map::model::view_contents::{Candidate, Holder, Relation};
use crate::domain::{
    catalogue::{self, CONTAINS},
    directory::component_kinds::{self, Lookup},
};

/// The component type of people, who need no owner.
const PERSON: &str = "person";

/// The role of owners.
pub(super) const OWNER: &str = "owner";

/// Maximum number of technologies of a component that text selectors search, as on cards of the web client.
const MAX_SEARCHED_TECHNOLOGIES: usize = 8;

/// The components of a workspace in their order, with everything that selectors compare.
#[derive(Debug, Default)]
pub(in crate::domain) struct Contents {
    pub(super) components: Vec<Candidate>,
    pub(super) relationships: Vec<Relation>,
    /// The index of each component by id.
    pub(super) indexes: HashMap<String, usize>,
    /// The stakeholders of each component.
    pub(super) holders: Vec<Vec<Holder>>,
    /// The teams of each person.
    pub(super) teams: HashMap<String, HashSet<String>>,
    kinds: Lookup,
    kind_names: HashMap<String, String>,
    texts: OnceCell<Vec<Texts>>,
    parents: OnceCell<Vec<Option<usize>>>,
}

impl Contents {
    /// `kinds` are ids and names; `memberships` are people and their teams.
    pub(in crate::domain) fn new(
        components: Vec<Candidate>,
        relationships: Vec<Relation>,
        stakeholders: Vec<Holder>,
        memberships: impl IntoIterator<Item = (String, String)>,
        kinds: Vec<(String, String)>,
    ) -> Self {
        let indexes: HashMap<String, usize> =
            components.iter().enumerate().map(|(at, component)| (component.id.clone(), at)).collect();
        let mut holders = vec![Vec::new(); components.len()];
        for holder in stakeholders {
            if let Some(&at) = indexes.get(&holder.component_id) {
                holders[at].push(holder);
            }
        }
        let mut teams: HashMap<String, HashSet<String>> = HashMap::new();
        for (person, team) in memberships {
            teams.entry(person).or_default().insert(team);
        }
        let lookup = Lookup::new(kinds.iter().map(|(id, name)| (id.as_str(), name.as_str())));
        Self {
            kinds: lookup,
            kind_names: kinds.into_iter().collect(),
            components,
            relationships,
            indexes,
            holders,
            teams,
            texts: OnceCell::new(),
            parents: OnceCell::new(),
        }
    }

    /// The id of the kind of a component.
    pub(super) fn kind_of(&self, component: &Candidate) -> Option<&str> {
        let value = component.properties.get(component_kinds::PROPERTY)?;
        self.kinds.find(value.as_str()?)
    }

    /// Whether a component has no owner but needs one.
    pub(super) fn is_unowned(&self, at: usize) -> bool {
        self.components[at].type_id != PERSON && !self.holders[at].iter().any(|holder| holder.role == OWNER)
    }

    /// The texts of each component.
    pub(super) fn texts(&self) -> &[Texts] {
        self.texts.get_or_init(|| (0..self.components.len()).map(|at| self.texts_of(at)).collect())
    }

    fn texts_of(&self, at: usize) -> Texts {
        let component = &self.components[at];
        let kind = self.kind_of(component).and_then(|kind| self.kind_names.get(kind)).map(String::as_str);
        let type_name = kind.unwrap_or_else(|| catalogue::known_component_type(&component.type_id).name);
        let fixed = [Some(component.id.as_str()), Some(type_name), component.description.as_deref()];
        let holders = self.holders[at].iter().map(|holder| holder.name.as_str());
        let texts = fixed.into_iter().flatten().chain(holders).chain(component.tags.iter()).map(Cow::Borrowed);
        let technologies = technologies(component).into_iter().take(MAX_SEARCHED_TECHNOLOGIES);
        Texts::new(&component.name, texts.chain(technologies))
    }

    /// The group that contains each component.
    pub(super) fn parents(&self) -> &[Option<usize>] {
        self.parents.get_or_init(|| {
            let mut parents = vec![None; self.components.len()];
            for relation in self.relationships.iter().filter(|relation| relation.type_id == CONTAINS) {
                let ends = (self.indexes.get(&relation.source_id), self.indexes.get(&relation.target_id));
                if let (Some(&group), Some(&part)) = ends {
                    parents[part] = parents[part].or(Some(group));
                }
            }
            parents
        })
    }

    /// The components that contain a component, innermost first.
    pub(super) fn ancestors(&self, at: usize) -> impl Iterator<Item = usize> {
        let parents = self.parents();
        // Containment has no cycles; the limit only makes sure that a damaged database does not stop the server.
        std::iter::successors(parents[at], |&group| parents[group]).take(self.components.len())
    }
}

/// The technologies of a component: its field, or if that is empty, the property of that name.
pub(super) fn technologies(component: &Candidate) -> Vec<Cow<'_, str>> {
    if !component.technology.is_empty() {
        return component.technology.iter().map(Cow::Borrowed).collect();
    }
    let texts: Vec<String> = match component.properties.get("technology") {
        Some(serde_json::Value::String(text)) => text.split([',', ';']).map(str::to_owned).collect(),
        Some(serde_json::Value::Array(items)) => {
            items.iter().filter_map(|item| item.as_str()).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    };
    let trimmed = texts.iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    trimmed.take(MAX_SEARCHED_TECHNOLOGIES).map(Cow::Owned).collect()
}
