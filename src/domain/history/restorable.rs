//! Rows that can be restored from the log.

use rusqlite::Connection;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    domain::{
        core::{Reads, Record, RowMetadata, ViewTx, WorkspaceKey},
        map::{
            components::{self, Component},
            decisions::{self, Decision},
            links::{self, Link},
            notes::{self, Note, NoteKind},
            processes::{self, Process},
            relationships::{self, Relationship},
            stakeholders::{self, StakeholderLink},
            tours::{self, Tour},
            view_lines, view_places,
            views::{self, View, ViewLine, ViewPlace},
        },
        paging::Window,
    },
    error::{Error, Result},
};

/// A row of a workspace that can be read from the log.
pub(in crate::domain) trait RestorableRow: Record + DeserializeOwned {
    /// All current rows of the kind in a workspace, in order.
    fn rows(conn: &Connection, workspace: &WorkspaceKey<'_>) -> Result<Vec<Self>>;

    /// The current row with this key.
    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>>;

    /// Display name.
    fn name(&self) -> String;

    /// Sets the order value, for kinds that have an order.
    fn set_order(&mut self, _seq: i64) {}

    /// The sort key of the row: its order value, or its id, which increases over time.
    fn order(&self) -> i64 {
        self.list_position().unwrap_or_else(|| self.key().parse().unwrap_or_default())
    }

    /// Parses the row from its logged form, which may have an outdated workspace id.
    fn from_logged(mut logged: Value, workspace_id: &str) -> Result<Self> {
        let seq = logged["seq"].as_i64();
        logged["workspaceId"] = workspace_id.into();
        let mut row: Self = serde_json::from_value(logged)?;
        if let Some(seq) = seq {
            row.set_order(seq);
        }
        Ok(row)
    }

    /// Whether two rows have the same contents, regardless of revision, timestamps and authors.
    fn has_same_contents(&self, other: &Self) -> bool {
        let bare = |row: &Self| {
            let mut row = row.clone();
            *row.metadata() = RowMetadata::default();
            row
        };
        bare(self) == bare(other)
    }
}

impl RestorableRow for Component {
    fn rows(conn: &Connection, workspace: &WorkspaceKey<'_>) -> Result<Vec<Self>> {
        components::rows(conn, workspace)
    }

    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>> {
        components::find_row(tx.core().conn, &tx.key(), key)
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn set_order(&mut self, seq: i64) {
        self.seq = seq;
    }
}

impl RestorableRow for Relationship {
    fn rows(conn: &Connection, workspace: &WorkspaceKey<'_>) -> Result<Vec<Self>> {
        relationships::rows(conn, workspace)
    }

    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>> {
        relationships::find_row(tx.core().conn, &tx.key(), key)
    }

    fn name(&self) -> String {
        let label = self.label.as_deref().filter(|label| !label.is_empty());
        format!("{} {} {}", self.source_id, label.unwrap_or(&self.type_id), self.target_id)
    }

    fn set_order(&mut self, seq: i64) {
        self.seq = seq;
    }
}

impl RestorableRow for StakeholderLink {
    fn rows(conn: &Connection, workspace: &WorkspaceKey<'_>) -> Result<Vec<Self>> {
        let found = stakeholders::rows(conn, workspace, &Window::whole())?;
        Ok(found.items.into_iter().map(|found| found.link).collect())
    }

    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>> {
        let id = key.parse().map_err(Error::internal)?;
        Ok(stakeholders::row_by_id(tx.core().conn, &tx.key(), id)?.map(|found| found.link))
    }

    fn name(&self) -> String {
        let who = self.person_id.as_deref().or(self.team_id.as_deref()).unwrap_or_default();
        format!("{who} of {}", self.component_id)
    }
}

impl RestorableRow for Link {
    fn rows(conn: &Connection, workspace: &WorkspaceKey<'_>) -> Result<Vec<Self>> {
        links::rows(conn, workspace)
    }

    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>> {
        links::row_by_id(tx.core().conn, &tx.key(), key.parse().map_err(Error::internal)?)
    }

