//! Those of another organization, and those who act in none.

use axum::http::Method;
use serde_json::{Value, json};

use super::found_template;
use crate::support::Stage;

#[tokio::test]
async fn a_workspace_of_another_organization_is_as_if_it_were_not_there() {
    let stage = Stage::new().await;
    found_template(&stage).await;
    stage.seed_org("other", "xena");
    let xena = stage.sign_in("xena").await;
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
    ];
    for (method, path, body) in requests {
        let hidden = xena.send(method.clone(), &format!("/api/workspaces/template{path}"), body.clone()).await;
        let missing = xena.send(method, &format!("/api/workspaces/no-such{path}"), body).await;
        assert_eq!(hidden.refused(404, "workspace"), missing.expect(404), "{hidden}");
    }
    // A bulk would found what is missing; it does not take what is another's.
    let model = json!({ "workspace": { "name": "Mine" }, "components": [], "relationships": [] });
    for query in ["", "?dryRun=true"] {
        xena.put(&format!("/api/workspaces/template/bulk{query}"), model.clone()).await.refused(404, "workspace");
    }
}

#[tokio::test]
async fn a_person_team_or_role_of_another_organization_is_as_if_it_were_not_there() {
    let stage = Stage::new().await;
    stage.found_org("other", "xena").await;
    let (ada, xena) = (stage.sign_in("ada").await, stage.sign_in("xena").await);
    let role = json!({ "id": "theirs", "name": "N", "color": "#112233" });
    ada.post("/api/people", json!({ "id": "theirs", "name": "N" })).await.created();
    ada.post("/api/teams", json!({ "id": "theirs", "name": "N" })).await.created();
    ada.post("/api/teams/theirs/members", json!({ "personId": "theirs" })).await.created();
    ada.post("/api/stakeholder-link-types", role).await.created();
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
        (Method::PATCH, "/api/stakeholder-link-types/ID", Some(name)),
        (Method::DELETE, "/api/stakeholder-link-types/ID", None),
    ];
    let before = stage.written();
    for (method, path, body) in requests {
        let hidden = xena.send(method.clone(), &path.replace("ID", "theirs"), body.clone()).await;
        let missing = xena.send(method, &path.replace("ID", "no-such"), body).await;
        assert_eq!(hidden.refused(404, "not found"), missing.expect(404), "{hidden}");
    }
    assert_eq!(stage.written(), before);
}

#[tokio::test]
async fn an_instance_administrator_with_no_organization_active_looks_at_everything_and_changes_nothing() {
    let stage = Stage::new().await;
    stage.seed_org("other", "xena");
    stage.seed_user("iris");
    stage.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE login = 'iris'", []).unwrap());
    let (ada, xena, iris) = (stage.sign_in("ada").await, stage.sign_in("xena").await, stage.sign_in("iris").await);
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
        assert_eq!(refusal.refused(400, "active organization")["code"], "no_active_org");
    }
}

#[tokio::test]
async fn being_made_a_member_does_not_help_one_who_acts_in_no_organization() {
    let stage = Stage::new().await;
    let iris = stage.seed_user("iris");
    stage.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE id = ?", [iris]).unwrap());
    stage.sign_in("ada").await.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    stage.grant("w", iris, "owner");
    let iris = stage.sign_in("iris").await;
    assert_eq!(iris.get("/api/workspaces/w").await.ok()["workspace"]["myRole"], Value::Null, "she only looks");
    iris.delete("/api/workspaces/w").await.refused(400, "active organization");
}
