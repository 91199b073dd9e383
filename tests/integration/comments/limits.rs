//! One user cannot flood a workspace.

use planroom::domain::comments::{MAX_BYTES, MAX_MESSAGES, MAX_MESSAGES_PER_MINUTE, MAX_THREADS};
use serde_json::json;

use super::{THREADS, ask, path};
use crate::support::TestServer;

#[tokio::test]
async fn a_user_can_write_thirty_messages_per_minute() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    let thread = ask(&ada, "1").await;
    let messages = format!("{}/messages", path(&thread));
    for number in 1..MAX_MESSAGES_PER_MINUTE {
        ada.post(&messages, json!({ "text": number.to_string() })).await.created();
    }
    server.clock.advance(20_000);
    let refused = ada.post(&messages, json!({ "text": "Too fast" })).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "40"));
    let new = json!({ "anchor": { "type": "workspace" }, "text": "Too fast" });
    assert_eq!(ada.post(THREADS, new).await.status, 429);
    server.sign_in("bob").await.post(&messages, json!({ "text": "Others can" })).await.created();
    server.clock.advance(40_000);
    ada.post(&messages, json!({ "text": "Again" })).await.created();
}

#[tokio::test]
async fn a_workspace_has_at_most_ten_thousand_threads_and_a_thread_two_hundred_messages() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    server.seed_threads("w", MAX_THREADS);
    let new = json!({ "anchor": { "type": "workspace" }, "text": "One more" });
    let refused = ada.post(THREADS, new).await.expect_error(409, "10001 comment threads");
    assert_eq!((&refused["code"], &refused["limit"]), (&json!("limit_reached"), &json!(MAX_THREADS)));
    server.sql(|conn| {
        conn.execute(
            "WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
             INSERT INTO thread_message (workspace_pk, thread_id, id, text, created_at, revision)
             SELECT workspace_pk, 'seeded-1', i, 'More', 1, 1 FROM n, thread WHERE thread.id = 'seeded-1'",
            [MAX_MESSAGES],
        )
        .unwrap();
    });
    let messages = format!("{THREADS}/seeded-1/messages");
    ada.post(&messages, json!({ "text": "One more" })).await.expect_error(409, "a thread can have 200 messages");
}

#[tokio::test]
async fn the_messages_of_a_workspace_have_a_total_length() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let thread = ask(&ada, "1234567890").await;
    let bytes = || server.count("SELECT bytes FROM comment_settings");
    assert_eq!(bytes(), 10);
    let first = format!("{}/messages/1", path(&thread));
    ada.patch(&first, json!({ "text": "äöü" })).await.ok();
    assert_eq!(bytes(), 6);
    server.sql(|conn| conn.execute("UPDATE comment_settings SET bytes = ?", [MAX_BYTES - 3]).unwrap());
    let messages = format!("{}/messages", path(&thread));
    ada.post(&messages, json!({ "text": "1234" })).await.expect_error(409, "take 32 MiB, which is the limit");
    ada.patch(&first, json!({ "text": "1234567890" })).await.expect_error(409, "32 MiB");
    ada.post(&messages, json!({ "text": "123" })).await.created();
    ada.delete(&path(&thread)).await.ok();
    assert_eq!(bytes(), MAX_BYTES - 3 - 6);
}

#[tokio::test]
async fn a_permanently_removed_workspace_has_no_comments() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ask(&ada, "@ada?").await;
    ada.delete("/api/workspaces/w").await.ok();
    server.clock.advance(31 * 24 * 60 * 60 * 1_000);
    server.clean_up().await;
    for table in ["thread", "thread_message", "thread_mention", "comment_settings"] {
        assert_eq!(server.count(&format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
}
