//! The log of a workspace, as people and programs read it.

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

/// Most changes that are read at once.
const MOST: usize = 200;
/// How many changes are read when nothing is said.
const USUALLY: i64 = 50;
/// Bytes of images that are read at once; one change alone may have more.
const BYTES: usize = 1 << 20;

/// What moves with every write, and so tells nothing.
pub(super) const STAMPS: [&str; 3] = ["revision", "updatedAt", "updatedBy"];

words! {
    /// What kind of row a change in a workspace is about.
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

/// Which changes to read.
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
    /// Up to `limit` changes (1 to 200, else 50) with ids below `before`: of one kind of row, or one row of it, by one
    /// user, of one batch id or change set.
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

/// A change that has happened: what followers were told, and what was before.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PastChange {
    /// The change.
    #[serde(flatten)]
    pub change: Change,
    /// The row as it was before; null when it was not there.
    #[schema(required, value_type = Option<Object>)]
    pub before: Option<Map<String, Value>>,
    /// Of an update, the names of the fields that it changed: what moves with every write (`revision`, `updatedAt`,
    /// `updatedBy`) left out, and `seq` among them when it moved the row in the order of its kind.
    #[schema(example = json!(["name"]))]
    pub fields: Vec<String>,
}

/// A page of the history.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct History {
    /// The newest first.
    pub changes: Vec<PastChange>,
    /// What to send as `before` for the next page; null when there is none.
    #[schema(required)]
    pub next: Option<i64>,
    /// The oldest revision of which the workspace can still be read with `?at=`.
    pub oldest_revision: i64,
}

/// Changes of a workspace, the newest first.
pub fn read(tx: &ViewTx<'_>, page: &Page) -> Result<History> {
    let (past, more) = store::history::page(tx.core().conn, tx.pk(), page, BYTES)?;
    let changes = past.into_iter().map(told).collect::<Result<Vec<_>>>()?;
    let next = changes.last().filter(|_| more).map(|last| last.change.id);
    Ok(History { changes, next, oldest_revision: oldest_revision(tx)? })
}

/// The oldest revision that the log reaches back to.
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

/// The names of the fields in which two rows differ, but for the stamps.
pub(super) fn differing<'r>(a: &'r Map<String, Value>, b: &'r Map<String, Value>) -> impl Iterator<Item = &'r str> {
    let of_a = a.iter().filter(|(name, value)| b.get(*name) != Some(value));
    let of_b = b.iter().filter(|(name, _)| !a.contains_key(*name));
    of_a.chain(of_b).map(|(name, _)| name.as_str()).filter(|name| !STAMPS.contains(name))
}
