//! `org list`, `create`, `add-member`, `webhooks` and `disable-webhooks`.

use serde_json::{Value, json};

use super::WorkDir;
use crate::support::PASSWORD;

#[test]
fn an_organization_is_created_and_members_are_added() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = dir.serve();
    let said = dir.run(&["org", "create", "--slug", "globex", "--name", "Globex & Co"]).ok();
    assert!(said.starts_with("Created organization globex. It has no members"), "{said}");
    let said = dir.run(&["org", "add-member", "--org", "globex", "--login", "ADA", "--role", "admin"]).ok();
    assert_eq!(said, "ADA is now an admin of globex\n");
    let (session, token) = server.credentials();
    let mine = server.get("/api/orgs", &session).json(200);
    assert_eq!(
        (&mine["organizations"][1]["slug"], &mine["organizations"][1]["role"]),
        (&json!("globex"), &json!("org:admin"))
    );
    let event = &server.get("/api/admin/audit?limit=1&kind=organization.create", &token).json(200)["events"][0];
    assert_eq!(event["details"]["slug"], "globex");
    let list: Value = serde_json::from_str(&dir.run(&["org", "list", "--json"]).ok()).unwrap();
    let counted: Vec<_> = list.as_array().unwrap().iter().map(|org| (&org["slug"], &org["members"])).collect();
    assert_eq!(counted, [(&json!("acme"), &json!(1)), (&json!("globex"), &json!(1))]);
    server.stop().ok();
    let text = dir.run(&["org", "list"]).ok();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    let column = lines[0].find("MEMBERS").unwrap();
    assert!(lines[2].starts_with("globex  Globex & Co") && lines[2][column..].starts_with('1'), "{text}");
}

#[test]
fn invalid_organizations_and_members_are_rejected() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let create = |slug: &str, name: &str| dir.run(&["org", "create", "--slug", slug, "--name", name]);
    let add = |org: &str, login: &str| dir.run(&["org", "add-member", "--org", org, "--login", login]);
    let refusals = || {
        create("acme", "Acme").expect_error("an organization with the slug `acme` exists already");
        create("Acme & Sons", "Acme").expect_error("--slug: must consist of lower-case letters");
        create("globex", " ").expect_error("--name: must have 1 to 200 characters");
        add("acme", "ada").expect_error("a member of this organization already");
        add("acme", "eve").expect_error("there is no user `eve`");
        add("globex", "ada").expect_error("there is no organization `globex`");
    };
    refusals();
    let server = dir.serve();
    refusals();
    let wrong = dir.run(&["org", "add-member", "--org", "acme", "--login", "ada", "--role", "owner"]);
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
    server.sign_in("ada", PASSWORD).json(200);
}

#[test]
fn webhooks_are_listed_without_secrets_and_disabled() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = dir.serve();
    dir.run(&["org", "create", "--slug", "globex", "--name", "Globex"]).ok();
    dir.run(&["org", "add-member", "--org", "globex", "--login", "ada", "--role", "admin"]).ok();
    let (session, _) = server.credentials();
    let mut secrets = Vec::new();
    for org in server.get("/api/orgs", &session).json(200)["organizations"].as_array().unwrap() {
        let id = json!({ "orgId": org["id"] });
        let switched = server.ask("POST", "/api/auth/organization", Some(&session), Some(id)).json(200);
        let session = switched["token"].as_str().unwrap_or(&session).to_owned();
        let hook = json!({ "name": "Portal", "url": "https://93.184.215.14/zyxsecretpath", "events": ["member.left"] });
        let path = format!("/api/orgs/{}/webhooks", org["id"].as_str().unwrap());
        let created = server.ask("POST", &path, Some(&session), Some(hook)).json(201);
        secrets.push(created["secret"].as_str().unwrap().to_owned());
    }
    let list = |arguments: &[&str]| -> Vec<Value> {
        let text = dir.run(&[&["org", "webhooks", "--json"], arguments].concat()).ok();
        for secret in secrets.iter().map(String::as_str).chain(["zyxsecretpath", "whsec_"]) {
            assert!(!text.contains(secret), "{text}");
        }
        serde_json::from_str::<Value>(&text).unwrap().as_array().unwrap().clone()
    };
    let all = list(&[]);
    assert_eq!(all.len(), 2);
    assert_eq!((&all[0]["organization"], &all[0]["host"]), (&json!("acme"), &json!("93.184.215.14")));
    assert_eq!((&all[0]["state"], &all[0]["events"]), (&json!("active"), &json!(["member.left"])));
    let disable = |arguments: &[&str]| dir.run(&[&["org", "disable-webhooks"], arguments].concat());
    disable(&["--org", "globex"]).expect_error("confirm with --yes");
    assert_eq!(disable(&["--org", "globex", "--yes"]).ok(), "Disabled webhooks: 1\n");
    assert_eq!(disable(&["--org", "globex", "--yes"]).ok(), "Disabled webhooks: 0\n");
    assert_eq!(
        (&list(&["--org", "globex"])[0]["state"], &list(&["--org", "acme"])[0]["state"]),
        (&json!("disabled"), &json!("active"))
    );
    disable(&["lost", "--yes"]).expect_error("there is no webhook `lost`");
    disable(&["--org", "lost", "--yes"]).expect_error("there is no organization `lost`");
    server.stop().ok();
    // Also while the server is stopped.
    let id = all[0]["id"].as_str().unwrap();
    assert_eq!(disable(&[id, "--yes"]).ok(), "Disabled webhooks: 1\n");
    let text = dir.run(&["org", "webhooks"]).ok();
    assert_eq!(text.matches("disabled").count(), 2, "{text}");
    let audit = dir.run(&["audit", "tail"]).ok();
    assert_eq!(audit.matches("webhook.disable").count(), 2, "{audit}");
}
