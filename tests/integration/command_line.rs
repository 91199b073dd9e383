//! The real binary, as it is typed: what it prints, what it refuses, and what it leaves behind.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::PathBuf,
    process::{Child, ChildStdout, Command, ExitStatus, Stdio},
    time::{Duration, Instant},
};

use clap::CommandFactory;
use planroom::cli::Cli;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::PASSWORD;

/// A place to type in: an empty working directory. The data is in `data`, by default.
struct Desk(TempDir);

/// What a command came to.
#[derive(Debug)]
struct Outcome {
    status: ExitStatus,
    out: String,
    err: String,
}

impl Outcome {
    /// Expects success, and answers with what was printed.
    #[track_caller]
    fn ok(self) -> String {
        assert!(self.status.success(), "{self:?}");
        self.out
    }

    /// Expects failure as every failure is told: exit code 1, and one line that begins with the name of the program
    /// and contains `text`. Nothing else is printed.
    #[track_caller]
    fn refused(self, text: &str) -> String {
        assert_eq!(self.status.code(), Some(1), "{self:?}");
        assert!(self.err.starts_with("planroom: "), "{self:?}");
        assert_eq!(self.err.trim_end().lines().count(), 1, "{self:?}");
        assert!(self.err.contains(text), "expected `{text}` in {self:?}");
        assert_eq!(self.out, "");
        self.err
    }
}

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    /// The binary in this directory, without our variables.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_planroom"));
        command.args(arguments).current_dir(self.0.path());
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("PLANROOM_")) {
            command.env_remove(name);
        }
        command
    }

    fn run(&self, arguments: &[&str]) -> Outcome {
        self.run_with(arguments, &[], "")
    }

    fn run_with(&self, arguments: &[&str], variables: &[(&str, &str)], input: &str) -> Outcome {
        let mut command = self.command(arguments);
        command.envs(variables.iter().copied());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A command that does not read its input may be gone already.
        drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Outcome { status: output.status, out: text(output.stdout), err: text(output.stderr) }
    }

    /// Makes the administrator `login` of `acme`.
    fn admin(&self, login: &str) -> Outcome {
        let arguments = ["admin", "create", "--login", login, "--name", "Ada", "--org", "acme", "--password-stdin"];
        self.run_with(&arguments, &[], &format!("{PASSWORD}\n"))
    }

    fn serve(&self) -> Server {
        self.serve_with(&["--listen", "127.0.0.1:0"], &[])
    }

    fn serve_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Server {
        let log = self.path("log");
        let mut command = self.command(&[&["serve"], arguments].concat());
        command.envs(variables.iter().copied());
        let mut child =
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(File::create(&log).unwrap()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let Some(address) = line.trim_end().strip_prefix("listening on http://").map(str::to_owned) else {
            drop(child.kill());
            drop(child.wait());
            panic!("the first line was {line:?}; the log: {}", fs::read_to_string(&log).unwrap());
        };
        Server { child, out, address, log }
    }
}

/// A running server; it is killed when this is dropped.
struct Server {
    child: Child,
    out: BufReader<ChildStdout>,
    address: String,
    log: PathBuf,
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// An answer over HTTP.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    #[track_caller]
    fn json(&self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        serde_json::from_str(&self.body).unwrap()
    }

    fn header(&self, name: &str) -> &str {
        let lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value).unwrap_or_default()
    }
}

