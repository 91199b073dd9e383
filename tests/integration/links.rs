//! External links of components: plain URLs, and wiki URLs without a connection.

use rusqlite::params;
use serde_json::{Value, json};

use crate::support::{TestClient, TestResponse, TestServer};

const LINKS: &str = "/api/workspaces/w/components/a/links";
/// A page of the wiki, and its start page.
const PAGE: &str = "https://www.notion.so/acme/Checkout-1429989fe8ac4effbc8f57f56486db54";
const START: &str = "https://www.notion.so/acme";

impl TestClient<'_> {
    /// Links the component `a` to a URL.
    async fn link(&self, url: &str) -> Value {
        self.post(LINKS, json!({ "url": url })).await.created()["link"].clone()
    }

    async fn links(&self) -> Value {
        self.get(LINKS).await.ok()["links"].clone()
    }
}

fn at(link: &Value) -> String {
    format!("{LINKS}/{}", link["id"])
}

#[tokio::test]
async fn a_plain_url_is_stored_unchanged() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for given in [
        "https://example.org",
        "HTTP://Example.ORG:80/a/../b?q=%20&r#top",
        "https://пример.рф/путь",
        "http://[::1]:8080/",
    ] {
        let link = ada.link(given).await;
        assert_eq!((&link["url"], &link["kind"]), (&json!(given), &json!("url")));
        assert_eq!((&link["workspaceId"], &link["componentId"]), (&json!("w"), &json!("a")));
        assert_eq!((&link["properties"], &link["revision"]), (&json!({}), &json!(ada.revision("w").await)));
        for filled_by_the_wiki in ["targetId", "title", "icon", "fetchedAt"] {
            assert!(link.get(filled_by_the_wiki).is_none(), "{link}");
        }
    }
}

#[tokio::test]
async fn links_are_listed_in_order_of_creation_and_shown_with_their_component() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    assert_eq!(ada.links().await, json!([]));
    let mut made = Vec::new();
    for n in 0..12 {
        made.push(ada.link(&format!("https://example.org/{n}")).await);
    }
    assert_eq!(ada.links().await, json!(made));
    assert_eq!(ada.get("/api/workspaces/w/components/a").await.ok()["links"], json!(made));
    assert_eq!(ada.get("/api/workspaces/w/components/b/links").await.ok(), json!({ "links": [] }));
}

#[tokio::test]
async fn a_url_can_be_linked_twice_and_ids_are_never_reused() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let (first, second) = (ada.link("https://example.org").await, ada.link("https://example.org").await);
    assert_eq!(ada.delete(&at(&second)).await.ok(), json!({ "ok": true }));
    ada.delete(&at(&second)).await.expect_error(404, "link not found");
    let third = ada.link("https://example.org").await;
    assert!(third["id"].as_i64() > second["id"].as_i64(), "{second} {third}");
    assert_eq!(ada.links().await, json!([first, third]));
}

#[tokio::test]
async fn a_link_is_only_found_in_its_own_component_and_workspace() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_workspace("v").await;
    ada.create_components("v", &["a"]).await;
    let link = ada.link("https://example.org").await;
    let id = &link["id"];
    let written = server.log_sizes();
    for (path, missing) in [
        (format!("/api/workspaces/w/components/b/links/{id}"), "link"),
        (format!("/api/workspaces/v/components/a/links/{id}"), "link"),
        (format!("/api/workspaces/w/components/none/links/{id}"), "component"),
        (format!("/api/workspaces/none/components/a/links/{id}"), "workspace"),
        (format!("{LINKS}/999"), "link"),
        (format!("{LINKS}/-1"), "link"),
    ] {
        ada.delete(&path).await.expect_error(404, &format!("{missing} not found"));
        ada.post(&format!("{path}/refresh"), json!({})).await.expect_error(404, &format!("{missing} not found"));
    }
    let none = "/api/workspaces/w/components/none/links";
    ada.get(none).await.expect_error(404, "component not found");
    ada.post(none, json!({ "url": "https://example.org" })).await.expect_error(404, "component not found");
    for odd in ["x", "1.5", "9223372036854775808", "%20"] {
        ada.delete(&format!("{LINKS}/{odd}")).await.expect_error(400, "invalid path");
    }
    assert_eq!((server.log_sizes(), ada.links().await), (written, json!([link])));
}

