//! `workspace import` and `workspace export`.

use serde_json::{Value, json};

use super::{WorkDir, import, model};
use crate::support::PASSWORD;

#[test]
fn a_map_is_exported_in_the_format_of_another_tool() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    dir.write("model.json", &model().to_string());
    dir.run(&import(&["model.json"])).ok();
    let exported = |format: &str| dir.run(&["workspace", "export", "лавка", "--format", format]);
    let alone = exported("drawio").ok();
    assert!(alone.starts_with("<mxfile") && alone.contains("planroomId="), "{alone}");
    assert!(exported("structurizr-dsl").ok().starts_with("workspace \"Лавка\""));
    assert!(exported("visio").err.contains("mermaid-c4"));
    let view = |format: &str| dir.run(&["workspace", "export", "лавка", "--format", format, "--view", "nothing"]);
    view("drawio").expect_error("view `nothing` not found in workspace `лавка`");
    view("planroom").expect_error("must be the format of another tool to export a view");
    let _server = dir.serve();
    assert_eq!(exported("drawio").ok(), alone, "through the server");
}

#[test]
fn an_imported_model_is_exported_unchanged() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    dir.write("model.json", &model().to_string());
    let round = |server: &str| {
        let text = dir.run(&import(&["model.json"])).ok();
        assert!(text.contains(" workspace лавка: "), "{text}");
        let exported = dir.run(&["workspace", "export", "лавка"]).ok();
        // Compared as text, because the order of keys matters.
        assert_eq!(serde_json::from_str::<Value>(&exported).unwrap().to_string(), model().to_string(), "{server}");
        exported
    };
    assert!(dir.run(&import(&["model.json", "--dry-run"])).ok().contains("\"isNew\": true"));
    let alone = round("without a server");
    let server = dir.serve();
    assert_eq!(round("through the server"), alone);
    // Importing an export, also through a pipe, changes nothing.
    let (_, token) = server.credentials();
    let path = "/api/workspaces/%D0%BB%D0%B0%D0%B2%D0%BA%D0%B0";
    let before = server.get(path, &token).json(200);
    dir.run_with(&import(&["-"]), &[], &alone).ok();
    assert_eq!(server.get(path, &token).json(200), before);
}

#[test]
fn a_dry_run_reports_changes_and_writes_nothing() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    dir.write("model.json", &model().to_string());
    let would =
        |dir: &WorkDir| serde_json::from_str::<Value>(&dir.run(&import(&["--dry-run", "model.json"])).ok()).unwrap();
    assert_eq!(would(&dir)["created"]["workspaces"], json!(["лавка"]));
    dir.run(&["workspace", "export", "лавка"]).expect_error("workspace not found");
    dir.run(&import(&["model.json"])).ok();
    let mut changed = model();
    changed["components"][0]["name"] = json!("Other");
    changed["relationships"] = json!([]);
    dir.write("model.json", &changed.to_string());
    let preview = would(&dir);
    assert_eq!(preview["dryRun"], true);
    assert_eq!(preview["updated"]["components"], json!(["заказ/сервис"]));
    assert_eq!(preview["deleted"]["relationships"], json!(["пишет"]));
    let exported: Value = serde_json::from_str(&dir.run(&["workspace", "export", "лавка"]).ok()).unwrap();
    assert_eq!(exported, model());
}

#[test]
fn an_invalid_model_is_rejected_with_file_and_field() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    dir.write("model.json", &model().to_string());
    dir.run(&import(&["model.json"])).ok();
    let broken = |change: fn(&mut Value)| {
        let mut model = model();
        model["components"][0]["name"] = json!("Half");
        change(&mut model);
        dir.write("broken.json", &model.to_string());
        dir.run(&import(&["broken.json"]))
    };
    let refusals = || {
        broken(|model| model["components"][1]["typeId"] = json!("servce"))
            .expect_error("broken.json: components[1].typeId: unknown");
        broken(|model| model["relationships"][0]["targetId"] = json!("x"))
            .expect_error("relationships[0].targetId: there is no");
        broken(|model| model["components"][0]["tint"] = json!(1))
            .expect_error("components[0].tint: this resource has no");
        dir.write("broken.json", "{ \"components\": [");
        dir.run(&import(&["broken.json"])).expect_error("broken.json: ");
        dir.run(&import(&["nowhere.json"])).expect_error("cannot read nowhere.json: ");
        let exported: Value = serde_json::from_str(&dir.run(&["workspace", "export", "лавка"]).ok()).unwrap();
        assert_eq!(exported, model());
    };
    refusals();
    let _server = dir.serve();
    refusals();
    let unknown = ["workspace", "import", "--id", "w", "--org", "nowhere", "model.json"];
    dir.run(&unknown).expect_error("there is no organization `nowhere`");
    dir.run(&import(&["--as", "eve", "model.json"])).expect_error("there is no user `eve`");
    let other = ["admin", "create", "--login", "bob", "--name", "Bob", "--org", "other", "--password-stdin"];
    dir.run_with(&other, &[], &format!("{PASSWORD}\n")).ok();
    dir.run(&import(&["--as", "bob", "model.json"])).expect_error("as: `bob` is no member of `acme`");
    dir.run(&["workspace", "export", "nothing"]).expect_error("workspace not found");
}

#[test]
fn commands_do_not_create_a_database_by_mistake() {
    let dir = WorkDir::new();
    dir.write("model.json", &model().to_string());
    dir.run(&import(&["model.json"])).expect_error("there is no database in data; check --data-dir");
    dir.run(&["workspace", "export", "w"]).expect_error("there is no database in data");
    dir.run(&["user", "list"]).expect_error("there is no database in data");
    dir.run(&["org", "create", "--slug", "acme", "--name", "Acme"]).expect_error("there is no database in data");
    dir.run(&["backup", "copy.db"]).expect_error("there is no database in data");
    dir.run(&["healthcheck"]).expect_error("no server is running on data");
    assert!(!dir.path("data").exists());
}
