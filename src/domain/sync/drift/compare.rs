//! Compares the claims of sources that declare with the map and with each other.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value;

use super::facts::Facts;
use crate::{
    domain::{
        catalogue,
        sync::{
            fields::{self, OWNER},
            merge::{is_same, shown},
            model::{
                claims::{Claim, Fields},
                drift::{DriftFinding, DriftKind},
                request::SyncKind,
            },
            plan, types,
        },
    },
    error::Result,
};

/// Fields that count as a difference. Others belong to the map by default.
const COMPARED: [&str; 7] = ["name", "type", "parent", "technology", "label", "target", OWNER];
/// Fields that two sources can describe differently. Names and labels differ in spelling.
const BETWEEN_SOURCES: [&str; 4] = ["type", "parent", "technology", OWNER];
/// Component types that have no owner.
const WITHOUT_OWNER: [&str; 3] = [catalogue::GROUP, "person", "external-system"];

/// A row of the map.
type RowId<'f> = (SyncKind, &'f str);

/// The comparison of a map with its sources.
pub(super) struct Comparison<'f> {
    pub(super) facts: &'f Facts,
    /// Claims by the row of the map.
    by_row: BTreeMap<RowId<'f>, Vec<&'f Claim>>,
    pub(super) found: Vec<DriftFinding>,
    map: HashMap<RowId<'f>, Fields>,
}

impl<'f> Comparison<'f> {
    pub(super) fn new(facts: &'f Facts) -> Self {
        let mut by_row: BTreeMap<RowId<'f>, Vec<&'f Claim>> = BTreeMap::new();
        for claim in &facts.claims {
            if let Some(row) = &claim.row_id {
                by_row.entry((claim.kind, row)).or_default().push(claim);
            }
        }
        Self { facts, by_row, found: Vec::new(), map: HashMap::new() }
    }

    /// All differences.
    pub(super) fn all(mut self, check_alive: impl Fn() -> Result<()>) -> Result<Vec<DriftFinding>> {
        self.compare_claims();
        check_alive()?;
        self.find_unclaimed();
        self.compare_sources();
        check_alive()?;
        self.find_unseen();
        self.find_unowned();
        Ok(self.found)
    }

    /// Whether the map has the row of a claim. Only components and relationships are compared.
    fn is_drawn(&self, claim: &Claim) -> bool {
        claim.row_id.as_ref().is_some_and(|id| match claim.kind {
            SyncKind::Component => self.facts.components.contains_key(id),
            _ => self.facts.relationships.contains_key(id),
        })
    }

    fn is_compared(claim: &Claim) -> bool {
        matches!(claim.kind, SyncKind::Component | SyncKind::Relationship)
    }

    /// A difference in the row of a claim.
    pub(super) fn finding(kind: DriftKind, claim: &Claim, id: Option<&str>, name: impl Into<String>) -> DriftFinding {
        DriftFinding {
            key: Some(claim.key.clone()),
            source: Some(claim.source_id.clone()),
            file: Some(claim.file.clone()),
            line: Some(claim.line),
            missing_since: claim.missing_since,
            ..DriftFinding::new(kind, claim.kind, id, name)
        }
    }

    /// The display name of a row of the map, or of a claim whose row is not on the map.
    pub(super) fn name(&self, claim: &Claim) -> String {
        let id = claim.row_id.as_deref().unwrap_or_default();
        match claim.kind {
            SyncKind::Component => match self.facts.components.get(id) {
                Some(row) => row.name.clone(),
                None => claim.base.get("name").and_then(Value::as_str).unwrap_or(&claim.key).to_owned(),
            },
            _ => match self.facts.relationships.get(id) {
                Some(row) => self.facts.relationship_name(row),
                None => {
                    let end = |field: &str| claim.base.get(field).and_then(Value::as_str).unwrap_or_default();
                    match (end("source"), end("target")) {
                        ("", _) | (_, "") => claim.key.clone(),
                        (source, target) => {
                            format!("{} → {}", self.facts.component_name(source), self.facts.component_name(target))
                        }
                    }
                }
            },
        }
    }

