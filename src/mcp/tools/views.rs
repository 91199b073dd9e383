//! A workspace as a text: an outline or a mermaid flowchart.

use std::collections::HashSet;

use serde::Deserialize;

use super::results::{
    ListedCounts, NextPage,
    map::{WorkspaceHead, WorkspaceText},
};
use crate::{
    describe::ToSchema,
    domain::{core::ViewTx, input::objects, map::tables},
    error::{Error, Problem, Result},
    mcp::{
        diagram::Map,
        results::{SpaceLeft, page},
    },
};

/// Maximum distance from the component in the center of a neighborhood.
pub const MAX_DEPTH: u32 = 10;
/// Maximum size of a flowchart in bytes. The rest of a result is for escaped quotes and the other fields.
pub const MAX_FLOWCHART_BYTES: usize = 30 << 10;

/// The neighborhood of a component.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Around {
    /// Id.
    pub component_id: String,
    /// Relationships away. Default: 1.
    #[schema(minimum = 1, maximum = 10, nullable = false)]
    pub depth: Option<u32>,
}

objects!(Around);

/// The ids of the components around another one.
pub fn around(tx: &ViewTx<'_>, around: &Around) -> Result<HashSet<String>> {
    let depth = around.depth.unwrap_or(1);
    if !(1..=MAX_DEPTH).contains(&depth) {
        return Err(Error::invalid(["around", "depth"], Problem::range(1, MAX_DEPTH)));
    }
    tables::around(tx, &around.component_id, depth as usize)
}

/// A page of an outline.
pub fn outline(head: WorkspaceHead, map: &Map, cursor: Option<&str>) -> Result<WorkspaceText> {
    let (lines, next_cursor) = page(map.outline(), cursor, &mut SpaceLeft::after(&head))?;
    Ok(WorkspaceText { head, text: lines.join("\n"), listed: None, next: next_cursor.into() })
}

/// A flowchart.
pub fn mermaid(head: WorkspaceHead, map: &Map) -> WorkspaceText {
    let chart = map.flowchart(MAX_FLOWCHART_BYTES);
    let counts = ListedCounts { components: chart.components, relationships: chart.relationships };
    let next = NextPage { truncated: !chart.is_whole, next_cursor: None };
    WorkspaceText { head, text: chart.text, listed: (!chart.is_whole).then_some(counts), next }
}
