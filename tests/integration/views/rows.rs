//! Views are rows like all others.

use serde_json::{Value, json};

use super::{PATH, plain};
use crate::support::{TestServer, ids};

#[tokio::test]
async fn a_view_has_defaults_and_is_updated_field_by_field() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let view = ada.create_view(json!({ "name": "Payments & more" })).await;
    let expected = json!({
        "id": "payments-more", "workspaceId": "w", "name": "Payments & more", "position": 1_048_576,
        "definition": { "include": [], "exclude": [], "relationTypes": null, "outside": "hidden", "collapsed": [],
                        "colorBy": null, "show": {} },
        "layout": "shared",
    });
    assert_eq!(plain(&view), expected);
    assert_eq!(view["revision"], ada.revision("w").await);
    let path = format!("{PATH}/payments-more");
    assert_eq!(ada.get(&path).await.ok()["view"], view);
    let fields = json!({ "description": "Money", "layout": "own", "position": -7, "id": "payments-more" });
    let patched = ada.patch(&path, fields).await.ok()["view"].clone();
    let mut expected = expected;
    (expected["description"], expected["layout"], expected["position"]) = (json!("Money"), json!("own"), json!(-7));
    assert_eq!(plain(&patched), {
        // The order of fields is that of the row.
        let mut sorted = plain(&patched);
        for (field, value) in expected.as_object().unwrap() {
            sorted[field] = value.clone();
        }
        sorted
    });
    let unchanged = ada.patch(&path, json!({ "layout": "own" })).await.ok()["view"].clone();
    assert_eq!(unchanged["revision"], patched["revision"], "an update without a change writes nothing");
    // What was read can be sent back.
    ada.header("if-match", &format!("\"{}\"", patched["revision"])).patch(&path, patched.clone()).await.ok();
    ada.header("if-match", "\"1\"").patch(&path, json!({ "name": "No" })).await.expect_error(412, "changed");
    ada.delete(&path).await.ok();
    ada.get(&path).await.expect_error(404, "view not found");
    ada.patch(&path, json!({})).await.expect_error(404, "view not found");
    ada.delete(&path).await.expect_error(404, "view not found");
}

#[tokio::test]
async fn ids_are_unique_and_those_of_the_map_and_of_the_path_are_reserved() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_view(json!({ "id": "v1", "name": "V" })).await;
    for (id, status, text) in [
        ("v1", 409, "a view with the id `v1` exists already"),
        ("all", 400, "`all` is reserved"),
        ("personal", 400, "`personal` is reserved"),
        ("V 1", 400, "must consist of"),
    ] {
        assert!(ada.post(PATH, json!({ "id": id, "name": "V" })).await.expect_error(status, text)["error"].is_string());
    }
    assert_eq!(ada.create_view(json!({ "name": "All" })).await["id"], "all-2");
    assert_eq!(ada.create_view(json!({ "name": "Personal!" })).await["id"], "personal-2");
    ada.patch(&format!("{PATH}/v1"), json!({ "id": "v2" })).await.expect_error(400, "id: cannot change");
}

#[tokio::test]
async fn views_are_listed_by_position() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for id in ["aa", "bb", "cc"] {
        ada.create_view(json!({ "id": id, "name": id })).await;
    }
    let list = async || ids(&ada.get(PATH).await.ok()["views"]).join(" ");
    assert_eq!(list().await, "aa bb cc");
    let first = 1 << 20;
    ada.patch(&format!("{PATH}/cc"), json!({ "position": first + first / 2 })).await.ok();
    assert_eq!(list().await, "aa cc bb");
    // Equal positions are ordered by id.
    ada.patch(&format!("{PATH}/bb"), json!({ "position": first })).await.ok();
    assert_eq!(list().await, "aa bb cc");
    let too_far = json!({ "position": (1_i64 << 52) + 1 });
    assert_eq!(ada.patch(&format!("{PATH}/bb"), too_far).await.expect(400)["field"], "position");
    ada.patch(&format!("{PATH}/bb"), json!({ "position": 0.5 })).await.expect_error(400, "position");
    let bundle = ada.bundle_with_views().await;
    assert_eq!(ids(&bundle["views"]).join(" "), "aa bb cc");
}

