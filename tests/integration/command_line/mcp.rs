//! `planroom mcp --stdio`: the bridge for stdio-only clients, with a real server.

use serde_json::{Value, json};

use super::{Outcome, WorkDir};

/// Sends these messages through the bridge. Returns the responses.
fn send_through_bridge(dir: &WorkDir, url: &str, token: &str, messages: &[Value]) -> (Vec<Value>, Outcome) {
    let input = messages.iter().fold(String::new(), |input, message| input + &format!("{message}\n"));
    let outcome = dir.run_with(&["mcp", "--stdio", "--url", url], &[("PLANROOM_CLIENT_TOKEN", token)], &input);
    let answers = outcome.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (answers, outcome)
}

fn request(id: i64, method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

#[test]
fn a_stdio_client_can_use_both_revisions() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = dir.serve();
    let (_, token) = server.credentials();
    let url = format!("http://{}/", server.address);

    let hello =
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
    let found = json!({ "name": "create_workspace", "arguments": { "name": "Über" } });
    let (answers, outcome) = send_through_bridge(
        &dir,
        &url,
        &token,
        &[
            request(1, "initialize", &hello),
            json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
            request(2, "tools/call", &found),
        ],
    );
    outcome.ok();
    assert_eq!(answers.len(), 2, "notifications have no response: {answers:?}");
    assert_eq!(answers[0]["result"]["protocolVersion"], "2025-11-25");
    assert_eq!(
        (&answers[1]["id"], &answers[1]["result"]["structuredContent"]["workspace"]["name"]),
        (&json!(2), &json!("Über"))
    );

    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} });
    let (answers, outcome) = send_through_bridge(
        &dir,
        &url,
        &token,
        &[
            request(1, "server/discover", &json!({ "_meta": meta })),
            request(2, "tools/call", &json!({ "name": "list_workspaces", "arguments": {}, "_meta": meta })),
            request(3, "resources/read", &json!({ "uri": "planroom://schema", "_meta": meta })),
            request(4, "tools/call", &json!({ "name": "größer", "arguments": {}, "_meta": meta })),
        ],
    );
    outcome.ok();
    assert_eq!(answers[0]["result"]["resultType"], "complete", "{answers:?}");
    assert_eq!(answers[1]["result"]["structuredContent"]["workspaces"][0]["name"], "Über");
    assert!(answers[2]["result"]["contents"][0]["text"].as_str().unwrap().contains("componentTypes"));
    assert!(answers[3]["error"]["message"].as_str().unwrap().contains("there is no tool `größer`"), "{answers:?}");
}

#[test]
fn errors_are_returned_to_the_client() {
    let dir = WorkDir::new();
    dir.admin("ada").ok();
    let server = dir.serve();
    let url = format!("http://{}", server.address);
    let list = request(7, "tools/list", &json!({}));
    let (answers, outcome) = send_through_bridge(&dir, &url, "svc_pat_wrong", &[list.clone(), json!("nonsense")]);
    assert_eq!(answers.len(), 1, "only requests have a response: {answers:?}");
    assert!(outcome.err.contains("401"), "{outcome:?}");
    let message = answers[0]["error"]["message"].as_str().unwrap();
    assert!(message.contains("401") && message.contains("this token is unknown or revoked"), "{message}");
    assert_eq!(answers[0]["id"], 7);
    assert!(!outcome.err.contains("svc_pat_wrong") && !outcome.out.contains("svc_pat_wrong"));
    server.stop().ok();
    let (answers, _) = send_through_bridge(&dir, &url, "svc_pat_wrong", &[list]);
    assert!(answers[0]["error"]["message"].as_str().unwrap().contains("cannot reach"), "{answers:?}");

    let none = dir.run(&["mcp", "--stdio"]);
    none.expect_error("PLANROOM_CLIENT_TOKEN is not set; create a personal access token");
    let secret = [("PLANROOM_CLIENT_TOKEN", "svc_pat_x")];
    dir.run_with(&["mcp", "--stdio", "--url", "ftp://example.org"], &secret, "").expect_error("must begin with http");
    assert_eq!(dir.run(&["mcp"]).status.code(), Some(2), "--stdio is required");
    assert_eq!(dir.run(&["mcp", "--stdio", "--token", "x"]).status.code(), Some(2), "no token in arguments");
    // Variables of the bridge are not configuration keys of the server.
    dir.run_with(&["config", "show"], &secret, "").ok();
}
