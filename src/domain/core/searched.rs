//! The documents of the search index that a transaction changes.
//!
//! There is one document per workspace, component, relationship, process, note and decision. The change log sees every write of a row and
//! notes the documents that the write affects. At the end of the transaction each of them is read and indexed once, in
//! the order of their keys: SQLite writes a part of an FTS5 index to disk whenever a key is smaller than the one before.

use indexmap::IndexSet;
use serde::{Deserialize, Serialize};

use super::scope::Scope;

use crate::describe::ToSchema;

/// Kind of a search result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum HitKind {
    /// A workspace.
    Workspace,
    /// A component.
    Component,
    /// A relationship, matched by its label or id.
    Relationship,
    /// A process, matched by its name, description, or text.
    Process,
    /// A note, frame or image on the map, matched by its text. Its name is the first line.
    Note,
    /// A decision, matched by its title or text.
    Decision,
}

impl HitKind {
    /// All kinds, in the order of equally good results.
    pub const ALL: [Self; 6] =
        [Self::Workspace, Self::Component, Self::Relationship, Self::Process, Self::Note, Self::Decision];

    /// The name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Workspace => "workspace",
            Self::Component => "component",
            Self::Relationship => "relationship",
            Self::Process => "process",
            Self::Note => "note",
            Self::Decision => "decision",
        }
    }
}

/// The documents that contain texts of a row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(in crate::domain) enum Affected {
    /// The row's own document.
    Row(HitKind, String),
    /// The documents of all components that this person is a stakeholder of.
    OfPerson(String),
    /// The documents of all components that this team is a stakeholder of.
    OfTeam(String),
}

/// Documents to index at the end of the transaction, in the order of the writes.
#[derive(Debug, Default)]
pub(in crate::domain) struct Dirty(IndexSet<(Scope, Affected)>);

impl Dirty {
    /// Adds documents.
    pub(super) fn add(&mut self, scope: &Scope, affected: Affected) {
        self.0.insert((scope.clone(), affected));
    }
}

impl IntoIterator for Dirty {
    type Item = (Scope, Affected);
    type IntoIter = indexmap::set::IntoIter<(Scope, Affected)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
