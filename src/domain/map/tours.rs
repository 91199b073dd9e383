//! Tours: ordered stops that explain a workspace.

pub use super::model::tours::{MAX_STOPS, NewTour, NewTourStop, StopTarget, Stops, Tour, TourPatch, TourStop};
pub(in crate::domain) use super::store::tours::{find as find_row, list as rows};
use super::{model::views::ListPosition, store};
use crate::{
    domain::{
        core::{EditTx, Reads, RowMetadata, ViewTx},
        input::same,
        paging::{Page, Paging},
        slug,
    },
    error::{Error, Result},
};

const NOT_FOUND: Error = Error::NotFound("tour");

/// Lists the tours of a workspace, in their order.
pub fn list(tx: &ViewTx<'_>, paging: &Paging) -> Result<Page<Tour>> {
    store::tours::page(tx.core().conn, &tx.key(), &paging.window("tours")?)
}

/// Reads a tour.
pub fn find(tx: &ViewTx<'_>, id: &str) -> Result<Tour> {
    store::tours::find(tx.core().conn, &tx.key(), id)?.ok_or(NOT_FOUND)
}

/// Creates a tour.
pub fn create(tx: &mut EditTx<'_>, new: NewTour) -> Result<Tour> {
    let (conn, pk) = (tx.core().conn, tx.pk());
    let taken = |id: &str| store::tours::id_taken(conn, pk, id);
    let id = slug::chosen("tour", new.id.clone(), || slug::strict(new.name.as_str(), "tour"), taken)?;
    let position = match new.position {
        Some(position) => position.get(),
        None => store::tours::next_position(conn, pk)?,
    };
    let row = Tour { position, ..new.into_row(&tx.workspace().id, id)? };
    tx.create(row)
}

/// Updates a tour.
pub fn update(tx: &mut EditTx<'_>, id: &str, patch: TourPatch) -> Result<Tour> {
    let before = find(tx, id)?;
    tx.expect(&before)?;
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
    let tour = find(tx, id)?;
    tx.expect(&tour)?;
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
