//! Undo: the writes of one gesture, taken back as one write.
//!
//! A gesture is a batch: what one request wrote, or several requests under one `X-Batch-Id`. What is written to take it
//! back is a batch as well, so that undoing that one is redo.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    kept::Kept,
    steps::{Step, Steps, in_the_way},
};
use crate::{
    domain::{
        access::{EditTx, Reads},
        input::{Input, objects},
        store::{self, changes::Image},
        values::Id,
        workspaces::Workspace,
    },
    error::{ChangedSince, Error, Result},
};

/// What to take back.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Undo {
    /// The batch of one's own writes; the `batchId` of an undo to redo.
    #[schema(example = "7d0f1c6e-5f1b-4a57-9a3a-1f0d2c9c5e11")]
    pub batch_id: Id,
}

objects!(Undo);
impl Input for Undo {}

/// What was taken back.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Undone {
    /// The batch that did it: undo it to redo.
    pub batch_id: String,
    /// The batch that was taken back.
    pub undo_of: String,
    /// The workspace's revision now.
    pub revision: i64,
    /// How many rows are others now.
    pub rows: usize,
}

/// Takes the writes of a batch of the caller's own back, unless something of it was changed since.
pub fn undo(tx: &mut EditTx<'_>, undo: Undo) -> Result<Undone> {
    let core = tx.core();
    let (caller, batch) = (core.caller()?.user_id, undo.batch_id.as_str());
    if core.call.batch == batch {
        return Err(Error::invalid("x-batch-id", "must not be the batch that is taken back"));
    }
    let images = store::changes::of_batch(core.conn, tx.pk(), batch)?;
    if images.is_empty() {
        return Err(Error::NotFound("batch"));
    }
    if images.iter().any(|image| image.actor != Some(caller)) {
        return Err(Error::Forbidden("only one's own changes can be undone"));
    }
    if store::history::is_cut(core.conn, tx.pk(), batch)? {
        return Err(Error::Conflict("this is too old to be undone: the history may no longer have all of it".into()));
    }
    let mut blocked = Vec::new();
    let (steps, rows) = plan(tx, images, &mut blocked)?;
    if !blocked.is_empty() {
        return Err(Error::ChangedSince(blocked));
    }
    let (batch_id, undo_of) = (core.call.batch.clone(), batch.to_owned());
    core.taking_back(&undo_of);
    steps.take(tx)?;
    let revision = tx.workspace_now()?.written.revision;
    Ok(Undone { batch_id, undo_of, revision, rows })
}

/// The first state and the last of a row in a batch.
struct Net {
    entity: String,
    before: Option<String>,
    after: Option<String>,
}

/// What the rows of a batch come to: each once, in the order in which they were first touched.
fn net(images: Vec<Image>) -> Vec<Net> {
    let mut rows: Vec<Net> = Vec::new();
    let mut places: HashMap<(String, String), usize> = HashMap::new();
    for Image { entity, entity_id, before, after, .. } in images {
        let place = *places.entry((entity.clone(), entity_id)).or_insert(rows.len());
        match rows.get_mut(place) {
            Some(row) => row.after = after,
            None => rows.push(Net { entity, before, after }),
        }
    }
    // What came and went in the same gesture leaves nothing to take back.
    rows.retain(|row| row.before.is_some() || row.after.is_some());
    rows
}

fn plan(tx: &EditTx<'_>, images: Vec<Image>, blocked: &mut Vec<ChangedSince>) -> Result<(Steps, usize)> {
    let mut steps = Steps::default();
    let rows = net(images);
    let count = rows.len();
    for row in rows {
        match row.entity.as_str() {
            "component" => steps.components.extend(back(tx, row, blocked)?),
            "relationship" => steps.relationships.extend(back(tx, row, blocked)?),
            "stakeholder" => steps.stakeholders.extend(back(tx, row, blocked)?),
            "link" => steps.links.extend(back(tx, row, blocked)?),
            "process" => steps.processes.extend(back(tx, row, blocked)?),
            "workspace" => steps.workspace = Some(own_fields(tx, row, blocked)?),
            "member" => {
                let text = "who has access to a workspace is not undone; change it on its members' page";
                return Err(Error::Conflict(text.into()));
            }
            entity => return Err(Error::internal(format!("the log has a row of the unknown kind {entity}"))),
        }
    }
    Ok((steps, count))
}

/// One row's step back, if it is still as the batch left it.
fn back<R: Kept>(tx: &EditTx<'_>, row: Net, blocked: &mut Vec<ChangedSince>) -> Result<Option<Step<R>>> {
    let read = |image: Option<String>| -> Result<Option<R>> {
        image.map(|image| R::from_image(serde_json::from_str(&image)?, &tx.workspace().id)).transpose()
    };
    let (left, then) = (read(row.after)?, read(row.before)?);
    let known = left.as_ref().or(then.as_ref());
    let now = known.map(|row| row.now(tx)).transpose()?.flatten();
    let why = match (&now, &left) {
        (None, None) => None,
        (Some(now), Some(left)) if now.says_the_same(left) => None,
        (Some(_), Some(_)) => Some("has changed since"),
        (Some(_), None) => Some("has come since"),
        (None, Some(_)) => Some("was deleted since"),
    };
    if let (Some(why), Some(named)) = (why, now.as_ref().or(left.as_ref())) {
        blocked.push(in_the_way(tx, named, Some(why.into()))?);
        return Ok(None);
    }
    Ok(Some(Step { now, then }))
}

/// The workspace's own fields before the batch.
fn own_fields(tx: &EditTx<'_>, row: Net, blocked: &mut Vec<ChangedSince>) -> Result<Workspace> {
    let (Some(before), Some(after)) = (row.before, row.after) else {
        let text = "founding, deleting and restoring a workspace are not undone here; delete or restore it";
        return Err(Error::Conflict(text.into()));
    };
    let (before, after): (Workspace, Workspace) = (serde_json::from_str(&before)?, serde_json::from_str(&after)?);
    let now = tx.workspace().clone();
    let own = |of: &Workspace| (of.name.clone(), of.description.clone(), of.visibility, of.properties.clone());
    if own(&now) != own(&after) {
        let changed_by = store::changes::last_author(tx.core().conn, tx.pk(), "workspace", &now.id)?;
        let why = "has changed since".to_owned();
        let (id, name) = (now.id.clone(), now.name.clone());
        blocked.push(ChangedSince { entity: "workspace", id, name, why, changed_by });
    }
    let (name, description, visibility, properties) = own(&before);
    Ok(Workspace { name, description, visibility, properties, ..now })
}