impl Server {
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line
    }

    fn ask(&self, method: &str, path: &str, credential: Option<&str>, body: Option<Value>) -> Answer {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let authorization = credential.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n{authorization}\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_owned(), body: body.to_owned() }
    }

    fn get(&self, path: &str, credential: &str) -> Answer {
        self.ask("GET", path, Some(credential), None)
    }

    fn sign_in(&self, login: &str, password: &str) -> Answer {
        self.ask("POST", "/api/auth/login", None, Some(json!({ "login": login, "password": password })))
    }

    /// A session of `ada`'s, and a token for a script.
    fn credentials(&self) -> (String, String) {
        let session = self.sign_in("ada", PASSWORD).json(200)["token"].as_str().unwrap().to_owned();
        let minted = self.ask("POST", "/api/me/tokens", Some(&session), Some(json!({ "name": "script" }))).json(201);
        (session, minted["token"].as_str().unwrap().to_owned())
    }

    /// Stops the server as an init system does. Answers with what it came to, and all that it printed and had not been
    /// read.
    fn stop(mut self) -> Outcome {
        kill_process(Pid::from_child(&self.child), Signal::TERM).unwrap();
        let deadline = Instant::now() + Duration::from_secs(30);
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < deadline, "it does not stop: {}", fs::read_to_string(&self.log).unwrap());
            std::thread::sleep(Duration::from_millis(10));
        };
        let mut out = String::new();
        self.out.read_to_string(&mut out).unwrap();
        Outcome { status, out, err: fs::read_to_string(&self.log).unwrap() }
    }
}

// Serving --------------------------------------------------------------------------------------------------------------

#[test]
fn a_new_instance_prints_its_address_and_a_link_for_the_first_account() {
    let desk = Desk::new();
    let mut server = desk.serve();
    let link = server.line();
    let address = server.address.clone();
    let (text, token) = link.trim_end().split_once(&format!("http://{address}/setup#")).unwrap();
    assert!(text.contains("nobody has an account yet") && token.len() > 20, "{link}");
    server.ask("GET", "/healthz", None, None).json(200);
    let form = json!({ "token": token, "login": "ada", "displayName": "Ada", "password": PASSWORD,
                       "organization": "Acme" });
    server.ask("POST", "/api/auth/setup", None, Some(form)).json(200);
    let stopped = server.stop();
    assert!(!stopped.err.contains(token), "the link is no matter of the log");
    stopped.ok();

    let server = desk.serve();
    server.sign_in("ada", PASSWORD).json(200);
    assert_eq!(server.stop().ok(), "", "there is no link once there is an account");
}

#[test]
fn sigterm_stops_the_server_and_leaves_one_file() {
    let desk = Desk::new();
    desk.admin("ada").ok();
    let server = desk.serve();
    server.credentials();
    // A connection that was kept open is no reason to wait.
    let idle = TcpStream::connect(&server.address).unwrap();
    let begun = Instant::now();
    let stopped = server.stop();
    assert!(begun.elapsed() < Duration::from_secs(8), "{stopped:?}");
    assert_eq!(stopped.status.code(), Some(0), "{stopped:?}");
    assert!(stopped.err.contains("told to stop"), "{stopped:?}");
    assert!(!stopped.err.contains("WARN") && !stopped.err.contains("ERROR"), "{stopped:?}");
    let log = fs::metadata(desk.path("data/planroom.db-wal")).map_or(0, |file| file.len());
    assert_eq!(log, 0, "the write-ahead log is emptied");
    drop(idle);
}

#[test]
fn a_second_server_on_the_same_data_is_refused() {
    let desk = Desk::new();
    let server = desk.serve();
    let second = desk.run(&["serve", "--listen", "127.0.0.1:0"]);
    second.refused("another Planroom already uses data; stop it first, or choose another --data-dir");
    assert_eq!(server.ask("GET", "/healthz", None, None).status, 200);
}

#[test]
fn a_taken_port_is_refused_before_anything_is_made() {
    let desk = Desk::new();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    desk.run(&["serve", "--listen", &address]).refused(&format!("cannot listen on {address}"));
    assert!(!desk.path("data").exists());
}

