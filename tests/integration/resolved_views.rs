//! Views with their contents.

use serde_json::{Value, json};

use crate::support::{TestClient, TestServer, segment};

/// The model and the cases that the evaluation and the web client are tested with.
const SHOP: &str = include_str!("../../assets/web/src/core/views/cases/shop.json");

const VIEWS: &str = "/api/workspaces/w/views";

/// Creates the model of the cases in the workspace `w`, and its people, teams, roles and kinds.
async fn create_shop(ada: &TestClient<'_>, model: &Value) {
    let list = |part: &str| model[part].as_array().unwrap().clone();
    for mut person in list("people") {
        if person["id"] == "ada" {
            // The user is a person already.
            let name = json!({ "name": person["name"].take() });
            ada.patch("/api/people/ada", name).await.ok();
            continue;
        }
        ada.post("/api/people", person).await.created();
    }
    // A team that does not exist cannot become a stakeholder; for the cases, one without members is the same.
    for team in list("teams").into_iter().chain([json!({ "id": "deleted-team", "name": "", "members": [] })]) {
        let name = if team["name"] == "" { json!("-") } else { team["name"].clone() };
        ada.post("/api/teams", json!({ "id": team["id"], "name": name })).await.created();
        for person in team["members"].as_array().unwrap() {
            let path = format!("/api/teams/{}/members", team["id"].as_str().unwrap());
            ada.post(&path, json!({ "personId": person })).await.created();
        }
    }
    for kind in list("kinds") {
        ada.post("/api/kinds", kind).await.created();
    }
    let role = json!({ "id": "auditor", "name": "Auditor", "color": "#2563EB", "icon": "user" });
    ada.post("/api/stakeholder-link-types", role).await.created();
    let mut components = list("components");
    for (at, component) in components.iter_mut().enumerate() {
        (component["x"], component["y"]) = (json!(at * 300), json!(0));
        if component["properties"]["lifecycle"] == 7 {
            component["properties"].as_object_mut().unwrap().shift_remove("lifecycle");
        }
    }
    let whole = json!({
        "workspace": { "id": "w", "name": "W" }, "components": components, "relationships": list("relationships"),
    });
    ada.put("/api/workspaces/w/bulk", whole).await.ok();
    for link in list("stakeholders") {
        let path = format!("/api/workspaces/w/components/{}/stakeholders", link["componentId"].as_str().unwrap());
        ada.post(&path, link).await.created();
    }
}

async fn resolved(client: &TestClient<'_>, view: &str) -> Value {
    client.get(&format!("{VIEWS}/{}?resolved=true", segment(view))).await.ok()
}

#[tokio::test]
async fn a_view_contains_what_the_cases_say() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let shop: Value = serde_json::from_str(SHOP).unwrap();
    create_shop(&ada, &shop["model"]).await;
    ada.post(VIEWS, json!({ "id": "view", "name": "View" })).await.created();
    let mut count = 0;
    for case in shop["cases"].as_array().unwrap() {
        let patch = json!({ "definition": case["definition"] });
        let reply = ada.patch(&format!("{VIEWS}/view"), patch).await;
        let is_unknown = |id: &Value| ["Service", "kind:payment-service"].iter().any(|unknown| id == unknown);
        let types = case["definition"]["include"][0]["types"].as_array();
        if case["refused"] == true || types.is_some_and(|types| types.iter().any(is_unknown)) {
            reply.expect(400);
            continue;
        }
        reply.ok();
        let found = resolved(&ada, "view").await;
        assert_eq!(found["componentIds"], case["components"], "{case}");
        assert_eq!(found["relationshipIds"], case["relationships"], "{case}");
        let stubs = found["stubs"].as_array().unwrap().iter();
        let stubs: serde_json::Map<String, Value> = stubs
            .map(|stub| (stub["componentId"].as_str().unwrap().to_owned(), stub["relationshipIds"].clone()))
            .collect();
        assert_eq!(json!(stubs), case["stubs"], "{case}");
        count += 1;
    }
    assert!(count > 120, "{count}");
}

