//! Consent: what a client asks for, shown to the user, and the user's word.
//!
//! The request is kept here; the browser carries a secret that names it, from the page that the client opens to the page
//! that asks. It belongs to the first user who looks at it, is answered once, and runs out. The answer comes with the
//! user's own session token: no cookie decides, so no other page can answer for them.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use serde_json::json;
use url::Url;
use utoipa::ToSchema;

use super::{
    CODE, CONSENT, Outcome, Refusal, WRONG_TARGET,
    clients::{has_own_scheme, may_answer_at},
    is_ours,
};
use crate::{
    auth::tokens,
    domain::{
        access::{Core, GrantScope, PublicTx, Reads, SessionTx, active_organization},
        input::{Input, objects},
        store::connectors::{self as rows, consent::Request},
    },
    error::{Error, Result},
};

/// Longest `state` that is handed back, in bytes.
const LONGEST_STATE: usize = 2_048;

/// What a client sends a browser with.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Authorization {
    /// Which client.
    pub client_id: Option<String>,
    /// Where the answer goes.
    pub redirect_uri: Option<String>,
    /// `code`.
    pub response_type: Option<String>,
    /// SHA-256 of the client's secret for this one time, base64url (RFC 7636).
    pub code_challenge: Option<String>,
    /// `S256`.
    pub code_challenge_method: Option<String>,
    /// Handed back with the answer.
    pub state: Option<String>,
    /// What it would like to do.
    pub scope: Option<String>,
    /// What it wants to speak to (RFC 8707).
    pub resource: Option<String>,
}

/// The outcome of an authorization request.
#[derive(Debug)]
pub enum Asked {
    /// The user is to be asked: the secret that names the request, for the page that asks.
    Consent(String),
    /// The client is told at once what is wrong: where the browser goes.
    Back(String),
    /// The client cannot be redirected to; show this message to the user.
    Page(&'static str),
    /// Nobody here has authorized the client, so the browser is not sent to it unasked (RFC 9700, 4.11.2): show what is
    /// wrong, and a link.
    Link {
        /// What is wrong.
        text: &'static str,
        /// Where the link leads: to the client, with the error.
        address: String,
    },
}

/// Looks at what a client asks for, and keeps it for the user.
pub fn ask(tx: &mut PublicTx<'_>, asked: Authorization) -> Result<Asked> {
    let core = tx.core();
    let (Some(client_id), Some(redirect_uri)) = (asked.client_id.as_deref(), asked.redirect_uri.as_deref()) else {
        return Ok(Asked::Page("The program that sent you here did not say who it is, or where it wants its answer."));
    };
    let Some(client) = rows::client(core.conn, client_id)? else {
        return Ok(Asked::Page(
            "The program that sent you here is not registered. Remove it there and connect it anew.",
        ));
    };
    if !may_answer_at(core, &client.redirect_uris, redirect_uri) {
        return Ok(Asked::Page(
            "The program that sent you here wants its answer at an address that it did not register.",
        ));
    }
    // From here on the client itself can be told.
    let (scope, code_challenge) = match checked(core, &asked) {
        Ok(checked) => checked,
        Err(refusal) => {
            let state = asked.state.as_deref().filter(|state| state.len() <= LONGEST_STATE);
            let address = answer(core, redirect_uri, state, &Err(refusal))?;
            // Anybody can register an address: without this, a link to us would lead to any page at all.
            return Ok(if rows::was_authorized(core.conn, client_id)? {
                Asked::Back(address)
            } else {
                Asked::Link { text: refusal.text, address }
            });
        }
    };
    let secret = tokens::generate("");
    let Authorization { state, resource, .. } = asked;
    let request = Request {
        client_id: client.client_id,
        redirect_uri: redirect_uri.to_owned(),
        code_challenge,
        state,
        scope,
        resource,
        user_id: None,
        expires_at: core.now + CONSENT,
    };
    rows::consent::insert(core.conn, &tokens::hash(&secret), &request, core.now)?;
    Ok(Asked::Consent(secret))
}

/// The scope and the challenge, if all that is asked can be.
fn checked(core: &Core<'_>, asked: &Authorization) -> Outcome<(GrantScope, String)> {
    let request = |text| Refusal { code: "invalid_request", text };
    if asked.response_type.as_deref() != Some("code") {
        return Err(Refusal { code: "unsupported_response_type", text: "response_type must be code" });
    }
    if asked.code_challenge_method.as_deref() != Some("S256") {
        return Err(request("code_challenge_method must be S256"));
    }
    let Some(code_challenge) = asked.code_challenge.clone().filter(|challenge| is_challenge(challenge)) else {
        return Err(request("code_challenge must be a SHA-256 in base64url: 43 characters"));
    };
    if !is_ours(core, asked.resource.as_deref()) {
        return Err(WRONG_TARGET);
    }
    let Some(scope) = GrantScope::parse(asked.scope.as_deref()) else {
        return Err(Refusal { code: "invalid_scope", text: "scope can be mcp:read and mcp:write" });
    };
    if asked.state.as_ref().is_some_and(|state| state.len() > LONGEST_STATE) {
        return Err(request("state is longer than 2,048 bytes"));
    }
    Ok((scope, code_challenge))
}

fn is_challenge(text: &str) -> bool {
    URL_SAFE_NO_PAD.decode(text).is_ok_and(|bytes| bytes.len() == 32)
}

/// A request, for the page that asks.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConsentRequest {
    /// What the program calls itself. Nobody has checked it.
    #[schema(example = "Claude")]
    pub client_name: String,
    /// The host that the answer goes to, which says more than the name.
    #[schema(example = "claude.example")]
    pub redirect_host: String,
    /// Whether that is on the user's own machine.
    pub is_local: bool,
    /// The whole address, when it opens an app on the user's machine by a scheme of its own. The server accepts it because
    /// its configuration lists it, but any app on the machine can claim it.
    #[schema(required, example = "cursor://anysphere.cursor-mcp/oauth/callback")]
    pub native_address: Option<String>,
    /// Whether it asks to write too.
    pub can_write: bool,
    /// Until when it can be answered, Unix milliseconds.
    #[schema(example = 1_790_000_900_000_i64)]
    pub expires_at: i64,
}

