//! `backup`, and the use of its file.

use std::fs;

use super::{Desk, import, model};
use crate::support::PASSWORD;

#[test]
fn a_backup_of_a_running_server_can_be_served() {
    let desk = Desk::new();
    desk.admin("ada").ok();
    let server = desk.serve();
    let (_, token) = server.credentials();
    desk.write("model.json", &model().to_string());
    desk.run(&import(&["model.json"])).ok();
    let text = desk.run(&["backup", "copy.db"]).ok();
    assert_eq!(text, "Backed up the database to copy.db (verified) and the keys to copy.db.keys\n");
    desk.run(&["backup", "copy.db"]).refused("copy.db.keys already exists; choose another name");
    fs::remove_dir_all(desk.path("copy.db.keys")).unwrap();
    desk.run(&["backup", "copy.db"]).refused("copy.db already exists; choose another name");
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
