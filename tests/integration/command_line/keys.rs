//! Lost keys: what depends on them is reported before anything changes, and the loss can be accepted.

use std::{collections::BTreeMap, fs};

use rusqlite::Connection;
use serde_json::{Value, json};

use super::{WorkDir, restoring::populate, server::Server, standby::files};
use crate::upgrades::data_dir_of;

const SERVE: [&str; 3] = ["serve", "--listen", "127.0.0.1:0"];

/// A stopped instance with a share link, and the path of the link.
fn with_share_link() -> (WorkDir, String) {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = dir.serve();
    let (session, _) = server.credentials();
    let create = |path: &str, body: Value| server.ask("POST", path, Some(&session), Some(body)).json(201);
    create("/api/workspaces", json!({ "id": "shop", "name": "Shop" }));
    let share = create("/api/workspaces/shop/shares", json!({ "name": "Wiki" }))["share"].clone();
    let url = share["url"].as_str().unwrap();
    let path = url[url.find("/s/").unwrap()..].to_owned();
    assert_eq!(status(&server, &path), 200);
    server.stop().ok();
    (dir, path)
}

fn status(server: &Server, path: &str) -> u16 {
    server.ask("GET", path, None, None).status
}

/// The files in the data directory. SQLite may create an index of the write-ahead log when it reads.
fn data(dir: &WorkDir) -> BTreeMap<String, Vec<u8>> {
    files(&dir.path("data"))
}

#[test]
fn share_links_are_not_served_without_their_key() {
    let (dir, path) = with_share_link();
    let key = fs::read(dir.path("data/keys/sharing.key")).unwrap();
    fs::remove_file(dir.path("data/keys/sharing.key")).unwrap();
    let before = data(&dir);
    let lost = "data/keys has no sharing.key, without which 1 share link in the database cannot be used";
    dir.run(&SERVE).expect_error(lost);
    dir.run(&["user", "list"]).expect_error(lost);
    dir.run(&["keys", "reset"]).expect_error("--yes");
    let found = dir.run(&["doctor"]);
    let text = "PROBLEM   keys           sharing.key not found; 1 share link cannot be used";
    assert!(found.out.contains(text) && found.status.code() == Some(4), "{found:?}");
    assert_eq!(data(&dir), before);

    fs::write(dir.path("data/keys/sharing.key"), key).unwrap();
    let found = dir.run(&["doctor"]).out;
    assert!(found.contains("OK        keys           complete; needed by 1 share link\n"), "{found}");
    let server = dir.serve();
    assert_eq!(status(&server, &path), 200);
    server.stop().ok();

    fs::remove_file(dir.path("data/keys/sharing.key")).unwrap();
    let told = dir.run(&["keys", "reset", "--yes"]).ok();
    assert_eq!(
        told,
        "Discarded 1 share link. Share links have new addresses, which owners of workspaces find in the web client.\n"
    );
    let server = dir.serve();
    assert_eq!(status(&server, &path), 404);
    server.stop().ok();
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test looks behind the scenes")]
fn an_expired_share_link_needs_no_key() {
    let (dir, _) = with_share_link();
    let database = Connection::open(dir.path("data/planroom.db")).unwrap();
    database.execute_batch("UPDATE share_link SET expires_at = 1").unwrap();
    drop(database);
    fs::remove_file(dir.path("data/keys/sharing.key")).unwrap();
    dir.serve().stop().ok();
}

#[test]
fn a_restore_without_the_key_of_share_links_reports_the_loss_first() {
    let (dir, path) = with_share_link();
    let told = dir.run(&["backup", "--archive", "copy.tar.zst"]).ok();
    assert!(told.contains("wiki connections, secret settings, webhooks and share links are lost."), "{told}");
    let restore = ["restore", "copy.tar.zst", "--data-dir", "new/data"];
    dir.run(&restore).expect_error("sharing.key not found; 1 share link in the backup cannot be used; select");
    assert!(!dir.path("new").exists(), "a failed restore leaves nothing");

    let keys = [&restore[..], &["--keys", "data/keys"]].concat();
    dir.run(&keys).ok();
    let serve = |dir: &WorkDir| dir.serve_with(&["--listen", "127.0.0.1:0", "--data-dir", "new/data"], &[]);
    let server = serve(&dir);
    assert_eq!(status(&server, &path), 200);
    server.stop().ok();

    let told = dir.run(&[&restore[..], &["--replace", "--without-keys"]].concat()).ok();
    assert!(told.ends_with("Discarded 1 share link. Share links have new addresses, which owners of workspaces find in the web client.\n"), "{told}");
    let server = serve(&dir);
    assert_eq!(status(&server, &path), 404);
    server.stop().ok();
}

#[test]
fn nothing_changes_before_missing_damaged_or_wrong_keys_are_reported() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = dir.serve();
    populate(&server);
    server.stop().ok();
    // The current schema, and one that an upgrade would change.
    let old = WorkDir::new();
    fs::rename(data_dir_of(32).keep(), old.path("data")).unwrap();
    for dir in [&dir, &old] {
        fs::remove_file(dir.path("data/planroom.lock")).ok();
        let sealing = dir.path("data/keys/sealing.key");
        let refused = |text: &str| {
            let before = data(dir);
            dir.run(&SERVE).expect_error(text);
            assert_eq!(data(dir), before, "{text}");
        };
        let key = fs::read(&sealing).unwrap();
        fs::write(&sealing, &key[..10]).unwrap();
        refused(
            "cannot use the keys: data/keys: sealing.key is not a key; copy it from a backup. If it is lost, delete it",
        );
        fs::write(&sealing, [7; 32]).unwrap();
        refused("the keys in data/keys do not belong to this database");
        fs::remove_file(&sealing).unwrap();
        refused("data/keys has no sealing.key, without which 1 ");
        let before = data(dir);
        dir.run(&["keys", "reset"]).expect_error("--yes");
        assert_eq!(data(dir), before, "keys reset without a confirmation");
        dir.run(&["keys", "reset", "--yes"]).ok();
        dir.serve().stop().ok();
    }
}
