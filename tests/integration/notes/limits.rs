//! Limits of images that hold for every kind of write, and encoding that does not delay other requests.

use base64::{Engine, engine::general_purpose::STANDARD};
use image::{ImageFormat, RgbImage};
use serde_json::{Value, json};

use super::{
    PATH,
    images::{encoded, noisy, png},
};
use crate::support::{PASSWORD, TestClient, TestServer};

/// A server with the seeded map, started again with a limit of `mib` for images.
async fn limited(mib: i64) -> TestServer {
    let server = TestServer::new().await;
    server.seed_map().await;
    restarted(server, mib)
}

fn restarted(server: TestServer, mib: i64) -> TestServer {
    TestServer::on(server.stop(), |config| config.quotas.image_mib = mib)
}

fn image_note(id: &str, image: &Value) -> Value {
    json!({ "id": id, "kind": "image", "x": 0, "y": 0, "imageId": image["id"] })
}

/// A credential that is valid after a restart too.
async fn token(server: &TestServer, login: &str) -> String {
    let reply = server.anonymous().post("/api/auth/login", json!({ "login": login, "password": PASSWORD })).await;
    reply.ok()["token"].as_str().unwrap().to_owned()
}

/// Uploads an image as if it had been long ago, so that it does not count until a note shows it.
async fn upload_early(server: &TestServer, client: &TestClient<'_>, bytes: &[u8]) -> Value {
    let image = client.upload_image("w", bytes).await.created();
    server.sql(|conn| conn.execute("UPDATE note_image SET uploaded_at = 1", []).unwrap());
    image
}

/// A file with a note for each of these image files, which are given as different images.
fn file(workspace: &str, images: &[Vec<u8>]) -> Value {
    let id = |index: usize| format!("{index:032x}");
    let notes = (0..images.len())
        .map(|index| json!({ "id": format!("n{index}"), "kind": "image", "x": 0, "y": 0, "imageId": id(index) }));
    let files =
        images.iter().enumerate().map(|(index, data)| json!({ "id": id(index), "data": STANDARD.encode(data) }));
    json!({
        "workspace": { "id": workspace, "name": "V" }, "components": [], "relationships": [],
        "notes": notes.collect::<Vec<_>>(), "images": files.collect::<Vec<_>>(),
    })
}

/// Different files with the same pixels.
fn variants(png: &[u8], count: u8) -> Vec<Vec<u8>> {
    (0..count).map(|number| [png, &[number]].concat()).collect()
}

/// A PNG that claims to have this size, and is damaged.
fn claiming(width: u32, height: u32) -> Vec<u8> {
    let mut png = png(4, 4);
    png[16..20].copy_from_slice(&width.to_be_bytes());
    png[20..24].copy_from_slice(&height.to_be_bytes());
    png
}

#[tokio::test]
async fn maps_are_exported_while_images_of_other_users_are_encoded() {
    let server = TestServer::new().await;
    server.seed_map().await;
    server.seed_member("bob", "acme", "org:member");
    server.seed_member("eve", "acme", "org:member");
    let mut credentials = Vec::new();
    for login in ["ada", "bob", "eve"] {
        credentials.push(token(&server, login).await);
    }
    let server = TestServer::on(server.stop(), |config| config.limits.request_seconds = 4);
    let [ada, bob, eve] = [0, 1, 2].map(|user: usize| server.with(&credentials[user]));
    let images = variants(&encoded(RgbImage::new(3_500, 3_500), ImageFormat::Png), 8);
    let (of_bob, of_eve) = (file("of-bob", &images), file("of-eve", &images));
    let (bob, eve) = tokio::join!(bob.post("/api/import", of_bob), eve.post("/api/import", of_eve));
    bob.expect(503);
    eve.expect(503);
    ada.get("/api/workspaces/w/export").await.ok();
    ada.get("/api/workspaces/w").await.ok();
    assert_eq!(server.count("SELECT count(*) FROM workspace"), 1);
}

#[tokio::test]
async fn the_same_data_in_a_file_is_encoded_once() {
    let server = TestServer::new().await;
    let ada = token(&server, "ada").await;
    let server = TestServer::on(server.stop(), |config| config.limits.request_seconds = 15);
    let images = vec![encoded(RgbImage::new(1_500, 1_500), ImageFormat::Png); 250];
    server.with(&ada).post("/api/import", file("v", &images)).await.created();
    assert_eq!(server.count("SELECT count(*) FROM note_image"), 1);
    assert_eq!(server.count("SELECT count(*) FROM note WHERE image_id IS NOT NULL"), 250);
}

#[tokio::test]
async fn a_file_with_too_many_bytes_or_pixels_is_rejected_before_images_are_encoded() {
    let server = limited(1).await;
    let ada = server.sign_in("ada").await;
    let large = file("v", &[noisy(1), noisy(2)]);
    let refused = ada.post("/api/import?dryRun=true", large).await.expect_error(409, "raise `quotas.image_mib`");
    assert_eq!(refused["code"], "limit_reached");
    // 13 of 16 million pixels each, and all of them damaged.
    let many = file("v", &variants(&claiming(4_096, 4_096), 13));
    ada.post("/api/import?dryRun=true", many).await.expect_error(409, "million pixels");
    let few = file("v", &variants(&claiming(4_096, 4_096), 12));
    ada.post("/api/import?dryRun=true", few).await.expect_error(400, "images[0].data: is damaged");
    let same = file("v", &vec![noisy(1); 3]);
    ada.post("/api/import?dryRun=true", same).await.ok();
}

