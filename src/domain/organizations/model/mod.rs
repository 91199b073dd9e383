//! Organizations, members and invitations, and the requests that write them.

pub mod invitations;
pub mod members;
pub mod organizations;
