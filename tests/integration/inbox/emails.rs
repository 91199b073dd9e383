//! Emails about entries: written when they are sent, from what their reader may see then.

use planroom::clock::{DAY, HOUR, MINUTE};
use serde_json::json;

use super::{ask, rename, reply, set_visibility, setting};
use crate::support::{
    TestClient, TestServer,
    mail::{Mail, MailHost},
};

const SETTINGS: &str = "/api/me/notification-settings";

/// A server that sends emails, with `ada` and the map `w`, and `bob`, whose address is confirmed. The time is two hours
/// before the daily email.
async fn server_with_bob(host: &MailHost) -> TestServer {
    let server = host.planroom().await;
    server.seed_member("bob", "acme", "org:member");
    confirm(&server, "bob");
    server.clock.step(DAY + 5 * HOUR - server.clock.now().rem_euclid(DAY));
    server
}

/// Confirms the address of a user.
pub(super) fn confirm(server: &TestServer, login: &str) {
    let sql = "UPDATE user SET email = login || '@example.org', is_email_confirmed = 1 WHERE login = ?";
    server.sql(|conn| conn.execute(sql, [login]).unwrap());
}

/// Lets time pass, and returns the emails that are sent.
pub(super) async fn after(server: &TestServer, host: &MailHost, milliseconds: i64) -> Vec<Mail> {
    server.clock.advance(milliseconds);
    server.notify().await;
    while server.app.mail().send_due().await.unwrap() > 0 {}
    host.take()
}

async fn set(client: &TestClient<'_>, kind: &str, email: &str) {
    client.patch(SETTINGS, setting(kind, true, email)).await.ok();
}

#[tokio::test]
async fn a_mention_is_sent_after_a_minute_with_its_text_and_a_link() {
    let host = MailHost::start().await;
    let server = server_with_bob(&host).await;
    let ada = server.seed_map().await;
    let thread = ask(&ada, "@bob, is <b>this</b> right?\nI doubt it.").await;
    assert!(after(&server, &host, MINUTE - 1).await.is_empty(), "not at once");
    let mails = after(&server, &host, 1).await;
    assert_eq!(mails.len(), 1);
    let Mail { to, content } = &mails[0];
    assert_eq!(to, "bob@example.org");
    let id = thread.rsplit('/').next().unwrap();
    for text in [
        "Subject: ada mentioned you on a in w",
        "Auto-Submitted: auto-generated",
        "List-Unsubscribe: <http://planroom.test/unsubscribe/",
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
        "> @bob, is <b>this</b> right?\n> I doubt it.",
        "@bob, is &lt;b&gt;this&lt;/b&gt; right?<br>I doubt it.",
        &format!("http://planroom.test/o/acme/w/w?thread={id}"),
        "Inbox: http://planroom.test/?inbox=open",
        "Settings: http://planroom.test/account/notifications",
        "your account sends emails about mentions.",
    ] {
        assert!(content.contains(text), "no `{text}` in {content}");
    }
    for remote in ["<img", "src=", "url(", "bob@example.org\n\n"] {
        assert!(!content.contains(remote), "{content}");
    }
    assert!(after(&server, &host, DAY).await.is_empty(), "it is sent once");
}

#[tokio::test]
async fn a_request_for_a_review_names_the_draft_and_links_it() {
    let host = MailHost::start().await;
    let server = server_with_bob(&host).await;
    let ada = server.seed_map().await;
    let bob = server.sign_in("bob").await;
    let me = bob.get("/api/me").await.ok();
    let new = json!({ "title": "Split payments", "reviewers": [me["id"]], "submit": true });
    let draft = ada.post("/api/workspaces/w/drafts", new).await.created()["draft"].clone();
    let entry = bob.get("/api/me/inbox").await.ok()["entries"][0].clone();
    assert_eq!((&entry["text"], &entry["draftId"]), (&json!("Split payments"), &draft["id"]));
    let mails = after(&server, &host, MINUTE).await;
    let content = &mails[0].content;
    let link = format!("http://planroom.test/o/acme/w/w/drafts/{}", draft["id"].as_str().unwrap());
    for text in ["Subject: ada requested your review of a draft of w", "> Split payments", &link] {
        assert!(content.contains(text), "no `{text}` in {content}");
    }
}

#[tokio::test]
async fn a_reader_who_lost_access_before_an_email_is_sent_gets_nothing_of_it() {
    let host = MailHost::start().await;
    let server = server_with_bob(&host).await;
    let ada = server.seed_map().await;
    ask(&ada, "@bob SECRET").await;
    set_visibility(&ada, "private").await;
    assert!(after(&server, &host, MINUTE).await.is_empty(), "before it was queued");

    set_visibility(&ada, "org").await;
    ask(&ada, "@bob SECRET").await;
    ask(&ada, "@bob PUBLIC").await;
    host.refuse(Some("451 4.7.1 Greylisted"));
    assert!(after(&server, &host, MINUTE).await.is_empty());
    assert_eq!(server.count("SELECT count(*) FROM mail_message WHERE letter IS NOT NULL"), 1, "it waits");
    set_visibility(&ada, "private").await;
    host.refuse(None);
    assert!(after(&server, &host, MINUTE).await.is_empty(), "while it waited for the mail server");
    assert_eq!(server.count("SELECT count(*) FROM mail_message WHERE letter IS NOT NULL"), 0, "it was dropped");
}

