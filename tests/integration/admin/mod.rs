//! Administration of the instance.

mod audit;
mod callers;
mod last_admin;
mod settings;
mod tokens;
mod users;
mod waitlist;

use crate::support::{Actor, Stage};

/// The id of the user with this login.
fn id_of(stage: &Stage, login: &str) -> i64 {
    stage.sql(|conn| conn.query_row("SELECT id FROM user WHERE login = ?", [login], |row| row.get(0)).unwrap())
}

/// Somebody who administers the instance and belongs to no organization.
async fn iris(stage: &Stage) -> Actor<'_> {
    let iris = stage.seed_user("iris");
    stage.sql(|conn| conn.execute("UPDATE user SET is_admin = 1 WHERE id = ?", [iris]).unwrap());
    stage.sign_in("iris").await
}

/// The kinds of the events in the audit, from its beginning.
fn kinds(stage: &Stage) -> Vec<String> {
    stage.sql(|conn| {
        let mut kinds = conn.prepare("SELECT kind FROM audit ORDER BY id").unwrap();
        kinds.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    })
}

/// Whether these bytes are anywhere in the database or in its log.
fn on_disk(stage: &Stage, secret: &str) -> bool {
    ["planroom.db", "planroom.db-wal"].iter().any(|file| {
        let bytes = std::fs::read(stage.dir.path().join(file)).unwrap();
        bytes.windows(secret.len()).any(|window| window == secret.as_bytes())
    })
}
