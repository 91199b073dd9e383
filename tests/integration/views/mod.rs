//! Views, positions and lines in them, and tours.

mod definitions;
mod history;
mod implied;
mod in_views;
mod personal;
mod rows;
mod tours;
mod transfer;

use serde_json::{Value, json};

use crate::support::TestClient;

const PATH: &str = "/api/workspaces/w/views";

impl TestClient<'_> {
    /// Creates a view in the workspace `w`.
    async fn create_view(&self, fields: Value) -> Value {
        self.post(PATH, fields).await.created()["view"].clone()
    }

    /// The workspace `w` with its views and tours.
    async fn bundle_with_views(&self) -> Value {
        self.get("/api/workspaces/w?include=views").await.ok()
    }

    /// Applies operations in the workspace `w`.
    async fn operate(&self, operations: Value) -> Value {
        self.post("/api/workspaces/w/operations", json!({ "operations": operations })).await.ok()
    }

    /// The reasons of the conflicts of operations in the workspace `w`, with their kinds and ids.
    async fn conflicts(&self, operations: Value) -> Vec<String> {
        let reply = self.post("/api/workspaces/w/operations", json!({ "operations": operations })).await;
        assert!([409, 412].contains(&reply.status.as_u16()), "{reply}");
        let conflicts = reply.json()["conflicts"].clone();
        let text = |conflict: &Value| {
            let word = |name: &str| conflict[name].as_str().unwrap().to_owned();
            format!("{} {} {}", word("kind"), word("id"), word("why"))
        };
        conflicts.as_array().unwrap().iter().map(text).collect()
    }
}

/// A row without its revision, times and authors.
fn plain(row: &Value) -> Value {
    let mut plain = row.clone();
    for field in ["revision", "createdAt", "createdBy", "updatedAt", "updatedBy"] {
        assert!(plain.as_object_mut().unwrap().shift_remove(field).is_some(), "{field} is missing");
    }
    plain
}

/// An operation that moves a component in the view `v1`.
fn moved(component: &str, x: i64) -> Value {
    json!({ "op": "move", "viewId": "v1", "positions": [{ "id": component, "x": x, "y": 0 }] })
}

/// An operation that sets how the relationship `r` is drawn in the view `v1`.
fn drawn(x: i64) -> Value {
    let row = json!({ "viewId": "v1", "relationshipId": "r", "line": { "via": [[x, 0]] } });
    json!({ "op": "put", "kind": "view-line", "row": row })
}

/// The keys and horizontal positions of the rows in `places`.
fn positions(places: &Value) -> Vec<String> {
    let text = |place: &Value| format!("{}/{} {}", place["viewId"], place["componentId"], place["x"]);
    places.as_array().unwrap().iter().map(|place| text(place).replace('"', "")).collect()
}
