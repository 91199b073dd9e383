//! Who can see, edit, review and merge a draft: the access to its workspace decides, at the time of use.

use serde_json::{Value, json};

use super::{patch, read, rename, start, submit};
use crate::support::{TestClient, TestServer};

/// A private workspace `w` with ada as its owner, an editor, and a viewer.
async fn team(server: &TestServer) -> [TestClient<'_>; 3] {
    let ada = server.seed_map().await;
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    for (login, level) in [("eve", "editor"), ("vic", "viewer"), ("out", "")] {
        let user = server.seed_member(login, "acme", "org:member");
        if !level.is_empty() {
            server.grant("w", user, level);
        }
    }
    [ada, server.sign_in("eve").await, server.sign_in("vic").await]
}

async fn review(client: &TestClient<'_>, id: &str, verdict: &str) -> Value {
    let body = json!({ "verdict": verdict, "text": "Because." });
    client.post(&format!("/api/drafts/{id}/reviews"), body).await.created()["draft"].clone()
}

#[tokio::test]
async fn a_viewer_proposes_an_editor_reviews_and_merges() {
    let server = TestServer::new().await;
    let [ada, eve, vic] = team(&server).await;
    let id = start(&vic, "w", "By a viewer").await;
    let out = server.sign_in("out").await;
    for path in [format!("/api/drafts/{id}"), format!("/api/workspaces/{id}"), format!("/api/drafts/{id}/comparison")] {
        out.get(&path).await.expect(404);
    }
    out.post("/api/workspaces/w/drafts", json!({ "title": "T" })).await.expect(404);
    vic.patch("/api/workspaces/w/components/a", json!({ "name": "X" })).await.expect(403);
    rename(&vic, &id, "a", "Alpha").await;
    rename(&ada, &id, "b", "Beta").await;
    for client in [&ada, &eve, &vic] {
        let members = client.get(&format!("/api/workspaces/{id}/members")).await.ok();
        assert_eq!(members["members"].as_array().unwrap().len(), 3, "a draft has the members of its workspace");
        let member = json!({ "userId": 1, "role": "owner" });
        client
            .post(&format!("/api/workspaces/{id}/members"), member)
            .await
            .expect_error(403, "its owners change them there");
        client.delete(&format!("/api/workspaces/{id}")).await.expect(403);
        client.post(&format!("/api/workspaces/{id}/shares"), json!({ "name": "S" })).await.expect(403);
        client.patch(&format!("/api/workspaces/{id}"), json!({ "visibility": "org" })).await.expect(403);
    }

    eve.post(&format!("/api/drafts/{id}/reviews"), json!({ "verdict": "approved" }))
        .await
        .expect_error(409, "not submitted");
    let draft =
        patch(&vic, &id, json!({ "state": "open", "description": "Why", "reviewers": [user(&server, "eve")] })).await;
    assert_eq!(
        (&draft["state"], &draft["canMerge"], &draft["reviewers"][0]["login"]),
        (&json!("open"), &json!(false), &json!("eve"))
    );
    let reviewers = json!({ "reviewers": [user(&server, "out")] });
    vic.patch(&format!("/api/drafts/{id}"), reviewers).await.expect_error(400, "cannot view this workspace");
    let own = vic.post(&format!("/api/drafts/{id}/reviews"), json!({ "verdict": "approved" })).await;
    own.expect_error(403, "needs the access level editor");
    assert_eq!(review(&vic, &id, "comment").await["reviews"][0]["verdict"], "comment");
    vic.post(&format!("/api/drafts/{id}/reviews"), json!({ "verdict": "comment" }))
        .await
        .expect_error(400, "is required");
    vic.post(&format!("/api/drafts/{id}/merge"), json!({})).await.expect(403);

    assert_eq!(review(&eve, &id, "changes-requested").await["state"], "changes-requested");
    assert_eq!(review(&eve, &id, "approved").await["state"], "approved");
    rename(&vic, &id, "a", "Aleph").await;
    let lapsed = read(&vic, &id).await;
    assert_eq!((&lapsed["state"], &lapsed["approvals"]), (&json!("open"), &json!(0)), "an approval lapses");
    assert_eq!(review(&eve, &id, "changes-requested").await["state"], "changes-requested");
    rename(&vic, &id, "a", "Alef").await;
    submit(&vic, &id).await;
    assert_eq!(read(&vic, &id).await["state"], "open", "changed and submitted again");
    assert_eq!(review(&eve, &id, "approved").await["state"], "approved");
    server.grant("w", user(&server, "eve"), "viewer");
    assert_eq!(read(&vic, &id).await["state"], "open", "approvals are of editors");
    server.grant("w", user(&server, "eve"), "editor");
    let merged = eve.post(&format!("/api/drafts/{id}/merge"), json!({})).await.ok();
    assert_eq!(
        (&merged["draft"]["author"]["login"], &merged["draft"]["endedBy"]["login"]),
        (&json!("vic"), &json!("eve"))
    );
    let history = eve.get("/api/workspaces/w/history?limit=2").await.ok();
    assert_eq!(history["changes"][0]["actor"]["displayName"], "eve");
}

