//! Views in files, and in copies of a workspace.

use serde_json::{Value, json};

use super::{PATH, drawn, moved, positions};
use crate::support::{TestClient, TestServer, ids};

/// Creates views, a position, a line and a tour in the workspace `w`.
async fn views(ada: &TestClient<'_>) {
    let definition = json!({ "include": [{ "around": { "of": ["a"] } }], "show": { "labels": true } });
    ada.create_view(json!({ "id": "v2", "name": "Second", "description": "D", "position": 7 })).await;
    ada.create_view(json!({ "id": "v1", "name": "First", "layout": "own", "definition": definition })).await;
    ada.operate(json!([moved("b", 6), moved("a", 5), drawn(7)])).await;
    let stops = json!([{ "id": "x", "text": "T", "target": { "componentId": "a", "viewId": "v1" } }]);
    ada.post("/api/workspaces/w/tours", json!({ "id": "t1", "name": "T", "stops": stops })).await.created();
    ada.patch("/api/workspaces/w/components/a", json!({ "opens": "v2" })).await.ok();
}

#[tokio::test]
async fn an_exported_workspace_is_imported_with_its_views() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    views(&ada).await;
    let file = ada.get("/api/workspaces/w/export").await.json();
    assert_eq!(
        file["views"][0],
        json!({
            "id": "v2", "name": "Second", "description": "D",
            "definition": { "include": [], "exclude": [], "relationTypes": null, "outside": "hidden", "collapsed": [],
                            "colorBy": null, "show": {} },
            "layout": "shared",
        })
    );
    assert_eq!(file["viewPlaces"][0], json!({ "viewId": "v1", "componentId": "a", "x": 5.0, "y": 0.0 }));
    let line = json!({ "viewId": "v1", "relationshipId": "r", "line": { "via": [[7.0, 0.0]] } });
    assert_eq!(file["viewLines"], json!([line]));
    assert_eq!((&file["tours"][0]["id"], file["tours"][0].get("position")), (&json!("t1"), None));
    assert_eq!(file["components"][0]["opens"], "v2");

    let imported = ada.post("/api/import?id=copy", file.clone()).await.created();
    let keys = ["views", "viewPlaces", "viewLines", "tours"].map(|part| imported["created"][part].clone());
    assert_eq!(json!(keys), json!([["v2", "v1"], ["v1/a", "v1/b"], ["v1/r"], ["t1"]]));
    let mut again = ada.get("/api/workspaces/copy/export").await.json();
    again["workspace"]["id"] = json!("w");
    assert_eq!(again, file);

    // Over an existing workspace, only differences are written, and absent parts are unchanged.
    let over = async |file: Value| ada.post("/api/import?id=copy&replace=true", file).await.ok();
    let unchanged = over(file.clone()).await;
    for what in ["created", "updated", "deleted"] {
        for part in ["views", "viewPlaces", "viewLines", "tours", "components"] {
            assert_eq!(unchanged[what][part], json!([]), "{what} {part}");
        }
    }
    let mut less = file.clone();
    for part in ["views", "viewPlaces", "viewLines", "tours"] {
        less.as_object_mut().unwrap().shift_remove(part);
    }
    over(less).await;
    assert_eq!(ids(&ada.get("/api/workspaces/copy/views").await.ok()["views"]), ["v2", "v1"]);
    let mut other = file.clone();
    other["views"].as_array_mut().unwrap().reverse();
    other["viewPlaces"] = json!([{ "viewId": "v1", "componentId": "a", "x": 50, "y": 0 }]);
    other["viewLines"] = json!([]);
    let changed = over(other).await;
    assert_eq!(
        (&changed["updated"]["viewPlaces"], &changed["deleted"]["viewPlaces"]),
        (&json!(["v1/a"]), &json!(["v1/b"]))
    );
    assert_eq!((&changed["deleted"]["viewLines"], &changed["deleted"]["views"]), (&json!(["v1/r"]), &json!([])));
    assert_eq!(ids(&ada.get("/api/workspaces/copy/views").await.ok()["views"]), ["v1", "v2"]);
    let undo = json!({ "changeSetId": changed["changeSetId"] });
    ada.post("/api/workspaces/copy/undo", undo).await.ok();
    assert_eq!(ada.get("/api/workspaces/copy/export").await.json()["viewPlaces"], file["viewPlaces"]);
    // A view that is not in the file is deleted with its rows.
    let mut without = file.clone();
    without["views"].as_array_mut().unwrap().pop();
    for part in ["viewPlaces", "viewLines"] {
        without.as_object_mut().unwrap().shift_remove(part);
    }
    let deleted = over(without).await["deleted"].clone();
    assert_eq!((&deleted["views"], &deleted["viewPlaces"]), (&json!(["v1"]), &json!(["v1/a", "v1/b"])));
}

