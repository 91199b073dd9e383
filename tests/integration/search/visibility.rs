//! Nobody finds, counts or notices what they cannot read.

use serde_json::{Value, json};

use super::{found, search};
use crate::support::{TestClient, TestServer};

async fn secret(ada: &TestClient<'_>, workspace: &str, name: &str) {
    let component = json!({ "typeId": "service", "name": name });
    ada.post(&format!("/api/workspaces/{workspace}/components"), component).await.created();
}

async fn ids(client: &TestClient<'_>, query: &str) -> Vec<String> {
    found(&search(client, query, "").await)
}

#[tokio::test]
async fn access_decides_at_every_search() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let ada = server.script_client("ada").await;
    let member = server.script_client("bob").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W", "visibility": "private" })).await.created();
    secret(&ada, "w", "Zeppelin").await;
    let expected = ["component w zeppelin"];
    let nothing: [&str; 0] = [];
    assert_eq!(ids(&member, "zeppelin").await, nothing);
    member.get("/api/search?q=zeppelin&workspaceId=w").await.expect_error(404, "workspace not found");
    ada.patch("/api/workspaces/w", json!({ "visibility": "org" })).await.ok();
    assert_eq!(ids(&member, "zeppelin").await, expected);
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    assert_eq!(ids(&member, "zeppelin").await, nothing);
    ada.post("/api/workspaces/w/members", json!({ "userId": bob, "role": "viewer" })).await.ok();
    assert_eq!(ids(&member, "zeppelin").await, expected);
    ada.delete(&format!("/api/workspaces/w/members/{bob}")).await.ok();
    assert_eq!(ids(&member, "zeppelin").await, nothing);
    assert_eq!(ids(&ada, "zeppelin").await, expected);
}

#[tokio::test]
async fn deleted_workspaces_are_found_again_when_they_are_restored_and_never_after_removal() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    for id in ["w", "v"] {
        ada.post("/api/workspaces", json!({ "id": id, "name": "Airfield" })).await.created();
        secret(&ada, id, "Zeppelin").await;
    }
    ada.delete("/api/workspaces/w").await.ok();
    assert_eq!(ids(&ada, "zeppelin").await, ["component v zeppelin"]);
    let deleted = ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"][0]["pk"].clone();
    ada.post("/api/workspaces/restore", json!({ "pk": deleted, "id": "hangar" })).await.ok();
    assert_eq!(ids(&ada, "zeppelin").await, ["component hangar zeppelin", "component v zeppelin"]);
    assert_eq!(ids(&ada, "hangar").await, ["workspace hangar hangar"]);
    ada.delete("/api/workspaces/hangar").await.ok();
    server.clock.advance(31 * 24 * 60 * 60 * 1_000);
    server.clean_up().await;
    let left = server.count("SELECT count(*) FROM search_document d WHERE NOT EXISTS (SELECT 1 FROM workspace w WHERE w.pk = d.workspace_pk)");
    assert_eq!(left, 0);
    let ada = server.sign_in("ada").await;
    assert_eq!(ids(&ada, "zeppelin").await, ["component v zeppelin"]);
}

/// The whole response to a search, with all pages.
async fn pages(client: &TestClient<'_>, query: &str) -> Vec<Value> {
    let (mut pages, mut cursor) = (Vec::new(), String::new());
    loop {
        let answer = search(client, query, &format!("&limit=2{cursor}")).await;
        let next = answer["nextCursor"].as_str().map(str::to_owned);
        pages.push(answer);
        match next {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return pages,
        }
    }
}

#[tokio::test]
async fn what_is_hidden_changes_neither_results_nor_order_nor_totals() {
    let server = TestServer::new().await;
    server.create_org("other", "olga").await;
    server.seed_member("bob", "acme", "org:member");
    let (ada, olga) = (server.script_client("ada").await, server.script_client("olga").await);
    for workspace in ["one", "two"] {
        ada.create_workspace(workspace).await;
        for name in ["Pay", "Payment API", "Repay", "Other"] {
            secret(&ada, workspace, name).await;
        }
    }
    let bob = server.script_client("bob").await;
    let before = pages(&bob, "pay").await;
    assert_eq!(before[0]["total"], 6);
    ada.post("/api/workspaces", json!({ "id": "hidden", "name": "Pay", "visibility": "private" })).await.created();
    olga.post("/api/workspaces", json!({ "id": "theirs", "name": "Pay", "visibility": "org" })).await.created();
    let many: Vec<Value> = (0..1_200)
        .map(|n| json!({ "id": format!("pay{n}"), "typeId": "service", "name": format!("Pay {n}") }))
        .collect();
    ada.put("/api/workspaces/hidden/bulk", json!({ "components": many, "relationships": [] })).await.ok();
    olga.put("/api/workspaces/theirs/bulk", json!({ "components": many, "relationships": [] })).await.ok();
    ada.create_workspace("three").await;
    secret(&ada, "three", "Unrelated").await;
    assert_eq!(pages(&bob, "pay").await, before);
    assert_eq!(search(&ada, "pay", "").await["isTotalExact"], false);
    assert_eq!(search(&olga, "repay", "").await["total"], 0);
}
