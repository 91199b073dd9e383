//! `serve --standby`: reads from a copy of the database, rejected writes, replaced files, and promotion.

use std::{collections::BTreeMap, fs, path::Path};

use planroom::db::FILE_NAME;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::{
    WorkDir,
    server::{Answer, Server},
};
use crate::support::{PASSWORD, waiting::eventually};

const PRIMARY: &str = "https://plans.example.org";

/// A primary server with a workspace `shop`, and a directory for its standby.
struct Pair {
    primary: WorkDir,
    server: Server,
    session: String,
    token: String,
    standby: WorkDir,
}

impl Pair {
    fn new() -> Self {
        let primary = WorkDir::new();
        primary.admin("ada").ok();
        let server = primary.serve();
        let (session, token) = server.credentials();
        let pair = Self { primary, server, session, token, standby: WorkDir::new() };
        pair.create("shop");
        fs::create_dir(pair.standby.path("data")).unwrap();
        pair.replace(&pair.copy("first.db"));
        fs::rename(pair.primary.path("first.db.keys"), pair.standby.path("data/keys")).unwrap();
        pair
    }

    /// Creates a workspace on the primary.
    fn create(&self, id: &str) {
        let new = json!({ "id": id, "name": id });
        self.server.ask("POST", "/api/workspaces", Some(&self.session), Some(new)).json(201);
    }

    /// Copies the database of the running primary.
    fn copy(&self, name: &str) -> Vec<u8> {
        self.primary.run(&["backup", name]).ok();
        fs::read(self.primary.path(name)).unwrap()
    }

    /// Replaces the database of the standby as a whole.
    fn replace(&self, database: &[u8]) {
        let new = self.standby.path("data/new.db");
        fs::write(&new, database).unwrap();
        fs::rename(new, self.standby.path("data").join(FILE_NAME)).unwrap();
    }

    fn serve_standby(&self) -> Server {
        let arguments = ["--listen", "127.0.0.1:0", "--standby", "--primary-url", PRIMARY];
        self.standby.serve_with(&arguments, &[("PLANROOM_METRICS_TOKEN", "a-token-for-prometheus")])
    }
}

/// Asks until the status is this one.
#[track_caller]
fn wait_for(server: &Server, path: &str, token: &str, status: u16) -> Answer {
    eventually(|| {
        let answer = server.get(path, token);
        if answer.status == status { Ok(answer) } else { Err(answer.whole().clone()) }
    })
}

