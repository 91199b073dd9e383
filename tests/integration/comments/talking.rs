//! People talk in threads.

use axum::http::Method;
use serde_json::json;

use super::{THREADS, ask, path, texts};
use crate::support::TestServer;

#[tokio::test]
async fn a_viewer_asks_and_an_editor_answers_and_resolves() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let (ada, bob) = (server.seed_map().await, server.sign_in("bob").await);
    let thread = bob
        .post(
            THREADS,
            json!({ "anchor": { "type": "component", "id": "a" }, "kind": "inaccurate", "text": "  Is **this** right? " }),
        )
        .await
        .created()["thread"]
        .clone();
    assert_eq!(
        (&thread["kind"], &thread["state"], &thread["detached"]),
        (&json!("inaccurate"), &json!("open"), &json!(false))
    );
    assert_eq!(thread["firstMessage"]["text"], "Is **this** right?");
    assert_eq!(thread["participants"][0]["login"], "bob");

    let answer = ada.post(&format!("{}/messages", path(&thread)), json!({ "text": "Yes." })).await.created();
    assert_eq!((&answer["message"]["id"], &answer["message"]["author"]["login"]), (&json!(2), &json!("ada")));
    assert_eq!(texts(&bob, &thread).await, ["Is **this** right?", "Yes."]);
    let resolved = ada.send(Method::POST, &format!("{}/resolve", path(&thread)), None).await.ok()["thread"].clone();
    assert_eq!((&resolved["state"], &resolved["resolvedBy"]), (&json!("resolved"), &json!("ada")));
    assert_eq!(ada.get(&format!("{THREADS}?state=open")).await.ok()["threads"], json!([]));
    let reopened = bob.send(Method::POST, &format!("{}/reopen", path(&thread)), None).await.ok()["thread"].clone();
    assert_eq!((&reopened["state"], reopened.get("resolvedBy")), (&json!("open"), None));
}

#[tokio::test]
async fn comments_are_no_changes_of_the_map() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let (before, log) = (ada.bundle("w").await, server.log_sizes());
    let thread = ask(&ada, "Why?").await;
    ada.post(&format!("{}/messages", path(&thread)), json!({ "text": "Because." })).await.created();
    ada.delete(&path(&thread)).await.ok();
    ask(&ada, "Why not?").await;
    assert_eq!(ada.bundle("w").await, before);
    assert_eq!(server.log_sizes(), log);
}

#[tokio::test]
async fn authors_edit_and_delete_their_own_messages_and_owners_moderate() {
    let server = TestServer::new().await;
    for login in ["bob", "cy"] {
        server.seed_member(login, "acme", "org:member");
    }
    let (ada, bob, cy) = (server.seed_map().await, server.sign_in("bob").await, server.sign_in("cy").await);
    let thread = ask(&bob, "First").await;
    let messages = format!("{}/messages", path(&thread));
    cy.post(&messages, json!({ "text": "Second" })).await.created();
    cy.patch(&format!("{messages}/1"), json!({ "text": "Mine" })).await.expect_error(403, "only its author");
    ada.patch(&format!("{messages}/1"), json!({ "text": "Mine" })).await.expect_error(403, "only its author");
    let edited = bob.patch(&format!("{messages}/1"), json!({ "text": "Edited" })).await.ok()["message"].clone();
    assert!(edited["editedAt"].is_i64(), "{edited}");
    bob.delete(&format!("{messages}/2")).await.expect_error(403, "only its author and owners");
    bob.delete(&path(&thread)).await.expect_error(403, "in which others have written");
    ada.delete(&format!("{messages}/2")).await.ok();
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'thread-message.delete'"), 1);
    assert_eq!(texts(&ada, &thread).await, ["Edited"]);
    // The id of a deleted message is not used again.
    assert_eq!(cy.post(&messages, json!({ "text": "Third" })).await.created()["message"]["id"], 3);
    cy.delete(&format!("{messages}/3")).await.ok();
    bob.delete(&format!("{messages}/1")).await.ok();
    bob.get(&path(&thread)).await.expect_error(404, "thread not found");
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'thread.delete'"), 0);
}

