//! Notifications about access to workspaces.

use serde_json::json;

use super::{INBOX, titles, unread};
use crate::support::TestServer;

const MEMBERS: &str = "/api/workspaces/w/members";

#[tokio::test]
async fn a_new_member_is_told_the_access_level_and_again_when_it_is_raised() {
    let server = TestServer::new().await;
    let bob_id = server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    let bob = server.sign_in("bob").await;
    let of_bob = format!("{MEMBERS}/{bob_id}");
    ada.post(MEMBERS, json!({ "userId": bob_id, "role": "viewer" })).await.ok();
    let entry = bob.get(INBOX).await.ok()["entries"][0].clone();
    assert_eq!(entry["title"], "ada gave you viewer access to w");
    assert_eq!((&entry["kind"], &entry["workspaceId"]), (&json!("invitation"), &json!("w")));
    ada.patch(&of_bob, json!({ "role": "editor" })).await.ok();
    assert_eq!(titles(&bob).await, ["ada gave you editor access to w"], "one unread entry says the current level");
    bob.post("/api/me/inbox/read", json!({ "until": server.clock.now() })).await.ok();
    server.clock.advance(1);
    ada.post(MEMBERS, json!({ "userId": bob_id, "role": "owner" })).await.ok();
    assert_eq!(titles(&bob).await[0], "ada made you an owner of w");
    assert_eq!(unread(&bob).await, 1);
    bob.post("/api/me/inbox/read", json!({ "until": server.clock.now() })).await.ok();
    ada.patch(&of_bob, json!({ "role": "viewer" })).await.ok();
    ada.patch(&of_bob, json!({ "role": "viewer" })).await.ok();
    assert_eq!(unread(&bob).await, 0, "a lower level is not a gift");
    ada.delete(&of_bob).await.ok();
    ada.patch("/api/workspaces/w", json!({ "visibility": "org" })).await.ok();
    assert!(titles(&bob).await.is_empty(), "bob is no longer a member");
    assert!(titles(&ada).await.is_empty());
}

#[tokio::test]
async fn a_granted_access_request_and_an_inherited_workspace_are_told() {
    let server = TestServer::new().await;
    let (bob_id, cy_id) =
        (server.seed_member("bob", "acme", "org:member"), server.seed_member("cy", "acme", "org:member"));
    let ada = server.seed_map().await;
    let visible = json!({ "visibility": "org", "organizationAccess": "view" });
    ada.patch("/api/workspaces/w", visible).await.ok();
    let (bob, cy) = (server.sign_in("bob").await, server.sign_in("cy").await);
    bob.post("/api/workspaces/w/access-requests", json!({ "role": "editor" })).await.created();
    ada.post(MEMBERS, json!({ "userId": bob_id, "role": "editor" })).await.ok();
    assert_eq!(titles(&bob).await, ["ada gave you editor access to w"]);
    cy.create_workspace("own").await;
    let org = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    ada.delete(&format!("/api/orgs/{org}/members/{cy_id}?transferTo={bob_id}")).await.ok();
    assert_eq!(titles(&bob).await[0], "ada made you an owner of own");
}
