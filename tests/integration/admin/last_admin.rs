//! The last active administrator of the instance stays one.

use planroom::operator::{Operation, UserOperation};
use serde_json::{Value, json};

use super::id_of;
use crate::support::Stage;

const REFUSAL: &str = "`ada` is the last active administrator of the instance";

#[tokio::test]
async fn the_last_administrator_is_neither_demoted_nor_suspended() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let path = format!("/api/admin/users/{}", id_of(&stage, "ada"));
    let before = stage.written();
    for body in [
        json!({ "isAdmin": false }),
        json!({ "isSuspended": true }),
        json!({ "isAdmin": false, "isSuspended": true }),
        json!({ "isAdmin": false, "isSuspended": false }),
    ] {
        assert_eq!(ada.patch(&path, body).await.refused(409, REFUSAL)["code"], Value::Null);
    }
    assert_eq!(stage.written(), before);
}

#[tokio::test]
async fn a_suspended_administrator_does_not_count() {
    let stage = Stage::new().await;
    stage.seed_admin("bob", "acme").await;
    let ada = stage.sign_in("ada").await;
    let path = |login| format!("/api/admin/users/{}", id_of(&stage, login));
    ada.patch(&path("bob"), json!({ "isSuspended": true })).await.ok();
    ada.patch(&path("ada"), json!({ "isAdmin": false })).await.refused(409, REFUSAL);
    // One who is suspended holds nothing up: their flag may go, and come back.
    ada.patch(&path("bob"), json!({ "isAdmin": false })).await.ok();
    ada.patch(&path("bob"), json!({ "isAdmin": true })).await.ok();
    ada.patch(&path("ada"), json!({ "isSuspended": true })).await.refused(409, REFUSAL);
    ada.patch(&path("bob"), json!({ "isSuspended": false })).await.ok();
    ada.patch(&path("ada"), json!({ "isAdmin": false })).await.ok();
    ada.get("/api/admin/users").await.refused(403, "administrators of the instance");
}

#[tokio::test]
async fn two_requests_at_once_leave_one() {
    for body in [json!({ "isAdmin": false }), json!({ "isSuspended": true })] {
        // Each goes for the other, or both go themselves.
        for crosswise in [true, false] {
            let stage = Stage::new().await;
            stage.seed_admin("bob", "acme").await;
            let (ada, bob) = (stage.sign_in("ada").await, stage.sign_in("bob").await);
            let path = |login| format!("/api/admin/users/{}", id_of(&stage, login));
            let (first, second) = if crosswise { (path("bob"), path("ada")) } else { (path("ada"), path("bob")) };
            let (one, two) = tokio::join!(ada.patch(&first, body.clone()), bob.patch(&second, body.clone()));
            let done = [&one, &two].iter().filter(|reply| reply.status.is_success()).count();
            assert_eq!(done, 1, "{one} {two}");
            assert_eq!(stage.count("SELECT count(*) FROM user WHERE is_admin AND NOT is_suspended"), 1);
        }
    }
}

#[tokio::test]
async fn the_operator_is_held_to_it_too_and_beside_a_request() {
    let stage = Stage::new().await;
    let demote = |login: &str| Operation::Users(UserOperation::SetAdmin { login: login.into(), admin: false });
    let suspend = |login: &str| Operation::Users(UserOperation::Suspend { login: login.into() });
    for operation in [demote("ada"), suspend("ada")] {
        assert!(operation.perform(&stage.app).await.unwrap_err().to_string().contains(REFUSAL));
    }
    stage.seed_admin("bob", "acme").await;
    let (ada, path) = (stage.sign_in("ada").await, format!("/api/admin/users/{}", id_of(&stage, "ada")));
    let (reply, outcome) =
        tokio::join!(ada.patch(&path, json!({ "isAdmin": false })), demote("bob").perform(&stage.app));
    assert_ne!(reply.status.is_success(), outcome.is_ok(), "{reply} {outcome:?}");
    assert_eq!(stage.count("SELECT count(*) FROM user WHERE is_admin AND NOT is_suspended"), 1);
}
