//! Entries say what their reader may see now.

use planroom::domain::{accounts::erasure, core::Via};
use serde_json::json;

use super::{INBOX, THREADS, ask, rename, reply, set_visibility, titles, unread};
use crate::support::TestServer;

#[tokio::test]
async fn a_mention_is_in_the_inbox_at_once_and_can_be_marked_as_read() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    let bob = server.sign_in("bob").await;
    let thread = ask(&ada, "@bob, who owns   this?\n\nAsking for @ada.").await;
    let inbox = bob.get(INBOX).await.ok();
    let entry = &inbox["entries"][0];
    assert_eq!(entry["kind"], "mention");
    assert_eq!(entry["title"], "ada mentioned you on a in w");
    assert_eq!(entry["text"], "@bob, who owns this? Asking for @ada.");
    assert_eq!((&entry["anchor"]["id"], &entry["workspaceId"]), (&json!("a"), &json!("w")));
    assert!(thread.ends_with(entry["threadId"].as_str().unwrap()));
    assert_eq!((&entry["actor"]["login"], &entry["readAt"]), (&json!("ada"), &json!(null)));
    assert_eq!(unread(&ada).await, 0, "authors are not notified of their own messages");

    let read = json!({ "ids": [entry["id"], 999_999] });
    assert_eq!(ada.post("/api/me/inbox/read", read.clone()).await.ok()["unread"], 0);
    assert_eq!(unread(&bob).await, 1, "entries of others are not affected");
    assert_eq!(bob.post("/api/me/inbox/read", read).await.ok()["unread"], 0);
    assert_eq!(bob.get(INBOX).await.ok()["entries"][0]["readAt"], server.clock.now());
    assert_eq!(bob.get(&format!("{INBOX}?unread=true")).await.ok()["entries"], json!([]));
}

#[tokio::test]
async fn everything_up_to_a_time_is_marked_as_read() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    let bob = server.sign_in("bob").await;
    ask(&ada, "@bob 1").await;
    let until = server.clock.now();
    server.clock.advance(1);
    ask(&ada, "@bob 2").await;
    assert_eq!(bob.post("/api/me/inbox/read", json!({ "until": until })).await.ok()["unread"], 1);
    for wrong in [json!({}), json!({ "ids": [1], "until": 1 })] {
        bob.post("/api/me/inbox/read", wrong).await.expect_error(400, "ids: is required, or `until`, but not both");
    }
    let mentions = bob.get(&format!("{INBOX}?kind=mention&limit=1")).await.ok();
    assert_eq!(mentions["entries"][0]["text"], "@bob 2");
    let next = format!("{INBOX}?kind=mention&limit=1&cursor={}", mentions["nextCursor"].as_str().unwrap());
    assert_eq!(bob.get(&next).await.ok()["entries"][0]["text"], "@bob 1");
    assert_eq!(bob.get(&format!("{INBOX}?kind=reply")).await.ok()["entries"], json!([]));
}

#[tokio::test]
async fn an_edited_message_is_shown_as_it_is_and_a_deleted_one_not_at_all() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    let bob = server.sign_in("bob").await;
    let thread = ask(&ada, "@bob: the password is hunter2").await;
    let first = format!("{thread}/messages/1");
    ada.patch(&first, json!({ "text": "@bob: please rotate the password" })).await.ok();
    assert_eq!(bob.get(INBOX).await.ok()["entries"][0]["text"], "@bob: please rotate the password");
    ada.patch(&first, json!({ "text": "Never mind" })).await.ok();
    assert_eq!((titles(&bob).await.len(), unread(&bob).await), (0, 0), "no longer mentioned");
    ada.patch(&first, json!({ "text": "@bob again" })).await.ok();
    assert_eq!(titles(&bob).await.len(), 1, "the same mention is one entry");
    ada.delete(&thread).await.ok();
    assert_eq!((titles(&bob).await.len(), unread(&bob).await), (0, 0));
}

#[tokio::test]
async fn a_reader_without_access_sees_nothing_until_they_have_access_again() {
    let server = TestServer::new().await;
    let bob_id = server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    let bob = server.sign_in("bob").await;
    ask(&ada, "@bob?").await;
    assert_eq!(unread(&bob).await, 1);
    set_visibility(&ada, "private").await;
    assert_eq!((titles(&bob).await.len(), unread(&bob).await), (0, 0));
    ada.post("/api/workspaces/w/members", json!({ "userId": bob_id })).await.ok();
    assert_eq!(titles(&bob).await, ["ada gave you viewer access to w", "ada mentioned you on a in w"]);
    ada.delete(&format!("/api/workspaces/w/members/{bob_id}")).await.ok();
    set_visibility(&ada, "members").await;
    assert_eq!(unread(&bob).await, 0);
    set_visibility(&ada, "org").await;
    assert_eq!(titles(&bob).await, ["ada mentioned you on a in w"], "bob is no longer a member");
    ada.delete("/api/workspaces/w").await.ok();
    assert_eq!(unread(&bob).await, 0, "the workspace is deleted");
}

