//! Conflicts, updates from the workspace, and what is kept of both sides.

use serde_json::{Value, json};

use super::{changes, compare, merge, names, patch, read, rename, start, submit};
use crate::support::{TestServer, ids};

#[tokio::test]
async fn changes_of_both_sides_are_kept_and_conflicts_are_decided_by_field() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let id = start(&ada, "w", "T").await;
    let both = |workspace: &str| format!("/api/workspaces/{workspace}/components/a");
    let ours = json!({ "name": "Ours", "description": "By the workspace", "properties": { "tier": 1 } });
    ada.patch(&both("w"), ours).await.ok();
    let theirs = json!({ "name": "Theirs", "tags": ["new"], "properties": { "cost": 5 } });
    ada.patch(&both(&id), theirs).await.ok();
    assert_eq!(read(&ada, &id).await["isBehind"], true);

    submit(&ada, &id).await;
    let path = format!("/api/drafts/{id}/merge");
    let refused = ada.post(&path, json!({})).await.expect_error(409, "1 conflict to decide");
    assert_eq!((&refused["code"], &refused["count"]), (&json!("draft_conflicts"), &json!(1)));
    let row = &refused["unresolved"][0];
    assert_eq!((&row["id"], &row["conflict"]), (&json!("a"), &json!("fields")));
    let fields: Vec<&Value> =
        row["fields"].as_array().unwrap().iter().filter(|field| field["conflict"] == true).collect();
    assert_eq!(
        fields,
        [&json!({ "field": "name", "branch": "a", "base": "Ours", "draft": "Theirs", "conflict": true })]
    );
    assert_eq!(row["baseRow"]["name"], "Ours");

    let wrong = json!({ "resolutions": [{ "kind": "component", "id": "b", "take": "draft" }] });
    ada.post(&path, wrong).await.expect_error(409, "1 conflict");
    let wrong = json!({ "resolutions": [{ "kind": "member", "id": "1", "take": "draft" }] });
    ada.post(&path, wrong).await.expect_error(400, "members are not part of a draft");
    let revision = read(&ada, &id).await["revision"].as_i64().unwrap();
    let stale = json!({ "otherwise": "draft", "expectedRevision": revision - 1 });
    ada.post(&path, stale).await.expect_error(409, "has changed since");
    let resolution = json!({ "kind": "component", "id": "a", "field": "name", "take": "draft" });
    let decided = json!({ "resolutions": [resolution], "expectedRevision": revision });
    ada.post(&path, decided).await.ok();
    let a = ada.get(&both("w")).await.ok()["component"].clone();
    assert_eq!(
        (&a["name"], &a["description"], &a["tags"]),
        (&json!("Theirs"), &json!("By the workspace"), &json!(["new"]))
    );
    assert_eq!(a["properties"], json!({ "tier": 1, "cost": 5 }));
}

#[tokio::test]
async fn a_component_that_is_deleted_here_and_used_there_is_decided_once() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let id = start(&ada, "w", "T").await;
    ada.delete("/api/workspaces/w/components/b").await.ok();
    ada.create_components(&id, &["c"]).await;
    ada.create_relationship(&id, "s", "c", "calls", "b").await;
    ada.create_relationship(&id, "t", "a", "calls", "b").await;
    let comparison = compare(&ada, &id).await;
    let first = &comparison["changes"][0];
    assert_eq!((&first["id"], &first["conflict"]), (&json!("b"), &json!("reference")), "{comparison}");
    assert_eq!(comparison["counts"]["conflicting"], 1);
    submit(&ada, &id).await;
    let path = format!("/api/drafts/{id}/merge");
    ada.post(&path, json!({})).await.expect_error(409, "the workspace has deleted it, and the draft uses it");
    let merged = ada.post(&path, json!({ "otherwise": "draft" })).await.ok();
    let bundle = ada.bundle("w").await;
    assert_eq!(ids(&bundle["components"]), ["a", "b", "c"]);
    assert_eq!(ids(&bundle["relationships"]), ["s", "t"]);
    ada.post("/api/workspaces/w/undo", json!({ "changeSetId": merged["changeSetId"] })).await.ok();
    patch(&ada, &id, json!({ "state": "draft" })).await;
    submit(&ada, &id).await;
    ada.post(&path, json!({ "resolutions": [{ "kind": "component", "id": "b", "take": "base" }] })).await.ok();
    let bundle = ada.bundle("w").await;
    assert_eq!((ids(&bundle["components"]), ids(&bundle["relationships"])), (vec!["a", "c"], vec![]));
}

