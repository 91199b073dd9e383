//! Changes to the organization's directory do not change protected maps.

use planroom::operator::{AdminOperation, UserOperation};
use serde_json::{Value, json};

use super::{merge, start};
use crate::support::{TestClient, TestServer};

/// The protected workspace `w` of ada. Its component `a` is owned by grace and the team `pay` and has the kind `vault`.
/// If `owners_exempt`, owners can change the map without a draft.
async fn protected(server: &TestServer, owners_exempt: bool) -> TestClient<'_> {
    let ada = server.seed_map().await;
    ada.post("/api/people", json!({ "id": "grace", "name": "Grace" })).await.created();
    ada.post("/api/teams", json!({ "id": "pay", "name": "Payments" })).await.created();
    ada.post("/api/kinds", json!({ "id": "vault", "name": "Vault", "baseType": "service" })).await.created();
    for mut stakeholder in [json!({ "personId": "grace" }), json!({ "teamId": "pay" })] {
        stakeholder["linkType"] = json!("owner");
        ada.post("/api/workspaces/w/components/a/stakeholders", stakeholder).await.created();
    }
    ada.patch("/api/workspaces/w/components/a", json!({ "properties": { "kind": "vault" } })).await.ok();
    let protection = json!({ "protected": true, "requiredApprovals": 0, "ownersExempt": owners_exempt });
    ada.patch("/api/workspaces/w/protection", protection).await.ok();
    ada
}

const ENTRIES: [&str; 3] = ["/api/people/grace", "/api/teams/pay", "/api/kinds/vault"];

async fn expect_refused(client: &TestClient<'_>, path: &str) {
    let refused = client.delete(&format!("{path}?force=true")).await;
    let error =
        refused.expect_error(403, "the workspace `w` is protected; to propose the change, start a draft with POST");
    assert_eq!(error["code"], "protected", "{path}");
    let (list, id) = path.rsplit_once('/').unwrap();
    assert!(client.get(list).await.ok().to_string().contains(&format!("\"id\":\"{id}\"")), "{path}");
}

async fn stakeholders(client: &TestClient<'_>, id: &str) -> Vec<Value> {
    client.bundle(id).await["stakeholders"].as_array().unwrap().clone()
}

#[tokio::test]
async fn an_owner_cannot_delete_entries_that_a_protected_map_uses_until_a_draft_removes_them() {
    let server = TestServer::new().await;
    let ada = protected(&server, false).await;
    let log = server.changes().len();
    for path in ENTRIES {
        expect_refused(&ada, path).await;
    }
    ada.delete("/api/stakeholder-link-types/owner").await.expect_error(409, "stakeholder links use this role: 2");
    assert_eq!((stakeholders(&ada, "w").await.len(), server.changes().len()), (2, log));

    let id = start(&ada, "w", "Without owners").await;
    for row in stakeholders(&ada, &id).await {
        ada.delete(&format!("/api/workspaces/{id}/components/a/stakeholders/{}", row["id"])).await.ok();
    }
    ada.patch(&format!("/api/workspaces/{id}/components/a"), json!({ "properties": {} })).await.ok();
    expect_refused(&ada, ENTRIES[0]).await;
    merge(&ada, &id).await;
    for path in ENTRIES {
        ada.delete(&format!("{path}?force=true")).await.ok();
    }
}

#[tokio::test]
async fn an_admin_cannot_delete_entries_that_a_protected_map_uses_but_an_exempt_owner_can() {
    let server = TestServer::new().await;
    let ada = protected(&server, true).await;
    ada.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    server.seed_member("max", "acme", "org:admin");
    let max = server.sign_in("max").await;
    for path in ENTRIES {
        expect_refused(&max, path).await;
    }
    // Exempt owners can change the map, so they can delete its entries.
    for path in ENTRIES {
        ada.delete(&format!("{path}?force=true")).await.ok();
    }
    assert_eq!(stakeholders(&ada, "w").await, Vec::<Value>::new());
}

#[tokio::test]
async fn deleted_and_unprotected_workspaces_do_not_block_the_deletion_of_entries() {
    let server = TestServer::new().await;
    let ada = protected(&server, false).await;
    ada.create_workspace("open").await;
    ada.create_components("open", &["c"]).await;
    let owner = json!({ "personId": "grace", "linkType": "owner" });
    ada.post("/api/workspaces/open/components/c/stakeholders", owner).await.created();
    expect_refused(&ada, ENTRIES[0]).await;
    assert_eq!(stakeholders(&ada, "open").await.len(), 1, "no link is deleted");
    ada.delete("/api/workspaces/w").await.ok();
    for path in ENTRIES {
        ada.delete(&format!("{path}?force=true")).await.ok();
    }
    assert_eq!(stakeholders(&ada, "open").await, Vec::<Value>::new());
}

