//! Rows covered by the change log: their common fields and the trait that writes them.

use std::str::FromStr;

use rusqlite::{
    Connection, Row,
    types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, ValueRef},
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::{scope::Scope, searched::Affected};
use crate::{describe::ToSchema, error::Result};

/// Revision, timestamps and authors of a row in a workspace or in an organization's directory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RowMetadata {
    /// Workspace or directory revision of the last write to this row; send it in `If-Match`.
    #[schema(example = 12)]
    pub revision: i64,
    /// Creation time in Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub created_at: i64,
    /// User id of the creator; absent for the system.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub created_by: Option<i64>,
    /// Time of the last update in Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub updated_at: i64,
    /// User id of the user who made the last update; absent for the system.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub updated_by: Option<i64>,
}

/// The kind of row that a change concerns; also its name in events, history and undo.
///
/// When a change affects several kinds, it is named after the first kind in this order: deleting a component also
/// deletes its relationships.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entity {
    Workspace,
    Member,
    Component,
    Relationship,
    Stakeholder,
    Link,
    Process,
    Note,
    View,
    ViewPlace,
    ViewLine,
    Tour,
    Decision,
    Person,
    Team,
    TeamMember,
    Role,
    Kind,
}

impl Entity {
    /// All kinds, in order.
    pub(in crate::domain) const ALL: [Self; 18] = [
        Self::Workspace,
        Self::Member,
        Self::Component,
        Self::Relationship,
        Self::Stakeholder,
        Self::Link,
        Self::Process,
        Self::Note,
        Self::View,
        Self::ViewPlace,
        Self::ViewLine,
        Self::Tour,
        Self::Decision,
        Self::Person,
        Self::Team,
        Self::TeamMember,
        Self::Role,
        Self::Kind,
    ];

    /// The name in the change log.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Workspace => "workspace",
            Self::Member => "member",
            Self::Component => "component",
            Self::Relationship => "relationship",
            Self::Stakeholder => "stakeholder",
            Self::Link => "link",
            Self::Process => "process",
            Self::Note => "note",
            Self::View => "view",
            Self::ViewPlace => "view-place",
            Self::ViewLine => "view-line",
            Self::Tour => "tour",
            Self::Decision => "decision",
            Self::Person => "person",
            Self::Team => "team",
            Self::TeamMember => "team-member",
            Self::Role => "role",
            Self::Kind => "kind",
        }
    }

    /// Whether the rows are rows of a map.
    pub(in crate::domain) const fn is_of_map(self) -> bool {
        match self {
            Self::Component
            | Self::Relationship
            | Self::Stakeholder
            | Self::Link
            | Self::Process
            | Self::Note
            | Self::View
            | Self::ViewPlace
            | Self::ViewLine
            | Self::Tour
            | Self::Decision => true,
            Self::Workspace | Self::Member | Self::Person | Self::Team | Self::TeamMember | Self::Role | Self::Kind => {
                false
            }
        }
    }

    /// Whether SQLite assigns the ids: numbers that are unique in the instance.
    pub(in crate::domain) const fn has_number(self) -> bool {
        match self {
            Self::Stakeholder | Self::Link => true,
            Self::Workspace
            | Self::Member
            | Self::Component
            | Self::Relationship
            | Self::Process
            | Self::Note
            | Self::View
            | Self::ViewPlace
            | Self::ViewLine
            | Self::Tour
            | Self::Decision
            | Self::Person
            | Self::Team
            | Self::TeamMember
            | Self::Role
            | Self::Kind => false,
        }
    }

    /// Name of the table.
    pub(in crate::domain) const fn table(self) -> &'static str {
        match self {
            Self::Member => "workspace_member",
            Self::Link => "external_link",
            Self::ViewPlace => "view_place",
            Self::ViewLine => "view_line",
            Self::TeamMember => "team_member",
            Self::Workspace
            | Self::Component
            | Self::Relationship
            | Self::Stakeholder
            | Self::Process
            | Self::Note
            | Self::View
            | Self::Tour
            | Self::Decision
            | Self::Person
            | Self::Team
            | Self::Role
            | Self::Kind => self.as_str(),
        }
    }
}

impl Serialize for Entity {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl FromStr for Entity {
    type Err = String;

    fn from_str(name: &str) -> std::result::Result<Self, String> {
        let known = Self::ALL.into_iter().find(|entity| entity.as_str() == name);
        known.ok_or_else(|| format!("there is no kind of row `{name}`"))
    }
}

impl<'de> Deserialize<'de> for Entity {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl FromSql for Entity {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        value.as_str()?.parse().map_err(|error: String| FromSqlError::Other(error.into()))
    }
}

impl ToSql for Entity {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.as_str().into())
    }
}

/// The type of a change.
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

