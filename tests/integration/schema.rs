//! The type catalogue.

use serde_json::{Value, json};

use crate::support::{TestServer, ids};

#[tokio::test]
async fn the_catalogue_contains_the_documented_types() {
    let server = TestServer::new().await;
    let catalogue = server.sign_in("ada").await.get("/api/schema").await.ok();
    let component_types = "person, external-system, system, web-app, mobile-app, desktop-app, service, api, gateway, \
                           function, job, database, cache, queue, topic, storage, search-index, data-pipeline, \
                           ml-model, component, library, identity-provider, network, host, cluster, capability, \
                           domain, group, document";
    let relation_types = "uses, calls, depends-on, reads, writes, publishes, subscribes, streams-to, \
                          authenticates-with, deployed-on, contains, owns, replicates-to, monitors, related-to";
    assert_eq!(ids(&catalogue["componentTypes"]).join(", "), component_types);
    assert_eq!(ids(&catalogue["relationTypes"]).join(", "), relation_types);
    assert_eq!(ids(&catalogue["lifecycleStates"]), ["idea", "planned", "building", "live", "deprecated", "retired"]);
    assert_eq!(ids(&catalogue["stakeholderLinkTypes"]), ["owner", "support", "business-owner"]);
    assert_eq!(catalogue.as_object().unwrap().len(), 4);
}

#[tokio::test]
async fn every_type_has_all_attributes_needed_to_draw_it() {
    let server = TestServer::new().await;
    let catalogue = server.sign_in("ada").await.get("/api/schema").await.ok();
    let fields: [(&str, &[&str]); 4] = [
        ("componentTypes", &["id", "name", "color", "icon", "iconName"]),
        ("relationTypes", &["id", "name", "color", "directed", "dependsOn"]),
        ("lifecycleStates", &["id", "name", "color"]),
        ("stakeholderLinkTypes", &["id", "name", "color", "icon", "iconName"]),
    ];
    for (kind, fields) in fields {
        for item in catalogue[kind].as_array().unwrap() {
            let item = item.as_object().unwrap();
            assert_eq!(item.keys().collect::<Vec<_>>(), fields);
            let color = item["color"].as_str().unwrap();
            assert!(color.len() == 7 && color.starts_with('#'), "{color}");
            assert!(u32::from_str_radix(&color[1..], 16).is_ok(), "{color}");
            assert!(item.values().all(|value| value.as_str() != Some("")));
        }
    }
    let undirected: Vec<&Value> =
        catalogue["relationTypes"].as_array().unwrap().iter().filter(|item| item["directed"] == false).collect();
    assert_eq!(undirected.len(), 1);
    assert_eq!(undirected[0]["id"], "related-to");
    let of = |end: &str| -> Vec<&str> {
        let types = catalogue["relationTypes"].as_array().unwrap().iter().filter(|item| item["dependsOn"] == end);
        types.map(|item| item["id"].as_str().unwrap()).collect()
    };
    assert_eq!(of("none"), ["contains", "owns", "monitors", "related-to"]);
    assert_eq!(of("source"), ["streams-to", "replicates-to"]);
    assert_eq!(of("target").len(), 9);
}

#[tokio::test]
async fn every_type_of_the_catalogue_can_be_used() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.create_workspace("w").await;
    let catalogue = ada.get("/api/schema").await.ok();
    for id in ids(&catalogue["componentTypes"]) {
        let new = json!({ "id": id, "typeId": id, "name": id });
        ada.post("/api/workspaces/w/components", new).await.created();
    }
    for id in ids(&catalogue["relationTypes"]) {
        ada.create_relationship("w", id, "system", id, "service").await;
    }
}

#[tokio::test]
async fn the_catalogue_requires_a_credential_and_is_read_only() {
    let server = TestServer::new().await;
    server.anonymous().get("/api/schema").await.expect_error(401, "Authorization");
    server.seed_user("nomad");
    server.sign_in("nomad").await.get("/api/schema").await.ok();
    let ada = server.sign_in("ada").await;
    for method in [axum::http::Method::PUT, axum::http::Method::PATCH, axum::http::Method::POST] {
        let reply = ada.send(method, "/api/schema", Some(json!({}))).await;
        reply.expect_error(405, "is not supported");
        assert_eq!(reply.header("allow"), "GET,HEAD");
    }
}
