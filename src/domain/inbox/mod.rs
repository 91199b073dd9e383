//! The inbox of a user: what entries say, what the user watches, and emails about entries.
//!
//! An entry is a reference, written by `domain::notifications`. Its text is read when it is shown or sent, from what its
//! reader may see then; entries about something that is deleted or hidden are left out. A reader sees the entries of the
//! active organization. Emails contain those of all organizations of the reader.

mod entries;
mod fan_out;
mod layout;
mod links;
mod mails;
pub mod model;
mod service;
mod store;
pub mod unsubscribe;
pub mod watches;

pub(in crate::domain) use self::links::{of_draft as draft_url, of_workspace as workspace_url};
pub use self::{
    entries::{list, mark_read, unread},
    mails::write_mail,
    service::InboxService,
};
