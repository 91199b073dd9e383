//! The change log of a workspace, as exposed to clients.

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::{
    domain::{
        access::{Change, Reads, ViewTx},
        store::{self, history::Past},
        values::words,
    },
    error::{Error, Result},
};

/// Maximum number of changes per page.
const MOST: usize = 200;
/// Default number of changes per page.
const USUALLY: i64 = 50;
/// Maximum size of the images in one page, in bytes. A single change may exceed it.
const BYTES: usize = 1 << 20;

/// Fields that change with every write. They are not reported as changed fields.
pub(super) const STAMPS: [&str; 3] = ["revision", "updatedAt", "updatedBy"];

words! {
    /// Kind of row that a change in a workspace concerns.
    ChangedKind {
        /// The workspace's own fields.
        Workspace = "workspace",
        /// A member.
        Member = "member",
        /// A component.
        Component = "component",
        /// A relationship.
        Relationship = "relationship",
        /// A stakeholder.
        Stakeholder = "stakeholder",
        /// An external link.
        Link = "link",
        /// A process.
        Process = "process",
    }
}

/// A page request for changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    pub(in crate::domain) limit: usize,
    pub(in crate::domain) before: Option<i64>,
    pub(in crate::domain) entity: Option<ChangedKind>,
    pub(in crate::domain) entity_id: Option<String>,
    pub(in crate::domain) actor: Option<i64>,
    pub(in crate::domain) batch: Option<String>,
    pub(in crate::domain) change_set: Option<String>,
}

impl Page {
    /// Requests up to `limit` changes (1 to 200, default 50) with ids below `before`, optionally of one kind of row,
    /// one row of that kind, one user, one batch id or one change set.
    pub fn new(
        limit: Option<i64>,
        before: Option<i64>,
        (entity, entity_id): (Option<ChangedKind>, Option<String>),
        actor: Option<i64>,
        (batch, change_set): (Option<String>, Option<String>),
    ) -> Result<Self> {
        let limit = limit.unwrap_or(USUALLY);
        let limit = usize::try_from(limit).ok().filter(|limit| (1..=MOST).contains(limit));
        let limit = limit.ok_or_else(|| Error::invalid("limit", format!("must be from 1 to {MOST}")))?;
        if before.is_some_and(|id| id < 1) {
            return Err(Error::invalid("before", "must be the id of a change, 1 or more"));
        }
        if actor.is_some_and(|id| id < 1) {
            return Err(Error::invalid("actor", "must be the id of a user, 1 or more"));
        }
        for (field, text) in [("entityId", &entity_id), ("batch", &batch), ("changeSetId", &change_set)] {
            if text.as_ref().is_some_and(|text| !(1..=128).contains(&text.chars().count())) {
                return Err(Error::invalid(field, "must have 1 to 128 characters"));
            }
        }
        Ok(Self { limit, before, entity, entity_id, actor, batch, change_set })
    }
}

/// A past change: the change as reported to followers, and the row before it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PastChange {
    /// The change.
    #[serde(flatten)]
    pub change: Change,
    /// The row before the change; null if it did not exist.
    #[schema(required, value_type = Option<Object>)]
    pub before: Option<Map<String, Value>>,
    /// For an update, the names of the changed fields, without the fields that change with every write (`revision`,
    /// `updatedAt`, `updatedBy`). Includes `seq` if the row's order changed.
    #[schema(example = json!(["name"]))]
    pub fields: Vec<String>,
}

/// A page of the history.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct History {
    /// Changes, newest first.
    pub changes: Vec<PastChange>,
    /// Value of `before` for the next page; null on the last page.
    #[schema(required)]
    pub next: Option<i64>,
    /// Oldest revision at which the workspace can be read with `?at=`.
    pub oldest_revision: i64,
}

/// Lists changes of a workspace, newest first.
pub fn read(tx: &ViewTx<'_>, page: &Page) -> Result<History> {
    let (past, more) = store::history::page(tx.core().conn, tx.pk(), page, BYTES)?;
    let changes = past.into_iter().map(told).collect::<Result<Vec<_>>>()?;
    let next = changes.last().filter(|_| more).map(|last| last.change.id);
    Ok(History { changes, next, oldest_revision: oldest_revision(tx)? })
}

/// The oldest revision covered by the log.
pub(super) fn oldest_revision(tx: &ViewTx<'_>) -> Result<i64> {
    let first = store::history::first_revision(tx.core().conn, tx.pk())?;
    Ok(first.unwrap_or(tx.workspace().written.revision))
}

fn told(past: Past) -> Result<PastChange> {
    let change = past.logged.read()?;
    let mut before = past.before.map(|text| serde_json::from_str::<Map<String, Value>>(&text)).transpose()?;
    let seq = before.as_mut().and_then(|row| row.shift_remove("seq")).and_then(|seq| seq.as_i64());
    let fields = match (&before, &change.row) {
        (Some(before), Some(row)) => {
            let moved = (seq != change.seq).then_some("seq");
            differing(before, row).chain(moved).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    };
    Ok(PastChange { change, before, fields })
}

/// The names of the fields in which two rows differ, without revision, update time and author.
pub(super) fn differing<'r>(a: &'r Map<String, Value>, b: &'r Map<String, Value>) -> impl Iterator<Item = &'r str> {
    let of_a = a.iter().filter(|(name, value)| b.get(*name) != Some(value));
    let of_b = b.iter().filter(|(name, _)| !a.contains_key(*name));
    of_a.chain(of_b).map(|(name, _)| name.as_str()).filter(|name| !STAMPS.contains(name))
}
