//! The state of a request while its operations are applied: references, conflicts, expected revisions.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use serde_json::Value;

use super::{ChangeSet, RowId, WorkspaceFields};
use crate::{
    domain::{
        core::{EditTx, Entity, Reads, Record, change_log},
        map::{
            components::Component,
            containment::Violation,
            relationships::Relationship,
            workspaces::{self, WorkspacePatch},
        },
    },
    error::{Error, OperationConflict, Result},
    wiki::Resolved,
};

/// A request in progress.
pub(super) struct OperationsRun<'t, 'c> {
    pub(super) set: ChangeSet<'t, 'c>,
    /// Wiki pages that new links refer to, by the index of the operation.
    pub(super) pages: HashMap<usize, Resolved>,
    pub(super) refs: BTreeMap<String, (Entity, i64)>,
    conflicts: Vec<OperationConflict>,
    /// The revision of each row before the request; none for rows that the request created.
    before: HashMap<(Entity, String), Option<i64>>,
    /// Changes to the workspace's own fields, written together at the end.
    own: Option<WorkspacePatch>,
}

/// The operation and the row it writes.
pub(super) struct OperationTarget {
    pub(super) index: usize,
    pub(super) entity: Entity,
    pub(super) id: Option<RowId>,
}

impl OperationTarget {
    pub(super) fn key(&self) -> String {
        match &self.id {
            Some(RowId::Text(id)) => id.clone(),
            Some(RowId::Number(id)) => id.to_string(),
            None => String::new(),
        }
    }
}

impl<'t, 'c> OperationsRun<'t, 'c> {
    pub(super) fn new(tx: &'t mut EditTx<'c>, pages: HashMap<usize, Resolved>) -> Self {
        Self {
            set: ChangeSet::new(tx),
            pages,
            refs: BTreeMap::new(),
            conflicts: Vec::new(),
            before: HashMap::new(),
            own: None,
        }
    }

