//! What an approval is for, whose approvals count, and how long requests for changes last.

use serde_json::{Value, json};

use super::{names, patch, read, rename, start, submit};
use crate::support::{TestClient, TestServer};

/// A protected workspace `w` of ada, which needs one approval, with the editors eve and max and the viewer vic. Returns eve,
/// max and vic.
pub(super) async fn protected(server: &TestServer) -> [TestClient<'_>; 3] {
    let ada = server.seed_map().await;
    protect(server, &ada).await
}

/// Protects the workspace `w` of ada as [`protected`] does.
pub(super) async fn protect<'s>(server: &'s TestServer, ada: &TestClient<'s>) -> [TestClient<'s>; 3] {
    for (login, level) in [("eve", "editor"), ("max", "editor"), ("vic", "viewer")] {
        let user = server.seed_member(login, "acme", "org:member");
        server.grant("w", user, level);
    }
    let protection = json!({ "protected": true, "requiredApprovals": 1, "ownersExempt": true });
    ada.patch("/api/workspaces/w/protection", protection).await.ok();
    [server.sign_in("eve").await, server.sign_in("max").await, server.sign_in("vic").await]
}

pub(super) async fn approve(client: &TestClient<'_>, id: &str) -> Value {
    review(client, id, json!({ "verdict": "approved" })).await
}

async fn review(client: &TestClient<'_>, id: &str, body: Value) -> Value {
    client.post(&format!("/api/drafts/{id}/reviews"), body).await.created()["draft"].clone()
}

#[tokio::test]
async fn an_approval_lapses_when_an_update_decides_a_conflict_without_changing_a_row() {
    let server = TestServer::new().await;
    let [eve, max, vic] = protected(&server).await;
    let ada = server.sign_in("ada").await;
    let id = start(&vic, "w", "Without a").await;
    vic.delete(&format!("/api/workspaces/{id}/components/a")).await.ok();
    submit(&vic, &id).await;
    let approved = approve(&eve, &id).await;
    assert_eq!(approved["state"], "approved");
    // An update that only brings what the draft has already changes nothing.
    let same = vic.post(&format!("/api/drafts/{id}/update"), json!({})).await.ok();
    assert_eq!((&same["rows"], &same["draft"]["state"]), (&json!(0), &json!("approved")));
    rename(&ada, "w", "a", "Important").await;
    let merge = format!("/api/drafts/{id}/merge");
    max.post(&merge, json!({ "otherwise": "draft" })).await.expect_error(409, "update the draft");
    let updated = vic.post(&format!("/api/drafts/{id}/update"), json!({ "otherwise": "draft" })).await.ok();
    assert_eq!((&updated["rows"], &updated["changeSetId"]), (&json!(0), &Value::Null));
    let draft = &updated["draft"];
    assert_eq!((&draft["state"], &draft["approvals"]), (&json!("open"), &json!(0)));
    assert!(draft["revision"].as_i64() > approved["revision"].as_i64(), "{draft}");
    max.post(&merge, json!({})).await.expect_error(409, "0 of 1 required approvals");
    // The draft can be edited, approved and merged as before.
    rename(&vic, &id, "b", "Beta").await;
    approve(&eve, &id).await;
    max.post(&merge, json!({})).await.ok();
    assert_eq!(names(&ada, "w").await, [("b".to_owned(), "Beta".to_owned())]);
}

#[tokio::test]
async fn an_editor_who_has_changed_a_draft_cannot_approve_it() {
    let server = TestServer::new().await;
    let [eve, max, vic] = protected(&server).await;
    let id = start(&vic, "w", "T").await;
    let eve_id = server.count("SELECT id FROM user WHERE login = 'eve'");
    patch(&vic, &id, json!({ "state": "open", "reviewers": [eve_id] })).await;
    assert_eq!(read(&eve, &id).await["canReview"], true);
    // An approval counts until its author changes the draft, also if the change is undone.
    assert_eq!(approve(&eve, &id).await["state"], "approved");
    let path = format!("/api/workspaces/{id}/components/b");
    let deleted = eve.delete(&path).await;
    assert!(deleted.status.is_success());
    let change_set = deleted.header("x-request-id").to_owned();
    let reviews = format!("/api/drafts/{id}/reviews");
    for verdict in ["approved", "changes-requested"] {
        eve.post(&reviews, json!({ "verdict": verdict })).await.expect_error(403, "you have changed this draft");
    }
    review(&eve, &id, json!({ "verdict": "comment", "text": "I have removed b." })).await;
    let draft = read(&eve, &id).await;
    assert_eq!((&draft["canReview"], &draft["approvals"]), (&json!(false), &json!(0)));
    let waiting = eve.get("/api/workspaces/w/drafts?reviewer=me").await.ok();
    assert_eq!(waiting["drafts"], json!([]), "it waits for others");
    eve.post(&format!("/api/workspaces/{id}/undo"), json!({ "changeSetId": change_set })).await.ok();
    assert_eq!(read(&eve, &id).await["approvals"], 0);
    let merge = format!("/api/drafts/{id}/merge");
    eve.post(&merge, json!({})).await.expect_error(409, "0 of 1 required approvals");
    assert_eq!(read(&max, &id).await["canReview"], true);
    assert_eq!(approve(&max, &id).await["state"], "approved");
    eve.post(&merge, json!({})).await.ok();
}

