//! The state of the REST API: the services that handlers use, and its settings.

use std::{ops::Deref, sync::Arc};

use ipnet::IpNet;

use super::cookies::CookieRules;
use crate::{
    auth::{keys::Keys, throttle::Throttle},
    blocking::BlockingPool,
    bodies::Bodies,
    budget::Budget,
    clock::Clock,
    domain::{
        accounts::{identity::IdentityService, sign_in::SignIn},
        core::Gate,
        images::Images,
        live::Live,
        map::{bundle::Bundles, drawing::MapImages},
        sharing::Shares,
        webhooks::WebhookService,
        wiki::Wiki,
    },
    metrics::HttpMetrics,
};

/// The shared state of all handlers. One allocation, because every layer of a request clones it.
#[derive(Debug, Clone)]
pub struct Api(Arc<Services>);

impl Api {
    /// Shares `services` between all handlers.
    pub fn new(services: Services) -> Self {
        Self(Arc::new(services))
    }
}

impl Deref for Api {
    type Target = Services;

    fn deref(&self) -> &Services {
        &self.0
    }
}

/// What handlers use.
#[derive(Debug)]
pub struct Services {
    /// Checks permissions and runs database transactions.
    pub gate: Gate,
    /// Cache of serialized bundles.
    pub bundles: Bundles,
    /// Event streams.
    pub live: Arc<Live>,
    /// Signing keys of the instance.
    pub keys: Arc<Keys>,
    /// Source of the current time.
    pub clock: Clock,
    /// Blocking thread pool for password hashes.
    pub passwords: BlockingPool,
    /// Sign-in with passwords and two-factor authentication.
    pub sign_in: SignIn,
    /// Sign-in with the external identity provider.
    pub identity: IdentityService,
    /// Wiki integration.
    pub wiki: Wiki,
    /// Checks the URLs of webhooks, and sends events.
    pub webhooks: WebhookService,
    /// Draws images of maps.
    pub map_images: MapImages,
    /// Answers requests for share links.
    pub shares: Shares,
    /// Fetches images from other servers.
    pub images: Images,
    /// Rate limits for attempts such as sign-ins.
    pub throttle: Arc<Throttle>,
    /// Reads request bodies within a memory budget.
    pub bodies: Bodies,
    /// Memory budget for large responses until they are sent.
    pub response_budget: Budget,
    /// Counts of requests.
    pub http_metrics: HttpMetrics,
    /// Limits, origins, and cookie rules.
    pub settings: Arc<Settings>,
}

/// Settings of the API.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Maximum size of a request body, in bytes.
    pub body_bytes: usize,
    /// Maximum size of the request body of bulk replacements and imports, in bytes.
    pub bulk_body_bytes: usize,
    /// Maximum time to process a request, in seconds. After that, the response is 503.
    pub request_seconds: u64,
    /// Origins whose pages may call the API (CORS).
    pub cors_origins: Vec<String>,
    /// Required issuer of session JWTs: the public URL.
    pub issuer: String,
    /// Names and attributes of cookies.
    pub cookies: CookieRules,
    /// Networks of proxies whose `X-Forwarded-For` header is trusted.
    pub trusted_proxies: Vec<IpNet>,
}