#[tokio::test]
async fn edits_deletions_and_reading_before_an_email_is_sent_are_respected() {
    let host = MailHost::start().await;
    let server = server_with_bob(&host).await;
    let ada = server.seed_map().await;
    let bob = server.sign_in("bob").await;
    let edited = ask(&ada, "@bob SECRET 1").await;
    let deleted = ask(&ada, "@bob SECRET 2").await;
    ask(&ada, "@bob read").await;
    let last = bob.get("/api/me/inbox").await.ok()["entries"][0]["id"].clone();
    bob.post("/api/me/inbox/read", json!({ "ids": [last] })).await.ok();
    ada.patch(&format!("{edited}/messages/1"), json!({ "text": "@bob, changed" })).await.ok();
    ada.delete(&deleted).await.ok();
    let mails = after(&server, &host, MINUTE).await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0].content.contains("> @bob, changed\n"), "{}", mails[0].content);
    for gone in ["SECRET", "read\n"] {
        assert!(!mails[0].content.contains(&format!("@bob {gone}")), "{}", mails[0].content);
    }
}

#[tokio::test]
async fn several_entries_of_a_kind_are_one_email() {
    let host = MailHost::start().await;
    let server = server_with_bob(&host).await;
    let ada = server.seed_map().await;
    let bob = server.sign_in("bob").await;
    set(&bob, "reply", "immediate").await;
    let thread = ask(&bob, "Why?").await;
    for n in 1..=3 {
        ask(&ada, &format!("@bob question {n}")).await;
        reply(&ada, &thread, &format!("answer {n}")).await;
    }
    server.notify().await;
    let mails = after(&server, &host, MINUTE).await;
    assert_eq!(mails.len(), 2, "mentions, and replies in the same thread");
    let (mentions, replies) = (&mails[0].content, &mails[1].content);
    assert!(mentions.contains("Subject: 3 notifications from Planroom"), "{mentions}");
    assert!(replies.contains("Subject: 3 replies on a in w"), "{replies}");
    for n in 1..=3 {
        assert!(mentions.contains(&format!("> @bob question {n}\n")), "{mentions}");
        assert!(replies.contains(&format!("> answer {n}\n")), "{replies}");
    }
    reply(&ada, &thread, "answer 4").await;
    server.notify().await;
    let mails = after(&server, &host, MINUTE).await;
    assert_eq!(mails.len(), 1);
    assert!(
        mails[0].content.contains("> answer 4\n") && !mails[0].content.contains("answer 3"),
        "{}",
        mails[0].content
    );
}

#[tokio::test]
async fn the_daily_email_has_everything_unread_at_the_hour_of_the_user_and_is_skipped_when_empty() {
    let host = MailHost::start().await;
    let server = server_with_bob(&host).await;
    let ada = server.seed_map().await;
    let bob = server.sign_in("bob").await;
    server.notify().await;
    bob.put("/api/me/watches/workspaces/w", json!(null)).await.ok();
    let thread = ask(&bob, "Why?").await;
    rename(&ada, "Web").await;
    reply(&ada, &thread, "Because").await;
    server.notify().await;
    assert!(after(&server, &host, 2 * HOUR - 1).await.is_empty(), "not before seven");
    let mails = after(&server, &host, 1).await;
    assert_eq!(mails.len(), 1);
    let content = &mails[0].content;
    for text in [
        "Subject: 2 notifications from Planroom",
        "ada changed Web in w",
        "ada replied on Web in w",
        "> Because\n",
        "http://planroom.test/o/acme/w/w?c=a",
        "your account collects notifications, once a day.",
        "List-Unsubscribe: <",
    ] {
        assert!(content.contains(text), "no `{text}` in {content}");
    }
    assert!(after(&server, &host, DAY).await.is_empty(), "nothing is new");
    // Another hour, for a change that was made before.
    let (ada, bob) = (server.sign_in("ada").await, server.sign_in("bob").await);
    rename(&ada, "Shop").await;
    server.notify().await;
    bob.patch(SETTINGS, json!({ "digestHour": 10 })).await.ok();
    assert!(after(&server, &host, 3 * HOUR - 1).await.is_empty());
    assert_eq!(after(&server, &host, 1).await.len(), 1);
    // Everything was read.
    let (ada, bob) = (server.sign_in("ada").await, server.sign_in("bob").await);
    rename(&ada, "Web").await;
    server.notify().await;
    bob.post("/api/me/inbox/read", json!({ "until": server.clock.now() })).await.ok();
    assert!(after(&server, &host, DAY).await.is_empty());
    assert_eq!(server.count("SELECT count(*) FROM mail_message WHERE letter IS NOT NULL"), 0);
}

