//! Links to pages and databases of the wiki.

use axum::http::Method;
use serde_json::{Value, json};

use super::{connected, connected_by_token};
use crate::support::wiki::{
    Fault,
    content::{address, dashed, emoji, plain, within},
};

const LINKS: &str = "/api/workspaces/w/components/a/links";

#[tokio::test]
async fn a_link_to_a_page_has_its_title_and_icon() {
    let (server, wiki) = connected().await;
    let ada = server.seed_map().await;
    wiki.root(1, "Checkout runbook", emoji("🛒"));
    let link = ada.link_to(&address(1)).await.created()["link"].clone();
    for (field, value) in [
        ("kind", json!("wiki-page")),
        ("url", json!(address(1))),
        ("targetId", json!(plain(1))),
        ("title", json!("Checkout runbook")),
        ("icon", json!("🛒")),
        ("fetchedAt", json!(server.clock.now())),
    ] {
        assert_eq!(link[field], value, "{field}");
    }
    assert_eq!(wiki.take_requests(), [format!("GET /v1/pages/{} 200", plain(1))]);
    assert_eq!(ada.get(LINKS).await.ok()["links"], json!([link]));
}

#[tokio::test]
async fn a_link_to_a_database_has_the_database_kind() {
    let (server, wiki) = connected().await;
    let ada = server.seed_map().await;
    wiki.database(2, "Services", Value::Null, json!({ "type": "workspace", "workspace": true }), &[3, 4]);
    let link = ada.link_to(&address(2)).await.created()["link"].clone();
    assert_eq!((&link["kind"], &link["title"], link.get("icon")), (&json!("wiki-database"), &json!("Services"), None));
    let (page, database) = (format!("GET /v1/pages/{} 400", plain(2)), format!("GET /v1/databases/{} 200", plain(2)));
    assert_eq!(wiki.take_requests(), [page, database.clone()]);
    // A database URL is looked up as a database first, and the result determines the kind.
    let said = json!({ "url": address(2), "kind": "wiki-database" });
    ada.post(LINKS, said).await.created();
    assert_eq!(wiki.take_requests(), [database]);
    wiki.root(1, "", emoji("🛒"));
    let mistaken = json!({ "url": address(1), "kind": "wiki-database" });
    let link = ada.post(LINKS, mistaken).await.created()["link"].clone();
    assert_eq!((&link["kind"], &link["title"]), (&json!("wiki-page"), &json!("Untitled")));
}

#[tokio::test]
async fn icons_are_an_emoji_or_a_permanent_url() {
    let (server, wiki) = connected().await;
    let ada = server.seed_map().await;
    for (n, icon, kept) in [
        (1, json!(null), None),
        (2, emoji("🏭"), Some("🏭")),
        (
            3,
            json!({ "type": "external", "external": { "url": "https://example.org/i.png" } }),
            Some("https://example.org/i.png"),
        ),
        (
            4,
            json!({ "type": "custom_emoji", "custom_emoji": { "id": "x", "name": "n", "url": "https://example.org/e" } }),
            Some("https://example.org/e"),
        ),
        (
            5,
            json!({ "type": "icon", "icon": { "name": "cart", "color": "blue" } }),
            Some("https://www.notion.so/icons/cart_blue.svg"),
        ),
    ] {
        wiki.root(n, "Page", icon);
        let link = ada.link_to(&address(n)).await.created()["link"].clone();
        assert_eq!(link.get("icon").and_then(Value::as_str), kept, "{link}");
    }
}

#[tokio::test]
async fn a_plain_link_to_the_wiki_is_not_looked_up() {
    let (server, wiki) = connected().await;
    let ada = server.seed_map().await;
    ada.post(LINKS, json!({ "url": address(1), "kind": "url" })).await.created();
    ada.link_to("https://example.org").await.created();
    assert_eq!(wiki.take_requests(), [""; 0]);
}

#[tokio::test]
async fn a_failed_lookup_stores_nothing() {
    let (server, wiki) = connected().await;
    let ada = server.seed_map().await;
    let changes = server.changes().len();
    ada.link_to(&address(1)).await.expect_error(404, "the wiki has no such page");
    wiki.fail_next(&[Fault::Broken]);
    ada.link_to(&address(1)).await.expect_error(502, "unexpected response from the wiki");
    assert_eq!((server.changes().len(), ada.get(LINKS).await.ok()["links"].clone()), (changes, json!([])));
}

#[tokio::test]
async fn refreshing_a_link_reports_whether_it_changed() {
    let (server, wiki) = connected().await;
    let ada = server.seed_map().await;
    wiki.root(1, "Checkout", emoji("🛒"));
    let link = ada.link_to(&address(1)).await.created()["link"].clone();
    server.clock.advance(1_000);
    let same = ada.refresh(&link).await.ok();
    assert_eq!((&same["unchanged"], &same["link"]["fetchedAt"]), (&json!(true), &json!(server.clock.now())));
    assert_eq!(same["link"]["title"], "Checkout");
    wiki.root(1, "Check-out", Value::Null);
    let changed = ada.refresh(&link).await.ok();
    assert_eq!(changed["unchanged"], false);
    assert_eq!((&changed["link"]["title"], changed["link"].get("icon")), (&json!("Check-out"), None));
    assert_eq!(ada.get(LINKS).await.ok()["links"], json!([changed["link"]]));
}

