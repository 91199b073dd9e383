//! Notes are rows like all others.

use serde_json::{Value, json};

use super::PATH;
use crate::support::{TestServer, ids};

/// The fields of a note that depend on when it was written.
const STAMP: [&str; 5] = ["revision", "createdAt", "createdBy", "updatedAt", "updatedBy"];

/// A note without its revision, times and authors.
fn plain(note: &Value) -> Value {
    let mut plain = note.clone();
    for field in STAMP {
        assert!(plain.as_object_mut().unwrap().shift_remove(field).is_some(), "{field} is missing");
    }
    plain
}

#[tokio::test]
async fn a_note_has_the_defaults_of_its_kind() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let note = ada.create_note(json!({ "x": 10.5, "y": -20 })).await;
    let expected = json!({
        "id": "note", "workspaceId": "w", "kind": "note", "text": "", "color": null, "x": 10.5, "y": -20.0, "width": null,
        "height": null, "layer": 0,
    });
    assert_eq!(plain(&note), expected);
    assert_eq!(note["revision"], ada.revision("w").await);
    assert_eq!(ada.create_note(json!({})).await["id"], "note-2");
    let frame = ada.create_note(json!({ "kind": "frame", "text": "Payments" })).await;
    let fields = ["id", "kind", "width", "height", "layer"].map(|field| frame[field].clone());
    assert_eq!(json!(fields), json!(["frame", "frame", 480.0, 320.0, -1]));
}

#[tokio::test]
async fn a_note_is_returned_as_sent() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let new = json!({
        "id": "Über/alles", "kind": "note", "text": "# Title\n\n<b>HTML</b> is *text*\n", "color": "purple", "x": 1.0,
        "y": 2.0, "width": 200.0, "height": 100.5, "layer": -7,
    });
    let note = ada.create_note(new.clone()).await;
    let mut expected = new;
    expected["workspaceId"] = json!("w");
    assert_eq!(plain(&note), expected);
    let path = format!("{PATH}/%C3%9Cber%2Falles");
    assert_eq!(ada.get(&path).await.ok()["note"], note);
    assert_eq!(ada.notes().await, json!([note]));
    let fields = json!({ "color": null, "width": null, "text": "", "layer": 1_000, "kind": "note", "x": 3 });
    let patched = ada.patch(&path, fields).await.ok()["note"].clone();
    let mut expected = plain(&note);
    for (field, value) in [("color", json!(null)), ("width", json!(null)), ("text", json!("")), ("layer", json!(1_000))]
    {
        expected[field] = value;
    }
    expected["x"] = json!(3.0);
    assert_eq!(plain(&patched), expected);
    let unchanged = ada.patch(&path, json!({ "layer": 1_000 })).await.ok()["note"].clone();
    assert_eq!(unchanged["revision"], patched["revision"], "an update without a change writes nothing");
    ada.delete(&path).await.ok();
    ada.get(&path).await.expect_error(404, "note not found");
    ada.patch(&path, json!({})).await.expect_error(404, "note not found");
    ada.delete(&path).await.expect_error(404, "note not found");
}

#[tokio::test]
async fn invalid_fields_are_rejected_by_name() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_note(json!({ "kind": "frame" })).await;
    let before = server.log_sizes();
    let long = "x".repeat(10_001);
    let image = "0".repeat(32);
    for (field, value, text) in [
        ("kind", json!("sticker"), "must be one of `note`, `frame`, `image`, not `sticker`"),
        ("text", json!(long), "must have at most 10000 characters, has 10001"),
        ("color", json!("#ff0000"), "must be one of `"),
        ("x", json!(1e10), "must be within"),
        ("y", json!(null), "invalid type: null"),
        ("width", json!(0), "must be from 1 to 1,000,000, is 0"),
        ("height", json!(2e6), "must be from 1 to 1,000,000"),
        ("layer", json!(1_001), "must be from -1,000 to 1,000, is 1001"),
        ("layer", json!(-1_001), "must be from -1,000 to 1,000"),
        ("layer", json!(0.5), "invalid type"),
        ("imageId", json!("x"), "must be the id of an uploaded image"),
        ("imageId", json!("F".repeat(32)), "must be the id of an uploaded image"),
        ("imageId", json!(image), "must be left out unless `kind` is `image`"),
        ("id", json!(" "), "must not begin or end with white space"),
        ("html", json!("<b>"), "has no such field"),
    ] {
        let mut new = json!({ "x": 0, "y": 0 });
        new[field] = value.clone();
        assert_eq!(ada.post(PATH, new).await.expect_error(400, text)["field"], field, "{field} {value}");
        if !["id", "kind"].contains(&field) && !value.is_null() {
            let patch = json!({ field: value });
            assert_eq!(ada.patch(&format!("{PATH}/frame"), patch).await.expect_error(400, text)["field"], field);
        }
    }
    ada.post(PATH, json!({ "x": 0 })).await.expect_error(400, "y: is required");
    ada.post(PATH, json!({ "x": 0, "y": 0, "kind": "image" })).await.expect_error(400, "imageId: is required");
    let unknown = json!({ "x": 0, "y": 0, "kind": "image", "imageId": image });
    ada.post(PATH, unknown).await.expect_error(400, "imageId: there is no image");
    let path = format!("{PATH}/frame");
    ada.patch(&path, json!({ "kind": "note" })).await.expect_error(400, "kind: cannot change; it is `frame`");
    ada.patch(&path, json!({ "id": "other" })).await.expect_error(400, "id: cannot change");
    ada.post(PATH, json!({ "id": "frame", "x": 0, "y": 0 })).await.expect_error(409, "a note with the id `frame`");
    assert_eq!(server.log_sizes(), before);
}