#[tokio::test]
async fn positions_are_those_of_the_layout() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_components("w", &["c"]).await;
    ada.patch("/api/workspaces/w/components/a", json!({ "x": 40, "y": 60 })).await.ok();
    let definition = json!({ "include": [{ "ids": ["a", "b"] }] });
    ada.post(VIEWS, json!({ "id": "vv", "name": "V", "definition": definition })).await.created();
    let positions = async || resolved(&ada, "vv").await["positions"].clone();
    let on_map = positions().await;
    assert_eq!(on_map[0], json!({ "componentId": "a", "x": 40.0, "y": 60.0, "new": false }));
    assert_eq!(on_map.as_array().unwrap().len(), 2);
    ada.patch(&format!("{VIEWS}/vv"), json!({ "layout": "own" })).await.ok();
    assert_eq!(positions().await, on_map, "nobody has arranged the view yet");
    let line = json!({ "shape": "straight" });
    let operations = json!([
        { "op": "move", "viewId": "vv", "positions": [{ "id": "a", "x": 500, "y": 700 }] },
        { "op": "move", "viewId": "vv", "positions": [{ "id": "c", "x": 1, "y": 2 }] },
        { "op": "put", "kind": "view-line", "row": { "viewId": "vv", "relationshipId": "r", "line": line } },
    ]);
    ada.post("/api/workspaces/w/operations", json!({ "operations": operations })).await.ok();
    let found = positions().await;
    assert_eq!(found[0], json!({ "componentId": "a", "x": 500.0, "y": 700.0, "new": false }));
    assert_eq!((&found[1]["componentId"], &found[1]["new"]), (&json!("b"), &json!(true)));
    assert!(found[1]["x"].as_f64().unwrap() > 680.0, "a calls b, which is placed to the right of it: {found}");
    let lines = resolved(&ada, "vv").await["lines"].clone();
    assert_eq!((&lines[0]["relationshipId"], &lines[0]["line"]["shape"]), (&json!("r"), &json!("straight")));
    ada.patch(&format!("{VIEWS}/vv"), json!({ "definition": { "include": [{ "ids": ["c"] }] } })).await.ok();
    let found = resolved(&ada, "vv").await;
    assert_eq!(found["positions"], json!([{ "componentId": "c", "x": 1.0, "y": 2.0, "new": false }]), "it was kept");
    assert_eq!(found["lines"], json!([]), "the relationship is not in the view");
}

#[tokio::test]
async fn contents_are_read_again_only_after_a_change() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.post("/api/people", json!({ "id": "grace", "name": "Grace" })).await.created();
    ada.post("/api/teams", json!({ "id": "core", "name": "Core" })).await.created();
    let link = json!({ "personId": "grace", "linkType": "support" });
    ada.post("/api/workspaces/w/components/a/stakeholders", link).await.created();
    let definition = json!({ "include": [{ "teams": ["core"] }] });
    ada.post(VIEWS, json!({ "id": "core", "name": "Core", "definition": definition })).await.created();
    let path = format!("{VIEWS}/core?resolved=true");
    let first = ada.get(&path).await;
    assert_eq!(first.ok()["componentIds"], json!([]));
    let tag = first.header("etag").to_owned();
    assert_eq!(ada.header("if-none-match", &tag).get(&path).await.status, 304);
    assert_eq!(ada.get(&path).await.header("etag"), tag);
    ada.post("/api/teams/core/members", json!({ "personId": "grace" })).await.created();
    let second = ada.header("if-none-match", &tag).get(&path).await;
    assert_eq!(second.ok()["componentIds"], json!(["a"]), "the teams of people count");
    ada.post(VIEWS, json!({ "id": "other", "name": "Other" })).await.created();
    let other = ada.get(&format!("{VIEWS}/other?resolved=true")).await;
    assert_eq!(other.ok()["componentIds"], json!(["a", "b"]));
    assert_ne!(other.header("etag"), second.header("etag"));
    ada.delete(&format!("{VIEWS}/core")).await.ok();
    ada.get(&path).await.expect_error(404, "view not found");
    ada.get(&format!("{VIEWS}/all?resolved=true")).await.expect_error(404, "view not found");
}
