//! Unexpected provider responses and cyclic lists.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::{Value, json};

use super::{connected_by_token, registered};
use crate::support::wiki::content::{address, dashed, plain, within};

const TEST: &str = "/api/admin/wiki/test";

#[tokio::test]
async fn an_unexpected_provider_response_is_a_bad_gateway() {
    let (server, wiki) = connected_by_token().await;
    let ada = server.seed_map().await;
    for odd in [json!({}), json!(null), json!([]), json!({ "id": 7 }), json!({ "id": null, "bot": 7 }), json!("x")] {
        wiki.respond_with("GET /v1/users/me", odd.clone());
        ada.post(TEST, json!({})).await.expect_error(502, "unexpected response from the wiki");
    }
    let page = format!("GET /v1/pages/{}", plain(1));
    for odd in [
        json!({}),
        json!(null),
        json!(7),
        json!({ "object": null, "id": dashed(1) }),
        json!({ "object": "page", "id": 7 }),
        json!({ "object": "page", "id": "../../users/me" }),
        json!({ "object": "page", "id": dashed(1), "properties": null }),
        json!({ "object": "page", "id": dashed(1), "parent": 7 }),
        json!({ "object": "page", "id": dashed(1), "title": [7] }),
    ] {
        wiki.respond_with(&page, odd.clone());
        ada.link_to(&address(1)).await.expect_error(502, "unexpected response from the wiki");
    }
    // Unexpected values in unused fields are ignored.
    for fine in [
        json!({ "object": "page", "id": dashed(1) }),
        json!({ "object": "page", "id": dashed(1), "icon": 7, "url": null, "last_edited_time": null, "parent": {} }),
        json!({ "object": "page", "id": dashed(1), "icon": { "type": "emoji" }, "properties": { "a": null, "b": 7 } }),
        json!({ "object": "page", "id": dashed(1), "properties": { "a": { "type": "title", "title": 7 } } }),
        json!({ "object": "page", "id": dashed(1), "icon": { "type": "external", "external": null } }),
    ] {
        wiki.respond_with(&page, fine.clone());
        let link = ada.link_to(&address(1)).await.created()["link"].clone();
        assert_eq!((&link["title"], &link["icon"]), (&json!("Untitled"), &Value::Null), "{fine}");
    }
    let content = format!("GET /v1/blocks/{}/children", plain(1));
    for odd in
        [json!({}), json!({ "results": null }), json!({ "results": [null] }), json!({ "results": [{ "id": 1 }] })]
    {
        wiki.respond_with(&content, odd.clone());
        let list = ada.get(&format!("/api/wiki/children?kind=wiki-page&id={}", plain(1))).await;
        list.expect_error(502, "unexpected response from the wiki");
    }
    wiki.respond_with("POST /v1/search", json!({ "results": [{ "object": "page", "id": "x" }], "has_more": true }));
    let roots = ada.get("/api/wiki/children").await.ok();
    assert_eq!((&roots["results"], &roots["nextCursor"]), (&json!([]), &Value::Null), "more, and no way there");
}

#[tokio::test]
async fn wiki_titles_are_truncated_to_one_line() {
    let (server, wiki) = connected_by_token().await;
    let ada = server.seed_map().await;
    wiki.root(1, &"x".repeat(100_000), Value::Null);
    wiki.root(2, "a\u{0}b\u{1b}[2Jc\r\nd", Value::Null);
    let title = async |n| ada.link_to(&address(n)).await.created()["link"]["title"].as_str().unwrap().to_owned();
    assert_eq!(title(1).await.chars().count(), 301);
    assert_eq!(title(2).await, "a b [2Jc d");
}

#[tokio::test]
async fn connection_details_are_truncated_to_one_line() {
    let (server, wiki) = registered().await;
    let ada = server.sign_in("ada").await;
    let odd = "Acme\u{1b}]0;owned\u{7}\r\n".to_owned() + &"x".repeat(100_000);
    wiki.respond_with(
        "POST /v1/oauth/token",
        json!({ "access_token": "ntn_x", "bot_id": odd, "workspace_id": odd, "workspace_name": odd,
                "workspace_icon": odd, "owner": { "user": { "name": odd } } }),
    );
    assert_eq!(ada.connect(&wiki).await, "/?wiki=connected");
    let status = ada.status().await;
    for field in ["botId", "workspaceId", "workspaceName", "workspaceIcon", "ownerName"] {
        let Some(text) = status[field].as_str() else { continue };
        assert!(text.chars().count() <= 2_048 && !text.chars().any(char::is_control), "{field}: {}", text.len());
    }
    assert!(status["workspaceName"].as_str().unwrap().starts_with("Acme ]0;owned x"));
}

