//! Attaching, updating and detaching people and teams.

use serde_json::{Value, json};

use super::{ALL, OF_A, with_directory};
use crate::support::{TestServer, segment};

#[tokio::test]
async fn a_stakeholder_includes_its_person_or_team_wherever_it_is_read() {
    let server = TestServer::new().await;
    let ada = with_directory(&server).await;
    let new = json!({ "personId": "grace", "linkType": "owner", "properties": { "since": 1959 } });
    let person = ada.post(OF_A, new).await.created()["stakeholder"].clone();
    let expected = json!({
        "id": 1, "workspaceId": "w", "componentId": "a", "personId": "grace", "teamId": null, "linkType": "owner",
        "properties": { "since": 1959 }, "revision": ada.revision("w").await, "createdAt": server.clock.now(),
        "createdBy": 1, "updatedAt": server.clock.now(), "updatedBy": 1,
        "person": { "id": "grace", "name": "Grace", "email": "g@x", "photoUrl": null, "title": "Admiral" },
        "team": null,
    });
    assert_eq!(person, expected);
    let new = json!({ "teamId": "t", "personId": null, "linkType": "support" });
    let team = ada.post("/api/workspaces/w/components/b/stakeholders", new).await.created()["stakeholder"].clone();
    assert_eq!((&team["personId"], &team["person"]), (&Value::Null, &Value::Null));
    assert_eq!((&team["team"], &team["properties"]), (&json!({ "id": "t", "name": "Team T" }), &json!({})));

    assert_eq!(ada.get(ALL).await.ok(), json!({ "stakeholders": [person, team] }));
    assert_eq!(ada.get(OF_A).await.ok(), json!({ "stakeholders": [person] }));
    assert_eq!(ada.bundle("w").await["stakeholders"], json!([person, team]));
    assert_eq!(ada.get("/api/workspaces/w/components/a").await.ok()["stakeholders"], json!([person]));
}

#[tokio::test]
async fn a_stakeholder_is_either_a_person_or_a_team() {
    let server = TestServer::new().await;
    let ada = with_directory(&server).await;
    let before = server.log_sizes();
    let cases = [
        (json!({ "linkType": "owner" }), "personId", "is required"),
        (json!({ "linkType": "owner", "personId": null, "teamId": null }), "personId", "is required"),
        (json!({ "linkType": "owner", "personId": "grace", "teamId": "t" }), "teamId", "must be left out"),
        (json!({ "linkType": "owner", "personId": "t" }), "personId", "there is no person `t`"),
        (json!({ "linkType": "owner", "teamId": "grace" }), "teamId", "there is no team `grace`"),
        (json!({ "linkType": "boss", "personId": "grace" }), "linkType", "there is no role `boss`"),
        (json!({ "linkType": "", "personId": "grace" }), "linkType", "there is no role"),
        (json!({ "personId": "grace" }), "linkType", "is required"),
        (json!({ "linkType": "owner", "personId": "grace", "componentId": "b" }), "componentId", "cannot change"),
    ];
    for (new, field, text) in cases {
        assert_eq!(ada.post(OF_A, new).await.expect_error(400, text)["field"], field);
    }
    assert_eq!(server.log_sizes(), before);
}

#[tokio::test]
async fn only_entries_of_the_workspaces_organization_can_be_attached() {
    let server = TestServer::new().await;
    server.seed_org("other", "otto");
    let (ada, otto) = (with_directory(&server).await, server.sign_in("otto").await);
    otto.post("/api/people", json!({ "id": "stranger", "name": "S" })).await.created();
    otto.post("/api/teams", json!({ "id": "strangers", "name": "S" })).await.created();
    server.sql(|conn| {
        let sql = "INSERT INTO role (organization_id, id, name, color, revision, created_at, updated_at)
                   VALUES ('org_other', 'theirs', 'Theirs', '#000000', 1, 1, 1)";
        conn.execute(sql, []).unwrap();
    });
    for (new, field) in [
        (json!({ "linkType": "owner", "personId": "stranger" }), "personId"),
        (json!({ "linkType": "owner", "teamId": "strangers" }), "teamId"),
        (json!({ "linkType": "theirs", "personId": "grace" }), "linkType"),
    ] {
        assert_eq!(ada.post(OF_A, new).await.expect_error(400, "in this organization")["field"], field);
    }
    otto.post(OF_A, json!({ "linkType": "theirs", "personId": "stranger" })).await.expect_error(404, "workspace");
    otto.get(ALL).await.expect_error(404, "workspace");
}

