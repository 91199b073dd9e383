//! Browsing: roots, pages in pages, rows of databases, and how lists go on.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::connected;
use crate::support::{
    Actor,
    wiki::{
        Fault,
        content::{address, dashed, emoji, plain, within},
    },
};

impl Actor<'_> {
    /// A whole list, and how many parts it came in.
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
async fn roots_are_what_is_shared_and_not_below_what_is_shared() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    double.page(2, "In the handbook", Value::Null, within("page_id", 1));
    double.root(1, "Handbook", emoji("📕"));
    double.page(3, "Shared alone", Value::Null, within("page_id", 99));
    double.page(4, "In a toggle of nobody's", Value::Null, within("block_id", 98));
    double.database(5, "Services", Value::Null, json!({ "type": "workspace", "workspace": true }), &[6, 7]);
    double.row(8, 7, "A row");
    let (roots, parts) = ada.browse("").await;
    assert_eq!(titles(&roots), ["Handbook", "Shared alone", "In a toggle of nobody's", "Services"]);
    assert_eq!(parts, 1);
    let handbook = json!({
        "kind": "wiki-page", "targetId": plain(1), "url": address(1), "title": "Handbook", "hasChildren": true,
        "icon": "📕", "parentType": "workspace", "lastEditedAt": "2026-03-11T10:00:00.000Z"
    });
    assert_eq!(roots[0], handbook);
    // Two data sources are one database.
    let told = (&roots[3]["kind"], &roots[3]["targetId"], &roots[3]["parentType"], &roots[3]["lastEditedAt"]);
    let expected = (json!("wiki-database"), json!(plain(5)), json!("workspace"), json!("2026-03-11T10:00:00.000Z"));
    assert_eq!(told, (&expected.0, &expected.1, &expected.2, &expected.3));
}

#[tokio::test]
async fn pages_in_a_page_come_in_the_order_of_its_content_from_toggles_and_columns_too() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    double.root(1, "Handbook", Value::Null);
    double.page(2, "First", emoji("🥇"), within("page_id", 1));
    double.child_page(2, "First", 1);
    double.block(10, "paragraph", false, 1);
    double.block(11, "toggle", true, 1);
    double.block(12, "column_list", true, 11);
    double.child_page(3, "", 12);
    double.child_database(4, "Services", 1);
    // A table has rows and no pages.
    double.block(13, "table", true, 1);
    double.child_page(9, "Nowhere", 13);
    let (entries, _) = ada.browse(&format!("id={}&kind=wiki-page", dashed(1))).await;
    assert_eq!(titles(&entries), ["First", "Untitled", "Services"]);
    assert_eq!((&entries[0]["icon"], entries[1].get("icon")), (&json!("🥇"), None));
    assert_eq!(entries[0]["url"], format!("https://app.notion.com/p/{}", plain(2)));
    let databases: Vec<&Value> = entries.iter().map(|entry| &entry["hasChildren"]).collect();
    assert_eq!(databases, [false, false, true], "a database always may have rows");
    // Icons that were read are known the next time.
    double.heard();
    ada.browse(&format!("id={}&kind=wiki-page", plain(1))).await;
    assert!(!double.heard().iter().any(|heard| heard.contains("/v1/pages/")));
}

#[tokio::test]
async fn icons_of_pages_in_a_page_are_read_a_few_at_a_time_and_each_once() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    double.root(1, "Handbook", Value::Null);
    for n in 100..114 {
        double.page(n, "Page", emoji("📕"), within("page_id", 1));
        double.child_page(n, "Page", 1);
    }
    double.heard();
    let mut read = Vec::new();
    while read.len() < 14 {
        let (entries, _) = ada.browse(&format!("id={}&kind=wiki-page", plain(1))).await;
        let now: Vec<String> = double.heard().into_iter().filter(|heard| heard.contains("/v1/pages/")).collect();
        assert!((1..=6).contains(&now.len()), "{now:?}");
        read.extend(now);
        assert_eq!(entries.iter().filter(|entry| entry["icon"] == "📕").count(), read.len());
    }
    let once: HashSet<&String> = read.iter().collect();
    assert_eq!((read.len(), once.len()), (14, 14));
}

#[tokio::test]
async fn two_hundred_and_fifty_pages_come_in_three_parts() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    double.root(1, "Handbook", Value::Null);
    for n in 0..250 {
        double.child_page(1_000 + n, &format!("Page {n}"), 1);
    }
    let (entries, parts) = ada.browse(&format!("id={}&kind=wiki-page", plain(1))).await;
    assert_eq!(parts, 3);
    let expected: Vec<String> = (0..250).map(|n| format!("Page {n}")).collect();
    assert_eq!(titles(&entries), expected);
}

#[tokio::test]
async fn a_long_page_with_many_toggles_comes_whole_in_several_parts() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    double.root(1, "Handbook", Value::Null);
    let mut expected = Vec::new();
    for n in 0..30 {
        double.block(1_000 + n, "toggle", true, 1);
        double.child_page(2_000 + n, &format!("In toggle {n}"), 1_000 + n);
        expected.push(format!("In toggle {n}"));
    }
    // One of them is long itself, and deep.
    double.block(3_000, "column_list", true, 1);
    for n in 0..120 {
        double.block(4_000 + n, "column", n == 110, 3_000);
    }
    for n in 0..14 {
        double.block(5_000 + n, "toggle", true, 4_110);
        double.child_page(6_000 + n, &format!("Deep {n}"), 5_000 + n);
        expected.push(format!("Deep {n}"));
    }
    double.child_page(7_000, "At the end", 1);
    expected.push("At the end".into());
    let (entries, parts) = ada.browse(&format!("id={}&kind=wiki-page", plain(1))).await;
    assert_eq!(titles(&entries), expected);
    assert!((3..8).contains(&parts), "{parts}");
}

