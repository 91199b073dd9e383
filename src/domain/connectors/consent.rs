//! Consent: what a client asks for, shown to the user, and the user's word.
//!
//! The request is kept by the browser, sealed, between the page that the client opens and the page that asks: the server
//! remembers nothing of those who never answer. The answer comes with the user's own session token, so no cookie decides.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use serde_json::json;
use url::Url;
use utoipa::ToSchema;

use super::{CODE, CONSENT, HIDDEN, Refusal, Scope, WRONG_TARGET, clients::may_answer_at, is_ours};
use crate::{
    auth::tokens,
    domain::{
        access::{Core, PublicTx, Reads, SessionTx},
        input::{Input, objects},
        store,
    },
    error::{Error, Result},
};

const PURPOSE: &str = "authorization";
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

/// What becomes of it.
#[derive(Debug)]
pub enum Asked {
    /// The user is to be asked: the request, sealed, for the page that does.
    Consent(String),
    /// The client is told at once what is wrong: where the browser goes.
    Back(String),
    /// Nobody who could be told is known: a page for the user.
    Page(&'static str),
}

/// A request between its coming and the user's word.
#[derive(Debug, Serialize, Deserialize)]
struct Pending {
    client_id: String,
    redirect_uri: String,
    code_challenge: String,
    state: Option<String>,
    scope: Scope,
    resource: Option<String>,
    issued: i64,
}

/// Looks at what a client asks for.
pub fn ask(tx: &PublicTx<'_>, asked: Authorization) -> Result<Asked> {
    let core = tx.core();
    let (Some(client_id), Some(redirect_uri)) = (asked.client_id, asked.redirect_uri) else {
        return Ok(Asked::Page("The program that sent you here did not say who it is, or where it wants its answer."));
    };
    let Some(client) = store::connectors::client(core.conn, &client_id)? else {
        return Ok(Asked::Page("The program that sent you here is not registered. Remove it and connect it anew."));
    };
    if !may_answer_at(&client.redirect_uris, &redirect_uri) {
        return Ok(Asked::Page("The program that sent you here wants its answer at an address that it did not register."));
    }
    // From here on the client itself can be told.
    let state = asked.state;
    let back = |refusal| Ok(Asked::Back(answer(core, &redirect_uri, state.as_deref(), &Err(refusal))?));
    let request = |text| Refusal { code: "invalid_request", text };
    if asked.response_type.as_deref() != Some("code") {
        return back(Refusal { code: "unsupported_response_type", text: "response_type must be code" });
    }
    if asked.code_challenge_method.as_deref() != Some("S256") {
        return back(request("code_challenge_method must be S256"));
    }
    let Some(code_challenge) = asked.code_challenge.filter(|challenge| is_challenge(challenge)) else {
        return back(request("code_challenge must be a SHA-256 in base64url: 43 characters"));
    };
    if !is_ours(core, asked.resource.as_deref()) {
        return back(WRONG_TARGET);
    }
    let Some(scope) = Scope::parse(asked.scope.as_deref()) else {
        return back(Refusal { code: "invalid_scope", text: "scope can be mcp:read and mcp:write" });
    };
    if state.as_ref().is_some_and(|state| state.len() > LONGEST_STATE) {
        return Ok(Asked::Back(answer(core, &redirect_uri, None, &Err(request("state is longer than 2,048 bytes")))?));
    }
    let resource = asked.resource;
    let pending = Pending { client_id, redirect_uri, code_challenge, state, scope, resource, issued: core.now };
    let sealed = core.shared.keys.seal(PURPOSE, &serde_json::to_vec(&pending)?)?;
    Ok(Asked::Consent(URL_SAFE_NO_PAD.encode(sealed)))
}

fn is_challenge(text: &str) -> bool {
    URL_SAFE_NO_PAD.decode(text).is_ok_and(|bytes| bytes.len() == 32)
}

/// A request, unsealed for the page that asks.
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
    /// Whether it asks to write too.
    pub can_write: bool,
}

