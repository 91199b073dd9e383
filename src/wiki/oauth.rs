//! OAuth with the provider: authorization, exchange, refresh and revocation.

use std::time::Instant;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

use super::{
    client::Client,
    error::WikiError,
    icon,
    model::{self, line},
};
use crate::{outbound::Method, secret::Secret};

/// The OAuth client of this instance at the provider.
#[derive(Debug, Clone)]
pub struct OauthClient {
    /// Client id.
    pub id: String,
    /// Client secret.
    pub secret: Secret,
}

/// The result of an authorization. Tokens have no expiry: they are valid until the provider rejects them.
#[derive(Debug, Clone)]
pub struct Tokens {
    /// Access token.
    pub access: Secret,
    /// Refresh token; none if the tokens cannot be refreshed.
    pub refresh: Option<Secret>,
    /// Id of the integration in the workspace.
    pub bot_id: Option<String>,
    /// Id of the wiki's workspace.
    pub workspace_id: Option<String>,
    /// Name of the wiki's workspace.
    pub workspace_name: Option<String>,
    /// Icon of the wiki's workspace: a URL or an emoji.
    pub workspace_icon: Option<String>,
    /// Name of the user who authorized the connection.
    pub owner_name: Option<String>,
}

#[derive(Deserialize)]
struct Granted {
    access_token: String,
    refresh_token: Option<String>,
    bot_id: Option<String>,
    workspace_id: Option<String>,
    workspace_name: Option<String>,
    workspace_icon: Option<String>,
    #[serde(default)]
    owner: Value,
}

impl Client {
    /// The authorization URL. The provider returns `state` to the redirect URL.
    pub fn authorize_url(&self, client_id: &str, redirect_uri: &str, state: &str) -> Url {
        let mut url = self.url(&["oauth", "authorize"]);
        url.query_pairs_mut().extend_pairs([
            ("client_id", client_id),
            ("redirect_uri", redirect_uri),
            ("response_type", "code"),
            ("owner", "user"),
            ("state", state),
        ]);
        url
    }

    /// Exchanges an authorization code for tokens.
    pub fn exchange(
        &self,
        client: &OauthClient,
        code: &str,
        redirect_uri: &str,
        deadline: Instant,
    ) -> Result<Tokens, WikiError> {
        let body = json!({ "grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri });
        self.granted(client, &body, deadline)
    }

    /// Exchanges a refresh token for new tokens. This invalidates the previous refresh token and access token.
    pub fn refresh(&self, client: &OauthClient, token: &Secret, deadline: Instant) -> Result<Tokens, WikiError> {
        let body = json!({ "grant_type": "refresh_token", "refresh_token": token.reveal() });
        self.granted(client, &body, deadline)
    }

    /// Revokes a token.
    pub fn revoke(&self, client: &OauthClient, token: &Secret, deadline: Instant) -> Result<(), WikiError> {
        self.sign_in::<Value>(client, "revoke", &json!({ "token": token.reveal() }), deadline).map(drop)
    }

    /// Checks whether the provider accepts the client credentials: it sends an invalid authorization code, and the
    /// error tells whether the credentials or the code were rejected.
    pub fn check(&self, client: &OauthClient, redirect_uri: &str, deadline: Instant) -> Result<(), WikiError> {
        match self.exchange(client, "planroom-looks-whether-the-secret-is-right", redirect_uri, deadline) {
            // The provider checked the code, so the credentials are valid, whatever it reports about the code.
            Ok(_) | Err(WikiError::Denied(_) | WikiError::Unfit(_)) => Ok(()),
            Err(problem) => Err(problem),
        }
    }

    fn granted(&self, client: &OauthClient, body: &Value, deadline: Instant) -> Result<Tokens, WikiError> {
        let granted: Granted = self.sign_in(client, "token", body, deadline)?;
        Ok(Tokens {
            access: Secret::new(granted.access_token),
            refresh: granted.refresh_token.map(Secret::new),
            bot_id: line(granted.bot_id),
            workspace_id: line(granted.workspace_id),
            workspace_name: line(granted.workspace_name),
            workspace_icon: granted.workspace_icon.filter(|icon| icon::lasts(icon)),
            owner_name: model::owner_name(&granted.owner),
        })
    }

    fn sign_in<T: serde::de::DeserializeOwned>(
        &self,
        client: &OauthClient,
        what: &str,
        body: &Value,
        deadline: Instant,
    ) -> Result<T, WikiError> {
        let basic = format!("Basic {}", STANDARD.encode(format!("{}:{}", client.id, client.secret.reveal())));
        self.call(Method::Post, &self.url(&["oauth", what]), &basic, Some(body), None, deadline)
    }
}
