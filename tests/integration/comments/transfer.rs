//! Comments in workspace files.

use axum::http::Method;
use serde_json::{Value, json};

use super::{THREADS, about, ask, path};
use crate::support::TestServer;

#[tokio::test]
async fn a_file_has_the_threads_with_the_names_of_their_authors_and_is_the_same_after_an_import() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let thread = ask(&ada, "Why, @ada?").await;
    server.clock.advance(1_000);
    ada.post(&format!("{}/messages", path(&thread)), json!({ "text": "Because." })).await.created();
    ada.patch(&format!("{}/messages/2", path(&thread)), json!({ "text": "Because *so*." })).await.ok();
    ada.send(Method::POST, &format!("{}/resolve", path(&thread)), None).await.ok();
    about(&ada, json!({ "type": "workspace", "x": 1, "y": 2.5 }), "Here").await;
    let file = ada.get("/api/workspaces/w/export").await.ok();
    assert_eq!(file["threads"].as_array().unwrap().len(), 2);
    assert_eq!(
        (&file["threads"][0]["messages"][1]["author"], &file["threads"][0]["resolvedBy"]),
        (&json!("ada"), &json!("ada"))
    );
    assert!(!file.to_string().contains("\"login\""), "{file}");

    let imported = ada.post("/api/import?id=copy", file.clone()).await.created();
    assert_eq!(imported["created"]["threads"].as_array().unwrap().len(), 2);
    let mut again = ada.get("/api/workspaces/copy/export").await.ok();
    again["workspace"] = file["workspace"].clone();
    assert_eq!(again, file);
    let threads = ada.get("/api/workspaces/copy/threads").await.ok()["threads"].clone();
    let first = &threads[1]["firstMessage"];
    assert_eq!(
        (&first["author"], &first["importedAuthor"], &first["mentions"]),
        (&Value::Null, &json!("ada"), &json!([]))
    );
    // Nobody can edit them; owners can delete them.
    let own = format!("/api/workspaces/copy/threads/{}", threads[1]["id"].as_str().unwrap());
    ada.patch(&format!("{own}/messages/1"), json!({ "text": "Mine" })).await.expect_error(403, "only its author");
    ada.delete(&own).await.ok();
}

#[tokio::test]
async fn an_import_over_a_workspace_adds_threads_and_changes_none() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let thread = ask(&ada, "Old").await;
    let mut file = ada.get("/api/workspaces/w/export").await.ok();
    ada.patch(&format!("{}/messages/1", path(&thread)), json!({ "text": "New" })).await.ok();
    let later = ask(&ada, "Later").await;
    let mut more = file["threads"][0].clone();
    more["id"] = json!("from-elsewhere");
    more["anchor"] = json!({ "type": "component", "id": "unknown", "name": "Unknown" });
    file["threads"].as_array_mut().unwrap().push(more);
    let preview = ada.post("/api/import?id=w&replace=true&dryRun=true", file.clone()).await.ok();
    assert_eq!(preview["created"]["threads"], json!(["from-elsewhere"]));
    ada.post("/api/import?id=w&replace=true", file).await.ok();
    let threads = ada.get(THREADS).await.ok()["threads"].as_array().unwrap().clone();
    assert_eq!(threads.len(), 3);
    let by_id = |id: &Value| threads.iter().find(|one| one["id"] == *id).unwrap();
    assert_eq!(by_id(&thread["id"])["firstMessage"]["text"], "New");
    assert_eq!(by_id(&later["id"])["firstMessage"]["author"]["login"], "ada");
    assert_eq!(by_id(&json!("from-elsewhere"))["detached"], true);
}

#[tokio::test]
async fn threads_of_a_file_are_checked() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ask(&ada, "Why?").await;
    let file = ada.get("/api/workspaces/w/export").await.ok();
    for (pointer, value, text) in [
        ("/messages", json!([]), "threads[0].messages: must have at least one item"),
        ("/createdAt", json!(i64::MIN), "threads[0].createdAt"),
        ("/messages/0/editedAt", json!(-1), "threads[0].createdAt"),
        ("/messages/0/text", json!(""), "threads[0].messages[0].text"),
        ("/anchor/type", json!("workspace"), "threads[0].anchor: must have an `id`, except for a workspace"),
        ("/kind", json!("praise"), "threads[0].kind"),
    ] {
        let mut wrong = file.clone();
        let thread = &mut wrong["threads"][0];
        if pointer == "/messages/0/editedAt" {
            thread["messages"][0]["editedAt"] = json!(0);
        }
        *thread.pointer_mut(pointer).unwrap() = value;
        ada.post("/api/import?id=copy", wrong).await.expect_error(400, text);
    }
    let mut twice = file.clone();
    let thread = twice["threads"][0].clone();
    twice["threads"].as_array_mut().unwrap().push(thread);
    ada.post("/api/import?id=copy", twice).await.expect_error(400, "threads[1].id: is repeated");
}

#[tokio::test]
async fn a_duplicate_has_no_comments() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ask(&ada, "Why?").await;
    ada.post("/api/workspaces/w/duplicate", json!({ "id": "copy", "name": "Copy" })).await.created();
    assert_eq!(ada.get("/api/workspaces/copy/threads").await.ok()["threads"], json!([]));
}
