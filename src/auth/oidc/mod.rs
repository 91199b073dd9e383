//! An identity provider outside, which speaks `OpenID` Connect: who its tokens say somebody is.
//!
//! A [`Provider`] knows nothing of accounts. It verifies JWTs of its issuer, and sends browsers there and understands what
//! they come back with (`flow`). Whatever it asks goes through the guarded way out, on a lane. What it has learnt is kept
//! when the provider fails.

mod answer;
mod claims;
mod discovery;
mod flow;
mod keys;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use jsonwebtoken::Algorithm;
use serde::Deserialize;
use serde_json::{Map, Value};
use url::Url;

use self::{answer::json, claims::audiences, discovery::Discovery, keys::Key};
pub use self::{
    claims::{Assertion, ClaimPaths, NamedOrganization},
    flow::{Known, PENDING, Pending, Refusal},
};
use super::jwt;
use crate::{
    clock::{Clock, HOUR, MINUTE, SECOND},
    error::{Error, Result},
    lane::Lane,
    outbound::{Asked, Method, Outbound},
    secret::Secret,
};

/// Largest answer that is read, in bytes.
const LARGEST: u64 = 256 << 10;
/// How long the provider is waited for, each time.
const PATIENCE: Duration = Duration::from_secs(10);
/// Keys are asked for at most so often, in milliseconds, whatever ids tokens have.
const PACE: i64 = MINUTE;
/// Keys that are older are asked for again, in milliseconds: one may have been taken back.
const FRESH: i64 = 15 * MINUTE;
/// A provider that failed is left in peace for so long, in milliseconds.
const REST: i64 = 5 * SECOND;

/// How the provider is known, and what of it is believed.
#[derive(Debug, Clone)]
pub struct Options {
    /// The `iss` of its tokens, exactly.
    pub issuer: String,
    /// This instance, as it knows it; empty: not at all.
    pub client_id: String,
    /// The secret of this instance; empty: none.
    pub client_secret: Secret,
    /// Where browsers come back to.
    pub redirect_uri: String,
    /// Where they come back to when they have signed out there; none: nobody is sent there for that.
    pub signed_out_uri: Option<String>,
    /// What is asked for at sign-in.
    pub scopes: Vec<String>,
    /// What the `aud` of a caller's token may be; empty: the client id, or where we are.
    pub audience: Vec<String>,
    /// Whom a token may have been issued to: the client id and our own origin among them.
    pub parties: Vec<String>,
    /// Where we are.
    pub public_url: String,
    /// Where claims are.
    pub claims: ClaimPaths,
    /// Whether groups decide about anything, so that they must be known.
    pub needs_groups: bool,
}

/// What has been learnt of the provider, and when, in milliseconds of the monotonic clock.
#[derive(Default)]
struct Learnt {
    discovery: Option<(Arc<Discovery>, i64)>,
    /// When asking failed last.
    failed: Option<i64>,
    keys: Arc<[Key]>,
    /// When the keys came.
    keys_at: Option<i64>,
    /// When they were asked for last.
    keys_tried: Option<i64>,
    /// Whether that failed.
    keys_failed: bool,
}

impl Learnt {
    /// Whether the keys may be asked for again. After a failure that is soon, or one lost answer would refuse every caller
    /// for as long as unknown keys are not asked for.
    fn keys_are_due(&self, now: i64) -> bool {
        let pace = if self.keys_failed { REST } else { PACE };
        self.keys_tried.is_none_or(|tried| tried + pace <= now)
    }
}

struct Inner {
    options: Options,
    outbound: Outbound,
    lane: Lane,
    clock: Clock,
    learnt: Mutex<Learnt>,
    /// Held by whoever asks, so that all others wait for what comes of it.
    asking: Arc<tokio::sync::Mutex<()>>,
}

/// An identity provider. Clones share what has been learnt.
#[derive(Clone)]
pub struct Provider(Arc<Inner>);

impl std::fmt::Debug for Provider {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Provider").field(&self.0.options.issuer).finish()
    }
}

