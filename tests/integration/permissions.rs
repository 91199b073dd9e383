//! Who may what: every route against every kind of caller, held against a table written by hand from the API's rules.
//!
//! Nothing here is derived from the code under test. A route without a row fails, and so does a row without a route.

use std::collections::{BTreeSet, HashMap};

use axum::http::Method;
use planroom::{
    auth::{MCP_PREFIX, PAT_PREFIX, tokens},
    rest::{Need, table},
};
use rusqlite::{Connection, params};
use serde_json::{Value, json};

use crate::support::{Actor, PASSWORD, Reply, Stage};

/// The matrix. A column is a caller, and the workspace they are put before:
///
/// | | caller | visibility | explicit level |
/// |---|---|---|---|
/// | A | anonymous: no credential | `org` | |
/// | M m p | member of the organization, no more | `org`, `members`, `private` | |
/// | V E O | members of the workspace, by session | `private` | viewer, editor, owner |
/// | P | the same owner, by personal access token | `private` | owner |
/// | G g h | administrator of the organization | `org`, `members`, `private` | |
/// | I i | instance administrator, active in the organization as a plain member | `org`, `private` | |
/// | J | instance administrator with no organization active, by session | `private` | |
/// | X | member of another organization | `org` | |
/// | Y | owner, with a token bound to another organization of theirs | `org` | owner |
/// | S | suspended | `org` | owner |
/// | L K | legacy token, bound to no organization, of an owner, of an instance administrator | `org` | owner, – |
/// | F f | left the organization, by session, by token | `org` | owner |
/// | T | owner, with a token of an MCP client | `org` | owner |
/// | N | nomad: a session without any organization | `org` | |
///
/// `+` is success with the status in the column `ok`. Refusals are named by the last digit of their status: `0` 400
/// with code `no_active_org`, `1` 401, `3` 403 without a code, `4` 404; `s` is 403 with code `account_suspended`.
///
/// The column `what` is `-` for the plain use of a route, which must agree with the route's declared need.
#[rustfmt::skip]
const MATRIX: &str = "
METHOD PATH                                     what      ok    A  M m p  V E O P  G g h  I i J  X Y  S  L K  F f  T  N
GET    /healthz                                 -         200   +  + + +  + + + +  + + +  + + +  + +  +  + +  + +  +  +
GET    /readyz                                  -         200   +  + + +  + + + +  + + +  + + +  + +  +  + +  + +  +  +
GET    /openapi.json                            -         200   +  + + +  + + + +  + + +  + + +  + +  +  + +  + +  +  +
GET    /.well-known/jwks.json                   -         200   +  + + +  + + + +  + + +  + + +  + +  +  + +  + +  +  +
POST   /api/auth/setup                          -         409   +  + + +  + + + +  + + +  + + +  + +  +  + +  + +  +  +
POST   /api/auth/login                          -         200   +  + + +  + + + +  + + +  + + +  + +  +  + +  + +  +  +

GET    /api/me                                  -         200   1  + + +  + + + +  + + +  + + +  + +  s  + +  1 1  1  +
GET    /api/me/tokens                           -         200   1  + + +  + + + +  + + +  + + +  + +  s  + +  1 1  1  +
POST   /api/me/tokens                           -         201   1  + + +  + + + 3  + + +  + + 0  + 3  s  3 3  1 1  1  0
DELETE /api/me/tokens/{tokenId}                 -         200   1  + + +  + + + +  + + +  + + +  + +  s  + +  1 1  1  +
DELETE /api/me/tokens/{tokenId}                 anothers  200   1  4 4 4  4 4 4 4  4 4 4  4 4 4  4 4  s  4 4  1 1  1  4
GET    /api/schema                              -         200   1  + + +  + + + +  + + +  + + +  + +  s  + +  1 1  1  +

