//! A map and a compose file over time.

use serde_json::{Value, json};

use super::{COMPOSE, component, contents, fields, keys, path, preview, request, shop, stating_all, sync};
use crate::support::TestServer;

#[tokio::test]
async fn a_source_becomes_rows_of_the_map_and_a_second_sync_changes_nothing() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let first = request(&ada, COMPOSE).await;
    let before = server.log_sizes();
    let previewed = preview(&ada, &first).await;
    assert_eq!(server.log_sizes(), before, "a preview writes nothing");
    assert_eq!(keys(&previewed, "added", "component"), ["web", "checkout", "db"].map(str::to_owned));
    let report = sync(&ada, &first).await;
    assert_eq!(report["added"], previewed["added"]);
    assert_eq!((&report["isInStep"], &previewed["changeSetId"]), (&json!(false), &Value::Null));
    assert!(report["changeSetId"].is_string());
    assert_eq!(component(&ada, "db").await["typeId"], "database");
    let all = contents(&ada).await;
    assert_eq!(all["stakeholders"][0]["teamId"], "team-pay", "{all}");
    let again = sync(&ada, &first).await;
    assert_eq!((&again["isInStep"], &again["changeSetId"]), (&json!(true), &Value::Null), "{again}");
    assert_eq!(contents(&ada).await, all);
    let sources = ada.get("/api/workspaces/shop/sources").await.ok();
    let source = &sources["sources"][0];
    assert_eq!((&source["kindName"], &source["claims"]["component"]), (&json!("Docker Compose"), &json!(3)));
    assert_eq!((&source["lastSyncBy"], &source["missing"]), (&json!("ada"), &json!(0)));
    let one = ada.get("/api/workspaces/shop/sources/acme%2Fshop%3Acompose.yaml").await.ok();
    assert_eq!(one["source"], *source);
    assert!(one["claims"].as_array().unwrap().iter().any(|claim| claim["key"] == "web" && claim["line"] == 3));
}

#[tokio::test]
async fn new_components_are_placed_beside_their_neighbors_and_others_do_not_move() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    // All services are in a group of the source.
    let grouped = async |content: &str| {
        let mut request = request(&ada, content).await;
        let group = json!({ "origin": { "key": "shop", "file": "compose.yaml", "line": 1 }, "id": "group",
                            "typeId": "group", "name": "Shop", "isBox": true });
        let parts = request["reading"]["components"].as_array().unwrap().clone();
        request["reading"]["components"].as_array_mut().unwrap().push(group);
        for part in parts {
            let id = part["id"].as_str().unwrap();
            let row = json!({ "origin": { "key": format!("contains:{id}"), "file": "compose.yaml", "line": 1 },
                              "id": format!("in-{id}"), "sourceId": "group", "targetId": id, "typeId": "contains" });
            request["reading"]["relationships"].as_array_mut().unwrap().push(row);
        }
        request
    };
    sync(&ada, &grouped(COMPOSE).await).await;
    let web = component(&ada, "web").await;
    ada.patch(&path(&web), json!({ "x": 5_000, "y": 4_000 })).await.ok();
    let more = format!("{COMPOSE}  cache:\n    image: redis\n");
    let report = sync(&ada, &grouped(&more).await).await;
    assert_eq!(keys(&report, "added", "component"), ["cache"]);
    let moved = component(&ada, "web").await;
    assert_eq!((&moved["x"], &moved["y"]), (&json!(5_000.0), &json!(4_000.0)));
    let (group, cache) = (component(&ada, "Shop").await, component(&ada, "cache").await);
    let bundle = ada.bundle("shop").await;
    let inside = bundle["relationships"]
        .as_array()
        .unwrap()
        .iter()
        .any(|row| row["typeId"] == "contains" && row["sourceId"] == group["id"] && row["targetId"] == cache["id"]);
    assert!(inside, "in its group");
    // The group is left by hand: the next sync does not put the component back.
    let out = bundle["relationships"].as_array().unwrap().iter().find(|row| row["targetId"] == cache["id"]).unwrap();
    let out = out["id"].as_str().unwrap();
    ada.delete(&format!("/api/workspaces/shop/relationships/{out}")).await.ok();
    assert_eq!(sync(&ada, &grouped(&more).await).await["isInStep"], true);
    let drift = ada.get("/api/workspaces/shop/drift?finding=differs").await.ok();
    assert_eq!((&drift["findings"][0]["name"], &drift["findings"][0]["field"]), (&json!("cache"), &json!("parent")));
}

