//! The last active administrator of the instance cannot be removed.

use planroom::operator::{AdminOperation, UserOperation};
use serde_json::{Value, json};

use super::id_of;
use crate::support::TestServer;

const REFUSAL: &str = "`ada` is the last active administrator of the instance";

#[tokio::test]
async fn the_last_administrator_cannot_be_demoted_or_suspended() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let path = format!("/api/admin/users/{}", id_of(&server, "ada"));
    let before = server.log_sizes();
    for body in [
        json!({ "isAdmin": false }),
        json!({ "isSuspended": true }),
        json!({ "isAdmin": false, "isSuspended": true }),
        json!({ "isAdmin": false, "isSuspended": false }),
    ] {
        assert_eq!(ada.patch(&path, body).await.expect_error(409, REFUSAL)["code"], Value::Null);
    }
    assert_eq!(server.log_sizes(), before);
}

#[tokio::test]
async fn a_suspended_administrator_does_not_count() {
    let server = TestServer::new().await;
    server.seed_admin("bob", "acme").await;
    let ada = server.sign_in("ada").await;
    let path = |login| format!("/api/admin/users/{}", id_of(&server, login));
    ada.patch(&path("bob"), json!({ "isSuspended": true })).await.ok();
    ada.patch(&path("ada"), json!({ "isAdmin": false })).await.expect_error(409, REFUSAL);
    // A suspended administrator does not count: the role can be removed and added.
    ada.patch(&path("bob"), json!({ "isAdmin": false })).await.ok();
    ada.patch(&path("bob"), json!({ "isAdmin": true })).await.ok();
    ada.patch(&path("ada"), json!({ "isSuspended": true })).await.expect_error(409, REFUSAL);
    ada.patch(&path("bob"), json!({ "isSuspended": false })).await.ok();
    ada.patch(&path("ada"), json!({ "isAdmin": false })).await.ok();
    ada.get("/api/admin/users").await.expect_error(403, "administrators of the instance");
}

#[tokio::test]
async fn of_two_concurrent_demotions_one_fails() {
    for body in [json!({ "isAdmin": false }), json!({ "isSuspended": true })] {
        // Each removes the other, or both remove themselves.
        for crosswise in [true, false] {
            let server = TestServer::new().await;
            server.seed_admin("bob", "acme").await;
            let (ada, bob) = (server.sign_in("ada").await, server.sign_in("bob").await);
            let path = |login| format!("/api/admin/users/{}", id_of(&server, login));
            let (first, second) = if crosswise { (path("bob"), path("ada")) } else { (path("ada"), path("bob")) };
            let (one, two) = tokio::join!(ada.patch(&first, body.clone()), bob.patch(&second, body.clone()));
            let done = [&one, &two].iter().filter(|reply| reply.status.is_success()).count();
            assert_eq!(done, 1, "{one} {two}");
            assert_eq!(server.count("SELECT count(*) FROM user WHERE is_admin AND NOT is_suspended"), 1);
        }
    }
}

#[tokio::test]
async fn the_rule_also_applies_to_the_operator_and_to_concurrent_requests() {
    let server = TestServer::new().await;
    let demote = |login: &str| AdminOperation::Users(UserOperation::SetAdmin { login: login.into(), admin: false });
    let suspend = |login: &str| AdminOperation::Users(UserOperation::Suspend { login: login.into() });
    for operation in [demote("ada"), suspend("ada")] {
        assert!(operation.perform(&server.app).await.unwrap_err().to_string().contains(REFUSAL));
    }
    server.seed_admin("bob", "acme").await;
    let (ada, path) = (server.sign_in("ada").await, format!("/api/admin/users/{}", id_of(&server, "ada")));
    let (reply, outcome) =
        tokio::join!(ada.patch(&path, json!({ "isAdmin": false })), demote("bob").perform(&server.app));
    assert_ne!(reply.status.is_success(), outcome.is_ok(), "{reply} {outcome:?}");
    assert_eq!(server.count("SELECT count(*) FROM user WHERE is_admin AND NOT is_suspended"), 1);
}
