//! Search in all workspaces, by the index.

mod large_writes;
mod limits;
mod naive;
mod random;
mod repair;
mod visibility;

use serde_json::{Value, json};

use crate::support::{TestClient, TestServer, segment};

/// Searches, and returns the response.
pub async fn search(client: &TestClient<'_>, query: &str, parameters: &str) -> Value {
    client.get(&format!("/api/search?q={}{parameters}", segment(query))).await.ok()
}

/// Kind, workspace and id of each result.
pub fn found(answer: &Value) -> Vec<String> {
    let text = |result: &Value, key: &str| result[key].as_str().unwrap().to_owned();
    let results = answer["results"].as_array().unwrap().iter();
    results
        .map(|result| format!("{} {} {}", text(result, "kind"), text(result, "workspaceId"), text(result, "id")))
        .collect()
}

/// A shop with two workspaces.
async fn shop(server: &TestServer) {
    let ada = server.script_client("ada").await;
    ada.post("/api/workspaces", json!({ "id": "shop", "name": "Shop", "description": "All that\nsells" }))
        .await
        .created();
    ada.post("/api/workspaces", json!({ "id": "bank", "name": "Bank", "visibility": "private" })).await.created();
    for (workspace, component) in [
        (
            "shop",
            json!({ "id": "checkout", "typeId": "service", "name": "Checkout", "technology": ["Rust"],
                         "tags": ["core"], "description": "Takes orders.\nCharges cards." }),
        ),
        ("shop", json!({ "id": "orders-db", "typeId": "database", "name": "Orders", "technology": ["PostgreSQL 17"] })),
        ("shop", json!({ "id": "mail", "typeId": "service", "name": "Email AI" })),
        ("bank", json!({ "id": "ledger", "typeId": "service", "name": "Ai ledger", "technology": ["MySQL"] })),
    ] {
        ada.post(&format!("/api/workspaces/{workspace}/components"), component).await.created();
    }
    ada.create_relationship("shop", "r1", "checkout", "reads", "orders-db").await;
    ada.post(
        "/api/workspaces/shop/processes",
        json!({ "id": "buy", "name": "Buy", "mermaid": "sequenceDiagram\n  A->>B: pay by card" }),
    )
    .await
    .created();
}

#[tokio::test]
async fn a_search_finds_parts_of_words_in_all_texts_of_all_workspaces() {
    let server = TestServer::new().await;
    shop(&server).await;
    let ada = server.script_client("ada").await;
    for (query, expected) in [
        ("sql", vec!["component shop orders-db", "component bank ledger"]),
        ("SQL post", vec!["component shop orders-db"]),
        ("ai", vec!["component bank ledger", "component shop mail"]),
        ("ORDERS", vec!["component shop orders-db", "component shop checkout"]),
        ("orders-db", vec!["component shop orders-db"]),
        ("core rust", vec!["component shop checkout"]),
        ("pay by", vec!["process shop buy"]),
        ("sells", vec!["workspace shop shop"]),
        ("17", vec!["component shop orders-db"]),
        ("\u{2603}", vec![]),
        ("\"", vec![]),
        ("name : x NOT y*", vec![]),
    ] {
        let answer = search(&ada, query, "").await;
        assert_eq!(found(&answer), expected, "{query}");
        assert_eq!(answer["isTotalExact"], true);
    }
}

#[tokio::test]
async fn a_result_says_where_it_is_and_what_was_found() {
    let server = TestServer::new().await;
    shop(&server).await;
    let ada = server.script_client("ada").await;
    ada.post("/api/people", json!({ "id": "grace", "name": "Grace Hopper" })).await.created();
    ada.post(
        "/api/workspaces/shop/components/checkout/stakeholders",
        json!({ "personId": "grace", "linkType": "owner" }),
    )
    .await
    .created();
    let first = async |query: &str| search(&ada, query, "").await["results"][0].clone();
    assert_eq!(
        first("charges").await,
        json!({ "kind": "component", "id": "checkout", "name": "Checkout", "workspaceId": "shop", "workspaceName": "Shop",
                "typeId": "service", "field": "description", "matched": "Charges cards.", "excerpt": "Charges cards.",
                "path": "/o/acme/w/shop?c=checkout" })
    );
    let fields = [
        ("checkout", "name", None),
        ("orders-db", "id", Some("orders-db")),
        ("database", "type", Some("database")),
        ("postgres", "technology", Some("PostgreSQL 17")),
        ("core", "tag", Some("core")),
        ("hopper", "owner", Some("Grace Hopper")),
        ("checkout hopper", "owner", Some("Grace Hopper")),
        ("card pay", "text", Some("A->>B: pay by card")),
    ];
    for (query, field, matched) in fields {
        let result = first(query).await;
        assert_eq!((result["field"].as_str(), result["matched"].as_str()), (Some(field), matched), "{query}");
    }
    assert_eq!(first("pay by").await["path"], "/o/acme/w/shop/processes/buy");
    let everything = search(&ada, "r1", "&kind=relationship").await;
    assert_eq!(everything["results"][0]["path"], "/o/acme/w/shop?r=r1");
    assert!(everything["results"][0].get("excerpt").is_none());
    let note = json!({ "id": "n 1", "text": "Rotate keys", "x": 1, "y": 2 });
    ada.post("/api/workspaces/shop/notes", note).await.created();
    assert_eq!(first("rotate").await["path"], "/o/acme/w/shop?n=n%201");
}

#[tokio::test]
async fn a_search_can_be_limited_to_a_workspace_and_kinds() {
    let server = TestServer::new().await;
    shop(&server).await;
    let ada = server.script_client("ada").await;
    assert_eq!(found(&search(&ada, "sql", "&workspaceId=bank").await), ["component bank ledger"]);
    assert_eq!(found(&search(&ada, "read", "&kind=relationship").await), ["relationship shop r1"]);
    let two = found(&search(&ada, "s", "&kind=workspace,process").await);
    assert_eq!(two, ["workspace shop shop", "process shop buy"]);
    assert_eq!(found(&search(&ada, "sql", "&exceptWorkspaceId=bank").await), ["component shop orders-db"]);
    assert_eq!(search(&ada, "sql", "&exceptWorkspaceId=nowhere").await["total"], 2);
    ada.get("/api/search?q=x&workspaceId=nowhere").await.expect_error(404, "workspace not found");
}
