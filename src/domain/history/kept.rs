//! Rows that can be brought back from the log.

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    domain::{
        access::{Reads, Record, ViewTx, Written},
        components::Component,
        links::Link,
        processes::Process,
        relationships::Relationship,
        stakeholders::StakeholderLink,
        store,
    },
    error::Result,
};

/// A row of a workspace that is read from its image in the log.
pub(super) trait Kept: Record + DeserializeOwned {
    /// This row as it is now.
    fn now(&self, tx: &ViewTx<'_>) -> Result<Option<Self>>;

    /// What people call it.
    fn name(&self) -> String;

    /// Puts it at this place in the order of its kind, where there is one.
    fn put_at(&mut self, _seq: i64) {}

    /// The row from an image.
    fn from_image(image: &str) -> Result<Self> {
        let image: Value = serde_json::from_str(image)?;
        let seq = image["seq"].as_i64();
        let mut row: Self = serde_json::from_value(image)?;
        if let Some(seq) = seq {
            row.put_at(seq);
        }
        Ok(row)
    }

    /// Whether two rows say the same, whoever wrote them when.
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
    fn now(&self, tx: &ViewTx<'_>) -> Result<Option<Self>> {
        store::components::find(tx.core().conn, &tx.key(), &self.id)
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn put_at(&mut self, seq: i64) {
        self.seq = seq;
    }
}

impl Kept for Relationship {
    fn now(&self, tx: &ViewTx<'_>) -> Result<Option<Self>> {
        store::relationships::find(tx.core().conn, &tx.key(), &self.id)
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
    fn now(&self, tx: &ViewTx<'_>) -> Result<Option<Self>> {
        Ok(store::stakeholders::find(tx.core().conn, &tx.key(), &self.component_id, self.id)?.map(|found| found.link))
    }

    fn name(&self) -> String {
        let who = self.person_id.as_deref().or(self.team_id.as_deref()).unwrap_or_default();
        format!("{who} of {}", self.component_id)
    }
}

impl Kept for Link {
    fn now(&self, tx: &ViewTx<'_>) -> Result<Option<Self>> {
        store::links::find(tx.core().conn, &tx.key(), &self.component_id, self.id)
    }

    fn name(&self) -> String {
        self.title.clone().unwrap_or_else(|| self.url.clone())
    }
}

impl Kept for Process {
    fn now(&self, tx: &ViewTx<'_>) -> Result<Option<Self>> {
        store::processes::find(tx.core().conn, &tx.key(), &self.id)
    }

    fn name(&self) -> String {
        self.name.clone()
    }

    fn put_at(&mut self, seq: i64) {
        self.seq = seq;
    }
}
