//! Users upload and remove the photo of their account.

use axum::http::{Method, StatusCode};
use image::{DynamicImage, GenericImageView, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use rusqlite::params;
use serde_json::{Value, json};

use crate::{
    notes::images::{encoded, png},
    support::{TestClient, TestResponse, TestServer},
};

const PHOTO: &str = "/api/me/photo";

async fn upload(client: &TestClient<'_>, bytes: Vec<u8>) -> TestResponse {
    client.send_raw(Method::PUT, PHOTO, Some("image/png"), bytes).await
}

/// Uploads a photo, and returns its address.
async fn uploaded(client: &TestClient<'_>, bytes: Vec<u8>) -> String {
    upload(client, bytes).await.ok()["user"]["avatarUrl"].as_str().unwrap().to_owned()
}

fn pixels(reply: &TestResponse) -> DynamicImage {
    assert_eq!(reply.status, StatusCode::OK);
    image::load_from_memory(&reply.bytes).unwrap()
}

/// A red image with a blue square at its center.
fn target(width: u32, height: u32) -> RgbImage {
    let side = width.min(height);
    let (left, top) = ((width - side) / 2, (height - side) / 2);
    RgbImage::from_fn(width, height, |x, y| {
        let is_center = (left..left + side).contains(&x) && (top..top + side).contains(&y);
        Rgb(if is_center { [0, 0, 255] } else { [255, 0, 0] })
    })
}

#[tokio::test]
async fn a_photo_is_cut_to_a_square_and_served_to_colleagues() {
    let server = TestServer::new().await;
    let bob_id = server.seed_member("bob", "acme", "org:member");
    let (ada, bob) = (server.sign_in("ada").await, server.sign_in("bob").await);
    for (width, height, side) in [(900, 600, 256), (300, 1_200, 256), (257, 256, 256), (40, 30, 30), (1, 1, 1)] {
        let address = uploaded(&bob, encoded(target(width, height), ImageFormat::Png)).await;
        let photo = pixels(&ada.get(&address).await);
        assert_eq!(photo.dimensions(), (side, side), "{width} × {height}");
        assert!(photo.into_rgb8().pixels().all(|pixel| pixel.0 == [0, 0, 255]), "{width} × {height}");
    }
    assert_eq!(server.count("SELECT count(*) FROM user_photo"), 1, "one for each user");

    let address = uploaded(&bob, png(300, 300)).await;
    let path = format!("/api/users/{bob_id}/photo");
    assert!(address.starts_with(&format!("{path}?v=")), "{address}");
    assert_eq!(bob.get("/api/me").await.ok()["avatarUrl"], json!(address));
    let reply = ada.get(&address).await;
    let tag = address.split_once('=').unwrap().1;
    reply.expect_stored_image(tag);
    let known = ada.header("if-none-match", &format!("\"{tag}\"")).get(&address).await;
    assert_eq!((known.status, known.bytes.len()), (StatusCode::NOT_MODIFIED, 0));
    // Without the tag, or with an old one, the response is valid only until the next upload.
    for changing in [path.clone(), format!("{path}?v=old"), format!("{path}?of=x")] {
        let reply = ada.get(&changing).await;
        assert_eq!((reply.status, reply.header("cache-control")), (StatusCode::OK, "private, no-cache"), "{changing}");
    }
}

#[tokio::test]
async fn other_formats_are_encoded_again_and_transparency_remains() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    for (format, kind) in [
        (ImageFormat::Png, "image/png"),
        (ImageFormat::Jpeg, "image/jpeg"),
        (ImageFormat::WebP, "image/png"),
        (ImageFormat::Gif, "image/png"),
    ] {
        let bytes = encoded(target(20, 30), format);
        let reply = ada.send_raw(Method::PUT, PHOTO, Some(format.to_mime_type()), bytes).await.ok();
        let photo = ada.get(reply["user"]["avatarUrl"].as_str().unwrap()).await;
        assert_eq!((photo.header("content-type"), pixels(&photo).dimensions()), (kind, (20, 20)), "{format:?}");
    }
    let half = RgbaImage::from_pixel(400, 400, Rgba([10, 20, 30, 128]));
    let address = uploaded(&ada, encoded(half, ImageFormat::Png)).await;
    assert_eq!(pixels(&ada.get(&address).await).into_rgba8().get_pixel(9, 9).0, [10, 20, 30, 128]);
    // Metadata and appended data are not stored.
    let mut bytes = png(8, 8);
    bytes.extend(b"<script>alert(1)</script>");
    let address = uploaded(&ada, bytes).await;
    assert!(!ada.get(&address).await.bytes.windows(6).any(|part| part == b"script"));
}

