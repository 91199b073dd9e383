//! Relationships of a source. Containment is a field of the contained component.

use std::collections::HashMap;

use super::planner::{Planner, Standing};
use crate::{
    domain::{
        catalogue,
        input::Nullable,
        map::relationships::NewRelationship,
        sync::{
            fields,
            merge::{adopt, merge},
            model::{claims::Fields, reading::ReadRelationship, request::SyncKind::Relationship},
        },
        values::{Id, Text},
    },
    error::{Error, Result},
};

/// Source, target and type.
type Ends = (String, String, String);

impl Planner<'_, '_> {
    /// Finds the relationship of the map for each relationship of the source, creates the missing ones, and merges fields.
    pub(super) fn plan_relationships(&mut self) -> Result<()> {
        let request = self.request;
        let rows = request.request.reading.relationships.iter().enumerate();
        let rows: Vec<_> = rows.filter(|(_, row)| row.type_id != catalogue::CONTAINS).collect();
        let mut standing = Vec::with_capacity(rows.len());
        for (_, row) in &rows {
            let found = self.standing(Relationship, row.origin.key.as_str())?;
            if let Standing::OnMap(id) = &found {
                self.used.insert((Relationship, id.clone()));
            }
            standing.push(found);
        }
        let by_ends = self.by_ends();
        for ((at, row), standing) in rows.into_iter().zip(standing) {
            self.plan_relationship(at, row, standing, &by_ends)?;
        }
        Ok(())
    }

    /// Ids of the relationships of the map by their ends and type.
    fn by_ends(&self) -> HashMap<Ends, Vec<String>> {
        let mut by_ends: HashMap<Ends, Vec<String>> = HashMap::new();
        for row in self.now.relationships.values() {
            let ends = (row.source_id.clone(), row.target_id.clone(), row.type_id.clone());
            by_ends.entry(ends).or_default().push(row.id.clone());
        }
        by_ends
    }

    /// The ids on the map of the components that a relationship connects, if both are there.
    pub(super) fn ends(&self, row: &ReadRelationship) -> Option<(String, String)> {
        let find = |id: &Id| self.rows[*self.request.components.get(id.as_str())?].clone();
        find(&row.source_id).zip(find(&row.target_id))
    }

    fn plan_relationship(
        &mut self,
        at: usize,
        row: &ReadRelationship,
        standing: Standing,
        by_ends: &HashMap<Ends, Vec<String>>,
    ) -> Result<()> {
        let key = row.origin.key.as_str();
        // An end that is not on the map: the relationship is not either.
        let Some((from, to)) = self.ends(row) else { return Ok(()) };
        if !self.request.selects(Relationship, key) {
            return Ok(());
        }
        let mut source = fields::of_read_relationship(row, (&from, &to));
        if self.request.is_observed {
            // What was counted is different each time.
            source.0.retain(|field, _| !matches!(field.as_str(), "properties.callCount" | "properties.errorRate"));
        }
        if let Standing::OnMap(id) = standing {
            let base = self.claim(Relationship, key).map(|claim| claim.base.clone());
            return self.merge_relationship(row, &id, &source, base);
        }
        let name = format!("{} → {}", self.drawn_name(&from), self.drawn_name(&to));
        let has_new_end = self.created.contains_key(&from) || self.created.contains_key(&to);
        if matches!(standing, Standing::Deleted) && !has_new_end {
            self.keep_deleted(Relationship, &row.origin, name);
            return Ok(());
        }
        let ends = (from.clone(), to.clone(), row.type_id.clone());
        if let Some((id, old_key)) = self.same_relationship(row, by_ends.get(&ends)) {
            let base = old_key.and_then(|key| {
                let claim = self.now.own.remove(&(Relationship, key.clone()));
                self.plan.deleted_claims.push((Relationship, key));
                claim.map(|claim| claim.base)
            });
            return self.merge_relationship(row, &id, &source, base);
        }
        let id = self.free_id(Relationship, row.id.as_str())?;
        self.plan.new_relationships.push((
            at,
            NewRelationship {
                id: Some(Id::new(&id).map_err(|wrong| Error::invalid("id", wrong))?),
                source_id: from,
                target_id: to,
                type_id: row.type_id.clone(),
                label: row.label.clone(),
                technology: Some(row.technology.clone()),
                line: Nullable::Absent,
                properties: row.properties.clone(),
            },
        ));
        self.lists.added.push(Self::row(Relationship, &row.origin, Some(&id), name));
        let claim = self.seen(Relationship, &row.origin, Some(id), source.base());
        self.plan.claims.push(claim);
        Ok(())
    }

    /// The relationship of the map with the same ends and type. If it belonged to a key that the source no longer has, for
    /// example because its label is part of the key, returns that key too.
    fn same_relationship(&self, row: &ReadRelationship, ids: Option<&Vec<String>>) -> Option<(String, Option<String>)> {
        let label = row.label.as_ref().map_or("", Text::as_str);
        let rank = |id: &String| {
            let known = self.now.relationships.get(id).and_then(|row| row.label.as_deref()).unwrap_or("");
            let is_own = self.gone.contains_key(&(Relationship, id.clone()));
            match (is_own, known == label, label.is_empty() || known.is_empty()) {
                (true, true, _) => Some(0),
                (false, true, _) => Some(1),
                (true, false, _) => Some(2),
                (false, false, true) => Some(3),
                (false, false, false) => None,
            }
        };
        let free = ids?.iter().filter(|id| !self.used.contains(&(Relationship, (*id).clone())));
        let (_, id) = free.filter_map(|id| Some((rank(id)?, id))).min()?;
        Some((id.clone(), self.gone.get(&(Relationship, id.clone())).cloned()))
    }

    fn merge_relationship(
        &mut self,
        row: &ReadRelationship,
        id: &str,
        source: &Fields,
        base: Option<Fields>,
    ) -> Result<()> {
        let Some(before) = self.now.relationships.get(id).cloned() else { return Ok(()) };
        let map = fields::of_relationship(&before);
        let merged = match &base {
            Some(base) => merge(base, source, &map, self.rules(Relationship, row.origin.key.as_str())),
            None => adopt(source, &map, self.rules(Relationship, row.origin.key.as_str())),
        };
        let after = fields::changed_relationship(&before, &merged.changes(source))?;
        if after != before {
            self.plan.relationships.push((before, after));
        }
        let name = self.now.name(Relationship, id).unwrap_or_default();
        self.report(Relationship, &row.origin, id, &name, merged, base.is_none());
        Ok(())
    }

    /// The display name of a component that is on the map or will be.
    pub(super) fn drawn_name(&self, id: &str) -> String {
        self.created.get(id).cloned().unwrap_or_else(|| self.now.component_name(id))
    }
}
