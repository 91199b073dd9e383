//! Roles in an organization.

use serde_json::json;

use super::{acme, org_path};

#[tokio::test]
async fn a_promotion_to_admin_applies_immediately() {
    let (server, bob, _) = acme().await;
    let (ada, bobs) = (server.sign_in("ada").await, server.sign_in("bob").await);
    let members = format!("{}/members", org_path(&ada).await);
    bobs.get(&members).await.expect_error(403, "needs an admin of the organization");
    let member = ada.patch(&format!("{members}/{bob}"), json!({ "role": "org:admin" })).await.ok();
    assert_eq!(member["member"]["role"], "org:admin");
    // The session token still contains the member role, which is not used.
    let list = bobs.get(&members).await.ok();
    let logins: Vec<_> = list["members"].as_array().unwrap().iter().map(|m| m["user"]["login"].clone()).collect();
    assert_eq!(logins, ["bob", "cy", "ada"], "in the order in which they joined");
    ada.patch(&format!("{members}/{bob}"), json!({ "role": "org:member" })).await.ok();
    bobs.get(&members).await.expect_error(403, "needs an admin of the organization");
}

#[tokio::test]
async fn the_last_admin_cannot_be_demoted_or_removed() {
    let (server, bob, _) = acme().await;
    let ada = server.sign_in("ada").await;
    let members = format!("{}/members", org_path(&ada).await);
    let own = format!("{members}/{}", ada.get("/api/me").await.ok()["id"]);
    let demotion = json!({ "role": "org:member" });
    ada.patch(&own, demotion.clone()).await.expect_error(409, "the last admin of an organization");
    ada.delete(&own).await.expect_error(409, "the last admin of an organization");
    // A suspended admin does not count.
    ada.patch(&format!("{members}/{bob}"), json!({ "role": "org:admin" })).await.ok();
    server.sql(|conn| conn.execute("UPDATE user SET is_suspended = 1 WHERE id = ?", [bob]).unwrap());
    ada.patch(&own, demotion.clone()).await.expect_error(409, "the last admin of an organization");
    server.sql(|conn| conn.execute("UPDATE user SET is_suspended = 0 WHERE id = ?", [bob]).unwrap());
    ada.patch(&own, demotion).await.ok();
    ada.get(&members).await.expect_error(403, "needs an admin of the organization");
}

#[tokio::test]
async fn of_two_admins_who_demote_each_other_one_remains() {
    let (server, bob, _) = acme().await;
    let ada = server.sign_in("ada").await;
    let members = format!("{}/members", org_path(&ada).await);
    let (adas, bobs) = (format!("{members}/{}", ada.get("/api/me").await.ok()["id"]), format!("{members}/{bob}"));
    let (up, down) = (json!({ "role": "org:admin" }), json!({ "role": "org:member" }));
    let bob_in = server.sign_in("bob").await;
    for _ in 0..20 {
        ada.patch(&bobs, up.clone()).await.ok();
        let (one, two) = tokio::join!(ada.patch(&bobs, down.clone()), bob_in.patch(&adas, down.clone()));
        let admins = server.count("SELECT count(*) FROM organization_member WHERE role = 'org:admin'");
        assert_eq!(admins, 1, "{one} {two}");
        if !one.status.is_success() {
            // Bob's request came first; ada is no longer an admin.
            bob_in.patch(&adas, up.clone()).await.ok();
        }
    }
}

#[tokio::test]
async fn an_unknown_role_or_member_is_rejected() {
    let (server, bob, _) = acme().await;
    let ada = server.sign_in("ada").await;
    let members = format!("{}/members", org_path(&ada).await);
    let own = json!({ "role": "org:owner" });
    ada.patch(&format!("{members}/{bob}"), own).await.expect_error(400, "role: ");
    ada.patch(&format!("{members}/{bob}"), json!({})).await.expect_error(400, "role: is required");
    let other = json!({ "userId": 1, "role": "org:admin" });
    ada.patch(&format!("{members}/{bob}"), other).await.expect_error(400, "userId: cannot change");
    ada.patch(&format!("{members}/9999"), json!({ "role": "org:admin" })).await.expect_error(404, "member");
    ada.delete(&format!("{members}/9999")).await.expect_error(404, "member");
    ada.get("/api/orgs/org_nowhere/members").await.expect_error(404, "organization");
}