    /// The components of a relationship, if both are on the map.
    fn ends(&self, claim: &'f Claim) -> Option<(&'f str, &'f str)> {
        let end = |field: &str| {
            let id = claim.base.get(field)?.as_str()?;
            self.facts.components.contains_key(id).then_some(id)
        };
        (claim.kind == SyncKind::Relationship).then(|| Some((end("source")?, end("target")?)))?
    }

    /// Whether the map cannot have a relationship, because it does not have one of its components. The component is reported
    /// instead, unless someone has accepted that the map does not have it.
    fn lacks_end(&self, claim: &Claim) -> bool {
        let is_missing = |field: &str| {
            let id = claim.base.get(field).and_then(Value::as_str);
            id.is_some_and(|id| !self.facts.components.contains_key(id))
        };
        claim.kind == SyncKind::Relationship && (is_missing("source") || is_missing("target"))
    }

    /// Finds rows that a source has and the map has not, and fields that differ.
    fn compare_claims(&mut self) {
        let facts = self.facts;
        for claim in &facts.claims {
            let is_declared = !facts.is_observed(&claim.source_id) && claim.missing_since.is_none();
            if !is_declared || !Self::is_compared(claim) {
                continue;
            }
            if !self.is_drawn(claim) {
                if claim.accepted.is_some() || self.lacks_end(claim) {
                    continue;
                }
                let finding = Self::finding(DriftKind::OnlyInCode, claim, None, self.name(claim));
                self.found.push(match self.ends(claim) {
                    Some((source, target)) => finding.between(source, target),
                    None => finding,
                });
                continue;
            }
            let id = claim.row_id.as_deref().unwrap_or_default();
            let map = self.map_fields(claim.kind, id);
            for field in COMPARED {
                let (source, on_map) = (claim.base.get(field), map.get(field));
                if !self.counts(claim, field) {
                    continue;
                }
                let is_equal = match field {
                    // Owners that were added by hand are the map's own.
                    OWNER => has_all(on_map, source),
                    "type" if claim.kind == SyncKind::Relationship => {
                        let type_of =
                            |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
                        types::satisfies(&type_of(on_map), &type_of(source))
                    }
                    // A source that says nothing does not contradict.
                    _ => source.is_none() || is_same(source, on_map),
                };
                if is_equal {
                    continue;
                }
                let finding = DriftFinding {
                    field: Some(field.to_owned()),
                    source_value: Some(shown(source)),
                    map_value: Some(shown(on_map)),
                    ..Self::finding(DriftKind::Differs, claim, Some(id), self.name(claim))
                };
                self.found.push(finding);
            }
        }
    }

    /// Whether a claim states the value of a field that counts: no other source of the row comes before it. All sources count
    /// for owners.
    fn counts(&self, claim: &Claim, field: &str) -> bool {
        if field == OWNER {
            return true;
        }
        let facts = self.facts;
        let weight = |claim: &'f Claim| plan::weight(claim, facts.sources.get(&claim.source_id), field);
        let row = (claim.kind, claim.row_id.as_deref().unwrap_or_default());
        let live = self.by_row.get(&row).into_iter().flatten().copied().filter(|one| {
            one.missing_since.is_none() && !facts.is_observed(&one.source_id) && one.base.get(field).is_some()
        });
        let first = live.min_by(|a, b| weight(a).cmp(&weight(b)));
        !claim.inferred.0.contains(field)
            && first.is_some_and(|first| first.source_id == claim.source_id && first.key == claim.key)
    }

