//! Bulk: replaces the whole model of a workspace by writing the differences.

mod ids;
mod limits;
mod order;
mod visibility;

use planroom::clock::MINUTE;
use serde_json::{Value, json};

use crate::support::{TestClient, TestServer, ids};

const PATH: &str = "/api/workspaces/w/bulk";

/// Ada, and a workspace `w`: `a` calls `b`, `c` has no relationships.
async fn map(server: &TestServer) -> TestClient<'_> {
    let ada = server.sign_in("ada").await;
    ada.create_workspace("w").await;
    ada.create_components("w", &["a", "b", "c"]).await;
    ada.create_relationship("w", "ab", "a", "calls", "b").await;
    ada
}

fn component(id: &str) -> Value {
    json!({ "id": id, "typeId": "service", "name": id })
}

fn model(components: &[&str]) -> Value {
    let components: Vec<Value> = components.iter().map(|id| component(id)).collect();
    json!({ "components": components, "relationships": [] })
}

#[tokio::test]
async fn an_unused_id_creates_a_workspace_of_the_caller() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let bob = server.sign_in("bob").await.header("x-batch-id", "import");
    let body = json!({
        "workspace": { "id": "w", "name": "W", "description": "D", "properties": { "p": 1 } },
        "components": [component("a"), { "typeId": "queue", "name": "Order queue", "x": 1, "y": 2 }],
        "relationships": [{ "sourceId": "a", "targetId": "order-queue", "typeId": "publishes", "label": "L" }],
    });
    let done = bob.put(PATH, body).await.ok();
    let bundle = bob.bundle("w").await;
    for part in ["workspace", "components", "relationships"] {
        assert_eq!(done[part], bundle[part]);
    }
    assert_eq!((&done["workspace"]["myRole"], &done["workspace"]["visibility"]), (&json!("owner"), &json!("org")));
    assert_eq!(done["workspace"]["revision"], 1);
    assert_eq!(ids(&done["components"]), ["a", "order-queue"]);
    assert_eq!(ids(&done["relationships"]), ["a-publishes-order-queue"]);
    assert_eq!(
        server.changes_of("import"),
        [
            "create workspace w",
            "create member 2",
            "create component a",
            "create component order-queue",
            "create relationship a-publishes-order-queue",
        ]
    );
}

#[tokio::test]
async fn a_new_workspace_needs_a_name_even_in_a_dry_run() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    for path in [PATH.to_owned(), format!("{PATH}?dryRun=true")] {
        assert_eq!(ada.put(&path, model(&["a"])).await.expect_error(400, "does not exist yet")["field"], "workspace");
        let nameless = json!({ "workspace": {}, "components": [], "relationships": [] });
        assert_eq!(ada.put(&path, nameless).await.expect_error(400, "is required")["field"], "workspace.name");
    }
    ada.get("/api/workspaces/w").await.expect_error(404, "workspace");
}

#[tokio::test]
async fn the_workspace_contains_the_model_that_was_sent() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let revision = ada.revision("w").await;
    let body = json!({
        "components": [component("d"), component("b")],
        "relationships": [{ "id": "db", "sourceId": "d", "targetId": "b", "typeId": "reads" }],
    });
    let done = ada.header("x-batch-id", "import").put(PATH, body).await.ok();
    assert_eq!(ids(&done["components"]), ["d", "b"]);
    assert_eq!(ids(&done["relationships"]), ["db"]);
    assert_eq!(done["workspace"]["revision"], revision + 1, "one write");
    assert!(done.get("ignored").is_none());
    let mut gesture = server.changes_of("import");
    gesture.sort();
    assert_eq!(
        gesture,
        [
            "create component d",
            "create relationship db",
            "delete component a",
            "delete component c",
            "delete relationship ab",
        ],
        "what did not change is not in the log"
    );
    let (bundle, b) = (ada.bundle("w").await, &done["components"][1]);
    assert_eq!(bundle["components"][1], *b);
    assert!(b["revision"].as_i64().unwrap() <= revision);
}

