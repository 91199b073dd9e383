//! The tool that draws maps.

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use super::Assistant;
use crate::support::TestServer;

/// The SVG of a drawing, which must be well-formed, with the address beside it.
fn svg(content: &Value) -> (String, String) {
    assert_eq!(
        (&content[1]["type"], &content[1]["resource"]["mimeType"]),
        (&json!("resource"), &json!("image/svg+xml"))
    );
    let text = content[1]["resource"]["text"].as_str().unwrap().to_owned();
    roxmltree::Document::parse(&text).unwrap();
    (text, content[1]["resource"]["uri"].as_str().unwrap().to_owned())
}

/// Width and height of a PNG.
fn pixels(content: &Value) -> (u32, u32) {
    assert_eq!((&content[1]["type"], &content[1]["mimeType"]), (&json!("image"), &json!("image/png")));
    let bytes = BASE64_STANDARD.decode(content[1]["data"].as_str().unwrap()).unwrap();
    assert!(bytes.len() <= 400 << 10, "{} bytes", bytes.len());
    let image = image::load_from_memory(&bytes).unwrap();
    (image.width(), image.height())
}

/// The ids of the cards of a drawing.
fn cards(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let cards = document.descendants().filter(|one| !one.has_attribute("data-from"));
    let mut ids: Vec<String> = cards.filter_map(|one| one.attribute("data-id").map(str::to_owned)).collect();
    ids.sort();
    ids.dedup();
    ids
}

/// A chain of `count` components that are far from each other, all in one organization.
async fn chain(server: &TestServer, count: usize) -> Assistant<'_> {
    let ada = server.sign_in("ada").await;
    let components: Vec<Value> = (0..count)
        .map(|n| {
            json!({ "id": format!("c-{n}"), "typeId": "service", "name": format!("Component number {n}"),
                    "description": "Does a thing that takes some words to describe.", "x": (n % 25) * 260, "y": n / 25 * 160 })
        })
        .collect();
    let relationships: Vec<Value> = (1..count)
        .map(|n| json!({ "sourceId": format!("c-{}", n - 1), "targetId": format!("c-{n}"), "typeId": "calls", "label": "asks" }))
        .collect();
    let model = json!({ "workspace": { "name": "Chain" }, "components": components, "relationships": relationships });
    ada.put("/api/workspaces/chain/bulk", model).await.ok();
    server.assistant_of("ada").await
}

#[tokio::test]
async fn a_model_sees_a_picture_beside_one_sentence_with_the_address() {
    let server = TestServer::new().await;
    server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    let drawn = assistant.call_ok("draw_map", json!({ "workspaceId": "w" })).await;
    assert_eq!(drawn.as_array().unwrap().len(), 2);
    let text = drawn[0]["text"].as_str().unwrap();
    assert!(text.starts_with("The map. In Planroom: http") && text.ends_with("/o/acme/w/w"), "{text}");
    let (width, height) = pixels(&drawn);
    assert!(width < 1_568 && height < 1_568, "a small map is not enlarged: {width}×{height}");
    let dark = assistant.call_ok("draw_map", json!({ "workspaceId": "w", "theme": "dark" })).await;
    assert_ne!(dark[1]["data"], drawn[1]["data"]);
}

#[tokio::test]
async fn a_picture_is_never_larger_than_models_see() {
    let server = TestServer::new().await;
    let assistant = chain(&server, 100).await;
    let (width, height) = pixels(&assistant.call_ok("draw_map", json!({ "workspaceId": "chain" })).await);
    assert_eq!(width, 1_568);
    assert!(height < width);
}

