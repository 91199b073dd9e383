//! Components that move from one repository to another.

use serde_json::{Value, json};

use super::{
    component, keys, path,
    runs::{compose, names, notes, run, source},
    shop, sync,
};
use crate::support::{TestClient, TestServer};

#[tokio::test]
async fn a_service_that_moves_to_another_repository_keeps_its_row_if_a_second_sign_says_so() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let full = run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&[])).await]);
    sync(&ada, &full).await;
    let pay = component(&ada, "pay").await;
    ada.patch(&path(&pay), json!({ "x": 900, "y": 800, "description": "Takes money" })).await.ok();
    server.clock.advance(1_000);
    let less = run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&["pay", "mail"])).await]);
    assert_eq!(keys(&sync(&ada, &less).await, "vanished", "component"), ["mail", "pay"]);
    server.clock.advance(1_000);
    // The same image, and another image.
    let moved = "services:\n  pay:\n    image: acme/pay:2.0\n  mail:\n    image: other/mail\n";
    let report = sync(&ada, &run("bank", &[source(&ada, "bank:compose.yaml", "compose.yaml", moved).await])).await;
    assert_eq!(keys(&report, "adopted", "component"), ["pay"], "{report}");
    assert_eq!((&report["adopted"][0]["movedFrom"], &report["adopted"][0]["id"]), (&json!("shop"), &pay["id"]));
    assert!(notes(&report).contains("`mail` may be `mail`, which is gone from its source"), "{report}");
    let row = component(&ada, "pay").await;
    assert_eq!((&row["x"], &row["description"]), (&json!(900.0), &json!("Takes money")));
    assert_eq!(
        sync(&ada, &less).await["vanished"].as_array().unwrap().len(),
        1,
        "the old repository no longer misses it"
    );
}

/// A repository with the service `ledger`, and with the service `pay`, which it calls.
async fn bank(ada: &TestClient<'_>) -> Value {
    let file = "services:\n  ledger:\n    image: acme/ledger\n    depends_on: [pay]\n  pay:\n    image: acme/pay:2.0\n";
    run("bank", &[source(ada, "bank:compose.yaml", "compose.yaml", file).await])
}

/// The ids of the components with a name.
async fn ids(ada: &TestClient<'_>, name: &str) -> Vec<String> {
    let bundle = ada.bundle("shop").await;
    let rows = bundle["components"].as_array().unwrap().iter().filter(|row| row["name"] == name);
    rows.map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_service_that_another_repository_got_first_is_merged_when_the_old_one_loses_it() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    sync(&ada, &run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&[])).await])).await;
    let pay = component(&ada, "pay").await;
    ada.patch(&path(&pay), json!({ "x": 900, "y": 800, "description": "Takes money" })).await.ok();
    server.clock.advance(1_000);
    let bank = bank(&ada).await;
    sync(&ada, &bank).await;
    assert_eq!(ids(&ada, "pay").await, ["pay", "pay-2"]);
    server.clock.advance(1_000);
    let less = run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&["pay"])).await]);
    let report = sync(&ada, &less).await;
    assert_eq!(keys(&report, "removed", "component"), ["pay-2"], "{report}");
    assert!(notes(&report).contains("`pay` has moved to `bank`"), "{report}");
    let row = component(&ada, "pay").await;
    assert_eq!((&row["id"], &row["x"], &row["description"]), (&json!("pay"), &json!(900.0), &json!("Takes money")));
    let lines = ada.bundle("shop").await["relationships"].clone();
    let ends: Vec<_> = lines.as_array().unwrap().iter().map(|row| (&row["sourceId"], &row["targetId"])).collect();
    assert_eq!(ends, [(&json!("ledger"), &json!("pay"))]);
    for again in [&bank, &less, &bank] {
        let report = sync(&ada, again).await;
        assert_eq!((&report["isInStep"], &report["changeSetId"]), (&json!(true), &Value::Null), "{report}");
    }
    // One step back, and the two are as before.
    let set = report["changeSetId"].clone();
    ada.post("/api/workspaces/shop/undo", json!({ "changeSetId": set })).await.ok();
    assert_eq!(ids(&ada, "pay").await, ["pay", "pay-2"]);
}

#[tokio::test]
async fn a_component_that_someone_has_edited_or_discussed_is_not_merged() {
    for is_discussed in [false, true] {
        let server = TestServer::new().await;
        let ada = shop(&server).await;
        sync(&ada, &run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&[])).await])).await;
        server.clock.advance(1_000);
        sync(&ada, &bank(&ada).await).await;
        server.clock.advance(1_000);
        if is_discussed {
            let thread = json!({ "anchor": { "type": "component", "id": "pay-2" }, "text": "Is this ours?" });
            ada.post("/api/workspaces/shop/threads", thread).await.created();
        } else {
            ada.patch("/api/workspaces/shop/components/pay-2", json!({ "description": "Ours" })).await.ok();
        }
        let less = run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&["pay"])).await]);
        let report = sync(&ada, &less).await;
        assert_eq!(keys(&report, "vanished", "component"), ["pay"], "{report}");
        assert_eq!(names(&ada).await.iter().filter(|name| *name == "pay").count(), 2);
    }
}

#[tokio::test]
async fn a_component_that_was_discussed_after_it_went_is_not_expected_to_have_moved() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    sync(&ada, &run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&[])).await])).await;
    server.clock.advance(1_000);
    let less = run("shop", &[source(&ada, "shop:compose.yaml", "compose.yaml", &compose(&["pay"])).await]);
    sync(&ada, &less).await;
    server.clock.advance(1_000);
    let thread = json!({ "anchor": { "type": "component", "id": "pay" }, "text": "Where has it gone?" });
    ada.post("/api/workspaces/shop/threads", thread).await.created();
    server.clock.advance(1_000);
    let report = sync(&ada, &bank(&ada).await).await;
    assert!(notes(&report).contains("`pay` may be `pay`, which is gone from its source"), "{report}");
    assert_eq!(ids(&ada, "pay").await, ["pay", "pay-2"]);
}
