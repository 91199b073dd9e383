//! Workspaces: who sees which, who founds, changes, deletes and restores them.

mod changing;
mod deleting;
mod founding;
mod restoring;
mod seeing;
