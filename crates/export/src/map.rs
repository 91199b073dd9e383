//! What is written: a map without data that is specific to this instance.

/// A map.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Map {
    /// Name.
    pub name: String,
    /// Description, in Markdown; empty for none.
    pub description: String,
    /// Components, in their order.
    pub components: Vec<Component>,
    /// Relationships, including those that put components into others.
    pub relationships: Vec<Relationship>,
    /// Processes.
    pub processes: Vec<Process>,
}

/// A component.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Component {
    /// ID, unique in the map.
    pub id: String,
    /// Type ID of the catalog.
    pub type_id: String,
    /// Name of the type or of the kind.
    pub type_name: String,
    /// Name.
    pub name: String,
    /// Description, in Markdown; empty for none.
    pub description: String,
    /// Where the component is drawn.
    pub rect: Rect,
    /// Tags.
    pub tags: Vec<String>,
    /// Technologies.
    pub technology: Vec<String>,
    /// People and teams that own it.
    pub owners: Vec<Owner>,
    /// Web addresses of its links.
    pub links: Vec<String>,
    /// Properties with a text, a number or a Boolean.
    pub properties: Vec<(String, String)>,
}

/// An owner of a component.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner {
    /// Name.
    pub name: String,
    /// Whether it is a person, not a team.
    pub is_person: bool,
}

impl Owner {
    /// The owner as file readers know it: `person:NAME` or `team:NAME`.
    pub(crate) fn reference(&self) -> String {
        format!("{}:{}", if self.is_person { "person" } else { "team" }, self.name)
    }
}

/// A rectangle on the map.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rect {
    /// Left edge.
    pub x: f64,
    /// Top edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

/// A relationship.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Relationship {
    /// ID, unique in the map.
    pub id: String,
    /// ID of the source component.
    pub source_id: String,
    /// ID of the target component.
    pub target_id: String,
    /// Type ID of the catalog.
    pub type_id: String,
    /// Name of the type.
    pub type_name: String,
    /// Whether it has a direction.
    pub is_directed: bool,
    /// Label; empty for none.
    pub label: String,
    /// Technologies.
    pub technology: Vec<String>,
    /// Whether it goes in both directions.
    pub is_bidirectional: bool,
}

/// A process.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Process {
    /// ID, unique in the map.
    pub id: String,
    /// Name.
    pub name: String,
    /// Description; empty for none.
    pub description: String,
    /// Its messages between components, in order.
    pub steps: Vec<Step>,
}

/// A message.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Step {
    /// ID of the sender.
    pub source_id: String,
    /// ID of the receiver.
    pub target_id: String,
    /// The message.
    pub text: String,
}
