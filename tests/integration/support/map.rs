//! Workspaces to test with, and their change log.

use axum::http::Method;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::{TestClient, TestResponse, TestServer};

impl TestClient<'_> {
    /// Creates a workspace named like its ID.
    pub async fn create_workspace(&self, id: &str) -> Value {
        self.post("/api/workspaces", json!({ "id": id, "name": id })).await.created()["workspace"].clone()
    }

    /// Creates components of type service named like their IDs.
    pub async fn create_components(&self, workspace: &str, ids: &[&str]) {
        for id in ids {
            let new = json!({ "id": id, "typeId": "service", "name": id });
            self.post(&format!("/api/workspaces/{workspace}/components"), new).await.created();
        }
    }

    /// Creates a relationship between two components.
    pub async fn create_relationship(
        &self,
        workspace: &str,
        id: &str,
        source: &str,
        type_id: &str,
        target: &str,
    ) -> Value {
        let new = json!({ "id": id, "sourceId": source, "typeId": type_id, "targetId": target });
        let reply = self.post(&format!("/api/workspaces/{workspace}/relationships"), new).await;
        reply.created()["relationship"].clone()
    }

    /// The workspace with all its content.
    pub async fn bundle(&self, workspace: &str) -> Value {
        self.get(&format!("/api/workspaces/{workspace}")).await.ok()
    }

    /// The workspace with all its content and its notes.
    pub async fn bundle_with_notes(&self, workspace: &str) -> Value {
        self.get(&format!("/api/workspaces/{workspace}?include=notes")).await.ok()
    }

    /// Uploads an image, with the media type of its content.
    pub async fn upload_image(&self, workspace: &str, bytes: &[u8]) -> TestResponse {
        let media_type = image::guess_format(bytes).map_or("image/png", |format| format.to_mime_type());
        let path = format!("/api/workspaces/{workspace}/images");
        self.send_raw(Method::POST, &path, Some(media_type), bytes.to_vec()).await
    }

    /// The entity tag of the workspace, with its quotes.
    pub async fn etag(&self, workspace: &str) -> String {
        let reply = self.get(&format!("/api/workspaces/{workspace}")).await;
        reply.ok();
        reply.header("etag").to_owned()
    }

    /// The revision of the workspace.
    pub async fn revision(&self, workspace: &str) -> i64 {
        self.bundle(workspace).await["workspace"]["revision"].as_i64().unwrap()
    }
}

/// One row of the change log.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub revision: i64,
    pub batch: String,
    pub actor: Option<i64>,
    pub via: String,
    pub credential: String,
    /// For example `update component checkout`.
    pub what: String,
    pub before: Value,
    pub after: Value,
}

impl TestServer {
    /// Signs ada in and creates a workspace `w`: the relationship `r` leads from the component `a` to `b`.
    pub async fn seed_map(&self) -> TestClient<'_> {
        let ada = self.sign_in("ada").await;
        ada.create_workspace("w").await;
        ada.create_components("w", &["a", "b"]).await;
        ada.create_relationship("w", "r", "a", "calls", "b").await;
        ada
    }

    /// The change log of all workspaces, oldest first.
    pub fn changes(&self) -> Vec<Change> {
        self.log("workspace_pk IS NOT NULL")
    }

    /// The change log of an organization's directory, oldest first.
    pub fn directory_changes(&self, slug: &str) -> Vec<Change> {
        let of = format!("SELECT id FROM organization WHERE slug = '{slug}'");
        self.log(&format!("workspace_pk IS NULL AND organization_id = ({of})"))
    }

    /// The revision of an organization's directory.
    pub fn directory_revision(&self, slug: &str) -> i64 {
        self.count(&format!("SELECT directory_revision FROM organization WHERE slug = '{slug}'"))
    }

    fn log(&self, which: &str) -> Vec<Change> {
        fn read(conn: &Connection, which: &str) -> rusqlite::Result<Vec<Change>> {
            let image = |text: Option<String>| text.map_or(Value::Null, |text| serde_json::from_str(&text).unwrap());
            conn.prepare(&format!(
                "SELECT revision, coalesce(label, batch), actor, via, credential, op || ' ' || entity || ' ' || entity_id, before, after
                 FROM change WHERE {which} ORDER BY id"
            ))?
            .query_map([], |row| {
                Ok(Change {
                    revision: row.get(0)?,
                    batch: row.get(1)?,
                    actor: row.get(2)?,
                    via: row.get(3)?,
                    credential: row.get(4)?,
                    what: row.get(5)?,
                    before: image(row.get(6)?),
                    after: image(row.get(7)?),
                })
            })?
            .collect()
        }
        self.sql(|conn| read(conn, which).unwrap())
    }

    /// The changes under one label or of one change set, for example `update component checkout`.
    pub fn changes_of(&self, batch: &str) -> Vec<String> {
        self.log("true").into_iter().filter(|change| change.batch == batch).map(|change| change.what).collect()
    }

    /// The number of rows in the change log and in the audit log. Equal before and after if nothing was written.
    pub fn log_sizes(&self) -> (i64, i64) {
        (self.count("SELECT count(*) FROM change"), self.count("SELECT count(*) FROM audit"))
    }
}

/// The ids of an array of rows.
pub fn ids(rows: &Value) -> Vec<&str> {
    rows.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect()
}
