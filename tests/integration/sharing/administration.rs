//! Administrators of organizations and the operator list and revoke links.

use planroom::{
    domain::sharing::administration::ShareSelection,
    operator::{AdminOperation, WorkspaceOperation},
};
use serde_json::{Value, json};

use super::{SHARES, create, path, visit};
use crate::support::TestServer;

#[tokio::test]
async fn administrators_see_of_private_workspaces_only_that_there_are_links_and_revoke_them() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    let open = create(&ada, json!({})).await;
    let bob = server.sign_in("bob").await;
    let private = json!({ "id": "diary", "name": "Diary", "visibility": "private" });
    bob.post("/api/workspaces", private).await.created();
    let hidden = bob.post("/api/workspaces/diary/shares", json!({ "name": "Secret" })).await.created()["share"].clone();
    let org = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    let list = ada.get(&format!("/api/orgs/{org}/shares")).await.ok();
    // Created in the same millisecond, so that their random ids determine the order.
    let listed = |share: &Value| list["shares"].as_array().unwrap().iter().find(|s| s["id"] == share["id"]).unwrap();
    assert_eq!(listed(&open)["details"]["workspaceId"], "w");
    assert_eq!(listed(&hidden)["owner"]["login"], "bob");
    assert!(listed(&hidden).get("details").is_none(), "{list}");
    for secret in ["Diary", "diary", "Secret", "/s/"] {
        assert!(!list.to_string().contains(secret), "{secret}");
    }
    ada.delete(&format!("/api/orgs/{org}/shares/{}", hidden["id"].as_str().unwrap())).await.ok();
    assert_eq!(visit(&server, &path(&hidden)).await.status, 404);
    assert_eq!(bob.get("/api/workspaces/diary/shares").await.ok()["shares"], json!([]));
    ada.delete(&format!("/api/orgs/{org}/shares/none")).await.expect_error(404, "share link");
}

#[tokio::test]
async fn administrators_reach_no_link_of_another_organization() {
    let server = TestServer::new().await;
    server.create_org("other", "xena").await;
    let ada = server.seed_map().await;
    let share = create(&ada, json!({})).await;
    let id = share["id"].as_str().unwrap();
    let xena = server.sign_in("xena").await;
    let org = xena.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    assert_eq!(xena.get(&format!("/api/orgs/{org}/shares")).await.ok()["shares"], json!([]));
    xena.delete(&format!("/api/orgs/{org}/shares/{id}")).await.expect_error(404, "share link");
    xena.post("/api/workspaces", json!({ "id": "x", "name": "X" })).await.created();
    xena.delete(&format!("/api/workspaces/x/shares/{id}")).await.expect_error(404, "share link");
    xena.patch(RULES, json!({ "mode": "off" })).await.ok();
    assert_eq!(visit(&server, &path(&share)).await.status, 200);
}

const RULES: &str = "/api/sharing-rules";

#[tokio::test]
async fn the_operator_lists_links_and_revokes_one_or_all() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let shares = [create(&ada, json!({})).await, create(&ada, json!({})).await, create(&ada, json!({})).await];
    let perform = async |operation| AdminOperation::Workspaces(operation).perform(&server.app).await;
    let listed = perform(WorkspaceOperation::Shares { selection: ShareSelection::All }).await.unwrap();
    assert_eq!(listed.as_array().unwrap().len(), 3);
    assert_eq!(listed[0]["workspace"], "w");
    assert!(!listed.to_string().contains("/s/"), "{listed}");
    let one = ShareSelection::Link(shares[0]["id"].as_str().unwrap().to_owned());
    assert_eq!(perform(WorkspaceOperation::Unshare { selection: one.clone() }).await.unwrap()["revoked"], 1);
    assert!(perform(WorkspaceOperation::Unshare { selection: one }).await.is_err());
    assert_eq!(visit(&server, &path(&shares[0])).await.status, 404);
    assert_eq!(visit(&server, &path(&shares[1])).await.status, 200);
    let org = ShareSelection::Organization("acme".into());
    assert_eq!(perform(WorkspaceOperation::Shares { selection: org }).await.unwrap().as_array().unwrap().len(), 2);
    let all = WorkspaceOperation::Unshare { selection: ShareSelection::All };
    assert_eq!(perform(all).await.unwrap()["revoked"], 2);
    assert_eq!(ada.get(SHARES).await.ok()["shares"], json!([]));
    assert_eq!(server.count("SELECT count(*) FROM audit WHERE kind = 'share.revoke'"), 3);
}