/// The files in a data directory with their contents, without the lock and the socket.
pub(super) fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(inner, content)| (format!("{name}/{inner}"), content)));
        } else if !["planroom.lock", "planroom.sock"].contains(&name.as_str()) {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

#[track_caller]
fn expect_refused(answer: &Answer) {
    let body = answer.json(503);
    assert_eq!(body["code"], "standby", "{body}");
    assert_eq!(
        body["error"],
        "this server is a standby and answers only reads; make changes at https://plans.example.org"
    );
}

#[test]
fn a_standby_answers_reads_and_writes_nothing() {
    let pair = Pair::new();
    let before = files(&pair.standby.path("data"));
    assert!(before.len() >= 3, "{:?}", before.keys());
    let server = pair.serve_standby();

    server.get("/api/workspaces/shop", &pair.token).json(200);
    assert_eq!(server.get("/api/me", &pair.token).json(200)["login"], "ada");
    assert_eq!(server.get("/readyz", "").json(200), json!({ "status": "ok", "standby": true }));
    assert_eq!(pair.server.get("/readyz", "").json(200), json!({ "status": "ok" }));
    let metrics = server.get("/metrics", "a-token-for-prometheus").whole();
    assert!(metrics.contains("\nplanroom_standby 1\n"), "{metrics}");
    assert!(!metrics.contains("planroom_last_backup_time_seconds"), "a standby makes no backups: {metrics}");
    let written_at = metrics.lines().find_map(|line| line.strip_prefix("planroom_standby_database_time_seconds "));
    assert!(written_at.unwrap().parse::<f64>().unwrap() > 1e9, "{written_at:?}");

    let ask = |method: &str, path: &str, body: Value| server.ask(method, path, Some(&pair.token), Some(body));
    expect_refused(&ask("POST", "/api/workspaces", json!({ "id": "other", "name": "Other" })));
    expect_refused(&ask("PATCH", "/api/workspaces/shop", json!({ "name": "Other" })));
    expect_refused(&ask("DELETE", "/api/workspaces/shop", json!(null)));
    expect_refused(&server.sign_in("ada", PASSWORD));
    expect_refused(&server.sign_in("ada", "wrong-password-of-ada"));
    expect_refused(&server.ask("POST", "/api/auth/refresh", None, None));
    let oauth = server.ask("POST", "/oauth/register", None, Some(json!({ "redirect_uris": ["https://app.test/"] })));
    assert_eq!(oauth.json(503)["error"], "temporarily_unavailable");
    // The alert for errors of the server must not fire.
    let metrics = server.get("/metrics", "a-token-for-prometheus").whole();
    let counted = |status: &str| metrics.lines().filter(|line| line.contains(status)).count();
    assert!(counted("status=\"standby\"") >= 5 && counted("status=\"5xx\"") == 0, "{metrics}");

    let call = |id: i64, name: &str, arguments: Value| {
        let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                           "io.modelcontextprotocol/clientCapabilities": {} });
        let params = json!({ "name": name, "arguments": arguments, "_meta": meta });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
    };
    let calls = [call(1, "list_workspaces", json!({})), call(2, "create_workspace", json!({ "name": "Other" }))];
    let url = format!("http://{}/", server.address);
    let bridge = ["mcp", "--stdio", "--url", &url];
    let answers = pair.standby.run_with(&bridge, &[("PLANROOM_CLIENT_TOKEN", &pair.token)], &calls.join("\n")).ok();
    let (list, create) = answers.split_once('\n').unwrap();
    assert!(list.contains("shop") && !list.contains("standby"), "{list}");
    assert!(create.contains("standby") && create.contains(PRIMARY), "{create}");

    assert_eq!(pair.standby.run(&["healthcheck"]).ok(), "ok\n");
    assert!(pair.standby.run(&["user", "list"]).ok().contains("ada"));
    for command in [
        &["user", "set-email", "ada", "ada@example.org"][..],
        &["user", "suspend", "ada", "--yes"],
        &["user", "erase", "unknown", "--yes"],
        &["admin", "rotate-key"],
        &["keys", "rotate-sharing", "--yes"],
        &["search", "rebuild"],
    ] {
        pair.standby.run(command).expect_error("this server is a standby");
    }
    let found = pair.standby.run(&["doctor"]);
    for line in [
        "OK        server         running as a standby, responds to commands\n",
        "OK        standby        the copy of the database is of 2",
        "OK        backups        a standby makes none\n",
    ] {
        assert!(found.out.contains(line), "{found:?}");
    }
    let log = server.stop().err;
    let rejected: Vec<&str> = log.lines().filter(|line| line.contains("status=503")).collect();
    assert!(rejected.len() >= 5 && rejected.iter().all(|line| line.contains("client=127.0.0.1")), "{rejected:?}");
    assert!(
        files(&pair.standby.path("data")) == before,
        "no file changed: {:?}",
        files(&pair.standby.path("data")).keys()
    );
}

#[test]
fn a_standby_shows_share_links_and_counts_nothing() {
    let pair = Pair::new();
    let session = Some(pair.session.as_str());
    let shares = "/api/workspaces/shop/shares";
    let create = |body| pair.server.ask("POST", shares, session, Some(body)).json(201)["share"].clone();
    let path = |share: &Value| {
        let url = share["url"].as_str().unwrap();
        url[url.find("/s/").unwrap()..].to_owned()
    };
    let open = path(&create(json!({ "name": "Open" })));
    let locked = path(&create(json!({ "name": "Locked", "password": "a-long-enough-password" })));
    pair.replace(&pair.copy("shared.db"));
    let before = files(&pair.standby.path("data"));

    let server = pair.serve_standby();
    for part in ["", "/model.json", "/image.svg"] {
        let answer = server.ask("GET", &format!("{open}{part}"), None, None);
        assert_eq!(answer.status, 200, "{part}: {}", answer.whole());
    }
    let form = "Content-Type: application/x-www-form-urlencoded\r\n";
    let unlock = server.ask_with("POST", &format!("{locked}/unlock"), form, None);
    assert_eq!(unlock.status, 503, "{}", unlock.whole());
    server.stop().ok();
    assert!(files(&pair.standby.path("data")) == before, "nothing is counted");
}

#[test]
fn a_standby_reads_the_file_that_replaced_its_database() {
    let pair = Pair::new();
    let server = pair.serve_standby();
    assert_eq!(server.get("/api/workspaces/later", &pair.token).status, 404);
    pair.create("later");
    let later = pair.copy("later.db");
    pair.replace(&later);
    wait_for(&server, "/api/workspaces/later", &pair.token, 200);

    pair.replace(b"not a database");
    wait_for(&server, "/readyz", "", 500);
    server.get("/api/workspaces/later", &pair.token).json(200);

    let tokens = pair.server.get("/api/me/tokens", &pair.session).json(200);
    let id = &tokens["tokens"][0]["id"];
    assert_eq!(pair.server.ask("DELETE", &format!("/api/me/tokens/{id}"), Some(&pair.session), None).status, 200);
    pair.replace(&pair.copy("revoked.db"));
    wait_for(&server, "/readyz", "", 200);
    assert_eq!(server.get("/api/workspaces/later", &pair.token).status, 401, "the new copy says that it is revoked");
    let log = server.stop().err;
    assert!(log.contains("cannot use the new database file") && log.contains("serving the new one"), "{log}");
}

