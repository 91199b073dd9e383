//! The history of a workspace: its log, past revisions, differences between revisions, named versions, restore, and
//! undo of change sets.

mod changes;
mod difference;
pub mod model;
mod restorable;
mod restore;
mod state;
mod steps;
mod store;
mod undo;
mod versions;

pub use changes::{ChangeQuery, ChangedKind, History, MAX_CHANGES_PER_PAGE, MAX_FILTER_CHARS, PastChange, read};
pub use difference::{ChangedRow, FieldChange, KindDifference, RowThen, WorkspaceDifference, difference};
pub use restore::{RestoreRequest, RestoreResult, Skipped, to_revision, to_version};
pub use state::bundle_at;
pub use undo::{Undo, UndoResult, undo};
pub use versions::{NewVersion, Version, delete, save, version, versions};

pub(in crate::domain) use self::store::history::delete_old_changes;
