//! The operator erases a user: nothing that identifies or signs in the user remains.

use planroom::domain::{
    accounts::erasure,
    core::{SystemTx, Via},
    organizations::members,
    values::OrgRole,
};
use serde_json::json;

use super::deliver;
use crate::support::{PASSWORD, TestServer, mail::MailHost};

async fn erase(server: &TestServer, login: &str) -> Result<String, String> {
    let login = login.to_owned();
    let erased = server.app.gate.system(Via::Cli, move |tx| erasure::erase(tx, &login)).await;
    erased.map_err(|error| error.to_string())
}

/// The tables and columns of the database that contain this text, in any case of the letters.
fn places_of(server: &TestServer, text: &str) -> Vec<String> {
    server.sql(|conn| {
        let sql = "SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'
                   AND m.sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY 1, 2";
        let mut statement = conn.prepare(sql).unwrap();
        let columns = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        let columns: Vec<(String, String)> = columns.collect::<Result<_, _>>().unwrap();
        let holds = |(table, column): &(String, String)| {
            let sql = format!("SELECT EXISTS (SELECT 1 FROM \"{table}\" WHERE instr(lower(\"{column}\"), ?))");
            conn.query_row(&sql, [text.to_lowercase()], |row| row.get(0)).unwrap()
        };
        columns.into_iter().filter(holds).map(|(table, column)| format!("{table}.{column}")).collect()
    })
}

/// A server with `xavier`, who has everything that a user can have.
async fn with_xavier(host: &MailHost) -> (TestServer, i64) {
    let server = host.planroom().await;
    let id = server.seed_user("xavier");
    let join = |tx: &mut SystemTx<'_>| members::add(tx, "acme", "xavier", OrgRole::Member);
    server.app.gate.system(Via::Cli, join).await.unwrap();
    let ada = server.sign_in("ada").await;
    ada.patch(&format!("/api/admin/users/{id}"), json!({ "email": "xavier@example.org" })).await.ok();
    let xavier = server.sign_in("xavier").await;
    let names = json!({ "displayName": "Xavier Quillfeather", "avatarUrl": "https://example.org/quillfeather.png" });
    xavier.patch("/api/auth/me", names).await.ok();
    xavier.post("/api/me/tokens", json!({ "name": "quillfeather's script" })).await.created();
    xavier.create_workspace("own").await;
    ada.create_workspace("w").await;
    let people = ada.get("/api/people").await.ok()["people"].clone();
    let person = people.as_array().unwrap().iter().find(|person| person["userId"] == id).unwrap()["id"].clone();
    let details = json!({ "name": "Xavier Quillfeather", "email": "xavier@example.org", "bio": "Quillfeather since 1990",
                          "contact": { "phone": "quillfeather" } });
    ada.patch(&format!("/api/people/{}", person.as_str().unwrap()), details).await.ok();
    server.anonymous().post("/api/waitlist", json!({ "email": "Xavier@example.org" })).await.created();
    let org = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    ada.post(&format!("/api/orgs/{org}/invitations"), json!({ "email": "xavier@example.org" })).await.created();
    server.anonymous().post("/api/auth/password-resets", json!({ "email": "xavier@example.org" })).await.ok();
    deliver(&server, host).await;
    server.sql(|conn| {
        let sql = "INSERT INTO user_second_factor (user_id, secret, confirmed_at) VALUES (?, x'00', 1)";
        conn.execute(sql, [id]).unwrap();
        let sql = "INSERT INTO user_identity (issuer, subject, user_id, created_at) VALUES ('https://id', 'quillfeather', ?, 1)";
        conn.execute(sql, [id]).unwrap();
        conn.execute("UPDATE audit SET address = '192.0.2.77' WHERE actor_id = ?", [id]).unwrap();
        let sql = "INSERT INTO audit (ts, kind, actor_id, details) VALUES (1, 'user.link', ?1,
                       json_object('userId', ?1, 'login', 'xavier', 'subject', 'quillfeather'))";
        conn.execute(sql, [id]).unwrap();
    });
    (server, id)
}