/// The user's word.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Decision {
    /// What stands behind the `#` of the page's address.
    #[schema(max_length = 100, example = "pT8wq0cPnVUeQm1fUyk2o3hJm4c0ZyS7kVvQb1d2RZE")]
    pub request: String,
    /// Whether the program is let in.
    pub allow: bool,
    /// The organization it may act in; needed when it is let in.
    #[schema(nullable = false, example = "org_2x7Yk")]
    pub org_id: Option<String>,
    /// Whether it may read alone, whatever it asks for.
    #[schema(nullable = false)]
    pub read_only: Option<bool>,
}

objects!(Decision);
impl Input for Decision {}

/// Where the browser goes next: back to the program, with its answer.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Consented {
    /// The address.
    #[schema(example = "http://127.0.0.1:33418/callback?code=…&state=…&iss=…")]
    pub redirect_to: String,
}

/// What a request asks for. From now on it is the caller's to answer.
pub fn look(tx: &mut SessionTx<'_>, secret: &str) -> Result<ConsentRequest> {
    let core = tx.core();
    let request = theirs(tx, secret)?;
    rows::consent::claim(core.conn, &tokens::hash(secret), tx.caller().user_id)?;
    let client = rows::client(core.conn, &request.client_id)?.ok_or(GONE)?;
    let url = Url::parse(&request.redirect_uri).map_err(|_| GONE)?;
    Ok(ConsentRequest {
        client_name: client.client_name,
        redirect_host: url.host_str().unwrap_or_default().to_owned(),
        is_local: url.scheme() == "http",
        native_address: has_own_scheme(&request.redirect_uri).then_some(request.redirect_uri),
        can_write: request.scope == GrantScope::Write,
        expires_at: request.expires_at,
    })
}

/// Does as the user decides: grants, and hands out a code; or tells the client that it may not.
pub fn decide(tx: &mut SessionTx<'_>, decision: Decision) -> Result<Consented> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    let request = theirs(tx, &decision.request)?;
    let client = rows::client(core.conn, &request.client_id)?.ok_or(GONE)?;
    let outcome = if decision.allow {
        let organization_id = decision
            .org_id
            .ok_or_else(|| Error::invalid("orgId", "must name the organization that the program may act in"))?;
        active_organization(core.conn, &organization_id, user_id)?.ok_or(Error::NotFound("organization"))?;
        let scope = if decision.read_only == Some(true) { GrantScope::Read } else { request.scope };
        let grant = rows::NewGrant { client_id: &client.client_id, user_id, organization_id: &organization_id, scope };
        let grant_id = rows::insert_grant(core.conn, &grant, core.now)?;
        let handed_out = tokens::generate("");
        let row = rows::NewCode {
            hash: tokens::hash(&handed_out),
            grant_id,
            redirect_uri: &request.redirect_uri,
            challenge: &request.code_challenge,
            resource: request.resource.as_deref(),
            expires_at: core.now + CODE,
        };
        rows::insert_code(core.conn, &row)?;
        let details = json!({ "clientId": client.client_id, "name": client.client_name, "grantId": grant_id,
                              "organizationId": organization_id, "scope": scope.as_str() });
        core.audit("connector.allow", Some(user_id), &details)?;
        Ok(handed_out)
    } else {
        let details = json!({ "clientId": client.client_id, "name": client.client_name });
        core.audit("connector.deny", Some(user_id), &details)?;
        Err(Refusal { code: "access_denied", text: "the user said no" })
    };
    rows::consent::delete(core.conn, &tokens::hash(&decision.request))?;
    let redirect_to = answer(core, &request.redirect_uri, request.state.as_deref(), &outcome)?;
    Ok(Consented { redirect_to })
}

const GONE: Error = Error::NotFound("consent request");

/// The request that a secret names, while the caller may answer it. One that ran out, was answered, or is somebody else's
/// looks like one that never was.
fn theirs(tx: &SessionTx<'_>, secret: &str) -> Result<Request> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    let request = rows::consent::by_hash(core.conn, &tokens::hash(secret))?.ok_or(GONE)?;
    let is_theirs = request.user_id.is_none_or(|first| first == user_id);
    if is_theirs && core.now < request.expires_at { Ok(request) } else { Err(GONE) }
}

/// The address that brings an outcome to the client, with who says so (RFC 9207).
fn answer(core: &Core<'_>, redirect_uri: &str, state: Option<&str>, outcome: &Outcome<String>) -> Result<String> {
    let mut url = Url::parse(redirect_uri).map_err(|wrong| Error::Internal(format!("a checked address: {wrong}")))?;
    {
        let mut query = url.query_pairs_mut();
        match outcome {
            Ok(handed_out) => query.append_pair("code", handed_out),
            Err(Refusal { code, text }) => query.append_pair("error", code).append_pair("error_description", text),
        };
        if let Some(state) = state {
            query.append_pair("state", state);
        }
        query.append_pair("iss", &core.shared.sessions.issuer);
    }
    Ok(url.into())
}