    /// The workspace including the writes of previous operations.
    pub(super) fn now(&self) -> &EditTx<'c> {
        self.set.now()
    }

    /// Whether an operation already conflicted. Later errors may be a consequence of the conflict.
    pub(super) fn has_conflicts(&self) -> bool {
        !self.conflicts.is_empty()
    }

    /// Records a conflict. `in_the_way` is the row that was written last.
    pub(super) fn conflict(
        &mut self,
        at: &OperationTarget,
        why: &'static str,
        message: String,
        current: Option<&impl Serialize>,
        in_the_way: (Entity, &str),
    ) -> Result<()> {
        let (entity, id) = in_the_way;
        let tx = self.set.now();
        let last = change_log::last_write(tx.core().conn, tx.pk(), entity.as_str(), id)?;
        self.conflicts.push(OperationConflict {
            index: at.index,
            kind: at.entity.as_str(),
            id: serde_json::to_value(&at.id)?,
            why,
            message,
            current: current.map(serde_json::to_value).transpose()?,
            changed_by: last.author,
        });
        Ok(())
    }

    /// Records a conflict: a row that the operation changes no longer exists.
    pub(super) fn deleted(&mut self, at: &OperationTarget) -> Result<()> {
        let message = format!("{} `{}` does not exist", at.entity.as_str(), at.key());
        self.conflict(at, "deleted", message, None::<&Value>, (at.entity, &at.key()))
    }

    /// Records a conflict: a row that the operation refers to does not exist.
    pub(super) fn missing(&mut self, at: &OperationTarget, entity: Entity, id: &str) -> Result<()> {
        let message = format!("{} `{id}` does not exist", entity.as_str());
        self.conflict(at, "missing", message, None::<&Value>, (entity, id))
    }

    /// Records a conflict: `row` already has the id of the new row.
    pub(super) fn taken<R: Record>(&mut self, at: &OperationTarget, row: &R) -> Result<()> {
        let message = format!("a {} with the id `{}` exists already", at.entity.as_str(), row.key());
        self.conflict(at, "taken", message, Some(row), (at.entity, &row.key()))
    }

    /// Whether the row is at the expected revision; otherwise records a conflict. Rows written by this request are
    /// compared by their revision before it.
    pub(super) fn is_current<R: Record>(
        &mut self,
        at: &OperationTarget,
        row: &R,
        revision: Option<i64>,
    ) -> Result<bool> {
        self.is_current_as(at, row, row, revision)
    }

    /// Like [`Self::is_current`], for a row that is read in a different shape than it is written in.
    pub(super) fn is_current_as<R: Record>(
        &mut self,
        at: &OperationTarget,
        row: &R,
        shown: &impl Serialize,
        revision: Option<i64>,
    ) -> Result<bool> {
        let now = row.clone().metadata().revision;
        let before = *self.before.entry((at.entity, row.key())).or_insert(Some(now));
        match (before, revision) {
            (Some(before), Some(expected)) if before != expected => {
                let message = format!("{} `{}` has changed since it was read", at.entity.as_str(), row.key());
                self.conflict(at, OperationConflict::STALE, message, Some(shown), (at.entity, &row.key()))?;
                Ok(false)
            }
            _ => Ok(true),
        }
    }

    /// Whether these components exist; otherwise records a conflict for the first one that does not.
    pub(super) fn has_components<'i>(
        &mut self,
        at: &OperationTarget,
        ids: impl IntoIterator<Item = &'i str>,
    ) -> Result<bool> {
        for id in ids {
            let tx = self.set.now();
            if !tx.has::<Component>(id)? {
                self.missing(at, Entity::Component, id)?;
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds the location to an error in a row or in the fields of an operation. After a conflict, errors are dropped,
    /// because they may be a consequence of the conflict.
    pub(super) fn located<T>(&self, index: usize, part: &str, result: Result<T>) -> Result<Option<T>> {
        match result {
            Ok(done) => Ok(Some(done)),
            Err(Error::Invalid { .. } | Error::NotFound(_) | Error::Conflict(_)) if self.has_conflicts() => Ok(None),
            Err(error) => Err(error.within(super::model::path(index, part))),
        }
    }

    /// Records that the request created a row.
    pub(super) fn created(&mut self, entity: Entity, key: String) {
        self.before.insert((entity, key), None);
    }

    /// Stores the id that the server assigned to a new row, for its `ref`.
    pub(super) fn refer(&mut self, index: usize, reference: Option<String>, entity: Entity, id: i64) -> Result<()> {
        self.created(entity, id.to_string());
        let Some(reference) = reference else { return Ok(()) };
        match self.refs.insert(reference, (entity, id)) {
            None => Ok(()),
            Some(_) => Err(Error::invalid(super::model::path(index, "ref"), "is used by an earlier operation")),
        }
    }

    /// The numeric id that an id or `ref` stands for; none if the operation that would have created the row conflicted.
    pub(super) fn number(&self, index: usize, entity: Entity, id: &RowId) -> Result<Option<i64>> {
        match id {
            RowId::Number(id) => Ok(Some(*id)),
            RowId::Text(text) => match self.refs.get(text) {
                Some((of, id)) if *of == entity => Ok(Some(*id)),
                _ if self.has_conflicts() => Ok(None),
                _ => {
                    let text = format!("no earlier operation creates a {} with the ref `{text}`", entity.as_str());
                    Err(Error::invalid(super::model::path(index, "id"), text))
                }
            },
        }
    }

    /// Records changes to the workspace's own fields, to be written at the end.
    pub(super) fn update_workspace(
        &mut self,
        at: &OperationTarget,
        fields: WorkspaceFields,
        revision: Option<i64>,
    ) -> Result<()> {
        let tx = self.set.now();
        let now = tx.workspace().clone();
        if let Some(since) = revision {
            let until = now.metadata.revision;
            let written = change_log::workspace_written(tx.core().conn, tx.pk(), (since, until))?;
            let is_known = since <= until && change_log::reaches(tx.core().conn, tx.pk(), since)?;
            if written || !is_known {
                let message = format!("workspace `{}` has changed since it was read", now.id);
                return self.conflict(at, OperationConflict::STALE, message, Some(&now), (Entity::Workspace, &now.id));
            }
        }
        let own = self.own.get_or_insert_default();
        let WorkspaceFields { name, description, properties } = fields;
        own.name = name.or(own.name.take());
        own.description = description.or(own.description.take());
        own.properties = properties.or(own.properties.take());
        Ok(())
    }

    /// Ends the request: checks rules that span operations and reports all conflicts together. Returns the assigned ids
    /// by `ref`.
    pub(super) fn finish(mut self) -> Result<BTreeMap<String, i64>> {
        let violations: Vec<(OperationTarget, Violation)> = self
            .set
            .violations()?
            .into_iter()
            .map(|(index, row, violation)| {
                (
                    OperationTarget { index, entity: Entity::Relationship, id: Some(RowId::Text(row.id.clone())) },
                    violation,
                )
            })
            .collect();
        for (at, violation) in violations {
            self.violated(&at, &violation)?;
        }
        if self.has_conflicts() {
            return Err(self.into_error());
        }
        if let Some(own) = self.own.take() {
            workspaces::update(self.set.tx(), own)?;
        }
        Ok(self.refs.into_iter().map(|(reference, (_, id))| (reference, id)).collect())
    }

    fn violated(&mut self, at: &OperationTarget, violation: &Violation) -> Result<()> {
        match violation {
            Violation::HasParent { parent, .. } => {
                let tx = self.set.now();
                let current = tx.find::<Relationship>(&parent.relationship_id)?;
                let other = (Entity::Relationship, parent.relationship_id.as_str());
                self.conflict(at, "has_parent", violation.text(), current.as_ref(), other)
            }
            Violation::Cycle { .. } => {
                let own = at.key();
                self.conflict(at, "cycle", violation.text(), None::<&Value>, (Entity::Relationship, &own))
            }
        }
    }

    /// Converts the conflicts to an error, in the order of the operations.
    pub(super) fn into_error(mut self) -> Error {
        self.conflicts.sort_by_key(|conflict| conflict.index);
        Error::OperationConflicts(self.conflicts)
    }
}
