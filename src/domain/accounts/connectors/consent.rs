//! Consent: shows the user what a client requests, and records the user's decision.
//!
//! The server stores the request. The browser carries a secret that identifies it from the page that the client opens
//! to the consent page. The request belongs to the first user who views it, can be decided once, and expires. The
//! decision requires the user's session token instead of a cookie, so that no other site can decide for the user.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use serde_json::json;
use url::Url;

pub(in crate::domain) use super::super::store::connectors::consent::delete_expired;
use super::{
    CODE_LIFETIME, CONSENT_LIFETIME, OauthError, OauthResult, WRONG_TARGET,
    clients::{has_private_scheme, may_redirect_to},
    is_this_server,
};
use crate::{
    auth::tokens,
    describe::ToSchema,
    domain::{
        accounts::store::{self, connectors::consent::Request},
        core::{Core, GrantScope, PublicTx, Reads, SessionTx, active_organization},
        input::{Input, objects},
    },
    error::{Error, Result},
};

/// Maximum length of a `state` that is returned, in bytes.
const MAX_STATE_BYTES: usize = 2_048;

/// The query parameters of an authorization request.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Authorization {
    /// Client id.
    pub client_id: Option<String>,
    /// Redirect URI.
    pub redirect_uri: Option<String>,
    /// Must be `code`.
    pub response_type: Option<String>,
    /// PKCE challenge: the SHA-256 hash of the code verifier, base64url-encoded (RFC 7636).
    pub code_challenge: Option<String>,
    /// Must be `S256`.
    pub code_challenge_method: Option<String>,
    /// Opaque value returned with the response.
    pub state: Option<String>,
    /// Requested scope.
    pub scope: Option<String>,
    /// Requested resource (RFC 8707).
    pub resource: Option<String>,
}

