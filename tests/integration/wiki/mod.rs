//! The wiki connection, tested with a fake provider: connecting, errors, browsing and links.

mod attacks;
mod browsing;
mod checks;
mod connecting;
mod errors;
mod links;
mod tokens;
mod unexpected;

use planroom::operator::{AdminOperation, WikiOperation};
use serde_json::{Value, json};

use crate::support::{
    TestClient, TestServer,
    wiki::{CLIENT, CODE, FakeWiki, INTERNAL_TOKEN},
};

/// A server that knows its wiki client but has no connection.
pub async fn registered() -> (TestServer, FakeWiki) {
    let wiki = FakeWiki::start().await;
    let server = server_with_wiki(&wiki, 1_000);
    server.seed_admin("ada", "acme").await;
    let client = json!({ "wiki.client_id": CLIENT.0, "wiki.client_secret": CLIENT.1 });
    server.sign_in("ada").await.patch("/api/admin/settings", client).await.ok();
    (server, wiki)
}

/// An empty server that uses this wiki.
pub fn server_with_wiki(wiki: &FakeWiki, per_second: usize) -> TestServer {
    let url = wiki.url();
    TestServer::empty(|config| {
        config.outbound.wiki_url = url;
        config.outbound.wiki_requests_per_second = per_second;
        config.outbound.allow_private = true;
    })
}

/// The same with acme connected by OAuth.
async fn connected() -> (TestServer, FakeWiki) {
    let (server, wiki) = registered().await;
    let ada = server.sign_in("ada").await;
    assert_eq!(ada.connect(&wiki).await, "/?wiki=connected");
    wiki.take_requests();
    (server, wiki)
}

/// The same with acme connected by the token of an internal integration.
async fn connected_by_token() -> (TestServer, FakeWiki) {
    let wiki = FakeWiki::start().await;
    let server = server_with_wiki(&wiki, 1_000);
    server.seed_admin("ada", "acme").await;
    operate(&server, WikiOperation::Connect { org: "acme".into(), token: INTERNAL_TOKEN.into() }).await.unwrap();
    wiki.take_requests();
    (server, wiki)
}

async fn operate(server: &TestServer, operation: WikiOperation) -> Result<Value, String> {
    AdminOperation::Wiki(operation).perform(&server.app).await.map_err(|error| error.to_string())
}

impl TestClient<'_> {
    /// Starts to connect. Returns the state, which the URL and the cookie have.
    async fn start(&self) -> String {
        let reply = self.post("/api/auth/wiki/start", json!({})).await;
        let url = url::Url::parse(reply.ok()["url"].as_str().unwrap()).unwrap();
        let state = url.query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
        assert!(reply.header("set-cookie").starts_with(&format!("planroom_wiki={state}; HttpOnly; SameSite=Lax; ")));
        state
    }

    /// Opens the callback in the browser with this state. Returns the redirect URL.
    async fn follow_callback(&self, state: &str, query: &str) -> String {
        let browser = self.header("cookie", &format!("planroom_wiki={state}"));
        let reply = browser.get(&format!("/api/auth/wiki/callback?{query}")).await;
        assert_eq!(reply.status.as_u16(), 302, "{reply}");
        reply.header("location").to_owned()
    }

    /// Connects the organization. Returns the redirect URL.
    async fn connect(&self, wiki: &FakeWiki) -> String {
        let state = self.start().await;
        wiki.authorize();
        self.follow_callback(&state, &format!("code={CODE}&state={state}")).await
    }

    async fn status(&self) -> Value {
        self.get("/api/admin/wiki/status").await.ok()
    }

    /// Links the component `a`.
    async fn link_to(&self, url: &str) -> crate::support::TestResponse {
        self.post("/api/workspaces/w/components/a/links", json!({ "url": url })).await
    }

    async fn refresh(&self, link: &Value) -> crate::support::TestResponse {
        self.post(&format!("/api/workspaces/w/components/a/links/{}/refresh", link["id"]), json!({})).await
    }
}