#[tokio::test]
async fn a_new_title_in_the_wiki_does_not_prevent_the_undo_of_a_link() {
    let (server, wiki) = connected().await;
    let ada = server.seed_map().await;
    wiki.root(1, "Checkout", emoji("🛒"));
    let created = ada.link_to(&address(1)).await;
    let link = created.created()["link"].clone();
    wiki.root(1, "Check-out", Value::Null);
    assert_eq!(ada.refresh(&link).await.ok()["unchanged"], false);
    let undo = json!({ "changeSetId": created.header("x-request-id") });
    let undone = ada.post("/api/workspaces/w/undo", undo).await.ok();
    assert_eq!(ada.get(LINKS).await.ok()["links"], json!([]));
    ada.post("/api/workspaces/w/undo", json!({ "changeSetId": undone["changeSetId"] })).await.ok();
    assert_eq!(ada.get(LINKS).await.ok()["links"][0]["id"], link["id"]);
}

#[tokio::test]
async fn a_failed_refresh_keeps_the_stored_data() {
    let (server, wiki) = connected_by_token().await;
    let ada = server.seed_map().await;
    wiki.root(1, "Checkout", emoji("🛒"));
    let link = ada.link_to(&address(1)).await.created()["link"].clone();
    let changes = server.changes().len();
    wiki.hide(1);
    assert_eq!(ada.refresh(&link).await.expect_error(404, "no such page")["code"], "wiki_not_found");
    wiki.fail_next(&[Fault::Html(403)]);
    ada.refresh(&link).await.expect_error(502, "unexpected response");
    wiki.uninstall();
    assert_eq!(ada.refresh(&link).await.expect_error(403, "denied access")["code"], "wiki_access_denied");
    ada.post("/api/admin/wiki/disconnect", json!({})).await.ok();
    assert_eq!(ada.refresh(&link).await.expect_error(503, "not configured")["code"], "wiki_misconfigured");
    assert_eq!((server.changes().len(), ada.get(LINKS).await.ok()["links"].clone()), (changes, json!([link])));
}

#[tokio::test]
async fn an_imported_link_is_resolved_by_its_url_or_stays_unresolved() {
    let (server, wiki) = connected().await;
    let ada = server.seed_map().await;
    wiki.root(1, "Checkout", Value::Null);
    server.sql(|conn| {
        let sql = "INSERT INTO external_link (workspace_pk, component_id, kind, url, revision, created_at, updated_at)
                   VALUES (1, 'a', 'wiki-page', ?, 1, 1, 1)";
        for url in [address(1), "https://example.org".into()] {
            conn.execute(sql, [url]).unwrap();
        }
    });
    let links = ada.get(LINKS).await.ok()["links"].clone();
    let filled = ada.refresh(&links[0]).await.ok();
    assert_eq!((&filled["unchanged"], &filled["link"]["title"]), (&json!(false), &json!("Checkout")));
    wiki.take_requests();
    assert_eq!(ada.refresh(&links[1]).await.expect_error(400, "no identifier")["code"], "bad_wiki_url");
    assert_eq!(wiki.take_requests(), [""; 0]);
}

#[tokio::test]
async fn a_link_sent_twice_with_one_key_is_looked_up_and_created_once() {
    let (server, wiki) = connected().await;
    let ada = server.seed_map().await;
    wiki.root(1, "Checkout", Value::Null);
    let keyed = ada.header("idempotency-key", "k");
    let link = keyed.link_to(&address(1)).await.created();
    assert_eq!(keyed.link_to(&address(1)).await.created(), link);
    keyed.link_to(&address(2)).await.expect_error(409, "Idempotency-Key");
    let refresh = format!("{LINKS}/{}/refresh", link["link"]["id"]);
    let keyed = ada.header("idempotency-key", "l");
    let first = keyed.send(Method::POST, &refresh, None).await.ok();
    assert_eq!(keyed.send(Method::POST, &refresh, None).await.ok(), first);
    assert_eq!(wiki.take_requests().len(), 2);
}

#[tokio::test]
async fn a_user_who_cannot_create_links_causes_no_lookup() {
    let (server, wiki) = connected().await;
    server.seed_member("vic", "acme", "org:member");
    let ada = server.seed_map().await;
    wiki.page(1, "Row", Value::Null, within("data_source_id", 7));
    let link = ada.link_to(&address(1)).await.created()["link"].clone();
    assert_eq!(link["targetId"], dashed(1).replace('-', ""));
    wiki.take_requests();
    let vic = server.sign_in("vic").await;
    vic.link_to(&address(1)).await.expect_error(403, "editor");
    vic.refresh(&link).await.expect_error(403, "editor");
    ada.post("/api/workspaces/w/components/none/links", json!({ "url": address(1) }))
        .await
        .expect_error(404, "component");
    ada.post("/api/workspaces/none/components/a/links", json!({ "url": address(1) }))
        .await
        .expect_error(404, "workspace");
    assert_eq!(wiki.take_requests(), [""; 0]);
}
