//! Processes and views of a source.

use serde_json::{Map, Value};

use super::planner::{NewView, Planner, Standing};
use crate::{
    domain::{
        map::{processes::NewProcess, views},
        sync::{
            fields,
            merge::{adopt, merge},
            model::{
                reading::{ReadProcess, ReadView},
                request::SyncKind::{Process, View},
            },
        },
        values::{Id, KebabId},
    },
    error::{Error, Result},
};

impl Planner<'_, '_> {
    /// Creates the processes and views of the source that are new, and merges the others.
    pub(super) fn plan_diagrams(&mut self) -> Result<()> {
        let request = self.request;
        for row in &request.request.reading.processes {
            self.plan_process(row)?;
        }
        for row in &request.request.reading.views {
            self.plan_view(row)?;
        }
        Ok(())
    }

    /// The id on the map of a component of the reading.
    fn drawn(&self, id: &str) -> Option<String> {
        self.rows[*self.request.components.get(id)?].clone()
    }

    fn plan_process(&mut self, row: &ReadProcess) -> Result<()> {
        let key = row.origin.key.as_str();
        if !self.request.selects(Process, key) {
            return Ok(());
        }
        let participants: Map<String, Value> = row
            .participants
            .entries()
            .into_iter()
            .filter_map(|(alias, id)| Some((alias, self.drawn(id.as_str()?)?.into())))
            .collect();
        let source = fields::of_read_process(row, participants.clone());
        match self.standing(Process, key)? {
            Standing::Deleted => self.keep_deleted(Process, &row.origin, row.name.as_str()),
            Standing::OnMap(id) => {
                let Some(before) = self.now.processes.get(&id).cloned() else { return Ok(()) };
                let map = fields::of_process(&before);
                let merged = match self.claim(Process, key) {
                    Some(claim) => merge(&claim.base, &source, &map, self.rules(Process, key)),
                    None => adopt(&source, &map, self.rules(Process, key)),
                };
                let after = fields::changed_process(&before, &merged.changes(&source))?;
                let name = before.name.clone();
                if after != before {
                    self.plan.processes.push((before, after));
                }
                self.report(Process, &row.origin, &id, &name, merged, false);
            }
            Standing::Unknown => {
                let id = self.free_id(Process, row.id.as_str())?;
                self.plan.new_processes.push(NewProcess {
                    id: Some(KebabId::new(&id).map_err(|wrong| Error::invalid("id", wrong))?),
                    name: row.name.clone(),
                    description: row.description.clone(),
                    mermaid: row.mermaid.clone(),
                    participants: Some(fields::parsed(Value::Object(participants))?),
                });
                self.lists.added.push(Self::row(Process, &row.origin, Some(&id), row.name.as_str()));
                let claim = self.seen(Process, &row.origin, Some(id), source.base());
                self.plan.claims.push(claim);
            }
        }
        Ok(())
    }

    fn plan_view(&mut self, row: &ReadView) -> Result<()> {
        let key = row.origin.key.as_str();
        let components: Vec<String> = row.component_ids.iter().filter_map(|id| self.drawn(id.as_str())).collect();
        // A view without a list would show all components.
        if components.is_empty() || !self.request.selects(View, key) {
            return Ok(());
        }
        let source = fields::of_read_view(row, &components);
        match self.standing(View, key)? {
            Standing::Deleted => self.keep_deleted(View, &row.origin, row.name.as_str()),
            Standing::OnMap(id) => {
                let Some(before) = self.now.views.get(&id).cloned() else { return Ok(()) };
                let map = fields::of_view(&before)?;
                let merged = match self.claim(View, key) {
                    Some(claim) => merge(&claim.base, &source, &map, self.rules(View, key)),
                    None => adopt(&source, &map, self.rules(View, key)),
                };
                let after = fields::changed_view(&before, &merged.changes(&source))?;
                let name = before.name.clone();
                if after != before {
                    self.plan.views.push((before, after));
                }
                self.report(View, &row.origin, &id, &name, merged, false);
            }
            Standing::Unknown => {
                let id = self.free_id(View, row.id.as_str())?;
                let list = components.iter().map(|id| Value::from(id.as_str())).collect::<Value>();
                let places: Vec<_> = row
                    .places
                    .iter()
                    .filter_map(|place| Some((self.drawn(place.component_id.as_str())?, place.clone())))
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
                self.lists.added.push(Self::row(View, &row.origin, Some(&id), row.name.as_str()));
                let claim = self.seen(View, &row.origin, Some(id), source.base());
                self.plan.claims.push(claim);
            }
        }
        Ok(())
    }
}
