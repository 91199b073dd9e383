//! The writes that replace stakeholders, links, processes, notes, views and decisions by those in a file.

use std::collections::{HashMap, VecDeque};

use super::{
    decision_rows::{DecisionRows, RequestedDecisions},
    images::FileImages,
    new_entries::NewEntries,
    parts::ImportedRows,
    view_rows::{RequestedViews, ViewRows},
};
use crate::{
    domain::{
        core::{EditTx, OrgTx, Reads, Record},
        map::change_set::ChangeSet,
        map::{
            bulk::{Difference, RowWrite},
            links::{self, Link, LinkKind},
            notes::{NewNote, Note},
            processes::{NewProcess, Process},
            stakeholders::{self, NewStakeholder, StakeholderLink},
        },
        paging::Window,
        transfer::document::DocumentLink,
        values::Id,
    },
    error::{FieldPath, Result},
};

/// The stakeholders, links, processes, notes and views in a file. Absent parts are unchanged.
pub(super) struct RequestedRows {
    /// Stakeholders with the id of their component.
    pub(super) stakeholders: Option<Vec<(String, NewStakeholder)>>,
    pub(super) links: Option<Vec<DocumentLink>>,
    pub(super) processes: Option<Vec<NewProcess>>,
    pub(super) notes: Option<Vec<NewNote>>,
    pub(super) views: RequestedViews,
    pub(super) decisions: RequestedDecisions,
    pub(super) images: FileImages,
}

/// The writes for stakeholders, links, processes, notes and views.
pub(super) struct AttachedRows {
    stakeholders: Difference<StakeholderLink>,
    links: Difference<Link>,
    processes: Difference<Process>,
    notes: Difference<Note>,
    views: ViewRows,
    decisions: DecisionRows,
    images: FileImages,
}

impl AttachedRows {
    pub(super) fn of(
        tx: &OrgTx<'_>,
        existing: Option<&EditTx<'_>>,
        id: &Id,
        new_entries: &NewEntries,
        wanted: RequestedRows,
    ) -> Result<Self> {
        let RequestedRows { stakeholders, links, processes, notes, views, decisions, images } = wanted;
        for (index, (_, one)) in stakeholders.iter().flatten().enumerate() {
            let checked = one.check_names(|entity, id| new_entries.has(tx, entity, id));
            checked.map_err(|error| error.within(FieldPath::item("stakeholders", index)))?;
        }
        let (mut old_stakeholders, mut old_links) = (Vec::new(), Vec::new());
        let (mut old_processes, mut old_notes) = (Vec::<Process>::new(), Vec::<Note>::new());
        if let Some(edit) = existing {
            let (conn, key) = (edit.core().conn, edit.key());
            let stakeholders = stakeholders::rows(conn, &key, &Window::whole())?.items;
            old_stakeholders = stakeholders.into_iter().map(|row| row.link).collect();
            old_links = edit.rows()?;
            old_processes = edit.rows()?;
            old_notes = edit.rows()?;
        }
        let workspace_id = id.as_str();
        let notes = notes.map(|wanted| images.note_rows(existing, workspace_id, wanted)).transpose()?;
        Ok(Self {
            stakeholders: stakeholders.map_or_else(Difference::nothing, |wanted| {
                pair_rows(
                    old_stakeholders,
                    wanted.into_iter().map(|(component_id, one)| one.into_row(workspace_id, component_id)),
                )
            }),
            links: links.map_or_else(Difference::nothing, |wanted| {
                pair_rows(old_links, wanted.into_iter().map(|one| link(workspace_id, one)))
            }),
            processes: processes.map_or_else(Difference::nothing, |wanted| {
                let wanted = wanted.into_iter().map(|mut one| {
                    let id = one.id.take().map(String::from).unwrap_or_default();
                    one.into_row(workspace_id, id)
                });
                Difference::make(old_processes, |row| &mut row.seq, wanted.collect())
            }),
            notes: notes
                .map_or_else(Difference::nothing, |wanted| Difference::make(old_notes, |row| &mut row.seq, wanted)),
            views: ViewRows::of(existing, workspace_id, views)?,
            decisions: DecisionRows::of(existing, workspace_id, decisions)?,
            images,
        })
    }

