//! Images of notes: upload, limits and download.

use std::io::Cursor;

use image::{DynamicImage, GrayImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use serde_json::json;

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
    assert_eq!(reply.bytes.len(), stored["bytes"].as_u64().unwrap() as usize);
    for (name, value) in [
        ("content-type", "image/png"),
        ("cache-control", "private, max-age=31536000, immutable"),
        ("vary", "authorization"),
        ("content-security-policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"),
        ("cross-origin-resource-policy", "same-origin"),
        ("x-content-type-options", "nosniff"),
        ("etag", &format!("\"{id}\"")),
    ] {
        assert_eq!(reply.header(name), value, "{name}");
    }
    assert_eq!(ada.header("if-none-match", &format!("\"{id}\"")).get(&path).await.status, 304);
    ada.get(&format!("/api/workspaces/w/images/{}", "0".repeat(32))).await.expect_error(404, "image not found");
    ada.get("/api/workspaces/w/images/none").await.expect_error(400, "invalid path");
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
        let served = ada.get(&format!("/api/workspaces/w/images/{}", stored["id"].as_str().unwrap())).await;
        assert_eq!(served.header("content-type"), media_type);
        let again = ada.upload_image("w", &served.bytes).await.created();
        assert_eq!(again, stored, "a stored image is stored unchanged");
    }
}
