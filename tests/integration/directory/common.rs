//! Common behavior of people, teams and roles.

use serde_json::{Value, json};

use super::{PEOPLE, ROLES, TEAMS, kinds};
use crate::support::{TestServer, ids, segment};

#[tokio::test]
async fn each_kind_is_created_read_updated_and_deleted() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    for (path, list, one, new) in kinds() {
        let created = ada.post(path, new.clone()).await.created();
        let row = &created[one];
        assert_eq!((&row["id"], &row["name"]), (&json!("grace-hopper"), &json!("Grace Hopper")), "{path}");
        assert_eq!((&row["createdBy"], &row["updatedBy"]), (&json!(1), &json!(1)), "{path}");
        assert_eq!(row["createdAt"], server.clock.now(), "{path}: milliseconds");
        assert_eq!(row["revision"], server.directory_revision("acme"), "{path}");
        assert_eq!(ada.all(path, list).await.last().unwrap(), row);
        let at = format!("{path}/grace-hopper");
        let changed = ada.patch(&at, json!({ "name": "Grace" })).await.ok();
        assert_eq!(changed[one]["name"], "Grace");
        assert_eq!(changed[one]["revision"], row["revision"].as_i64().unwrap() + 1);
        if path != ROLES {
            assert_eq!(ada.get(&at).await.ok()[one], changed[one]);
        }
        assert_eq!(ada.delete(&at).await.ok(), json!({ "ok": true }));
        for gone in [ada.delete(&at).await, ada.patch(&at, json!({ "name": "G" })).await] {
            gone.expect_error(404, "not found");
        }
        assert!(!ids(&ada.all(path, list).await.into()).contains(&"grace-hopper"));
    }
}

#[tokio::test]
async fn an_id_is_unique_in_its_organization() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.post("/api/orgs", json!({ "name": "Other" })).await.created();
    let other = server.count("SELECT count(*) FROM role") / 3;
    assert_eq!(other, 2);
    let org: String = server
        .sql(|conn| conn.query_row("SELECT id FROM organization WHERE slug = 'other'", [], |row| row.get(0)).unwrap());
    let there = ada.post("/api/auth/organization", json!({ "orgId": org })).await.ok();
    let there = server.with(there["token"].as_str().unwrap());
    for (path, _, one, mut new) in kinds() {
        new["id"] = "payments".into();
        ada.post(path, new.clone()).await.created();
        ada.post(path, new.clone()).await.expect_error(409, &format!("a {} with the id `payments` exists", role(one)));
        assert_eq!(there.post(path, new.clone()).await.created()[one]["orgId"], *org);
        let before = there.get(path).await.ok();
        ada.patch(&format!("{path}/payments"), json!({ "name": "Ours" })).await.ok();
        ada.delete(&format!("{path}/payments")).await.ok();
        assert_eq!(there.get(path).await.ok(), before, "{path}");
    }
}

/// The API calls a role a type.
fn role(one: &str) -> &str {
    if one == "type" { "role" } else { one }
}

#[tokio::test]
async fn a_missing_id_is_generated_from_the_name_and_unique() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    for (path, _, one, new) in kinds() {
        for expected in ["grace-hopper", "grace-hopper-2", "grace-hopper-3"] {
            assert_eq!(ada.post(path, new.clone()).await.created()[one]["id"], expected);
        }
        let mut named = new.clone();
        named["name"] = "漢字".into();
        named["id"] = Value::Null;
        let id = ada.post(path, named.clone()).await.created()[one]["id"].clone();
        assert_eq!(id, if path == ROLES { "role" } else { "漢字" });
        named["name"] = "a ".repeat(100).trim().into();
        for _ in 0..3 {
            let id = ada.post(path, named.clone()).await.created()[one]["id"].as_str().unwrap().to_owned();
            ada.patch(&format!("{path}/{id}"), json!({ "id": id })).await.ok();
        }
    }
}

#[tokio::test]
async fn people_and_teams_accept_any_id_and_roles_only_slugs() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    for id in ["libstdc++6", "team/api", "100%", "a b", "漢字", "...", "?", "#", &"x".repeat(128)] {
        for (path, _, one, mut new) in kinds() {
            new["id"] = id.into();
            if path == ROLES {
                ada.post(path, new).await.expect_error(400, "id: must");
                continue;
            }
            assert_eq!(ada.post(path, new).await.created()[one]["id"], id);
            let at = format!("{path}/{}", segment(id));
            assert_eq!(ada.get(&at).await.ok()[one]["id"], id);
            ada.patch(&at, json!({ "id": id, "name": "N" })).await.ok();
        }
        let member = json!({ "personId": id });
        let members = format!("{TEAMS}/{}/members", segment(id));
        assert_eq!(ada.post(&members, member).await.created()["member"]["person"]["id"], id);
        let at = format!("{members}/{}", segment(id));
        ada.patch(&at, json!({ "role": "lead" })).await.ok();
        ada.delete(&at).await.ok();
        for path in [PEOPLE, TEAMS] {
            ada.delete(&format!("{path}/{}", segment(id))).await.ok();
        }
    }
    for id in ["", ".", "..", " a", "a ", "a\nb", &"x".repeat(129)] {
        for (path, _, _, mut new) in kinds() {
            new["id"] = id.into();
            ada.post(path, new).await.expect_error(400, "id: must");
        }
    }
}

