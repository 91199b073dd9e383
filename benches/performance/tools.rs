//! Target 8: reads of assistants through MCP tools, compared with the same reads through the REST API by the same
//! client.

use std::time::Instant;

use axum::{body::Bytes, http::Method};
use serde_json::json;

use super::{
    Instance, ROUNDS, SLICE,
    changes::{MANY, rate_after_writes},
    median, model, report_rounds,
};

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

/// A read by one client.
struct Read {
    method: &'static str,
    path: &'static str,
    body: String,
}

impl Read {
    fn of_api(path: &'static str) -> Self {
        Self { method: "GET", path, body: String::new() }
    }

    fn of_tool(tool: &str, arguments: &str) -> Self {
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"{tool}","arguments":{arguments}}}}}"#
        );
        Self { method: "POST", path: "/mcp", body }
    }

    /// Reads per second of one client. Fails if a response is an error.
    async fn rate(&self, instance: &Instance) -> f64 {
        const ACCEPTED: &str = "Accept: application/json, text/event-stream\r\n";
        let (mut client, started, mut done) = (instance.client(), Instant::now(), 0);
        while started.elapsed() < SLICE {
            assert_eq!(client.send(self.method, self.path, ACCEPTED, &self.body).await.unwrap().status, 200);
            let error = br#""isError":true"#;
            assert!(done > 0 || !client.content().windows(error.len()).any(|part| part == error));
            done += 1;
        }
        f64::from(done) / started.elapsed().as_secs_f64()
    }
}

/// Times reads of a map with 1,000 components and 2,000 relationships relative to the REST API, and a page of its
/// overview relative to a bundle that is made from all rows.
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
            let rest_rate = Read::of_api(path).rate(&instance).await;
            ratios.push(rest_rate / Read::of_tool(tool, arguments).rate(&instance).await);
        }
        report_rounds(&format!("  {tool}"), "", ratios.clone());
        if median(ratios.clone()) > median(worst.clone()) {
            worst = ratios;
        }
    }
    report_rounds("a read through a tool / through the API, time, the slowest", "<= 2", worst);

    let mut pages = Vec::new();
    for _ in 0..ROUNDS {
        let bundle = rate_after_writes(&instance, "/api/workspaces/w", MANY).await;
        let page = Read::of_tool("get_workspace", r#"{"workspaceId":"w"}"#);
        pages.push(bundle / page.rate(&instance).await);
    }
    report_rounds("a page of get_workspace / bundle made from all rows, time", "<= 2", pages);
}
