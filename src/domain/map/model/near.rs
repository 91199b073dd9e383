//! Suggestions for ids that do not exist.

/// A kind of rows with ids to suggest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NearKind {
    /// Components.
    Component,
    /// Relationships.
    Relationship,
    /// Processes.
    Process,
}
