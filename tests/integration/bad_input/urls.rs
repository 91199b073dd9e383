//! Invalid paths and queries.

use serde_json::json;

use super::{BULK, NEW, assert_bad_input, assert_unchanged};
use crate::support::TestServer;

#[tokio::test]
async fn an_invalid_percent_encoding_in_a_path_is_rejected() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = server.log_sizes();
    let body = json!({ "workspace": { "name": "W" }, "components": [], "relationships": [] });
    for bad in ["%", "%Z", "%ZZ", "a%2", "%F", "%FF", "%C3", "%ED%A0%80", "100%"] {
        assert_bad_input(&ada.get(&format!("/api/workspaces/{bad}")).await, 400, "path");
        assert_bad_input(&ada.put(&format!("/api/workspaces/{bad}/bulk"), body.clone()).await, 400, "path");
        assert_bad_input(&ada.delete(&format!("/api/workspaces/w/components/{bad}")).await, 400, "path");
        assert_bad_input(&ada.patch(&format!("/api/workspaces/w/relationships/{bad}"), json!({})).await, 400, "path");
    }
    for none in ["%00", "%0A", "%2E%2E", "%2e", "%2F", "%61%00"] {
        assert_bad_input(&ada.get(&format!("/api/workspaces/{none}")).await, 404, "workspace not found");
        assert_bad_input(
            &ada.delete(&format!("/api/workspaces/w/components/{none}")).await,
            404,
            "component not found",
        );
    }
    ada.get("/api/workspaces/%77").await.ok(); // needless, but right
    assert_unchanged(&server, &ada, before).await;
}

#[tokio::test]
async fn an_invalid_query_parameter_prevents_the_write() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = server.log_sizes();
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
        assert_bad_input(&ada.put(&format!("{BULK}?{query}"), body.clone()).await, 400, "invalid query");
    }
    for query in ["deleted=1", "deleted", "deleted=yes", "deleted=true&deleted=true"] {
        assert_bad_input(&ada.get(&format!("/api/workspaces?{query}")).await, 400, "invalid query");
    }
    // Neither does an unknown parameter of a write: a mistyped `dryRun` must not write.
    for reply in [
        ada.post(&format!("{NEW}?dryRun=true"), json!({ "typeId": "api", "name": "A" })).await,
        ada.patch("/api/workspaces/w?dryRun=true", json!({ "name": "A" })).await,
        ada.delete("/api/workspaces/w/components/a?dryRun=true").await,
        ada.delete("/api/workspaces/w?dryRun=true").await,
    ] {
        assert_bad_input(&reply, 400, "invalid query");
    }
    assert_unchanged(&server, &ada, before).await;
}

#[tokio::test]
async fn unknown_query_parameters_of_reads_are_ignored() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for path in ["/api/me", "/api/workspaces", "/api/workspaces/w", "/api/schema"] {
        ada.get(&format!("{path}?_=1")).await.ok();
    }
    ada.delete("/api/workspaces/w").await.ok();
    let deleted = ada.get("/api/workspaces?_=1&deleted=true").await.ok();
    assert_eq!(deleted["workspaces"][0]["id"], "w", "what is known among them counts");
}

#[tokio::test]
async fn without_a_valid_credential_path_query_and_body_are_not_validated() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = server.log_sizes();
    let forged = format!("{}x", ada.credential());
    for caller in [server.anonymous(), server.with("nonsense"), server.with(&forged)] {
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
            assert_bad_input(&reply, 401, "");
        }
    }
    assert_unchanged(&server, &ada, before).await;
}
