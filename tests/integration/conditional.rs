//! Conditional requests: `If-None-Match` for reads, `If-Match` for writes.

use std::io::Read;

use axum::http::Method;
use planroom::clock::MINUTE;
use serde_json::{Value, json};

use crate::support::{TestClient, TestServer, ids};

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
async fn a_stale_row_is_not_overwritten() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    for (method, path, body, place) in row_writes() {
        let ada = server.seed_map().await;
        server.grant("w", bob, "editor");
        let other = server.sign_in("bob").await;
        let read = ada.bundle("w").await.pointer(place).unwrap()["revision"].clone();
        other.patch("/api/workspaces/w/components/a", json!({ "description": "Bob's" })).await.ok();
        other.patch("/api/workspaces/w/relationships/r", json!({ "label": "Bob's" })).await.ok();
        let (bundle, written) = (ada.bundle("w").await, server.log_sizes());
        let reply = ada.header("if-match", &format!("\"{read}\"")).send(method, path, body).await;
        let refusal = reply.expect_error(412, "changed since you read it");
        assert_eq!(refusal["code"], "stale");
        assert_eq!(refusal["current"], *bundle.pointer(place).unwrap(), "as it is read now");
        assert_eq!(refusal["changedBy"], json!({ "id": bob, "displayName": "bob" }));
        assert_eq!((ada.bundle("w").await, server.log_sizes()), (bundle, written));
        ada.delete(MAP).await.ok();
    }
}

#[tokio::test]
async fn a_current_row_is_written() {
    let server = TestServer::new().await;
    for (method, path, body, place) in row_writes() {
        let ada = server.seed_map().await;
        // The revision of the workspace increases; that of the row does not.
        ada.create_components("w", &["c"]).await;
        let revision = ada.bundle("w").await.pointer(place).unwrap()["revision"].clone();
        let fresh = ada.header("if-match", &format!("\"999\", \"{revision}\""));
        fresh.send(method, path, body).await.ok();
        ada.delete(MAP).await.ok();
    }
}

#[tokio::test]
async fn a_stale_workspace_is_not_overwritten() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    server.grant("w", bob, "editor");
    let tag = ada.etag("w").await;
    server.sign_in("bob").await.create_components("w", &["c"]).await;
    let (bundle, written) = (ada.bundle("w").await, server.log_sizes());
    for (method, path, body) in workspace_writes() {
        let refusal = ada.header("if-match", &tag).send(method, path, body).await.expect_error(412, "changed since");
        assert_eq!(refusal["code"], "stale");
        assert_eq!(refusal["current"], bundle["workspace"], "as it is read now");
        assert_eq!(refusal["changedBy"], json!({ "id": bob, "displayName": "bob" }));
    }
    assert_eq!((ada.bundle("w").await, server.log_sizes()), (bundle, written));
}

#[tokio::test]
async fn a_current_workspace_is_written() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for (method, path, body) in workspace_writes() {
        let tag = ada.etag("w").await;
        ada.header("if-match", &tag).send(method, path, body).await.ok();
    }
}

#[tokio::test]
async fn tags_of_any_reader_and_encoding_are_accepted_for_writes() {
    let server = TestServer::new().await;
    server.seed_member("vic", "acme", "org:member");
    let ada = server.seed_map().await;
    let viewers = server.sign_in("vic").await.etag("w").await;
    assert_ne!(viewers, ada.etag("w").await);
    ada.header("if-match", &viewers).patch(MAP, json!({ "name": "One" })).await.ok();
    let packed = ada.header("accept-encoding", "gzip").get(MAP).await.header("etag").to_owned();
    ada.patch("/api/people/ada", json!({ "name": "Ada" })).await.ok();
    ada.header("if-match", &packed).patch(MAP, json!({ "name": "Two" })).await.ok();
}

#[tokio::test]
async fn a_star_matches_any_state() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let any = ada.header("if-match", "*");
    for (method, path, body, _) in row_writes() {
        any.send(method, path, body).await.ok();
    }
    ada.create_components("w", &["a"]).await;
    for (method, path, body) in workspace_writes() {
        any.send(method, path, body).await.ok();
    }
    any.patch(MAP, json!({ "name": "N" })).await.expect_error(404, "workspace");
}

#[tokio::test]
async fn a_weak_tag_never_matches_in_a_write() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let bundle = ada.bundle("w").await;
    for (method, path, body, place) in row_writes() {
        let weak = format!("W/\"{}\"", bundle.pointer(place).unwrap()["revision"]);
        ada.header("if-match", &weak).send(method, path, body).await.expect_error(412, "changed since");
    }
    let weak = format!("W/{}", ada.etag("w").await);
    for (method, path, body) in workspace_writes() {
        ada.header("if-match", &weak).send(method, path, body).await.expect_error(412, "changed since");
    }
    assert_eq!(ada.bundle("w").await, bundle);
}

