//! Authentication and allowed origins.

use axum::http::Method;
use serde_json::json;

use super::{Assistant, HOST, OLD};
use crate::{
    permissions::callers::assistant,
    support::{TestClient, TestResponse, TestServer},
};

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#;

/// Requests the tool list, as older revisions do.
async fn list(client: &TestClient<'_>, path: &str) -> TestResponse {
    let client = client.header("accept", "application/json, text/event-stream");
    client.send_raw(Method::POST, path, Some("application/json"), LIST).await
}

#[tokio::test]
async fn without_a_valid_credential_a_client_learns_where_to_get_one() {
    let server = TestServer::new().await;
    let session = server.sign_in("ada").await;
    for client in [server.anonymous(), server.with("svc_pat_nonsense"), server.with("svc_mcp_nonsense"), session] {
        let reply = list(&client.header("host", HOST), "/mcp").await;
        reply.expect(401);
        let expected = "Bearer resource_metadata=\"http://planroom.test/.well-known/oauth-protected-resource/mcp\", \
                        scope=\"mcp:read mcp:write\"";
        assert_eq!(reply.header("www-authenticate"), expected);
    }
    let signed_in = server.sign_in("ada").await;
    list(&signed_in.header("host", HOST), "/mcp")
        .await
        .expect_error(401, "with a token of an MCP client, or a personal access token");
}

#[tokio::test]
async fn revoked_access_applies_to_the_next_call() {
    let server = TestServer::new().await;
    server.seed_member("mia", "acme", "org:member");
    let assistant = server.assistant_of("mia").await;
    assistant.call_ok("get_me", json!({})).await;

    let suspend = "UPDATE user SET is_suspended = 1 WHERE login = 'mia'";
    server.sql(|conn| conn.execute(suspend, []).unwrap());
    let reply = assistant.ask("tools/list", json!({})).await;
    assert_eq!(reply.expect_error(403, "suspended")["code"], "account_suspended");
    server.sql(|conn| conn.execute("UPDATE user SET is_suspended = 0 WHERE login = 'mia'", []).unwrap());
    assistant.call_ok("get_me", json!({})).await;

    let tokens = assistant.client.get("/api/me/tokens").await.ok();
    let another = server.assistant_of("mia").await;
    another.client.delete(&format!("/api/me/tokens/{}", tokens["tokens"][0]["id"])).await.ok();
    assistant.ask("tools/list", json!({})).await.expect_error(401, "revoked");

    another.call_ok("get_me", json!({})).await;
    let leave = "DELETE FROM organization_member WHERE user_id = (SELECT id FROM user WHERE login = 'mia')";
    server.sql(|conn| conn.execute(leave, []).unwrap());
    another.ask("tools/list", json!({})).await.expect_error(401, "no longer a member");
}

#[tokio::test]
async fn a_disconnected_app_is_rejected_at_the_next_call() {
    let server = TestServer::new().await;
    let mia = server.seed_member("mia", "acme", "org:member");
    let program = || Assistant::new(assistant(&server, mia, "acme", "mcp:read mcp:write"));
    let (first, second) = (program(), program());
    first.call_ok("list_workspaces", json!({})).await;

    let suspended = |on: bool| {
        server.sql(|conn| conn.execute("UPDATE user SET is_suspended = ? WHERE login = 'mia'", [on]).unwrap())
    };
    suspended(true);
    assert_eq!(first.ask("tools/list", json!({})).await.expect_error(403, "suspended")["code"], "account_suspended");
    suspended(false);
    first.call_ok("list_workspaces", json!({})).await;

    // One token is revoked, and the other remains valid.
    server.sql(|conn| conn.execute("UPDATE oauth_token SET revoked_at = 1 WHERE id = 1", []).unwrap());
    first.ask("tools/list", json!({})).await.expect_error(401, "unknown or revoked");
    second.call_ok("list_workspaces", json!({})).await;

    server.sql(|conn| conn.execute("DELETE FROM organization_member WHERE user_id = ?", [mia]).unwrap());
    for method in ["tools/list", "resources/list", "prompts/list"] {
        second.ask(method, json!({})).await.expect_error(401, "no longer a member");
    }
    server.join(mia, "acme", "org:member");
    let again = program();
    again.call_ok("list_workspaces", json!({})).await;
    server.sign_in("mia").await.delete("/api/me/connectors/mcp:read%20mcp:write").await.ok();
    let reply = again.ask("tools/list", json!({})).await;
    reply.expect_error(401, "unknown or revoked");
    assert!(reply.header("www-authenticate").starts_with("Bearer resource_metadata="), "{reply}");
}

