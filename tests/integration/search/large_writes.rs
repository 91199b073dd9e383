//! The search index after large writes, which are indexed in the background after the commit.

use serde_json::{Value, json};

use super::search;
use crate::support::{TestClient, TestServer};

/// Too many components to index within the write. They are indexed in more than two parts.
const COMPONENTS: usize = 5_100;

async fn put(client: &TestClient<'_>, names: impl Iterator<Item = String>) {
    let component = |(n, name): (usize, String)| json!({ "id": format!("c{n}"), "typeId": "service", "name": name });
    let components: Vec<Value> = names.enumerate().map(component).collect();
    let model = json!({ "workspace": { "name": "Large" }, "components": components, "relationships": [] });
    client.put("/api/workspaces/large/bulk", model).await.ok();
}

async fn total(client: &TestClient<'_>, query: &str) -> Value {
    search(client, query, "").await["total"].clone()
}

#[tokio::test]
async fn a_search_finds_what_a_large_write_created_changed_and_deleted() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    put(&ada, (0..COMPONENTS).map(|n| format!("first-{n}."))).await;
    server.until_indexed().await;
    for n in [0, COMPONENTS / 2, COMPONENTS - 1] {
        assert_eq!(total(&ada, &format!("first-{n}.")).await, 1);
    }
    put(&ada, (0..COMPONENTS).map(|n| format!("second-{n}."))).await;
    server.until_indexed().await;
    assert_eq!(total(&ada, "first-").await, 0);
    assert_eq!(total(&ada, &format!("second-{}.", COMPONENTS - 1)).await, 1);
    put(&ada, std::iter::empty()).await;
    server.until_indexed().await;
    assert_eq!(total(&ada, "second-").await, 0);
    assert_eq!(server.count("SELECT count(*) FROM search_document WHERE row_id LIKE 'c%'"), 0);
}

#[tokio::test]
async fn a_server_that_stops_before_indexing_is_complete_rebuilds_the_index_at_the_next_start() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    put(&ada, (0..COMPONENTS).map(|n| format!("first-{n}."))).await;
    let server = server.restart();
    let ada = server.sign_in("ada").await;
    assert_eq!(server.count("SELECT version = 0 FROM search_state"), 0);
    assert_eq!(total(&ada, &format!("first-{}.", COMPONENTS - 1)).await, 1);
}

#[tokio::test]
async fn two_large_writes_in_a_row_are_both_indexed() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    put(&ada, (0..COMPONENTS).map(|n| format!("first-{n}."))).await;
    ada.post("/api/workspaces/large/duplicate", json!({ "id": "copy" })).await.created();
    server.until_indexed().await;
    assert_eq!(total(&ada, &format!("first-{}.", COMPONENTS - 1)).await, 2);
}

#[tokio::test]
async fn documents_that_could_not_be_indexed_are_indexed_with_those_of_the_next_large_write() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let refuse = "CREATE TRIGGER refuse BEFORE INSERT ON search_document WHEN NEW.row_id = 'c1000'
                  BEGIN SELECT RAISE(ABORT, 'no space'); END";
    server.sql(|conn| conn.execute_batch(refuse).unwrap());
    put(&ada, (0..COMPONENTS).map(|n| format!("first-{n}."))).await;
    // Two parts are committed, with the document of the workspace; the third is not.
    for _ in 0..4 {
        server.flush_writes().await;
    }
    assert_eq!(server.count("SELECT version FROM search_state"), 0);
    assert_eq!(server.count("SELECT count(*) FROM search_document WHERE row_id LIKE 'c%'"), 999);
    server.sql(|conn| conn.execute_batch("DROP TRIGGER refuse").unwrap());
    ada.post("/api/workspaces/large/duplicate", json!({ "id": "copy" })).await.created();
    server.until_indexed().await;
    for n in [0, 1_000, COMPONENTS - 1] {
        assert_eq!(total(&ada, &format!("first-{n}.")).await, 2);
    }
}
