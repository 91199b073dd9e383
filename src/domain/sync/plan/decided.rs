//! What a merge decided about a row of the map, for the report and the claims.

use super::{
    planner::{Match, Planner},
    statement::Statement,
};
use crate::domain::sync::{
    check::Place,
    merge::{Merged, shown},
    model::{
        report::{SyncField, SyncPlace, SyncRow, SyncSide},
        request::SyncKind,
    },
};

/// Maximum number of other places that are listed with a row.
const MAX_ALSO_IN: usize = 20;

impl<'p> Planner<'p, '_> {
    /// Where other sources of the run have a row that is reported with one of its places.
    pub(super) fn also_in(&self, reported: Place, statements: &[Statement<'p>]) -> Vec<SyncPlace> {
        let others = statements.iter().filter(|one| one.place != reported).take(MAX_ALSO_IN);
        others
            .map(|one| SyncPlace {
                source: self.run.sources[one.place.source].id().to_owned(),
                key: one.origin.key.as_str().to_owned(),
                file: one.origin.file.as_str().to_owned(),
                line: one.origin.line,
            })
            .collect()
    }

    /// A row for the report with the place of a source that states one of these fields.
    fn row_stating(
        &self,
        kind: SyncKind,
        statements: &[Statement<'p>],
        fields: &[SyncField],
        (id, name): (&str, &str),
    ) -> SyncRow {
        let states = |one: &&Statement<'p>| {
            let mut set = fields.iter().filter(|field| !field.source.is_null());
            set.any(|field| shown(one.fields.get(&field.field)) == field.source)
        };
        match statements.iter().find(states).or(statements.first()) {
            Some(one) => self.row(one.place.source, kind, one.origin, Some(id), name),
            None => SyncRow::new(kind, "", Some(id), name),
        }
    }

    /// Reports what a merge decided about a row of the map, and records the claims of its sources.
    pub(super) fn report(
        &mut self,
        kind: SyncKind,
        statements: &[Statement<'p>],
        (id, name): (&str, &str),
        merged: &Merged,
        how: &Match,
        is_home: bool,
    ) {
        let Some(first) = statements.first() else { return };
        let row = SyncRow {
            moved_from: how.moved_from.clone(),
            ..self.row(first.place.source, kind, first.origin, Some(id), name)
        };
        let with = |fields: Vec<SyncField>| SyncRow { fields, ..row.clone() };
        let missing_since = statements
            .iter()
            .filter_map(|one| self.claim(one.place.source, kind, one.origin.key.as_str())?.missing_since)
            .min();
        let is_back = missing_since.is_some()
            && statements.iter().all(|one| {
                self.claim(one.place.source, kind, one.origin.key.as_str())
                    .is_some_and(|claim| claim.missing_since.is_some())
            });
        if how.is_adopted {
            let also_in = self.also_in(first.place, statements);
            let fields = merged.taken.iter().chain(&merged.conflicts).cloned().collect();
            self.lists.adopted.push(SyncRow { also_in, ..with(fields) });
        } else {
            if is_back {
                self.lists.returned.push(SyncRow { missing_since, ..with(Vec::new()) });
            }
            let from_source = merged.conflicts.iter().filter(|field| field.taken == SyncSide::Source);
            let taken: Vec<SyncField> = merged.taken.iter().chain(from_source).cloned().collect();
            if taken.is_empty() && merged.conflicts.is_empty() {
                self.lists.unchanged += 1;
            }
            if !taken.is_empty() {
                let row = self.row_stating(kind, statements, &taken, (id, name));
                self.lists.changed.push(SyncRow { fields: taken, moved_from: how.moved_from.clone(), ..row });
            }
            if !merged.conflicts.is_empty() {
                let fields = merged.conflicts.clone();
                let row = self.row_stating(kind, statements, &fields, (id, name));
                self.lists.conflicts.push(SyncRow { fields, moved_from: how.moved_from.clone(), ..row });
            }
        }
        for one in statements {
            let before = self.claim(one.place.source, kind, one.origin.key.as_str()).map(|claim| claim.base.clone());
            let base = merged.base(&one.fields, before.as_ref());
            self.claim_row(kind, one, id, base, is_home);
        }
        self.used.insert((kind, id.to_owned()));
    }
}
