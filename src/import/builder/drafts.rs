//! What readers hand over.

use std::collections::HashMap;

use serde_json::Value;

use crate::import::processes::Event;

/// A component of a builder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(in crate::import) struct C(pub(super) usize);

/// A person of a builder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::import) struct P(pub(super) usize);

/// A team of a builder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::import) struct T(pub(super) usize);

/// The teams and people that owners name, by their name in lowercase.
#[derive(Default)]
pub(in crate::import) struct Owners {
    pub(in crate::import) teams: HashMap<String, T>,
    pub(in crate::import) people: HashMap<String, P>,
}

/// A place in the source: the index of a file in the set, and a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(in crate::import) struct At {
    pub(in crate::import) file: usize,
    pub(in crate::import) line: u32,
}

impl At {
    pub(in crate::import) fn new(file: usize, line: u32) -> Self {
        Self { file, line }
    }
}

/// A component to add. Texts are given as written.
#[derive(Debug, Clone, Default)]
pub(in crate::import) struct Draft {
    /// Key in the source.
    pub(in crate::import) key: String,
    /// An id that the author chose.
    pub(in crate::import) id: Option<String>,
    pub(in crate::import) name: String,
    pub(in crate::import) description: Option<String>,
    /// A type that the author chose.
    pub(in crate::import) explicit: Option<String>,
    /// Shape in the drawing.
    pub(in crate::import) shape: Option<String>,
    /// The type without other hints.
    pub(in crate::import) level: &'static str,
    /// Whether only a chosen type is stronger than `level`.
    pub(in crate::import) is_fixed: bool,
    /// Whether the component only groups others.
    pub(in crate::import) is_box: bool,
    pub(in crate::import) tags: Vec<String>,
    pub(in crate::import) technology: Vec<String>,
    /// Owners: names of teams, `team:NAME` or `person:NAME`.
    pub(in crate::import) owners: Vec<String>,
    /// Properties. Some names have a meaning: `planroom.type`, `planroom.id`, `planroom.owner`, `planroom.technology`,
    /// `lifecycle` and `url`.
    pub(in crate::import) properties: Vec<(String, Value)>,
    /// Titles and addresses. Those that are not web addresses are left out.
    pub(in crate::import) links: Vec<(Option<String>, String)>,
    /// Top left corner.
    pub(in crate::import) position: Option<(f64, f64)>,
    pub(in crate::import) at: At,
}

impl Draft {
    pub(in crate::import) fn new(key: impl Into<String>, name: impl Into<String>, level: &'static str, at: At) -> Self {
        Self { key: key.into(), name: name.into(), level, at, ..Self::default() }
    }

    /// A component that only groups others.
    pub(in crate::import) fn group(key: impl Into<String>, name: impl Into<String>, at: At) -> Self {
        Self { is_fixed: true, is_box: true, ..Self::new(key, name, "group", at) }
    }

    /// Adds a property, unless its value is empty.
    pub(in crate::import) fn property(&mut self, name: &str, value: impl Into<Value>) {
        let value = value.into();
        if value != Value::String(String::new()) && !value.is_null() {
            self.properties.push((name.to_owned(), value));
        }
    }

    /// Adds a technology as written, which may be a list with commas.
    pub(in crate::import) fn technologies(&mut self, text: &str) {
        self.technology.extend(crate::import::text::list(text));
    }
}

/// A relationship to add.
#[derive(Debug, Clone)]
pub(in crate::import) struct Arrow {
    pub(in crate::import) from: C,
    pub(in crate::import) to: C,
    pub(in crate::import) label: String,
    pub(in crate::import) technology: Vec<String>,
    /// The type, if the source says it; otherwise it follows from the ends, the label and the technology.
    pub(in crate::import) type_id: Option<&'static str>,
    /// Whether it goes in both directions.
    pub(in crate::import) is_bidirectional: bool,
    pub(in crate::import) properties: Vec<(String, Value)>,
    /// An id that the author chose.
    pub(in crate::import) id: Option<String>,
    /// Key in the source, if it has a stable one. Otherwise the key is made of both ends and the label.
    pub(in crate::import) key: Option<String>,
    pub(in crate::import) at: At,
}

impl Arrow {
    pub(in crate::import) fn new(from: C, to: C, at: At) -> Self {
        Self {
            from,
            to,
            label: String::new(),
            technology: Vec::new(),
            type_id: None,
            is_bidirectional: false,
            properties: Vec::new(),
            id: None,
            key: None,
            at,
        }
    }
}

/// A person to add.
#[derive(Debug, Clone, Default)]
pub(in crate::import) struct PersonDraft {
    pub(in crate::import) key: String,
    pub(in crate::import) name: String,
    pub(in crate::import) email: Option<String>,
    pub(in crate::import) title: Option<String>,
    pub(in crate::import) properties: Vec<(String, Value)>,
    pub(in crate::import) at: At,
}

/// A team to add.
#[derive(Debug, Clone, Default)]
pub(in crate::import) struct TeamDraft {
    pub(in crate::import) key: String,
    pub(in crate::import) name: String,
    pub(in crate::import) description: Option<String>,
    pub(in crate::import) properties: Vec<(String, Value)>,
    pub(in crate::import) members: Vec<P>,
    pub(in crate::import) at: At,
}

/// A person or a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::import) enum Holder {
    Person(P),
    Team(T),
}

/// A process to add.
#[derive(Debug, Clone, Default)]
pub(in crate::import) struct ProcessDraft {
    pub(in crate::import) key: String,
    pub(in crate::import) name: String,
    pub(in crate::import) description: Option<String>,
    pub(in crate::import) events: Vec<Event<C>>,
    pub(in crate::import) at: At,
}

/// A view to add.
#[derive(Debug, Clone, Default)]
pub(in crate::import) struct ViewDraft {
    pub(in crate::import) key: String,
    pub(in crate::import) name: String,
    pub(in crate::import) description: Option<String>,
    pub(in crate::import) components: Vec<C>,
    /// Top left corners.
    pub(in crate::import) positions: Vec<(C, f64, f64)>,
    /// Whether relationships of parts that the view does not show are drawn on the components that contain them.
    pub(in crate::import) implies_relationships: bool,
    pub(in crate::import) at: At,
}