#[tokio::test]
async fn no_email_is_sent_without_a_confirmed_address_or_if_emails_are_off() {
    let host = MailHost::start().await;
    let server = server_with_bob(&host).await;
    for login in ["cy", "dee"] {
        server.seed_member(login, "acme", "org:member");
    }
    confirm(&server, "dee");
    server.sql(|conn| {
        conn.execute("UPDATE user SET email = 'cy@example.org', is_email_confirmed = 0 WHERE login = 'cy'", []).unwrap()
    });
    let ada = server.seed_map().await;
    let bob = server.sign_in("bob").await;
    assert_eq!(bob.get(SETTINGS).await.ok()["emails"], true);
    assert_eq!(server.sign_in("cy").await.get(SETTINGS).await.ok()["emails"], false);
    ask(&ada, "@bob @cy @dee").await;
    set(&bob, "mention", "off").await;
    server.sql(|conn| conn.execute("UPDATE user SET is_suspended = 1 WHERE login = 'dee'", []).unwrap());
    assert!(after(&server, &host, MINUTE).await.is_empty());
    set(&bob, "mention", "immediate").await;
    assert!(after(&server, &host, DAY).await.is_empty(), "an email that was turned off does not come later");
}

#[tokio::test]
async fn an_email_without_an_entry_in_the_inbox_is_possible() {
    let host = MailHost::start().await;
    let server = server_with_bob(&host).await;
    let ada = server.seed_map().await;
    let bob = server.sign_in("bob").await;
    bob.patch(SETTINGS, setting("mention", false, "immediate")).await.ok();
    ask(&ada, "@bob?").await;
    let inbox = bob.get("/api/me/inbox").await.ok();
    assert_eq!((&inbox["entries"], &inbox["unread"]), (&json!([]), &json!(0)));
    assert_eq!(after(&server, &host, MINUTE).await.len(), 1);
}

#[tokio::test]
async fn an_address_that_is_refused_delays_no_other_and_a_flood_continues_in_the_daily_email() {
    let host = MailHost::start().await;
    let server = server_with_bob(&host).await;
    server.seed_member("cy", "acme", "org:member");
    confirm(&server, "cy");
    let ada = server.seed_map().await;
    ask(&ada, "@bob?").await;
    server.clock.advance(MINUTE);
    server.notify().await;
    host.refuse(Some("550 5.1.1 User unknown"));
    while server.app.mail().send_due().await.unwrap() > 0 {}
    host.refuse(None);
    ask(&ada, "@cy?").await;
    let mails = after(&server, &host, MINUTE).await;
    assert_eq!(mails.iter().map(|mail| mail.to.as_str()).collect::<Vec<_>>(), ["cy@example.org"]);
    // 24 emails a day; bob has one already.
    let mut sent = 0;
    for n in 0..30 {
        let ada = server.sign_in("ada").await;
        ask(&ada, &format!("@bob {n}")).await;
        sent += after(&server, &host, MINUTE).await.len();
    }
    assert_eq!(sent, 23);
    let digest = after(&server, &host, 2 * HOUR).await;
    assert_eq!(digest.len(), 0, "the limit also holds for the daily email, which waits");
    let later = after(&server, &host, DAY).await;
    assert_eq!(later.len(), 1);
    assert!(
        later[0].content.contains("> @bob 29\n") && !later[0].content.contains("> @bob 1\n"),
        "{}",
        later[0].content
    );
    // Other emails are not limited by these.
    let ada = server.sign_in("ada").await;
    let org = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    let made = ada.post(&format!("/api/orgs/{org}/invitations"), json!({ "email": "bob@example.org" })).await.created();
    assert_eq!(made["mailed"], true);
}

#[tokio::test]
async fn emails_that_wait_contain_nothing_readable_and_end_with_a_restore() {
    let host = MailHost::start().await;
    let server = server_with_bob(&host).await;
    let ada = server.seed_map().await;
    ask(&ada, "@bob?").await;
    server.clock.advance(MINUTE);
    server.notify().await;
    let letters: Vec<Vec<u8>> = server.sql(|conn| {
        let mut statement = conn.prepare("SELECT letter FROM mail_message WHERE letter IS NOT NULL").unwrap();
        statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    });
    assert_eq!(letters.len(), 1);
    assert!(!String::from_utf8_lossy(&letters[0]).contains("token"));
    server.sql(|conn| conn.execute("UPDATE mail_message SET incarnation = 'another'", []).unwrap());
    assert!(after(&server, &host, 0).await.is_empty());
}
