//! Browsing the wiki, against its double: in answers that fit, and never another organization's.

use serde_json::{Value, json};

use super::Assistant;
use crate::{
    support::{
        Stage,
        wiki::{
            Fault, WikiDouble,
            content::{address, dashed, emoji, plain, within},
        },
    },
    wiki::registered,
};

/// An assistant of acme, whose wiki is the double.
async fn connected(stage: &Stage) -> Assistant<'_> {
    stage.connect_wiki("acme");
    stage.assistant_of("ada").await
}

/// Titles of a whole list, and how many answers it took.
async fn browsed(assistant: &Assistant<'_>, mut ask: Value) -> (Vec<String>, usize) {
    let (mut titles, mut answers) = (Vec::new(), 0);
    loop {
        let page = assistant.does("list_wiki_children", ask.clone()).await;
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
async fn an_assistant_finds_the_page_of_a_component_and_links_it() {
    let (stage, double) = registered().await;
    stage.map().await;
    let assistant = connected(&stage).await;
    double.root(1, "Handbook", emoji("📕"));
    double.page(2, "Checkout", Value::Null, within("page_id", 1));
    double.child_page(2, "Checkout", 1);
    double.database(5, "Services", Value::Null, json!({ "type": "workspace", "workspace": true }), &[6]);
    double.row(7, 6, "Orders");
    let top = assistant.does("list_wiki_children", json!({})).await;
    let handbook = json!({ "kind": "wiki-page", "id": plain(1), "title": "Handbook", "url": address(1), "hasChildren": true,
                           "lastEditedAt": "2026-03-11T10:00:00.000Z" });
    assert_eq!((&top["entries"][0], &top["truncated"]), (&handbook, &json!(false)));
    assert_eq!(top["entries"][1]["kind"], "wiki-database");
    let below = assistant.does("list_wiki_children", json!({ "id": plain(1), "kind": "wiki-page" })).await;
    let page = &below["entries"][0];
    assert_eq!(page["title"], "Checkout");
    // Ids are taken as people copy them, and what they name is found out.
    for id in [dashed(5), plain(5).to_uppercase()] {
        assert_eq!(browsed(&assistant, json!({ "id": id })).await.0, ["Orders"]);
    }
    // What it lists, it links.
    let link = json!({ "workspaceId": "w", "componentId": "a", "url": page["url"] });
    let added = assistant.does("add_component_link", link).await;
    assert_eq!((&added["kind"], &added["title"]), (&json!("wiki-page"), &json!("Checkout")));
}

#[tokio::test]
async fn a_long_list_comes_in_answers_that_fit_without_gaps() {
    let (stage, double) = registered().await;
    let assistant = connected(&stage).await;
    double.root(1, "Handbook", Value::Null);
    // The wiki gives a hundred at a time, which is more than an answer holds.
    let expected: Vec<String> = (0..250).map(|n| format!("Page {n} \"of\" {}", "x".repeat(150))).collect();
    for (n, title) in (0..).zip(&expected) {
        double.child_page(1_000 + n, title, 1);
    }
    let (titles, answers) = browsed(&assistant, json!({ "id": plain(1) })).await;
    let cut: Vec<String> = expected.iter().map(|title| title.chars().take(160).chain(['…']).collect()).collect();
    assert_eq!(titles, cut);
    assert!(answers > 3, "{answers}");
}

#[tokio::test]
async fn mistakes_and_trouble_of_the_wiki_are_told() {
    let (stage, double) = registered().await;
    let before = stage.assistant_of("ada").await;
    let told = before.fails("list_wiki_children", json!({}), "(code: wiki_misconfigured)").await;
    assert!(told.contains("tell the user"), "{told}");
    let assistant = connected(&stage).await;
    double.root(1, "Handbook", Value::Null);
    for (ask, text) in [
        (json!({ "id": "handbook" }), "id: must be 32 hexadecimal digits"),
        (json!({ "id": plain(1), "kind": "url" }), "kind: unknown variant `url`"),
        (json!({ "pageId": plain(1) }), "pageId: the tool list_wiki_children takes no such argument"),
        (json!({ "cursor": "x" }), "cursor: must be"),
        (json!({ "cursor": "1~x" }), "cursor: must be"),
        (json!({ "id": plain(9) }), "(code: wiki_not_found)"),
    ] {
        assistant.fails("list_wiki_children", ask, text).await;
    }
    double.fails(&[Fault::Broken; 3]);
    assistant.fails("list_wiki_children", json!({}), "(code: wiki_unavailable)").await;
    double.state().clear_faults();
    double.uninstall();
    assistant.fails("list_wiki_children", json!({}), "(code: wiki_access_denied)").await;
}

#[tokio::test]
async fn nobody_browses_the_wiki_of_another_organization() {
    let (stage, double) = registered().await;
    stage.seed_org("other", "olga");
    let theirs: &WikiDouble = &double;
    theirs.root(1, "Handbook", Value::Null);
    for n in 0..101 {
        theirs.child_page(1_000 + n, "Of theirs", 1);
    }
    let ours = stage.assistant_of("olga").await;
    let assistant = connected(&stage).await;
    let cursor = assistant.does("list_wiki_children", json!({ "id": plain(1) })).await["nextCursor"].clone();
    assert!(cursor.is_string());
    theirs.heard();
    for ask in [json!({}), json!({ "id": plain(1) }), json!({ "id": plain(1), "cursor": cursor })] {
        ours.fails("list_wiki_children", ask, "(code: wiki_misconfigured)").await;
    }
    assert_eq!(theirs.heard(), [""; 0], "nobody was asked on the connection of another");
}