#[tokio::test]
async fn an_update_brings_the_changes_of_the_workspace_and_cannot_be_undone() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    server.attach_everything_to("w", "a");
    let id = start(&ada, "w", "T").await;
    rename(&ada, &id, "b", "Draft").await;
    rename(&ada, "w", "a", "Workspace").await;
    ada.create_components("w", &["c"]).await;
    ada.post("/api/people", json!({ "id": "linus", "name": "Linus" })).await.created();
    let owner = json!({ "personId": "linus", "linkType": "owner" });
    let added =
        ada.post("/api/workspaces/w/components/c/stakeholders", owner).await.created()["stakeholder"]["id"].clone();
    let before = compare(&ada, &id).await;
    assert_eq!((&before["counts"]["base"], &before["counts"]["changed"]), (&json!(3), &json!(1)));

    let updated = ada.post(&format!("/api/drafts/{id}/update"), json!({})).await.ok();
    assert_eq!((&updated["rows"], &updated["draft"]["isBehind"]), (&json!(3), &json!(false)));
    let expected = [("a", "Workspace"), ("b", "Draft"), ("c", "c")].map(|(id, name)| (id.to_owned(), name.to_owned()));
    assert_eq!(names(&ada, &id).await, expected);
    let after = compare(&ada, &id).await;
    assert_eq!((&after["counts"]["base"], &after["counts"]["changed"]), (&json!(0), &json!(1)));
    let again = ada.post(&format!("/api/drafts/{id}/update"), json!({})).await.ok();
    assert_eq!((&again["rows"], &again["changeSetId"]), (&json!(0), &Value::Null));

    let undo = json!({ "changeSetId": updated["changeSetId"] });
    ada.post(&format!("/api/workspaces/{id}/undo"), undo).await.expect_error(409, "cannot be undone in a draft");
    let restore = json!({ "revision": before["draftRevision"] });
    ada.post(&format!("/api/workspaces/{id}/history/restore"), restore)
        .await
        .expect_error(409, "older than the last update");
    merge(&ada, &id).await;
    assert_eq!(names(&ada, "w").await, expected);
    let stakeholders = ada.get("/api/workspaces/w/components/c/stakeholders").await.ok();
    assert_eq!(stakeholders["stakeholders"][0]["id"], added);
}

#[tokio::test]
async fn a_component_that_both_put_into_a_group_gets_one_parent() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_components("w", &["c"]).await;
    let id = start(&ada, "w", "T").await;
    ada.create_relationship("w", "in-a", "a", "contains", "c").await;
    ada.create_relationship(&id, "in-b", "b", "contains", "c").await;
    let comparison = compare(&ada, &id).await;
    assert_eq!(comparison["changes"][0]["conflict"], "structure");
    submit(&ada, &id).await;
    ada.post(&format!("/api/drafts/{id}/merge"), json!({})).await.expect(409);
    let chosen = json!({ "resolutions": [{ "kind": "relationship", "id": "in-b", "take": "draft" }] });
    ada.post(&format!("/api/drafts/{id}/merge"), chosen).await.ok();
    assert_eq!(ids(&ada.bundle("w").await["relationships"]), ["r", "in-b"]);
}

#[tokio::test]
async fn the_comparison_is_told_as_markdown_without_markup_of_users() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let id = start(&ada, "w", "Use <b>`new`</b> names").await;
    rename(&ada, &id, "a", "*Alpha* @ada").await;
    ada.create_components(&id, &["c"]).await;
    let reply = ada.get(&format!("/api/drafts/{id}/comparison?format=markdown")).await;
    assert_eq!(reply.header("content-type"), "text/markdown; charset=utf-8");
    let text = String::from_utf8(reply.bytes.clone()).unwrap();
    assert!(text.starts_with("## Use &lt;b>\\`new\\`&lt;/b> names\n\n1 added, 1 changed, compared with"), "{text}");
    assert!(text.contains("### Added\n\n- component **c** (`c`)\n"), "{text}");
    assert!(text.contains("- component **\\*Alpha\\* \\@ada** (`a`)\n  - `name`: `a` → `*Alpha* @ada`\n"), "{text}");
    ada.get(&format!("/api/drafts/{id}/comparison?format=html")).await.expect(400);
    assert_eq!(changes(&compare(&ada, &id).await["changes"]).len(), 2);
}
