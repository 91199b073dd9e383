//! Who sees a workspace that a bulk founds, and one that is there already.

use serde_json::json;

use super::{PATH, map, model};
use crate::support::Stage;

#[tokio::test]
async fn a_bundle_sent_back_to_a_free_id_is_seen_by_no_more_than_before() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
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
async fn the_visibility_of_a_workspace_that_exists_is_kept_and_said_to_be() {
    let stage = Stage::new().await;
    let ada = map(&stage).await;
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
    ada.put(PATH, with("everybody")).await.refused(400, "workspace.visibility");
}
