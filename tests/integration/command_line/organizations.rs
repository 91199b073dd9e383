//! `org list`, `create` and `add-member`.

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