#[tokio::test]
async fn a_program_gets_an_svg_whose_elements_have_ids() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let participants = json!({ "a": "a", "b": "b" });
    let mermaid = "sequenceDiagram\n  a->>b: go";
    let process = json!({ "id": "pay", "name": "Pay", "mermaid": mermaid, "participants": participants });
    ada.post("/api/workspaces/w/processes", process).await.created();
    ada.create_components("w", &["c"]).await;
    let assistant = server.assistant_of("ada").await;
    let draw = |more: Value| {
        let mut ask = more;
        (ask["workspaceId"], ask["format"]) = (json!("w"), json!("svg"));
        async { svg(&assistant.call_ok("draw_map", ask).await) }
    };
    let (whole, url) = draw(json!({})).await;
    assert_eq!(cards(&whole), ["a", "b", "c"]);
    assert!(whole.contains(r#"data-id="r" data-from="a" data-to="b""#) && url.ends_with("/o/acme/w/w"));
    let (part, url) = draw(json!({ "around": ["a"], "direction": "outgoing" })).await;
    assert_eq!((cards(&part), url.ends_with("/w/w?c=a")), (vec!["a".into(), "b".into()], true));
    let (exactly, _) = draw(json!({ "around": ["a", "c"], "depth": 0 })).await;
    assert_eq!(cards(&exactly), ["a", "c"]);
    let (only, _) = draw(json!({ "components": ["c"] })).await;
    assert_eq!(cards(&only), ["c"]);
    let (process, url) = draw(json!({ "process": "pay", "step": 1 })).await;
    assert!(process.contains("1. go") && url.ends_with("/w/w/processes/pay"), "{url} {process}");
}

#[tokio::test]
async fn an_svg_that_is_too_large_becomes_an_overview_or_is_refused_with_advice() {
    let server = TestServer::new().await;
    let assistant = chain(&server, 220).await;
    let content = assistant
        .result("tools/call", json!({ "name": "draw_map", "arguments": { "workspaceId": "chain", "format": "svg" } }))
        .await["content"]
        .clone();
    let (overview, _) = svg(&content);
    assert!(overview.len() <= 130 << 10, "{} bytes", overview.len());
    assert!(content[0]["text"].as_str().unwrap().starts_with("An overview of the map"), "{}", content[0]);
    assert!(!overview.contains("asks"), "no labels of lines");
    let part = json!({ "workspaceId": "chain", "around": ["c-7"], "format": "svg" });
    assert!(svg(&assistant.call_ok("draw_map", part).await).0.contains("asks"));

    let larger = chain(&server, 1_500).await;
    let told =
        larger.call_err("draw_map", json!({ "workspaceId": "chain", "format": "svg" }), "more than 130 KB").await;
    assert!(told.starts_with("around: ") && told.contains("one or a few component ids in `around`"), "{told}");
}

#[tokio::test]
async fn a_large_map_becomes_an_overview_or_an_outline_and_says_so() {
    let server = TestServer::new().await;
    let assistant = chain(&server, 500).await;
    let picture = assistant.call_ok("draw_map", json!({ "workspaceId": "chain" })).await;
    assert!(picture[0]["text"].as_str().unwrap().starts_with("An overview of the map"), "{}", picture[0]);
    pixels(&picture);
    let drawn = assistant.call_ok("draw_map", json!({ "workspaceId": "chain", "format": "svg" })).await;
    let (outline, _) = svg(&drawn);
    assert!(outline.len() <= 130 << 10, "{} bytes", outline.len());
    assert_eq!(cards(&outline).len(), 500);
    assert!(drawn[0]["text"].as_str().unwrap().starts_with("The outline of a large map"), "{}", drawn[0]);
}

#[tokio::test]
async fn arguments_have_the_rules_of_rest() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let assistant = server.assistant_of("ada").await;
    for (query, ask, error) in [
        ("step=1", json!({ "step": 1 }), "step: must not be given without `process`"),
        ("depth=1", json!({ "depth": 1 }), "around: is required with `direction` and `depth`"),
        ("around=a&depth=11", json!({ "around": ["a"], "depth": 11 }), "depth: must be from 0 to 10"),
        (
            "around=a&components=b",
            json!({ "around": ["a"], "components": ["b"] }),
            "components: must not be given together",
        ),
        ("around=x", json!({ "around": ["x"] }), "around: "),
        ("components=", json!({ "components": [] }), "components: must be 1 to 500 ids of components, are 0"),
    ] {
        let rest = ada.get(&format!("/api/workspaces/w/image.png?{query}")).await;
        assert_eq!(rest.status.as_u16(), 400, "{rest}");
        assert!(rest.to_string().contains(error), "{rest}: expected `{error}`");
        let mut ask = ask;
        ask["workspaceId"] = json!("w");
        let reply = assistant.ask("tools/call", json!({ "name": "draw_map", "arguments": ask })).await;
        let text = reply.ok()["result"]["content"][0]["text"].as_str().unwrap().to_owned();
        assert!(text.contains(error) && text.contains("(code: invalid)"), "{text}: expected `{error}`");
    }
    let unknown = json!({ "workspaceId": "w", "viewId": "nowhere" });
    assistant.call_err("draw_map", unknown, "view not found").await;
}

#[tokio::test]
async fn names_in_a_drawing_are_text_and_hidden_characters_are_visible() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    let hostile = "</text><script>alert(1)</script>\" onload=\"alert(2)";
    ada.patch("/api/workspaces/w/components/a", json!({ "name": hostile, "description": hostile })).await.ok();
    // Earlier versions accepted this name.
    let sql = "UPDATE component SET name = 'x\u{200b}y' WHERE id = 'b'";
    assert_eq!(server.sql(|conn| conn.execute(sql, []).unwrap()), 1);
    let assistant = server.assistant_of("ada").await;
    let drawn = assistant.call_ok("draw_map", json!({ "workspaceId": "w", "format": "svg" })).await;
    let (text, _) = svg(&drawn);
    let document = roxmltree::Document::parse(&text).unwrap();
    assert!(document.descendants().all(|one| !one.has_tag_name("script") && !one.has_attribute("onload")));
    assert!(text.contains("x\\u{200b}y"), "{text}");
    assert!(!drawn[0].to_string().contains("alert"), "no names in the sentence");
}