#[tokio::test]
async fn refreshing_a_plain_link_changes_nothing_and_sends_no_request() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    // Nothing listens there.
    let link = ada.link("http://127.0.0.1:1/").await;
    let written = server.log_sizes();
    let refreshed = ada.send(axum::http::Method::POST, &format!("{}/refresh", at(&link)), None).await.ok();
    assert_eq!(refreshed, json!({ "link": link, "unchanged": true }));
    assert_eq!(server.log_sizes(), written);
}

#[tokio::test]
async fn a_wiki_url_without_an_id_is_rejected_first() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let written = server.log_sizes();
    for body in [
        json!({ "url": START }),
        json!({ "url": START, "kind": null }),
        json!({ "url": START, "kind": "wiki-page" }),
        json!({ "url": format!("{START}?v=1429989fe8ac4effbc8f57f56486db54"), "kind": "wiki-database" }),
        // A link of kind wiki must have a wiki URL.
        json!({ "url": "https://example.org/1429989fe8ac4effbc8f57f56486db54", "kind": "wiki-page" }),
        json!({ "url": PAGE.replace("notion.so", "notion.so.example.org"), "kind": "wiki-database" }),
    ] {
        let refused = ada.post(LINKS, body).await.expect_error(400, "no identifier found in the URL");
        assert_eq!((&refused["code"], &refused["field"]), (&json!("bad_wiki_url"), &json!("url")));
    }
    assert_eq!((server.log_sizes(), ada.links().await), (written, json!([])));
}

#[tokio::test]
async fn a_wiki_page_cannot_be_linked_before_the_wiki_is_connected() {
    fn misconfigured(reply: &TestResponse) {
        assert_eq!(reply.expect_error(503, "not configured")["code"], "wiki_misconfigured");
        assert_eq!(reply.header("retry-after"), "", "trying again would not help");
    }
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let written = server.log_sizes();
    for kind in [json!(null), json!("wiki-page"), json!("wiki-database")] {
        misconfigured(&ada.post(LINKS, json!({ "url": PAGE, "kind": kind })).await);
    }
    assert_eq!((server.log_sizes(), ada.links().await), (written, json!([])), "a failed resolution stores nothing");
    // A link from an import.
    server.sql(|conn| {
        let sql =
            "INSERT INTO external_link (workspace_pk, component_id, kind, url, target_id, title, icon, fetched_at,
                                              revision, created_at, updated_at)
                   VALUES (1, 'a', 'wiki-page', ?, '1429989fe8ac4effbc8f57f56486db54', 'Checkout', '🛒', 7, 1, 1, 1)";
        conn.execute(sql, params![PAGE]).unwrap();
    });
    let links = ada.links().await;
    assert_eq!((&links[0]["title"], &links[0]["fetchedAt"]), (&json!("Checkout"), &json!(7)));
    misconfigured(&ada.post(&format!("{}/refresh", at(&links[0])), json!({})).await);
    assert_eq!(ada.links().await, links, "a failed refresh keeps what was there");
    ada.delete(&at(&links[0])).await.ok();
}

#[tokio::test]
async fn the_kind_url_stores_any_url_as_a_plain_link() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for url in [PAGE, START, "https://example.org"] {
        let link = ada.post(LINKS, json!({ "url": url, "kind": "url" })).await.created()["link"].clone();
        assert_eq!((&link["url"], &link["kind"], link.get("targetId")), (&json!(url), &json!("url"), None));
        let refreshed = ada.post(&format!("{}/refresh", at(&link)), json!({})).await.ok();
        assert_eq!(refreshed, json!({ "link": link, "unchanged": true }));
    }
}

#[tokio::test]
async fn an_invalid_url_is_rejected_and_its_secrets_are_not_repeated() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let written = server.log_sizes();
    let long = format!("https://example.org/{}", "x".repeat(2_029));
    for (url, why) in [
        ("", "must begin with `https://` or `http://`"),
        ("example.org", "must begin with"),
        ("https:example.org", "must begin with"),
        ("javascript:alert(1)", "must begin with"),
        ("file:///etc/passwd", "must begin with"),
        ("https://", "empty host"),
        ("https://example.org:x/", "invalid port"),
        (" https://example.org", "must not contain"),
        ("https://example.org/\u{0}", "must not contain"),
        ("https://example.org\\@example.net", "must not contain"),
        ("https://ada:hunter2@example.org", "must not contain a user name or password"),
        (&long, "must have at most 2048 characters, has 2049"),
    ] {
        for kind in [json!(null), json!("url"), json!("wiki-page")] {
            let reply = ada.post(LINKS, json!({ "url": url, "kind": kind })).await;
            assert_eq!(reply.expect_error(400, why)["field"], "url", "{reply}");
            assert!(!String::from_utf8_lossy(&reply.bytes).contains("hunter2"), "{reply}");
        }
    }
    assert_eq!(server.log_sizes(), written);
    ada.link(&long[..2_048]).await;
}

