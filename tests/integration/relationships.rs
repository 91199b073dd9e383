//! Relationships: their ends, their types, and what is part of what.

use serde_json::json;

use crate::support::{Actor, Stage, ids, segment};

const PATH: &str = "/api/workspaces/w/relationships";

/// Ada, and a workspace `w` with the components `a`, `b`, `c` and `d`.
async fn map(stage: &Stage) -> Actor<'_> {
    let ada = stage.sign_in("ada").await;
    ada.found("w").await;
    ada.draw("w", &["a", "b", "c", "d"]).await;
    ada
}

#[tokio::test]
async fn a_relationship_comes_back_as_it_was_given() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
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
async fn both_ends_and_the_type_are_all_that_a_relationship_needs() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
    let new = json!({ "sourceId": "a", "targetId": "b", "typeId": "calls" });
    let first = ada.post(PATH, new.clone()).await.created()["relationship"].clone();
    assert_eq!((&first["id"], &first["properties"]), (&json!("a-calls-b"), &json!({})));
    assert!(first.get("label").is_none(), "what was never set is left out");
    let parallel = ada.post(PATH, new).await.created()["relationship"].clone();
    assert_eq!(parallel["id"], "a-calls-b-2", "parallel ones are allowed");
    ada.relate("w", "own", "a", "calls", "a").await; // and so is one to itself
    assert_eq!(ids(&ada.bundle("w").await["relationships"]), ["a-calls-b", "a-calls-b-2", "own"]);
}

#[tokio::test]
async fn both_ends_must_be_in_this_workspace() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
    ada.found("v").await;
    ada.draw("v", &["far"]).await;
    ada.relate("w", "r", "a", "calls", "b").await;
    let written = stage.written();
    for (field, id) in [("sourceId", "far"), ("targetId", "far"), ("targetId", "A"), ("sourceId", "")] {
        let mut new = json!({ "sourceId": "a", "targetId": "b", "typeId": "calls" });
        new[field] = id.into();
        assert_eq!(ada.post(PATH, new).await.refused(400, "no component")["field"], field);
        let patch = json!({ field: id });
        assert_eq!(ada.patch(&format!("{PATH}/r"), patch).await.refused(400, "no component")["field"], field);
    }
    assert_eq!(stage.written(), written);
}

#[tokio::test]
async fn a_type_must_be_in_the_catalogue() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
    let new = json!({ "sourceId": "a", "targetId": "b", "typeId": "service" });
    let refused = ada.post(PATH, new).await.refused(400, "unknown relation type `service`");
    assert_eq!(refused["field"], "typeId");
    ada.relate("w", "r", "a", "calls", "b").await;
    ada.patch(&format!("{PATH}/r"), json!({ "typeId": "" })).await.refused(400, "unknown relation type");
}

#[tokio::test]
async fn an_id_is_taken_once_in_a_workspace_and_any_line_will_do() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
    for id in ["a->b", "a/b", "100%", "связь"] {
        ada.relate("w", id, "a", "calls", "b").await;
        let again = json!({ "id": id, "sourceId": "b", "targetId": "a", "typeId": "calls" });
        ada.post(PATH, again).await.refused(409, "exists already");
        let path = format!("{PATH}/{}", segment(id));
        ada.patch(&path, json!({ "label": "L" })).await.ok();
        assert_eq!(ada.delete(&path).await.ok(), json!({ "ok": true }));
        ada.delete(&path).await.refused(404, "relationship not found");
    }
}

#[tokio::test]
async fn a_patch_changes_what_it_names() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
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
    ada.patch(&format!("{PATH}/none"), json!({})).await.refused(404, "relationship not found");
}

#[tokio::test]
async fn what_was_read_can_be_sent_back_and_changes_nothing() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
    ada.relate("w", "r", "a", "contains", "b").await;
    let read = ada.bundle("w").await["relationships"][0].clone();
    let written = stage.written();
    let path = format!("{PATH}/r");
    assert_eq!(ada.patch(&path, read.clone()).await.ok()["relationship"], read);
    assert_eq!(ada.patch(&path, json!({})).await.ok()["relationship"], read);
    assert_eq!(stage.written(), written);
    ada.patch(&path, json!({ "id": "s" })).await.refused(400, "id: cannot change; it is `r`");
}

