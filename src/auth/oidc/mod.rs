//! An external identity provider, connected through `OpenID` Connect.
//!
//! A [`Provider`] knows nothing about accounts. It verifies JWTs of its issuer, redirects browsers to the provider and
//! handles their return (`flow`). Its requests go through the guarded HTTP client on a blocking thread pool. Metadata
//! and keys stay in use while the provider is unavailable.

mod claims;
mod discovery;
mod flow;
mod keys;
mod response;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use jsonwebtoken::Algorithm;
use serde::Deserialize;
use serde_json::{Map, Value};
use url::Url;

use self::{claims::audiences, discovery::Discovery, keys::VerificationKey, response::json};
pub use self::{
    claims::{Assertion, ClaimPaths, NamedOrganization},
    flow::{PENDING, Pending, ProviderError, ProviderUser},
};
use super::jwt;
use crate::{
    blocking::BlockingPool,
    clock::{Clock, HOUR, MINUTE, SECOND},
    error::{Error, Result},
    outbound::{Method, Outbound, OutboundRequest},
    secret::Secret,
};

/// Maximum size of a response, in bytes.
const MAX_RESPONSE_BYTES: u64 = 256 << 10;
/// Timeout of each request to the provider.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Minimum interval between requests for keys, in milliseconds, regardless of the key ids in tokens.
const KEY_FETCH_INTERVAL: i64 = MINUTE;
/// Keys older than this are requested again, in milliseconds, because one may have been revoked.
const KEY_MAX_AGE: i64 = 15 * MINUTE;
/// Pause after a failed request, in milliseconds.
const RETRY_PAUSE: i64 = 5 * SECOND;

/// How the provider is reached and which of its tokens are accepted.
#[derive(Debug, Clone)]
pub struct ProviderOptions {
    /// Required `iss` of its tokens, compared exactly.
    pub issuer: String,
    /// The client id of this instance; empty: sign-in with the provider is disabled.
    pub client_id: String,
    /// The client secret of this instance; empty: none.
    pub client_secret: Secret,
    /// The redirect URL for sign-in.
    pub redirect_uri: String,
    /// The redirect URL after signing out at the provider; none: browsers are not sent there to sign out.
    pub signed_out_uri: Option<String>,
    /// Scopes requested at sign-in.
    pub scopes: Vec<String>,
    /// Accepted `aud` values of bearer tokens; empty: the client id or the public URL.
    pub audience: Vec<String>,
    /// Accepted authorized parties (`azp`), including the client id and our own origin.
    pub parties: Vec<String>,
    /// The public URL of this instance.
    pub public_url: String,
    /// Where claims are found.
    pub claims: ClaimPaths,
    /// Whether permissions depend on groups, so that they must be known.
    pub needs_groups: bool,
}

/// Cached data of the provider. Times are in milliseconds of the monotonic clock.
#[derive(Default)]
struct ProviderCache {
    discovery: Option<(Arc<Discovery>, i64)>,
    /// Time of the last failed request for the metadata.
    failed: Option<i64>,
    keys: Arc<[VerificationKey]>,
    /// Time at which the keys were received.
    keys_at: Option<i64>,
    /// Time of the last request for the keys.
    keys_tried: Option<i64>,
    /// Whether the last request for the keys failed.
    keys_failed: bool,
}

impl ProviderCache {
    /// Whether the keys may be requested again. After a failure the interval is short; otherwise a single lost response
    /// would reject every caller until the regular interval has passed.
    fn keys_are_due(&self, now: i64) -> bool {
        let pace = if self.keys_failed { RETRY_PAUSE } else { KEY_FETCH_INTERVAL };
        self.keys_tried.is_none_or(|tried| tried + pace <= now)
    }
}

struct Inner {
    options: ProviderOptions,
    outbound: Outbound,
    pool: BlockingPool,
    clock: Clock,
    cache: Mutex<ProviderCache>,
    /// Held during a request, so that concurrent callers wait for its result.
    fetching: Arc<tokio::sync::Mutex<()>>,
}

/// An identity provider. Clones share the cache.
#[derive(Clone)]
pub struct Provider(Arc<Inner>);

impl std::fmt::Debug for Provider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Provider").field(&self.0.options.issuer).finish()
    }
}

/// The issuer that an unverified JWT names.
pub fn claimed_issuer(token: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Claimed {
        iss: String,
    }
    jsonwebtoken::dangerous::insecure_decode_claims::<Claimed>(token).ok().map(|claimed| claimed.iss)
}