    /// The fields of a row of the map.
    fn map_fields(&mut self, kind: SyncKind, id: &'f str) -> Fields {
        let facts = self.facts;
        let make = || match kind {
            SyncKind::Component => facts.components.get(id).map(|row| {
                let mut fields = fields::of_component(row, facts.parents.get(id).map(String::as_str));
                fields.set(OWNER, facts.owners.get(id).into_iter().flatten().map(String::as_str).collect::<Vec<_>>());
                fields
            }),
            _ => facts.relationships.get(id).map(fields::of_relationship),
        };
        self.map.entry((kind, id)).or_insert_with(|| make().unwrap_or_default()).clone()
    }

    /// Finds rows of the map that no source has.
    fn find_unclaimed(&mut self) {
        let facts = self.facts;
        if facts.sources.is_empty() {
            return;
        }
        let components = facts.components.values().map(|row| (SyncKind::Component, row.id.as_str(), row.name.clone()));
        let drawn = facts.relationships.values().filter(|row| row.type_id != catalogue::CONTAINS);
        let relationships = drawn.map(|row| (SyncKind::Relationship, row.id.as_str(), facts.relationship_name(row)));
        let rows: Vec<_> = components.chain(relationships).collect();
        for (kind, id, name) in rows {
            let claims = self.by_row.get(&(kind, id)).map(Vec::as_slice).unwrap_or_default();
            if claims.iter().any(|claim| claim.missing_since.is_none()) {
                continue;
            }
            let declared = claims.iter().filter(|claim| !facts.is_observed(&claim.source_id));
            let last = declared.max_by_key(|claim| claim.missing_since);
            let finding = match last {
                Some(claim) => Self::finding(DriftKind::OnlyOnMap, claim, Some(id), name),
                None => DriftFinding::new(DriftKind::OnlyOnMap, kind, Some(id), name),
            };
            self.found.push(finding);
        }
    }

    /// Finds fields that two sources describe differently.
    fn compare_sources(&mut self) {
        let facts = self.facts;
        let mut found = Vec::new();
        for ((_, id), claims) in &self.by_row {
            let live =
                claims.iter().filter(|claim| claim.missing_since.is_none() && !facts.is_observed(&claim.source_id));
            let live: Vec<_> = live.collect();
            let Some(first) = live.first().filter(|first| Self::is_compared(first)) else { continue };
            // Each source is compared with the first one, so that the number of differences is limited.
            let others: BTreeSet<&str> = live.iter().skip(1).map(|claim| claim.source_id.as_str()).collect();
            for other in live
                .iter()
                .filter(|claim| others.contains(claim.source_id.as_str()) && claim.source_id != first.source_id)
            {
                for field in BETWEEN_SOURCES {
                    let (a, b) = (first.base.get(field), other.base.get(field));
                    let is_inferred = |claim: &Claim| claim.inferred.0.contains(field);
                    if a.is_none() || b.is_none() || is_same(a, b) || is_inferred(first) || is_inferred(other) {
                        continue;
                    }
                    found.push(DriftFinding {
                        field: Some(field.to_owned()),
                        source_value: Some(shown(a)),
                        other_source: Some(other.source_id.clone()),
                        other_value: Some(shown(b)),
                        ..Self::finding(DriftKind::SourcesDiffer, first, Some(id), self.name(first))
                    });
                }
            }
        }
        self.found.extend(found);
    }

    /// Finds components without an owner.
    fn find_unowned(&mut self) {
        let facts = self.facts;
        let unowned = facts
            .components
            .values()
            .filter(|row| !facts.owners.contains_key(&row.id) && !WITHOUT_OWNER.contains(&row.type_id.as_str()));
        let findings =
            unowned.map(|row| DriftFinding::new(DriftKind::Unowned, SyncKind::Component, Some(&row.id), &*row.name));
        self.found.extend(findings);
    }
}

/// Whether a list has all items of another one.
fn has_all(list: Option<&Value>, items: Option<&Value>) -> bool {
    let listed = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
    let list = listed(list);
    listed(items).iter().all(|item| list.contains(item))
}
