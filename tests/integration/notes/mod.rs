//! Notes, frames and images on the map.

mod history;
pub mod images;
mod limits;
mod rows;
mod transfer;

use serde_json::{Value, json};

use crate::support::TestClient;

const PATH: &str = "/api/workspaces/w/notes";

impl TestClient<'_> {
    /// Creates a note in the workspace `w`.
    async fn create_note(&self, fields: Value) -> Value {
        let mut new = json!({ "x": 0, "y": 0 });
        new.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        self.post(PATH, new).await.created()["note"].clone()
    }

    /// The notes of the workspace `w`.
    async fn notes(&self) -> Value {
        self.get(PATH).await.ok()["notes"].clone()
    }
}
