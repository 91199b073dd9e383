//! Reading the history.

use serde_json::{Value, json};

use crate::support::{TestClient, TestServer};

const HISTORY: &str = "/api/workspaces/w/history";
const A: &str = "/api/workspaces/w/components/a";

/// For example `update component a`, newest first.
fn summaries(page: &Value) -> Vec<String> {
    let word = |change: &Value, name: &str| change[name].as_str().unwrap().to_owned();
    let changes = page["changes"].as_array().unwrap().iter();
    changes.map(|one| format!("{} {} {}", word(one, "op"), word(one, "entity"), word(one, "entityId"))).collect()
}

async fn read(client: &TestClient<'_>, query: &str) -> Value {
    client.get(&format!("{HISTORY}{query}")).await.ok()
}

#[tokio::test]
async fn all_changes_are_listed_newest_first() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let before = ada.bundle("w").await["components"][0].clone();
    ada.header("x-batch-id", "gesture").patch(A, json!({ "name": "Anew", "x": 5, "y": 6 })).await.ok();
    ada.delete("/api/workspaces/w/components/b").await.ok();
    let page = read(&ada, "").await;
    let expected = [
        "delete component b",
        "delete relationship r",
        "update component a",
        "create relationship r",
        "create component b",
        "create component a",
        "create member 1",
        "create workspace w",
    ];
    assert_eq!(summaries(&page), expected);
    assert_eq!((&page["next"], &page["oldestRevision"]), (&json!(null), &json!(1)));
    let [gone, update, founded] = [&page["changes"][0], &page["changes"][2], &page["changes"][7]];
    assert_eq!((&gone["row"], &gone["before"]["id"], &gone["fields"]), (&json!(null), &json!("b"), &json!([])));
    assert_eq!((&founded["before"], &founded["row"]["name"]), (&json!(null), &json!("w")));
    assert_eq!((&update["before"], &update["row"]["name"]), (&before, &json!("Anew")));
    assert_eq!(update["fields"], json!(["name", "x", "y"]));
    assert_eq!((&update["batch"], &update["actor"]["displayName"]), (&json!("gesture"), &json!("ada")));
}

#[tokio::test]
async fn a_row_that_only_changed_its_order_is_marked() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let mut bundle = ada.bundle("w").await;
    bundle["components"].as_array_mut().unwrap().reverse();
    ada.put("/api/workspaces/w/bulk", bundle).await.ok();
    let page = read(&ada, "?limit=2").await;
    assert_eq!(page["changes"][0]["fields"], json!(["seq"]));
}

#[tokio::test]
async fn pages_have_no_gaps_or_repetitions() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    for n in 0..7 {
        ada.patch(A, json!({ "name": n.to_string() })).await.ok();
    }
    let all = read(&ada, "?limit=200").await;
    assert_eq!(summaries(&all).len(), 12);
    let (mut changes, mut query) = (Vec::new(), "?limit=5".to_owned());
    loop {
        let page = read(&ada, &query).await;
        changes.extend(page["changes"].as_array().unwrap().clone());
        let Some(next) = page["next"].as_i64() else { break };
        assert_eq!(page["changes"].as_array().unwrap().len(), 5);
        query = format!("?limit=5&before={next}");
        // Concurrent writes do not move older changes to other pages.
        ada.patch(A, json!({ "name": query })).await.ok();
    }
    assert_eq!(json!(changes), all["changes"]);
    assert_eq!(read(&ada, "?before=1").await["changes"], json!([]));
}

