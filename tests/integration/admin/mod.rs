//! Administration of the instance.

mod audit;
mod callers;
mod last_admin;
mod settings;
mod tokens;
mod users;
mod waitlist;

use crate::support::{TestClient, TestServer};

/// The id of the user with this login.
fn id_of(server: &TestServer, login: &str) -> i64 {
    server.sql(|conn| conn.query_row("SELECT id FROM user WHERE login = ?", [login], |row| row.get(0)).unwrap())
}

/// An instance administrator who belongs to no organization.
async fn admin_without_organization(server: &TestServer) -> TestClient<'_> {
    let iris = server.seed_user("iris");
    server.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE id = ?", [iris]).unwrap());
    server.sign_in("iris").await
}

/// The kinds of all audit events, oldest first.
fn kinds(server: &TestServer) -> Vec<String> {
    server.sql(|conn| {
        let mut kinds = conn.prepare("SELECT kind FROM audit ORDER BY id").unwrap();
        kinds.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    })
}

/// Whether these bytes occur in the database or its write-ahead log.
fn on_disk(server: &TestServer, secret: &str) -> bool {
    ["planroom.db", "planroom.db-wal"].iter().any(|file| {
        let bytes = std::fs::read(server.dir.path().join(file)).unwrap();
        bytes.windows(secret.len()).any(|window| window == secret.as_bytes())
    })
}