#[tokio::test]
async fn omitted_fields_are_reset_except_position_and_visibility() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let full = json!({ "id": "w", "name": "W", "description": "D", "properties": { "p": 1 }, "visibility": "members" });
    ada.post("/api/workspaces", full).await.created();
    let full = json!({ "id": "a", "typeId": "api", "name": "A", "description": "D", "x": 77, "y": 88,
                       "properties": { "p": 1 } });
    ada.post("/api/workspaces/w/components", full).await.created();
    let full = json!({ "id": "r", "sourceId": "a", "targetId": "a", "typeId": "calls", "label": "L",
                       "properties": { "p": 1 } });
    ada.post("/api/workspaces/w/relationships", full).await.created();
    let bare = json!({
        "workspace": { "name": "W2" },
        "components": [component("a")],
        "relationships": [{ "id": "r", "sourceId": "a", "targetId": "a", "typeId": "calls" }],
    });
    let done = ada.put(PATH, bare).await.ok();
    let (workspace, a, r) = (&done["workspace"], &done["components"][0], &done["relationships"][0]);
    assert_eq!((&workspace["name"], &workspace["properties"]), (&json!("W2"), &json!({})));
    assert_eq!(workspace["visibility"], "members");
    assert!(workspace.get("description").is_none() && a.get("description").is_none() && r.get("label").is_none());
    assert_eq!((&a["properties"], &r["properties"]), (&json!({}), &json!({})));
    assert_eq!((&a["x"], &a["y"]), (&json!(77.0), &json!(88.0)));
    assert_eq!(a["createdAt"], ada.bundle("w").await["components"][0]["createdAt"]);
}

#[tokio::test]
async fn a_model_without_workspace_keeps_the_workspace_fields() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    ada.patch("/api/workspaces/w", json!({ "description": "D", "properties": { "p": 1 } })).await.ok();
    let done = ada.put(PATH, model(&[])).await.ok();
    assert_eq!((&done["components"], &done["relationships"]), (&json!([]), &json!([])));
    assert_eq!(
        (&done["workspace"]["description"], &done["workspace"]["properties"]),
        (&json!("D"), &json!({ "p": 1 }))
    );
}

#[tokio::test]
async fn stakeholders_links_and_processes_of_remaining_components_are_kept() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    server.attach_everything_to("w", "a");
    let before = ada.get("/api/workspaces/w/components/a").await.ok();
    let processes = ada.bundle("w").await["processes"].clone();
    let mut body = model(&["c", "a"]);
    body["components"][1]["typeId"] = "database".into();
    ada.put(PATH, body).await.ok();
    let after = ada.get("/api/workspaces/w/components/a").await.ok();
    assert_eq!(after["component"]["typeId"], "database");
    assert_eq!((&after["links"], &after["stakeholders"]), (&before["links"], &before["stakeholders"]));
    assert_eq!(ada.bundle("w").await["processes"], processes);
    ada.header("x-batch-id", "cut").put(PATH, model(&["c"])).await.ok();
    let bundle = ada.bundle("w").await;
    assert_eq!((&bundle["stakeholders"], &bundle["processes"]), (&json!([]), &processes));
    assert_eq!(server.count("SELECT count(*) FROM external_link"), 0);
    assert_eq!(server.changes_of("cut"), ["delete stakeholder 1", "delete link 1", "delete component a"]);
}

#[tokio::test]
async fn a_bundle_can_be_sent_back_unchanged() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    server.attach_everything_to("w", "a");
    let (bundle, written) = (ada.bundle("w").await, server.log_sizes());
    server.clock.advance(MINUTE);
    let done = ada.put(PATH, bundle.clone()).await.ok();
    assert_eq!(done["ignored"], json!(["stakeholders", "processes"]), "and what was passed over is named");
    assert_eq!(ada.bundle("w").await, bundle);
    assert_eq!(server.log_sizes(), written);
    let tried = ada.put(&format!("{PATH}?dryRun=true"), bundle).await.ok();
    assert_eq!(tried["ignored"], json!(["stakeholders", "processes"]));
}

#[tokio::test]
async fn rows_are_ordered_as_the_arrays_are() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    for order in [["c", "a", "b"], ["b", "c", "a"], ["c", "b", "a"], ["a", "b", "c"]] {
        let done = ada.put(PATH, model(&order)).await.ok();
        assert_eq!(ids(&done["components"]), order);
        assert_eq!(ids(&ada.bundle("w").await["components"]), order);
    }
    ada.put(PATH, model(&["new", "a", "newer", "c"])).await.ok();
    assert_eq!(ids(&ada.bundle("w").await["components"]), ["new", "a", "newer", "c"]);
    ada.create_components("w", &["last"]).await;
    assert_eq!(ids(&ada.bundle("w").await["components"])[4], "last");
}

