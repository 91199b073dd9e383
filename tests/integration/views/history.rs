//! Views in past states, versions, differences and restored workspaces.

use serde_json::{Value, json};

use super::{PATH, drawn, moved, positions};
use crate::support::{TestServer, ids};

#[tokio::test]
async fn past_states_versions_and_differences_contain_views() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let empty = ada.revision("w").await;
    ada.create_view(json!({ "id": "v1", "name": "V" })).await;
    ada.create_view(json!({ "id": "v2", "name": "W" })).await;
    ada.operate(json!([moved("a", 5), moved("b", 6), drawn(7)])).await;
    ada.post("/api/workspaces/w/tours", json!({ "id": "t1", "name": "T" })).await.created();
    ada.patch("/api/workspaces/w/components/a", json!({ "opens": "v1" })).await.ok();
    let created = ada.revision("w").await;
    let before = ada.bundle_with_views().await;
    let version =
        ada.post("/api/workspaces/w/versions", json!({ "name": "V" })).await.created()["version"]["id"].clone();
    ada.patch(&format!("{PATH}/v1"), json!({ "name": "Renamed", "position": 9_000_000 })).await.ok();
    ada.operate(json!([moved("a", 50), { "op": "delete", "kind": "view-place", "id": "v1/b" }])).await;
    ada.delete("/api/workspaces/w/relationships/r").await.ok();
    ada.delete("/api/workspaces/w/tours/t1").await.ok();
    let changed = ada.revision("w").await;
    assert_eq!(ids(&ada.bundle_with_views().await["views"]), ["v2", "v1"]);

    let parts = ["views", "viewPlaces", "viewLines", "tours"];
    let past = async |revision: i64| ada.get(&format!("/api/workspaces/w?at={revision}")).await.ok();
    let (then, first) = (past(created).await, past(empty).await);
    let of_version = ada.get(&format!("/api/workspaces/w/versions/{version}")).await.ok();
    for part in parts {
        assert_eq!(then[part], before[part], "{part}");
        assert_eq!(of_version[part], before[part], "{part}");
        assert_eq!(first[part], json!([]), "{part}");
    }
    assert_eq!(first["components"][0]["opens"], Value::Null);

    let path = format!("/api/workspaces/w/history/difference?from={created}&to={changed}");
    let difference = ada.get(&path).await.ok();
    let fields = &difference["views"]["changed"][0]["fields"];
    assert_eq!(fields["name"], json!({ "from": "V", "to": "Renamed" }));
    assert_eq!(fields["position"]["to"], 9_000_000);
    let place = &difference["viewPlaces"];
    assert_eq!((&place["changed"][0]["name"], &place["changed"][0]["entityId"]), (&json!("a in v1"), &json!("v1/a")));
    assert_eq!(place["removed"][0]["row"]["componentId"], "b");
    assert_eq!(difference["viewLines"]["removed"][0]["row"]["relationshipId"], "r");
    assert_eq!(difference["tours"]["removed"][0]["row"]["id"], "t1");

    let restored = async || {
        let bundle = ada.bundle_with_views().await;
        let names: Vec<String> = parts.map(|part| bundle[part].as_array().unwrap().len().to_string()).into();
        (positions(&bundle["viewPlaces"]).join(", "), ids(&bundle["views"]).join(" "), names.join(" "))
    };
    let whole = ("v1/a 5.0, v1/b 6.0".to_owned(), "v1 v2".to_owned(), "2 2 1 1".to_owned());
    ada.post(&format!("/api/workspaces/w/versions/{version}/restore"), json!(null)).await.ok();
    assert_eq!(restored().await, whole);
    let nothing = ada.post("/api/workspaces/w/history/restore", json!({ "revision": empty })).await.ok();
    assert_eq!(restored().await.2, "0 0 0 0");
    ada.post("/api/workspaces/w/undo", json!({ "changeSetId": nothing["changeSetId"] })).await.ok();
    assert_eq!(restored().await, whole);
    ada.post("/api/workspaces/w/history/restore", json!({ "revision": changed })).await.ok();
    assert_eq!(restored().await, ("v1/a 50.0".to_owned(), "v2 v1".to_owned(), "2 1 0 0".to_owned()));
}
