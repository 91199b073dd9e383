//! Notes in the history, in versions and in undo, with their images.

use planroom::clock::DAY;
use serde_json::{Value, json};

use super::{PATH, images::png};
use crate::support::{TestClient, TestServer};

/// The past state at a revision.
async fn past(client: &TestClient<'_>, revision: i64) -> Value {
    client.get(&format!("/api/workspaces/w?at={revision}")).await.ok()
}

#[tokio::test]
async fn past_states_versions_and_differences_contain_notes() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let empty = ada.revision("w").await;
    let note = ada.create_note(json!({ "text": "First\nline" })).await;
    let created = ada.revision("w").await;
    let version =
        ada.post("/api/workspaces/w/versions", json!({ "name": "V" })).await.created()["version"]["id"].clone();
    ada.patch(&format!("{PATH}/note"), json!({ "text": "Second", "color": "red" })).await.ok();
    ada.create_note(json!({ "id": "other" })).await;
    let changed = ada.revision("w").await;

    assert_eq!(past(&ada, empty).await["notes"], json!([]));
    let then = past(&ada, created).await;
    assert_eq!(then["notes"], json!([note]));
    assert_eq!(then["places"]["notes"].as_array().unwrap().len(), 1);
    let of_version = ada.get(&format!("/api/workspaces/w/versions/{version}")).await.ok();
    assert_eq!(of_version["notes"], json!([note]));

    let path = format!("/api/workspaces/w/history/difference?from={created}&to={changed}");
    let difference = ada.get(&path).await.ok()["notes"].clone();
    assert_eq!(difference["added"][0]["row"]["id"], "other");
    assert_eq!((&difference["changed"][0]["name"], &difference["removed"]), (&json!("Second"), &json!([])));
    let fields = json!({ "color": { "from": null, "to": "red" }, "text": { "from": "First\nline", "to": "Second" } });
    assert_eq!(difference["changed"][0]["fields"], fields);

    ada.post(&format!("/api/workspaces/w/versions/{version}/restore"), json!(null)).await.ok();
    let restored = ada.notes().await;
    assert_eq!((restored.as_array().unwrap().len(), &restored[0]["text"]), (1, &json!("First\nline")));
    ada.post("/api/workspaces/w/history/restore", json!({ "revision": changed })).await.ok();
    assert_eq!(ada.notes().await[1]["id"], "other");
    ada.post("/api/workspaces/w/history/restore", json!({ "revision": empty })).await.ok();
    assert_eq!(ada.notes().await, json!([]));
}

#[tokio::test]
async fn undo_and_redo_restore_notes_unless_they_have_changed() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    server.grant("w", bob, "editor");
    let bob = server.sign_in("bob").await;
    let before = ada.create_note(json!({ "text": "T", "color": "green" })).await;
    let deletion = ada.delete(&format!("{PATH}/note")).await.header("x-request-id").to_owned();
    let undo = json!({ "changeSetId": deletion });
    bob.post("/api/workspaces/w/undo", undo.clone()).await.expect_error(403, "only your own changes");
    let undone = ada.post("/api/workspaces/w/undo", undo).await.ok();
    let note = ada.notes().await[0].clone();
    for field in ["id", "text", "color", "layer", "createdAt"] {
        assert_eq!(note[field], before[field], "{field}");
    }
    let redone = ada.post("/api/workspaces/w/undo", json!({ "changeSetId": undone["changeSetId"] })).await.ok();
    assert_eq!(ada.notes().await, json!([]));
    ada.post("/api/workspaces/w/undo", json!({ "changeSetId": redone["changeSetId"] })).await.ok();
    let edit = ada.patch(&format!("{PATH}/note"), json!({ "text": "Mine" })).await;
    bob.patch(&format!("{PATH}/note"), json!({ "text": "Theirs" })).await.ok();
    let undo = json!({ "changeSetId": edit.header("x-request-id") });
    let refused = ada.post("/api/workspaces/w/undo", undo).await.expect(409);
    assert!(refused["error"].as_str().unwrap().contains("Theirs"), "{refused}");
}