#[tokio::test]
async fn a_dry_run_reports_changes_and_writes_nothing() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let (bundle, written) = (ada.bundle("w").await, server.log_sizes());
    let body = json!({
        "workspace": { "name": "Renamed" },
        "components": [component("a"), { "id": "c", "typeId": "api", "name": "c" }, component("d")],
        "relationships": [{ "id": "ad", "sourceId": "a", "targetId": "d", "typeId": "reads" }],
    });
    let tried = ada.put(&format!("{PATH}?dryRun=true"), body.clone()).await.ok();
    let expected = json!({
        "dryRun": true,
        "created": { "workspaces": [], "components": ["d"], "relationships": ["ad"] },
        "updated": { "workspaces": ["w"], "components": ["c"], "relationships": [] },
        "deleted": { "workspaces": [], "components": ["b"], "relationships": ["ab"] },
    });
    assert_eq!(tried, expected);
    assert_eq!((ada.bundle("w").await, server.log_sizes()), (bundle, written));
    ada.put(&format!("{PATH}?dryRun=false"), body).await.ok();
    assert_eq!(ids(&ada.bundle("w").await["components"]), ["a", "c", "d"]);
}

#[tokio::test]
async fn a_dry_run_does_not_create_a_workspace() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let body = json!({ "workspace": { "name": "W" }, "components": [component("a")], "relationships": [] });
    let written = server.log_sizes();
    let tried = ada.put(&format!("{PATH}?dryRun=true"), body).await.ok();
    assert_eq!(tried["created"], json!({ "workspaces": ["w"], "components": ["a"], "relationships": [] }));
    ada.get("/api/workspaces/w").await.expect_error(404, "workspace");
    assert_eq!(server.log_sizes(), written);
}

#[tokio::test]
async fn an_invalid_model_is_rejected_with_the_position_of_the_error() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let (bundle, written) = (ada.bundle("w").await, server.log_sizes());
    let edge = |id: &str, source: &str, type_id: &str, target: &str| json!({ "id": id, "sourceId": source, "typeId": type_id, "targetId": target });
    let with = |relationships: Value| {
        let mut body = model(&["a", "b", "c"]);
        body["relationships"] = relationships;
        body
    };
    let put = |mut body: Value, pointer: &str, value: Value| {
        *body.pointer_mut(pointer).unwrap() = value;
        body
    };
    let lifecycle = json!({ "id": "b", "typeId": "api", "name": "B", "properties": { "lifecycle": "dead" } });
    let halfway = json!({ "id": "b", "typeId": "api", "name": "B", "y": 1 });
    let cases = [
        (model(&["a", "b", "a"]), "components[2].id", "`a` is repeated"),
        (put(model(&["a", "b"]), "/components/1/typeId", "servce".into()), "components[1].typeId", "unknown component"),
        (
            put(model(&["a", "b"]), "/components/1", lifecycle),
            "components[1].properties.lifecycle",
            "unknown lifecycle",
        ),
        (put(model(&["a", "b"]), "/components/1", halfway), "components[1].x", "both x and y"),
        (with(json!([edge("r", "a", "calls", "b"), edge("r", "b", "calls", "a")])), "relationships[1].id", "repeated"),
        (with(json!([edge("r", "a", "calls", "zz")])), "relationships[0].targetId", "no component `zz`"),
        (with(json!([edge("r", "zz", "calls", "a")])), "relationships[0].sourceId", "no component `zz`"),
        (with(json!([edge("r", "a", "api", "b")])), "relationships[0].typeId", "unknown relation type"),
        (with(json!([edge("r", "a", "contains", "a")])), "relationships[0].targetId", "part of itself"),
        (
            with(json!([edge("r", "a", "contains", "c"), edge("s", "b", "contains", "c")])),
            "relationships[1].targetId",
            "one parent",
        ),
        (
            with(json!([
                edge("r", "a", "contains", "b"),
                edge("s", "b", "contains", "c"),
                edge("t", "c", "contains", "a")
            ])),
            "relationships[0].targetId",
            "part of itself",
        ),
        (
            json!({ "workspace": { "id": "v", "name": "V" }, "components": [], "relationships": [] }),
            "workspace.id",
            "`w`",
        ),
        (
            json!({ "workspace": { "orgId": "org_x", "name": "V" }, "components": [], "relationships": [] }),
            "workspace.orgId",
            "cannot change",
        ),
        (json!({ "components": [] }), "relationships", "is required"),
        (json!({ "relationships": [] }), "components", "is required"),
    ];
    for (body, field, text) in cases {
        for path in [PATH.to_owned(), format!("{PATH}?dryRun=true")] {
            assert_eq!(ada.put(&path, body.clone()).await.expect_error(400, text)["field"], field);
        }
    }
    assert_eq!((ada.bundle("w").await, server.log_sizes()), (bundle, written));
}