GET    /api/workspaces                          -         200   1  + + +  + + + +  + + +  + + +  + +  s  0 0  1 1  1  0
GET    /api/workspaces                          deleted   200   1  + + +  + + + +  + + +  + + +  + +  s  0 0  1 1  1  0
POST   /api/workspaces                          -         201   1  + + +  + + + +  + + +  + + 0  + +  s  0 0  1 1  1  0
POST   /api/workspaces/restore                  -         200   1  3 4 4  3 3 + +  + + 4  3 4 0  4 4  s  0 0  1 1  1  0
GET    /api/workspaces/{id}                     -         200   1  + 4 4  + + + +  + + 4  + 4 +  4 4  s  0 0  1 1  1  0
PATCH  /api/workspaces/{id}                     -         200   1  3 4 4  3 + + +  + + 4  3 4 0  4 4  s  0 0  1 1  1  0
PATCH  /api/workspaces/{id}                     visible   200   1  3 4 4  3 3 + +  + + 4  3 4 0  4 4  s  0 0  1 1  1  0
DELETE /api/workspaces/{id}                     -         200   1  3 4 4  3 3 + +  + + 4  3 4 0  4 4  s  0 0  1 1  1  0
PUT    /api/workspaces/{id}/bulk                -         200   1  3 4 4  3 + + +  + + 4  3 4 0  4 4  s  0 0  1 1  1  0
PUT    /api/workspaces/{id}/bulk                free-id   200   1  + + +  + + + +  + + +  + + 0  + +  s  0 0  1 1  1  0

POST   /api/workspaces/{id}/components          -         201   1  3 4 4  3 + + +  + + 4  3 4 0  4 4  s  0 0  1 1  1  0
PATCH  /api/workspaces/{id}/components          -         200   1  3 4 4  3 + + +  + + 4  3 4 0  4 4  s  0 0  1 1  1  0
GET    /api/workspaces/{id}/components/{cid}    -         200   1  + 4 4  + + + +  + + 4  + 4 +  4 4  s  0 0  1 1  1  0
PATCH  /api/workspaces/{id}/components/{cid}    -         200   1  3 4 4  3 + + +  + + 4  3 4 0  4 4  s  0 0  1 1  1  0
DELETE /api/workspaces/{id}/components/{cid}    -         200   1  3 4 4  3 + + +  + + 4  3 4 0  4 4  s  0 0  1 1  1  0

POST   /api/workspaces/{id}/relationships       -         201   1  3 4 4  3 + + +  + + 4  3 4 0  4 4  s  0 0  1 1  1  0
PATCH  /api/workspaces/{id}/relationships/{rid} -         200   1  3 4 4  3 + + +  + + 4  3 4 0  4 4  s  0 0  1 1  1  0
DELETE /api/workspaces/{id}/relationships/{rid} -         200   1  3 4 4  3 + + +  + + 4  3 4 0  4 4  s  0 0  1 1  1  0
";

/// One line of the matrix.
struct Row {
    method: Method,
    path: &'static str,
    what: &'static str,
    ok: u16,
    cells: HashMap<char, char>,
}

fn rows() -> Vec<Row> {
    let mut lines = MATRIX.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).filter(|l| !l.is_empty());
    let heads = lines.next().unwrap();
    lines
        .map(|line| {
            assert_eq!(line.len(), heads.len(), "a cell for each caller: {line:?}");
            let letter = |cell: &str| cell.chars().next().unwrap();
            Row {
                method: line[0].parse().unwrap(),
                path: line[1],
                what: line[2],
                ok: line[3].parse().unwrap(),
                cells: heads[4..].iter().zip(&line[4..]).map(|(head, cell)| (letter(head), letter(cell))).collect(),
            }
        })
        .collect()
}

/// Somebody of the matrix, and the workspace they are put before.
struct Caller<'s> {
    letter: char,
    actor: Actor<'s>,
    /// None of the anonymous.
    user: Option<i64>,
    visibility: &'static str,
    level: Option<&'static str>,
}

