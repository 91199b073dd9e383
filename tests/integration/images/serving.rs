//! Served images: headers and permissions.

use axum::http::StatusCode;
use serde_json::json;

use super::server_with_host;
use crate::support::{
    TestServer,
    image_host::{FakeImageHost, GIF, HostBehavior, PNG, SVG},
    wiki::{
        FakeWiki,
        content::{address, plain},
    },
};

#[tokio::test]
async fn a_photo_is_fetched_once_and_served_from_the_cache() {
    let (server, host) = server_with_host().await;
    let ada = server.sign_in("ada").await;
    ada.add_person("grace", &host.respond_with("grace.png", HostBehavior::Bytes(PNG.into()))).await;
    assert_eq!(host.request_count("grace.png"), 0, "nobody has looked yet");
    for _ in 0..3 {
        let reply = ada.photo("grace").await;
        assert_eq!((reply.status, &*reply.bytes), (StatusCode::OK, PNG));
        for (name, value) in [
            ("content-type", "image/png"),
            ("x-content-type-options", "nosniff"),
            ("cache-control", "private, max-age=86400"),
            ("vary", "authorization"),
            ("cross-origin-resource-policy", "same-origin"),
        ] {
            assert_eq!(reply.header(name), value, "{name}");
        }
        let policy = reply.header("content-security-policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("sandbox"), "{policy}");
    }
    assert_eq!(host.request_count("grace.png"), 1);
}

#[tokio::test]
async fn an_unchanged_image_is_not_sent_again() {
    let (server, host) = server_with_host().await;
    let ada = server.sign_in("ada").await;
    ada.add_person("grace", &host.respond_with("grace.png", HostBehavior::Bytes(PNG.into()))).await;
    let tag = ada.photo("grace").await.header("etag").to_owned();
    let same = ada.header("if-none-match", &tag).photo("grace").await;
    assert_eq!((same.status, same.header("etag")), (StatusCode::NOT_MODIFIED, &*tag));
    assert_eq!(ada.header("if-none-match", "\"another\"").photo("grace").await.status, StatusCode::OK);
}

#[tokio::test]
async fn the_media_type_comes_from_the_bytes_not_from_the_host() {
    let (server, host) = server_with_host().await;
    let ada = server.sign_in("ada").await;
    for (name, bytes, kind) in
        [("moving", GIF, "image/gif"), ("still", PNG, "image/png"), ("shape", SVG, "image/svg+xml; charset=utf-8")]
    {
        ada.add_person(name, &host.respond_with(name, HostBehavior::Bytes(bytes.into()))).await;
        let reply = ada.photo(name).await;
        assert_eq!((reply.header("content-type"), &*reply.bytes), (kind, bytes), "{name}");
    }
}

#[tokio::test]
async fn concurrent_readers_cause_one_fetch() {
    let (server, host) = server_with_host().await;
    let ada = server.sign_in("ada").await;
    let address = host.respond_with("team.png", HostBehavior::Bytes(PNG.into()));
    for id in ["a", "b", "c"] {
        ada.add_person(id, &address).await;
    }
    let (one, two, three, four) = tokio::join!(ada.photo("a"), ada.photo("b"), ada.photo("c"), ada.photo("a"));
    for reply in [one, two, three, four] {
        assert_eq!(reply.status, StatusCode::OK);
    }
    assert_eq!(host.request_count("team.png"), 1);
}

#[tokio::test]
async fn readers_without_permission_get_no_photo_and_cause_no_fetch() {
    let (server, host) = server_with_host().await;
    server.seed_admin("eve", "other").await;
    let ada = server.sign_in("ada").await;
    ada.add_person("grace", &host.respond_with("grace.png", HostBehavior::Bytes(PNG.into()))).await;
    server.anonymous().photo("grace").await.expect_error(401, "");
    let eve = server.sign_in("eve").await;
    eve.photo("grace").await.expect_error(404, "person not found");
    assert_eq!(host.request_count("grace.png"), 0);
    // The same URL in another organization is another image: its presence reveals nothing.
    ada.photo("grace").await;
    eve.add_person("grace", &host.at("grace.png")).await;
    assert_eq!(eve.photo("grace").await.status, StatusCode::OK);
    assert_eq!(host.request_count("grace.png"), 2);
}

#[tokio::test]
async fn a_person_without_photo_url_has_no_photo() {
    let (server, host) = server_with_host().await;
    let ada = server.sign_in("ada").await;
    ada.post("/api/people", json!({ "id": "grace", "name": "Grace" })).await.created();
    ada.photo("grace").await.expect_error(404, "photograph not found");
    ada.patch("/api/people/grace", json!({ "photoUrl": host.respond_with("g", HostBehavior::Bytes(PNG.into())) }))
        .await
        .ok();
    assert_eq!(ada.photo("grace").await.status, StatusCode::OK);
    ada.patch("/api/people/grace", json!({ "photoUrl": "" })).await.ok();
    ada.photo("grace").await.expect_error(404, "photograph not found");
}

/// A server with a connected wiki that may fetch images from the host.
async fn with_wiki() -> (TestServer, FakeImageHost, FakeWiki) {
    let (host, wiki) = (FakeImageHost::start().await, FakeWiki::start().await);
    let (image_url, wiki_url) = (host.url(), wiki.url());
    let server = TestServer::empty(|config| {
        config.outbound.picture_urls = vec![image_url];
        (config.outbound.wiki_url, config.outbound.allow_private) = (wiki_url, true);
        config.outbound.wiki_requests_per_second = 1_000;
    });
    server.seed_admin("ada", "acme").await;
    server.connect_wiki("acme");
    (server, host, wiki)
}

#[tokio::test]
async fn a_link_icon_is_served_to_readers_of_the_workspace() {
    let (server, host, wiki) = with_wiki().await;
    server.seed_member("vic", "acme", "org:member");
    let ada = server.seed_map().await;
    let icon = host.respond_with("cart.svg", HostBehavior::Bytes(SVG.into()));
    wiki.root(1, "Checkout", json!({ "type": "external", "external": { "url": icon } }));
    wiki.root(2, "Orders", json!({ "type": "emoji", "emoji": "🛒" }));
    let link = async |n| {
        let made = ada.post("/api/workspaces/w/components/a/links", json!({ "url": address(n) })).await;
        format!("/api/workspaces/w/components/a/links/{}/icon", made.created()["link"]["id"])
    };
    let (picture, emoji) = (link(1).await, link(2).await);
    assert_eq!(&*ada.get(&picture).await.bytes, SVG);
    ada.get(&emoji).await.expect_error(404, "icon that is a picture not found");
    let vic = server.sign_in("vic").await;
    assert_eq!(vic.get(&picture).await.status, StatusCode::OK);
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    vic.get(&picture).await.expect_error(404, "workspace not found");
}

#[tokio::test]
async fn only_icons_of_listed_wiki_pages_are_served() {
    let (server, host, wiki) = with_wiki().await;
    let ada = server.sign_in("ada").await;
    let icon = host.respond_with("cart.svg", HostBehavior::Bytes(SVG.into()));
    wiki.root(1, "Checkout", json!({ "type": "external", "external": { "url": icon } }));
    assert_eq!(ada.get("/api/wiki/children").await.ok()["results"][0]["icon"], icon.as_str());
    wiki.take_requests();
    assert_eq!(&*ada.get(&format!("/api/wiki/icon?id={}", plain(1))).await.bytes, SVG);
    assert_eq!(wiki.take_requests(), [""; 0], "what was just listed is known");
    ada.get(&format!("/api/wiki/icon?id={}", plain(9))).await.expect_error(404, "no such page");
    ada.get("/api/wiki/icon?id=../users").await.expect_error(400, "32 hexadecimal digits");
    // The icon of the wiki itself.
    server.sql(|conn| conn.execute("UPDATE wiki_connection SET workspace_icon = ?", [host.at("cart.svg")]).unwrap());
    assert_eq!(&*ada.get("/api/wiki/icon").await.bytes, SVG);
}
