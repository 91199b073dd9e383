//! Resources, prompts and completion.

use serde_json::{Value, json};

use super::Assistant;
use crate::support::TestServer;

impl Assistant<'_> {
    /// The text of a resource, with its media type.
    pub async fn read(&self, uri: &str) -> (String, String) {
        let contents = self.result("resources/read", json!({ "uri": uri })).await["contents"][0].clone();
        assert_eq!(contents["uri"], uri);
        (contents["text"].as_str().unwrap().into(), contents["mimeType"].as_str().unwrap().into())
    }

    /// The completions of an argument of a template.
    async fn completions(&self, argument: &str, begun: &str, workspace: Option<&str>) -> Value {
        let uri = "planroom://workspaces/{workspaceId}/components/{componentId}";
        let uri =
            if argument == "processId" { "planroom://workspaces/{workspaceId}/processes/{processId}" } else { uri };
        let mut ask = json!({ "ref": { "type": "ref/resource", "uri": uri },
                              "argument": { "name": argument, "value": begun } });
        if let Some(id) = workspace {
            ask["context"] = json!({ "arguments": { "workspaceId": id } });
        }
        self.result("completion/complete", ask).await["completion"]["values"].clone()
    }
}

#[tokio::test]
async fn a_client_reads_maps_as_resources() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_relationship("w", "c", "a", "contains", "b").await;
    let process = json!({ "id": "pay", "name": "P", "mermaid": "sequenceDiagram\n  A->>B: go" });
    ada.post("/api/workspaces/w/processes", process).await.created();
    let assistant = server.assistant_of("ada").await;
    let listed = assistant.result("resources/list", json!({})).await;
    assert_eq!(listed["cacheScope"], "private");
    let uris: Vec<&Value> = listed["resources"].as_array().unwrap().iter().map(|one| &one["uri"]).collect();
    assert_eq!(uris, ["planroom://schema", "ui://planroom/map.html", "planroom://workspaces/w"]);
    let templates = assistant.result("resources/templates/list", json!({})).await;
    assert_eq!(templates["resourceTemplates"].as_array().unwrap().len(), 4);

    let (text, kind) = assistant.read("planroom://workspaces/w").await;
    let bundle: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((bundle, kind.as_str()), (ada.bundle("w").await, "application/json"));
    let (text, _) = assistant.read("planroom://workspaces/w/components/a").await;
    assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["component"]["id"], "a");
    let process = assistant.read("planroom://workspaces/w/processes/pay").await;
    assert_eq!(process, ("sequenceDiagram\n  A->>B: go".into(), "text/vnd.mermaid".into()));
    let (diagram, _) = assistant.read("planroom://workspaces/w/diagram").await;
    let expected = "flowchart LR\n  subgraph a [\"a\"]\n    b[\"b\"]\n  end\n  a -->|\"calls\"| b\n";
    assert_eq!(diagram, expected);
    assert!(assistant.read("planroom://schema").await.0.contains("componentTypes"));
}

#[tokio::test]
async fn inaccessible_resources_are_not_found() {
    let server = TestServer::new().await;
    server.seed_map().await;
    server.seed_org("other", "olga");
    let stranger = server.assistant_of("olga").await;
    let mut told = Vec::new();
    for uri in [
        "planroom://workspaces/w",
        "planroom://workspaces/nowhere",
        "planroom://workspaces/w/components/a",
        "planroom://workspaces/w/processes/pay",
        "planroom://workspaces/w/diagram",
    ] {
        let error = stranger.expect_error("resources/read", json!({ "uri": uri }), "workspace not found").await;
        assert_eq!(error["code"], -32602, "{uri}");
        told.push(error["message"].clone());
    }
    assert!(told.iter().all(|message| *message == told[0]), "nothing tells one from another: {told:?}");
    for uri in [
        "planroom://",
        "planroom://workspaces",
        "https://example.org",
        "planroom://workspaces/%ff",
        "file:///etc/passwd",
    ] {
        let error = stranger.expect_error("resources/read", json!({ "uri": uri }), "resource not found").await;
        assert_eq!(error["data"], json!({ "uri": uri }), "for programs, which read no text");
    }
    let listed = stranger.result("resources/list", json!({})).await;
    assert_eq!(listed["resources"].as_array().unwrap().len(), 2, "the schema and the page, which are the same for all");
    assert_eq!(stranger.completions("workspaceId", "", None).await, json!([]));
    let ask = json!({ "ref": { "type": "ref/prompt", "name": "impact_of_change" }, "context": { "arguments": { "workspaceId": "w" } },
                      "argument": { "name": "componentId", "value": "" } });
    stranger.expect_error("completion/complete", ask, "workspace not found").await;
}

