//! Checks of all links of an organization.

use planroom::clock::DAY;
use serde_json::{Value, json};

use super::{connected, connected_by_token};
use crate::support::{
    TestServer,
    wiki::{
        Fault,
        content::{address, emoji},
    },
};

/// Runs due checks, as the timer does. Returns their number.
async fn run(server: &TestServer) -> usize {
    let due = server.app.wiki().due().await.unwrap();
    for organization in &due {
        server.app.wiki().refresh(organization).await;
    }
    due.len()
}

#[tokio::test]
async fn links_to_changed_pages_are_marked_by_a_check() {
    let (server, wiki) = connected().await;
    let ada = server.seed_map().await;
    for n in 1..=3 {
        wiki.root(n, &format!("Page {n}"), emoji("📕"));
        ada.link_to(&address(n)).await.created();
    }
    let other = ada.post("/api/workspaces/w/components/b/links", json!({ "url": address(1) })).await.created();
    ada.link_to("https://example.org").await.created();
    assert_eq!(run(&server).await, 1);
    wiki.take_requests();
    wiki.root(1, "Renamed", emoji("📕"));
    wiki.hide(3);
    let changes = server.changes().len();
    assert_eq!(run(&server).await, 0, "it was, a moment ago");
    ada.post("/api/admin/wiki/refresh", json!({})).await.ok();
    assert_eq!(ada.status().await["refresh"]["running"], true, "before the timer begins it");
    assert_eq!(run(&server).await, 1);
    // Each page is read once, regardless of the number of links; a missing one is also looked up as a database.
    assert_eq!(wiki.take_requests().len(), 4);
    let status = ada.status().await;
    let now = server.clock.now();
    let refresh = json!({ "running": false, "total": 3, "done": 3, "changed": 2, "failed": 1, "startedAt": now, "finishedAt": now });
    assert_eq!(status["refresh"], refresh);
    let links = ada.get("/api/workspaces/w/components/a/links").await.ok()["links"].clone();
    let titles: Vec<&Value> = links.as_array().unwrap().iter().map(|link| &link["title"]).collect();
    assert_eq!(titles[..3], ["Renamed", "Page 2", "Page 3"]);
    // Only changed links were written, without an author.
    let written = server.changes()[changes..].to_vec();
    assert_eq!(written.len(), 2);
    let told = (written[0].actor, written[0].via.as_str(), written[0].credential.as_str());
    assert_eq!(told, (None, "job", "system"));
    assert_eq!(written[1].what, format!("update link {}", other["link"]["id"]));
}

#[tokio::test]
async fn a_check_is_due_daily_and_after_connecting() {
    let (server, wiki) = connected().await;
    let ada = server.sign_in("ada").await;
    assert_eq!(ada.status().await["refresh"], Value::Null);
    assert_eq!((run(&server).await, run(&server).await), (1, 0));
    server.clock.advance(DAY);
    assert_eq!((run(&server).await, run(&server).await), (1, 0));
    let ada = server.sign_in("ada").await;
    ada.connect(&wiki).await;
    assert_eq!((run(&server).await, run(&server).await), (1, 0));
    ada.post("/api/admin/wiki/disconnect", json!({})).await.ok();
    assert_eq!(run(&server).await, 0);
}

#[tokio::test]
async fn a_check_stops_when_the_wiki_rejects_it_or_is_down() {
    let (server, wiki) = connected_by_token().await;
    let ada = server.seed_map().await;
    for n in 1..=9 {
        wiki.root(n, "Page", Value::Null);
        ada.link_to(&address(n)).await.created();
    }
    wiki.take_requests();
    wiki.fail_next(&[Fault::Broken; 9]);
    run(&server).await;
    let refresh = ada.status().await["refresh"].clone();
    assert_eq!((&refresh["running"], &refresh["total"], &refresh["failed"]), (&json!(false), &json!(9), &json!(5)));
    assert_eq!(wiki.take_requests().len(), 5);
    wiki.state().clear_faults();
    wiki.uninstall();
    ada.post("/api/admin/wiki/refresh", json!({})).await.ok();
    run(&server).await;
    assert_eq!(wiki.take_requests(), [format!("GET /v1/pages/{} 401", crate::support::wiki::content::plain(1))]);
    assert_eq!(ada.status().await["brokenSince"], server.clock.now());
    server.clock.advance(DAY);
    assert_eq!(run(&server).await, 0, "what is broken is left alone");
}

#[tokio::test]
async fn links_of_deleted_workspaces_are_not_checked() {
    let (server, wiki) = connected().await;
    let ada = server.seed_map().await;
    wiki.root(1, "Page", Value::Null);
    ada.link_to(&address(1)).await.created();
    ada.delete("/api/workspaces/w").await.ok();
    wiki.take_requests();
    run(&server).await;
    assert_eq!(wiki.take_requests(), [""; 0]);
}
