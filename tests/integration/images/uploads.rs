//! Icons that were uploaded to the wiki: their addresses are signed, good for an hour, and nobody is told them.

use std::time::{Duration, Instant};

use axum::http::StatusCode;
use planroom::clock::{DAY, MINUTE};
use serde_json::{Value, json};

use crate::support::{
    Actor, Reply, Stage,
    pictures::{GIF, PNG, SVG},
    wiki::{
        Fault, SIGNATURE, Uploaded, WikiDouble,
        content::{address, dashed, emoji, plain},
    },
};

const LINKS: &str = "/api/workspaces/w/components/a/links";

/// A stage whose wiki is the double, with acme connected, a map, and a page 1 whose icon was uploaded as `cart`.
async fn uploaded() -> (Stage, WikiDouble) {
    let double = WikiDouble::start().await;
    let stage = on(tempfile::tempdir().unwrap(), &double);
    stage.seed_admin("ada", "acme").await;
    stage.connect_wiki("acme");
    stage.map().await;
    double.root(1, "Checkout", double.upload("cart", Uploaded::Bytes(PNG.into())));
    (stage, double)
}

/// The same with a link to page 1, which has ceased to be shared and was forgotten where its icon is: with the link,
/// and with the icon to share it by.
async fn unshared() -> (Stage, WikiDouble, Value, Value) {
    let (stage, double) = uploaded().await;
    let link = stage.sign_in("ada").await.link_page(1).await;
    let icon = double.upload("cart", Uploaded::Bytes(PNG.into()));
    double.hide(1);
    (stage.forgetful(&double), double, link, icon)
}

fn on(dir: tempfile::TempDir, double: &WikiDouble) -> Stage {
    let (wiki, pictures) = (double.url(), double.uploads());
    Stage::on(dir, |config| {
        (config.outbound.wiki_url, config.outbound.allow_private) = (wiki, true);
        config.outbound.wiki_requests_per_second = 1_000;
        config.outbound.picture_urls = vec![pictures];
    })
}

impl Stage {
    /// Stops and starts again: what it had in memory is forgotten.
    fn forgetful(self, double: &WikiDouble) -> Self {
        let dir = self.stop();
        double.heard();
        on(dir, double)
    }
}

