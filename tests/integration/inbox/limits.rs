//! Inboxes are bounded, and no user can displace what others have caused.

use serde_json::json;

use super::{INBOX, ask, titles, unread};
use crate::support::TestServer;

/// Fills the inbox of `bob` with mentions by the user with this login, in threads that exist.
fn seed_mentions(server: &TestServer, login: &str, count: i64, is_read: bool) {
    server.sql(|conn| {
        let sql = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
            INSERT INTO notification (user_id, kind, workspace_pk, subject, subject_id, first_item, last_item, items, count,
                                      actor_id, is_listed, created_at, updated_at, read_at)
            SELECT b.id, 'watched', w.pk, 'changes', '', 0, 0, '[]', 1, a.id, 1, i, i, iif(?3, 1, NULL)
            FROM n, workspace w, user a, user b WHERE w.id = 'w' AND a.login = ?2 AND b.login = 'bob'";
        conn.execute(sql, rusqlite::params![count, login, is_read]).unwrap();
    });
}

#[tokio::test]
async fn the_oldest_entries_of_an_actor_end_before_those_of_others() {
    let server = TestServer::new().await;
    for login in ["bob", "cy"] {
        server.seed_member(login, "acme", "org:member");
    }
    let ada = server.seed_map().await;
    seed_mentions(&server, "cy", 100, false);
    seed_mentions(&server, "ada", 100, false);
    ask(&ada, "@bob, one more").await;
    let of = |login: &str| {
        server.count(&format!(
            "SELECT count(*) FROM notification n JOIN user u ON u.id = n.actor_id WHERE u.login = '{login}'"
        ))
    };
    assert_eq!((of("ada"), of("cy")), (100, 100));
    let bob = server.sign_in("bob").await;
    assert_eq!(titles(&bob).await[0], "ada mentioned you on a in w", "the new entry is there");
}

#[tokio::test]
async fn an_inbox_has_five_hundred_entries_and_loses_read_ones_first() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    for n in 0..5 {
        let login = format!("actor-{n}");
        server.seed_member(&login, "acme", "org:member");
        seed_mentions(&server, &login, 100, n == 4);
    }
    ask(&ada, "@bob").await;
    let bob = server.sign_in("bob").await;
    assert_eq!(bob.get(INBOX).await.ok()["entries"].as_array().unwrap().len(), 500);
    assert_eq!(unread(&bob).await, 401, "a read entry was removed");
}

#[tokio::test]
async fn read_entries_are_deleted_after_ninety_days() {
    let server = TestServer::new().await;
    server.seed_member("bob", "acme", "org:member");
    let ada = server.seed_map().await;
    ask(&ada, "@bob 1").await;
    ask(&ada, "@bob 2").await;
    let bob = server.sign_in("bob").await;
    let id = bob.get(INBOX).await.ok()["entries"][0]["id"].clone();
    bob.post("/api/me/inbox/read", json!({ "ids": [id] })).await.ok();
    server.clock.advance(90 * planroom::clock::DAY);
    server.clean_up().await;
    assert_eq!(server.count("SELECT count(*) FROM notification"), 2);
    server.clock.advance(1);
    assert_eq!(server.clean_up().await.notifications, 1);
    assert_eq!(server.count("SELECT count(*) FROM notification WHERE read_at IS NULL"), 1);
}

#[tokio::test]
async fn a_user_watches_five_hundred_things_and_those_that_are_hidden_make_room() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    server.sql(|conn| {
        conn.execute_batch(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
             INSERT INTO team (organization_id, id, seq, name, revision, created_at, updated_at)
             SELECT w.organization_id, 't' || i, i, 'T', 1, 1, 1 FROM n, workspace w;
             INSERT INTO watch (user_id, kind, organization_id, target_id, created_at)
             SELECT u.id, 'team', t.organization_id, t.id, 1 FROM user u, team t WHERE u.login = 'ada' AND t.id LIKE 't%';",
        )
        .unwrap();
    });
    let path = "/api/me/watches/workspaces/w";
    let refused = ada.send(axum::http::Method::PUT, path, None).await.expect_error(409, "you can watch 500 things");
    assert_eq!((&refused["code"], &refused["limit"]), (&json!("limit_reached"), &json!(500)));
    server.sql(|conn| conn.execute("DELETE FROM team WHERE id = 't1'", []).unwrap());
    ada.send(axum::http::Method::PUT, path, None).await.ok();
    assert_eq!(server.count("SELECT count(*) FROM watch"), 500);
}
