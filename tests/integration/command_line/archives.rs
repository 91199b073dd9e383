//! `backup --archive` and its restore: with keys, encrypted, without keys, damaged.

use std::{
    fs,
    io::{Read, Write},
    os::unix::fs::PermissionsExt,
    process::Command,
};

use serde_json::{Value, json};

use super::{
    WorkDir,
    restoring::{create, incarnation, mode, populate},
};
use crate::support::PASSWORD;

const PASSPHRASE: &str = "correct horse battery";

/// A working directory with a running instance, whose data contains an encrypted setting. Returns a token too.
fn instance() -> (WorkDir, super::server::Server, String) {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = dir.serve();
    let token = populate(&server);
    dir.write("passphrase", &format!("{PASSPHRASE}\n"));
    (dir, server, token)
}

/// The names in an archive that is not encrypted, in order, and its manifest.
fn contents(dir: &WorkDir, archive: &str) -> (Vec<String>, Value) {
    let mut tar = tar::Archive::new(zstd::Decoder::new(fs::File::open(dir.path(archive)).unwrap()).unwrap());
    let (mut names, mut manifest) = (Vec::new(), Value::Null);
    for entry in tar.entries().unwrap() {
        let mut entry = entry.unwrap();
        names.push(entry.path().unwrap().to_str().unwrap().to_owned());
        if names.len() == 1 {
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            manifest = serde_json::from_str(&text).unwrap();
        }
    }
    (names, manifest)
}