/// Everybody of the matrix. Their credentials are made once: signing in costs a password hash.
async fn callers(stage: &Stage) -> Vec<Caller<'_>> {
    let member = |login: &str| stage.seed_member(login, "acme", "org:member");
    let (mia, val, ed, ona) = (member("mia"), member("val"), member("ed"), member("ona"));
    let (ian, yara, sue, flo) = (member("ian"), member("yara"), member("sue"), member("flo"));
    let gus = stage.seed_member("gus", "acme", "org:admin");
    let xena = stage.seed_org("other", "xena");
    stage.join(yara, "other", "org:member");
    let (iris, nomad) = (stage.seed_user("iris"), stage.seed_user("nomad"));
    stage.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE login IN ('ian', 'iris')", []).unwrap());

    let (mia_in, gus_in, ian_in) = (stage.sign_in("mia").await, stage.sign_in("gus").await, stage.sign_in("ian").await);
    let (sue_in, flo_in) = (stage.sign_in("sue").await, stage.sign_in("flo").await);
    let (ona_script, flo_script) = (script(stage, ona, Some("acme")), script(stage, flo, Some("acme")));
    let yara_script = script(stage, yara, Some("other"));
    let (legacy, admins_legacy) = (script(stage, ona, None), script(stage, ian, None));
    let assistant = assistant(stage, ona);
    stage.sql(|conn| {
        conn.execute("UPDATE user SET is_suspended = 1 WHERE id = ?", [sue]).unwrap();
        conn.execute("DELETE FROM organization_member WHERE user_id = ?", [flo]).unwrap();
    });

    let caller = |letter, actor, user: i64, visibility, level| {
        let user = Some(user).filter(|_| letter != 'A');
        Caller { letter, actor, user, visibility, level }
    };
    vec![
        caller('A', stage.anonymous(), 0, "org", None),
        caller('M', mia_in.clone(), mia, "org", None),
        caller('m', mia_in.clone(), mia, "members", None),
        caller('p', mia_in, mia, "private", None),
        caller('V', stage.sign_in("val").await, val, "private", Some("viewer")),
        caller('E', stage.sign_in("ed").await, ed, "private", Some("editor")),
        caller('O', stage.sign_in("ona").await, ona, "private", Some("owner")),
        caller('P', ona_script, ona, "private", Some("owner")),
        caller('G', gus_in.clone(), gus, "org", None),
        caller('g', gus_in.clone(), gus, "members", None),
        caller('h', gus_in, gus, "private", None),
        caller('I', ian_in.clone(), ian, "org", None),
        caller('i', ian_in, ian, "private", None),
        caller('J', stage.sign_in("iris").await, iris, "private", None),
        caller('X', stage.sign_in("xena").await, xena, "org", None),
        caller('Y', yara_script, yara, "org", Some("owner")),
        caller('S', sue_in, sue, "org", Some("owner")),
        caller('L', legacy, ona, "org", Some("owner")),
        caller('K', admins_legacy, ian, "org", None),
        caller('F', flo_in, flo, "org", Some("owner")),
        caller('f', flo_script, flo, "org", Some("owner")),
        caller('T', assistant, ona, "org", Some("owner")),
        caller('N', stage.sign_in("nomad").await, nomad, "org", None),
    ]
}

/// A script with a personal access token; without `org`, a legacy one.
fn script<'s>(stage: &'s Stage, user: i64, org: Option<&str>) -> Actor<'s> {
    let token = tokens::generate(PAT_PREFIX);
    stage.sql(|conn| keep_token(conn, user, org, &token));
    stage.with(&token)
}

/// Keeps a token as minting does. Answers with its id.
fn keep_token(conn: &Connection, user: i64, org: Option<&str>, token: &str) -> i64 {
    conn.execute(
        "INSERT INTO api_token (user_id, organization_id, name, prefix, token_hash, created_at)
         VALUES (?, (SELECT id FROM organization WHERE slug = ?), 'script', ?, ?, 1)",
        params![user, org, tokens::shown_prefix(token), tokens::hash(token)],
    )
    .unwrap();
    conn.last_insert_rowid()
}

/// An MCP client with a living access token of a living grant in acme: what it lacks is the right place.
fn assistant(stage: &Stage, user: i64) -> Actor<'_> {
    let token = tokens::generate(MCP_PREFIX);
    stage.sql(|conn| {
        conn.execute(
            "INSERT INTO oauth_client (id, name, redirect_uris, created_at) VALUES ('client', 'Assistant', '[]', 1)",
            [],
        )
        .unwrap();
        conn.execute(
            "INSERT INTO oauth_grant (client_id, user_id, organization_id, scope, created_at)
             SELECT 'client', ?, id, 'mcp', 1 FROM organization WHERE slug = 'acme'",
            [user],
        )
        .unwrap();
        conn.execute(
            "INSERT INTO oauth_token (grant_id, kind, token_hash, scope, created_at, expires_at)
             VALUES (?, 'access', ?, 'mcp', 1, ?)",
            params![conn.last_insert_rowid(), tokens::hash(&token), i64::MAX],
        )
        .unwrap();
    });
    stage.with(&token)
}

