//! Conditions: reading again only what changed, and writing only over what was read.

use std::io::Read;

use axum::http::Method;
use planroom::clock::MINUTE;
use serde_json::{Value, json};

use crate::support::{Actor, Stage, ids};

const MAP: &str = "/api/workspaces/w";

/// Writes that take the revision of one row: method, path, body, and where the row is in the bundle.
fn row_writes() -> [(Method, &'static str, Option<Value>, &'static str); 4] {
    [
        (Method::PATCH, "/api/workspaces/w/components/a", Some(json!({ "name": "Mine" })), "/components/0"),
        (Method::PATCH, "/api/workspaces/w/relationships/r", Some(json!({ "label": "Mine" })), "/relationships/0"),
        (Method::DELETE, "/api/workspaces/w/relationships/r", None, "/relationships/0"),
        (Method::DELETE, "/api/workspaces/w/components/a", None, "/components/0"),
    ]
}

/// Writes that take the tag of the workspace.
fn workspace_writes() -> [(Method, &'static str, Option<Value>); 5] {
    let model = json!({ "components": [{ "id": "z", "typeId": "api", "name": "Z" }], "relationships": [] });
    [
        (Method::PATCH, MAP, Some(json!({ "name": "Mine" }))),
        (Method::PATCH, "/api/workspaces/w/components", Some(json!([{ "id": "a", "x": 9, "y": 9 }]))),
        (Method::PUT, "/api/workspaces/w/bulk?dryRun=true", Some(model.clone())),
        (Method::PUT, "/api/workspaces/w/bulk", Some(model)),
        (Method::DELETE, MAP, None),
    ]
}

#[tokio::test]
async fn a_row_that_changed_since_it_was_read_is_not_written_over() {
    let stage = Stage::new().await;
    let bob = stage.seed_member("bob", "acme", "org:member");
    for (method, path, body, place) in row_writes() {
        let ada = stage.map().await;
        stage.grant("w", bob, "editor");
        let other = stage.sign_in("bob").await;
        let read = ada.bundle("w").await.pointer(place).unwrap()["revision"].clone();
        other.patch("/api/workspaces/w/components/a", json!({ "description": "Bob's" })).await.ok();
        other.patch("/api/workspaces/w/relationships/r", json!({ "label": "Bob's" })).await.ok();
        let (bundle, written) = (ada.bundle("w").await, stage.written());
        let reply = ada.header("if-match", &format!("\"{read}\"")).send(method, path, body).await;
        let refusal = reply.refused(412, "changed since you read it");
        assert_eq!(refusal["code"], "stale");
        assert_eq!(refusal["current"], *bundle.pointer(place).unwrap(), "as it is read now");
        assert_eq!(refusal["changedBy"], json!({ "id": bob, "displayName": "bob" }));
        assert_eq!((ada.bundle("w").await, stage.written()), (bundle, written));
        ada.delete(MAP).await.ok();
    }
}

#[tokio::test]
async fn a_row_that_is_still_as_it_was_read_is_written() {
    let stage = Stage::new().await;
    for (method, path, body, place) in row_writes() {
        let ada = stage.map().await;
        // The revision of the workspace moves on; that of the row does not.
        ada.draw("w", &["c"]).await;
        let revision = ada.bundle("w").await.pointer(place).unwrap()["revision"].clone();
        let fresh = ada.header("if-match", &format!("\"999\", \"{revision}\""));
        fresh.send(method, path, body).await.ok();
        ada.delete(MAP).await.ok();
    }
}

#[tokio::test]
async fn a_workspace_that_changed_since_it_was_read_is_not_written_over() {
    let stage = Stage::new().await;
    let bob = stage.seed_member("bob", "acme", "org:member");
    let ada = stage.map().await;
    stage.grant("w", bob, "editor");
    let tag = ada.tag("w").await;
    stage.sign_in("bob").await.draw("w", &["c"]).await;
    let (bundle, written) = (ada.bundle("w").await, stage.written());
    for (method, path, body) in workspace_writes() {
        let refusal = ada.header("if-match", &tag).send(method, path, body).await.refused(412, "changed since");
        assert_eq!(refusal["code"], "stale");
        assert_eq!(refusal["current"], bundle["workspace"], "as it is read now");
        assert_eq!(refusal["changedBy"], json!({ "id": bob, "displayName": "bob" }));
    }
    assert_eq!((ada.bundle("w").await, stage.written()), (bundle, written));
}

#[tokio::test]
async fn a_workspace_that_is_still_as_it_was_read_is_written() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    for (method, path, body) in workspace_writes() {
        let tag = ada.tag("w").await;
        ada.header("if-match", &tag).send(method, path, body).await.ok();
    }
}