#[tokio::test]
async fn a_token_in_the_url_is_rejected_with_an_explanation() {
    let server = TestServer::new().await;
    let script = server.script_client("ada").await;
    let path = format!("/mcp?access_token={}", script.credential());
    for client in [server.anonymous(), script.clone()] {
        list(&client.header("host", HOST), &path).await.expect_error(400, "ends up in logs");
    }
}

#[tokio::test]
async fn other_origins_and_host_names_are_rejected() {
    let server = TestServer::at("http://planroom.test", tempfile::tempdir().unwrap(), |config| {
        config.cors.origins = vec!["https://maps.example.org".into()];
    });
    server.seed_admin("ada", "acme").await;
    let script = server.script_client("ada").await;
    let own = script.header("host", HOST);
    for origin in [None, Some("http://planroom.test"), Some("https://maps.example.org")] {
        let client = origin.map_or(own.clone(), |origin| own.header("origin", origin));
        list(&client, "/mcp").await.ok();
    }
    let foreign = [
        "https://evil.example",
        "https://planroom.test",
        "http://planroom.test.evil.example",
        "http://planroom.test:81",
        "http://evil.example#planroom.test",
        "null",
        "",
    ];
    for origin in foreign {
        let reply = list(&own.header("origin", origin), "/mcp").await;
        reply.expect_error(403, "only accepts requests to the host http://planroom.test");
    }
    for host in ["evil.example", "planroom.test.evil.example", "127.0.0.1", "planroom.test@evil.example"] {
        let reply = list(&script.header("host", host), "/mcp").await;
        assert!(matches!(reply.status.as_u16(), 400 | 403), "{host}: {reply}");
    }
    assert_eq!(list(&script, "/mcp").await.status, 400, "no Host at all");
}

#[tokio::test]
async fn only_post_is_supported() {
    let server = TestServer::new().await;
    let script = server.script_client("ada").await.header("host", HOST).header("accept", "text/event-stream");
    for method in [Method::GET, Method::DELETE, Method::PUT] {
        let reply = script.send(method, "/mcp", None).await;
        assert_eq!((reply.status.as_u16(), reply.header("allow")), (405, "POST"), "{reply}");
    }
}

#[tokio::test]
async fn large_and_deeply_nested_bodies_are_rejected() {
    let server = TestServer::new().await;
    let assistant = server.assistant_of("ada").await;
    let huge = json!({ "name": "create_workspace", "arguments": { "name": "x".repeat(10 << 20) } });
    assert_eq!(assistant.ask("tools/call", huge).await.status, 413);

    let deep = format!("{}1{}", r#"{"a":"#.repeat(5_000), "}".repeat(5_000));
    let body =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"get_me","arguments":{deep}}}}}"#);
    let client = assistant.client.header("host", HOST).header("accept", "application/json, text/event-stream");
    for body in [body.as_str(), "[1", "nonsense"] {
        let reply = client.send_raw(Method::POST, "/mcp", Some("application/json"), body.to_owned()).await;
        assert_eq!(reply.expect(400)["error"]["code"], -32700);
    }
    let forty = (0..40).fold(json!(1), |inner, _| json!({ "a": inner }));
    let arguments = json!({ "name": "Deep", "properties": forty });
    assistant.call_err("create_workspace", arguments, "must be nested at most 32 levels deep (code: invalid)").await;
    let long = json!({ "name": "x".repeat(1 << 20) });
    assistant.call_err("create_workspace", long, "name: must have 1 to 200 characters").await;
}