/// Permission to write a row of a workspace or directory. It exists only while the change is being logged.
pub(in crate::domain) struct WriteToken<'c> {
    pub(in crate::domain) conn: &'c Connection,
    pub(in crate::domain) scope: &'c Scope,
    /// Whether the row is inserted.
    pub(in crate::domain) is_new: bool,
}

/// A column that says where a row belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::domain) enum Owner {
    Workspace,
    Organization,
}

impl Owner {
    pub(super) fn column(self) -> &'static str {
        match self {
            Self::Workspace => "workspace_pk",
            Self::Organization => "organization_id",
        }
    }
}

/// A row of a workspace or directory that can be written. What it says of its table is all that the SQL needs.
pub(in crate::domain) trait Record: Clone + PartialEq + Serialize {
    /// The kind of row.
    const ENTITY: Entity;
    /// Columns that say where the row belongs; the first one and [`Self::KEY`] identify the row.
    const OWNERS: &'static [Owner] = &[Owner::Workspace];
    /// The other columns that identify the row.
    const KEY: &'static [&'static str] = &["id"];
    /// All other columns, apart from the metadata.
    const COLUMNS: &'static [&'static str];
    /// Columns with the time of creation and the author.
    const CREATED: [&'static str; 2] = ["created_at", "created_by"];
    /// Whether SQLite assigns the id, the first column of the key, to a new row whose id is 0.
    const IS_NUMBERED: bool = Self::ENTITY.has_number();

    /// The values of [`Self::KEY`] and [`Self::COLUMNS`].
    fn values(&self) -> Vec<&dyn ToSql>;
    /// Sets the id that SQLite assigns.
    fn set_number(&mut self, _id: i64) {}
    /// The row's id as text, unique among rows of its kind.
    fn key(&self) -> String;
    /// The row's order value, for kinds that have an order.
    fn seq(&self) -> Option<i64> {
        None
    }
    /// The row's position in its list, for kinds that have an order: the order value, or a field.
    fn list_position(&self) -> Option<i64> {
        self.seq()
    }
    /// Whether the row is marked as deleted. The log records marking as a deletion and unmarking as a creation.
    fn is_marked_deleted(&self) -> bool {
        false
    }
    /// Id of the uploaded image that the row shows.
    fn image(&self) -> Option<&str> {
        None
    }
    /// Revision, timestamps and authors.
    fn metadata(&mut self) -> &mut RowMetadata;
    /// The search documents that contain texts of this row.
    fn searched_in(&self) -> Option<Affected> {
        None
    }
    /// Whether the search documents of this row have the same texts of it as of `other`.
    fn is_found_like(&self, _other: &Self) -> bool {
        true
    }
    /// Fills in fields before the row is written.
    fn prepare(&mut self, _to: &WriteToken<'_>) -> Result<()> {
        Ok(())
    }
}

/// Distance between the order values of rows appended at an end, so that rows can later be inserted between them
/// without updating other rows.
pub(in crate::domain) const GAP: i64 = 1 << 20;

/// A row of a workspace whose key is its id, or two ids.
pub(in crate::domain) trait WorkspaceRow: Record {
    /// Name of the list of these rows.
    const LIST: &'static str;
    /// The columns by which lists are ordered: the order value and the id, for kinds that have an order.
    const ORDER: &'static str = "seq, id";

    /// Reads the columns of the key, those of the record, and the metadata. Values are read by index: a lookup by name takes
    /// longer than reading the value, and a bundle has tens of thousands of values.
    fn read(row: &Row<'_>, workspace_id: &str) -> rusqlite::Result<Self>;
}

/// A row as stored in the log: its API representation and its order value.
#[derive(Serialize)]
pub(in crate::domain) struct LoggedRow<'r, R> {
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<i64>,
    #[serde(flatten)]
    row: &'r R,
}

impl<'r, R: Record> LoggedRow<'r, R> {
    /// Creates the stored form of a row.
    pub(in crate::domain) fn of(row: &'r R) -> Self {
        Self { seq: row.seq(), row }
    }
}

/// Reads the five columns that every row of a workspace or directory has.
pub(in crate::domain) fn metadata(row: &Row<'_>) -> rusqlite::Result<RowMetadata> {
    Ok(RowMetadata {
        revision: row.get("revision")?,
        created_at: row.get("created_at")?,
        created_by: row.get("created_by")?,
        updated_at: row.get("updated_at")?,
        updated_by: row.get("updated_by")?,
    })
}

/// Like [`metadata`], for columns in that order from the index `first`.
pub(in crate::domain) fn metadata_at(row: &Row<'_>, first: usize) -> rusqlite::Result<RowMetadata> {
    Ok(RowMetadata {
        revision: row.get(first)?,
        created_at: row.get(first + 1)?,
        created_by: row.get(first + 2)?,
        updated_at: row.get(first + 3)?,
        updated_by: row.get(first + 4)?,
    })
}
