//! Live events: an in-memory channel for each workspace that has followers.
//!
//! A user also has a stream about their inbox, which only says how many entries are unread.
//!
//! The change log is authoritative; a channel only distributes what a commit has added to it. Queues are bounded: a
//! reader that is too slow must read the workspace again, and does not slow down others.

mod event_data;
mod follow;
mod frame;
mod hub;
mod inbox;
mod presence;
mod present;

pub use self::hub::Live;
pub use self::{
    event_data::{AccessRequestsChanged, EventData, VersionsChanged},
    follow::{StartPosition, follow},
    inbox::follow_inbox,
    presence::{CanvasPosition, NewPresence, Presence, PresenceList, SelectedItem, update_presence},
};
