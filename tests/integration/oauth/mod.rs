//! The OAuth authorization server: discovery, registration, consent, tokens, and attacks.

mod attacks;
mod bearers;
mod consent;
mod flow;
mod limits;
mod redirects;

use axum::http::Method;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use url::form_urlencoded;

use crate::support::{TestClient, TestResponse, TestServer};

pub const ISSUER: &str = "http://planroom.test";
pub const REDIRECT: &str = "http://127.0.0.1:33418/callback";
pub const VERIFIER: &str = "a-verifier-of-forty-three-characters-or-more-01";

pub fn challenge() -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER))
}

/// An OAuth client on a user's machine.
pub struct OAuthClient<'s> {
    pub server: &'s TestServer,
    pub client_id: String,
}

impl<'s> OAuthClient<'s> {
    /// Registers a client.
    pub async fn new(server: &'s TestServer) -> Self {
        Self::at(server, &[REDIRECT]).await
    }

    pub async fn at(server: &'s TestServer, redirect_uris: &[&str]) -> Self {
        let new = json!({ "client_name": "Assistant", "redirect_uris": redirect_uris });
        let client = server.anonymous().post("/oauth/register", new).await.created();
        Self { server, client_id: client["client_id"].as_str().unwrap().to_owned() }
    }

    /// The authorization URL with `changes` to its parameters; an empty value removes a parameter.
    pub fn authorization_url(&self, changes: &[(&str, &str)]) -> String {
        let challenge = challenge();
        let resource = format!("{ISSUER}/mcp");
        let mut query = vec![
            ("client_id", self.client_id.as_str()),
            ("redirect_uri", REDIRECT),
            ("response_type", "code"),
            ("code_challenge", challenge.as_str()),
            ("code_challenge_method", "S256"),
            ("state", "xyz & more"),
            ("scope", "mcp:read mcp:write"),
            ("resource", resource.as_str()),
        ];
        for change in changes {
            query.retain(|(name, _)| *name != change.0);
            query.push(*change);
        }
        query.retain(|(_, value)| !value.is_empty());
        format!("/oauth/authorize?{}", form(&query))
    }

    /// Opens the consent page. Returns the request ID that it shows.
    pub async fn request_consent(&self, changes: &[(&str, &str)]) -> String {
        let reply = self.server.anonymous().get(&self.authorization_url(changes)).await;
        assert_eq!(reply.status, 303, "{reply}");
        let request = reply.header("location").strip_prefix(&format!("{ISSUER}/consent#")).map(str::to_owned);
        request.unwrap_or_else(|| panic!("{reply}: {}", reply.header("location")))
    }

    /// The code that the client receives after `user` authorizes it.
    pub async fn authorized_by(&self, user: &TestClient<'_>, read_only: bool) -> String {
        let request = self.request_consent(&[]).await;
        self.approved_by(user, &request, read_only).await
    }

    /// The code that the client receives after `user` approves the request.
    pub async fn approved_by(&self, user: &TestClient<'_>, request: &str, read_only: bool) -> String {
        let orgs = user.get("/api/orgs").await.ok();
        let decision = json!({ "request": request, "allow": true, "orgId": orgs["organizations"][0]["id"], "readOnly": read_only });
        let to = user.post("/api/me/connectors", decision).await.ok()["redirectTo"].as_str().unwrap().to_owned();
        parameter(&to, "code").unwrap()
    }

    /// Exchanges a code, with `changes` to the parameters; an empty value removes one.
    pub async fn exchange_code(&self, code: &str, changes: &[(&str, &str)]) -> TestResponse {
        let mut fields = vec![
            ("grant_type", "authorization_code"),
            ("client_id", self.client_id.as_str()),
            ("code", code),
            ("redirect_uri", REDIRECT),
            ("code_verifier", VERIFIER),
        ];
        for change in changes {
            fields.retain(|(name, _)| *name != change.0);
            fields.push(*change);
        }
        fields.retain(|(_, value)| !value.is_empty());
        post(self.server, "/oauth/token", &fields).await
    }

    pub async fn refresh(&self, token: &str, changes: &[(&str, &str)]) -> TestResponse {
        let mut fields =
            vec![("grant_type", "refresh_token"), ("client_id", &self.client_id), ("refresh_token", token)];
        for change in changes {
            fields.retain(|(name, _)| *name != change.0);
            fields.push(*change);
        }
        post(self.server, "/oauth/token", &fields).await
    }

    /// The tokens that the client receives after `user` authorizes it.
    pub async fn tokens(&self, user: &TestClient<'_>, read_only: bool) -> Value {
        let code = self.authorized_by(user, read_only).await;
        self.exchange_code(&code, &[]).await.ok()
    }
}

pub async fn post(server: &TestServer, path: &str, fields: &[(&str, &str)]) -> TestResponse {
    server.anonymous().send_raw(Method::POST, path, Some("application/x-www-form-urlencoded"), form(fields)).await
}

fn form(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// A query parameter of a URL.
pub fn parameter(address: &str, name: &str) -> Option<String> {
    let url = url::Url::parse(address).unwrap();
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

/// A token of a token response.
pub fn token(answer: &Value, kind: &str) -> String {
    answer[kind].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

/// Expects an OAuth error with this code.
pub fn assert_oauth_error(reply: &TestResponse, status: u16, code: &str) {
    assert_eq!((reply.status.as_u16(), reply.json()["error"].as_str()), (status, Some(code)), "{reply}");
    assert!(reply.json()["error_description"].as_str().is_some_and(|text| !text.is_empty()), "{reply}");
    assert_eq!(reply.header("cache-control"), "no-store", "{reply}");
}
