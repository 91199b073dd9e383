//! Synchronization of workspaces with files in other places.

mod bounded;
mod checks;
mod drift;
mod events;
mod evidence;
mod hand_edits;
mod moves;
mod readings;
mod resolutions;
mod runs;
mod same;
mod scopes;
mod stale;
mod stories;
mod transfer;
mod truth;
mod twins;
mod undoing;
mod way_back;

use serde_json::{Value, json};

use crate::support::{TestClient, TestServer};

/// Two services that use a database, in a compose file.
pub const COMPOSE: &str = "name: shop
services:
  web:
    image: acme/web
    depends_on: [checkout]
  checkout:
    image: acme/checkout
    depends_on: [db]
    labels:
      planroom.owner: team-pay
  db:
    image: postgres:17
";

/// A server with an empty workspace `shop` of ada.
pub async fn shop(server: &TestServer) -> TestClient<'_> {
    let ada = server.sign_in("ada").await;
    ada.create_workspace("shop").await;
    ada
}

/// The rows of a file.
pub async fn read(client: &TestClient<'_>, name: &str, content: &str) -> Value {
    let files = json!({ "files": [{ "name": name, "content": content }] });
    client.post("/api/readings", files).await.ok()
}

/// A request to synchronize with a compose file.
pub async fn request(client: &TestClient<'_>, content: &str) -> Value {
    let reading = read(client, "compose.yaml", content).await["reading"].clone();
    json!({ "source": { "id": "acme/shop:compose.yaml", "kind": "compose" }, "reading": reading })
}

/// The same request from a source that states all fields, instead of concluding some from keys and images.
pub fn stating_all(mut request: Value) -> Value {
    for row in request["reading"]["components"].as_array_mut().unwrap() {
        row.as_object_mut().unwrap().remove("inferred");
    }
    request
}

/// Synchronizes the workspace `shop`.
pub async fn sync(client: &TestClient<'_>, request: &Value) -> Value {
    client.post("/api/workspaces/shop/sync", request.clone()).await.ok()
}

/// Previews a sync of the workspace `shop`.
pub async fn preview(client: &TestClient<'_>, request: &Value) -> Value {
    client.post("/api/workspaces/shop/sync/preview", request.clone()).await.ok()
}

/// The keys of rows of a kind in a list of a report.
pub fn keys(report: &Value, list: &str, kind: &str) -> Vec<String> {
    let rows = report[list].as_array().unwrap().iter().filter(|row| row["kind"] == kind);
    rows.map(|row| row["key"].as_str().unwrap().to_owned()).collect()
}

/// The names of the fields of a row in a list of a report.
pub fn fields(report: &Value, list: &str, key: &str) -> Vec<String> {
    let rows = report[list].as_array().unwrap().iter().filter(|row| row["key"] == key);
    let fields = rows.flat_map(|row| row["fields"].as_array().cloned().unwrap_or_default());
    fields.map(|field| field["field"].as_str().unwrap().to_owned()).collect()
}

/// The component with this name.
pub async fn component(client: &TestClient<'_>, name: &str) -> Value {
    let bundle = client.bundle("shop").await;
    let found = bundle["components"].as_array().unwrap().iter().find(|row| row["name"] == name).cloned();
    found.unwrap_or_else(|| panic!("no component `{name}` in {}", bundle["components"]))
}

/// The path of a component.
pub fn path(component: &Value) -> String {
    format!("/api/workspaces/shop/components/{}", component["id"].as_str().unwrap())
}

/// The rows of the map without revisions, times and authors.
pub async fn contents(client: &TestClient<'_>) -> Value {
    let mut bundle = client.get("/api/workspaces/shop?include=notes,views,decisions").await.ok();
    let mut rows = json!({});
    for list in [
        "components",
        "relationships",
        "stakeholders",
        "processes",
        "notes",
        "views",
        "viewPlaces",
        "tours",
        "decisions",
    ] {
        let mut all = bundle[list].take().as_array().cloned().unwrap_or_default();
        for row in &mut all {
            for field in ["revision", "createdAt", "createdBy", "updatedAt", "updatedBy", "person", "team"] {
                row.as_object_mut().unwrap().remove(field);
            }
        }
        all.sort_by_key(ToString::to_string);
        rows[list] = all.into();
    }
    rows
}
