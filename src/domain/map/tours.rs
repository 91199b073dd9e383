//! Tours: ordered stops that explain a workspace.

pub use super::model::tours::{MAX_STOPS, NewTour, NewTourStop, StopTarget, Stops, Tour, TourPatch, TourStop};
use super::model::views::ListPosition;
use crate::{
    domain::{
        core::{EditTx, RowMetadata, ViewTx},
        input::same,
        paging::{Page, Paging},
        slug,
    },
    error::Result,
};

/// Lists the tours of a workspace, in their order.
pub fn list(tx: &ViewTx<'_>, paging: &Paging) -> Result<Page<Tour>> {
    tx.page(paging)
}

/// Reads a tour.
pub fn find(tx: &ViewTx<'_>, id: &str) -> Result<Tour> {
    tx.existing(id)
}

/// Creates a tour.
pub fn create(tx: &mut EditTx<'_>, new: NewTour) -> Result<Tour> {
    let taken = |id: &str| tx.has::<Tour>(id);
    let id = slug::chosen("tour", new.id.clone(), || slug::strict(new.name.as_str(), "tour"), taken)?;
    let position = match new.position {
        Some(position) => position.get(),
        None => tx.next_position::<Tour>()?,
    };
    let row = Tour { position, ..new.into_row(&tx.workspace().id, id)? };
    tx.create(row)
}

/// Updates a tour.
pub fn update(tx: &mut EditTx<'_>, id: &str, patch: TourPatch) -> Result<Tour> {
    let before: Tour = tx.expected(id)?;
    same("id", patch.id.as_deref(), &before.id)?;
    let old = before.clone();
    let after = Tour {
        name: patch.name.map_or(old.name, String::from),
        description: patch.description.map(String::from).or(old.description),
        position: patch.position.map_or(old.position, ListPosition::get),
        stops: patch.stops.map(Stops::of).transpose()?.unwrap_or(old.stops),
        ..old
    };
    tx.update(&before, after)
}

/// Deletes a tour.
pub fn delete(tx: &mut EditTx<'_>, id: &str) -> Result<()> {
    let tour: Tour = tx.expected(id)?;
    tx.delete(&tour)
}

impl NewTour {
    /// Converts the request to a row without a position.
    pub(in crate::domain) fn into_row(self, workspace_id: &str, id: String) -> Result<Tour> {
        Ok(Tour {
            id,
            workspace_id: workspace_id.to_owned(),
            name: self.name.into(),
            description: self.description.map(String::from),
            position: 0,
            stops: Stops::of(self.stops.unwrap_or_default())?,
            metadata: RowMetadata::default(),
        })
    }
}
