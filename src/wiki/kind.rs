//! The kinds of objects that the provider lists: pages and databases.

/// Which of the two something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A page.
    Page,
    /// A database.
    Database,
}

impl Kind {
    /// The one that it is not.
    pub(super) fn other(self) -> Self {
        match self {
            Self::Page => Self::Database,
            Self::Database => Self::Page,
        }
    }
}
