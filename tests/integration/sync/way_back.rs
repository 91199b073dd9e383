//! The way back: what people drew stays theirs, a merge can be undone, and sources that a repository no longer has are gone.

use serde_json::{Value, json};

use super::{
    keys, preview,
    runs::{compose, names, notes, run, source},
    same::{booking, twins},
    shop, sync,
};
use crate::support::{TestClient, TestServer};

async fn drift(ada: &TestClient<'_>, finding: &str) -> Vec<String> {
    let drift = ada.get(&format!("/api/workspaces/shop/drift?finding={finding}")).await.ok();
    drift["findings"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn prune_marks_what_was_drawn_by_hand_and_deletes_what_a_sync_drew() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    for name in ["web", "cart"] {
        let new = json!({ "id": name, "name": name, "typeId": "service" });
        ada.post("/api/workspaces/shop/components", new).await.created();
    }
    let line = json!({ "sourceId": "web", "targetId": "cart", "typeId": "calls" });
    ada.post("/api/workspaces/shop/relationships", line).await.created();
    let file = "services:\n  web:\n    image: a/web\n    depends_on: [cart, pay]\n  cart:\n    image: a/cart\n  pay:\n    \
                image: a/pay\n  mail:\n    image: a/mail\n  log:\n    image: a/log\n";
    let all = run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", file).await]);
    let report = sync(&ada, &all).await;
    assert_eq!(keys(&report, "adopted", "component"), ["web", "cart"], "{report}");
    let rest = file.replace("[cart, pay]", "[]").replace("  cart:\n    image: a/cart\n  pay:\n    image: a/pay\n", "");
    let mut rest = run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", &rest).await]);
    rest["prune"] = json!(true);
    let report = sync(&ada, &rest).await;
    assert_eq!(keys(&report, "removed", "component"), ["pay"], "{report}");
    assert_eq!(keys(&report, "vanished", "component"), ["cart"], "{report}");
    assert_eq!(keys(&report, "vanished", "relationship").len(), 1, "the line was drawn by hand, too: {report}");
    assert!(notes(&report).contains("`cart` is gone from its sources, but it was drawn by hand before"), "{report}");
    assert_eq!(names(&ada).await, ["cart", "log", "mail", "web"]);
    assert_eq!(drift(&ada, "onlyOnMap").await, ["cart", "web → cart"]);
    let again = sync(&ada, &rest).await;
    assert_eq!((&again["isInStep"], notes(&again).contains("by hand")), (&json!(true), false), "{again}");
}

#[tokio::test]
async fn a_component_of_only_one_source_cannot_be_split_off() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let own = run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&["web", "cart"])).await]);
    sync(&ada, &own).await;
    let (path, body) = ("/api/workspaces/shop/sources", json!({ "kind": "component", "key": "pay", "split": true }));
    let (own, other) = (format!("{path}/shop%3Acompose.yaml"), format!("{path}/booking%3Acompose.yaml"));
    ada.patch(&own, body.clone()).await.expect_error(400, "there is nothing to split it off from");
    sync(&ada, &booking(&ada, json!({ "pay": "shop/pay" })).await).await;
    ada.patch(&other, body.clone()).await.ok();
    ada.patch(&own, body).await.expect_error(400, "there is nothing to split it off from");
}

#[tokio::test]
async fn undo_of_a_merge_gives_the_sources_back_and_the_components_stay_two() {
    let server = TestServer::new().await;
    let ada = twins(&server).await;
    let request = booking(&ada, json!({ "pay": "bank/pay" })).await;
    let before = super::contents(&ada).await;
    let report = sync(&ada, &request).await;
    assert_eq!(keys(&report, "removed", "component"), ["pay-2"], "{report}");
    ada.post("/api/workspaces/shop/undo", json!({ "changeSetId": report["changeSetId"] })).await.ok();
    assert_eq!(super::contents(&ada).await, before);
    assert_eq!(drift(&ada, "onlyOnMap").await, [""; 0], "the sources have all rows again");
    assert_eq!(drift(&ada, "onlyInCode").await, [""; 0]);
    for _ in 0..2 {
        let report = sync(&ada, &request).await;
        assert_eq!(report["isInStep"], true, "{report}");
        assert_eq!(super::contents(&ada).await, before);
    }
    // A line that is deleted afterwards is missed.
    ada.delete("/api/workspaces/shop/components/pay-2").await.ok();
    let report = preview(&ada, &request).await;
    assert_eq!((&report["isInStep"], keys(&report, "deletedOnMap", "component")), (&json!(false), vec!["pay".into()]));
}

/// A run of the configuration of the repository `shop`, with the sources that it no longer has.
fn configured(sources: &[Value], gone: &[&str]) -> Value {
    let mut request = run("shop", sources);
    request["repository"]["configuration"] = json!("shop/planroom.yaml");
    request["repository"]["gone"] = json!(gone);
    request
}

