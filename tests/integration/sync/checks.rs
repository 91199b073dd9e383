//! Checks: whether the map would be what the repository says.

use serde_json::json;

use super::{
    component, keys, path, preview,
    runs::{both, catalog, compose, names, run, source},
    shop, sync,
};
use crate::support::TestServer;

#[tokio::test]
async fn a_service_that_leaves_all_files_is_gone_in_the_same_check_with_what_depends_on_it() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    sync(&ada, &both(&ada, "shop", &compose(&[]), &catalog(&[], None)).await).await;
    let (web, mail) = (component(&ada, "web").await, component(&ada, "mail").await);
    let uses = json!({ "sourceId": web["id"], "targetId": mail["id"], "typeId": "calls" });
    ada.post("/api/workspaces/shop/relationships", uses).await.created();
    let less = both(&ada, "shop", &compose(&["mail"]), &catalog(&["mail"], None)).await;
    let report = preview(&ada, &less).await;
    assert_eq!(report["isInStep"], false, "{report}");
    assert_eq!(
        (&report["vanished"][0]["name"], &report["vanished"][0]["dependents"]),
        (&json!("mail"), &json!(["web"]))
    );
    assert_eq!(report["vanished"].as_array().unwrap().len(), 1, "one row, although both sources lost it");
    // In one file it stays.
    let one = both(&ada, "shop", &compose(&["mail"]), &catalog(&[], None)).await;
    assert_eq!(sync(&ada, &one).await["vanished"], json!([]));
}

#[tokio::test]
async fn a_row_that_was_deleted_on_the_map_fails_the_check_until_someone_accepts_it() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let request = both(&ada, "shop", &compose(&[]), &catalog(&[], None)).await;
    sync(&ada, &request).await;
    ada.delete(&path(&component(&ada, "mail").await)).await.ok();
    let report = preview(&ada, &request).await;
    assert_eq!((&report["isInStep"], report["deletedOnMap"].as_array().unwrap().len()), (&json!(false), 2), "{report}");
    let decision =
        |key: &str| json!({ "kind": "component", "key": key, "accepted": true, "reason": "Merged into pay" });
    for (source, key) in [("shop%3Acompose.yaml", "mail"), ("shop%3Acatalog.yaml", "component:default/mail")] {
        let row = ada.patch(&format!("/api/workspaces/shop/sources/{source}"), decision(key)).await.ok();
        assert_eq!((&row["acceptedReason"], row["acceptedAt"].is_i64()), (&json!("Merged into pay"), true));
    }
    let report = sync(&ada, &request).await;
    assert_eq!(report["isInStep"], true, "{report}");
    assert!(report["deletedOnMap"][0]["acceptedAt"].is_i64(), "{report}");
    let drift = ada.get("/api/workspaces/shop/drift?finding=onlyInCode").await.ok();
    assert_eq!(drift["findings"], json!([]));
    let wrong = ada.patch("/api/workspaces/shop/sources/shop%3Acompose.yaml", decision("web")).await;
    wrong.expect_error(400, "accepted: the map has the row");
    let unknown = ada.patch("/api/workspaces/shop/sources/shop%3Acompose.yaml", decision("nothing")).await;
    unknown.expect_error(404, "row of the source");
}

#[tokio::test]
async fn an_empty_map_is_not_in_step() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let request = both(&ada, "shop", &compose(&[]), &catalog(&[], None)).await;
    sync(&ada, &request).await;
    for name in names(&ada).await {
        ada.delete(&path(&component(&ada, &name).await)).await.ok();
    }
    let report = preview(&ada, &request).await;
    assert_eq!((&report["isInStep"], &report["unchanged"]), (&json!(false), &json!(0)), "{report}");
}

#[tokio::test]
async fn an_acceptance_ends_when_the_files_lose_the_row() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let files = async |without: &[&str]| {
        run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", &compose(without)).await])
    };
    sync(&ada, &files(&[]).await).await;
    ada.delete(&path(&component(&ada, "mail").await)).await.ok();
    let accept = json!({ "kind": "component", "key": "mail", "accepted": true });
    ada.patch("/api/workspaces/shop/sources/shop%3Acompose.yaml", accept).await.ok();
    assert_eq!(sync(&ada, &files(&[]).await).await["isInStep"], true);
    server.clock.advance(1_000);
    sync(&ada, &files(&["mail"]).await).await;
    let back = sync(&ada, &files(&[]).await).await;
    assert_eq!((keys(&back, "deletedOnMap", "component"), &back["isInStep"]), (vec!["mail".to_owned()], &json!(false)));
}

#[tokio::test]
async fn a_sync_never_deletes_more_than_half_of_the_rows_unasked_even_if_an_earlier_one_marked_them() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let files = async |without: &[&str]| {
        run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", &compose(without)).await])
    };
    sync(&ada, &files(&[]).await).await;
    sync(&ada, &files(&["web", "pay", "mail"]).await).await;
    let mut prune = files(&["web", "pay", "mail"]).await;
    prune["prune"] = json!(true);
    let refused = ada.post("/api/workspaces/shop/sync", prune.clone()).await;
    refused.expect_error(409, "3 of 5 rows of this source are gone");
    assert_eq!(names(&ada).await.len(), 5);
    prune["allowMassRemoval"] = json!(true);
    assert_eq!(keys(&sync(&ada, &prune).await, "removed", "component"), ["mail", "pay", "web"]);
}

#[tokio::test]
async fn new_components_get_into_the_group_of_the_repository_unless_a_source_states_another_one() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let group = json!({ "id": "store", "name": "Store", "typeId": "group" });
    ada.post("/api/workspaces/shop/components", group).await.created();
    let rows = [catalog(&["cart", "db", "mail"], None), catalog(&["pay", "web", "db", "mail"], Some("money"))].concat();
    let mut request = run("shop", &[source(&ada, "shop:catalog.yaml", "catalog.yaml", &rows).await]);
    request["group"] = json!("store");
    sync(&ada, &request).await;
    let bundle = ada.bundle("shop").await;
    let inside = |parent: &str| {
        let rows = bundle["relationships"].as_array().unwrap().iter();
        let parts = rows.filter(|row| row["typeId"] == "contains" && row["sourceId"] == parent);
        let mut ids: Vec<_> = parts.map(|row| row["targetId"].as_str().unwrap().to_owned()).collect();
        ids.sort();
        ids
    };
    assert_eq!(
        (inside("store"), inside("money")),
        (vec!["money".into(), "pay".into(), "web".into()], vec!["cart".into()])
    );
    assert_eq!(preview(&ada, &request).await["isInStep"], true);
    let drift = ada.get("/api/workspaces/shop/drift?finding=differs").await.ok();
    assert_eq!(drift["findings"], json!([]));
}