#[tokio::test]
async fn who_looks_and_in_which_encoding_does_not_matter_for_writing() {
    let stage = Stage::new().await;
    stage.seed_member("vic", "acme", "org:member");
    let ada = stage.map().await;
    let viewers = stage.sign_in("vic").await.tag("w").await;
    assert_ne!(viewers, ada.tag("w").await);
    ada.header("if-match", &viewers).patch(MAP, json!({ "name": "One" })).await.ok();
    let packed = ada.header("accept-encoding", "gzip").get(MAP).await.header("etag").to_owned();
    ada.patch("/api/people/ada", json!({ "name": "Ada" })).await.ok();
    ada.header("if-match", &packed).patch(MAP, json!({ "name": "Two" })).await.ok();
}

#[tokio::test]
async fn a_star_matches_whatever_is_there() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let any = ada.header("if-match", "*");
    for (method, path, body, _) in row_writes() {
        any.send(method, path, body).await.ok();
    }
    ada.draw("w", &["a"]).await;
    for (method, path, body) in workspace_writes() {
        any.send(method, path, body).await.ok();
    }
    any.patch(MAP, json!({ "name": "N" })).await.refused(404, "workspace");
}

#[tokio::test]
async fn a_weak_tag_never_matches_in_a_write() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let bundle = ada.bundle("w").await;
    for (method, path, body, place) in row_writes() {
        let weak = format!("W/\"{}\"", bundle.pointer(place).unwrap()["revision"]);
        ada.header("if-match", &weak).send(method, path, body).await.refused(412, "changed since");
    }
    let weak = format!("W/{}", ada.tag("w").await);
    for (method, path, body) in workspace_writes() {
        ada.header("if-match", &weak).send(method, path, body).await.refused(412, "changed since");
    }
    assert_eq!(ada.bundle("w").await, bundle);
}

#[tokio::test]
async fn a_tag_of_another_workspace_or_the_beginning_of_one_does_not_match() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let revision = ada.revision("w").await;
    let incarnation = stage.app.gate.incarnation().short();
    for wrong in [
        format!("\"{incarnation}-2-{revision}-0-owner\""),
        format!("\"{incarnation}-1-{revision}\""),
        format!("\"1-{revision}-0-owner\""),
        format!("\"{revision}\""),
        "\"\"".into(),
    ] {
        ada.header("if-match", &wrong).patch(MAP, json!({ "name": "N" })).await.refused(412, "changed since");
    }
    for wrong in ["\"\"", "\"02\"", "\"1-2-0-owner\"", "\"1,2\"", "\"a, b\" , W/\"c\""] {
        let path = "/api/workspaces/w/components/a";
        ada.header("if-match", wrong).patch(path, json!({ "name": "N" })).await.refused(412, "changed since");
    }
}

#[tokio::test]
async fn a_bulk_that_names_a_state_finds_none_at_a_free_id() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let body = json!({ "workspace": { "name": "W" }, "components": [], "relationships": [] });
    let written = stage.written();
    for tag in ["*", "\"1-1-0-owner\"", "W/\"1\""] {
        for path in ["/api/workspaces/w/bulk", "/api/workspaces/w/bulk?dryRun=true"] {
            let refusal = ada.header("if-match", tag).put(path, body.clone()).await.refused(412, "changed since");
            assert_eq!((&refusal["code"], &refusal["current"]), (&json!("stale"), &json!(null)));
        }
    }
    assert_eq!(stage.written(), written);
}

