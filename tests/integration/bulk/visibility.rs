//! The visibility of workspaces that a bulk creates or updates, and the access of the organization.

use serde_json::json;

use super::{PATH, map, model};
use crate::support::TestServer;

#[tokio::test]
async fn a_bundle_sent_to_an_unused_id_keeps_its_visibility() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    for visibility in ["private", "members", "org"] {
        ada.patch("/api/workspaces/w", json!({ "visibility": visibility })).await.ok();
        let bundle = ada.bundle("w").await;
        ada.delete("/api/workspaces/w").await.ok();
        let tried = ada.put(&format!("{PATH}?dryRun=true"), bundle.clone()).await.ok();
        let done = ada.put(PATH, bundle).await.ok();
        assert_eq!(ada.bundle("w").await["workspace"]["visibility"], visibility);
        assert_eq!(done["workspace"]["visibility"], visibility);
        for answer in [tried, done] {
            assert_eq!(answer["ignored"], json!(["stakeholders", "processes"]), "nothing else was passed over");
        }
    }
}

#[tokio::test]
async fn the_visibility_of_an_existing_workspace_is_kept_and_reported() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let with = |visibility: &str| {
        let mut body = model(&["a"]);
        body["workspace"] = json!({ "name": "w", "visibility": visibility });
        body
    };
    for path in [format!("{PATH}?dryRun=true"), PATH.to_owned()] {
        let other = ada.put(&path, with("private")).await.ok();
        assert_eq!(other["ignored"], json!(["workspace.visibility"]));
        assert!(ada.put(&path, with("org")).await.ok().get("ignored").is_none());
    }
    assert_eq!(ada.bundle("w").await["workspace"]["visibility"], "org");
    ada.put(PATH, with("everybody")).await.expect_error(400, "workspace.visibility");
}

#[tokio::test]
async fn the_access_of_the_organization_is_set_for_a_new_workspace_and_otherwise_kept_and_reported() {
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let with = |access: &str| {
        let mut body = model(&["a"]);
        body["workspace"] = json!({ "name": "w", "visibility": "org", "organizationAccess": access });
        body
    };
    for path in [format!("{PATH}?dryRun=true"), PATH.to_owned()] {
        let other = ada.put(&path, with("edit")).await.ok();
        assert_eq!(other["ignored"], json!(["workspace.organizationAccess"]));
        assert!(ada.put(&path, with("view")).await.ok().get("ignored").is_none());
    }
    assert_eq!(ada.bundle("w").await["workspace"]["organizationAccess"], "view");
    let mut both = with("edit");
    both["workspace"]["visibility"] = json!("private");
    let expected = json!(["workspace.visibility", "workspace.organizationAccess"]);
    assert_eq!(ada.put(PATH, both).await.ok()["ignored"], expected);
    let new = ada.put("/api/workspaces/new/bulk", with("edit")).await.ok();
    assert_eq!((&new["workspace"]["organizationAccess"], new.get("ignored")), (&json!("edit"), None));
    let absent = ada.put(
        "/api/workspaces/absent/bulk",
        json!({ "workspace": { "name": "N" }, "components": [],
                                                                "relationships": [] }),
    );
    assert_eq!(absent.await.ok()["workspace"]["organizationAccess"], "view");
    ada.put(PATH, with("everybody")).await.expect_error(400, "workspace.organizationAccess");
}
