//! Teams and their members.

use serde_json::{Value, json};

use super::TEAMS;
use crate::support::{TestClient, TestServer};

const MEMBERS: &str = "/api/teams/t/members";

/// A team `t` without members, and two people.
async fn team(server: &TestServer) -> TestClient<'_> {
    let ada = server.sign_in("ada").await;
    ada.create_people(&["grace", "alan"]).await;
    ada.post(TEAMS, json!({ "id": "t", "name": "T" })).await.created();
    ada
}

async fn members(client: &TestClient<'_>) -> Vec<(String, String)> {
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    client.all(MEMBERS, "members").await.iter().map(|row| (word(&row["personId"]), word(&row["role"]))).collect()
}

#[tokio::test]
async fn a_team_is_read_with_its_members() {
    let server = TestServer::new().await;
    let ada = team(&server).await;
    let made = ada.patch("/api/teams/t", json!({ "description": "D", "properties": { "a": 1 } })).await.ok();
    let fields: Vec<&String> = made["team"].as_object().unwrap().keys().collect();
    let expected = "id orgId name description properties revision createdAt createdBy updatedAt updatedBy";
    assert_eq!(fields, expected.split(' ').collect::<Vec<_>>());
    ada.patch("/api/people/grace", json!({ "email": "g@x" })).await.ok();
    let added = ada.post(MEMBERS, json!({ "personId": "grace", "role": "lead" })).await.created();
    let person = json!({ "id": "grace", "name": "grace", "email": "g@x", "photoUrl": null, "title": null });
    let expected = json!({ "teamId": "t", "personId": "grace", "role": "lead", "revision": server.directory_revision("acme"),
                           "addedAt": server.clock.now(), "addedBy": 1, "person": person });
    assert_eq!(added["member"], expected);
    assert_eq!(ada.get("/api/teams/t").await.ok(), json!({ "team": made["team"], "members": [expected] }));
    assert_eq!(ada.get(MEMBERS).await.ok(), json!({ "members": [expected] }));
}

#[tokio::test]
async fn a_member_is_added_once_updated_and_removed() {
    let server = TestServer::new().await;
    let ada = team(&server).await;
    ada.post(MEMBERS, json!({ "personId": "grace" })).await.created();
    ada.post(MEMBERS, json!({ "personId": "alan", "role": "lead" })).await.created();
    let pair = |person: &str, role: &str| (person.to_owned(), role.to_owned());
    assert_eq!(members(&ada).await, [pair("grace", "member"), pair("alan", "lead")], "member is the default");
    let again = ada.post(MEMBERS, json!({ "personId": "grace", "role": "lead" })).await;
    let error = again.expect_error(409, "`grace` belongs to the team already; PATCH changes their role");
    assert_eq!(error["reason"], "`grace` belongs to the team already");
    assert_eq!(error["remedy"], json!({ "kind": "updateTeamMember" }));
    assert_eq!(members(&ada).await[0], pair("grace", "member"));
    let changed = ada.patch(&format!("{MEMBERS}/grace"), json!({ "role": "lead" })).await.ok();
    assert_eq!((&changed["member"]["role"], &changed["member"]["person"]["id"]), (&json!("lead"), &json!("grace")));
    ada.delete(&format!("{MEMBERS}/alan")).await.ok();
    assert_eq!(members(&ada).await, [pair("grace", "lead")]);
    ada.get("/api/people/alan").await.ok();
}

#[tokio::test]
async fn only_people_of_the_organization_can_join_a_team() {
    let server = TestServer::new().await;
    server.seed_org("other", "otto");
    let (ada, otto) = (team(&server).await, server.sign_in("otto").await);
    otto.create_people(&["stranger"]).await;
    for unknown in ["nobody", "stranger", ""] {
        let refusal = ada.post(MEMBERS, json!({ "personId": unknown })).await.expect_error(400, "there is no person");
        assert_eq!(refusal["field"], "personId");
    }
    for missing in ["nobody", "stranger", "grace"] {
        let at = format!("{MEMBERS}/{missing}");
        ada.patch(&at, json!({ "role": "lead" })).await.expect_error(404, "member not found");
        ada.delete(&at).await.expect_error(404, "member not found");
    }
    ada.post("/api/teams/none/members", json!({ "personId": "grace" })).await.expect_error(404, "team not found");
    ada.get("/api/teams/none/members").await.expect_error(404, "team not found");
    ada.delete("/api/teams/none/members/grace").await.expect_error(404, "team not found");
    // The same ID in the other organization is another person, who is in no team.
    otto.create_people(&["grace"]).await;
    ada.post(MEMBERS, json!({ "personId": "grace" })).await.created();
    assert_eq!(otto.get("/api/people/grace").await.ok()["teams"], json!([]));
}

#[tokio::test]
async fn a_team_member_can_be_sent_back_unless_stale() {
    let server = TestServer::new().await;
    let ada = team(&server).await;
    let first = ada.post(MEMBERS, json!({ "teamId": "t", "personId": "grace" })).await.created()["member"].clone();
    let at = format!("{MEMBERS}/grace");
    assert_eq!(ada.patch(&at, first.clone()).await.ok()["member"], first);
    ada.patch(&at, json!({ "role": "lead", "personId": "alan" })).await.expect_error(400, "personId: cannot change");
    ada.patch(&at, json!({ "role": "lead", "teamId": "u" })).await.expect_error(400, "teamId: cannot change");
    ada.post(MEMBERS, json!({ "teamId": "u", "personId": "alan" })).await.expect_error(400, "teamId: cannot change");
    let now = ada.patch(&at, json!({ "role": "lead" })).await.ok()["member"].clone();
    let late = ada.header("if-match", &format!("\"{}\"", first["revision"]));
    let refusal = late.patch(&at, json!({ "role": "member" })).await.expect_error(412, "changed since");
    assert_eq!(refusal["current"], now);
    late.delete(&at).await.expect_error(412, "changed since");
    ada.header("if-match", &format!("\"{}\"", now["revision"])).delete(&at).await.ok();
}

#[tokio::test]
async fn deleting_a_team_keeps_its_members_as_people() {
    let server = TestServer::new().await;
    let ada = team(&server).await;
    ada.post(MEMBERS, json!({ "personId": "grace" })).await.created();
    ada.header("x-batch-id", "end").delete("/api/teams/t").await.ok();
    assert_eq!(server.changes_of("end"), [r#"delete team-member ["t","grace"]"#, "delete team t"]);
    assert_eq!(ada.get("/api/people/grace").await.ok()["teams"], json!([]));
    ada.get("/api/teams/t").await.expect_error(404, "team not found");
}
