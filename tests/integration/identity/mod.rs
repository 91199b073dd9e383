//! People whom an identity provider outside knows: its tokens on the API, and signing in there.

mod administrators;
mod attacks;
mod bearers;
mod clients;
mod deciding;
mod forged;
mod keys;
mod linking;
mod organizations;
mod passwords;
mod signing_in;
mod signing_out;
mod trust;
mod user_info;

use planroom::config::Config;
use serde_json::{Value, json};

use crate::support::{
    Actor, Reply, Stage,
    oidc::{CLIENT, OidcDouble},
};

/// An instance that knows the provider, with what the test changes.
async fn stage_with(change: impl FnOnce(&mut Config)) -> (Stage, OidcDouble) {
    let double = OidcDouble::start().await;
    (stage_of(&double, change).await, double)
}

/// One that knows this provider.
async fn stage_of(double: &OidcDouble, change: impl FnOnce(&mut Config)) -> Stage {
    let stage = Stage::empty(|config| {
        let oidc = &mut config.identity.oidc;
        oidc.issuer = double.url();
        oidc.client_id = CLIENT.0.into();
        oidc.client_secret = planroom::secret::Secret::new(CLIENT.1);
        oidc.allow_private = true;
        change(config);
    });
    stage.seed_admin("ada", "acme").await;
    double.state().now = stage.clock.now() / 1_000;
    stage
}

/// An instance that knows the provider.
async fn stage() -> (Stage, OidcDouble) {
    stage_with(|_| {}).await
}

/// What a good token says of `grace`, good for a minute, and what else it is to say.
fn claims(stage: &Stage, double: &OidcDouble, more: Value) -> Value {
    let now = stage.clock.now() / 1_000;
    let mut claims = json!({ "iss": double.url(), "sub": "user_grace", "iat": now, "nbf": now, "exp": now + 60 });
    claims.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    claims
}

/// Somebody with a token of the provider's that says this.
fn bearer<'s>(stage: &'s Stage, double: &OidcDouble, more: Value) -> Actor<'s> {
    let token = double.state().signer.sign(&claims(stage, double, more));
    stage.with(&token)
}

/// An organization's claims in the first form.
fn org(id: &str, role: &str) -> Value {
    json!({ "org_id": id, "org_role": role, "org_slug": id.trim_start_matches("org_") })
}

/// A browser on its way.
struct Browser {
    /// Where the provider's page is.
    location: String,
    cookie: String,
}

/// A browser that is sent to the provider.
async fn departs(stage: &Stage, query: &str) -> Browser {
    let reply = stage.anonymous().get(&format!("/api/auth/oidc/start{query}")).await;
    assert_eq!(reply.status, 302);
    let cookie = reply.header("set-cookie").split(';').next().unwrap().to_owned();
    Browser { location: reply.header("location").to_owned(), cookie }
}

/// It comes back with this query.
async fn returns(stage: &Stage, browser: &Browser, query: &str) -> Reply {
    let with_cookie = stage.anonymous().header("cookie", &browser.cookie);
    let reply = with_cookie.get(&format!("/api/auth/oidc/callback?{query}")).await;
    assert_eq!(reply.status, 302);
    reply
}

/// Where somebody comes to who has agreed at the provider.
async fn lands(stage: &Stage, double: &OidcDouble) -> String {
    let browser = departs(stage, "").await;
    let reply = returns(stage, &browser, &double.agrees("user_grace", &browser.location)).await;
    reply.header("location").to_owned()
}

/// Signs in at the provider as a subject. Answers with whoever renews the session that begins so.
async fn signs_in<'s>(stage: &'s Stage, double: &OidcDouble, subject: &str) -> Actor<'s> {
    let browser = departs(stage, "").await;
    let reply = returns(stage, &browser, &double.agrees(subject, &browser.location)).await;
    if reply.header("location") == "/link-account" {
        let reply = Undecided::of(&reply).decides(stage, json!({ "access": "end" })).await;
        reply.ok();
        return renewed(stage, &reply).await;
    }
    let location = reply.header("location");
    assert!(location == "/sign-in" || location.starts_with("/sign-in?ended="), "{location}");
    renewed(stage, &reply).await
}

/// A browser with a pending account link.
#[derive(Clone)]
struct Undecided {
    cookie: String,
}

impl Undecided {
    /// The browser that the callback has answered.
    fn of(reply: &Reply) -> Self {
        let cookies = reply.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok());
        let mut cookies = cookies.filter_map(|value| value.split(';').next());
        Self { cookie: cookies.find(|one| one.starts_with("planroom_link=")).unwrap().to_owned() }
    }

    fn actor<'s>(&self, stage: &'s Stage) -> Actor<'s> {
        stage.anonymous().header("origin", "http://planroom.test").header("cookie", &self.cookie)
    }

    /// Reads what is pending.
    async fn reads(&self, stage: &Stage) -> Reply {
        self.actor(stage).get("/api/auth/oidc/link").await
    }

    /// Decides about what is pending.
    async fn decides(&self, stage: &Stage, decision: Value) -> Reply {
        let id = self.reads(stage).await.ok()["id"].clone();
        self.sends(stage, id, decision).await
    }

    /// Sends a decision about the pending link `id`.
    async fn sends(&self, stage: &Stage, id: Value, mut decision: Value) -> Reply {
        decision["id"] = id;
        self.actor(stage).post("/api/auth/oidc/link", decision).await
    }
}

/// Whoever has the session whose cookie came with this answer.
async fn renewed<'s>(stage: &'s Stage, reply: &Reply) -> Actor<'s> {
    let cookie = reply.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok());
    let cookie = cookie.filter_map(|value| value.split(';').next()).find(|one| one.starts_with("planroom_refresh="));
    let browser = stage.anonymous().header("origin", "http://planroom.test").header("cookie", cookie.unwrap());
    let answer = browser.post("/api/auth/refresh", json!({})).await.ok();
    stage.with(answer["token"].as_str().unwrap())
}
