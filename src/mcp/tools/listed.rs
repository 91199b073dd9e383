//! The embedded definitions of the tools. They are generated from the types by a test, so that the binary does not contain
//! the schemas of all types.

use std::sync::{Arc, LazyLock};

use rmcp::model::{JsonObject, Tool};

use crate::contracts;

/// A test checks that they are complete and can be read.
static LISTED: LazyLock<Vec<Tool>> = LazyLock::new(|| {
    let text = contracts::text(contracts::MCP_TOOLS).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
});

/// The definitions of all tools, as clients receive them.
pub fn listed() -> &'static [Tool] {
    &LISTED
}

/// The schema of the arguments of a tool.
pub(super) fn schema(tool: &str) -> Arc<JsonObject> {
    LISTED.iter().find(|listed| listed.name == tool).map(|listed| Arc::clone(&listed.input_schema)).unwrap_or_default()
}
