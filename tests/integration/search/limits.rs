//! Limits of a search, and pages.

use serde_json::{Value, json};

use super::{found, naive::naive, search};
use crate::support::TestServer;

#[tokio::test]
async fn a_wrong_query_is_rejected_with_its_parameter() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    let long = format!("/api/search?q={}", "x".repeat(201));
    let many = format!("/api/search?q={}", vec!["x"; 21].join("+"));
    for (path, problem) in [
        ("/api/search", "q"),
        ("/api/search?q=", "q: must have a word"),
        ("/api/search?q=%20%01", "q: must have a word"),
        (long.as_str(), "q: must have 1 to 200 characters, has 201"),
        (many.as_str(), "q: must have at most 20 words"),
        ("/api/search?q=x&limit=0", "limit: must be 1 to 100"),
        ("/api/search?q=x&limit=101", "limit: must be 1 to 100"),
        ("/api/search?q=x&kind=person", "kind: must be"),
        ("/api/search?q=x&kind=", "kind: must be"),
        ("/api/search?q=x&cursor=1", "cursor: must be"),
        ("/api/search?q=x&cursor=9.1", "cursor: must be"),
    ] {
        ada.get(path).await.expect_error(400, problem);
    }
}

/// 1,300 components of which most match by different rules, in two workspaces, with a deleted part.
async fn many(server: &TestServer) {
    let ada = server.script_client("ada").await;
    for (workspace, count) in [("one", 900), ("two", 600)] {
        let component = |n: usize| {
            let (id, name) = match n % 7 {
                0 => (format!("c{n}"), "Gate".to_owned()),
                1 => (format!("c{n}"), format!("Gateway {n}")),
                2 => (format!("c{n}"), format!("Mail gateway {n}")),
                3 => (format!("c{n}"), format!("Mailgate {n}")),
                4 => (format!("gate{n}"), format!("Mail {n}")),
                _ => (format!("c{n}"), format!("Other {n}")),
            };
            let technology = if n % 7 == 5 { json!(["Frigate"]) } else { json!([]) };
            json!({ "id": id, "typeId": "service", "name": name, "technology": technology })
        };
        let components: Vec<Value> = (0..count).map(component).collect();
        let relationships: Vec<Value> = (0..20)
            .map(|n| {
                json!({ "id": format!("gate-{n}"), "sourceId": "c0", "targetId": "c1", "typeId": "uses",
                             "label": if n % 2 == 0 { "gates" } else { "other" } })
            })
            .collect();
        ada.create_workspace(workspace).await;
        ada.put(
            &format!("/api/workspaces/{workspace}/bulk"),
            json!({ "components": components, "relationships": relationships }),
        )
        .await
        .ok();
    }
}

#[tokio::test]
async fn pages_of_many_results_are_the_naive_scan_in_order() {
    let server = TestServer::new().await;
    many(&server).await;
    let ada = server.script_client("ada").await;
    for (query, parameters) in [("gate", ""), ("gate", "&kind=component"), ("ga", "&workspaceId=one"), ("a e", "")] {
        let expected = naive(&ada, query).await;
        let expected: Vec<_> = expected
            .into_iter()
            .filter(|hit| parameters != "&kind=component" || hit.kind == "component")
            .filter(|hit| parameters != "&workspaceId=one" || hit.workspace == "one")
            .collect();
        let (mut pages, mut cursor) = (Vec::new(), String::new());
        loop {
            let answer = search(&ada, query, &format!("{parameters}&limit=97{cursor}")).await;
            assert_eq!(answer["total"], expected.len().min(1_000), "{query}{parameters}");
            assert_eq!(answer["isTotalExact"], expected.len() <= 1_000);
            pages.extend(found(&answer));
            match answer["nextCursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        let expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
        assert!(expected.len() > 500, "{query}{parameters}");
        assert_eq!(pages, expected, "{query}{parameters}");
    }
}

#[tokio::test]
async fn an_assistant_gets_the_same_results_and_all_of_them_counted() {
    let server = TestServer::new().await;
    many(&server).await;
    let ada = server.script_client("ada").await;
    let assistant = server.assistant_of("ada").await;
    let expected = naive(&ada, "gate").await;
    let first = assistant.call_ok("search", json!({ "query": "gate" })).await;
    assert_eq!(first["total"], expected.len());
    let ids: Vec<&str> = first["hits"].as_array().unwrap().iter().map(|hit| hit["id"].as_str().unwrap()).collect();
    assert!(ids.len() > 50);
    assert_eq!(ids, expected[..ids.len()].iter().map(|hit| hit.id.as_str()).collect::<Vec<_>>());
}
