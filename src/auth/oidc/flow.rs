//! Sign-in with the provider: the authorization code flow with PKCE.
//!
//! The state of a pending sign-in is stored in the browser, sealed. The server stores nothing for abandoned sign-ins,
//! and may be restarted in between.

use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use url::{Url, form_urlencoded};

use super::{
    Provider,
    claims::{Assertion, MAX_LIST_LENGTH, audiences},
    discovery::Discovery,
    response::json,
};
use crate::{auth::keys::random, clock::MINUTE, error::Error, outbound::Method, secret::Secret};

/// Maximum duration of a sign-in at the provider, in milliseconds.
pub const PENDING: i64 = 10 * MINUTE;

/// A pending sign-in at the provider.
#[derive(Serialize, Deserialize)]
pub struct Pending {
    /// The `state` parameter, unique to this sign-in.
    pub state: String,
    nonce: String,
    verifier: String,
    /// The page to open after sign-in, if any.
    pub next: Option<String>,
    /// Expiry, Unix milliseconds.
    pub until: i64,
}

/// Why sign-in failed.
#[derive(Debug)]
pub enum ProviderError {
    /// The provider could not be reached or gave an invalid response.
    Unreachable(String),
    /// The response failed verification.
    Invalid(String),
}

/// A user who has signed in at the provider.
#[derive(Debug)]
pub struct ProviderUser {
    /// What the provider asserts about the user.
    pub assertion: Assertion,
    /// The ID token, sent back as a hint when the user signs out.
    pub id_token: Secret,
}

#[derive(Deserialize)]
struct TokenResponse {
    id_token: Secret,
    access_token: Secret,
}

fn random_text() -> String {
    URL_SAFE_NO_PAD.encode(random::<32>())
}

impl Pending {
    /// Starts a sign-in at `now`, in Unix milliseconds. `next` is the page to open afterward.
    pub fn new(next: Option<String>, now: i64) -> Self {
        Self { state: random_text(), nonce: random_text(), verifier: random_text(), next, until: now + PENDING }
    }
}

impl Provider {
    /// The URL to which the browser is redirected.
    pub async fn authorize_url(&self, pending: &Pending) -> Result<Url, ProviderError> {
        let discovery = self.discovery().await.map_err(ProviderError::Unreachable)?;
        let options = &self.0.options;
        let mut url = discovery.authorization_endpoint.clone();
        url.query_pairs_mut()
            .append_pair("response_type", "code")
            .append_pair("client_id", &options.client_id)
            .append_pair("redirect_uri", &options.redirect_uri)
            .append_pair("scope", &options.scopes.join(" "))
            .append_pair("state", &pending.state)
            .append_pair("nonce", &pending.nonce)
            .append_pair("code_challenge", &URL_SAFE_NO_PAD.encode(Sha256::digest(&pending.verifier)))
            .append_pair("code_challenge_method", "S256");
        Ok(url)
    }

    /// Exchanges the authorization code for the identity of the user.
    pub async fn exchange(&self, pending: &Pending, code: &str) -> Result<ProviderUser, ProviderError> {
        let discovery = self.discovery().await.map_err(ProviderError::Unreachable)?;
        let tokens = self.fetch_tokens(&discovery, pending, code).await.map_err(ProviderError::Unreachable)?;
        let mut claims = self.verify_id_token(tokens.id_token.reveal(), pending).await?;
        let mut is_complete = true;
        if let Some(address) = discovery.userinfo_endpoint.clone() {
            let user_info = self.get(address, Some(tokens.access_token)).await;
            match user_info.and_then(|body| json::<Map<String, Value>>(&body)) {
                Ok(user_info) if user_info.get("sub") != claims.get("sub") => {
                    return Err(ProviderError::Invalid("UserInfo and the ID token are about different users".into()));
                }
                Ok(user_info) => add(&mut claims, user_info),
                // Providers that bind access tokens to an API reject them at `UserInfo`.
                Err(problem) if self.is_sufficient(&claims) => {
                    tracing::warn!(%problem, "cannot read UserInfo; the ID token has all required claims");
                    is_complete = false;
                }
                Err(problem) => return Err(ProviderError::Unreachable(problem)),
            }
        }
        let mut assertion = Assertion::read(&claims, &self.0.options.claims);
        // With these scopes, the absence of groups or organizations means that the user has none.
        if is_complete {
            assertion.all_organizations |=
                self.requests_scope("organization") && assertion.organizations.len() < MAX_LIST_LENGTH;
            assertion.groups.get_or_insert_default();
        }
        Ok(ProviderUser { assertion, id_token: tokens.id_token })
    }

    /// Whether a scope equals `what` or is a part of it.
    fn requests_scope(&self, what: &str) -> bool {
        self.0.options.scopes.iter().any(|scope| scope.split(':').next() == Some(what))
    }

