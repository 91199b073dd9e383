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
    assert!(notes(&report).contains("`cart` is gone from its sources, but it was drawn by hand"), "{report}");
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

#[tokio::test]
async fn another_component_with_the_id_of_a_merged_one_is_not_taken_for_it() {
    let server = TestServer::new().await;
    let ada = twins(&server).await;
    let request = booking(&ada, json!({ "pay": "bank/pay" })).await;
    sync(&ada, &request).await;
    server.clock.advance(1_000);
    let new = json!({ "id": "pay-2", "name": "Payroll", "typeId": "service" });
    ada.post("/api/workspaces/shop/components", new).await.created();
    let before = super::contents(&ada).await;
    assert_eq!(sync(&ada, &request).await["isInStep"], true);
    assert_eq!(super::contents(&ada).await, before);
}

#[tokio::test]
async fn prune_marks_a_component_to_which_someone_has_drawn_a_line() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    sync(&ada, &run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&[])).await])).await;
    let hand = json!({ "id": "hand", "name": "Hand", "typeId": "service" });
    ada.post("/api/workspaces/shop/components", hand).await.created();
    let line = json!({ "sourceId": "hand", "targetId": "pay", "typeId": "calls" });
    ada.post("/api/workspaces/shop/relationships", line).await.created();
    let mut less = run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&["pay", "mail"])).await]);
    less["prune"] = json!(true);
    let report = sync(&ada, &less).await;
    assert_eq!(
        (keys(&report, "removed", "component"), keys(&report, "vanished", "component")),
        (vec!["mail".to_owned()], vec!["pay".to_owned()]),
        "{report}"
    );
    assert!(notes(&report).contains("`pay` is gone from its sources, but a relationship of it was drawn by hand"));
    assert!(ada.bundle("shop").await["relationships"].to_string().contains("\"sourceId\":\"hand\""));
}

#[tokio::test]
async fn two_components_of_a_source_are_not_one_although_same_names_one_for_both() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    sync(&ada, &run("bank", &[source(&ada, "bank:compose.yaml", "compose.yaml", &compose(&["web", "cart"])).await]))
        .await;
    let file = "services:\n  p:\n    image: x/p\n  z:\n    image: x/z\n    depends_on: [p]\n";
    let plain = run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", file).await]);
    let mut both = plain.clone();
    both["same"] = json!({ "p": "bank/pay", "z": "bank/pay" });
    let told = "for `z`, but another component of the same source is that already";
    let report = preview(&ada, &both).await;
    assert!(notes(&report).contains(told), "{report}");
    assert_eq!(keys(&report, "added", "component"), ["z"]);
    // Also if they were drawn before.
    sync(&ada, &plain).await;
    server.clock.advance(1_000);
    let report = sync(&ada, &both).await;
    assert!(notes(&report).contains(told), "{report}");
    assert_eq!(keys(&report, "removed", "component"), ["p"]);
    let lines = ada.bundle("shop").await["relationships"].clone();
    assert!(lines.to_string().contains("\"sourceId\":\"z\",\"targetId\":\"pay\""), "{lines}");
}

#[tokio::test]
async fn what_one_repository_split_off_another_one_does_not_merge_again() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let own = run("bank", &[source(&ada, "bank:compose.yaml", "compose.yaml", &compose(&["web", "cart"])).await]);
    sync(&ada, &own).await;
    let other = booking(&ada, json!({ "pay": "bank/pay" })).await;
    sync(&ada, &other).await;
    let split = json!({ "kind": "component", "key": "pay", "split": true });
    ada.patch("/api/workspaces/shop/sources/bank%3Acompose.yaml", split).await.ok();
    for request in [&own, &other, &own, &other] {
        server.clock.advance(1_000);
        sync(&ada, request).await;
        assert_eq!(names(&ada).await, ["booking", "db", "mail", "pay", "pay"]);
    }
}