/// The issuer that a JWT names, as long as nobody has verified it.
pub fn claimed_issuer(token: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Claimed {
        iss: String,
    }
    jsonwebtoken::dangerous::insecure_decode_claims::<Claimed>(token).ok().map(|claimed| claimed.iss)
}

const UNKNOWN: Error = Error::Unauthenticated("the token is signed with a key that its issuer does not have");
const ELSEWHERE: Error = Error::Unauthenticated("the token was issued for something else (`aud`)");
const ANOTHERS: Error = Error::Unauthenticated("the token was issued to a program or page that may not come (`azp`)");
const UNFINISHED: Error = Error::Unauthenticated("the sign-in at the identity provider is not finished (`sts`)");

impl Provider {
    /// Knows the provider by `options`, and asks it through `outbound`, on a lane.
    pub fn new(options: Options, outbound: Outbound, lane: Lane, clock: Clock) -> Self {
        let (learnt, asking) = (Mutex::default(), Arc::default());
        Self(Arc::new(Inner { options, outbound, lane, clock, learnt, asking }))
    }

    /// The issuer.
    pub fn issuer(&self) -> &str {
        &self.0.options.issuer
    }

    /// Whether browsers can be sent there.
    pub fn signs_in(&self) -> bool {
        !self.0.options.client_id.is_empty()
    }

    /// Verifies a token that a caller shows.
    pub async fn bearer(&self, token: &str) -> Result<Assertion> {
        let claims = self.verified(token, Some(jwt::LONGEST)).await?;
        let Options { client_id, audience, parties, public_url, claims: paths, .. } = &self.0.options;
        let aud = audiences(&claims);
        let is_ours = match audience.as_slice() {
            // One without an audience is for whoever knows the issuer: that is only us, or there would be one.
            [] => {
                claims.get("aud").is_none()
                    || aud.iter().any(|one| !one.is_empty() && (one == client_id || one == public_url))
            }
            wanted => aud.iter().any(|one| wanted.iter().any(|wanted| wanted == one)),
        };
        if !is_ours {
            return Err(ELSEWHERE);
        }
        match claims.get("azp") {
            None => {}
            Some(azp) if parties.iter().any(|party| azp == party) => {}
            Some(_) => return Err(ANOTHERS),
        }
        Ok(Assertion::read(&claims, paths))
    }

    /// Verifies a token of the issuer's, whatever it is for.
    async fn verified(&self, token: &str, longest: Option<i64>) -> Result<Map<String, Value>> {
        let head = jwt::head(token)?;
        let key = self.key(head.kid.as_deref(), head.algorithm).await?;
        // Each key has one algorithm. A header that says another wants it to be taken for what it is not.
        if head.algorithm != key.algorithm {
            return Err(UNKNOWN);
        }
        let now = self.0.clock.now();
        let expected = jwt::Expected { issuer: self.issuer(), algorithm: key.algorithm, longest, now };
        let claims = jwt::check(token, &key.decoding, &expected)?;
        if claims.get("sts").is_some_and(|status| status == "pending") {
            return Err(UNFINISHED);
        }
        Ok(claims)
    }

    /// The key of this id. One that is not known may be new: the provider is asked, but not often.
    async fn key(&self, kid: Option<&str>, algorithm: Algorithm) -> Result<Key> {
        let (found, is_fresh) = self.known_key(kid, algorithm);
        match found {
            Some(key) if is_fresh => return Ok(key),
            Some(key) => {
                self.refresh_keys();
                return Ok(key);
            }
            None => self.fetch_keys().await,
        }
        if self.learnt().keys_at.is_none() {
            return Err(Error::Busy);
        }
        self.known_key(kid, algorithm).0.ok_or(UNKNOWN)
    }

    fn known_key(&self, kid: Option<&str>, algorithm: Algorithm) -> (Option<Key>, bool) {
        let learnt = self.learnt();
        let is_fresh = learnt.keys_at.is_some_and(|at| at + FRESH > self.0.clock.monotonic());
        (keys::find(&learnt.keys, kid, algorithm).cloned(), is_fresh)
    }

