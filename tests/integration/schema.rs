//! The type catalogue.

use serde_json::{Value, json};

use crate::support::{Stage, ids};

#[tokio::test]
async fn the_catalogue_holds_what_was_promised() {
    let stage = Stage::new().await;
    let catalogue = stage.sign_in("ada").await.get("/api/schema").await.ok();
    let component_types = "person, external-system, system, web-app, mobile-app, desktop-app, service, api, gateway, \
                           function, job, database, cache, queue, topic, storage, search-index, data-pipeline, \
                           ml-model, library, identity-provider, network, host, cluster, capability, domain, document";
    let relation_types = "uses, calls, depends-on, reads, writes, publishes, subscribes, streams-to, \
                          authenticates-with, deployed-on, contains, owns, replicates-to, monitors, related-to";
    assert_eq!(ids(&catalogue["componentTypes"]).join(", "), component_types);
    assert_eq!(ids(&catalogue["relationTypes"]).join(", "), relation_types);
    assert_eq!(ids(&catalogue["lifecycleStates"]), ["idea", "planned", "building", "live", "deprecated", "retired"]);
    assert_eq!(ids(&catalogue["stakeholderLinkTypes"]), ["owner", "support", "business-owner"]);
    assert_eq!(catalogue.as_object().unwrap().len(), 4);
}

#[tokio::test]
async fn every_type_has_all_that_a_picture_of_it_needs() {
    let stage = Stage::new().await;
    let catalogue = stage.sign_in("ada").await.get("/api/schema").await.ok();
    let fields: [(&str, &[&str]); 4] = [
        ("componentTypes", &["id", "name", "color", "icon", "iconName"]),
        ("relationTypes", &["id", "name", "color", "directed"]),
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
}

#[tokio::test]
async fn everything_in_the_catalogue_can_be_used() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    ada.found("w").await;
    let catalogue = ada.get("/api/schema").await.ok();
    for id in ids(&catalogue["componentTypes"]) {
        let new = json!({ "id": id, "typeId": id, "name": id });
        ada.post("/api/workspaces/w/components", new).await.created();
    }
    for id in ids(&catalogue["relationTypes"]) {
        ada.relate("w", id, "system", id, "service").await;
    }
}

#[tokio::test]
async fn the_catalogue_is_for_whoever_has_a_credential_and_cannot_be_changed() {
    let stage = Stage::new().await;
    stage.anonymous().get("/api/schema").await.refused(401, "Authorization");
    stage.seed_user("nomad");
    stage.sign_in("nomad").await.get("/api/schema").await.ok();
    let ada = stage.sign_in("ada").await;
    for method in [axum::http::Method::PUT, axum::http::Method::PATCH, axum::http::Method::POST] {
        let reply = ada.send(method, "/api/schema", Some(json!({}))).await;
        reply.refused(405, "not possible");
        assert_eq!(reply.header("allow"), "GET,HEAD");
    }
}
