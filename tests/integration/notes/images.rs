//! Images of notes: upload, limits and download.

use std::io::Cursor;

use axum::http::Method;
use image::{DynamicImage, GrayImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use serde_json::{Value, json};

use crate::support::TestServer;

/// An image in this format.
pub fn encoded(image: impl Into<DynamicImage>, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.into().write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Pixels in which each one has another color.
pub fn gradient(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let [low, ..] = (x * 7 + y * 13).to_le_bytes();
        Rgb([low, low.wrapping_mul(3), low.wrapping_add(90)])
    })
}

/// A PNG of about 0.6 MiB; another one for each seed.
pub fn noisy(seed: u32) -> Vec<u8> {
    let mut state = seed;
    let pixels = RgbImage::from_fn(460, 460, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [_, r, g, b] = state.to_le_bytes();
        Rgb([r, g, b])
    });
    encoded(pixels, ImageFormat::Png)
}

/// A PNG of this size.
pub fn png(width: u32, height: u32) -> Vec<u8> {
    encoded(gradient(width, height), ImageFormat::Png)
}

#[tokio::test]
async fn an_image_is_stored_once_and_served_with_safe_headers() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let stored = ada.upload_image("w", &png(30, 20)).await.created();
    assert_eq!(
        (&stored["width"], &stored["height"], &stored["mediaType"]),
        (&json!(30), &json!(20), &json!("image/png"))
    );
    let id = stored["id"].as_str().unwrap();
    assert_eq!(id.len(), 32);
    assert_eq!(ada.upload_image("w", &png(30, 20)).await.created(), stored);
    assert_eq!(server.count("SELECT count(*) FROM note_image"), 1);

    let path = format!("/api/workspaces/w/images/{id}");
    let reply = ada.get(&path).await;
    assert_eq!(image::load_from_memory(&reply.bytes).unwrap().into_rgb8(), gradient(30, 20));
    assert_eq!(stored["bytes"], reply.bytes.len());
    reply.expect_stored_image(id);
    assert_eq!(ada.header("if-none-match", &format!("\"{id}\"")).get(&path).await.status, 304);
    ada.get(&format!("/api/workspaces/w/images/{}", "0".repeat(32))).await.expect_error(404, "image not found");
    ada.get("/api/workspaces/w/images/none")
        .await
        .expect_error(400, "invalid path: must be the id of an uploaded image");
}

#[tokio::test]
async fn other_formats_are_encoded_again() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let transparent = RgbaImage::from_fn(8, 6, |x, _| Rgba([9, 9, 9, if x == 0 { 0 } else { 255 }]));
    for (bytes, media_type) in [
        (encoded(gradient(8, 6), ImageFormat::Jpeg), "image/jpeg"),
        (encoded(gradient(8, 6), ImageFormat::WebP), "image/png"),
        (encoded(gradient(8, 6), ImageFormat::Gif), "image/png"),
        (encoded(transparent.clone(), ImageFormat::Png), "image/png"),
        (encoded(transparent, ImageFormat::WebP), "image/png"),
        (encoded(GrayImage::new(8, 6), ImageFormat::Png), "image/png"),
    ] {
        let stored = ada.upload_image("w", &bytes).await.created();
        assert_eq!((&stored["width"], &stored["height"]), (&json!(8), &json!(6)));
        assert_eq!(stored["mediaType"], media_type);
        let reply = ada.get(&format!("/api/workspaces/w/images/{}", stored["id"].as_str().unwrap())).await;
        assert_eq!(reply.header("content-type"), media_type);
        let again = ada.upload_image("w", &reply.bytes).await.created();
        assert_eq!(again, stored, "a stored image is stored unchanged");
    }
}

const PATH: &str = "/api/workspaces/w/images";

#[tokio::test]
async fn other_bodies_are_rejected_and_nothing_is_stored() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = server.log_sizes();
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>".to_vec();
    let post = |media_type, bytes: Vec<u8>| ada.send_raw(Method::POST, PATH, media_type, bytes);
    for media_type in [None, Some("image/svg+xml"), Some("application/json"), Some("image/avif"), Some("text/html")] {
        post(media_type, png(3, 3)).await.expect_error(415, "the body must be an image");
    }
    for bytes in [svg, Vec::new(), b"{}".to_vec(), png(30, 30)[..200].to_vec()] {
        let refused = post(Some("image/png"), bytes).await.expect(400);
        assert_eq!(refused["field"], "image", "{refused}");
    }
    let large = encoded(RgbImage::new(5_000, 4_000), ImageFormat::Png);
    ada.upload_image("w", &large).await.expect_error(400, "image: must have at most 16 million pixels");
    post(Some("image/png"), vec![0; (2 << 20) + 1]).await.expect_error(413, "2097152 bytes");
    ada.get(&format!("{PATH}?limit=1")).await.expect(405);
    assert_eq!(server.log_sizes(), before);
    assert_eq!(server.count("SELECT count(*) FROM note_image"), 0);
    // The content decides, whatever image type is declared.
    let stored = post(Some("image/png; name=x"), encoded(gradient(8, 6), ImageFormat::Jpeg)).await.created();
    assert_eq!(stored["mediaType"], "image/jpeg");
}

