//! The wiki, against a double of its provider: connecting it, what its errors become, browsing it, and links to it.

mod attacks;
mod browsing;
mod connecting;
mod errors;
mod links;
mod odd;
mod rounds;
mod tokens;

use planroom::operator::{Operation, WikiOperation};
use serde_json::{Value, json};

use crate::support::{
    Actor, Stage,
    wiki::{CLIENT, CODE, INTERNAL_TOKEN, WikiDouble},
};

/// A stage whose wiki is the double, with its client known and nothing connected.
pub async fn registered() -> (Stage, WikiDouble) {
    let double = WikiDouble::start().await;
    let stage = before(&double, 1_000);
    stage.seed_admin("ada", "acme").await;
    let client = json!({ "wiki.client_id": CLIENT.0, "wiki.client_secret": CLIENT.1 });
    stage.sign_in("ada").await.patch("/api/admin/settings", client).await.ok();
    (stage, double)
}

/// An empty stage whose wiki is the double.
pub fn before(double: &WikiDouble, per_second: usize) -> Stage {
    let url = double.url();
    Stage::empty(|config| {
        config.outbound.wiki_url = url;
        config.outbound.wiki_requests_per_second = per_second;
        config.outbound.allow_private = true;
    })
}

/// The same with acme connected by agreement.
async fn connected() -> (Stage, WikiDouble) {
    let (stage, double) = registered().await;
    let ada = stage.sign_in("ada").await;
    assert_eq!(ada.connect(&double).await, "/?wiki=connected");
    double.heard();
    (stage, double)
}

/// The same with acme connected by the token of an internal integration.
async fn connected_by_token() -> (Stage, WikiDouble) {
    let double = WikiDouble::start().await;
    let stage = before(&double, 1_000);
    stage.seed_admin("ada", "acme").await;
    operate(&stage, WikiOperation::Connect { org: "acme".into(), token: INTERNAL_TOKEN.into() }).await.unwrap();
    double.heard();
    (stage, double)
}

async fn operate(stage: &Stage, operation: WikiOperation) -> Result<Value, String> {
    Operation::Wiki(operation).perform(&stage.app).await.map_err(|error| error.to_string())
}

impl Actor<'_> {
    /// Begins to connect; answers with the state, in the address as in the cookie.
    async fn start(&self) -> String {
        let reply = self.post("/api/auth/wiki/start", json!({})).await;
        let url = url::Url::parse(reply.ok()["url"].as_str().unwrap()).unwrap();
        let state = url.query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
        assert!(reply.header("set-cookie").starts_with(&format!("planroom_wiki={state}; HttpOnly; SameSite=Lax; ")));
        state
    }

    /// Comes back in the browser that went with this state; answers with where it is sent.
    async fn come_back(&self, state: &str, query: &str) -> String {
        let browser = self.header("cookie", &format!("planroom_wiki={state}"));
        let reply = browser.get(&format!("/api/auth/wiki/callback?{query}")).await;
        assert_eq!(reply.status.as_u16(), 302, "{reply}");
        reply.header("location").to_owned()
    }

    /// Connects the organization, from the click to the word.
    async fn connect(&self, double: &WikiDouble) -> String {
        let state = self.start().await;
        double.agree();
        self.come_back(&state, &format!("code={CODE}&state={state}")).await
    }

    async fn status(&self) -> Value {
        self.get("/api/admin/wiki/status").await.ok()
    }

    /// Links the component `a`.
    async fn link_to(&self, url: &str) -> crate::support::Reply {
        self.post("/api/workspaces/w/components/a/links", json!({ "url": url })).await
    }

    async fn refresh(&self, link: &Value) -> crate::support::Reply {
        self.post(&format!("/api/workspaces/w/components/a/links/{}/refresh", link["id"]), json!({})).await
    }
}
