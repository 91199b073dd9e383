//! Icons uploaded to the wiki: their URLs are signed, expire after an hour, and are never revealed.

use axum::http::StatusCode;
use planroom::clock::{DAY, MINUTE};
use serde_json::{Value, json};

use crate::support::{
    TestClient, TestResponse, TestServer,
    image_host::{GIF, PNG, SVG},
    wiki::{
        FakeWiki, Fault, SIGNATURE, Uploaded,
        content::{address, dashed, emoji, plain},
    },
};

const LINKS: &str = "/api/workspaces/w/components/a/links";

/// A server with a connected wiki, a map, and a page 1 with the uploaded icon `cart`.
async fn with_uploaded_icon() -> (TestServer, FakeWiki) {
    let wiki = FakeWiki::start().await;
    let server = on(tempfile::tempdir().unwrap(), &wiki);
    server.seed_admin("ada", "acme").await;
    server.connect_wiki("acme");
    server.seed_map().await;
    wiki.root(1, "Checkout", wiki.upload("cart", Uploaded::Bytes(PNG.into())));
    (server, wiki)
}

/// The same with a link to page 1, which is no longer shared, and without the cached icon URL. Returns the link and
/// the icon, to share it again.
async fn with_unshared_page() -> (TestServer, FakeWiki, Value, Value) {
    let (server, wiki) = with_uploaded_icon().await;
    let link = server.sign_in("ada").await.link_page(1).await;
    let icon = wiki.upload("cart", Uploaded::Bytes(PNG.into()));
    wiki.hide(1);
    (server.restart_with(&wiki), wiki, link, icon)
}

fn on(dir: tempfile::TempDir, wiki: &FakeWiki) -> TestServer {
    let (wiki, pictures) = (wiki.url(), wiki.uploads());
    TestServer::on(dir, |config| {
        (config.outbound.wiki_url, config.outbound.allow_private) = (wiki, true);
        config.outbound.wiki_requests_per_second = 1_000;
        config.outbound.picture_urls = vec![pictures];
    })
}

impl TestServer {
    /// Restarts the server, which clears its memory.
    fn restart_with(self, wiki: &FakeWiki) -> Self {
        let dir = self.stop();
        wiki.take_requests();
        on(dir, wiki)
    }
}

impl TestClient<'_> {
    async fn link_page(&self, n: u64) -> Value {
        self.post(LINKS, json!({ "url": address(n) })).await.created()["link"].clone()
    }

    async fn icon(&self, link: &Value) -> TestResponse {
        self.get(&format!("{LINKS}/{}/icon", link["id"])).await
    }

    async fn refresh_link(&self, link: &Value) -> Value {
        self.post(&format!("{LINKS}/{}/refresh", link["id"]), json!({})).await.ok()
    }
}

fn page(n: u64) -> String {
    format!("GET /v1/pages/{} 200", plain(n))
}

#[tokio::test]
async fn an_uploaded_icon_is_served_without_revealing_its_url() {
    let (server, wiki) = with_uploaded_icon().await;
    let ada = server.sign_in("ada").await;
    let link = ada.link_page(1).await;
    let icon = link["icon"].as_str().unwrap();
    assert!(icon.starts_with("upload:") && icon.len() == 39, "{icon}");
    for _ in 0..3 {
        let reply = ada.icon(&link).await;
        assert_eq!((reply.status, reply.header("content-type"), &*reply.bytes), (StatusCode::OK, "image/png", PNG));
    }
    // Creating the link has read the page, so the image URL was known and fetched once.
    assert_eq!(wiki.take_requests(), [page(1), "GET /uploads/cart 200".into()]);
}

#[tokio::test]
async fn an_unknown_icon_url_is_requested_from_the_wiki() {
    let (server, wiki) = with_uploaded_icon().await;
    let link = server.sign_in("ada").await.link_page(1).await;
    wiki.expire_signatures();
    let server = server.restart_with(&wiki);
    let ada = server.sign_in("ada").await;
    for _ in 0..2 {
        assert_eq!(ada.icon(&link).await.bytes, PNG);
    }
    assert_eq!(wiki.take_requests(), [page(1), "GET /uploads/cart 200".into()]);
    // The image is available after a restart, even if its URL expired and the wiki is down.
    wiki.expire_signatures();
    let server = server.restart();
    assert_eq!(server.sign_in("ada").await.icon(&link).await.bytes, PNG);
    assert_eq!(wiki.take_requests(), [""; 0]);
}