const UNKNOWN_KEY: Error = Error::Unauthenticated("the token is signed with an unknown key");
const WRONG_AUDIENCE: Error = Error::Unauthenticated("the token was issued for another audience (`aud`)");
const WRONG_PARTY: Error = Error::Unauthenticated("the token was issued to a client that is not allowed (`azp`)");
const SIGN_IN_PENDING: Error = Error::Unauthenticated("the sign-in at the identity provider is not finished (`sts`)");

impl Provider {
    /// Creates a provider that is reached through `outbound` on the thread pool `pool`.
    pub fn new(options: ProviderOptions, outbound: Outbound, pool: BlockingPool, clock: Clock) -> Self {
        let (cache, fetching) = (Mutex::default(), Arc::default());
        Self(Arc::new(Inner { options, outbound, pool, clock, cache, fetching }))
    }

    /// The issuer.
    pub fn issuer(&self) -> &str {
        &self.0.options.issuer
    }

    /// Whether users can sign in with the provider.
    pub fn signs_in(&self) -> bool {
        !self.0.options.client_id.is_empty()
    }

    /// Verifies a bearer token.
    pub async fn bearer(&self, token: &str) -> Result<Assertion> {
        let claims = self.verified(token, Some(jwt::MAX_LIFETIME)).await?;
        let ProviderOptions { client_id, audience, parties, public_url, claims: paths, .. } = &self.0.options;
        let aud = audiences(&claims);
        let is_ours = match audience.as_slice() {
            // A token without audience is accepted only if no audience is configured.
            [] => {
                claims.get("aud").is_none()
                    || aud.iter().any(|one| !one.is_empty() && (one == client_id || one == public_url))
            }
            wanted => aud.iter().any(|one| wanted.iter().any(|wanted| wanted == one)),
        };
        if !is_ours {
            return Err(WRONG_AUDIENCE);
        }
        match claims.get("azp") {
            None => {}
            Some(azp) if parties.iter().any(|party| azp == party) => {}
            Some(_) => return Err(WRONG_PARTY),
        }
        Ok(Assertion::read(&claims, paths))
    }

    /// Verifies signature, issuer and lifetime of a token, for any audience.
    async fn verified(&self, token: &str, max_lifetime: Option<i64>) -> Result<Map<String, Value>> {
        let head = jwt::header(token)?;
        let key = self.key(head.kid.as_deref(), head.algorithm).await?;
        // Each key has one algorithm. A different one in the header indicates an algorithm confusion attack.
        if head.algorithm != key.algorithm {
            return Err(UNKNOWN_KEY);
        }
        let now = self.0.clock.now();
        let expected = jwt::Expected { issuer: self.issuer(), algorithm: key.algorithm, max_lifetime, now };
        let claims = jwt::check(token, &key.decoding, &expected)?;
        if claims.get("sts").is_some_and(|status| status == "pending") {
            return Err(SIGN_IN_PENDING);
        }
        Ok(claims)
    }

    /// The key with this id. Unknown ids cause a request to the provider, at a limited rate.
    async fn key(&self, kid: Option<&str>, algorithm: Algorithm) -> Result<VerificationKey> {
        let (found, is_fresh) = self.known_key(kid, algorithm);
        match found {
            Some(key) if is_fresh => return Ok(key),
            Some(key) => {
                self.refresh_keys();
                return Ok(key);
            }
            None => self.fetch_keys().await,
        }
        if self.cache().keys_at.is_none() {
            return Err(Error::Busy);
        }
        self.known_key(kid, algorithm).0.ok_or(UNKNOWN_KEY)
    }

    fn known_key(&self, kid: Option<&str>, algorithm: Algorithm) -> (Option<VerificationKey>, bool) {
        let cache = self.cache();
        let is_fresh = cache.keys_at.is_some_and(|at| at + KEY_MAX_AGE > self.0.clock.monotonic());
        (keys::find(&cache.keys, kid, algorithm).cloned(), is_fresh)
    }

    /// Requests the keys in the background, once at a time. Cached keys stay valid until then.
    fn refresh_keys(&self) {
        if !self.cache().keys_are_due(self.0.clock.monotonic()) {
            return;
        }
        let Ok(fetching) = Arc::clone(&self.0.fetching).try_lock_owned() else { return };
        let provider = self.clone();
        tokio::spawn(async move {
            provider.fetch_keys_locked().await;
            drop(fetching);
        });
    }

