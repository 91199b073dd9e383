//! An erased user is not named in comments.

use planroom::domain::{accounts::erasure, core::Via};
use serde_json::json;

use super::{THREADS, ask, path};
use crate::support::TestServer;

#[tokio::test]
async fn comments_of_an_erased_user_stay_without_their_name_and_login() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    let thread = ask(&server.sign_in("bob").await, "Mine").await;
    ada.post(&format!("{}/messages", path(&thread)), json!({ "text": "Thanks, @bob! (not @bobby)" })).await.created();
    let draft = ada.post("/api/workspaces/w/drafts", json!({ "title": "T" })).await.created()["draft"]["id"].clone();
    let draft = format!("/api/drafts/{}", draft.as_str().unwrap());
    let review = json!({ "verdict": "comment", "text": "As @Bob says." });
    ada.post(&format!("{draft}/reviews"), review).await.created();
    let file = ada.get("/api/workspaces/w/export").await.ok();
    ada.post("/api/import?id=copy", file).await.created();
    server.app.gate.system(Via::Cli, move |tx| erasure::erase(tx, "bob")).await.unwrap();
    for path in [THREADS, "/api/workspaces/copy/threads"] {
        let threads = ada.get(path).await.ok()["threads"].clone();
        let id = threads[0]["id"].as_str().unwrap().to_owned();
        let read = ada.get(&format!("{path}/{id}")).await.ok();
        let text = read.to_string().replace("@bobby", "");
        assert!(!text.contains("bob"), "{path}: {text}");
        assert!(text.contains("Erased user"), "{path}: {text}");
    }
    let text = ada.get(&draft).await.ok()["draft"]["reviews"][0]["text"].as_str().unwrap().to_owned();
    assert!(text.starts_with("As @erased-"), "{text}");
    let messages = ada.get(&path(&thread)).await.ok()["thread"]["messages"].clone();
    assert!(messages[1]["text"].as_str().unwrap().starts_with("Thanks, @erased-"), "{messages}");
}
