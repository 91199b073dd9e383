//! The kinds of objects that the provider lists: pages and databases.

/// The kind of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ObjectKind {
    /// A page.
    Page,
    /// A database.
    Database,
}

impl ObjectKind {
    /// The other kind.
    pub(super) fn other(self) -> Self {
        match self {
            Self::Page => Self::Database,
            Self::Database => Self::Page,
        }
    }
}
