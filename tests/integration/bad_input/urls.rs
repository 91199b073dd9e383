//! Paths and queries that are mistyped.

use serde_json::json;

use super::{BULK, NEW, refused, unharmed};
use crate::support::Stage;

#[tokio::test]
async fn a_path_that_is_not_percent_encoded_rightly_is_refused() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let before = stage.written();
    let body = json!({ "workspace": { "name": "W" }, "components": [], "relationships": [] });
    for bad in ["%", "%Z", "%ZZ", "a%2", "%F", "%FF", "%C3", "%ED%A0%80", "100%"] {
        refused(&ada.get(&format!("/api/workspaces/{bad}")).await, 400, "path");
        refused(&ada.put(&format!("/api/workspaces/{bad}/bulk"), body.clone()).await, 400, "path");
        refused(&ada.delete(&format!("/api/workspaces/w/components/{bad}")).await, 400, "path");
        refused(&ada.patch(&format!("/api/workspaces/w/relationships/{bad}"), json!({})).await, 400, "path");
    }
    for none in ["%00", "%0A", "%2E%2E", "%2e", "%2F", "%61%00"] {
        refused(&ada.get(&format!("/api/workspaces/{none}")).await, 404, "workspace not found");
        refused(&ada.delete(&format!("/api/workspaces/w/components/{none}")).await, 404, "component not found");
    }
    ada.get("/api/workspaces/%77").await.ok(); // needless, but right
    unharmed(&stage, &ada, before).await;
}

#[tokio::test]
async fn a_mistyped_parameter_does_not_write() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let before = stage.written();
    let body = json!({ "components": [], "relationships": [] });
    for query in [
        "dryrun=true",
        "dry_run=true",
        "dryRun",
        "dryRun=",
        "dryRun=yes",
        "dryRun=1",
        "dryRun=True",
        "dryRun=true&dryRun=true",
        "dryRun=true&force=true",
        "x=y",
        "dryRun%20=true",
    ] {
        refused(&ada.put(&format!("{BULK}?{query}"), body.clone()).await, 400, "the query is not usable");
    }
    for query in ["deleted=1", "deleted", "deleted=yes", "deleted=true&deleted=true"] {
        refused(&ada.get(&format!("/api/workspaces?{query}")).await, 400, "the query is not usable");
    }
    // Nor does one where there are none: who asks for a trial gets no deed.
    for reply in [
        ada.post(&format!("{NEW}?dryRun=true"), json!({ "typeId": "api", "name": "A" })).await,
        ada.patch("/api/workspaces/w?dryRun=true", json!({ "name": "A" })).await,
        ada.delete("/api/workspaces/w/components/a?dryRun=true").await,
        ada.delete("/api/workspaces/w?dryRun=true").await,
    ] {
        refused(&reply, 400, "the query is not usable");
    }
    unharmed(&stage, &ada, before).await;
}

#[tokio::test]
async fn reading_takes_parameters_that_it_does_not_know_everywhere() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    for path in ["/api/me", "/api/workspaces", "/api/workspaces/w", "/api/schema"] {
        ada.get(&format!("{path}?_=1")).await.ok();
    }
    ada.delete("/api/workspaces/w").await.ok();
    let deleted = ada.get("/api/workspaces?_=1&deleted=true").await.ok();
    assert_eq!(deleted["workspaces"][0]["id"], "w", "what is known among them counts");
}

#[tokio::test]
async fn who_shows_no_good_credential_hears_nothing_about_path_query_or_body() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let before = stage.written();
    let forged = format!("{}x", ada.credential());
    for caller in [stage.anonymous(), stage.with("nonsense"), stage.with(&forged)] {
        for reply in [
            caller.put(&format!("{BULK}?x=1"), json!({})).await,
            caller.put(&format!("{BULK}?dryRun=maybe"), json!({})).await,
            caller.patch("/api/workspaces/w/members/x", json!({})).await,
            caller.patch("/api/workspaces/w?dryRun=true", json!({})).await,
            caller.delete("/api/workspaces/w/members/x").await,
            caller.delete("/api/workspaces/w/components/a?dryRun=true").await,
            caller.delete("/api/workspaces/w/components/%ZZ").await,
            caller.get("/api/workspaces?deleted=maybe").await,
        ] {
            refused(&reply, 401, "");
        }
    }
    unharmed(&stage, &ada, before).await;
}
