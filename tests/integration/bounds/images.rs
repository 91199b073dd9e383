//! Images wait for memory for what they need, and files for the images in them.

use axum::http::Method;
use serde_json::{Value, json};

use super::whole_maps::{self, expect_wait, reserve_memory, until_waiting};
use crate::{
    notes::images::noisy,
    support::{TestClient, TestServer},
};

/// Creates ada's workspace `drawn`, which is so large that an image must reserve memory.
async fn seed_drawn(server: &TestServer) -> TestClient<'_> {
    let ada = server.seed_map().await;
    let component = |n: usize| {
        let (name, description) = (format!("{n} {}", "name ".repeat(30)), "🗺".repeat(160));
        json!({ "id": format!("c{n}"), "typeId": "service", "name": name, "description": description, "x": n * 10, "y": 0 })
    };
    let components: Vec<Value> = (0..900).map(component).collect();
    let model = json!({ "workspace": { "name": "Drawn" }, "components": components, "relationships": [] });
    ada.put("/api/workspaces/drawn/bulk", model).await.ok();
    ada
}

#[tokio::test]
async fn images_and_share_links_of_large_maps_wait_for_memory() {
    let server = TestServer::new().await;
    let ada = seed_drawn(&server).await;
    for query in ["svg?detail=thumbnail", "svg?around=c1", "png?width=600&detail=thumbnail"] {
        let path = format!("/api/workspaces/drawn/image.{query}");
        expect_wait(&server, &ada, Method::GET, &path, None).await;
    }
    let made = ada.post("/api/workspaces/drawn/shares", json!({ "name": "Wiki" })).await.created();
    let shared = made["share"]["url"].as_str().unwrap().trim_start_matches("http://planroom.test").to_owned();
    for content in ["image.svg", "model.json"] {
        expect_wait(&server, &server.anonymous(), Method::GET, &format!("{shared}/{content}"), None).await;
    }
    assert_eq!(server.app.gate.memory_in_use(), 0, "released");
}

#[tokio::test]
async fn descriptions_that_an_image_does_not_show_need_no_memory() {
    let server = whole_maps::server().await;
    let ada = server.sign_in("ada").await;
    let _memory = reserve_memory(&server).await;
    assert_eq!(ada.get("/api/workspaces/large/image.svg").await.status, 200);
    assert_eq!(ada.get("/api/workspaces/large/image.png?width=600&detail=thumbnail").await.status, 200);
}

#[tokio::test]
async fn images_with_many_characters_wait_for_the_memory_of_their_outlines() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for n in 0..8 {
        let text = "words of a long note ".repeat(375);
        let note = json!({ "kind": "note", "text": text, "x": n * 1_100, "y": 500, "width": 1_000, "height": 4_000 });
        ada.post("/api/workspaces/w/notes", note).await.created();
    }
    let _memory = reserve_memory(&server).await;
    for format in ["png?width=600", "pdf"] {
        let path = format!("/api/workspaces/w/image.{format}");
        until_waiting(&server, &mut [Box::pin(ada.get(&path))]).await;
    }
    assert_eq!(ada.get("/api/workspaces/w/image.svg").await.status, 200, "without outlines");
    assert_eq!(ada.get("/api/workspaces/w/image.png?width=600&detail=thumbnail").await.status, 200, "without texts");
}

#[tokio::test]
async fn exports_wait_for_the_memory_of_the_images_that_notes_show() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let image = ada.upload_image("w", &noisy(1)).await.created();
    let memory = reserve_memory(&server).await;
    ada.get("/api/workspaces/w/export").await.ok();
    drop(memory);
    let note = json!({ "kind": "image", "x": 0, "y": 0, "imageId": image["id"] });
    ada.post("/api/workspaces/w/notes", note).await.created();
    let file = expect_wait(&server, &ada, Method::GET, "/api/workspaces/w/export", None).await;
    assert_eq!(file["images"][0]["id"], image["id"]);
}