#[tokio::test]
async fn a_stakeholder_is_unique_per_component_and_role() {
    let server = TestServer::new().await;
    let ada = with_directory(&server).await;
    for who in ["personId", "teamId"] {
        let id = if who == "personId" { "grace" } else { "t" };
        let new = |role: &str| json!({ who: id, "linkType": role });
        ada.post(OF_A, new("owner")).await.created();
        ada.post(OF_A, new("owner"))
            .await
            .expect_error(409, &format!("`{id}` is attached to this component as `owner`"));
        let other = ada.post(OF_A, new("support")).await.created()["stakeholder"]["id"].clone();
        ada.post("/api/workspaces/w/components/b/stakeholders", new("owner")).await.created();
        let at = format!("{OF_A}/{other}");
        ada.patch(&at, json!({ "linkType": "owner" })).await.expect_error(409, "already");
        ada.patch(&at, json!({ "linkType": "support" })).await.ok();
        ada.patch(&at, json!({ "linkType": "business-owner" })).await.ok();
        ada.post(OF_A, new("support")).await.created();
    }
}

#[tokio::test]
async fn only_role_and_properties_can_be_updated() {
    let server = TestServer::new().await;
    let ada = with_directory(&server).await;
    let first = ada.attach("w", "a", "owner").await;
    let at = format!("{OF_A}/{}", first["id"]);
    assert_eq!(ada.patch(&at, first.clone()).await.ok()["stakeholder"], first, "what was read can be sent back");
    assert_eq!(ada.patch(&at, json!({ "linkType": null, "personId": null })).await.ok()["stakeholder"], first);
    let changed = ada.patch(&at, json!({ "linkType": "support", "properties": { "a": 1 } })).await.ok();
    let changed = &changed["stakeholder"];
    assert_eq!((&changed["linkType"], &changed["properties"]), (&json!("support"), &json!({ "a": 1 })));
    assert_eq!(changed["revision"], ada.revision("w").await);
    for (field, value) in
        [("id", json!(99)), ("componentId", json!("b")), ("personId", json!("ada")), ("teamId", json!("t"))]
    {
        let refusal = ada.patch(&at, json!({ field: value })).await.expect_error(400, "cannot change");
        assert_eq!(refusal["field"], field);
    }
    assert_eq!(ada.patch(&at, json!({ "linkType": "boss" })).await.expect_error(400, "no role")["field"], "linkType");
    // Sent back with POST, it is a duplicate.
    ada.post(OF_A, changed.clone()).await.expect_error(409, "already");
    ada.delete(&at).await.ok();
    assert_eq!(ada.post(OF_A, changed.clone()).await.created()["stakeholder"]["id"], 2, "no id is used again");
}