/// The user's word.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Decision {
    /// The request, as the page got it.
    #[schema(max_length = 8_192)]
    pub request: String,
    /// Whether the program is let in.
    pub allow: bool,
    /// The organization it may act in; needed when it is let in.
    #[schema(nullable = false)]
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
    pub redirect_to: String,
}

/// What a request asks for.
pub fn look(tx: &SessionTx<'_>, request: &str) -> Result<ConsentRequest> {
    let core = tx.core();
    let pending = open(core, request)?;
    let client = store::connectors::client(core.conn, &pending.client_id)?.ok_or(HIDDEN)?;
    let url = Url::parse(&pending.redirect_uri).map_err(|_| EXPIRED)?;
    Ok(ConsentRequest {
        client_name: client.client_name,
        redirect_host: url.host_str().unwrap_or_default().to_owned(),
        is_local: url.scheme() == "http",
        can_write: pending.scope == Scope::Write,
    })
}

/// Does as the user decides: grants, and hands out a code; or tells the client that it may not.
pub fn decide(tx: &mut SessionTx<'_>, decision: Decision) -> Result<Consented> {
    let (core, user_id) = (tx.core(), tx.caller().user_id);
    let pending = open(core, &decision.request)?;
    let back = |outcome| -> Result<Consented> {
        let redirect_to = answer(core, &pending.redirect_uri, pending.state.as_deref(), &outcome)?;
        Ok(Consented { redirect_to })
    };
    if !decision.allow {
        return back(Err(Refusal { code: "access_denied", text: "the user said no" }));
    }
    let client = store::connectors::client(core.conn, &pending.client_id)?.ok_or(HIDDEN)?;
    let needed = "names the organization that the program may act in";
    let organization_id = decision.org_id.ok_or_else(|| Error::invalid("orgId", needed))?;
    store::organizations::active(core.conn, &organization_id, user_id)?.ok_or(Error::NotFound("organization"))?;
    let scope = if decision.read_only == Some(true) { Scope::Read } else { pending.scope };
    let grant = store::connectors::NewGrant { client_id: &client.client_id, user_id, organization_id: &organization_id, scope };
    let grant_id = store::connectors::insert_grant(core.conn, &grant, core.now)?;
    let code = tokens::generate("");
    let row = store::connectors::NewCode {
        hash: tokens::hash(&code),
        grant_id,
        redirect_uri: &pending.redirect_uri,
        code_challenge: &pending.code_challenge,
        resource: pending.resource.as_deref(),
        expires_at: core.now + CODE,
    };
    store::connectors::insert_code(core.conn, &row)?;
    let details = json!({ "clientId": client.client_id, "name": client.client_name, "organizationId": organization_id,
                          "scope": scope.as_str(), "grantId": grant_id });
    core.audit("connector.allow", Some(user_id), &details)?;
    back(Ok(code))
}

const EXPIRED: Error = Error::Unauthenticated("this request took too long, or was none; connect the program anew");

fn open(core: &Core<'_>, request: &str) -> Result<Pending> {
    let sealed = URL_SAFE_NO_PAD.decode(request).map_err(|_| EXPIRED)?;
    let bytes = core.shared.keys.open(PURPOSE, &sealed).map_err(|_| EXPIRED)?;
    let pending: Pending = serde_json::from_slice(&bytes).map_err(|_| EXPIRED)?;
    if pending.issued + CONSENT < core.now { Err(EXPIRED) } else { Ok(pending) }
}

/// The address that brings an outcome to the client, with who says so (RFC 9207).
fn answer(
    core: &Core<'_>,
    redirect_uri: &str,
    state: Option<&str>,
    outcome: &std::result::Result<String, Refusal>,
) -> Result<String> {
    let mut url = Url::parse(redirect_uri).map_err(|wrong| Error::Internal(format!("a checked address: {wrong}")))?;
    {
        let mut query = url.query_pairs_mut();
        match outcome {
            Ok(code) => query.append_pair("code", code),
            Err(Refusal { code, text }) => query.append_pair("error", code).append_pair("error_description", text),
        };
        if let Some(state) = state {
            query.append_pair("state", state);
        }
        query.append_pair("iss", &core.shared.sessions.issuer);
    }
    Ok(url.into())
}
