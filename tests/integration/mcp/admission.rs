//! Who is let in, and from where.

use axum::http::Method;
use serde_json::json;

use super::{Assistant, HOST, OLD};
use crate::{
    permissions::callers::assistant,
    support::{Actor, Reply, Stage},
};

const LIST: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#;

/// Asks for the tools, as the older revisions do.
async fn list(actor: &Actor<'_>, path: &str) -> Reply {
    let actor = actor.header("accept", "application/json, text/event-stream");
    actor.send_raw(Method::POST, path, Some("application/json"), LIST).await
}

#[tokio::test]
async fn without_a_good_credential_a_client_is_told_where_to_get_one() {
    let stage = Stage::new().await;
    let session = stage.sign_in("ada").await;
    for actor in [stage.anonymous(), stage.with("svc_pat_nonsense"), stage.with("svc_mcp_nonsense"), session] {
        let reply = list(&actor.header("host", HOST), "/mcp").await;
        reply.expect(401);
        let expected = "Bearer resource_metadata=\"http://planroom.test/.well-known/oauth-protected-resource/mcp\", \
                        scope=\"mcp:read mcp:write\"";
        assert_eq!(reply.header("www-authenticate"), expected);
    }
    let signed_in = stage.sign_in("ada").await;
    list(&signed_in.header("host", HOST), "/mcp")
        .await
        .refused(401, "with a token of an MCP client, or a personal access token");
}

#[tokio::test]
async fn what_ends_bites_at_the_next_call() {
    let stage = Stage::new().await;
    stage.seed_member("mia", "acme", "org:member");
    let assistant = stage.assistant_of("mia").await;
    assistant.does("get_me", json!({})).await;

    let suspend = "UPDATE user SET is_suspended = 1 WHERE login = 'mia'";
    stage.sql(|conn| conn.execute(suspend, []).unwrap());
    let reply = assistant.ask("tools/list", json!({})).await;
    assert_eq!(reply.refused(403, "suspended")["code"], "account_suspended");
    stage.sql(|conn| conn.execute("UPDATE user SET is_suspended = 0 WHERE login = 'mia'", []).unwrap());
    assistant.does("get_me", json!({})).await;

    let tokens = assistant.actor.get("/api/me/tokens").await.ok();
    let another = stage.assistant_of("mia").await;
    another.actor.delete(&format!("/api/me/tokens/{}", tokens["tokens"][0]["id"])).await.ok();
    assistant.ask("tools/list", json!({})).await.refused(401, "revoked");

    another.does("get_me", json!({})).await;
    let leave = "DELETE FROM organization_member WHERE user_id = (SELECT id FROM user WHERE login = 'mia')";
    stage.sql(|conn| conn.execute(leave, []).unwrap());
    another.ask("tools/list", json!({})).await.refused(401, "no longer a member");
}

#[tokio::test]
async fn a_connected_program_is_out_at_the_next_call_too() {
    let stage = Stage::new().await;
    let mia = stage.seed_member("mia", "acme", "org:member");
    let program = || Assistant::new(assistant(&stage, mia, "acme", "mcp:read mcp:write"));
    let (first, second) = (program(), program());
    first.does("list_workspaces", json!({})).await;

    let suspended = |on: bool| {
        stage.sql(|conn| conn.execute("UPDATE user SET is_suspended = ? WHERE login = 'mia'", [on]).unwrap())
    };
    suspended(true);
    assert_eq!(first.ask("tools/list", json!({})).await.refused(403, "suspended")["code"], "account_suspended");
    suspended(false);
    first.does("list_workspaces", json!({})).await;

    // One token ends, and the other goes on.
    stage.sql(|conn| conn.execute("UPDATE oauth_token SET revoked_at = 1 WHERE id = 1", []).unwrap());
    first.ask("tools/list", json!({})).await.refused(401, "unknown or revoked");
    second.does("list_workspaces", json!({})).await;

    stage.sql(|conn| conn.execute("DELETE FROM organization_member WHERE user_id = ?", [mia]).unwrap());
    for method in ["tools/list", "resources/list", "prompts/list"] {
        second.ask(method, json!({})).await.refused(401, "no longer a member");
    }
    stage.join(mia, "acme", "org:member");
    let again = program();
    again.does("list_workspaces", json!({})).await;
    stage.sign_in("mia").await.delete("/api/me/connectors/mcp:read%20mcp:write").await.ok();
    let reply = again.ask("tools/list", json!({})).await;
    reply.refused(401, "unknown or revoked");
    assert!(reply.header("www-authenticate").starts_with("Bearer resource_metadata="), "{reply}");
}

#[tokio::test]
async fn a_token_in_the_url_is_refused_with_a_word_of_warning() {
    let stage = Stage::new().await;
    let script = stage.script_of("ada").await;
    let path = format!("/mcp?access_token={}", script.credential());
    for actor in [stage.anonymous(), script.clone()] {
        list(&actor.header("host", HOST), &path).await.refused(400, "ends up in logs");
    }
}

