//! Relationships of the sources. Containment is a field of the contained component.
//!
//! A relationship of a source is satisfied by any relationship between the same components in the same direction whose type is
//! at least as exact, so that several sources draw one line. Of several types, the most exact one stands.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{
    planner::{Match, Planner},
    precedence::effective_relationship,
    standing::Standing,
    statement::{Statement, name_set},
};
use crate::{
    domain::{
        catalogue,
        map::relationships::Relationship as Row,
        sync::{
            check::Place,
            fields,
            merge::{adopt, is_packed, merge},
            model::{reading::ReadRelationship, request::SyncKind::Relationship},
            types,
        },
        values::Id,
    },
    error::Result,
};

/// Source and target.
type Ends = (String, String);

/// The relationships between two components: those of the map by id, and those that the sync creates.
#[derive(Debug, Clone)]
struct Line {
    id: String,
    type_id: String,
    label: String,
    /// Whether a source has it, or a person drew it.
    is_claimed: bool,
}

impl<'p> Planner<'p, '_> {
    fn relationship(&self, place: Place) -> &'p ReadRelationship {
        &self.run.sources[place.source].reading.relationships[place.row]
    }

    /// Finds the relationship of the map for each relationship of the sources, creates the missing ones, and merges fields.
    pub(super) fn plan_relationships(&mut self) -> Result<()> {
        let mut rows: BTreeMap<String, Vec<Place>> = BTreeMap::new();
        let mut order: Vec<String> = Vec::new();
        let mut open: Vec<(Place, Ends)> = Vec::new();
        // The rows that each source has already: two relationships of a source are never one.
        let mut of_source: HashSet<(usize, String)> = HashSet::new();
        for (source, checked) in self.sources().filter(|(_, source)| !source.is_evidence) {
            for (row, relationship) in checked.reading.relationships.iter().enumerate() {
                let place = Place { source, row };
                let key = relationship.origin.key.as_str();
                if relationship.type_id == catalogue::CONTAINS {
                    continue;
                }
                let standing = self.standing(source, Relationship, key)?;
                if let Standing::OnMap(id) = &standing {
                    self.used.insert((Relationship, id.clone()));
                    of_source.insert((source, id.clone()));
                }
                // An end that is not on the map: the relationship is not either.
                let Some(ends) = self.ends(place) else { continue };
                if !self.run.selects(source, Relationship, key) {
                    continue;
                }
                match standing {
                    Standing::OnMap(id) => {
                        if !rows.contains_key(&id) {
                            order.push(id.clone());
                        }
                        rows.entry(id).or_default().push(place);
                    }
                    Standing::Deleted(id) if !self.has_new_end(source, key, &ends) => {
                        let name = format!("{} → {}", self.drawn_name(&ends.0), self.drawn_name(&ends.1));
                        self.keep_deleted(source, Relationship, &relationship.origin, &id, name);
                    }
                    _ => open.push((place, ends)),
                }
            }
        }
        let mut lines = self.lines();
        let mut new: BTreeMap<String, Vec<Place>> = BTreeMap::new();
        let mut new_order = Vec::new();
        // The most exact types first, so that the others are satisfied by them.
        open.sort_by_key(|(place, _)| (types::vagueness(&self.relationship(*place).type_id), *place));
        for (place, ends) in open {
            let row = self.relationship(place);
            let found = self.satisfying(place, lines.get(&ends), &of_source);
            let id = match found {
                Some(id) => id,
                None => {
                    let id = self.free_id(Relationship, row.id.as_str(), None)?;
                    lines.entry(ends).or_default().push(Line {
                        id: id.clone(),
                        type_id: row.type_id.clone(),
                        label: row.label.as_ref().map_or("", |label| label.as_str()).to_owned(),
                        is_claimed: true,
                    });
                    new_order.push((place, id.clone()));
                    new.insert(id.clone(), Vec::new());
                    id
                }
            };
            of_source.insert((place.source, id.clone()));
            self.used.insert((Relationship, id.clone()));
            match new.get_mut(&id) {
                Some(members) => members.push(place),
                None => {
                    if !rows.contains_key(&id) {
                        order.push(id.clone());
                    }
                    rows.entry(id).or_default().push(place);
                }
            }
        }
        for id in order {
            let mut members = rows.remove(&id).unwrap_or_default();
            members.sort();
            self.merge_relationship(&id, &members)?;
        }
        new_order.sort();
        for (_, id) in new_order {
            let mut members = new.remove(&id).unwrap_or_default();
            members.sort();
            self.create_relationship(&id, &members)?;
        }
        Ok(())
    }

    /// Whether a relationship that was deleted on the map would connect other components now.
    fn has_new_end(&self, source: usize, key: &str, ends: &Ends) -> bool {
        let base = self.claim(source, Relationship, key).map(|claim| &claim.base);
        let is_other = |field: &str, id: &str| {
            let was = base.and_then(|base| base.get(field)).and_then(|id| id.as_str());
            self.created.contains_key(id) || was.is_some_and(|was| was != id)
        };
        is_other("source", &ends.0) || is_other("target", &ends.1)
    }

    /// The relationships of the map by their ends.
    fn lines(&self) -> HashMap<Ends, Vec<Line>> {
        let mut lines: HashMap<Ends, Vec<Line>> = HashMap::new();
        for row in self.now.relationships.values().filter(|row| row.type_id != catalogue::CONTAINS) {
            let ends = (row.source_id.clone(), row.target_id.clone());
            lines.entry(ends).or_default().push(Line {
                id: row.id.clone(),
                type_id: row.type_id.clone(),
                label: row.label.clone().unwrap_or_default(),
                is_claimed: self.claims_of(Relationship, &row.id).next().is_some(),
            });
        }
        lines
    }

    /// The ids on the map of the components that a relationship connects, if both are there and are not the same.
    pub(super) fn ends(&self, place: Place) -> Option<Ends> {
        let source = &self.run.sources[place.source];
        let row = &source.reading.relationships[place.row];
        let find = |id: &Id| self.rows[place.source][*source.components.get(id.as_str())?].clone();
        let ends = find(&row.source_id).zip(find(&row.target_id))?;
        // Two components that are one row have no relationship with each other.
        (ends.0 != ends.1 || row.source_id == row.target_id).then_some(ends)
    }

    /// The relationship between the same components that satisfies one of a source: one that it had under another key, then one
    /// with the same type and label, then any that is at least as exact. A vaguer one that only sources have becomes exact.
    fn satisfying(
        &self,
        place: Place,
        lines: Option<&Vec<Line>>,
        of_source: &HashSet<(usize, String)>,
    ) -> Option<String> {
        let row = self.relationship(place);
        let label = row.label.as_ref().map_or("", |label| label.as_str());
        let is_gone_here = |id: &str| {
            let gone = self.gone.get(&(Relationship, id.to_owned()));
            gone.is_some_and(|keys| keys.iter().any(|(source, _)| *source == place.source))
        };
        let rank = |line: &Line| {
            let is_same = line.type_id == row.type_id;
            let is_own = is_gone_here(&line.id);
            let has_label = line.label == label;
            let is_plain = line.label.is_empty() || label.is_empty();
            match (is_same, is_own, has_label) {
                (true, true, true) => Some(0),
                (true, false, true) => Some(1),
                (true, true, false) => Some(2),
                (true, false, false) if is_plain => Some(3),
                (true, false, false) if line.is_claimed => Some(4),
                (false, ..) if types::satisfies(&line.type_id, &row.type_id) => Some(5),
                (false, ..) if line.is_claimed && types::is_more_exact(&row.type_id, &line.type_id) => Some(6),
                _ => None,
            }
        };
        let free = lines?.iter().filter(|line| !of_source.contains(&(place.source, line.id.clone())));
        free.filter_map(|line| Some((rank(line)?, &line.id))).min().map(|(_, id)| id.clone())
    }

    fn statements_of(&self, members: &[Place]) -> Vec<Statement<'p>> {
        let of = |place: &Place| {
            let row = self.relationship(*place);
            let (from, to) = self.ends(*place).unwrap_or_default();
            let mut fields = fields::of_read_relationship(row, (&from, &to));
            let volatile = fields::take_volatile(&mut fields, &self.run.request.volatile);
            Statement { place: *place, origin: &row.origin, fields, volatile, inferred: name_set([]) }
        };
        members.iter().map(of).collect()
    }

    fn merge_relationship(&mut self, id: &str, members: &[Place]) -> Result<()> {
        let Some(before) = self.now.relationships.get(id).cloned() else { return Ok(()) };
        let statements = self.statements_of(members);
        let map = fields::of_relationship(&before);
        let (said, says, is_home) = self.source_values(Relationship, id, &statements);
        let (is_new, base, mut source) =
            (said.is_empty(), effective_relationship(&said), effective_relationship(&says));
        let is_by_hand = base.fields.get("type").and_then(|id| id.as_str()) != Some(&before.type_id);
        if is_by_hand
            && types::satisfies(
                &before.type_id,
                source.fields.get("type").and_then(|id| id.as_str()).unwrap_or_default(),
            )
        {
            // It says at least as much already.
            source.fields.set("type", base.fields.get("type").cloned().unwrap_or(before.type_id.clone().into()));
        }
        let rules = self.rules(Relationship, &statements);
        let mut merged = if is_new { adopt(&source, &map, rules) } else { merge(&base.fields, &source, &map, rules) };
        merged.retain(|field| !source.fields.get(field).is_some_and(is_packed));
        let after = fields::changed_relationship(&before, &merged.changes(&source.fields))?;
        if after != before {
            self.plan.change_relationship(before, after);
        }
        let name = self.now.name(Relationship, id).unwrap_or_default();
        let is_adopted = self.claims_of(Relationship, id).next().is_none();
        let how = Match { is_adopted, moved_from: None };
        self.report(Relationship, &statements, (id, &name), &merged, &how, is_home);
        Ok(())
    }

    fn create_relationship(&mut self, id: &str, members: &[Place]) -> Result<()> {
        let statements = self.statements_of(members);
        let Some(first) = statements.first().map(|one| (one.place, one.origin)) else { return Ok(()) };
        let (_, says, is_home) = self.source_values(Relationship, id, &statements);
        let new = fields::new_relationship(id, &effective_relationship(&says).fields)?;
        let name = format!("{} → {}", self.drawn_name(&new.source_id), self.drawn_name(&new.target_id));
        self.plan.new_relationships.push((first.0, new));
        self.lists.added.push(self.row(first.0.source, Relationship, first.1, Some(id), name));
        for one in &statements {
            self.claim_row(Relationship, one, id, one.fields.base(), is_home);
        }
        Ok(())
    }

    /// The display name of a component that is on the map or will be.
    pub(super) fn drawn_name(&self, id: &str) -> String {
        self.created.get(id).cloned().unwrap_or_else(|| self.now.component_name(id))
    }
}

/// Whether a relationship of the map says the same of the same components as another one. A vaguer one that only sources have
/// becomes exact.
pub(super) fn is_one_line(one: &Row, other: &Row, is_claimed: bool) -> bool {
    let is_label = |row: &Row| row.label.as_ref().is_some_and(|label| !label.is_empty());
    let types = (one.type_id.as_str(), other.type_id.as_str());
    (&one.source_id, &one.target_id) == (&other.source_id, &other.target_id)
        && (types.0 == types.1
            || ((!is_label(one) || !is_label(other) || one.label == other.label)
                && (types::satisfies(types.0, types.1) || (is_claimed && types::is_more_exact(types.1, types.0)))))
}
