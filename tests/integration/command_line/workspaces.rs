//! `workspace list`, `set-owner`, `delete` and `restore`.

use serde_json::{Value, json};

use super::{Desk, import, model};
use crate::support::PASSWORD;

/// A desk with the administrators `ada` and `grace` of `acme` and the workspace `лавка`.
fn shop() -> Desk {
    let desk = Desk::new();
    desk.admin("ada").ok();
    desk.admin("grace").ok();
    desk.write("model.json", &model().to_string());
    desk.run(&import(&["model.json"])).ok();
    desk
}

fn list(desk: &Desk, more: &[&str]) -> Value {
    serde_json::from_str(&desk.run(&[&["workspace", "list", "--json"], more].concat()).ok()).unwrap()
}

#[test]
fn workspaces_are_listed_deleted_and_restored() {
    let desk = shop();
    let round = |desk: &Desk| {
        let text = desk.run(&["workspace", "list"]).ok();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2, "{text}");
        assert_eq!(lines[1].split_whitespace().collect::<Vec<_>>()[..5], ["лавка", "Лавка", "acme", "private", "ada"]);
        let place = |line: &str, word: &str| line[..line.find(word).unwrap()].chars().count();
        assert_eq!(place(lines[0], "OWNER"), place(lines[1], "ada"), "columns are aligned with their headings: {text}");
        assert_eq!(list(desk, &["--org", "acme"]).as_array().unwrap().len(), 1);
        assert_eq!(list(desk, &["--deleted"]), json!([]));

        desk.run(&["workspace", "delete", "лавка"]).refused("cannot ask \"Delete workspace лавка?\" without");
        assert!(desk.run_on_terminal(&["workspace", "delete", "лавка"], "n\n").err.contains("nothing was changed"));
        assert_eq!(list(desk, &[]).as_array().unwrap().len(), 1);
        let said = desk.run(&["workspace", "delete", "лавка", "--yes"]).ok();
        assert!(
            said.starts_with("Deleted workspace лавка. To restore it, see `planroom workspace list --deleted`"),
            "{said}"
        );
        assert_eq!(list(desk, &[]), json!([]));
        desk.run(&["workspace", "delete", "лавка", "--yes"]).refused("workspace not found");
        let pk = list(desk, &["--deleted"])[0]["pk"].to_string();
        assert!(desk.run(&["workspace", "list", "--deleted"]).ok().lines().nth(1).unwrap().starts_with(&pk));

        // Its id is available immediately, and then used by another workspace.
        desk.run(&import(&["model.json"])).ok();
        desk.run(&["workspace", "restore", &pk]).refused("belongs to another workspace by now");
        assert_eq!(desk.run(&["workspace", "restore", &pk, "--id", "старая"]).ok(), "Restored workspace старая\n");
        desk.run(&["workspace", "restore", &pk]).refused("workspace not found");
        desk.run(&["workspace", "restore", "99"]).refused("workspace not found");
        desk.run(&["workspace", "restore", &pk, "--id", ".."]).refused("--id: must not be");
        let exported = |id: &str| {
            let model: Value = serde_json::from_str(&desk.run(&["workspace", "export", id]).ok()).unwrap();
            model["components"].clone()
        };
        assert_eq!(exported("старая"), exported("лавка"));
        desk.run(&["workspace", "list", "--org", "globex"]).refused("there is no organization `globex`");
    };
    round(&desk);
    let desk = shop();
    let _server = desk.serve();
    round(&desk);
}

#[test]
fn a_member_of_the_organization_is_made_owner() {
    let desk = shop();
    let server = desk.serve();
    let said = desk.run(&["workspace", "set-owner", "лавка", "--login", "grace"]).ok();
    assert_eq!(said, "grace is now the owner of workspace лавка\n");
    assert_eq!(list(&desk, &[])[0]["owner"], "grace");
    let (_, token) = server.credentials();
    let path = "/api/workspaces/%D0%BB%D0%B0%D0%B2%D0%BA%D0%B0/members";
    let members = server.get(path, &token).json(200)["members"].clone();
    let roles: Vec<_> = members.as_array().unwrap().iter().map(|one| (&one["user"]["login"], &one["role"])).collect();
    let owner = json!("owner");
    assert_eq!(roles, [(&json!("ada"), &owner), (&json!("grace"), &owner)], "the previous owner remains a co-owner");
    let nomad = json!({ "login": "nomad", "displayName": "Nomad", "password": PASSWORD });
    server.ask("POST", "/api/admin/users", Some(&token), Some(nomad)).json(201);
    let refusals = || {
        let set = |id: &str, login: &str| desk.run(&["workspace", "set-owner", id, "--login", login]);
        set("лавка", "nomad").refused("is not a member of this organization");
        set("лавка", "eve").refused("there is no user `eve`");
        set("nothing", "ada").refused("workspace not found");
    };
    refusals();
    server.stop().ok();
    refusals();
    desk.run(&["workspace", "set-owner", "лавка", "--login", "ada"]).ok();
    assert_eq!(list(&desk, &[])[0]["owner"], "ada");
}
