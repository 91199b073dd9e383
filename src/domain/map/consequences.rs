//! What the deletion of components takes with it, and what it leaves behind.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{
    components::Component, processes, processes::Process, relationships::Relationship, stakeholders::StakeholderLink,
    store,
};
use crate::{
    domain::{
        catalogue::CONTAINS,
        core::{Entity, Reads, Record, ViewTx, WorkspaceKey},
        directory,
        paging::Window,
    },
    error::Result,
};

/// Maximum number of ids in a list.
const MAX_NAMED: usize = 50;

/// What a deletion means.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Loss {
    /// Numbers of rows that are deleted too.
    pub with_them: Attached,
    /// Number of components that are no longer in a group.
    pub orphan_count: usize,
    /// The first 50 of them.
    pub orphans: Vec<String>,
    /// Number of processes with a deleted participant.
    pub processes_broken_count: usize,
    /// The first 50 of them.
    pub processes_broken: Vec<String>,
}

/// Rows attached to components.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Attached {
    /// Relationships.
    pub relationships: usize,
    /// Stakeholders.
    pub stakeholders: usize,
    /// External links.
    pub links: usize,
}

/// A row that a write creates, changes or deletes.
#[derive(Debug, Clone)]
pub struct AffectedRow {
    pub(in crate::domain) entity: Entity,
    pub(in crate::domain) id: String,
    /// Revision of its last write. None if only the change log tells when it was written: for a row that does not exist,
    /// and for the workspace, whose revision is that of all of its rows.
    pub(in crate::domain) revision: Option<i64>,
}

impl AffectedRow {
    /// A row with a revision of its own.
    pub(in crate::domain) fn of<R: Record>(row: &R) -> Self {
        let revision = row.clone().metadata().revision;
        Self { entity: R::ENTITY, id: row.key(), revision: Some(revision) }
    }

    /// Whether the row exists and has a revision of its own.
    pub fn exists(&self) -> bool {
        self.revision.is_some()
    }

    /// A row that does not exist, or the workspace.
    pub(in crate::domain) fn new<R: Record>(row: &R) -> Self {
        Self { revision: None, ..Self::of(row) }
    }
}

impl From<&Relationship> for AffectedRow {
    fn from(row: &Relationship) -> Self {
        Self::of(row)
    }
}

impl From<&StakeholderLink> for AffectedRow {
    fn from(row: &StakeholderLink) -> Self {
        Self::of(row)
    }
}

impl From<&Process> for AffectedRow {
    fn from(row: &Process) -> Self {
        Self::of(row)
    }
}

/// What the deletion of these components means, and all rows that it deletes.
pub fn of_deletion(tx: &ViewTx<'_>, deleted: &[Component]) -> Result<(Loss, Vec<AffectedRow>)> {
    let (conn, key) = (tx.core().conn, tx.key());
    let ids: Vec<String> = deleted.iter().map(|row| row.id.clone()).collect();
    let mut rows: Vec<AffectedRow> = deleted.iter().map(AffectedRow::of).collect();
    let (mut with_them, mut relationships, mut orphans) = (Attached::default(), BTreeMap::new(), BTreeSet::new());
    for id in &ids {
        for row in store::relationships::touching(conn, &key, id)? {
            if row.type_id == CONTAINS && row.source_id == *id && !ids.contains(&row.target_id) {
                orphans.insert(row.target_id.clone());
            }
            relationships.insert(row.id.clone(), AffectedRow::of(&row));
        }
        let (stakeholders, links) = attached(tx, &key, id)?;
        with_them.stakeholders += stakeholders.len();
        with_them.links += links.len();
        rows.extend(stakeholders.into_iter().chain(links));
    }
    with_them.relationships = relationships.len();
    rows.extend(relationships.into_values());
    let mut processes_broken = processes::with_participants(tx, &ids)?;
    let (orphan_count, processes_broken_count) = (orphans.len(), processes_broken.len());
    processes_broken.truncate(MAX_NAMED);
    let orphans = orphans.into_iter().take(MAX_NAMED).collect();
    Ok((Loss { with_them, orphan_count, orphans, processes_broken_count, processes_broken }, rows))
}

/// The stakeholders and the links of a component.
pub(in crate::domain) fn attached(
    tx: &ViewTx<'_>,
    key: &WorkspaceKey<'_>,
    component_id: &str,
) -> Result<(Vec<AffectedRow>, Vec<AffectedRow>)> {
    let conn = tx.core().conn;
    let stakeholders = directory::stakeholders::of_component(conn, key, component_id, &Window::whole())?.items;
    let links = store::links::of_component(conn, key, component_id, &Window::whole())?.items;
    let stakeholders = stakeholders.iter().map(|row| AffectedRow::of(&row.link)).collect();
    Ok((stakeholders, links.iter().map(AffectedRow::of).collect()))
}
