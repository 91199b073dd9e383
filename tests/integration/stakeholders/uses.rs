//! Rows that stakeholder links use are not deleted by accident.

use serde_json::json;

use super::{ALL, OF_A, with_directory};
use crate::support::TestServer;

const OWNER: &str = "/api/stakeholder-link-types/owner";

#[tokio::test]
async fn a_role_in_use_is_not_deleted_and_its_use_is_counted() {
    let server = TestServer::new().await;
    let ada = with_directory(&server).await;
    ada.create_workspace("v").await;
    ada.create_components("v", &["a"]).await;
    let first = ada.attach("w", "a", "owner").await["id"].clone();
    ada.attach("v", "a", "owner").await;
    ada.attach("v", "a", "support").await;
    let before = server.log_sizes();
    let refusal =
        ada.delete(OWNER).await.expect_error(409, "stakeholder links use this role: 2; give them another role");
    assert_eq!((&refusal["code"], &refusal["count"]), (&json!("role_in_use"), &json!(2)));
    ada.delete(&format!("{OWNER}?force=true")).await.expect_error(400, "invalid query");
    assert_eq!(server.log_sizes(), before);
    ada.patch(&format!("{OF_A}/{first}"), json!({ "linkType": "support" })).await.ok();
    assert_eq!(ada.delete(OWNER).await.expect_error(409, "role: 1;")["count"], 1);
    ada.delete("/api/workspaces/v/components/a").await.ok();
    ada.delete(OWNER).await.ok();
    let new = json!({ "personId": "grace", "linkType": "owner" });
    assert_eq!(ada.post(OF_A, new).await.expect_error(400, "there is no role `owner`")["field"], "linkType");
}

#[tokio::test]
async fn a_person_or_team_in_use_is_not_deleted_without_force() {
    let server = TestServer::new().await;
    let ada = with_directory(&server).await;
    let others = json!({ "personId": "ada", "linkType": "owner" });
    let others = ada.post(OF_A, others).await.created()["stakeholder"].clone();
    for (path, who, code) in [
        ("/api/people/grace", json!({ "personId": "grace" }), "person_in_use"),
        ("/api/teams/t", json!({ "teamId": "t" }), "team_in_use"),
    ] {
        for (component, role) in [("a", "owner"), ("a", "support"), ("b", "owner")] {
            let mut new = who.clone();
            new["linkType"] = role.into();
            ada.post(&format!("/api/workspaces/w/components/{component}/stakeholders"), new).await.created();
        }
        let before = (server.log_sizes(), ada.etag("w").await);
        for query in ["", "?force=false", "?"] {
            let refusal = ada.delete(&format!("{path}{query}")).await.expect_error(409, "`?force=true`");
            assert_eq!((&refusal["code"], &refusal["count"]), (&json!(code), &json!(3)));
        }
        assert_eq!((server.log_sizes(), ada.etag("w").await), before);
        ada.delete(&format!("{path}?force=true")).await.ok();
        assert_eq!(ada.get(ALL).await.ok()["stakeholders"], json!([others]));
        assert_eq!(ada.bundle("w").await["stakeholders"], json!([others]));
        ada.get(path).await.expect_error(404, "not found");
    }
}

#[tokio::test]
async fn deleting_a_person_by_force_deletes_and_logs_their_links_in_every_workspace() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let (ada, bob) = (with_directory(&server).await, server.sign_in("bob").await);
    // In a workspace that no admin can see, and in a deleted one.
    bob.post("/api/workspaces", json!({ "id": "own", "name": "Own", "visibility": "private" })).await.created();
    ada.create_workspace("gone").await;
    for (client, id) in [(&bob, "own"), (&ada, "gone")] {
        client.create_components(id, &["a"]).await;
        client.attach(id, "a", "owner").await;
    }
    ada.attach("w", "a", "owner").await;
    ada.delete("/api/workspaces/gone").await.ok();
    ada.get("/api/workspaces/own").await.expect_error(404, "workspace");
    let tags = (bob.etag("own").await, ada.etag("w").await);

    let text = "person: 3, 1 of them in deleted workspaces that can still be restored";
    assert_eq!(ada.delete("/api/people/grace").await.expect_error(409, text)["count"], 3);
    bob.delete("/api/people/grace?force=true").await.expect_error(403, "needs an admin");
    ada.header("x-batch-id", "off").delete("/api/people/grace?force=true").await.ok();

    let expected = ["delete stakeholder 3", "delete stakeholder 1", "delete stakeholder 2", "delete person grace"];
    assert_eq!(server.changes_of("off"), expected, "each in its workspace, in their order");
    let places = "SELECT count(DISTINCT workspace_pk) FROM change WHERE label = 'off'";
    assert_eq!(server.count(places), 3);
    for (client, id, tag) in [(&bob, "own", &tags.0), (&ada, "w", &tags.1)] {
        let path = format!("/api/workspaces/{id}");
        assert_eq!(client.header("if-none-match", tag).get(&path).await.ok()["stakeholders"], json!([]), "{id}");
    }
    let pk = ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"][0]["pk"].clone();
    ada.post("/api/workspaces/restore", json!({ "pk": pk })).await.ok();
    assert_eq!(ada.bundle("gone").await["stakeholders"], json!([]));
    let audited = server.count("SELECT count(*) FROM audit WHERE kind = 'stakeholder.delete'");
    assert_eq!(audited, 3);
}

#[tokio::test]
async fn a_conditional_deletion_of_a_person_is_all_or_nothing() {
    let server = TestServer::new().await;
    let ada = with_directory(&server).await;
    ada.attach("w", "a", "owner").await;
    let before = server.log_sizes();
    ada.header("if-match", "\"0\"").delete("/api/people/grace?force=true").await.expect_error(412, "changed since");
    ada.delete("/api/people/none?force=true").await.expect_error(404, "person not found");
    assert_eq!(server.log_sizes(), before);
}
