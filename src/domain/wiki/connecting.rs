//! Connecting an organization to a wiki by OAuth, and disconnecting it.

use std::time::Instant;

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{
    ProviderResult, REQUEST_TIMEOUT, Wiki,
    connection::{self, ConnectionKind},
    store::{self, PendingRequest},
};
use crate::{
    auth::{keys::random, tokens::hash},
    clock::MINUTE,
    describe::ToSchema,
    domain::{
        core::{Call, Core, OrgConnectionTx, Reads, SystemTx, access::ConnectionManager, active_organization},
        settings, users,
        values::OrgRole,
    },
    error::{Error, Result},
    wiki::{OauthClient, Secret, Tokens},
};

/// How long an authorization request stays valid, in milliseconds.
pub const STATE_LIFETIME: i64 = 10 * MINUTE;
/// Maximum number of pending authorization requests per organization. A new one replaces the oldest.
const MAX_PENDING_REQUESTS: i64 = 20;

/// A started authorization request.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct WikiAuthorization {
    /// URL of the provider's authorization page. Redirect the browser to it.
    #[schema(example = "https://example.org/v1/oauth/authorize?client_id=c&state=s")]
    pub url: String,
    /// The `state` parameter, which is bound to this browser by a cookie.
    #[serde(skip)]
    pub state: String,
}

/// Result of an authorization request, as a word in the URL that the browser is redirected to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConnectOutcome {
    /// The organization is connected.
    Connected,
    /// The state is unknown, expired, already used, or belongs to another browser.
    BadState,
    /// The provider sent no code.
    MissingCode,
    /// The user who started the request may no longer connect the organization.
    NotAdmin,
    /// No OAuth client is configured for this instance.
    Misconfigured,
    /// The provider rejected the code or could not be reached.
    TokenExchangeFailed,
    /// The provider returned this error.
    Refused(String),
}

impl ConnectOutcome {
    /// The result as a word.
    pub fn word(&self) -> &str {
        match self {
            Self::Connected => "connected",
            Self::BadState => "bad_state",
            Self::MissingCode => "missing_code",
            Self::NotAdmin => "not_admin",
            Self::Misconfigured => "misconfigured",
            Self::TokenExchangeFailed => "token_exchange_failed",
            Self::Refused(word) => word,
        }
    }
}

/// Parameters of the redirect from the provider.
#[derive(Debug, Default)]
pub struct CallbackParams {
    /// The `state` parameter of the URL.
    pub state: Option<String>,
    /// The state in the browser's cookie.
    pub cookie_state: Option<String>,
    /// The authorization code.
    pub code: Option<String>,
    /// The error that the provider returned.
    pub error: Option<String>,
}

