//! Instance administrators by group membership at the provider.

use serde_json::{Value, json};

use super::{bearer, server_with, sign_in_as};
use crate::support::{TestServer, oidc::FakeIdp};

async fn server() -> (TestServer, FakeIdp) {
    server_with(|config| config.identity.oidc.instance_admin_groups = vec!["operators".into()]).await
}

/// Whether a user with these claims can read an administrators-only endpoint.
async fn may_read(server: &TestServer, idp: &FakeIdp, subject: &str, said: Value) -> bool {
    idp.state().people.insert(subject.into(), said);
    let status = sign_in_as(server, idp, subject).await.get("/api/admin/users").await.status;
    assert!(status == 200 || status == 403, "{status}");
    status == 200
}

#[tokio::test]
async fn only_members_of_the_admin_group_administer_the_instance() {
    let (server, idp) = server().await;
    let may = async |said: Value| may_read(&server, &idp, "user_grace", said).await;
    assert!(!may(json!({})).await);
    assert!(!may(json!({ "groups": ["staff", "operator", "Operators"] })).await);
    assert!(may(json!({ "groups": ["staff", "/operators"] })).await);
    let grace = sign_in_as(&server, &idp, "user_grace").await;
    // A token without a groups claim changes nothing; a token without the group removes the role immediately.
    bearer(&server, &idp, json!({ "x": 1 })).get("/api/me").await.ok();
    grace.get("/api/admin/users").await.ok();
    server.clock.advance(1_000);
    bearer(&server, &idp, json!({ "groups": ["staff"] })).get("/api/me").await.ok();
    grace.get("/api/admin/users").await.expect_error(403, "");
    let kinds = "SELECT group_concat(kind ORDER BY id) FROM audit WHERE kind IN ('user.promote', 'user.demote')";
    let kinds: String = server.sql(|conn| conn.query_row(kinds, [], |row| row.get(0)).unwrap());
    assert_eq!(kinds, "user.promote,user.demote");
}

#[tokio::test]
async fn groups_override_a_local_administrator_except_the_last_one() {
    let (server, idp) = server().await;
    server.sql(|conn| conn.execute("UPDATE user SET email = 'ada@example.org' WHERE login = 'ada'", []).unwrap());
    let ada = json!({ "email": "ada@example.org", "email_verified": true });
    assert!(may_read(&server, &idp, "user_ada", ada.clone()).await, "the last one");
    assert!(may_read(&server, &idp, "user_grace", json!({ "groups": "operators" })).await);
    assert!(!may_read(&server, &idp, "user_ada", ada).await);
    assert!(may_read(&server, &idp, "user_grace", json!({})).await, "the last one now");
}

#[tokio::test]
async fn without_an_admin_group_administrators_are_managed_locally() {
    let (server, idp) = server_with(|_| {}).await;
    assert!(!may_read(&server, &idp, "user_grace", json!({ "groups": ["operators"] })).await);
    server.sql(|conn| conn.execute("UPDATE user SET is_admin = 1", []).unwrap());
    assert!(may_read(&server, &idp, "user_grace", json!({ "groups": [] })).await);
}
