//! Notifications about drafts: reviews and ends of drafts for their authors, and requests that become obsolete.

use planroom::clock::{DAY, MINUTE};
use serde_json::{Value, json};

use super::{
    INBOX,
    emails::{after, confirm},
    titles, unread,
};
use crate::support::{TestClient, TestServer, mail::MailHost};

/// Adds eve, who edits the private workspace `w`, and vic, who views it. Returns ada, its owner, and both.
async fn team(server: &TestServer) -> [TestClient<'_>; 3] {
    let ada = server.seed_map().await;
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    for (login, level) in [("eve", "editor"), ("vic", "viewer")] {
        let user = server.seed_member(login, "acme", "org:member");
        server.grant("w", user, level);
    }
    [ada, server.sign_in("eve").await, server.sign_in("vic").await]
}

/// Starts a draft of `w` with the title `Split payments`, and submits it. Returns its path.
async fn submitted(client: &TestClient<'_>, reviewers: &[i64]) -> String {
    let new = json!({ "title": "Split payments", "submit": true, "reviewers": reviewers });
    let draft = client.post("/api/workspaces/w/drafts", new).await.created()["draft"]["id"].clone();
    format!("/api/drafts/{}", draft.as_str().unwrap())
}

async fn review(client: &TestClient<'_>, draft: &str, verdict: &str, text: Value) {
    client.post(&format!("{draft}/reviews"), json!({ "verdict": verdict, "text": text })).await.created();
}

async fn set_state(client: &TestClient<'_>, draft: &str, state: &str) {
    client.patch(draft, json!({ "state": state })).await.ok();
}

async fn close(client: &TestClient<'_>, draft: &str) {
    client.post(&format!("{draft}/close"), json!({})).await.ok();
}

fn id_of(server: &TestServer, login: &str) -> i64 {
    server.count(&format!("SELECT id FROM user WHERE login = '{login}'"))
}

#[tokio::test]
async fn the_author_is_told_of_verdicts_and_of_the_merge_at_once() {
    let server = TestServer::new().await;
    let [ada, eve, vic] = team(&server).await;
    let draft = submitted(&vic, &[]).await;
    let mut stream = vic.open_stream("/api/me/events").await;
    assert_eq!(stream.next_event().await.data, json!({ "unread": 0 }));
    review(&eve, &draft, "changes-requested", json!("Please   keep\nthe old queue.")).await;
    assert_eq!(stream.next_event().await.data, json!({ "unread": 1 }));
    let entry = vic.get(INBOX).await.ok()["entries"][0].clone();
    assert_eq!(entry["title"], "eve requested changes in your draft of w: Split payments");
    assert_eq!(entry["text"], "Please keep the old queue.");
    assert_eq!((&entry["kind"], &entry["draftEvent"]), (&json!("review-request"), &json!("changes-requested")));
    assert_eq!((&entry["workspaceId"], &entry["actor"]["login"]), (&json!("w"), &json!("eve")));
    assert!(draft.ends_with(entry["draftId"].as_str().unwrap()));

    review(&ada, &draft, "comment", json!("I like it.")).await;
    assert_eq!(stream.next_event().await.data, json!({ "unread": 2 }));
    server.clock.advance(1);
    set_state(&vic, &draft, "open").await;
    review(&eve, &draft, "approved", json!(null)).await;
    let expected = ["eve approved your draft of w: Split payments", "ada commented on your draft of w: Split payments"];
    assert_eq!(titles(&vic).await, expected, "a verdict replaces the earlier one by the same reviewer");
    assert_eq!(vic.get(INBOX).await.ok()["entries"][0]["text"], "", "an approval can have no text");
    server.clock.advance(1);
    ada.post(&format!("{draft}/merge"), json!({})).await.ok();
    let entry = vic.get(INBOX).await.ok()["entries"][0].clone();
    assert_eq!(entry["title"], "ada merged your draft of w: Split payments");
    assert_eq!((&entry["kind"], &entry["draftEvent"]), (&json!("draft-merged"), &json!("merged")));
    assert!(titles(&ada).await.is_empty(), "no notifications about own actions");
    assert_eq!(titles(&eve).await, ["ada commented on a draft of w: Split payments"], "eve has reviewed it before");
}

