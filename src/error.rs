//! Why an operation failed, in no transport's words.
//!
//! `rest` and `mcp` each map these to their own answers, in one place each. A cause that is ours to mend
//! ([`Error::Internal`]) is logged once and never sent.

use std::{sync::Arc, time::Duration};

use serde_json::Value;

/// The result of everything that can fail on behalf of a caller.
pub type Result<T> = std::result::Result<T, Error>;

/// Why an operation failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No credential, or one that is malformed, unknown, expired or revoked.
    #[error("{0}")]
    Unauthenticated(&'static str),
    /// The user is suspended, whatever the credential.
    #[error("this account is suspended; an instance administrator can lift that")]
    Suspended,
    /// The caller is known and sees the thing, but may not do this.
    #[error("{0}")]
    Forbidden(&'static str),
    /// The thing does not exist, or the caller must not know that it does. Names the kind: `workspace`.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// There is no such revision of a workspace, or the log does not reach back to it any more.
    #[error("revision {revision} not found; this workspace can be read as it was at revisions {oldest} to {newest}")]
    NoSuchRevision {
        /// The one that was asked for.
        revision: i64,
        /// The first that can be read.
        oldest: i64,
        /// The present one.
        newest: i64,
    },
    /// What was sent cannot be right.
    #[error("{}{message}", .field.as_ref().map(|f| format!("{f}: ")).unwrap_or_default())]
    Invalid {
        /// Path of the offending field, as in `components[3].typeId`; none when the whole is wrong.
        field: Option<String>,
        /// What is wrong with it and what would be right.
        message: String,
    },
    /// The caller has no active organization and the thing belongs to one.
    #[error("an active organization is required; sign in with one, or use a token that is bound to one")]
    NoActiveOrganization,
    /// The present state does not allow it: a duplicate id, a last owner.
    #[error("{0}")]
    Conflict(String),
    /// A user cannot go while workspaces are theirs alone.
    #[error(
        "{} would be left without an owner; name a member in `transferTo` who is to own them",
        .0.iter().map(|workspace| format!("`{}`", workspace.id)).collect::<Vec<_>>().join(", ")
    )]
    SoleOwner(Vec<OwnedWorkspace>),
    /// Stakeholder links refer to it, so it stays.
    #[error("{message}")]
    InUse {
        /// What programs branch on: `role_in_use`.
        code: &'static str,
        /// How many links there are.
        count: i64,
        /// How many, and what to do.
        message: String,
    },
    /// It would exceed a quota.
    #[error("{message}")]
    LimitReached {
        /// The quota.
        limit: i64,
        /// What there would be.
        actual: i64,
        /// What is limited, and what to do.
        message: String,
    },
    /// Too many attempts of this kind.
    #[error("too many attempts; try again in {} s", .retry_after.as_secs().max(1))]
    RateLimited {
        /// How long to wait.
        retry_after: Duration,
    },
    /// The caller's precondition names an older state.
    #[error("it has changed since you read it; read it again and repeat the change")]
    Stale {
        /// The resource as it is now, in the shape in which it is read.
        current: Box<Value>,
        /// Who changed it last; none when that was the system.
        changed_by: Option<Author>,
    },
    /// Operations conflict with the present state of a workspace. Nothing was written.
    #[error("{}", describe_conflicts(.0))]
    OperationConflicts(Vec<OperationConflict>),
    /// The request was made against another incarnation of the database: it was restored since.
    #[error(
        "the server's data was restored since these operations were made, and nothing was written; read the workspace \
         again, then repeat them"
    )]
    OtherIncarnation,
    /// What was to be taken back is not as it was left.
    #[error("{}", describe(.0))]
    ChangedSince(Vec<ChangedSince>),
    /// An address of the wiki, or one that is said to be, names no page and no database.
    #[error(
        "url: no identifier found in the URL; the address of a wiki page or database has 32 hexadecimal digits, and \
         `kind` `url` keeps any address as a plain link"
    )]
    BadWikiUrl,
    /// The organization has not connected the wiki.
    #[error("the wiki integration is not configured for this organization; an administrator of it can connect it")]
    WikiMisconfigured,
    /// The wiki refused: the connection has ended, or may not do this.
    #[error(
        "the wiki refused access: the connection of this organization has ended, or may not do this; an administrator of \
         the organization can connect the wiki again"
    )]
    WikiAccessDenied,
    /// The wiki has nothing of this id that it would show to the organization's connection.
    #[error(
        "the wiki has no such page or database, or it is not shared with this organization's connection; share it there \
         and try again"
    )]
    WikiNotFound,
    /// The wiki is busy, broken, or not to be reached.
    #[error("the wiki did not answer as it should")]
    WikiUnavailable {
        /// When it is worth another try.
        retry_after: Duration,
    },
    /// What is said to be a picture did not come, or is none, or has not come yet.
    #[error("there is no picture: {why}")]
    NoPicture {
        /// The end of a sentence, for people.
        why: String,
        /// When it is worth another try; none: it is tried again without being asked for, in some hours or days.
        retry_after: Option<Duration>,
    },
    /// Queues are full; the same request may succeed in a second.
    #[error("the server is busy; try again in a moment")]
    Busy,
    /// Too many requests of this user, or of this address, are waiting already.
    #[error("too many requests at once; send fewer in parallel and try again in a moment")]
    TooManyRequests,
    /// The work was stopped: its client has gone, or its deadline has passed. Nothing was written.
    #[error("the request took too long and was stopped; nothing was written; ask for less or try again")]
    Cancelled,
    /// The disk, or the size allowed to the database, is used up. Nothing was written.
    #[error("the storage is full and nothing was written; free some space and try again")]
    StorageFull,
    /// The group of writes that this one was committed with failed. Nothing was written.
    #[error("the change could not be saved and nothing was written; try again")]
    NotCommitted(Arc<str>),
    /// A fault of ours. The cause is for the log, never for the caller.
    #[error("internal error: {0}")]
    Internal(String),
}

