//! Members of a workspace.

use serde_json::{Value, json};

use crate::support::{TestClient, TestServer};

const MEMBERS: &str = "/api/workspaces/shop/members";

/// A server with the workspace `shop` of ada, and bob and cy, members of the organization.
async fn shop() -> (TestServer, i64, i64) {
    let server = TestServer::new().await;
    let (bob, cy) = (server.seed_member("bob", "acme", "org:member"), server.seed_member("cy", "acme", "org:member"));
    let ada = server.sign_in("ada").await;
    ada.post("/api/workspaces", json!({ "id": "shop", "name": "Shop", "visibility": "private" })).await.created();
    (server, bob, cy)
}

async fn levels(client: &TestClient<'_>) -> Vec<(String, String)> {
    let members = client.get(MEMBERS).await.ok()["members"].clone();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    members.as_array().unwrap().iter().map(|m| (text(&m["user"]["login"]), text(&m["role"]))).collect()
}

fn pairs<const N: usize>(pairs: [(&str, &str); N]) -> Vec<(String, String)> {
    pairs.map(|(login, role)| (login.to_owned(), role.to_owned())).to_vec()
}

#[tokio::test]
async fn adding_a_member_is_idempotent_and_defaults_to_viewer() {
    let (server, bob, _) = shop().await;
    let (ada, bob_in) = (server.sign_in("ada").await, server.sign_in("bob").await);
    bob_in.get("/api/workspaces/shop").await.expect_error(404, "workspace");
    assert_eq!(ada.post(MEMBERS, json!({ "userId": bob })).await.ok(), json!({ "ok": true }));
    assert_eq!(bob_in.get(MEMBERS).await.ok()["myRole"], "viewer");
    bob_in.patch("/api/workspaces/shop", json!({ "name": "S" })).await.expect_error(403, "editor");
    ada.post(MEMBERS, json!({ "userId": bob, "role": "editor" })).await.ok();
    bob_in.patch("/api/workspaces/shop", json!({ "name": "S" })).await.ok();
    bob_in.post(MEMBERS, json!({ "userId": bob, "role": "owner" })).await.expect_error(403, "owner");
    let changed = ada.patch(&format!("{MEMBERS}/{bob}"), json!({ "role": "owner" })).await.ok();
    assert_eq!(changed["member"]["role"], "owner");
    assert_eq!(changed["member"]["workspaceId"], "shop");
    assert_eq!(levels(&bob_in).await, pairs([("ada", "owner"), ("bob", "owner")]));
    ada.delete(&format!("{MEMBERS}/{bob}")).await.ok();
    bob_in.get("/api/workspaces/shop").await.expect_error(404, "workspace");
}

#[tokio::test]
async fn only_organization_members_can_be_added_and_owners_list_candidates() {
    let (server, bob, cy) = shop().await;
    let ada = server.sign_in("ada").await;
    let stranger = server.seed_org("other", "otto");
    let text = "userId: is not a member of this organization";
    ada.post(MEMBERS, json!({ "userId": stranger })).await.expect_error(400, text);
    ada.post(MEMBERS, json!({ "userId": 9999 })).await.expect_error(400, text);
    ada.post(MEMBERS, json!({ "userId": bob })).await.ok();
    let candidates = ada.get(&format!("{MEMBERS}/candidates")).await.ok();
    let ids: Vec<_> = candidates["users"].as_array().unwrap().iter().map(|user| user["id"].clone()).collect();
    assert_eq!(ids, [cy]);
}

#[tokio::test]
async fn the_last_owner_cannot_be_removed_or_demoted() {
    let (server, bob, _) = shop().await;
    let ada = server.sign_in("ada").await;
    let own = ada.get("/api/me").await.ok()["id"].clone();
    ada.post(MEMBERS, json!({ "userId": bob, "role": "editor" })).await.ok();
    let text = "the last owner of a workspace";
    let refusals = [
        ada.delete(&format!("{MEMBERS}/{own}")).await,
        ada.patch(&format!("{MEMBERS}/{own}"), json!({ "role": "editor" })).await,
        ada.post(MEMBERS, json!({ "userId": own, "role": "viewer" })).await,
        ada.post(MEMBERS, json!({ "userId": own })).await,
    ];
    for refusal in refusals {
        assert_eq!(refusal.expect_error(409, text)["code"], Value::Null);
    }
    assert_eq!(levels(&ada).await, pairs([("ada", "owner"), ("bob", "editor")]));
}