fn user(server: &TestServer, login: &str) -> i64 {
    server.count(&format!("SELECT id FROM user WHERE login = '{login}'"))
}

#[tokio::test]
async fn whoever_loses_the_workspace_loses_its_drafts() {
    let server = TestServer::new().await;
    let [ada, eve, vic] = team(&server).await;
    let id = start(&vic, "w", "T").await;
    let mut follower = vic.follow(&id, "").await;
    ada.delete(&format!("/api/workspaces/w/members/{}", user(&server, "vic"))).await.ok();
    follower.expect_end().await;
    vic.get(&format!("/api/workspaces/{id}")).await.expect(404);
    vic.get(&format!("/api/drafts/{id}")).await.expect(404);
    vic.patch(&format!("/api/drafts/{id}"), json!({ "title": "X" })).await.expect(404);
    rename(&eve, &id, "a", "Alpha").await;
    ada.patch("/api/workspaces/w", json!({ "visibility": "org", "organizationAccess": "view" })).await.ok();
    assert_eq!(vic.bundle(&id).await["workspace"]["visibility"], "org");
    rename(&vic, &id, "b", "Beta").await;
    let out = server.sign_in("out").await;
    out.get(&format!("/api/workspaces/{id}")).await.ok();
    out.patch(&format!("/api/workspaces/{id}/components/a"), json!({ "name": "X" })).await.expect(403);
    out.post(&format!("/api/workspaces/{id}/access-requests"), json!({ "role": "editor" })).await.expect(409);
    out.patch(&format!("/api/drafts/{id}"), json!({ "title": "X" })).await.expect_error(403, "author of the draft");
    out.post(&format!("/api/drafts/{id}/close"), json!({})).await.expect(403);
    out.post(&format!("/api/drafts/{id}/update"), json!({})).await.expect(403);
    server.create_org("other", "olga").await;
    let olga = server.sign_in("olga").await;
    for path in [format!("/api/drafts/{id}"), format!("/api/workspaces/{id}"), "/api/workspaces/w/drafts".to_owned()] {
        olga.get(&path).await.expect(404);
    }
    olga.post(&format!("/api/drafts/{id}/merge"), json!({})).await.expect(404);
}

#[tokio::test]
async fn owners_of_the_workspace_moderate_comments_in_its_drafts() {
    let server = TestServer::new().await;
    let [ada, eve, vic] = team(&server).await;
    let id = start(&vic, "w", "By a viewer").await;
    let threads = format!("/api/workspaces/{id}/threads");
    let new = json!({ "anchor": { "type": "workspace" }, "text": "Mine" });
    let thread = eve.post(&threads, new.clone()).await.created()["thread"]["id"].clone();
    let path = format!("{threads}/{}", thread.as_str().unwrap());
    vic.post(&format!("{path}/messages"), json!({ "text": "Rude" })).await.created();
    // The author of a draft edits it, but moderates nothing.
    vic.delete(&path).await.expect_error(403, "only owners of the workspace");
    eve.delete(&path).await.expect_error(403, "only owners of the workspace");
    eve.delete(&format!("{path}/messages/2")).await.expect_error(403, "only its author and owners");
    ada.delete(&format!("{path}/messages/2")).await.ok();
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'thread-message.delete'"), 1);
    ada.patch(&format!("{path}/messages/1"), json!({ "text": "Words in a mouth" })).await.expect(403);
    // Also after the end of the draft, when nobody can edit it.
    ada.post(&format!("/api/drafts/{id}/close"), json!({})).await.ok();
    vic.send(axum::http::Method::POST, &format!("{path}/resolve"), None).await.expect(403);
    eve.send(axum::http::Method::POST, &format!("{path}/resolve"), None).await.ok();
    ada.delete(&path).await.ok();
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'thread.delete'"), 1);
    // Owners of other workspaces do not.
    let thread = eve.post(&threads, new).await.created()["thread"]["id"].clone();
    let path = format!("{threads}/{}", thread.as_str().unwrap());
    let out = server.sign_in("out").await;
    out.create_workspace("own").await;
    out.delete(&path).await.expect(404);
}

