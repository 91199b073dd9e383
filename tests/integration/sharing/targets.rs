//! What links show when it is deleted, and which processes belong to a part of a map.

use serde_json::{Value, json};

use super::{SHARES, all_of, create, path, text, visit};
use crate::support::{TestClient, TestServer};

/// Creates a process between participants with these names, which are linked to components.
async fn create_process(ada: &TestClient<'_>, name: &str, participants: Value) {
    let mermaid = format!("sequenceDiagram\n Buyer->>Seller: {name} message");
    let process = json!({ "name": name, "mermaid": mermaid, "participants": participants });
    ada.post("/api/workspaces/w/processes", process).await.created();
}

#[tokio::test]
async fn links_of_parts_and_views_show_only_processes_with_a_participant_in_them() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_components("w", &["c", "d"]).await;
    let view = json!({ "name": "Some", "definition": { "include": [{ "ids": ["a", "b"] }] } });
    ada.post("/api/workspaces/w/views", view).await.created();
    create_process(&ada, "Inside", json!({ "Buyer": "a", "Seller": "b" })).await;
    create_process(&ada, "Partly", json!({ "Buyer": "a" })).await;
    create_process(&ada, "Crossing", json!({ "Buyer": "a", "Seller": "c" })).await;
    create_process(&ada, "Unlinked", json!({})).await;
    create_process(&ada, "Deleted", json!({ "Buyer": "d", "Seller": "d" })).await;
    create_process(&ada, "Half", json!({ "Buyer": "a", "Seller": "d" })).await;
    ada.delete("/api/workspaces/w/components/d").await.ok();
    let shown = async |fields: Value| {
        let mut fields = fields;
        fields["shows"] = json!(["processes"]);
        let path = path(&create(&ada, fields).await);
        let model = visit(&server, &format!("{path}/model.json")).await.ok();
        let names = model["processes"].as_array().unwrap().iter().map(|process| process["name"].as_str().unwrap());
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(shown(json!({ "scope": "part", "componentIds": ["a", "b"] })).await, "Inside Partly");
    assert_eq!(shown(json!({ "scope": "part", "componentIds": ["a"], "depth": 1 })).await, "Inside Partly");
    assert_eq!(shown(json!({ "scope": "view", "viewId": "some" })).await, "Inside Partly");
    assert_eq!(shown(json!({})).await, "Inside Partly Crossing Unlinked Deleted Half");
}

/// The state of a link, as its owner sees it.
async fn state(ada: &TestClient<'_>, share: &Value) -> Value {
    let listed = ada.get(SHARES).await.ok();
    listed["shares"].as_array().unwrap().iter().find(|listed| listed["id"] == share["id"]).unwrap()["state"].clone()
}

/// The statuses of all requests for a link, without those that its options prevent.
async fn statuses(server: &TestServer, share: &Value) -> [u16; 4] {
    let replies = all_of(server, &path(share)).await;
    [0, 2, 3, 4].map(|at: usize| replies[at].status.as_u16())
}

#[tokio::test]
async fn a_link_ends_when_what_it_shows_is_deleted_and_does_not_show_what_gets_its_id_later() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_components("w", &["c"]).await;
    let view = json!({ "name": "Checkout", "definition": { "include": [{ "ids": ["c"] }] } });
    ada.post("/api/workspaces/w/views", view.clone()).await.created();
    create_process(&ada, "Pay", json!({ "Buyer": "c" })).await;
    for (fields, resource, again) in [
        (json!({ "scope": "view", "viewId": "checkout" }), "views/checkout", view),
        (
            json!({ "scope": "process", "processId": "pay" }),
            "processes/pay",
            json!({ "name": "Pay", "mermaid": "sequenceDiagram\n A->>B: secret" }),
        ),
        (
            json!({ "scope": "part", "componentIds": ["c"] }),
            "components/c",
            json!({ "id": "c", "typeId": "service", "name": "Secret" }),
        ),
    ] {
        let share = create(&ada, fields).await;
        let resource = format!("/api/workspaces/w/{resource}");
        let kind = resource.rsplit_once('/').unwrap().0;
        assert_eq!((statuses(&server, &share).await, state(&ada, &share).await), ([200; 4], json!("active")));

        server.clock.advance(1_000);
        ada.header("x-batch-id", kind).delete(&resource).await.ok();
        assert_eq!((statuses(&server, &share).await, state(&ada, &share).await), ([404; 4], json!("gone")), "{kind}");
        ada.post("/api/workspaces/w/undo", json!({ "batchId": kind })).await.ok();
        assert_eq!((statuses(&server, &share).await, state(&ada, &share).await), ([200; 4], json!("active")), "{kind}");

        ada.delete(&resource).await.ok();
        server.clock.advance(1_000);
        ada.post(kind, again).await.created();
        assert_eq!(ada.get(&resource).await.status, 200, "it has the same id");
        assert_eq!((statuses(&server, &share).await, state(&ada, &share).await), ([404; 4], json!("gone")), "{kind}");
        let org = ada.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned();
        let listed = ada.get(&format!("/api/orgs/{org}/shares")).await.ok();
        let listed = listed["shares"].as_array().unwrap().iter().find(|listed| listed["id"] == share["id"]).unwrap();
        assert_eq!(listed["state"], "gone", "{kind}");
    }
}

#[tokio::test]
async fn a_link_of_components_shows_those_that_are_left() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let share = create(&ada, json!({ "scope": "part", "componentIds": ["a", "b"] })).await;
    server.clock.advance(1_000);
    ada.delete("/api/workspaces/w/components/b").await.ok();
    ada.post("/api/workspaces/w/components", json!({ "id": "b", "typeId": "service", "name": "Secret" }))
        .await
        .created();
    assert_eq!((statuses(&server, &share).await, state(&ada, &share).await), ([200; 4], json!("active")));
    let model = visit(&server, &format!("{}/model.json", path(&share))).await.ok();
    assert_eq!(model["components"].as_array().unwrap().len(), 1);
    assert!(!text(&visit(&server, &format!("{}/image.svg", path(&share))).await).contains("Secret"));
}

#[tokio::test]
async fn links_of_older_versions_work_until_what_they_show_is_deleted() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    server.clock.advance(1_000);
    let share = create(&ada, json!({ "scope": "part", "componentIds": ["b"] })).await;
    server.sql(|conn| {
        let sql = "UPDATE share_link SET target = json_remove(target, '$.createdAt')
                   WHERE json_type(target, '$.createdAt') = 'array'";
        assert_eq!(conn.execute(sql, []).unwrap(), 1);
    });
    assert_eq!((statuses(&server, &share).await, state(&ada, &share).await), ([200; 4], json!("active")));
    server.clock.advance(1_000);
    ada.delete("/api/workspaces/w/components/b").await.ok();
    assert_eq!((statuses(&server, &share).await, state(&ada, &share).await), ([404; 4], json!("gone")));
    ada.create_components("w", &["b"]).await;
    assert_eq!((statuses(&server, &share).await, state(&ada, &share).await), ([404; 4], json!("gone")));
}
