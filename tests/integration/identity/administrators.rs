//! Who administers the instance, as groups at the provider have it.

use serde_json::{Value, json};

use super::{bearer, signs_in, stage_with};
use crate::support::{Stage, oidc::OidcDouble};

async fn stage() -> (Stage, OidcDouble) {
    stage_with(|config| config.identity.oidc.instance_admin_groups = vec!["operators".into()]).await
}

/// The status of what only administrators may read, for somebody who signs in with these claims.
async fn may_read(stage: &Stage, double: &OidcDouble, subject: &str, said: Value) -> bool {
    double.state().people.insert(subject.into(), said);
    let status = signs_in(stage, double, subject).await.get("/api/admin/users").await.status;
    assert!(status == 200 || status == 403, "{status}");
    status == 200
}

#[tokio::test]
async fn whoever_is_in_the_group_administers_the_instance_and_nobody_else_does() {
    let (stage, double) = stage().await;
    let may = async |said: Value| may_read(&stage, &double, "user_grace", said).await;
    assert!(!may(json!({})).await);
    assert!(!may(json!({ "groups": ["staff", "operator", "Operators"] })).await);
    assert!(may(json!({ "groups": ["staff", "/operators"] })).await);
    let grace = signs_in(&stage, &double, "user_grace").await;
    // A token that says nothing of groups changes nothing; one without the group does, at once.
    bearer(&stage, &double, json!({ "x": 1 })).get("/api/me").await.ok();
    grace.get("/api/admin/users").await.ok();
    stage.clock.advance(1_000);
    bearer(&stage, &double, json!({ "groups": ["staff"] })).get("/api/me").await.ok();
    grace.get("/api/admin/users").await.refused(403, "");
    let kinds = "SELECT group_concat(kind ORDER BY id) FROM audit WHERE kind IN ('user.promote', 'user.demote')";
    let kinds: String = stage.sql(|conn| conn.query_row(kinds, [], |row| row.get(0)).unwrap());
    assert_eq!(kinds, "user.promote,user.demote");
}

#[tokio::test]
async fn an_administrator_made_here_who_comes_from_there_is_one_as_the_groups_have_it_but_the_last_stays_one() {
    let (stage, double) = stage().await;
    stage.sql(|conn| conn.execute("UPDATE user SET email = 'ada@example.org' WHERE login = 'ada'", []).unwrap());
    let ada = json!({ "email": "ada@example.org", "email_verified": true });
    assert!(may_read(&stage, &double, "user_ada", ada.clone()).await, "the last one");
    assert!(may_read(&stage, &double, "user_grace", json!({ "groups": "operators" })).await);
    assert!(!may_read(&stage, &double, "user_ada", ada).await);
    assert!(may_read(&stage, &double, "user_grace", json!({})).await, "the last one now");
}

#[tokio::test]
async fn without_such_groups_administrators_are_made_here() {
    let (stage, double) = stage_with(|_| {}).await;
    assert!(!may_read(&stage, &double, "user_grace", json!({ "groups": ["operators"] })).await);
    stage.sql(|conn| conn.execute("UPDATE user SET is_admin = 1", []).unwrap());
    assert!(may_read(&stage, &double, "user_grace", json!({ "groups": [] })).await);
}
