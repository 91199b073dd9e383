//! What was seen in operation: recorded as claims, and not drawn.

use std::collections::HashMap;

use super::{
    names::{Nature, fits, names_of, normalized},
    planner::Planner,
};
use crate::domain::{
    catalogue,
    sync::{
        check::Place,
        model::{
            claims::{Claim, Fields},
            request::SyncKind::{Component, Relationship},
        },
    },
};

impl Planner<'_, '_> {
    /// Records the components and relationships that were seen, with the rows of the map that they are.
    pub(super) fn record_evidence(&mut self) {
        if !self.run.sources.iter().any(|source| source.is_evidence) {
            return;
        }
        let mut by_name: HashMap<String, Vec<String>> = HashMap::new();
        for row in self.now.components.values() {
            by_name.entry(normalized(&row.name)).or_default().push(row.id.clone());
        }
        // The rows of this repository, which come first if others have the same name.
        let mut own: HashMap<String, Vec<String>> = HashMap::new();
        for (source, checked) in self.sources() {
            for (at, row) in checked.reading.components.iter().enumerate() {
                let Some(id) = &self.rows[source][at] else { continue };
                for name in names_of(row) {
                    own.entry(name).or_default().push(id.clone());
                }
            }
        }
        let mut drawn: HashMap<(String, String), String> = HashMap::new();
        for row in self.now.relationships.values().filter(|row| row.type_id != catalogue::CONTAINS) {
            drawn.entry((row.source_id.clone(), row.target_id.clone())).or_insert(row.id.clone());
        }
        for (source, checked) in self.sources().filter(|(_, source)| source.is_evidence) {
            for (at, row) in checked.reading.components.iter().enumerate() {
                let place = Place { source, row: at };
                let known =
                    self.claim(source, Component, row.origin.key.as_str()).and_then(|claim| claim.row_id.clone());
                let known = known.filter(|id| self.now.components.contains_key(id));
                let chosen = row.has_own_id.then(|| row.id.as_str().to_owned());
                let chosen = chosen.filter(|id| self.now.components.contains_key(id));
                self.rows[source][at] =
                    known.or(chosen).or_else(|| self.seen_as(place, &own)).or_else(|| self.seen_as(place, &by_name));
                let mut base = Fields::default();
                base.set("name", row.name.as_str());
                base.set("type", row.type_id.as_str());
                let claim = self.seen(source, Component, &row.origin, self.rows[source][at].clone(), base.base());
                self.plan.claims.push(Claim { row_was: None, ..claim });
                self.lists.unchanged += 1;
            }
            let rows = checked.reading.relationships.iter().enumerate();
            for (at, row) in rows.filter(|(_, row)| row.type_id != catalogue::CONTAINS) {
                let key = |id: &str| {
                    let at = checked.components.get(id).copied().unwrap_or_default();
                    checked.reading.components[at].origin.key.as_str()
                };
                let mut base = Fields::default();
                base.set("source", key(row.source_id.as_str()));
                base.set("target", key(row.target_id.as_str()));
                let id = self.ends(Place { source, row: at }).and_then(|ends| drawn.get(&ends).cloned());
                let claim = self.seen(source, Relationship, &row.origin, id, base);
                self.plan.claims.push(Claim { row_was: None, ..claim });
                self.lists.unchanged += 1;
            }
        }
    }

    /// The only component with the name of one that was seen, and a type that can be seen.
    fn seen_as(&self, place: Place, by_name: &HashMap<String, Vec<String>>) -> Option<String> {
        let row = self.component(place);
        let type_of = |id: &String| match self.now.components.get(id) {
            Some(known) => known.type_id.clone(),
            None => String::new(),
        };
        let seen = |type_id: &str| {
            let nature = |type_id| Nature { type_id, is_guess: false, has_parts: false };
            ["service", "database"].iter().any(|one| fits(nature(one), nature(type_id)))
        };
        let names = names_of(row);
        let mut found: Vec<&String> =
            names.iter().filter_map(|name| by_name.get(name)).flatten().filter(|id| seen(&type_of(id))).collect();
        found.sort();
        found.dedup();
        match found[..] {
            [id] => Some(id.clone()),
            _ => None,
        }
    }
}