#[tokio::test]
async fn a_field_follows_the_side_that_changed_it_and_conflicts_follow_the_policy() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let mut request = stating_all(request(&ada, COMPOSE).await);
    sync(&ada, &request).await;
    let checkout = component(&ada, "checkout").await;
    ada.patch(&path(&checkout), json!({ "name": "Check out", "description": "Takes money" })).await.ok();
    // The source does not change: the map's edits stay.
    assert_eq!(sync(&ada, &request).await["isInStep"], true);
    assert_eq!(component(&ada, "Check out").await["description"], "Takes money");
    let at = |request: &Value| {
        request["reading"]["components"].as_array().unwrap().iter().position(|row| row["id"] == "checkout").unwrap()
    };
    let index = at(&request);
    request["reading"]["components"][index]["name"] = json!("checkout-v2");
    request["reading"]["components"][index]["description"] = json!("Charges cards");
    request["policy"] = json!({ "name": "ask" });
    let asked = sync(&ada, &request).await;
    assert_eq!(fields(&asked, "conflicts", "checkout"), ["description", "name"]);
    assert_eq!(asked["conflicts"][0]["fields"][1]["taken"], "none");
    assert_eq!(component(&ada, "Check out").await["description"], "Takes money", "the description is the map's");
    request["policy"] = json!({});
    let report = sync(&ada, &request).await;
    assert_eq!(fields(&report, "changed", "checkout"), ["name"], "{report}");
    assert_eq!(component(&ada, "checkout-v2").await["description"], "Takes money");
    assert_eq!(sync(&ada, &request).await["isInStep"], true);
}

#[tokio::test]
async fn rows_that_are_gone_are_marked_and_deleted_only_on_request() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let more = format!("{COMPOSE}  cache:\n    image: redis\n");
    sync(&ada, &request(&ada, &more).await).await;
    let cache = component(&ada, "cache").await;
    let mut less = request(&ada, COMPOSE).await;
    let report = sync(&ada, &less).await;
    assert_eq!(keys(&report, "vanished", "component"), ["cache"]);
    assert_eq!(report["changeSetId"], Value::Null, "no row was written");
    component(&ada, "cache").await;
    let drift = ada.get("/api/workspaces/shop/drift?finding=onlyOnMap").await.ok();
    let gone = drift["findings"].as_array().unwrap().iter().find(|row| row["id"] == cache["id"]).unwrap().clone();
    assert!(gone["missingSince"].is_i64(), "{gone}");
    assert_eq!((&gone["file"], &gone["lastChangedBy"]), (&json!("compose.yaml"), &json!("ada")));
    // It comes back and loses the mark.
    let report = sync(&ada, &request(&ada, &more).await).await;
    assert_eq!(keys(&report, "returned", "component"), ["cache"]);
    assert_eq!(ada.get("/api/workspaces/shop/sources").await.ok()["sources"][0]["missing"], 0);
    less["prune"] = json!(true);
    let report = sync(&ada, &less).await;
    assert_eq!(keys(&report, "removed", "component"), ["cache"], "{report}");
    assert!(!ada.bundle("shop").await["components"].to_string().contains("cache"));
    assert_eq!(sync(&ada, &less).await["isInStep"], true);
    // The source has it again: nobody deleted it by hand, so it is created again.
    let report = sync(&ada, &request(&ada, &more).await).await;
    assert_eq!(keys(&report, "added", "component"), ["cache"], "{report}");
    component(&ada, "cache").await;
}

