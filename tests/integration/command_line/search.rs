//! `planroom search`, with and without a running server.

use serde_json::json;

use super::WorkDir;

#[test]
fn the_search_index_is_rebuilt() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = dir.serve();
    let (session, token) = server.credentials();
    server.ask("POST", "/api/workspaces", Some(&session), Some(json!({ "id": "w", "name": "Zeppelins" }))).json(201);
    let found = || server.get("/api/search?q=zeppelins", &session).json(200)["total"].clone();
    assert_eq!(found(), 1);
    // As after damage that the check at the start did not find.
    #[expect(clippy::disallowed_methods, reason = "a test looks behind the scenes")]
    let conn = rusqlite::Connection::open(dir.path("data/planroom.db")).unwrap();
    conn.execute_batch("DELETE FROM search_index; DELETE FROM search_document").unwrap();
    assert_eq!(found(), 0);
    assert_eq!(dir.run(&["search", "rebuild"]).ok(), "Rebuilt the search index: 1 entry\n");
    assert_eq!(found(), 1);
    let event = &server.get("/api/admin/audit?limit=1&kind=search.rebuild", &token).json(200)["events"][0];
    assert_eq!(event["details"]["documents"], 1);
    server.stop().ok();
    assert_eq!(dir.run(&["search", "rebuild"]).ok(), "Rebuilt the search index: 1 entry\n");
    assert_eq!(dir.run(&["search"]).status.code(), Some(2));
}

#[test]
fn without_a_database_nothing_is_rebuilt() {
    WorkDir::new().run(&["search", "rebuild"]).expect_error("there is no database in");
}
