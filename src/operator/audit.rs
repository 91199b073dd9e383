//! What the operator reads of the audit.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    app::App,
    domain::{
        access::Via,
        audit::{self, Page},
    },
    error::Result,
};

/// Something to read in the audit.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AuditOperation {
    /// The last events, or those after one, the newest first.
    Read {
        /// How many at the most: 1 to 1000.
        limit: i64,
        /// Only those after the event with this id.
        after: Option<i64>,
    },
}

impl AuditOperation {
    pub(super) async fn perform(self, app: &App) -> Result<Value> {
        let Self::Read { limit, after } = self;
        let page = Page::new(Some(limit), None, after, None)?;
        let events = app.gate.system(Via::Cli, move |tx| audit::read(&tx.admin(), &page)).await?;
        Ok(serde_json::to_value(events)?)
    }
}
