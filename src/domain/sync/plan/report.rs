//! The report of a sync while it is planned.

use crate::domain::sync::model::{
    readings::ReadingDiagnostic,
    report::{MAX_LISTED, MassRemoval, RenameCandidate, SyncCounts, SyncRow},
};

/// Maximum number of diagnostics.
const MAX_DIAGNOSTICS: usize = 200;
/// Maximum number of diagnostics when a hint is added, so that warnings have room.
const MAX_WITH_HINTS: usize = 100;

/// A list of rows of limited length, with the number of all rows.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub(super) listed: Vec<SyncRow>,
    pub(super) count: usize,
}

impl Rows {
    pub(super) fn push(&mut self, row: SyncRow) {
        self.count += 1;
        if self.listed.len() < MAX_LISTED {
            self.listed.push(row);
        }
    }
}

/// The lists of a report.
#[derive(Debug, Default)]
pub(super) struct Lists {
    pub(super) added: Rows,
    pub(super) changed: Rows,
    pub(super) conflicts: Rows,
    pub(super) vanished: Rows,
    pub(super) returned: Rows,
    pub(super) removed: Rows,
    pub(super) adopted: Rows,
    pub(super) deleted_on_map: Rows,
    /// Number of rows in `deleted_on_map` that no user has accepted.
    pub(super) unaccepted: usize,
    pub(super) rename_candidates: Vec<RenameCandidate>,
    pub(super) unchanged: usize,
    /// Number of rows that get a mark.
    pub(super) newly_missing: usize,
    pub(super) diagnostics: Vec<ReadingDiagnostic>,
    pub(super) mass_removal: Option<MassRemoval>,
}

impl Lists {
    /// Adds a warning, once.
    pub(super) fn warn(&mut self, file: &str, line: u32, text: String) {
        self.add("warning", MAX_DIAGNOSTICS, file, line, text);
    }

    /// Adds a hint about what was matched, once.
    pub(super) fn inform(&mut self, file: &str, line: u32, text: String) {
        self.add("info", MAX_WITH_HINTS, file, line, text);
    }

    fn add(&mut self, severity: &str, limit: usize, file: &str, line: u32, text: String) {
        let is_known = |known: &ReadingDiagnostic| known.line == line && known.text == text && known.file == file;
        if self.diagnostics.len() < limit && !self.diagnostics.iter().any(is_known) {
            self.diagnostics.push(ReadingDiagnostic { severity: severity.into(), file: file.to_owned(), line, text });
        }
    }

    /// Number of rows in the lists.
    pub(super) fn counts(&self) -> SyncCounts {
        SyncCounts {
            added: self.added.count,
            changed: self.changed.count,
            conflicts: self.conflicts.count,
            vanished: self.vanished.count,
            returned: self.returned.count,
            removed: self.removed.count,
            adopted: self.adopted.count,
            deleted_on_map: self.deleted_on_map.count,
        }
    }

    /// Whether the map is what the sources say.
    pub(super) fn is_in_step(&self) -> bool {
        let counts = self.counts();
        let written = [counts.added, counts.changed, counts.conflicts, counts.returned, counts.removed, counts.adopted];
        let is_compared = self.unchanged > 0 || counts.deleted_on_map > 0;
        written.iter().all(|count| *count == 0)
            && is_compared
            && self.unaccepted == 0
            && self.newly_missing == 0
            && self.mass_removal.as_ref().is_none_or(|removal| removal.is_allowed)
            && self.rename_candidates.is_empty()
    }
}
