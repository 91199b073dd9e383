//! Letting programs in: discovery, registration, consent, tokens, and every way in which somebody may try to get by.

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

use crate::support::{Actor, Reply, Stage};

pub const ISSUER: &str = "http://planroom.test";
pub const REDIRECT: &str = "http://127.0.0.1:33418/callback";
pub const VERIFIER: &str = "a-verifier-of-forty-three-characters-or-more-01";

pub fn challenge() -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER))
}

/// A program on somebody's machine.
pub struct Program<'s> {
    pub stage: &'s Stage,
    pub client_id: String,
}

impl<'s> Program<'s> {
    /// Registers.
    pub async fn new(stage: &'s Stage) -> Self {
        Self::at(stage, &[REDIRECT]).await
    }

    pub async fn at(stage: &'s Stage, redirect_uris: &[&str]) -> Self {
        let new = json!({ "client_name": "Assistant", "redirect_uris": redirect_uris });
        let client = stage.anonymous().post("/oauth/register", new).await.created();
        Self { stage, client_id: client["client_id"].as_str().unwrap().to_owned() }
    }

    /// What it sends a browser to, with some of it changed or, when empty, left out.
    pub fn address(&self, changes: &[(&str, &str)]) -> String {
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

    /// What the browser is asked to show the user.
    pub async fn asks(&self, changes: &[(&str, &str)]) -> String {
        let reply = self.stage.anonymous().get(&self.address(changes)).await;
        assert_eq!(reply.status, 303, "{reply}");
        let request = reply.header("location").strip_prefix(&format!("{ISSUER}/consent#")).map(str::to_owned);
        request.unwrap_or_else(|| panic!("{reply}: {}", reply.header("location")))
    }

    /// The code that it is sent when `user` lets it in.
    pub async fn let_in_by(&self, user: &Actor<'_>, read_only: bool) -> String {
        let request = self.asks(&[]).await;
        self.answered_by(user, &request, read_only).await
    }

    /// The code that it is sent when `user` says yes to a request.
    pub async fn answered_by(&self, user: &Actor<'_>, request: &str, read_only: bool) -> String {
        let orgs = user.get("/api/orgs").await.ok();
        let decision = json!({ "request": request, "allow": true, "orgId": orgs["organizations"][0]["id"], "readOnly": read_only });
        let to = user.post("/api/me/connectors", decision).await.ok()["redirectTo"].as_str().unwrap().to_owned();
        parameter(&to, "code").unwrap()
    }

    /// Asks for tokens, with some of it changed or, when empty, left out.
    pub async fn exchanges(&self, code: &str, changes: &[(&str, &str)]) -> Reply {
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
        post(self.stage, "/oauth/token", &fields).await
    }

    pub async fn refreshes(&self, token: &str, changes: &[(&str, &str)]) -> Reply {
        let mut fields =
            vec![("grant_type", "refresh_token"), ("client_id", &self.client_id), ("refresh_token", token)];
        for change in changes {
            fields.retain(|(name, _)| *name != change.0);
            fields.push(*change);
        }
        post(self.stage, "/oauth/token", &fields).await
    }

    /// Tokens, when `user` lets it in.
    pub async fn tokens(&self, user: &Actor<'_>, read_only: bool) -> Value {
        let code = self.let_in_by(user, read_only).await;
        self.exchanges(&code, &[]).await.ok()
    }
}

pub async fn post(stage: &Stage, path: &str, fields: &[(&str, &str)]) -> Reply {
    stage.anonymous().send_raw(Method::POST, path, Some("application/x-www-form-urlencoded"), form(fields)).await
}

fn form(fields: &[(&str, &str)]) -> String {
    form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish()
}

/// A parameter of an address.
pub fn parameter(address: &str, name: &str) -> Option<String> {
    let url = url::Url::parse(address).unwrap();
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

/// A token of an answer.
pub fn token(answer: &Value, kind: &str) -> String {
    answer[kind].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
}

/// Refused with this code, in the shape that programs know.
pub fn refused(reply: &Reply, status: u16, code: &str) {
    assert_eq!((reply.status.as_u16(), reply.json()["error"].as_str()), (status, Some(code)), "{reply}");
    assert!(reply.json()["error_description"].as_str().is_some_and(|text| !text.is_empty()), "{reply}");
    assert_eq!(reply.header("cache-control"), "no-store", "{reply}");
}
