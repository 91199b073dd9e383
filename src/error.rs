//! The errors of all operations, independent of the transport.
//!
//! `rest` and `mcp` map them to responses, each in one place, and say in their own words how to solve them ([`Remedy`]). The cause of an [`Error::Internal`] is logged once and
//! never sent to the client.

use std::{sync::Arc, time::Duration};

use serde_json::Value;

pub use self::{
    details::{Author, ChangedSince, OperationConflict, OwnedWorkspace},
    field::{FieldPath, PathStep},
    problem::{JsonPosition, Problem},
    rejection::{Rejection, json_message, reject, reject_field},
    remedy::Remedy,
    truncated::truncated,
};

mod details;
mod field;
mod problem;
mod rejection;
mod remedy;
mod truncated;

/// The result of every operation that can fail on behalf of a caller.
pub type Result<T> = std::result::Result<T, Error>;

/// Why an operation failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The credential is missing, malformed, unknown, expired or revoked.
    #[error("{0}")]
    Unauthenticated(&'static str),
    /// The user is suspended. Applies to every kind of credential.
    #[error("this account is suspended; an instance administrator can lift the suspension")]
    Suspended,
    /// The caller may see the object but is not permitted to do this.
    #[error("{0}")]
    Forbidden(&'static str),
    /// The object does not exist, or the caller must not learn that it exists. Contains the kind: `workspace`.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// The server does not have what is asked for. Contains why, and what to do.
    #[error("{0}")]
    NotProvided(String),
    /// The workspace has no view with this id.
    #[error("view `{id}` not found in workspace `{workspace_id}`")]
    NoSuchView {
        /// The requested id.
        id: String,
        /// Workspace id.
        workspace_id: String,
    },
    /// The workspace has no such revision, or the change log no longer reaches back to it.
    #[error("revision {revision} not found; revisions {oldest} to {newest} of this workspace are available")]
    NoSuchRevision {
        /// The requested revision.
        revision: i64,
        /// The oldest revision that can be read.
        oldest: i64,
        /// The current revision.
        newest: i64,
    },
    /// The input is invalid.
    #[error("{field}{}{problem}{}", if .field.is_root() { "" } else { ": " }, .position.map(|at| at.to_string()).unwrap_or_default())]
    Invalid {
        /// Path of the invalid field, as in `components[3].typeId`; empty if the input as a whole is invalid.
        field: FieldPath,
        /// What is wrong and what is expected.
        problem: Problem,
        /// The position in the JSON text, if it was found while parsing.
        position: Option<JsonPosition>,
    },
    /// The caller has no active organization, but the object belongs to one.
    #[error("an active organization is required; sign in with one, or use a token that is bound to one")]
    NoActiveOrganization,
    /// The current state does not allow it, for example because an id is taken or because the last owner would be
    /// removed.
    #[error("{0}")]
    Conflict(String),
    /// A workspace with this id already exists, and the import may not replace it.
    #[error("a workspace with the id `{0}` exists already")]
    WorkspaceExists(String),
    /// The person is already a member of the team.
    #[error("`{0}` belongs to the team already")]
    TeamMemberExists(String),
    /// The user cannot be deleted or removed because they are the only owner of workspaces.
    #[error(
        "{} would be left without an owner; set `transferTo` to a member who becomes their owner",
        .0.iter().map(|workspace| format!("`{}`", workspace.id)).collect::<Vec<_>>().join(", ")
    )]
    SoleOwner(Vec<OwnedWorkspace>),
    /// Stakeholder links refer to the object, so it cannot be deleted.
    #[error("{message}")]
    InUse {
        /// Machine-readable code: `role_in_use`.
        code: &'static str,
        /// Number of links.
        count: i64,
        /// The number of links, and what to do.
        message: String,
        /// Whether it can be deleted nevertheless.
        can_delete_anyway: bool,
    },
    /// The operation would exceed a quota.
    #[error("{message}")]
    LimitReached {
        /// The quota.
        limit: i64,
        /// The value that the operation would have led to.
        actual: i64,
        /// What is limited, and what to do.
        message: String,
    },
    /// Too many attempts of this kind.
    #[error("too many attempts; try again in {} s", .retry_after.as_secs().max(1))]
    RateLimited {
        /// Time until the next attempt is allowed.
        retry_after: Duration,
    },
    /// The map of the workspace with this id changes only when a draft is merged.
    #[error("the workspace `{0}` is protected")]
    Protected(String),
    /// The caller can view the workspace with this id, but not change its map. Everyone who can view it can start a draft.
    #[error("changing this workspace needs the access level editor; ask one of its owners")]
    ViewOnly(String),
    /// The state of a draft, its approvals or conflicts do not allow it.
    #[error("{}", .0.message)]
    Draft(Box<DraftRefusal>),
    /// The precondition of the request names an older state of the resource.
    #[error("it has changed since you read it; read it again and repeat the change")]
    Stale {
        /// The current resource, in the shape of a GET response.
        current: Box<Value>,
        /// Author of the last change; none if it was made by the system.
        changed_by: Option<Author>,
    },
    /// An item of a batch names an older state of its row. The text says who changed what since.
    #[error("{0}")]
    StaleItem(String),
    /// Several items of a batch are wrong; each error has the path of its item. Nothing was written.
    #[error("{count} of {total} items are wrong; nothing was written")]
    WrongItems {
        /// What is wrong with the first of them.
        errors: Vec<Error>,
        /// Number of wrong items.
        count: usize,
        /// Number of items in the batch.
        total: usize,
    },
    /// Operations conflict with the current state of a workspace. Nothing was written.
    #[error("{}", details::describe_conflicts(.0))]
    OperationConflicts(Vec<OperationConflict>),
    /// The request refers to another incarnation of the database, because a backup was restored. Nothing was written.
    #[error(
        "the server's data was restored since these operations were made, and nothing was written; read the workspace \
         again, then repeat them"
    )]
    OtherIncarnation,
    /// Rows that an undo would revert have changed since.
    #[error("{}", details::describe_changes(.0))]
    ChangedSince(Vec<ChangedSince>),
    /// The organization has not connected the wiki.
    #[error("the wiki integration is not configured for this organization; an organization admin can connect it")]
    WikiMisconfigured,
    /// The wiki denied access: the connection has ended or lacks the permission.
    #[error(
        "the wiki denied access: the connection of this organization has ended or lacks a capability; an organization \
         admin can reconnect the wiki"
    )]
    WikiAccessDenied,
    /// The wiki has no object with this id, or the object is not shared with the organization's connection.
    #[error(
        "the wiki has no such page or database, or it is not shared with this organization's connection; share it there \
         and try again"
    )]
    WikiNotFound,
    /// The wiki is overloaded, failing or unreachable.
    #[error("unexpected response from the wiki")]
    WikiUnavailable {
        /// When to try again.
        retry_after: Duration,
    },
    /// The image could not be loaded, is not an image, or has not been loaded yet.
    #[error("image not available: {why}")]
    NoPicture {
        /// The reason as the end of a sentence, shown to users.
        why: String,
        /// When to try again; none if the server retries by itself within hours or days.
        retry_after: Option<Duration>,
    },
    /// Queues are full; the same request may succeed in a second.
    #[error("the server is busy; try again in a moment")]
    Busy,
    /// Too many requests of this user or address are waiting.
    #[error("too many requests at once; send fewer in parallel and try again in a moment")]
    TooManyRequests,
    /// The job was canceled because the client disconnected or the deadline passed. Nothing was written.
    #[error("the request took too long and was stopped; nothing was written; ask for less or try again")]
    Cancelled,
    /// The disk, or the maximum size of the database, is full. Nothing was written.
    #[error("the storage is full and nothing was written; free some space and try again")]
    StorageFull,
    /// This server is a standby, which writes nothing. Contains where to make changes.
    #[error("this server is a standby and answers only reads; {0}")]
    Standby(Arc<str>),
    /// The group commit that contained this write failed. Nothing was written.
    #[error("the change could not be saved and nothing was written; try again")]
    NotCommitted(Arc<str>),
    /// A fault of the server. The cause is logged and never sent to the client.
    #[error("internal error: {0}")]
    Internal(String),
}

