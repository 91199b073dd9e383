//! Roles, which the API calls stakeholder link types.

use planroom::operator::{AdminOperation, OrgOperation};
use serde_json::{Value, json};

use super::ROLES;
use crate::support::{TestServer, ids};

#[tokio::test]
async fn every_organization_starts_with_the_three_roles_of_the_catalogue() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let catalogue = ada.get("/api/schema").await.ok()["stakeholderLinkTypes"].clone();
    let roles = ada.all(ROLES, "types").await;
    assert_eq!(roles.len(), 3);
    for (place, (role, known)) in roles.iter().zip(catalogue.as_array().unwrap()).enumerate() {
        for field in ["id", "name", "color", "icon", "iconName"] {
            assert_eq!(role[field], known[field]);
        }
        assert_eq!(role["sortOrder"], place);
    }
    // Regardless of how the organization was created.
    ada.post("/api/orgs", json!({ "name": "Second" })).await.created();
    let create = OrgOperation::Create { slug: "third".into(), name: "Third".into() };
    AdminOperation::Orgs(create).perform(&server.app).await.unwrap();
    let lacking =
        "SELECT count(*) FROM organization o WHERE (SELECT count(*) FROM role WHERE organization_id = o.id) <> 3";
    assert_eq!((server.count("SELECT count(*) FROM organization"), server.count(lacking)), (3, 0));
}

#[tokio::test]
async fn default_roles_can_be_changed_and_deleted_and_are_not_recreated() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let changed = json!({ "name": "Answers for it", "color": "#abcdef", "sortOrder": 9, "icon": "🦉", "iconName": "" });
    let owner = ada.patch(&format!("{ROLES}/owner"), changed.clone()).await.ok()["type"].clone();
    for (field, value) in changed.as_object().unwrap() {
        assert_eq!(owner[field], *value);
    }
    ada.delete(&format!("{ROLES}/support")).await.ok();
    let left = ada.get(ROLES).await.ok();
    assert_eq!(ids(&left["types"]), ["business-owner", "owner"]);
    let server = server.restart();
    assert_eq!(server.sign_in("ada").await.get(ROLES).await.ok(), left);
}

#[tokio::test]
async fn roles_are_listed_in_order_and_a_new_role_is_last() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let new = |id: &str, order: Value| json!({ "id": id, "name": id, "color": "#000000", "sortOrder": order });
    for (id, order) in
        [("last", Value::Null), ("first", json!(-1)), ("beside-first", json!(-1)), ("after", json!(null))]
    {
        ada.post(ROLES, new(id, order)).await.created();
    }
    let list = ada.get(ROLES).await.ok();
    let expected = ["first", "beside-first", "owner", "support", "business-owner", "last", "after"];
    assert_eq!(ids(&list["types"]), expected);
    for order in [json!(2_147_483_648_i64), json!(1.5), json!("1"), json!(true)] {
        ada.post(ROLES, new("xx", order)).await.expect_error(400, "sortOrder: invalid");
    }
    ada.post(ROLES, new("max", json!(2_147_483_647))).await.created();
    assert_eq!(ada.post(ROLES, new("over", Value::Null)).await.created()["type"]["sortOrder"], 2_147_483_648_i64);
}

#[tokio::test]
async fn only_admins_can_write_roles_and_all_members_can_read_them() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let bob = server.sign_in("bob").await;
    assert_eq!(bob.all(ROLES, "types").await.len(), 3);
    let refusals = [
        bob.post(ROLES, json!({ "name": "N", "color": "#000000" })).await,
        bob.patch(&format!("{ROLES}/owner"), json!({ "name": "N" })).await,
        bob.delete(&format!("{ROLES}/owner")).await,
        bob.delete(&format!("{ROLES}/none")).await,
    ];
    for refusal in refusals {
        refusal.expect_error(403, "needs an admin of the organization");
    }
}
