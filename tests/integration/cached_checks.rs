//! Permission checks that are used again while nothing is committed. Each of these tests first sends the same request
//! several times, so that the check is cached, and then takes the permission away.

use std::{sync::mpsc, time::Duration};

use axum::http::Method;
use planroom::domain::core::{Call, Via, access::Public};
use rusqlite::Connection;
use serde_json::json;

use crate::support::{TestClient, TestResponse, TestServer};

const MAP: &str = "/api/workspaces/w";

/// Reads the workspace until its check is cached. Returns the reader with the entity tag.
async fn read_again_and_again<'s>(reader: &TestClient<'s>) -> TestClient<'s> {
    let tag = reader.etag("w").await;
    let conditional = reader.header("if-none-match", &tag);
    for _ in 0..3 {
        assert_eq!(conditional.get(MAP).await.status, 304);
        reader.get(MAP).await.ok();
    }
    conditional
}

/// A server with a workspace that bob can view as its member.
async fn server() -> (TestServer, i64) {
    let server = TestServer::new().await;
    let bob = server.seed_member("bob", "acme", "org:member");
    server.seed_map().await;
    server.sql(|conn| conn.execute("UPDATE workspace SET visibility = 'members'", []).unwrap());
    server.grant("w", bob, "viewer");
    (server, bob)
}

#[tokio::test]
async fn a_lost_permission_takes_effect_on_the_next_request() {
    type Loss = fn(&Connection, i64) -> rusqlite::Result<usize>;
    let losses: [(Loss, u16, &str); 5] = [
        (|conn, bob| conn.execute("DELETE FROM workspace_member WHERE user_id = ?", [bob]), 404, "workspace"),
        (|conn, _| conn.execute("UPDATE workspace SET deleted_at = 1", []), 404, "workspace"),
        (|conn, bob| conn.execute("DELETE FROM organization_member WHERE user_id = ?", [bob]), 401, "member"),
        (|conn, bob| conn.execute("UPDATE user SET is_suspended = 1 WHERE id = ?", [bob]), 403, "suspended"),
        (
            |conn, bob| {
                conn.execute("UPDATE api_token SET revoked_at = 1 WHERE user_id = ?", [bob])?;
                conn.execute("UPDATE session SET ended_at = 1 WHERE user_id = ?", [bob])
            },
            401,
            "",
        ),
    ];
    for (lose, status, text) in losses {
        let (server, bob) = server().await;
        let readers = [server.sign_in("bob").await, server.script_client("bob").await];
        // The time of last use of the token is recorded after its first request.
        readers[1].get(MAP).await.ok();
        server.flush_writes().await;
        let mut conditional = Vec::new();
        for reader in &readers {
            conditional.push(read_again_and_again(reader).await);
        }
        // Another process writes, so nothing but the database itself knows of it.
        server.sql(|conn| assert!(lose(conn, bob).unwrap() > 0));
        for reader in readers.iter().chain(&conditional) {
            reader.get(MAP).await.expect_error(status, text);
        }
    }
}

#[tokio::test]
async fn a_permission_removed_through_the_api_takes_effect_on_the_next_request() {
    let (server, bob) = server().await;
    let (ada, session, script) =
        (server.sign_in("ada").await, server.sign_in("bob").await, server.script_client("bob").await);
    read_again_and_again(&script).await;
    session.delete("/api/me/tokens/1").await.ok();
    script.get(MAP).await.expect_error(401, "revoked");
    let conditional = read_again_and_again(&session).await;
    ada.delete(&format!("{MAP}/members/{bob}")).await.ok();
    conditional.get(MAP).await.expect_error(404, "workspace");
}

#[tokio::test]
async fn another_access_level_is_another_entity_tag() {
    let (server, bob) = server().await;
    let conditional = read_again_and_again(&server.sign_in("bob").await).await;
    server.grant("w", bob, "editor");
    assert_eq!(conditional.get(MAP).await.ok()["workspace"]["myRole"], "editor");
}

#[tokio::test]
async fn a_session_ends_on_time_although_nothing_is_committed() {
    let (server, bob) = server().await;
    let session = server.sign_in("bob").await;
    let soon = server.clock.now() + 500;
    let sql = "UPDATE session SET expires_at = ?1 WHERE user_id = ?2";
    server.sql(|conn| assert_eq!(conn.execute(sql, [soon, bob]).unwrap(), 1));
    let conditional = read_again_and_again(&session).await;
    server.clock.advance(600);
    conditional.get(MAP).await.expect_error(401, "");
}

#[tokio::test]
async fn nobody_gets_the_check_of_another_user() {
    let (server, _) = server().await;
    server.seed_member("cy", "acme", "org:member");
    let conditional = read_again_and_again(&server.script_client("bob").await).await;
    let tag = server.sign_in("bob").await.etag("w").await;
    for reader in [server.sign_in("cy").await, server.script_client("cy").await] {
        reader.header("if-none-match", &tag).get(MAP).await.expect_error(404, "workspace");
    }
    assert_eq!(conditional.get(MAP).await.status, 304);
}

#[tokio::test]
async fn a_revoked_token_is_rejected_by_the_next_call_of_an_assistant() {
    let server = TestServer::new().await;
    let (ada, script) = (server.sign_in("ada").await, server.script_client("ada").await);
    let assistant = script
        .header("host", "planroom.test")
        .header("accept", "application/json, text/event-stream")
        .header("mcp-protocol-version", "2025-11-25");
    let list = async || -> TestResponse {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} });
        assistant.send_raw(Method::POST, "/mcp", Some("application/json"), body.to_string()).await
    };
    for _ in 0..3 {
        list().await.ok();
        server.flush_writes().await;
    }
    ada.delete("/api/me/tokens/1").await.ok();
    list().await.expect(401);
}

#[tokio::test]
async fn an_unchanged_workspace_needs_no_reading_thread() {
    let server = TestServer::empty(|config| config.database.readers = 1);
    server.seed_admin("ada", "acme").await;
    let ada = server.seed_map().await;
    let conditional = read_again_and_again(&ada).await;
    let (release, released) = mpsc::channel::<()>();
    let (started, running) = tokio::sync::oneshot::channel();
    let gate = server.app.gate.clone();
    let blocked = tokio::spawn(async move {
        let call = Call::new(None, Via::Rest, "").needing::<Public>();
        gate.read(call, (), move |_| {
            started.send(()).unwrap();
            // Ends when the sender is dropped.
            let _ = released.recv();
            Ok(())
        })
        .await
    });
    running.await.unwrap();
    let again = tokio::time::timeout(Duration::from_mins(1), conditional.get(MAP)).await.unwrap();
    assert_eq!(again.status, 304);
    drop(release);
    blocked.await.unwrap().unwrap();
}
