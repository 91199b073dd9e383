//! Users of other organizations, and users without an active organization.

use axum::http::Method;
use serde_json::{Value, json};

use super::found_template;
use crate::support::TestServer;

#[tokio::test]
async fn a_workspace_of_another_organization_is_not_found() {
    let server = TestServer::new().await;
    found_template(&server).await;
    let (own, requester) = (server.seed_org("other", "xena"), server.seed_member("mia", "acme", "org:member"));
    let (xena, requests) = (server.sign_in("xena").await, "/api/workspaces/template/access-requests");
    server.sign_in("mia").await.post(requests, json!({})).await.created();
    let (c, r) = ("components/web", "relationships/web-calls-api");
    let component = json!({ "typeId": "service", "name": "C" });
    let relationship = json!({ "typeId": "calls", "sourceId": "web", "targetId": "api" });
    let stakeholder = json!({ "personId": "xena", "linkType": "owner" });
    let requests = [
        (Method::GET, "/stakeholders".into(), None),
        (Method::GET, format!("/{c}/stakeholders"), None),
        (Method::POST, format!("/{c}/stakeholders"), Some(stakeholder)),
        (Method::PATCH, format!("/{c}/stakeholders/1"), Some(json!({ "linkType": "owner" }))),
        (Method::DELETE, format!("/{c}/stakeholders/1"), None),
        (Method::GET, String::new(), None),
        (Method::PATCH, String::new(), Some(json!({ "name": "Mine" }))),
        (Method::DELETE, String::new(), None),
        (Method::POST, "/components".into(), Some(component)),
        (Method::PATCH, "/components".into(), Some(json!([{ "id": "web", "x": 0, "y": 0 }]))),
        (Method::GET, format!("/{c}"), None),
        (Method::PATCH, format!("/{c}"), Some(json!({ "name": "Mine" }))),
        (Method::DELETE, format!("/{c}"), None),
        (Method::POST, "/relationships".into(), Some(relationship)),
        (Method::PATCH, format!("/{r}"), Some(json!({ "label": "mine" }))),
        (Method::DELETE, format!("/{r}"), None),
        (Method::GET, "/access-requests".into(), None),
        (Method::POST, "/access-requests".into(), Some(json!({ "message": "Please" }))),
        (Method::DELETE, format!("/access-requests/{requester}"), None),
        (Method::DELETE, format!("/access-requests/{own}"), None),
        (Method::GET, "/shares".into(), None),
        (Method::POST, "/shares".into(), Some(json!({ "name": "Mine" }))),
        (Method::PATCH, "/shares/x".into(), Some(json!({ "name": "Mine" }))),
        (Method::DELETE, "/shares/x".into(), None),
        (Method::POST, "/shares/x/rotate".into(), None),
        (Method::POST, "/shares/x/adopt".into(), None),
    ];
    for (method, path, body) in requests {
        let hidden = xena.send(method.clone(), &format!("/api/workspaces/template{path}"), body.clone()).await;
        let missing = xena.send(method, &format!("/api/workspaces/no-such{path}"), body).await;
        assert_eq!(hidden.expect_error(404, "workspace"), missing.expect(404), "{hidden}");
    }
    assert_eq!(server.count("SELECT count(*) FROM access_request"), 1, "mia's");
    // A bulk would create a missing workspace, but it cannot use an ID of another organization.
    let model = json!({ "workspace": { "name": "Mine" }, "components": [], "relationships": [] });
    for query in ["", "?dryRun=true"] {
        xena.put(&format!("/api/workspaces/template/bulk{query}"), model.clone()).await.expect_error(404, "workspace");
    }
}

