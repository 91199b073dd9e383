//! A link works while its owner is an owner of the workspace.

use axum::http::Method;
use serde_json::json;

use super::{SHARES, create, path, visit};
use crate::support::TestServer;

/// The states of the links of `w`.
async fn states(client: &crate::support::TestClient<'_>) -> Vec<String> {
    let shares = client.get(SHARES).await.ok()["shares"].as_array().unwrap().clone();
    shares.iter().map(|share| share["state"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_link_is_paused_when_its_owner_loses_the_permission_and_works_again_when_it_is_adopted() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    ada.patch("/api/workspaces/w", json!({ "visibility": "members" })).await.ok();
    ada.post("/api/workspaces/w/members", json!({ "userId": bob, "role": "owner" })).await.ok();
    let share = create(&server.sign_in("bob").await, json!({})).await;
    let own = format!("{SHARES}/{}", share["id"].as_str().unwrap());
    for (change, back) in [
        (json!({ "role": "editor" }), json!({ "role": "owner" })),
        (json!({ "role": "viewer" }), json!({ "role": "owner" })),
    ] {
        assert_eq!(visit(&server, &path(&share)).await.status, 200);
        ada.patch(&format!("/api/workspaces/w/members/{bob}"), change).await.ok();
        assert_eq!(visit(&server, &path(&share)).await.status, 404);
        assert_eq!(states(&ada).await, ["paused"]);
        // The permission alone does not open the map again.
        ada.patch(&format!("/api/workspaces/w/members/{bob}"), back).await.ok();
        assert_eq!(visit(&server, &path(&share)).await.status, 404);
        server.sign_in("bob").await.send(Method::POST, &format!("{own}/adopt"), None).await.ok();
    }
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'share.pause'"), 2);
    ada.delete(&format!("/api/workspaces/w/members/{bob}")).await.ok();
    assert_eq!(visit(&server, &path(&share)).await.status, 404);
    let adopted = ada.send(Method::POST, &format!("{own}/adopt"), None).await.ok()["share"].clone();
    assert_eq!((&adopted["state"], &adopted["owner"]["login"]), (&json!("active"), &json!("ada")));
    assert_eq!(adopted["url"], share["url"]);
    assert_eq!(visit(&server, &path(&share)).await.status, 200);
}

#[tokio::test]
async fn links_of_suspended_users_and_of_users_who_leave_are_paused() {
    let server = TestServer::new().await;
    let [bob, cy] = ["bob", "cy"].map(|login| server.seed_member(login, "acme", "org:member"));
    let ada = server.seed_map().await;
    for user in [bob, cy] {
        ada.post("/api/workspaces/w/members", json!({ "userId": user, "role": "owner" })).await.ok();
    }
    let of_bob = create(&server.sign_in("bob").await, json!({})).await;
    let of_cy = create(&server.sign_in("cy").await, json!({})).await;
    let of_ada = create(&ada, json!({})).await;
    ada.patch(&format!("/api/admin/users/{bob}"), json!({ "isSuspended": true })).await.ok();
    let org = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    ada.delete(&format!("/api/orgs/{org}/members/{cy}")).await.ok();
    for (share, status) in [(&of_bob, 404), (&of_cy, 404), (&of_ada, 200)] {
        assert_eq!(visit(&server, &path(share)).await.status, status);
    }
    for (share, state) in [(&of_bob, "paused"), (&of_cy, "paused"), (&of_ada, "active")] {
        let listed = ada.get(SHARES).await.ok()["shares"].as_array().unwrap().clone();
        let listed = listed.iter().find(|one| one["id"] == share["id"]).unwrap();
        assert_eq!(listed["state"], state);
    }
}

#[tokio::test]
async fn links_of_administrators_are_paused_when_a_workspace_becomes_private() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:admin");
    let ada = server.seed_map().await;
    let share = create(&server.sign_in("bob").await, json!({})).await;
    assert_eq!(visit(&server, &path(&share)).await.status, 200);
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    assert_eq!(visit(&server, &path(&share)).await.status, 404);
    assert_eq!(states(&ada).await, ["paused"]);
}

#[tokio::test]
async fn the_permission_is_checked_for_each_request_even_if_nothing_paused_the_link() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let share = create(&ada, json!({})).await;
    server.sql(|conn| conn.execute("UPDATE user SET is_suspended = 1 WHERE login = 'ada'", []).unwrap());
    assert_eq!(visit(&server, &path(&share)).await.status, 404);
}
