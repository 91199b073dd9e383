//! Positions of components in views.

use super::model::views::{NewViewPlace, ViewPlace};
pub(in crate::domain) use super::store::view_places::{of_component, of_view};
use crate::{
    domain::{
        core::{EditTx, RowMetadata},
        values::Coordinate,
    },
    error::Result,
};

/// Sets the position of a component in a view, whether or not it has one. The view and the component must exist.
pub(in crate::domain) fn put(
    tx: &mut EditTx<'_>,
    view_id: &str,
    component_id: &str,
    (x, y): (Coordinate, Coordinate),
) -> Result<ViewPlace> {
    match tx.find::<ViewPlace>(&ViewPlace::key_of(view_id, component_id))? {
        Some(before) => tx.update(&before, ViewPlace { x: x.get(), y: y.get(), ..before.clone() }),
        None => tx.create(ViewPlace {
            view_id: view_id.to_owned(),
            component_id: component_id.to_owned(),
            workspace_id: tx.workspace().id.clone(),
            x: x.get(),
            y: y.get(),
            metadata: RowMetadata::default(),
        }),
    }
}

impl NewViewPlace {
    /// Converts the request to a row.
    pub(in crate::domain) fn into_row(self, workspace_id: &str) -> ViewPlace {
        ViewPlace {
            view_id: self.view_id,
            component_id: self.component_id.into(),
            workspace_id: workspace_id.to_owned(),
            x: self.x.get(),
            y: self.y.get(),
            metadata: RowMetadata::default(),
        }
    }
}
