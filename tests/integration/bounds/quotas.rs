//! Quotas: growth beyond them is rejected, and existing rows stay usable.

use planroom::{clock::HOUR, config::Config};
use serde_json::{Value, json};

use crate::support::{PASSWORD, TestClient, TestResponse, TestServer};

/// A server with the administrator `ada` of `acme` and quotas changed by `change`.
async fn server(change: impl FnOnce(&mut Config)) -> TestServer {
    let server = TestServer::empty(change);
    server.seed_admin("ada", "acme").await;
    server
}

#[track_caller]
fn assert_over_quota(reply: &TestResponse, limit: i64, actual: i64, text: &str) {
    let body = reply.expect_error(409, text);
    assert_eq!(
        (&body["code"], &body["limit"], &body["count"]),
        (&json!("limit_reached"), &json!(limit), &json!(actual))
    );
}

fn component(id: &str) -> Value {
    json!({ "id": id, "typeId": "service", "name": id })
}

async fn add(ada: &TestClient<'_>, id: &str) -> TestResponse {
    ada.post("/api/workspaces/w/components", component(id)).await
}

#[tokio::test]
async fn every_way_of_writing_respects_the_component_quota() {
    let server = server(|config| config.quotas.components = 3).await;
    let ada = server.script_client("ada").await;
    ada.create_workspace("w").await;
    for id in ["a", "b", "c"] {
        add(&ada, id).await.created();
    }
    let text = "this workspace would have 4 components, and the limit is 3; delete some first, or ask the operator to raise \
                `quotas.components`";
    assert_over_quota(&add(&ada, "d").await, 3, 4, text);
    let model = |ids: &[&str]| {
        let components: Vec<Value> = ids.iter().map(|id| component(id)).collect();
        json!({ "workspace": { "name": "W" }, "components": components, "relationships": [] })
    };
    assert_over_quota(&ada.put("/api/workspaces/w/bulk", model(&["a", "b", "c", "d"])).await, 3, 4, "components");
    assert_over_quota(&ada.put("/api/workspaces/new/bulk", model(&["a", "b", "c", "d"])).await, 3, 4, "components");
    assert_over_quota(&ada.post("/api/import?id=new", model(&["a", "b", "c", "d", "e"])).await, 3, 5, "components");
    ada.get("/api/workspaces/new").await.expect_error(404, "workspace");
    // Deleting frees quota, and undo uses it again.
    let deleted = ada.delete("/api/workspaces/w/components/a").await;
    let batch = deleted.header("x-request-id").to_owned();
    add(&ada, "d").await.created();
    assert_over_quota(&ada.post("/api/workspaces/w/undo", json!({ "batchId": batch })).await, 3, 4, "components");
    assert_eq!(ada.bundle("w").await["components"].as_array().unwrap().len(), 3);
    // Replacing rows by as many others is not growth.
    ada.put("/api/workspaces/w/bulk", model(&["x", "y", "z"])).await.ok();
}

#[tokio::test]
async fn rows_over_a_lowered_quota_can_be_read_edited_and_deleted() {
    let before = server(|_| {}).await;
    let ada = before.script_client("ada").await;
    ada.create_workspace("w").await;
    for id in ["a", "b", "c", "d"] {
        add(&ada, id).await.created();
    }
    let (token, dir) = (ada.credential().to_owned(), before.stop());
    let server = TestServer::on(dir, |config| config.quotas.components = 2);
    let ada = server.with(&token);
    assert_eq!(ada.bundle("w").await["components"].as_array().unwrap().len(), 4);
    ada.patch("/api/workspaces/w/components/a", json!({ "name": "Longer than before" })).await.ok();
    assert_over_quota(&add(&ada, "e").await, 2, 5, "components");
    ada.delete("/api/workspaces/w/components/a").await.ok();
    assert_over_quota(&add(&ada, "e").await, 2, 4, "components");
    let three = json!({ "components": [component("x"), component("y"), component("z")], "relationships": [] });
    ada.put("/api/workspaces/w/bulk", three).await.ok();
}

