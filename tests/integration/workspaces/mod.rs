//! Workspaces: visibility, access of the organization, creation, updates, deletion and restoration.

mod creating;
mod deleting;
mod organization_access;
mod restoring;
mod updating;
mod visibility;
