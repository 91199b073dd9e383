//! The audit log: contents and paging.

use serde_json::{Value, json};

use super::{admin_without_organization, id_of, kinds, on_disk};
use crate::support::{PASSWORD, TestServer};

fn events(reply: &Value) -> Vec<Value> {
    reply["events"].as_array().unwrap().clone()
}

#[tokio::test]
async fn every_change_is_recorded_with_its_author_and_address() {
    let server = TestServer::new().await;
    server
        .anonymous()
        .post("/api/auth/login", json!({ "login": "ada", "password": "wrong password" }))
        .await
        .expect(401);
    let ada = server.sign_in("ada").await;
    let minted = ada.post("/api/me/tokens", json!({ "name": "ci" })).await.created();
    ada.delete(&format!("/api/me/tokens/{}", minted["id"])).await.ok();
    let eve = json!({ "login": "eve", "displayName": "Eve", "password": "password-of-eve" });
    let eve = ada.post("/api/admin/users", eve).await.created()["user"]["id"].clone();
    for decision in
        [json!({ "isAdmin": true }), json!({ "isAdmin": false, "isSuspended": true }), json!({ "isSuspended": false })]
    {
        ada.patch(&format!("/api/admin/users/{eve}"), decision).await.ok();
    }
    ada.create_workspace("w").await;
    ada.create_components("w", &["a", "b"]).await;
    ada.create_relationship("w", "r", "a", "calls", "b").await;
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    ada.delete("/api/workspaces/w/components/a").await.ok();
    ada.delete("/api/workspaces/w").await.ok();
    let expected = [
        "organization.create",
        "organization.join",
        "user.create",
        "person.create",
        "session.refuse",
        "session.begin",
        "token.create",
        "token.revoke",
        "user.create",
        "user.promote",
        "user.demote",
        "user.suspend",
        "user.unsuspend",
        "workspace.create",
        "component.create",
        "component.create",
        "relationship.create",
        "workspace.update",
        "component.delete",
        "workspace.delete",
    ];
    assert_eq!(kinds(&server), expected);

    let reply = ada.get("/api/admin/audit").await;
    let mut events = events(&reply.ok());
    events.reverse();
    assert_eq!(events.iter().map(|event| &event["kind"]).collect::<Vec<_>>(), expected);
    let (id, org) = (id_of(&server, "ada"), ada.get("/api/me").await.ok()["session"]["orgId"].clone());
    let by_ada = json!({ "id": id, "displayName": "ada", "login": "ada" });
    for event in &events[6..] {
        assert_eq!((&event["actor"], &event["actorId"], &event["orgId"]), (&by_ada, &json!(id), &org), "{event}");
    }
    assert_eq!(
        (&events[4]["actor"], &events[4]["actorId"], &events[4]["orgId"]),
        (&json!(null), &json!(null), &json!(null))
    );
    assert_eq!(events[8]["details"], json!({ "userId": eve, "login": "eve", "by": "rest" }));
    assert!(events.windows(2).all(|pair| pair[0]["ts"].as_i64() <= pair[1]["ts"].as_i64()));
    let text = String::from_utf8(reply.bytes.clone()).unwrap();
    for secret in [PASSWORD, "wrong password", "password-of-eve", minted["token"].as_str().unwrap(), ada.credential()] {
        assert!(!text.contains(secret) && !on_disk(&server, secret), "{secret}");
    }
}