#[tokio::test]
async fn owners_decide_whether_viewers_can_comment() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let (ada, bob) = (server.seed_map().await, server.sign_in("bob").await);
    let thread = ask(&bob, "Mine").await;
    let comments = "/api/workspaces/w/comments";
    assert_eq!(bob.get(comments).await.ok()["canComment"], true);
    bob.patch(comments, json!({ "commenters": "editors" })).await.expect_error(403, "access level owner");
    ada.patch(comments, json!({ "commenters": "everybody" })).await.expect_error(400, "commenters");
    assert_eq!(ada.patch(comments, json!({ "commenters": "editors" })).await.ok()["commenters"], "editors");
    let overview = bob.get(comments).await.ok();
    assert_eq!((&overview["canComment"], &overview["open"]), (&json!(false), &json!(1)));
    let new = json!({ "anchor": { "type": "workspace" }, "text": "More" });
    bob.post(THREADS, new).await.expect_error(403, "only editors can comment");
    bob.post(&format!("{}/messages", path(&thread)), json!({ "text": "More" })).await.expect_error(403, "only editors");
    // What they wrote stays theirs.
    bob.delete(&path(&thread)).await.ok();
    ask(&ada, "As an editor").await;
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'comments.update'"), 1);
}

#[tokio::test]
async fn a_list_is_filtered_and_begins_with_the_newest_thread() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for (anchor, kind) in [
        (json!({ "type": "component", "id": "a" }), "comment"),
        (json!({ "type": "component", "id": "b" }), "question"),
        (json!({ "type": "relationship", "id": "r" }), "inaccurate"),
        (json!({ "type": "workspace" }), "comment"),
    ] {
        server.clock.advance(1_000);
        ada.post(THREADS, json!({ "anchor": anchor, "kind": kind, "text": kind })).await.created();
    }
    let names = async |query: &str| -> Vec<String> {
        let threads = ada.get(&format!("{THREADS}{query}")).await.ok()["threads"].clone();
        threads.as_array().unwrap().iter().map(|one| one["anchor"]["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("").await, ["w", "a → b", "b", "a"]);
    assert_eq!(names("?anchorType=component").await, ["b", "a"]);
    assert_eq!(names("?anchorType=component&anchorId=a").await, ["a"]);
    assert_eq!(names("?kind=inaccurate&state=open&detached=false").await, ["a → b"]);
    assert_eq!(names("?detached=true").await, [""; 0]);
    let page = ada.get(&format!("{THREADS}?anchorType=component&limit=1")).await.ok();
    let cursor = page["nextCursor"].as_str().unwrap();
    assert_eq!(names(&format!("?anchorType=component&limit=1&cursor={cursor}")).await, ["a"]);
    ada.get(&format!("{THREADS}?anchorId=a")).await.expect_error(400, "anchorType: is required with `anchorId`");
}

#[tokio::test]
async fn a_new_reader_of_another_organization_finds_nothing() {
    let server = TestServer::new().await;
    server.seed_org("other", "olga");
    let (ada, olga) = (server.seed_map().await, server.sign_in("olga").await);
    let thread = ask(&ada, "Secret").await;
    for path in [THREADS.to_owned(), path(&thread), "/api/workspaces/w/comments".into()] {
        olga.get(&path).await.expect_error(404, "workspace not found");
    }
    // A thread of one workspace is not found in another one.
    olga.create_workspace("theirs").await;
    let own = path(&thread).replace("/w/", "/theirs/");
    olga.get(&own).await.expect_error(404, "thread not found");
    olga.post(&format!("{own}/messages"), json!({ "text": "Hi" })).await.expect_error(404, "thread not found");
    olga.delete(&own).await.expect_error(404, "thread not found");
}