#[tokio::test]
async fn a_removal_of_many_rows_needs_permission_and_an_empty_source_is_an_error() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    sync(&ada, &request(&ada, COMPOSE).await).await;
    let mut less = request(&ada, "name: shop\nservices:\n  web:\n    image: acme/web\n").await;
    assert_eq!(preview(&ada, &less).await["massRemoval"], Value::Null, "a few rows of a small source may go");
    // Of the 35 rows of a larger source, 32 go.
    let many: Vec<String> = (0..30).map(|n| format!("  job-{n}:\n    image: acme/job\n")).collect();
    sync(&ada, &request(&ada, &format!("{COMPOSE}{}", many.concat())).await).await;
    let previewed = preview(&ada, &less).await;
    assert_eq!(previewed["massRemoval"]["isAllowed"], false);
    let before = server.log_sizes();
    let refused = ada.post("/api/workspaces/shop/sync", less.clone()).await;
    refused.expect_error(409, "rows of this source are gone, and nothing was written");
    assert_eq!(server.log_sizes(), before);
    less["allowMassRemoval"] = json!(true);
    assert_eq!(keys(&sync(&ada, &less).await, "vanished", "component").len(), 32);
    less["reading"]["components"] = json!([]);
    less["reading"]["relationships"] = json!([]);
    let empty = ada.post("/api/workspaces/shop/sync", less).await;
    empty.expect_error(400, "reading.components: has no components");
}

#[tokio::test]
async fn components_of_the_map_are_adopted_by_id_and_by_name_unless_the_request_says_no() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    for (id, name, kind) in
        [("pay", "Check Out Service", "web-app"), ("db-1", "DB", "service"), ("w", "Web", "web-app")]
    {
        let new = json!({ "id": id, "name": name, "typeId": kind, "x": 10, "y": 20 });
        ada.post("/api/workspaces/shop/components", new).await.created();
    }
    let mut request = request(&ada, COMPOSE).await;
    request["adopt"] = json!(false);
    assert_eq!(keys(&preview(&ada, &request).await, "adopted", "component"), [""; 0]);
    request.as_object_mut().unwrap().remove("adopt");
    let report = sync(&ada, &request).await;
    // The type of a database that a source guesses says little about what a person called a service.
    assert_eq!(keys(&report, "adopted", "component"), ["web", "checkout", "db"]);
    assert_eq!(component(&ada, "DB").await["typeId"], "service");
    let adopted = component(&ada, "Check Out Service").await;
    assert_eq!((&adopted["id"], &adopted["typeId"], &adopted["x"]), (&json!("pay"), &json!("web-app"), &json!(10.0)));
    assert_eq!(sync(&ada, &request).await["isInStep"], true);
}

#[tokio::test]
async fn of_several_similar_components_the_one_with_the_same_name_and_type_is_adopted() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    for (id, name, kind) in [
        ("page", "checkout-service", "component"),
        ("pay", "checkout", "service"),
        ("w1", "web", "gateway"),
        ("w2", "web", "service"),
    ] {
        ada.post("/api/workspaces/shop/components", json!({ "id": id, "name": name, "typeId": kind })).await.created();
    }
    let mut request = request(&ada, COMPOSE).await;
    request["adopt"] = json!(true);
    let report = sync(&ada, &request).await;
    let ids: Vec<&str> = report["adopted"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["w2", "pay"], "{report}");
}

#[tokio::test]
async fn a_renamed_component_is_a_candidate_and_keeps_its_row_if_the_request_says_so() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    sync(&ada, &request(&ada, COMPOSE).await).await;
    let before = component(&ada, "checkout").await;
    let mut renamed = request(&ada, &COMPOSE.replace("checkout", "payments")).await;
    let previewed = preview(&ada, &renamed).await;
    let candidates = &previewed["renameCandidates"];
    assert_eq!((&candidates[0]["from"], &candidates[0]["to"]), (&json!("checkout"), &json!("payments")), "{previewed}");
    renamed["renames"] = json!({ "checkout": "payments" });
    let report = sync(&ada, &renamed).await;
    assert_eq!(keys(&report, "added", "component"), [""; 0], "{report}");
    assert_eq!(keys(&report, "vanished", "relationship"), [""; 0], "{report}");
    assert_eq!(component(&ada, "payments").await["id"], before["id"]);
    assert_eq!(sync(&ada, &renamed).await["isInStep"], true, "the same rename again");
}

#[tokio::test]
async fn only_the_selected_rows_are_synchronized() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let mut request = request(&ada, COMPOSE).await;
    request["only"] = json!([{ "kind": "component", "key": "web" }, { "kind": "component", "key": "checkout" },
                             { "kind": "relationship", "key": "web->checkout:" }]);
    let report = sync(&ada, &request).await;
    assert_eq!(report["counts"]["added"], 4, "two components, a relationship, and a stakeholder: {report}");
    assert_eq!(ada.bundle("shop").await["components"].as_array().unwrap().len(), 2);
    let all = json!({ "source": request["source"], "reading": request["reading"] });
    assert_eq!(keys(&sync(&ada, &all).await, "added", "component"), ["db"]);
}