#[tokio::test]
async fn a_forged_cursor_gives_no_access() {
    let (server, wiki) = connected_by_token().await;
    server.seed_admin("eve", "other").await;
    let (ada, eve) = (server.sign_in("ada").await, server.sign_in("eve").await);
    for n in 1..=150 {
        wiki.root(n, "Page", Value::Null);
    }
    let cursor = ada.get("/api/wiki/children").await.ok()["nextCursor"].as_str().unwrap().to_owned();
    wiki.take_requests();
    // Another organization without a connection: a cursor gives no access.
    eve.get(&format!("/api/wiki/children?cursor={cursor}")).await.expect_error(503, "not configured");
    assert_eq!(wiki.take_requests(), [""; 0]);
    let made = |cursor: Value| URL_SAFE_NO_PAD.encode(cursor.to_string());
    let id = plain(1);
    for (query, cursor) in [
        (String::new(), json!({ "d": [["../users/me"], null] })),
        (String::new(), json!({ "d": [[id], null] })),
        (String::new(), json!({ "r": "not-the-providers" })),
        (format!("id={id}&"), json!({ "r": "x" })),
        (format!("id={id}&"), json!({ "p": [["x", 18_446_744_073_709_551_615_u64]] })),
        (format!("id={id}&kind=wiki-database&"), json!({ "p": [[null, 0]] })),
        (format!("id={id}&kind=wiki-page&"), json!({ "p": vec![json!([null, 0]); 10] })),
        (format!("id={id}&"), json!({ "p": [[null, -1]] })),
        (format!("id={id}&"), json!({ "x": 1 })),
    ] {
        let reply = ada.get(&format!("/api/wiki/children?{query}cursor={}", made(cursor.clone()))).await;
        assert_eq!(reply.expect_error(400, "nextCursor")["field"], "cursor", "{cursor}");
    }
    // A cursor behind the end of the list returns an empty page.
    let far = made(json!({ "p": [[null, u64::MAX]] }));
    let end = ada.get(&format!("/api/wiki/children?id={id}&cursor={far}")).await.ok();
    assert_eq!((&end["results"], &end["nextCursor"]), (&json!([]), &Value::Null));
}

#[tokio::test]
async fn an_endless_list_is_split_into_parts() {
    let (server, wiki) = connected_by_token().await;
    let ada = server.sign_in("ada").await;
    let more = json!({ "results": [], "has_more": true, "next_cursor": "again" });
    wiki.respond_with("POST /v1/search", more.clone());
    wiki.respond_with(&format!("GET /v1/blocks/{}/children", plain(1)), more.clone());
    wiki.respond_with(&format!("POST /v1/data_sources/{}/query", dashed(3)), more);
    wiki.root(1, "Page", Value::Null);
    wiki.database(2, "Database", Value::Null, json!({ "type": "workspace", "workspace": true }), &[3]);
    for query in
        [String::new(), format!("id={}&kind=wiki-page", plain(1)), format!("id={}&kind=wiki-database", plain(2))]
    {
        wiki.take_requests();
        let part = ada.get(&format!("/api/wiki/children?{query}")).await.ok();
        assert_eq!(part["results"], json!([]), "{query}");
        assert!(part["nextCursor"].is_string(), "{query}");
        assert!(wiki.take_requests().len() <= 6, "{query}");
    }
}

#[tokio::test]
async fn cyclic_blocks_are_not_followed_endlessly() {
    let (server, wiki) = connected_by_token().await;
    let ada = server.sign_in("ada").await;
    wiki.root(1, "Page", Value::Null);
    for inner in [2, 3] {
        wiki.block(inner, "toggle", true, 1);
        for around in [2, 3] {
            wiki.block(inner, "toggle", true, around);
        }
    }
    wiki.page(9, "Deep", Value::Null, within("page_id", 1));
    wiki.child_page(9, "Deep", 1);
    wiki.take_requests();
    let part = ada.get(&format!("/api/wiki/children?kind=wiki-page&id={}", plain(1))).await.ok();
    assert!(part["nextCursor"].as_str().is_none_or(|cursor| cursor.len() <= 4_000));
    let asked = wiki.take_requests().len();
    assert!(asked <= 16, "{asked} requests for one part");
}