#[tokio::test]
async fn every_row_kind_has_a_quota() {
    let server = server(|config| {
        let quotas = &mut config.quotas;
        (quotas.relationships, quotas.stakeholders, quotas.links, quotas.processes) = (1, 1, 1, 1);
        (quotas.versions, quotas.workspaces, quotas.people, quotas.teams) = (1, 1, 2, 1);
        (quotas.invitations, quotas.tokens, quotas.waitlist) = (1, 2, 1);
        quotas.roles = 5;
    })
    .await;
    let ada = server.sign_in("ada").await;
    ada.create_workspace("w").await;
    ada.create_components("w", &["a", "b"]).await;
    let person = |name: &str| json!({ "name": name });
    let created = ada.post("/api/people", person("Bob")).await.created();
    assert_over_quota(&ada.post("/api/people", person("Cid")).await, 2, 3, "this organization would have 3 people");
    let person_id = created["person"]["id"].as_str().unwrap().to_owned();
    let w = "/api/workspaces/w";
    let link = |url: &str| json!({ "kind": "url", "url": url });
    let process = |name: &str| json!({ "name": name, "mermaid": "sequenceDiagram\nA->>B: hello" });
    let relation = |source: &str, target: &str| json!({ "sourceId": source, "targetId": target, "typeId": "uses" });
    let holder = |role: &str| json!({ "personId": person_id, "linkType": role });
    let roles = ada.get("/api/stakeholder-link-types").await.ok();
    let roles: Vec<&str> = roles["types"].as_array().unwrap().iter().filter_map(|role| role["id"].as_str()).collect();
    let cases = [
        (format!("{w}/relationships"), relation("a", "b"), relation("b", "a"), "2 relationships"),
        (format!("{w}/components/a/stakeholders"), holder(roles[0]), holder(roles[1]), "2 stakeholders"),
        (format!("{w}/components/a/links"), link("https://a.example.org"), link("https://b.example.org"), "2 links"),
        (format!("{w}/processes"), process("One"), process("Two"), "2 processes"),
        (format!("{w}/versions"), json!({ "name": "one" }), json!({ "name": "two" }), "2 versions"),
        ("/api/teams".into(), json!({ "name": "One" }), json!({ "name": "Two" }), "2 teams"),
    ];
    for (path, first, second, text) in cases {
        ada.post(&path, first).await.created();
        assert_over_quota(&ada.post(&path, second).await, 1, 2, text);
    }
    assert_over_quota(&ada.post("/api/workspaces", json!({ "id": "v", "name": "V" })).await, 1, 2, "2 workspaces");
    ada.delete(w).await.ok();
    ada.create_workspace("v").await;
    for name in ["one", "two"] {
        ada.post("/api/me/tokens", json!({ "name": name })).await.created();
    }
    assert_over_quota(&ada.post("/api/me/tokens", json!({ "name": "three" })).await, 2, 3, "personal access tokens");
    let join = |email: &str| json!({ "email": email, "name": "N" });
    let stranger = server.anonymous();
    assert!(stranger.post("/api/waitlist", join("a@example.org")).await.status.is_success());
    assert_over_quota(&stranger.post("/api/waitlist", join("b@example.org")).await, 1, 2, "open waitlist entries");
    // A known address gets the same response as before.
    assert!(stranger.post("/api/waitlist", join("a@example.org")).await.status.is_success());
}

#[tokio::test]
async fn the_total_size_of_process_texts_is_limited() {
    let server = server(|config| config.quotas.process_mib = 1).await;
    let ada = server.script_client("ada").await;
    ada.create_workspace("w").await;
    let process = |id: &str, bytes: usize| {
        let text = format!("sequenceDiagram\n%% {}\nA->>B: hello", "x".repeat(bytes));
        json!({ "id": id, "name": id, "mermaid": text })
    };
    let path = "/api/workspaces/w/processes";
    for id in ["p1", "p2", "p3", "p4"] {
        ada.post(path, process(id, 250_000)).await.created();
    }
    let refused = ada.post(path, process("p5", 250_000)).await;
    assert_eq!(refused.expect_error(409, "shorten or delete processes")["code"], "limit_reached");
    let longer = |bytes: usize| json!({ "mermaid": process("p1", bytes)["mermaid"] });
    ada.patch(&format!("{path}/p1"), longer(1_000)).await.ok();
    ada.post(path, process("p5", 100_000)).await.created();
}

#[tokio::test]
async fn an_organization_over_its_storage_quota_can_only_reduce_it() {
    let server = server(|config| config.quotas.organization_mib = 1).await;
    let ada = server.script_client("ada").await;
    ada.create_workspace("w").await;
    ada.create_components("w", &["a"]).await;
    let long = |n: usize| json!({ "properties": { "text": format!("{n}{}", "x".repeat(60_000)) } });
    let path = "/api/workspaces/w/components/a";
    let mut written = 0;
    let refused = loop {
        let reply = ada.patch(path, long(written)).await;
        if reply.status != 200 {
            break reply;
        }
        written += 1;
        assert!(written < 30, "nothing is refused");
    };
    assert_over_quota(&refused, 1, 2, "history, saved versions and images of this organization take 2 MiB");
    ada.post("/api/workspaces/w/versions", json!({ "name": "v" })).await.created();
    let counted = server.count("SELECT bytes FROM stored_bytes WHERE organization_id <> ''");
    let kept = "SELECT (SELECT sum(coalesce(octet_length(before), 0) + coalesce(octet_length(after), 0)) FROM change)
                     + (SELECT sum(octet_length(snapshot)) FROM version)";
    assert_eq!(counted, server.count(kept));
    ada.patch(path, json!({ "properties": {} })).await.ok();
    ada.delete(path).await.ok();
    server.sql(|conn| conn.execute("DELETE FROM change WHERE before IS NOT NULL", []).unwrap());
    server.sql(|conn| conn.execute("DELETE FROM version", []).unwrap());
    let kept = "SELECT sum(coalesce(octet_length(before), 0) + coalesce(octet_length(after), 0)) FROM change";
    assert_eq!(server.count("SELECT bytes FROM stored_bytes"), server.count(kept));
    add(&ada, "b").await.created();
}

