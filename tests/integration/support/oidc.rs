//! A fake identity provider on this machine with its own keys and configurable responses.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard},
};

use aws_lc_rs::{
    encoding::AsDer,
    rsa,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair},
};
use axum::{
    Json, Router,
    extract::State as Extract,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
    serve::Listener,
};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::tls::Authority;

/// The client ID of the instance, unless a test changes it.
pub const CLIENT: (&str, &str) = ("planroom", "s3cret of planroom");

/// A signing key of the provider.
#[derive(Clone)]
pub struct Signer {
    pub kid: String,
    pub algorithm: Algorithm,
    pub key: EncodingKey,
    pub jwk: Value,
}

impl Signer {
    pub fn ec(kid: &str) -> Self {
        let document =
            EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &aws_lc_rs::rand::SystemRandom::new());
        let document = document.unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref()).unwrap();
        let (x, y) = pair.public_key().as_ref()[1..].split_at(32);
        let jwk = json!({ "kty": "EC", "crv": "P-256", "kid": kid, "alg": "ES256", "use": "sig",
                          "x": URL_SAFE_NO_PAD.encode(x), "y": URL_SAFE_NO_PAD.encode(y) });
        let key = EncodingKey::from_ec_der(document.as_ref());
        Self { kid: kid.into(), algorithm: Algorithm::ES256, key, jwk }
    }

    pub fn ed(kid: &str) -> Self {
        let document = Ed25519KeyPair::generate_pkcs8(&aws_lc_rs::rand::SystemRandom::new()).unwrap();
        let pair = Ed25519KeyPair::from_pkcs8(document.as_ref()).unwrap();
        let x = URL_SAFE_NO_PAD.encode(pair.public_key().as_ref());
        let jwk = json!({ "kty": "OKP", "crv": "Ed25519", "kid": kid, "x": x });
        Self { kid: kid.into(), algorithm: Algorithm::EdDSA, key: EncodingKey::from_ed_der(document.as_ref()), jwk }
    }

    pub fn rsa(kid: &str, size: rsa::KeySize) -> Self {
        let pair = rsa::KeyPair::generate(size).unwrap();
        let public = pair.public_key();
        let (n, e) = (public.modulus().big_endian_without_leading_zero().to_vec(), public.exponent());
        let jwk = json!({ "kty": "RSA", "kid": kid, "n": URL_SAFE_NO_PAD.encode(n),
                          "e": URL_SAFE_NO_PAD.encode(e.big_endian_without_leading_zero()) });
        let key = EncodingKey::from_rsa_der(&pkcs1(pair.as_der().unwrap().as_ref()));
        Self { kid: kid.into(), algorithm: Algorithm::RS256, key, jwk }
    }

    /// A token with this key's ID in its header.
    pub fn sign(&self, claims: &Value) -> String {
        self.sign_as(Some(&self.kid), claims)
    }

    pub fn sign_as(&self, kid: Option<&str>, claims: &Value) -> String {
        let header = Header { kid: kid.map(str::to_owned), ..Header::new(self.algorithm) };
        encode(&header, claims, &self.key).unwrap()
    }
}

/// The PKCS #1 key within a PKCS #8 document, whose header has 26 bytes.
fn pkcs1(pkcs8: &[u8]) -> Vec<u8> {
    pkcs8[26..].to_vec()
}

/// Behavior of the provider, and the received requests.
pub struct State {
    issuer: String,
    /// The key that signs ID tokens.
    pub signer: Signer,
    /// The published keys.
    pub published: Vec<Value>,
    /// Whether the keys endpoint responds with 500.
    pub keys_down: bool,
    /// Whether every endpoint responds with 500.
    pub down: bool,
    /// Additional discovery fields.
    pub discovery: Value,
    /// `UserInfo` responses by subject.
    pub people: HashMap<String, Value>,
    /// The subject of all `UserInfo` responses.
    pub impostor: Option<String>,
    /// A fixed `UserInfo` response: status, type, body.
    pub user_info: Option<(u16, &'static str, String)>,
    /// Client ID and secret of the instance.
    pub client: (String, String),
    /// The only accepted client authentication, as in `token_endpoint_auth_methods_supported`.
    pub method: &'static str,
    /// Claims that are added to ID tokens or replace required ones.
    pub claims: Value,
    /// By code: subject, nonce, challenge, redirect URI.
    codes: HashMap<String, [String; 4]>,
    /// Lifetime of tokens in seconds.
    pub now: i64,
    heard: Vec<String>,
}

/// The fake identity provider.
#[derive(Clone)]
pub struct FakeIdp {
    issuer: String,
    state: Arc<Mutex<State>>,
}

impl FakeIdp {
    /// Starts a provider with one key that serves until the test ends.
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self::on("http", listener.local_addr().unwrap(), listener)
    }

