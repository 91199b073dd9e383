//! Credentials and accounts, and the requests that write them.

pub mod administration;
pub mod connectors;
pub mod current;
pub mod email_links;
pub mod profile;
pub mod sessions;
pub mod tokens;
pub mod two_factor;
pub mod waitlist;