#[tokio::test]
async fn what_goes_away_or_fails_while_a_page_is_read_does_not_end_the_list() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    double.root(1, "Handbook", Value::Null);
    double.child_page(2, "First", 1);
    double.block(10, "toggle", true, 1);
    double.child_page(3, "In a toggle that is gone", 10);
    double.hide(10);
    double.block(11, "toggle", true, 1);
    double.child_page(4, "In a toggle", 11);
    let all = format!("id={}&kind=wiki-page", plain(1));
    assert_eq!(titles(&ada.browse(&all).await.0), ["First", "In a toggle"]);
    // What came is told, and the rest comes with the next part.
    let part = ada.get(&format!("/api/wiki/children?{all}")).await.ok();
    assert_eq!(part["nextCursor"], Value::Null);
    double.fails_after(1, Fault::Broken);
    let (entries, parts) = ada.browse(&all).await;
    assert_eq!((titles(&entries), parts), (vec!["First", "In a toggle"], 2));
}

#[tokio::test]
async fn a_database_whose_rows_the_wiki_does_not_show_to_the_end_says_so() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    double.database(5, "Services", Value::Null, json!({ "type": "workspace", "workspace": true }), &[6]);
    for n in 0..101 {
        double.row(1_000 + n, 6, "Row");
    }
    double.incomplete(6);
    let first = ada.get(&format!("/api/wiki/children?id={}", plain(5))).await.ok();
    assert_eq!(first["truncated"], false);
    let cursor = first["nextCursor"].as_str().unwrap();
    let last = ada.get(&format!("/api/wiki/children?id={}&cursor={cursor}", plain(5))).await.ok();
    assert_eq!((&last["truncated"], &last["nextCursor"]), (&json!(true), &Value::Null));
}

#[tokio::test]
async fn content_without_pages_is_passed_over() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    double.root(1, "Handbook", Value::Null);
    for n in 0..210 {
        double.block(1_000 + n, "paragraph", false, 1);
    }
    double.child_page(2, "At the end", 1);
    let (entries, parts) = ada.browse(&format!("id={}&kind=wiki-page", plain(1))).await;
    assert_eq!((titles(&entries), parts), (vec!["At the end"], 1));
}

#[tokio::test]
async fn rows_of_a_database_come_from_all_its_data_sources() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    double.database(5, "Services", Value::Null, json!({ "type": "workspace", "workspace": true }), &[6, 7, 8]);
    for n in 0..130 {
        double.row(1_000 + n, 6, &format!("Of the first {n}"));
    }
    // The second is empty.
    for n in 0..20 {
        double.row(2_000 + n, 8, &format!("Of the third {n}"));
    }
    let (entries, parts) = ada.browse(&format!("id={}&kind=wiki-database", plain(5))).await;
    assert_eq!((entries.len(), parts), (150, 3));
    assert_eq!(titles(&entries)[129..131], ["Of the first 129", "Of the third 0"]);
    assert_eq!((&entries[0]["kind"], &entries[0]["parentType"]), (&json!("wiki-page"), &json!("data_source_id")));
    // Without being told, it is found out.
    double.heard();
    let (same, _) = ada.browse(&format!("id={}", plain(5))).await;
    assert_eq!(titles(&same), titles(&entries));
}

#[tokio::test]
async fn what_cannot_be_asked_is_refused_before_anybody_is() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    double.root(1, "Handbook", Value::Null);
    for n in 0..101 {
        double.root(100 + n, "More", Value::Null);
    }
    let roots = ada.get("/api/wiki/children").await.ok()["nextCursor"].clone();
    double.heard();
    for id in ["x", "", "1429989fe8ac4effbc8f57f56486db5", "../users/me"] {
        let refused = ada.get(&format!("/api/wiki/children?id={id}")).await.refused(400, "32 hexadecimal digits");
        assert_eq!(refused["field"], "id");
    }
    ada.get(&format!("/api/wiki/children?id={}&kind=url", plain(1))).await.refused(400, "the query is not usable");
    let cursor = roots.as_str().unwrap();
    for query in [format!("id={}&cursor={cursor}", plain(1)), "cursor=x".into(), format!("cursor={cursor}x")] {
        assert_eq!(ada.get(&format!("/api/wiki/children?{query}")).await.refused(400, "nextCursor")["field"], "cursor");
    }
    assert_eq!(double.heard(), [""; 0]);
}

#[tokio::test]
async fn members_browse_and_others_do_not() {
    let (stage, double) = connected().await;
    stage.seed_member("vic", "acme", "org:member");
    stage.seed_org("other", "xena");
    double.root(1, "Handbook", Value::Null);
    assert_eq!(stage.sign_in("vic").await.browse("").await.0.len(), 1);
    let xena = stage.sign_in("xena").await;
    assert_eq!(xena.get("/api/wiki/children").await.refused(503, "not configured")["code"], "wiki_misconfigured");
    for path in ["/api/admin/wiki/test", "/api/admin/wiki/disconnect", "/api/auth/wiki/start"] {
        stage.sign_in("vic").await.post(path, json!({})).await.refused(403, "admin of the organization");
    }
}
