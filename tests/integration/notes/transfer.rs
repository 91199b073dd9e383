//! Notes and their images in files, copies and templates.

use base64::{Engine, engine::general_purpose::STANDARD};
use image::ImageFormat;
use serde_json::{Value, json};

use super::{
    PATH,
    images::{encoded, gradient, png},
};
use crate::support::{TestClient, TestServer, ids};

/// A map with a note, a frame and two images, one of them twice.
async fn annotated(server: &TestServer) -> TestClient<'_> {
    let ada = server.seed_map().await;
    ada.create_note(json!({ "id": "n", "text": "# N", "color": "pink", "layer": 3 })).await;
    ada.create_note(json!({ "id": "f", "kind": "frame", "text": "F" })).await;
    for (id, bytes) in [("p", png(7, 5)), ("q", png(7, 5)), ("j", encoded(gradient(40, 30), ImageFormat::Jpeg))] {
        let image = ada.upload_image("w", &bytes).await.created()["id"].clone();
        ada.create_note(json!({ "id": id, "kind": "image", "imageId": image, "text": "Alt" })).await;
    }
    ada
}

async fn export(client: &TestClient<'_>, workspace: &str) -> Value {
    client.get(&format!("/api/workspaces/{workspace}/export")).await.ok()
}

#[tokio::test]
async fn an_exported_map_is_imported_with_its_notes_and_images() {
    let server = TestServer::new().await;
    let ada = annotated(&server).await;
    let file = export(&ada, "w").await;
    assert_eq!(ids(&file["notes"]), ["n", "f", "p", "q", "j"]);
    let images = file["images"].as_array().unwrap();
    assert_eq!(images.len(), 2, "each image once");
    for image in images {
        let reply = ada.get(&format!("/api/workspaces/w/images/{}", image["id"].as_str().unwrap())).await;
        assert_eq!(STANDARD.decode(image["data"].as_str().unwrap()).unwrap(), reply.bytes);
        assert_eq!(image["mediaType"], reply.header("content-type"));
    }
    let unused = json!({ "id": "0".repeat(32), "data": "not even base64!" });
    let mut with_unused = file.clone();
    with_unused["images"].as_array_mut().unwrap().push(unused);

    // To an instance that has none of it.
    let other = TestServer::new().await;
    let eve = other.sign_in("ada").await;
    let dry = eve.post("/api/import?dryRun=true", with_unused.clone()).await.ok();
    assert_eq!(dry["created"]["notes"], json!(["n", "f", "p", "q", "j"]));
    assert_eq!(other.count("SELECT count(*) FROM note_image"), 0);
    eve.post("/api/import", with_unused).await.created();
    assert_eq!(export(&eve, "w").await, file);
    assert_eq!(other.count("SELECT count(*) FROM note_image"), 2);

    // Over a map that has changed since.
    ada.patch(&format!("{PATH}/n"), json!({ "text": "Changed" })).await.ok();
    ada.delete(&format!("{PATH}/j")).await.ok();
    ada.create_note(json!({ "id": "extra" })).await;
    let imported = ada.post("/api/import?replace=true", file.clone()).await.ok();
    let of = |part: &str| imported[part]["notes"].clone();
    assert_eq!((of("created"), of("updated"), of("deleted")), (json!(["j"]), json!(["n"]), json!(["extra"])));
    assert_eq!(export(&ada, "w").await, file);
    ada.post("/api/workspaces/w/undo", json!({ "changeSetId": imported["changeSetId"] })).await.ok();
    assert_eq!(ids(&ada.notes().await), ["n", "f", "p", "q", "extra"]);
    let again = ada.post("/api/import?replace=true", export(&ada, "w").await).await.ok();
    assert_eq!(again["updated"]["notes"], json!([]), "an unchanged file changes nothing");
}

