//! Export and import of workspaces.

mod duplicating;
mod files;
mod foreign;
mod formats;
mod kinds;
mod refusals;
mod replacing;
mod sample;
mod templates;
mod view_formats;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::notes::images::png;
use crate::support::{TestClient, TestServer};

/// A workspace `full` with every feature of a map, and unusual characters.
async fn full(client: &TestClient<'_>) {
    client.post("/api/import", document()).await.created();
}

/// A complete export file.
fn document() -> Value {
    let image = planroom::images::encode(&png(3, 2), &planroom::cancel::Cancel::never()).unwrap().bytes;
    let image_id = Sha256::digest(&image).iter().take(16).fold(String::new(), |id, byte| id + &format!("{byte:02x}"));
    json!({
        "format": "planroom/1",
        "workspace": { "id": "full", "name": "Full", "description": "", "visibility": "members",
                       "properties": { "z": 1, "a": [1.5, "x"] } },
        "people": [
            { "id": "anna/1", "name": "Änna", "email": "anna@example.org", "photoUrl": "https://example.org/a.png",
              "title": "Lead", "bio": "Long\nstory", "contact": { "chat": "@anna" }, "properties": { "k": true } },
            { "id": "bo", "name": "Bo", "contact": {}, "properties": {} },
        ],
        "teams": [
            { "id": "pay", "name": "Payments", "description": "d", "properties": {},
              "members": [{ "personId": "anna/1", "role": "lead" }, { "personId": "bo", "role": "member" }] },
        ],
        "roles": [
            { "id": "on-call", "name": "On call", "color": "#12ABef", "sortOrder": 7, "icon": "📟" },
            { "id": "owner", "name": "Owner", "color": "#2563EB", "sortOrder": 0, "icon": "crown", "iconName": "crown" },
        ],
        "kinds": [
            { "id": "ledger", "name": "Ledger", "baseType": "database", "color": "#12ABef", "icon": "crown",
              "logo": "postgresql", "description": "Büch", "fields": [
                  { "key": "tier", "name": "Tier", "type": "choice", "choices": ["ü", "2"] },
                  { "key": "since", "name": "Since", "type": "date" }] },
        ],
        "components": [
            { "id": "web/ü", "typeId": "web-app", "name": "Web", "description": "", "x": 0.1, "y": -1e9,
              "width": 320.5, "height": null, "tags": ["b", "a \"ü\""], "technology": [], "opens": null,
              "properties": { "lifecycle": "live", "tags": ["a"] } },
            { "id": "db", "typeId": "database", "name": "DB", "x": 12.0, "y": 0.1 + 0.2,
              "width": null, "height": null, "tags": [], "technology": ["SQLite"], "opens": null,
              "properties": { "tier": "2", "kind": "ledger", "z": 1 } },
        ],
        "relationships": [
            { "id": "r/1", "sourceId": "web/ü", "targetId": "db", "typeId": "reads", "label": "", "technology": ["SQL"],
              "line": { "shape": "straight", "via": [[0.5, -1e9], [3.0, 4.0]], "labelPosition": 0.25 },
              "properties": { "q": null } },
            { "id": "r2", "sourceId": "db", "targetId": "db", "typeId": "related-to", "technology": [], "line": null,
              "properties": {} },
        ],
        "stakeholders": [
            { "componentId": "web/ü", "teamId": "pay", "linkType": "on-call", "properties": {} },
            { "componentId": "web/ü", "personId": "bo", "linkType": "owner", "properties": { "since": 2020 } },
            { "componentId": "db", "personId": "anna/1", "linkType": "owner", "properties": {} },
        ],
        "links": [
            { "componentId": "db", "kind": "url", "url": "https://example.org/b?x=%20#y", "properties": {} },
            { "componentId": "db", "kind": "url", "url": "https://example.org/a", "properties": {} },
            { "componentId": "db", "kind": "wiki-page", "url": "https://www.notion.so/T-0123456789abcdef0123456789abcdef",
              "targetId": "01234567-89ab-cdef-0123-456789abcdef", "title": "T", "icon": "📄",
              "fetchedAt": 1_790_000_000_000_i64, "properties": { "p": 1 } },
        ],
        "processes": [
            { "id": "check-out", "name": "Check out", "description": "", "mermaid": "sequenceDiagram\n  A->>B: ü\n",
              "participants": { "A": "web/ü", "gone": "deleted long ago" } },
        ],
        "notes": [
            { "id": "n/1", "kind": "note", "text": "# Ü\n\n<b>", "x": -1.5, "y": 0.0, "width": null, "height": null,
              "layer": 0 },
            { "id": "frame", "kind": "frame", "text": "", "color": "green", "x": 0.0, "y": 0.0, "width": 1.0,
              "height": 1e6, "layer": -1000 },
            { "id": "photo", "kind": "image", "text": "Alt", "x": 0.0, "y": 1e9, "width": 3.0, "height": 2.0, "layer": 5,
              "imageId": image_id },
        ],
        "views": [],
        "viewPlaces": [],
        "viewLines": [],
        "tours": [],
        "images": [{ "id": image_id, "mediaType": "image/png", "data": STANDARD.encode(image) }],
    })
}

/// An administrator of a second server, in an organization of the same name.
async fn elsewhere() -> TestServer {
    TestServer::new().await
}

/// The export of a workspace, as text.
async fn export(client: &TestClient<'_>, id: &str) -> String {
    let reply = client.get(&format!("/api/workspaces/{id}/export")).await;
    reply.ok();
    String::from_utf8(reply.bytes).unwrap()
}
