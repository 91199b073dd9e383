//! Components: fields, positions and dependent rows.

use planroom::clock::MINUTE;
use serde_json::{Value, json};

use crate::support::{TestClient, TestServer, ids, segment};

const PATH: &str = "/api/workspaces/w/components";

/// Ada, and an empty workspace `w`.
async fn empty_map(server: &TestServer) -> TestClient<'_> {
    let ada = server.sign_in("ada").await;
    ada.create_workspace("w").await;
    ada
}

async fn create(client: &TestClient<'_>, new: Value) -> Value {
    client.post(PATH, new).await.created()["component"].clone()
}

#[tokio::test]
async fn a_component_is_returned_as_it_was_sent() {
    let server = TestServer::new().await;
    let ada = empty_map(&server).await;
    let new = json!({ "id": "c", "typeId": "database", "name": " Orders ", "description": "line 1\r\n\tline 2 ",
                      "x": -12.5, "y": 1e9, "properties": { "tags": ["b", "a"], "lifecycle": "live", "n": null } });
    let component = create(&ada, new).await;
    assert_eq!(component["id"], "c");
    assert_eq!((&component["workspaceId"], &component["typeId"]), (&json!("w"), &json!("database")));
    assert_eq!(component["name"], "Orders");
    assert_eq!(component["description"], "line 1\r\n\tline 2 ", "texts are kept as they are");
    assert_eq!((&component["x"], &component["y"]), (&json!(-12.5), &json!(1e9)));
    assert_eq!(component["properties"], json!({ "tags": ["b", "a"], "lifecycle": "live", "n": null }));
    assert_eq!((&component["createdBy"], &component["updatedBy"]), (&json!(1), &json!(1)));
    assert_eq!(component["createdAt"], component["updatedAt"]);
    let read = ada.get(&format!("{PATH}/c")).await.ok();
    assert_eq!(read, json!({ "component": component, "links": [], "stakeholders": [] }));
    assert_eq!(ada.bundle("w").await["components"], json!([component]));
}

#[tokio::test]
async fn a_component_requires_only_type_and_name() {
    let server = TestServer::new().await;
    let ada = empty_map(&server).await;
    let new = json!({ "typeId": "service", "name": "Check out", "id": null, "description": null, "x": null,
                      "y": null, "properties": null });
    let component = create(&ada, new.clone()).await;
    assert_eq!(component["id"], "check-out");
    assert_eq!(component["properties"], json!({}));
    assert!(component.get("description").is_none(), "what was never set is left out");
    assert_eq!(create(&ada, new.clone()).await["id"], "check-out-2");
    assert_eq!(create(&ada, new).await["id"], "check-out-3");
    assert_eq!(create(&ada, json!({ "typeId": "api", "name": "Заказ API" })).await["id"], "заказ-api");
}

#[tokio::test]
async fn any_text_is_stored_and_returned_unchanged() {
    let server = TestServer::new().await;
    let ada = empty_map(&server).await;
    let text = "\u{0}\u{1}\u{7f} \"quoted\" \\ / </script> 👩‍🚀 e\u{301} \u{202e}rtl \u{feff} \u{ffff} 𝄞 \r\n";
    let properties = json!({ text: [text, { "": "" }], "big": u64::MAX, "small": i64::MIN, "fraction": 0.1 });
    let new = json!({ "id": "c", "typeId": "service", "name": "日本 👩‍🚀", "description": text,
                      "properties": properties });
    let component = create(&ada, new).await;
    assert_eq!((&component["description"], &component["properties"]), (&json!(text), &properties));
    assert_eq!(component["name"], "日本 👩‍🚀");
    assert_eq!(ada.bundle("w").await["components"][0], component);
    let image = server.changes().pop().unwrap().after;
    assert_eq!((&image["description"], &image["properties"]), (&json!(text), &properties));
    let credential = ada.credential().to_owned();
    let server = server.restart();
    assert_eq!(server.with(&credential).bundle("w").await["components"][0], component);
}