#[tokio::test]
async fn only_a_bundle_that_asks_for_views_contains_them() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let view = ada.create_view(json!({ "id": "v1", "name": "V" })).await;
    let tour = ada.post("/api/workspaces/w/tours", json!({ "name": "Tour" })).await.created()["tour"].clone();
    ada.operate(json!([super::moved("a", 5), super::drawn(7)])).await;
    let plain = ada.bundle("w").await;
    let mut with_views = ada.bundle_with_views().await;
    assert_eq!((&with_views["views"], &with_views["tours"]), (&json!([view]), &json!([tour])));
    assert_eq!(with_views["viewPlaces"][0]["x"], 5.0);
    assert_eq!(with_views["viewLines"][0]["line"], json!({ "via": [[7.0, 0.0]] }));
    let mut with_all = ada.get("/api/workspaces/w?include=notes,views").await.ok();
    assert_eq!(with_all["notes"], json!([]));
    assert_eq!(ada.get("/api/workspaces/w?include=views,notes").await.ok(), with_all);
    for part in ["views", "viewPlaces", "viewLines", "tours"] {
        assert!(plain.get(part).is_none());
        let rows = with_views.as_object_mut().unwrap().shift_remove(part);
        assert_eq!(with_all.as_object_mut().unwrap().shift_remove(part), rows, "{part}");
    }
    assert_eq!(with_views, plain, "nothing else differs");
    ada.get("/api/workspaces/w?include=links").await.expect_error(400, "include");
    ada.get("/api/workspaces/w?include=").await.expect_error(400, "include");

    // All forms are cached, each with its own tag, and none replaces another.
    let paths =
        ["", "?include=notes", "?include=views", "?include=notes,views"].map(|end| format!("/api/workspaces/w{end}"));
    let mut tags: Vec<String> = Vec::new();
    for path in &paths {
        tags.push(ada.get(path).await.header("etag").to_owned());
    }
    for (at, path) in paths.iter().enumerate() {
        for (other, tag) in tags.iter().enumerate() {
            let status = ada.header("if-none-match", tag).get(path).await.status;
            assert_eq!(status, if at == other { 304 } else { 200 }, "{path} {tag}");
        }
    }
    ada.patch(&format!("{PATH}/v1"), json!({ "name": "Renamed" })).await.ok();
    assert_eq!(ada.header("if-none-match", &tags[3]).get(&paths[3]).await.ok()["views"][0]["name"], "Renamed");
    let tag = ada.get(&paths[3]).await.header("etag").to_owned();
    ada.header("if-match", &tag).patch("/api/workspaces/w", json!({ "name": "New" })).await.ok();
    let mut events = ada.follow("w", &format!("?since={}", tag.trim_matches('"'))).await;
    assert_eq!(events.next_event().await.data["row"]["name"], "New");
}

#[tokio::test]
async fn a_copy_has_its_own_positions_and_lines_and_follows_the_original() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let definition = json!({ "include": [{ "ids": ["a"] }], "outside": "stubs" });
    ada.create_view(json!({ "id": "v1", "name": "V", "layout": "own", "definition": definition })).await;
    ada.create_view(json!({ "id": "v2", "name": "After" })).await;
    ada.operate(json!([super::moved("a", 5), super::drawn(7)])).await;
    let copy = ada.post(&format!("{PATH}/v1/copy"), json!({})).await.created()["view"].clone();
    assert_eq!(
        (&copy["id"], &copy["name"], &copy["layout"]),
        (&json!("copy-of-v"), &json!("Copy of V"), &json!("own"))
    );
    assert_eq!(copy["definition"]["include"], definition["include"]);
    let bundle = ada.bundle_with_views().await;
    assert_eq!(ids(&bundle["views"]), ["v1", "copy-of-v", "v2"]);
    assert_eq!(super::positions(&bundle["viewPlaces"]), ["copy-of-v/a 5.0", "v1/a 5.0"]);
    assert_eq!(bundle["viewLines"].as_array().unwrap().len(), 2);
    ada.operate(json!([super::moved("a", 6)])).await;
    assert_eq!(super::positions(&ada.bundle_with_views().await["viewPlaces"]), ["copy-of-v/a 5.0", "v1/a 6.0"]);
    let named = json!({ "id": "v3", "name": "Third", "position": 0 });
    assert_eq!(ada.post(&format!("{PATH}/v1/copy"), named.clone()).await.created()["view"]["position"], 0);
    ada.post(&format!("{PATH}/v1/copy"), named).await.expect_error(409, "exists already");
    ada.post(&format!("{PATH}/none/copy"), json!({})).await.expect_error(404, "view not found");
    ada.post(&format!("{PATH}/v1/copy"), json!({ "id": "all" })).await.expect_error(400, "reserved");
}