impl Wiki {
    /// Starts an authorization request: stores a state for the caller and the organization, and returns the URL of the
    /// provider.
    pub async fn start(&self, call: Call<ConnectionManager>) -> Result<WikiAuthorization> {
        let state = URL_SAFE_NO_PAD.encode(random::<32>());
        let state_hash = hash(&state);
        let store_pending = move |tx: &mut OrgConnectionTx<'_>| {
            let client = settings::wiki_client(tx.core())?.ok_or(Error::WikiMisconfigured)?;
            let (user_id, organization_id, core) = (tx.caller()?.user_id, tx.organization_id()?.to_owned(), tx.core());
            let pending = PendingRequest { user_id, organization_id, expires_at: core.now + STATE_LIFETIME };
            store::insert_pending(core.conn, &state_hash, &pending, MAX_PENDING_REQUESTS)?;
            Ok(client.id)
        };
        let client_id = self.gate().write_unstored(call, (), store_pending).await?;
        let url = self.0.client.authorize_url(&client_id, &self.0.redirect_uri, &state).into();
        Ok(WikiAuthorization { url, state })
    }

    /// Completes an authorization request.
    pub async fn finish(&self, params: CallbackParams) -> ConnectOutcome {
        self.try_finish(params).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "cannot connect the wiki");
            ConnectOutcome::TokenExchangeFailed
        })
    }

    async fn try_finish(&self, params: CallbackParams) -> Result<ConnectOutcome> {
        let pending = self.take(&params).await?;
        if let Some(error) = params.error {
            return Ok(ConnectOutcome::Refused(word(&error)));
        }
        let Some(PendingRequest { user_id, organization_id, .. }) = pending else {
            return Ok(ConnectOutcome::BadState);
        };
        let Some(code) = params.code.filter(|code| !code.is_empty()) else { return Ok(ConnectOutcome::MissingCode) };
        let id = organization_id.clone();
        let client = self.gate().aside_view(move |tx| {
            let is_allowed = may_connect(tx.core(), user_id, &id)?;
            Ok((is_allowed, settings::wiki_client(tx.core())?))
        });
        let client = match client.await? {
            (false, _) => return Ok(ConnectOutcome::NotAdmin),
            (true, None) => return Ok(ConnectOutcome::Misconfigured),
            (true, Some(client)) => client,
        };
        let tokens = match self.exchange(client.clone(), code).await? {
            Ok(tokens) => tokens,
            Err(problem) => {
                tracing::warn!(%problem, "the wiki rejected the authorization; check the client ID and secret with `planroom wiki setup`");
                return Ok(ConnectOutcome::TokenExchangeFailed);
            }
        };
        let (id, access) = (organization_id.clone(), tokens.access.clone());
        let stored = self.gate().aside(move |tx| {
            if !may_connect(tx.core(), user_id, &id)? {
                return Ok(Err(store::find(tx.core().conn, &id)?.is_some()));
            }
            connection::save(tx.core(), &id, ConnectionKind::Oauth, &tokens, Some(user_id)).map(Ok)
        });
        if let Err(is_connected) = stored.await? {
            // The provider may revoke more than this token, including tokens that another connection uses.
            if !is_connected {
                self.revoke(client, access).await;
            }
            return Ok(ConnectOutcome::NotAdmin);
        }
        self.reset(&organization_id);
        Ok(ConnectOutcome::Connected)
    }

    async fn exchange(&self, client: OauthClient, code: String) -> Result<ProviderResult<Tokens>> {
        let (wiki, deadline) = (self.clone(), Instant::now() + REQUEST_TIMEOUT);
        self.on_pool(move || wiki.0.client.exchange(&client, &code, &wiki.0.redirect_uri, deadline)).await
    }

    /// Reads and deletes the pending request of a state. Returns none if the state belongs to another browser. A state
    /// can be used once, whatever the result.
    async fn take(&self, params: &CallbackParams) -> Result<Option<PendingRequest>> {
        let Some(state_hash) = params.state.as_deref().map(hash) else { return Ok(None) };
        // Requests to this URL need no authentication: an unknown state must not cost a write.
        let is_pending = move |tx: &SystemTx<'_>| store::is_pending(tx.core().conn, &state_hash);
        if !self.gate().aside_view(is_pending).await? {
            return Ok(None);
        }
        let pending = self.gate().aside(move |tx| store::take_pending(tx.core().conn, &state_hash)).await?;
        let is_same_browser = params.cookie_state.as_deref().map(hash) == Some(state_hash);
        Ok(pending.filter(|pending| is_same_browser && pending.expires_at > self.gate().now()))
    }

    /// Disconnects the active organization. Revokes the token at the provider too, if possible.
    pub async fn disconnect(&self, call: Call<ConnectionManager>) -> Result<()> {
        let disconnected = self.gate().write_unstored(call, (), disconnect).await?;
        let Some(Disconnected { organization_id, revocable }) = disconnected else { return Ok(()) };
        self.reset(&organization_id);
        if let Some((client, token)) = revocable {
            self.revoke(client, token).await;
        }
        Ok(())
    }

    /// Revokes a token at the provider. A failure is only logged.
    pub(super) async fn revoke(&self, client: OauthClient, token: Secret) {
        let (wiki, deadline) = (self.clone(), Instant::now() + REQUEST_TIMEOUT);
        let result = self.on_pool(move || wiki.0.client.revoke(&client, &token, deadline)).await;
        if let Err(problem) = result.and_then(|result| result.map_err(|problem| super::to_error(&problem))) {
            tracing::warn!(%problem, "cannot revoke the token of a disconnected wiki; remove the connection in the settings of the wiki");
        }
    }
}

struct Disconnected {
    organization_id: String,
    revocable: Option<(OauthClient, Secret)>,
}

fn disconnect(tx: &mut OrgConnectionTx<'_>) -> Result<Option<Disconnected>> {
    let (core, organization_id) = (tx.core(), tx.organization_id()?.to_owned());
    let Some(stored) = store::find(core.conn, &organization_id)? else { return Ok(None) };
    store::delete(core.conn, &organization_id)?;
    connection::audit(core, &organization_id, core.actor(), "wiki.disconnect", &json!({ "kind": stored.kind }))?;
    let client = settings::wiki_client(core)?.filter(|_| stored.kind == ConnectionKind::Oauth);
    let revocable = client.and_then(|client| {
        let decrypted = connection::decrypt(core, stored, Some(client.clone())).ok()?;
        Some((client, decrypted.access))
    });
    Ok(Some(Disconnected { organization_id, revocable }))
}

/// Whether a user may connect an organization now.
fn may_connect(core: &Core<'_>, user_id: i64, organization_id: &str) -> Result<bool> {
    let Some(user) = users::by_id(core.conn, user_id)?.filter(|user| !user.is_suspended) else {
        return Ok(false);
    };
    let member = active_organization(core.conn, organization_id, user_id)?;
    Ok(member.is_some_and(|organization| user.is_admin || organization.role == OrgRole::Admin))
}

/// Turns an error from the provider into a word that is safe in a URL.
fn word(text: &str) -> String {
    let word: String = text.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').take(60).collect();
    if word.is_empty() { "refused".into() } else { word }
}
