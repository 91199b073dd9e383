//! Rows that the change log covers: what they have in common, and what writes them.

use rusqlite::{Connection, Row};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::scope::Scope;
use crate::error::Result;

/// When a row was written, by whom, and in which revision of its workspace, or of its organization's directory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Written {
    /// The revision of the workspace or directory when this was last written; goes into `If-Match`.
    #[schema(example = 12)]
    pub revision: i64,
    /// Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub created_at: i64,
    /// User id; absent when the system did it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub created_by: Option<i64>,
    /// Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub updated_at: i64,
    /// User id; absent when the system did it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub updated_by: Option<i64>,
}

/// What kind of row a change is about; also its name in events, history and undo. In the order in which they name a
/// change that touched several: deleting a component deletes its relationships too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::domain) enum Entity {
    Workspace,
    Member,
    Component,
    Relationship,
    Stakeholder,
    Link,
    Process,
    Person,
    Team,
    TeamMember,
    Role,
}

impl Entity {
    /// All of them, in their order.
    #[cfg(test)]
    pub(in crate::domain) const ALL: [Self; 11] = [
        Self::Workspace,
        Self::Member,
        Self::Component,
        Self::Relationship,
        Self::Stakeholder,
        Self::Link,
        Self::Process,
        Self::Person,
        Self::Team,
        Self::TeamMember,
        Self::Role,
    ];

    /// The word in the log.
    pub(in crate::domain) const fn as_str(self) -> &'static str {
        match self {
            Self::Workspace => "workspace",
            Self::Member => "member",
            Self::Component => "component",
            Self::Relationship => "relationship",
            Self::Stakeholder => "stakeholder",
            Self::Link => "link",
            Self::Process => "process",
            Self::Person => "person",
            Self::Team => "team",
            Self::TeamMember => "team-member",
            Self::Role => "role",
        }
    }
}

/// What was done to a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Op {
    Create,
    Update,
    Delete,
}

impl Op {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Update => "update",
            Self::Delete => "delete",
        }
    }
}

/// The right to write a row of a workspace or directory. Whoever holds it has logged the change.
pub(in crate::domain) struct Logged<'c> {
    pub(in crate::domain) conn: &'c Connection,
    pub(in crate::domain) scope: &'c Scope,
}

/// A row of a workspace or directory that can be written; `store` holds the SQL.
pub(in crate::domain) trait Record: Clone + PartialEq + Serialize {
    /// What it is.
    const ENTITY: Entity;
    /// Its id among its kind, as text.
    fn key(&self) -> String;
    /// Its place in the order of its kind, when it has one.
    fn seq(&self) -> Option<i64> {
        None
    }
    /// Whether it is only marked as deleted: marking it is a deletion in the log, and taking the mark off a creation.
    fn is_marked_deleted(&self) -> bool {
        false
    }
    /// Who wrote it when.
    fn written(&mut self) -> &mut Written;
    /// Writes a new row. Rows whose id SQLite chooses learn it here.
    fn insert(&mut self, to: &Logged<'_>) -> Result<()>;
    /// Writes over the row of the same key.
    fn update(&self, to: &Logged<'_>) -> Result<()>;
    /// Removes the row of the same key.
    fn delete(&self, to: &Logged<'_>) -> Result<()>;
}

/// A row as the log keeps it: as the API shows it, and its place in the order.
#[derive(Serialize)]
pub(in crate::domain) struct Image<'r, R> {
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<i64>,
    #[serde(flatten)]
    row: &'r R,
}

impl<'r, R: Record> Image<'r, R> {
    /// The image of a row.
    pub(in crate::domain) fn of(row: &'r R) -> Self {
        Self { seq: row.seq(), row }
    }
}

/// Reads the five columns that every row of a workspace or directory has.
pub(in crate::domain) fn stamps(row: &Row<'_>) -> rusqlite::Result<Written> {
    Ok(Written {
        revision: row.get("revision")?,
        created_at: row.get("created_at")?,
        created_by: row.get("created_by")?,
        updated_at: row.get("updated_at")?,
        updated_by: row.get("updated_by")?,
    })
}