#[tokio::test]
async fn a_stakeholder_is_only_found_at_its_own_component() {
    let server = TestServer::new().await;
    let ada = with_directory(&server).await;
    let id = ada.attach("w", "a", "owner").await["id"].clone();
    ada.create_workspace("v").await;
    ada.create_components("v", &["a"]).await;
    for place in [
        format!("/api/workspaces/w/components/b/stakeholders/{id}"),
        format!("/api/workspaces/v/components/a/stakeholders/{id}"),
        format!("{OF_A}/0"),
        format!("{OF_A}/-1"),
        format!("{OF_A}/9223372036854775807"),
    ] {
        ada.patch(&place, json!({ "linkType": "support" })).await.expect_error(404, "stakeholder not found");
        ada.delete(&place).await.expect_error(404, "stakeholder not found");
    }
    for place in ["x", "1.0", "9223372036854775808", "%20"] {
        ada.delete(&format!("{OF_A}/{place}")).await.expect_error(400, "path");
    }
    for path in ["/api/workspaces/w/components/none/stakeholders", "/api/workspaces/none/components/a/stakeholders"] {
        ada.get(path).await.expect_error(404, "not found");
        ada.post(path, json!({ "personId": "grace", "linkType": "owner" })).await.expect_error(404, "not found");
    }
    ada.delete(&format!("{OF_A}/{id}")).await.ok();
    ada.delete(&format!("{OF_A}/{id}")).await.expect_error(404, "stakeholder not found");
    assert_eq!(ada.get(ALL).await.ok(), json!({ "stakeholders": [] }));
}

#[tokio::test]
async fn a_stale_update_is_rejected_with_the_current_state() {
    let server = TestServer::new().await;
    let ada = with_directory(&server).await;
    let first = ada.attach("w", "a", "owner").await;
    let at = format!("{OF_A}/{}", first["id"]);
    let now = ada.patch(&at, json!({ "linkType": "support" })).await.ok()["stakeholder"].clone();
    let late = ada.header("if-match", &format!("\"{}\"", first["revision"]));
    for refusal in [late.patch(&at, json!({ "linkType": "owner" })).await, late.delete(&at).await] {
        let refusal = refusal.expect_error(412, "changed since");
        assert_eq!((&refusal["current"], &refusal["changedBy"]["id"]), (&now, &json!(1)));
    }
    // Renaming a person changes no stakeholder link.
    ada.patch("/api/people/grace", json!({ "name": "Hopper" })).await.ok();
    ada.header("if-match", &format!("\"{}\"", now["revision"])).delete(&at).await.ok();
}

#[tokio::test]
async fn any_directory_id_can_be_attached_to_any_component_id() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for id in ["libstdc++6", "team/api", "100%", "a b", "漢字"] {
        ada.create_components("w", &[id]).await;
        ada.post("/api/people", json!({ "id": id, "name": "P" })).await.created();
        ada.post("/api/teams", json!({ "id": id, "name": "T" })).await.created();
        let path = format!("/api/workspaces/w/components/{}/stakeholders", segment(id));
        for who in ["personId", "teamId"] {
            let made = ada.post(&path, json!({ who: id, "linkType": "owner" })).await.created()["stakeholder"].clone();
            assert_eq!((&made["componentId"], &made[who]), (&json!(id), &json!(id)));
            ada.patch(&format!("{path}/{}", made["id"]), json!({ "linkType": "support" })).await.ok();
        }
        assert_eq!(ada.get(&path).await.ok()["stakeholders"].as_array().unwrap().len(), 2);
    }
}

#[tokio::test]
async fn each_write_is_one_log_row_without_personal_data() {
    let server = TestServer::new().await;
    let ada = with_directory(&server).await;
    let id = ada.attach("w", "a", "owner").await["id"].clone();
    let start = server.changes().len() - 1;
    let at = format!("{OF_A}/{id}");
    ada.patch(&at, json!({ "linkType": "support" })).await.ok();
    ada.patch("/api/people/grace", json!({ "name": "Hopper" })).await.ok();
    ada.delete(&at).await.ok();
    let log = &server.changes()[start..];
    let what: Vec<&str> = log.iter().map(|change| &*change.what).collect();
    assert_eq!(what, ["create stakeholder 1", "update stakeholder 1", "delete stakeholder 1"]);
    assert_eq!(
        (&log[0].after, &log[1].after),
        (&log[1].before, &log[2].before),
        "each begins where the last one ended"
    );
    assert_eq!(log[1].after["personId"], "grace");
    assert!(log.iter().all(|change| change.after.get("person").is_none() && change.before.get("team").is_none()));
}