#[tokio::test]
async fn properties_keep_the_order_of_their_keys() {
    let server = TestServer::new().await;
    let ada = empty_map(&server).await;
    let body = r#"{"id":"c","typeId":"api","name":"C","properties":{ "z": 1, "a": {"y": [], "b": 1.0}, "m": "" }}"#;
    let reply = ada.send_raw(axum::http::Method::POST, PATH, Some("application/json"), body).await;
    let text = String::from_utf8(reply.bytes).unwrap();
    assert!(text.contains(r#""properties":{"z":1,"a":{"y":[],"b":1.0},"m":""}"#), "{text}");
}

#[tokio::test]
async fn a_component_without_a_position_gets_a_free_one_near_the_end() {
    let server = TestServer::new().await;
    let ada = empty_map(&server).await;
    create(&ada, json!({ "id": "far", "typeId": "api", "name": "Far", "x": 5_000, "y": 3_000 })).await;
    for number in 0..20 {
        create(&ada, json!({ "id": format!("n{number}"), "typeId": "api", "name": "N" })).await;
    }
    let bundle = ada.bundle("w").await;
    let places: Vec<(f64, f64)> = bundle["components"].as_array().unwrap().iter().map(place).collect();
    for (index, one) in places.iter().enumerate() {
        for other in &places[..index] {
            let apart = (one.0 - other.0).abs() > 200.0 || (one.1 - other.1).abs() > 120.0;
            assert!(apart, "{one:?} covers {other:?}");
        }
        assert!((one.0 - 5_000.0).abs() < 2_000.0 && (one.1 - 3_000.0).abs() < 2_000.0, "{one:?} is far from the map");
    }
}

fn place(component: &Value) -> (f64, f64) {
    (component["x"].as_f64().unwrap(), component["y"].as_f64().unwrap())
}

#[tokio::test]
async fn a_given_position_is_kept_even_if_occupied() {
    let server = TestServer::new().await;
    let ada = empty_map(&server).await;
    for id in ["a", "b"] {
        let component = create(&ada, json!({ "id": id, "typeId": "api", "name": id, "x": 1, "y": 2 })).await;
        assert_eq!(place(&component), (1.0, 2.0));
    }
    let half = json!({ "id": "c", "typeId": "api", "name": "C", "x": 1 });
    assert_eq!(ada.post(PATH, half).await.expect_error(400, "both x and y")["field"], "y");
    let half = json!({ "id": "c", "typeId": "api", "name": "C", "y": 1 });
    assert_eq!(ada.post(PATH, half).await.expect_error(400, "both x and y")["field"], "x");
}

#[tokio::test]
async fn an_id_is_unique_in_its_workspace() {
    let server = TestServer::new().await;
    let ada = empty_map(&server).await;
    ada.create_workspace("v").await;
    ada.create_components("w", &["c"]).await;
    ada.create_components("v", &["c"]).await;
    ada.post(PATH, json!({ "id": "c", "typeId": "api", "name": "C" })).await.expect_error(409, "`c` exists already");
    ada.delete(&format!("{PATH}/c")).await.ok();
    ada.get("/api/workspaces/v/components/c").await.ok();
    ada.create_components("w", &["c"]).await;
}

#[tokio::test]
async fn an_id_can_be_any_line_and_is_percent_encoded_in_a_path() {
    let server = TestServer::new().await;
    let ada = empty_map(&server).await;
    for id in ["team/api", "libstdc++6", "100%", "a b", "заказ", "...", "?x=1", "#", "%2F", &"x".repeat(128)] {
        ada.create_components("w", &[id]).await;
        let path = format!("{PATH}/{}", segment(id));
        assert_eq!(ada.get(&path).await.ok()["component"]["id"], id);
        assert_eq!(ada.patch(&path, json!({ "name": "Renamed" })).await.ok()["component"]["id"], id);
        ada.delete(&path).await.ok();
        ada.get(&path).await.expect_error(404, "component not found");
    }
}

#[tokio::test]
async fn a_type_must_be_in_the_catalogue() {
    let server = TestServer::new().await;
    let ada = empty_map(&server).await;
    let reply = ada.post(PATH, json!({ "typeId": "servce", "name": "C" })).await;
    let error = reply.expect_error(400, "unknown component type `servce`; GET /api/schema lists them");
    assert_eq!(error["field"], "typeId");
    ada.create_components("w", &["c"]).await;
    ada.patch(&format!("{PATH}/c"), json!({ "typeId": "Service" })).await.expect_error(400, "unknown component type");
    let changed = ada.patch(&format!("{PATH}/c"), json!({ "typeId": "queue" })).await.ok();
    assert_eq!(changed["component"]["typeId"], "queue");
}

#[tokio::test]
async fn a_lifecycle_must_be_in_the_catalogue() {
    let server = TestServer::new().await;
    let ada = empty_map(&server).await;
    for wrong in [json!("alive"), json!(null), json!(3), json!(["live"])] {
        let new = json!({ "typeId": "api", "name": "C", "properties": { "lifecycle": wrong } });
        assert_eq!(ada.post(PATH, new).await.expect_error(400, "lifecycle")["field"], "properties.lifecycle");
    }
    for state in ["idea", "planned", "building", "live", "deprecated", "retired"] {
        create(&ada, json!({ "typeId": "api", "name": state, "properties": { "lifecycle": state } })).await;
    }
    let patch = json!({ "properties": { "lifecycle": "dead" } });
    ada.patch(&format!("{PATH}/live"), patch).await.expect_error(400, "properties.lifecycle: unknown lifecycle state");
    let nested = json!({ "typeId": "api", "name": "N", "properties": { "old": { "lifecycle": "dead" } } });
    create(&ada, nested).await; // only the component's own is ours to check
}

#[tokio::test]
async fn a_patch_updates_the_given_fields_and_replaces_properties_as_a_whole() {
    let server = TestServer::new().await;
    let ada = empty_map(&server).await;
    let new = json!({ "id": "c", "typeId": "api", "name": "C", "description": "D", "x": 1, "y": 2,
                      "properties": { "a": 1, "b": 2 } });
    let before = create(&ada, new).await;
    server.clock.advance(MINUTE);
    let path = format!("{PATH}/c");
    let after =
        ada.patch(&path, json!({ "x": 7, "properties": { "b": 3 }, "name": null })).await.ok()["component"].clone();
    assert_eq!(place(&after), (7.0, 2.0));
    assert_eq!(after["properties"], json!({ "b": 3 }));
    assert_eq!((&after["name"], &after["description"]), (&json!("C"), &json!("D")));
    assert_eq!(after["createdAt"], before["createdAt"]);
    assert!(after["updatedAt"].as_i64() > before["updatedAt"].as_i64());
    assert_eq!(after["revision"], ada.revision("w").await, "a row's revision is the workspace's when it was written");
    let emptied = ada.patch(&path, json!({ "description": "" })).await.ok();
    assert_eq!(emptied["component"]["description"], "");
    assert_eq!(ada.get(&path).await.ok()["component"], emptied["component"]);
}

#[tokio::test]
async fn a_component_can_be_sent_back_unchanged() {
    let server = TestServer::new().await;
    let ada = empty_map(&server).await;
    let new = json!({ "id": "c", "typeId": "api", "name": "C", "description": "", "properties": { "a": [1, 1.5] } });
    create(&ada, new).await;
    let path = format!("{PATH}/c");
    let read = ada.get(&path).await.ok()["component"].clone();
    let before = server.log_sizes();
    server.clock.advance(MINUTE);
    assert_eq!(ada.patch(&path, read.clone()).await.ok()["component"], read);
    assert_eq!(ada.patch(&path, json!({})).await.ok()["component"], read);
    let place = json!([{ "id": "c", "x": read["x"], "y": read["y"] }]);
    assert_eq!(ada.patch(PATH, place).await.ok()["components"], json!([read]));
    assert_eq!(server.log_sizes(), before, "nothing changed, so nothing was written down");
    assert_eq!(ada.revision("w").await, read["revision"].as_i64().unwrap());
    ada.patch(&path, json!({ "id": "d" })).await.expect_error(400, "id: cannot change; it is `c`");
    let forged =
        json!({ "workspaceId": "v", "revision": 99, "createdAt": 1, "createdBy": 9, "updatedAt": 1, "updatedBy": 9 });
    assert_eq!(ada.patch(&path, forged).await.ok()["component"], read, "read-only fields are ignored, not obeyed");
}

#[tokio::test]
async fn several_components_are_moved_at_once() {
    let server = TestServer::new().await;
    let ada = empty_map(&server).await;
    ada.create_components("w", &["a", "b", "c"]).await;
    let revision = ada.revision("w").await;
    let gesture = ada.header("x-batch-id", "drag");
    let moves = json!([{ "id": "c", "x": 1, "y": 2 }, { "id": "a", "x": -3.5, "y": 4 }]);
    let there = gesture.patch(PATH, moves).await.ok()["components"].clone();
    assert_eq!(ids(&there), ["c", "a"], "in the order in which they were named");
    assert_eq!((place(&there[0]), place(&there[1])), ((1.0, 2.0), (-3.5, 4.0)));
    let bundle = ada.bundle("w").await;
    assert_eq!(ids(&bundle["components"]), ["a", "b", "c"], "the order of the map is kept");
    assert_eq!(bundle["components"][2], there[0]);
    assert_eq!(bundle["workspace"]["revision"], revision + 1, "one write");
    assert_eq!(server.changes_of("drag"), ["update component c", "update component a"]);
    assert_eq!(ada.patch(PATH, json!([])).await.ok()["components"], json!([]));
}

#[tokio::test]
async fn a_move_applies_to_all_components_or_none() {
    let server = TestServer::new().await;
    let ada = empty_map(&server).await;
    ada.create_components("w", &["a", "b"]).await;
    let (before, written) = (ada.bundle("w").await, server.log_sizes());
    let cases = [
        (json!([{ "id": "a", "x": 1, "y": 1 }, { "id": "zz", "x": 1, "y": 1 }]), "[1].id", "no component `zz`"),
        (json!([{ "id": "a", "x": 1, "y": 1 }, { "id": "a", "x": 2, "y": 2 }]), "[1].id", "twice"),
        (json!([{ "id": "a", "x": 1, "y": 1 }, { "id": "b", "x": 1 }]), "[1].y", "is required"),
        (
            json!([{ "id": "a", "x": 1, "y": 1 }, { "id": "b", "x": 1, "y": 1, "name": "B" }]),
            "[1].name",
            "no such field",
        ),
        (json!([{ "id": "a", "x": 1, "y": 1 }, { "id": "b", "x": 1, "y": 1.1e9 }]), "[1].y", "1,000,000,000"),
    ];
    for (moves, field, text) in cases {
        assert_eq!(ada.patch(PATH, moves).await.expect_error(400, text)["field"], field);
    }
    assert_eq!((ada.bundle("w").await, server.log_sizes()), (before, written));
}

#[tokio::test]
async fn a_component_is_read_with_its_links_and_stakeholders() {
    let server = TestServer::new().await;
    let ada = empty_map(&server).await;
    ada.create_components("w", &["a", "b"]).await;
    server.attach_everything_to("w", "a");
    let read = ada.get(&format!("{PATH}/a")).await.ok();
    assert_eq!(read["links"][0]["url"], "https://example.org");
    assert_eq!(read["links"][0]["componentId"], "a");
    assert_eq!(read["stakeholders"][0]["person"]["name"], "Grace");
    assert_eq!(read["stakeholders"][0]["teamId"], json!(null));
    let other = ada.get(&format!("{PATH}/b")).await.ok();
    assert_eq!((&other["links"], &other["stakeholders"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn deleting_a_component_deletes_its_rows_but_keeps_processes() {
    let server = TestServer::new().await;
    let ada = empty_map(&server).await;
    ada.create_components("w", &["a", "b", "c"]).await;
    ada.create_relationship("w", "in", "b", "calls", "a").await;
    ada.create_relationship("w", "out", "a", "calls", "c").await;
    ada.create_relationship("w", "self", "a", "calls", "a").await;
    ada.create_relationship("w", "other", "b", "calls", "c").await;
    server.attach_everything_to("w", "a");
    let process = ada.bundle("w").await["processes"][0].clone();
    let revision = ada.revision("w").await;
    let gesture = ada.header("x-batch-id", "cut");
    assert_eq!(gesture.delete(&format!("{PATH}/a")).await.ok(), json!({ "ok": true }));
    let bundle = ada.bundle("w").await;
    assert_eq!((ids(&bundle["components"]), ids(&bundle["relationships"])), (vec!["b", "c"], vec!["other"]));
    assert_eq!(bundle["stakeholders"], json!([]));
    assert_eq!(bundle["processes"], json!([process]), "text and mapping are kept");
    assert_eq!(process["participants"], json!({ "A": "a" }));
    assert_eq!(server.count("SELECT count(*) FROM external_link"), 0);
    assert_eq!(
        server.changes_of("cut"),
        [
            "delete relationship in",
            "delete relationship out",
            "delete relationship self",
            "delete stakeholder 1",
            "delete link 1",
            "delete component a",
        ]
    );
    let cut: Vec<_> = server.changes().into_iter().filter(|change| change.batch == "cut").collect();
    assert!(cut.iter().all(|change| change.revision == revision + 1 && change.after.is_null()));
    assert_eq!((&cut[1].before["sourceId"], &cut[1].before["targetId"]), (&json!("a"), &json!("c")));
    assert_eq!((&cut[3].before["personId"], &cut[3].before["linkType"]), (&json!("grace"), &json!("owner")));
    assert_eq!(cut[4].before["url"], "https://example.org");
    assert_eq!(cut[5].before["name"], "a");
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'component.delete'"), 1, "one event, not six");
}

#[tokio::test]
async fn each_write_is_one_log_row_with_before_and_after() {
    let server = TestServer::new().await;
    let ada = empty_map(&server).await;
    let path = format!("{PATH}/c");
    let created = create(&ada.header("x-batch-id", "one"), json!({ "id": "c", "typeId": "api", "name": "C" })).await;
    let script = server.script_client("ada").await;
    let reply = script.patch(&path, json!({ "name": "D" })).await;
    let updated = reply.ok()["component"].clone();
    script.delete(&path).await.ok();
    let log = &server.changes()[2..];
    assert_eq!(
        log.iter().map(|change| change.what.as_str()).collect::<Vec<_>>(),
        ["create component c", "update component c", "delete component c"]
    );
    let same = |image: &Value, row: &Value| {
        let mut image = image.clone();
        assert_eq!(image.as_object_mut().unwrap().remove("seq"), Some(json!(1 << 20)), "its place");
        assert_eq!(image, *row);
    };
    assert!(log[0].before.is_null() && log[2].after.is_null());
    same(&log[0].after, &created);
    same(&log[1].before, &created);
    same(&log[1].after, &updated);
    same(&log[2].before, &updated);
    assert_eq!(log.iter().map(|change| change.revision).collect::<Vec<_>>(), [2, 3, 4]);
    assert!(log.iter().all(|change| change.actor == Some(1) && change.via == "rest"));
    assert_eq!((log[0].batch.as_str(), log[0].credential.as_str()), ("one", "session:1"));
    assert_eq!(log[1].batch, reply.header("x-request-id"), "one request is one change set");
    assert_eq!(log[1].credential, "token:1");
    assert_ne!(log[1].batch, log[2].batch);
}

#[tokio::test]
async fn viewers_can_read_but_not_write_components() {
    let server = TestServer::new().await;
    server.seed_member("vic", "acme", "org:member");
    let ada = empty_map(&server).await;
    ada.create_components("w", &["a"]).await;
    let viewer = server.sign_in("vic").await;
    viewer.get(&format!("{PATH}/a")).await.ok();
    let written = server.log_sizes();
    for reply in [
        viewer.post(PATH, json!({ "typeId": "api", "name": "N" })).await,
        viewer.patch(PATH, json!([{ "id": "a", "x": 1, "y": 1 }])).await,
        viewer.patch(&format!("{PATH}/a"), json!({ "name": "N" })).await,
        viewer.delete(&format!("{PATH}/a")).await,
        viewer.delete(&format!("{PATH}/nowhere")).await,
    ] {
        reply.expect_error(403, "editor");
    }
    assert_eq!(server.log_sizes(), written);
}

#[tokio::test]
async fn a_component_of_another_workspace_is_not_found() {
    let server = TestServer::new().await;
    let ada = empty_map(&server).await;
    ada.create_workspace("v").await;
    ada.create_components("v", &["a"]).await;
    let path = format!("{PATH}/a");
    ada.get(&path).await.expect_error(404, "component not found");
    ada.patch(&path, json!({ "name": "N" })).await.expect_error(404, "component not found");
    ada.delete(&path).await.expect_error(404, "component not found");
}

#[tokio::test]
async fn one_of_many_concurrent_creations_of_the_same_id_succeeds() {
    let server = TestServer::new().await;
    let ada = empty_map(&server).await;
    let new = || ada.post(PATH, json!({ "id": "c", "typeId": "api", "name": "C" }));
    let (a, b, c, d) = tokio::join!(new(), new(), new(), new());
    let mut statuses = [a, b, c, d].map(|reply| reply.status.as_u16());
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409, 409, 409]);
    let unnamed = || ada.post(PATH, json!({ "typeId": "api", "name": "D" }));
    let (a, b, c, d) = tokio::join!(unnamed(), unnamed(), unnamed(), unnamed());
    let mut names = [a, b, c, d].map(|reply| reply.created()["component"]["id"].as_str().unwrap().to_owned());
    names.sort_unstable();
    assert_eq!(names, ["d", "d-2", "d-3", "d-4"]);
}
