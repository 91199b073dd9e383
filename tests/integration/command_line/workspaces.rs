//! `workspace list`, `set-owner`, `delete` and `restore`.

use serde_json::{Value, json};

use super::{WorkDir, import, model};
use crate::support::PASSWORD;

/// A working directory with the administrators `ada` and `grace` of `acme` and the workspace `лавка`.
fn shop() -> WorkDir {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    dir.admin("grace").ok();
    dir.write("model.json", &model().to_string());
    dir.run(&import(&["model.json"])).ok();
    dir
}

fn list(dir: &WorkDir, more: &[&str]) -> Value {
    serde_json::from_str(&dir.run(&[&["workspace", "list", "--json"], more].concat()).ok()).unwrap()
}

#[test]
fn workspaces_are_listed_deleted_and_restored() {
    let dir = shop();
    let round = |dir: &WorkDir| {
        let text = dir.run(&["workspace", "list"]).ok();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        let words: Vec<&str> = lines[1].split_whitespace().collect();
        assert_eq!(words[..6], ["лавка", "Лавка", "acme", "private", "view", "ada"]);
        let place = |line: &str, word: &str| line[..line.find(word).unwrap()].chars().count();
        assert_eq!(place(lines[0], "OWNER"), place(lines[1], "ada"), "columns are aligned with their headings: {text}");
        assert_eq!(list(dir, &["--org", "acme"]).as_array().unwrap().len(), 1);
        assert_eq!(list(dir, &["--deleted"]), json!([]));

        dir.run(&["workspace", "delete", "лавка"]).expect_error("cannot ask \"Delete workspace лавка?\" without");
        assert!(dir.run_on_terminal(&["workspace", "delete", "лавка"], "n\n").err.contains("nothing was changed"));
        assert_eq!(list(dir, &[]).as_array().unwrap().len(), 1);
        let said = dir.run(&["workspace", "delete", "лавка", "--yes"]).ok();
        assert!(
            said.starts_with("Deleted workspace лавка. To restore it, see `planroom workspace list --deleted`"),
            "{said}"
        );
        assert_eq!(list(dir, &[]), json!([]));
        dir.run(&["workspace", "delete", "лавка", "--yes"]).expect_error("workspace not found");
        let pk = list(dir, &["--deleted"])[0]["pk"].to_string();
        assert!(dir.run(&["workspace", "list", "--deleted"]).ok().lines().nth(1).unwrap().starts_with(&pk));

        // Its id is available immediately, and then used by another workspace.
        dir.run(&import(&["model.json"])).ok();
        dir.run(&["workspace", "restore", &pk]).expect_error("is now used by another workspace");
        assert_eq!(dir.run(&["workspace", "restore", &pk, "--id", "старая"]).ok(), "Restored workspace старая\n");
        dir.run(&["workspace", "restore", &pk]).expect_error("workspace not found");
        dir.run(&["workspace", "restore", "99"]).expect_error("workspace not found");
        dir.run(&["workspace", "restore", &pk, "--id", ".."]).expect_error("--id: must not be");
        let exported = |id: &str| {
            let model: Value = serde_json::from_str(&dir.run(&["workspace", "export", id]).ok()).unwrap();
            model["components"].clone()
        };
        assert_eq!(exported("старая"), exported("лавка"));
        dir.run(&["workspace", "list", "--org", "globex"]).expect_error("there is no organization `globex`");
    };
    round(&dir);
    let dir = shop();
    let _server = dir.serve();
    round(&dir);
}

#[test]
fn a_member_of_the_organization_can_become_the_owner() {
    let dir = shop();
    let server = dir.serve();
    let said = dir.run(&["workspace", "set-owner", "лавка", "--login", "grace"]).ok();
    assert_eq!(said, "grace is now the owner of workspace лавка\n");
    assert_eq!(list(&dir, &[])[0]["owner"], "grace");
    let (_, token) = server.credentials();
    let path = "/api/workspaces/%D0%BB%D0%B0%D0%B2%D0%BA%D0%B0/members";
    let members = server.get(path, &token).json(200)["members"].clone();
    let roles: Vec<_> = members.as_array().unwrap().iter().map(|one| (&one["user"]["login"], &one["role"])).collect();
    let owner = json!("owner");
    assert_eq!(roles, [(&json!("ada"), &owner), (&json!("grace"), &owner)], "the previous owner remains a co-owner");
    let nomad = json!({ "login": "nomad", "displayName": "Nomad", "password": PASSWORD });
    server.ask("POST", "/api/admin/users", Some(&token), Some(nomad)).json(201);
    let refusals = || {
        let set = |id: &str, login: &str| dir.run(&["workspace", "set-owner", id, "--login", login]);
        set("лавка", "nomad").expect_error("is not a member of this organization");
        set("лавка", "eve").expect_error("there is no user `eve`");
        set("nothing", "ada").expect_error("workspace not found");
    };
    refusals();
    server.stop().ok();
    refusals();
    dir.run(&["workspace", "set-owner", "лавка", "--login", "ada"]).ok();
    assert_eq!(list(&dir, &[])[0]["owner"], "ada");
}

#[test]
fn the_views_of_a_workspace_are_listed() {
    let dir = shop();
    let mut model = model();
    model["views"] = json!([{ "id": "all-of-it", "name": "All of it", "definition": {} },
                            { "id": "nothing", "name": "Nothing", "definition": { "include": [{ "ids": ["none"] }] } }]);
    let components = model["components"].as_array().unwrap().len();
    dir.write("model.json", &model.to_string());
    dir.run(&import(&["model.json"])).ok();
    let views: Value = serde_json::from_str(&dir.run(&["workspace", "views", "лавка", "--json"]).ok()).unwrap();
    let counts: Vec<(&str, u64)> = views
        .as_array()
        .unwrap()
        .iter()
        .map(|view| (view["id"].as_str().unwrap(), view["components"].as_u64().unwrap()))
        .collect();
    assert_eq!(counts, [("all-of-it", u64::try_from(components).unwrap()), ("nothing", 0)]);
    let text = dir.run(&["workspace", "views", "лавка"]).ok();
    assert!(text.lines().nth(1).unwrap().starts_with("all-of-it"), "{text}");
    dir.run(&["workspace", "views", "none"])
        .expect_error("workspace not found; planroom workspace list shows what exists");
}