#[tokio::test]
async fn an_inbox_has_the_entries_of_the_active_organization() {
    let server = TestServer::new().await;
    let bob_id = server.seed_member("bob", "acme", "org:member");
    server.create_org("other", "eve").await;
    server.join(bob_id, "other", "org:member");
    let ada = server.seed_map().await;
    ask(&ada, "@bob?").await;
    let bob = server.sign_in("bob").await;
    let orgs = bob.get("/api/orgs").await.ok()["organizations"].clone();
    let id_of = |slug: &str| orgs.as_array().unwrap().iter().find(|org| org["slug"] == slug).unwrap()["id"].clone();
    let mut found = Vec::new();
    for slug in ["acme", "other"] {
        let switched = bob.post("/api/auth/organization", json!({ "orgId": id_of(slug) })).await.ok();
        let there = server.with(switched["token"].as_str().unwrap());
        if slug == "other" {
            let all = json!({ "until": server.clock.now() });
            there.post("/api/me/inbox/read", all).await.ok();
        }
        found.push((titles(&there).await.len(), unread(&there).await));
    }
    assert_eq!(found, [(1, 1), (0, 0)]);
    let switched = bob.post("/api/auth/organization", json!({ "orgId": id_of("acme") })).await.ok();
    assert_eq!(unread(&server.with(switched["token"].as_str().unwrap())).await, 1, "other organizations stay unread");
}

#[tokio::test]
async fn replies_in_a_thread_are_one_entry_until_it_is_read() {
    let server = TestServer::new().await;
    for login in ["bob", "cy"] {
        server.seed_member(login, "acme", "org:member");
    }
    let ada = server.seed_map().await;
    let (bob, cy) = (server.sign_in("bob").await, server.sign_in("cy").await);
    let thread = ask(&ada, "Why?").await;
    reply(&bob, &thread, "Because").await;
    let last = reply(&cy, &thread, "No").await;
    server.notify().await;
    let entry = ada.get(INBOX).await.ok()["entries"][0].clone();
    assert_eq!((&entry["title"], &entry["text"]), (&json!("2 replies on a in w"), &json!("No")));
    assert_eq!((&entry["actor"]["login"], &entry["count"]), (&json!("cy"), &json!(2)));
    assert_eq!(titles(&bob).await, ["cy replied on a in w"], "one's own reply is no news");
    cy.delete(&last).await.ok();
    let entry = ada.get(INBOX).await.ok()["entries"][0].clone();
    assert_eq!((&entry["title"], &entry["text"]), (&json!("bob replied on a in w"), &json!("Because")));
    assert_eq!(titles(&bob).await.len(), 0);
    ada.post("/api/me/inbox/read", json!({ "ids": [entry["id"]] })).await.ok();
    reply(&bob, &thread, "Really").await;
    server.notify().await;
    assert_eq!(titles(&ada).await.len(), 2);
    assert_eq!(unread(&ada).await, 1);
}

#[tokio::test]
async fn a_user_who_leaves_a_thread_gets_mentions_but_no_replies() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    let bob = server.sign_in("bob").await;
    let thread = ask(&ada, "Why?").await;
    let follow = thread.replace("/api/workspaces", "/api/me/watches/workspaces");
    assert_eq!(ada.get(&follow).await.ok()["following"], true, "authors follow their threads");
    assert_eq!(bob.get(&follow).await.ok()["following"], false);
    ada.delete(&follow).await.ok();
    reply(&bob, &thread, "1").await;
    server.notify().await;
    assert_eq!(titles(&ada).await.len(), 0);
    reply(&bob, &thread, "2, @ada").await;
    server.notify().await;
    assert_eq!(titles(&ada).await, ["bob mentioned you on a in w"]);
    assert_eq!(ada.get(&follow).await.ok()["following"], false, "a mention does not bring them back");
    reply(&ada, &thread, "3").await;
    assert_eq!(ada.get(&follow).await.ok()["following"], true, "writing does");
    bob.delete(&follow).await.ok();
    assert_eq!(bob.put(&follow, json!(null)).await.status, 200);
    reply(&ada, &thread, "4").await;
    server.notify().await;
    assert_eq!(titles(&bob).await, ["2 replies on a in w"]);
    let unknown = format!("/api/me/watches{}/nothing", THREADS.trim_start_matches("/api"));
    bob.get(&unknown).await.expect_error(404, "thread");
    bob.put(&unknown, json!(null)).await.expect_error(404, "thread");
}

#[tokio::test]
async fn an_erased_user_has_no_inbox_and_is_not_named_in_others() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    let bob = server.sign_in("bob").await;
    ask(&ada, "@bob?").await;
    bob.put("/api/me/watches/workspaces/w", json!(null)).await.ok();
    bob.patch("/api/me/notification-settings", json!({ "digestHour": 3 })).await.ok();
    bob.patch("/api/me/notification-settings", super::setting("mention", true, "off")).await.ok();
    ask(&bob, "@ada!").await;
    rename(&ada, "A").await;
    server.notify().await;
    server.app.gate.system(Via::Cli, move |tx| erasure::erase(tx, "bob")).await.unwrap();
    for table in ["watch", "notification", "thread_follow", "notification_setting", "notification_schedule"] {
        let sql =
            format!("SELECT count(*) FROM {table} t JOIN user u ON u.id = t.user_id WHERE u.login LIKE 'erased-%'");
        assert_eq!(server.count(&sql), 0, "{table}");
    }
    let text = ada.get(INBOX).await.ok().to_string();
    assert!(text.contains("Erased user") && !text.contains("bob"), "{text}");
}

#[tokio::test]
async fn a_permanently_removed_workspace_has_no_entries() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    ask(&ada, "@bob?").await;
    ada.put("/api/me/watches/workspaces/w", json!(null)).await.ok();
    ada.delete("/api/workspaces/w").await.ok();
    server.clock.advance(31 * planroom::clock::DAY);
    server.clean_up().await;
    for table in ["notification", "watch", "thread_follow", "notification_message"] {
        assert_eq!(server.count(&format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
}
