//! Commands of a user who cannot access the data: they name the path, the cause and the remedy.
//!
//! Root can access everything, so these tests run the binary as another user if they run as root.

use std::{
    fs,
    os::unix::{
        fs::{PermissionsExt, chown},
        process::CommandExt,
    },
    path::Path,
    process::Stdio,
};

use rustix::process::geteuid;

use super::{Outcome, WorkDir};

/// A user without rights.
const OTHER: u32 = 65_534;

/// An instance whose files belong to the user of [`run`].
fn instance() -> WorkDir {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    dir.run(&["backup", "copy.db"]).ok();
    if geteuid().is_root() {
        give(dir.0.path());
    }
    dir
}

fn give(path: &Path) {
    chown(path, Some(OTHER), Some(OTHER)).unwrap();
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            give(&entry.unwrap().path());
        }
    }
}

/// Runs a command as a user without the rights of root.
fn run(dir: &WorkDir, arguments: &[&str]) -> Outcome {
    let mut command = dir.command(arguments);
    if geteuid().is_root() {
        command.uid(OTHER).gid(OTHER);
    }
    let output = command.stdin(Stdio::null()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Outcome { status: output.status, out: text(output.stdout), err: text(output.stderr) }
}

fn set_mode(dir: &WorkDir, name: &str, mode: u32) {
    fs::set_permissions(dir.path(name), fs::Permissions::from_mode(mode)).unwrap();
}

const COMMANDS: [&[&str]; 9] = [
    &["backup", "new.db"],
    &["backup", "--archive", "new.tar.zst"],
    &["user", "list"],
    &["doctor"],
    &["audit", "tail"],
    &["audit", "tail", "--follow"],
    &["healthcheck"],
    &["vacuum"],
    &["keys", "reset"],
];

#[test]
fn data_that_cannot_be_seen_is_not_called_missing() {
    let dir = instance();
    set_mode(&dir, "data", 0);
    for command in COMMANDS {
        run(&dir, command).expect_error("cannot use the data directory data: Permission denied");
    }
    set_mode(&dir, "data", 0o700);
    run(&dir, &["user", "list"]).ok();
    fs::create_dir(dir.path("closed")).unwrap();
    set_mode(&dir, "closed", 0);
    run(&dir, &["restore", "closed/copy.db", "--replace"])
        .expect_error("cannot read closed/copy.db: Permission denied");
    set_mode(&dir, "copy.db", 0);
    run(&dir, &["restore", "copy.db", "--replace"]).expect_error("cannot read copy.db: Permission denied");
}

#[test]
fn the_owner_of_data_that_cannot_be_seen_is_named() {
    let dir = instance();
    let is_root = geteuid().is_root();
    // Other users cannot see the files of root, whose home directory they cannot enter.
    let data = if is_root { dir.path("data") } else { "/root/planroom".into() };
    if is_root {
        chown(&data, Some(0), Some(0)).unwrap();
    }
    for command in COMMANDS {
        let outcome = run(&dir, &[command, &["--data-dir", data.to_str().unwrap()]].concat());
        let text = outcome.expect_error(" belongs to user id 0, but this command runs as user id ");
        assert!(text.ends_with("run it as the owner, for example with sudo -u\n"), "{text}");
    }
}

#[test]
fn files_that_cannot_be_opened_are_named_with_cause_and_remedy() {
    let dir = instance();
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    for (name, mode, text) in [
        (
            "data/planroom.db",
            0o600,
            "cannot open data/planroom.db: Permission denied (os error 13); check that the file",
        ),
        ("data/keys", 0o700, "cannot use the keys: cannot read data/keys/sealing.key: Permission denied"),
        ("data/keys/last-change", 0o600, "cannot open data/keys/last-change: Permission denied (os error 13); check"),
    ] {
        set_mode(&dir, name, 0);
        run(&dir, &serve).expect_error(text);
        set_mode(&dir, name, mode);
    }
    set_mode(&dir, "data/keys", 0);
    let found = run(&dir, &["doctor"]);
    let text = "PROBLEM   keys           cannot read data/keys/sealing.key: Permission denied";
    assert!(found.out.contains(text) && found.status.code() == Some(4), "{found:?}");
    set_mode(&dir, "data/keys", 0o700);

    // As on a read-only file system.
    set_mode(&dir, "data", 0o500);
    for backup in [&["backup", "new.db"][..], &["backup", "--archive", "new.tar.zst"]] {
        let text = "cannot open the database data/planroom.db: SQLite creates files next to it, which is not possible";
        run(&dir, backup).expect_error(text);
    }
    set_mode(&dir, "data", 0o700);
    fs::rename(dir.path("data/keys"), dir.path("keys")).unwrap();
    run(&dir, &["backup", "new.db"]).expect_error("cannot read data/keys: No such file or directory");
}
