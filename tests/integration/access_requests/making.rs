//! Making, listing, declining and withdrawing requests.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{MEMBERS, REQUESTS, W, ended, map, open, requested, seen};
use crate::support::{TestClient, TestServer};

#[tokio::test]
async fn a_viewer_requests_access_and_an_owner_adds_them_as_an_editor() {
    let server = TestServer::new().await;
    let (ada, bob, user) = map(&server).await;
    assert_eq!(open(&ada).await, Vec::<i64>::new());
    let body = json!({ "role": "editor", "message": " I maintain the checkout service.\n" });
    let made = bob.post(REQUESTS, body).await.created()["accessRequest"].clone();
    let expected = json!({
        "userId": user, "workspaceId": "w", "role": "editor", "message": "I maintain the checkout service.",
        "requestedAt": server.clock.now(),
        "user": { "id": user, "displayName": "bob", "login": "bob", "avatarUrl": null, "provider": "local" },
    });
    assert_eq!(made, expected);
    assert_eq!(ada.get(REQUESTS).await.ok(), json!({ "accessRequests": [made] }));
    assert_eq!(open(&ada).await, [user]);
    assert_eq!(seen(&bob).await["accessRequestedAt"], made["requestedAt"]);
    assert_eq!(seen(&bob).await.get("accessRequests"), None, "only owners learn who requests access");

    ada.post(MEMBERS, json!({ "userId": user, "role": "editor" })).await.ok();
    assert_eq!(open(&ada).await, Vec::<i64>::new());
    let own = seen(&bob).await;
    assert_eq!((&own["myRole"], own.get("accessRequestedAt")), (&json!("editor"), None));
    assert_eq!(ended(&server), ["access changed"]);
    let made = format!("kind = 'access-request.create' AND actor_id = {user} AND organization_id IS NOT NULL");
    assert_eq!(server.count(&format!("SELECT count(*) FROM audit WHERE {made}")), 1);
}

#[tokio::test]
async fn a_repeated_request_returns_the_first_one() {
    let server = TestServer::new().await;
    let (ada, bob, user) = map(&server).await;
    let first = bob.post(REQUESTS, json!({ "message": "First" })).await.created();
    server.clock.advance(1_000);
    let before = server.log_sizes();
    assert_eq!(bob.post(REQUESTS, json!({ "message": "Second" })).await.ok(), first);
    assert_eq!(bob.post(REQUESTS, json!({})).await.ok(), first);
    assert_eq!(server.log_sizes(), before);
    assert_eq!(open(&ada).await, [user]);
    // A request is no change of the workspace.
    assert_eq!(bob.get(&format!("{W}/history?limit=1")).await.ok()["changes"][0]["actor"]["displayName"], "ada");
}

#[tokio::test]
async fn only_people_who_can_view_and_cannot_edit_request_access() {
    let server = TestServer::new().await;
    let (ada, bob, user) = map(&server).await;
    let script = server.script_client("bob").await;
    script.post(REQUESTS, json!({})).await.expect_error(403, "sign in");
    let already = "you can edit this workspace already";
    ada.post(REQUESTS, json!({})).await.expect_error(409, already);
    server.grant("w", user, "editor");
    bob.post(REQUESTS, json!({})).await.expect_error(409, already);
    server.grant("w", user, "viewer");
    ada.patch(W, json!({ "organizationAccess": "edit" })).await.ok();
    bob.post(REQUESTS, json!({})).await.expect_error(409, already);
    ada.patch(W, json!({ "visibility": "members" })).await.ok();
    bob.post(REQUESTS, json!({})).await.created();
    let cy = {
        server.seed_member("cy", "acme", "org:member");
        server.sign_in("cy").await
    };
    let hidden = cy.post(REQUESTS, json!({})).await;
    let missing = cy.post("/api/workspaces/none/access-requests", json!({})).await;
    assert_eq!(hidden.expect_error(404, "workspace not found"), missing.expect(404));
    for refused in [cy.get(REQUESTS).await, cy.delete(&format!("{REQUESTS}/{user}")).await] {
        refused.expect_error(404, "workspace not found");
    }
    // An instance administrator without an organization only looks.
    server.seed_user("iris");
    server.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE login = 'iris'", []).unwrap());
    let iris = server.sign_in("iris").await;
    iris.post(REQUESTS, json!({})).await.expect_error(400, "active organization");
    assert_eq!(iris.bundle("w").await["workspace"].get("accessRequests"), None);
    assert_eq!(open(&ada).await, [user]);
}