    /// The same over TLS, with a certificate of this CA.
    pub async fn start_tls(authority: &Authority) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self::on("https", listener.local_addr().unwrap(), authority.listen(listener))
    }

    fn on<L: Listener<Addr = SocketAddr>>(scheme: &str, address: SocketAddr, listener: L) -> Self {
        let issuer = format!("{scheme}://{address}");
        let signer = Signer::ec("first");
        let state = Arc::new(Mutex::new(State {
            issuer: issuer.clone(),
            published: vec![signer.jwk.clone()],
            signer,
            keys_down: false,
            down: false,
            discovery: json!({}),
            people: HashMap::new(),
            impostor: None,
            user_info: None,
            client: (CLIENT.0.into(), CLIENT.1.into()),
            method: "client_secret_basic",
            claims: json!({}),
            codes: HashMap::new(),
            now: 0,
            heard: Vec::new(),
        }));
        let router = Router::new()
            .route("/.well-known/openid-configuration", get(discovery))
            .route("/keys", get(keys))
            .route("/token", post(token))
            .route("/me", get(me))
            .with_state(Arc::clone(&state));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { issuer, state }
    }

    pub fn url(&self) -> String {
        self.issuer.clone()
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// Signs a user in on the page at `location`. Returns the query of the callback.
    pub fn authorize(&self, subject: &str, location: &str) -> String {
        let url = url::Url::parse(location).unwrap();
        let query: HashMap<String, String> = url.query_pairs().into_owned().collect();
        assert_eq!((query["response_type"].as_str(), query["code_challenge_method"].as_str()), ("code", "S256"));
        let mut state = self.state();
        assert_eq!(query["client_id"], state.client.0);
        let code = format!("code-{}", state.codes.len());
        let kept = [subject, &query["nonce"], &query["code_challenge"], &query["redirect_uri"]].map(str::to_owned);
        state.codes.insert(code.clone(), kept);
        format!("code={code}&state={}", query["state"])
    }

    /// Returns and removes the received requests, for example `GET /keys`.
    pub fn take_requests(&self) -> Vec<String> {
        std::mem::take(&mut self.state().heard)
    }
}

type Shared = Extract<Arc<Mutex<State>>>;

fn broken() -> Response {
    (StatusCode::INTERNAL_SERVER_ERROR, "<html>").into_response()
}

async fn discovery(Extract(state): Shared) -> Response {
    let mut state = state.lock().unwrap();
    state.heard.push("GET discovery".into());
    if state.down {
        return broken();
    }
    let at = |path: &str| format!("{}/{path}", state.issuer);
    let mut said = json!({
        "issuer": state.issuer, "authorization_endpoint": at("authorize?tenant=1"), "token_endpoint": at("token"),
        "userinfo_endpoint": at("me"), "jwks_uri": at("keys"),
    });
    said.as_object_mut().unwrap().extend(state.discovery.as_object().unwrap().clone());
    Json(said).into_response()
}

async fn keys(Extract(state): Shared) -> Response {
    let mut state = state.lock().unwrap();
    state.heard.push("GET keys".into());
    if state.down || state.keys_down {
        return broken();
    }
    Json(json!({ "keys": state.published })).into_response()
}

async fn token(Extract(state): Shared, headers: HeaderMap, body: String) -> Response {
    let mut state = state.lock().unwrap();
    state.heard.push("POST token".into());
    if state.down {
        return broken();
    }
    let form: HashMap<String, String> = url::form_urlencoded::parse(body.as_bytes()).into_owned().collect();
    let refused = |word: &str| (StatusCode::BAD_REQUEST, Json(json!({ "error": word }))).into_response();
    if shown(&headers, &form) != (state.method, state.client.clone()) {
        return refused("invalid_client");
    }
    let Some([subject, nonce, challenge, redirect_uri]) = state.codes.remove(&form["code"]) else {
        return refused("invalid_grant");
    };
    let proof = URL_SAFE_NO_PAD.encode(Sha256::digest(&form["code_verifier"]));
    if proof != challenge || form["redirect_uri"] != redirect_uri || form["grant_type"] != "authorization_code" {
        return refused("invalid_grant");
    }
    let mut claims = json!({ "iss": state.issuer, "sub": subject, "aud": state.client.0, "nonce": nonce,
                             "iat": state.now, "exp": state.now + 36_000 });
    claims.as_object_mut().unwrap().extend(state.claims.as_object().unwrap().clone());
    let id_token = state.signer.sign(&claims);
    Json(json!({ "id_token": id_token, "access_token": format!("access-{subject}"), "token_type": "Bearer" }))
        .into_response()
}

/// How a client authenticates (RFC 6749, 2.3.1), and its ID and secret.
fn shown(headers: &HeaderMap, form: &HashMap<String, String>) -> (&'static str, (String, String)) {
    let given = headers.get("authorization").and_then(|value| value.to_str().ok());
    if let Some(basic) = given.and_then(|given| given.strip_prefix("Basic ")) {
        assert!(!form.contains_key("client_id") && !form.contains_key("client_secret"), "one way at a time");
        let pair = String::from_utf8(STANDARD.decode(basic).unwrap()).unwrap();
        let (id, secret) = pair.split_once(':').unwrap();
        let decoded = |text: &str| url::form_urlencoded::parse(text.as_bytes()).next().unwrap().0.into_owned();
        return ("client_secret_basic", (decoded(id), decoded(secret)));
    }
    let field = |name: &str| form.get(name).cloned().unwrap_or_default();
    let method = if form.contains_key("client_secret") { "client_secret_post" } else { "none" };
    (method, (field("client_id"), field("client_secret")))
}

async fn me(Extract(state): Shared, headers: HeaderMap) -> Response {
    let mut state = state.lock().unwrap();
    state.heard.push("GET me".into());
    let given = headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let Some(subject) = given.strip_prefix("Bearer access-") else { return Redirect::to("/sign-in").into_response() };
    if let Some((status, kind, body)) = state.user_info.clone() {
        return (StatusCode::from_u16(status).unwrap(), [("content-type", kind)], body).into_response();
    }
    let mut told = state.people.get(subject).cloned().unwrap_or_else(|| json!({}));
    told["sub"] = json!(state.impostor.as_deref().unwrap_or(subject));
    Json(told).into_response()
}