/// Creates an image note. Returns the path of its image.
async fn create_image(client: &TestClient<'_>, id: &str, bytes: &[u8]) -> String {
    let image = client.upload_image("w", bytes).await.created()["id"].clone();
    client.create_note(json!({ "id": id, "kind": "image", "imageId": image })).await;
    format!("/api/workspaces/w/images/{}", image.as_str().unwrap())
}

#[tokio::test]
async fn an_image_is_stored_as_long_as_the_history_refers_to_it() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let shown = create_image(&ada, "shown", &png(3, 3)).await;
    let deleted = create_image(&ada, "deleted", &png(4, 4)).await;
    let replaced = create_image(&ada, "replaced", &png(5, 5)).await;
    let unused = ada.upload_image("w", &png(6, 6)).await.created()["id"].clone();
    let unused = format!("/api/workspaces/w/images/{}", unused.as_str().unwrap());
    let deletion = ada.delete(&format!("{PATH}/deleted")).await.header("x-request-id").to_owned();
    let other = shown.rsplit('/').next().unwrap();
    ada.patch(&format!("{PATH}/replaced"), json!({ "imageId": other })).await.ok();

    server.clock.advance(DAY - 1);
    let ada = server.sign_in("ada").await;
    assert_eq!(server.clean_up().await.note_images, 0);
    assert_eq!(ada.get(&unused).await.status, 200, "its note may still come");
    server.clock.advance(2);
    assert_eq!(server.clean_up().await.note_images, 1);
    ada.get(&unused).await.expect_error(404, "image not found");
    for path in [&shown, &deleted, &replaced] {
        assert_eq!(ada.get(path).await.status, 200, "{path}");
    }
    ada.post("/api/workspaces/w/undo", json!({ "changeSetId": deletion })).await.ok();
    assert_eq!(ada.get(&format!("{PATH}/deleted")).await.ok()["note"]["imageId"], deleted.rsplit('/').next().unwrap());
    ada.delete(&format!("{PATH}/deleted")).await.ok();

    // Without the history, only the images of present notes remain.
    server.sql(|conn| conn.execute("DELETE FROM change", []).unwrap());
    assert_eq!(server.clean_up().await.note_images, 2);
    assert_eq!(ada.get(&shown).await.status, 200);
    for path in [&deleted, &replaced] {
        ada.get(path).await.expect_error(404, "image not found");
    }
}

#[tokio::test]
async fn an_image_is_stored_as_long_as_a_version_contains_it() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let image = create_image(&ada, "note", &png(3, 3)).await;
    let version =
        ada.post("/api/workspaces/w/versions", json!({ "name": "V" })).await.created()["version"]["id"].clone();
    ada.delete(&format!("{PATH}/note")).await.ok();
    server.sql(|conn| conn.execute("DELETE FROM change", []).unwrap());
    server.clock.advance(2 * DAY);
    let ada = server.sign_in("ada").await;
    assert_eq!(server.clean_up().await.note_images, 0);
    let version = format!("/api/workspaces/w/versions/{version}");
    ada.post(&format!("{version}/restore"), json!(null)).await.ok();
    assert_eq!(ada.notes().await[0]["kind"], "image");
    assert_eq!(ada.get(&image).await.status, 200);
    ada.delete(&format!("{PATH}/note")).await.ok();
    ada.delete(&version).await.ok();
    server.sql(|conn| conn.execute("DELETE FROM change", []).unwrap());
    assert_eq!(server.clean_up().await.note_images, 1);
    ada.get(&image).await.expect_error(404, "image not found");
}

#[tokio::test]
async fn a_purged_workspace_leaves_no_images() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    create_image(&ada, "note", &png(3, 3)).await;
    ada.post("/api/workspaces/w/versions", json!({ "name": "V" })).await.created();
    ada.delete("/api/workspaces/w").await.ok();
    server.clock.advance(31 * DAY);
    assert_eq!(server.clean_up().await.workspaces, 1);
    for table in ["note", "note_image", "version_image"] {
        assert_eq!(server.count(&format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
}
