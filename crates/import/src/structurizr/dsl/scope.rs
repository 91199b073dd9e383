//! Identifiers of elements and relationships.

use std::collections::HashMap;

use crate::structurizr::model::ElementIndex;

/// Maximum length of an identifier, in bytes.
const MAX_BYTES: usize = 300;

/// What an identifier stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Element(ElementIndex),
    Relationship(usize),
}

/// All identifiers, in lowercase: they are the same in any case.
#[derive(Debug, Default)]
pub(super) struct Scope {
    known: HashMap<String, Target>,
    /// Whether the identifier of an element begins with that of its parent.
    pub(super) is_hierarchical: bool,
}

impl Scope {
    /// The full identifier of something that is declared inside an element with the identifier `parent`.
    pub(super) fn full(&self, parent: Option<&str>, identifier: &str) -> Option<String> {
        let own = identifier.to_lowercase();
        let full = match parent.filter(|_| self.is_hierarchical) {
            Some(parent) => format!("{parent}.{own}"),
            None => own,
        };
        (full.len() <= MAX_BYTES).then_some(full)
    }

    pub(super) fn add(&mut self, full: String, target: Target) {
        self.known.insert(full, target);
    }

    /// What an identifier stands for inside elements with the identifiers `around`, the innermost first.
    pub(super) fn find<'a>(&self, identifier: &str, around: impl Iterator<Item = &'a str>) -> Option<Target> {
        if identifier.len() > MAX_BYTES {
            return None;
        }
        let own = identifier.to_lowercase();
        let direct = self.known.get(&own).copied();
        let mut relative = around.filter_map(|parent| self.known.get(&format!("{parent}.{own}")).copied());
        if self.is_hierarchical { relative.next().or(direct) } else { direct }
    }
}
