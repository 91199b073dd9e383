//! Quotas: growth beyond them is refused, and what is there stays usable.

use planroom::config::Config;
use serde_json::{Value, json};

use crate::support::{Actor, PASSWORD, Reply, Stage};

/// An instance with the administrator `ada` of `acme`, and quotas changed by `change`.
async fn stage(change: impl FnOnce(&mut Config)) -> Stage {
    let stage = Stage::empty(change);
    stage.seed_admin("ada", "acme").await;
    stage
}

#[track_caller]
fn beyond(reply: &Reply, limit: i64, actual: i64, text: &str) {
    let body = reply.refused(409, text);
    assert_eq!(
        (&body["code"], &body["limit"], &body["count"]),
        (&json!("limit_reached"), &json!(limit), &json!(actual))
    );
}

fn component(id: &str) -> Value {
    json!({ "id": id, "typeId": "service", "name": id })
}

async fn add(ada: &Actor<'_>, id: &str) -> Reply {
    ada.post("/api/workspaces/w/components", component(id)).await
}

#[tokio::test]
async fn no_way_of_writing_makes_more_components_than_the_quota_allows() {
    let stage = stage(|config| config.quotas.components = 3).await;
    let ada = stage.script_of("ada").await;
    ada.found("w").await;
    for id in ["a", "b", "c"] {
        add(&ada, id).await.created();
    }
    let text = "this workspace would have 4 components, and the limit is 3; delete some first, or ask the operator to raise \
                `quotas.components`";
    beyond(&add(&ada, "d").await, 3, 4, text);
    let model = |ids: &[&str]| {
        let components: Vec<Value> = ids.iter().map(|id| component(id)).collect();
        json!({ "workspace": { "name": "W" }, "components": components, "relationships": [] })
    };
    beyond(&ada.put("/api/workspaces/w/bulk", model(&["a", "b", "c", "d"])).await, 3, 4, "components");
    beyond(&ada.put("/api/workspaces/new/bulk", model(&["a", "b", "c", "d"])).await, 3, 4, "components");
    beyond(&ada.post("/api/import?id=new", model(&["a", "b", "c", "d", "e"])).await, 3, 5, "components");
    ada.get("/api/workspaces/new").await.refused(404, "workspace");
    // What is deleted makes room, and undo takes it again.
    let deleted = ada.delete("/api/workspaces/w/components/a").await;
    let batch = deleted.header("x-request-id").to_owned();
    add(&ada, "d").await.created();
    beyond(&ada.post("/api/workspaces/w/undo", json!({ "batchId": batch })).await, 3, 4, "components");
    assert_eq!(ada.bundle("w").await["components"].as_array().unwrap().len(), 3);
    // As many others instead are no growth.
    ada.put("/api/workspaces/w/bulk", model(&["x", "y", "z"])).await.ok();
}

#[tokio::test]
async fn what_is_beyond_a_quota_already_can_be_read_edited_and_deleted() {
    let before = stage(|_| {}).await;
    let ada = before.script_of("ada").await;
    ada.found("w").await;
    for id in ["a", "b", "c", "d"] {
        add(&ada, id).await.created();
    }
    let (token, dir) = (ada.credential().to_owned(), before.stop());
    let stage = Stage::on(dir, |config| config.quotas.components = 2);
    let ada = stage.with(&token);
    assert_eq!(ada.bundle("w").await["components"].as_array().unwrap().len(), 4);
    ada.patch("/api/workspaces/w/components/a", json!({ "name": "Longer than before" })).await.ok();
    beyond(&add(&ada, "e").await, 2, 5, "components");
    ada.delete("/api/workspaces/w/components/a").await.ok();
    beyond(&add(&ada, "e").await, 2, 4, "components");
    let three = json!({ "components": [component("x"), component("y"), component("z")], "relationships": [] });
    ada.put("/api/workspaces/w/bulk", three).await.ok();
}

#[tokio::test]
async fn every_kind_of_row_has_its_quota() {
    let stage = stage(|config| {
        let quotas = &mut config.quotas;
        (quotas.relationships, quotas.stakeholders, quotas.links, quotas.processes) = (1, 1, 1, 1);
        (quotas.versions, quotas.workspaces, quotas.people, quotas.teams) = (1, 1, 2, 1);
        (quotas.invitations, quotas.tokens, quotas.waitlist) = (1, 2, 1);
        quotas.roles = 5;
    })
    .await;
    let ada = stage.sign_in("ada").await;
    ada.found("w").await;
    ada.draw("w", &["a", "b"]).await;
    let person = |name: &str| json!({ "name": name });
    let created = ada.post("/api/people", person("Bob")).await.created();
    beyond(&ada.post("/api/people", person("Cid")).await, 2, 3, "this organization would have 3 people");
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
        beyond(&ada.post(&path, second).await, 1, 2, text);
    }
    beyond(&ada.post("/api/workspaces", json!({ "id": "v", "name": "V" })).await, 1, 2, "2 workspaces");
    ada.delete(w).await.ok();
    ada.found("v").await;
    for name in ["one", "two"] {
        ada.post("/api/me/tokens", json!({ "name": name })).await.created();
    }
    beyond(&ada.post("/api/me/tokens", json!({ "name": "three" })).await, 2, 3, "personal access tokens");
    let join = |email: &str| json!({ "email": email, "name": "N" });
    let stranger = stage.anonymous();
    assert!(stranger.post("/api/waitlist", join("a@example.org")).await.status.is_success());
    beyond(&stranger.post("/api/waitlist", join("b@example.org")).await, 1, 2, "open waitlist entries");
    // One who is on it is told the same as before.
    assert!(stranger.post("/api/waitlist", join("a@example.org")).await.status.is_success());
}

