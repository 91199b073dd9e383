//! What was seen in operation: recorded as claims, and not drawn.

use std::collections::HashMap;

use super::{
    names::{fits, normalized},
    planner::Planner,
};
use crate::domain::{
    catalogue,
    sync::model::{
        claims::Fields,
        request::SyncKind::{Component, Relationship},
    },
};

impl Planner<'_, '_> {
    /// Records the components and relationships that were seen, with the rows of the map that they are.
    pub(super) fn record_evidence(&mut self) {
        let request = self.request;
        let reading = &request.request.reading;
        let by_name = self.by_name();
        for (at, row) in reading.components.iter().enumerate() {
            let known = self.claim(Component, row.origin.key.as_str()).and_then(|claim| claim.row_id.clone());
            let known = known.filter(|id| self.now.components.contains_key(id));
            let named = || {
                let candidates = by_name.get(&normalized(row.name.as_str())).into_iter().flatten();
                let seen = ["service", "database"];
                let mut fitting = candidates.filter(|id| {
                    let type_id = self.now.components.get(*id).map_or("", |known| &known.type_id);
                    seen.iter().any(|seen| fits(seen, type_id))
                });
                fitting.next().filter(|_| fitting.next().is_none()).cloned()
            };
            let own =
                || row.has_own_id.then(|| row.id.as_str().to_owned()).filter(|id| self.now.components.contains_key(id));
            self.rows[at] = known.or_else(own).or_else(named);
            let mut base = Fields::default();
            base.set("name", row.name.as_str());
            base.set("type", row.type_id.as_str());
            let claim = self.seen(Component, &row.origin, self.rows[at].clone(), base.base());
            self.plan.claims.push(claim);
            self.lists.unchanged += 1;
        }
        let mut drawn: HashMap<(&str, &str), &str> = HashMap::new();
        for row in self.now.relationships.values().filter(|row| row.type_id != catalogue::CONTAINS) {
            drawn.entry((&row.source_id, &row.target_id)).or_insert(&row.id);
        }
        let mut claims = Vec::new();
        for row in reading.relationships.iter().filter(|row| row.type_id != catalogue::CONTAINS) {
            let key = |id: &str| {
                let at = request.components.get(id).copied().unwrap_or_default();
                reading.components[at].origin.key.as_str()
            };
            let mut base = Fields::default();
            base.set("source", key(row.source_id.as_str()));
            base.set("target", key(row.target_id.as_str()));
            let ends = self.ends(row);
            let id = ends.and_then(|(from, to)| drawn.get(&(from.as_str(), to.as_str())).map(|id| (*id).to_owned()));
            claims.push(self.seen(Relationship, &row.origin, id, base));
        }
        self.lists.unchanged += claims.len();
        self.plan.claims.extend(claims);
    }
}