#[test]
fn a_standby_tries_a_file_again_that_it_could_not_open() {
    let pair = Pair::new();
    let server = pair.serve_standby();
    pair.create("later");
    let later = pair.copy("later.db");
    // Prevents opening the file without changing it.
    let log = pair.standby.path("data/planroom.db-wal");
    fs::write(&log, "frames").unwrap();
    pair.replace(&later);
    wait_for(&server, "/readyz", "", 500);
    assert_eq!(server.get("/api/workspaces/later", &pair.token).status, 404);
    fs::remove_file(&log).unwrap();
    wait_for(&server, "/api/workspaces/later", &pair.token, 200);
    wait_for(&server, "/readyz", "", 200);
    let log = server.stop().err;
    assert_eq!(log.matches("cannot use the new database file").count(), 1, "{log}");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test changes a database as no server does")]
fn a_standby_needs_a_complete_copy_of_its_own_version() {
    let pair = Pair::new();
    let (dir, data) = (&pair.standby, pair.standby.path("data"));
    let serve = ["serve", "--listen", "127.0.0.1:0", "--standby"];
    let refused = |text: &str| {
        let before = files(&data);
        dir.run(&serve).expect_error(text);
        assert!(files(&data) == before, "{text}");
    };
    fs::write(data.join("planroom.db-wal"), "frames").unwrap();
    refused("there is a write-ahead log next to it");
    fs::remove_file(data.join("planroom.db-wal")).unwrap();

    fs::rename(data.join("keys"), dir.path("keys")).unwrap();
    refused("a standby needs the keys of the primary server in data/keys");
    fs::rename(dir.path("keys"), data.join("keys")).unwrap();

    let connection = Connection::open(data.join(FILE_NAME)).unwrap();
    let newest: i32 =
        connection.query_row("SELECT max(version) FROM refinery_schema_history", [], |row| row.get(0)).unwrap();
    for (other, sql) in [
        (newest - 1, "DELETE FROM refinery_schema_history WHERE version = ?"),
        (newest + 7, "UPDATE refinery_schema_history SET version = ?1 + 7 WHERE version = ?1 - 1"),
    ] {
        connection.execute(sql, [newest]).unwrap();
        connection.pragma_update(None, "wal_checkpoint", "TRUNCATE").unwrap();
        refused(&format!("has version {other}, but a standby of this release needs version {newest}"));
    }
    drop(connection);
    fs::remove_file(data.join(FILE_NAME)).unwrap();
    refused("there is no such file; copy the database first");
    let misused = dir.run(&["serve", "--primary-url", PRIMARY]);
    assert_eq!(misused.status.code(), Some(2), "{misused:?}");
    let misused = dir.run(&["serve", "--standby", "--primary-url", "plans"]);
    assert!(misused.status.code() == Some(2) && misused.err.contains("is not a URL that begins with"), "{misused:?}");
}

#[test]
fn the_unit_of_the_standby_protects_it_like_that_of_the_server() {
    let unit =
        |name: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("systemd").join(name)).unwrap();
    let (server, standby) = (unit("planroom.service"), unit("planroom-standby.service"));
    let protection = |unit: &str| {
        unit[unit.find("UMask=").unwrap()..]
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(protection(&server), protection(&standby));
    // Starting the server stops the others first, which needs an order.
    for unit in [standby, unit("planroom-copy.service")] {
        assert!(unit.contains("\nConflicts=planroom.service\nBefore=planroom.service\n"), "{unit}");
    }
}

#[test]
fn a_promoted_standby_accepts_writes_in_a_new_incarnation() {
    let Pair { primary, server, token, standby, .. } = Pair::new();
    server.stop().ok();
    // Unlike a backup, a plain copy does not tell that it is one, and the copied keys have the position of the primary.
    fs::copy(primary.path("data/planroom.db"), standby.path("data/planroom.db")).unwrap();
    fs::copy(primary.path("data/keys/last-change"), standby.path("data/keys/last-change")).unwrap();
    let server = standby.serve_with(&["--listen", "127.0.0.1:0", "--standby"], &[]);
    let tag = |server: &Server| server.get("/api/workspaces/shop", &token).header("etag").to_owned();
    let before = tag(&server);
    assert!(server.sign_in("ada", PASSWORD).json(503)["error"].as_str().unwrap().ends_with("on the primary server"));
    server.stop().ok();

    let server = standby.serve();
    server.ask("POST", "/api/workspaces", Some(&token), Some(json!({ "id": "new", "name": "New" }))).json(201);
    assert!(!before.is_empty() && tag(&server) != before, "{before}");
    let log = server.stop().err;
    assert!(log.contains("started a new incarnation"), "{log}");
}
