//! People.

use serde_json::{Value, json};

use super::PEOPLE;
use crate::support::{TestClient, TestServer, ids};

#[tokio::test]
async fn a_person_has_exactly_the_fields_that_were_sent() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let grace = json!({
        "id": "grace", "name": " Grace ", "email": "grace@example.org", "photoUrl": "https://example.org/g.jpg?s=1",
        "title": "Rear admiral", "bio": "COBOL\nand bugs", "contact": { "phone": "+1", "chat": ["@grace"] },
        "properties": { "since": 1943 },
    });
    let made = ada.post(PEOPLE, grace.clone()).await.created()["person"].clone();
    for (field, value) in grace.as_object().unwrap() {
        assert_eq!(made[field], if field == "name" { json!("Grace") } else { value.clone() });
    }
    let bare = ada.post(PEOPLE, json!({ "name": "Bare" })).await.created()["person"].clone();
    let fields: Vec<&String> = bare.as_object().unwrap().keys().collect();
    let expected = "id orgId name contact properties revision createdAt createdBy updatedAt updatedBy";
    assert_eq!(fields, expected.split(' ').collect::<Vec<_>>(), "what was never set is left out");
    assert_eq!((&bare["contact"], &bare["properties"]), (&json!({}), &json!({})));
    assert_eq!(ids(&ada.get(PEOPLE).await.ok()["people"]), ["ada", "grace", "bare"], "in order of creation");
}

#[tokio::test]
async fn an_update_keeps_other_fields_and_an_empty_text_removes_one() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let grace = json!({ "id": "grace", "name": "Grace", "email": "g@x", "photoUrl": "http://x", "title": "T", "bio": "B",
                        "contact": { "a": 1 }, "properties": { "b": 2 } });
    let made = ada.post(PEOPLE, grace).await.created()["person"].clone();
    let change = async |change: Value| ada.patch("/api/people/grace", change).await.ok()["person"].clone();
    let nulls = json!({ "name": null, "email": null, "photoUrl": null, "title": null, "bio": null, "contact": null });
    assert_eq!(change(nulls).await, made, "null is as if it were not there");
    let emptied = change(json!({ "email": "", "photoUrl": "", "title": "", "bio": "", "contact": {} })).await;
    for field in ["email", "photoUrl", "title", "bio"] {
        assert_eq!(emptied[field], "", "{field}: an empty text is a value, and comes back");
    }
    assert_eq!((&emptied["contact"], &emptied["properties"]), (&json!({}), &json!({ "b": 2 })));
}

#[tokio::test]
async fn only_the_server_sets_the_user_of_a_person() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let claim = json!({ "name": "Impostor", "userId": 1, "clerkUserId": "1" });
    let made = ada.post(PEOPLE, claim).await.created()["person"].clone();
    assert_eq!((&made["userId"], &made["clerkUserId"]), (&Value::Null, &Value::Null));
    let changed = ada.patch("/api/people/impostor", json!({ "clerkUserId": "1", "userId": 1 })).await.ok();
    assert_eq!(changed["person"], made);
    let own = ada.patch("/api/people/ada", json!({ "userId": null, "clerkUserId": "2" })).await.ok();
    assert_eq!((&own["person"]["userId"], &own["person"]["clerkUserId"]), (&json!(1), &json!("1")));
}

#[tokio::test]
async fn a_person_is_read_with_their_teams() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.create_people(&["grace"]).await;
    assert_eq!(ada.get("/api/people/grace").await.ok()["teams"], json!([]));
    for (team, role) in [("z", "lead"), ("a", "member")] {
        ada.post("/api/teams", json!({ "id": team, "name": format!("Team {team}") })).await.created();
        ada.post(&format!("/api/teams/{team}/members"), json!({ "personId": "grace", "role": role })).await.created();
    }
    let at = server.clock.now();
    let expected = json!([{ "id": "z", "name": "Team z", "role": "lead", "addedAt": at },
                          { "id": "a", "name": "Team a", "role": "member", "addedAt": at }]);
    assert_eq!(ada.get("/api/people/grace").await.ok()["teams"], expected);
}

#[tokio::test]
async fn deleting_a_person_removes_them_from_their_teams() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.create_people(&["grace", "alan"]).await;
    ada.post("/api/teams", json!({ "id": "t", "name": "T" })).await.created();
    for person in ["grace", "alan"] {
        ada.post("/api/teams/t/members", json!({ "personId": person })).await.created();
    }
    ada.header("x-batch-id", "goodbye").delete("/api/people/grace").await.ok();
    let members = ada.get("/api/teams/t/members").await.ok();
    assert_eq!(members["members"].as_array().unwrap().len(), 1);
    assert_eq!(server.changes_of("goodbye"), [r#"delete team-member ["t","grace"]"#, "delete person grace"]);
}

#[tokio::test]
async fn an_invalid_force_parameter_deletes_nothing() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.create_people(&["grace"]).await;
    let refused = async |client: &TestClient<'_>, query: &str| {
        client.delete(&format!("/api/people/grace?{query}")).await.expect_error(400, "invalid query");
    };
    for query in ["Force=true", "force", "force=1", "force=yes", "force=true&force=true", "dryRun=true"] {
        refused(&ada, query).await;
    }
    ada.delete("/api/people/grace?force=false").await.ok();
}
