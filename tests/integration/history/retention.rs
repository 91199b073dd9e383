//! How long the history is kept, and what happens afterwards.

use planroom::{
    clock::{DAY, HOUR},
    jobs::clean_up,
    settings::find,
};
use serde_json::json;

use super::{full, undo};
use crate::support::TestServer;

const W: &str = "/api/workspaces/w";
const A: &str = "/api/workspaces/w/components/a";
const SETTINGS: &str = "/api/admin/settings";

/// Advances the clock by days.
fn days(server: &TestServer, days: i64) {
    server.clock.advance(days * DAY);
}

#[tokio::test]
async fn changes_are_deleted_after_the_configured_retention() {
    let server = TestServer::created().await;
    let ada = full(&server).await;
    let old = ada.header("x-batch-id", "old").patch(A, json!({ "name": "Old" })).await;
    old.ok();
    let before = ada.bundle("w").await;
    days(&server, 200);
    let ada = server.sign_in("ada").await;
    ada.patch(A, json!({ "name": "New" })).await.ok();
    assert_eq!(server.clean_up().await.changes, 0, "a year is kept");
    ada.patch(SETTINGS, json!({ "history.days": 200 })).await.ok();
    assert_eq!(server.clean_up().await.changes, 0, "on the day it is still kept");
    days(&server, 1);
    let ada = server.sign_in("ada").await;
    assert!(server.clean_up().await.changes > 5);
    assert_eq!(server.clean_up().await.changes, 0, "all that was to go");
    assert!(server.directory_changes("acme").is_empty(), "the directory's go too");
    let history = ada.get(&format!("{W}/history")).await.ok();
    let revision = ada.revision("w").await;
    assert_eq!((history["changes"].as_array().unwrap().len(), &history["oldestRevision"]), (1, &json!(revision)));
    let text = format!("not found; revisions {revision} to {revision} of this workspace are available");
    let then = &before["workspace"]["revision"];
    ada.get(&format!("{W}?at={then}")).await.expect_error(404, &text);
    ada.get(&format!("{W}/history/difference?from={then}")).await.expect_error(404, &text);
    assert_eq!(ada.get(&format!("{W}?at={revision}")).await.ok()["components"], ada.bundle("w").await["components"]);
    undo(&ada, "old", "back").await.expect_error(404, "change set not found");
    ada.patch(A, json!({ "name": "Newer" })).await.ok();
    assert_eq!(ada.get(&format!("{W}?at={revision}")).await.ok()["components"][0]["name"], "New");
}

#[tokio::test]
async fn a_retention_of_zero_days_keeps_everything() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.patch(SETTINGS, json!({ "history.days": 0 })).await.ok();
    days(&server, 40_000);
    assert_eq!(server.clean_up().await.changes, 0);
    let ada = server.sign_in("ada").await;
    ada.patch(SETTINGS, json!({ "history.days": null })).await.ok();
    assert!(server.clean_up().await.changes > 0);
}

#[tokio::test]
async fn a_retention_is_a_whole_number_of_days() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    for wrong in [json!(-1), json!(36_501), json!(1.5), json!("365"), json!(true), json!([1]), json!(1e99)] {
        let refusal =
            ada.patch(SETTINGS, json!({ "history.days": wrong })).await.expect_error(400, "a whole number from 0");
        assert_eq!(refusal["field"], "history.days");
    }
    let list = ada.patch(SETTINGS, json!({ "history.days": 30 })).await.ok();
    let days = list["settings"].as_array().unwrap().iter().find(|one| one["key"] == "history.days").unwrap().clone();
    assert_eq!((&days["value"], &days["default"], &days["kind"]), (&json!(30), &json!(365), &json!("number")));
    assert!(find("history.days").unwrap().admits(&json!(36_500)));
}

#[tokio::test]
async fn a_follower_that_resumes_after_the_retention_must_reload() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let tag = ada.etag("w").await.trim_matches('"').to_owned();
    let mut follower = ada.follow("w", "").await;
    ada.patch(A, json!({ "name": "One" })).await.ok();
    follower.next_event().await;
    let early = follower.last;
    ada.patch(A, json!({ "name": "Two" })).await.ok();
    ada.patch(A, json!({ "name": "Three" })).await.ok();
    follower.next_event().await;
    follower.next_event().await;
    let late = follower.last;
    drop(follower);
    days(&server, 366);
    let ada = server.sign_in("ada").await;
    assert!(server.clean_up().await.changes > 0);
    assert_eq!(server.changes().len(), 0);
    for mut follower in [ada.resume("w", early).await, ada.follow("w", &format!("?since={tag}")).await] {
        assert_eq!(follower.next_event().await.what(), "reload");
    }
    // A client that had received everything misses nothing.
    let mut follower = ada.resume("w", late).await;
    ada.patch(A, json!({ "name": "Four" })).await.ok();
    assert_eq!(follower.next_event().await.data["row"]["name"], "Four");
    // The position in a reload event can be resumed from.
    let mut follower = ada.resume("w", early).await;
    let reload = follower.next_event().await;
    assert_eq!(reload.what(), "reload");
    ada.patch(A, json!({ "name": "Five" })).await.ok();
    assert_eq!(ada.resume("w", reload.id).await.next_event().await.data["row"]["name"], "Five");
}

