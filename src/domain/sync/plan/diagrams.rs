//! Processes and views of the sources.

use serde_json::{Map, Value};

use super::{
    planner::{Match, Planner},
    standing::Standing,
    statement::{Statement, name_set},
    writes::NewView,
};
use crate::{
    domain::{
        map::{processes::NewProcess, views},
        sync::{
            check::Place,
            fields,
            merge::{Merged, Sources, adopt, merge},
            model::{
                claims::Fields,
                reading::{ReadProcess, ReadView, RowOrigin},
                request::SyncKind::{self, Process, View},
            },
        },
        values::{Id, KebabId},
    },
    error::{Error, Result},
};

impl<'p> Planner<'p, '_> {
    /// Creates the processes and views of the sources that are new, and merges the others.
    pub(super) fn plan_diagrams(&mut self) -> Result<()> {
        for (source, checked) in self.sources().filter(|(_, source)| !source.is_evidence) {
            for (row, process) in checked.reading.processes.iter().enumerate() {
                self.plan_process(Place { source, row }, process)?;
            }
            for (row, view) in checked.reading.views.iter().enumerate() {
                self.plan_view(Place { source, row }, view)?;
            }
        }
        Ok(())
    }

    /// The id on the map of a component of a source.
    fn drawn(&self, source: usize, id: &str) -> Option<String> {
        self.rows[source][*self.run.sources[source].components.get(id)?].clone()
    }

    /// What a source says of a process or view.
    fn diagram(place: Place, origin: &'p RowOrigin, fields: Fields) -> Statement<'p> {
        Statement { place, origin, fields, volatile: Fields::default(), inferred: name_set([]) }
    }

    /// Merges the fields of a process or view, which only one source has.
    fn merge_diagram(&self, kind: SyncKind, statement: &Statement<'p>, map: &Fields) -> Merged {
        let rules = self.rules(kind, std::slice::from_ref(statement));
        let stated = statement.fields.0.keys().cloned().collect();
        let source = Sources { fields: statement.fields.clone(), stated };
        match self.claim(statement.place.source, kind, statement.origin.key.as_str()) {
            Some(claim) => merge(&claim.base, &source, map, rules),
            None => adopt(&source, map, rules),
        }
    }

    fn plan_process(&mut self, place: Place, row: &'p ReadProcess) -> Result<()> {
        let key = row.origin.key.as_str();
        if !self.run.selects(place.source, Process, key) {
            return Ok(());
        }
        let participants: Map<String, Value> = row
            .participants
            .entries()
            .into_iter()
            .filter_map(|(alias, id)| Some((alias, self.drawn(place.source, id.as_str()?)?.into())))
            .collect();
        let source = fields::of_read_process(row, participants.clone());
        let statement = Self::diagram(place, &row.origin, source);
        match self.standing(place.source, Process, key)? {
            Standing::Deleted(id) => self.keep_deleted(place.source, Process, &row.origin, &id, row.name.as_str()),
            Standing::OnMap(id) => {
                let Some(before) = self.now.processes.get(&id).cloned() else { return Ok(()) };
                let map = fields::of_process(&before);
                let merged = self.merge_diagram(Process, &statement, &map);
                let after = fields::changed_process(&before, &merged.changes(&statement.fields))?;
                let name = before.name.clone();
                if after != before {
                    self.plan.processes.push((before, after));
                }
                self.report(Process, &[statement], (&id, &name), &merged, &Match::default(), true);
            }
            Standing::Unknown => {
                let id = self.free_id(Process, row.id.as_str(), None)?;
                self.plan.new_processes.push(NewProcess {
                    id: Some(KebabId::new(&id).map_err(|wrong| Error::invalid("id", wrong))?),
                    name: row.name.clone(),
                    description: row.description.clone(),
                    mermaid: row.mermaid.clone(),
                    participants: Some(fields::parsed(Value::Object(participants))?),
                });
                self.lists.added.push(self.row(place.source, Process, &row.origin, Some(&id), row.name.as_str()));
                self.claim_row(Process, &statement, &id, statement.fields.base(), true);
            }
        }
        Ok(())
    }

    fn plan_view(&mut self, place: Place, row: &'p ReadView) -> Result<()> {
        let key = row.origin.key.as_str();
        let components: Vec<String> =
            row.component_ids.iter().filter_map(|id| self.drawn(place.source, id.as_str())).collect();
        // A view without a list would show all components.
        if components.is_empty() || !self.run.selects(place.source, View, key) {
            return Ok(());
        }
        let source = fields::of_read_view(row, &components);
        let statement = Self::diagram(place, &row.origin, source);
        match self.standing(place.source, View, key)? {
            Standing::Deleted(id) => self.keep_deleted(place.source, View, &row.origin, &id, row.name.as_str()),
            Standing::OnMap(id) => {
                let Some(before) = self.now.views.get(&id).cloned() else { return Ok(()) };
                let map = fields::of_view(&before)?;
                let merged = self.merge_diagram(View, &statement, &map);
                let after = fields::changed_view(&before, &merged.changes(&statement.fields))?;
                let name = before.name.clone();
                if after != before {
                    self.plan.views.push((before, after));
                }
                self.report(View, &[statement], (&id, &name), &merged, &Match::default(), true);
            }
            Standing::Unknown => {
                let id = self.free_id(View, row.id.as_str(), None)?;
                let list = components.iter().map(|id| Value::from(id.as_str())).collect::<Value>();
                let source_index = place.source;
                let places: Vec<_> = row
                    .places
                    .iter()
                    .filter_map(|place| Some((self.drawn(source_index, place.component_id.as_str())?, place.clone())))
                    .filter(|(id, _)| Id::new(id).is_ok())
                    .collect();
                let layout = if places.is_empty() { views::ViewLayout::Shared } else { views::ViewLayout::Own };
                let new = views::NewView {
                    id: Some(KebabId::new(&id).map_err(|wrong| Error::invalid("id", wrong))?),
                    name: row.name.clone(),
                    description: row.description.clone(),
                    position: None,
                    definition: Some(fields::definition_of(&list, row.implied_relationships)?),
                    layout: Some(layout),
                };
                self.plan.new_views.push(NewView { new, places });
                self.lists.added.push(self.row(place.source, View, &row.origin, Some(&id), row.name.as_str()));
                self.claim_row(View, &statement, &id, statement.fields.base(), true);
            }
        }
        Ok(())
    }
}