/// The outcome of an authorization request.
#[derive(Debug)]
pub enum AuthorizationOutcome {
    /// The user must consent; contains the secret that identifies the request, for the consent page.
    Consent(String),
    /// The request is invalid, and the error is returned to the client; contains the redirect URL.
    Redirect(String),
    /// The client cannot be redirected to; show this message to the user.
    Page(&'static str),
    /// No user of this instance has authorized the client, so the browser is not redirected automatically (RFC 9700,
    /// 4.11.2): show the error and a link.
    Link {
        /// The error message.
        text: &'static str,
        /// The redirect URL of the client, with the error.
        address: String,
    },
}

/// Validates an authorization request and stores it for the user.
pub fn authorize(tx: &mut PublicTx<'_>, authorization: Authorization) -> Result<AuthorizationOutcome> {
    let core = tx.core();
    let (Some(client_id), Some(redirect_uri)) =
        (authorization.client_id.as_deref(), authorization.redirect_uri.as_deref())
    else {
        return Ok(AuthorizationOutcome::Page(
            "The program that sent you here did not say who it is, or where it wants its answer.",
        ));
    };
    let Some(client) = store::connectors::client(core.conn, client_id)? else {
        return Ok(AuthorizationOutcome::Page(
            "The app that sent you here is not registered. Remove the connection there and connect again.",
        ));
    };
    if !may_redirect_to(core, &client.redirect_uris, redirect_uri) {
        return Ok(AuthorizationOutcome::Page(
            "The program that sent you here wants its answer at an address that it did not register.",
        ));
    }
    // From here on, errors can be returned to the client.
    let (scope, code_challenge) = match validated(core, &authorization) {
        Ok(validated) => validated,
        Err(refusal) => {
            let state = authorization.state.as_deref().filter(|state| state.len() <= MAX_STATE_BYTES);
            let address = redirect_url(core, redirect_uri, state, &Err(refusal))?;
            // Registration is public: without this check, this endpoint would be an open redirector.
            return Ok(if store::connectors::was_authorized(core.conn, client_id)? {
                AuthorizationOutcome::Redirect(address)
            } else {
                AuthorizationOutcome::Link { text: refusal.text, address }
            });
        }
    };
    let secret = tokens::generate("");
    let Authorization { state, resource, .. } = authorization;
    let request = Request {
        client_id: client.client_id,
        redirect_uri: redirect_uri.to_owned(),
        code_challenge,
        state,
        scope,
        resource,
        user_id: None,
        expires_at: core.now + CONSENT_LIFETIME,
    };
    store::connectors::consent::insert(core.conn, &tokens::hash(&secret), &request, core.now)?;
    Ok(AuthorizationOutcome::Consent(secret))
}

/// The scope and the PKCE challenge, if the request is valid.
fn validated(core: &Core<'_>, authorization: &Authorization) -> OauthResult<(GrantScope, String)> {
    let request = |text| OauthError { code: "invalid_request", text };
    if authorization.response_type.as_deref() != Some("code") {
        return Err(OauthError { code: "unsupported_response_type", text: "response_type must be code" });
    }
    if authorization.code_challenge_method.as_deref() != Some("S256") {
        return Err(request("code_challenge_method must be S256"));
    }
    let Some(code_challenge) = authorization.code_challenge.clone().filter(|challenge| is_challenge(challenge)) else {
        return Err(request("code_challenge must be a SHA-256 in base64url: 43 characters"));
    };
    if !is_this_server(core, authorization.resource.as_deref()) {
        return Err(WRONG_TARGET);
    }
    let Some(scope) = GrantScope::parse(authorization.scope.as_deref()) else {
        return Err(OauthError { code: "invalid_scope", text: "scope can be mcp:read and mcp:write" });
    };
    if authorization.state.as_ref().is_some_and(|state| state.len() > MAX_STATE_BYTES) {
        return Err(request("state is longer than 2,048 bytes"));
    }
    Ok((scope, code_challenge))
}

fn is_challenge(text: &str) -> bool {
    URL_SAFE_NO_PAD.decode(text).is_ok_and(|bytes| bytes.len() == 32)
}

/// An authorization request, for the consent page.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsentRequest {
    /// Display name of the app, as registered by the app itself. It is not verified.
    #[schema(example = "Claude")]
    pub client_name: String,
    /// Host of the redirect URL. It is more trustworthy than the name.
    #[schema(example = "claude.example")]
    pub redirect_host: String,
    /// Whether the redirect URL is on the user's own machine.
    pub is_local: bool,
    /// The complete redirect URL if it has a private-use scheme that opens an app on the user's machine. The server
    /// accepts it because its configuration lists it, but any app on the machine can claim the scheme.
    #[schema(required, example = "cursor://anysphere.cursor-mcp/oauth/callback")]
    pub native_address: Option<String>,
    /// Whether the app requests write access.
    pub can_write: bool,
    /// Deadline for the decision in Unix milliseconds.
    #[schema(example = 1_790_000_900_000_i64)]
    pub expires_at: i64,
}

/// The user's decision on an authorization request.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ConsentDecision {
    /// The secret after the `#` of the consent page's address.
    #[schema(max_length = 100, example = "pT8wq0cPnVUeQm1fUyk2o3hJm4c0ZyS7kVvQb1d2RZE")]
    pub request: String,
    /// Whether to authorize the app.
    pub allow: bool,
    /// Id of the organization in which the app may act. Required if `allow` is true.
    #[schema(nullable = false, example = "org_2x7Yk")]
    pub org_id: Option<String>,
    /// Whether to restrict the app to read access, regardless of the requested scope.
    #[schema(nullable = false)]
    pub read_only: Option<bool>,
}

objects!(ConsentDecision);
impl Input for ConsentDecision {}

/// The redirect after the decision.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsentResult {
    /// Redirect URL that returns the response to the app.
    #[schema(example = "http://127.0.0.1:33418/callback?code=…&state=…&iss=…")]
    pub redirect_to: String,
}

