//! The history of a workspace: its log, past revisions, differences between revisions, named versions, restore, and
//! undo of change sets.

mod changes;
mod difference;
pub mod model;
mod moments;
mod restore;
mod state;
mod store;
mod undo;
mod unseen;
mod verify;
mod versions;

pub use changes::{
    ChangeQuery, ChangedKind, History, MAX_CHANGES_PER_PAGE, MAX_FILTER_CHARS, PastChange, changed_after, read,
};
pub use difference::{
    ChangedRow, DifferenceRow, FieldChange, KindDifference, WorkspaceDifference, difference, weigh_difference,
};
pub use moments::{Moment, compare, time, user_named, weigh_comparison};
pub use restore::{RestoreRequest, RestoreResult, SkippedRow, to_revision, to_version};
pub use state::{bundle_at, weigh_bundle_at};
pub use undo::{Undo, UndoResult, undo, undo_tool_calls, weigh_tool_calls, weigh_undo};
pub use unseen::expect_seen;
pub use verify::compare_with_log;
pub use versions::{NewVersion, Version, delete, keep, save, version, versions, weigh_version};

pub(in crate::domain) use self::{
    store::history::delete_old_changes,
    versions::{SAVED_COPIES, compress, read_compressed, uncompressed_size},
};
