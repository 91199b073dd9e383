//! Changes as reported to followers and in the history, and the observers that are notified of them.

use std::fmt;

use serde::Serialize;
use serde_json::{Map, Value};

use super::{record::Entity, scope::Scope};
use crate::{
    db::AfterCommit,
    describe::ToSchema,
    error::{Author, Result},
};

/// A change: a row of a workspace or directory was created, updated or deleted.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Change {
    /// Position in the change log of the instance. The event id for `Last-Event-ID` contains it.
    pub id: i64,
    /// Workspace revision that contains the change; for people, teams, roles and kinds, the directory revision.
    pub revision: i64,
    /// Id of the change set: all changes made by one request or job, which are undone together.
    pub change_set_id: String,
    /// `X-Batch-Id` of the request; defaults to the change set id.
    pub batch: String,
    /// Change set id or label that this change undid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub undo_of: Option<String>,
    /// Reason that the user gave for the change set (`X-Change-Reason`).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "The old server is switched off in May")]
    pub reason: Option<String>,
    /// User who made the change; null for the system.
    #[schema(required)]
    pub actor: Option<Author>,
    /// Interface that the change was made through: `rest`, `mcp`, `cli` or `job`.
    #[schema(example = "rest")]
    pub via: String,
    /// Kind of row: `component`, `relationship`, `stakeholder`, `link`, `process`, `note`, `view`, `view-place`, `view-line`,
    /// `tour`, `decision`, `member` or `workspace`; in the directory `person`, `team`, `team-member`, `role` or `kind`.
    #[schema(value_type = String, example = "component")]
    pub entity: Entity,
    /// Row id, unique among rows of its kind.
    #[schema(example = "checkout")]
    pub entity_id: String,
    /// Type of change: `create`, `update` or `delete`.
    #[schema(example = "update")]
    pub op: String,
    /// Order value (`seq`) of the row; absent for kinds without an order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub seq: Option<i64>,
    /// The row after the change, in the same shape as in read responses but without embedded people and teams; null if
    /// it was deleted.
    #[schema(required, value_type = Option<Object>)]
    pub row: Option<Map<String, Value>>,
    /// Time of the change in Unix milliseconds.
    pub ts: i64,
}

/// A change with its row as stored in the log.
#[derive(Debug)]
pub(in crate::domain) struct LoggedChange {
    /// The change, without its row.
    pub change: Change,
    /// JSON image of the row after the change.
    pub after: Option<String>,
}

impl LoggedChange {
    /// Parses the image. It contains the order value next to the row's own fields.
    pub(in crate::domain) fn read(self) -> Result<Change> {
        let Self { mut change, after } = self;
        change.row = after.map(|text| serde_json::from_str::<Map<String, Value>>(&text)).transpose()?;
        change.seq = change.row.as_mut().and_then(|row| row.shift_remove("seq")).and_then(|seq| seq.as_i64());
        Ok(change)
    }
}

/// The followers of a workspace that receive an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    /// All of them.
    Everyone,
    /// Those with the access level owner.
    Owners,
    /// Those who follow as this user.
    User(i64),
}

/// Receives notifications about writes: implemented by caches and event streams, which are otherwise unknown to the
/// gate.
pub trait Observer: fmt::Debug + Send + Sync {
    /// Called when a transaction writes in the workspace with this key. The returned function runs after the commit.
    fn on_write(&self, _workspace_pk: i64) -> Option<AfterCommit> {
        None
    }

    /// Whether [`Self::on_commit`] needs the changes in `scope`.
    fn is_followed(&self, _scope: &Scope) -> bool {
        false
    }

    /// Called after a commit with the changes in `scope`, in log order.
    fn on_commit(&self, _scope: &Scope, _changes: &[Change]) {}

    /// Called after a commit, before [`Self::on_commit`], if `scope` had no followers when some of its changes were logged.
    /// Clients that subscribed in the meantime have read the state before the commit. `last_id` is the id of the last change.
    fn on_unfollowed_commit(&self, _scope: &Scope, _last_id: i64) {}

    /// Whether [`Self::on_event`] can reach anyone.
    fn has_followers(&self) -> bool {
        false
    }

    /// Called for an event in a workspace that is not in the change log, with the event name and its data as JSON.
    fn on_event(&self, _workspace_pk: i64, _audience: Audience, _event: &str, _json: &str) {}

    /// Called when the inboxes of these users have changed.
    fn on_inbox(&self, _user_ids: &[i64]) {}
}