#[tokio::test]
async fn an_invalid_request_is_rejected() {
    let server = TestServer::new().await;
    let (ada, bob, user) = map(&server).await;
    for (body, text) in [
        (json!({ "message": "x".repeat(501) }), "message: must have at most 500 characters, has 501"),
        (json!({ "message": 7 }), "message: "),
        (json!({ "role": "owner" }), "role: "),
        (json!({ "role": "viewer" }), "role: "),
        (json!({ "since": 1 }), "since: this resource has no such field"),
        (json!([]), ""),
    ] {
        bob.post(REQUESTS, body).await.expect_error(400, text);
    }
    bob.delete(&format!("{REQUESTS}/{user}")).await.expect_error(404, "access request not found");
    ada.delete(&format!("{REQUESTS}/{user}")).await.expect_error(404, "access request not found");
    ada.delete(&format!("{REQUESTS}/bob")).await.expect_error(400, "path");
    let blank = bob.post(REQUESTS, json!({ "message": " \n " })).await.created();
    assert_eq!(blank["accessRequest"].get("message"), None);
    bob.delete(&format!("{REQUESTS}/{user}")).await.ok();
    let longest = bob.post(REQUESTS, json!({ "message": "é".repeat(500) })).await.created();
    assert_eq!(longest["accessRequest"]["message"], "é".repeat(500));
    // A request can be sent back as it was read.
    assert_eq!(bob.post(REQUESTS, longest["accessRequest"].clone()).await.status, StatusCode::OK);
}

#[tokio::test]
async fn an_owner_declines_and_a_user_withdraws() {
    let server = TestServer::new().await;
    let (ada, bob, user) = requested(&server).await;
    server.seed_member("vic", "acme", "org:member");
    let ed = server.seed_member("ed", "acme", "org:member");
    server.grant("w", ed, "editor");
    let request = format!("{REQUESTS}/{user}");
    for login in ["vic", "ed"] {
        let other = server.sign_in(login).await;
        other.delete(&request).await.expect_error(403, "owner");
        other.get(REQUESTS).await.expect_error(403, "owner");
    }
    bob.get(REQUESTS).await.expect_error(403, "owner");
    ada.delete(&request).await.ok();
    assert_eq!(seen(&bob).await.get("accessRequestedAt"), None);
    bob.post(REQUESTS, json!({})).await.created();
    assert_eq!(open(&ada).await, [user]);
    bob.delete(&request).await.ok();
    assert_eq!(open(&ada).await, Vec::<i64>::new());
    bob.delete(&request).await.expect_error(404, "access request");
    assert_eq!(ended(&server), ["declined", "withdrawn"]);
}

#[tokio::test]
async fn the_number_of_open_requests_is_limited() {
    let server = TestServer::new().await;
    let (ada, bob, user) = map(&server).await;
    server.seed_access_requests("w", 199);
    bob.post(REQUESTS, json!({})).await.created();
    server.seed_member("cy", "acme", "org:member");
    let cy = server.sign_in("cy").await;
    let refused = cy.post(REQUESTS, json!({})).await.expect_error(409, "200 open access requests");
    assert_eq!(
        (&refused["code"], &refused["limit"], &refused["count"]),
        (&json!("limit_reached"), &json!(200), &json!(201))
    );
    bob.post(REQUESTS, json!({})).await.ok();
    let first = ada.get(&format!("{REQUESTS}?limit=150")).await.ok();
    let next = format!("{REQUESTS}?limit=150&cursor={}", first["nextCursor"].as_str().unwrap());
    let second = ada.get(&next).await.ok();
    assert_eq!((first["accessRequests"].as_array().unwrap().len(), second.get("nextCursor")), (150, None));
    assert_eq!(second["accessRequests"].as_array().unwrap().len(), 50);
    assert_eq!(second["accessRequests"][49]["userId"], user, "the newest is last");
    ada.delete(&format!("{REQUESTS}/{user}")).await.ok();
    cy.post(REQUESTS, json!({})).await.created();
}