#[tokio::test]
async fn a_client_of_either_revision_survives_a_restart() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.create_workspace("w").await;
    let script = server.script_client("ada").await;
    let old = Assistant::new(script.clone()).with_revision(OLD);
    let hello = json!({ "protocolVersion": OLD, "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
    let reply = old.ask("initialize", hello).await;
    assert_eq!(reply.ok()["result"]["protocolVersion"], OLD);
    assert_eq!(reply.header("mcp-session-id"), "", "no session that could be lost");
    old.call_ok("list_workspaces", json!({})).await;
    let user = server.count("SELECT id FROM user WHERE login = 'ada'");
    let program = assistant(&server, user, "acme", "mcp:read mcp:write");
    Assistant::new(program.clone()).call_ok("list_workspaces", json!({})).await;
    let tokens = [script.credential().to_owned(), program.credential().to_owned()];
    let server = server.restart();
    for token in tokens {
        let new = Assistant::new(server.with(&token));
        for assistant in [new.with_revision(OLD), new] {
            let answer = assistant.call_ok("list_workspaces", json!({})).await;
            assert_eq!(answer["workspaces"][0]["id"], "w");
        }
    }
}

#[tokio::test]
async fn header_and_body_must_agree() {
    let server = TestServer::new().await;
    let assistant = server.assistant_of("ada").await;
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    } } });
    let client = assistant.client.header("host", HOST).header("accept", "application/json, text/event-stream");
    let client = client.header("mcp-protocol-version", "2026-07-28").header("mcp-method", "tools/call");
    let reply = client.send_raw(Method::POST, "/mcp", Some("application/json"), body.to_string()).await;
    assert_eq!(reply.status, 400, "{reply}");
    let unknown = assistant.with_revision("2031-01-01").ask("tools/list", json!({})).await;
    assert_eq!(unknown.status, 400, "{unknown}");
}

#[tokio::test]
async fn a_connected_app_is_limited_to_its_scope() {
    let server = TestServer::new().await;
    let ada_in = server.seed_map().await;
    let ada = server.count("SELECT id FROM user WHERE login = 'ada'");
    let change = json!({ "workspaceId": "w", "name": "Changed" });
    let writer = Assistant::new(assistant(&server, ada, "acme", "mcp:read mcp:write"));
    writer.call_ok("update_workspace", change.clone()).await;
    assert!(server.changes().last().unwrap().credential.starts_with("grant:"));
    let reader = Assistant::new(assistant(&server, ada, "acme", "mcp:read"));
    reader.call_ok("get_workspace", json!({ "workspaceId": "w" })).await;
    let before = server.log_sizes();
    for (tool, arguments) in [
        ("update_workspace", change),
        ("create_workspace", json!({ "name": "New" })),
        ("save_person_or_team", json!({ "kind": "person", "name": "New" })),
        ("replace_workspace_model", json!({ "workspaceId": "w", "components": [], "relationships": [] })),
    ] {
        reader.call_err(tool, arguments, "read-only access").await;
    }
    assert_eq!(server.log_sizes(), before);
    // A viewer gets the same error, because such an app cannot start a draft.
    let vic = server.seed_member("vic", "acme", "org:member");
    server.grant("w", vic, "viewer");
    ada_in.patch("/api/workspaces/w", json!({ "visibility": "private" })).await.ok();
    let reader = Assistant::new(assistant(&server, vic, "acme", "mcp:read"));
    for (tool, arguments) in [
        ("update_workspace", json!({ "workspaceId": "w", "name": "Changed" })),
        ("keep_version", json!({ "workspaceId": "w", "name": "One" })),
        ("replace_workspace_model", json!({ "workspaceId": "w", "components": [], "relationships": [] })),
        ("start_draft", json!({ "workspaceId": "w", "title": "T" })),
    ] {
        let refusal = reader.call_err(tool, arguments, "read-only access").await;
        assert!(!refusal.contains("start_draft"), "{refusal}");
    }
}
