//! `backup`, and the use of its file.

use std::fs;

use super::{WorkDir, import, model};
use crate::support::PASSWORD;

#[test]
fn a_backup_of_a_running_server_can_be_served() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = dir.serve();
    let (_, token) = server.credentials();
    dir.write("model.json", &model().to_string());
    dir.run(&import(&["model.json"])).ok();
    let text = dir.run(&["backup", "copy.db"]).ok();
    assert_eq!(
        text,
        "Backed up the database to copy.db (verified; checksum in copy.db.sha256) and the keys to copy.db.keys\n"
    );
    dir.run(&["backup", "copy.db"]).expect_error("copy.db.keys already exists; choose another name");
    fs::remove_dir_all(dir.path("copy.db.keys")).unwrap();
    dir.run(&["backup", "copy.db"]).expect_error("copy.db already exists; choose another name");
    dir.run(&["backup", "other.db"]).ok();
    server.stop().ok();

    let elsewhere = WorkDir::new();
    fs::create_dir(elsewhere.path("data")).unwrap();
    fs::copy(dir.path("other.db"), elsewhere.path("data/planroom.db")).unwrap();
    fs::rename(dir.path("other.db.keys"), elsewhere.path("data/keys")).unwrap();
    let server = elsewhere.serve();
    server.get("/api/workspaces/%D0%BB%D0%B0%D0%B2%D0%BA%D0%B0", &token).json(200);
    server.sign_in("ada", PASSWORD).json(200);
    server.stop().ok();
}