/// Why something is not possible with a draft.
#[derive(Debug, Default)]
pub struct DraftRefusal {
    /// Machine-readable code: `draft_conflicts`, `draft_update_required`, `draft_state`, `approvals_missing` or
    /// `stale`.
    pub code: &'static str,
    /// What is wrong, and what to do.
    pub message: String,
    /// Number of unresolved conflicts, or of approvals.
    pub count: Option<i64>,
    /// Number of required approvals.
    pub limit: Option<i64>,
    /// The first unresolved conflicts, as in the comparison of the draft.
    pub unresolved: Option<Vec<Value>>,
}

impl Error {
    /// Invalid input at `field`.
    pub fn invalid(field: impl Into<FieldPath>, problem: impl Into<Problem>) -> Self {
        Self::Invalid { field: field.into(), problem: problem.into(), position: None }
    }

    /// Input that is invalid as a whole.
    pub fn invalid_input(problem: impl Into<Problem>) -> Self {
        Self::invalid(FieldPath::default(), problem)
    }

    /// Converts the path of an error about a part of the input, which is at `part`, to a path in the whole input.
    #[must_use]
    pub fn within(self, part: impl Into<FieldPath>) -> Self {
        match self {
            Self::Invalid { field, problem, position } => {
                Self::Invalid { field: field.within(part), problem, position }
            }
            other => other,
        }
    }

    /// What the caller can do about it, if that differs between transports. [`fmt::Display`](std::fmt::Display) leaves it
    /// out.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::NoSuchView { workspace_id, .. } => Some(Remedy::ListViews { workspace_id: workspace_id.clone() }),
            Self::Invalid { problem, .. } => problem.remedy(),
            Self::InUse { can_delete_anyway: true, .. } => Some(Remedy::DeleteAnyway),
            Self::WorkspaceExists(_) => Some(Remedy::ImportElsewhere),
            Self::TeamMemberExists(_) => Some(Remedy::UpdateTeamMember),
            Self::Protected(id) | Self::ViewOnly(id) => Some(Remedy::StartDraft { workspace_id: id.clone() }),
            _ => None,
        }
    }

    /// A fault of the server with its cause for the log.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        Self::Internal(cause.to_string())
    }
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => Self::StorageFull,
            // Only readers are interrupted, by the progress handler.
            Some(rusqlite::ErrorCode::OperationInterrupted) => Self::Cancelled,
            _ => Self::Internal(format!("SQLite: {error}")),
        }
    }
}

impl From<r2d2::Error> for Error {
    fn from(error: r2d2::Error) -> Self {
        Self::Internal(format!("connection pool: {error}"))
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Internal(format!("invalid internal JSON: {error}"))
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::Internal(error.to_string())
    }
}