impl Actor<'_> {
    async fn link_page(&self, n: u64) -> Value {
        self.post(LINKS, json!({ "url": address(n) })).await.created()["link"].clone()
    }

    async fn icon(&self, link: &Value) -> Reply {
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
async fn an_uploaded_icon_is_shown_and_its_address_told_to_nobody() {
    let (stage, double) = uploaded().await;
    let ada = stage.sign_in("ada").await;
    let link = ada.link_page(1).await;
    let icon = link["icon"].as_str().unwrap();
    assert!(icon.starts_with("upload:") && icon.len() == 39, "{icon}");
    for _ in 0..3 {
        let reply = ada.icon(&link).await;
        assert_eq!((reply.status, reply.header("content-type"), &*reply.bytes), (StatusCode::OK, "image/png", PNG));
    }
    // Linking has read the page, so it was known where the picture is; and it was fetched once.
    assert_eq!(double.heard(), [page(1), "GET /uploads/cart 200".into()]);
}

#[tokio::test]
async fn who_looks_when_it_is_not_known_any_more_where_it_is_has_the_wiki_asked() {
    let (stage, double) = uploaded().await;
    let link = stage.sign_in("ada").await.link_page(1).await;
    double.ends_signatures();
    let stage = stage.forgetful(&double);
    let ada = stage.sign_in("ada").await;
    for _ in 0..2 {
        assert_eq!(ada.icon(&link).await.bytes, PNG);
    }
    assert_eq!(double.heard(), [page(1), "GET /uploads/cart 200".into()]);
    // It is here after a restart, whatever became of its address, and of the wiki.
    double.ends_signatures();
    let stage = stage.restart();
    assert_eq!(stage.sign_in("ada").await.icon(&link).await.bytes, PNG);
    assert_eq!(double.heard(), [""; 0]);
}

#[tokio::test]
async fn a_signature_that_has_ended_is_replaced_by_a_new_one() {
    let (stage, double) = uploaded().await;
    let ada = stage.sign_in("ada").await;
    let link = ada.link_page(1).await;
    double.ends_signatures();
    assert_eq!(ada.icon(&link).await.bytes, PNG);
    assert_eq!(double.heard()[1..], ["GET /uploads/cart 403".into(), page(1), "GET /uploads/cart 200".to_owned()]);
}

#[tokio::test]
async fn a_new_signature_is_no_change_and_another_upload_is_another_picture() {
    let (stage, double) = uploaded().await;
    let ada = stage.sign_in("ada").await;
    let link = ada.link_page(1).await;
    let first = ada.icon(&link).await;
    let same = ada.refresh_link(&link).await;
    assert_eq!((&same["unchanged"], &same["link"]["icon"]), (&json!(true), &link["icon"]));
    double.heard();
    assert_eq!(ada.icon(&link).await.bytes, PNG);
    assert_eq!(double.heard(), [""; 0], "what was uploaded does not change");

    double.root(1, "Checkout", double.upload("lorry", Uploaded::Bytes(GIF.into())));
    let changed = ada.refresh_link(&link).await;
    assert_eq!(changed["unchanged"], false);
    assert_ne!(changed["link"]["icon"], link["icon"]);
    let second = ada.icon(&link).await;
    assert_eq!(second.bytes, GIF);
    assert_ne!(first.header("etag"), second.header("etag"));
    double.root(1, "Checkout", emoji("🛒"));
    assert_eq!(ada.refresh_link(&link).await["link"]["icon"], "🛒");
    ada.icon(&link).await.refused(404, "icon that is a picture not found");
}

#[tokio::test]
async fn when_the_page_has_another_icon_by_now_the_old_one_is_said_to_be_gone_and_the_new_one_fetched() {
    let (stage, double) = uploaded().await;
    let link = stage.sign_in("ada").await.link_page(1).await;
    double.root(1, "Checkout", double.upload("lorry", Uploaded::Bytes(GIF.into())));
    let stage = stage.forgetful(&double);
    let ada = stage.sign_in("ada").await;
    for _ in 0..2 {
        let refused = ada.icon(&link).await.refused(404, "its page in the wiki has another icon now");
        assert_eq!(refused["code"], "no_picture");
    }
    // The link says so when it is refreshed, and the picture is here or on its way.
    assert_eq!(ada.refresh_link(&link).await["unchanged"], false);
    assert_eq!(ada.icon(&link).await.bytes, GIF);
    let mut heard = double.heard();
    heard.sort();
    assert_eq!(heard, ["GET /uploads/lorry 200".into(), page(1), page(1)]);
}

#[tokio::test]
async fn what_the_wiki_lists_has_its_uploaded_icons() {
    let (stage, double) = uploaded().await;
    let ada = stage.sign_in("ada").await;
    double.database(5, "Services", Value::Null, json!({ "type": "workspace", "workspace": true }), &[6]);
    double.row(7, 6, "Row");
    let lorry = double.upload("lorry", Uploaded::Bytes(SVG.into()));
    double.page(8, "In a page", lorry.clone(), json!({ "type": "page_id", "page_id": dashed(1) }));
    double.child_page(8, "In a page", 1);
    double.database(9, "Ports", lorry, json!({ "type": "page_id", "page_id": dashed(1) }), &[10]);
    double.child_database(9, "Ports", 1);
    let roots = ada.get("/api/wiki/children").await.ok();
    let below = ada.get(&format!("/api/wiki/children?id={}", plain(1))).await.ok();
    let icons = |list: &Value| {
        list["results"].as_array().unwrap().iter().map(|entry| entry["icon"].clone()).collect::<Vec<_>>()
    };
    let [lorry, same] = &icons(&below)[..] else { panic!("{below}") };
    assert!(lorry.as_str().unwrap().starts_with("upload:") && lorry == same, "{below}");
    assert!(icons(&roots).iter().any(|icon| icon.as_str().is_some_and(|icon| icon.starts_with("upload:"))), "{roots}");
    double.heard();
    for (n, bytes) in [(1, PNG), (8, SVG), (9, SVG)] {
        assert_eq!(&*ada.get(&format!("/api/wiki/icon?id={}", plain(n))).await.bytes, bytes, "{n}");
    }
    assert_eq!(double.heard(), ["GET /uploads/cart 200", "GET /uploads/lorry 200"], "the pages were read for the list");
    // Not known any more: the page says which icon it has, and whether that is here is looked up.
    let stage = stage.forgetful(&double);
    let ada = stage.sign_in("ada").await;
    assert_eq!(&*ada.get(&format!("/api/wiki/icon?id={}", plain(1))).await.bytes, PNG);
    assert_eq!(double.heard(), [page(1)]);
}

#[tokio::test]
async fn without_a_connection_what_is_here_stays_and_the_rest_waits_for_one() {
    let (stage, double) = uploaded().await;
    double.root(2, "Orders", double.upload("orders", Uploaded::Bytes(GIF.into())));
    let ada = stage.sign_in("ada").await;
    let (seen, unseen) = (ada.link_page(1).await, ada.link_page(2).await);
    assert_eq!(ada.icon(&seen).await.bytes, PNG);
    ada.post("/api/admin/wiki/disconnect", json!({})).await.ok();
    double.heard();
    assert_eq!(ada.icon(&seen).await.bytes, PNG);
    let refused = ada.icon(&unseen).await.refused(404, "uploaded to the wiki, which is not connected");
    assert_eq!(refused["code"], "no_picture");
    assert_eq!(double.heard(), [""; 0]);

    // A connection that the wiki refuses is found out once, and not tried again by looking.
    stage.connect_wiki("acme");
    double.uninstall();
    for _ in 0..3 {
        ada.icon(&unseen).await.refused(404, "which refuses the connection");
    }
    assert_eq!(double.heard().len(), 1);
    double.reinstall();
    ada.post("/api/admin/wiki/test", json!({})).await.ok();
    assert_eq!(ada.icon(&unseen).await.bytes, GIF);
}

#[tokio::test]
async fn a_wiki_that_is_not_well_is_nobodys_last_word() {
    let (stage, double) = uploaded().await;
    let link = stage.sign_in("ada").await.link_page(1).await;
    let stage = stage.forgetful(&double);
    let ada = stage.sign_in("ada").await;
    for fault in [Fault::Broken, Fault::Garbage, Fault::Silence, Fault::Busy(30)] {
        double.fails(&[fault]);
        let begun = Instant::now();
        let refused = ada.icon(&link).await;
        assert_eq!(refused.refused(404, "which does not answer as it should")["code"], "no_picture");
        assert!(refused.header("retry-after").parse::<u64>().unwrap() > 0, "{fault:?}");
        assert!(begun.elapsed() < Duration::from_secs(8), "{fault:?} took {:?}", begun.elapsed());
    }
    // It was told to leave it alone for a while; after a restart nobody knows of that.
    let stage = stage.forgetful(&double);
    assert_eq!(stage.sign_in("ada").await.icon(&link).await.bytes, PNG);
}

#[tokio::test]
async fn what_did_not_come_is_tried_again_by_asking_a_page_that_has_it() {
    let (stage, double, link, shared) = unshared().await;
    let ada = stage.sign_in("ada").await;
    for _ in 0..2 {
        ada.icon(&link).await.refused(404, "no such page, or does not share it");
    }
    assert_eq!(double.heard().len(), 2, "as a page and as a database, and then no more");
    double.root(1, "Checkout", shared);
    stage.clock.advance(10 * MINUTE);
    // While the wiki is not well, or not there, it is nobody's fault but the wiki's.
    double.fails(&[Fault::Broken]);
    assert_eq!(stage.app.images().catch_up().await.unwrap(), 1);
    stage.clock.advance(10 * MINUTE);
    stage.sql(|conn| conn.execute("UPDATE wiki_connection SET broken_since = 1", []).unwrap());
    assert_eq!(stage.app.images().catch_up().await.unwrap(), 0);
    stage.sql(|conn| conn.execute("UPDATE wiki_connection SET broken_since = NULL", []).unwrap());
    assert_eq!(stage.app.images().catch_up().await.unwrap(), 1);
    let ada = stage.sign_in("ada").await;
    double.heard();
    assert_eq!(ada.icon(&link).await.bytes, PNG);
    // What came is not fetched again, nor deleted while a link has it.
    stage.clock.advance(60 * DAY);
    assert_eq!(stage.app.images().catch_up().await.unwrap(), 0);
    stage.sweep().await;
    assert_eq!(stage.sign_in("ada").await.icon(&link).await.bytes, PNG);
    assert_eq!(double.heard(), [""; 0]);
}

#[tokio::test]
async fn who_looks_a_link_up_again_has_its_picture_tried_again_at_once() {
    let (stage, double, link, shared) = unshared().await;
    let ada = stage.sign_in("ada").await;
    ada.icon(&link).await.refused(404, "no such page, or does not share it");
    double.root(1, "Checkout", shared);
    ada.icon(&link).await.refused(404, "no such page, or does not share it");
    assert_eq!(ada.refresh_link(&link).await["unchanged"], true);
    assert_eq!(ada.icon(&link).await.bytes, PNG);
    // What is here stays, though it may be looked up again while it cannot be had.
    double.upload("cart", Uploaded::Bytes(b"<html>".into()));
    ada.refresh_link(&link).await;
    assert_eq!(ada.icon(&link).await.bytes, PNG);
}

#[tokio::test]
async fn what_is_no_harmless_picture_is_refused_and_the_reason_says_nothing_of_the_address() {
    let (stage, double) = uploaded().await;
    let ada = stage.sign_in("ada").await;
    for (n, what, why) in [
        (1, Uploaded::Elsewhere, "leads on to another, which is not followed"),
        (2, Uploaded::Bytes(b"<html>".into()), "no picture of a kind that is shown"),
        (3, Uploaded::Bytes([PNG, &vec![0; 1 << 20]].concat()), "larger than 1024 KiB"),
    ] {
        double.root(n, "Page", double.upload(&format!("u{n}"), what));
        let link = ada.link_page(n).await;
        let refused = ada.icon(&link).await.refused(404, why).to_string();
        assert!(!refused.contains(SIGNATURE) && !refused.contains("example.org"), "{refused}");
    }
    double.root(4, "Page", json!({ "type": "file", "file": { "url": "http://127.0.0.1:9/x.png" } }));
    ada.icon(&ada.link_page(4).await).await.refused(404, "the URL must be https, not `http`");
}

#[tokio::test]
async fn an_upload_of_another_organization_is_had_by_nobody_who_imports_its_name() {
    let (stage, double) = uploaded().await;
    let ada = stage.sign_in("ada").await;
    let link = ada.link_page(1).await;
    assert_eq!(ada.icon(&link).await.bytes, PNG);
    let mut bundle = ada.get("/api/workspaces/w/export").await.ok();
    stage.seed_admin("eve", "other").await;
    let eve = stage.sign_in("eve").await;
    bundle["workspace"]["id"] = json!("theirs");
    eve.post("/api/import", bundle).await.created();
    let links = eve.get("/api/workspaces/theirs/components/a/links").await.ok();
    let theirs = &links["links"][0];
    assert_eq!(theirs["icon"], link["icon"]);
    double.heard();
    let path = format!("/api/workspaces/theirs/components/a/links/{}/icon", theirs["id"]);
    eve.get(&path).await.refused(404, "which is not connected");
    // Their own wiki has no such page: whether another has it makes no difference.
    stage.connect_wiki("other");
    double.hide(1);
    eve.get(&path).await.refused(404, "no such page, or does not share it");
    assert_eq!(double.heard().len(), 2);
}
