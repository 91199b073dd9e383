//! All callers of the matrix, with their credentials.

use planroom::auth::{MCP_PREFIX, PAT_PREFIX, tokens};
use rusqlite::{Connection, params};

use crate::support::{TestClient, TestServer};

/// A caller of the matrix and the workspace it accesses.
pub struct Caller<'s> {
    pub letter: char,
    pub client: TestClient<'s>,
    /// None for the anonymous caller.
    pub user: Option<i64>,
    pub visibility: &'static str,
    /// What members of the organization can do in the workspace.
    pub organization_access: &'static str,
    pub level: Option<&'static str>,
}

/// All callers of the matrix. Credentials are created once because sign-in requires a password hash.
pub async fn callers(server: &TestServer) -> Vec<Caller<'_>> {
    let member = |login: &str| server.seed_member(login, "acme", "org:member");
    let (mia, val, ed, ona) = (member("mia"), member("val"), member("ed"), member("ona"));
    let (ian, yara, sue, flo) = (member("ian"), member("yara"), member("sue"), member("flo"));
    let gus = server.seed_member("gus", "acme", "org:admin");
    let xena = server.seed_org("other", "xena");
    server.join(yara, "other", "org:member");
    let (iris, nomad) = (server.seed_user("iris"), server.seed_user("nomad"));
    server.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE login IN ('ian', 'iris')", []).unwrap());

    let (mia_in, gus_in, ian_in) =
        (server.sign_in("mia").await, server.sign_in("gus").await, server.sign_in("ian").await);
    let (sue_in, flo_in) = (server.sign_in("sue").await, server.sign_in("flo").await);
    let (ona_script, flo_script) = (script(server, ona, Some("acme")), script(server, flo, Some("acme")));
    let admins_script = script(server, ian, Some("acme"));
    let yara_script = script(server, yara, Some("other"));
    let (legacy, admins_legacy) = (script(server, ona, None), script(server, ian, None));
    let assistant = assistant(server, ona, "acme", "mcp:read mcp:write");
    server.sql(|conn| {
        conn.execute("UPDATE user SET is_suspended = 1 WHERE id = ?", [sue]).unwrap();
        conn.execute("DELETE FROM organization_member WHERE user_id = ?", [flo]).unwrap();
    });

    let caller = |letter, client, user: i64, visibility, level| {
        let user = Some(user).filter(|_| letter != 'A');
        let organization_access = if letter == 'W' { "edit" } else { "view" };
        Caller { letter, client, user, visibility, organization_access, level }
    };
    vec![
        caller('A', server.anonymous(), 0, "org", None),
        caller('M', mia_in.clone(), mia, "org", None),
        caller('m', mia_in.clone(), mia, "members", None),
        caller('p', mia_in.clone(), mia, "private", None),
        caller('W', mia_in, mia, "org", None),
        caller('V', server.sign_in("val").await, val, "private", Some("viewer")),
        caller('E', server.sign_in("ed").await, ed, "private", Some("editor")),
        caller('O', server.sign_in("ona").await, ona, "private", Some("owner")),
        caller('P', ona_script, ona, "private", Some("owner")),
        caller('G', gus_in.clone(), gus, "org", None),
        caller('g', gus_in.clone(), gus, "members", None),
        caller('h', gus_in, gus, "private", None),
        caller('I', ian_in.clone(), ian, "org", None),
        caller('i', ian_in, ian, "private", None),
        caller('J', server.sign_in("iris").await, iris, "private", None),
        caller('X', server.sign_in("xena").await, xena, "org", None),
        caller('Y', yara_script, yara, "org", Some("owner")),
        caller('S', sue_in, sue, "org", Some("owner")),
        caller('L', legacy, ona, "org", Some("owner")),
        caller('K', admins_legacy, ian, "org", None),
        caller('Q', admins_script, ian, "org", None),
        caller('F', flo_in, flo, "org", Some("owner")),
        caller('f', flo_script, flo, "org", Some("owner")),
        caller('T', assistant, ona, "org", Some("owner")),
        caller('N', server.sign_in("nomad").await, nomad, "org", None),
    ]
}

/// A script with a personal access token; without `org`, a legacy one.
fn script<'s>(server: &'s TestServer, user: i64, org: Option<&str>) -> TestClient<'s> {
    let token = tokens::generate(PAT_PREFIX);
    server.sql(|conn| keep_token(conn, user, org, &token));
    server.with(&token)
}

/// Stores a token as its creation does. Returns its ID.
pub fn keep_token(conn: &Connection, user: i64, org: Option<&str>, token: &str) -> i64 {
    conn.execute(
        "INSERT INTO api_token (user_id, organization_id, name, prefix, token_hash, created_at)
         VALUES (?, (SELECT id FROM organization WHERE slug = ?), 'script', ?, ?, 1)",
        params![user, org, tokens::shown_prefix(token), tokens::hash(token)],
    )
    .unwrap();
    conn.last_insert_rowid()
}

/// An MCP client with a valid access token, which REST rejects.
pub fn assistant<'s>(server: &'s TestServer, user: i64, org: &str, scope: &str) -> TestClient<'s> {
    let token = tokens::generate(MCP_PREFIX);
    server.sql(|conn| {
        conn.execute(
            "INSERT OR IGNORE INTO oauth_client (id, name, redirect_uris, created_at) VALUES (?, 'Assistant', '[]', 1)",
            [scope],
        )
        .unwrap();
        conn.execute(
            "INSERT INTO oauth_grant (client_id, user_id, organization_id, scope, created_at)
             SELECT ?2, ?1, id, ?2, 1 FROM organization WHERE slug = ?3",
            params![user, scope, org],
        )
        .unwrap();
        conn.execute(
            "INSERT INTO oauth_token (grant_id, kind, token_hash, scope, created_at, expires_at)
             VALUES (?, 'access', ?, ?, 1, ?)",
            params![conn.last_insert_rowid(), tokens::hash(&token), scope, i64::MAX],
        )
        .unwrap();
    });
    server.with(&token)
}
