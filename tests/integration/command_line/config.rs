//! The configuration: precedence, and the commands that show and validate it.

use serde_json::json;

use super::WorkDir;

#[test]
fn flags_override_variables_and_variables_override_the_file() {
    // Not an address of this machine, so listening fails.
    const ELSEWHERE: &str = "203.0.113.1:1";
    let dir = WorkDir::new();
    let file = dir.write("planroom.toml", &format!("listen = {ELSEWHERE:?}\ndata_dir = \"from-file\"\n"));
    let file = file.to_str().unwrap();
    let variables = [("PLANROOM_LISTEN", ELSEWHERE), ("PLANROOM_DATA_DIR", "from-variable"), ("PLANROOM_CONFIG", file)];
    dir.serve_with(&["--listen", "127.0.0.1:0", "--data-dir", "from-flag"], &variables).stop().ok();
    let variables = [("PLANROOM_LISTEN", "127.0.0.1:0"), ("PLANROOM_DATA_DIR", "from-variable")];
    dir.serve_with(&["--config", file], &variables).stop().ok();
    dir.run(&["serve", "--config", file]).expect_error(&format!("cannot listen on {ELSEWHERE}"));
    dir.write("planroom.toml", "listen = \"127.0.0.1:0\"\ndata_dir = \"from-file\"\n");
    dir.serve_with(&["--config", file], &[]).stop().ok();
    dir.serve().stop().ok();
    for directory in ["from-flag", "from-variable", "from-file", "data"] {
        assert!(dir.path(directory).join("planroom.db").exists(), "{directory}");
    }
}

#[test]
fn config_show_prints_every_value_and_its_source() {
    let dir = WorkDir::new();
    dir.write("planroom.toml", "[log]\nformat = \"json\"\n");
    let variables = [("PLANROOM_LISTEN", "127.0.0.1:1"), ("PLANROOM_CONFIG", "planroom.toml")];
    let text = dir.run_with(&["config", "show", "--data-dir", "here"], &variables, "").ok();
    let line = |key: &str| {
        let found = text.lines().find(|line| line.split(' ').next() == Some(key));
        found.unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("data_dir"), "data_dir = \"here\" # flag --data-dir");
    assert_eq!(line("listen"), "listen = \"127.0.0.1:1\" # environment PLANROOM_LISTEN");
    assert_eq!(line("log.format"), "log.format = \"json\" # file planroom.toml");
    assert_eq!(line("log.level"), "log.level = \"info\" # default");
    dir.run_with(&["config", "show"], &[("PLANROOM_LISTN", "x")], "").expect_error("did you mean PLANROOM_LISTEN?");
    dir.run(&["config", "show", "--config", "nowhere.toml"]).expect_error("nowhere.toml");
    let alone = dir.run_with(&["config", "show"], &[("PLANROOM_MAIL_HOST", "mail.example.org")], "");
    assert!(alone.expect_error("mail.from is \"\"").starts_with("planroom: default: mail.from"));
    // Packages rely on this status to prevent restarts.
    let invalid = dir.run_with(&["serve"], &[("PLANROOM_LISTEN", "nowhere")], "");
    assert_eq!(invalid.status.code(), Some(78), "{invalid:?}");
}

#[test]
fn config_check_reports_line_and_key() {
    let dir = WorkDir::new();
    dir.write("good.toml", planroom::config::EXAMPLE);
    assert_eq!(dir.run(&["config", "check", "good.toml"]).ok(), "good.toml is valid\n");
    dir.write("bad.toml", "# A comment.\n[limits]\nbody_byte = 1\n");
    dir.run(&["config", "check", "bad.toml"])
        .expect_error("bad.toml:3: unknown key limits.body_byte; did you mean limits.body_bytes?");
    dir.write("bad.toml", "listen = \n");
    dir.run(&["config", "check", "bad.toml"]).expect_error("bad.toml:1:");
    dir.write("bad.toml", "\nlisten = \"here\"\n");
    dir.run(&["config", "check", "bad.toml"]).expect_error("bad.toml:2: listen is \"here\"; it must be");
}

#[test]
fn settings_in_the_configuration_are_locked_and_secrets_hidden() {
    const SECRET: &str = "s3cret-of-the-wiki";
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    dir.write("secret", &format!("{SECRET}\n"));
    dir.write("planroom.toml", "[instance]\nname = \"Plans of Acme\"\n");
    let variables = [
        ("PLANROOM_CONFIG", "planroom.toml"),
        ("PLANROOM_WIKI_CLIENT_SECRET_FILE", "secret"),
        ("PLANROOM_LOG_LEVEL", "trace"),
    ];
    let shown = dir.run_with(&["config", "show"], &variables, "").ok();
    assert!(!shown.contains(SECRET), "{shown}");
    assert!(shown.contains("# environment PLANROOM_WIKI_CLIENT_SECRET_FILE"), "{shown}");
    let server = dir.serve_with(&["--listen", "127.0.0.1:0"], &variables);
    let (_, token) = server.credentials();
    let settings = server.get("/api/admin/settings", &token).json(200);
    assert!(!settings.to_string().contains(SECRET));
    let one =
        |key: &str| settings["settings"].as_array().unwrap().iter().find(|one| one["key"] == key).unwrap().clone();
    let (name, secret) = (one("instance.name"), one("wiki.client_secret"));
    assert_eq!((&name["value"], &name["lockedBy"]), (&json!("Plans of Acme"), &json!("planroom.toml:2")));
    assert_eq!((&secret["isSet"], &secret["lockedBy"]), (&json!(true), &json!("PLANROOM_WIKI_CLIENT_SECRET_FILE")));
    let change = json!({ "wiki.client_secret": "another" });
    let refusal = server.ask("PATCH", "/api/admin/settings", Some(&token), Some(change)).json(409);
    let text = "wiki.client_secret is locked: it is set by PLANROOM_WIKI_CLIENT_SECRET_FILE; change it there";
    assert_eq!(refusal["error"], text);
    let stopped = server.stop();
    assert!(stopped.status.success() && !stopped.err.contains(SECRET), "{}", stopped.err);
    let variables = [("PLANROOM_WIKI_CLIENT_SECRET_FILE", "nowhere")];
    dir.run_with(&["serve"], &variables, "")
        .expect_error("PLANROOM_WIKI_CLIENT_SECRET_FILE: cannot read the file nowhere");
}

#[test]
fn unrelated_variables_do_not_prevent_commands() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let variables = [
        ("PLANROOM_PORT", "tcp://10.96.12.7:8420"),
        ("PLANROOM_SERVICE_HOST", "10.96.12.7"),
        ("PLANROOM_PORT_8420_TCP_PORT", "8420"),
        ("PLANROOM_VERSION", "1"),
    ];
    let server = dir.serve_with(&["--listen", "127.0.0.1:0"], &variables);
    let health = dir.run_with(&["healthcheck"], &variables, "");
    assert_eq!(health.err, "planroom: warning: ignored unknown environment variable PLANROOM_VERSION\n");
    assert_eq!(health.ok(), "ok\n");
    let log = server.stop();
    assert!(log.err.contains("PLANROOM_VERSION") && !log.err.contains("PLANROOM_PORT"), "{}", log.err);
}
