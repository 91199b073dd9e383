//! Invalid files are rejected with the location of the error, and nothing is written.

use serde_json::{Value, json};

use super::document;
use crate::support::TestServer;

#[tokio::test]
async fn each_error_is_located() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let changes = server.changes().len();
    let cases: [(&str, Value, &str); 26] = [
        ("/format", json!("planroom/2"), "format: "),
        ("/workspace/name", json!(""), "workspace.name: "),
        ("/workspace/id", json!(" "), "workspace.id: "),
        ("/workspace/colour", json!(1), "workspace.colour: this resource has no such field"),
        ("/people/0/id", Value::Null, "people[0].id: is required"),
        ("/people/1/id", json!("anna/1"), "people[1].id: the id `anna/1` is repeated"),
        ("/people/0/email", json!("nobody"), "people[0].email: "),
        ("/teams/0/id", json!(""), "teams[0].id: "),
        ("/teams/0/members/1/personId", json!("anna/1"), "teams[0].members[1].personId: "),
        ("/teams/0/members/1/personId", json!("nobody"), "there is no person `nobody`"),
        ("/teams/0/members/1/role", json!("boss"), "teams[0].members[1].role: "),
        ("/roles/0/color", json!("red"), "roles[0].color: "),
        ("/roles/0/id", json!("Not Kebab"), "roles[0].id: "),
        ("/components/1/typeId", json!("servce"), "components[1].typeId: unknown"),
        ("/relationships/0/targetId", json!("x"), "relationships[0].targetId: there is no component `x`"),
        ("/stakeholders/0/componentId", json!("x"), "stakeholders[0].componentId: there is no component `x`"),
        ("/stakeholders/0/personId", json!("bo"), "stakeholders[0].teamId: must be left out"),
        ("/stakeholders/0/teamId", Value::Null, "stakeholders[0].personId: is required, or `teamId`"),
        ("/stakeholders/0/teamId", json!("none"), "stakeholders[0].teamId: there is no team `none`"),
        ("/stakeholders/1/linkType", json!("boss"), "stakeholders[1].linkType: there is no role `boss`"),
        ("/links/0/url", json!("ftp://example.org"), "links[0].url: "),
        ("/links/0/componentId", json!("x"), "links[0].componentId: there is no component `x`"),
        ("/links/0/kind", json!("page"), "links[0].kind: "),
        ("/processes/0/mermaid", json!("flowchart TD"), "processes[0].mermaid: "),
        ("/processes/0/participants", json!({ "A": 7 }), "processes[0].participants.A: must be the id"),
        ("/processes/0/id", json!("X"), "processes[0].id: "),
    ];
    for (place, value, text) in cases {
        let mut broken = document();
        let (parent, name) = place.rsplit_once('/').unwrap();
        let parent = if parent.is_empty() { &mut broken } else { broken.pointer_mut(parent).unwrap() };
        parent[name] = value;
        let refused = ada.post("/api/import", broken).await;
        assert!(refused.expect_error(400, "")["error"].as_str().unwrap().contains(text), "{place}: {refused}");
    }
    let mut twice = document();
    twice["stakeholders"][1] = twice["stakeholders"][0].clone();
    ada.post("/api/import", twice).await.expect_error(400, "stakeholders[1]: the same person or team");
    ada.post("/api/import", json!({ "components": [], "relationships": [] }))
        .await
        .expect_error(400, "workspace: is required");
    ada.post("/api/import?dryrun=true", document()).await.expect_error(400, "invalid query");
    ada.post("/api/import?id=%00", document()).await.expect_error(400, "id: ");
    assert_eq!(server.changes().len(), changes);
    assert_eq!(ada.get("/api/workspaces").await.ok()["workspaces"], json!([]));
}

#[tokio::test]
async fn only_an_admin_of_the_organization_can_import_roles() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    server.seed_member("mia", "acme", "org:member");
    let mia = server.sign_in("mia").await;
    mia.post("/api/import", document()).await.expect_error(403, "roles that this organization does not have");
    mia.post("/api/import?dryRun=true", document()).await.expect_error(403, "roles that");
    ada.post("/api/stakeholder-link-types", json!({ "id": "on-call", "name": "On call", "color": "#000000" }))
        .await
        .created();
    let imported = mia.post("/api/import", document()).await.created();
    assert_eq!(imported["kept"]["roles"], json!(["on-call"]));
}