#[tokio::test]
async fn parent_and_child_can_be_swapped_in_one_request() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    ada.create_relationship("w", "box", "a", "contains", "c").await;
    let mut body = model(&["a", "c"]);
    body["relationships"] = json!([{ "id": "box", "sourceId": "c", "targetId": "a", "typeId": "contains" }]);
    let done = ada.put(PATH, body).await.ok();
    assert_eq!(done["relationships"][0]["sourceId"], "c");
}

#[tokio::test]
async fn an_endpoint_can_move_from_a_deleted_to_a_new_component() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let mut body = model(&["b", "new"]);
    body["relationships"] = json!([{ "id": "ab", "sourceId": "new", "targetId": "b", "typeId": "calls" }]);
    let done = ada.header("x-batch-id", "swap").put(PATH, body).await.ok();
    assert_eq!(done["relationships"][0]["sourceId"], "new");
    assert!(server.changes_of("swap").contains(&"update relationship ab".to_owned()));
}

#[tokio::test]
async fn editors_can_replace_the_model_and_viewers_cannot() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    server.seed_member("vic", "acme", "org:member");
    let ada = map(&server).await;
    server.grant("w", bob, "editor");
    let (editor, viewer) = (server.sign_in("bob").await, server.sign_in("vic").await);
    viewer.put(PATH, model(&["a"])).await.expect_error(403, "editor");
    viewer.put(&format!("{PATH}?dryRun=true"), model(&["a"])).await.expect_error(403, "editor");
    let done = editor.put(PATH, model(&["a"])).await.ok();
    assert_eq!(done["workspace"]["myRole"], "editor");
    assert_eq!(done["workspace"]["ownerUserId"], 1, "it stays whose it was");
    assert_eq!(ids(&ada.bundle("w").await["components"]), ["a"]);
}

#[tokio::test]
async fn a_deleted_workspace_is_not_replaced_but_created_again() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    ada.delete("/api/workspaces/w").await.ok();
    let body = json!({ "workspace": { "name": "New" }, "components": [component("z")], "relationships": [] });
    ada.put(PATH, body).await.ok();
    ada.delete("/api/workspaces/w").await.ok();
    ada.post("/api/workspaces/restore", json!({ "pk": 1 })).await.ok();
    assert_eq!(ids(&ada.bundle("w").await["components"]), ["a", "b", "c"]);
}

#[tokio::test]
async fn a_model_with_thousands_of_rows_is_replaced_in_one_request() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let components: Vec<Value> =
        (0..2_000).map(|n| json!({ "id": format!("c{n}"), "typeId": "api", "name": "C" })).collect();
    let relationships: Vec<Value> = (1..2_000)
        .map(|n| json!({ "sourceId": format!("c{}", n - 1), "targetId": format!("c{n}"), "typeId": "contains" }))
        .collect();
    let body = json!({ "workspace": { "name": "Big" }, "components": components, "relationships": relationships });
    let done = ada.put(PATH, body.clone()).await.ok();
    assert_eq!(done["components"].as_array().unwrap().len(), 2_000);
    let tried = ada.put(&format!("{PATH}?dryRun=true"), ada.bundle("w").await).await.ok();
    assert_eq!(tried["updated"], json!({ "workspaces": [], "components": [], "relationships": [] }));
}
