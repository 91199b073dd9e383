//! The kinds of rows in workspaces and directories, and which features support them.
//!
//! The table is the checklist for a new kind of row: every column is either `Yes` or the reason why not. Tests compare
//! it with the code and the API.

use super::core::Entity;

/// Whether a feature supports a kind of row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
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
    /// The change log records its writes.
    pub log: Support,
    /// `POST …/operations` writes it.
    pub operations: Support,
    /// Followers of a workspace receive its changes.
    pub events: Support,
    /// The history of a workspace lists its changes.
    pub history: Support,
    /// Undo and restore write it.
    pub undo: Support,
    /// `?at=` returns past states.
    pub past: Support,
    /// Named versions contain it.
    pub versions: Support,
    /// The difference between two revisions compares it.
    pub difference: Support,
    /// The bundle of a workspace contains it.
    pub bundle: Support,
    /// Exports contain it, and imports write it.
    pub document: Support,
    /// Its creation can be retried with an `Idempotency-Key`.
    pub idempotency: Support,
    /// Search in all workspaces finds its texts.
    pub search: Support,
    /// A quota limits its number.
    pub quotas: Support,
    /// Its endpoints are listed in the permission matrix.
    pub permissions: Support,
    /// MCP tools write it.
    pub mcp: Support,
}