#[tokio::test]
async fn an_approval_that_was_stored_does_not_count_if_its_author_has_changed_the_draft() {
    let server = TestServer::new().await;
    let [eve, _, vic] = protected(&server).await;
    let id = start(&vic, "w", "T").await;
    rename(&eve, &id, "a", "Alpha").await;
    submit(&vic, &id).await;
    // As an earlier version of Planroom has stored it.
    server.sql(|conn| {
        let sql = "INSERT INTO draft_review (draft_pk, reviewer_id, verdict, revision, created_at)
                   SELECT d.pk, u.id, 'approved', w.revision, 1 FROM draft d JOIN workspace w ON w.pk = d.workspace_pk,
                   user u WHERE u.login = 'eve'";
        conn.execute(sql, []).unwrap();
    });
    let draft = read(&vic, &id).await;
    assert_eq!((&draft["state"], &draft["reviews"][0]["isCurrent"]), (&json!("open"), &json!(false)));
    eve.post(&format!("/api/drafts/{id}/merge"), json!({})).await.expect_error(409, "0 of 1 required approvals");
}

#[tokio::test]
async fn a_review_is_of_the_map_that_was_looked_at() {
    let server = TestServer::new().await;
    let [eve, _, vic] = protected(&server).await;
    let id = start(&vic, "w", "T").await;
    submit(&vic, &id).await;
    let seen = read(&eve, &id).await["revision"].clone();
    rename(&vic, &id, "a", "Unseen").await;
    let reviews = format!("/api/drafts/{id}/reviews");
    for verdict in ["approved", "changes-requested", "comment"] {
        let body = json!({ "verdict": verdict, "text": "Fine.", "expectedRevision": seen });
        let stale = eve.post(&reviews, body).await.expect_error(409, "has changed since");
        assert_eq!(stale["code"], "stale");
    }
    assert_eq!(read(&eve, &id).await["reviews"], json!([]));
    let seen = read(&eve, &id).await["revision"].clone();
    let approved = review(&eve, &id, json!({ "verdict": "approved", "expectedRevision": seen })).await;
    assert_eq!(approved["state"], "approved");
}

#[tokio::test]
async fn a_request_for_changes_stays_until_the_map_has_changed() {
    let server = TestServer::new().await;
    let [eve, max, vic] = protected(&server).await;
    let eve_id = server.count("SELECT id FROM user WHERE login = 'eve'");
    let id = start(&vic, "w", "T").await;
    rename(&vic, &id, "a", "Alpha").await;
    patch(&vic, &id, json!({ "state": "open", "reviewers": [eve_id] })).await;
    review(&eve, &id, json!({ "verdict": "changes-requested", "text": "Not a." })).await;
    approve(&max, &id).await;
    server.clock.advance(1);
    for state in ["open", "draft", "open"] {
        patch(&vic, &id, json!({ "state": state })).await;
    }
    let draft = read(&vic, &id).await;
    assert_eq!((&draft["state"], &draft["approvals"]), (&json!("changes-requested"), &json!(1)));
    let merge = format!("/api/drafts/{id}/merge");
    max.post(&merge, json!({})).await.expect_error(409, "an editor has requested changes");
    let waiting = eve.get("/api/workspaces/w/drafts?reviewer=me").await.ok();
    assert_eq!(waiting["drafts"][0]["id"], json!(id), "the author asks again");
    rename(&vic, &id, "a", "Aleph").await;
    assert_eq!(read(&vic, &id).await["state"], "changes-requested", "not submitted again");
    submit(&vic, &id).await;
    assert_eq!(read(&vic, &id).await["state"], "open");
    // A request of the new map stays, an older one does not come back.
    review(&max, &id, json!({ "verdict": "changes-requested", "text": "Not Aleph." })).await;
    submit(&vic, &id).await;
    let reviews = read(&vic, &id).await["reviews"].clone();
    let current: Vec<&Value> = reviews.as_array().unwrap().iter().map(|review| &review["isCurrent"]).collect();
    assert_eq!(current, [&json!(false), &json!(false), &json!(true)]);
}