#[tokio::test]
async fn a_corrected_name_of_the_same_component_counts() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    sync(&ada, &run("bank", &[source(&ada, "bank:compose.yaml", "compose.yaml", &compose(&["web", "cart"])).await]))
        .await;
    sync(&ada, &booking(&ada, json!({ "pay": "bank/mail" })).await).await;
    server.clock.advance(1_000);
    let request = booking(&ada, json!({ "pay": "bank/pay" })).await;
    let report = sync(&ada, &request).await;
    assert!(notes(&report).contains("`pay` is the component pay now, as `same` says, and no longer mail"), "{report}");
    assert_eq!(report["counts"]["removed"], 0, "{report}");
    assert_eq!(names(&ada).await, ["booking", "db", "mail", "pay"], "the component of the bank stays");
    assert_eq!(sync(&ada, &request).await["isInStep"], true);
}

#[tokio::test]
async fn an_id_that_a_file_gets_later_merges_what_was_drawn() {
    let server = TestServer::new().await;
    let ada = twins(&server).await;
    let file = "services:\n  booking:\n    image: acme/booking\n    depends_on: [pay]\n  pay:\n    image: acme/pay:9\n    labels: { \
                planroom.owner: desk, planroom.id: pay }\n";
    let request = run("booking", &[source(&ada, "booking:compose.yaml", "compose.yaml", file).await]);
    let report = sync(&ada, &request).await;
    assert_eq!(report["removed"][0]["mergedInto"], "pay", "{report}");
    assert_eq!(names(&ada).await, ["booking", "db", "mail", "pay"]);
    assert_eq!(sync(&ada, &request).await["isInStep"], true);
}

#[tokio::test]
async fn sources_with_equal_keys_get_the_rows_of_those_with_their_images() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let file = |name: &str| format!("services:\n  app: {{ image: x/{name} }}\n  db: {{ image: postgres }}\n");
    let at = async |folder: &str, name: &str| {
        let (id, path) = (format!("shop:{folder}/{name}/compose.yaml"), format!("{folder}/{name}/compose.yaml"));
        let mut one = source(&ada, &id, &path, &file(name)).await;
        one["options"] = json!({ "separate": true });
        one
    };
    sync(&ada, &configured(&[at("services", "a").await, at("services", "b").await], &[])).await;
    let images = async || {
        let bundle = ada.bundle("shop").await;
        let rows = bundle["components"].as_array().unwrap().iter();
        let mut rows: Vec<(String, String)> =
            rows.map(|row| (row["id"].to_string(), row["properties"]["image"].to_string())).collect();
        rows.sort();
        rows
    };
    let before = images().await;
    let gone = ["shop:services/a/compose.yaml", "shop:services/b/compose.yaml"];
    let report = sync(&ada, &configured(&[at("apps", "b").await, at("apps", "a").await], &gone)).await;
    assert_eq!((report["counts"]["added"].clone(), images().await), (json!(0), before), "{report}");
    assert_eq!(report["counts"]["changed"], 0, "{report}");
}

#[tokio::test]
async fn many_components_are_merged_in_several_syncs() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let services: Vec<String> = (0..310).map(|at| format!("  s{at}: {{ image: x/s{at} }}")).collect();
    let file = format!("services:\n{}\n", services.join("\n"));
    sync(&ada, &run("bank", &[source(&ada, "bank:compose.yaml", "compose.yaml", &file).await])).await;
    server.clock.advance(1_000);
    let mut request = run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", &file).await]);
    request["repository"]["copy"] = json!(true);
    sync(&ada, &request).await;
    server.clock.advance(1_000);
    request["same"] = (0..310).map(|at| (format!("s{at}"), json!(format!("bank/s{at}")))).collect();
    for removed in [300, 10, 0] {
        let report = sync(&ada, &request).await;
        assert_eq!(report["counts"]["removed"], removed, "{}", report["counts"]);
        assert_eq!(notes(&report).contains("the next sync continues"), removed == 300);
    }
    assert_eq!(names(&ada).await.len(), 310);
}
