//! Fields of the wrong type, missing fields and unknown fields.

use axum::http::Method;
use serde_json::{Value, json};

use super::{BULK, LINKS, NEW, assert_bad_input, assert_unchanged};
use crate::support::TestServer;

#[tokio::test]
async fn a_field_of_the_wrong_type_is_named() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = server.log_sizes();
    let bulk =
        |component: Value| json!({ "components": [{ "typeId": "api", "name": "A" }, component], "relationships": [] });
    let cases = [
        (Method::POST, NEW, json!({ "typeId": "api", "name": 3 }), "name"),
        (Method::POST, NEW, json!({ "typeId": ["api"], "name": "A" }), "typeId"),
        (Method::POST, NEW, json!({ "typeId": "api", "name": null }), "name"),
        (Method::POST, NEW, json!({ "typeId": "api", "name": "A", "x": "1", "y": 1 }), "x"),
        (Method::POST, NEW, json!({ "typeId": "api", "name": "A", "properties": [] }), "properties"),
        (Method::POST, NEW, json!({ "typeId": "api", "name": "A", "properties": "{}" }), "properties"),
        (Method::PATCH, "/api/workspaces/w", json!({ "visibility": "public" }), "visibility"),
        (Method::PATCH, "/api/workspaces/w", json!({ "visibility": true }), "visibility"),
        (Method::PATCH, "/api/workspaces/w", json!({ "organizationAccess": ["edit"] }), "organizationAccess"),
        (Method::PATCH, "/api/workspaces/w", json!({ "name": {} }), "name"),
        (Method::PATCH, NEW, json!([{ "id": 1, "x": 0, "y": 0 }]), "[0].id"),
        (Method::POST, LINKS, json!({ "url": 3 }), "url"),
        (Method::POST, LINKS, json!({ "url": null }), "url"),
        (Method::POST, LINKS, json!({ "url": ["https://example.org"] }), "url"),
        (Method::POST, LINKS, json!({ "url": "https://example.org", "kind": "page" }), "kind"),
        (Method::POST, LINKS, json!({ "url": "https://example.org", "kind": "" }), "kind"),
        (Method::POST, LINKS, json!({ "url": "https://example.org", "kind": { "url": null } }), "kind"),
        (Method::POST, "/api/workspaces/restore", json!({ "pk": "1" }), "pk"),
        (Method::POST, "/api/workspaces/restore", json!({ "pk": 1.5 }), "pk"),
        (Method::PUT, BULK, bulk(json!({ "typeId": "api", "name": [] })), "components[1].name"),
        (Method::PUT, BULK, bulk(json!("a")), "components[1]"),
        (Method::PUT, BULK, json!({ "components": {}, "relationships": [] }), "components"),
        (Method::PUT, BULK, json!({ "workspace": [1], "components": [], "relationships": [] }), "workspace"),
    ];
    for (method, path, body, field) in cases {
        let reply = ada.send(method, path, Some(body)).await;
        let named = assert_bad_input(&reply, 400, field)["field"].clone();
        assert!(named.as_str().unwrap().starts_with(field), "{reply}");
    }
    for (method, path) in
        [(Method::POST, NEW), (Method::POST, LINKS), (Method::PATCH, "/api/workspaces/w"), (Method::PUT, BULK)]
    {
        for body in [json!([]), json!("x"), json!(3), json!(null), json!(true)] {
            assert_bad_input(&ada.send(method.clone(), path, Some(body)).await, 400, "");
        }
    }
    assert_unchanged(&server, &ada, before).await;
}

/// A list in the order of our fields is not an object, although some JSON parsers accept it.
#[tokio::test]
async fn a_list_is_not_accepted_as_an_object_nor_an_object_as_a_string() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = server.log_sizes();
    let cases = [
        (Method::POST, NEW, json!([null, "api", "A", null, null, null, null])),
        (Method::PATCH, NEW, json!([["a", 1, 2]])),
        (Method::POST, LINKS, json!(["https://example.org", null])),
        (Method::POST, "/api/workspaces/restore", json!([1, null])),
        (Method::POST, "/api/workspaces/w/relationships", json!([null, "a", "b", "calls", null, null])),
        (Method::PUT, BULK, json!([null, [], []])),
        (Method::PUT, BULK, json!({ "components": [["z", "api", "Z", null, null, null, null]], "relationships": [] })),
        (
            Method::PUT,
            BULK,
            json!({ "workspace": [null, null, "W", null, null], "components": [], "relationships": [] }),
        ),
        (Method::PATCH, "/api/workspaces/w", json!({ "visibility": { "private": null } })),
        (Method::PATCH, "/api/workspaces/w", json!({ "organizationAccess": { "edit": null } })),
    ];
    for (method, path, body) in cases {
        assert_bad_input(&ada.send(method, path, Some(body)).await, 400, "invalid type");
    }
    assert_unchanged(&server, &ada, before).await;
}