#[tokio::test]
async fn a_follower_that_missed_deleted_directory_changes_must_reload() {
    let server = TestServer::new().await;
    let ada = full(&server).await;
    let tag = ada.etag("w").await.trim_matches('"').to_owned();
    ada.patch("/api/people/grace", json!({ "name": "Once" })).await.ok();
    ada.patch("/api/people/grace", json!({ "name": "Twice" })).await.ok();
    days(&server, 366);
    let ada = server.sign_in("ada").await;
    ada.patch("/api/people/grace", json!({ "name": "Thrice" })).await.ok();
    // Only the directory log was truncated: nothing was written in the workspace since.
    server.sql(|conn| conn.execute("UPDATE change SET ts = ts + 400 * 86400000 WHERE workspace_pk > 0", []).unwrap());
    assert!(server.clean_up().await.changes > 0);
    assert_eq!(server.directory_changes("acme").len(), 1);
    assert_eq!(ada.follow("w", &format!("?since={tag}")).await.next_event().await.what(), "reload");
    let now = ada.etag("w").await.trim_matches('"').to_owned();
    let mut follower = ada.follow("w", &format!("?since={now}")).await;
    ada.patch("/api/people/grace", json!({ "name": "Again" })).await.ok();
    assert_eq!(follower.next_event().await.data["row"]["name"], "Again");
}

#[tokio::test]
async fn one_cleanup_deletes_a_limited_number_of_rows_and_keeps_revisions_complete() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let component = |n: usize| json!({ "id": n.to_string(), "typeId": "service", "name": "N" });
    let components: Vec<_> = (0..5_000).map(component).collect();
    let bulk = ada.put(&format!("{W}/bulk"), json!({ "components": components, "relationships": [] })).await;
    bulk.ok();
    ada.create_workspace("v").await;
    let all = server.changes().len() + server.directory_changes("acme").len();
    days(&server, 366);
    let first = server.clean_up().await;
    assert!(first.is_not_all() && (2_000..=4_000).contains(&first.changes), "{first:?}");
    // A partially deleted change set cannot be undone, and its revision is the first readable one.
    let ada = server.sign_in("ada").await;
    undo(&ada, bulk.header("x-request-id"), "back").await.expect_error(409, "too old to be undone");
    let revision = ada.revision("w").await;
    assert_eq!(ada.get(&format!("{W}/history?limit=1")).await.ok()["oldestRevision"], revision);
    assert_eq!(ada.get(&format!("{W}?at={revision}")).await.ok()["components"], ada.bundle("w").await["components"]);
    let mut removed = first.changes;
    for _ in 0..3 {
        removed += server.clean_up().await.changes;
    }
    assert_eq!((removed, server.changes().len()), (all, 0));
    assert_eq!(ada.get(&format!("{W}/history")).await.ok()["changes"], json!([]));
    assert_eq!(ada.get(&format!("{W}?at={revision}")).await.ok()["components"], ada.bundle("w").await["components"]);
}

#[tokio::test]
async fn remaining_changes_of_a_purged_workspace_are_deleted() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.delete(W).await.ok();
    days(&server, 31);
    assert_eq!(server.clean_up().await.workspaces, 1);
    assert!(!server.changes().is_empty());
    days(&server, 366);
    assert!(server.clean_up().await.changes > 0);
    assert!(server.changes().is_empty());
}

#[tokio::test]
async fn a_clock_that_jumps_ahead_deletes_at_most_one_day() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    clean_up(&server.app.gate).await.unwrap();
    let written = server.changes().len();
    ada.delete("/api/workspaces/w").await.ok();
    // A month of normal operation with cleanup every few hours.
    for _ in 0..90 {
        server.clock.advance(8 * HOUR);
        clean_up(&server.app.gate).await.unwrap();
    }
    assert_eq!(server.count("SELECT count(*) FROM workspace WHERE deleted_at IS NOT NULL"), 1);
    days(&server, 400);
    // Any number of restarts in between makes no difference.
    for _ in 0..20 {
        let removed = clean_up(&server.app.gate).await.unwrap();
        assert_eq!(removed.changes, 0);
    }
    assert!(server.changes().len() > written);
    // The clock was right: everything due is deleted within the same time span.
    let mut swept = 0;
    while server.changes().len() > 1 {
        server.clock.advance(DAY);
        clean_up(&server.app.gate).await.unwrap();
        swept += 1;
        assert!(swept <= 400);
    }
    assert!(swept > 100, "{swept}");
}

#[tokio::test]
async fn a_clock_that_is_set_back_deletes_nothing() {
    let server = TestServer::new().await;
    server.seed_map().await;
    clean_up(&server.app.gate).await.unwrap();
    days(&server, 3_000);
    clean_up(&server.app.gate).await.unwrap();
    days(&server, -3_000);
    clean_up(&server.app.gate).await.unwrap();
    server.clock.advance(HOUR);
    assert_eq!(clean_up(&server.app.gate).await.unwrap().changes, 0);
    let lag = server.count("SELECT swept_at - swept_to FROM instance");
    assert_eq!(lag, 0);
}
