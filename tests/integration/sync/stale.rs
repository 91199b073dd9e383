//! Sources that were not synchronized for a while: marks, the count for monitoring, and notifications of owners.

use planroom::clock::{DAY, MINUTE};
use serde_json::{Value, json};

use super::{COMPOSE, request, sync};
use crate::support::{TestClient, TestServer};

const SOURCES: &str = "/api/workspaces/shop/sources";

impl TestServer {
    /// Counts stale sources and notifies owners of new ones, as the job does every minute.
    pub async fn watch_sources(&self) {
        self.app.sources().work().await.unwrap();
    }

    /// The number of stale sources in the metrics.
    async fn stale_sources(&self) -> String {
        self.watch_sources().await;
        let text = self.app.metrics(None).text().unwrap();
        let line = text.lines().find(|line| line.starts_with("planroom_stale_sources ")).unwrap();
        line["planroom_stale_sources ".len()..].to_owned()
    }
}

/// A script of ada, whose token is still valid in weeks, with an empty workspace `shop`.
async fn shop(server: &TestServer) -> TestClient<'_> {
    let ada = server.script_client("ada").await;
    ada.create_workspace("shop").await;
    ada
}

/// Adds a user with an access level in the workspace `shop`.
async fn member<'s>(server: &'s TestServer, login: &str, level: &str) -> TestClient<'s> {
    let user = server.seed_member(login, "acme", "org:member");
    server.grant("shop", user, level);
    server.script_client(login).await
}

/// Ids of the stale sources, in the list of sources and in the drift report.
async fn stale(client: &TestClient<'_>) -> Vec<String> {
    let ids = |rows: Vec<&Value>| -> Vec<String> {
        rows.into_iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
    };
    let list = client.get(SOURCES).await.ok();
    let marked = ids(list["sources"].as_array().unwrap().iter().filter(|row| row["isStale"] == true).collect());
    let drift = client.get("/api/workspaces/shop/drift").await.ok();
    assert_eq!(ids(drift["staleSources"].as_array().unwrap().iter().collect()), marked);
    marked
}

/// Title and text of the entries in the inbox.
async fn inbox(client: &TestClient<'_>) -> Vec<String> {
    let inbox = client.get("/api/me/inbox?kind=stale-source").await.ok();
    let text = |entry: &Value| format!("{}: {}", entry["title"].as_str().unwrap(), entry["text"].as_str().unwrap());
    inbox["entries"].as_array().unwrap().iter().map(text).collect()
}

#[tokio::test]
async fn a_source_is_stale_after_seven_days_until_it_is_synchronized_again() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let mut request = request(&ada, COMPOSE).await;
    request["source"]["revision"] = json!("4f2a91c");
    sync(&ada, &request).await;
    let synced_at = server.clock.now();
    server.clock.advance(7 * DAY - 1);
    assert_eq!((stale(&ada).await, server.stale_sources().await), (vec![], "0".into()));
    server.clock.advance(1);
    assert_eq!((stale(&ada).await, server.stale_sources().await), (vec!["acme/shop:compose.yaml".into()], "1".into()));
    let drift = ada.get("/api/workspaces/shop/drift").await.ok();
    let expected = json!({ "id": "acme/shop:compose.yaml", "name": null, "repository": null, "revision": "4f2a91c",
                           "lastSyncAt": synced_at, "lastSyncBy": "ada" });
    assert_eq!((&drift["staleSources"], &drift["sources"]), (&json!([expected]), &json!(1)));
    let assistant = server.assistant_of("ada").await;
    let for_assistants = assistant.call_ok("drift", json!({ "workspaceId": "shop" })).await;
    assert_eq!(for_assistants["staleSources"], drift["staleSources"]);
    assert_eq!(ada.get(&format!("{SOURCES}/acme%2Fshop:compose.yaml")).await.ok()["source"]["isStale"], true);

    sync(&ada, &request).await;
    assert_eq!((stale(&ada).await, server.stale_sources().await), (vec![], "0".into()), "nothing has changed");
}