#[tokio::test]
async fn pages_of_other_sites_and_other_names_are_refused() {
    let stage = Stage::at("http://planroom.test", tempfile::tempdir().unwrap(), |config| {
        config.cors.origins = vec!["https://maps.example.org".into()];
    });
    stage.seed_admin("ada", "acme").await;
    let script = stage.script_of("ada").await;
    let own = script.header("host", HOST);
    for origin in [None, Some("http://planroom.test"), Some("https://maps.example.org")] {
        let actor = origin.map_or(own.clone(), |origin| own.header("origin", origin));
        list(&actor, "/mcp").await.ok();
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
        reply.refused(403, "reached as http://planroom.test: requests for another host are refused");
    }
    for host in ["evil.example", "planroom.test.evil.example", "127.0.0.1", "planroom.test@evil.example"] {
        let reply = list(&script.header("host", host), "/mcp").await;
        assert!(matches!(reply.status.as_u16(), 400 | 403), "{host}: {reply}");
    }
    assert_eq!(list(&script, "/mcp").await.status, 400, "no Host at all");
}

#[tokio::test]
async fn there_is_nothing_but_post() {
    let stage = Stage::new().await;
    let script = stage.script_of("ada").await.header("host", HOST).header("accept", "text/event-stream");
    for method in [Method::GET, Method::DELETE, Method::PUT] {
        let reply = script.send(method, "/mcp", None).await;
        assert_eq!((reply.status.as_u16(), reply.header("allow")), (405, "POST"), "{reply}");
    }
}

#[tokio::test]
async fn huge_and_deep_bodies_are_refused() {
    let stage = Stage::new().await;
    let assistant = stage.assistant_of("ada").await;
    let huge = json!({ "name": "create_workspace", "arguments": { "name": "x".repeat(10 << 20) } });
    assert_eq!(assistant.ask("tools/call", huge).await.status, 413);

    let deep = format!("{}1{}", r#"{"a":"#.repeat(5_000), "}".repeat(5_000));
    let body =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"get_me","arguments":{deep}}}}}"#);
    let actor = assistant.actor.header("host", HOST).header("accept", "application/json, text/event-stream");
    for body in [body.as_str(), "[1", "nonsense"] {
        let reply = actor.send_raw(Method::POST, "/mcp", Some("application/json"), body.to_owned()).await;
        assert_eq!(reply.expect(400)["error"]["code"], -32700);
    }
    let forty = (0..40).fold(json!(1), |inner, _| json!({ "a": inner }));
    let arguments = json!({ "name": "Deep", "properties": forty });
    assistant.fails("create_workspace", arguments, "must be nested at most 32 levels deep (code: invalid)").await;
    let long = json!({ "name": "x".repeat(1 << 20) });
    assistant.fails("create_workspace", long, "name: must have 1 to 200 characters").await;
}

#[tokio::test]
async fn a_client_of_either_era_lives_through_a_restart() {
    let stage = Stage::new().await;
    let ada = stage.sign_in("ada").await;
    ada.found("w").await;
    let script = stage.script_of("ada").await;
    let old = Assistant::new(script.clone()).in_the_era(OLD);
    let hello = json!({ "protocolVersion": OLD, "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
    let reply = old.ask("initialize", hello).await;
    assert_eq!(reply.ok()["result"]["protocolVersion"], OLD);
    assert_eq!(reply.header("mcp-session-id"), "", "no session that could be lost");
    old.does("list_workspaces", json!({})).await;
    let user = stage.count("SELECT id FROM user WHERE login = 'ada'");
    let program = assistant(&stage, user, "acme", "mcp:read mcp:write");
    Assistant::new(program.clone()).does("list_workspaces", json!({})).await;
    let tokens = [script.credential().to_owned(), program.credential().to_owned()];
    let stage = stage.restart();
    for token in tokens {
        let new = Assistant::new(stage.with(&token));
        for assistant in [new.in_the_era(OLD), new] {
            let answer = assistant.does("list_workspaces", json!({})).await;
            assert_eq!(answer["workspaces"][0]["id"], "w");
        }
    }
}

#[tokio::test]
async fn what_belongs_together_must_agree() {
    let stage = Stage::new().await;
    let assistant = stage.assistant_of("ada").await;
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    } } });
    let actor = assistant.actor.header("host", HOST).header("accept", "application/json, text/event-stream");
    let actor = actor.header("mcp-protocol-version", "2026-07-28").header("mcp-method", "tools/call");
    let reply = actor.send_raw(Method::POST, "/mcp", Some("application/json"), body.to_string()).await;
    assert_eq!(reply.status, 400, "{reply}");
    let unknown = assistant.in_the_era("2031-01-01").ask("tools/list", json!({})).await;
    assert_eq!(unknown.status, 400, "{unknown}");
}

#[tokio::test]
async fn a_connected_program_does_what_it_was_let_in_for() {
    let stage = Stage::new().await;
    stage.map().await;
    let ada = stage.count("SELECT id FROM user WHERE login = 'ada'");
    let change = json!({ "workspaceId": "w", "name": "Changed" });
    let writer = Assistant::new(assistant(&stage, ada, "acme", "mcp:read mcp:write"));
    writer.does("update_workspace", change.clone()).await;
    assert!(stage.changes().last().unwrap().credential.starts_with("grant:"));
    let reader = Assistant::new(assistant(&stage, ada, "acme", "mcp:read"));
    reader.does("get_workspace", json!({ "workspaceId": "w" })).await;
    let before = stage.written();
    for (tool, arguments) in [
        ("update_workspace", change),
        ("create_workspace", json!({ "name": "New" })),
        ("save_person_or_team", json!({ "kind": "person", "name": "New" })),
        ("replace_workspace_model", json!({ "workspaceId": "w", "components": [], "relationships": [] })),
    ] {
        reader.fails(tool, arguments, "read-only access").await;
    }
    assert_eq!(stage.written(), before);
}