#[test]
fn flags_are_stronger_than_variables_and_those_than_the_file() {
    // No address of this machine: whoever listens there fails.
    const ELSEWHERE: &str = "203.0.113.1:1";
    let desk = Desk::new();
    let file = desk.write("planroom.toml", &format!("listen = {ELSEWHERE:?}\ndata_dir = \"from-file\"\n"));
    let file = file.to_str().unwrap();
    let variables = [("PLANROOM_LISTEN", ELSEWHERE), ("PLANROOM_DATA_DIR", "from-variable"), ("PLANROOM_CONFIG", file)];
    desk.serve_with(&["--listen", "127.0.0.1:0", "--data-dir", "from-flag"], &variables).stop().ok();
    let variables = [("PLANROOM_LISTEN", "127.0.0.1:0"), ("PLANROOM_DATA_DIR", "from-variable")];
    desk.serve_with(&["--config", file], &variables).stop().ok();
    desk.run(&["serve", "--config", file]).refused(&format!("cannot listen on {ELSEWHERE}"));
    desk.write("planroom.toml", "listen = \"127.0.0.1:0\"\ndata_dir = \"from-file\"\n");
    desk.serve_with(&["--config", file], &[]).stop().ok();
    desk.serve().stop().ok();
    for directory in ["from-flag", "from-variable", "from-file", "data"] {
        assert!(desk.path(directory).join("planroom.db").exists(), "{directory}");
    }
}

// Administrators -------------------------------------------------------------------------------------------------------

#[test]
fn an_administrator_is_made_with_and_without_a_server() {
    let desk = Desk::new();
    let text = desk.admin("ada").ok();
    assert!(text.contains("ada is an administrator now, of the instance and of acme"), "{text}");
    let server = desk.serve();
    // At once: whoever reads the server's first line may go on.
    desk.admin("grace").ok();
    for login in ["ada", "grace"] {
        let signed_in = server.sign_in(login, PASSWORD).json(200);
        assert_eq!(signed_in["session"]["orgSlug"], "acme");
    }
    desk.admin("ADA").refused("a user with the login `ADA` exists already");
    server.stop().ok();
    desk.admin("Grace").refused("a user with the login `Grace` exists already");
}

#[test]
fn an_administrator_that_cannot_be_is_refused_in_one_sentence() {
    let desk = Desk::new();
    let make = |login: &str, name: &str, org: &str, input: &str| {
        let arguments = ["admin", "create", "--login", login, "--name", name, "--org", org, "--password-stdin"];
        desk.run_with(&arguments, &[], input)
    };
    let refusals = || {
        let good = format!("{PASSWORD}\n");
        make("ada", "Ada", "acme", "short\n").refused("a password has 8 to 128");
        make("ada", "Ada", "acme", "").refused("a password has 8 to 128");
        make("ada", "Ada", "Acme & Sons", &good).refused("--org: must consist of lower-case letters");
        make("a da", "Ada", "acme", &good).refused("--login: must not contain white space");
        make("ada", " ", "acme", &good).refused("--name: must have 1 to 200 characters");
        let asking = desk.run(&["admin", "create", "--login", "ada", "--name", "Ada", "--org", "acme"]);
        asking.refused("no terminal to ask for the password; use --password-stdin");
    };
    refusals();
    let mut server = desk.serve();
    assert!(server.line().contains("nobody has an account yet"), "none of these made an account");
    refusals();
}

// Models ---------------------------------------------------------------------------------------------------------------

/// A small model, in the form and order in which it is exported.
fn model() -> Value {
    json!({
        "workspace": { "id": "лавка", "name": "Лавка", "description": "Ein Laden.\n", "properties": { "z": 1, "a": [2.5] } },
        "components": [
            { "id": "заказ/сервис", "typeId": "service", "name": "Заказ", "x": 10.5, "y": -20.0, "properties": {} },
            { "id": "漢字 🚀", "typeId": "database", "name": "漢字", "description": "", "x": 0.1, "y": 0.2,
              "properties": { "lifecycle": "live" } },
        ],
        "relationships": [
            { "id": "пишет", "sourceId": "заказ/сервис", "targetId": "漢字 🚀", "typeId": "writes", "label": "Zeilen",
              "properties": {} },
        ],
    })
}

const IMPORT: [&str; 6] = ["workspace", "import", "--id", "лавка", "--org", "acme"];

