//! A map and files that have some keys in common: rows stay the same when files are added and removed.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{component, contents, keys, preview, shop, sync};
use crate::support::{TestClient, TestServer};

const SHOP: (&str, &str) = (
    "shop.mmd",
    "flowchart LR\nA[Checkout] -->|places| B[(Orders)]\nB --> C[Mailer]\nclick A \"https://example.org/shop\"\n",
);
const FACTORY: (&str, &str) = (
    "factory.mmd",
    "flowchart LR\nA[Robot] -->|moves| B[Arm]\nB --> X[Belt]\nclick A \"https://example.org/factory\"\n",
);
const LEDGER: (&str, &str) = ("docs/ledger.mmd", "flowchart LR\nX[Ledger] --> C[Printer]\nA[Archive] -->|places| C\n");

/// A request to synchronize with files.
async fn request(client: &TestClient<'_>, kind: &str, files: &[(&str, &str)]) -> Value {
    let files: Vec<Value> = files.iter().map(|(name, content)| json!({ "name": name, "content": content })).collect();
    let read = client.post("/api/readings", json!({ "files": files, "format": kind })).await.ok();
    json!({ "source": { "id": "docs", "kind": kind }, "reading": read["reading"], "allowMassRemoval": true })
}

/// The ids of the components by name.
async fn ids(client: &TestClient<'_>) -> BTreeMap<String, String> {
    let bundle = client.bundle("shop").await;
    let rows = bundle["components"].as_array().unwrap().iter();
    rows.map(|row| (row["name"].as_str().unwrap().to_owned(), row["id"].as_str().unwrap().to_owned())).collect()
}

#[tokio::test]
async fn a_second_file_with_the_same_ids_adds_rows_and_changes_none() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    sync(&ada, &request(&ada, "mermaid-flowchart", &[SHOP]).await).await;
    let (first, known) = (contents(&ada).await, ids(&ada).await);
    let both = request(&ada, "mermaid-flowchart", &[FACTORY, SHOP]).await;
    let previewed = preview(&ada, &both).await;
    let report = sync(&ada, &both).await;
    assert_eq!(report["added"], previewed["added"]);
    assert_eq!(keys(&report, "added", "component"), ["factory.mmd:A", "factory.mmd:B", "X"]);
    for list in ["changed", "conflicts", "vanished", "removed", "adopted", "returned", "deletedOnMap"] {
        assert_eq!(report[list], json!([]), "{list}");
    }
    let after = ids(&ada).await;
    assert!(known.iter().all(|(name, id)| after.get(name) == Some(id)), "{known:?} {after:?}");
    let again = sync(&ada, &both).await;
    assert_eq!((&again["isInStep"], &again["changeSetId"]), (&json!(true), &Value::Null), "{again}");
    // Undo removes the rows of the second file, and a sync with the first file alone changes nothing.
    ada.post("/api/workspaces/shop/undo", json!({ "changeSetId": report["changeSetId"] })).await.ok();
    assert_eq!(contents(&ada).await, first);
    let report = sync(&ada, &request(&ada, "mermaid-flowchart", &[SHOP]).await).await;
    assert_eq!((&report["isInStep"], &report["changeSetId"]), (&json!(true), &Value::Null), "{report}");
    assert_eq!(contents(&ada).await, first);
}

#[tokio::test]
async fn rows_stay_the_same_through_any_series_of_files() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let all = [SHOP, FACTORY, LEDGER];
    let names = [&["Checkout", "Orders", "Mailer"][..], &["Robot", "Arm", "Belt"], &["Ledger", "Printer", "Archive"]];
    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for series in [
        &[0][..],
        &[0, 1],
        &[1],
        &[1, 0],
        &[0],
        &[2, 0],
        &[0, 1, 2],
        &[2, 1],
        &[0, 2],
        &[1, 2],
        &[2, 0, 1],
        &[1, 0],
        &[0, 1, 2],
    ] {
        let files: Vec<(&str, &str)> = series.iter().map(|at| all[*at]).collect();
        let report = sync(&ada, &request(&ada, "mermaid-flowchart", &files).await).await;
        assert_eq!((&report["changed"], &report["conflicts"]), (&json!([]), &json!([])), "{series:?}");
        let here: Vec<&str> = series.iter().flat_map(|at| names[*at]).copied().collect();
        for row in report["vanished"].as_array().unwrap().iter().filter(|row| row["kind"] == "component") {
            assert!(!here.contains(&row["name"].as_str().unwrap()), "{series:?}: {row}");
        }
        let found = ids(&ada).await;
        for (name, id) in &known {
            assert_eq!(found.get(name), Some(id), "{series:?}: {name}");
        }
        known = found;
        let again = sync(&ada, &request(&ada, "mermaid-flowchart", &files).await).await;
        assert_eq!(again["changeSetId"], Value::Null, "{series:?}: {again}");
    }
    let count = contents(&ada).await["relationships"].as_array().unwrap().len();
    assert_eq!((known.len(), count), (9, 6), "nothing was created twice");
}

