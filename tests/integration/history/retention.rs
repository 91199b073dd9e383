//! How long the history is kept, and what is so when it is not any more.

use planroom::{
    clock::{DAY, HOUR},
    jobs::sweep,
    settings::find,
};
use serde_json::json;

use super::{full, undo};
use crate::support::Stage;

const W: &str = "/api/workspaces/w";
const A: &str = "/api/workspaces/w/components/a";
const SETTINGS: &str = "/api/admin/settings";

/// Lets time pass.
fn days(stage: &Stage, days: i64) {
    stage.clock.advance(days * DAY);
}

#[tokio::test]
async fn changes_go_when_they_are_older_than_the_setting_says() {
    let stage = Stage::new().await;
    let ada = full(&stage).await;
    let old = ada.header("x-batch-id", "old").patch(A, json!({ "name": "Old" })).await;
    old.ok();
    let before = ada.bundle("w").await;
    days(&stage, 200);
    let ada = stage.sign_in("ada").await;
    ada.patch(A, json!({ "name": "New" })).await.ok();
    assert_eq!(stage.sweep().await.changes, 0, "a year is kept");
    ada.patch(SETTINGS, json!({ "history.days": 200 })).await.ok();
    assert_eq!(stage.sweep().await.changes, 0, "on the day it is still kept");
    days(&stage, 1);
    let ada = stage.sign_in("ada").await;
    assert!(stage.sweep().await.changes > 5);
    assert_eq!(stage.sweep().await.changes, 0, "all that was to go");
    assert!(stage.directory_changes("acme").is_empty(), "the directory's go too");
    let history = ada.get(&format!("{W}/history")).await.ok();
    let revision = ada.revision("w").await;
    assert_eq!((history["changes"].as_array().unwrap().len(), &history["oldestRevision"]), (1, &json!(revision)));
    let text = format!("not found; this workspace can be read as it was at revisions {revision} to {revision}");
    let then = &before["workspace"]["revision"];
    ada.get(&format!("{W}?at={then}")).await.refused(404, &text);
    ada.get(&format!("{W}/history/difference?from={then}")).await.refused(404, &text);
    assert_eq!(ada.get(&format!("{W}?at={revision}")).await.ok()["components"], ada.bundle("w").await["components"]);
    undo(&ada, "old", "back").await.refused(404, "change set not found");
    ada.patch(A, json!({ "name": "Newer" })).await.ok();
    assert_eq!(ada.get(&format!("{W}?at={revision}")).await.ok()["components"][0]["name"], "New");
}

#[tokio::test]
async fn nought_days_are_for_ever() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    ada.patch(SETTINGS, json!({ "history.days": 0 })).await.ok();
    days(&stage, 40_000);
    assert_eq!(stage.sweep().await.changes, 0);
    let ada = stage.sign_in("ada").await;
    ada.patch(SETTINGS, json!({ "history.days": null })).await.ok();
    assert!(stage.sweep().await.changes > 0);
}

#[tokio::test]
async fn a_number_of_days_is_a_whole_number() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    for wrong in [json!(-1), json!(36_501), json!(1.5), json!("365"), json!(true), json!([1]), json!(1e99)] {
        let refusal = ada.patch(SETTINGS, json!({ "history.days": wrong })).await.refused(400, "a whole number from 0");
        assert_eq!(refusal["field"], "history.days");
    }
    let list = ada.patch(SETTINGS, json!({ "history.days": 30 })).await.ok();
    let days = list["settings"].as_array().unwrap().iter().find(|one| one["key"] == "history.days").unwrap().clone();
    assert_eq!((&days["value"], &days["default"], &days["kind"]), (&json!(30), &json!(365), &json!("number")));
    assert!(find("history.days").unwrap().admits(&json!(36_500)));
}

#[tokio::test]
async fn who_comes_back_too_late_is_told_to_reload() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let tag = ada.tag("w").await.trim_matches('"').to_owned();
    let mut follower = ada.follow("w", "").await;
    ada.patch(A, json!({ "name": "One" })).await.ok();
    follower.hear().await;
    let early = follower.last;
    ada.patch(A, json!({ "name": "Two" })).await.ok();
    ada.patch(A, json!({ "name": "Three" })).await.ok();
    follower.hear().await;
    follower.hear().await;
    let late = follower.last;
    drop(follower);
    days(&stage, 366);
    let ada = stage.sign_in("ada").await;
    assert!(stage.sweep().await.changes > 0);
    assert_eq!(stage.changes().len(), 0);
    for mut follower in [ada.resume("w", early).await, ada.follow("w", &format!("?since={tag}")).await] {
        assert_eq!(follower.hear().await.what(), "reload");
    }
    // Who had all of it has missed nothing.
    let mut follower = ada.resume("w", late).await;
    ada.patch(A, json!({ "name": "Four" })).await.ok();
    assert_eq!(follower.hear().await.data["row"]["name"], "Four");
    // A position that was told with a reload is one to come back to.
    let mut follower = ada.resume("w", early).await;
    let reload = follower.hear().await;
    assert_eq!(reload.what(), "reload");
    ada.patch(A, json!({ "name": "Five" })).await.ok();
    assert_eq!(ada.resume("w", reload.id).await.hear().await.data["row"]["name"], "Five");
}