fn import<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&IMPORT[..], more].concat()
}

#[test]
fn a_model_is_brought_in_and_taken_out_as_it_was() {
    let desk = Desk::new();
    desk.admin("ada").ok();
    desk.write("model.json", &model().to_string());
    let round = |server: &str| {
        let text = desk.run(&import(&["model.json"])).ok();
        assert_eq!(text, "лавка has 2 components and 1 relationships now\n", "{server}");
        let exported = desk.run(&["workspace", "export", "лавка"]).ok();
        // As text: the order of keys counts.
        assert_eq!(serde_json::from_str::<Value>(&exported).unwrap().to_string(), model().to_string(), "{server}");
        exported
    };
    let alone = round("without a server");
    let server = desk.serve();
    assert_eq!(round("through the server"), alone);
    // What was exported can be imported again, also through a pipe, and changes nothing.
    let (_, token) = server.credentials();
    let path = "/api/workspaces/%D0%BB%D0%B0%D0%B2%D0%BA%D0%B0";
    let before = server.get(path, &token).json(200);
    desk.run_with(&import(&["-"]), &[], &alone).ok();
    assert_eq!(server.get(path, &token).json(200), before);
}

#[test]
fn a_dry_run_says_what_would_change_and_writes_nothing() {
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
fn a_model_that_cannot_be_is_refused_with_file_and_field_and_nothing_is_written() {
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
        broken(|model| model["components"][0]["colour"] = json!(1))
            .refused("components[0].colour: this resource has no");
        desk.write("broken.json", "{ \"components\": [");
        desk.run(&import(&["broken.json"])).refused("broken.json: ");
        desk.run(&import(&["nowhere.json"])).refused("cannot read nowhere.json: ");
        let exported: Value = serde_json::from_str(&desk.run(&["workspace", "export", "лавка"]).ok()).unwrap();
        assert_eq!(exported, model());
    };
    refusals();
    let _server = desk.serve();
    refusals();
    let nobody = ["workspace", "import", "--id", "w", "--org", "nowhere", "model.json"];
    desk.run(&nobody).refused("there is no organization `nowhere`");
    desk.run(&import(&["--as", "eve", "model.json"])).refused("there is no user `eve`");
    desk.run(&["workspace", "export", "nothing"]).refused("workspace not found");
}

#[test]
fn a_command_makes_no_database_by_mistake() {
    let desk = Desk::new();
    desk.write("model.json", &model().to_string());
    desk.run(&import(&["model.json"])).refused("there is no database in data; check --data-dir");
    desk.run(&["workspace", "export", "w"]).refused("there is no database in data");
    desk.run(&["backup", "copy.db"]).refused("there is no database in data");
    desk.run(&["healthcheck"]).refused("no server runs on data");
    assert!(!desk.path("data").exists());
}

// Backups and checks ---------------------------------------------------------------------------------------------------

#[test]
fn a_backup_beside_a_running_server_can_be_served() {
    let desk = Desk::new();
    desk.admin("ada").ok();
    let server = desk.serve();
    let (_, token) = server.credentials();
    desk.write("model.json", &model().to_string());
    desk.run(&import(&["model.json"])).ok();
    let text = desk.run(&["backup", "copy.db"]).ok();
    assert_eq!(text, "copy.db holds the database, verified; copy.db.keys holds the keys\n");
    desk.run(&["backup", "copy.db"]).refused("copy.db.keys exists already; choose another name");
    fs::remove_dir_all(desk.path("copy.db.keys")).unwrap();
    desk.run(&["backup", "copy.db"]).refused("copy.db exists already; choose another name");
    desk.run(&["backup", "other.db"]).ok();
    server.stop().ok();

    let elsewhere = Desk::new();
    fs::create_dir(elsewhere.path("data")).unwrap();
    fs::copy(desk.path("other.db"), elsewhere.path("data/planroom.db")).unwrap();
    fs::rename(desk.path("other.db.keys"), elsewhere.path("data/keys")).unwrap();
    let server = elsewhere.serve();
    server.get("/api/workspaces/%D0%BB%D0%B0%D0%B2%D0%BA%D0%B0", &token).json(200);
    server.sign_in("ada", PASSWORD).json(200);
    server.stop().ok();
}

