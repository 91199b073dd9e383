//! Workspaces: visibility, creation, updates, deletion and restoration.

mod creating;
mod deleting;
mod restoring;
mod updating;
mod visibility;