#[tokio::test]
async fn reviewers_are_asked_once_and_not_again_when_another_one_is_added() {
    let server = TestServer::new().await;
    let [ada, eve, vic] = team(&server).await;
    let requests = async |client: &TestClient<'_>| {
        let inbox = client.get("/api/me/inbox?kind=review-request").await.ok();
        inbox["entries"].as_array().unwrap().len()
    };
    let (eve_id, ada_id) = (user(&server, "eve"), user(&server, "ada"));
    let new = json!({ "title": "T", "submit": true, "reviewers": [eve_id] });
    let id = vic.post("/api/workspaces/w/drafts", new).await.created()["draft"]["id"].as_str().unwrap().to_owned();
    assert_eq!(requests(&eve).await, 1, "a draft that is submitted at once asks, too");
    eve.post("/api/me/inbox/read", json!({ "until": server.clock.now() })).await.ok();
    patch(&vic, &id, json!({ "reviewers": [eve_id, ada_id] })).await;
    assert_eq!((requests(&eve).await, requests(&ada).await), (1, 1));
    // Repetitions do not fill the inbox of a reviewer who has not read the request.
    for _ in 0..3 {
        patch(&vic, &id, json!({ "reviewers": [] })).await;
        patch(&vic, &id, json!({ "reviewers": [ada_id] })).await;
        submit(&vic, &id).await;
    }
    assert_eq!(requests(&ada).await, 1);
    // A reviewer who is asked again after reading the request gets another one.
    patch(&vic, &id, json!({ "reviewers": [eve_id] })).await;
    assert_eq!(requests(&eve).await, 2);
}

#[tokio::test]
async fn a_list_has_the_drafts_that_wait_for_a_review_by_a_user() {
    let server = TestServer::new().await;
    let [ada, eve, vic] = team(&server).await;
    let waiting = async |client: &TestClient<'_>, reviewer: &str| -> Vec<String> {
        let page = client.get(&format!("/api/workspaces/w/drafts?reviewer={reviewer}")).await.ok();
        let titles = page["drafts"].as_array().unwrap().iter().map(|draft| draft["title"].as_str().unwrap().to_owned());
        titles.collect()
    };
    let (first, second) = (start(&vic, "w", "First").await, start(&vic, "w", "Second").await);
    patch(&vic, &first, json!({ "reviewers": [user(&server, "eve")] })).await;
    patch(&vic, &second, json!({ "reviewers": [user(&server, "ada")] })).await;
    assert!(waiting(&eve, "me").await.is_empty(), "not submitted");
    submit(&vic, &first).await;
    submit(&vic, &second).await;
    assert_eq!(waiting(&eve, "me").await, ["First"]);
    assert_eq!(waiting(&ada, "me").await, ["Second"]);
    assert_eq!(waiting(&ada, &user(&server, "eve").to_string()).await, ["First"]);
    assert!(waiting(&vic, "me").await.is_empty());

    review(&eve, &first, "approved").await;
    assert!(waiting(&eve, "me").await.is_empty(), "approved");
    review(&eve, &first, "comment").await;
    rename(&vic, &first, "a", "Alpha").await;
    assert_eq!(waiting(&eve, "me").await, ["First"], "the approval has lapsed");
    review(&eve, &first, "changes-requested").await;
    assert!(waiting(&eve, "me").await.is_empty(), "it waits for its author");
    server.clock.advance(1);
    submit(&vic, &first).await;
    assert_eq!(waiting(&eve, "me").await, ["First"], "submitted again");
    review(&ada, &second, "comment").await;
    assert!(waiting(&ada, "me").await.is_empty(), "commented");
    patch(&vic, &first, json!({ "state": "draft" })).await;
    assert!(waiting(&eve, "me").await.is_empty(), "withdrawn");
    ada.get("/api/workspaces/w/drafts?reviewer=eve").await.expect_error(400, "must be the id of a user, or `me`");
}

#[tokio::test]
async fn the_author_is_told_about_comments_and_followers_of_the_workspace_too() {
    let server = TestServer::new().await;
    let [_, eve, vic] = team(&server).await;
    let mut of_base = eve.follow("w", "").await;
    let id = start(&vic, "w", "T").await;
    let event = of_base.next_event().await;
    assert_eq!((event.kind.as_str(), event.data), ("drafts", json!({ "op": "create", "draftId": id })));
    let threads = format!("/api/workspaces/{id}/threads");
    let new = json!({ "anchor": { "type": "component", "id": "a" }, "text": "Why?" });
    let thread = eve.post(&threads, new).await.created()["thread"]["id"].clone();
    let event = of_base.next_event().await;
    assert_eq!((event.kind.as_str(), event.data), ("drafts", json!({ "op": "comments", "draftId": id })));
    server.notify().await;
    let entry = vic.get("/api/me/inbox").await.ok()["entries"][0].clone();
    assert_eq!(entry["title"], "eve commented on a in w");
    assert_eq!((&entry["workspaceId"], &entry["threadId"]), (&json!(id), &thread));
    let messages = format!("{threads}/{}/messages", thread.as_str().unwrap());
    eve.post(&messages, json!({ "text": "And how?" })).await.created();
    server.notify().await;
    let entry = vic.get("/api/me/inbox").await.ok()["entries"][0].clone();
    assert_eq!((&entry["kind"], &entry["title"]), (&json!("reply"), &json!("eve replied on a in w")));
    assert!(eve.get("/api/me/inbox").await.ok()["entries"].as_array().unwrap().is_empty());
}