#[test]
fn the_healthcheck_tells_a_running_server_from_none() {
    let desk = Desk::new();
    let server = desk.serve();
    assert_eq!(desk.run(&["healthcheck"]).ok(), "ok\n");
    server.stop().ok();
    desk.run(&["healthcheck"]).refused("no server runs on data");
}

#[test]
fn config_show_names_every_value_and_where_it_comes_from() {
    let desk = Desk::new();
    desk.write("planroom.toml", "[log]\nformat = \"json\"\n");
    let variables = [("PLANROOM_LISTEN", "127.0.0.1:1"), ("PLANROOM_CONFIG", "planroom.toml")];
    let text = desk.run_with(&["config", "show", "--data-dir", "here"], &variables, "").ok();
    let line = |key: &str| {
        let found = text.lines().find(|line| line.split(' ').next() == Some(key));
        found.unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("data_dir"), "data_dir = \"here\" # flag --data-dir");
    assert_eq!(line("listen"), "listen = \"127.0.0.1:1\" # environment PLANROOM_LISTEN");
    assert_eq!(line("log.format"), "log.format = \"json\" # file planroom.toml");
    assert_eq!(line("log.level"), "log.level = \"info\" # default");
    desk.run_with(&["config", "show"], &[("PLANROOM_LISTN", "x")], "").refused("did you mean PLANROOM_LISTEN?");
    desk.run(&["config", "show", "--config", "nowhere.toml"]).refused("nowhere.toml");
}

#[test]
fn config_check_names_line_and_key() {
    let desk = Desk::new();
    desk.write("good.toml", planroom::config::EXAMPLE);
    assert_eq!(desk.run(&["config", "check", "good.toml"]).ok(), "good.toml is right\n");
    desk.write("bad.toml", "# A comment.\n[limits]\nbody_byte = 1\n");
    desk.run(&["config", "check", "bad.toml"])
        .refused("bad.toml:3: unknown key limits.body_byte; did you mean limits.body_bytes?");
    desk.write("bad.toml", "listen = \n");
    desk.run(&["config", "check", "bad.toml"]).refused("bad.toml:1:");
    desk.write("bad.toml", "\nlisten = \"here\"\n");
    desk.run(&["config", "check", "bad.toml"]).refused("bad.toml:2: listen is \"here\"; it must be");
}

// What describes the program -------------------------------------------------------------------------------------------

#[test]
fn the_program_describes_itself() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["--version"]).ok(), format!("planroom {}\n", env!("CARGO_PKG_VERSION")));
    let document: Value = serde_json::from_str(&desk.run(&["openapi"]).ok()).unwrap();
    assert!(document["paths"]["/api/workspaces"].is_object());
    for shell in ["bash", "zsh", "fish"] {
        assert!(desk.run(&["completions", shell]).ok().contains("planroom"), "{shell}");
    }
    let unknown = desk.run(&["srve"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(unknown.err.contains("serve"), "{unknown:?}");
}

#[test]
fn every_command_and_every_flag_is_explained() {
    fn walk(command: &clap::Command, path: &str) {
        assert!(command.get_about().is_some(), "{path} has no explanation");
        for argument in command.get_arguments() {
            let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
            assert!(!help.is_empty(), "{path}: {} has no explanation", argument.get_id());
            assert!(!help.ends_with('.'), "{path}: {} ends with a full stop, others do not", argument.get_id());
        }
        let words = path.split(' ').chain(["--help"]);
        let shown = Cli::command().try_get_matches_from(words).unwrap_err();
        assert_eq!(shown.kind(), clap::error::ErrorKind::DisplayHelp, "{path}");
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
            walk(inner, &format!("{path} {}", inner.get_name()));
        }
    }
    let mut command = Cli::command();
    command.build();
    walk(&command, "planroom");
}

