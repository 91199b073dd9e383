//! Every user who joins an organization is a person in it.

use planroom::domain::values::OrgRole;
use planroom::operator::{AdminOperation, OrgOperation};
use serde_json::{Value, json};

use super::PEOPLE;
use crate::support::{PASSWORD, TestClient, TestServer};

/// The people of the client's organization: ID, name, email address, user.
async fn people(client: &TestClient<'_>) -> Vec<(String, String, Value, Value)> {
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let rows = client.all(PEOPLE, "people").await;
    rows.iter().map(|row| (word(&row["id"]), word(&row["name"]), row["email"].clone(), row["userId"].clone())).collect()
}

fn person(id: &str, name: &str, email: Value, user: Value) -> (String, String, Value, Value) {
    (id.into(), name.into(), email, user)
}

/// Creates an invitation to the client's organization. Returns its secret.
async fn invite(client: &TestClient<'_>, what: Value) -> String {
    let org = client.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    let made = client.post(&format!("/api/orgs/{org}/invitations"), what).await.created();
    made["token"].as_str().unwrap().to_owned()
}

/// Accepts an invitation as a new user.
async fn accept_as_new_user<'s>(server: &'s TestServer, invitation: &str, login: &str, name: &str) -> TestClient<'s> {
    let path = format!("/api/auth/invitations/{invitation}");
    let new = json!({ "login": login, "displayName": name, "password": PASSWORD });
    let reply = server.anonymous().post(&path, new).await.ok();
    server.with(reply["token"].as_str().unwrap())
}

async fn add(server: &TestServer, org: &str, login: &str) {
    let add = OrgOperation::AddMember { org: org.into(), login: login.into(), role: OrgRole::Member };
    AdminOperation::Orgs(add).perform(&server.app).await.unwrap();
}

#[tokio::test]
async fn a_user_who_joins_in_any_way_becomes_a_person() {
    let server = TestServer::empty(|_| {});
    let token = server.app.offer_setup().await.unwrap().unwrap();
    let first = json!({ "token": token, "login": "eve", "displayName": "Eve Adams", "password": PASSWORD,
                        "organization": "Acme" });
    let begun = server.anonymous().post("/api/auth/setup", first).await.ok();
    let eve = server.with(begun["token"].as_str().unwrap());
    assert_eq!(people(&eve).await, [person("eve-adams", "Eve Adams", Value::Null, json!(1))], "by the set-up");

    server.seed_admin("ada", "acme").await;
    assert_eq!(people(&eve).await[1], person("ada", "ada", Value::Null, json!(2)), "at the command line");

    let grace = accept_as_new_user(&server, &invite(&eve, json!({ "email": "g@x" })).await, "grace", "Grace").await;
    assert_eq!(people(&grace).await[2], person("grace", "Grace", json!("g@x"), json!(3)), "by an invitation");

    let founded = grace.post("/api/orgs", json!({ "name": "Mine" })).await;
    founded.expect_error(403, "administrators");
    let founded = eve.post("/api/orgs", json!({ "name": "Second" })).await.created()["organization"]["id"].clone();
    let second = eve.post("/api/auth/organization", json!({ "orgId": founded })).await.ok();
    let second = server.with(second["token"].as_str().unwrap());
    assert_eq!(people(&second).await, [person("eve-adams", "Eve Adams", Value::Null, json!(1))], "by founding");

    let link = invite(&second, json!({})).await;
    grace.post(&format!("/api/auth/invitations/{link}"), json!({})).await.ok();
    assert_eq!(people(&second).await[1], person("grace", "Grace", json!("g@x"), json!(3)), "as oneself");

    add(&server, "second", "ada").await;
    assert_eq!(people(&second).await[2], person("ada", "ada", Value::Null, json!(2)), "by the operator");

    server.anonymous().post("/api/waitlist", json!({ "email": "w@x" })).await.created();
    let link = second.post("/api/admin/waitlist/1/invite", json!({})).await.created()["token"].clone();
    accept_as_new_user(&server, link.as_str().unwrap(), "wanda", "Wanda").await;
    assert_eq!(people(&second).await[3].1, "Wanda", "from the waitlist");

    let account = json!({ "login": "ann", "displayName": "Ann", "email": "ann@x" });
    eve.post("/api/admin/users", account).await.created();
    assert_eq!(server.count("SELECT count(*) FROM person WHERE name = 'Ann'"), 0, "an account joins nothing yet");
    add(&server, "acme", "ann").await;
    assert_eq!(people(&eve).await.last().unwrap().2, json!("ann@x"));
    let lacking = "SELECT count(*) FROM organization_member m WHERE NOT EXISTS (SELECT 1 FROM person p
                   WHERE p.user_id = m.user_id AND p.organization_id = m.organization_id)";
    assert_eq!(server.count(lacking), 0);
}

