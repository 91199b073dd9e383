//! Writers of maps in the formats of other tools.
//!
//! Pure: from a [`Map`] to the text of a file. What a format cannot hold is left out, and listed in a comment of the file
//! where the format has comments. The readers in the crate `import` read all files back; in draw.io files, every row keeps its ID.
//!
//! Names and texts are hostile: each writer has a function that quotes them, and tests read random maps back.

mod c4;
mod drawio;
mod map;
mod structurizr;
#[cfg(test)]
mod tests;
mod text;
mod tree;
mod types;

pub use self::map::{Component, Map, Owner, Process, Rect, Relationship, Step};
use self::tree::Tree;

macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident = $id:literal, $extension:literal, $media_type:literal);+ $(;)?) => {
        /// A format of another tool.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Format {
            $($(#[$doc])* $name),+
        }

        impl Format {
            /// All formats.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The ID of the format, for command lines and requests.
            pub fn id(self) -> &'static str {
                match self { $(Self::$name => $id),+ }
            }

            /// The extension of its files, without a leading dot.
            pub fn extension(self) -> &'static str {
                match self { $(Self::$name => $extension),+ }
            }

            /// The media type of its files.
            pub fn media_type(self) -> &'static str {
                match self { $(Self::$name => $media_type),+ }
            }
        }
    };
}

formats! {
    /// A Structurizr workspace in its DSL.
    StructurizrDsl = "structurizr-dsl", "dsl", "text/plain; charset=utf-8";
    /// A Structurizr workspace as JSON, with positions.
    StructurizrJson = "structurizr-json", "structurizr.json", "application/vnd.structurizr+json";
    /// A C4 diagram in Mermaid.
    MermaidC4 = "mermaid-c4", "mmd", "text/plain; charset=utf-8";
    /// A C4 diagram in `PlantUML`.
    PlantUmlC4 = "plantuml-c4", "puml", "text/plain; charset=utf-8";
    /// A draw.io drawing.
    DrawIo = "drawio", "drawio", "application/xml";
}

impl Format {
    /// The format with an ID.
    pub fn of_id(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.id() == id)
    }
}

/// Writes a map.
pub fn write(format: Format, map: &Map) -> String {
    let tree = Tree::of(map);
    match format {
        Format::StructurizrDsl => structurizr::dsl(map, &tree),
        Format::StructurizrJson => structurizr::json(map, &tree),
        Format::MermaidC4 => c4::mermaid(map, &tree),
        Format::PlantUmlC4 => c4::plantuml(map, &tree),
        Format::DrawIo => drawio::write(map, &tree),
    }
}
