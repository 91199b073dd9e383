//! Events that followers receive.

use serde_json::{Value, json};

use super::{colleague, id};
use crate::support::TestServer;

const A: &str = "/api/workspaces/w/components/a";

#[tokio::test]
async fn a_follower_receives_every_write_in_order() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let bob = colleague(&server, "bob", "editor").await;
    let mut follower = ada.follow("w", "").await;
    let new = json!({ "id": "c", "typeId": "queue", "name": "C" });
    let created = bob.post("/api/workspaces/w/components", new).await.created()["component"].clone();
    let renamed = bob.patch(A, json!({ "name": "Anew" })).await.ok()["component"].clone();
    ada.header("x-batch-id", "gesture").delete(A).await.ok();

    let event = follower.next_event().await;
    assert_eq!((event.what().as_str(), event.id), ("create component c", event.data["id"].as_i64()));
    assert_eq!((&event.data["row"], &event.data["seq"]), (&created, &json!(3 << 20)));
    assert_eq!(event.data["actor"], json!({ "id": id(&bob).await, "displayName": "bob" }));
    assert_eq!((&event.data["via"], &event.data["revision"]), (&json!("rest"), &created["revision"]));
    let event = follower.next_event().await;
    assert_eq!((event.what().as_str(), &event.data["row"]), ("update component a", &renamed));
    // Dependent rows are deleted first.
    let [relationship, component] = [follower.next_event().await, follower.next_event().await];
    assert_eq!([relationship.what(), component.what()], ["delete relationship r", "delete component a"]);
    assert_eq!((&component.data["row"], &component.data["batch"]), (&Value::Null, &json!("gesture")));
    assert_eq!(relationship.data["revision"], component.data["revision"]);
    assert!(relationship.id < component.id);
}

#[tokio::test]
async fn rejected_and_empty_writes_are_not_sent() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mut follower = ada.follow("w", "").await;
    ada.patch(A, json!({ "name": "" })).await.expect_error(400, "name");
    ada.patch(A, json!({ "name": "a" })).await.ok();
    ada.header("if-match", "\"0\"").patch(A, json!({ "name": "x" })).await.expect_error(412, "changed");
    ada.create_workspace("other").await;
    ada.create_components("other", &["z"]).await;
    ada.patch(A, json!({ "name": "Anew" })).await.ok();
    assert_eq!(follower.next_event().await.data["row"]["name"], "Anew");
}

#[tokio::test]
async fn a_large_bulk_is_sent_as_reload_and_the_next_write_individually() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mut follower = ada.follow("w", "").await;
    let component = |n: usize| json!({ "id": n.to_string(), "typeId": "service", "name": "N" });
    let model =
        |count: usize| json!({ "components": (0..count).map(component).collect::<Vec<_>>(), "relationships": [] });
    ada.put("/api/workspaces/w/bulk", model(3)).await.ok();
    let mut heard = Vec::new();
    for _ in 0..6 {
        heard.push(follower.next_event().await.what());
    }
    let expected = [
        "create component 0",
        "create component 1",
        "create component 2",
        "delete relationship r",
        "delete component a",
        "delete component b",
    ];
    assert_eq!(heard, expected);
    ada.put("/api/workspaces/w/bulk", model(300)).await.ok();
    ada.patch("/api/workspaces/w/components/7", json!({ "name": "Seven" })).await.ok();
    assert_eq!(follower.next_event().await.what(), "reload");
    assert_eq!(follower.next_event().await.what(), "update component 7");
}

#[tokio::test]
async fn a_slow_reader_is_told_to_reload_and_continues() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mut slow = ada.follow("w", "").await;
    let mut quick = ada.follow("w", "").await;
    for n in 0..400 {
        ada.patch(A, json!({ "name": format!("Name {n}") })).await.ok();
        assert_eq!(quick.next_event().await.data["row"]["name"], format!("Name {n}"));
    }
    assert_eq!(slow.next_event().await.what(), "reload");
    ada.patch(A, json!({ "name": "Last" })).await.ok();
    assert_eq!(slow.next_event().await.data["row"]["name"], "Last");
}

#[tokio::test]
async fn writes_of_the_command_line_and_other_clients_are_sent() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mut follower = ada.follow("w", "").await;
    ada.patch("/api/workspaces/w", json!({ "name": "Renamed" })).await.ok();
    let event = follower.next_event().await;
    assert_eq!(event.what(), "update workspace w");
    assert_eq!(event.data["row"]["name"], "Renamed");
    let bob = {
        server.seed_member("bob", "acme", "org:member");
        server.sign_in("bob").await
    };
    ada.post("/api/workspaces/w/members", json!({ "userId": id(&bob).await, "role": "viewer" })).await.ok();
    assert!(follower.next_event().await.what().starts_with("create member "));
}

#[tokio::test]
async fn version_events_are_sent_but_are_not_changes() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mut follower = ada.follow("w", "").await;
    let kept = ada.post("/api/workspaces/w/versions", json!({ "name": "V" })).await.created()["version"].clone();
    let told = follower.next_event().await;
    assert_eq!((told.kind.as_str(), told.id), ("versions", None));
    assert_eq!(told.data, json!({ "op": "create", "version": kept }));
    let path = format!("/api/workspaces/w/versions/{}", kept["id"]);
    ada.header("if-match", "\"0\"").delete(&path).await.expect_error(412, "changed");
    ada.delete(&path).await.ok();
    assert_eq!(follower.next_event().await.data, json!({ "op": "delete", "version": kept }));
}

#[tokio::test]
async fn streams_per_user_are_limited() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mut open = Vec::new();
    for _ in 0..32 {
        open.push(ada.follow("w", "").await);
    }
    let refused = ada.get("/api/workspaces/w/events").await;
    assert_eq!(refused.expect_error(429, "too many")["code"], "rate_limited");
    assert_eq!(refused.header("retry-after"), "5");
    let bob = colleague(&server, "bob", "viewer").await;
    bob.follow("w", "").await;
    open.pop();
    ada.follow("w", "").await;
}