    /// Whether the ID token alone contains everything that the scopes request and the configuration depends on. Missing
    /// data must not be taken as empty: a missing group would end a membership.
    fn is_sufficient(&self, claims: &Map<String, Value>) -> bool {
        let options = &self.0.options;
        let assertion = Assertion::read(claims, &options.claims);
        let email = !self.requests_scope("email") || assertion.email.is_some();
        let name = !self.requests_scope("profile") || assertion.name.is_some() || assertion.login.is_some();
        let groups = !options.needs_groups || assertion.groups.is_some();
        let organizations = !self.requests_scope("organization") || assertion.all_organizations;
        email && name && groups && organizations
    }

    /// Whether browsers are sent to the provider to sign out.
    pub fn signs_out(&self) -> bool {
        self.0.options.signed_out_uri.is_some()
    }

    /// The URL for signing out at the provider (`OpenID` Connect RP-Initiated Logout 1.0); none if the provider has no
    /// such page or does not currently announce it. With the ID token as a hint, the provider need not ask the user to
    /// confirm. An ID token that would still be accepted as a credential here is not put into a URL.
    pub async fn sign_out_url(&self, hint: Option<&str>) -> Option<Url> {
        let back = self.0.options.signed_out_uri.as_deref()?;
        let discovery = self.discovery().await.ok()?;
        let mut url = Url::parse(discovery.end_session_endpoint.as_deref()?).ok()?;
        // The browser navigates to this URL, so only web URLs are allowed.
        let is_web = url.scheme() == "https" || (url.scheme() == "http" && self.issuer().starts_with("http:"));
        if !is_web {
            return None;
        }
        let spent = match hint {
            Some(hint) => matches!(self.bearer(hint).await, Err(Error::Unauthenticated(_))),
            None => false,
        };
        url.query_pairs_mut()
            .append_pair("client_id", &self.0.options.client_id)
            .append_pair("post_logout_redirect_uri", back)
            .extend_pairs(hint.filter(|_| spent).map(|hint| ("id_token_hint", hint)));
        Some(url)
    }

    /// Exchanges the authorization code for tokens.
    async fn fetch_tokens(
        &self,
        discovery: &Discovery,
        pending: &Pending,
        code: &str,
    ) -> Result<TokenResponse, String> {
        let options = &self.0.options;
        let methods = &discovery.token_endpoint_auth_methods_supported;
        let offers = |method: &str| methods.iter().any(|one| one == method);
        let (id, secret) = (options.client_id.as_str(), options.client_secret.reveal());
        // RFC 8414: without metadata, the default is `client_secret_basic`.
        let in_body = secret.is_empty() || (offers("client_secret_post") && !offers("client_secret_basic"));
        let mut pairs = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", options.redirect_uri.as_str()),
            ("code_verifier", pending.verifier.as_str()),
        ];
        if in_body {
            pairs.push(("client_id", id));
        }
        if in_body && !secret.is_empty() {
            pairs.push(("client_secret", secret));
        }
        let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish();
        let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
        let basic =
            (!in_body).then(|| format!("Basic {}", STANDARD.encode(format!("{}:{}", encoded(id), encoded(secret)))));
        json(&self.ask(Method::Post, discovery.token_endpoint.clone(), basic, Some(form)).await?)
    }

    /// The claims of an ID token, if it was issued for this client and this sign-in.
    async fn verify_id_token(&self, token: &str, pending: &Pending) -> Result<Map<String, Value>, ProviderError> {
        let invalid = |why: &str| ProviderError::Invalid(why.to_owned());
        let claims = self.verified(token, None).await.map_err(|error| ProviderError::Invalid(error.to_string()))?;
        let client = self.0.options.client_id.as_str();
        let aud = audiences(&claims);
        if !aud.iter().any(|one| one == client) {
            return Err(invalid("the ID token is not for this client (`aud`)"));
        }
        match claims.get("azp") {
            Some(azp) if azp != client => return Err(invalid("the ID token was issued to another client (`azp`)")),
            None if aud.len() > 1 => {
                return Err(invalid("the ID token has several audiences but no authorized party (`azp`)"));
            }
            _ => {}
        }
        if claims.get("nonce").and_then(Value::as_str) != Some(&pending.nonce) {
            return Err(invalid("the ID token belongs to another sign-in (`nonce`)"));
        }
        Ok(claims)
    }
}

/// Adds the claims of `UserInfo`. For claims about the token itself the ID token takes precedence, for all others
/// `UserInfo`. The email address and whether it is verified are taken from the same source.
fn add(claims: &mut Map<String, Value>, mut user_info: Map<String, Value>) {
    for name in ["iss", "sub", "aud", "azp", "exp", "iat", "nbf", "nonce", "sts"] {
        user_info.remove(name);
    }
    if user_info.contains_key("email") {
        claims.remove("email_verified");
    } else {
        user_info.remove("email_verified");
    }
    claims.extend(user_info);
}