#[tokio::test]
async fn an_invalid_photo_is_rejected_and_changes_nothing() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let address = uploaded(&ada, png(20, 20)).await;
    let mut cut = png(200, 200);
    cut.truncate(cut.len() / 2);
    for (bytes, why) in [
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec(), "must be a PNG, JPEG, WebP or GIF image"),
        (Vec::new(), "must be a PNG, JPEG, WebP or GIF image"),
        (cut, "is damaged or incomplete"),
        (encoded(RgbImage::new(8_193, 1), ImageFormat::Png), "sides of at most 8192"),
    ] {
        assert_eq!(upload(&ada, bytes).await.expect_error(400, why)["field"], "image", "{why}");
    }
    upload(&ada, vec![0; (2 << 20) + 1]).await.expect_error(413, "2097152 bytes");
    ada.send_raw(Method::PUT, PHOTO, Some("application/json"), b"{}".to_vec()).await.expect_error(415, "image/png");
    ada.send_raw(Method::PUT, PHOTO, Some("image/svg+xml"), b"<svg/>".to_vec()).await.expect_error(415, "image/png");
    server
        .script_client("ada")
        .await
        .send_raw(Method::PUT, PHOTO, Some("image/png"), png(2, 2))
        .await
        .expect_error(403, "sign");
    assert_eq!(ada.get("/api/me").await.ok()["avatarUrl"], json!(address));
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'user.profile'"), 1);
    // The same photo again changes nothing.
    assert_eq!(uploaded(&ada, png(20, 20)).await, address);
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'user.profile'"), 1);
}

#[tokio::test]
async fn a_photo_is_removed_or_replaced_by_a_url() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let me = async || ada.get("/api/auth/me").await.ok()["user"].clone();
    let count = || server.count("SELECT count(*) FROM user_photo");
    let address = uploaded(&ada, png(20, 20)).await;
    // The user can send back what they read, but no other uploaded photo.
    ada.patch("/api/auth/me", me().await).await.ok();
    assert_eq!((me().await["avatarUrl"].clone(), count()), (json!(address), 1));
    let other = format!("/api/users/999/photo?v={}", "0".repeat(32));
    ada.patch("/api/auth/me", json!({ "avatarUrl": other })).await.expect_error(400, "must not name an uploaded photo");
    assert_eq!(ada.delete(PHOTO).await.ok()["user"]["avatarUrl"], Value::Null);
    assert_eq!(count(), 0);
    ada.get(&address).await.expect_error(404, "photo not found");
    ada.patch("/api/auth/me", json!({ "avatarUrl": address }))
        .await
        .expect_error(400, "must not name an uploaded photo");
    ada.delete(PHOTO).await.ok();

    uploaded(&ada, png(20, 20)).await;
    ada.patch("/api/auth/me", json!({ "displayName": "Ada L" })).await.ok();
    assert_eq!(count(), 1);
    ada.patch("/api/auth/me", json!({ "avatarUrl": "https://example.org/a.png" })).await.ok();
    assert_eq!(count(), 0);
    uploaded(&ada, png(20, 20)).await;
    ada.patch("/api/auth/me", json!({ "avatarUrl": "" })).await.ok();
    assert_eq!(count(), 0);
    // Removing the photo removes a URL too.
    ada.patch("/api/auth/me", json!({ "avatarUrl": "https://example.org/a.png" })).await.ok();
    assert_eq!(ada.delete(PHOTO).await.ok()["user"]["avatarUrl"], Value::Null);
    // The photo belongs to the account and is deleted with it.
    uploaded(&ada, png(20, 20)).await;
    server.sql(|conn| {
        conn.execute_batch("PRAGMA foreign_keys = OFF; DELETE FROM user_photo; PRAGMA foreign_keys = ON").unwrap();
        conn.execute("INSERT INTO user (id, login, display_name, created_at) VALUES (999, 'gone', 'Gone', 1)", [])
            .unwrap();
        let sql =
            "INSERT INTO user_photo (user_id, tag, media_type, uploaded_at, content) VALUES (999, '', '', 1, x'')";
        conn.execute(sql, []).unwrap();
        conn.execute("DELETE FROM user WHERE id = 999", []).unwrap();
    });
    assert_eq!(count(), 0);
}