#[tokio::test]
async fn a_frame_that_loses_its_size_gets_that_of_a_new_one() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_note(json!({ "kind": "frame", "width": 50, "height": 60 })).await;
    let frame = ada.patch(&format!("{PATH}/frame"), json!({ "width": null })).await.ok()["note"].clone();
    assert_eq!((&frame["width"], &frame["height"]), (&json!(480.0), &json!(60.0)));
}

#[tokio::test]
async fn only_a_bundle_that_asks_for_notes_contains_them() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let note = ada.create_note(json!({ "text": "N" })).await;
    let (plain, path) = (ada.bundle("w").await, "/api/workspaces/w?include=notes");
    assert!(plain.get("notes").is_none() && plain["places"].get("notes").is_none(), "{plain}");
    let mut with_notes = ada.bundle_with_notes("w").await;
    assert_eq!(with_notes["notes"], json!([note]));
    assert_eq!(with_notes["places"]["notes"].as_array().unwrap().len(), 1);
    with_notes.as_object_mut().unwrap().shift_remove("notes");
    with_notes["places"].as_object_mut().unwrap().shift_remove("notes");
    assert_eq!(with_notes, plain, "nothing else differs");
    ada.get("/api/workspaces/w?include=links")
        .await
        .expect_error(400, "include: must be `notes`, `views` or `decisions`");

    // Both forms are cached, and neither replaces the other.
    let (plain_tag, tag) = (ada.etag("w").await, ada.get(path).await.header("etag").to_owned());
    assert_ne!(plain_tag, tag);
    assert_eq!(ada.header("if-none-match", &tag).get(path).await.status, 304);
    assert_eq!(ada.header("if-none-match", &plain_tag).get(path).await.status, 200);
    assert_eq!(ada.header("if-none-match", &tag).get("/api/workspaces/w").await.status, 200);
    assert_eq!(ada.get(path).await.bytes, ada.get(path).await.bytes);
    ada.patch(&format!("{PATH}/note"), json!({ "text": "M" })).await.ok();
    assert_eq!(ada.header("if-none-match", &tag).get(path).await.ok()["notes"][0]["text"], "M");
    assert_eq!(ada.header("if-none-match", &plain_tag).get("/api/workspaces/w").await.status, 200);

    // The tag of either form is a precondition for writes, and a start for following.
    let tag = ada.get(path).await.header("etag").to_owned();
    ada.header("if-match", &tag).patch("/api/workspaces/w", json!({ "name": "New" })).await.ok();
    ada.header("if-match", &tag).patch("/api/workspaces/w", json!({ "name": "No" })).await.expect_error(412, "changed");
    let mut events = ada.follow("w", &format!("?since={}", tag.trim_matches('"'))).await;
    assert_eq!(events.next_event().await.data["row"]["name"], "New");
}