/// What one request is aimed at: nobody else's request touches it.
struct Target {
    id: String,
    pk: i64,
    token: i64,
}

/// Makes targets quickly: copies of one workspace that was founded through the API.
struct Copier<'c> {
    conn: &'c Connection,
}

/// Tables of a workspace that the requests need, and their column that names it.
const COPIED: [(&str, &str); 4] = [
    ("workspace", "pk"),
    ("workspace_member", "workspace_pk"),
    ("component", "workspace_pk"),
    ("relationship", "workspace_pk"),
];

/// Founds, by somebody who plays no other part, the workspace that targets are copies of: `web` calls `api`.
async fn found_template(stage: &Stage) {
    stage.seed_member("fay", "acme", "org:member");
    let model = json!({
        "workspace": { "name": "Template" },
        "components": [{ "id": "web", "typeId": "web-app", "name": "Web" }, { "id": "api", "typeId": "api", "name": "A" }],
        "relationships": [{ "id": "web-calls-api", "typeId": "calls", "sourceId": "web", "targetId": "api" }],
    });
    stage.sign_in("fay").await.put("/api/workspaces/template/bulk", model).await.ok();
}

impl<'c> Copier<'c> {
    fn new(conn: &'c Connection) -> Self {
        for (table, key) in COPIED {
            let template = "SELECT pk FROM workspace WHERE id = 'template'";
            let sql = format!("CREATE TEMP TABLE {table}_copy AS SELECT * FROM {table} WHERE {key} = ({template})");
            conn.execute_batch(&sql).unwrap();
        }
        conn.execute_batch("BEGIN IMMEDIATE").unwrap();
        Self { conn }
    }

    /// A workspace for `caller` alone, with what is in the template; and a token, theirs if they are anybody.
    fn target(&self, id: String, caller: &Caller<'_>, row: Option<&Row>) -> Target {
        let conn = self.conn;
        let deleted_at = row.filter(|row| row.path == "/api/workspaces/restore").map(|_| planroom_now());
        let own = "UPDATE workspace_copy SET pk = NULL, id = ?, visibility = ?, deleted_at = ?";
        conn.execute(own, params![id, caller.visibility, deleted_at]).unwrap();
        conn.execute("INSERT INTO workspace SELECT * FROM workspace_copy", []).unwrap();
        let pk = conn.last_insert_rowid();
        for (table, _) in &COPIED[1..] {
            conn.execute(&format!("UPDATE {table}_copy SET workspace_pk = ?"), [pk]).unwrap();
            conn.execute(&format!("INSERT INTO {table} SELECT * FROM {table}_copy"), []).unwrap();
        }
        if let Some(level) = caller.level {
            let sql = "INSERT INTO workspace_member (workspace_pk, user_id, role, revision, added_at, updated_at)
                       VALUES (?, ?, ?, 1, 1, 1)";
            conn.execute(sql, params![pk, caller.user, level]).unwrap();
        }
        let fay = "SELECT id FROM user WHERE login = 'fay'";
        let another = || conn.query_row(fay, [], |row| row.get(0)).unwrap();
        let anothers = row.is_some_and(|row| row.what == "anothers");
        let user = caller.user.filter(|_| !anothers).unwrap_or_else(another);
        let token = keep_token(conn, user, Some("acme"), &tokens::generate(PAT_PREFIX));
        Target { id, pk, token }
    }

    fn done(self) {
        self.conn.execute_batch("COMMIT").unwrap();
    }
}

/// Now, as a stage whose clock was not moved sees it.
fn planroom_now() -> i64 {
    planroom::clock::Clock::default().now()
}

