//! Every valid ID can be used in a path.

use serde_json::json;

use super::{Fixture, models::id};
use crate::support::{TestServer, segment};

#[test]
fn any_id_can_be_used_in_a_path() {
    let fixture = Fixture::new();
    fixture.check(60, (id(), id(), id()), async |case, (workspace, component, relationship)| {
        let ada = fixture.client(0);
        let workspace = format!("{workspace}{case}");
        let path = format!("/api/workspaces/{}", segment(&workspace));
        ada.post("/api/workspaces", json!({ "id": workspace, "name": "W" })).await.created();
        let new = json!({ "id": component, "typeId": "service", "name": "C" });
        ada.post(&format!("{path}/components"), new).await.created();
        let new = json!({ "id": relationship, "sourceId": component, "targetId": component, "typeId": "uses" });
        ada.post(&format!("{path}/relationships"), new).await.created();

        let bundle = ada.get(&path).await.ok();
        assert_eq!(bundle["workspace"]["id"], workspace);
        assert_eq!(bundle["components"][0]["id"], component);
        assert_eq!(bundle["relationships"][0]["id"], relationship);
        let at = format!("{path}/components/{}", segment(&component));
        assert_eq!(ada.get(&at).await.ok()["component"]["id"], component);
        ada.patch(&at, json!({ "id": component, "name": "D" })).await.ok();
        let to = format!("{path}/relationships/{}", segment(&relationship));
        ada.patch(&to, json!({ "label": "L" })).await.ok();
        ada.patch(&format!("{path}/components"), json!([{ "id": component, "x": 1, "y": 2 }])).await.ok();
        ada.put(&format!("{path}/bulk"), bundle).await.ok();
        ada.delete(&to).await.ok();
        ada.delete(&at).await.ok();
        ada.get(&at).await.expect_error(404, "component");
        ada.patch(&path, json!({ "name": "X" })).await.ok();
        ada.delete(&path).await.ok();
        ada.get(&path).await.expect_error(404, "workspace");
    });
}

#[tokio::test]
async fn a_workspace_id_that_is_the_name_of_an_endpoint_is_rejected() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    // GET /api/workspaces/restore would never reach this workspace.
    ada.post("/api/workspaces", json!({ "id": "restore", "name": "W" })).await.expect_error(400, "id: `restore`");
    let bulk = json!({ "workspace": { "name": "W" }, "components": [], "relationships": [] });
    ada.put("/api/workspaces/restore/bulk", bulk).await.expect_error(400, "id: `restore`");
    let made = ada.post("/api/workspaces", json!({ "name": "Restore" })).await.created();
    assert_eq!(made["workspace"]["id"], "restore-2");
    ada.get("/api/workspaces/restore-2").await.ok();
    ada.delete("/api/workspaces/restore-2").await.ok();
    let pk = ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"][0]["pk"].clone();
    let body = json!({ "pk": pk, "id": "restore" });
    ada.post("/api/workspaces/restore", body).await.expect_error(400, "id: `restore`");
}
