//! Routes lines around cards and the titles of groups, and places their labels.
//!
//! A port of `assets/web/src/core/route`, file by file and with the same order of calculations, so that the lines of an image
//! are those of the freshly opened map. Both implementations read `rules.json` and must return the polylines in `cases` and the
//! labels in `labelCases`. What the web client needs for changes of a map is not here: an image is routed once.
//!
//! The work is limited by [`Work`](crate::work::Work), so that the map of one user does not delay the images of others.
//! When no work remains, further lines are not routed and further labels are not placed.

mod facing;
mod heap;
mod labels;
mod obstacles;
mod ordering;
mod pieces;
mod polyline;
mod rect_index;
mod router;
mod rules;
mod search;
mod spread;
mod track_graph;
mod trunks;
mod types;
mod waypoints;

pub(super) use self::{
    labels::{LabelPlacer, LabelText, PlacedLabel},
    router::route_lines,
    rules::RULES,
    types::{RouteInput, RouteLine, RouteNode},
};
use super::work;

#[cfg(test)]
mod tests;