#[tokio::test]
async fn a_repeated_upload_returns_the_first_response() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let keyed = ada.header("idempotency-key", "k");
    let first = keyed.upload_image("w", &png(3, 3)).await.created();
    let before = server.log_sizes();
    assert_eq!(keyed.upload_image("w", &png(3, 3)).await.created(), first);
    assert_eq!(server.log_sizes(), before);
    keyed.upload_image("w", &png(4, 4)).await.expect_error(409, "Idempotency-Key was used for another request");
}

#[tokio::test]
async fn images_of_another_workspace_cannot_be_shown() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_workspace("v").await;
    let id = ada.upload_image("w", &png(3, 3)).await.created()["id"].clone();
    let note = json!({ "id": "n", "kind": "image", "x": 0, "y": 0, "imageId": id });
    ada.post("/api/workspaces/v/notes", note.clone()).await.expect_error(400, "there is no image");
    ada.get(&format!("/api/workspaces/v/images/{}", id.as_str().unwrap())).await.expect_error(404, "image not found");
    ada.post("/api/workspaces/w/notes", note).await.created();
    let other = ada.upload_image("v", &png(4, 4)).await.created()["id"].clone();
    ada.patch("/api/workspaces/w/notes/n", json!({ "imageId": other })).await.expect_error(400, "there is no image");
}

#[tokio::test]
async fn the_size_of_the_images_on_a_map_is_limited() {
    let server = TestServer::new().await;
    let dir = server.stop();
    let server = TestServer::on(dir, |config| config.quotas.image_mib = 1);
    let ada = server.seed_map().await;
    let first = ada.upload_image("w", &noisy(1)).await.created();
    let refused = ada.upload_image("w", &noisy(2)).await.expect_error(409, "raise `quotas.image_mib`");
    assert_eq!((&refused["code"], &refused["limit"]), (&json!("limit_reached"), &json!(1)));
    let note = |id: &str, image: &Value| json!({ "id": id, "kind": "image", "x": 0, "y": 0, "imageId": image["id"] });
    ada.post("/api/workspaces/w/notes", note("one", &first)).await.created();
    ada.post("/api/workspaces/w/notes", note("same", &first)).await.created();
    ada.upload_image("w", &noisy(2)).await.expect_error(409, "the images of this workspace would take");

    // Deleted images do not count, so undo can exceed the quota, and is refused.
    let deletions = json!({ "operations": [
        { "op": "delete", "kind": "note", "id": "one" }, { "op": "delete", "kind": "note", "id": "same" },
    ] });
    let deleted = ada.post("/api/workspaces/w/operations", deletions).await.ok();
    server.sql(|conn| conn.execute("UPDATE note_image SET uploaded_at = 1", []).unwrap());
    let second = ada.upload_image("w", &noisy(2)).await.created();
    ada.post("/api/workspaces/w/notes", note("two", &second)).await.created();
    let undo = json!({ "changeSetId": deleted["changeSetId"] });
    ada.post("/api/workspaces/w/undo", undo.clone()).await.expect_error(409, "the images of this workspace");
    ada.delete("/api/workspaces/w/notes/two").await.ok();
    ada.post("/api/workspaces/w/undo", undo).await.ok();
    // Text and position of what is over the quota can be edited, and another image cannot be added.
    ada.patch("/api/workspaces/w/notes/one", json!({ "text": "T", "x": 5 })).await.ok();
    ada.patch("/api/workspaces/w/notes/one", json!({ "imageId": second["id"] })).await.expect_error(409, "images");
}

#[tokio::test]
async fn images_count_as_stored_bytes_of_the_organization() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let stored = || server.count("SELECT bytes FROM stored_bytes");
    let before = stored();
    let image = ada.upload_image("w", &png(30, 30)).await.created();
    assert_eq!(stored() - before, image["bytes"].as_i64().unwrap());
    server.sql(|conn| conn.execute("DELETE FROM note_image", []).unwrap());
    assert_eq!(stored(), before);
}
