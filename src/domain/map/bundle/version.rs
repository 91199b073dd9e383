//! What a bundle contains, and the state that it shows.

use crate::{
    db::Incarnation,
    domain::{
        core::{Reads, ViewTx},
        values::AccessLevel,
    },
};

/// Everything a bundle depends on: the workspace, its revision, the directory's revision, the reader's access level and
/// what the reader learns about access requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BundleVersion {
    pub incarnation: Incarnation,
    pub pk: i64,
    pub revision: i64,
    pub directory_revision: i64,
    pub role: Option<AccessLevel>,
    pub is_protected: bool,
    pub access_requests: Option<i64>,
    pub access_requested_at: Option<i64>,
    pub content: Content,
}

impl BundleVersion {
    pub(super) fn of(tx: &ViewTx<'_>, content: Content) -> Self {
        let workspace = tx.workspace();
        Self {
            incarnation: tx.core().incarnation().clone(),
            pk: workspace.pk,
            revision: workspace.metadata.revision,
            directory_revision: tx.directory_revision(),
            role: workspace.my_role,
            is_protected: workspace.is_protected == Some(true),
            access_requests: workspace.access_requests,
            access_requested_at: workspace.access_requested_at,
            content,
        }
    }

    /// Whether the log leads from this state of the workspace to `later`.
    pub(super) fn precedes(&self, later: &Self) -> bool {
        self.incarnation == later.incarnation && self.pk == later.pk && self.revision <= later.revision
    }

    /// The entity tag, without quotes. `If-Match` compares only its first three parts.
    pub(super) fn tag(&self) -> String {
        let role = self.role.map_or("none", AccessLevel::as_str);
        let role = format!("{role}{}", if self.is_protected { ".protected" } else { "" });
        let requests = requests_in_tag(self.access_requests, self.access_requested_at);
        let requests = requests.map(|number| format!("-{number}")).unwrap_or_default();
        let Self { incarnation, pk, revision, directory_revision, .. } = self;
        let content = self.content.suffix();
        format!("{}-{pk}-{revision}-{directory_revision}-{role}{requests}{content}", incarnation.short())
    }
}

/// What is read: a workspace, or one of its views. Both are cached in the same way.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Content {
    /// The bundle of the workspace.
    Workspace(Included),
    /// A view with its contents, by id.
    View(String),
}

impl Content {
    /// End of the entity tag.
    fn suffix(&self) -> String {
        match self {
            Self::Workspace(included) => included.suffix(),
            Self::View(id) => format!("-view-{id}"),
        }
    }
}

/// The optional contents of a bundle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Included {
    /// Notes, frames and images.
    pub notes: bool,
    /// Views and tours.
    pub views: bool,
    /// Decisions, without their texts.
    pub decisions: bool,
}

impl Included {
    pub(super) const ALL: [Self; 8] = [
        Self { notes: false, views: false, decisions: false },
        Self { notes: true, views: false, decisions: false },
        Self { notes: false, views: true, decisions: false },
        Self { notes: true, views: true, decisions: false },
        Self { notes: false, views: false, decisions: true },
        Self { notes: true, views: false, decisions: true },
        Self { notes: false, views: true, decisions: true },
        Self { notes: true, views: true, decisions: true },
    ];

    /// End of the entity tag of the bundle.
    fn suffix(self) -> String {
        let parts = [(self.notes, "-notes"), (self.views, "-views"), (self.decisions, "-decisions")];
        parts.into_iter().filter(|(is_included, _)| *is_included).map(|(_, name)| name).collect()
    }
}

/// The sixth part of an entity tag, if there is one: the number of access requests, or the time of the reader's own.
pub(in crate::domain) fn requests_in_tag(requests: Option<i64>, requested_at: Option<i64>) -> Option<i64> {
    requests.filter(|count| *count > 0).or(requested_at)
}
