//! What all kinds of rows of a map have in common, and in what they differ.

use rusqlite::Connection;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    kinds::{ByKind, PerKind},
    steps::{Obstacles, RowStep, write_decisions, write_relationships, write_stakeholders},
};
use crate::{
    domain::{
        core::{EditTx, Reads, Record, RowMetadata, ViewTx, WorkspaceKey, older_rows},
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

/// A row of a map. It can be read from the log.
pub(in crate::domain) trait MapRow: Record + DeserializeOwned + 'static {
    /// Name of the list of these rows in stored versions.
    const LIST: &'static str;
    /// Whether rows of other kinds belong to rows of this kind. Such rows are deleted last.
    const HAS_DEPENDENTS: bool = false;

    /// The value of this kind.
    fn of<P: PerKind>(values: &ByKind<P>) -> &P::Value<Self>;

    /// The value of this kind.
    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self>;

    /// All current rows of the kind in a workspace, in order.
    fn rows(conn: &Connection, workspace: &WorkspaceKey<'_>) -> Result<Vec<Self>>;

    /// The current row with this key.
    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>>;

    /// Display name.
    fn name(&self) -> String;

    /// Sets the order value, for kinds that have an order.
    fn set_order(&mut self, _seq: i64) {}

    /// Removes the id, for kinds whose ids the database assigns.
    fn forget_number(&mut self) {}

    /// The sort key of the row: its order value, or its id, which increases over time.
    fn order(&self) -> i64 {
        self.list_position().unwrap_or_else(|| self.key().parse().unwrap_or_default())
    }

    /// Parses the row from its logged form, which may be of an older schema and have an outdated workspace id.
    fn from_logged(mut logged: Value, workspace_id: &str) -> Result<Self> {
        if let Value::Object(row) = &mut logged {
            older_rows::complete(Self::ENTITY, row)?;
        }
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

    /// Adds the rows that this one refers to and that do not exist, and other rows with which it cannot exist.
    fn add_obstacles(&self, _tx: &EditTx<'_>, _obstacles: &mut Obstacles) -> Result<()> {
        Ok(())
    }

    /// Adds the rows without which this one cannot be deleted.
    fn add_dependents(&self, _tx: &EditTx<'_>, _obstacles: &mut Obstacles) -> Result<()> {
        Ok(())
    }

    /// Deletes the row, with the rows of other kinds that belong to it.
    fn delete_with_dependents(&self, tx: &mut EditTx<'_>) -> Result<()> {
        tx.delete(self)
    }

    /// Writes the rows of the kind that are not deleted.
    fn write(tx: &mut EditTx<'_>, steps: &[RowStep<Self>], obstacles: &mut Obstacles) -> Result<()> {
        for step in steps {
            step.write(tx, obstacles)?;
        }
        Ok(())
    }
}

impl MapRow for Component {
    const LIST: &'static str = "components";
    const HAS_DEPENDENTS: bool = true;

    fn of<P: PerKind>(values: &ByKind<P>) -> &P::Value<Self> {
        &values.components
    }

    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.components
    }

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

    fn delete_with_dependents(&self, tx: &mut EditTx<'_>) -> Result<()> {
        components::delete(tx, &self.id)
    }

    fn add_dependents(&self, tx: &EditTx<'_>, obstacles: &mut Obstacles) -> Result<()> {
        let (conn, key) = (tx.core().conn, tx.key());
        obstacles.add_all(tx, &relationships::touching(conn, &key, &self.id)?)?;
        let stakeholders = stakeholders::rows_of_component(conn, &key, &self.id, &Window::whole())?.items;
        stakeholders.iter().try_for_each(|row| obstacles.add(tx, &row.link, None))?;
        obstacles.add_all(tx, &links::of_component(conn, &key, &self.id, &Window::whole())?.items)?;
        obstacles.add_all(tx, &view_places::of_component(conn, &key, &self.id)?)
    }
}

impl MapRow for Relationship {
    const LIST: &'static str = "relationships";

    fn of<P: PerKind>(values: &ByKind<P>) -> &P::Value<Self> {
        &values.relationships
    }

    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.relationships
    }

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

    fn add_obstacles(&self, tx: &EditTx<'_>, obstacles: &mut Obstacles) -> Result<()> {
        obstacles.need_component(tx, &self.source_id)?;
        if self.target_id == self.source_id { Ok(()) } else { obstacles.need_component(tx, &self.target_id) }
    }

    fn delete_with_dependents(&self, tx: &mut EditTx<'_>) -> Result<()> {
        relationships::remove(tx, self)
    }

    fn add_dependents(&self, tx: &EditTx<'_>, obstacles: &mut Obstacles) -> Result<()> {
        obstacles.add_all(tx, &view_lines::of_relationship(tx.core().conn, &tx.key(), &self.id)?)
    }

    fn write(tx: &mut EditTx<'_>, steps: &[RowStep<Self>], obstacles: &mut Obstacles) -> Result<()> {
        write_relationships(tx, steps, obstacles)
    }
}

impl MapRow for StakeholderLink {
    const LIST: &'static str = "stakeholders";

    fn of<P: PerKind>(values: &ByKind<P>) -> &P::Value<Self> {
        &values.stakeholders
    }

    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.stakeholders
    }

    fn rows(conn: &Connection, workspace: &WorkspaceKey<'_>) -> Result<Vec<Self>> {
        let found = stakeholders::rows(conn, workspace, &Window::whole())?;
        Ok(found.items.into_iter().map(|found| found.link).collect())
    }

    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>> {
        let id = key.parse().map_err(Error::internal)?;
        Ok(stakeholders::row_by_id(tx.core().conn, &tx.key(), id)?.map(|found| found.link))
    }

    fn forget_number(&mut self) {
        self.id = 0;
    }

    fn name(&self) -> String {
        let who = self.person_id.as_deref().or(self.team_id.as_deref()).unwrap_or_default();
        format!("{who} of {}", self.component_id)
    }

    fn add_obstacles(&self, tx: &EditTx<'_>, obstacles: &mut Obstacles) -> Result<()> {
        obstacles.need_component(tx, &self.component_id)?;
        if let Some((entity, id)) = stakeholders::missing(tx, self)? {
            obstacles.add_missing(tx, entity, &id)?;
        }
        if stakeholders::has_another(tx.core().conn, tx.pk(), self)? {
            obstacles.add(tx, self, Some("was added again since".into()))?;
        }
        Ok(())
    }

    fn write(tx: &mut EditTx<'_>, steps: &[RowStep<Self>], obstacles: &mut Obstacles) -> Result<()> {
        write_stakeholders(tx, steps, obstacles)
    }
}