#[tokio::test]
async fn members_with_links_to_a_protected_map_can_be_removed_and_erased() {
    let server = TestServer::new().await;
    let ada = protected(&server, false).await;
    let [bob, eve] = ["bob", "eve"].map(|login| server.seed_member(login, "acme", "org:member"));
    for user in [bob, eve] {
        server.grant("w", user, "owner");
    }
    let person = json!({ "id": "bob", "name": "Bob" });
    ada.post("/api/people", person).await.created();
    server.sql(|conn| conn.execute("UPDATE person SET user_id = ? WHERE id = 'bob'", [bob]).unwrap());
    let id = start(&ada, "w", "Bob owns b").await;
    let owner = json!({ "personId": "bob", "linkType": "owner" });
    ada.post(&format!("/api/workspaces/{id}/components/b/stakeholders"), owner).await.created();
    merge(&ada, &id).await;
    let org = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    ada.delete(&format!("/api/orgs/{org}/members/{eve}")).await.ok();
    AdminOperation::Users(UserOperation::Erase { login: "bob".into() }).perform(&server.app).await.unwrap();
    let rows = stakeholders(&ada, "w").await;
    let row = rows.iter().find(|row| row["personId"] == "bob").unwrap();
    assert_ne!(row["person"]["name"], "Bob", "{row}");
    assert_eq!(rows.len(), 3);
}

/// Ada protects a map whose component `a` refers to a kind by this value.
async fn protected_kind<'s>(server: &'s TestServer, kind: Value, value: &str) -> TestClient<'s> {
    let ada = protected(server, false).await;
    let protection = "/api/workspaces/w/protection";
    ada.patch(protection, json!({ "protected": false })).await.ok();
    ada.post("/api/kinds", kind).await.created();
    ada.patch("/api/workspaces/w/components/a", json!({ "properties": { "kind": value } })).await.ok();
    ada.patch(protection, json!({ "protected": true, "requiredApprovals": 1, "ownersExempt": false })).await.ok();
    ada
}

#[tokio::test]
async fn an_admin_cannot_rename_a_kind_to_which_a_protected_map_refers_by_name_and_then_delete_it() {
    let server = TestServer::new().await;
    let kind = json!({ "id": "kk", "name": "Lambda", "baseType": "service" });
    let ada = protected_kind(&server, kind, "Lambda").await;
    let refused = ada.patch("/api/kinds/kk", json!({ "name": "Other" })).await.expect_error(403, "start a draft");
    assert_eq!(refused["code"], "protected");
    expect_refused(&ada, "/api/kinds/kk").await;
    ada.patch("/api/kinds/kk", json!({ "name": "Lambda", "color": "#123456" })).await.ok();
    // A map that refers to the kind by id keeps it under another name.
    let id = start(&ada, "w", "By id").await;
    ada.patch(&format!("/api/workspaces/{id}/components/a"), json!({ "properties": { "kind": "kk" } })).await.ok();
    ada.patch("/api/workspaces/w/protection", json!({ "protected": true, "requiredApprovals": 0 })).await.ok();
    merge(&ada, &id).await;
    ada.patch("/api/kinds/kk", json!({ "name": "Other" })).await.ok();
    expect_refused(&ada, "/api/kinds/kk").await;
}

#[tokio::test]
async fn an_admin_cannot_give_a_name_on_a_protected_map_to_another_kind() {
    let server = TestServer::new().await;
    // A component refers to a renamed kind by the name that its id was derived from.
    let kind = json!({ "id": "payment-service", "name": "Payments", "baseType": "service" });
    let ada = protected_kind(&server, kind, "Payment Service").await;
    let other = json!({ "id": "other", "name": "Payment Service", "baseType": "service" });
    ada.post("/api/kinds", other.clone()).await.expect_error(403, "protected");
    assert!(!ada.get("/api/kinds").await.ok().to_string().contains("\"other\""));
    ada.patch("/api/kinds/vault", json!({ "name": "Payment Service" })).await.expect_error(403, "protected");
    expect_refused(&ada, "/api/kinds/payment-service").await;
    ada.patch("/api/workspaces/w/protection", json!({ "protected": false })).await.ok();
    ada.post("/api/kinds", other).await.created();
}