#[tokio::test]
async fn an_import_over_a_map_cannot_exceed_the_size_of_images() {
    let server = limited(1).await;
    let ada = server.sign_in("ada").await;
    for id in ["one", "two"] {
        ada.create_note(json!({ "id": id })).await;
    }
    let (first, second) = (upload_early(&server, &ada, &noisy(1)).await, upload_early(&server, &ada, &noisy(2)).await);
    let with = |notes: [Value; 2]| json!({ "components": [], "relationships": [], "notes": notes });
    let both = with([image_note("one", &first), image_note("two", &second)]);
    ada.post("/api/import?id=w&replace=true", both).await.expect_error(409, "the images of this workspace");
    let once = with([image_note("one", &first), image_note("two", &first)]);
    ada.post("/api/import?id=w&replace=true", once).await.ok();
    // One instead of the other.
    let other = with([image_note("one", &second), image_note("two", &second)]);
    ada.post("/api/import?id=w&replace=true", other).await.ok();
}

#[tokio::test]
async fn undo_and_restore_cannot_exceed_the_size_of_images() {
    let server = limited(1).await;
    let ada = server.sign_in("ada").await;
    let tiny = ada.upload_image("w", &png(2, 2)).await.created();
    let (first, second) = (upload_early(&server, &ada, &noisy(1)).await, upload_early(&server, &ada, &noisy(2)).await);
    ada.create_note(image_note("one", &first)).await;
    ada.create_note(image_note("two", &tiny)).await;
    let version = ada.post("/api/workspaces/w/versions", json!({ "name": "V" })).await.created();
    let path = format!("{PATH}/one");
    let change = json!({ "operations": [
        { "op": "update", "kind": "note", "id": "one", "fields": { "imageId": tiny["id"] } },
    ] });
    let changed = ada.post("/api/workspaces/w/operations", change).await.ok();
    ada.patch(&format!("{PATH}/two"), json!({ "imageId": second["id"] })).await.ok();
    let undo = json!({ "changeSetId": changed["changeSetId"] });
    ada.post("/api/workspaces/w/undo", undo.clone()).await.expect_error(409, "the images of this workspace");
    // The version has only the first of the two large images.
    let restore = format!("/api/workspaces/w/versions/{}/restore", version["version"]["id"]);
    ada.post(&restore, json!({})).await.ok();
    assert_eq!(ada.get(&path).await.ok()["note"]["imageId"], first["id"]);
}

#[tokio::test]
async fn a_map_over_a_lowered_limit_can_be_changed_unless_it_shows_more() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for (id, seed) in [("one", 1), ("two", 2)] {
        let image = ada.upload_image("w", &noisy(seed)).await.created();
        ada.create_note(image_note(id, &image)).await;
    }
    let tiny = ada.upload_image("w", &png(2, 2)).await.created();
    let server = restarted(server, 1);
    let ada = server.sign_in("ada").await;
    ada.create_note(json!({ "id": "text", "text": "T" })).await;
    let notes = ada.notes().await;
    let same = json!({ "id": "again", "kind": "image", "x": 0, "y": 0, "imageId": notes[0]["imageId"] });
    ada.create_note(same).await;
    ada.post(PATH, image_note("tiny", &tiny)).await.expect_error(409, "the images of this workspace");
    // Fewer bytes than before, although still more than the limit.
    let instead = json!({ "operations": [
        { "op": "update", "kind": "note", "id": "two", "fields": { "imageId": tiny["id"] } },
        { "op": "delete", "kind": "note", "id": "text" },
    ] });
    ada.post("/api/workspaces/w/operations", instead).await.ok();
}

#[tokio::test]
async fn notes_show_at_most_a_thousand_images() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    server.sql(|conn| {
        let sql = "WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 999)
                   INSERT INTO note_image (workspace_pk, id, media_type, width, height, uploaded_at, content)
                   SELECT pk, format('%032x', n), 'image/png', 1, 1, 1, x'00' FROM number, workspace WHERE workspace.id = 'w'";
        conn.execute(sql, []).unwrap();
        let sql = "INSERT INTO note (workspace_pk, id, seq, kind, text, x, y, width, height, layer, image_id, revision,
                                     created_at, updated_at)
                   SELECT workspace_pk, id, rowid, 'image', '', 0, 0, 1, 1, 0, id, 1, 1, 1 FROM note_image";
        conn.execute(sql, []).unwrap();
    });
    let (last, more) = (ada.upload_image("w", &png(1, 1)).await.created(), ada.upload_image("w", &png(2, 2)).await);
    let more = more.created();
    ada.create_note(image_note("last", &last)).await;
    let refused = ada.post(PATH, image_note("more", &more)).await.expect_error(409, "1000 images");
    assert_eq!(
        (&refused["code"], &refused["limit"], &refused["count"]),
        (&json!("limit_reached"), &json!(1_000), &json!(1_001))
    );
    ada.patch(&format!("{PATH}/last"), json!({ "imageId": more["id"] })).await.ok();
    ada.create_note(json!({ "id": "text" })).await;
    let file = ada.get("/api/workspaces/w/export").await.ok();
    assert_eq!(file["images"].as_array().unwrap().len(), 1_000);
}