#[tokio::test]
async fn large_change_sets_are_split_into_pages() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let text = |n: usize| format!("sequenceDiagram\n%% {n} {}\nA->>A: x", "x".repeat(250_000));
    let new = json!({ "id": "big", "name": "Big", "mermaid": text(0) });
    ada.post("/api/workspaces/w/processes", new).await.created();
    for n in 1..4 {
        ada.patch("/api/workspaces/w/processes/big", json!({ "mermaid": text(n) })).await.ok();
    }
    let reply = ada.get(&format!("{HISTORY}?entity=process")).await;
    let page = reply.ok();
    assert_eq!(summaries(&page).len(), 2, "the third would make it more than a mebibyte");
    assert!(reply.bytes.len() < 1_100_000);
    let rest = read(&ada, &format!("?entity=process&before={}", page["next"])).await;
    assert_eq!(summaries(&rest), ["update process big", "create process big"]);
}

#[tokio::test]
async fn the_history_can_be_filtered_by_row_kind_user_and_change_set() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let user = server.seed_member("bob", "acme", "org:member");
    server.grant("w", user, "editor");
    let bob = server.sign_in("bob").await;
    ada.patch(A, json!({ "name": "One" })).await.ok();
    bob.header("x-batch-id", "his").patch(A, json!({ "name": "Two" })).await.ok();
    bob.header("x-batch-id", "his").delete("/api/workspaces/w/relationships/r").await.ok();
    ada.create_workspace("v").await;
    ada.header("x-batch-id", "his").create_components("v", &["a"]).await;
    let cases = [
        (
            "entity=component",
            vec!["update component a", "update component a", "create component b", "create component a"],
        ),
        ("entity=component&entityId=b", vec!["create component b"]),
        ("entityId=b", vec!["create component b"]),
        ("entity=relationship", vec!["delete relationship r", "create relationship r"]),
        ("entity=component&entityId=r", vec![]),
        ("batch=his", vec!["delete relationship r", "update component a"]),
        ("batch=his&entity=component", vec!["update component a"]),
        ("batch=hers", vec![]),
        ("entity=process", vec![]),
    ];
    for (query, expected) in cases {
        assert_eq!(summaries(&read(&ada, &format!("?{query}")).await), expected, "{query}");
    }
    let his = read(&ada, &format!("?actor={user}")).await;
    assert_eq!(summaries(&his), ["delete relationship r", "update component a"]);
    assert_eq!(
        read(&ada, &format!("?actor={user}&entity=component&entityId=a&batch=his&limit=1")).await["next"],
        json!(null)
    );
    // IDs with any characters.
    let odd = "a/+ %漢字";
    ada.post("/api/workspaces/w/components", json!({ "id": odd, "typeId": "service", "name": "Odd" })).await.created();
    let query = format!("?entity=component&entityId={}", crate::support::segment(odd));
    assert_eq!(summaries(&read(&ada, &query).await), [format!("create component {odd}")]);
}

#[tokio::test]
async fn invalid_filters_are_rejected() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let long = "x".repeat(129);
    let cases = [
        ("limit=0", "limit: must be 1 to 200"),
        ("limit=-1", "limit: must be 1 to 200"),
        ("limit=201", "limit: must be 1 to 200"),
        ("limit=x", "invalid query"),
        ("limit=1e2", "invalid query"),
        ("limit=", "invalid query"),
        ("limit=5&limit=6", "invalid query"),
        ("before=0", "before: must be the id of a change"),
        ("before=-7", "before: must be the id of a change"),
        ("before=x", "invalid query"),
        ("before=99999999999999999999", "invalid query"),
        ("entity=Component", "invalid query"),
        ("entity=person", "invalid query"),
        ("entity=", "invalid query"),
        ("entity=component&entityId=", "entityId: must have 1 to 128 characters"),
        (&format!("entity=component&entityId={long}"), "entityId: must have 1 to 128 characters"),
        ("actor=0", "actor: must be the id of a user"),
        ("actor=ada", "invalid query"),
        ("batch=", "batch: must have 1 to 128 characters"),
        (&format!("batch={long}"), "batch: must have 1 to 128 characters"),
    ];
    for (query, text) in cases {
        ada.get(&format!("{HISTORY}?{query}")).await.expect_error(400, text);
    }
    ada.get("/api/workspaces/nowhere/history").await.expect_error(404, "workspace not found");
}