#[tokio::test]
async fn ids_are_completed_from_a_prefix() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_workspace("web-shop").await;
    ada.create_components("w", &["api", "gateway"]).await;
    ada.post("/api/workspaces/w/processes", json!({ "id": "pay", "name": "P", "mermaid": "sequenceDiagram" }))
        .await
        .created();
    let assistant = server.assistant_of("ada").await;
    assert_eq!(assistant.completions("workspaceId", "w", None).await, json!(["w", "web-shop"]));
    assert_eq!(assistant.completions("workspaceId", "SHOP", None).await, json!(["web-shop"]));
    assert_eq!(assistant.completions("componentId", "a", Some("w")).await, json!(["a", "api", "gateway"]));
    assert_eq!(assistant.completions("componentId", "a", None).await, json!([]), "of which workspace is not known");
    assert_eq!(assistant.completions("processId", "", Some("w")).await, json!(["pay"]));
    for prompt in assistant.result("prompts/list", json!({})).await["prompts"].as_array().unwrap() {
        for argument in prompt["arguments"].as_array().unwrap() {
            let ask = json!({ "ref": { "type": "ref/prompt", "name": prompt["name"] }, "context": { "arguments": { "workspaceId": "w" } },
                              "argument": { "name": argument["name"], "value": "" } });
            let offered = assistant.result("completion/complete", ask).await["completion"]["values"].clone();
            let is_id = argument["name"].as_str().unwrap().ends_with("Id");
            assert_eq!(!offered.as_array().unwrap().is_empty(), is_id, "{prompt} {argument}");
        }
    }
    let ask = json!({ "ref": { "type": "ref/prompt", "name": "nothing" }, "argument": { "name": "x", "value": "" } });
    assistant.expect_error("completion/complete", ask, "is not an argument of this prompt").await;
}

#[tokio::test]
async fn prompts_contain_their_arguments() {
    let server = TestServer::new().await;
    server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    // Workspaces and components must exist. Placeholders in other values are not replaced.
    let value = |name: &str| match name {
        "workspaceId" => "w".to_owned(),
        "componentId" => "a".to_owned(),
        name => format!("{{{name}}}"),
    };
    let prompts = assistant.result("prompts/list", json!({})).await;
    assert_eq!(prompts["prompts"].as_array().unwrap().len(), 6);
    for prompt in prompts["prompts"].as_array().unwrap() {
        let given: serde_json::Map<String, Value> = prompt["arguments"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| (one["name"].as_str().unwrap().to_owned(), json!(value(one["name"].as_str().unwrap()))))
            .collect();
        let got = assistant.result("prompts/get", json!({ "name": prompt["name"], "arguments": given })).await;
        let text = got["messages"][0]["content"]["text"].as_str().unwrap();
        for name in given.keys() {
            assert!(text.contains(&value(name)), "{prompt}: {text}");
        }
        for tool in text.split(|c: char| !c.is_ascii_lowercase() && c != '_').filter(|word| word.contains('_')) {
            assert!(planroom::mcp::tools::named(tool).is_some(), "{prompt} names {tool}");
        }
    }
    assistant.expect_error("prompts/get", json!({ "name": "review_workspace" }), "workspaceId: is required").await;
    assistant.expect_error("prompts/get", json!({ "name": "review" }), "prompt not found").await;
    let other = json!({ "name": "review_workspace", "arguments": { "workspace": "w" } });
    assistant.expect_error("prompts/get", other, "workspace: the prompt review_workspace has no such").await;
}

#[tokio::test]
async fn a_prompt_about_an_unknown_workspace_or_component_is_refused_with_similar_ids() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    ada.create_workspace("web-shop").await;
    ada.create_components("web-shop", &["checkout"]).await;
    let assistant = server.assistant_of("ada").await;
    let ask = |workspace: &str| json!({ "name": "review_workspace", "arguments": { "workspaceId": workspace } });
    assistant.expect_error("prompts/get", ask("webshop"), "workspace not found; near: `web-shop`").await;
    assistant.result("prompts/get", ask("web-shop")).await;
    let component = |id: &str| {
        let arguments = json!({ "workspaceId": "web-shop", "componentId": id });
        json!({ "name": "impact_of_change", "arguments": arguments })
    };
    assistant
        .expect_error("prompts/get", component("chekout"), "component not found: `chekout`; near: `checkout`")
        .await;
    assistant.result("prompts/get", component("checkout")).await;
    let (schema, _) = assistant.read("planroom://schema").await;
    assert!(schema.contains("dependsOn") && !schema.contains("color") && !schema.contains("icon"), "{schema}");
    assert!(schema.len() < 5_000, "{}", schema.len());
}
