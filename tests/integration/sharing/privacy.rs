//! Visitors learn nothing about people, whatever they request, and names never become script.

use axum::http::{HeaderName, HeaderValue};
use serde_json::json;

use super::{all_of, allow_embeds, create, path, text, visit};
use crate::support::TestServer;

/// In all fields about people.
const SENTINEL: &str = "Zentinella";

/// A workspace whose fields about people all contain the sentinel.
async fn full_of_sentinels(server: &TestServer) -> crate::support::TestClient<'_> {
    let ada = server.seed_map().await;
    server.attach_everything_to("w", "a");
    let say = |what: &str| format!("{SENTINEL} {what}");
    ada.patch("/api/auth/me", json!({ "displayName": say("name") })).await.ok();
    ada.patch(
        "/api/people/grace",
        json!({ "name": say("person"), "email": "zentinella@example.org", "title": say("title"),
        "bio": say("bio"), "contact": { "phone": say("phone") }, "properties": { "x": say("property") } }),
    )
    .await
    .ok();
    ada.post("/api/teams", json!({ "id": "t", "name": say("team"), "description": say("team") })).await.created();
    ada.post("/api/teams/t/members", json!({ "personId": "grace" })).await.created();
    ada.post("/api/stakeholder-link-types", json!({ "id": "zz", "name": say("role"), "color": "#112233" }))
        .await
        .created();
    let stakeholder = json!({ "teamId": "t", "linkType": "owner" });
    ada.post("/api/workspaces/w/components/b/stakeholders", stakeholder).await.created();
    let by_person = json!({ "personId": "grace", "linkType": "zz" });
    ada.post("/api/workspaces/w/components/b/stakeholders", by_person).await.created();
    let link = json!({ "url": "https://example.org/zentinella", "title": say("page") });
    ada.post("/api/workspaces/w/components/b/links", link).await;
    ada.post("/api/workspaces/w/notes", json!({ "text": say("note"), "x": 500, "y": 500 })).await.created();
    ada.patch("/api/workspaces/w/components/a", json!({ "properties": { "contact": say("property") } })).await.ok();
    ada.header("x-change-reason", SENTINEL)
        .patch("/api/workspaces/w", json!({ "description": say("text") }))
        .await
        .ok();
    ada.post("/api/workspaces/w/versions", json!({ "name": say("version") })).await.created();
    ada.patch(&format!("/api/orgs/{}", org(&ada).await), json!({ "name": say("organization") })).await.ok();
    ada.patch("/api/admin/settings", json!({ "instance.name": say("instance") })).await.ok();
    server.sql(|conn| {
        let sql = "UPDATE user SET login = 'zentinella', email = 'zentinella@example.com',
                                   avatar_url = 'https://example.org/zentinella' WHERE login = 'ada'";
        conn.execute(sql, []).unwrap();
    });
    ada
}

async fn org(client: &crate::support::TestClient<'_>) -> String {
    client.get("/api/me").await.ok()["session"]["orgId"].as_str().unwrap().to_owned()
}

/// Everything of a response that a visitor can read: status line, headers and body. Images also without compression.
fn everything(reply: &crate::support::TestResponse) -> String {
    let header = |(name, value): (&HeaderName, &HeaderValue)| format!("{name}: {}", value.to_str().unwrap());
    let headers: Vec<String> = reply.headers.iter().map(header).collect();
    format!("{} {} {}", reply.status, headers.join("\n"), text(reply)).to_lowercase()
}

/// Types of the chunks of a PNG.
fn png_chunks(bytes: &[u8]) -> Vec<String> {
    let (mut at, mut chunks) = (8, Vec::new());
    while at + 8 <= bytes.len() {
        let length = u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        chunks.push(String::from_utf8_lossy(&bytes[at + 4..at + 8]).into_owned());
        at += 12 + length;
    }
    chunks
}

