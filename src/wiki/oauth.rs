//! Signing an organization in: from a click to a pair of tokens, to the next pair, to their end.

use std::time::Instant;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::Deserialize;
use serde_json::{Value, json};
use url::Url;

use super::{
    client::Client,
    icon,
    model::{self, line},
    problem::Problem,
};
use crate::{outbound::Method, secret::Secret};

/// This instance as the provider knows it.
#[derive(Debug, Clone)]
pub struct OauthClient {
    /// Its id.
    pub id: String,
    /// Its secret.
    pub secret: Secret,
}

/// What signing in leads to. There is no expiry: a token is good until it is refused.
#[derive(Debug, Clone)]
pub struct Tokens {
    /// For calls.
    pub access: Secret,
    /// For the next pair; none: there will be no other.
    pub refresh: Option<Secret>,
    /// Id of the integration in the workspace.
    pub bot_id: Option<String>,
    /// Id of the wiki's workspace.
    pub workspace_id: Option<String>,
    /// Its name.
    pub workspace_name: Option<String>,
    /// Its icon: an address or an emoji.
    pub workspace_icon: Option<String>,
    /// Who signed in.
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
    /// Where a browser goes to agree. `state` comes back with it.
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

    /// Exchanges the code that a browser came back with.
    pub fn exchange(
        &self,
        client: &OauthClient,
        code: &str,
        redirect_uri: &str,
        deadline: Instant,
    ) -> Result<Tokens, Problem> {
        let body = json!({ "grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri });
        self.granted(client, &body, deadline)
    }

    /// Exchanges a refresh token for the next pair. The one it is from, and the access token beside it, end with that.
    pub fn refresh(&self, client: &OauthClient, token: &Secret, deadline: Instant) -> Result<Tokens, Problem> {
        let body = json!({ "grant_type": "refresh_token", "refresh_token": token.reveal() });
        self.granted(client, &body, deadline)
    }

    /// Ends a token.
    pub fn revoke(&self, client: &OauthClient, token: &Secret, deadline: Instant) -> Result<(), Problem> {
        self.sign_in::<Value>(client, "revoke", &json!({ "token": token.reveal() }), deadline).map(drop)
    }

    /// Finds out whether the provider knows a client by this secret: it is asked to exchange a code that is none, and
    /// says of which of the two it does not approve.
    pub fn check(&self, client: &OauthClient, redirect_uri: &str, deadline: Instant) -> Result<(), Problem> {
        match self.exchange(client, "planroom-looks-whether-the-secret-is-right", redirect_uri, deadline) {
            // The code was looked at, so the client is known. Whatever it says of the code, it is right.
            Ok(_) | Err(Problem::Denied(_) | Problem::Unfit(_)) => Ok(()),
            Err(problem) => Err(problem),
        }
    }

    fn granted(&self, client: &OauthClient, body: &Value, deadline: Instant) -> Result<Tokens, Problem> {
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
    ) -> Result<T, Problem> {
        let basic = format!("Basic {}", STANDARD.encode(format!("{}:{}", client.id, client.secret.reveal())));
        self.call(Method::Post, &self.url(&["oauth", what]), &basic, Some(body), None, deadline)
    }
}