    fn name(&self) -> String {
        self.title.clone().unwrap_or_else(|| self.url.clone())
    }

    // What the wiki says about a page is not an edit of the link.
    fn has_same_contents(&self, other: &Self) -> bool {
        let own = |link: &Self| {
            let link = link.clone();
            Self { title: None, icon: None, fetched_at: None, metadata: RowMetadata::default(), ..link }
        };
        own(self) == own(other)
    }
}

impl RestorableRow for Process {
    fn rows(conn: &Connection, workspace: &WorkspaceKey<'_>) -> Result<Vec<Self>> {
        processes::rows(conn, workspace)
    }

    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>> {
        processes::find_row(tx.core().conn, &tx.key(), key)
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn set_order(&mut self, seq: i64) {
        self.seq = seq;
    }
}

/// Maximum number of characters of a note's text in its display name.
const MAX_NAME_CHARS: usize = 80;

impl RestorableRow for Note {
    fn rows(conn: &Connection, workspace: &WorkspaceKey<'_>) -> Result<Vec<Self>> {
        notes::rows(conn, workspace)
    }

    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>> {
        notes::find_row(tx.core().conn, &tx.key(), key)
    }

    fn name(&self) -> String {
        let line = self.text.lines().map(str::trim).find(|line| !line.is_empty());
        let kind = match self.kind {
            NoteKind::Note => "Note",
            NoteKind::Frame => "Frame",
            NoteKind::Image => "Image",
        };
        line.map_or_else(|| kind.to_owned(), |line| line.chars().take(MAX_NAME_CHARS).collect())
    }

    fn set_order(&mut self, seq: i64) {
        self.seq = seq;
    }
}

impl RestorableRow for View {
    fn rows(conn: &Connection, workspace: &WorkspaceKey<'_>) -> Result<Vec<Self>> {
        views::rows(conn, workspace)
    }

    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>> {
        views::find_row(tx.core().conn, &tx.key(), key)
    }

    fn name(&self) -> String {
        self.name.clone()
    }
}

impl RestorableRow for ViewPlace {
    fn rows(conn: &Connection, workspace: &WorkspaceKey<'_>) -> Result<Vec<Self>> {
        view_places::rows(conn, workspace)
    }

    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>> {
        view_places::by_key(tx.core().conn, &tx.key(), key)
    }

    fn name(&self) -> String {
        format!("{} in {}", self.component_id, self.view_id)
    }

    // All rows are ordered by key, which may look like a number.
    fn order(&self) -> i64 {
        0
    }
}

impl RestorableRow for ViewLine {
    fn rows(conn: &Connection, workspace: &WorkspaceKey<'_>) -> Result<Vec<Self>> {
        view_lines::rows(conn, workspace)
    }

    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>> {
        view_lines::by_key(tx.core().conn, &tx.key(), key)
    }

    fn name(&self) -> String {
        format!("{} in {}", self.relationship_id, self.view_id)
    }

    fn order(&self) -> i64 {
        0
    }
}

impl RestorableRow for Tour {
    fn rows(conn: &Connection, workspace: &WorkspaceKey<'_>) -> Result<Vec<Self>> {
        tours::rows(conn, workspace)
    }

    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>> {
        tours::find_row(tx.core().conn, &tx.key(), key)
    }

    fn name(&self) -> String {
        self.name.clone()
    }
}

// The rows that a decision refers to need not exist.
impl RestorableRow for Decision {
    fn rows(conn: &Connection, workspace: &WorkspaceKey<'_>) -> Result<Vec<Self>> {
        decisions::rows(conn, workspace)
    }

    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>> {
        decisions::find_row(tx.core().conn, &tx.key(), key)
    }

    fn name(&self) -> String {
        self.title.clone()
    }
}