fn settings_are_readable(dir: &WorkDir, data_dir: &str, token: &str) {
    let server = dir.serve_with(&["--listen", "127.0.0.1:0", "--data-dir", data_dir], &[]);
    server.get("/api/workspaces/before", token).json(200);
    let settings = server.get("/api/admin/settings", token).json(200).to_string();
    assert!(settings.contains(r#""isSet":true"#), "the keys were restored: {settings}");
    server.stop().ok();
}

#[test]
fn an_archive_with_keys_is_restored_elsewhere() {
    let (dir, server, token) = instance();
    let before = incarnation(&server, &token);
    let told = dir.run(&["backup", "--archive", "copy.tar.zst", "--with-keys"]).ok();
    assert!(
        told.starts_with("Backed up to copy.tar.zst (") && told.contains(", verified; the database has "),
        "{told}"
    );
    assert!(told.contains("It contains the keys: anyone who can read it"), "{told}");
    assert_eq!(mode(&dir, "copy.tar.zst"), 0o600);
    let (names, manifest) = contents(&dir, "copy.tar.zst");
    assert_eq!(
        names,
        ["manifest.json", "planroom.db", "keys/sealing.key", "keys/session-signing.pk8", "keys/sharing.key"]
    );
    assert_eq!(manifest["format"], "planroom-archive/1");
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(manifest["incarnation"], json!(before));
    assert_eq!(manifest["files"][0]["sha256"].as_str().unwrap().len(), 64);
    assert!(manifest["createdAt"].as_i64().unwrap() > 1_700_000_000_000 && manifest["schema"].as_i64().unwrap() >= 21);
    dir.run(&["backup", "--archive", "copy.tar.zst"]).expect_error("copy.tar.zst already exists; choose another name");
    server.stop().ok();

    dir.run(&["restore", "copy.tar.zst", "--data-dir", "new"]).ok();
    for (name, expected) in [("new/planroom.db", 0o600), ("new/keys", 0o700), ("new/keys/sealing.key", 0o600)] {
        assert_eq!(mode(&dir, name), expected, "{name}");
    }
    settings_are_readable(&dir, "new", &token);
    let left: Vec<_> = fs::read_dir(dir.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("unfinished")), "{left:?}");
}

#[test]
fn an_encrypted_archive_requires_its_passphrase() {
    let (dir, server, token) = instance();
    let backup = ["backup", "--archive", "copy.enc"];
    dir.run_with(&[&backup[..], &["--passphrase-stdin"]].concat(), &[], "short\n")
        .expect_error("the passphrase must have at least 12 characters");
    dir.run_with(&[&backup[..], &["--passphrase-stdin"]].concat(), &[], "\n").expect_error("standard input must have");
    dir.run(&["backup", "copy.db", "--passphrase-file", "passphrase"]).expect_error("only archives can be encrypted");
    let told = dir.run(&[&backup[..], &["--passphrase-file", "passphrase"]].concat()).ok();
    assert!(
        told.contains(", encrypted, verified;") && told.contains("cannot be restored without the passphrase"),
        "{told}"
    );
    server.stop().ok();
    let bytes = fs::read(dir.path("copy.enc")).unwrap();
    assert!(bytes.starts_with(b"planroom encrypted 1\n"));

    let restore = ["restore", "copy.enc", "--data-dir", "new"];
    dir.run(&restore).expect_error("copy.enc is encrypted; specify its passphrase");
    dir.run_with(&[&restore[..], &["--passphrase-stdin"]].concat(), &[], "correct horse batterie\n")
        .expect_error("planroom: cannot decrypt copy.enc: the passphrase is wrong, or the file is damaged\n");
    assert!(!dir.path("new").exists(), "a failed restore leaves nothing");
    dir.run_with(&[&restore[..], &["--passphrase-stdin"]].concat(), &[], &format!("{PASSPHRASE}\n")).ok();
    settings_are_readable(&dir, "new", &token);
}

#[test]
fn an_archive_without_keys_uses_those_of_the_data_directory_or_reports_the_loss() {
    let (dir, server, token) = instance();
    let told = dir.run(&["backup", "--archive", "copy.tar.zst"]).ok();
    assert!(told.contains("It does not contain the keys. Keep a copy of the directory `keys`"), "{told}");
    assert_eq!(contents(&dir, "copy.tar.zst").0, ["manifest.json", "planroom.db"]);
    server.stop().ok();
    let restore = ["restore", "copy.tar.zst", "--data-dir", "new"];
    dir.run(&restore).expect_error("sealing.key not found; 1 secret setting in the backup cannot be used");
    assert!(!dir.path("new").exists());
    dir.run(&["restore", "copy.tar.zst", "--replace", "--passphrase-file", "passphrase"])
        .expect_error("copy.tar.zst is not encrypted; omit the passphrase");
    dir.run(&["restore", "copy.tar.zst"]).expect_error("data/planroom.db already exists; use --replace");
    dir.run(&["restore", "copy.tar.zst", "--replace"]).ok();
    settings_are_readable(&dir, "data", &token);
    let told = dir.run(&[&restore[..], &["--without-keys"]].concat()).ok();
    assert!(told.contains("Discarded 1 secret setting."), "{told}");
}

#[test]
fn damaged_archives_are_rejected_before_anything_changes() {
    let (dir, server, token) = instance();
    dir.run(&["backup", "--archive", "good.tar.zst", "--with-keys"]).ok();
    create(&server, &token, "after");
    server.stop().ok();
    let good = fs::read(dir.path("good.tar.zst")).unwrap();
    fs::write(dir.path("cut.tar.zst"), &good[..good.len() / 2]).unwrap();
    let mut changed = good.clone();
    let middle = changed.len() / 2;
    changed[middle] ^= 0x40;
    fs::write(dir.path("changed.tar.zst"), changed).unwrap();
    fs::write(dir.path("more.tar.zst"), [&good[..], b"more"].concat()).unwrap();
    // An archive whose checksum is right, but whose paths lead out of the directory.
    let escape = |path: &str, format: &str| {
        let files =
            json!([{ "path": "planroom.db", "bytes": 0, "sha256": "" }, { "path": path, "bytes": 0, "sha256": "" }]);
        let manifest = json!({ "format": format, "version": "9", "schema": 44, "incarnation": null, "lastChange": 0,
                               "createdAt": 0, "files": files });
        let mut tar = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_gnu();
        let text = manifest.to_string();
        header.set_size(text.len() as u64);
        tar.append_data(&mut header, "manifest.json", text.as_bytes()).unwrap();
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
        encoder.write_all(&tar.into_inner().unwrap()).unwrap();
        encoder.finish().unwrap()
    };
    fs::write(dir.path("escape.tar.zst"), escape("keys/../../x", "planroom-archive/1")).unwrap();
    fs::write(dir.path("newer.tar.zst"), escape("keys/x", "planroom-archive/2")).unwrap();
    for (file, text) in [
        ("cut.tar.zst", "cut.tar.zst is damaged"),
        ("changed.tar.zst", "changed.tar.zst is damaged"),
        ("more.tar.zst", "more.tar.zst is damaged"),
        ("escape.tar.zst", "its manifest lists unknown files"),
        ("newer.tar.zst", "has the format planroom-archive/2, which this release cannot read"),
    ] {
        dir.run(&["restore", file, "--replace"]).expect_error(text);
    }
    assert!(!dir.path("data/restoring").exists());
    let server = dir.serve();
    server.get("/api/workspaces/after", &token).json(200);
    server.stop().ok();
}

#[test]
fn a_restore_ends_sessions_and_names_what_is_valid_again() {
    let (dir, server, token) = instance();
    server.stop().ok();
    // Sessions are valid only for the public URL for which they were created.
    let serve = |dir: &WorkDir| {
        dir.serve_with(&["--listen", "127.0.0.1:0"], &[("PLANROOM_PUBLIC_URL", "http://localhost:8420")])
    };
    let server = serve(&dir);
    let signed_in = server.sign_in("ada", PASSWORD).json(200);
    let session = signed_in["token"].as_str().unwrap().to_owned();
    dir.run(&["backup", "--archive", "copy.tar.zst"]).ok();
    let ask = |method: &str, path: &str, body: Value| server.ask(method, path, Some(&session), Some(body));
    ask("POST", "/api/me/tokens", json!({ "name": "after the backup" })).json(201);
    let tokens = server.get("/api/me/tokens", &session).json(200);
    let first = tokens["tokens"][0].clone();
    assert_eq!(ask("DELETE", &format!("/api/me/tokens/{}", first["id"]), Value::Null).status, 200);
    server.stop().ok();

    let told = dir.run(&["restore", "copy.tar.zst", "--replace"]).ok();
    let expected = format!(
        "Tokens that had been revoked or deleted: token {} ({}) of ada.",
        first["id"],
        first["name"].as_str().unwrap()
    );
    assert!(told.contains(&expected), "{told}");
    assert!(told.contains("Ended: 2 sessions.") && told.contains("since the backup: 1 token."), "{told}");
    assert!(!told.contains("Members that had been removed"), "{told}");
    let server = serve(&dir);
    assert_eq!(server.get("/api/me", &session).status, 401);
    server.get("/api/workspaces/before", &token).json(200);
    server.stop().ok();

    let told = dir.run(&["restore", "copy.tar.zst", "--replace", "--keep-sessions", "--revoke-tokens"]).ok();
    assert!(told.contains("Ended: 1 token.") && told.contains("since the backup: 2 sessions."), "{told}");
    let server = serve(&dir);
    assert_eq!(server.get("/api/workspaces/before", &token).status, 401);
    server.get("/api/me", &session).json(200);
    let events = server.get("/api/admin/audit?kind=instance.restore", &session).json(200);
    let events = events.as_array().or_else(|| events["events"].as_array()).unwrap();
    assert_eq!(events[0]["details"]["revokedTokens"], 1, "{events:?}");
    server.stop().ok();
}

#[test]
fn an_archive_says_if_the_passphrase_of_scheduled_backups_does_not_encrypt_it() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let variables = [("PLANROOM_BACKUP_PASSPHRASE", PASSPHRASE)];
    let made = dir.run_with(&["backup", "--archive", "copy.tar.zst"], &variables, "");
    let warning =
        "planroom: warning: the archive is not encrypted, because backup.passphrase is for scheduled backups only";
    assert!(made.status.success() && made.err.starts_with(warning), "{made:?}");
    assert_eq!(contents(&dir, "copy.tar.zst").0, ["manifest.json", "planroom.db"]);
    dir.run(&["backup", "--archive", "-"]).expect_error("an archive cannot be written to standard output");
    assert!(!dir.path("-").exists());
}

#[test]
fn an_archive_can_be_unpacked_with_tar() {
    let (dir, server, _) = instance();
    dir.run(&["backup", "--archive", "copy.tar.zst"]).ok();
    server.stop().ok();
    // The zstd program may be missing, so it is decompressed here.
    let tar = zstd::decode_all(fs::File::open(dir.path("copy.tar.zst")).unwrap()).unwrap();
    fs::write(dir.path("copy.tar"), tar).unwrap();
    let done = Command::new("tar").args(["-xf", "copy.tar"]).current_dir(dir.path("")).status().unwrap();
    assert!(done.success());
    let unpacked = fs::metadata(dir.path("planroom.db")).unwrap();
    assert_eq!(unpacked.permissions().mode() & 0o777, 0o600);
    assert!(unpacked.len() > 4096);
}
