//! Browsing: roots, child pages, database rows, and paging.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::connected;
use crate::support::{
    TestClient,
    wiki::{
        Fault,
        content::{address, dashed, emoji, plain, within},
    },
};

impl TestClient<'_> {
    /// A complete list, and its number of parts.
    async fn browse(&self, query: &str) -> (Vec<Value>, usize) {
        let (mut all, mut cursor, mut parts) = (Vec::new(), Value::Null, 0);
        loop {
            let more = cursor.as_str().map(|cursor| format!("&cursor={cursor}")).unwrap_or_default();
            let part = self.get(&format!("/api/wiki/children?{query}{more}")).await.ok();
            all.extend(part["results"].as_array().unwrap().iter().cloned());
            (cursor, parts) = (part["nextCursor"].clone(), parts + 1);
            if cursor.is_null() || parts > 20 {
                return (all, parts);
            }
        }
    }
}

fn titles(entries: &[Value]) -> Vec<&str> {
    entries.iter().map(|entry| entry["title"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn roots_are_shared_pages_without_a_shared_parent() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    wiki.page(2, "In the handbook", Value::Null, within("page_id", 1));
    wiki.root(1, "Handbook", emoji("📕"));
    wiki.page(3, "Shared alone", Value::Null, within("page_id", 99));
    wiki.page(4, "In a toggle of nobody's", Value::Null, within("block_id", 98));
    wiki.database(5, "Services", Value::Null, json!({ "type": "workspace", "workspace": true }), &[6, 7]);
    wiki.row(8, 7, "A row");
    let (roots, parts) = ada.browse("").await;
    assert_eq!(titles(&roots), ["Handbook", "Shared alone", "In a toggle of nobody's", "Services"]);
    assert_eq!(parts, 1);
    let handbook = json!({
        "kind": "wiki-page", "targetId": plain(1), "url": address(1), "title": "Handbook", "hasChildren": true,
        "icon": "📕", "parentType": "workspace", "lastEditedAt": "2026-03-11T10:00:00.000Z"
    });
    assert_eq!(roots[0], handbook);
    // Two data sources belong to one database.
    let told = (&roots[3]["kind"], &roots[3]["targetId"], &roots[3]["parentType"], &roots[3]["lastEditedAt"]);
    let expected = (json!("wiki-database"), json!(plain(5)), json!("workspace"), json!("2026-03-11T10:00:00.000Z"));
    assert_eq!(told, (&expected.0, &expected.1, &expected.2, &expected.3));
}

#[tokio::test]
async fn child_pages_are_listed_in_content_order_including_toggles_and_columns() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    wiki.root(1, "Handbook", Value::Null);
    wiki.page(2, "First", emoji("🥇"), within("page_id", 1));
    wiki.child_page(2, "First", 1);
    wiki.block(10, "paragraph", false, 1);
    wiki.block(11, "toggle", true, 1);
    wiki.block(12, "column_list", true, 11);
    wiki.child_page(3, "", 12);
    wiki.child_database(4, "Services", 1);
    // A table has rows but no pages.
    wiki.block(13, "table", true, 1);
    wiki.child_page(9, "Nowhere", 13);
    let (entries, _) = ada.browse(&format!("id={}&kind=wiki-page", dashed(1))).await;
    assert_eq!(titles(&entries), ["First", "Untitled", "Services"]);
    assert_eq!((&entries[0]["icon"], entries[1].get("icon")), (&json!("🥇"), None));
    assert_eq!(entries[0]["url"], format!("https://app.notion.com/p/{}", plain(2)));
    let databases: Vec<&Value> = entries.iter().map(|entry| &entry["hasChildren"]).collect();
    assert_eq!(databases, [false, false, true], "a database always may have rows");
    // Icons are cached after the first read.
    wiki.take_requests();
    ada.browse(&format!("id={}&kind=wiki-page", plain(1))).await;
    assert!(!wiki.take_requests().iter().any(|heard| heard.contains("/v1/pages/")));
}

#[tokio::test]
async fn icons_of_child_pages_are_read_concurrently_and_once() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    wiki.root(1, "Handbook", Value::Null);
    for n in 100..114 {
        wiki.page(n, "Page", emoji("📕"), within("page_id", 1));
        wiki.child_page(n, "Page", 1);
    }
    wiki.take_requests();
    let mut read = Vec::new();
    while read.len() < 14 {
        let (entries, _) = ada.browse(&format!("id={}&kind=wiki-page", plain(1))).await;
        let now: Vec<String> = wiki.take_requests().into_iter().filter(|heard| heard.contains("/v1/pages/")).collect();
        assert!((1..=6).contains(&now.len()), "{now:?}");
        read.extend(now);
        assert_eq!(entries.iter().filter(|entry| entry["icon"] == "📕").count(), read.len());
    }
    let once: HashSet<&String> = read.iter().collect();
    assert_eq!((read.len(), once.len()), (14, 14));
}