#[tokio::test]
async fn a_person_team_role_or_kind_of_another_organization_is_not_found() {
    let server = TestServer::new().await;
    server.create_org("other", "xena").await;
    let (ada, xena) = (server.sign_in("ada").await, server.sign_in("xena").await);
    let role = json!({ "id": "theirs", "name": "N", "color": "#112233" });
    ada.post("/api/people", json!({ "id": "theirs", "name": "N" })).await.created();
    ada.post("/api/teams", json!({ "id": "theirs", "name": "N" })).await.created();
    ada.post("/api/teams/theirs/members", json!({ "personId": "theirs" })).await.created();
    ada.post("/api/stakeholder-link-types", role).await.created();
    ada.post("/api/kinds", json!({ "id": "theirs", "name": "N", "baseType": "service" })).await.created();
    let (name, member) = (json!({ "name": "Mine" }), json!({ "role": "lead" }));
    let requests = [
        (Method::GET, "/api/people/ID", None),
        (Method::PATCH, "/api/people/ID", Some(name.clone())),
        (Method::DELETE, "/api/people/ID?force=true", None),
        (Method::GET, "/api/teams/ID", None),
        (Method::PATCH, "/api/teams/ID", Some(name.clone())),
        (Method::DELETE, "/api/teams/ID", None),
        (Method::GET, "/api/teams/ID/members", None),
        (Method::POST, "/api/teams/ID/members", Some(json!({ "personId": "xena" }))),
        (Method::PATCH, "/api/teams/ID/members/theirs", Some(member)),
        (Method::DELETE, "/api/teams/ID/members/theirs", None),
        (Method::PATCH, "/api/stakeholder-link-types/ID", Some(name.clone())),
        (Method::DELETE, "/api/stakeholder-link-types/ID", None),
        (Method::PATCH, "/api/kinds/ID", Some(name)),
        (Method::DELETE, "/api/kinds/ID?force=true", None),
    ];
    let before = server.log_sizes();
    for (method, path, body) in requests {
        let hidden = xena.send(method.clone(), &path.replace("ID", "theirs"), body.clone()).await;
        let missing = xena.send(method, &path.replace("ID", "no-such"), body).await;
        assert_eq!(hidden.expect_error(404, "not found"), missing.expect(404), "{hidden}");
    }
    assert_eq!(server.log_sizes(), before);
}

#[tokio::test]
async fn an_instance_administrator_without_active_organization_can_read_everything_and_write_nothing() {
    let server = TestServer::new().await;
    server.seed_org("other", "xena");
    server.seed_user("iris");
    server.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE login = 'iris'", []).unwrap());
    let (ada, xena, iris) = (server.sign_in("ada").await, server.sign_in("xena").await, server.sign_in("iris").await);
    let new = |id: &str, visibility: &str| json!({ "id": id, "name": id, "visibility": visibility });
    ada.post("/api/workspaces", new("a", "private")).await.created();
    xena.post("/api/workspaces", new("b", "members")).await.created();
    ada.post("/api/workspaces", new("gone", "org")).await.created();
    ada.delete("/api/workspaces/gone").await.ok();

    let list = iris.get("/api/workspaces").await.ok();
    let seen: Vec<_> = list["workspaces"].as_array().unwrap().iter().map(|w| (&w["id"], &w["myRole"])).collect();
    assert_eq!(seen, [(&json!("a"), &Value::Null), (&json!("b"), &Value::Null)]);
    assert_eq!(iris.get("/api/workspaces/b").await.ok()["workspace"]["myRole"], Value::Null);
    let deleted = iris.get("/api/workspaces?deleted=true").await.ok();
    assert_eq!(deleted["workspaces"][0]["id"], "gone");

    let pk = &deleted["workspaces"][0]["pk"];
    let refusals = [
        iris.post("/api/workspaces", new("c", "org")).await,
        iris.post("/api/workspaces/restore", json!({ "pk": pk })).await,
        iris.patch("/api/workspaces/a", json!({ "name": "Mine" })).await,
        iris.delete("/api/workspaces/b").await,
        iris.post("/api/workspaces/b/components", json!({ "typeId": "service", "name": "C" })).await,
    ];
    for refusal in refusals {
        assert_eq!(refusal.expect_error(400, "active organization")["code"], "no_active_org");
    }
}

#[tokio::test]
async fn a_membership_has_no_effect_without_an_active_organization() {
    let server = TestServer::new().await;
    let iris = server.seed_user("iris");
    server.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE id = ?", [iris]).unwrap());
    server.sign_in("ada").await.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    server.grant("w", iris, "owner");
    let iris = server.sign_in("iris").await;
    assert_eq!(iris.get("/api/workspaces/w").await.ok()["workspace"]["myRole"], Value::Null, "she only looks");
    iris.delete("/api/workspaces/w").await.expect_error(400, "active organization");
}