#[tokio::test]
async fn the_person_of_a_user_is_known_by_the_user_id() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let me = ada.get("/api/me").await.ok()["id"].clone();
    let own = ada.all(PEOPLE, "people").await[0].clone();
    assert_eq!((&own["userId"], &own["clerkUserId"]), (&me, &json!(me.to_string())));
    assert_eq!(own.get("createdBy"), None, "the system made them");
}

#[tokio::test]
async fn an_existing_person_with_the_same_email_address_is_not_reused() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.post(PEOPLE, json!({ "id": "grace", "name": "Grace", "email": "grace@x" })).await.created();
    // The address is unverified: it comes from the waitlist or from the account form.
    server.anonymous().post("/api/waitlist", json!({ "email": "Grace@x" })).await.created();
    let link = ada.post("/api/admin/waitlist/1/invite", json!({})).await.created()["token"].clone();
    accept_as_new_user(&server, link.as_str().unwrap(), "mallory", "Grace").await;
    let account = json!({ "login": "trudy", "displayName": "Grace", "email": "grace@x" });
    ada.post("/api/admin/users", account).await.created();
    add(&server, "acme", "trudy").await;
    let all = people(&ada).await;
    assert_eq!(all[1], person("grace", "Grace", json!("grace@x"), Value::Null), "she is nobody's account");
    assert_eq!((&*all[2].0, &*all[3].0, all.len()), ("grace-2", "grace-3", 4));
}

#[tokio::test]
async fn a_user_who_leaves_remains_a_person_and_is_reused_on_return() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    accept_as_new_user(&server, &invite(&ada, json!({})).await, "grace", "Grace").await;
    let renamed = ada.patch("/api/people/grace", json!({ "name": "Rear Admiral Hopper" })).await.ok()["person"].clone();
    let org = renamed["orgId"].as_str().unwrap().to_owned();
    ada.delete(&format!("/api/orgs/{org}/members/{}", renamed["userId"])).await.ok();
    assert_eq!(ada.get("/api/people/grace").await.ok()["person"], renamed);
    add(&server, "acme", "grace").await;
    assert_eq!(ada.all(PEOPLE, "people").await, [ada.get("/api/people/ada").await.ok()["person"].clone(), renamed]);
    // If the person was deleted, a new one is created.
    let grace = server.sign_in("grace").await;
    ada.delete("/api/people/grace").await.ok();
    grace.get("/api/me").await.ok();
    ada.delete(&format!("/api/orgs/{org}/members/2")).await.ok();
    add(&server, "acme", "grace").await;
    assert_eq!(people(&ada).await[1], person("grace", "Grace", Value::Null, json!(2)));
}

#[tokio::test]
async fn a_failed_join_creates_no_person() {
    let server = TestServer::new().await;
    let before = server.log_sizes();
    let add = OrgOperation::AddMember { org: "acme".into(), login: "ada".into(), role: OrgRole::Member };
    AdminOperation::Orgs(add).perform(&server.app).await.unwrap_err();
    server.seed_member("bob", "acme", "org:member");
    let ada = server.sign_in("ada").await;
    let link = invite(&ada, json!({})).await;
    let taken = json!({ "login": "bob", "displayName": "Second Bob", "password": PASSWORD });
    server.anonymous().post(&format!("/api/auth/invitations/{link}"), taken).await.expect_error(409, "`bob`");
    assert_eq!(server.log_sizes().0, before.0);
}

/// The state before there were directories: organizations and members only.
#[tokio::test]
async fn members_of_an_older_database_become_people_at_the_first_start() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    server.seed_org("other", "otto");
    server.sql(|conn| {
        conn.execute_batch(
            "DELETE FROM person; DELETE FROM role; DELETE FROM change;
             UPDATE organization SET directory_revision = 0;
             UPDATE user SET email = 'bob@x' WHERE login = 'bob';",
        )
        .unwrap();
    });
    let server = server.restart();
    let (ada, otto) = (server.sign_in("ada").await, server.sign_in("otto").await);
    let expected = [person("bob", "bob", json!("bob@x"), json!(2)), person("ada", "ada", Value::Null, json!(1))];
    assert_eq!(people(&ada).await, expected);
    assert_eq!(people(&otto).await.len(), 1);
    assert_eq!(otto.all(super::ROLES, "types").await.len(), 3);
    assert_eq!(server.directory_revision("acme"), 1);
    assert!(server.directory_changes("acme").iter().all(|change| change.via == "job" && change.revision == 1));
    assert_eq!((server.directory_changes("acme").len(), server.directory_changes("other").len()), (5, 4));
    // This happens once: deleted people are not created again.
    ada.delete("/api/people/bob").await.ok();
    let before = server.log_sizes();
    let server = server.restart();
    assert_eq!(server.log_sizes(), before, "a start like any other writes nothing");
}