#[tokio::test]
async fn ownership_moves_to_the_oldest_remaining_owner() {
    let (server, bob, cy) = shop().await;
    let (ada, own) = (server.sign_in("ada").await, server.count("SELECT id FROM user WHERE login = 'ada'"));
    let owner = || async { ada.get("/api/workspaces/shop").await.ok()["workspace"]["ownerUserId"].clone() };
    for user in [cy, bob] {
        server.clock.advance(1);
        ada.post(MEMBERS, json!({ "userId": user, "role": "owner" })).await.ok();
    }
    assert_eq!(owner().await, own);
    // She remains a member and can still read.
    ada.post(MEMBERS, json!({ "userId": own, "role": "viewer" })).await.ok();
    assert_eq!(owner().await, cy);
    let cy_in = server.sign_in("cy").await;
    cy_in.delete(&format!("{MEMBERS}/{cy}")).await.ok();
    assert_eq!(owner().await, bob);
}

#[tokio::test]
async fn of_two_owners_who_remove_each_other_one_remains() {
    let (server, bob, _) = shop().await;
    let (ada, bob_in) = (server.sign_in("ada").await, server.sign_in("bob").await);
    let own = ada.get("/api/me").await.ok()["id"].clone();
    for _ in 0..20 {
        ada.post(MEMBERS, json!({ "userId": bob, "role": "owner" })).await.ok();
        let (bobs, adas) = (format!("{MEMBERS}/{bob}"), format!("{MEMBERS}/{own}"));
        let (one, two) = tokio::join!(ada.delete(&bobs), bob_in.delete(&adas));
        let owners = server.count("SELECT count(*) FROM workspace_member WHERE role = 'owner'");
        assert_eq!(owners, 1, "{one} {two}");
        if !one.status.is_success() {
            bob_in.post(MEMBERS, json!({ "userId": own, "role": "owner" })).await.ok();
        }
    }
}

#[tokio::test]
async fn a_stale_update_is_rejected() {
    let (server, bob, _) = shop().await;
    let ada = server.sign_in("ada").await;
    ada.post(MEMBERS, json!({ "userId": bob })).await.ok();
    let path = format!("{MEMBERS}/{bob}");
    let revision = ada.get(MEMBERS).await.ok()["members"][1]["revision"].clone();
    let seen = ada.header("if-match", &format!("\"{revision}\""));
    seen.patch(&path, json!({ "role": "editor" })).await.ok();
    let refusal = seen.patch(&path, json!({ "role": "owner" })).await.expect(412);
    assert_eq!((&refusal["code"], &refusal["current"]["role"]), (&json!("stale"), &json!("editor")));
    assert_eq!(refusal["current"], ada.get(MEMBERS).await.ok()["members"][1], "in the shape in which it is read");
    seen.delete(&path).await.expect(412);
    ada.delete(&path).await.ok();
}

#[tokio::test]
async fn an_invalid_member_is_rejected_before_anything_is_written() {
    let (server, bob, _) = shop().await;
    let ada = server.sign_in("ada").await;
    let before = server.count("SELECT count(*) FROM change");
    for (body, text) in [
        (json!({}), "userId: is required"),
        (json!({ "userId": "bob" }), "userId: "),
        (json!({ "userId": 1.5 }), "userId: "),
        (json!({ "userId": bob, "role": "admin" }), "role: "),
        (json!({ "userId": bob, "since": 1 }), "since: this resource has no such field"),
        (json!([bob]), ""),
    ] {
        ada.post(MEMBERS, body).await.expect_error(400, text);
    }
    ada.patch(&format!("{MEMBERS}/{bob}"), json!({ "role": "editor" })).await.expect_error(404, "member");
    ada.delete(&format!("{MEMBERS}/{bob}")).await.expect_error(404, "member");
    ada.delete(&format!("{MEMBERS}/bob")).await.expect_error(400, "path");
    assert_eq!(server.count("SELECT count(*) FROM change"), before);
}