/// Returns the details of a request and binds the request to the caller.
pub fn details(tx: &mut SessionTx<'_>, secret: &str) -> Result<ConsentRequest> {
    let core = tx.core();
    let request = own_request(tx, secret)?;
    store::connectors::consent::claim(core.conn, &tokens::hash(secret), tx.caller().user_id)?;
    let client = store::connectors::client(core.conn, &request.client_id)?.ok_or(NOT_FOUND)?;
    let url = Url::parse(&request.redirect_uri).map_err(|_| NOT_FOUND)?;
    Ok(ConsentRequest {
        client_name: client.client_name,
        redirect_host: url.host_str().unwrap_or_default().to_owned(),
        is_local: url.scheme() == "http",
        native_address: has_private_scheme(&request.redirect_uri).then_some(request.redirect_uri),
        can_write: request.scope == GrantScope::Write,
        expires_at: request.expires_at,
    })
}

/// Records the decision: creates a grant and issues a code, or returns `access_denied` to the client.
pub fn decide(tx: &mut SessionTx<'_>, decision: ConsentDecision) -> Result<ConsentResult> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    let request = own_request(tx, &decision.request)?;
    let client = store::connectors::client(core.conn, &request.client_id)?.ok_or(NOT_FOUND)?;
    let outcome = if decision.allow {
        let organization_id = decision
            .org_id
            .ok_or_else(|| Error::invalid("orgId", "must name the organization that the app may access"))?;
        active_organization(core.conn, &organization_id, user_id)?.ok_or(Error::NotFound("organization"))?;
        let scope = if decision.read_only == Some(true) { GrantScope::Read } else { request.scope };
        let grant = store::connectors::NewGrant {
            client_id: &client.client_id,
            user_id,
            organization_id: &organization_id,
            scope,
        };
        let grant_id = store::connectors::insert_grant(core.conn, &grant, core.now)?;
        let authorization_code = tokens::generate("");
        let row = store::connectors::NewAuthorizationCode {
            hash: tokens::hash(&authorization_code),
            grant_id,
            redirect_uri: &request.redirect_uri,
            challenge: &request.code_challenge,
            resource: request.resource.as_deref(),
            expires_at: core.now + CODE_LIFETIME,
        };
        store::connectors::insert_code(core.conn, &row)?;
        let details = json!({ "clientId": client.client_id, "name": client.client_name, "grantId": grant_id,
                              "organizationId": organization_id, "scope": scope.as_str() });
        core.audit("connector.allow", Some(user_id), &details)?;
        Ok(authorization_code)
    } else {
        let details = json!({ "clientId": client.client_id, "name": client.client_name });
        core.audit("connector.deny", Some(user_id), &details)?;
        Err(OauthError { code: "access_denied", text: "the user denied the request" })
    };
    store::connectors::consent::delete(core.conn, &tokens::hash(&decision.request))?;
    let redirect_to = redirect_url(core, &request.redirect_uri, request.state.as_deref(), &outcome)?;
    Ok(ConsentResult { redirect_to })
}

const NOT_FOUND: Error = Error::NotFound("consent request");

/// The request identified by a secret, if the caller may decide it. A request that expired, was decided, or belongs to
/// another user is treated like one that does not exist.
fn own_request(tx: &SessionTx<'_>, secret: &str) -> Result<Request> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    let request = store::connectors::consent::by_hash(core.conn, &tokens::hash(secret))?.ok_or(NOT_FOUND)?;
    let is_own = request.user_id.is_none_or(|first| first == user_id);
    if is_own && core.now < request.expires_at { Ok(request) } else { Err(NOT_FOUND) }
}

/// The redirect URL that returns an outcome to the client, with the issuer (RFC 9207).
fn redirect_url(
    core: &Core<'_>,
    redirect_uri: &str,
    state: Option<&str>,
    outcome: &OauthResult<String>,
) -> Result<String> {
    let mut url = Url::parse(redirect_uri).map_err(|wrong| Error::Internal(format!("a checked address: {wrong}")))?;
    {
        let mut query = url.query_pairs_mut();
        match outcome {
            Ok(authorization_code) => query.append_pair("code", authorization_code),
            Err(OauthError { code, text }) => query.append_pair("error", code).append_pair("error_description", text),
        };
        if let Some(state) = state {
            query.append_pair("state", state);
        }
        query.append_pair("iss", &core.shared.sessions.issuer);
    }
    Ok(url.into())
}
