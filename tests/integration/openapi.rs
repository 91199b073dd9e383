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

/// Names that do not say what a schema describes.
const UNCLEAR: [&str; 20] = [
    "Consented",
    "Gone",
    "Invited",
    "Joining",
    "Moment",
    "Outside",
    "Reached",
    "Restored",
    "RowThen",
    "Selected",
    "SetUp",
    "Take",
    "Taken",
    "Told",
    "Undone",
    "Verdict",
    "Wanted",
    "WikiRound",
    "Written",
    "Linked",
];

#[test]
fn schemas_have_names_that_say_what_they_describe() {
    let document = serde_json::to_value(planroom::rest::openapi()).unwrap();
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        assert!(!name.ends_with("Answer"), "{name}: write …Response for one row, and …List for several");
        assert!(!UNCLEAR.contains(&name.as_str()), "{name}: name what it describes");
    }
}

/// Beginnings of operation ids, and what to write.
const VERBS: [(&str, &str); 7] = [
    ("announce", "update"),
    ("begin", "start"),
    ("decide", "resolve"),
    ("keep", "create"),
    ("mint", "create"),
    ("read", "get"),
    ("withdraw", "revoke"),
];

#[test]
fn operation_ids_begin_with_the_verbs_of_other_apis() {
    let document = serde_json::to_value(planroom::rest::openapi()).unwrap();
    let items = document["paths"].as_object().unwrap().values().flat_map(|item| item.as_object().unwrap().values());
    for id in items.filter_map(|operation| operation["operationId"].as_str()) {
        for (verb, instead) in VERBS {
            assert!(!id.starts_with(verb), "{id}: write {instead}");
        }
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
