//! The two scopes in which rows are written and revisions are counted.

/// The scope whose revision a row belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Scope {
    /// A workspace.
    Workspace {
        /// Key of the workspace's rows.
        pk: i64,
        /// Id of the workspace's organization.
        organization_id: String,
    },
    /// An organization's people, teams, roles and kinds.
    Directory {
        /// Id of the organization.
        organization_id: String,
    },
}

impl Scope {
    pub(in crate::domain) fn organization_id(&self) -> &str {
        match self {
            Self::Workspace { organization_id, .. } | Self::Directory { organization_id } => organization_id,
        }
    }

    pub(in crate::domain) fn workspace_pk(&self) -> Option<i64> {
        match self {
            Self::Workspace { pk, .. } => Some(*pk),
            Self::Directory { .. } => None,
        }
    }
}
