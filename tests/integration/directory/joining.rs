//! Every user who joins an organization is a person in it.

use planroom::domain::values::OrgRole;
use planroom::operator::{Operation, OrgOperation};
use serde_json::{Value, json};

use super::PEOPLE;
use crate::support::{Actor, PASSWORD, Stage};

/// The people of the actor's organization: id, name, e-mail address, user.
async fn people(actor: &Actor<'_>) -> Vec<(String, String, Value, Value)> {
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let rows = actor.all(PEOPLE, "people").await;
    rows.iter().map(|row| (word(&row["id"]), word(&row["name"]), row["email"].clone(), row["userId"].clone())).collect()
}

fn person(id: &str, name: &str, email: Value, user: Value) -> (String, String, Value, Value) {
    (id.into(), name.into(), email, user)
}

/// An invitation into the actor's organization; answers with its secret.
async fn invite(actor: &Actor<'_>, what: Value) -> String {
    let org = actor.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    let made = actor.post(&format!("/api/orgs/{org}/invitations"), what).await.created();
    made["token"].as_str().unwrap().to_owned()
}

/// Takes up an invitation as somebody new.
async fn arrive<'s>(stage: &'s Stage, invitation: &str, login: &str, name: &str) -> Actor<'s> {
    let path = format!("/api/auth/invitations/{invitation}");
    let new = json!({ "login": login, "displayName": name, "password": PASSWORD });
    let reply = stage.anonymous().post(&path, new).await.ok();
    stage.with(reply["token"].as_str().unwrap())
}

async fn add(stage: &Stage, org: &str, login: &str) {
    let add = OrgOperation::AddMember { org: org.into(), login: login.into(), role: OrgRole::Member };
    Operation::Orgs(add).perform(&stage.app).await.unwrap();
}

#[tokio::test]
async fn whichever_way_one_joins_one_is_a_person_there() {
    let stage = Stage::empty(|_| {});
    let token = stage.app.offer_setup().await.unwrap().unwrap();
    let first = json!({ "token": token, "login": "eve", "displayName": "Eve Adams", "password": PASSWORD,
                        "organization": "Acme" });
    let begun = stage.anonymous().post("/api/auth/setup", first).await.ok();
    let eve = stage.with(begun["token"].as_str().unwrap());
    assert_eq!(people(&eve).await, [person("eve-adams", "Eve Adams", Value::Null, json!(1))], "by the set-up");

    stage.seed_admin("ada", "acme").await;
    assert_eq!(people(&eve).await[1], person("ada", "ada", Value::Null, json!(2)), "at the command line");

    let grace = arrive(&stage, &invite(&eve, json!({ "email": "g@x" })).await, "grace", "Grace").await;
    assert_eq!(people(&grace).await[2], person("grace", "Grace", json!("g@x"), json!(3)), "by an invitation");

    let founded = grace.post("/api/orgs", json!({ "name": "Mine" })).await;
    founded.refused(403, "administrators");
    let founded = eve.post("/api/orgs", json!({ "name": "Second" })).await.created()["organization"]["id"].clone();
    let second = eve.post("/api/auth/organization", json!({ "orgId": founded })).await.ok();
    let second = stage.with(second["token"].as_str().unwrap());
    assert_eq!(people(&second).await, [person("eve-adams", "Eve Adams", Value::Null, json!(1))], "by founding");

    let link = invite(&second, json!({})).await;
    grace.post(&format!("/api/auth/invitations/{link}"), json!({})).await.ok();
    assert_eq!(people(&second).await[1], person("grace", "Grace", json!("g@x"), json!(3)), "as oneself");

    add(&stage, "second", "ada").await;
    assert_eq!(people(&second).await[2], person("ada", "ada", Value::Null, json!(2)), "by the operator");

    stage.anonymous().post("/api/waitlist", json!({ "email": "w@x" })).await.created();
    let link = second.post("/api/admin/waitlist/1/invite", json!({})).await.created()["token"].clone();
    arrive(&stage, link.as_str().unwrap(), "wanda", "Wanda").await;
    assert_eq!(people(&second).await[3].1, "Wanda", "from the waitlist");

    let account = json!({ "login": "ann", "displayName": "Ann", "email": "ann@x" });
    eve.post("/api/admin/users", account).await.created();
    assert_eq!(stage.count("SELECT count(*) FROM person WHERE name = 'Ann'"), 0, "an account joins nothing yet");
    add(&stage, "acme", "ann").await;
    assert_eq!(people(&eve).await.last().unwrap().2, json!("ann@x"));
    let lacking = "SELECT count(*) FROM organization_member m WHERE NOT EXISTS (SELECT 1 FROM person p
                   WHERE p.user_id = m.user_id AND p.organization_id = m.organization_id)";
    assert_eq!(stage.count(lacking), 0);
}