#[tokio::test]
async fn what_is_known_already_is_not_sent_again() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let first = ada.get(MAP).await;
    let tag = first.header("etag");
    assert!(tag.starts_with('"') && tag.ends_with('"'), "strong and quoted: {tag}");
    assert_eq!(first.header("cache-control"), "private, no-cache");
    assert!(first.header("vary").contains("authorization") && first.header("vary").contains("accept-encoding"));
    for known in [tag.to_owned(), format!("W/{tag}"), format!("\"x\", {tag}"), "*".into()] {
        let again = ada.header("if-none-match", &known).get(MAP).await;
        assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0), "{known}");
        assert_eq!(again.header("etag"), tag);
        assert_eq!(again.header("cache-control"), "private, no-cache");
    }
    let packed = ada.header("accept-encoding", "gzip");
    let again = packed.header("if-none-match", tag).get(MAP).await;
    assert_eq!((again.status.as_u16(), again.header("etag")), (304, packed.get(MAP).await.header("etag")));
    ada.header("if-none-match", "\"x\"").get(MAP).await.ok();
    stage.sign_in("ada").await.header("if-none-match", tag).get("/api/workspaces/none").await.refused(404, "workspace");
    stage.anonymous().header("if-none-match", tag).get(MAP).await.refused(401, "Authorization");
}

#[tokio::test]
async fn the_tag_of_a_bundle_changes_with_what_is_in_it_and_with_nothing_else() {
    let stage = Stage::new().await;
    let bob = stage.seed_member("bob", "acme", "org:member");
    let ada = stage.map().await;
    stage.hang_on("w", "a");
    let viewer = stage.sign_in("bob").await;
    let mut seen = vec![ada.tag("w").await];
    // What does not change it: reading, time, another workspace, a write that changes nothing, a refused one.
    ada.bundle("w").await;
    stage.clock.advance(MINUTE);
    ada.found("v").await;
    ada.patch("/api/workspaces/w/components/a", json!({ "name": "a" })).await.ok();
    ada.post("/api/workspaces/w/components", json!({ "id": "a", "typeId": "api", "name": "A" }))
        .await
        .refused(409, "`a`");
    assert_eq!(ada.tag("w").await, seen[0]);
    assert_eq!(stage.script_of("ada").await.tag("w").await, seen[0], "nor the credential");
    // What does.
    let mut changed = async |actor: &Actor<'_>, what: &str| {
        let reply = actor.header("if-none-match", &seen.join(", ")).get(MAP).await;
        reply.ok();
        let tag = reply.header("etag").to_owned();
        assert!(!seen.contains(&tag), "{what}");
        seen.push(tag);
    };
    ada.patch("/api/workspaces/w/components/a", json!({ "name": "A" })).await.ok();
    changed(&ada, "a component").await;
    ada.patch("/api/workspaces/w/relationships/r", json!({ "label": "L" })).await.ok();
    changed(&ada, "a relationship").await;
    ada.patch(MAP, json!({ "name": "N" })).await.ok();
    changed(&ada, "the workspace itself").await;
    ada.patch("/api/people/grace", json!({ "name": "Grace!" })).await.ok();
    changed(&ada, "a person's name").await;
    assert_eq!(ada.bundle("w").await["stakeholders"][0]["person"]["name"], "Grace!");
    changed(&viewer, "who looks").await;
    stage.grant("w", bob, "editor");
    changed(&viewer, "what they may do").await;
    ada.delete(MAP).await.ok();
    ada.found("w").await;
    changed(&ada, "another workspace of the same id").await;
}

