//! What share links show: checked when a link is created, and read when it is opened.

use rusqlite::Connection;

use super::{
    model::{MAX_DEPTH, NewShareLink, ShareScope, ShareTarget},
    store::{
        links::StoredLink,
        targets::{Table, created_at},
    },
};
use crate::{
    domain::{
        core::{Reads, ViewTx},
        map::{
            components,
            drawing::{Content, DrawnView, ImageDirection, Part},
            processes, views,
        },
    },
    error::{Error, FieldPath, Problem, Result},
};

/// The target of a new link, all of whose parts exist.
pub(super) fn checked(tx: &ViewTx<'_>, new: &NewShareLink) -> Result<ShareTarget> {
    let scope = new.scope.unwrap_or(ShareScope::Map);
    let not_with = |field: &'static str, is_given: bool| {
        let text = format!("must not be given with the scope `{}`", scope.as_str());
        if is_given { Err(Error::invalid(field, text)) } else { Ok(()) }
    };
    let is_part = scope == ShareScope::Part;
    not_with("viewId", new.view_id.is_some() && !is_part && scope != ShareScope::View)?;
    not_with("componentIds", new.component_ids.is_some() && !is_part)?;
    not_with("depth", new.depth.is_some() && !is_part)?;
    not_with("processId", new.process_id.is_some() && scope != ShareScope::Process)?;
    if new.direction.is_some() && new.depth.is_none() {
        return Err(Error::invalid("direction", "must not be given without `depth`"));
    }
    if new.depth.is_some_and(|depth| depth > MAX_DEPTH) {
        return Err(Error::invalid("depth", Problem::range(0, MAX_DEPTH)));
    }
    match (scope, &new.view_id, &new.process_id) {
        (ShareScope::View, None, _) => return Err(Error::invalid("viewId", Problem::REQUIRED)),
        (ShareScope::Process, _, None) => return Err(Error::invalid("processId", Problem::REQUIRED)),
        _ => {}
    }
    if let Some(id) = &new.view_id {
        views::find(tx, id).map_err(|_| Error::invalid("viewId", "does not exist in this workspace"))?;
    }
    if let Some(id) = &new.process_id {
        processes::find(tx, id).map_err(|_| Error::invalid("processId", "does not exist in this workspace"))?;
    }
    let component_ids = new.component_ids.clone().unwrap_or_default();
    if is_part && component_ids.is_empty() {
        return Err(Error::invalid("componentIds", Problem::items(super::model::MAX_COMPONENTS)));
    }
    for (index, id) in component_ids.iter().enumerate() {
        let field = || FieldPath::from("componentIds").index(index);
        components::find(tx, id).map_err(|_| Error::invalid(field(), "does not exist in this workspace"))?;
    }
    let direction = new.depth.map(|_| new.direction.unwrap_or(ImageDirection::Both));
    Ok(ShareTarget {
        scope,
        view_id: new.view_id.clone(),
        component_ids,
        direction,
        depth: new.depth,
        process_id: new.process_id.clone(),
    })
}

/// When the rows that a target names were created, in the order of [`ShareTarget::rows`].
///
/// # Errors
/// If one of them does not exist.
pub(super) fn times(tx: &ViewTx<'_>, target: &ShareTarget) -> Result<Vec<i64>> {
    let mut times = Vec::new();
    for (table, ids) in target.rows() {
        let found = created_at(tx.core().conn, tx.pk(), table, ids)?;
        for id in ids {
            times.push(*found.get(id).ok_or(Error::NotFound("component"))?);
        }
    }
    Ok(times)
}

/// What is left of what a link shows. None if it was deleted.
///
/// A row that was created later with the id of a deleted one is not what the owner of the link shared. A row that undo
/// restored has the time of its creation.
pub(super) fn remaining(conn: &Connection, link: &StoredLink) -> Result<Option<ShareTarget>> {
    let mut target = link.target.clone();
    let mut times = link.target_created_at.iter().copied();
    for (table, ids) in link.target.rows() {
        let found = created_at(conn, link.workspace_pk, table, ids)?;
        let is_left = |id: &&String| match (found.get(*id).copied(), times.next()) {
            (Some(now), Some(then)) => now == then,
            // The link has no times. Its rows existed when it was created.
            (Some(now), None) => now <= link.created_at,
            (None, _) => false,
        };
        let left: Vec<String> = ids.iter().filter(is_left).cloned().collect();
        if left.is_empty() {
            return Ok(None);
        }
        if matches!(table, Table::Component) {
            target.component_ids = left;
        }
    }
    Ok(Some(target))
}

impl ShareTarget {
    /// The ids of the rows that it names, by table: the view, the process, the components.
    fn rows(&self) -> impl Iterator<Item = (Table, &[String])> {
        let view = (Table::View, self.view_id.as_slice());
        let process = (Table::Process, self.process_id.as_slice());
        [view, process, (Table::Component, &self.component_ids)].into_iter().filter(|(_, ids)| !ids.is_empty())
    }

    /// What is drawn. `step` is the message of the process to emphasize.
    pub(super) fn content(&self, step: Option<usize>) -> Content {
        let part = match (self.scope, &self.process_id) {
            (ShareScope::Process, Some(id)) => Part::Process { id: id.clone(), step },
            (ShareScope::Part, _) => match self.depth {
                Some(depth) => Part::Around {
                    of: self.component_ids.clone(),
                    direction: self.direction.unwrap_or(ImageDirection::Both),
                    depth,
                },
                None => Part::Components(self.component_ids.clone()),
            },
            _ => Part::Whole,
        };
        Content { view: self.view_id.clone().map(DrawnView::Shared), part }
    }

    /// The name of what the link shows: of the workspace, the view or the process.
    ///
    /// # Errors
    /// If it does not exist anymore.
    pub(super) fn title(&self, tx: &ViewTx<'_>) -> Result<String> {
        match (&self.process_id, &self.view_id) {
            (Some(id), _) => Ok(processes::find(tx, id)?.name),
            (None, Some(id)) => Ok(views::find(tx, id)?.name),
            (None, None) => Ok(tx.workspace().name.clone()),
        }
    }
}