#[tokio::test]
async fn a_second_compose_project_changes_nothing_of_the_first_one() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let first = (
        "shop/compose.yaml",
        "services:\n  web:\n    image: nginx\n    depends_on: [db]\n    labels:\n      planroom.owner: web-team\n      \
         org.opencontainers.image.url: https://example.org/web\n  db: { image: postgres }\n",
    );
    let second =
        ("crm/compose.yaml", "services:\n  web: { image: acme/crm, depends_on: [db] }\n  db: { image: redis }\n");
    sync(&ada, &request(&ada, "compose", &[first]).await).await;
    let before = contents(&ada).await;
    let report = sync(&ada, &request(&ada, "compose", &[second, first]).await).await;
    assert_eq!(keys(&report, "added", "component"), ["crm/web", "crm/db"]);
    assert_eq!((&report["changed"], &report["vanished"], &report["removed"]), (&json!([]), &json!([]), &json!([])));
    let after = contents(&ada).await;
    for list in ["components", "relationships", "stakeholders"] {
        let all = after[list].as_array().unwrap();
        assert!(before[list].as_array().unwrap().iter().all(|row| all.contains(row)), "{list}: {before} {after}");
    }
    let claims = ada.get("/api/workspaces/shop/sources/docs").await.ok();
    let links = claims["claims"].as_array().unwrap().iter().filter(|claim| claim["kind"] == "link");
    assert_eq!(
        links.map(|claim| claim["key"].clone()).collect::<Vec<_>>(),
        [json!("shop/web:https://example.org/web")]
    );
    let report = sync(&ada, &request(&ada, "compose", &[first]).await).await;
    let gone = keys(&report, "vanished", "component");
    assert_eq!((gone, &report["changed"]), (vec!["crm/db".to_owned(), "crm/web".to_owned()], &json!([])));
}

#[tokio::test]
async fn projects_in_the_same_file_are_told_apart_by_their_other_rows() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let project = |id: &str, own: &str| {
        format!(
            r#"{{"projectId":"{id}","specification":{{}},"elements":{{"user":{{"kind":"actor","title":"User"}},"{own}":{{"title":"{own}"}}}},
            "relations":{{"r":{{"source":{{"model":"user"}},"target":{{"model":"{own}"}},"title":"uses"}}}}}}"#
        )
    };
    let (shop_project, crm) = (project("shop", "web"), project("crm", "contacts"));
    sync(&ada, &request(&ada, "likec4", &[("model.json", &shop_project)]).await).await;
    let user = component(&ada, "User").await;
    let both = format!("[{crm},{shop_project}]");
    let report = sync(&ada, &request(&ada, "likec4", &[("model.json", &both)]).await).await;
    assert_eq!(keys(&report, "added", "component"), ["crm/user", "contacts"]);
    assert_eq!((&report["changed"], &report["vanished"]), (&json!([]), &json!([])));
    let claims = ada.get("/api/workspaces/shop/sources/docs").await.ok();
    let claim = claims["claims"].as_array().unwrap().iter().find(|claim| claim["key"] == "shop/user").unwrap();
    assert_eq!(claim["id"], user["id"]);
}

#[tokio::test]
async fn rows_that_are_not_selected_keep_their_claims() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    sync(&ada, &request(&ada, "mermaid-flowchart", &[SHOP]).await).await;
    let known = ids(&ada).await;
    let mut both = request(&ada, "mermaid-flowchart", &[SHOP, FACTORY]).await;
    both["only"] = json!([{ "kind": "component", "key": "X" }]);
    assert_eq!(keys(&sync(&ada, &both).await, "added", "component"), ["X"]);
    let claims = ada.get("/api/workspaces/shop/sources/docs").await.ok();
    let claim = claims["claims"].as_array().unwrap().iter().find(|claim| claim["key"] == "shop.mmd:A").unwrap();
    assert_eq!(claim["id"].as_str().unwrap(), known["Checkout"]);
}