#[tokio::test]
async fn reviewers_are_told_of_later_texts_and_of_the_next_submission() {
    let server = TestServer::new().await;
    let [ada, eve, vic] = team(&server).await;
    let draft = submitted(&vic, &[]).await;
    review(&eve, &draft, "changes-requested", json!("Keep the old queue.")).await;
    review(&vic, &draft, "comment", json!("Why?")).await;
    assert_eq!(titles(&eve).await, ["vic commented on a draft of w: Split payments"]);
    server.clock.advance(1);
    review(&ada, &draft, "approved", json!(null)).await;
    assert_eq!(titles(&eve).await.len(), 1, "without a text");
    server.clock.advance(1);
    set_state(&vic, &draft, "open").await;
    assert_eq!(titles(&eve).await[0], "vic requested your review of a draft of w");
    assert_eq!(unread(&eve).await, 2);
    assert!(titles(&ada).await[0].starts_with("vic requested your review"), "{:?}", titles(&ada).await);
    assert!(titles(&vic).await.iter().all(|title| !title.starts_with("vic ")), "not of own texts");
    server.clock.advance(1);
    review(&eve, &draft, "approved", json!("@ada, please look at the queue. @out cannot.")).await;
    assert_eq!(titles(&ada).await[0], "eve mentioned you in a review of a draft of w: Split payments");
    assert_eq!(titles(&vic).await[0], "eve approved your draft of w: Split payments");
    let entry = ada.get(INBOX).await.ok()["entries"][0].clone();
    assert_eq!(
        (&entry["kind"], &entry["text"]),
        (&json!("mention"), &json!("@ada, please look at the queue. @out cannot."))
    );
    assert!(draft.ends_with(entry["draftId"].as_str().unwrap()));
}

#[tokio::test]
async fn users_are_not_told_of_what_they_do_with_their_own_draft() {
    let server = TestServer::new().await;
    let [_, eve, vic] = team(&server).await;
    let draft = submitted(&eve, &[id_of(&server, "vic")]).await;
    review(&eve, &draft, "comment", json!("A remark.")).await;
    eve.post(&format!("{draft}/merge"), json!({})).await.ok();
    assert!(titles(&eve).await.is_empty());
    assert_eq!(titles(&vic).await, ["eve merged a draft of w: Split payments"], "reviewers are");
    let own = submitted(&eve, &[id_of(&server, "eve")]).await;
    close(&eve, &own).await;
    assert!(titles(&eve).await.is_empty());
}

#[tokio::test]
async fn the_end_of_a_draft_is_shown_until_it_is_reopened() {
    let server = TestServer::new().await;
    let [ada, eve, vic] = team(&server).await;
    let draft = submitted(&vic, &[]).await;
    close(&eve, &draft).await;
    assert_eq!(titles(&vic).await, ["eve closed your draft of w: Split payments"]);
    server.clock.advance(1);
    set_state(&vic, &draft, "draft").await;
    assert!(titles(&vic).await.is_empty(), "it is open again");
    set_state(&vic, &draft, "open").await;
    ada.post(&format!("{draft}/merge"), json!({})).await.ok();
    assert_eq!(titles(&vic).await, ["ada merged your draft of w: Split payments"]);
}

#[tokio::test]
async fn a_request_for_a_review_ends_when_the_draft_no_longer_waits_for_it() {
    let server = TestServer::new().await;
    let [ada, eve, vic] = team(&server).await;
    let reviewers = [id_of(&server, "eve"), id_of(&server, "ada")];
    let draft = submitted(&vic, &reviewers).await;
    let mut stream = eve.open_stream("/api/me/events").await;
    let asked = ["vic requested your review of a draft of w"];
    let mut expect_unread = async |count: i64, why: &str| {
        assert_eq!(stream.next_event().await.data, json!({ "unread": count }), "{why}");
    };
    expect_unread(1, "asked").await;
    set_state(&vic, &draft, "draft").await;
    expect_unread(0, "withdrawn").await;
    assert!(titles(&eve).await.is_empty());
    set_state(&vic, &draft, "open").await;
    expect_unread(1, "submitted again").await;
    vic.patch(&draft, json!({ "reviewers": reviewers[1..] })).await.ok();
    expect_unread(0, "no longer a reviewer").await;
    vic.patch(&draft, json!({ "reviewers": reviewers })).await.ok();
    expect_unread(1, "a reviewer again").await;
    review(&eve, &draft, "comment", json!("Later.")).await;
    expect_unread(0, "reviewed").await;
    assert_eq!(titles(&eve).await, asked, "as a request that was read");
    assert_eq!(unread(&ada).await, 1, "another reviewer is still asked");
    close(&vic, &draft).await;
    assert!(titles(&eve).await.is_empty() && titles(&ada).await.is_empty(), "closed");
}