#[tokio::test]
async fn two_hundred_and_fifty_pages_are_listed_in_three_parts() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    wiki.root(1, "Handbook", Value::Null);
    for n in 0..250 {
        wiki.child_page(1_000 + n, &format!("Page {n}"), 1);
    }
    let (entries, parts) = ada.browse(&format!("id={}&kind=wiki-page", plain(1))).await;
    assert_eq!(parts, 3);
    let expected: Vec<String> = (0..250).map(|n| format!("Page {n}")).collect();
    assert_eq!(titles(&entries), expected);
}

#[tokio::test]
async fn a_long_page_with_many_toggles_is_listed_completely_in_parts() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    wiki.root(1, "Handbook", Value::Null);
    let mut expected = Vec::new();
    for n in 0..30 {
        wiki.block(1_000 + n, "toggle", true, 1);
        wiki.child_page(2_000 + n, &format!("In toggle {n}"), 1_000 + n);
        expected.push(format!("In toggle {n}"));
    }
    // One child is long and deeply nested.
    wiki.block(3_000, "column_list", true, 1);
    for n in 0..120 {
        wiki.block(4_000 + n, "column", n == 110, 3_000);
    }
    for n in 0..14 {
        wiki.block(5_000 + n, "toggle", true, 4_110);
        wiki.child_page(6_000 + n, &format!("Deep {n}"), 5_000 + n);
        expected.push(format!("Deep {n}"));
    }
    wiki.child_page(7_000, "At the end", 1);
    expected.push("At the end".into());
    let (entries, parts) = ada.browse(&format!("id={}&kind=wiki-page", plain(1))).await;
    assert_eq!(titles(&entries), expected);
    assert!((3..8).contains(&parts), "{parts}");
}

#[tokio::test]
async fn pages_deleted_or_failing_during_a_listing_do_not_end_it() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    wiki.root(1, "Handbook", Value::Null);
    wiki.child_page(2, "First", 1);
    wiki.block(10, "toggle", true, 1);
    wiki.child_page(3, "In a toggle that is gone", 10);
    wiki.hide(10);
    wiki.block(11, "toggle", true, 1);
    wiki.child_page(4, "In a toggle", 11);
    let all = format!("id={}&kind=wiki-page", plain(1));
    assert_eq!(titles(&ada.browse(&all).await.0), ["First", "In a toggle"]);
    // Pages read so far are returned, and the rest with the next part.
    let part = ada.get(&format!("/api/wiki/children?{all}")).await.ok();
    assert_eq!(part["nextCursor"], Value::Null);
    wiki.fail_after(1, Fault::Broken);
    let (entries, parts) = ada.browse(&all).await;
    assert_eq!((titles(&entries), parts), (vec!["First", "In a toggle"], 2));
}