#[tokio::test]
async fn reasons_count_as_bytes_of_the_history() {
    let server = server(|config| config.quotas.organization_mib = 1).await;
    let ada = server.script_client("ada").await;
    ada.create_workspace("w").await;
    let counted = || server.count("SELECT bytes FROM stored_bytes WHERE organization_id <> ''");
    let kept = "SELECT (SELECT sum(coalesce(octet_length(before), 0) + coalesce(octet_length(after), 0)) FROM change)
                     + (SELECT coalesce(sum(octet_length(reason)), 0) FROM change_reason)";
    let explained = ada.header("x-change-reason", "Gr%C3%B6%C3%9Fer, because the old one is full");
    explained.create_components("w", &["a", "b"]).await;
    assert!(server.count("SELECT count(*) FROM change_reason") > 0);
    assert_eq!(counted(), server.count(kept));
    server.sql(|conn| conn.execute("DELETE FROM change WHERE entity = 'component'", []).unwrap());
    assert_eq!(server.count("SELECT count(*) FROM change_reason"), 0);
    assert_eq!(counted(), server.count(kept));
}

#[tokio::test]
async fn the_least_recently_used_session_is_evicted() {
    let server = server(|config| config.quotas.sessions = 2).await;
    let first = server.sign_in("ada").await;
    server.clock.advance(1_000);
    let second = server.sign_in("ada").await;
    server.clock.advance(1_000);
    let third = server.sign_in("ada").await;
    first.get("/api/me").await.expect_error(401, "ended");
    second.get("/api/me").await.ok();
    third.get("/api/me").await.ok();
}

#[tokio::test]
async fn unauthorized_apps_are_evicted_for_new_ones() {
    let server = server(|config| config.quotas.registrations = 2).await;
    let register = json!({ "client_name": "C", "redirect_uris": ["http://localhost/cb"] });
    for _ in 0..4 {
        let reply = server.anonymous().post("/oauth/register", register.clone()).await;
        assert_eq!(reply.status, 201);
    }
    assert_eq!(server.count("SELECT count(*) FROM oauth_client"), 2);
}

#[tokio::test]
async fn repeated_failures_of_unknown_users_are_one_audit_event_per_hour() {
    let server = server(|_| {}).await;
    // Events are counted per clock hour, so the test starts at a full hour.
    server.clock.advance(HOUR - server.clock.now() % HOUR);
    let wrong = json!({ "login": "ada", "password": format!("{PASSWORD}!") });
    for n in 0..3_u8 {
        let stranger = server.anonymous().from(std::net::IpAddr::from([192, 0, 2, n]));
        stranger.post("/api/auth/login", wrong.clone()).await;
        server.clock.advance(60_000);
    }
    let events = || server.count("SELECT count(*) FROM audit WHERE kind = 'session.refuse'");
    assert_eq!(events(), 1);
    assert_eq!(server.count("SELECT details ->> '$.count' FROM audit WHERE kind = 'session.refuse'"), 3);
    server.clock.advance(HOUR);
    server.anonymous().post("/api/auth/login", wrong).await;
    assert_eq!(events(), 2);
}

#[tokio::test]
async fn old_audit_events_are_removed() {
    let server = server(|_| {}).await;
    server.sign_in("ada").await;
    let events = || server.count("SELECT count(*) FROM audit WHERE kind = 'session.begin'");
    assert_eq!(events(), 1);
    // In steps of two days: a larger jump of the clock is ignored.
    for _ in 0..182 {
        server.clock.advance(2 * 86_400_000);
        planroom::jobs::clean_up(&server.app.gate).await.unwrap();
    }
    assert_eq!(events(), 1);
    server.clock.advance(2 * 86_400_000);
    assert!(planroom::jobs::clean_up(&server.app.gate).await.unwrap().events > 0);
    assert_eq!(events(), 0);
}
