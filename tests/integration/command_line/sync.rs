//! `planroom sync` and the download of the command line, with a real server.

use std::{fs, os::unix::fs::symlink};

use serde_json::{Value, json};

use super::{Outcome, WorkDir, server::Server};

const COMPOSE: &str = "services:
  web:
    image: nginx
    depends_on: [cart]
  cart:
    image: acme/cart
";

/// A repository with a compose file and a server with the workspace `shop`.
pub(super) fn shop() -> (WorkDir, Server, String) {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = dir.serve();
    let (_, token) = server.credentials();
    let created = json!({ "id": "shop", "name": "Shop" });
    server.ask("POST", "/api/workspaces", Some(&token), Some(created)).json(201);
    fs::create_dir_all(dir.path(".git")).unwrap();
    dir.write(".git/config", "[remote \"origin\"]\n\turl = https://ada:s3cret@github.com/acme/shop.git\n");
    dir.write("compose.yaml", COMPOSE);
    (dir, server, token)
}

pub(super) fn sync(dir: &WorkDir, server: &Server, token: &str, arguments: &[&str]) -> Outcome {
    let url = format!("http://{}/", server.address);
    let variables = [("PLANROOM_CLIENT_URL", url.as_str()), ("PLANROOM_CLIENT_TOKEN", token)];
    dir.run_with(&[&["sync"], arguments].concat(), &variables, "")
}

