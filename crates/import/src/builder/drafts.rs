//! What readers hand over.

use std::collections::HashMap;

use serde_json::Value;

use crate::processes::Event;

/// Memory of a row with its key and IDs but without its texts, in bytes.
pub(super) const ROW_BYTES: usize = 900;
/// Memory of a property map, in bytes. A map allocates capacity for several entries.
const MAP_BYTES: usize = 700;
/// Memory of a reference to another row, in bytes.
pub(super) const LINK_BYTES: usize = 60;
/// Steps for serializing and parsing an event of a process.
pub(super) const EVENT_STEPS: usize = 30;
/// Memory overhead of a string, in bytes.
pub(super) const TEXT_BYTES: usize = 40;

/// Estimated memory of a draft and of its row, in bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct MemoryEstimate {
    pub(super) draft: usize,
    pub(super) row: usize,
}

impl MemoryEstimate {
    /// Estimates the memory of a draft of type `T`, whose texts have this total length.
    fn of<T>(texts: usize, properties: &[(String, Value)]) -> Self {
        let own = properties.iter().map(|(name, value)| 2 * TEXT_BYTES + name.len() + value_bytes(value));
        let bytes = texts + own.sum::<usize>();
        let map = if properties.is_empty() { 0 } else { MAP_BYTES };
        Self { draft: 2 * size_of::<T>() + bytes, row: ROW_BYTES + bytes + map }
    }
}

/// A component of a builder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct C(pub(super) usize);

/// A person of a builder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct P(pub(super) usize);

/// A team of a builder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct T(pub(super) usize);

/// The teams and people that owners name, by their name in lowercase.
#[derive(Default)]
pub(crate) struct Owners {
    pub(crate) teams: HashMap<String, T>,
    pub(crate) people: HashMap<String, P>,
}

/// A place in the source: the index of a file in the set, and a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct At {
    pub(crate) file: usize,
    pub(crate) line: u32,
}

impl At {
    pub(crate) fn new(file: usize, line: u32) -> Self {
        Self { file, line }
    }
}

/// A component to add. Texts are given as written.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says where something of the component comes from")]
pub(crate) struct Draft {
    /// Key in the source.
    pub(crate) key: String,
    /// An id that the author chose.
    pub(crate) id: Option<String>,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    /// A type that the author chose.
    pub(crate) explicit: Option<String>,
    /// Shape in the drawing.
    pub(crate) shape: Option<String>,
    /// The type without other hints.
    pub(crate) level: &'static str,
    /// Whether only a chosen type is stronger than `level`.
    pub(crate) is_fixed: bool,
    /// Whether the component only groups others.
    pub(crate) is_box: bool,
    pub(crate) tags: Vec<String>,
    pub(crate) technology: Vec<String>,
    /// Whether the author chose the technologies.
    pub(crate) states_technology: bool,
    /// Whether the name is only that of a folder or repository.
    pub(crate) has_place_name: bool,
    /// Owners: names of teams, `team:NAME` or `person:NAME`.
    pub(crate) owners: Vec<String>,
    /// Properties. Some names have a meaning: `planroom.type`, `planroom.id`, `planroom.owner`, `planroom.technology`,
    /// `lifecycle` and `url`.
    pub(crate) properties: Vec<(String, Value)>,
    /// Titles and addresses. Those that are not web addresses are left out.
    pub(crate) links: Vec<(Option<String>, String)>,
    /// Top left corner.
    pub(crate) position: Option<(f64, f64)>,
    pub(crate) at: At,
}

impl Draft {
    pub(crate) fn new(key: impl Into<String>, name: impl Into<String>, level: &'static str, at: At) -> Self {
        Self { key: key.into(), name: name.into(), level, at, ..Self::default() }
    }

    /// A component that only groups others.
    pub(crate) fn group(key: impl Into<String>, name: impl Into<String>, at: At) -> Self {
        Self { is_fixed: true, is_box: true, ..Self::new(key, name, "group", at) }
    }

    pub(super) fn memory_estimate(&self) -> MemoryEstimate {
        let texts = [&self.id, &self.description, &self.explicit, &self.shape].into_iter().flatten().map(String::len);
        let lists = [&self.tags, &self.technology, &self.owners].into_iter().flatten();
        let links = self.links.iter().map(|(title, url)| title.as_ref().map_or(0, String::len) + url.len());
        let bytes = lists.map(|text| TEXT_BYTES + text.len()).sum::<usize>()
            + texts.sum::<usize>()
            + links.map(|bytes| 2 * TEXT_BYTES + bytes).sum::<usize>()
            + self.key.len()
            + self.name.len();
        MemoryEstimate::of::<Self>(bytes, &self.properties)
    }

