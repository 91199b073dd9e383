//! Invisible characters in names, which could make a name look like another name on pages and in emails.

use axum::http::Method;
use serde_json::{Value, json};

use crate::support::TestServer;

const ME: &str = "/api/auth/me";

/// Line separators, direction marks, direction overrides, and other invisible characters.
const HIDDEN: &[char] = &[
    '\u{2028}',
    '\u{2029}',
    '\u{200e}',
    '\u{200f}',
    '\u{61c}',
    '\u{202a}',
    '\u{202e}',
    '\u{2066}',
    '\u{2069}',
    '\u{200b}',
    '\u{2060}',
    '\u{feff}',
    '\u{ad}',
    '\u{e0041}',
    '\u{34f}',
    '\u{115f}',
    '\u{1160}',
    '\u{17b4}',
    '\u{180e}',
    '\u{2800}',
    '\u{3164}',
    '\u{fe00}',
    '\u{ffa0}',
    '\u{fffc}',
    '\u{1d173}',
    '\u{e0100}',
    '\u{e01ef}',
];

#[tokio::test]
async fn every_name_field_rejects_hidden_characters() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let org = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    let user = json!({ "login": "x", "displayName": "N", "password": "correct horse battery" });
    let with_hidden = |mut body: Value, field: &str| {
        body[field] = json!("pay\u{202e}load");
        (body, field.to_owned())
    };
    let (post, patch) = (Method::POST, Method::PATCH);
    for (method, path, (body, field)) in [
        (&patch, ME.to_owned(), with_hidden(json!({}), "displayName")),
        (&patch, format!("/api/orgs/{org}"), with_hidden(json!({}), "name")),
        (&post, "/api/workspaces".into(), with_hidden(json!({ "id": "x" }), "name")),
        (&patch, "/api/workspaces/w".into(), with_hidden(json!({}), "name")),
        (&post, "/api/workspaces/w/components".into(), with_hidden(json!({ "typeId": "service" }), "name")),
        (&patch, "/api/workspaces/w/components/a".into(), with_hidden(json!({}), "name")),
        (&post, "/api/workspaces/w/drafts".into(), with_hidden(json!({}), "title")),
        (&post, "/api/people".into(), with_hidden(json!({}), "name")),
        (&post, "/api/people".into(), with_hidden(json!({ "name": "N" }), "title")),
        (&post, "/api/teams".into(), with_hidden(json!({}), "name")),
        (&post, "/api/stakeholder-link-types".into(), with_hidden(json!({ "color": "#123456" }), "name")),
        (&post, "/api/kinds".into(), with_hidden(json!({ "baseType": "service" }), "name")),
        (&post, "/api/admin/users".into(), with_hidden(user.clone(), "login")),
        (&post, "/api/admin/users".into(), with_hidden(user, "displayName")),
        (&patch, "/api/admin/settings".into(), with_hidden(json!({}), "instance.name")),
    ] {
        let error = ada.send(method.clone(), &path, Some(body)).await.expect_error(400, "invisible character");
        assert!(error["error"].as_str().unwrap().contains(&field), "{path}: {error}");
    }
    for hidden in HIDDEN {
        let body = json!({ "name": format!("Gr{hidden}ace") });
        let text = format!("name: must not contain the invisible character U+{:04X}; delete it", u32::from(*hidden));
        ada.post("/api/people", body).await.expect_error(400, &text);
    }
}

#[tokio::test]
async fn names_keep_joiners_that_scripts_and_emoji_need() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    for name in ["👩\u{200d}💻 Operations", "❤\u{fe0f} Team", "می\u{200c}خواهم", "Zoë", "漢字"] {
        let created = ada.post("/api/people", json!({ "name": name })).await.created();
        assert_eq!(created["person"]["name"], name);
    }
}

