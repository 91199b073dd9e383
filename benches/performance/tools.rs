//! Target 8: reads of assistants through MCP tools, compared with the same reads through the REST API by the same
//! client.

use axum::{
    body::Bytes,
    http::{Method, StatusCode},
};
use serde_json::{Value, json};

use super::{Instance, ROUNDS, TestRequest, median, model, rate, rate_after_writes, report_rounds};

/// A tool, its arguments and the corresponding REST path.
const READS: [(&str, &str, &str); 6] = [
    ("get_me", "{}", "/api/me"),
    ("list_workspaces", "{}", "/api/workspaces"),
    (
        "get_components",
        r#"{"workspaceId":"w","componentIds":["component-7"]}"#,
        "/api/workspaces/w/components/component-7",
    ),
    ("get_process", r#"{"workspaceId":"w","processId":"order"}"#, "/api/workspaces/w/processes/order"),
    (
        "trace_dependencies",
        r#"{"workspaceId":"w","componentId":"component-7"}"#,
        "/api/workspaces/w/impact?componentId=component-7",
    ),
    ("list_people_and_teams", "{}", "/api/people"),
];

/// The request that calls a tool.
fn call(tool: &str, arguments: &str) -> TestRequest {
    let arguments: Value = serde_json::from_str(arguments).unwrap();
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": tool, "arguments": arguments } });
    TestRequest {
        header: Some(("accept", "application/json, text/event-stream".into())),
        body: Some(call.to_string().into()),
    }
}

/// Requests per second of one client. Fails if a response is an error.
async fn rate_of(instance: &Instance, method: Method, path: &'static str, request: TestRequest) -> f64 {
    let here = instance.clone();
    rate(1, move || {
        let answer = here.send(&method, path, &request);
        assert_eq!(answer.status(), StatusCode::OK);
        let error = br#""isError":true"#;
        assert!(!answer.body().windows(error.len()).any(|part| part == error));
    })
    .await
}

/// Times reads of a map with 1,000 components and 2,000 relationships relative to the REST API, and a page of its
/// overview relative to a bundle that is not cached.
pub async fn compared_with_rest() {
    let instance = Instance::new(Bytes::new()).await;
    instance.json(Method::PUT, "/api/workspaces/w/bulk", &model(1_000)).await;
    let process =
        json!({ "id": "order", "name": "Order", "mermaid": "sequenceDiagram\n  A->>B: order\n  B-->>A: done" });
    instance.json(Method::POST, "/api/workspaces/w/processes", &process).await;
    let mut worst = vec![0.0];
    for (tool, arguments, path) in READS {
        let mut ratios = Vec::new();
        for _ in 0..ROUNDS {
            let rest_rate = rate_of(&instance, Method::GET, path, TestRequest::default()).await;
            ratios.push(rest_rate / rate_of(&instance, Method::POST, "/mcp", call(tool, arguments)).await);
        }
        report_rounds(&format!("  {tool}"), "", ratios.clone());
        if median(ratios.clone()) > median(worst.clone()) {
            worst = ratios;
        }
    }
    report_rounds("a read through a tool / through the API, time, the slowest", "<= 2", worst);

    let mut pages = Vec::new();
    for _ in 0..ROUNDS {
        let bundle = rate_after_writes(&instance, "/api/workspaces/w").await;
        let page = call("get_workspace", r#"{"workspaceId":"w"}"#);
        pages.push(bundle / rate_of(&instance, Method::POST, "/mcp", page).await);
    }
    report_rounds("a page of get_workspace / bundle not in cache, time", "<= 2", pages);
}