#[tokio::test]
async fn a_missing_field_is_named() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = server.log_sizes();
    let cases = [
        (Method::POST, "/api/workspaces", json!({}), "name"),
        (Method::POST, "/api/workspaces/restore", json!({ "id": "v" }), "pk"),
        (Method::POST, LINKS, json!({ "kind": "url" }), "url"),
        (Method::POST, NEW, json!({ "name": "A" }), "typeId"),
        (Method::POST, NEW, json!({ "typeId": "api" }), "name"),
        (Method::PATCH, NEW, json!([{ "id": "a", "x": 1, "y": 1 }, { "id": "b", "y": 1 }]), "[1].x"),
        (Method::POST, "/api/workspaces/w/relationships", json!({ "sourceId": "a", "typeId": "calls" }), "targetId"),
        (Method::POST, "/api/workspaces/w/relationships", json!({ "targetId": "a", "typeId": "calls" }), "sourceId"),
        (Method::POST, "/api/workspaces/w/relationships", json!({ "sourceId": "a", "targetId": "b" }), "typeId"),
        (Method::PUT, BULK, json!({ "workspace": {}, "components": [], "relationships": [] }), "workspace.name"),
        (
            Method::PUT,
            BULK,
            json!({ "components": [], "relationships": [{ "sourceId": "a" }] }),
            "relationships[0].targetId",
        ),
    ];
    for (method, path, body, field) in cases {
        let reply = ada.send(method, path, Some(body)).await;
        assert_eq!(assert_bad_input(&reply, 400, "is required")["field"], field, "{reply}");
    }
    assert_unchanged(&server, &ada, before).await;
}

#[tokio::test]
async fn an_unknown_field_is_named() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = server.log_sizes();
    let long = "k".repeat(5_000);
    let cases = [
        (Method::POST, "/api/workspaces", json!({ "name": "A", "nmae": "B" }), "nmae"),
        (Method::PATCH, "/api/workspaces/w", json!({ "name": "A", "components": [] }), "components"),
        (Method::POST, NEW, json!({ "typeId": "api", "name": "A", "type_id": "api" }), "type_id"),
        (Method::POST, NEW, json!({ "typeId": "api", "name": "A", "Name": "B" }), "Name"),
        (Method::PATCH, "/api/workspaces/w/components/a", json!({ "label": "L" }), "label"),
        (Method::PATCH, "/api/workspaces/w/components/a", json!({ "": 1 }), ""),
        (Method::PATCH, "/api/workspaces/w/relationships/r", json!({ "name": "N" }), "name"),
        (Method::POST, LINKS, json!({ "url": "https://example.org", "label": "L" }), "label"),
        (Method::PATCH, NEW, json!([{ "id": "a", "x": 1, "y": 1, "z": 1 }]), "[0].z"),
        (
            Method::PUT,
            BULK,
            json!({ "components": [{ "typeId": "api", "name": "A" }, { "typeId": "api", "name": "B", "colour": 1 }],
                    "relationships": [] }),
            "components[1].colour",
        ),
        (Method::PUT, BULK, json!({ "components": [], "relationships": [], "people": [] }), "people"),
        (
            Method::PUT,
            BULK,
            json!({ "workspace": { "name": "W", "hue": 1 }, "components": [], "relationships": [] }),
            "workspace.hue",
        ),
        (Method::PATCH, "/api/workspaces/w", json!({ long: 1 }), &"k".repeat(60)),
    ];
    for (method, path, body, field) in cases {
        let reply = ada.send(method, path, Some(body)).await;
        assert_eq!(assert_bad_input(&reply, 400, "no such field")["field"], field, "{reply}");
    }
    assert_unchanged(&server, &ada, before).await;
}
