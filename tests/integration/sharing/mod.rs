//! Share links: public, read-only addresses of maps, views, parts of maps, and processes.

mod administration;
mod load;
mod managing;
mod opening;
mod passwords;
mod permissions;
mod previews;
mod privacy;
mod rules;
mod targets;

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::support::{TestClient, TestResponse, TestServer};

const SHARES: &str = "/api/workspaces/w/shares";

/// Creates a link of the workspace `w` with these fields.
async fn create(owner: &TestClient<'_>, fields: Value) -> Value {
    let mut new = json!({ "name": "Wiki" });
    new.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    owner.post(SHARES, new).await.created()["share"].clone()
}

/// The path of the address of a link.
fn path(share: &Value) -> String {
    let url = share["url"].as_str().unwrap();
    url.strip_prefix("http://planroom.test").unwrap_or_else(|| panic!("{url}")).to_owned()
}

/// What a visitor gets, without a credential.
async fn visit(server: &TestServer, path: &str) -> TestResponse {
    server.anonymous().get(path).await
}

/// The text of a response.
fn text(reply: &TestResponse) -> String {
    String::from_utf8_lossy(&reply.bytes).into_owned()
}

/// A response without what differs for each response: its nonce and its id.
fn comparable(reply: &TestResponse) -> (StatusCode, Vec<(String, String)>, String) {
    let policy = reply.header("content-security-policy").to_owned();
    let nonce = policy.split("'nonce-").nth(1).and_then(|rest| rest.split('\'').next()).unwrap_or("none").to_owned();
    let headers = reply.headers.iter().filter(|(name, _)| *name != "x-request-id");
    let headers = headers.map(|(name, value)| (name.to_string(), value.to_str().unwrap().replace(&nonce, "NONCE")));
    (reply.status, headers.collect(), text(reply).replace(&nonce, "NONCE"))
}

/// Every kind of request for a link.
async fn all_of(server: &TestServer, path: &str) -> Vec<TestResponse> {
    let mut replies = Vec::new();
    for part in ["", "/embed", "/image.svg?ids=true&legend=true", "/image.png?width=600", "/model.json"] {
        replies.push(visit(server, &format!("{path}{part}")).await);
    }
    let client = server.anonymous();
    let form = "application/x-www-form-urlencoded";
    replies.push(client.send_raw(Method::POST, &format!("{path}/unlock"), Some(form), "password=wrong").await);
    replies.push(oembed(server, path).await);
    replies
}

async fn oembed(server: &TestServer, path: &str) -> TestResponse {
    visit(server, &format!("/oembed?url=http%3A%2F%2Fplanroom.test{path}")).await
}

/// Allows all links, with the settings of the instance.
async fn allow_embeds(admin: &TestClient<'_>) {
    admin.patch("/api/admin/settings", json!({ "sharing.mode": "links-and-embeds" })).await.ok();
}