/// A request that succeeds for those who may: path and body.
fn request(row: &Row, caller: &Caller<'_>, target: &Target, setup: &str) -> (String, Option<Value>) {
    let Target { id, pk, token } = target;
    let path = row
        .path
        .replace("{id}", id)
        .replace("{cid}", "web")
        .replace("{rid}", "web-calls-api")
        .replace("{tokenId}", &token.to_string());
    let body = match (row.method.as_str(), row.path, row.what) {
        ("GET", _, "deleted") => return (format!("{path}?deleted=true"), None),
        ("GET" | "DELETE", ..) => return (path, None),
        // The link is the right one. That there are users already is what everybody is told alike.
        ("POST", "/api/auth/setup", _) => json!({
            "token": setup, "login": "eve", "displayName": "Eve", "password": PASSWORD, "organization": "Eve",
        }),
        ("POST", "/api/auth/login", _) => json!({ "login": "nomad", "password": PASSWORD }),
        ("POST", "/api/me/tokens", _) => json!({ "name": "more" }),
        ("POST", "/api/workspaces", _) => json!({ "name": "New" }),
        ("POST", "/api/workspaces/restore", _) => json!({ "pk": pk }),
        ("PATCH", "/api/workspaces/{id}", "visible") => {
            json!({ "visibility": if caller.visibility == "members" { "private" } else { "members" } })
        }
        ("PATCH", "/api/workspaces/{id}" | "/api/workspaces/{id}/components/{cid}", _) => json!({ "name": "Renamed" }),
        ("PUT", "/api/workspaces/{id}/bulk", what) => {
            let model = json!({ "workspace": { "name": "Replaced" }, "components": [], "relationships": [] });
            let path = if what == "free-id" { path.replace(id.as_str(), &format!("{id}-free")) } else { path };
            return (path, Some(model));
        }
        ("POST", "/api/workspaces/{id}/components", _) => json!({ "typeId": "service", "name": "Checkout" }),
        ("PATCH", "/api/workspaces/{id}/components", _) => json!([{ "id": "web", "x": 7, "y": 7 }]),
        ("POST", "/api/workspaces/{id}/relationships", _) => {
            json!({ "typeId": "reads", "sourceId": "api", "targetId": "web" })
        }
        ("PATCH", "/api/workspaces/{id}/relationships/{rid}", _) => json!({ "label": "asks" }),
        (method, path, what) => panic!("say here what to send with {method} {path} ({what})"),
    };
    (path, Some(body))
}

/// An answer, in the letters of the matrix.
fn letter(reply: &Reply, ok: u16) -> char {
    let code = serde_json::from_slice::<Value>(&reply.bytes).unwrap_or_default()["code"].as_str().map(str::to_owned);
    match (reply.status.as_u16(), code.as_deref()) {
        (status, None) if status == ok => '+',
        (400, Some("no_active_org")) => '0',
        (401, None) => '1',
        (403, None) => '3',
        (403, Some("account_suspended")) => 's',
        (404, None) => '4',
        _ => '?',
    }
}

/// How much was ever written, and noted: both only grow.
fn written(stage: &Stage) -> i64 {
    stage.count("SELECT (SELECT count(*) FROM change) + (SELECT count(*) FROM audit)")
}

