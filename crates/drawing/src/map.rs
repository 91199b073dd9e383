//! What is drawn: a map without any personal data. All coordinates and sizes are in map units, pixels at zoom 1.

use std::collections::HashSet;

/// A map, or a part of one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Map {
    /// The title of the image: the name of the workspace, the view or the part.
    pub title: String,
    /// Components, in their order.
    pub components: Vec<Component>,
    /// Relationships, in their order, without containment, which `Component::parent` describes. Those whose ends are not
    /// in `components` are ignored.
    pub relationships: Vec<Relationship>,
    /// Notes, frames and images, in drawing order.
    pub notes: Vec<Note>,
    /// Keys of components and relationships to emphasize: all others are drawn faintly. Empty to draw all alike.
    pub highlighted: HashSet<String>,
    /// A text below the map. Empty for none.
    pub caption: String,
}

/// A component.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Component {
    /// The id, or an ordinal such as `c12` where ids must not be known. Unique among the components.
    pub key: String,
    /// Name.
    pub name: String,
    /// Type id of the catalog, which determines the shape. Empty for what is no component, such as a participant of a
    /// process: then the key is not in the drawing.
    pub type_id: String,
    /// Name of the type or kind.
    pub type_name: String,
    /// Color of the type or kind, `#RRGGBB`. Gray if it is not a color.
    pub color: String,
    /// Name of the Lucide icon of the type or kind.
    pub icon: String,
    /// Name of the technology whose logo its kind has. It replaces the icon and the logo of a technology.
    pub logo: Option<String>,
    /// Technologies; the first one with a logo replaces the icon, and the first one is a part of the small text.
    pub technology: Vec<String>,
    /// Description; its first paragraph is drawn. Empty for none.
    pub description: String,
    /// Whether the card leaves room for an owner, so that it is as large as on the map. Owners themselves are not drawn.
    pub has_owner: bool,
    /// Id of the lifecycle state.
    pub lifecycle: Option<String>,
    /// Key of the component that contains it.
    pub parent: Option<String>,
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Own width of a group.
    pub width: Option<f64>,
    /// Own height of a group.
    pub height: Option<f64>,
}

/// A relationship.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Relationship {
    /// The id or an ordinal. Unique among the relationships.
    pub key: String,
    /// Key of the source.
    pub from: String,
    /// Key of the target.
    pub to: String,
    /// Type id of the catalog.
    pub type_id: String,
    /// Name of the type.
    pub type_name: String,
    /// Color of the type, `#RRGGBB`.
    pub color: String,
    /// Whether it has an arrow head. Others are dashed.
    pub directed: bool,
    /// Label; empty for none.
    pub label: String,
    /// Points that its line passes through, each `(x, y)`.
    pub via: Vec<(f64, f64)>,
    /// Whether its line is straight instead of routed.
    pub straight: bool,
    /// Position of the label's center on the line, from 0 (source) to 1 (target).
    pub label_at: Option<f64>,
}

/// A note, a frame or an image.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// What it is.
    pub kind: NoteKind,
    /// Markdown of a note, the title of a frame, or the description of an image.
    pub text: String,
    /// `#RRGGBB`.
    pub color: String,
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// Whether it is drawn under the components.
    pub behind: bool,
}

/// The kind of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoteKind {
    /// A sheet with text.
    Note,
    /// A frame with a title above it.
    Frame,
    /// An image. Images of the server contain an empty box with its description.
    Image,
}