#[tokio::test]
async fn pages_reach_the_first_event_and_contain_each_event_once() {
    let server = TestServer::new().await;
    let iris = admin_without_organization(&server).await;
    server.sql(|conn| {
        let sql = "WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
                   INSERT INTO audit (ts, kind, details) SELECT i, 'test.' || (i % 2), '{}' FROM n";
        conn.execute(sql, []).unwrap();
    });
    let all: Vec<i64> = (1..=server.count("SELECT max(id) FROM audit")).rev().collect();
    let ids = |reply: &Value| events(reply).iter().map(|event| event["id"].as_i64().unwrap()).collect::<Vec<_>>();
    assert_eq!(ids(&iris.get("/api/admin/audit").await.ok()), all[..200]);
    for limit in [1_000, 501, 999] {
        let (mut seen, mut before) = (Vec::<i64>::new(), String::new());
        loop {
            let page = ids(&iris.get(&format!("/api/admin/audit?limit={limit}{before}")).await.ok());
            seen.extend(&page);
            if page.len() < limit {
                break;
            }
            before = format!("&before={}", seen.last().unwrap());
        }
        assert_eq!(seen, all, "{limit} at a time");
    }
    assert_eq!(ids(&iris.get("/api/admin/audit?before=1").await.ok()), [0; 0]);
    let odd = iris.get("/api/admin/audit?kind=test.1&limit=1000&before=2000").await.ok();
    assert!(events(&odd).iter().all(|event| event["kind"] == "test.1"));
    assert!((990..1000).contains(&events(&odd).len()));
    assert_eq!(ids(&iris.get("/api/admin/audit?kind=test").await.ok()), [0; 0], "the whole word");
}

#[tokio::test]
async fn events_are_filtered_by_the_user_who_caused_them() {
    let server = TestServer::new().await;
    let bob_id = server.seed_member("bob", "acme", "org:member");
    let (ada, bob) = (server.sign_in("ada").await, server.sign_in("bob").await);
    ada.create_workspace("w").await;
    bob.create_workspace("of-bob").await;
    let all = events(&ada.get("/api/admin/audit?limit=1000").await.ok());
    let own: Vec<Value> = all.iter().filter(|event| event["actorId"] == bob_id).cloned().collect();
    assert!(own.len() >= 2 && own.len() < all.len(), "{all:?}");
    let by_bob = async |more: &str| events(&ada.get(&format!("/api/admin/audit?actor={bob_id}{more}")).await.ok());
    assert_eq!(by_bob("").await, own);
    // Together with the other parameters.
    let kind = own[0]["kind"].as_str().unwrap();
    assert_eq!(by_bob(&format!("&kind={kind}&limit=1")).await, own[..1]);
    assert_eq!(by_bob(&format!("&before={}", own[0]["id"])).await, own[1..]);
    assert_eq!(events(&ada.get("/api/admin/audit?actor=999").await.ok()).len(), 0);
    bob.get(&format!("/api/admin/audit?actor={bob_id}")).await.expect_error(403, "administrator");
    // A rare user of a long log is found by the index.
    let plan: String = server.sql(|conn| {
        let sql = "EXPLAIN QUERY PLAN SELECT a.id FROM audit a WHERE a.id < ?1 AND a.actor_id = ?2 ORDER BY a.id DESC";
        conn.query_row(sql, [1, 1], |row| row.get(3)).unwrap()
    });
    assert!(plan.contains("audit_actor"), "{plan}");
}

#[tokio::test]
async fn an_invalid_parameter_is_rejected_by_name() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    for (query, name) in [
        ("limit=0", "limit"),
        ("limit=1001", "limit"),
        ("limit=-1", "limit"),
        ("limit=many", "limit"),
        ("limit=", "limit"),
        ("limit=1.5", "limit"),
        ("before=0", "before"),
        ("before=x", "before"),
        ("before=99999999999999999999", "before"),
        ("kind=", "kind"),
        ("actor=0", "actor"),
        ("actor=ada", "actor"),
        (&format!("kind={}", "k".repeat(101)), "kind"),
        ("limt=1", "limt"),
        ("limit=1&limit=2", "limit"),
    ] {
        ada.get(&format!("/api/admin/audit?{query}")).await.expect_error(400, name);
    }
}

/// The objects of the newest event of a kind: their kinds, ids and names.
fn objects_of(reply: &Value, kind: &str) -> Vec<(String, String, String)> {
    let events = events(reply);
    let event = events.iter().find(|event| event["kind"] == kind).unwrap_or_else(|| panic!("no {kind}"));
    let text = |object: &Value, field: &str| object[field].as_str().unwrap().to_owned();
    let objects = event["objects"].as_array().unwrap().iter();
    objects.map(|object| (text(object, "kind"), text(object, "id"), text(object, "name"))).collect()
}