#[tokio::test]
async fn a_component_opens_a_view_that_exists() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let path = "/api/workspaces/w/components/a";
    let component = async || ada.get(path).await.ok()["component"].clone();
    assert_eq!(component().await["opens"], Value::Null);
    ada.patch(path, json!({ "opens": "v1" })).await.expect_error(400, "opens: there is no view `v1`");
    ada.patch(path, json!({ "opens": "all" })).await.expect_error(400, "opens: there is no view `all`");
    let new = json!({ "typeId": "service", "name": "C", "opens": "v1" });
    ada.post("/api/workspaces/w/components", new).await.expect_error(400, "opens: there is no view `v1`");
    ada.operate(json!([
        { "op": "create", "kind": "view", "row": { "id": "v1", "name": "V" } },
        { "op": "update", "kind": "component", "id": "a", "fields": { "opens": "v1" } },
    ]))
    .await;
    assert_eq!(component().await["opens"], "v1");
    ada.patch(path, json!({ "name": "A" })).await.ok();
    assert_eq!(component().await["opens"], "v1", "an absent field is unchanged");

    // The view is deleted: the field stays, and can be sent back.
    ada.delete(&format!("{PATH}/v1")).await.ok();
    let dangling = component().await;
    assert_eq!(dangling["opens"], "v1");
    ada.patch(path, dangling).await.ok();
    ada.patch("/api/workspaces/w/components/b", json!({ "opens": "v1" })).await.expect_error(400, "there is no view");

    // A bulk replacement keeps it if the key is absent.
    let mut bundle = ada.bundle("w").await;
    bundle["components"][0].as_object_mut().unwrap().shift_remove("opens");
    ada.put("/api/workspaces/w/bulk", bundle.clone()).await.ok();
    assert_eq!(component().await["opens"], "v1");
    bundle["components"][0]["opens"] = json!(null);
    ada.put("/api/workspaces/w/bulk", bundle).await.ok();
    assert_eq!(component().await["opens"], Value::Null);
}

#[tokio::test]
async fn views_of_other_workspaces_are_out_of_reach() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_view(json!({ "id": "v1", "name": "V" })).await;
    ada.create_workspace("other").await;
    for path in ["/api/workspaces/other/views/v1", "/api/workspaces/none/views/v1"] {
        ada.get(path).await.expect_error(404, "not found");
        ada.patch(path, json!({ "name": "T" })).await.expect_error(404, "not found");
        ada.delete(path).await.expect_error(404, "not found");
        ada.post(&format!("{path}/copy"), json!({})).await.expect_error(404, "not found");
    }
    let new = json!({ "typeId": "service", "name": "C", "opens": "v1" });
    ada.post("/api/workspaces/other/components", new).await.expect_error(400, "there is no view");
    ada.post("/api/workspaces/other/views", json!({ "id": "v1", "name": "V" })).await.created();
}

#[tokio::test]
async fn a_workspace_has_at_most_as_many_views_and_tours_as_its_quotas() {
    let server = TestServer::new().await;
    let server = TestServer::on(server.stop(), |config| {
        (config.quotas.views, config.quotas.tours, config.quotas.view_places) = (2, 1, 1);
    });
    let ada = server.seed_map().await;
    ada.create_view(json!({ "id": "v1", "name": "V" })).await;
    ada.create_view(json!({ "id": "v2", "name": "V" })).await;
    let refused = ada.post(PATH, json!({ "name": "V" })).await.expect_error(409, "would have 3 views");
    assert_eq!(refused["code"], "limit_reached");
    ada.post(&format!("{PATH}/v1/copy"), json!({})).await.expect_error(409, "would have 3 views");
    ada.post("/api/workspaces/w/tours", json!({ "name": "T" })).await.created();
    ada.post("/api/workspaces/w/tours", json!({ "name": "T" })).await.expect_error(409, "would have 2 tours");
    let both = json!({ "operations": [super::moved("a", 1), super::moved("b", 1)] });
    ada.post("/api/workspaces/w/operations", both).await.expect_error(409, "would have 2 positions in views");
    ada.operate(json!([super::moved("a", 1)])).await;
    ada.operate(json!([super::moved("a", 2)])).await;
}
