//! Rounds over all links of an organization.

use planroom::clock::DAY;
use serde_json::{Value, json};

use super::{connected, connected_by_token};
use crate::support::{
    Stage,
    wiki::{
        Fault,
        content::{address, emoji},
    },
};

/// Runs what is due, as the timer does. Answers how many rounds there were.
async fn run(stage: &Stage) -> usize {
    let due = stage.app.wiki().due().await.unwrap();
    for organization in &due {
        stage.app.wiki().round(organization).await;
    }
    due.len()
}

#[tokio::test]
async fn links_whose_pages_have_changed_say_so_after_a_round() {
    let (stage, double) = connected().await;
    let ada = stage.map().await;
    for n in 1..=3 {
        double.root(n, &format!("Page {n}"), emoji("📕"));
        ada.link_to(&address(n)).await.created();
    }
    let other = ada.post("/api/workspaces/w/components/b/links", json!({ "url": address(1) })).await.created();
    ada.link_to("https://example.org").await.created();
    assert_eq!(run(&stage).await, 1);
    double.heard();
    double.root(1, "Renamed", emoji("📕"));
    double.hide(3);
    let changes = stage.changes().len();
    assert_eq!(run(&stage).await, 0, "it was, a moment ago");
    ada.post("/api/admin/wiki/refresh", json!({})).await.ok();
    assert_eq!(run(&stage).await, 1);
    // One look at each page, however many links lead there; the one that is gone is sought as a database too.
    assert_eq!(double.heard().len(), 4);
    let status = ada.status().await;
    let now = stage.clock.now();
    let round = json!({ "running": false, "total": 3, "done": 3, "changed": 2, "failed": 1, "startedAt": now, "finishedAt": now });
    assert_eq!(status["refresh"], round);
    let links = ada.get("/api/workspaces/w/components/a/links").await.ok()["links"].clone();
    let titles: Vec<&Value> = links.as_array().unwrap().iter().map(|link| &link["title"]).collect();
    assert_eq!(titles[..3], ["Renamed", "Page 2", "Page 3"]);
    // Only what had changed was written, and by nobody.
    let written = stage.changes()[changes..].to_vec();
    assert_eq!(written.len(), 2);
    let told = (written[0].actor, written[0].via.as_str(), written[0].credential.as_str());
    assert_eq!(told, (None, "job", "system"));
    assert_eq!(written[1].what, format!("update link {}", other["link"]["id"]));
}

#[tokio::test]
async fn a_round_is_due_once_a_day_and_after_connecting() {
    let (stage, double) = connected().await;
    let ada = stage.sign_in("ada").await;
    assert_eq!(ada.status().await["refresh"], Value::Null);
    assert_eq!((run(&stage).await, run(&stage).await), (1, 0));
    stage.clock.advance(DAY);
    assert_eq!((run(&stage).await, run(&stage).await), (1, 0));
    let ada = stage.sign_in("ada").await;
    ada.connect(&double).await;
    assert_eq!((run(&stage).await, run(&stage).await), (1, 0));
    ada.post("/api/admin/wiki/disconnect", json!({})).await.ok();
    assert_eq!(run(&stage).await, 0);
}

#[tokio::test]
async fn a_round_ends_where_the_wiki_refuses_or_is_not_well() {
    let (stage, double) = connected_by_token().await;
    let ada = stage.map().await;
    for n in 1..=9 {
        double.root(n, "Page", Value::Null);
        ada.link_to(&address(n)).await.created();
    }
    double.heard();
    double.fails(&[Fault::Broken; 9]);
    run(&stage).await;
    let round = ada.status().await["refresh"].clone();
    assert_eq!((&round["running"], &round["total"], &round["failed"]), (&json!(false), &json!(9), &json!(5)));
    assert_eq!(double.heard().len(), 5);
    double.state().clear_faults();
    double.uninstall();
    ada.post("/api/admin/wiki/refresh", json!({})).await.ok();
    run(&stage).await;
    assert_eq!(double.heard(), [format!("GET /v1/pages/{} 401", crate::support::wiki::content::plain(1))]);
    assert_eq!(ada.status().await["brokenSince"], stage.clock.now());
    stage.clock.advance(DAY);
    assert_eq!(run(&stage).await, 0, "what is broken is left alone");
}

#[tokio::test]
async fn links_of_deleted_workspaces_are_left_alone() {
    let (stage, double) = connected().await;
    let ada = stage.map().await;
    double.root(1, "Page", Value::Null);
    ada.link_to(&address(1)).await.created();
    ada.delete("/api/workspaces/w").await.ok();
    double.heard();
    run(&stage).await;
    assert_eq!(double.heard(), [""; 0]);
}
