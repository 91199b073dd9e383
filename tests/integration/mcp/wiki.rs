//! Browsing the wiki with tools: bounded results, and never another organization's.

use serde_json::{Value, json};

use super::Assistant;
use crate::{
    support::{
        TestServer,
        wiki::{
            FakeWiki, Fault,
            content::{address, dashed, emoji, plain, within},
        },
    },
    wiki::registered,
};

/// An assistant of acme with a connected wiki.
async fn connected(server: &TestServer) -> Assistant<'_> {
    server.connect_wiki("acme");
    server.assistant_of("ada").await
}

/// Titles of a complete list, and the number of results.
async fn browse_all(assistant: &Assistant<'_>, mut ask: Value) -> (Vec<String>, usize) {
    let (mut titles, mut answers) = (Vec::new(), 0);
    loop {
        let page = assistant.call_ok("list_wiki_children", ask.clone()).await;
        assert_eq!(page["truncated"], !page["nextCursor"].is_null(), "{page}");
        let entries = page["entries"].as_array().unwrap();
        titles.extend(entries.iter().map(|entry| entry["title"].as_str().unwrap().to_owned()));
        ask["cursor"] = page["nextCursor"].clone();
        answers += 1;
        assert!(answers < 50, "there is an end");
        if ask["cursor"].is_null() {
            return (titles, answers);
        }
    }
}

#[tokio::test]
async fn an_assistant_finds_a_wiki_page_and_links_it() {
    let (server, wiki) = registered().await;
    server.seed_map().await;
    let assistant = connected(&server).await;
    wiki.root(1, "Handbook", emoji("📕"));
    wiki.page(2, "Checkout", Value::Null, within("page_id", 1));
    wiki.child_page(2, "Checkout", 1);
    wiki.database(5, "Services", Value::Null, json!({ "type": "workspace", "workspace": true }), &[6]);
    wiki.row(7, 6, "Orders");
    let top = assistant.call_ok("list_wiki_children", json!({})).await;
    let handbook = json!({ "kind": "wiki-page", "id": plain(1), "title": "Handbook", "url": address(1), "hasChildren": true,
                           "lastEditedAt": "2026-03-11T10:00:00.000Z" });
    assert_eq!((&top["entries"][0], &top["truncated"]), (&handbook, &json!(false)));
    assert_eq!(top["entries"][1]["kind"], "wiki-database");
    let below = assistant.call_ok("list_wiki_children", json!({ "id": plain(1), "kind": "wiki-page" })).await;
    let page = &below["entries"][0];
    assert_eq!(page["title"], "Checkout");
    // IDs are accepted in all common formats, and their kind is detected.
    for id in [dashed(5), plain(5).to_uppercase()] {
        assert_eq!(browse_all(&assistant, json!({ "id": id })).await.0, ["Orders"]);
    }
    // Listed pages can be linked.
    let link = json!({ "workspaceId": "w", "componentId": "a", "url": page["url"] });
    let added = assistant.call_ok("add_component_link", link).await;
    assert_eq!((&added["kind"], &added["title"]), (&json!("wiki-page"), &json!("Checkout")));
}

#[tokio::test]
async fn a_long_list_is_split_into_responses_without_gaps() {
    let (server, wiki) = registered().await;
    let assistant = connected(&server).await;
    wiki.root(1, "Handbook", Value::Null);
    // The wiki returns a hundred entries at a time, which is more than one result holds.
    let expected: Vec<String> = (0..250).map(|n| format!("Page {n} \"of\" {}", "x".repeat(150))).collect();
    for (n, title) in (0..).zip(&expected) {
        wiki.child_page(1_000 + n, title, 1);
    }
    let (titles, answers) = browse_all(&assistant, json!({ "id": plain(1) })).await;
    let cut: Vec<String> = expected.iter().map(|title| title.chars().take(160).chain(['…']).collect()).collect();
    assert_eq!(titles, cut);
    assert!(answers > 2, "{answers}");
}

#[tokio::test]
async fn wiki_errors_are_reported() {
    let (server, wiki) = registered().await;
    let before = server.assistant_of("ada").await;
    let told = before.call_err("list_wiki_children", json!({}), "(code: wiki_misconfigured)").await;
    assert!(told.contains("tell the user"), "{told}");
    let assistant = connected(&server).await;
    wiki.root(1, "Handbook", Value::Null);
    for (ask, text) in [
        (json!({ "id": "handbook" }), "id: must be 32 hexadecimal digits"),
        (json!({ "id": plain(1), "kind": "url" }), "kind: must be"),
        (json!({ "pageId": plain(1) }), "pageId: the tool list_wiki_children has no such argument"),
        (json!({ "cursor": "x" }), "cursor: must be"),
        (json!({ "cursor": "1~x" }), "cursor: must be"),
        (json!({ "id": plain(9) }), "(code: wiki_not_found)"),
    ] {
        assistant.call_err("list_wiki_children", ask, text).await;
    }
    wiki.fail_next(&[Fault::Broken; 3]);
    assistant.call_err("list_wiki_children", json!({}), "(code: wiki_unavailable)").await;
    wiki.state().clear_faults();
    wiki.uninstall();
    assistant.call_err("list_wiki_children", json!({}), "(code: wiki_access_denied)").await;
}

#[tokio::test]
async fn the_wiki_of_another_organization_cannot_be_browsed() {
    let (server, wiki) = registered().await;
    server.seed_org("other", "olga");
    let theirs: &FakeWiki = &wiki;
    theirs.root(1, "Handbook", Value::Null);
    for n in 0..101 {
        theirs.child_page(1_000 + n, "Of theirs", 1);
    }
    let ours = server.assistant_of("olga").await;
    let assistant = connected(&server).await;
    let cursor = assistant.call_ok("list_wiki_children", json!({ "id": plain(1) })).await["nextCursor"].clone();
    assert!(cursor.is_string());
    theirs.take_requests();
    for ask in [json!({}), json!({ "id": plain(1) }), json!({ "id": plain(1), "cursor": cursor })] {
        ours.call_err("list_wiki_children", ask, "(code: wiki_misconfigured)").await;
    }
    assert_eq!(theirs.take_requests(), [""; 0], "nobody was asked on the connection of another");
}
