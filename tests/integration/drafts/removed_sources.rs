//! Syncs in a draft that end sources, or change the rows of sources of other repositories.

use serde_json::json;

use super::{
    compare,
    sources::{URL, request, sync},
    start,
};
use crate::support::TestServer;

#[tokio::test]
async fn a_source_that_a_sync_in_a_draft_ends_is_shown_and_ends_with_the_merge() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let run = |sources: &[&str], gone: &[&str]| {
        let sources = sources.iter().map(|name| {
            let mut one = request(URL, &format!("{name}.yaml"), name);
            let component = &mut one["reading"]["components"][0];
            (component["id"], component["origin"]["key"]) = (json!(name), json!(name));
            one["source"]["id"] = json!(name);
            one["source"]["name"] = json!(name);
            json!({ "source": one["source"], "reading": one["reading"] })
        });
        json!({ "repository": { "id": "shop", "configuration": "shop/planroom.yaml", "gone": gone },
                "sources": sources.collect::<Vec<_>>(), "prune": true, "allowMassRemoval": true })
    };
    sync(&ada, "w", &run(&["web", "jobs"], &[])).await;
    server.clock.advance(1_000);
    let id = start(&ada, "w", "Sync").await;
    server.clock.advance(1_000);
    sync(&ada, &id, &run(&["web"], &["jobs"])).await;
    let compared = compare(&ada, &id).await;
    let removed = compared["changes"].as_array().unwrap().iter().find(|change| change["change"] == "removed").unwrap();
    assert_eq!((&removed["name"], &removed["row"]["name"]), (&json!("jobs"), &json!("jobs")), "{compared}");
    assert!(compared["changes"].to_string().contains("\"kind\":\"source\",\"id\":\"jobs\""), "{compared}");
    ada.patch(&format!("/api/drafts/{id}"), json!({ "state": "open" })).await.ok();
    ada.post(&format!("/api/drafts/{id}/merge"), json!({})).await.ok();
    let listed = ada.get("/api/workspaces/w/sources").await.ok();
    assert_eq!(listed["sources"].as_array().unwrap().len(), 1, "{listed}");
    let again = ada.post("/api/workspaces/w/sync/preview", run(&["web"], &["jobs"])).await.ok();
    assert_eq!(again["isInStep"], true, "{again}");
    // A draft that was started before others changed the sources removes none of them.
    let first = start(&ada, "w", "First").await;
    let second = start(&ada, "w", "Second").await;
    server.clock.advance(1_000);
    sync(&ada, &first, &run(&["web", "cron"], &[])).await;
    server.clock.advance(1_000);
    let third = start(&ada, "w", "Third").await;
    for id in [&first, &second, &third] {
        let component = json!({ "name": id, "typeId": "service" });
        ada.post(&format!("/api/workspaces/{id}/components"), component).await.created();
        ada.patch(&format!("/api/drafts/{id}"), json!({ "state": "open" })).await.ok();
        ada.post(&format!("/api/drafts/{id}/merge"), json!({})).await.ok();
        let listed = ada.get("/api/workspaces/w/sources").await.ok();
        assert_eq!(listed["sources"].as_array().unwrap().len(), 2, "{listed}");
    }
    // The file comes back.
    let again = ada.post("/api/workspaces/w/sync/preview", run(&["web", "jobs"], &[])).await.ok();
    assert_eq!(again["added"][0]["key"], "jobs", "{again}");
}

#[tokio::test]
async fn a_merge_of_components_in_a_draft_takes_the_sources_of_others_with_it() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let run = |repository: &str, services: &[&str]| {
        let rows = services.iter().map(|name| {
            json!({ "origin": { "key": name, "file": "compose.yaml", "line": 1 }, "id": name, "typeId": "service", "name": name,
                    "properties": { "image": format!("acme/{name}") } })
        });
        let reading = json!({ "components": rows.collect::<Vec<_>>() });
        let source = json!({ "id": format!("{repository}:compose.yaml"), "kind": "compose" });
        json!({ "repository": { "id": repository, "origin": format!("example.org/{repository}") },
                "sources": [{ "source": source, "reading": reading }] })
    };
    sync(&ada, "w", &run("shop", &["web", "pay"])).await;
    server.clock.advance(1_000);
    let bank = run("bank", &["ledger", "pay"]);
    sync(&ada, "w", &bank).await;
    server.clock.advance(1_000);
    let id = start(&ada, "w", "Sync").await;
    server.clock.advance(1_000);
    let report = ada.post(&format!("/api/workspaces/{id}/sync"), run("shop", &["web"])).await.ok();
    assert_eq!(report["removed"][0]["mergedInto"], "pay", "{report}");
    ada.patch(&format!("/api/drafts/{id}"), json!({ "state": "open" })).await.ok();
    ada.post(&format!("/api/drafts/{id}/merge"), json!({})).await.ok();
    let counts = ada.get("/api/workspaces/w/drift").await.ok()["counts"].clone();
    assert_eq!((&counts["onlyInCode"], &counts["differs"]), (&json!(0), &json!(0)), "{counts}");
    let report = ada.post("/api/workspaces/w/sync", bank).await.ok();
    assert_eq!(report["deletedOnMap"], json!([]), "{report}");
    assert_eq!(report["isInStep"], true, "{report}");
}
