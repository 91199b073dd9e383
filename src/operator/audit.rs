//! Operations on the audit log.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    app::App,
    domain::{
        core::Via,
        instance::audit::{self, AuditQuery},
    },
    error::Result,
};

/// An operation on the audit log.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AuditOperation {
    /// Read the latest events, or those after an event, newest first.
    Read {
        /// Maximum number of events: 1 to 1000.
        limit: i64,
        /// Only events after the one with this id.
        after: Option<i64>,
    },
}

impl AuditOperation {
    pub(super) async fn perform(self, app: &App) -> Result<Value> {
        let Self::Read { limit, after } = self;
        let page = AuditQuery::new(Some(limit), None, after, None)?;
        let events = app.gate.system(Via::Cli, move |tx| audit::read(&tx.admin(), &page)).await?;
        Ok(serde_json::to_value(events)?)
    }
}