    /// The rows that are written in this way.
    pub(super) fn ids(&self, write: RowWrite) -> ImportedRows {
        ImportedRows {
            stakeholders: self.stakeholders.named(write, |row| row.component_id.clone()),
            links: self.links.named(write, |row| row.component_id.clone()),
            processes: self.processes.keys(write),
            notes: self.notes.keys(write),
            decisions: self.decisions.0.keys(write),
            ..self.views.ids(write)
        }
    }

    /// Deletes rows. Must run before their components are deleted.
    pub(super) fn remove(&self, set: &mut ChangeSet<'_, '_>) -> Result<()> {
        self.stakeholders.removed.iter().try_for_each(|row| set.remove(row))?;
        self.links.removed.iter().try_for_each(|row| set.remove(row))?;
        self.processes.removed.iter().try_for_each(|row| set.remove(row))?;
        self.notes.removed.iter().try_for_each(|row| set.remove(row))?;
        self.decisions.remove(set)?;
        self.views.remove(set)
    }

    /// Creates and updates rows. Must run after their components are created.
    pub(super) fn write(self, set: &mut ChangeSet<'_, '_>) -> Result<()> {
        self.stakeholders.write(set)?;
        self.links.write(set)?;
        self.processes.write(set)?;
        self.images.store(set.now())?;
        self.notes.write(set)?;
        self.views.write(set)?;
        self.decisions.write(set)
    }
}

/// Converts a link in a file to a row. Wiki metadata is taken from the file and not fetched again.
fn link(workspace_id: &str, one: DocumentLink) -> Link {
    Link {
        kind: one.kind.unwrap_or(LinkKind::Url),
        target_id: one.target_id.map(String::from),
        title: one.title.map(String::from),
        icon: one.icon.map(String::from),
        fetched_at: one.fetched_at,
        properties: one.properties.unwrap_or_default(),
        ..links::plain(workspace_id, one.component_id, one.url)
    }
}

/// A row whose id is assigned by the server, and which is identified in a file by its contents.
trait RowWithAssignedId: Record {
    /// The contents that identify the row.
    type NaturalKey: std::hash::Hash + Eq;
    fn natural_key(&self) -> Self::NaturalKey;
    fn id(&mut self) -> &mut i64;
    /// Whether the order of rows within a component, which is the order of their ids, must match the file.
    const ORDERED: bool;
    fn component(&self) -> &str;
}

impl RowWithAssignedId for StakeholderLink {
    type NaturalKey = (String, String, Option<String>, Option<String>);
    const ORDERED: bool = false;

    fn natural_key(&self) -> Self::NaturalKey {
        (self.component_id.clone(), self.link_type.clone(), self.person_id.clone(), self.team_id.clone())
    }

    fn id(&mut self) -> &mut i64 {
        &mut self.id
    }

    fn component(&self) -> &str {
        &self.component_id
    }
}

impl RowWithAssignedId for Link {
    type NaturalKey = (String, LinkKind, String);
    const ORDERED: bool = true;

    fn natural_key(&self) -> Self::NaturalKey {
        (self.component_id.clone(), self.kind, self.url.clone())
    }

    fn id(&mut self) -> &mut i64 {
        &mut self.id
    }

    fn component(&self) -> &str {
        &self.component_id
    }
}

/// Pairs wanted rows with existing rows of the same contents. Existing rows that would be out of order are deleted and
/// created again.
fn pair_rows<R: RowWithAssignedId>(existing: Vec<R>, wanted: impl Iterator<Item = R>) -> Difference<R> {
    let mut by_natural_key: HashMap<R::NaturalKey, VecDeque<R>> = HashMap::new();
    for row in existing {
        by_natural_key.entry(row.natural_key()).or_default().push_back(row);
    }
    let (mut rows, mut removed) = (Vec::new(), Vec::new());
    let mut last: HashMap<String, i64> = HashMap::new();
    for mut row in wanted {
        let mut before = by_natural_key.get_mut(&row.natural_key()).and_then(VecDeque::pop_front);
        let last = last.entry(row.component().to_owned()).or_default();
        if R::ORDERED && before.as_mut().is_some_and(|before| *before.id() < *last) {
            removed.extend(before.take());
        }
        match &mut before {
            Some(before) => {
                *row.id() = *before.id();
                *row.metadata() = before.metadata().clone();
                *last = *before.id();
            }
            // A new row gets the highest id, so all later rows of this component in the file must be new too.
            None => *last = i64::MAX,
        }
        rows.push((before, row));
    }
    removed.extend(by_natural_key.into_values().flatten());
    removed.sort_by_key(|row| *row.clone().id());
    Difference { rows, removed }
}