// The log --------------------------------------------------------------------------------------------------------------

/// Lets a server be used in all ways that involve a secret, and answers with its log, the secrets, and the ids of its
/// requests: anonymous ones, of a session, of a token.
fn logged(format: &str, level: &str) -> (String, Vec<String>, [String; 3]) {
    const WRONG: &str = "wrong-password-of-ada";
    const MADE_UP: &str = "svc_pat_made-up-token";
    let desk = Desk::new();
    desk.admin("ada").ok();
    let variables = [("PLANROOM_LOG_FORMAT", format), ("PLANROOM_LOG_LEVEL", level)];
    let server = desk.serve_with(&["--listen", "127.0.0.1:0"], &variables);
    assert_eq!(server.sign_in("ada", WRONG).status, 401);
    assert_eq!(server.get("/api/me", MADE_UP).status, 401);
    assert_eq!(server.get("/api/workspaces?secret=in-the-query", MADE_UP).status, 400);
    let other = ["admin", "create", "--login", "eve", "--name", "Eve", "--org", "acme", "--password-stdin"];
    desk.run_with(&other, &[], "password-through-the-socket\n").ok();
    let (session, token) = server.credentials();
    let id = |answer: &Answer| answer.header("x-request-id").to_owned();
    let ids = [
        id(&server.ask("GET", "/api/me", None, None)),
        id(&server.get("/api/me", &session)),
        id(&server.get("/api/workspaces/nowhere", &token)),
    ];
    let signature = session.rsplit('.').next().unwrap().to_owned();
    let secrets = [PASSWORD, WRONG, MADE_UP, "in-the-query", "password-through-the-socket"].map(str::to_owned);
    let secrets = secrets.into_iter().chain([session, signature, token]).collect();
    let stopped = server.stop();
    assert!(stopped.status.success());
    (stopped.err, secrets, ids)
}

#[test]
fn no_secret_is_logged_at_any_level() {
    for format in ["text", "json"] {
        let (log, secrets, _) = logged(format, "trace");
        assert!(log.lines().count() > 10, "{log}");
        for secret in secrets {
            assert!(!log.contains(&secret), "`{secret}` is in the log:\n{log}");
        }
    }
}

#[test]
fn each_request_is_one_line_with_id_status_time_and_kind_of_caller() {
    let expected =
        [("anonymous", 401, "/api/me"), ("session", 200, "/api/me"), ("token", 404, "/api/workspaces/nowhere")];
    let one = |log: &str, id: &str| {
        assert_eq!(id.len(), 32);
        let lines: Vec<_> = log.lines().filter(|line| line.contains(id)).collect();
        assert_eq!(lines.len(), 1, "{id} in {log}");
        lines[0].to_owned()
    };

    let (log, _, ids) = logged("text", "info");
    for (id, (caller, status, path)) in ids.iter().zip(expected) {
        let line = one(&log, id);
        for part in [format!("status={status}"), format!("caller=\"{caller}\""), format!("path={path:?}"), "ms=".into()]
        {
            assert!(line.contains(&part), "{part} in {line}");
        }
        assert!(!line.contains('\u{1b}'), "no colours where nobody looks: {line}");
    }

    let (log, _, ids) = logged("json", "info");
    for line in log.lines() {
        let event: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert!(event["timestamp"].is_string() && event["level"].is_string(), "{line}");
    }
    for (id, (caller, status, path)) in ids.iter().zip(expected) {
        let event: Value = serde_json::from_str(&one(&log, id)).unwrap();
        assert_eq!((&event["status"], &event["caller"]), (&json!(status), &json!(caller)));
        assert_eq!((&event["path"], &event["method"]), (&json!(path), &json!("GET")));
        assert!(event["ms"].is_u64() && event["request_id"] == **id, "{event}");
    }
}