#[tokio::test]
async fn each_write_is_one_row_of_the_log() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
    let ada = ada.header("x-batch-id", "wire");
    let created = ada.relate("w", "r", "a", "calls", "b").await;
    let updated = ada.patch(&format!("{PATH}/r"), json!({ "label": "L" })).await.ok()["relationship"].clone();
    ada.delete(&format!("{PATH}/r")).await.ok();
    assert_eq!(
        stage.gesture("wire"),
        ["create relationship r", "update relationship r", "delete relationship r"],
        "one gesture over several requests"
    );
    let log: Vec<_> = stage.changes().into_iter().filter(|change| change.batch == "wire").collect();
    let first = created["revision"].as_i64().unwrap();
    assert_eq!(log.iter().map(|change| change.revision - first).collect::<Vec<_>>(), [0, 1, 2]);
    assert_eq!((&log[1].before["label"], &log[1].after["label"]), (&json!(null), &updated["label"]));
    assert_eq!(log[2].before["revision"], updated["revision"]);
}

#[tokio::test]
async fn a_component_has_one_parent() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
    ada.relate("w", "first", "a", "contains", "b").await;
    let second = json!({ "id": "second", "sourceId": "c", "targetId": "b", "typeId": "contains" });
    let refused = ada.post(PATH, second.clone()).await.refused(400, "`b` is already part of `a`");
    assert_eq!(refused["field"], "targetId");
    let parallel = json!({ "id": "again", "sourceId": "a", "targetId": "b", "typeId": "contains" });
    ada.post(PATH, parallel).await.refused(400, "already part of");
    ada.relate("w", "uses", "c", "uses", "b").await; // other types are free
    ada.patch(&format!("{PATH}/uses"), json!({ "typeId": "contains" })).await.refused(400, "already part of");
    ada.patch(&format!("{PATH}/first"), json!({ "sourceId": "c" })).await.ok(); // moving it is not a second one
    ada.patch(&format!("{PATH}/first"), json!({ "typeId": "uses" })).await.ok();
    ada.post(PATH, second).await.created();
}

#[tokio::test]
async fn nothing_is_part_of_itself() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
    let own = json!({ "sourceId": "a", "targetId": "a", "typeId": "contains" });
    assert_eq!(ada.post(PATH, own).await.refused(400, "`a` would be part of itself")["field"], "targetId");
    ada.relate("w", "ab", "a", "contains", "b").await;
    ada.relate("w", "bc", "b", "contains", "c").await;
    let closing = json!({ "sourceId": "c", "targetId": "a", "typeId": "contains" });
    ada.post(PATH, closing).await.refused(400, "part of itself");
    ada.patch(&format!("{PATH}/ab"), json!({ "sourceId": "c" })).await.refused(400, "part of itself");
    ada.relate("w", "ca", "c", "calls", "a").await;
    ada.patch(&format!("{PATH}/ca"), json!({ "typeId": "contains" })).await.refused(400, "part of itself");
    ada.relate("w", "ad", "a", "contains", "d").await; // a tree may branch
}

#[tokio::test]
async fn deleting_a_box_lets_its_parts_go_free() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
    ada.relate("w", "ab", "a", "contains", "b").await;
    let part = ada.bundle("w").await["components"][1].clone();
    ada.delete("/api/workspaces/w/components/a").await.ok();
    let bundle = ada.bundle("w").await;
    assert_eq!(bundle["components"][0], part, "the part stays where it is");
    assert_eq!(bundle["relationships"], json!([]));
    ada.relate("w", "cb", "c", "contains", "b").await;
}

#[tokio::test]
async fn viewers_change_no_relationship() {
    let stage = Stage::new().await;
    stage.seed_member("vic", "acme", "org:member");
    let ada = map(&stage).await;
    ada.relate("w", "r", "a", "calls", "b").await;
    let viewer = stage.sign_in("vic").await;
    let new = json!({ "sourceId": "a", "targetId": "b", "typeId": "calls" });
    viewer.post(PATH, new).await.refused(403, "editor");
    viewer.patch(&format!("{PATH}/r"), json!({ "label": "L" })).await.refused(403, "editor");
    viewer.delete(&format!("{PATH}/r")).await.refused(403, "editor");
}