/// A workspace that has one owner.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
pub struct OwnedWorkspace {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// A user as the author of a change.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Author {
    /// User id.
    pub id: i64,
    /// Name for display.
    pub display_name: String,
}

/// A row that stands in the way of an undo.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangedSince {
    /// What kind it is, as in the history.
    pub entity: &'static str,
    /// Its id.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// What has become of it.
    pub why: String,
    /// Who changed it last; absent when that was the system.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub changed_by: Option<Author>,
    /// The change set that wrote it last. When it is one of the caller's own, undo it first. Absent when the history no
    /// longer has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub change_set_id: Option<String>,
}

/// An operation that conflicts with the present state of the workspace.
#[derive(Debug, Clone, PartialEq, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OperationConflict {
    /// Place of the operation in the request, from 0.
    pub index: usize,
    /// The kind of row that the operation writes.
    #[schema(example = "component")]
    pub kind: &'static str,
    /// Id of that row: an integer for stakeholders and links, else a string; null when the server was to choose it.
    #[schema(schema_with = conflict_id)]
    pub id: Value,
    /// `stale`: the row has another revision. `deleted`: it no longer exists. `taken`: the id, or the same stakeholder,
    /// exists already. `missing`: a row that it refers to does not exist. `has_parent`: the component is part of another
    /// one. `cycle`: the component would contain itself. More may come.
    #[schema(example = "stale")]
    pub why: &'static str,
    /// What is wrong, for people.
    pub message: String,
    /// The row in the way as it is now: for `stale` and `taken` the row itself, for `has_parent` the other relationship,
    /// else null.
    #[schema(required, value_type = Option<Object>)]
    pub current: Option<Value>,
    /// Who wrote the row last, or deleted it; absent when that was the system or is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub changed_by: Option<Author>,
}

impl OperationConflict {
    /// The word of a conflict about a row that has changed since it was read.
    pub const STALE: &'static str = "stale";
}

/// The schema of the id of a row of any kind.
fn conflict_id() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
    use utoipa::openapi::{ObjectBuilder, Type, schema::SchemaType};
    let types = SchemaType::Array(vec![Type::String, Type::Integer, Type::Null]);
    ObjectBuilder::new()
        .schema_type(types)
        .description(Some("Id of that row; null when the server was to choose it"))
        .into()
}

/// Describes the first of them.
fn describe_conflicts(conflicts: &[OperationConflict]) -> String {
    let Some(first) = conflicts.first() else { return "nothing was written".into() };
    let more = match conflicts.len() - 1 {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    let text = shortened(format!("operations[{}]: {}", first.index, first.message));
    format!("{text}{more}; nothing was written, rebase the operations on the rows in `conflicts` and send them again")
}

/// Says of some of them what they are.
fn describe(changed: &[ChangedSince]) -> String {
    const NAMED: usize = 3;
    let named = changed.iter().take(NAMED).map(|one| {
        let by = one.changed_by.as_ref().map(|by| format!(" by {}", by.display_name)).unwrap_or_default();
        shortened(format!("the {} `{}` {}{by}", one.entity, one.name, one.why))
    });
    let named = named.collect::<Vec<_>>().join("; ");
    let more = match changed.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!("this can no longer be undone: {named}{more}")
}

impl Error {
    /// A field that cannot be right.
    pub fn invalid(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Invalid { field: Some(shortened(field.into())), message: shortened(message.into()) }
    }

    /// Something that cannot be right, at a field or as a whole.
    pub fn invalid_at(field: Option<String>, message: impl Into<String>) -> Self {
        Self::Invalid { field: field.map(shortened), message: shortened(message.into()) }
    }

    /// A fault of ours, with its cause for the log.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        Self::Internal(cause.to_string())
    }
}

/// Paths and messages may repeat what a caller sent. Their mistake may be a megabyte long; the answer need not be.
fn shortened(mut text: String) -> String {
    const LONGEST: usize = 300;
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    text
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(rusqlite::ErrorCode::DiskFull) => Self::StorageFull,
            // Readers alone are interrupted, by the progress handler.
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
        Self::Internal(format!("JSON of our own: {error}"))
    }
}

impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Self {
        Self::Internal(error.to_string())
    }
}
