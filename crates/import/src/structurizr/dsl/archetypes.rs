//! Archetypes: types of elements and relationships with defaults.

use std::{collections::HashMap, rc::Rc};

/// Maximum number of archetypes.
const MAX_ARCHETYPES: usize = 1_000;

/// Maximum length of the name of an archetype, in bytes.
const MAX_NAME_BYTES: usize = 200;

/// What a keyword creates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keyword {
    Person,
    System,
    Container,
    Component,
    Custom,
    Group,
    Environment,
    DeploymentNode,
    InfrastructureNode,
    Instance,
    Relationship,
}

const KEYWORDS: [(&str, Keyword); 13] = [
    ("person", Keyword::Person),
    ("softwaresystem", Keyword::System),
    ("container", Keyword::Container),
    ("component", Keyword::Component),
    ("element", Keyword::Custom),
    ("group", Keyword::Group),
    ("enterprise", Keyword::Group),
    ("deploymentenvironment", Keyword::Environment),
    ("deploymentnode", Keyword::DeploymentNode),
    ("infrastructurenode", Keyword::InfrastructureNode),
    ("softwaresysteminstance", Keyword::Instance),
    ("containerinstance", Keyword::Instance),
    ("instanceof", Keyword::Instance),
];

/// A keyword with its defaults.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Archetype {
    pub(super) keyword: Keyword,
    pub(super) description: String,
    pub(super) technology: String,
    pub(super) tags: Vec<String>,
    pub(super) properties: Vec<(String, String)>,
}

/// All archetypes by name.
#[derive(Debug, Default)]
pub(super) struct Archetypes {
    known: HashMap<String, Rc<Archetype>>,
}

impl Archetypes {
    /// The archetype with a name, or the built-in keyword.
    pub(super) fn find(&self, word: &str) -> Option<Rc<Archetype>> {
        if word.len() > MAX_NAME_BYTES {
            return None;
        }
        let word = word.to_lowercase();
        if let Some(own) = self.known.get(&word) {
            return Some(Rc::clone(own));
        }
        let keyword = KEYWORDS.iter().find(|(known, _)| *known == word)?.1;
        Some(Rc::new(Archetype::of(keyword)))
    }

    /// The archetype of an arrow such as `--https->`; the plain one for `->`.
    pub(super) fn arrow(&self, arrow: &str) -> Option<Rc<Archetype>> {
        let own = if arrow == "->" {
            self.known.get("->")
        } else {
            let name = arrow.strip_prefix("--")?.strip_suffix("->")?.to_lowercase();
            self.known.get(&name).filter(|own| own.keyword == Keyword::Relationship)
        };
        Some(own.cloned().unwrap_or_else(|| Rc::new(Archetype::of(Keyword::Relationship))))
    }

    /// Declares an archetype that is based on a keyword, an arrow or another archetype.
    pub(super) fn declare(&mut self, name: &str, base: &str) -> Option<String> {
        let base = if base.ends_with("->") { self.arrow(base)? } else { self.find(base)? };
        let name = name.to_lowercase();
        if self.known.len() >= MAX_ARCHETYPES || name.len() > MAX_NAME_BYTES {
            return None;
        }
        self.known.insert(name.clone(), base);
        Some(name)
    }

    pub(super) fn edit(&mut self, name: &str) -> Option<&mut Archetype> {
        self.known.get_mut(name).map(Rc::make_mut)
    }

    /// The memory that editing an archetype copies, in bytes: 0 unless its defaults are shared.
    pub(super) fn copied_bytes(&self, name: &str) -> usize {
        self.known.get(name).filter(|own| Rc::strong_count(own) > 1).map_or(0, |own| own.estimated_bytes())
    }
}

impl Archetype {
    /// Estimated memory of the defaults, in bytes.
    pub(super) fn estimated_bytes(&self) -> usize {
        const TEXT_BYTES: usize = 40;
        let properties = self.properties.iter().flat_map(|(name, value)| [name, value]);
        let texts = self.tags.iter().chain(properties).map(|text| TEXT_BYTES + text.len()).sum::<usize>();
        size_of::<Self>() + self.description.len() + self.technology.len() + texts
    }

    fn of(keyword: Keyword) -> Self {
        Self {
            keyword,
            description: String::new(),
            technology: String::new(),
            tags: Vec::new(),
            properties: Vec::new(),
        }
    }
}
