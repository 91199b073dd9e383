//! Operations on the search index.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{app::App, domain::core::Via, domain::map::search, error::Result};

/// An operation on the search index.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SearchOperation {
    /// Empty the index and fill it again. Returns the number of indexed entries.
    Rebuild,
}

impl SearchOperation {
    pub(super) async fn perform(self, app: &App) -> Result<Value> {
        match self {
            Self::Rebuild => app.gate.system(Via::Cli, search::rebuild_index).await.map(Value::from),
        }
    }
}