#[tokio::test]
async fn process_texts_of_a_workspace_have_a_size() {
    let stage = stage(|config| config.quotas.process_mib = 1).await;
    let ada = stage.script_of("ada").await;
    ada.found("w").await;
    let process = |id: &str, bytes: usize| {
        let text = format!("sequenceDiagram\n%% {}\nA->>B: hello", "x".repeat(bytes));
        json!({ "id": id, "name": id, "mermaid": text })
    };
    let path = "/api/workspaces/w/processes";
    for id in ["p1", "p2", "p3", "p4"] {
        ada.post(path, process(id, 250_000)).await.created();
    }
    let refused = ada.post(path, process("p5", 250_000)).await;
    assert_eq!(refused.refused(409, "shorten or delete processes")["code"], "limit_reached");
    let longer = |bytes: usize| json!({ "mermaid": process("p1", bytes)["mermaid"] });
    ada.patch(&format!("{path}/p1"), longer(1_000)).await.ok();
    ada.post(path, process("p5", 100_000)).await.created();
}

#[tokio::test]
async fn beyond_its_storage_an_organization_can_only_make_things_smaller() {
    let stage = stage(|config| config.quotas.organization_mib = 1).await;
    let ada = stage.script_of("ada").await;
    ada.found("w").await;
    ada.draw("w", &["a"]).await;
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
    beyond(&refused, 1, 2, "history and saved versions of this organization take 2 MiB");
    ada.post("/api/workspaces/w/versions", json!({ "name": "v" })).await.created();
    let counted = stage.count("SELECT bytes FROM stored_bytes WHERE organization_id <> ''");
    let kept = "SELECT (SELECT sum(coalesce(octet_length(before), 0) + coalesce(octet_length(after), 0)) FROM change)
                     + (SELECT sum(octet_length(snapshot)) FROM version)";
    assert_eq!(counted, stage.count(kept));
    ada.patch(path, json!({ "properties": {} })).await.ok();
    ada.delete(path).await.ok();
    stage.sql(|conn| conn.execute("DELETE FROM change WHERE before IS NOT NULL", []).unwrap());
    stage.sql(|conn| conn.execute("DELETE FROM version", []).unwrap());
    let kept = "SELECT sum(coalesce(octet_length(before), 0) + coalesce(octet_length(after), 0)) FROM change";
    assert_eq!(stage.count("SELECT bytes FROM stored_bytes"), stage.count(kept));
    add(&ada, "b").await.created();
}

#[tokio::test]
async fn the_session_that_was_used_least_recently_gives_way() {
    let stage = stage(|config| config.quotas.sessions = 2).await;
    let first = stage.sign_in("ada").await;
    stage.clock.advance(1_000);
    let second = stage.sign_in("ada").await;
    stage.clock.advance(1_000);
    let third = stage.sign_in("ada").await;
    first.get("/api/me").await.refused(401, "ended");
    second.get("/api/me").await.ok();
    third.get("/api/me").await.ok();
}

#[tokio::test]
async fn apps_that_nobody_connected_give_way_to_new_ones() {
    let stage = stage(|config| config.quotas.registrations = 2).await;
    let register = json!({ "client_name": "C", "redirect_uris": ["http://localhost/cb"] });
    for _ in 0..4 {
        let reply = stage.anonymous().post("/oauth/register", register.clone()).await;
        assert_eq!(reply.status, 201);
    }
    assert_eq!(stage.count("SELECT count(*) FROM oauth_client"), 2);
}

#[tokio::test]
async fn repeated_failures_of_strangers_are_one_event_an_hour() {
    let stage = stage(|_| {}).await;
    let wrong = json!({ "login": "ada", "password": format!("{PASSWORD}!") });
    for n in 0..3_u8 {
        let stranger = stage.anonymous().from(std::net::IpAddr::from([192, 0, 2, n]));
        stranger.post("/api/auth/login", wrong.clone()).await;
        stage.clock.advance(60_000);
    }
    let events = || stage.count("SELECT count(*) FROM audit WHERE kind = 'session.refuse'");
    assert_eq!(events(), 1);
    assert_eq!(stage.count("SELECT details ->> '$.count' FROM audit WHERE kind = 'session.refuse'"), 3);
    stage.clock.advance(3_600_000);
    stage.anonymous().post("/api/auth/login", wrong).await;
    assert_eq!(events(), 2);
}

#[tokio::test]
async fn audit_events_are_removed_when_they_are_old() {
    let stage = stage(|_| {}).await;
    stage.sign_in("ada").await;
    let events = || stage.count("SELECT count(*) FROM audit WHERE kind = 'session.begin'");
    assert_eq!(events(), 1);
    // In steps of two days: a longer jump of the clock would not be believed.
    for _ in 0..182 {
        stage.clock.advance(2 * 86_400_000);
        planroom::jobs::sweep(&stage.app.gate).await.unwrap();
    }
    assert_eq!(events(), 1);
    stage.clock.advance(2 * 86_400_000);
    assert!(planroom::jobs::sweep(&stage.app.gate).await.unwrap().events > 0);
    assert_eq!(events(), 0);
}
