//! The state of the REST API: the services that handlers use, and its settings.

use std::sync::Arc;

use ipnet::IpNet;

use super::cookies::CookieRules;
use crate::{
    auth::{keys::Keys, throttle::Throttle},
    bodies::Bodies,
    budget::Budget,
    clock::Clock,
    domain::{
        access::Gate, bundle::Bundles, identity::Identity, images::Images, live::Live, sign_in::SignIn, wiki::Wiki,
    },
    lane::Lane,
};

/// What handlers have at hand.
#[derive(Debug, Clone)]
pub struct Api {
    /// The way to data.
    pub gate: Gate,
    /// Serialized bundles.
    pub bundles: Bundles,
    /// Event streams.
    pub live: Arc<Live>,
    /// The instance's keys.
    pub keys: Arc<Keys>,
    /// The time.
    pub clock: Clock,
    /// Threads for password hashes.
    pub passwords: Lane,
    /// Signing in.
    pub sign_in: SignIn,
    /// Those whom an identity provider outside knows.
    pub identity: Identity,
    /// What asks the wiki.
    pub wiki: Wiki,
    /// What fetches pictures.
    pub images: Images,
    /// Counts what must not be tried too often.
    pub throttle: Arc<Throttle>,
    /// What reads bodies.
    pub bodies: Bodies,
    /// Memory for large answers that are not sent yet.
    pub answers: Budget,
    /// Limits and origins.
    pub settings: Arc<Settings>,
}

/// Limits and origins of the API.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Largest body, in bytes.
    pub body_bytes: usize,
    /// Largest body of bulk and imports, in bytes.
    pub bulk_body_bytes: usize,
    /// A request that takes longer is given up, in seconds.
    pub request_seconds: u64,
    /// Origins whose pages may call the API.
    pub cors_origins: Vec<String>,
    /// Who must have issued a session JWT: the public URL.
    pub issuer: String,
    /// How cookies are made.
    pub cookies: CookieRules,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<IpNet>,
}