#[tokio::test]
async fn a_link_that_is_sent_again_creates_another() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let link = ada.link("https://example.org").await;
    let mut read = link.clone();
    for (field, value) in
        [("targetId", json!("t")), ("title", json!("T")), ("icon", json!("i")), ("fetchedAt", json!(1))]
    {
        read[field] = value;
    }
    let again = ada.post(LINKS, read).await.created()["link"].clone();
    assert_ne!(again["id"], link["id"]);
    assert_eq!((&again["url"], again.get("title")), (&link["url"], None), "the wiki alone fills titles");
}

#[tokio::test]
async fn a_link_sent_twice_with_one_key_is_created_once() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let keyed = ada.header("idempotency-key", "k");
    let link = keyed.link("https://example.org").await;
    assert_eq!(keyed.link("https://example.org").await, link);
    assert_eq!(ada.links().await, json!([link]));
    keyed.post(LINKS, json!({ "url": "https://example.net" })).await.expect_error(409, "Idempotency-Key");
    // A request without a body can be repeated too, and is a different request.
    let refresh = format!("{}/refresh", at(&link));
    keyed.send(axum::http::Method::POST, &refresh, None).await.expect_error(409, "Idempotency-Key");
    let keyed = ada.header("idempotency-key", "l");
    let first = keyed.send(axum::http::Method::POST, &refresh, None).await.ok();
    ada.delete(&at(&link)).await.ok();
    assert_eq!(keyed.send(axum::http::Method::POST, &refresh, None).await.ok(), first);
}

#[tokio::test]
async fn a_stale_link_is_not_deleted() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let link = ada.link("https://example.org").await;
    let revision = link["revision"].as_i64().unwrap();
    let outdated = ada.header("if-match", &format!("\"{}\"", revision - 1));
    let refused = outdated.delete(&at(&link)).await.expect_error(412, "it has changed");
    assert_eq!((&refused["code"], &refused["current"]), (&json!("stale"), &link));
    ada.header("if-match", &format!("\"{revision}\"")).delete(&at(&link)).await.ok();
}

#[tokio::test]
async fn each_write_is_one_row_of_the_log() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await.header("x-batch-id", "hang");
    let link = ada.link("https://example.org").await;
    ada.delete(&at(&link)).await.ok();
    let log: Vec<_> = server.changes().into_iter().filter(|change| change.batch == "hang").collect();
    let id = &link["id"];
    assert_eq!(server.changes_of("hang"), [format!("create link {id}"), format!("delete link {id}")]);
    assert_eq!((&log[0].after, &log[1].before), (&link, &link));
    assert_eq!((log[0].revision + 1, ada.revision("w").await), (log[1].revision, log[1].revision));
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind LIKE 'link.%'"), 2);
}

#[tokio::test]
async fn links_of_a_component_with_any_id_are_reachable() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for id in ["a/b", "100%", "c++", "a b", "漢字"] {
        ada.create_components("w", &[id]).await;
        let path = format!("/api/workspaces/w/components/{}/links", crate::support::segment(id));
        let link = ada.post(&path, json!({ "url": "https://example.org" })).await.created()["link"].clone();
        assert_eq!(link["componentId"], id);
        assert_eq!(ada.get(&path).await.ok()["links"], json!([link]));
        ada.delete(&format!("{path}/{}", link["id"])).await.ok();
    }
}

#[tokio::test]
async fn viewers_can_read_but_not_write_links() {
    let server = TestServer::new().await;
    server.seed_member("vic", "acme", "org:member");
    let ada = server.seed_map().await;
    let link = ada.link("https://example.org").await;
    let vic = server.sign_in("vic").await;
    assert_eq!(vic.links().await, json!([link]));
    vic.post(LINKS, json!({ "url": "https://example.org" })).await.expect_error(403, "editor");
    // The URL is not validated either.
    vic.post(LINKS, json!({ "url": START })).await.expect_error(403, "editor");
    vic.delete(&at(&link)).await.expect_error(403, "editor");
    vic.post(&format!("{}/refresh", at(&link)), json!({})).await.expect_error(403, "editor");
}