#[tokio::test]
async fn the_compressed_form_has_a_tag_of_its_own_and_says_the_same() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    ada.patch(MAP, json!({ "description": "Größe ".repeat(500) })).await.ok();
    let plain = ada.get(MAP).await;
    for _ in 0..2 {
        let packed = ada.header("accept-encoding", "br, gzip;q=0.5").get(MAP).await;
        assert_eq!((packed.status.as_u16(), packed.header("content-encoding")), (200, "gzip"));
        assert_eq!(packed.header("content-type"), "application/json");
        assert_ne!(packed.header("etag"), plain.header("etag"));
        assert!(packed.bytes.len() < plain.bytes.len() / 2);
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(&packed.bytes[..]).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked, plain.bytes);
        let again = ada.header("accept-encoding", "gzip").header("if-none-match", packed.header("etag")).get(MAP).await;
        assert_eq!((again.status.as_u16(), again.header("etag")), (304, packed.header("etag")));
    }
}

#[tokio::test]
async fn only_who_takes_gzip_gets_it() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let cases = [
        ("gzip", true),
        ("GZIP", true),
        ("deflate, gzip;q=1.0, *;q=0.5", true),
        ("*", true),
        ("gzip;q=0.001", true),
        ("", false),
        ("identity", false),
        ("br", false),
        ("gzip;q=0", false),
        ("gzip; q=0.0", false),
        ("gzip;q=0, *", false),
        ("*;q=0", false),
        ("notgzip", false),
    ];
    for (accepts, expected) in cases {
        let reply = ada.header("accept-encoding", accepts).get(MAP).await;
        assert_eq!(reply.header("content-encoding") == "gzip", expected, "{accepts:?}");
    }
}

#[tokio::test]
async fn after_a_write_the_next_read_is_never_of_the_past() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let packed = ada.header("accept-encoding", "gzip");
    for number in 0..30 {
        let id = format!("n{number}");
        ada.get(MAP).await.ok(); // fills the cache
        packed.get(MAP).await;
        ada.draw("w", &[&id]).await;
        assert!(ids(&ada.bundle("w").await["components"]).contains(&id.as_str()));
        let mut text = String::new();
        flate2::read::GzDecoder::new(&packed.get(MAP).await.bytes[..]).read_to_string(&mut text).unwrap();
        assert!(text.contains(&format!("\"{id}\"")));
        ada.delete(&format!("/api/workspaces/w/components/{id}")).await.ok();
        assert!(!ids(&ada.bundle("w").await["components"]).contains(&id.as_str()));
    }
}

#[tokio::test]
async fn readers_beside_a_writer_see_each_state_whole() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let pair = |n: i64| json!([{ "id": "a", "x": n, "y": n }, { "id": "b", "x": n, "y": n }]);
    ada.patch("/api/workspaces/w/components", pair(0)).await.ok();
    let write = async {
        for n in 1..=40 {
            ada.patch("/api/workspaces/w/components", pair(n)).await.ok();
        }
    };
    let read = async || {
        let mut last = 0.0;
        for _ in 0..40 {
            let bundle = ada.bundle("w").await;
            let (a, b) = (bundle["components"][0]["x"].as_f64(), bundle["components"][1]["x"].as_f64());
            assert!(a == b && a.unwrap() >= last, "{a:?} and {b:?} after {last}");
            last = a.unwrap();
        }
    };
    tokio::join!(write, read(), read());
    assert_eq!(ada.bundle("w").await["components"][0]["x"], 40.0);
}

#[tokio::test]
async fn the_list_has_a_tag_too() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let first = ada.get("/api/workspaces").await;
    let tag = first.header("etag").to_owned();
    assert!(tag.starts_with('"'));
    for known in [tag.as_str(), "*"] {
        let again = ada.header("if-none-match", known).get("/api/workspaces").await;
        assert_eq!((again.status.as_u16(), again.bytes.len(), again.header("etag")), (304, 0, tag.as_str()));
    }
    ada.patch(MAP, json!({ "name": "N" })).await.ok();
    let changed = ada.header("if-none-match", &tag).get("/api/workspaces").await;
    assert_eq!(changed.ok()["workspaces"][0]["name"], "N");
    assert_ne!(changed.header("etag"), tag);
}