    /// Requests the keys unless that was done recently. On failure, the cached keys stay in use.
    async fn fetch_keys(&self) {
        let _asking = self.0.fetching.lock().await;
        self.fetch_keys_locked().await;
    }

    async fn fetch_keys_locked(&self) {
        let now = self.0.clock.monotonic();
        {
            let mut cache = self.cache();
            if !cache.keys_are_due(now) {
                return;
            }
            cache.keys_tried = Some(now);
        }
        let asked = async {
            let uri = self.discovery_locked().await?.jwks_uri.clone();
            self.get(uri, None)
                .await
                .and_then(|body| keys::read(&body).ok_or_else(|| "the response is not a valid key set".into()))
        };
        match asked.await {
            Ok(keys) => {
                let mut cache = self.cache();
                cache.keys = keys.into();
                cache.keys_at = Some(now);
                cache.keys_failed = false;
            }
            Err(problem) => {
                self.cache().keys_failed = true;
                tracing::warn!(%problem, "cannot read the keys of the identity provider; cached keys are used, and the keys are read again later");
            }
        }
    }

    /// The metadata of the provider.
    async fn discovery(&self) -> std::result::Result<Arc<Discovery>, String> {
        let _asking = self.0.fetching.lock().await;
        self.discovery_locked().await
    }

    async fn discovery_locked(&self) -> std::result::Result<Arc<Discovery>, String> {
        let now = self.0.clock.monotonic();
        let known = {
            let cache = self.cache();
            let rests = cache.failed.is_some_and(|failed| failed + RETRY_PAUSE > now);
            match &cache.discovery {
                Some((known, at)) if at + HOUR > now || rests => return Ok(Arc::clone(known)),
                None if rests => return Err("the last request failed a moment ago".into()),
                known => known.as_ref().map(|(known, _)| Arc::clone(known)),
            }
        };
        let issuer = self.issuer();
        let address = format!("{}/.well-known/openid-configuration", issuer.strip_suffix('/').unwrap_or(issuer));
        let asked = async {
            let address = Url::parse(&address).map_err(|error| error.to_string())?;
            let found: Discovery = json(&self.get(address, None).await?)?;
            if found.issuer != issuer {
                return Err(format!("its issuer is `{}`, but `{issuer}` is configured", found.issuer));
            }
            Ok(Arc::new(found))
        };
        match asked.await {
            Ok(found) => {
                let mut cache = self.cache();
                cache.failed = None;
                cache.discovery = Some((Arc::clone(&found), now));
                Ok(found)
            }
            Err(problem) => {
                self.cache().failed = Some(now);
                tracing::warn!(%problem, "cannot read the metadata of the identity provider; check identity.issuer and the connection to it");
                known.ok_or(problem)
            }
        }
    }

    /// The body of a successful response.
    async fn get(&self, url: Url, token: Option<Secret>) -> std::result::Result<Vec<u8>, String> {
        let bearer = token.map(|token| format!("Bearer {}", token.reveal()));
        self.ask(Method::Get, url, bearer, None).await
    }

    async fn ask(
        &self,
        method: Method,
        url: Url,
        authorization: Option<String>,
        form: Option<String>,
    ) -> std::result::Result<Vec<u8>, String> {
        let outbound = self.0.outbound.clone();
        let work = move || {
            let mut headers = vec![("accept", "application/json")];
            if let Some(authorization) = &authorization {
                headers.push(("authorization", authorization));
            }
            if form.is_some() {
                headers.push(("content-type", "application/x-www-form-urlencoded"));
            }
            let request = OutboundRequest {
                method,
                url: &url,
                headers: &headers,
                body: form.as_deref().map(str::as_bytes),
                deadline: Instant::now() + TIMEOUT,
                max_bytes: MAX_RESPONSE_BYTES,
            };
            Ok(match outbound.send(&request) {
                Ok(answer) if answer.status == 200 && !response::is_signed(&answer) => Ok(answer.body),
                Ok(answer) => Err(response::failure_text(&url, &answer)),
                Err(problem) => Err(format!("{}: {problem}", url.host_str().unwrap_or_default())),
            })
        };
        self.0.pool.run(work).await.map_err(|error| error.to_string())?
    }

    fn cache(&self) -> MutexGuard<'_, ProviderCache> {
        self.0.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
