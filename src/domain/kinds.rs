//! The kinds of rows in the change log, and which features support them.
//!
//! The table is the checklist for a new kind of row: every column is either `Yes` or the reason why not. Tests compare
//! it with the code and the API.

use super::core::Entity;

/// Whether a feature supports a kind of row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Supported.
    Yes,
    /// Not supported, for this reason.
    No(&'static str),
}

/// A kind of row and the features that support it.
#[derive(Debug)]
pub struct RowKind {
    /// Name in the change log, in events and in the history.
    pub name: &'static str,
    /// `POST …/operations` writes it.
    pub operations: Part,
    /// Followers of a workspace receive its changes.
    pub events: Part,
    /// The history of a workspace lists its changes.
    pub history: Part,
    /// Undo and restore write it.
    pub undo: Part,
    /// `?at=` returns past states.
    pub past: Part,
    /// Named versions contain it.
    pub versions: Part,
    /// The difference between two revisions compares it.
    pub difference: Part,
    /// The bundle of a workspace contains it.
    pub bundle: Part,
    /// Exports contain it, and imports write it.
    pub document: Part,
    /// Its creation can be retried with an `Idempotency-Key`.
    pub idempotency: Part,
    /// A quota limits its number.
    pub quotas: Part,
    /// Its endpoints are listed in the permission matrix.
    pub permissions: Part,
    /// MCP tools write it.
    pub mcp: Part,
}

impl RowKind {
    /// The columns of the table, by name.
    pub fn columns(&self) -> [(&'static str, Part); 13] {
        [
            ("operations", self.operations),
            ("events", self.events),
            ("history", self.history),
            ("undo", self.undo),
            ("past", self.past),
            ("versions", self.versions),
            ("difference", self.difference),
            ("bundle", self.bundle),
            ("document", self.document),
            ("idempotency", self.idempotency),
            ("quotas", self.quotas),
            ("permissions", self.permissions),
            ("mcp", self.mcp),
        ]
    }
}

/// A row of the map: supported by all features.
const MAP: RowKind = RowKind {
    name: "",
    operations: Part::Yes,
    events: Part::Yes,
    history: Part::Yes,
    undo: Part::Yes,
    past: Part::Yes,
    versions: Part::Yes,
    difference: Part::Yes,
    bundle: Part::Yes,
    document: Part::Yes,
    idempotency: Part::Yes,
    quotas: Part::Yes,
    permissions: Part::Yes,
    mcp: Part::Yes,
};

const OF_DIRECTORY: Part = Part::No("belongs to the organization, not to a workspace");
const MANY_WORKSPACES: Part = Part::No("belongs to the organization and is shown in all of its workspaces");
const TODAYS: Part = Part::No("stakeholders show the people, teams and roles of today");

/// A row of an organization's directory.
const DIRECTORY: RowKind = RowKind {
    name: "",
    operations: OF_DIRECTORY,
    events: Part::Yes,
    history: OF_DIRECTORY,
    undo: MANY_WORKSPACES,
    past: TODAYS,
    versions: TODAYS,
    difference: TODAYS,
    bundle: Part::No("has lists of its own; the bundle shows people and teams within stakeholders"),
    document: Part::Yes,
    idempotency: Part::Yes,
    quotas: Part::Yes,
    permissions: Part::Yes,
    mcp: Part::Yes,
};

/// The table of row kinds.
pub const KINDS: [RowKind; 11] = [
    RowKind { name: Entity::Workspace.as_str(), ..MAP },
    RowKind {
        name: Entity::Member.as_str(),
        operations: Part::No("access is decided by owners, operations are applied by editors"),
        undo: Part::No("access that was revoked must not come back by an undo"),
        past: Part::No("who has access is of the present, whatever state is shown"),
        versions: Part::No("a restored version must not change who has access"),
        difference: Part::No("compares what the map says, not who may see it"),
        bundle: Part::No("has a list of its own, which the screen of members reads"),
        document: Part::No("belongs to this instance, and a file holds nothing of it"),
        quotas: Part::No("there are at most as many as the organization has members"),
        mcp: Part::No("assistants do not decide about access"),
        ..MAP
    },
    RowKind { name: Entity::Component.as_str(), ..MAP },
    RowKind { name: Entity::Relationship.as_str(), ..MAP },
    RowKind { name: Entity::Stakeholder.as_str(), ..MAP },
    RowKind {
        name: Entity::Link.as_str(),
        bundle: Part::No("the bundle of the present is fixed by the specification; past states contain links"),
        ..MAP
    },
    RowKind { name: Entity::Process.as_str(), ..MAP },
    RowKind { name: Entity::Person.as_str(), ..DIRECTORY },
    RowKind { name: Entity::Team.as_str(), ..DIRECTORY },
    RowKind {
        name: Entity::TeamMember.as_str(),
        quotas: Part::No("there are at most as many in a team as the organization has people"),
        ..DIRECTORY
    },
    RowKind {
        name: Entity::Role.as_str(),
        mcp: Part::No("roles are created by administrators, in the settings of the organization"),
        ..DIRECTORY
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::domain::{history::ChangedKind, operations::OperationKind};

    /// The names of the kinds that a feature supports.
    fn with(part: impl Fn(&RowKind) -> Part) -> BTreeSet<&'static str> {
        KINDS.iter().filter(|kind| part(kind) == Part::Yes).map(|kind| kind.name).collect()
    }

    #[test]
    fn every_kind_that_is_logged_has_a_row() {
        let logged: Vec<&str> = Entity::ALL.iter().map(|entity| entity.as_str()).collect();
        let listed: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        assert_eq!(listed, logged);
    }

    #[test]
    fn every_column_that_is_not_yes_has_a_reason() {
        for kind in &KINDS {
            for (column, part) in kind.columns() {
                if let Part::No(reason) = part {
                    assert!(reason.split(' ').count() > 3, "{}: {column} needs a reason", kind.name);
                }
            }
        }
    }

    #[test]
    fn operations_and_history_know_the_kinds_of_the_table() {
        assert_eq!(with(|kind| kind.operations), OperationKind::ALL.iter().map(|kind| kind.as_str()).collect());
        assert_eq!(with(|kind| kind.history), ChangedKind::ALL.iter().map(|kind| kind.as_str()).collect());
    }
}