#[tokio::test]
async fn operations_write_notes_together_with_other_rows() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let operations = json!({ "operations": [
        { "op": "create", "kind": "note", "row": { "id": "n", "text": "N", "x": 1, "y": 2 } },
        { "op": "create", "kind": "note", "row": { "id": "f", "kind": "frame", "text": "F", "x": 1, "y": 2 } },
        { "op": "update", "kind": "note", "id": "n", "fields": { "color": "blue" } },
        { "op": "update", "kind": "component", "id": "a", "fields": { "name": "A" } },
        { "op": "create", "kind": "note", "row": { "id": "gone", "x": 1, "y": 2 } },
        { "op": "delete", "kind": "note", "id": "gone" },
    ] });
    let result = ada.post("/api/workspaces/w/operations", operations).await.ok();
    assert_eq!(ids(&result["notes"]), ["n", "f"]);
    assert_eq!((&result["notes"][0]["color"], &result["components"][0]["name"]), (&json!("blue"), &json!("A")));
    assert_eq!(result["deleted"], json!([{ "kind": "note", "id": "gone" }]));
    let revision = &result["notes"][0]["revision"];
    assert_eq!(revision, &result["components"][0]["revision"], "one revision for all");
    ada.post("/api/workspaces/w/undo", json!({ "changeSetId": result["changeSetId"] })).await.ok();
    assert_eq!(ada.notes().await, json!([]));

    // All conflicts are reported together.
    ada.create_note(json!({ "id": "n" })).await;
    let operations = json!({ "operations": [
        { "op": "create", "kind": "note", "row": { "id": "n", "x": 1, "y": 2 } },
        { "op": "update", "kind": "note", "id": "n", "fields": { "text": "T" }, "revision": 1 },
        { "op": "update", "kind": "note", "id": "none", "fields": {} },
        { "op": "delete", "kind": "note", "id": "none" },
    ] });
    let refused = ada.post("/api/workspaces/w/operations", operations).await.expect(409);
    let why: Vec<&str> =
        refused["conflicts"].as_array().unwrap().iter().map(|conflict| conflict["why"].as_str().unwrap()).collect();
    assert_eq!(why, ["taken", "stale", "deleted", "deleted"]);
    for (row, field) in
        [(json!({ "x": 1 }), "operations[0].row.y"), (json!({ "x": 1, "y": 2, "z": 3 }), "operations[0].row.z")]
    {
        let wrong = json!({ "operations": [{ "op": "create", "kind": "note", "row": row }] });
        assert_eq!(ada.post("/api/workspaces/w/operations", wrong).await.expect(400)["field"], field);
    }
}

#[tokio::test]
async fn followers_receive_notes_and_history_lists_them() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mut events = ada.follow("w", "").await;
    let note = ada.create_note(json!({ "text": "N" })).await;
    let event = events.next_event().await;
    assert_eq!((&event.data["entity"], &event.data["op"]), (&json!("note"), &json!("create")));
    assert_eq!(event.data["row"], note);
    assert!(event.data["seq"].is_i64());
    ada.patch(&format!("{PATH}/note"), json!({ "text": "M" })).await.ok();
    assert_eq!(events.next_event().await.data["row"]["text"], "M");
    ada.delete(&format!("{PATH}/note")).await.ok();
    assert_eq!(events.next_event().await.data["op"], "delete");
    let history = ada.get("/api/workspaces/w/history?entity=note&entityId=note").await.ok();
    let changes: Vec<(Value, Value)> = history["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|change| (change["op"].clone(), change["fields"].clone()))
        .collect();
    let expected = [("delete", json!([])), ("update", json!(["text"])), ("create", json!([]))];
    assert_eq!(changes, expected.map(|(op, fields)| (json!(op), fields)));
}

#[tokio::test]
async fn notes_are_not_components() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_note(json!({ "id": "zebra", "text": "zebra" })).await;
    let impact = ada.get("/api/workspaces/w/impact?componentId=a").await.ok();
    assert!(!impact.to_string().contains("zebra"));
    let relationship = json!({ "sourceId": "a", "targetId": "zebra", "typeId": "calls" });
    ada.post("/api/workspaces/w/relationships", relationship).await.expect_error(400, "zebra");
    ada.get("/api/workspaces/w/components/zebra").await.expect_error(404, "component not found");
}

#[tokio::test]
async fn the_notes_of_other_workspaces_are_out_of_reach() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_note(json!({ "id": "n" })).await;
    ada.create_workspace("v").await;
    for path in ["/api/workspaces/v/notes/n", "/api/workspaces/none/notes/n"] {
        ada.get(path).await.expect_error(404, "not found");
        ada.patch(path, json!({ "text": "T" })).await.expect_error(404, "not found");
        ada.delete(path).await.expect_error(404, "not found");
    }
    ada.post("/api/workspaces/v/notes", json!({ "id": "n", "x": 0, "y": 0 })).await.created();
}
