//! Compares what was seen in operation with the map.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use super::compare::Comparison;
use crate::domain::sync::model::{
    claims::Claim,
    drift::{DriftFinding, DriftKind},
    request::SyncKind,
};

/// Types of relationships that calls between components can show.
const SEEN_TYPES: [&str; 8] =
    ["uses", "calls", "depends-on", "reads", "writes", "publishes", "subscribes", "streams-to"];

impl<'f> Comparison<'f> {
    /// Finds what was seen and is not on the map, and what is on the map and was not seen.
    pub(super) fn find_unseen(&mut self) {
        let facts = self.facts;
        let mut by_source: BTreeMap<&str, Vec<&'f Claim>> = BTreeMap::new();
        for claim in facts.claims.iter().filter(|claim| facts.is_observed(&claim.source_id)) {
            by_source.entry(&claim.source_id).or_default().push(claim);
        }
        let drawn: HashSet<(&str, &str)> =
            facts.relationships.values().map(|row| (row.source_id.as_str(), row.target_id.as_str())).collect();
        // Relationships between components that a source knows, with the time at which they were last seen.
        let mut unseen: BTreeMap<&str, (Option<i64>, &'f str)> = BTreeMap::new();
        let mut seen: HashSet<&str> = HashSet::new();
        for (source, claims) in by_source {
            let rows: HashMap<&str, &str> = claims
                .iter()
                .filter(|claim| claim.kind == SyncKind::Component && claim.seen_at >= facts.seen_after)
                .filter_map(|claim| Some((claim.key.as_str(), claim.row_id.as_deref()?)))
                .filter(|(_, id)| facts.components.contains_key(*id))
                .collect();
            let mut last_seen: HashMap<(&str, &str), i64> = HashMap::new();
            for claim in &claims {
                let end = |field: &str| claim.base.get(field).and_then(Value::as_str).unwrap_or_default();
                let is_live = claim.missing_since.is_none();
                if claim.kind == SyncKind::Component {
                    if is_live && !rows.contains_key(claim.key.as_str()) {
                        let finding = Self::finding(DriftKind::SeenNotDrawn, claim, None, self.name(claim));
                        self.found.push(DriftFinding { seen_at: Some(claim.seen_at), ..finding });
                    }
                } else if claim.kind == SyncKind::Relationship
                    && let (Some(from), Some(to)) = (rows.get(end("source")), rows.get(end("target")))
                {
                    let last = last_seen.entry((from, to)).or_insert(claim.seen_at);
                    *last = (*last).max(claim.seen_at);
                    if is_live && !drawn.contains(&(*from, *to)) && from != to {
                        let name = format!("{} → {}", facts.component_name(from), facts.component_name(to));
                        let finding = Self::finding(DriftKind::SeenNotDrawn, claim, None, name).between(from, to);
                        self.found.push(DriftFinding { seen_at: Some(claim.seen_at), ..finding });
                    }
                }
            }
            let known: HashSet<&str> = rows.values().copied().collect();
            for row in facts.relationships.values() {
                let is_known = known.contains(row.source_id.as_str()) && known.contains(row.target_id.as_str());
                if !is_known || !SEEN_TYPES.contains(&row.type_id.as_str()) {
                    continue;
                }
                // In a flow of data, either end may open the connection.
                let ends = (row.source_id.as_str(), row.target_id.as_str());
                let last = last_seen.get(&ends).max(last_seen.get(&(ends.1, ends.0))).copied();
                if last.is_some_and(|last| last >= facts.seen_after) {
                    seen.insert(&row.id);
                } else {
                    unseen.entry(&row.id).or_insert((last, source));
                }
            }
        }
        for (id, (last, source)) in unseen.into_iter().filter(|(id, _)| !seen.contains(id)) {
            let Some(row) = facts.relationships.get(id) else { continue };
            let name = facts.relationship_name(row);
            let finding = DriftFinding::new(DriftKind::DrawnNotSeen, SyncKind::Relationship, Some(id), name);
            self.found.push(DriftFinding { seen_at: last, source: Some(source.to_owned()), ..finding });
        }
    }
}
