//! The rows of the result of a merge.

use super::rows::{Fields, Side, Triple};

/// Why a row needs a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::domain) enum ConflictKind {
    /// Both sides have changed a field.
    Fields,
    /// One side has deleted the row, the other has changed it.
    Removed,
    /// One side has deleted the row, and rows of the other side need it.
    Reference,
    /// With the changes of both sides, a component would be in two others or in itself.
    Structure,
}

/// A field that is not the same in the three states.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::domain) struct MergedField {
    pub(in crate::domain) name: Box<str>,
    /// Whether both sides have changed it differently.
    pub(in crate::domain) is_conflict: bool,
}

/// A row of the merge.
#[derive(Debug, Clone)]
pub(in crate::domain) struct MergedRow {
    pub(in crate::domain) states: Triple,
    /// What the row becomes; none if it does not exist after the merge.
    pub(in crate::domain) result: Option<Fields>,
    pub(in crate::domain) fields: Box<[MergedField]>,
    pub(in crate::domain) conflict: Option<ConflictKind>,
    /// Whether the conflict needs a decision that was not made.
    pub(in crate::domain) is_open: bool,
    /// The side that was chosen for the whole row.
    pub(super) decided: Option<Side>,
    /// The side whose version the row got because of a decision about a row that it needs.
    pub(super) followed: Option<Side>,
}

impl MergedRow {
    /// Takes the version of a side. Returns whether that is new.
    pub(super) fn decide(&mut self, side: Side) -> bool {
        let result = self.states.on(side).cloned();
        let has_changed = self.decided != Some(side) || self.result != result;
        (self.decided, self.result) = (Some(side), result);
        has_changed
    }
}
