//! The OpenAPI document as a contract.

use serde_json::Value;

use crate::support::{TestServer, assert_contract};

#[test]
fn the_document_matches_the_reviewed_copy() {
    assert_contract("openapi.json", &planroom::rest::openapi());
}

#[test]
fn every_route_lists_its_allowed_methods() {
    let documented = serde_json::to_value(planroom::rest::openapi()).unwrap();
    for route in planroom::rest::table() {
        let item = &documented["paths"][route.path];
        assert!(item[route.method.as_str().to_lowercase()].is_object(), "{} {}", route.method, route.path);
    }
}

#[tokio::test]
async fn the_server_sends_the_document_compressed_or_not() {
    let server = TestServer::new().await;
    let plain = server.anonymous().get("/openapi.json").await;
    assert_eq!(plain.header("content-encoding"), "");
    let document = plain.expect(200);
    assert_eq!(document["openapi"], "3.1.0");
    let compressed = server.anonymous().header("accept-encoding", "gzip").get("/openapi.json").await;
    assert_eq!(compressed.header("content-encoding"), "gzip");
    let text = planroom::contracts::text(&compressed.bytes).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), document);
}