#[tokio::test]
async fn an_expired_signature_is_replaced() {
    let (server, wiki) = with_uploaded_icon().await;
    let ada = server.sign_in("ada").await;
    let link = ada.link_page(1).await;
    wiki.expire_signatures();
    assert_eq!(ada.icon(&link).await.bytes, PNG);
    assert_eq!(
        wiki.take_requests()[1..],
        ["GET /uploads/cart 403".into(), page(1), "GET /uploads/cart 200".to_owned()]
    );
}

#[tokio::test]
async fn a_new_signature_is_not_a_change_and_another_upload_is() {
    let (server, wiki) = with_uploaded_icon().await;
    let ada = server.sign_in("ada").await;
    let link = ada.link_page(1).await;
    let first = ada.icon(&link).await;
    let same = ada.refresh_link(&link).await;
    assert_eq!((&same["unchanged"], &same["link"]["icon"]), (&json!(true), &link["icon"]));
    wiki.take_requests();
    assert_eq!(ada.icon(&link).await.bytes, PNG);
    assert_eq!(wiki.take_requests(), [""; 0], "what was uploaded does not change");

    wiki.root(1, "Checkout", wiki.upload("lorry", Uploaded::Bytes(GIF.into())));
    let changed = ada.refresh_link(&link).await;
    assert_eq!(changed["unchanged"], false);
    assert_ne!(changed["link"]["icon"], link["icon"]);
    let second = ada.icon(&link).await;
    assert_eq!(second.bytes, GIF);
    assert_ne!(first.header("etag"), second.header("etag"));
    wiki.root(1, "Checkout", emoji("🛒"));
    assert_eq!(ada.refresh_link(&link).await["link"]["icon"], "🛒");
    ada.icon(&link).await.expect_error(404, "icon that is a picture not found");
}

#[tokio::test]
async fn a_replaced_icon_is_reported_as_gone_and_the_new_one_fetched() {
    let (server, wiki) = with_uploaded_icon().await;
    let link = server.sign_in("ada").await.link_page(1).await;
    wiki.root(1, "Checkout", wiki.upload("lorry", Uploaded::Bytes(GIF.into())));
    let server = server.restart_with(&wiki);
    let ada = server.sign_in("ada").await;
    for _ in 0..2 {
        let refused = ada.icon(&link).await.expect_error(404, "its page in the wiki has another icon now");
        assert_eq!(refused["code"], "no_picture");
    }
    // Refreshing the link reports the change, and the image is stored or pending.
    assert_eq!(ada.refresh_link(&link).await["unchanged"], false);
    assert_eq!(ada.icon(&link).await.bytes, GIF);
    let mut heard = wiki.take_requests();
    heard.sort();
    assert_eq!(heard, ["GET /uploads/lorry 200".into(), page(1), page(1)]);
}

