//! Reasons of changes: sent with a request, kept once per change set, shown in the history and to followers.

use serde_json::{Value, json};

use super::{COMPONENTS, full};
use crate::support::TestServer;

const A: &str = "/api/workspaces/w/components/a";

#[tokio::test]
async fn a_reason_is_kept_once_and_shown_with_every_change_of_its_change_set() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let mut events = ada.follow("w", "").await;
    let reasoned = ada.header("x-change-reason", " Caf%C3%A9 closes: 100%25 sure ");
    reasoned.patch(COMPONENTS, json!([{ "id": "a", "x": 7, "y": 7 }, { "id": "b", "x": 9, "y": 9 }])).await.ok();
    ada.patch(A, json!({ "name": "Later" })).await.ok();
    let history = ada.get("/api/workspaces/w/history?limit=3").await.ok();
    let reasons: Vec<&Value> = history["changes"].as_array().unwrap().iter().map(|change| &change["reason"]).collect();
    let reason = json!("Café closes: 100% sure");
    assert_eq!(reasons, [&Value::Null, &reason, &reason]);
    assert_eq!(server.count("SELECT count(*) FROM change_reason"), 1);
    assert_eq!(events.next_event().await.data["reason"], reason);

    // Of changes that were not made there is nothing to explain.
    reasoned.patch(A, json!({ "name": "Later" })).await.ok();
    assert_eq!(server.count("SELECT count(*) FROM change_reason"), 1);
    // A reason is forgotten with the last change of its change set.
    server.sql(|conn| {
        conn.execute("DELETE FROM change WHERE entity_id = 'a'", []).unwrap();
        assert_eq!(conn.query_row("SELECT count(*) FROM change_reason", [], |row| row.get::<_, i64>(0)), Ok(1));
        conn.execute("DELETE FROM change WHERE entity_id = 'b'", []).unwrap();
        assert_eq!(conn.query_row("SELECT count(*) FROM change_reason", [], |row| row.get::<_, i64>(0)), Ok(0));
    });
}

#[tokio::test]
async fn a_reason_is_one_line_of_encoded_text() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let long = "x".repeat(501);
    let cases = [
        ("100% sure", "must be UTF-8"),
        ("%C3", "must be UTF-8"),
        ("two%0Alines", "must not contain control characters"),
        ("%20", "must have 1 to 500 characters, has 0"),
        (&long, "must have 1 to 500 characters, has 501"),
    ];
    for (sent, text) in cases {
        let refused = ada.header("x-change-reason", sent).patch(A, json!({ "name": "X" })).await;
        refused.expect_error(400, &format!("x-change-reason: {text}"));
    }
    let most = "%F0%9F%98%80".repeat(500);
    ada.header("x-change-reason", &most).patch(A, json!({ "name": "X" })).await.ok();
    let newest = ada.get("/api/workspaces/w/history?limit=1").await.ok();
    assert_eq!(newest["changes"][0]["reason"].as_str().unwrap().chars().count(), 500);
}
