//! Components that look alike, and that several sources, repositories or runs have.

use serde_json::{Value, json};

use super::{
    component, keys, path,
    runs::{compose, names, notes, run, source},
    shop, sync,
};
use crate::support::TestServer;

/// An entity of a catalog.
fn entity(name: &str, system: Option<&str>) -> String {
    let system = system.map(|system| format!("  system: {system}\n")).unwrap_or_default();
    format!(
        "---\napiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata:\n  name: {name}\nspec:\n  type: service\n  \
         lifecycle: production\n  owner: team-a\n{system}"
    )
}

/// A system of a catalog.
fn system(name: &str) -> String {
    format!("---\napiVersion: backstage.io/v1alpha1\nkind: System\nmetadata:\n  name: {name}\nspec:\n  owner: team-a\n")
}

#[tokio::test]
async fn a_type_that_a_source_only_guessed_is_a_guess_in_later_runs_too() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let first = source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&[])).await;
    sync(&ada, &run("shop", &[first])).await;
    assert_eq!(component(&ada, "db").await["typeId"], "database");
    let catalog = source(&ada, "shop:catalog.yaml", "catalog.yaml", &entity("db", None)).await;
    let report = sync(&ada, &run("shop", &[catalog])).await;
    assert_eq!(names(&ada).await, ["cart", "db", "mail", "pay", "web"], "{report}");
}

#[tokio::test]
async fn a_component_of_another_repository_that_files_name_by_its_id_is_reported() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let file = "services:\n  one:\n    image: acme/one\n    labels:\n      planroom.id: one\n";
    let shop = source(&ada, "shop:compose.yaml", "compose.yaml", file).await;
    sync(&ada, &run("shop", &[shop])).await;
    let more = format!("{file}  ledger:\n    image: acme/ledger\n  teller:\n    image: acme/teller\n");
    let bank = run("bank", &[source(&ada, "bank:compose.yaml", "compose.yaml", &more).await]);
    let report = sync(&ada, &bank).await;
    assert_eq!(keys(&report, "adopted", "component"), ["one"], "{report}");
    let again = sync(&ada, &bank).await;
    assert_eq!((names(&ada).await.len(), &again["isInStep"]), (3, &json!(true)), "{again}");
}

#[tokio::test]
async fn two_components_of_single_syncs_are_reported_and_become_one_when_one_is_deleted() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let compose = source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&["cart", "mail"])).await;
    let catalog = source(&ada, "shop:catalog.yaml", "catalog.yaml", &entity("pay", None)).await;
    let mut apart = catalog.clone();
    apart["options"] = json!({ "separate": true });
    sync(&ada, &run("shop", &[compose.clone(), apart])).await;
    assert_eq!(names(&ada).await, ["db", "pay", "pay", "web"]);
    let both = run("shop", &[compose, catalog]);
    let report = sync(&ada, &both).await;
    let text = notes(&report);
    assert_eq!(text.matches("are two components").count(), 1, "{report}");
    ada.delete(&path(&component(&ada, "pay").await)).await.ok();
    let report = sync(&ada, &both).await;
    assert_eq!((names(&ada).await.len(), keys(&report, "deletedOnMap", "component").len()), (3, 0), "{report}");
    assert_eq!(sync(&ada, &both).await["isInStep"], true);
}

#[tokio::test]
async fn a_component_that_gets_its_group_later_moves_into_it_unless_someone_moved_it() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let compose = source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&["cart"])).await;
    sync(&ada, &run("shop", std::slice::from_ref(&compose))).await;
    ada.patch(&path(&component(&ada, "mail").await), json!({ "x": 5000, "y": 4000 })).await.ok();
    let (web, db) = (component(&ada, "web").await, component(&ada, "db").await);
    let grouped = [entity("web", Some("store")), entity("mail", Some("store")), system("store")].concat();
    let catalog = source(&ada, "shop:catalog.yaml", "catalog.yaml", &grouped).await;
    sync(&ada, &run("shop", &[compose, catalog])).await;
    let (mail, after) = (component(&ada, "mail").await, component(&ada, "web").await);
    assert_eq!((&mail["x"], &mail["y"]), (&json!(5000.0), &json!(4000.0)));
    assert_ne!((&web["x"], &web["y"]), (&after["x"], &after["y"]), "{after}");
    assert_eq!(component(&ada, "db").await["x"], db["x"]);
}

#[tokio::test]
async fn the_files_of_several_folders_that_list_others_are_no_duplicates() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let deployment = |name: &str| {
        format!(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {name}\nspec:\n  template:\n    spec:\n      \
             containers:\n        - name: {name}\n          image: acme/{name}\n"
        )
    };
    let list = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [app.yaml]\n";
    let files: Vec<_> = ["web", "pay"]
        .iter()
        .flat_map(|name| {
            let file = |file: &str, content: String| json!({ "name": format!("{name}/{file}"), "content": content });
            [file("kustomization.yaml", list.to_owned()), file("app.yaml", deployment(name))]
        })
        .collect();
    let found = ada.post("/api/readings", json!({ "files": files })).await.ok();
    let is_warning = |row: &Value| row["severity"] != "info";
    assert!(!found["diagnostics"].as_array().unwrap().iter().any(is_warning), "{found}");
    assert_eq!(found["counts"]["components"], 2, "{found}");
}