#[tokio::test]
async fn administrators_choose_when_a_source_is_stale_or_that_none_is() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    sync(&ada, &request(&ada, COMPOSE).await).await;
    server.clock.advance(30 * DAY);
    let set = async |days: i64| {
        let admin = server.sign_in("ada").await;
        admin.patch("/api/admin/settings", json!({ "sources.stale_after_days": days })).await.ok();
        stale(&ada).await.len()
    };
    assert_eq!(set(31).await, 0);
    assert_eq!((set(0).await, server.stale_sources().await), (0, "0".into()), "never");
    assert!(inbox(&ada).await.is_empty());
    assert_eq!((set(30).await, server.stale_sources().await), (1, "1".into()));
    assert_eq!(inbox(&ada).await, ["A source of shop was not synchronized for 30 days: acme/shop:compose.yaml"]);
}

#[tokio::test]
async fn owners_are_notified_once_when_a_source_becomes_stale() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let (bob, eve) = (member(&server, "bob", "owner").await, member(&server, "eve", "editor").await);
    let request = request(&eve, COMPOSE).await;
    sync(&eve, &request).await;
    let entry = ["A source of shop was not synchronized for 7 days: acme/shop:compose.yaml"];
    let all = async || {
        server.watch_sources().await;
        (inbox(&ada).await, inbox(&bob).await, inbox(&eve).await)
    };
    let none = || (vec![], vec![], vec![]);
    let of_owners = || (entry.map(String::from).to_vec(), entry.map(String::from).to_vec(), vec![]);
    assert_eq!(all().await, none());
    server.clock.advance(7 * DAY);
    assert_eq!(all().await, of_owners());
    let read = ada.get("/api/me/inbox").await.ok();
    let read = &read["entries"][0];
    assert_eq!((&read["workspaceId"], &read["count"], &read["actor"]), (&json!("shop"), &json!(1), &json!(null)));
    server.clock.advance(7 * DAY);
    assert_eq!(all().await, of_owners(), "once, with what was true then");

    sync(&eve, &request).await;
    assert_eq!(all().await, none(), "it is obsolete");
    server.clock.advance(7 * DAY - 1);
    assert_eq!(all().await, none());
    server.clock.advance(1);
    assert_eq!(all().await, of_owners(), "it has become stale again");
    ada.delete(&format!("{SOURCES}/acme%2Fshop:compose.yaml")).await.ok();
    assert_eq!(all().await, none(), "the source is gone");
}

#[tokio::test]
async fn sources_that_become_stale_together_are_one_notification() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    let reading = request(&ada, COMPOSE).await["reading"].clone();
    let source = |id: &str, name: Option<&str>| json!({ "source": { "id": id, "kind": "compose", "name": name }, "reading": reading });
    let run = json!({ "repository": { "id": "acme" }, "sources": [source("a", Some("Cluster")), source("b", None)] });
    sync(&ada, &run).await;
    server.clock.advance(MINUTE);
    let mut single = source("c", None);
    single["adopt"] = json!(true);
    sync(&ada, &single).await;
    server.clock.advance(7 * DAY - MINUTE);
    server.watch_sources().await;
    assert_eq!(inbox(&ada).await, ["2 sources of shop were not synchronized for 7 days: Cluster, b"]);
    server.clock.advance(MINUTE);
    server.watch_sources().await;
    assert_eq!(
        inbox(&ada).await,
        ["3 sources of shop were not synchronized for 7 days: Cluster, b, c"],
        "while unread"
    );
    sync(&ada, &run).await;
    assert_eq!(inbox(&ada).await, ["A source of shop was not synchronized for 7 days: c"]);
}

#[tokio::test]
async fn sources_of_drafts_and_deleted_workspaces_are_neither_counted_nor_news() {
    let server = TestServer::new().await;
    let ada = shop(&server).await;
    sync(&ada, &request(&ada, COMPOSE).await).await;
    ada.post("/api/workspaces/shop/drafts", json!({ "title": "Split payments" })).await.created();
    assert_eq!(server.count("SELECT count(*) FROM source"), 2);
    server.clock.advance(7 * DAY);
    assert_eq!((server.stale_sources().await, inbox(&ada).await.len()), ("1".into(), 1));
    server.clock.advance(1);
    ada.create_workspace("bank").await;
    ada.post("/api/workspaces/bank/sync", request(&ada, COMPOSE).await).await.ok();
    ada.delete("/api/workspaces/bank").await.ok();
    server.clock.advance(7 * DAY);
    assert_eq!((server.stale_sources().await, inbox(&ada).await.len()), ("1".into(), 1));
}
