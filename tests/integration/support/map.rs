//! Maps to work on, and what was written down of the work.

use rusqlite::Connection;
use serde_json::{Value, json};

use super::{Actor, Stage};

impl Actor<'_> {
    /// Founds a workspace named as its id.
    pub async fn found(&self, id: &str) -> Value {
        self.post("/api/workspaces", json!({ "id": id, "name": id })).await.created()["workspace"].clone()
    }

    /// Draws components, each a service named as its id.
    pub async fn draw(&self, workspace: &str, ids: &[&str]) {
        for id in ids {
            let new = json!({ "id": id, "typeId": "service", "name": id });
            self.post(&format!("/api/workspaces/{workspace}/components"), new).await.created();
        }
    }

    /// Relates two components; answers with the relationship.
    pub async fn relate(&self, workspace: &str, id: &str, source: &str, type_id: &str, target: &str) -> Value {
        let new = json!({ "id": id, "sourceId": source, "typeId": type_id, "targetId": target });
        let reply = self.post(&format!("/api/workspaces/{workspace}/relationships"), new).await;
        reply.created()["relationship"].clone()
    }

    /// The workspace with all that is in it.
    pub async fn bundle(&self, workspace: &str) -> Value {
        self.get(&format!("/api/workspaces/{workspace}")).await.ok()
    }

    /// The entity tag of the workspace, with its quotes.
    pub async fn tag(&self, workspace: &str) -> String {
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
    /// As in `update component checkout`.
    pub what: String,
    pub before: Value,
    pub after: Value,
}

impl Stage {
    /// Ada, and a workspace `w` of hers with the components `a` and `b` and the relationship `r` from one to the other.
    pub async fn map(&self) -> Actor<'_> {
        let ada = self.sign_in("ada").await;
        ada.found("w").await;
        ada.draw("w", &["a", "b"]).await;
        ada.relate("w", "r", "a", "calls", "b").await;
        ada
    }

    /// The change log of all workspaces, from its beginning.
    pub fn changes(&self) -> Vec<Change> {
        self.log("workspace_pk IS NOT NULL")
    }

    /// The change log of an organization's directory, from its beginning.
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

    /// The changes under one label, or of one change set, as in `update component checkout`.
    pub fn gesture(&self, batch: &str) -> Vec<String> {
        self.log("true").into_iter().filter(|change| change.batch == batch).map(|change| change.what).collect()
    }

    /// How much was ever written: rows of the change log and of the audit. Equal before and after: nothing was.
    pub fn written(&self) -> (i64, i64) {
        (self.count("SELECT count(*) FROM change"), self.count("SELECT count(*) FROM audit"))
    }
}

/// The ids of an array of rows.
pub fn ids(rows: &Value) -> Vec<&str> {
    rows.as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap()).collect()
}
