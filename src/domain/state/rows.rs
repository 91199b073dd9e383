//! Kinds of rows that are written one by one.

use super::kinds::{ByKind, MapRow, Obstacles, PerKind};
use crate::{
    domain::{
        core::{EditTx, Entity, Reads, RowMetadata},
        map::{
            components::{self, Component},
            links::{self, Link},
            notes::{self, Note, NoteKind},
            processes::Process,
            relationships::{self, Relationship},
            stakeholders,
            tours::Tour,
            view_lines, view_places,
            views::{self, View, ViewLine, ViewPlace},
        },
        paging::Window,
    },
    error::Result,
};

impl MapRow for Component {
    const IS_DELETED_LAST: bool = true;

    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.components
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

impl MapRow for Link {
    const NEEDS: &'static [(Entity, &'static str)] = &[(Entity::Component, "componentId")];
    // What the wiki says about a page.
    const YIELDING: &'static [&'static str] = &["title", "icon", "fetchedAt"];

    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.links
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
    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.processes
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
    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.notes
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
        if notes::has_image(tx, self)? {
            return Ok(());
        }
        obstacles.add(tx, self, Some("shows an image that is no longer stored".into()))
    }
}

impl MapRow for View {
    const IS_DELETED_LAST: bool = true;

    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.views
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
    const NEEDS: &'static [(Entity, &'static str)] = &[(Entity::View, "viewId"), (Entity::Component, "componentId")];

    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.view_places
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
    const NEEDS: &'static [(Entity, &'static str)] =
        &[(Entity::View, "viewId"), (Entity::Relationship, "relationshipId")];

    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.view_lines
    }

    fn name(&self) -> String {
        format!("{} in {}", self.relationship_id, self.view_id)
    }

    fn order(&self) -> i64 {
        0
    }

    fn add_obstacles(&self, tx: &EditTx<'_>, obstacles: &mut Obstacles) -> Result<()> {
        obstacles.need_view(tx, &self.view_id)?;
        if !tx.has::<Relationship>(&self.relationship_id)? {
            obstacles.add_missing(tx, "relationship", &self.relationship_id)?;
        }
        Ok(())
    }
}

impl MapRow for Tour {
    fn of_mut<P: PerKind>(values: &mut ByKind<P>) -> &mut P::Value<Self> {
        &mut values.tours
    }

    fn name(&self) -> String {
        self.name.clone()
    }
}