#[tokio::test]
async fn events_have_the_current_names_of_objects_that_the_reader_can_read() {
    let server = TestServer::new().await;
    server.seed_admin("eve", "other").await;
    let bob_id = server.seed_member("bob", "acme", "org:member");
    let (ada, eve) = (server.sign_in("ada").await, server.sign_in("eve").await);
    ada.create_workspace("w").await;
    ada.patch("/api/workspaces/w", json!({ "name": "Payments" })).await.ok();
    ada.post("/api/workspaces/w/members", json!({ "userId": bob_id, "role": "editor" })).await.ok();
    ada.create_components("w", &["a", "b"]).await;
    ada.patch("/api/workspaces/w/components/b", json!({ "name": "Ledger" })).await.ok();
    ada.post("/api/me/tokens", json!({ "name": "ci" })).await.created();
    eve.create_workspace("hidden").await;
    eve.patch("/api/workspaces/hidden", json!({ "name": "Secret plans" })).await.ok();
    eve.create_components("hidden", &["secret"]).await;

    let reply = ada.get("/api/admin/audit?limit=1000").await.ok();
    let names = |kind: &str| -> Vec<(String, String)> {
        objects_of(&reply, kind).into_iter().map(|(kind, _, name)| (kind, name)).collect()
    };
    let pair = |kind: &str, name: &str| (kind.to_owned(), name.to_owned());
    let (acme, payments) = (pair("organization", "acme"), pair("workspace", "Payments"));
    assert_eq!(names("component.update"), [acme.clone(), payments.clone(), pair("component", "Ledger")]);
    assert_eq!(names("member.create"), [acme.clone(), payments.clone(), pair("user", "bob")]);
    assert_eq!(names("token.create"), [acme, pair("token", "ci")]);
    // With an active organization, an administrator cannot read others.
    let text = reply["events"].to_string();
    assert!(!text.contains("Secret plans") && text.contains("Payments"), "{text}");
    // What was deleted has no name.
    ada.delete("/api/workspaces/w").await.ok();
    let reply = ada.get("/api/admin/audit?limit=1000").await.ok();
    assert_eq!(objects_of(&reply, "component.update").len(), 1);
    // Without an active organization, an administrator can read all; an instance token can read none.
    let iris = admin_without_organization(&server).await;
    let reply = iris.get("/api/admin/audit?limit=1000").await.ok();
    assert!(objects_of(&reply, "component.create").iter().any(|(_, id, _)| id == "secret"));
    let token = iris.post("/api/admin/tokens", json!({ "name": "watch" })).await.created()["token"].clone();
    let reply = server.with(token.as_str().unwrap()).get("/api/admin/audit?limit=1000").await.ok();
    assert_eq!(objects_of(&reply, "component.create"), []);
}

#[tokio::test]
async fn events_have_the_address_and_the_request_that_caused_them() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let written = ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await;
    let request_id = written.header("x-request-id").to_owned();
    written.created();
    let wrong = json!({ "login": "ada", "password": "wrong password" });
    let mut last = String::new();
    for _ in 0..2 {
        let refused = server.anonymous().post("/api/auth/login", wrong.clone()).await;
        last = refused.header("x-request-id").to_owned();
        refused.expect(401);
    }
    let all = events(&ada.get("/api/admin/audit").await.ok());
    let of = |kind: &str| all.iter().find(|event| event["kind"] == kind).unwrap();
    assert_eq!(
        (&of("workspace.create")["address"], &of("workspace.create")["requestId"]),
        (&json!("127.0.0.1"), &json!(request_id))
    );
    let refused = of("session.refuse");
    assert_eq!((&refused["details"]["count"], &refused["requestId"]), (&json!(2), &json!(last)), "of the last one");
    let by_command = of("user.create");
    assert_eq!((&by_command["address"], &by_command["requestId"]), (&Value::Null, &Value::Null));
}