#[tokio::test]
async fn who_has_missed_what_the_directory_no_longer_tells_is_told_to_reload() {
    let stage = Stage::new().await;
    let ada = full(&stage).await;
    let tag = ada.tag("w").await.trim_matches('"').to_owned();
    ada.patch("/api/people/grace", json!({ "name": "Once" })).await.ok();
    ada.patch("/api/people/grace", json!({ "name": "Twice" })).await.ok();
    days(&stage, 366);
    let ada = stage.sign_in("ada").await;
    ada.patch("/api/people/grace", json!({ "name": "Thrice" })).await.ok();
    // Only the directory's log is cut: in the workspace nothing was written since.
    stage.sql(|conn| conn.execute("UPDATE change SET ts = ts + 400 * 86400000 WHERE workspace_pk > 0", []).unwrap());
    assert!(stage.sweep().await.changes > 0);
    assert_eq!(stage.directory_changes("acme").len(), 1);
    assert_eq!(ada.follow("w", &format!("?since={tag}")).await.hear().await.what(), "reload");
    let now = ada.tag("w").await.trim_matches('"').to_owned();
    let mut follower = ada.follow("w", &format!("?since={now}")).await;
    ada.patch("/api/people/grace", json!({ "name": "Again" })).await.ok();
    assert_eq!(follower.hear().await.data["row"]["name"], "Again");
}

#[tokio::test]
async fn one_sweep_removes_no_more_than_a_portion_and_keeps_revisions_whole() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    let component = |n: usize| json!({ "id": n.to_string(), "typeId": "service", "name": "N" });
    let components: Vec<_> = (0..5_000).map(component).collect();
    let bulk = ada.put(&format!("{W}/bulk"), json!({ "components": components, "relationships": [] })).await;
    bulk.ok();
    ada.found("v").await;
    let all = stage.changes().len() + stage.directory_changes("acme").len();
    days(&stage, 366);
    let first = stage.sweep().await;
    assert!(first.is_not_all() && (2_000..=4_000).contains(&first.changes), "{first:?}");
    // A write of which the log has a part only cannot be undone, and its own revision is the first to be read.
    let ada = stage.sign_in("ada").await;
    undo(&ada, bulk.header("x-request-id"), "back").await.refused(409, "too old to be undone");
    let revision = ada.revision("w").await;
    assert_eq!(ada.get(&format!("{W}/history?limit=1")).await.ok()["oldestRevision"], revision);
    assert_eq!(ada.get(&format!("{W}?at={revision}")).await.ok()["components"], ada.bundle("w").await["components"]);
    let mut removed = first.changes;
    for _ in 0..3 {
        removed += stage.sweep().await.changes;
    }
    assert_eq!((removed, stage.changes().len()), (all, 0));
    assert_eq!(ada.get(&format!("{W}/history")).await.ok()["changes"], json!([]));
    assert_eq!(ada.get(&format!("{W}?at={revision}")).await.ok()["components"], ada.bundle("w").await["components"]);
}

#[tokio::test]
async fn what_is_left_of_a_workspace_that_is_gone_for_good_goes_too() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    ada.delete(W).await.ok();
    days(&stage, 31);
    assert_eq!(stage.sweep().await.workspaces, 1);
    assert!(!stage.changes().is_empty());
    days(&stage, 366);
    assert!(stage.sweep().await.changes > 0);
    assert!(stage.changes().is_empty());
}

#[tokio::test]
async fn a_clock_that_jumps_ahead_deletes_no_more_than_a_day_at_once() {
    let stage = Stage::new().await;
    let ada = stage.map().await;
    sweep(&stage.app.gate).await.unwrap();
    let written = stage.changes().len();
    ada.delete("/api/workspaces/w").await.ok();
    // A month of normal running, cleaned up every few hours.
    for _ in 0..90 {
        stage.clock.advance(8 * HOUR);
        sweep(&stage.app.gate).await.unwrap();
    }
    assert_eq!(stage.count("SELECT count(*) FROM workspace WHERE deleted_at IS NOT NULL"), 1);
    days(&stage, 400);
    // However often the server starts meanwhile.
    for _ in 0..20 {
        let removed = sweep(&stage.app.gate).await.unwrap();
        assert_eq!(removed.changes, 0);
    }
    assert!(stage.changes().len() > written);
    // The clock was right after all: within as long as it was away, everything goes that is due.
    let mut swept = 0;
    while stage.changes().len() > 1 {
        stage.clock.advance(DAY);
        sweep(&stage.app.gate).await.unwrap();
        swept += 1;
        assert!(swept <= 400);
    }
    assert!(swept > 100, "{swept}");
}

#[tokio::test]
async fn a_clock_that_was_wrong_and_is_set_back_deletes_nothing() {
    let stage = Stage::new().await;
    stage.map().await;
    sweep(&stage.app.gate).await.unwrap();
    days(&stage, 3_000);
    sweep(&stage.app.gate).await.unwrap();
    days(&stage, -3_000);
    sweep(&stage.app.gate).await.unwrap();
    stage.clock.advance(HOUR);
    assert_eq!(sweep(&stage.app.gate).await.unwrap().changes, 0);
    let lag = stage.count("SELECT swept_at - swept_to FROM instance");
    assert_eq!(lag, 0);
}