#[tokio::test]
async fn reads_of_others_and_copies_do_not_contain_requests() {
    let server = TestServer::new().await;
    let (ada, bob, _) = requested(&server).await;
    let version = ada.post(&format!("{W}/versions"), json!({ "name": "V" })).await.created()["version"]["id"].clone();
    ada.patch(W, json!({ "name": "Renamed" })).await.ok();
    for text in [
        ada.get(&format!("{W}/export")).await.ok().to_string(),
        bob.get(&format!("{W}/history")).await.ok().to_string(),
        server.sql(|conn| conn.query_row("SELECT group_concat(after) FROM change", [], |row| row.get(0)).unwrap()),
    ] {
        assert!(!text.contains("accessRequest"), "{text}");
    }
    let difference = ada.get(&format!("{W}/history/difference?from=1")).await.ok();
    assert_eq!(difference["workspace"], json!({ "name": { "from": "w", "to": "Renamed" } }));
    // Past states show the present requests, like the access level.
    for path in [format!("{W}?at=1"), format!("{W}/versions/{version}")] {
        assert_eq!(ada.get(&path).await.ok()["workspace"]["accessRequests"], 1);
        let own = bob.get(&path).await.ok()["workspace"].clone();
        assert_eq!((own.get("accessRequests"), own["accessRequestedAt"].is_i64()), (None, true));
    }
    // The workspace can be sent back as it was read, and imported.
    let bundle = ada.bundle("w").await;
    ada.patch(W, bundle["workspace"].clone()).await.ok();
    ada.put(&format!("{W}/bulk"), bundle.clone()).await.ok();
    let copy = ada.post("/api/import?id=copy", bundle).await.created();
    assert_eq!(copy["workspace"]["accessRequests"], 0);
}

#[tokio::test]
async fn bundles_are_cached_by_what_their_reader_sees() {
    let server = TestServer::new().await;
    let (ada, bob, user) = map(&server).await;
    server.seed_member("vic", "acme", "org:member");
    let vic = server.sign_in("vic").await;
    let (of_ada, of_bob, of_vic) = (ada.etag("w").await, bob.etag("w").await, vic.etag("w").await);
    assert_eq!(of_bob, of_vic);
    bob.post(REQUESTS, json!({})).await.created();
    let read =
        async |client: &TestClient<'_>, tag: &str| client.header("if-none-match", tag).get(W).await.status.as_u16();
    assert_eq!([read(&ada, &of_ada).await, read(&bob, &of_bob).await, read(&vic, &of_vic).await], [200, 200, 304]);
    for _ in 0..2 {
        assert_eq!(vic.bundle("w").await["workspace"].get("accessRequestedAt"), None);
        assert!(bob.bundle("w").await["workspace"]["accessRequestedAt"].is_i64());
        assert_eq!(ada.bundle("w").await["workspace"]["accessRequests"], 1);
    }
    let with_request = ada.etag("w").await;
    assert_eq!(read(&ada, &with_request).await, 304);
    // A request of another user does not make an edit of the workspace stale.
    ada.header("if-match", &of_ada).patch(W, json!({ "name": "Renamed" })).await.ok();
    ada.delete(&format!("{REQUESTS}/{user}")).await.ok();
    assert_eq!(read(&ada, &with_request).await, 200);
    assert_eq!(ada.bundle("w").await["workspace"]["accessRequests"], Value::from(0));
}
