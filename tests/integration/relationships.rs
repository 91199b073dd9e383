//! Relationships: endpoints, types and containment.

use serde_json::json;

use crate::support::{TestClient, TestServer, ids, segment};

const PATH: &str = "/api/workspaces/w/relationships";

/// Ada, and a workspace `w` with the components `a`, `b`, `c` and `d`.
async fn map(server: &TestServer) -> TestClient<'_> {
    let ada = server.sign_in("ada").await;
    ada.create_workspace("w").await;
    ada.create_components("w", &["a", "b", "c", "d"]).await;
    ada
}

#[tokio::test]
async fn a_relationship_is_returned_as_it_was_sent() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let new = json!({ "id": "r", "sourceId": "a", "targetId": "b", "typeId": "publishes", "label": " two\nlines ",
                      "properties": { "protocol": "amqp" } });
    let relationship = ada.post(PATH, new.clone()).await.created()["relationship"].clone();
    for (field, value) in new.as_object().unwrap() {
        assert_eq!(relationship[field], *value);
    }
    assert_eq!(relationship["workspaceId"], "w");
    assert_eq!(relationship["revision"], ada.revision("w").await);
    assert_eq!(ada.bundle("w").await["relationships"], json!([relationship]));
}

#[tokio::test]
async fn a_relationship_requires_only_both_endpoints_and_a_type() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let new = json!({ "sourceId": "a", "targetId": "b", "typeId": "calls" });
    let first = ada.post(PATH, new.clone()).await.created()["relationship"].clone();
    assert_eq!((&first["id"], &first["properties"]), (&json!("a-calls-b"), &json!({})));
    assert!(first.get("label").is_none(), "what was never set is left out");
    let parallel = ada.post(PATH, new).await.created()["relationship"].clone();
    assert_eq!(parallel["id"], "a-calls-b-2", "parallel ones are allowed");
    ada.create_relationship("w", "own", "a", "calls", "a").await; // and so is one to itself
    assert_eq!(ids(&ada.bundle("w").await["relationships"]), ["a-calls-b", "a-calls-b-2", "own"]);
}

#[tokio::test]
async fn both_endpoints_must_be_in_this_workspace() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    ada.create_workspace("v").await;
    ada.create_components("v", &["far"]).await;
    ada.create_relationship("w", "r", "a", "calls", "b").await;
    let written = server.log_sizes();
    for (field, id) in [("sourceId", "far"), ("targetId", "far"), ("targetId", "A"), ("sourceId", "")] {
        let mut new = json!({ "sourceId": "a", "targetId": "b", "typeId": "calls" });
        new[field] = id.into();
        assert_eq!(ada.post(PATH, new).await.expect_error(400, "no component")["field"], field);
        let patch = json!({ field: id });
        assert_eq!(ada.patch(&format!("{PATH}/r"), patch).await.expect_error(400, "no component")["field"], field);
    }
    assert_eq!(server.log_sizes(), written);
}

#[tokio::test]
async fn a_type_must_be_in_the_catalogue() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let new = json!({ "sourceId": "a", "targetId": "b", "typeId": "service" });
    let refused = ada.post(PATH, new).await.expect_error(400, "unknown relation type `service`");
    assert_eq!(refused["field"], "typeId");
    ada.create_relationship("w", "r", "a", "calls", "b").await;
    ada.patch(&format!("{PATH}/r"), json!({ "typeId": "" })).await.expect_error(400, "unknown relation type");
}

#[tokio::test]
async fn an_id_is_any_line_and_unique_in_its_workspace() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    for id in ["a->b", "a/b", "100%", "связь"] {
        ada.create_relationship("w", id, "a", "calls", "b").await;
        let again = json!({ "id": id, "sourceId": "b", "targetId": "a", "typeId": "calls" });
        ada.post(PATH, again).await.expect_error(409, "exists already");
        let path = format!("{PATH}/{}", segment(id));
        ada.patch(&path, json!({ "label": "L" })).await.ok();
        assert_eq!(ada.delete(&path).await.ok(), json!({ "ok": true }));
        ada.delete(&path).await.expect_error(404, "relationship not found");
    }
}

#[tokio::test]
async fn a_patch_updates_the_given_fields() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let new = json!({ "id": "r", "sourceId": "a", "targetId": "b", "typeId": "calls", "label": "L",
                      "properties": { "p": 1, "q": 2 } });
    ada.post(PATH, new).await.created();
    let path = format!("{PATH}/r");
    let turned = ada.patch(&path, json!({ "sourceId": "b", "targetId": "c", "properties": {} })).await.ok();
    let turned = &turned["relationship"];
    assert_eq!((&turned["sourceId"], &turned["targetId"]), (&json!("b"), &json!("c")));
    assert_eq!((&turned["typeId"], &turned["label"]), (&json!("calls"), &json!("L")));
    assert_eq!(turned["properties"], json!({}), "replaced whole");
    let retyped = ada.patch(&path, json!({ "typeId": "reads", "label": "" })).await.ok();
    assert_eq!((&retyped["relationship"]["typeId"], &retyped["relationship"]["label"]), (&json!("reads"), &json!("")));
    assert_eq!(ada.bundle("w").await["relationships"][0], retyped["relationship"]);
    ada.patch(&format!("{PATH}/none"), json!({})).await.expect_error(404, "relationship not found");
}

