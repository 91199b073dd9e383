//! `workspace import` and `workspace export`.

use serde_json::{Value, json};

use super::{Desk, import, model};
use crate::support::PASSWORD;

#[test]
fn an_imported_model_is_exported_unchanged() {
    let desk = Desk::new();
    desk.admin("ada").ok();
    desk.write("model.json", &model().to_string());
    let round = |server: &str| {
        let text = desk.run(&import(&["model.json"])).ok();
        assert!(text.contains(" workspace лавка: "), "{text}");
        let exported = desk.run(&["workspace", "export", "лавка"]).ok();
        // Compared as text, because the order of keys matters.
        assert_eq!(serde_json::from_str::<Value>(&exported).unwrap().to_string(), model().to_string(), "{server}");
        exported
    };
    assert!(desk.run(&import(&["model.json", "--dry-run"])).ok().contains("\"founded\": true"));
    let alone = round("without a server");
    let server = desk.serve();
    assert_eq!(round("through the server"), alone);
    // Importing an export, also through a pipe, changes nothing.
    let (_, token) = server.credentials();
    let path = "/api/workspaces/%D0%BB%D0%B0%D0%B2%D0%BA%D0%B0";
    let before = server.get(path, &token).json(200);
    desk.run_with(&import(&["-"]), &[], &alone).ok();
    assert_eq!(server.get(path, &token).json(200), before);
}

#[test]
fn a_dry_run_reports_changes_and_writes_nothing() {
    let desk = Desk::new();
    desk.admin("ada").ok();
    desk.write("model.json", &model().to_string());
    let would =
        |desk: &Desk| serde_json::from_str::<Value>(&desk.run(&import(&["--dry-run", "model.json"])).ok()).unwrap();
    assert_eq!(would(&desk)["created"]["workspaces"], json!(["лавка"]));
    desk.run(&["workspace", "export", "лавка"]).refused("workspace not found");
    desk.run(&import(&["model.json"])).ok();
    let mut changed = model();
    changed["components"][0]["name"] = json!("Other");
    changed["relationships"] = json!([]);
    desk.write("model.json", &changed.to_string());
    let preview = would(&desk);
    assert_eq!(preview["dryRun"], true);
    assert_eq!(preview["updated"]["components"], json!(["заказ/сервис"]));
    assert_eq!(preview["deleted"]["relationships"], json!(["пишет"]));
    let exported: Value = serde_json::from_str(&desk.run(&["workspace", "export", "лавка"]).ok()).unwrap();
    assert_eq!(exported, model());
}

#[test]
fn an_invalid_model_is_rejected_with_file_and_field() {
    let desk = Desk::new();
    desk.admin("ada").ok();
    desk.write("model.json", &model().to_string());
    desk.run(&import(&["model.json"])).ok();
    let broken = |change: fn(&mut Value)| {
        let mut model = model();
        model["components"][0]["name"] = json!("Half");
        change(&mut model);
        desk.write("broken.json", &model.to_string());
        desk.run(&import(&["broken.json"]))
    };
    let refusals = || {
        broken(|model| model["components"][1]["typeId"] = json!("servce"))
            .refused("broken.json: components[1].typeId: unknown");
        broken(|model| model["relationships"][0]["targetId"] = json!("x"))
            .refused("relationships[0].targetId: there is no");
        broken(|model| model["components"][0]["tint"] = json!(1)).refused("components[0].tint: this resource has no");
        desk.write("broken.json", "{ \"components\": [");
        desk.run(&import(&["broken.json"])).refused("broken.json: ");
        desk.run(&import(&["nowhere.json"])).refused("cannot read nowhere.json: ");
        let exported: Value = serde_json::from_str(&desk.run(&["workspace", "export", "лавка"]).ok()).unwrap();
        assert_eq!(exported, model());
    };
    refusals();
    let _server = desk.serve();
    refusals();
    let unknown = ["workspace", "import", "--id", "w", "--org", "nowhere", "model.json"];
    desk.run(&unknown).refused("there is no organization `nowhere`");
    desk.run(&import(&["--as", "eve", "model.json"])).refused("there is no user `eve`");
    let other = ["admin", "create", "--login", "bob", "--name", "Bob", "--org", "other", "--password-stdin"];
    desk.run_with(&other, &[], &format!("{PASSWORD}\n")).ok();
    desk.run(&import(&["--as", "bob", "model.json"])).refused("as: `bob` is no member of `acme`");
    desk.run(&["workspace", "export", "nothing"]).refused("workspace not found");
}

#[test]
fn commands_do_not_create_a_database_by_mistake() {
    let desk = Desk::new();
    desk.write("model.json", &model().to_string());
    desk.run(&import(&["model.json"])).refused("there is no database in data; check --data-dir");
    desk.run(&["workspace", "export", "w"]).refused("there is no database in data");
    desk.run(&["user", "list"]).refused("there is no database in data");
    desk.run(&["org", "create", "--slug", "acme", "--name", "Acme"]).refused("there is no database in data");
    desk.run(&["backup", "copy.db"]).refused("there is no database in data");
    desk.run(&["healthcheck"]).refused("no server is running on data");
    assert!(!desk.path("data").exists());
}