#[tokio::test]
async fn the_person_of_a_user_shows_the_uploaded_photo() {
    let server = TestServer::new().await;
    let bob_id = server.seed_member("bob", "acme", "org:member");
    let (ada, bob) = (server.sign_in("ada").await, server.sign_in("bob").await);
    ada.post("/api/people", json!({ "id": "bob", "name": "Bob" })).await.created();
    server.sql(|conn| conn.execute("UPDATE person SET user_id = ? WHERE id = 'bob'", [bob_id]).unwrap());
    let photo_url = async || ada.get("/api/people/bob").await.ok()["person"]["photoUrl"].clone();
    let address = uploaded(&bob, encoded(target(30, 20), ImageFormat::Png)).await;
    assert_eq!(photo_url().await, json!(address));
    let reply = ada.get("/api/people/bob/photo").await;
    assert_eq!(pixels(&reply).dimensions(), (20, 20));
    let tag = reply.header("etag").to_owned();
    assert_eq!(ada.header("if-none-match", &tag).get("/api/people/bob/photo").await.status, StatusCode::NOT_MODIFIED);
    // A client can send back what it read. No other person shows the photo.
    ada.patch("/api/people/bob", json!({ "photoUrl": address, "title": "Engineer" })).await.ok();
    ada.post("/api/people", json!({ "id": "eve", "name": "Eve" })).await.created();
    let copied = json!({ "photoUrl": address });
    ada.patch("/api/people/eve", copied.clone()).await.expect_error(400, "must not name an uploaded photo");
    ada.post("/api/people", json!({ "name": "Max", "photoUrl": address })).await.expect_error(400, "`https://`");
    server.sql(|conn| conn.execute("UPDATE person SET photo_url = ? WHERE id = 'eve'", [&address]).unwrap());
    ada.get("/api/people/eve/photo").await.expect_error(404, "photo not found");

    // An exported map does not refer to the photo, which is not in the file.
    ada.create_workspace("w").await;
    ada.create_components("w", &["a"]).await;
    let owner = json!({ "personId": "bob", "linkType": "owner" });
    ada.post("/api/workspaces/w/components/a/stakeholders", owner).await.created();
    let exported = ada.get("/api/workspaces/w/export").await.ok();
    assert_eq!((&exported["people"][0]["id"], &exported["people"][0]["photoUrl"]), (&json!("bob"), &Value::Null));
    // Importing this file reports no difference. Another photo is one.
    let kept =
        async |file: &Value| ada.post("/api/import?replace=true", file.clone()).await.ok()["kept"]["people"].clone();
    assert_eq!(kept(&exported).await, json!([]));
    let mut other = exported;
    other["people"][0]["photoUrl"] = json!("https://example.org/bob.png");
    assert_eq!(kept(&other).await, json!(["bob"]));
    assert_eq!(photo_url().await, json!(address));

    bob.delete(PHOTO).await.ok();
    assert_eq!(photo_url().await, "");
    ada.get("/api/people/bob/photo").await.expect_error(404, "photograph not found");
    // A photo that the person has of its own stays.
    let own = "https://example.org/own.png";
    ada.patch("/api/people/bob", json!({ "photoUrl": own })).await.ok();
    uploaded(&bob, png(20, 20)).await;
    bob.delete(PHOTO).await.ok();
    assert_eq!(photo_url().await, own);
}

#[tokio::test]
async fn users_of_other_organizations_do_not_see_the_photo() {
    let server = TestServer::new().await;
    let bob_id = server.seed_member("bob", "acme", "org:member");
    server.seed_admin("eve", "other").await;
    server.sql(|conn| conn.execute("UPDATE user SET is_admin = 0 WHERE login = 'eve'", []).unwrap());
    server.seed_user("nomad");
    let (bob, eve, nomad) = (server.sign_in("bob").await, server.sign_in("eve").await, server.sign_in("nomad").await);
    let address = uploaded(&bob, png(20, 20)).await;
    for stranger in [&eve, &nomad] {
        stranger.get(&address).await.expect_error(404, "photo not found");
        // Without a photo, the response is the same.
        stranger.get("/api/users/999/photo").await.expect_error(404, "photo not found");
    }
    server.anonymous().get(&address).await.expect_error(401, "");
    // A user without an organization has a photo too.
    let own = uploaded(&nomad, png(9, 9)).await;
    assert_eq!(nomad.get(&own).await.status, StatusCode::OK);
    bob.get(&own).await.expect_error(404, "photo not found");
    // Someone who left is still a person of the organization, but without access to their photo, even if the person
    // still shows its address.
    let colleague = server.sign_in("ada").await;
    server.sql(|conn| {
        let sql = "INSERT INTO person (organization_id, id, seq, name, photo_url, user_id, revision, created_at,
                                       updated_at)
                   SELECT id, 'bob', 99, 'Bob', ?, ?, 1, 1, 1 FROM organization WHERE slug = 'acme'";
        conn.execute(sql, params![address, bob_id]).unwrap();
        conn.execute("UPDATE user SET is_admin = 0 WHERE login = 'ada'", []).unwrap();
    });
    for path in [&*address, "/api/people/bob/photo"] {
        assert_eq!(colleague.get(path).await.status, StatusCode::OK, "{path}");
    }
    server.sql(|conn| conn.execute("DELETE FROM organization_member WHERE user_id = ?", [bob_id]).unwrap());
    for path in [&*address, "/api/people/bob/photo"] {
        colleague.get(path).await.expect_error(404, "photo not found");
    }
    // An instance administrator can see the photos of all users.
    server.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE login = 'ada'", []).unwrap());
    assert_eq!(colleague.get(&address).await.status, StatusCode::OK);
}