#[tokio::test]
async fn listed_wiki_pages_have_their_uploaded_icons() {
    let (server, wiki) = with_uploaded_icon().await;
    let ada = server.sign_in("ada").await;
    wiki.database(5, "Services", Value::Null, json!({ "type": "workspace", "workspace": true }), &[6]);
    wiki.row(7, 6, "Row");
    let lorry = wiki.upload("lorry", Uploaded::Bytes(SVG.into()));
    wiki.page(8, "In a page", lorry.clone(), json!({ "type": "page_id", "page_id": dashed(1) }));
    wiki.child_page(8, "In a page", 1);
    wiki.database(9, "Ports", lorry, json!({ "type": "page_id", "page_id": dashed(1) }), &[10]);
    wiki.child_database(9, "Ports", 1);
    let roots = ada.get("/api/wiki/children").await.ok();
    let below = ada.get(&format!("/api/wiki/children?id={}", plain(1))).await.ok();
    let icons = |list: &Value| {
        list["results"].as_array().unwrap().iter().map(|entry| entry["icon"].clone()).collect::<Vec<_>>()
    };
    let [lorry, same] = &icons(&below)[..] else { panic!("{below}") };
    assert!(lorry.as_str().unwrap().starts_with("upload:") && lorry == same, "{below}");
    assert!(icons(&roots).iter().any(|icon| icon.as_str().is_some_and(|icon| icon.starts_with("upload:"))), "{roots}");
    wiki.take_requests();
    for (n, bytes) in [(1, PNG), (8, SVG), (9, SVG)] {
        assert_eq!(&*ada.get(&format!("/api/wiki/icon?id={}", plain(n))).await.bytes, bytes, "{n}");
    }
    assert_eq!(
        wiki.take_requests(),
        ["GET /uploads/cart 200", "GET /uploads/lorry 200"],
        "the pages were read for the list"
    );
    // The URL is not known: the page is read for its current icon.
    let server = server.restart_with(&wiki);
    let ada = server.sign_in("ada").await;
    assert_eq!(&*ada.get(&format!("/api/wiki/icon?id={}", plain(1))).await.bytes, PNG);
    assert_eq!(wiki.take_requests(), [page(1)]);
}

#[tokio::test]
async fn without_a_connection_cached_icons_remain_and_others_wait() {
    let (server, wiki) = with_uploaded_icon().await;
    wiki.root(2, "Orders", wiki.upload("orders", Uploaded::Bytes(GIF.into())));
    let ada = server.sign_in("ada").await;
    let (seen, unseen) = (ada.link_page(1).await, ada.link_page(2).await);
    assert_eq!(ada.icon(&seen).await.bytes, PNG);
    ada.post("/api/admin/wiki/disconnect", json!({})).await.ok();
    wiki.take_requests();
    assert_eq!(ada.icon(&seen).await.bytes, PNG);
    let refused = ada.icon(&unseen).await.expect_error(404, "uploaded to the wiki, which is not connected");
    assert_eq!(refused["code"], "no_picture");
    assert_eq!(wiki.take_requests(), [""; 0]);

    // A rejected connection is detected once and not retried by reads.
    server.connect_wiki("acme");
    wiki.uninstall();
    for _ in 0..3 {
        ada.icon(&unseen).await.expect_error(404, "which refuses the connection");
    }
    assert_eq!(wiki.take_requests().len(), 1);
    wiki.reinstall();
    ada.post("/api/admin/wiki/test", json!({})).await.ok();
    assert_eq!(ada.icon(&unseen).await.bytes, GIF);
}

#[tokio::test]
async fn a_wiki_outage_is_not_a_permanent_error() {
    let (server, wiki) = with_uploaded_icon().await;
    let link = server.sign_in("ada").await.link_page(1).await;
    let server = server.restart_with(&wiki);
    let ada = server.sign_in("ada").await;
    for fault in [Fault::Broken, Fault::Garbage, Fault::Silence, Fault::Busy(30)] {
        wiki.fail_next(&[fault]);
        let refused = ada.icon(&link).await;
        assert_eq!(refused.expect_error(404, "which does not answer as it should")["code"], "no_picture");
        assert!(refused.header("retry-after").parse::<u64>().unwrap() > 0, "{fault:?}");
    }
    // The rate limit of the wiki is not remembered across a restart.
    let server = server.restart_with(&wiki);
    assert_eq!(server.sign_in("ada").await.icon(&link).await.bytes, PNG);
}