#[tokio::test]
async fn a_tag_of_another_workspace_or_a_prefix_does_not_match() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let revision = ada.revision("w").await;
    let incarnation = server.app.gate.incarnation().short();
    for wrong in [
        format!("\"{incarnation}-2-{revision}-0-owner\""),
        format!("\"{incarnation}-1-{revision}\""),
        format!("\"1-{revision}-0-owner\""),
        format!("\"{revision}\""),
        "\"\"".into(),
    ] {
        ada.header("if-match", &wrong).patch(MAP, json!({ "name": "N" })).await.expect_error(412, "changed since");
    }
    for wrong in ["\"\"", "\"02\"", "\"1-2-0-owner\"", "\"1,2\"", "\"a, b\" , W/\"c\""] {
        let path = "/api/workspaces/w/components/a";
        ada.header("if-match", wrong).patch(path, json!({ "name": "N" })).await.expect_error(412, "changed since");
    }
}

#[tokio::test]
async fn a_bulk_with_a_tag_fails_for_an_unused_id() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let body = json!({ "workspace": { "name": "W" }, "components": [], "relationships": [] });
    let written = server.log_sizes();
    for tag in ["*", "\"1-1-0-owner\"", "W/\"1\""] {
        for path in ["/api/workspaces/w/bulk", "/api/workspaces/w/bulk?dryRun=true"] {
            let refusal = ada.header("if-match", tag).put(path, body.clone()).await.expect_error(412, "changed since");
            assert_eq!((&refusal["code"], &refusal["current"]), (&json!("stale"), &json!(null)));
        }
    }
    assert_eq!(server.log_sizes(), written);
}

#[tokio::test]
async fn an_unchanged_bundle_is_not_sent_again() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
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
    server
        .sign_in("ada")
        .await
        .header("if-none-match", tag)
        .get("/api/workspaces/none")
        .await
        .expect_error(404, "workspace");
    server.anonymous().header("if-none-match", tag).get(MAP).await.expect_error(401, "Authorization");
}

#[tokio::test]
async fn the_tag_of_a_bundle_changes_only_with_its_content() {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    server.attach_everything_to("w", "a");
    let viewer = server.sign_in("bob").await;
    let mut seen = vec![ada.etag("w").await];
    // What does not change it: reads, time, other workspaces, writes without effect, rejected writes.
    ada.bundle("w").await;
    server.clock.advance(MINUTE);
    ada.create_workspace("v").await;
    ada.patch("/api/workspaces/w/components/a", json!({ "name": "a" })).await.ok();
    ada.post("/api/workspaces/w/components", json!({ "id": "a", "typeId": "api", "name": "A" }))
        .await
        .expect_error(409, "`a`");
    assert_eq!(ada.etag("w").await, seen[0]);
    assert_eq!(server.script_client("ada").await.etag("w").await, seen[0], "nor the credential");
    // What changes it.
    let mut changed = async |client: &TestClient<'_>, what: &str| {
        let reply = client.header("if-none-match", &seen.join(", ")).get(MAP).await;
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
    server.grant("w", bob, "editor");
    changed(&viewer, "what they may do").await;
    ada.delete(MAP).await.ok();
    ada.create_workspace("w").await;
    changed(&ada, "another workspace of the same id").await;
}

#[tokio::test]
async fn the_compressed_bundle_has_its_own_tag_and_the_same_content() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
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
async fn only_clients_that_accept_gzip_get_it() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
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
async fn a_read_after_a_write_is_never_stale() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let packed = ada.header("accept-encoding", "gzip");
    for number in 0..30 {
        let id = format!("n{number}");
        ada.get(MAP).await.ok(); // fills the cache
        packed.get(MAP).await;
        ada.create_components("w", &[&id]).await;
        assert!(ids(&ada.bundle("w").await["components"]).contains(&id.as_str()));
        let mut text = String::new();
        flate2::read::GzDecoder::new(&packed.get(MAP).await.bytes[..]).read_to_string(&mut text).unwrap();
        assert!(text.contains(&format!("\"{id}\"")));
        ada.delete(&format!("/api/workspaces/w/components/{id}")).await.ok();
        assert!(!ids(&ada.bundle("w").await["components"]).contains(&id.as_str()));
    }
}

#[tokio::test]
async fn readers_concurrent_with_a_writer_see_consistent_states() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
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
async fn the_list_of_workspaces_has_a_tag() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
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