#[tokio::test]
async fn an_author_without_access_is_told_nothing() {
    let server = TestServer::new().await;
    let [ada, eve, vic] = team(&server).await;
    let vic_id = id_of(&server, "vic");
    let draft = submitted(&vic, &[]).await;
    review(&eve, &draft, "changes-requested", json!("SECRET")).await;
    ada.delete(&format!("/api/workspaces/w/members/{vic_id}")).await.ok();
    assert_eq!((titles(&vic).await.len(), unread(&vic).await), (0, 0));
    server.clock.advance(1);
    ada.post(&format!("{draft}/reviews"), json!({ "verdict": "approved" })).await.created();
    close(&ada, &draft).await;
    server.clock.advance(1);
    ada.post("/api/workspaces/w/members", json!({ "userId": vic_id })).await.ok();
    let expected = ["ada gave you viewer access to w", "eve requested changes in your draft of w: Split payments"];
    assert_eq!(titles(&vic).await, expected, "only what happened while vic had access");
}

#[tokio::test]
async fn a_verdict_is_sent_by_email_with_its_text_unless_access_was_lost() {
    let host = MailHost::start().await;
    let server = host.planroom().await;
    let [ada, eve, vic] = team(&server).await;
    confirm(&server, "vic");
    let draft = submitted(&vic, &[]).await;
    review(&eve, &draft, "approved", json!(null)).await;
    review(&eve, &draft, "changes-requested", json!("Keep <b>the</b>\nold queue.")).await;
    let mails = after(&server, &host, MINUTE).await;
    assert_eq!(mails.len(), 1, "at once, as requests for reviews");
    let content = &mails[0].content;
    let link = format!("http://planroom.test/o/acme/w/w/drafts/{}", draft.rsplit('/').next().unwrap());
    for text in [
        "Subject: eve requested changes in your draft of w: Split payments",
        "> Keep <b>the</b>\n> old queue.",
        "Keep &lt;b&gt;the&lt;/b&gt;<br>old queue.",
        &link,
        "your account sends emails about reviews of drafts.",
    ] {
        assert!(content.contains(text), "no `{text}` in {content}");
    }
    assert!(!content.contains("approved"), "the approval was withdrawn by the next verdict: {content}");

    review(&ada, &draft, "comment", json!("SECRET")).await;
    ada.delete(&format!("/api/workspaces/w/members/{}", id_of(&server, "vic"))).await.ok();
    assert!(after(&server, &host, MINUTE).await.is_empty(), "vic cannot view the workspace");
    ada.post("/api/workspaces/w/members", json!({ "userId": id_of(&server, "vic") })).await.ok();
    after(&server, &host, MINUTE).await;
    close(&ada, &draft).await;
    assert!(after(&server, &host, MINUTE).await.is_empty(), "the end of a draft is in the daily email");
    let mails = after(&server, &host, DAY).await;
    assert!(mails[0].content.contains("ada closed your draft of w: Split payments"), "{}", mails[0].content);
}

#[tokio::test]
async fn a_review_that_was_read_or_is_unwanted_is_not_sent() {
    let host = MailHost::start().await;
    let server = host.planroom().await;
    let [_, eve, vic] = team(&server).await;
    for login in ["eve", "vic"] {
        confirm(&server, login);
    }
    let draft = submitted(&vic, &[id_of(&server, "eve")]).await;
    review(&eve, &draft, "approved", json!(null)).await;
    vic.post("/api/me/inbox/read", json!({ "until": server.clock.now() })).await.ok();
    assert!(after(&server, &host, MINUTE).await.is_empty(), "eve has answered the request, vic has read the answer");
    vic.patch("/api/me/notification-settings", super::setting("review-request", true, "off")).await.ok();
    review(&eve, &draft, "changes-requested", json!(null)).await;
    assert!(after(&server, &host, DAY).await.is_empty());
    assert_eq!(unread(&server.sign_in("vic").await).await, 1);
}