#[tokio::test]
async fn owners_are_chosen_for_new_components_and_stay_the_maps_own() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    ada.post("/api/teams", json!({ "id": "payments", "name": "Payments" })).await.created();
    ada.post("/api/teams", json!({ "id": "platform", "name": "Platform" })).await.created();
    let mut request = request(&ada, COMPOSE).await;
    request["owners"] = json!({ "*": { "kind": "team", "id": "platform" } });
    let team = request["reading"]["teams"][0]["origin"]["key"].as_str().unwrap().to_owned();
    request["directory"] = json!({ team: { "kind": "team", "id": "payments" } });
    sync(&ada, &request).await;
    let held = |all: &Value, id: &Value| {
        let rows = all["stakeholders"].as_array().unwrap().iter().filter(|row| row["componentId"] == *id);
        rows.map(|row| row["teamId"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let all = contents(&ada).await;
    assert_eq!(held(&all, &component(&ada, "checkout").await["id"]), ["payments"]);
    assert_eq!(held(&all, &component(&ada, "web").await["id"]), ["platform"]);
    assert!(!ada.get("/api/teams").await.ok().to_string().contains("team-pay"), "the given team stands for it");
    // Another owner in the source replaces that of the source, and not the ones that were chosen.
    let teams = ada.post("/api/teams", json!({ "id": "team-x", "name": "team-x" })).await;
    teams.created();
    let next = super::request(&ada, &COMPOSE.replace("team-pay", "team-x")).await;
    let report = sync(&ada, &next).await;
    assert_eq!(report["counts"]["removed"], 1, "{report}");
    let all = contents(&ada).await;
    assert_eq!(held(&all, &component(&ada, "checkout").await["id"]), ["team-x"]);
    assert_eq!(held(&all, &component(&ada, "web").await["id"]), ["platform"]);
    let mut wrong = request;
    wrong["owners"] = json!({ "*": { "kind": "person", "id": "nobody" } });
    ada.post("/api/workspaces/shop/sync", wrong).await.expect_error(400, "owners.*.id: there is no person `nobody`");
}

#[tokio::test]
async fn a_relationship_of_two_sources_goes_when_both_have_lost_it() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let first = request(&ada, COMPOSE).await;
    sync(&ada, &first).await;
    let mut second = first.clone();
    second["source"] = json!({ "id": "other", "kind": "compose" });
    second["adopt"] = json!(true);
    let report = sync(&ada, &second).await;
    assert_eq!(report["counts"]["added"], 0, "{report}");
    let without = COMPOSE.replace("    depends_on: [db]\n", "");
    for (source, removed) in [(&first, 0), (&second, 1)] {
        let mut next = request(&ada, &without).await;
        (next["source"], next["prune"]) = (source["source"].clone(), json!(true));
        let report = sync(&ada, &next).await;
        assert_eq!(report["counts"]["removed"], removed, "{report}");
    }
}

#[tokio::test]
async fn a_request_whose_rows_do_not_fit_together_is_rejected_with_the_place() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let good = request(&ada, COMPOSE).await;
    let reject = async |change: &dyn Fn(&mut Value), text: &str| {
        let mut wrong = good.clone();
        change(&mut wrong);
        for path in ["sync", "sync/preview"] {
            ada.post(&format!("/api/workspaces/shop/{path}"), wrong.clone()).await.expect_error(400, text);
        }
    };
    reject(&|all| all["source"]["kind"] = json!("visio"), "source.kind: `visio` is not a format").await;
    reject(&|all| all["reading"]["components"][0]["typeId"] = json!("x"), "reading.components[0].typeId: ").await;
    reject(
        &|all| all["reading"]["components"][1]["origin"]["key"] = json!("web"),
        "reading.components[1].origin.key: ",
    )
    .await;
    reject(
        &|all| all["reading"]["relationships"][0]["targetId"] = json!("nowhere"),
        "reading.relationships[0].targetId: there is no component `nowhere` in the reading",
    )
    .await;
    reject(&|all| all["renames"] = json!({ "web": "checkout" }), "renames.web: the source still has this key").await;
    assert!(ada.bundle("shop").await["components"].as_array().unwrap().is_empty());
}
