//! Accounts: how users sign in, and the credentials they use.

pub mod administration;
pub mod administrators;
pub mod connectors;
pub mod credentials;
pub mod current;
pub mod email_confirmation;
pub mod erasure;
pub mod identity;
pub mod joining;
pub mod model;
pub mod password_reset;
pub mod passwords;
pub mod profile;
pub mod sessions;
pub mod sign_in;
mod store;
pub mod tokens;
pub mod two_factor;
pub mod waitlist;
