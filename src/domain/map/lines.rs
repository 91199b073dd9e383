//! Lines: how relationships are drawn.

pub use super::model::lines::{Fraction, LineShape, RelationshipLine, Waypoints};