#[tokio::test]
async fn wrong_rows_of_views_in_a_file_are_named() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    views(&ada).await;
    let file = ada.get("/api/workspaces/w/export").await.json();
    let first = |part: &str| file[part][0].clone();
    let with = |row: Value, field: &str, value: Value| {
        let mut row = row;
        row[field] = value;
        row
    };
    let robots = json!({ "include": [{ "types": ["robot"] }] });
    let stop = json!({ "id": "s", "target": { "viewId": "all" } });
    for (part, rows, field, text) in [
        ("views", json!([first("views"), first("views")]), "views[1].id", "is repeated"),
        ("views", json!([{ "name": "V" }]), "views[0].id", "is required in a file"),
        ("views", json!([with(first("views"), "id", json!("all"))]), "views[0].id", "is reserved"),
        (
            "views",
            json!([with(first("views"), "definition", robots)]),
            "views[0].definition.include[0].types[0]",
            "unknown component type",
        ),
        (
            "viewPlaces",
            json!([with(first("viewPlaces"), "viewId", json!("none"))]),
            "viewPlaces[0].viewId",
            "there is no view `none` in the file",
        ),
        (
            "viewPlaces",
            json!([with(first("viewPlaces"), "componentId", json!("none"))]),
            "viewPlaces[0].componentId",
            "there is no component `none` in the file",
        ),
        (
            "viewPlaces",
            json!([first("viewPlaces"), first("viewPlaces")]),
            "viewPlaces[1].componentId",
            "another position",
        ),
        (
            "viewLines",
            json!([with(first("viewLines"), "relationshipId", json!("none"))]),
            "viewLines[0].relationshipId",
            "there is no relationship `none` in the file",
        ),
        ("viewLines", json!([first("viewLines"), first("viewLines")]), "viewLines[1].relationshipId", "another line"),
        ("tours", json!([with(first("tours"), "stops", json!([stop, stop]))]), "tours[0].stops[1].id", "another stop"),
    ] {
        let mut wrong = file.clone();
        wrong[part] = rows;
        let refused = ada.post("/api/import?id=other", wrong).await.expect_error(400, text);
        assert_eq!(refused["field"], field);
    }
}

#[tokio::test]
async fn a_duplicate_has_its_own_views() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    views(&ada).await;
    ada.post("/api/workspaces/w/views/personal", json!({ "name": "Mine" })).await.created();
    ada.post("/api/workspaces/w/duplicate", json!({ "id": "copy" })).await.created();
    let copy = ada.get("/api/workspaces/copy?include=views").await.ok();
    assert_eq!(ids(&copy["views"]), ["v2", "v1"]);
    assert_eq!(positions(&copy["viewPlaces"]), ["v1/a 5.0", "v1/b 6.0"]);
    assert_eq!((&copy["viewLines"][0]["workspaceId"], &copy["tours"][0]["id"]), (&json!("copy"), &json!("t1")));
    assert_eq!(copy["components"][0]["opens"], "v2");
    assert_eq!(ada.get("/api/workspaces/copy/views/personal").await.ok()["views"], json!([]));
    ada.delete(&format!("{PATH}/v1")).await.ok();
    assert_eq!(positions(&ada.get("/api/workspaces/copy?include=views").await.ok()["viewPlaces"]).len(), 2);
}