pub(super) fn names(server: &Server, token: &str) -> Vec<String> {
    let bundle = server.get("/api/workspaces/shop", token).json(200);
    let mut names: Vec<String> =
        bundle["components"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_map_is_brought_in_step_with_a_file() {
    let (dir, server, token) = shop();
    let arguments = ["compose.yaml", "--workspace", "shop"];
    // A preview changes nothing.
    let differs = sync(&dir, &server, &token, &[&arguments[..], &["--check"]].concat());
    assert_eq!(differs.status.code(), Some(2), "{differs:?}");
    assert!(differs.out.contains("+ add component `web`  (compose.yaml:2)"), "{differs:?}");
    assert!(sync(&dir, &server, &token, &[&arguments[..], &["--dry-run"]].concat()).ok().contains("to add"));
    assert!(names(&server, &token).is_empty());

    let done = sync(&dir, &server, &token, &arguments).ok();
    assert!(done.starts_with("github.com/acme/shop:compose.yaml → shop\n"), "{done}");
    assert!(!done.contains("s3cret"), "{done}");
    assert!(names(&server, &token).contains(&"web".to_owned()));
    let again = sync(&dir, &server, &token, &[&arguments[..], &["--check"]].concat()).ok();
    assert!(again.contains("In step: "), "{again}");
    let sources = server.get("/api/workspaces/shop/sources", &token).json(200);
    assert_eq!(sources["sources"][0]["id"], "github.com/acme/shop:compose.yaml");

    // A service that is gone is marked, and removed only on request.
    dir.write("compose.yaml", &COMPOSE.replace("    depends_on: [cart]\n  cart:\n    image: acme/cart\n", ""));
    let gone = sync(&dir, &server, &token, &[&arguments[..], &["--prune"]].concat());
    gone.expect_error("repeat the command with --allow-mass-removal");
    let arguments = [&arguments[..], &["--allow-mass-removal"]].concat();
    let marked = sync(&dir, &server, &token, &arguments).ok();
    assert!(marked.contains("! gone from the source: component `cart`"), "{marked}");
    assert!(names(&server, &token).contains(&"cart".to_owned()));
    sync(&dir, &server, &token, &[&arguments[..], &["--prune"]].concat()).ok();
    assert!(!names(&server, &token).contains(&"cart".to_owned()));
}

#[test]
fn a_protected_workspace_gets_a_draft_of_the_source() {
    let (dir, server, token) = shop();
    let protect = json!({ "protected": true, "requiredApprovals": 0, "ownersExempt": false });
    server.ask("PATCH", "/api/workspaces/shop/protection", Some(&token), Some(protect)).json(200);
    let arguments = ["compose.yaml", "--workspace", "shop"];
    let first = sync(&dir, &server, &token, &arguments).ok();
    assert!(first.contains("added; in draft 1 (draft-"), "{first}");
    assert!(names(&server, &token).is_empty());
    dir.write("compose.yaml", &format!("{COMPOSE}  pay:\n    image: acme/pay\n"));
    let second = sync(&dir, &server, &token, &arguments).ok();
    assert!(second.contains("1 added") && second.contains("in draft 1 (draft-"), "{second}");
    let drafts = server.get("/api/workspaces/shop/drafts", &token).json(200);
    let draft = &drafts["drafts"][0];
    assert_eq!((drafts["drafts"].as_array().unwrap().len(), &draft["state"]), (1, &json!("open")));
    assert_eq!(draft["sourceId"], "github.com/acme/shop:compose.yaml");
    let merge = format!("/api/drafts/{}/merge", draft["id"].as_str().unwrap());
    server.ask("POST", &merge, Some(&token), Some(json!({}))).json(200);
    assert_eq!(names(&server, &token), ["cart", "pay", "web"]);
    let again = sync(&dir, &server, &token, &arguments).ok();
    assert!(again.contains("In step: ") && !again.contains("draft"), "the merge has brought the claims: {again}");
}

#[test]
fn what_a_protected_map_does_not_have_is_accepted_in_the_draft_of_the_source() {
    let (dir, server, token) = shop();
    let arguments = ["compose.yaml", "--workspace", "shop"];
    sync(&dir, &server, &token, &arguments).ok();
    server.ask("DELETE", "/api/workspaces/shop/components/cart", Some(&token), None).json(200);
    let protect = json!({ "protected": true, "requiredApprovals": 0, "ownersExempt": false });
    server.ask("PATCH", "/api/workspaces/shop/protection", Some(&token), Some(protect)).json(200);
    let check = || sync(&dir, &server, &token, &[&arguments[..], &["--check"]].concat());
    assert_eq!(check().status.code(), Some(2));

    let accept = ["--accept", "cart", "--reason", "Replaced by pay"];
    let accepted = sync(&dir, &server, &token, &[&arguments[..], &accept].concat()).ok();
    assert!(accepted.contains("in draft 1 (draft-"), "{accepted}");
    assert_eq!(check().status.code(), Some(2), "until the draft is merged");
    let drafts = server.get("/api/workspaces/shop/drafts", &token).json(200);
    let merge = format!("/api/drafts/{}/merge", drafts["drafts"][0]["id"].as_str().unwrap());
    server.ask("POST", &merge, Some(&token), Some(json!({}))).json(200);
    check().ok();
}

#[test]
fn a_configuration_names_the_sources_and_reports_have_formats() {
    let (dir, server, token) = shop();
    dir.write(
        "catalog-info.yaml",
        "apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata: { name: billing }\nspec: { type: service }\n",
    );
    dir.write(
        "planroom.yaml",
        "workspace: shop\nsources:\n  - compose.yaml\n  - { files: catalog-*.yaml, name: catalog }\nignore: [cart]\naliases: { web: Storefront }\n",
    );
    let check = |report: &str| {
        let outcome = sync(&dir, &server, &token, &["--check", "--report", report]);
        assert_eq!(outcome.status.code(), Some(2), "{outcome:?}");
        outcome.out
    };
    let markdown = check("markdown");
    assert!(markdown.starts_with("### The map `shop` differs from the code\n"), "{markdown}");
    let annotations = check("github");
    assert!(
        annotations.contains("::warning file=compose.yaml,line=2,title=Planroom::add component `Storefront`\n"),
        "{annotations}"
    );
    let report: Value = serde_json::from_str(&check("json")).unwrap();
    assert_eq!((&report["inStep"], &report["sources"][0]["sources"][1]["id"]), (&json!(false), &json!("catalog")));
    sync(&dir, &server, &token, &[]).ok();
    let names = names(&server, &token);
    assert!(names.contains(&"Storefront".to_owned()) && names.contains(&"billing".to_owned()), "{names:?}");
    assert!(!names.contains(&"cart".to_owned()), "{names:?}");
}

#[test]
fn a_service_graph_is_drawn_only_on_request() {
    let (dir, server, token) = shop();
    let calls = json!([{ "parent": "web", "child": "cart", "callCount": 3 }]);
    dir.write("calls.json", &calls.to_string());
    let arguments = ["calls.json", "--workspace", "shop", "--format", "servicegraph"];
    sync(&dir, &server, &token, &arguments).ok();
    assert!(names(&server, &token).is_empty());
    sync(&dir, &server, &token, &[&arguments[..], &["--draw"]].concat()).ok();
    assert_eq!(names(&server, &token), ["cart", "web"]);
}

#[test]
fn errors_say_what_to_do() {
    let (dir, server, token) = shop();
    let run = |arguments: &[&str]| sync(&dir, &server, &token, arguments);
    run(&["compose.yaml"]).expect_error("--workspace is missing");
    run(&["--workspace", "shop"]).expect_error("no source is given");
    run(&["gone.yaml", "--workspace", "shop"]).expect_error("there is no file gone.yaml");
    run(&["compose.yaml", "--workspace", "none"]).expect_error("create the workspace with --create");
    dir.write("planroom.yaml", "workspace: shop\nsorces: []\n");
    run(&[]).expect_error("planroom.yaml:2: the configuration has no key `sorces`; did you mean `sources`?");
    fs::remove_file(dir.path("planroom.yaml")).unwrap();
    dir.write("broken.yaml", "services:\n  web: [\n");
    run(&["broken.yaml", "--workspace", "shop", "--format", "compose"]).expect_error("broken.yaml:");
    sync(&dir, &server, "wrong", &["compose.yaml", "--workspace", "shop"]).expect_error("the token is not accepted");
    let elsewhere = ["sync", "compose.yaml", "--workspace", "shop", "--url", "http://127.0.0.1:9"];
    dir.run(&elsewhere).expect_error("PLANROOM_CLIENT_TOKEN is not set");
    let created = run(&["compose.yaml", "--workspace", "other", "--create"]);
    assert!(created.err.contains("created workspace other"), "{created:?}");
    created.ok();
    assert_eq!(
        server.get("/api/workspaces/other", &token).json(200)["workspace"]["name"],
        "other",
        "the files have no name"
    );
    dir.write("named.yaml", "name: Web shop\nservices:\n  web: { image: nginx }\n");
    run(&["named.yaml", "--workspace", "named", "--create"]).ok();
    assert_eq!(server.get("/api/workspaces/named", &token).json(200)["workspace"]["name"], "Web shop");
}

#[test]
fn a_failed_check_does_not_report_that_the_map_is_in_step() {
    let (dir, server, token) = shop();
    dir.write("planroom.yaml", "workspace: shop\nsources: [compose.yaml]\nowners: { '*': team:ghosts }\n");
    let run = |report: &str| sync(&dir, &server, &token, &["--check", "--report", report]);
    let failed = run("json");
    assert_eq!((failed.status.code(), failed.err.contains("there is no team `ghosts`")), (Some(1), true), "{failed:?}");
    let report: Value = serde_json::from_str(&failed.out).unwrap();
    assert_eq!(report["inStep"], false);
    assert!(report["error"].as_str().unwrap().contains("ghosts"), "{report}");
    assert!(run("markdown").out.contains("was not completely compared"));
    assert!(run("github").out.starts_with("::error title=Planroom::"));
}

#[test]
fn in_continuous_integration_the_url_does_not_come_from_the_repository() {
    let (dir, server, token) = shop();
    dir.write("planroom.yaml", &format!("url: http://{}\nworkspace: shop\nsources: [compose.yaml]\n", server.address));
    let token = ("PLANROOM_CLIENT_TOKEN", token.as_str());
    dir.run_with(&["sync"], &[token, ("CI", "true")], "").expect_error("in CI, set it beside the token");
}

#[test]
fn a_pull_request_cannot_read_files_outside_of_the_configuration_folder() {
    let (dir, server, token) = shop();
    let inside = dir.path("app");
    fs::create_dir_all(&inside).unwrap();
    dir.write("key", "-----BEGIN OPENSSH PRIVATE KEY-----\ns3cret\n");
    let run = |configuration: &str| {
        dir.write("app/planroom.yaml", configuration);
        let outcome = sync(&dir, &server, &token, &["--config", "app/planroom.yaml", "--dry-run"]);
        assert_eq!(outcome.status.code(), Some(1), "{outcome:?}");
        let all = format!("{}{}", outcome.out, outcome.err);
        assert!(!all.contains("s3cret"), "{all}");
        all
    };
    let columns = "format: csv, columns: { name: '-----BEGIN OPENSSH PRIVATE KEY-----' }";
    let source = |file: &str| format!("workspace: shop\nsources: [{{ files: {file}, {columns} }}]\n");
    let refused = "outside of its folder after links are followed; move the file or the configuration, or name the file as an argument";
    assert!(run(&source("../key")).contains(&format!("the configuration names ../key, which is {refused}")));
    assert!(run(&source("'../k*'")).contains(refused));
    assert!(run(&source(&format!("'{}'", dir.path("key").display()))).contains(refused));
    symlink("../key", dir.path("app/services.csv")).unwrap();
    assert!(run(&source("services.csv")).contains(refused));
    // Errors about a configuration file quote its content, so a link to another file is rejected.
    dir.write("key", "s3cret: 1\n");
    fs::remove_file(dir.path("app/planroom.yaml")).unwrap();
    symlink("../key", dir.path("app/planroom.yaml")).unwrap();
    let failed = sync(&dir, &server, &token, &["--config", "app/planroom.yaml", "--dry-run"]);
    assert!(failed.err.contains("app/planroom.yaml is a link out of its folder"), "{failed:?}");
    assert!(!failed.err.contains("s3cret"), "{failed:?}");
    // Command-line arguments can name any file.
    fs::remove_file(dir.path("app/planroom.yaml")).unwrap();
    let named = ["../compose.yaml", "--workspace", "shop", "--dry-run"];
    let url = format!("http://{}/", server.address);
    let mut command = dir.command(&[&["sync"], &named[..]].concat());
    command.current_dir(inside).env("PLANROOM_CLIENT_URL", url).env("PLANROOM_CLIENT_TOKEN", &token);
    assert!(command.output().unwrap().status.success());
}

#[test]
fn the_server_hands_out_its_own_executable() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = dir.serve();
    let (_, token) = server.credentials();
    let own = format!("/cli/{}-{}", std::env::consts::OS, std::env::consts::ARCH);
    assert!(server.get(&own, &token).json(404)["error"].as_str().unwrap().contains("`cli.download`"));
    let (session, _) = server.credentials();
    server.ask("PATCH", "/api/admin/settings", Some(&session), Some(json!({ "cli.download": true }))).json(200);
    let other = server.get("/cli/windows-x86_64", &token).json(404)["error"].as_str().unwrap().to_owned();
    assert_eq!(other, format!("this server has the command line for `{}` only", &own[5..]));

    let agent = ureq::Agent::new_with_config(ureq::Agent::config_builder().http_status_as_error(false).build());
    let url = format!("http://{}{own}", server.address);
    assert_eq!(agent.get(&url).call().unwrap().status(), 401);
    let bearer = format!("Bearer {token}");
    let mut response = agent.get(&url).header("authorization", &bearer).call().unwrap();
    assert_eq!(
        (response.status().as_u16(), response.headers()["content-type"].to_str().unwrap()),
        (200, "application/octet-stream")
    );
    let tag = response.headers()["etag"].to_str().unwrap().to_owned();
    let bytes = response.body_mut().with_config().limit(4 << 30).read_to_vec().unwrap();
    assert!(bytes == fs::read(env!("CARGO_BIN_EXE_planroom")).unwrap(), "it is the executable");
    let known = agent.get(&url).header("authorization", &bearer).header("if-none-match", &tag).call().unwrap();
    assert_eq!(known.status(), 304);
}

/// A configuration with three sources, of which two cannot be read.
fn with_broken_files(dir: &WorkDir) {
    dir.write("broken.yaml", "services:\n  a: [\n");
    dir.write("traces.json", "[\n  {\"parent\": \"web\",\n");
    let sources = "[compose.yaml, { files: broken.yaml, name: b }, { files: traces.json, name: t }]";
    dir.write("planroom.yaml", &format!("workspace: shop\nsources: {sources}\n"));
}

#[test]
fn a_report_names_each_file_that_cannot_be_read_and_its_line() {
    let (dir, server, token) = shop();
    with_broken_files(&dir);
    let check = |report: &str| {
        let outcome = sync(&dir, &server, &token, &["--check", "--report", report]);
        assert_eq!(outcome.status.code(), Some(1), "{outcome:?}");
        outcome.out
    };
    let report: Value = serde_json::from_str(&check("json")).unwrap();
    let error = report["error"].as_str().unwrap();
    assert!(error.starts_with("broken.yaml:2: the file is not valid YAML: "), "{error}");
    assert!(error.contains("; traces.json:3: the file is not valid JSON: "), "{error}");
    assert_eq!((&report["inStep"], &report["workspace"]), (&json!(false), &json!("shop")));
    assert_eq!(report["sources"][0]["added"][0]["name"], "web", "the source that can be read is compared");
    let annotations = check("github");
    let errors: Vec<&str> = annotations.lines().filter(|line| line.starts_with("::error")).collect();
    assert_eq!(errors.len(), 2, "{annotations}");
    assert!(errors[0].starts_with("::error file=broken.yaml,line=2,title=Planroom::broken.yaml:2: "), "{annotations}");
    assert!(errors[1].starts_with("::error file=traces.json,line=3,title=Planroom::traces.json:3: "), "{annotations}");
    let markdown = check("markdown");
    assert!(markdown.starts_with("### The map `shop` was not completely compared with the code\n\n⚠️ broken.yaml:2"));

    let partly = sync(&dir, &server, &token, &[]);
    assert_eq!(partly.status.code(), Some(1), "{partly:?}");
    assert!(partly.err.contains("broken.yaml:2: the file is not valid YAML: "), "{partly:?}");
    assert!(partly.out.contains("+ added component `web`"), "{partly:?}");
    assert_eq!(names(&server, &token), ["cart", "web"], "the others are written");
}

#[test]
fn every_failure_has_a_report() {
    let (dir, server, token) = shop();
    let failed = |arguments: &[&str]| {
        let outcome = sync(&dir, &server, &token, &[arguments, &["--report", "json"]].concat());
        assert_eq!(outcome.status.code(), Some(1), "{outcome:?}");
        let report: Value = serde_json::from_str(&outcome.out).unwrap();
        assert_eq!(report["inStep"], json!(false));
        (report["workspace"].clone(), report["error"].as_str().unwrap().to_owned())
    };
    assert_eq!(failed(&["compose.yaml"]), (Value::Null, "--workspace is missing: give the ID of the workspace".into()));
    assert_eq!(failed(&["none.yaml", "--workspace", "shop"]), (json!("shop"), "there is no file none.yaml".into()));
    dir.write("notes.txt", "hello");
    let (_, unknown) = failed(&["notes.txt", "--workspace", "shop"]);
    assert!(unknown.starts_with("notes.txt: the format was not recognized"), "{unknown}");
    dir.write("empty.mmd", "flowchart LR\n");
    let (_, empty) = failed(&["empty.mmd", "--workspace", "shop"]);
    assert!(empty.contains("empty.mmd has no components, so nothing is synchronized"), "{empty}");
    dir.write("planroom.yaml", "workspace: shop\nsource: [compose.yaml]\n");
    let outcome = sync(&dir, &server, &token, &["--report", "github"]);
    let error =
        "::error file=planroom.yaml,line=2,title=Planroom::planroom.yaml:2: the configuration has no key 'source'";
    assert!(outcome.out.starts_with(error), "{outcome:?}");
}

#[test]
fn files_of_another_format_and_diagrams_that_are_not_read_are_reported() {
    let (dir, server, token) = shop();
    dir.write("pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: { name: web }\n");
    let mixed = ["compose.yaml", "pod.yaml", "--workspace", "shop", "--source", "mixed", "--dry-run"];
    let report = sync(&dir, &server, &token, &mixed).ok();
    let text = "! warning: the file was not read, because it is a file of another format (Docker Compose); import it as a source of its own  (compose.yaml:1)";
    assert!(report.contains(text), "{report}");
    let chart = |names: &str| format!("```mermaid\nflowchart LR\n{names}\n```\n");
    let readme = format!("# One\n{}# Two\n{}", chart("A[Shop] --> B[Orders]"), chart("A[Robot] --> B[Arm]"));
    dir.write("README.md", &readme);
    sync(&dir, &server, &token, &["README.md", "--workspace", "shop"]).ok();
    assert_eq!(names(&server, &token), ["Arm", "Orders", "Robot", "Shop"]);
    // A further diagram above changes nothing in the others.
    dir.write("README.md", &format!("# Zero\n{}{readme}", chart("A[Truck] --> B[Depot]")));
    let next = sync(&dir, &server, &token, &["README.md", "--workspace", "shop"]).ok();
    assert!(!next.contains("~ ") && !next.contains("gone") && next.contains("3 added"), "{next}");
}
