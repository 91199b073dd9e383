//! The writes that replace views and tours by those in a file.

use std::collections::HashSet;

use super::{parts::ImportedRows, unique_ids::check_unique_ids};
use crate::{
    domain::{
        core::{EditTx, Record},
        map::change_set::ChangeSet,
        map::{
            bulk::{Difference, RowWrite},
            tours::{NewTour, Tour},
            views::{NewView, NewViewLine, NewViewPlace, View, ViewLine, ViewPlace},
        },
        values::{Id, KebabId},
    },
    error::{Error, FieldPath, Result},
};

/// The views and tours in a file. Absent parts are unchanged.
#[derive(Default)]
pub(super) struct RequestedViews {
    pub(super) views: Option<Vec<NewView>>,
    pub(super) places: Option<Vec<NewViewPlace>>,
    pub(super) lines: Option<Vec<NewViewLine>>,
    pub(super) tours: Option<Vec<NewTour>>,
}

impl RequestedViews {
    /// Checks the rules that need no other data than the file, with the components and relationships in it.
    pub(super) fn check(&self, components: &HashSet<&str>, relationships: &HashSet<&str>) -> Result<()> {
        check_unique_ids("views", self.views.iter().flatten().map(|one| one.id.as_ref().map(KebabId::as_str)))?;
        check_unique_ids("tours", self.tours.iter().flatten().map(|one| one.id.as_ref().map(KebabId::as_str)))?;
        for (index, one) in self.views.iter().flatten().enumerate() {
            one.check().map_err(|error| error.within(FieldPath::item("views", index)))?;
        }
        let views: HashSet<&str> =
            self.views.iter().flatten().filter_map(|one| one.id.as_ref().map(KebabId::as_str)).collect();
        let mut seen = HashSet::new();
        for (index, one) in self.places.iter().flatten().enumerate() {
            let at = |field: &str| FieldPath::item("viewPlaces", index).field(field);
            in_file(&views, "view", &one.view_id, at("viewId"))?;
            in_file(components, "component", one.component_id.as_str(), at("componentId"))?;
            if !seen.insert((&one.view_id, one.component_id.as_str())) {
                return Err(Error::invalid(at("componentId"), "the view has another position of this component"));
            }
        }
        let mut seen = HashSet::new();
        for (index, one) in self.lines.iter().flatten().enumerate() {
            let at = |field: &str| FieldPath::item("viewLines", index).field(field);
            in_file(&views, "view", &one.view_id, at("viewId"))?;
            in_file(relationships, "relationship", one.relationship_id.as_str(), at("relationshipId"))?;
            if !seen.insert((&one.view_id, one.relationship_id.as_str())) {
                return Err(Error::invalid(at("relationshipId"), "the view has another line of this relationship"));
            }
        }
        Ok(())
    }
}

fn in_file(known: &HashSet<&str>, what: &str, id: &str, field: FieldPath) -> Result<()> {
    if known.contains(id) {
        return Ok(());
    }
    let id: String = id.chars().take(Id::MAX_CHARS).collect();
    Err(Error::invalid(field, format!("there is no {what} `{id}` in the file")))
}

/// The writes for views and tours.
pub(super) struct ViewRows {
    views: Difference<View>,
    places: Difference<ViewPlace>,
    lines: Difference<ViewLine>,
    tours: Difference<Tour>,
}

impl ViewRows {
    pub(super) fn of(existing: Option<&EditTx<'_>>, workspace_id: &str, wanted: RequestedViews) -> Result<Self> {
        let (mut old_views, mut old_places, mut old_lines, mut old_tours) = Default::default();
        if let Some(edit) = existing {
            old_views = edit.rows()?;
            old_places = edit.rows()?;
            old_lines = edit.rows()?;
            old_tours = edit.rows()?;
        }
        let views = wanted.views.map(|wanted| {
            let rows = wanted.into_iter().map(|mut one| {
                let id = one.id.take().map(String::from).unwrap_or_default();
                one.into_row(workspace_id, id)
            });
            Difference::make(old_views, |row| &mut row.position, rows.collect())
        });
        let tours = wanted.tours.map(|wanted| {
            let rows = wanted.into_iter().enumerate().map(|(index, mut one)| {
                let id = one.id.take().map(String::from).unwrap_or_default();
                one.into_row(workspace_id, id).map_err(|error| error.within(FieldPath::item("tours", index)))
            });
            Ok::<_, Error>(Difference::make(old_tours, |row| &mut row.position, rows.collect::<Result<_>>()?))
        });
        let views = views.unwrap_or_else(Difference::nothing);
        // The positions and lines in a view are deleted with it.
        let removed: HashSet<&str> = views.removed.iter().map(|view| view.id.as_str()).collect();
        let places = match wanted.places {
            Some(wanted) => Difference::make_unordered(
                old_places,
                wanted.into_iter().map(|one| one.into_row(workspace_id)).collect(),
            ),
            None => without(old_places, |row| removed.contains(&*row.view_id)),
        };
        let lines = match wanted.lines {
            Some(wanted) => Difference::make_unordered(
                old_lines,
                wanted.into_iter().map(|one| one.into_row(workspace_id)).collect(),
            ),
            None => without(old_lines, |row| removed.contains(&*row.view_id)),
        };
        Ok(Self { views, places, lines, tours: tours.transpose()?.unwrap_or_else(Difference::nothing) })
    }

    /// The rows that are written in this way.
    pub(super) fn ids(&self, write: RowWrite) -> ImportedRows {
        ImportedRows {
            views: self.views.keys(write),
            view_places: self.places.keys(write),
            view_lines: self.lines.keys(write),
            tours: self.tours.keys(write),
            ..ImportedRows::default()
        }
    }

    /// Deletes rows. Must run before components and relationships are deleted.
    pub(super) fn remove(&self, set: &mut ChangeSet<'_, '_>) -> Result<()> {
        self.places.removed.iter().try_for_each(|row| set.remove(row))?;
        self.lines.removed.iter().try_for_each(|row| set.remove(row))?;
        self.views.removed.iter().try_for_each(|row| set.remove(row))?;
        self.tours.removed.iter().try_for_each(|row| set.remove(row))
    }

    /// Creates and updates rows. Must run after components and relationships are created.
    pub(super) fn write(self, set: &mut ChangeSet<'_, '_>) -> Result<()> {
        self.views.write(set)?;
        self.places.write(set)?;
        self.lines.write(set)?;
        self.tours.write(set).map(drop)
    }
}

/// A difference that only deletes the rows for which `is_removed` holds.
fn without<R: Record>(existing: Vec<R>, is_removed: impl Fn(&R) -> bool) -> Difference<R> {
    let removed = existing.into_iter().filter(|row| is_removed(row)).collect();
    Difference { rows: Vec::new(), removed }
}
