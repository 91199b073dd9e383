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
    let first = assistant.call_ok("search", json!({ "query": "gate", "limit": 100 })).await;
    assert_eq!(first["total"], expected.len());
    let ids: Vec<&str> = first["hits"].as_array().unwrap().iter().map(|hit| hit["id"].as_str().unwrap()).collect();
    assert!(ids.len() > 50);
    assert_eq!(ids, expected[..ids.len()].iter().map(|hit| hit.id.as_str()).collect::<Vec<_>>());
}

#[tokio::test]
async fn texts_with_very_many_terms_do_not_slow_down_the_searches_of_others() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    // The second character is another one in each of these words: 3,000 terms begin with "a".
    let many: String = (0..3_000_u32).flat_map(|n| ['a', char::from_u32(0x4e00 + n).unwrap(), 'b']).collect();
    let component =
        |id: &str, name: &str, text: &str| json!({ "id": id, "typeId": "service", "name": name, "description": text });
    for (id, name, text) in
        [("x1", "Noise", many.as_str()), ("x2", "Mail", ""), ("x3", "Zoo", "Sells apples"), ("x4", "Blue", "")]
    {
        ada.post("/api/workspaces/w/components", component(id, name, text)).await.created();
    }
    let ids = async |query: &str| -> Vec<String> {
        let answer = search(&ada, query, "&kind=component").await;
        assert_eq!(answer["isTotalExact"], true);
        let results = answer["results"].as_array().unwrap();
        assert_eq!(answer["total"], results.len());
        results.iter().map(|result| result["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(ids("a").await, ["x2", "x1", "x3"]);
    assert_eq!(ids("a zoo").await, ["x3"]);
    assert_eq!(ids("a sells").await, ["x3"]);
    assert_eq!(ids("a nothing").await, [""; 0]);
    assert_eq!(ids("bl").await, ["x4"]);
}

#[tokio::test]
async fn a_cursor_after_all_documents_has_no_results() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    let components: Vec<Value> = (0..1_100)
        .map(|n| json!({ "id": format!("c{n}"), "typeId": "service", "name": format!("item {n}") }))
        .collect();
    let model = json!({ "workspace": { "name": "W" }, "components": components, "relationships": [] });
    ada.put("/api/workspaces/w/bulk", model).await.ok();
    for score in 0..6 {
        let answer = search(&ada, "item", &format!("&cursor={score}.{}", i64::MAX)).await;
        assert!(answer["results"].as_array().unwrap().iter().all(|result| result["kind"] == "component"), "{answer}");
    }
}

#[tokio::test]
async fn texts_are_found_in_other_forms_of_the_same_characters() {
    let server = TestServer::new().await;
    let ada = server.script_client("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "W" })).await.created();
    for (id, name) in [("x1", "ΟΔΟΣΑ"), ("x2", "İstanbul"), ("x3", "Caf\u{e9}"), ("x4", "Re\u{301}sume\u{301}")] {
        let component = json!({ "id": id, "typeId": "service", "name": name });
        ada.post("/api/workspaces/w/components", component).await.created();
    }
    let queries =
        [("ΟΔΟΣ", "x1"), ("istanbul", "x2"), ("ISTANBUL", "x2"), ("cafe\u{301}", "x3"), ("r\u{e9}sum\u{e9}", "x4")];
    for (query, id) in queries {
        assert_eq!(search(&ada, query, "").await["results"][0]["id"], id, "{query}");
    }
}
