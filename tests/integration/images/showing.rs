//! What is shown, with which headers, and to whom.

use axum::http::StatusCode;
use serde_json::json;

use super::hosted;
use crate::support::{
    Stage,
    pictures::{GIF, PNG, PictureHost, SVG, Said},
    wiki::{
        WikiDouble,
        content::{address, plain},
    },
};

#[tokio::test]
async fn a_photograph_is_fetched_once_and_shown_from_here() {
    let (stage, host) = hosted().await;
    let ada = stage.sign_in("ada").await;
    ada.add_person("grace", &host.says("grace.png", Said::Bytes(PNG.into()))).await;
    assert_eq!(host.asked("grace.png"), 0, "nobody has looked yet");
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
    assert_eq!(host.asked("grace.png"), 1);
}

#[tokio::test]
async fn who_has_a_picture_is_not_sent_it_again() {
    let (stage, host) = hosted().await;
    let ada = stage.sign_in("ada").await;
    ada.add_person("grace", &host.says("grace.png", Said::Bytes(PNG.into()))).await;
    let tag = ada.photo("grace").await.header("etag").to_owned();
    let same = ada.header("if-none-match", &tag).photo("grace").await;
    assert_eq!((same.status, same.header("etag")), (StatusCode::NOT_MODIFIED, &*tag));
    assert_eq!(ada.header("if-none-match", "\"another\"").photo("grace").await.status, StatusCode::OK);
}

#[tokio::test]
async fn what_a_picture_is_its_bytes_say_and_not_its_server() {
    let (stage, host) = hosted().await;
    let ada = stage.sign_in("ada").await;
    for (name, bytes, kind) in
        [("moving", GIF, "image/gif"), ("still", PNG, "image/png"), ("shape", SVG, "image/svg+xml; charset=utf-8")]
    {
        ada.add_person(name, &host.says(name, Said::Bytes(bytes.into()))).await;
        let reply = ada.photo(name).await;
        assert_eq!((reply.header("content-type"), &*reply.bytes), (kind, bytes), "{name}");
    }
}

#[tokio::test]
async fn many_who_look_at_once_have_it_fetched_once() {
    let (stage, host) = hosted().await;
    let ada = stage.sign_in("ada").await;
    let address = host.says("team.png", Said::Bytes(PNG.into()));
    for id in ["a", "b", "c"] {
        ada.add_person(id, &address).await;
    }
    let (one, two, three, four) = tokio::join!(ada.photo("a"), ada.photo("b"), ada.photo("c"), ada.photo("a"));
    for reply in [one, two, three, four] {
        assert_eq!(reply.status, StatusCode::OK);
    }
    assert_eq!(host.asked("team.png"), 1);
}

#[tokio::test]
async fn who_may_not_see_the_person_does_not_see_the_photograph_and_has_nothing_fetched() {
    let (stage, host) = hosted().await;
    stage.seed_admin("eve", "other").await;
    let ada = stage.sign_in("ada").await;
    ada.add_person("grace", &host.says("grace.png", Said::Bytes(PNG.into()))).await;
    stage.anonymous().photo("grace").await.refused(401, "");
    let eve = stage.sign_in("eve").await;
    eve.photo("grace").await.refused(404, "person not found");
    assert_eq!(host.asked("grace.png"), 0);
    // The same address in a row of another organization is another picture: whether it is here tells nothing.
    ada.photo("grace").await;
    eve.add_person("grace", &host.at("grace.png")).await;
    assert_eq!(eve.photo("grace").await.status, StatusCode::OK);
    assert_eq!(host.asked("grace.png"), 2);
}

#[tokio::test]
async fn a_person_without_a_photograph_has_none() {
    let (stage, host) = hosted().await;
    let ada = stage.sign_in("ada").await;
    ada.post("/api/people", json!({ "id": "grace", "name": "Grace" })).await.created();
    ada.photo("grace").await.refused(404, "photograph not found");
    ada.patch("/api/people/grace", json!({ "photoUrl": host.says("g", Said::Bytes(PNG.into())) })).await.ok();
    assert_eq!(ada.photo("grace").await.status, StatusCode::OK);
    ada.patch("/api/people/grace", json!({ "photoUrl": "" })).await.ok();
    ada.photo("grace").await.refused(404, "photograph not found");
}

/// A stage whose wiki is the double, connected, and which may take pictures from the host.
async fn with_wiki() -> (Stage, PictureHost, WikiDouble) {
    let (host, double) = (PictureHost::start().await, WikiDouble::start().await);
    let (pictures, wiki) = (host.url(), double.url());
    let stage = Stage::empty(|config| {
        config.outbound.picture_urls = vec![pictures];
        (config.outbound.wiki_url, config.outbound.allow_private) = (wiki, true);
        config.outbound.wiki_requests_per_second = 1_000;
    });
    stage.seed_admin("ada", "acme").await;
    stage.connect_wiki("acme");
    (stage, host, double)
}

#[tokio::test]
async fn the_icon_of_a_link_is_shown_to_whoever_sees_the_workspace() {
    let (stage, host, double) = with_wiki().await;
    stage.seed_member("vic", "acme", "org:member");
    let ada = stage.map().await;
    let icon = host.says("cart.svg", Said::Bytes(SVG.into()));
    double.root(1, "Checkout", json!({ "type": "external", "external": { "url": icon } }));
    double.root(2, "Orders", json!({ "type": "emoji", "emoji": "🛒" }));
    let link = async |n| {
        let made = ada.post("/api/workspaces/w/components/a/links", json!({ "url": address(n) })).await;
        format!("/api/workspaces/w/components/a/links/{}/icon", made.created()["link"]["id"])
    };
    let (picture, emoji) = (link(1).await, link(2).await);
    assert_eq!(&*ada.get(&picture).await.bytes, SVG);
    ada.get(&emoji).await.refused(404, "icon that is a picture not found");
    let vic = stage.sign_in("vic").await;
    assert_eq!(vic.get(&picture).await.status, StatusCode::OK);
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    vic.get(&picture).await.refused(404, "workspace not found");
}

#[tokio::test]
async fn icons_of_what_the_wiki_lists_are_shown_and_of_nothing_else() {
    let (stage, host, double) = with_wiki().await;
    let ada = stage.sign_in("ada").await;
    let icon = host.says("cart.svg", Said::Bytes(SVG.into()));
    double.root(1, "Checkout", json!({ "type": "external", "external": { "url": icon } }));
    assert_eq!(ada.get("/api/wiki/children").await.ok()["results"][0]["icon"], icon.as_str());
    double.heard();
    assert_eq!(&*ada.get(&format!("/api/wiki/icon?id={}", plain(1))).await.bytes, SVG);
    assert_eq!(double.heard(), [""; 0], "what was just listed is known");
    ada.get(&format!("/api/wiki/icon?id={}", plain(9))).await.refused(404, "no such page");
    ada.get("/api/wiki/icon?id=../users").await.refused(400, "32 hexadecimal digits");
    // That of the wiki itself.
    stage.sql(|conn| conn.execute("UPDATE wiki_connection SET workspace_icon = ?", [host.at("cart.svg")]).unwrap());
    assert_eq!(&*ada.get("/api/wiki/icon").await.bytes, SVG);
}
