//! Decisions: rows, files, undo and the history.

mod files;
mod history;
mod importer;
mod rows;
mod transfer;

use serde_json::{Value, json};

use crate::support::{TestClient, TestResponse};

const PATH: &str = "/api/workspaces/w/decisions";

impl TestClient<'_> {
    /// Creates a decision in the workspace `w`.
    async fn decide(&self, fields: Value) -> Value {
        self.post(PATH, fields).await.created()["decision"].clone()
    }

    /// Reads a decision of the workspace `w`.
    async fn decision(&self, id: &str) -> Value {
        self.get(&format!("{PATH}/{id}")).await.ok()["decision"].clone()
    }

    /// The decisions in a list of the workspace `w`: number, id and state.
    async fn decisions(&self, query: &str) -> Vec<String> {
        let listed = self.get(&format!("{PATH}{query}")).await.ok()["decisions"].clone();
        let text = |row: &Value| {
            format!("{} {} {}", row["number"], row["id"].as_str().unwrap(), row["status"].as_str().unwrap())
        };
        listed.as_array().unwrap().iter().map(text).collect()
    }

    /// Imports files into the workspace `w`, given by name and text.
    async fn import_decisions(&self, files: &[(&str, &str)]) -> TestResponse {
        let files: Vec<Value> = files.iter().map(|(name, text)| json!({ "name": name, "text": text })).collect();
        self.post(&format!("{PATH}/import"), json!({ "files": files })).await
    }

    /// The files of an export of the workspace `w`, by name and text.
    async fn export_decisions(&self) -> Vec<(String, String)> {
        use std::io::Read;
        let reply = self.get(&format!("{PATH}/export")).await;
        assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, "application/gzip"), "{reply}");
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(&*reply.bytes));
        let read = |entry: std::io::Result<tar::Entry<'_, _>>| {
            let mut entry = entry.unwrap();
            let name = entry.path().unwrap().to_str().unwrap().to_owned();
            let mut text = String::new();
            entry.read_to_string(&mut text).unwrap();
            (name, text)
        };
        archive.entries().unwrap().map(read).collect()
    }

    /// Undoes a change set in the workspace `w`.
    async fn undo(&self, change_set: &str) {
        self.post("/api/workspaces/w/undo", json!({ "changeSetId": change_set })).await.ok();
    }
}

/// A row without its revision, times and authors of writes.
fn plain(row: &Value) -> Value {
    let mut plain = row.clone();
    for field in ["revision", "createdAt", "createdBy", "updatedAt", "updatedBy"] {
        assert!(plain.as_object_mut().unwrap().shift_remove(field).is_some(), "{field} is missing");
    }
    plain
}
