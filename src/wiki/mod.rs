//! The wiki provider. Everything that is peculiar to it stays in this room; elsewhere it is *the wiki*.
//!
//! [`read`] tells its addresses from others. A [`Client`] speaks to it: it signs organizations in ([`OauthClient`]), and
//! through an [`Access`] reads pages and databases and what is below them. It blocks, and keeps to the provider's rate.

mod access;
mod address;
mod client;
mod cursor;
mod icon;
mod kind;
mod listing;
mod model;
mod oauth;
mod pace;
mod problem;
mod recent;
mod roots;
mod walk;

pub use self::{
    access::Access,
    address::{Address, read},
    client::{Client, Options},
    cursor::Cursor,
    icon::{Icon, is_upload},
    kind::Kind,
    listing::{Listed, Listing},
    model::{Bot, Resolved},
    oauth::{OauthClient, Tokens},
    problem::Problem,
};
pub use crate::secret::Secret;

use url::Url;

/// Reads an id as people and programs write it, with dashes or without: its 32 hexadecimal digits in lower case.
pub fn id(text: &str) -> Option<String> {
    address::whole(text)
}

/// Where the provider is when nothing else is configured.
#[expect(clippy::missing_panics_doc, reason = "it is an address, and a test says so")]
pub fn provider() -> Url {
    Url::parse("https://api.notion.com").expect("an address")
}

/// The version of its interface that is understood here.
pub const VERSION: &str = "2026-03-11";
/// For operators: where a client of the provider is registered, and of which kind.
pub const REGISTRATION: &str =
    "register a public integration at https://www.notion.so/profile/integrations, with exactly this redirect URI";
/// For operators: where to get a token that does without registration.
pub const INTERNAL: &str = "an internal integration's secret, from https://www.notion.so/profile/integrations";