#[tokio::test]
async fn nothing_that_identifies_the_user_remains() {
    let host = MailHost::start().await;
    let (server, id) = with_xavier(&host).await;
    for text in ["quillfeather", "xavier@example.org", "192.0.2.77"] {
        assert!(!places_of(&server, text).is_empty(), "the test looks for {text}");
    }
    assert_eq!(erase(&server, "XAVIER").await.unwrap(), format!("Erased user {id}"));
    for text in ["quillfeather", "xavier@example.org", "192.0.2.77"] {
        assert_eq!(places_of(&server, text), Vec::<String>::new(), "{text}");
    }
    // The id of the person is part of the maps, and the seeded workspace has a name of its own.
    let remaining = places_of(&server, "xavier");
    let ids = ["change.entity_id", "change.before", "change.after", "person.id", "audit.details"];
    assert!(remaining.iter().all(|place| ids.contains(&place.as_str())), "{remaining:?}");
    for table in
        ["session", "api_token", "user_second_factor", "user_identity", "password_reset", "organization_member"]
    {
        assert_eq!(server.count(&format!("SELECT count(*) FROM {table} WHERE user_id = {id}")), 0, "{table}");
    }
    server.sql(|conn| conn.execute_batch("PRAGMA foreign_key_check").unwrap());
}

#[tokio::test]
async fn the_file_of_the_database_does_not_contain_the_deleted_data() {
    let host = MailHost::start().await;
    let (server, _) = with_xavier(&host).await;
    let file = || {
        server.sql(|conn| {
            let busy: i64 = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).unwrap();
            assert_eq!(busy, 0, "the write-ahead log is in use");
            std::fs::read(conn.path().unwrap()).unwrap().to_ascii_lowercase()
        })
    };
    let contains = |bytes: &[u8], text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    let texts = ["xavier@example.org", "quillfeather since 1990", "quillfeather's script", "192.0.2.77"];
    let before = file();
    assert!(texts.iter().all(|text| contains(&before, text)));
    erase(&server, "xavier").await.unwrap();
    let after = file();
    let remaining: Vec<_> = texts.iter().filter(|text| contains(&after, text)).collect();
    assert!(remaining.is_empty(), "{remaining:?}");
}

#[tokio::test]
async fn what_the_user_did_remains_readable_and_belongs_to_the_organization() {
    let host = MailHost::start().await;
    let (server, id) = with_xavier(&host).await;
    server.sql(|conn| conn.execute("DELETE FROM user_second_factor", []).unwrap());
    let xavier = server.sign_in("xavier").await;
    let name = erase(&server, "xavier").await.unwrap();
    xavier.get("/api/me").await.expect(403);
    let body = json!({ "login": "xavier", "password": PASSWORD });
    assert_eq!(server.anonymous().post("/api/auth/login", body).await.status.as_u16(), 401);
    let ada = server.sign_in("ada").await;
    let users = ada.get("/api/admin/users").await.ok()["users"].clone();
    let user = users.as_array().unwrap().iter().find(|user| user["id"] == id).unwrap();
    assert_eq!(
        (&user["login"], &user["displayName"], &user["isSuspended"]),
        (&json!(format!("erased-{id}")), &json!(name), &json!(true))
    );
    let people = ada.get("/api/people").await.ok()["people"].clone();
    let person = people.as_array().unwrap().iter().find(|person| person["userId"] == id).unwrap();
    assert_eq!((&person["name"], &person["contact"]), (&json!(name), &json!({})));
    let history = ada.get("/api/workspaces/own/history").await.ok();
    assert!(history.to_string().contains(&name), "{history}");
    let members = ada.get("/api/workspaces/own/members").await.ok()["members"].clone();
    assert!(!members.to_string().contains(&name), "the workspace has another owner: {members}");
    let events = ada.get("/api/admin/audit?limit=1000").await.ok()["events"].clone();
    let erased = events.as_array().unwrap().iter().find(|event| event["kind"] == "user.erase").unwrap().clone();
    assert_eq!((&erased["actorId"], &erased["details"]["userId"]), (&json!(null), &json!(id)));
    assert!(events.to_string().contains(&name), "events of the user show the new name");
}

#[tokio::test]
async fn the_last_administrator_and_the_last_admin_of_an_organization_remain() {
    let host = MailHost::start().await;
    let server = host.planroom().await;
    let last = erase(&server, "ada").await.unwrap_err();
    assert!(last.contains("`ada` is the last active administrator of the instance; make another user"), "{last}");
    let bob = server.seed_member("bob", "acme", "org:member");
    server.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE id = ?", [bob]).unwrap());
    let alone = erase(&server, "ada").await.unwrap_err();
    assert!(alone.contains("`ada` is the last admin of `acme`; make another member admin first"), "{alone}");
    assert_eq!(server.count("SELECT count(*) FROM user WHERE login = 'ada'"), 1, "nothing was changed");
    server.sql(|conn| {
        conn.execute("UPDATE organization_member SET role = 'org:admin' WHERE user_id = ?", [bob]).unwrap()
    });
    erase(&server, "ada").await.unwrap();
    let unknown = erase(&server, "ada").await.unwrap_err();
    assert!(unknown.contains("there is no user `ada`"), "{unknown}");
    assert!(erase(&server, "bob").await.is_err(), "an erased user is no administrator");
}