    /// Has the keys asked for in the background, once at a time: what is known is good until the provider says otherwise.
    fn refresh_keys(&self) {
        if !self.learnt().keys_are_due(self.0.clock.monotonic()) {
            return;
        }
        let Ok(asking) = Arc::clone(&self.0.asking).try_lock_owned() else { return };
        let provider = self.clone();
        tokio::spawn(async move {
            provider.fetch_keys_while_asking().await;
            drop(asking);
        });
    }

    /// Asks for the keys, unless that was done a moment ago. What was known before is kept when it fails.
    async fn fetch_keys(&self) {
        let _asking = self.0.asking.lock().await;
        self.fetch_keys_while_asking().await;
    }

    async fn fetch_keys_while_asking(&self) {
        let now = self.0.clock.monotonic();
        {
            let mut learnt = self.learnt();
            if !learnt.keys_are_due(now) {
                return;
            }
            learnt.keys_tried = Some(now);
        }
        let asked = async {
            let uri = self.discovery_while_asking().await?.jwks_uri.clone();
            self.get(uri, None).await.and_then(|body| keys::read(&body).ok_or_else(|| "these are no keys".into()))
        };
        match asked.await {
            Ok(keys) => {
                let mut learnt = self.learnt();
                learnt.keys = keys.into();
                learnt.keys_at = Some(now);
                learnt.keys_failed = false;
            }
            Err(problem) => {
                self.learnt().keys_failed = true;
                tracing::warn!(%problem, "the identity provider's keys could not be read; those known stay");
            }
        }
    }

    /// What the provider says of itself.
    async fn discovery(&self) -> std::result::Result<Arc<Discovery>, String> {
        let _asking = self.0.asking.lock().await;
        self.discovery_while_asking().await
    }

    async fn discovery_while_asking(&self) -> std::result::Result<Arc<Discovery>, String> {
        let now = self.0.clock.monotonic();
        let known = {
            let learnt = self.learnt();
            let rests = learnt.failed.is_some_and(|failed| failed + REST > now);
            match &learnt.discovery {
                Some((known, at)) if at + HOUR > now || rests => return Ok(Arc::clone(known)),
                None if rests => return Err("it failed a moment ago".into()),
                known => known.as_ref().map(|(known, _)| Arc::clone(known)),
            }
        };
        let issuer = self.issuer();
        let address = format!("{}/.well-known/openid-configuration", issuer.strip_suffix('/').unwrap_or(issuer));
        let asked = async {
            let address = Url::parse(&address).map_err(|error| error.to_string())?;
            let found: Discovery = json(&self.get(address, None).await?)?;
            if found.issuer != issuer {
                return Err(format!("it calls itself `{}`, the configuration `{issuer}`", found.issuer));
            }
            Ok(Arc::new(found))
        };
        match asked.await {
            Ok(found) => {
                let mut learnt = self.learnt();
                learnt.failed = None;
                learnt.discovery = Some((Arc::clone(&found), now));
                Ok(found)
            }
            Err(problem) => {
                self.learnt().failed = Some(now);
                tracing::warn!(%problem, "the identity provider does not say where things are");
                known.ok_or(problem)
            }
        }
    }

    /// The body of a good answer.
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
            let asked = Asked {
                method,
                url: &url,
                headers: &headers,
                body: form.as_deref().map(str::as_bytes),
                deadline: Instant::now() + PATIENCE,
                largest: LARGEST,
            };
            Ok(match outbound.ask(&asked) {
                Ok(answer) if answer.status == 200 && !answer::is_signed(&answer) => Ok(answer.body),
                Ok(answer) => Err(answer::failure_text(&url, &answer)),
                Err(problem) => Err(format!("{}: {problem}", url.host_str().unwrap_or_default())),
            })
        };
        self.0.lane.run(work).await.map_err(|error| error.to_string())?
    }

    fn learnt(&self) -> MutexGuard<'_, Learnt> {
        self.0.learnt.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