#[tokio::test]
async fn what_the_server_made_of_a_user_is_known_by_their_id() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    let me = ada.get("/api/me").await.ok()["id"].clone();
    let own = ada.all(PEOPLE, "people").await[0].clone();
    assert_eq!((&own["userId"], &own["clerkUserId"]), (&me, &json!(me.to_string())));
    assert_eq!(own.get("createdBy"), None, "the system made them");
}

#[tokio::test]
async fn a_figure_with_ones_address_is_not_taken_over() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    ada.post(PEOPLE, json!({ "id": "grace", "name": "Grace", "email": "grace@x" })).await.created();
    // Nobody has shown that the address is theirs: not one from the waitlist, not one that an account came with.
    stage.anonymous().post("/api/waitlist", json!({ "email": "Grace@x" })).await.created();
    let link = ada.post("/api/admin/waitlist/1/invite", json!({})).await.created()["token"].clone();
    arrive(&stage, link.as_str().unwrap(), "mallory", "Grace").await;
    let account = json!({ "login": "trudy", "displayName": "Grace", "email": "grace@x" });
    ada.post("/api/admin/users", account).await.created();
    add(&stage, "acme", "trudy").await;
    let all = people(&ada).await;
    assert_eq!(all[1], person("grace", "Grace", json!("grace@x"), Value::Null), "she is nobody's account");
    assert_eq!((&*all[2].0, &*all[3].0, all.len()), ("grace-2", "grace-3", 4));
}

#[tokio::test]
async fn who_leaves_stays_on_the_maps_and_is_found_again() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    arrive(&stage, &invite(&ada, json!({})).await, "grace", "Grace").await;
    let renamed = ada.patch("/api/people/grace", json!({ "name": "Rear Admiral Hopper" })).await.ok()["person"].clone();
    let org = renamed["orgId"].as_str().unwrap().to_owned();
    ada.delete(&format!("/api/orgs/{org}/members/{}", renamed["userId"])).await.ok();
    assert_eq!(ada.get("/api/people/grace").await.ok()["person"], renamed);
    add(&stage, "acme", "grace").await;
    assert_eq!(ada.all(PEOPLE, "people").await, [ada.get("/api/people/ada").await.ok()["person"].clone(), renamed]);
    // Unless somebody took them off: then they are somebody new.
    let grace = stage.sign_in("grace").await;
    ada.delete("/api/people/grace").await.ok();
    grace.get("/api/me").await.ok();
    ada.delete(&format!("/api/orgs/{org}/members/2")).await.ok();
    add(&stage, "acme", "grace").await;
    assert_eq!(people(&ada).await[1], person("grace", "Grace", Value::Null, json!(2)));
}

#[tokio::test]
async fn a_joining_that_fails_leaves_no_person_behind() {
    let stage = Stage::new().await;
    let before = stage.written();
    let add = OrgOperation::AddMember { org: "acme".into(), login: "ada".into(), role: OrgRole::Member };
    Operation::Orgs(add).perform(&stage.app).await.unwrap_err();
    stage.seed_member("bob", "acme", "org:member");
    let ada = stage.sign_in("ada").await;
    let link = invite(&ada, json!({})).await;
    let taken = json!({ "login": "bob", "displayName": "Second Bob", "password": PASSWORD });
    stage.anonymous().post(&format!("/api/auth/invitations/{link}"), taken).await.refused(409, "`bob`");
    assert_eq!(stage.written().0, before.0);
}

/// As it was before there were directories: organizations, members, and nothing else.
#[tokio::test]
async fn the_members_of_an_older_database_become_people_at_its_first_start() {
    let stage = Stage::new().await;
    stage.seed_member("bob", "acme", "org:member");
    stage.seed_org("other", "otto");
    stage.sql(|conn| {
        conn.execute_batch(
            "DELETE FROM person; DELETE FROM role; DELETE FROM change;
             UPDATE organization SET directory_revision = 0;
             UPDATE user SET email = 'bob@x' WHERE login = 'bob';",
        )
        .unwrap();
    });
    let stage = stage.restart();
    let (ada, otto) = (stage.sign_in("ada").await, stage.sign_in("otto").await);
    let expected = [person("bob", "bob", json!("bob@x"), json!(2)), person("ada", "ada", Value::Null, json!(1))];
    assert_eq!(people(&ada).await, expected);
    assert_eq!(people(&otto).await.len(), 1);
    assert_eq!(otto.all(super::ROLES, "types").await.len(), 3);
    assert_eq!(stage.directory_revision("acme"), 1);
    assert!(stage.directory_changes("acme").iter().all(|change| change.via == "job" && change.revision == 1));
    assert_eq!((stage.directory_changes("acme").len(), stage.directory_changes("other").len()), (5, 4));
    // It is done once: what somebody deletes stays deleted.
    ada.delete("/api/people/bob").await.ok();
    let before = stage.written();
    let stage = stage.restart();
    assert_eq!(stage.written(), before, "a start like any other writes nothing");
}