impl RowKind {
    /// The columns of the table, by name.
    pub fn columns(&self) -> [(&'static str, Support); 15] {
        [
            ("log", self.log),
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
            ("search", self.search),
            ("quotas", self.quotas),
            ("permissions", self.permissions),
            ("mcp", self.mcp),
        ]
    }
}

/// A row of the map: supported by all features.
const MAP: RowKind = RowKind {
    name: "",
    log: Support::Yes,
    operations: Support::Yes,
    events: Support::Yes,
    history: Support::Yes,
    undo: Support::Yes,
    past: Support::Yes,
    versions: Support::Yes,
    difference: Support::Yes,
    bundle: Support::Yes,
    document: Support::Yes,
    idempotency: Support::Yes,
    search: Support::Yes,
    quotas: Support::Yes,
    permissions: Support::Yes,
    mcp: Support::Yes,
};

const OF_DIRECTORY: Support = Support::No("belongs to the organization, not to a workspace");
const MANY_WORKSPACES: Support = Support::No("belongs to the organization and is shown in all of its workspaces");
const TODAYS: Support = Support::No("stakeholders show the people, teams and roles of today");

/// A row of an organization's directory.
const DIRECTORY: RowKind = RowKind {
    name: "",
    log: Support::Yes,
    operations: OF_DIRECTORY,
    events: Support::Yes,
    history: OF_DIRECTORY,
    undo: MANY_WORKSPACES,
    past: TODAYS,
    versions: TODAYS,
    difference: TODAYS,
    bundle: Support::No("has lists of its own; the bundle shows people and teams within stakeholders"),
    document: Support::Yes,
    idempotency: Support::Yes,
    search: Support::Yes,
    quotas: Support::Yes,
    permissions: Support::Yes,
    mcp: Support::Yes,
};

/// The table of row kinds.
pub const KINDS: [RowKind; 23] = [
    RowKind { name: Entity::Workspace.as_str(), ..MAP },
    RowKind {
        name: Entity::Member.as_str(),
        operations: Support::No("access is decided by owners, operations are applied by editors"),
        undo: Support::No("access that was revoked must not come back by an undo"),
        past: Support::No("who has access is of the present, whatever state is shown"),
        versions: Support::No("a restored version must not change who has access"),
        difference: Support::No("compares what the map says, not who may see it"),
        bundle: Support::No("has a list of its own, which the screen of members reads"),
        document: Support::No("belongs to this instance, and a file holds nothing of it"),
        search: Support::No("who has access is listed in the settings of the workspace"),
        quotas: Support::No("there are at most as many as the organization has members"),
        mcp: Support::No("assistants do not decide about access"),
        ..MAP
    },
    RowKind {
        name: "access-request",
        log: Support::No("asks for a change and is none; viewers make it, and only owners read it"),
        operations: Support::No("users who cannot edit make it, operations are applied by editors"),
        events: Support::No("owners and its user receive events of their own, other followers do not"),
        history: Support::No("is not in the log, so that viewers do not read the message to the owners"),
        undo: Support::No("is withdrawn by its user or declined by an owner"),
        past: Support::No("who asks for access is of the present, whatever state is shown"),
        versions: Support::No("a restored version must not change who asks for access"),
        difference: Support::No("compares what the map says, not who may see it"),
        bundle: Support::No("has a list of its own; the workspace contains the number of requests"),
        document: Support::No("belongs to this instance, and a file holds nothing of it"),
        search: Support::No("only owners and its user read it"),
        mcp: Support::No("people ask people for access, not assistants"),
        ..MAP
    },
    RowKind {
        name: "share-link",
        log: Support::No(
            "its address opens the map to others, and viewers read the log; the audit log has its changes",
        ),
        operations: Support::No("access is decided by owners, operations are applied by editors"),
        events: Support::No("only owners read share links, and their screen reads the list"),
        history: Support::No("is not in the log, so that viewers do not learn to whom the map is open"),
        undo: Support::No("access that was revoked must not come back by an undo"),
        past: Support::No("who has access is of the present, whatever state is shown"),
        versions: Support::No("a restored version must not change who has access"),
        difference: Support::No("compares what the map says, not who may see it"),
        bundle: Support::No("only owners read share links, and all members read the bundle"),
        document: Support::No("belongs to this instance, and a copy of a map is not shared"),
        search: Support::No("only owners read share links"),
        mcp: Support::No("assistants do not decide about access"),
        ..MAP
    },
    RowKind {
        name: "source",
        log: Support::No("contains what the files of a source contained; the rows that a sync writes are in the log"),
        operations: Support::No("a sync compares all rows of a source, operations write single rows"),
        events: Support::No("followers receive the rows that a sync writes, and `sources` events"),
        history: Support::No("the history contains the rows that a sync writes"),
        undo: Support::No("undo restores rows, and the next sync finds what an undo deleted"),
        past: Support::No("describes the last sync, whatever state is shown"),
        versions: Support::No("describes the last sync, whatever state is shown"),
        difference: Support::No("compares what the map says; the drift report compares it with sources"),
        bundle: Support::No("has a list of its own, and the drift report contains its rows"),
        quotas: Support::No("the number of sources and of their rows is limited by constants"),
        search: Support::No("a workspace has few sources, and the web client lists them"),
        mcp: Support::No("assistants preview a sync; the command line and the web client run it"),
        ..MAP
    },
    RowKind {
        name: "thread",
        log: Support::No("is about the map and no change of it, and its text can be deleted for good"),
        operations: Support::No("viewers write comments too, operations are applied by editors"),
        events: Support::No("followers receive `comments` events, which are no changes of the map"),
        history: Support::No("is about the map and no change of it"),
        undo: Support::No("undo reverts changes of the map; who wrote a comment edits or deletes it"),
        past: Support::No("a past state is shown with the comments of today"),
        versions: Support::No("a restored version must not remove newer comments"),
        difference: Support::No("compares the contents of the map, not comments"),
        bundle: Support::No("has a list of its own, so that comments do not slow down opening a map"),
        search: Support::No("comments have filters of their own, beside the map"),
        ..MAP
    },
    RowKind {
        name: "draft",
        log: Support::No(
            "is about changes that are not made yet; the log of its own map has them, and that of the merge",
        ),
        operations: Support::No("viewers start drafts too, operations are applied by editors"),
        events: Support::No("followers receive `drafts` events, which are no changes of the map"),
        history: Support::No("the history contains the rows that a merge writes"),
        undo: Support::No("undo reverts what a merge has written; a draft is closed and reopened"),
        past: Support::No("who proposes what is of the present, whatever state is shown"),
        versions: Support::No("a restored version must not change what is proposed"),
        difference: Support::No("compares what the map says; a draft has a comparison of its own"),
        bundle: Support::No("has a list of its own, so that drafts do not slow down opening a map"),
        document: Support::No("belongs to this instance, and a file holds what is real"),
        quotas: Support::No("the number of unfinished drafts is limited by constants"),
        search: Support::No("what is only proposed must not be found as if it were real"),
        ..MAP
    },
    RowKind { name: Entity::Component.as_str(), ..MAP },
    RowKind { name: Entity::Relationship.as_str(), ..MAP },
    RowKind { name: Entity::Stakeholder.as_str(), ..MAP },
    RowKind {
        name: Entity::Link.as_str(),
        bundle: Support::No("the bundle of the present is fixed by the specification; past states contain links"),
        search: Support::No("titles of pages belong to other servers and change there"),
        ..MAP
    },
    RowKind { name: Entity::Process.as_str(), ..MAP },
    RowKind {
        name: Entity::Note.as_str(),
        mcp: Support::No("people write notes for people; assistants read them on request and write descriptions"),
        ..MAP
    },
    RowKind {
        name: Entity::View.as_str(),
        search: Support::No("a workspace has few views, and the web client lists them by name"),
        mcp: Support::Yes,
        ..MAP
    },
    RowKind {
        name: Entity::ViewPlace.as_str(),
        search: Support::No("has no texts of its own"),
        mcp: Support::Yes,
        ..MAP
    },
    RowKind {
        name: Entity::ViewLine.as_str(),
        search: Support::No("has no texts of its own"),
        mcp: Support::No("assistants arrange the components of a view, and lines follow them"),
        ..MAP
    },
    RowKind {
        name: Entity::Tour.as_str(),
        search: Support::No("a workspace has few tours, and the web client lists them by name"),
        mcp: Support::No("people write tours for people; assistants read the model"),
        ..MAP
    },
    RowKind { name: Entity::Decision.as_str(), ..MAP },
    RowKind { name: Entity::Person.as_str(), ..DIRECTORY },
    RowKind { name: Entity::Team.as_str(), ..DIRECTORY },
    RowKind {
        name: Entity::TeamMember.as_str(),
        search: Support::No("components are found by their stakeholders, not by the members of these"),
        quotas: Support::No("there are at most as many in a team as the organization has people"),
        ..DIRECTORY
    },
    RowKind {
        name: Entity::Role.as_str(),
        search: Support::No("would find all components that have an owner"),
        mcp: Support::No("roles are created by administrators, in the settings of the organization"),
        ..DIRECTORY
    },
    RowKind {
        name: Entity::Kind.as_str(),
        past: Support::No("past components are shown with the kinds of today"),
        versions: Support::No("past components are shown with the kinds of today"),
        difference: Support::No("the property `kind` of components is compared, not the look of a kind"),
        bundle: Support::No("has a list of its own; the bundle contains the property `kind` of components"),
        mcp: Support::No("kinds are created by administrators, in the settings of the organization"),
        ..DIRECTORY
    },
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::domain::{history::ChangedKind, operations::OperationKind};

    /// The names of the kinds that a feature supports.
    fn with(part: impl Fn(&RowKind) -> Support) -> BTreeSet<&'static str> {
        KINDS.iter().filter(|kind| part(kind) == Support::Yes).map(|kind| kind.name).collect()
    }

    #[test]
    fn every_kind_that_is_logged_has_a_row() {
        let logged: Vec<&str> = Entity::ALL.iter().map(|entity| entity.as_str()).collect();
        let listed: Vec<&str> = KINDS.iter().filter(|kind| kind.log == Support::Yes).map(|kind| kind.name).collect();
        assert_eq!(listed, logged);
    }

    #[test]
    fn every_column_that_is_not_yes_has_a_reason() {
        for kind in &KINDS {
            for (column, part) in kind.columns() {
                if let Support::No(reason) = part {
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
