//! Limits of a bulk, and the permission check before validation.

use serde_json::json;

use super::{PATH, component, map};
use crate::support::TestServer;

#[tokio::test]
async fn a_bulk_with_too_many_rows_is_rejected_with_the_limit() {
    const MAX_COMPONENTS: usize = 100_000;
    let server = TestServer::new().await;
    let ada = map(&server).await;
    let written = server.log_sizes();
    let body =
        json!({ "components": vec![json!({ "typeId": "x", "name": "A" }); MAX_COMPONENTS + 1], "relationships": [] });
    let refusal = ada.put(PATH, body).await.expect_error(400, "at most 100000");
    assert_eq!(refusal["field"], "components");
    assert_eq!(server.log_sizes(), written);
}

#[tokio::test]
async fn the_permission_is_checked_before_the_model() {
    let server = TestServer::new().await;
    let vic = server.seed_member("vic", "acme", "org:member");
    server.seed_org("other", "xena");
    map(&server).await;
    server.grant("w", vic, "viewer");
    let wrong = json!({ "components": [component("a"), component("a")], "relationships": [] });
    server.sign_in("vic").await.put(PATH, wrong.clone()).await.expect_error(403, "editor");
    server.sign_in("xena").await.put(PATH, wrong.clone()).await.expect_error(404, "workspace");
    server.sign_in("ada").await.put(PATH, wrong).await.expect_error(400, "repeated");
}