    /// Adds a property, unless its value is empty.
    pub(crate) fn property(&mut self, name: &str, value: impl Into<Value>) {
        let value = value.into();
        if value != Value::String(String::new()) && !value.is_null() {
            self.properties.push((name.to_owned(), value));
        }
    }

    /// Adds a technology as written, which may be a list with commas.
    pub(crate) fn technologies(&mut self, text: &str) {
        self.technology.extend(crate::text::list(text));
    }
}

/// A relationship to add.
#[derive(Debug, Clone)]
pub(crate) struct Arrow {
    pub(crate) from: C,
    pub(crate) to: C,
    pub(crate) label: String,
    pub(crate) technology: Vec<String>,
    /// The type, if the source says it; otherwise it follows from the ends, the label and the technology.
    pub(crate) type_id: Option<&'static str>,
    /// Whether it goes in both directions.
    pub(crate) is_bidirectional: bool,
    pub(crate) properties: Vec<(String, Value)>,
    /// An id that the author chose.
    pub(crate) id: Option<String>,
    /// Key in the source, if it has a stable one. Otherwise the key is made of both ends and the label.
    pub(crate) key: Option<String>,
    pub(crate) at: At,
}

impl Arrow {
    pub(crate) fn new(from: C, to: C, at: At) -> Self {
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

impl Arrow {
    pub(super) fn memory_estimate(&self) -> MemoryEstimate {
        let bytes = self.technology.iter().map(|text| TEXT_BYTES + text.len()).sum::<usize>()
            + self.label.len()
            + [&self.id, &self.key].into_iter().flatten().map(String::len).sum::<usize>();
        MemoryEstimate::of::<Self>(bytes, &self.properties)
    }
}

/// Estimated memory of a value, in bytes.
fn value_bytes(value: &Value) -> usize {
    size_of::<Value>()
        + 16
        + match value {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(value_bytes).sum(),
            Value::Object(fields) => {
                let each = |(name, value): (&String, &Value)| 2 * TEXT_BYTES + name.len() + value_bytes(value);
                MAP_BYTES + fields.iter().map(each).sum::<usize>()
            }
            _ => 0,
        }
}

/// A person to add.
#[derive(Debug, Clone, Default)]
pub(crate) struct PersonDraft {
    pub(crate) key: String,
    pub(crate) name: String,
    pub(crate) email: Option<String>,
    pub(crate) title: Option<String>,
    pub(crate) properties: Vec<(String, Value)>,
    pub(crate) at: At,
}

/// A team to add.
#[derive(Debug, Clone, Default)]
pub(crate) struct TeamDraft {
    pub(crate) key: String,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) properties: Vec<(String, Value)>,
    pub(crate) members: Vec<P>,
    pub(crate) at: At,
}

impl PersonDraft {
    pub(super) fn memory_estimate(&self) -> MemoryEstimate {
        let texts = [&self.email, &self.title].into_iter().flatten().map(String::len).sum::<usize>();
        MemoryEstimate::of::<Self>(self.key.len() + self.name.len() + texts, &self.properties)
    }
}

impl TeamDraft {
    pub(super) fn memory_estimate(&self) -> MemoryEstimate {
        let description = self.description.as_ref().map_or(0, String::len);
        MemoryEstimate::of::<Self>(self.key.len() + self.name.len() + description, &self.properties)
    }
}

/// A person or a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Holder {
    Person(P),
    Team(T),
}

/// A process to add.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProcessDraft {
    pub(crate) key: String,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) events: Vec<Event<C>>,
    pub(crate) at: At,
}

impl ProcessDraft {
    pub(super) fn memory_estimate(&self) -> MemoryEstimate {
        let events = self.events.iter().map(|event| size_of::<Event<C>>() + event.text().len()).sum::<usize>();
        let texts = self.key.len() + self.name.len() + self.description.as_ref().map_or(0, String::len);
        MemoryEstimate::of::<Self>(texts + events, &[])
    }
}

/// A view to add.
#[derive(Debug, Clone, Default)]
pub(crate) struct ViewDraft {
    pub(crate) key: String,
    pub(crate) name: String,
    pub(crate) description: Option<String>,
    pub(crate) components: Vec<C>,
    /// Top left corners.
    pub(crate) positions: Vec<(C, f64, f64)>,
    /// Whether relationships of parts that the view does not show are drawn on the components that contain them.
    pub(crate) implies_relationships: bool,
    pub(crate) at: At,
}

impl ViewDraft {
    pub(super) fn memory_estimate(&self) -> MemoryEstimate {
        let texts = self.key.len() + self.name.len() + self.description.as_ref().map_or(0, String::len);
        MemoryEstimate::of::<Self>(texts + LINK_BYTES * (self.components.len() + self.positions.len()), &[])
    }
}
