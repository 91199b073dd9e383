//! Positions of components that have none: new components, those that a tool call placed before it knew their group or
//! their relationships, and those that the tool `arrange_components` arranges.
//!
//! A new component goes to a free cell of its group; otherwise the group grows to the right or down, as far as there is
//! nothing; otherwise it goes where it covers the least, and the caller reports the overlaps. Outside of groups it goes
//! beside the component that it has the most relationships with, otherwise to the end of the map. Several new components
//! that are connected, and the contents of a new group, are arranged in layers first. Nothing else is moved.
//!
//! Notes and images are in the way like components, unless they are drawn below components. Frames are not, because they
//! are drawn around components.

mod geometry;
mod in_group;
mod layered;
mod nested;
mod nodes;
mod overlaps;
mod placing;
mod ranks;
mod room;
#[cfg(test)]
mod tests;

pub use self::nodes::Map;
pub(in crate::domain) use self::{
    geometry::{Extent, Point, card_size, image_size, label_width, note_size},
    nodes::Item,
    overlaps::caused,
    placing::{place, rearrange},
};
pub use super::model::overlaps::Overlaps;
