//! Rows that can be restored from the log.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    domain::{
        access::{Reads, Record, ViewTx, Written},
        components::Component,
        links::Link,
        paging::Window,
        processes::Process,
        relationships::Relationship,
        stakeholders::StakeholderLink,
        store,
    },
    error::{Error, Result},
};

/// A row of a workspace that can be read from its image in the log.
pub(super) trait Kept: Record + DeserializeOwned {
    /// All current rows of the kind, in order.
    fn all(tx: &ViewTx<'_>) -> Result<Vec<Self>>;

    /// The current row with this key.
    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>>;

    /// Display name.
    fn name(&self) -> String;

    /// Sets the order value, for kinds that have an order.
    fn put_at(&mut self, _seq: i64) {}

    /// The sort key of the row: its order value, or its id, which increases over time.
    fn order(&self) -> i64 {
        self.seq().unwrap_or_else(|| self.key().parse().unwrap_or_default())
    }

    /// Parses the row from an image. The workspace id in the image may be outdated.
    fn from_image(mut image: Value, workspace_id: &str) -> Result<Self> {
        let seq = image["seq"].as_i64();
        image["workspaceId"] = workspace_id.into();
        let mut row: Self = serde_json::from_value(image)?;
        if let Some(seq) = seq {
            row.put_at(seq);
        }
        Ok(row)
    }

    /// Whether two rows have the same contents, regardless of revision, timestamps and authors.
    fn says_the_same(&self, other: &Self) -> bool {
        let bare = |row: &Self| {
            let mut row = row.clone();
            *row.written() = Written::default();
            row
        };
        bare(self) == bare(other)
    }
}

impl Kept for Component {
    fn all(tx: &ViewTx<'_>) -> Result<Vec<Self>> {
        store::components::list(tx.core().conn, &tx.key())
    }

    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>> {
        store::components::find(tx.core().conn, &tx.key(), key)
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn put_at(&mut self, seq: i64) {
        self.seq = seq;
    }
}

impl Kept for Relationship {
    fn all(tx: &ViewTx<'_>) -> Result<Vec<Self>> {
        store::relationships::list(tx.core().conn, &tx.key())
    }

    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>> {
        store::relationships::find(tx.core().conn, &tx.key(), key)
    }

    fn name(&self) -> String {
        let label = self.label.as_deref().filter(|label| !label.is_empty());
        format!("{} {} {}", self.source_id, label.unwrap_or(&self.type_id), self.target_id)
    }

    fn put_at(&mut self, seq: i64) {
        self.seq = seq;
    }
}

impl Kept for StakeholderLink {
    fn all(tx: &ViewTx<'_>) -> Result<Vec<Self>> {
        let found = store::stakeholders::list(tx.core().conn, &tx.key(), &Window::whole())?;
        Ok(found.items.into_iter().map(|found| found.link).collect())
    }

    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>> {
        let id = key.parse().map_err(Error::internal)?;
        Ok(store::stakeholders::by_id(tx.core().conn, &tx.key(), id)?.map(|found| found.link))
    }

    fn name(&self) -> String {
        let who = self.person_id.as_deref().or(self.team_id.as_deref()).unwrap_or_default();
        format!("{who} of {}", self.component_id)
    }
}

impl Kept for Link {
    fn all(tx: &ViewTx<'_>) -> Result<Vec<Self>> {
        store::links::list(tx.core().conn, &tx.key())
    }

    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>> {
        store::links::by_id(tx.core().conn, &tx.key(), key.parse().map_err(Error::internal)?)
    }

    fn name(&self) -> String {
        self.title.clone().unwrap_or_else(|| self.url.clone())
    }
}

impl Kept for Process {
    fn all(tx: &ViewTx<'_>) -> Result<Vec<Self>> {
        store::processes::list(tx.core().conn, &tx.key())
    }

    fn by_key(tx: &ViewTx<'_>, key: &str) -> Result<Option<Self>> {
        store::processes::find(tx.core().conn, &tx.key(), key)
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn put_at(&mut self, seq: i64) {
        self.seq = seq;
    }
}