#[tokio::test]
async fn everybody_may_do_what_the_matrix_says_and_nothing_else() {
    let stage = Stage::empty(|_| {});
    let setup = stage.app.offer_setup().await.unwrap().unwrap();
    stage.seed_admin("ada", "acme").await;
    found_template(&stage).await;
    let (rows, callers) = (rows(), callers(&stage).await);
    let targets: Vec<Vec<Target>> = stage.sql(|conn| {
        let copier = Copier::new(conn);
        let id = |row: usize, caller: usize| format!("w-{row}-{caller}");
        let of_row = |(r, row)| {
            callers.iter().enumerate().map(|(c, caller)| copier.target(id(r, c), caller, Some(row))).collect()
        };
        let targets = rows.iter().enumerate().map(of_row).collect();
        copier.done();
        targets
    });
    let mut wrong = Vec::new();
    for (row, targets) in rows.iter().zip(&targets) {
        assert_eq!(row.cells.len(), callers.len(), "a column for each caller");
        for (caller, target) in callers.iter().zip(targets) {
            let (path, body) = request(row, caller, target, &setup);
            let before = written(&stage);
            let reply = caller.actor.send(row.method.clone(), &path, body).await;
            let wrote = written(&stage) > before;
            let (expected, told) = (row.cells[&caller.letter], letter(&reply, row.ok));
            let who = format!("{} {} ({}) as {}", row.method, row.path, row.what, caller.letter);
            let body: String = String::from_utf8_lossy(&reply.bytes).chars().take(120).collect();
            if told != expected {
                wrong.push(format!("{who}: `{expected}` in the matrix, but `{told}`, {} {body}", reply.status));
            } else if wrote != (reply.status.is_success() && row.method != Method::GET) {
                let done = if wrote { "something" } else { "nothing" };
                wrong.push(format!("{who}: wrote {done}, and answered {} {body}", reply.status));
            }
        }
    }
    assert!(wrong.is_empty(), "{} cells differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_route_has_its_row_and_every_row_its_route() {
    let name = |method: &Method, path: &str| format!("{method} {path}");
    let routes: BTreeSet<String> = table().iter().map(|route| name(&route.method, route.path)).collect();
    let rows = rows();
    let plain: Vec<String> = rows.iter().filter(|row| row.what == "-").map(|row| name(&row.method, row.path)).collect();
    assert_eq!(plain.iter().cloned().collect::<BTreeSet<_>>(), routes);
    assert_eq!(plain.len(), routes.len(), "one plain row for each route");
    for row in rows {
        assert!(routes.contains(&name(&row.method, row.path)), "{} {} ({})", row.method, row.path, row.what);
    }
}

#[test]
fn every_route_declares_the_need_that_its_row_shows() {
    for row in rows().iter().filter(|row| row.what == "-") {
        let route = table().into_iter().find(|route| route.method == row.method && route.path == row.path).unwrap();
        assert_eq!(route.need, need(&row.cells), "{} {}", row.method, row.path);
    }
}

/// What a row says that its route needs: the callers who tell one need from another.
fn need(cells: &HashMap<char, char>) -> Need {
    let may = |letter: char| cells[&letter] == '+';
    match () {
        () if may('A') => Need::Public,
        () if may('N') => Need::Me,
        // An instance administrator with no organization active reads, and never writes.
        () if may('J') && may('X') => Need::OrgView,
        () if may('J') => Need::View,
        // One of another organization acts in their own; a script does all but what takes a person.
        () if may('X') && may('P') => Need::Org,
        () if may('X') => Need::Session,
        () if may('E') => Need::Edit,
        () => Need::Own,
    }
}

#[tokio::test]
async fn the_list_holds_what_one_may_read_and_nothing_else() {
    let stage = Stage::new().await;
    found_template(&stage).await;
    let callers = callers(&stage).await;
    let ids: Vec<String> = callers.iter().map(|caller| format!("w-{}-{}", caller.letter, caller.visibility)).collect();
    stage.sql(|conn| {
        let copier = Copier::new(conn);
        for (caller, id) in callers.iter().zip(&ids) {
            copier.target(id.clone(), caller, None);
        }
        copier.done();
    });
    for caller in &callers {
        let list = caller.actor.get("/api/workspaces").await;
        let roles: Option<HashMap<String, Value>> = list.status.is_success().then(|| {
            let workspaces = list.json()["workspaces"].as_array().unwrap().clone();
            workspaces.into_iter().map(|w| (w["id"].as_str().unwrap().to_owned(), w["myRole"].clone())).collect()
        });
        for id in &ids {
            let read = caller.actor.get(&format!("/api/workspaces/{id}")).await;
            let expected = match &roles {
                None => list.status.as_u16(),
                Some(roles) if roles.contains_key(id) => 200,
                Some(_) => 404,
            };
            let read = read.expect(expected);
            if let Some(role) = roles.as_ref().and_then(|roles| roles.get(id)) {
                assert_eq!(read["workspace"]["myRole"], *role, "{} of {id}", caller.letter);
            }
        }
    }
}

#[tokio::test]
async fn a_workspace_of_another_organization_is_as_if_it_were_not_there() {
    let stage = Stage::new().await;
    found_template(&stage).await;
    stage.seed_org("other", "xena");
    let xena = stage.sign_in("xena").await;
    let (c, r) = ("components/web", "relationships/web-calls-api");
    let component = json!({ "typeId": "service", "name": "C" });
    let relationship = json!({ "typeId": "calls", "sourceId": "web", "targetId": "api" });
    let requests = [
        (Method::GET, String::new(), None),
        (Method::PATCH, String::new(), Some(json!({ "name": "Mine" }))),
        (Method::DELETE, String::new(), None),
        (Method::POST, "/components".into(), Some(component)),
        (Method::PATCH, "/components".into(), Some(json!([{ "id": "web", "x": 0, "y": 0 }]))),
        (Method::GET, format!("/{c}"), None),
        (Method::PATCH, format!("/{c}"), Some(json!({ "name": "Mine" }))),
        (Method::DELETE, format!("/{c}"), None),
        (Method::POST, "/relationships".into(), Some(relationship)),
        (Method::PATCH, format!("/{r}"), Some(json!({ "label": "mine" }))),
        (Method::DELETE, format!("/{r}"), None),
    ];
    for (method, path, body) in requests {
        let hidden = xena.send(method.clone(), &format!("/api/workspaces/template{path}"), body.clone()).await;
        let missing = xena.send(method, &format!("/api/workspaces/no-such{path}"), body).await;
        assert_eq!(hidden.refused(404, "workspace"), missing.expect(404), "{hidden}");
    }
    // A bulk would found what is missing; it does not take what is another's.
    let model = json!({ "workspace": { "name": "Mine" }, "components": [], "relationships": [] });
    for query in ["", "?dryRun=true"] {
        xena.put(&format!("/api/workspaces/template/bulk{query}"), model.clone()).await.refused(404, "workspace");
    }
}

#[tokio::test]
async fn only_an_owner_changes_who_sees_a_workspace() {
    let stage = Stage::new().await;
    let (ed, ona) = (stage.seed_member("ed", "acme", "org:member"), stage.seed_member("ona", "acme", "org:member"));
    let ada = stage.sign_in("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    stage.grant("w", ed, "editor");
    stage.grant("w", ona, "owner");
    let (ed, ona) = (stage.sign_in("ed").await, stage.sign_in("ona").await);
    let both = json!({ "name": "Renamed", "visibility": "private" });
    ed.patch("/api/workspaces/w", both.clone()).await.refused(403, "owner");
    let workspace = &ada.get("/api/workspaces/w").await.ok()["workspace"];
    assert_eq!((&workspace["name"], &workspace["visibility"]), (&json!("W"), &json!("org")), "all or nothing");
    // What was read may be sent back: the visibility that it has is no change.
    ed.patch("/api/workspaces/w", json!({ "name": "Renamed", "visibility": "org" })).await.ok();
    assert_eq!(ona.patch("/api/workspaces/w", both).await.ok()["workspace"]["visibility"], "private");
    ed.get("/api/workspaces/w").await.ok();
}

#[tokio::test]
async fn an_instance_administrator_with_no_organization_active_looks_at_everything_and_changes_nothing() {
    let stage = Stage::new().await;
    stage.seed_org("other", "xena");
    stage.seed_user("iris");
    stage.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE login = 'iris'", []).unwrap());
    let (ada, xena, iris) = (stage.sign_in("ada").await, stage.sign_in("xena").await, stage.sign_in("iris").await);
    let new = |id: &str, visibility: &str| json!({ "id": id, "name": id, "visibility": visibility });
    ada.post("/api/workspaces", new("a", "private")).await.created();
    xena.post("/api/workspaces", new("b", "members")).await.created();
    ada.post("/api/workspaces", new("gone", "org")).await.created();
    ada.delete("/api/workspaces/gone").await.ok();

    let list = iris.get("/api/workspaces").await.ok();
    let seen: Vec<_> = list["workspaces"].as_array().unwrap().iter().map(|w| (&w["id"], &w["myRole"])).collect();
    assert_eq!(seen, [(&json!("a"), &Value::Null), (&json!("b"), &Value::Null)]);
    assert_eq!(iris.get("/api/workspaces/b").await.ok()["workspace"]["myRole"], Value::Null);
    let deleted = iris.get("/api/workspaces?deleted=true").await.ok();
    assert_eq!(deleted["workspaces"][0]["id"], "gone");

    let pk = &deleted["workspaces"][0]["pk"];
    let refusals = [
        iris.post("/api/workspaces", new("c", "org")).await,
        iris.post("/api/workspaces/restore", json!({ "pk": pk })).await,
        iris.patch("/api/workspaces/a", json!({ "name": "Mine" })).await,
        iris.delete("/api/workspaces/b").await,
        iris.post("/api/workspaces/b/components", json!({ "typeId": "service", "name": "C" })).await,
    ];
    for refusal in refusals {
        assert_eq!(refusal.refused(400, "active organization")["code"], "no_active_org");
    }
}

#[tokio::test]
async fn being_made_a_member_does_not_help_one_who_acts_in_no_organization() {
    let stage = Stage::new().await;
    let iris = stage.seed_user("iris");
    stage.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE id = ?", [iris]).unwrap());
    stage.sign_in("ada").await.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    stage.grant("w", iris, "owner");
    let iris = stage.sign_in("iris").await;
    assert_eq!(iris.get("/api/workspaces/w").await.ok()["workspace"]["myRole"], Value::Null, "she only looks");
    iris.delete("/api/workspaces/w").await.refused(400, "active organization");
}

#[tokio::test]
async fn an_organizations_administrator_does_not_see_a_private_workspace() {
    let stage = Stage::new().await;
    stage.seed_member("bob", "acme", "org:member");
    let (ada, bob) = (stage.sign_in("ada").await, stage.sign_in("bob").await);
    let new = json!({ "id": "diary", "name": "Diary", "visibility": "private" });
    bob.post("/api/workspaces", new.clone()).await.created();
    assert_eq!(ada.get("/api/workspaces").await.ok()["workspaces"], json!([]));
    ada.get("/api/workspaces/diary").await.refused(404, "workspace");
    ada.patch("/api/workspaces/diary", json!({ "visibility": "org" })).await.refused(404, "workspace");
    ada.delete("/api/workspaces/diary").await.refused(404, "workspace");
    bob.delete("/api/workspaces/diary").await.ok();
    assert_eq!(ada.get("/api/workspaces?deleted=true").await.ok()["workspaces"], json!([]));
    ada.post("/api/workspaces/restore", json!({ "pk": 1 })).await.refused(404, "workspace");
}

#[tokio::test]
async fn ones_role_is_the_strongest_of_membership_visibility_and_administration() {
    let stage = Stage::new().await;
    let bob = stage.seed_member("bob", "acme", "org:member");
    let ada =
        stage.sql(|conn| conn.query_row("SELECT id FROM user WHERE login = 'ada'", [], |row| row.get(0)).unwrap());
    stage.seed_member("fay", "acme", "org:member");
    let (fay, member, admin) = (stage.sign_in("fay").await, stage.sign_in("bob").await, stage.sign_in("ada").await);
    fay.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    // visibility, explicit level, what a member is, what an administrator of the organization is
    let roles = [
        ("org", None, Some("viewer"), Some("owner")),
        ("org", Some("viewer"), Some("viewer"), Some("owner")),
        ("org", Some("editor"), Some("editor"), Some("owner")),
        ("org", Some("owner"), Some("owner"), Some("owner")),
        ("members", None, None, Some("owner")),
        ("members", Some("viewer"), Some("viewer"), Some("owner")),
        ("members", Some("editor"), Some("editor"), Some("owner")),
        ("members", Some("owner"), Some("owner"), Some("owner")),
        ("private", None, None, None),
        ("private", Some("viewer"), Some("viewer"), Some("viewer")),
        ("private", Some("editor"), Some("editor"), Some("editor")),
        ("private", Some("owner"), Some("owner"), Some("owner")),
    ];
    for (visibility, level, of_member, of_admin) in roles {
        fay.patch("/api/workspaces/w", json!({ "visibility": visibility })).await.ok();
        let forget = "DELETE FROM workspace_member WHERE user_id IN (?, ?)";
        stage.sql(|conn| conn.execute(forget, [bob, ada]).unwrap());
        for user in [bob, ada] {
            if let Some(level) = level {
                stage.grant("w", user, level);
            }
        }
        for (actor, role) in [(&member, of_member), (&admin, of_admin)] {
            let reply = actor.get("/api/workspaces/w").await;
            match role {
                Some(role) => assert_eq!(reply.ok()["workspace"]["myRole"], role, "{visibility} {level:?}"),
                None => drop(reply.refused(404, "workspace")),
            }
        }
    }
}
