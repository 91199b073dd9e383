//! Every write in a directory moves its revision and is in the log, from which the directory can be rebuilt.

use serde_json::{Value, json};

use super::{PEOPLE, ROLES, TEAMS};
use crate::{
    properties::log::replay_directory,
    support::{Actor, Stage},
};

async fn read(actor: &Actor<'_>) -> [Vec<Value>; 3] {
    [actor.all(PEOPLE, "people").await, actor.all(TEAMS, "teams").await, actor.all(ROLES, "types").await]
}

#[tokio::test]
async fn the_log_replayed_gives_the_directory() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    ada.know(&["grace", "alan", "gone"]).await;
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

    let replayed = replay_directory(&stage, "acme");
    let [people, teams, roles] = read(&ada).await;
    assert_eq!((&replayed["person"], &replayed["team"], &replayed["role"]), (&people, &teams, &roles));
    let members = &replayed["team-member"];
    assert_eq!((members.len(), &members[0]["personId"], &members[0]["role"]), (1, &json!("grace"), &json!("lead")));
}

#[tokio::test]
async fn every_write_moves_the_revision_by_one_and_what_is_refused_or_changes_nothing_by_none() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let start = stage.directory_revision("acme");
    ada.know(&["grace"]).await;
    ada.patch("/api/people/grace", json!({ "name": "grace", "email": null })).await.ok();
    ada.post(PEOPLE, json!({ "id": "grace", "name": "G" })).await.refused(409, "`grace`");
    ada.patch("/api/people/none", json!({ "name": "N" })).await.refused(404, "person");
    ada.get("/api/people/grace").await.ok();
    ada.get(PEOPLE).await.ok();
    assert_eq!(stage.directory_revision("acme"), start + 1);
    ada.post(TEAMS, json!({ "id": "t", "name": "T" })).await.created();
    ada.post("/api/teams/t/members", json!({ "personId": "grace" })).await.created();
    ada.delete("/api/people/grace").await.ok();
    assert_eq!(stage.directory_revision("acme"), start + 4, "two rows went in one step");
}

#[tokio::test]
async fn a_write_is_noted_with_who_did_it_and_how() {
    let stage = Stage::new().await;
    let script = stage.script_of("ada").await;
    script.header("x-batch-id", "hello").post(PEOPLE, json!({ "name": "Grace" })).await.created();
    let change = stage.directory_changes("acme").pop().unwrap();
    assert_eq!((&*change.what, &*change.batch, &*change.via), ("create person grace", "hello", "rest"));
    assert_eq!((change.actor, &*change.credential), (Some(1), "token:1"));
    let kinds = stage.sql(|conn| {
        let sql = "SELECT kind || ' ' || details FROM audit ORDER BY id DESC LIMIT 1";
        conn.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap()
    });
    assert_eq!(kinds, r#"person.create {"changes":{"person.create":{"count":1,"ids":["grace"]}}}"#);
}