#[tokio::test]
async fn a_file_without_notes_leaves_them_unchanged() {
    let server = TestServer::new().await;
    let ada = annotated(&server).await;
    let notes = ada.notes().await;
    let mut file = export(&ada, "w").await;
    file.as_object_mut().unwrap().retain(|part, _| part != "notes" && part != "images");
    ada.post("/api/import?replace=true", file.clone()).await.ok();
    assert_eq!(ada.notes().await, notes);
    // A bundle has notes, but no images: those that are stored are used.
    ada.post("/api/import?replace=true", ada.bundle_with_notes("w").await).await.ok();
    assert_eq!(ada.notes().await, notes);
    file["notes"] = json!([]);
    ada.post("/api/import?replace=true", file).await.ok();
    assert_eq!(ada.notes().await, json!([]));
    let bulk = json!({ "components": [], "relationships": [], "notes": [{ "x": 0, "y": 0 }] });
    assert_eq!(ada.put("/api/workspaces/w/bulk", bulk).await.ok()["ignored"], json!(["notes"]));
}

#[tokio::test]
async fn images_in_a_file_are_encoded_again() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let id = "a".repeat(32);
    let file = |data: &[u8]| {
        json!({
            "workspace": { "id": "v", "name": "V" }, "components": [], "relationships": [],
            "notes": [{ "id": "p", "kind": "image", "x": 0, "y": 0, "imageId": id }],
            "images": [{ "id": id, "mediaType": "image/gif", "data": STANDARD.encode(data) }],
        })
    };
    ada.post("/api/import", file(&encoded(gradient(9, 9), ImageFormat::Gif))).await.created();
    let note = ada.get("/api/workspaces/v/notes/p").await.ok()["note"].clone();
    assert_ne!(note["imageId"], id, "the id is that of the content");
    assert_eq!((&note["width"], &note["height"]), (&json!(9.0), &json!(9.0)));
    let reply = ada.get(&format!("/api/workspaces/v/images/{}", note["imageId"].as_str().unwrap())).await;
    assert_eq!(reply.header("content-type"), "image/png");

    let before = server.log_sizes();
    for (part, value, field, text) in [
        ("images", json!([{ "id": id, "data": "%" }]), "images[0].data", "must be base64"),
        ("images", json!([{ "id": id, "data": STANDARD.encode("<svg/>") }]), "images[0].data", "must be a PNG"),
        ("images", json!([{ "id": id, "data": "A".repeat(2_796_208) }]), "images[0].data", "characters"),
        ("images", json!([{ "id": "x", "data": "" }]), "images[0].id", "32 hexadecimal digits"),
        (
            "images",
            json!([{ "id": id, "mediaType": "image/svg+xml", "data": "" }]),
            "images[0].mediaType",
            "must be one of",
        ),
        ("images", json!([]), "notes[0].imageId", "there is no image"),
        ("notes", json!([{ "x": 0, "y": 0 }]), "notes[0].id", "is required in a file"),
        ("notes", json!([{ "id": "p", "x": 0, "y": 0, "kind": "image" }]), "notes[0].imageId", "is required"),
    ] {
        let mut file = file(&png(3, 3));
        file["workspace"]["id"] = json!("u");
        file[part] = value;
        for dry_run in [false, true] {
            let refused =
                ada.post(&format!("/api/import?dryRun={dry_run}"), file.clone()).await.expect_error(400, text);
            assert_eq!(refused["field"], field, "{refused}");
        }
    }
    let mut twice = file(&png(3, 3));
    let image = twice["images"][0].clone();
    twice["images"].as_array_mut().unwrap().push(image);
    ada.post("/api/import", twice).await.expect_error(400, "images[1].id: the id");
    assert_eq!(server.log_sizes(), before);
}

#[tokio::test]
async fn a_duplicate_has_its_own_notes_and_images() {
    let server = TestServer::new().await;
    let ada = annotated(&server).await;
    ada.upload_image("w", &png(1, 1)).await.created();
    ada.post("/api/workspaces/w/duplicate", json!({ "id": "copy" })).await.created();
    let (original, mut copy) = (export(&ada, "w").await, export(&ada, "copy").await);
    copy["workspace"] = original["workspace"].clone();
    assert_eq!(copy, original);
    let of_copy = "SELECT count(*) FROM note_image i JOIN workspace w ON w.pk = i.workspace_pk WHERE w.id = 'copy'";
    assert_eq!(server.count(of_copy), 2, "an unused image is not copied");
    ada.delete("/api/workspaces/w").await.ok();
    for image in original["images"].as_array().unwrap() {
        let path = format!("/api/workspaces/copy/images/{}", image["id"].as_str().unwrap());
        assert_eq!(ada.get(&path).await.status, 200);
    }
}
