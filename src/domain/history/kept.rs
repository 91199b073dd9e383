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
        stakeholders::Stakeholder,
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

    /// Takes away what is not its own: what was read from other rows.
    fn strip(&mut self) {}

    /// The row from an image.
    fn from_image(image: &str) -> Result<Self> {
        let image: Value = serde_json::from_str(image)?;
        let seq = image["seq"].as_i64();
        let mut row: Self = serde_json::from_value(image)?;
        if let Some(seq) = seq {
            row.put_at(seq);
        }
        row.strip();
        Ok(row)
    }

    /// Whether two rows say the same, whoever wrote them when.
    fn says_the_same(&self, other: &Self) -> bool {
        let bare = |row: &Self| {
            let mut row = row.clone();
            row.strip();
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

impl Kept for Stakeholder {
    fn now(&self, tx: &ViewTx<'_>) -> Result<Option<Self>> {
        store::stakeholders::find(tx.core().conn, &tx.key(), &self.component_id, self.id)
    }

    fn name(&self) -> String {
        let who = self.person.as_ref().map(|person| &person.name).or(self.team.as_ref().map(|team| &team.name));
        let who = who.or(self.person_id.as_ref()).or(self.team_id.as_ref());
        format!("{} of {}", who.map_or("", |who| who), self.component_id)
    }

    fn strip(&mut self) {
        (self.person, self.team) = (None, None);
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