/// The organization zoo with its admin zoe.
struct Zoo<'s> {
    server: &'s TestServer,
    zoe: TestClient<'s>,
    path: String,
}

impl<'s> Zoo<'s> {
    async fn new(server: &'s TestServer) -> Self {
        server.create_org("zoo", "zoe").await;
        let zoe = server.sign_in("zoe").await;
        let path = format!("/api/orgs/{}", zoe.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap());
        Self { server, zoe, path }
    }

    /// Bob accepts a new invitation.
    async fn admit_bob(&self) {
        let invited = self.zoe.post(&format!("{}/invitations", self.path), json!({})).await.created();
        let path = format!("/api/auth/invitations/{}", invited["token"].as_str().unwrap());
        self.server.sign_in("bob").await.post(&path, json!({})).await.ok();
    }

    async fn remove(&self, user_id: i64) {
        self.zoe.delete(&format!("{}/members/{user_id}", self.path)).await.ok();
    }

    /// The photo of bob's person.
    async fn photo(&self) -> Value {
        self.zoe.get("/api/people/bob").await.ok()["person"]["photoUrl"].clone()
    }
}

#[tokio::test]
async fn an_organization_that_a_user_left_shows_their_photo_again_after_they_return() {
    let server = TestServer::new().await;
    let bob_id = server.seed_member("bob", "acme", "org:member");
    let bob = server.sign_in("bob").await;
    let zoo = Zoo::new(&server).await;
    zoo.admit_bob().await;
    let first = uploaded(&bob, png(10, 10)).await;
    assert_eq!(zoo.photo().await, json!(first));
    assert_eq!(zoo.zoe.get("/api/people/bob/photo").await.status, StatusCode::OK);

    zoo.remove(bob_id).await;
    assert_eq!(zoo.photo().await, "");
    let change = server.directory_changes("zoo").pop().unwrap();
    assert_eq!(change.what, "update person bob");
    assert_eq!((&change.before["photoUrl"], &change.after["photoUrl"]), (&json!(first), &json!("")));
    let second = uploaded(&bob, png(20, 20)).await;
    assert_eq!(zoo.photo().await, "");
    for path in [&*first, &*second, &format!("/api/users/{bob_id}/photo")] {
        zoo.zoe.get(path).await.expect_error(404, "photo not found");
    }
    zoo.zoe.get("/api/people/bob/photo").await.expect_error(404, "photograph not found");

    zoo.admit_bob().await;
    assert_eq!(zoo.photo().await, json!(second));
    assert_eq!(zoo.zoe.get(&second).await.status, StatusCode::OK);
    let third = uploaded(&bob, png(30, 30)).await;
    assert_eq!(zoo.photo().await, json!(third));
    bob.delete(PHOTO).await.ok();
    assert_eq!(zoo.photo().await, "");
}

#[tokio::test]
async fn a_person_follows_the_photo_of_the_account_after_any_upload_but_keeps_its_own() {
    let server = TestServer::new().await;
    let bob_id = server.seed_member("bob", "acme", "org:member");
    let bob = server.sign_in("bob").await;
    let zoo = Zoo::new(&server).await;
    zoo.admit_bob().await;
    // An address of an earlier upload.
    let outdated = format!("/api/users/{bob_id}/photo?v={}", "0".repeat(32));
    let set =
        |photo: &str| server.sql(|conn| conn.execute("UPDATE person SET photo_url = ? WHERE id = 'bob'", [photo]));
    set(&outdated).unwrap();
    // `If-Match` does not concern the person.
    let current = uploaded(&bob.header("if-match", "\"x\""), png(10, 10)).await;
    assert_eq!(zoo.photo().await, json!(current));
    set(&outdated).unwrap();
    bob.delete(PHOTO).await.ok();
    assert_eq!(zoo.photo().await, "");
    uploaded(&bob, png(20, 20)).await;
    let own = "https://example.org/own.png";
    zoo.zoe.patch("/api/people/bob", json!({ "photoUrl": own })).await.ok();
    let revision = server.directory_revision("zoo");
    zoo.remove(bob_id).await;
    assert_eq!(zoo.photo().await, own);
    zoo.admit_bob().await;
    uploaded(&bob, png(30, 30)).await;
    assert_eq!((zoo.photo().await, server.directory_revision("zoo")), (json!(own), revision));
}
