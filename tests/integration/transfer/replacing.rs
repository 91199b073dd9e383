//! Importing a file into an existing workspace.

use serde_json::{Value, json};

use super::{document, full};
use crate::support::TestServer;

#[tokio::test]
async fn an_existing_workspace_is_only_replaced_on_request() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    full(&ada).await;
    ada.post("/api/import", document()).await.expect_error(409, "`full` exists already");
    ada.post("/api/import?dryRun=true", document()).await.expect_error(409, "exists already");
    ada.post("/api/import?id=another", document()).await.created();
    ada.post("/api/import?id=restore", document()).await.expect_error(400, "`restore` is reserved");
    let tag = ada.etag("full").await;
    ada.post("/api/workspaces/full/components", json!({ "typeId": "service", "name": "New" })).await.created();
    let outdated = ada.header("if-match", &tag).post("/api/import?replace=true", document()).await;
    assert_eq!(outdated.expect_error(412, "changed")["code"], "stale");
    ada.post("/api/import?replace=true", document()).await.ok();
}

#[tokio::test]
async fn only_differences_are_written_and_ids_are_kept() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    full(&ada).await;
    let before = ada.bundle("full").await;
    let links = ada.get("/api/workspaces/full/components/db/links").await.ok()["links"].clone();
    let mut changed = document();
    changed["stakeholders"][1]["properties"] = json!({ "since": 2021 });
    changed["stakeholders"].as_array_mut().unwrap().remove(0);
    changed["links"][2]["title"] = json!("Another");
    changed["processes"] = json!([]);
    changed["components"][1]["name"] = json!("Database");
    let would = ada.post("/api/import?replace=true&dryRun=true", changed.clone()).await.ok();
    let done = ada.post("/api/import?replace=true", changed).await.ok();
    for part in ["created", "updated", "deleted"] {
        assert_eq!(would[part], done[part]);
    }
    assert_eq!(done["updated"]["components"], json!(["db"]));
    assert_eq!(
        (&done["updated"]["stakeholders"], &done["deleted"]["stakeholders"]),
        (&json!(["web/ü"]), &json!(["web/ü"]))
    );
    assert_eq!((&done["updated"]["links"], &done["deleted"]["processes"]), (&json!(["db"]), &json!(["check-out"])));
    let after = ada.bundle("full").await;
    let id = |bundle: &Value, at: usize| bundle["stakeholders"][at]["id"].clone();
    assert_eq!([id(&after, 0), id(&after, 1)], [id(&before, 1), id(&before, 2)]);
    let links_after = ada.get("/api/workspaces/full/components/db/links").await.ok()["links"].clone();
    assert_eq!((&links_after[2]["id"], &links_after[2]["title"]), (&links[2]["id"], &json!("Another")));
}

#[tokio::test]
async fn a_section_missing_in_the_file_is_left_unchanged() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    full(&ada).await;
    let before = ada.bundle("full").await;
    let mut model = document();
    for part in ["stakeholders", "links", "processes", "people", "teams", "roles"] {
        model.as_object_mut().unwrap().remove(part);
    }
    ada.post("/api/import?replace=true", model.clone()).await.ok();
    let after = ada.bundle("full").await;
    assert_eq!((&after["stakeholders"], &after["processes"]), (&before["stakeholders"], &before["processes"]));
    // Dependent rows of a deleted component are deleted too.
    model["components"].as_array_mut().unwrap().remove(1);
    model["relationships"] = json!([]);
    ada.post("/api/import?replace=true", model).await.ok();
    assert_eq!(ada.bundle("full").await["stakeholders"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn only_owners_change_the_visibility_and_it_is_reported() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    full(&ada).await;
    let mut open = document();
    open["workspace"]["visibility"] = json!("org");
    let imported = ada.post("/api/import?replace=true", open).await.ok();
    assert_eq!(imported["ignored"], json!(["workspace.visibility"]));
    assert_eq!(imported["workspace"]["visibility"], "members");
}

#[tokio::test]
async fn the_access_of_the_organization_is_not_part_of_a_file() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    full(&ada).await;
    ada.patch("/api/workspaces/full", json!({ "organizationAccess": "edit" })).await.ok();
    let exported: Value = serde_json::from_str(&super::export(&ada, "full").await).unwrap();
    assert_eq!(exported["workspace"].get("organizationAccess"), None);
    let copy = ada.post("/api/import?id=copy", exported).await.created();
    assert_eq!((&copy["workspace"]["organizationAccess"], copy.get("ignored")), (&json!("view"), None));
    // A bundle has it, and is accepted as a file.
    let mut bundle = ada.bundle("full").await;
    let same = ada.post("/api/import?replace=true", bundle.clone()).await.ok();
    assert_eq!((&same["workspace"]["organizationAccess"], same.get("ignored")), (&json!("edit"), None));
    let ignored = json!(["workspace.organizationAccess"]);
    for path in ["/api/import?id=other&dryRun=true", "/api/import?id=other"] {
        let other = ada.post(path, bundle.clone()).await.json();
        assert_eq!(other["ignored"], ignored, "{other}");
    }
    assert_eq!(ada.bundle("other").await["workspace"]["organizationAccess"], "view");
    bundle["workspace"]["organizationAccess"] = json!("view");
    let kept = ada.post("/api/import?replace=true", bundle).await.ok();
    assert_eq!((&kept["workspace"]["organizationAccess"], &kept["ignored"]), (&json!("edit"), &ignored));
}

#[tokio::test]
async fn an_import_is_undone_as_one_change_set() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    full(&ada).await;
    let before = super::export(&ada, "full").await;
    let bare = json!({ "workspace": { "name": "Bare" }, "components": [], "relationships": [], "processes": [] });
    ada.header("x-batch-id", "import").post("/api/import?id=full&replace=true", bare).await.ok();
    ada.post("/api/workspaces/full/undo", json!({ "batchId": "import" })).await.ok();
    assert_eq!(super::export(&ada, "full").await, before);
}
