//! People.

use serde_json::{Value, json};

use super::PEOPLE;
use crate::support::{Actor, Stage, ids};

#[tokio::test]
async fn a_person_has_all_that_was_said_of_them_and_no_more() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
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
async fn a_change_leaves_the_rest_and_an_empty_text_takes_away() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
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
async fn who_a_persons_user_is_the_server_says_alone() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
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
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    ada.know(&["grace"]).await;
    assert_eq!(ada.get("/api/people/grace").await.ok()["teams"], json!([]));
    for (team, role) in [("z", "lead"), ("a", "member")] {
        ada.post("/api/teams", json!({ "id": team, "name": format!("Team {team}") })).await.created();
        ada.post(&format!("/api/teams/{team}/members"), json!({ "personId": "grace", "role": role })).await.created();
    }
    let at = stage.clock.now();
    let expected = json!([{ "id": "z", "name": "Team z", "role": "lead", "addedAt": at },
                          { "id": "a", "name": "Team a", "role": "member", "addedAt": at }]);
    assert_eq!(ada.get("/api/people/grace").await.ok()["teams"], expected);
}

#[tokio::test]
async fn a_person_who_is_deleted_leaves_their_teams() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    ada.know(&["grace", "alan"]).await;
    ada.post("/api/teams", json!({ "id": "t", "name": "T" })).await.created();
    for person in ["grace", "alan"] {
        ada.post("/api/teams/t/members", json!({ "personId": person })).await.created();
    }
    ada.header("x-batch-id", "goodbye").delete("/api/people/grace").await.ok();
    let members = ada.get("/api/teams/t/members").await.ok();
    assert_eq!(members["members"].as_array().unwrap().len(), 1);
    assert_eq!(stage.gesture("goodbye"), [r#"delete team-member ["t","grace"]"#, "delete person grace"]);
}

#[tokio::test]
async fn a_mistyped_force_deletes_nothing() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    ada.know(&["grace"]).await;
    let refused = async |actor: &Actor<'_>, query: &str| {
        actor.delete(&format!("/api/people/grace?{query}")).await.refused(400, "the query is not usable");
    };
    for query in ["Force=true", "force", "force=1", "force=yes", "force=true&force=true", "dryRun=true"] {
        refused(&ada, query).await;
    }
    ada.delete("/api/people/grace?force=false").await.ok();
}