#[tokio::test]
async fn names_that_earlier_versions_accepted_stay_readable() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let kind = json!({ "id": "vault", "name": "Vault", "baseType": "service",
                       "fields": [{ "key": "size", "name": "Size", "type": "text" }] });
    ada.post("/api/kinds", kind).await.created();
    ada.post("/api/workspaces/w/views", json!({ "id": "vv", "name": "V" })).await.created();
    server.sql(|conn| {
        let sql = "UPDATE workspace SET name = 'W\u{202e}eb'; UPDATE component SET name = 'A\u{200b}b', tags = '[\"t\u{200b}\"]';
                   UPDATE kind SET name = 'V\u{202e}', fields = replace(fields, 'Size', 'S\u{2066}ize');
                   UPDATE view SET name = 'V\u{2028}';
                   UPDATE user SET display_name = 'A\u{202e}da', email = 'ada@[127.0.0.1]';
                   INSERT INTO source (workspace_pk, id, kind, name, revision, synced_at)
                   SELECT pk, 's', 'compose', 'S\u{202e}', 'r\u{200b}', 1 FROM workspace";
        conn.execute_batch(sql).unwrap();
    });
    let bundle = ada.bundle("w").await;
    assert_eq!(bundle["workspace"]["name"], "W\u{202e}eb");
    assert_eq!(
        (&bundle["components"][0]["name"], &bundle["components"][0]["tags"]),
        (&json!("A\u{200b}b"), &json!(["t\u{200b}"]))
    );
    assert_eq!(ada.get("/api/kinds").await.ok()["kinds"][0]["fields"][0]["name"], "S\u{2066}ize");
    assert_eq!(ada.get("/api/me").await.ok()["displayName"], "A\u{202e}da");
    let file = ada.get("/api/workspaces/w/export").await.ok();
    assert_eq!((&file["workspace"]["name"], &file["components"][0]["name"]), (&json!("Web"), &json!("Ab")));
    assert_eq!((&file["sources"][0]["name"], &file["sources"][0]["revision"]), (&json!("S"), &json!("r")));
    // Names without any visible character do not make the export invalid.
    server.sql(|conn| {
        let sql = "UPDATE source SET name = char(8238), revision = char(8203);
                   UPDATE component SET name = char(8238) WHERE id = 'a';";
        conn.execute_batch(sql).unwrap();
    });
    let file = ada.get("/api/workspaces/w/export").await.ok();
    assert_eq!((&file["components"][0]["name"], &file["sources"][0]["name"]), (&json!("Unnamed"), &Value::Null));
    // Other fields can still be updated.
    ada.patch("/api/workspaces/w", json!({ "description": "D" })).await.ok();
    ada.patch("/api/workspaces/w/components/a", json!({ "description": "D" })).await.ok();
    let copy = ada.post("/api/workspaces/w/duplicate", json!({})).await.created();
    assert_eq!(copy["workspace"]["name"], "Copy of Web");
}

#[tokio::test]
async fn file_readers_drop_hidden_characters_from_names() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let content = "services:\n  we\u{200b}b:\n    image: nginx\n  \u{202e}db\u{2028}:\n    image: postgres\n";
    let files = json!({ "files": [{ "name": "compose.yaml", "content": content }] });
    let reading = ada.post("/api/readings", files).await.ok()["reading"].clone();
    let names: Vec<&str> =
        reading["components"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["web", "db"]);
    ada.create_workspace("w").await;
    let sync = json!({ "source": { "id": "s", "kind": "compose" }, "reading": reading });
    ada.post("/api/workspaces/w/sync", sync).await.ok();
}

#[tokio::test]
async fn email_addresses_must_have_a_domain_name() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    let org = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
    for email in ["a@[127.0.0.1]", "a@[IPv6:::1]", "a@["] {
        let body = json!({ "email": email });
        let text = "email: must have a domain after `@`";
        ada.patch(ME, body.clone()).await.expect_error(400, text);
        ada.post(&format!("/api/orgs/{org}/invitations"), body).await.expect_error(400, text);
        ada.post("/api/people", json!({ "name": "N", "email": email })).await.expect_error(400, text);
    }
    let hidden = json!({ "email": "a\u{200b}da@example.org" });
    ada.patch(ME, hidden).await.expect_error(400, "email: must not contain the invisible character U+200B");
}

#[tokio::test]
async fn a_user_cannot_have_a_name_that_shows_nothing_or_a_login_that_looks_like_another() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for nothing in ["\u{200d}", "\u{fe0f}", "\u{200c} \u{200d}"] {
        for (path, field) in [(ME, "displayName"), ("/api/workspaces/w", "name")] {
            let text = format!("{field}: must contain visible characters");
            ada.patch(path, json!({ field: nothing })).await.expect_error(400, &text);
        }
        ada.post("/api/people", json!({ "name": nothing })).await.expect_error(400, "must contain visible characters");
    }
    for filler in ["\u{3164}", "\u{2800}", "\u{115f}"] {
        ada.patch(ME, json!({ "displayName": filler })).await.expect_error(400, "invisible character");
    }
    for (login, code) in
        [("ada\u{fe0f}", "FE0F"), ("a\u{200d}da", "200D"), ("ad\u{200c}a", "200C"), ("\u{3164}", "3164")]
    {
        let user = json!({ "login": login, "displayName": "N", "password": "correct horse battery" });
        let text = format!("login: must not contain the invisible character U+{code}");
        ada.post("/api/admin/users", user).await.expect_error(400, &text);
        let email = json!({ "email": format!("a{login}@example.org") });
        let text = format!("email: must not contain the invisible character U+{code}");
        ada.patch(ME, email.clone()).await.expect_error(400, &text);
        ada.post("/api/people", json!({ "name": "N", "email": email["email"] })).await.expect_error(400, &text);
    }
}
