//! The client of the wiki provider. Everything specific to the provider is in this module; other modules call it *the
//! wiki*.
//!
//! [`read`] recognizes its URLs. A [`Client`] authorizes organizations ([`OauthClient`]) and reads pages, databases and
//! their children through a [`ConnectionAccess`]. All calls block and comply with the provider's rate limit.

mod access;
mod address;
mod cache;
mod client;
mod cursor;
mod error;
mod icon;
mod kind;
mod listing;
mod model;
mod oauth;
mod rate_limit;
mod roots;
mod walk;

pub use self::{
    access::ConnectionAccess,
    address::{Address, read},
    client::{Client, ClientOptions},
    cursor::Cursor,
    error::WikiError,
    icon::{Icon, is_upload},
    kind::ObjectKind,
    listing::{ListEntry, Listing},
    model::{Bot, Resolved},
    oauth::{OauthClient, Tokens},
};
pub use crate::secret::Secret;

use url::Url;

/// Normalizes an id, with or without dashes, to 32 lowercase hexadecimal digits.
pub fn id(text: &str) -> Option<String> {
    address::whole(text)
}

/// Default base URL of the provider.
#[expect(clippy::missing_panics_doc, reason = "a test verifies that it is a valid URL")]
pub fn provider() -> Url {
    Url::parse("https://api.notion.com").expect("an address")
}

/// The supported version of the API.
pub const VERSION: &str = "2026-03-11";
/// For operators: where to register an OAuth client, and of which type.
pub const REGISTRATION: &str =
    "register a public integration at https://www.notion.so/profile/integrations, with exactly this redirect URI";
/// For operators: where to get a token without registering an OAuth client.
pub const INTERNAL: &str = "an internal integration's secret, from https://www.notion.so/profile/integrations";
