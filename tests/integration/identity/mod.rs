//! Users of an external identity provider: its tokens on the API, and sign-in.

mod administrators;
mod attacks;
mod bearers;
mod clients;
mod invalid_tokens;
mod keys;
mod linking;
mod organizations;
mod passwords;
mod pending_links;
mod signing_in;
mod signing_out;
mod trust;
mod user_info;

use planroom::config::Config;
use serde_json::{Value, json};

use crate::support::{
    TestClient, TestResponse, TestServer,
    oidc::{CLIENT, FakeIdp},
};

/// A server with a provider and configuration changes.
async fn server_with(change: impl FnOnce(&mut Config)) -> (TestServer, FakeIdp) {
    let idp = FakeIdp::start().await;
    (server_of(&idp, change).await, idp)
}

/// A server that uses this provider.
async fn server_of(idp: &FakeIdp, change: impl FnOnce(&mut Config)) -> TestServer {
    let server = TestServer::empty(|config| {
        let oidc = &mut config.identity.oidc;
        oidc.issuer = idp.url();
        oidc.client_id = CLIENT.0.into();
        oidc.client_secret = planroom::secret::Secret::new(CLIENT.1);
        oidc.allow_private = true;
        change(config);
    });
    server.seed_admin("ada", "acme").await;
    idp.state().now = server.clock.now() / 1_000;
    server
}

/// A server with a provider.
async fn server() -> (TestServer, FakeIdp) {
    server_with(|_| {}).await
}

/// Valid claims of `grace` with a lifetime of one minute, extended by `more`.
fn claims(server: &TestServer, idp: &FakeIdp, more: Value) -> Value {
    let now = server.clock.now() / 1_000;
    let mut claims = json!({ "iss": idp.url(), "sub": "user_grace", "iat": now, "nbf": now, "exp": now + 60 });
    claims.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    claims
}

/// A client with a token of the provider with these claims.
fn bearer<'s>(server: &'s TestServer, idp: &FakeIdp, more: Value) -> TestClient<'s> {
    let token = idp.state().signer.sign(&claims(server, idp, more));
    server.with(&token)
}

/// The claims of an organization in the first format.
fn org(id: &str, role: &str) -> Value {
    json!({ "org_id": id, "org_role": role, "org_slug": id.trim_start_matches("org_") })
}

/// A browser during sign-in.
struct Browser {
    /// URL of the provider's page.
    location: String,
    cookie: String,
}

/// Redirects a browser to the provider.
async fn start_sign_in(server: &TestServer, query: &str) -> Browser {
    let reply = server.anonymous().get(&format!("/api/auth/oidc/start{query}")).await;
    assert_eq!(reply.status, 302);
    let cookie = reply.header("set-cookie").split(';').next().unwrap().to_owned();
    Browser { location: reply.header("location").to_owned(), cookie }
}

/// Opens the callback with this query.
async fn follow_callback(server: &TestServer, browser: &Browser, query: &str) -> TestResponse {
    let with_cookie = server.anonymous().header("cookie", &browser.cookie);
    let reply = with_cookie.get(&format!("/api/auth/oidc/callback?{query}")).await;
    assert_eq!(reply.status, 302);
    reply
}

/// Signs in at the provider. Returns the URL that the browser ends up at.
async fn sign_in_and_land(server: &TestServer, idp: &FakeIdp) -> String {
    let browser = start_sign_in(server, "").await;
    let reply = follow_callback(server, &browser, &idp.authorize("user_grace", &browser.location)).await;
    reply.header("location").to_owned()
}

/// Signs in at the provider as `subject`. Returns a client of the new session.
async fn sign_in_as<'s>(server: &'s TestServer, idp: &FakeIdp, subject: &str) -> TestClient<'s> {
    let browser = start_sign_in(server, "").await;
    let reply = follow_callback(server, &browser, &idp.authorize(subject, &browser.location)).await;
    if reply.header("location") == "/link-account" {
        let reply = PendingLink::of(&reply).decides(server, json!({ "access": "end" })).await;
        reply.ok();
        return renewed(server, &reply).await;
    }
    let location = reply.header("location");
    assert!(location == "/sign-in" || location.starts_with("/sign-in?ended="), "{location}");
    renewed(server, &reply).await
}

/// A browser with a pending account link.
#[derive(Clone)]
struct PendingLink {
    cookie: String,
}

impl PendingLink {
    /// The pending link of a callback response.
    fn of(reply: &TestResponse) -> Self {
        let cookies = reply.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok());
        let mut cookies = cookies.filter_map(|value| value.split(';').next());
        Self { cookie: cookies.find(|one| one.starts_with("planroom_link=")).unwrap().to_owned() }
    }

    fn client<'s>(&self, server: &'s TestServer) -> TestClient<'s> {
        server.anonymous().header("origin", "http://planroom.test").header("cookie", &self.cookie)
    }

    /// Reads the pending link.
    async fn reads(&self, server: &TestServer) -> TestResponse {
        self.client(server).get("/api/auth/oidc/link").await
    }

    /// Decides about the pending link.
    async fn decides(&self, server: &TestServer, decision: Value) -> TestResponse {
        let id = self.reads(server).await.ok()["id"].clone();
        self.sends(server, id, decision).await
    }

    /// Sends a decision about the pending link `id`.
    async fn sends(&self, server: &TestServer, id: Value, mut decision: Value) -> TestResponse {
        decision["id"] = id;
        self.client(server).post("/api/auth/oidc/link", decision).await
    }
}

/// A client of the session whose cookie this reply sets.
async fn renewed<'s>(server: &'s TestServer, reply: &TestResponse) -> TestClient<'s> {
    let cookie = reply.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok());
    let cookie = cookie.filter_map(|value| value.split(';').next()).find(|one| one.starts_with("planroom_refresh="));
    let browser = server.anonymous().header("origin", "http://planroom.test").header("cookie", cookie.unwrap());
    let answer = browser.post("/api/auth/refresh", json!({})).await.ok();
    server.with(answer["token"].as_str().unwrap())
}