#[tokio::test]
async fn a_database_with_truncated_rows_is_marked_incomplete() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    wiki.database(5, "Services", Value::Null, json!({ "type": "workspace", "workspace": true }), &[6]);
    for n in 0..101 {
        wiki.row(1_000 + n, 6, "Row");
    }
    wiki.incomplete(6);
    let first = ada.get(&format!("/api/wiki/children?id={}", plain(5))).await.ok();
    assert_eq!(first["truncated"], false);
    let cursor = first["nextCursor"].as_str().unwrap();
    let last = ada.get(&format!("/api/wiki/children?id={}&cursor={cursor}", plain(5))).await.ok();
    assert_eq!((&last["truncated"], &last["nextCursor"]), (&json!(true), &Value::Null));
}

#[tokio::test]
async fn content_without_pages_is_skipped() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    wiki.root(1, "Handbook", Value::Null);
    for n in 0..210 {
        wiki.block(1_000 + n, "paragraph", false, 1);
    }
    wiki.child_page(2, "At the end", 1);
    let (entries, parts) = ada.browse(&format!("id={}&kind=wiki-page", plain(1))).await;
    assert_eq!((titles(&entries), parts), (vec!["At the end"], 1));
}

#[tokio::test]
async fn rows_of_a_database_come_from_all_its_data_sources() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    wiki.database(5, "Services", Value::Null, json!({ "type": "workspace", "workspace": true }), &[6, 7, 8]);
    for n in 0..130 {
        wiki.row(1_000 + n, 6, &format!("Of the first {n}"));
    }
    // The second data source is empty.
    for n in 0..20 {
        wiki.row(2_000 + n, 8, &format!("Of the third {n}"));
    }
    let (entries, parts) = ada.browse(&format!("id={}&kind=wiki-database", plain(5))).await;
    assert_eq!((entries.len(), parts), (150, 3));
    assert_eq!(titles(&entries)[129..131], ["Of the first 129", "Of the third 0"]);
    assert_eq!((&entries[0]["kind"], &entries[0]["parentType"]), (&json!("wiki-page"), &json!("data_source_id")));
    // The kind is detected if it is not given.
    wiki.take_requests();
    let (same, _) = ada.browse(&format!("id={}", plain(5))).await;
    assert_eq!(titles(&same), titles(&entries));
}

#[tokio::test]
async fn invalid_requests_are_rejected_before_the_provider_is_asked() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    wiki.root(1, "Handbook", Value::Null);
    for n in 0..101 {
        wiki.root(100 + n, "More", Value::Null);
    }
    let roots = ada.get("/api/wiki/children").await.ok()["nextCursor"].clone();
    wiki.take_requests();
    for id in ["x", "", "1429989fe8ac4effbc8f57f56486db5", "../users/me"] {
        let refused = ada.get(&format!("/api/wiki/children?id={id}")).await.expect_error(400, "32 hexadecimal digits");
        assert_eq!(refused["field"], "id");
    }
    ada.get(&format!("/api/wiki/children?id={}&kind=url", plain(1))).await.expect_error(400, "invalid query");
    let cursor = roots.as_str().unwrap();
    for query in [format!("id={}&cursor={cursor}", plain(1)), "cursor=x".into(), format!("cursor={cursor}x")] {
        assert_eq!(
            ada.get(&format!("/api/wiki/children?{query}")).await.expect_error(400, "nextCursor")["field"],
            "cursor"
        );
    }
    assert_eq!(wiki.take_requests(), [""; 0]);
}

#[tokio::test]
async fn only_members_can_browse() {
    let (server, wiki) = connected().await;
    server.seed_member("vic", "acme", "org:member");
    server.seed_org("other", "xena");
    wiki.root(1, "Handbook", Value::Null);
    assert_eq!(server.sign_in("vic").await.browse("").await.0.len(), 1);
    let xena = server.sign_in("xena").await;
    assert_eq!(xena.get("/api/wiki/children").await.expect_error(503, "not configured")["code"], "wiki_misconfigured");
    for path in ["/api/admin/wiki/test", "/api/admin/wiki/disconnect", "/api/auth/wiki/start"] {
        server.sign_in("vic").await.post(path, json!({})).await.expect_error(403, "admin of the organization");
    }
}
