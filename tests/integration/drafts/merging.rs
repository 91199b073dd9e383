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
    assert_eq!(ids(&bundle["relationships"]), ["r", "s", "t"], "what was deleted with b is back, too");
    ada.post("/api/workspaces/w/undo", json!({ "changeSetId": merged["changeSetId"] })).await.ok();
    patch(&ada, &id, json!({ "state": "draft" })).await;
    submit(&ada, &id).await;
    ada.post(&path, json!({ "resolutions": [{ "kind": "component", "id": "b", "take": "base" }] })).await.ok();
    let bundle = ada.bundle("w").await;
    assert_eq!((ids(&bundle["components"]), ids(&bundle["relationships"])), (vec!["a", "c"], vec![]));
}

#[tokio::test]
async fn a_component_that_a_decision_keeps_keeps_its_relationships_owners_and_links() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    server.attach_everything_to("w", "a");
    let whole = async |workspace: &str| {
        let bundle = ada.bundle(workspace).await;
        let links = ada.get(&format!("/api/workspaces/{workspace}/components/a/links")).await.ok();
        let count = |rows: &Value| rows.as_array().unwrap().len();
        (ids(&bundle["relationships"]).len(), count(&bundle["stakeholders"]), count(&links["links"]))
    };
    assert_eq!(whole("w").await, (1, 1, 1));
    let both = |at: &str| format!("/api/workspaces/{at}/components/a");
    // The draft deletes the component, and the workspace is decided for: by a merge, and by an update.
    for (action, take) in [("merge", "base"), ("update", "base")] {
        let id = start(&ada, "w", "T").await;
        ada.delete(&both(&id)).await.ok();
        rename(&ada, "w", "a", action).await;
        submit(&ada, &id).await;
        let decided = json!({ "resolutions": [{ "kind": "component", "id": "a", "take": take }] });
        ada.post(&format!("/api/drafts/{id}/{action}"), decided).await.ok();
        assert_eq!(whole(if action == "merge" { "w" } else { &id }).await, (1, 1, 1), "{action}");
        if action == "update" {
            ada.post(&format!("/api/drafts/{id}/merge"), json!({})).await.ok();
            assert_eq!(whole("w").await, (1, 1, 1), "merged after the update");
        }
    }
    // The workspace deletes it, and the draft is decided for: by an update and the merge after it, and by a merge.
    for action in ["update", "merge"] {
        let id = start(&ada, "w", "T").await;
        rename(&ada, &id, "a", &format!("Kept by {action}")).await;
        ada.delete(&both("w")).await.ok();
        submit(&ada, &id).await;
        ada.post(&format!("/api/drafts/{id}/{action}"), json!({ "otherwise": "draft" })).await.ok();
        assert_eq!(whole(&id).await, (1, 1, 1), "{action}");
        if action == "update" {
            ada.post(&format!("/api/drafts/{id}/merge"), json!({})).await.ok();
        }
        assert_eq!(whole("w").await, (1, 1, 1), "{action}");
    }
    ada.get("/api/workspaces/w/components/a").await.ok();
}

#[tokio::test]
async fn a_link_that_both_have_added_is_one_link() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let id = start(&ada, "w", "T").await;
    let links = |at: &str| format!("/api/workspaces/{at}/components/a/links");
    let link = |path: &str| json!({ "kind": "url", "url": format!("https://example.org/{path}") });
    let in_base = ada.post(&links("w"), link("same")).await.created()["link"]["id"].clone();
    for path in ["same", "other", "same"] {
        ada.post(&links(&id), link(path)).await.created();
    }
    assert_eq!(compare(&ada, &id).await["counts"]["added"], 2, "one of them is in the workspace");
    merge(&ada, &id).await;
    let listed = ada.get(&links("w")).await.ok()["links"].clone();
    let urls: Vec<&str> = listed.as_array().unwrap().iter().map(|link| link["url"].as_str().unwrap()).collect();
    assert_eq!(urls.iter().filter(|url| url.ends_with("/same")).count(), 2);
    assert_eq!((urls.len(), &listed[0]["id"]), (3, &in_base));
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