#[tokio::test]
async fn rows_of_a_source_that_the_repository_no_longer_has_are_gone() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let web = source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&["web", "cart"])).await;
    let jobs = source(&ada, "shop:jobs.yaml", "jobs/compose.yaml", "services:\n  nightly:\n    image: a/n\n").await;
    sync(&ada, &configured(&[web.clone(), jobs], &[])).await;
    let listed = ada.get("/api/workspaces/shop/sources").await.ok();
    assert_eq!(listed["sources"][1]["configuration"], "shop/planroom.yaml", "{listed}");
    let mut request = configured(&[web], &["shop:jobs.yaml"]);
    let report = preview(&ada, &request).await;
    assert_eq!((&report["isInStep"], keys(&report, "vanished", "component")), (&json!(false), vec!["nightly".into()]));
    sync(&ada, &request).await;
    assert_eq!(drift(&ada, "onlyOnMap").await, ["nightly"]);
    assert_eq!(sync(&ada, &request).await["isInStep"], true);
    request["prune"] = json!(true);
    let report = sync(&ada, &request).await;
    assert_eq!(keys(&report, "removed", "component"), ["nightly"], "{report}");
    let listed = ada.get("/api/workspaces/shop/sources").await.ok();
    assert_eq!(listed["sources"].as_array().unwrap().len(), 1, "nothing of it is left: {listed}");
    // An unknown source is gone already.
    assert_eq!(sync(&ada, &request).await["isInStep"], true);
}

#[tokio::test]
async fn a_source_whose_files_have_another_name_keeps_its_rows() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let file = compose(&["web", "cart"]);
    let old = source(&ada, "shop:compose.yaml", "compose.yaml", &file).await;
    sync(&ada, &configured(&[old], &[])).await;
    let before = super::contents(&ada).await;
    let new = source(&ada, "shop:deploy.yaml", "deploy/compose.yaml", &file).await;
    let mut request = configured(&[new], &["shop:compose.yaml"]);
    request["prune"] = json!(true);
    let report = sync(&ada, &request).await;
    assert_eq!((&report["counts"]["adopted"], &report["counts"]["removed"]), (&json!(0), &json!(0)), "{report}");
    assert_eq!(super::contents(&ada).await, before);
    let listed = ada.get("/api/workspaces/shop/sources").await.ok();
    let ids: Vec<&Value> = listed["sources"].as_array().unwrap().iter().map(|source| &source["id"]).collect();
    assert_eq!(ids, ["shop:deploy.yaml"]);
}

#[tokio::test]
async fn a_repository_cannot_end_sources_of_another_one_or_of_the_same_request() {
    let server = TestServer::new().await;
    let ada = twins(&server).await;
    let own = source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&["web"])).await;
    for (gone, told) in [
        ("bank:compose.yaml", "`bank:compose.yaml` is no source of the repository `shop`"),
        ("shop:compose.yaml", "is a source of the request, too"),
    ] {
        let request = configured(std::slice::from_ref(&own), &[gone]);
        ada.post("/api/workspaces/shop/sync", request).await.expect_error(400, told);
    }
}

#[tokio::test]
async fn of_two_lines_that_a_merge_makes_one_the_more_exact_one_stands() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let diagram = "flowchart LR\n  cart[Cart] --> pay[Pay]\n";
    sync(&ada, &run("bank", &[source(&ada, "bank:map.mmd", "map.mmd", diagram).await])).await;
    let table = "id,name,type,source,target,label\nc,Cart,service,,,\np,Pay,service,,,\n,,calls,c,p,\n";
    let mut own = run("shop", &[source(&ada, "shop:map.csv", "map.csv", table).await]);
    sync(&ada, &own).await;
    let lines = |bundle: &Value| {
        let rows = bundle["relationships"].as_array().unwrap().iter();
        rows.map(|row| row["typeId"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(lines(&ada.bundle("shop").await).len(), 2);
    server.clock.advance(1_000);
    own["same"] = json!({ "c": "bank/Cart", "p": "bank/Pay" });
    let report = sync(&ada, &own).await;
    assert_eq!(keys(&report, "removed", "component").len(), 2, "{report}");
    assert_eq!(lines(&ada.bundle("shop").await), ["calls"], "{report}");
    assert_eq!(sync(&ada, &own).await["isInStep"], true);
}

#[tokio::test]
async fn a_changed_value_is_reported_where_it_is_stated() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let entity = |title: &str| {
        format!(
            "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: {{ name: pay, title: {title} }}\nspec: {{ type: \
             service }}\n"
        )
    };
    let file = compose(&["web", "cart"]);
    sync(&ada, &super::runs::both(&ada, "shop", &file, &entity("Payments")).await).await;
    let report = sync(&ada, &super::runs::both(&ada, "shop", &file, &entity("Checkout")).await).await;
    let changed = &report["changed"][0];
    assert_eq!(
        (&changed["file"], &changed["source"]),
        (&json!("catalog.yaml"), &json!("shop:catalog.yaml")),
        "{report}"
    );
}

#[tokio::test]
async fn a_repository_with_most_components_of_a_known_one_is_told() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let file = "services:\n  a: { image: x/a }\n  b: { image: x/b }\n  c: { image: x/c }\n";
    sync(&ada, &run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", file).await])).await;
    let more = format!("{file}  d: {{ image: x/d }}\n");
    let report = preview(&ada, &run("store", &[source(&ada, "store:compose.yaml", "compose.yaml", &more).await])).await;
    assert!(notes(&report).contains("3 of 4 components are those of the repository `shop`"), "{report}");
}