#[tokio::test]
async fn an_entry_can_be_sent_back_but_its_identity_cannot_change() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    for (path, list, one, new) in kinds() {
        ada.post(path, new).await.created();
        let before = server.directory_revision("acme");
        let row = ada.all(path, list).await.pop().unwrap();
        let at = format!("{path}/grace-hopper");
        assert_eq!(ada.patch(&at, row.clone()).await.ok()[one], row);
        assert_eq!(server.directory_revision("acme"), before, "what changes nothing is no write");
        ada.patch(&at, json!({ "id": "other" })).await.expect_error(400, "id: cannot change");
        ada.patch(&at, json!({ "orgId": "org_other" })).await.expect_error(400, "orgId: cannot change");
        ada.delete(&at).await.ok();
        let again = ada.post(path, row.clone()).await.created();
        assert_eq!(again[one]["id"], "grace-hopper");
        ada.post(path, json!({ "name": "N", "color": "#112233", "orgId": "org_other" })).await.expect(400);
    }
}

#[tokio::test]
async fn a_stale_update_is_rejected_with_the_current_state() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    for (path, _, one, new) in kinds() {
        let first = ada.post(path, new).await.created()[one]["revision"].clone();
        let at = format!("{path}/grace-hopper");
        let now = ada.patch(&at, json!({ "name": "Now" })).await.ok();
        let late = ada.header("if-match", &format!("\"{first}\""));
        for refusal in [late.patch(&at, json!({ "name": "N" })).await, late.delete(&at).await] {
            let refusal = refusal.expect_error(412, "changed since");
            assert_eq!((&refusal["code"], &refusal["current"]), (&json!("stale"), &now[one]));
            assert_eq!(refusal["changedBy"]["displayName"], "ada");
        }
        let current = ada.header("if-match", &format!("\"{}\"", now[one]["revision"]));
        current.patch(&at, json!({ "name": "Then" })).await.ok();
        ada.header("if-match", "*").delete(&at).await.ok();
    }
}

#[tokio::test]
async fn a_repeated_creation_is_applied_once() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    for (path, list, _, new) in kinds() {
        let before = ada.all(path, list).await.len();
        let retried = ada.header("idempotency-key", path);
        let first = retried.post(path, new.clone()).await.created();
        assert_eq!(retried.post(path, new).await.created(), first);
        assert_eq!(ada.all(path, list).await.len(), before + 1);
    }
}

#[tokio::test]
async fn without_an_active_organization_only_instance_administrators_read_directories() {
    let server = TestServer::new().await;
    server.seed_user("nomad");
    server.seed_user("iris");
    server.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE login = 'iris'", []).unwrap());
    let (ada, nomad, iris) = (server.sign_in("ada").await, server.sign_in("nomad").await, server.sign_in("iris").await);
    for (path, list, _, new) in kinds() {
        assert_eq!(nomad.get(path).await.expect_error(400, "active organization")["code"], "no_active_org");
        assert_eq!(iris.post(path, new).await.expect_error(400, "active organization")["code"], "no_active_org");
        assert_eq!(iris.all(path, list).await, ada.all(path, list).await);
    }
}

#[tokio::test]
async fn an_administrator_must_name_the_organization_of_an_ambiguous_id() {
    let server = TestServer::new().await;
    server.seed_org("other", "otto");
    server.seed_user("iris");
    server.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE login = 'iris'", []).unwrap());
    let (ada, otto, iris) = (server.sign_in("ada").await, server.sign_in("otto").await, server.sign_in("iris").await);
    for (path, list, one) in [(PEOPLE, "people", "person"), (TEAMS, "teams", "team")] {
        for (client, ids) in [(&ada, ["same", "ours"]), (&otto, ["same", "theirs"])] {
            for id in ids {
                client.post(path, json!({ "id": id, "name": id })).await.created();
            }
        }
        let known = iris.all(path, list).await;
        assert_eq!(known.iter().filter(|row| row["id"] == "same").count(), 2);
        assert_eq!(iris.get(&format!("{path}/theirs")).await.ok()[one]["orgId"], "org_other");
        let refusal = iris.get(&format!("{path}/same")).await.expect_error(400, "several organizations have a");
        assert_eq!((&refusal["field"], &refusal["code"]), (&json!("orgId"), &Value::Null));
        let theirs = iris.get(&format!("{path}/same?orgId=org_other")).await.ok();
        assert_eq!(theirs[one]["orgId"], "org_other");
        iris.get(&format!("{path}/ours?orgId=org_other")).await.expect_error(404, "not found");
        // For all other users the parameter has no effect.
        ada.get(&format!("{path}/same?orgId=org_other")).await.expect_error(404, "not found");
        ada.get(&format!("{path}/theirs?orgId=org_other")).await.expect_error(404, "not found");
    }
    assert_eq!(iris.get("/api/teams/same/members?orgId=org_other").await.ok(), json!({ "members": [] }));
}