#[tokio::test]
async fn a_failed_icon_is_retried_through_a_page_that_has_it() {
    let (server, wiki, link, shared) = with_unshared_page().await;
    let ada = server.sign_in("ada").await;
    for _ in 0..2 {
        ada.icon(&link).await.expect_error(404, "no such page, or does not share it");
    }
    assert_eq!(wiki.take_requests().len(), 2, "as a page and as a database, and then no more");
    wiki.root(1, "Checkout", shared);
    server.clock.advance(10 * MINUTE);
    // While the wiki is down, images are not marked as failed.
    wiki.fail_next(&[Fault::Broken]);
    assert_eq!(server.app.images().fetch_due().await.unwrap(), 1);
    server.clock.advance(10 * MINUTE);
    server.sql(|conn| conn.execute("UPDATE wiki_connection SET broken_since = 1", []).unwrap());
    assert_eq!(server.app.images().fetch_due().await.unwrap(), 0);
    server.sql(|conn| conn.execute("UPDATE wiki_connection SET broken_since = NULL", []).unwrap());
    assert_eq!(server.app.images().fetch_due().await.unwrap(), 1);
    let ada = server.sign_in("ada").await;
    wiki.take_requests();
    assert_eq!(ada.icon(&link).await.bytes, PNG);
    // A stored image is not fetched again, and not deleted while a link uses it.
    server.clock.advance(60 * DAY);
    assert_eq!(server.app.images().fetch_due().await.unwrap(), 0);
    server.clean_up().await;
    assert_eq!(server.sign_in("ada").await.icon(&link).await.bytes, PNG);
    assert_eq!(wiki.take_requests(), [""; 0]);
}

#[tokio::test]
async fn refreshing_a_link_retries_its_icon_immediately() {
    let (server, wiki, link, shared) = with_unshared_page().await;
    let ada = server.sign_in("ada").await;
    ada.icon(&link).await.expect_error(404, "no such page, or does not share it");
    wiki.root(1, "Checkout", shared);
    ada.icon(&link).await.expect_error(404, "no such page, or does not share it");
    assert_eq!(ada.refresh_link(&link).await["unchanged"], true);
    assert_eq!(ada.icon(&link).await.bytes, PNG);
    // A stored image remains available even if it cannot be refreshed.
    wiki.upload("cart", Uploaded::Bytes(b"<html>".into()));
    ada.refresh_link(&link).await;
    assert_eq!(ada.icon(&link).await.bytes, PNG);
}

#[tokio::test]
async fn unsafe_uploads_are_rejected_without_revealing_the_url() {
    let (server, wiki) = with_uploaded_icon().await;
    let ada = server.sign_in("ada").await;
    for (n, what, why) in [
        (1, Uploaded::Elsewhere, "redirects are not followed"),
        (2, Uploaded::Bytes(b"<html>".into()), "not a supported image"),
        (3, Uploaded::Bytes([PNG, &vec![0; 1 << 20]].concat()), "larger than 1024 KiB"),
    ] {
        wiki.root(n, "Page", wiki.upload(&format!("u{n}"), what));
        let link = ada.link_page(n).await;
        let refused = ada.icon(&link).await.expect_error(404, why).to_string();
        assert!(!refused.contains(SIGNATURE) && !refused.contains("example.org"), "{refused}");
    }
    wiki.root(4, "Page", json!({ "type": "file", "file": { "url": "http://127.0.0.1:9/x.png" } }));
    ada.icon(&ada.link_page(4).await).await.expect_error(404, "the URL must be https, not `http`");
}

#[tokio::test]
async fn an_imported_upload_reference_of_another_organization_is_not_served() {
    let (server, wiki) = with_uploaded_icon().await;
    let ada = server.sign_in("ada").await;
    let link = ada.link_page(1).await;
    assert_eq!(ada.icon(&link).await.bytes, PNG);
    let mut bundle = ada.get("/api/workspaces/w/export").await.ok();
    server.seed_admin("eve", "other").await;
    let eve = server.sign_in("eve").await;
    bundle["workspace"]["id"] = json!("theirs");
    eve.post("/api/import", bundle).await.created();
    let links = eve.get("/api/workspaces/theirs/components/a/links").await.ok();
    let theirs = &links["links"][0];
    assert_eq!(theirs["icon"], link["icon"]);
    wiki.take_requests();
    let path = format!("/api/workspaces/theirs/components/a/links/{}/icon", theirs["id"]);
    eve.get(&path).await.expect_error(404, "which is not connected");
    // Their own wiki has no such page: pages of other organizations are irrelevant.
    server.connect_wiki("other");
    wiki.hide(1);
    eve.get(&path).await.expect_error(404, "no such page, or does not share it");
    assert_eq!(wiki.take_requests().len(), 2);
}