#[tokio::test]
async fn no_response_contains_anything_about_people() {
    let server = TestServer::new().await;
    let ada = full_of_sentinels(&server).await;
    allow_embeds(&ada).await;
    let origins = json!(["https://wiki.example.org"]);
    let mut seen = 0;
    for fields in [
        json!({ "preview": "picture", "embedOrigins": origins }),
        json!({ "preview": "picture", "shows": ["descriptions", "processes"] }),
        json!({ "scope": "part", "componentIds": ["a"], "depth": 2, "preview": "title" }),
        json!({ "scope": "process", "processId": "order", "preview": "nothing" }),
        json!({ "password": "correct horse battery" }),
    ] {
        let mut named = fields.clone();
        named["name"] = json!(format!("{SENTINEL} link"));
        let share = create(&ada, named).await;
        let good = path(&share);
        let id = share["id"].as_str().unwrap().to_owned();
        let mut replies = all_of(&server, &good).await;
        // Errors of a valid link.
        for part in ["/image.svg?step=99", "/image.png?width=7", "/image.svg?theme=x&step=x", "/none"] {
            replies.push(visit(&server, &format!("{good}{part}")).await);
        }
        replies.push(visit(&server, &format!("/oembed?url={good}&format=xml")).await);
        ada.delete(&format!("{}/{id}", super::SHARES)).await.ok();
        replies.extend(all_of(&server, &good).await);
        for reply in replies {
            let all = everything(&reply);
            assert!(!all.contains("zentinella"), "{fields}: {} {all}", reply.path);
            if reply.header("content-type") == "image/png" {
                let text_chunks: Vec<String> = png_chunks(&reply.bytes)
                    .into_iter()
                    .filter(|kind| kind.contains("TX") || kind.contains("Xt") || kind == "eXIf")
                    .collect();
                assert!(text_chunks.is_empty(), "{text_chunks:?}");
            }
            seen += usize::from(reply.status.is_success());
        }
    }
    assert!(seen >= 20, "only {seen} responses succeeded");
    // The sentinel is in the workspace.
    assert!(text(&ada.get("/api/workspaces/w").await).contains(SENTINEL));
}

#[tokio::test]
async fn ids_of_the_workspace_are_not_in_responses() {
    let server = TestServer::new().await;
    let ada = server.sign_in("ada").await;
    ada.post("/api/workspaces", json!({ "id": "w", "name": "Shop" })).await.created();
    for id in ["secret-one", "secret-two"] {
        let new = json!({ "id": id, "typeId": "service", "name": "Public" });
        ada.post("/api/workspaces/w/components", new).await.created();
    }
    ada.create_relationship("w", "secret-three", "secret-one", "calls", "secret-two").await;
    let process = json!({ "id": "secret-four", "name": "Order", "mermaid": "sequenceDiagram\n A->>B: order",
                          "participants": { "A": "secret-one", "B": "secret-two" } });
    ada.post("/api/workspaces/w/processes", process).await.created();
    for fields in [json!({ "shows": ["processes"] }), json!({ "scope": "process", "processId": "secret-four" })] {
        let path = path(&create(&ada, fields).await);
        for part in ["", "/image.svg?ids=true&step=1", "/model.json"] {
            let reply = visit(&server, &format!("{path}{part}")).await;
            assert_eq!(reply.status, 200, "{reply}");
            assert!(!everything(&reply).contains("secret"), "{part}: {}", text(&reply));
        }
    }
}

#[tokio::test]
async fn hostile_names_become_script_in_no_format() {
    let server = TestServer::new().await;
    let ada = server.seed_map().await;
    allow_embeds(&ada).await;
    let hostile = "</title></text><script>alert(1)</script>\" onload=\"alert(2)\" x='";
    ada.patch("/api/workspaces/w", json!({ "name": hostile })).await.ok();
    ada.patch("/api/workspaces/w/components/a", json!({ "name": hostile, "description": hostile })).await.ok();
    ada.patch("/api/workspaces/w/relationships/r", json!({ "label": hostile })).await.ok();
    let process = json!({ "id": "pay", "name": hostile, "mermaid": "sequenceDiagram\n A->>A: <script>alert(3)</script>",
                          "participants": { "A": "a" } });
    ada.post("/api/workspaces/w/processes", process).await.created();
    ada.post("/api/workspaces/w/notes", json!({ "text": hostile, "x": 500, "y": 500 })).await.created();
    for fields in [
        json!({ "preview": "picture", "shows": ["descriptions", "processes", "notes"], "name": hostile,
                "embedOrigins": ["https://wiki.example.org"] }),
        json!({ "preview": "picture", "scope": "process", "processId": "pay", "name": hostile }),
    ] {
        let path = path(&create(&ada, fields).await);
        for reply in all_of(&server, &path).await {
            let text = text(&reply);
            match reply.header("content-type") {
                "image/svg+xml" => {
                    let document = roxmltree::Document::parse(&text).unwrap();
                    let is_script = |node: roxmltree::Node<'_, '_>| {
                        node.has_tag_name("script")
                            || node.attributes().any(|attribute| attribute.name().starts_with("on"))
                    };
                    assert!(!document.descendants().any(is_script), "{text}");
                }
                "application/json" => {
                    // Parsed by scripts, and never as HTML.
                    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
                    let html = value["html"].as_str().unwrap_or_default();
                    assert!(!html.contains("<script") && !html.contains("\" onload"), "{html}");
                }
                "text/html; charset=utf-8" => {
                    let text = text.replace("<script type=\"module\" src=\"/assets/share-", "");
                    assert!(!text.contains("<script") && !text.contains("\" onload"), "{text}");
                    assert_eq!(text.matches("</title>").count(), 1, "{text}");
                }
                "image/png" => assert!(reply.bytes.starts_with(b"\x89PNG")),
                other => panic!("{other}: {reply}"),
            }
        }
    }
}