#[tokio::test]
async fn a_relationship_can_be_sent_back_unchanged() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    ada.create_relationship("w", "r", "a", "contains", "b").await;
    let read = ada.bundle("w").await["relationships"][0].clone();
    let written = server.log_sizes();
    let path = format!("{PATH}/r");
    assert_eq!(ada.patch(&path, read.clone()).await.ok()["relationship"], read);
    assert_eq!(ada.patch(&path, json!({})).await.ok()["relationship"], read);
    assert_eq!(server.log_sizes(), written);
    ada.patch(&path, json!({ "id": "s" })).await.expect_error(400, "id: cannot change; it is `r`");
}

#[tokio::test]
async fn each_write_is_one_row_of_the_log() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let ada = ada.header("x-batch-id", "wire");
    let created = ada.create_relationship("w", "r", "a", "calls", "b").await;
    let updated = ada.patch(&format!("{PATH}/r"), json!({ "label": "L" })).await.ok()["relationship"].clone();
    ada.delete(&format!("{PATH}/r")).await.ok();
    assert_eq!(
        server.changes_of("wire"),
        ["create relationship r", "update relationship r", "delete relationship r"],
        "one gesture over several requests"
    );
    let log: Vec<_> = server.changes().into_iter().filter(|change| change.batch == "wire").collect();
    let first = created["revision"].as_i64().unwrap();
    assert_eq!(log.iter().map(|change| change.revision - first).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!((&log[1].before["label"], &log[1].after["label"]), (&json!(null), &updated["label"]));
    assert_eq!(log[2].before["revision"], updated["revision"]);
}

#[tokio::test]
async fn a_component_has_one_parent() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    ada.create_relationship("w", "first", "a", "contains", "b").await;
    let second = json!({ "id": "second", "sourceId": "c", "targetId": "b", "typeId": "contains" });
    let refused = ada.post(PATH, second.clone()).await.expect_error(400, "`b` is already part of `a`");
    assert_eq!(refused["field"], "targetId");
    let parallel = json!({ "id": "again", "sourceId": "a", "targetId": "b", "typeId": "contains" });
    ada.post(PATH, parallel).await.expect_error(400, "already part of");
    ada.create_relationship("w", "uses", "c", "uses", "b").await; // other types are free
    ada.patch(&format!("{PATH}/uses"), json!({ "typeId": "contains" })).await.expect_error(400, "already part of");
    ada.patch(&format!("{PATH}/first"), json!({ "sourceId": "c" })).await.ok(); // moving it is not a second one
    ada.patch(&format!("{PATH}/first"), json!({ "typeId": "uses" })).await.ok();
    ada.post(PATH, second).await.created();
}

#[tokio::test]
async fn a_component_cannot_contain_itself() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let own = json!({ "sourceId": "a", "targetId": "a", "typeId": "contains" });
    assert_eq!(ada.post(PATH, own).await.expect_error(400, "`a` would be part of itself")["field"], "targetId");
    ada.create_relationship("w", "ab", "a", "contains", "b").await;
    ada.create_relationship("w", "bc", "b", "contains", "c").await;
    let closing = json!({ "sourceId": "c", "targetId": "a", "typeId": "contains" });
    ada.post(PATH, closing).await.expect_error(400, "part of itself");
    ada.patch(&format!("{PATH}/ab"), json!({ "sourceId": "c" })).await.expect_error(400, "part of itself");
    ada.create_relationship("w", "ca", "c", "calls", "a").await;
    ada.patch(&format!("{PATH}/ca"), json!({ "typeId": "contains" })).await.expect_error(400, "part of itself");
    ada.create_relationship("w", "ad", "a", "contains", "d").await; // a tree may branch
}

#[tokio::test]
async fn deleting_a_parent_component_keeps_its_children() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    ada.create_relationship("w", "ab", "a", "contains", "b").await;
    let part = ada.bundle("w").await["components"][1].clone();
    ada.delete("/api/workspaces/w/components/a").await.ok();
    let bundle = ada.bundle("w").await;
    assert_eq!(bundle["components"][0], part, "the part stays where it is");
    assert_eq!(bundle["relationships"], json!([]));
    ada.create_relationship("w", "cb", "c", "contains", "b").await;
}

#[tokio::test]
async fn viewers_cannot_write_relationships() {
    let server = TestServer::new().await;
    server.seed_member("vic", "acme", "org:member");
    let ada = map(&server).await;
    ada.create_relationship("w", "r", "a", "calls", "b").await;
    let viewer = server.sign_in("vic").await;
    let new = json!({ "sourceId": "a", "targetId": "b", "typeId": "calls" });
    viewer.post(PATH, new).await.expect_error(403, "editor");
    viewer.patch(&format!("{PATH}/r"), json!({ "label": "L" })).await.expect_error(403, "editor");
    viewer.delete(&format!("{PATH}/r")).await.expect_error(403, "editor");
}