impl MapRow for Link {
    const LIST: &'static str = "links";

    fn of<P: PerKind>(values: &ByKind<P>) -> &P::Value<Self> {
        &values.links
    }

    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.links
    }

    fn rows(conn: &Connection, workspace: &WorkspaceKey<'_>) -> Result<Vec<Self>> {
        links::rows(conn, workspace)
    }

    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>> {
        links::row_by_id(tx.core().conn, &tx.key(), key.parse().map_err(Error::internal)?)
    }

    fn forget_number(&mut self) {
        self.id = 0;
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

    fn add_obstacles(&self, tx: &EditTx<'_>, obstacles: &mut Obstacles) -> Result<()> {
        obstacles.need_component(tx, &self.component_id)
    }
}

impl MapRow for Process {
    const LIST: &'static str = "processes";

    fn of<P: PerKind>(values: &ByKind<P>) -> &P::Value<Self> {
        &values.processes
    }

    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.processes
    }

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

impl MapRow for Note {
    const LIST: &'static str = "notes";

    fn of<P: PerKind>(values: &ByKind<P>) -> &P::Value<Self> {
        &values.notes
    }

    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.notes
    }

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

    // An image exists as long as the history refers to it.
    fn add_obstacles(&self, tx: &EditTx<'_>, obstacles: &mut Obstacles) -> Result<()> {
        match notes::has_image(tx, self)? {
            true => Ok(()),
            false => obstacles.add(tx, self, Some("shows an image that is no longer stored".into())),
        }
    }
}

impl MapRow for View {
    const LIST: &'static str = "views";
    const HAS_DEPENDENTS: bool = true;

    fn of<P: PerKind>(values: &ByKind<P>) -> &P::Value<Self> {
        &values.views
    }

    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.views
    }

    fn rows(conn: &Connection, workspace: &WorkspaceKey<'_>) -> Result<Vec<Self>> {
        views::rows(conn, workspace)
    }

    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>> {
        views::find_row(tx.core().conn, &tx.key(), key)
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn delete_with_dependents(&self, tx: &mut EditTx<'_>) -> Result<()> {
        views::delete(tx, &self.id)
    }

    fn add_dependents(&self, tx: &EditTx<'_>, obstacles: &mut Obstacles) -> Result<()> {
        obstacles.add_all(tx, &view_places::of_view(tx.core().conn, &tx.key(), &self.id)?)?;
        obstacles.add_all(tx, &view_lines::of_view(tx.core().conn, &tx.key(), &self.id)?)
    }
}

impl MapRow for ViewPlace {
    const LIST: &'static str = "view_places";

    fn of<P: PerKind>(values: &ByKind<P>) -> &P::Value<Self> {
        &values.view_places
    }

    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.view_places
    }

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

    fn add_obstacles(&self, tx: &EditTx<'_>, obstacles: &mut Obstacles) -> Result<()> {
        obstacles.need_view(tx, &self.view_id)?;
        obstacles.need_component(tx, &self.component_id)
    }
}

impl MapRow for ViewLine {
    const LIST: &'static str = "view_lines";

    fn of<P: PerKind>(values: &ByKind<P>) -> &P::Value<Self> {
        &values.view_lines
    }

    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.view_lines
    }

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

    fn add_obstacles(&self, tx: &EditTx<'_>, obstacles: &mut Obstacles) -> Result<()> {
        obstacles.need_view(tx, &self.view_id)?;
        if relationships::find_row(tx.core().conn, &tx.key(), &self.relationship_id)?.is_none() {
            obstacles.add_missing(tx, "relationship", &self.relationship_id)?;
        }
        Ok(())
    }
}

impl MapRow for Tour {
    const LIST: &'static str = "tours";

    fn of<P: PerKind>(values: &ByKind<P>) -> &P::Value<Self> {
        &values.tours
    }

    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.tours
    }

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
impl MapRow for Decision {
    const LIST: &'static str = "decisions";

    fn of<P: PerKind>(values: &ByKind<P>) -> &P::Value<Self> {
        &values.decisions
    }

    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.decisions
    }

    fn rows(conn: &Connection, workspace: &WorkspaceKey<'_>) -> Result<Vec<Self>> {
        decisions::rows(conn, workspace)
    }

    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>> {
        decisions::find_row(tx.core().conn, &tx.key(), key)
    }

    fn name(&self) -> String {
        self.title.clone()
    }

    fn write(tx: &mut EditTx<'_>, steps: &[RowStep<Self>], obstacles: &mut Obstacles) -> Result<()> {
        write_decisions(tx, steps, obstacles)
    }
}
