//! Every directory write increases its revision and is logged, and the directory can be rebuilt from the log.

use serde_json::{Value, json};

use super::{PEOPLE, ROLES, TEAMS};
use crate::{
    properties::log::replay_directory,
    support::{TestClient, TestServer},
};

async fn read(client: &TestClient<'_>) -> [Vec<Value>; 3] {
    [client.all(PEOPLE, "people").await, client.all(TEAMS, "teams").await, client.all(ROLES, "types").await]
}

#[tokio::test]
async fn replaying_the_log_produces_the_directory() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.create_people(&["grace", "alan", "gone"]).await;
    for team in ["t", "u"] {
        ada.post(TEAMS, json!({ "id": team, "name": team })).await.created();
        ada.post(&format!("{TEAMS}/{team}/members"), json!({ "personId": "grace" })).await.created();
        ada.post(&format!("{TEAMS}/{team}/members"), json!({ "personId": "gone" })).await.created();
    }
    ada.post(ROLES, json!({ "name": "Advises", "color": "#000000" })).await.created();
    ada.patch("/api/people/grace", json!({ "email": "g@x", "properties": { "a": [1.0, "ü"] } })).await.ok();
    ada.patch("/api/people/ada", json!({ "name": "Ada Lovelace" })).await.ok();
    ada.patch("/api/teams/t/members/grace", json!({ "role": "lead" })).await.ok();
    ada.patch("/api/teams/t", json!({ "description": "D" })).await.ok();
    ada.patch(&format!("{ROLES}/owner"), json!({ "sortOrder": 10 })).await.ok();
    ada.delete("/api/people/gone").await.ok();
    ada.delete("/api/teams/u").await.ok();
    ada.delete(&format!("{ROLES}/support")).await.ok();

    let replayed = replay_directory(&server, "acme");
    let [people, teams, roles] = read(&ada).await;
    assert_eq!((&replayed["person"], &replayed["team"], &replayed["role"]), (&people, &teams, &roles));
    let members = &replayed["team-member"];
    assert_eq!((members.len(), &members[0]["personId"], &members[0]["role"]), (1, &json!("grace"), &json!("lead")));
}

#[tokio::test]
async fn the_revision_counts_successful_writes_only() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let start = server.directory_revision("acme");
    ada.create_people(&["grace"]).await;
    ada.patch("/api/people/grace", json!({ "name": "grace", "email": null })).await.ok();
    ada.post(PEOPLE, json!({ "id": "grace", "name": "G" })).await.expect_error(409, "`grace`");
    ada.patch("/api/people/none", json!({ "name": "N" })).await.expect_error(404, "person");
    ada.get("/api/people/grace").await.ok();
    ada.get(PEOPLE).await.ok();
    assert_eq!(server.directory_revision("acme"), start + 1);
    ada.post(TEAMS, json!({ "id": "t", "name": "T" })).await.created();
    ada.post("/api/teams/t/members", json!({ "personId": "grace" })).await.created();
    ada.delete("/api/people/grace").await.ok();
    assert_eq!(server.directory_revision("acme"), start + 4, "two rows went in one step");
}

#[tokio::test]
async fn a_write_is_logged_with_author_and_client() {
    let server = TestServer::new().await;
    let script = server.script_client("ada").await;
    script.header("x-batch-id", "hello").post(PEOPLE, json!({ "name": "Grace" })).await.created();
    let change = server.directory_changes("acme").pop().unwrap();
    assert_eq!((&*change.what, &*change.batch, &*change.via), ("create person grace", "hello", "rest"));
    assert_eq!((change.actor, &*change.credential), (Some(1), "token:1"));
    let kinds = server.sql(|conn| {
        let sql = "SELECT kind || ' ' || details FROM audit ORDER BY id DESC LIMIT 1";
        conn.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap()
    });
    assert_eq!(kinds, r#"person.create {"changes":{"person.create":{"count":1,"ids":["grace"]}}}"#);
}
