//! Exported files can be imported and exported again unchanged.

use serde_json::{Value, json};

use super::{document, elsewhere, export, full};
use crate::support::TestServer;

#[tokio::test]
async fn an_export_imported_elsewhere_is_exported_byte_for_byte() {
    let (here, there) = (TestServer::new().await, elsewhere().await);
    let (ada, eve) = (here.sign_in("ada").await, there.sign_in("ada").await);
    // People and teams in another order, and some that the map does not use.
    eve.post("/api/people", json!({ "id": "zoe", "name": "Zoe" })).await.created();
    full(&ada).await;
    let first = export(&ada, "full").await;
    assert_eq!(
        serde_json::from_str::<Value>(&first).unwrap().to_string(),
        document().to_string(),
        "nothing is missing"
    );
    let imported = eve.post("/api/import", serde_json::from_str(&first).unwrap()).await.created();
    assert_eq!(imported["workspace"]["name"], "Full");
    assert_eq!(export(&eve, "full").await, first);
    // Importing it again changes nothing.
    let changes = there.changes().len();
    let again = eve.post("/api/import?replace=true", serde_json::from_str(&first).unwrap()).await.ok();
    assert_eq!((again["isNew"].clone(), there.changes().len()), (json!(false), changes));
    assert_eq!(export(&eve, "full").await, first);
}

#[tokio::test]
async fn the_order_of_components_relationships_processes_and_links_is_kept() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    full(&ada).await;
    let mut turned = document();
    for part in ["components", "relationships", "links", "notes"] {
        turned[part].as_array_mut().unwrap().reverse();
    }
    ada.post("/api/import?replace=true", turned.clone()).await.ok();
    let exported: Value = serde_json::from_str(&export(&ada, "full").await).unwrap();
    for part in ["components", "relationships", "links", "notes"] {
        assert_eq!(exported[part], turned[part], "{part}");
    }
}

#[tokio::test]
async fn a_dry_run_lists_all_changes_and_writes_nothing() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let changes = server.changes().len();
    let would = ada.post("/api/import?dryRun=true", document()).await.ok();
    assert_eq!((&would["dryRun"], &would["isNew"], &would["id"]), (&json!(true), &json!(true), &json!("full")));
    assert_eq!(would["founded"], would["isNew"], "its former name");
    assert_eq!(would["workspace"], Value::Null);
    let expected = json!({
        "workspaces": ["full"], "components": ["web/ü", "db"], "relationships": ["r/1", "r2"],
        "stakeholders": ["web/ü", "web/ü", "db"], "links": ["db", "db", "db"], "processes": ["check-out"],
        "notes": ["n/1", "frame", "photo"], "views": [], "viewPlaces": [], "viewLines": [], "tours": [],
        "decisions": [], "threads": [], "people": ["anna/1", "bo"], "teams": ["pay"], "roles": ["on-call"],
        "kinds": ["ledger"],
    });
    assert_eq!(would["created"], expected);
    ada.get("/api/workspaces/full").await.expect_error(404, "workspace");
    assert_eq!(server.changes().len(), changes);
    let done = ada.post("/api/import", document()).await.created();
    assert_eq!(done["created"], expected, "and the deed is what was promised");
}

#[tokio::test]
async fn existing_people_teams_and_roles_are_kept_and_listed() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.post("/api/people", json!({ "id": "bo", "name": "Another Bo" })).await.created();
    ada.post("/api/teams", json!({ "id": "pay", "name": "Payments", "description": "d" })).await.created();
    ada.patch("/api/stakeholder-link-types/owner", json!({ "color": "#000000" })).await.ok();
    let imported = ada.post("/api/import", document()).await.created();
    assert_eq!(imported["kept"]["people"], json!(["bo"]));
    assert_eq!(imported["kept"]["roles"], json!(["owner"]));
    assert_eq!(imported["kept"]["teams"], json!([]), "it says the same");
    assert_eq!(imported["created"]["people"], json!(["anna/1"]));
    assert_eq!(ada.get("/api/people/bo").await.ok()["person"]["name"], "Another Bo");
    assert_eq!(ada.get("/api/teams/pay/members").await.ok()["members"], json!([]), "its members too");
}

#[tokio::test]
async fn a_bundle_and_a_bulk_can_be_imported() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    full(&ada).await;
    let bundle = ada.bundle("full").await;
    let imported = ada.post("/api/import?id=copy", bundle.clone()).await.created();
    assert_eq!(imported["workspace"]["id"], "copy");
    let copy = ada.bundle("copy").await;
    for part in ["components", "relationships", "stakeholders", "processes"] {
        let count = |bundle: &Value| bundle[part].as_array().unwrap().len();
        assert_eq!(count(&copy), count(&bundle), "{part}");
    }
    let bulk = json!({ "workspace": { "name": "Bare" }, "components": [], "relationships": [] });
    assert_eq!(ada.post("/api/import", bulk).await.created()["workspace"]["id"], "bare");
}

#[tokio::test]
async fn people_roles_and_processes_can_be_imported_as_read() {
    let (here, there) = (TestServer::new().await, elsewhere().await);
    let (ada, eve) = (here.sign_in("ada").await, there.sign_in("ada").await);
    full(&ada).await;
    let mut read = document();
    read["people"] = ada.get("/api/people").await.ok()["people"].clone();
    read["roles"] = ada.get("/api/stakeholder-link-types").await.ok()["types"].clone();
    let process = ada.get("/api/workspaces/full/processes/check-out").await.ok()["process"].clone();
    assert!(process["steps"].is_array());
    for part in ["people", "roles"] {
        read[part]
            .as_array_mut()
            .unwrap()
            .iter_mut()
            .for_each(|row| drop(row.as_object_mut().unwrap().remove("orgId")));
    }
    read["processes"] = json!([process]);
    read["teams"][0]["members"] = Value::Null;
    eve.post("/api/import", read).await.created();
    let imported = eve.get("/api/workspaces/full/processes/check-out").await.ok()["process"].clone();
    assert_eq!(imported["mermaid"], process["mermaid"]);
}

#[tokio::test]
async fn a_viewer_can_export() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    full(&ada).await;
    let user = server.seed_member("val", "acme", "org:member");
    let val = server.sign_in("val").await;
    val.get("/api/workspaces/full/export").await.expect_error(404, "workspace");
    server.grant("full", user, "viewer");
    assert_eq!(export(&val, "full").await, export(&ada, "full").await);
    let reply = val.get("/api/workspaces/full/export").await;
    assert!(reply.header("content-disposition").starts_with("attachment"), "{reply}");
}
