//! One change, as followers and readers of the history see it; and who is notified of changes.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::scope::Scope;
use crate::{
    db::AfterCommit,
    error::{Author, Result},
};

/// A row of a workspace or directory was written.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// Place in the log of the whole instance. The id of the event, for `Last-Event-ID`, has it too.
    pub id: i64,
    /// The workspace's revision that it made; of people, teams and roles, the directory's.
    pub revision: i64,
    /// Id of the change set that it belongs to: all that one request or job has written. Undone as one.
    pub change_set_id: String,
    /// The `X-Batch-Id` of the request; without one, the change set's id.
    pub batch: String,
    /// The change set or label that it undid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub undo_of: Option<String>,
    /// Who did it; null for the system.
    #[schema(required)]
    pub actor: Option<Author>,
    /// The way it came in: `rest`, `mcp`, `cli`, `job`.
    #[schema(example = "rest")]
    pub via: String,
    /// What kind of row: `component`, `relationship`, `stakeholder`, `link`, `process`, `member`, `workspace`; of the
    /// directory `person`, `team`, `team-member`, `role`.
    #[schema(example = "component")]
    pub entity: String,
    /// Its id among its kind.
    #[schema(example = "checkout")]
    pub entity_id: String,
    /// `create`, `update` or `delete`.
    #[schema(example = "update")]
    pub op: String,
    /// Its place in the order of its kind, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub seq: Option<i64>,
    /// The row as it is now, in the shape in which it is read, but without the people and teams that it shows; null when
    /// it is gone.
    #[schema(required, value_type = Option<Object>)]
    pub row: Option<Map<String, Value>>,
    /// When, Unix milliseconds.
    pub ts: i64,
}

/// A change with its row as the log keeps it.
#[derive(Debug)]
pub(in crate::domain) struct LoggedChange {
    /// The change, but for its row.
    pub change: Change,
    /// The image after it, as JSON.
    pub after: Option<String>,
}

impl LoggedChange {
    /// Reads the image: the place in the order stands beside the row's own fields.
    pub(in crate::domain) fn read(self) -> Result<Change> {
        let Self { mut change, after } = self;
        change.row = after.map(|text| serde_json::from_str::<Map<String, Value>>(&text)).transpose()?;
        change.seq = change.row.as_mut().and_then(|row| row.shift_remove("seq")).and_then(|seq| seq.as_i64());
        Ok(change)
    }
}

/// Is notified of what transactions write: caches and event streams, of which the gate knows nothing else.
pub trait Observer: fmt::Debug + Send + Sync {
    /// A transaction writes in the workspace with this key. The returned function runs after the commit.
    fn on_write(&self, _workspace_pk: i64) -> Option<AfterCommit> {
        None
    }

    /// Whether [`Self::on_commit`] needs the changes in `scope`.
    fn is_followed(&self, _scope: &Scope) -> bool {
        false
    }

    /// Changes in `scope` were committed, in the order of the log.
    fn on_commit(&self, _scope: &Scope, _changes: &[Change]) {}

    /// Something happened in a workspace that is not in the change log: the name of the event, and its data as JSON.
    fn on_event(&self, _workspace_pk: i64, _event: &str, _json: &str) {}
}
