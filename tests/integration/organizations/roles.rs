//! Roles in an organization.

use serde_json::json;

use super::{acme, org_path};

#[tokio::test]
async fn an_admin_makes_another_and_their_powers_begin_at_once() {
    let (stage, bob, _) = acme().await;
    let (ada, bobs) = (stage.sign_in("ada").await, stage.sign_in("bob").await);
    let members = format!("{}/members", org_path(&ada).await);
    bobs.get(&members).await.refused(403, "needs an admin of the organization");
    let member = ada.patch(&format!("{members}/{bob}"), json!({ "role": "org:admin" })).await.ok();
    assert_eq!(member["member"]["role"], "org:admin");
    // The session token still says that he is a member: it is not asked.
    let list = bobs.get(&members).await.ok();
    let logins: Vec<_> = list["members"].as_array().unwrap().iter().map(|m| m["user"]["login"].clone()).collect();
    assert_eq!(logins, ["bob", "cy", "ada"], "in the order in which they joined");
    ada.patch(&format!("{members}/{bob}"), json!({ "role": "org:member" })).await.ok();
    bobs.get(&members).await.refused(403, "needs an admin of the organization");
}

#[tokio::test]
async fn the_last_admin_can_be_neither_demoted_nor_removed() {
    let (stage, bob, _) = acme().await;
    let ada = stage.sign_in("ada").await;
    let members = format!("{}/members", org_path(&ada).await);
    let own = format!("{members}/{}", ada.get("/api/me").await.ok()["id"]);
    let demotion = json!({ "role": "org:member" });
    ada.patch(&own, demotion.clone()).await.refused(409, "the last admin of an organization");
    ada.delete(&own).await.refused(409, "the last admin of an organization");
    // One who is suspended cannot stand in.
    ada.patch(&format!("{members}/{bob}"), json!({ "role": "org:admin" })).await.ok();
    stage.sql(|conn| conn.execute("UPDATE user SET is_suspended = 1 WHERE id = ?", [bob]).unwrap());
    ada.patch(&own, demotion.clone()).await.refused(409, "the last admin of an organization");
    stage.sql(|conn| conn.execute("UPDATE user SET is_suspended = 0 WHERE id = ?", [bob]).unwrap());
    ada.patch(&own, demotion).await.ok();
    ada.get(&members).await.refused(403, "needs an admin of the organization");
}

#[tokio::test]
async fn of_two_admins_who_demote_each_other_at_once_one_stays() {
    let (stage, bob, _) = acme().await;
    let ada = stage.sign_in("ada").await;
    let members = format!("{}/members", org_path(&ada).await);
    let (adas, bobs) = (format!("{members}/{}", ada.get("/api/me").await.ok()["id"]), format!("{members}/{bob}"));
    let (up, down) = (json!({ "role": "org:admin" }), json!({ "role": "org:member" }));
    let bob_in = stage.sign_in("bob").await;
    for _ in 0..20 {
        ada.patch(&bobs, up.clone()).await.ok();
        let (one, two) = tokio::join!(ada.patch(&bobs, down.clone()), bob_in.patch(&adas, down.clone()));
        let admins = stage.count("SELECT count(*) FROM organization_member WHERE role = 'org:admin'");
        assert_eq!(admins, 1, "{one} {two}");
        if !one.status.is_success() {
            // Bob was faster; ada is no admin any more.
            bob_in.patch(&adas, up.clone()).await.ok();
        }
    }
}

#[tokio::test]
async fn a_role_that_does_not_exist_and_a_member_who_does_not_are_refused() {
    let (stage, bob, _) = acme().await;
    let ada = stage.sign_in("ada").await;
    let members = format!("{}/members", org_path(&ada).await);
    let own = json!({ "role": "org:owner" });
    ada.patch(&format!("{members}/{bob}"), own).await.refused(400, "role: ");
    ada.patch(&format!("{members}/{bob}"), json!({})).await.refused(400, "role: is required");
    let other = json!({ "userId": 1, "role": "org:admin" });
    ada.patch(&format!("{members}/{bob}"), other).await.refused(400, "userId: cannot change");
    ada.patch(&format!("{members}/9999"), json!({ "role": "org:admin" })).await.refused(404, "member");
    ada.delete(&format!("{members}/9999")).await.refused(404, "member");
    ada.get("/api/orgs/org_nowhere/members").await.refused(404, "organization");
}