#[tokio::test]
async fn comments_in_reviews_follow_the_setting_for_comments_and_their_limit() {
    let server = TestServer::new().await;
    let [eve, _, vic] = protected(&server).await;
    let ada = server.sign_in("ada").await;
    let (of_eve, of_vic) = (start(&eve, "w", "By eve").await, start(&vic, "w", "By vic").await);
    let remark = json!({ "verdict": "comment", "text": "A remark." });
    review(&vic, &of_eve, remark.clone()).await;
    ada.patch("/api/workspaces/w/comments", json!({ "commenters": "editors" })).await.ok();
    vic.post(&format!("/api/drafts/{of_eve}/reviews"), remark.clone())
        .await
        .expect_error(403, "only editors can comment");
    review(&vic, &of_vic, remark.clone()).await;
    for _ in 0..30 {
        review(&eve, &of_vic, remark.clone()).await;
    }
    server.clock.advance(20_000);
    let refused = eve.post(&format!("/api/drafts/{of_eve}/reviews"), remark.clone()).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "40"));
    review(&ada, &of_vic, remark.clone()).await;
    server.clock.advance(40_000);
    review(&eve, &of_vic, remark).await;
}

#[tokio::test]
async fn an_approval_does_not_count_again_when_a_merged_or_closed_draft_is_reopened() {
    let server = TestServer::new().await;
    let [eve, max, vic] = protected(&server).await;
    let before = names(&vic, "w").await;
    let risky = start(&vic, "w", "Risky").await;
    rename(&vic, &risky, "a", "Risky").await;
    submit(&vic, &risky).await;
    approve(&eve, &risky).await;
    let merge = format!("/api/drafts/{risky}/merge");
    max.post(&merge, json!({})).await.ok();
    // Another approved draft takes the change back.
    let back = start(&max, "w", "Take it back").await;
    rename(&max, &back, "a", &before[0].1).await;
    submit(&max, &back).await;
    approve(&eve, &back).await;
    max.post(&format!("/api/drafts/{back}/merge"), json!({})).await.ok();

    patch(&vic, &risky, json!({ "state": "draft" })).await;
    let reopened = patch(&vic, &risky, json!({ "state": "open" })).await;
    assert_eq!((&reopened["state"], &reopened["approvals"]), (&json!("open"), &json!(0)));
    assert_eq!(reopened["reviews"][0]["isCurrent"], false);
    max.post(&merge, json!({})).await.expect_error(409, "0 of 1 required approvals");
    assert_eq!(names(&vic, "w").await, before);
    approve(&eve, &risky).await;
    vic.post(&format!("/api/drafts/{risky}/close"), json!({})).await.ok();
    patch(&vic, &risky, json!({ "state": "draft" })).await;
    assert_eq!(patch(&vic, &risky, json!({ "state": "open" })).await["approvals"], 0, "what was given up");
    let eve_id = server.count("SELECT id FROM user WHERE login = 'eve'");
    patch(&vic, &risky, json!({ "reviewers": [eve_id] })).await;
    assert_eq!(eve.get("/api/workspaces/w/drafts?reviewer=me").await.ok()["drafts"][0]["id"], json!(risky));
    approve(&eve, &risky).await;
    max.post(&merge, json!({})).await.ok();
    assert_eq!(names(&vic, "w").await[0].1, "Risky");
}

#[tokio::test]
async fn a_request_for_changes_stays_when_a_closed_draft_is_reopened() {
    let server = TestServer::new().await;
    let [eve, max, vic] = protected(&server).await;
    let id = start(&vic, "w", "T").await;
    rename(&vic, &id, "a", "Alpha").await;
    submit(&vic, &id).await;
    review(&eve, &id, json!({ "verdict": "changes-requested", "text": "Not a." })).await;
    vic.post(&format!("/api/drafts/{id}/close"), json!({})).await.ok();
    patch(&vic, &id, json!({ "state": "draft" })).await;
    assert_eq!(patch(&vic, &id, json!({ "state": "open" })).await["state"], "changes-requested");
    approve(&max, &id).await;
    max.post(&format!("/api/drafts/{id}/merge"), json!({})).await.expect_error(409, "an editor has requested changes");
}
