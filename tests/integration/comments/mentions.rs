//! Messages mention users who can view the workspace.

use serde_json::{Value, json};

use super::{ask, path};
use crate::support::TestServer;

fn logins(users: &Value) -> Vec<&str> {
    users.as_array().unwrap().iter().map(|user| user["login"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_message_mentions_users_with_access_only() {
    let server = TestServer::new().await;
    let cy = server.seed_member("cy", "acme", "org:member");
    server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    ada.post("/api/workspaces/w/members", json!({ "userId": cy, "role": "viewer" })).await.ok();
    let thread = ask(&ada, "@cy, does (@CY) or @bob or @nobody or mail@cy own this?").await;
    assert_eq!(logins(&thread["firstMessage"]["mentions"]), ["cy"]);
    let edited = ada.patch(&format!("{}/messages/1", path(&thread)), json!({ "text": "Never mind, @ada." })).await.ok();
    assert_eq!(logins(&edited["message"]["mentions"]), ["ada"]);
}

#[tokio::test]
async fn users_are_suggested_by_login_and_name_if_they_can_view_the_workspace() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    server.seed_member("cy", "acme", "org:admin");
    server.sql(|conn| {
        conn.execute("UPDATE user SET display_name = 'Bob Baker_1' WHERE login = 'bob'", []).unwrap();
    });
    let ada = server.seed_map().await;
    let suggested = async |query: &str| {
        let users = ada.get(&format!("/api/workspaces/w/comments/people{query}")).await.ok()["users"].clone();
        logins(&users).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(suggested("").await, ["bob", "ada", "cy"]);
    let long = format!("/api/workspaces/w/comments/people?q={}", "b".repeat(201));
    ada.get(&long).await.expect_error(400, "q: ");
    assert_eq!(suggested("?q=BAK").await, ["bob"]);
    assert_eq!(suggested("?q=baker_1").await, ["bob"]);
    assert_eq!(suggested("?q=%25").await, [""; 0], "a percent sign is no pattern");
    assert_eq!(suggested("?q=b_b").await, [""; 0], "nor is an underscore");
    ada.patch("/api/workspaces/w", json!({ "visibility": "members" })).await.ok();
    assert_eq!(suggested("").await, ["ada", "cy"], "administrators of the organization can view it");
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    assert_eq!(suggested("").await, ["ada"]);
    ada.post("/api/workspaces/w/members", json!({ "userId": bob })).await.ok();
    assert_eq!(suggested("?q=bo").await, ["bob"]);
}
