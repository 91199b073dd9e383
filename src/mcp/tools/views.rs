//! A workspace as a text: an outline or a mermaid flowchart.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::workspaces::Summary;
use crate::{
    describe::ToSchema,
    domain::{
        core::ViewTx,
        input::objects,
        map::tables::{self, Part},
    },
    error::{Error, Problem, Result},
    mcp::{
        diagram::Map,
        results::{SpaceLeft, page},
    },
};

/// Maximum distance from the component that a part of a map is around.
pub const MAX_DEPTH: u32 = 10;
/// Maximum size of a flowchart in bytes. The rest of a result is for escaped quotes and the other fields.
pub const MAX_FLOWCHART_BYTES: usize = 30 << 10;

/// A part of a map.
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

/// How much there is of each.
#[derive(Debug, Serialize)]
pub struct Counts {
    components: usize,
    relationships: usize,
    processes: usize,
    stakeholders: usize,
    notes: usize,
}

impl Counts {
    /// Counts the rows of a workspace.
    pub fn read(tx: &ViewTx<'_>) -> Result<Self> {
        Ok(Self {
            components: tables::count(tx, Part::Components)?,
            relationships: tables::count(tx, Part::Relationships)?,
            processes: tables::count(tx, Part::Processes)?,
            stakeholders: tables::count(tx, Part::Stakeholders)?,
            notes: tables::count(tx, Part::Notes)?,
        })
    }
}

/// A workspace as a text.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct View {
    workspace: Summary,
    counts: Counts,
    /// The outline, or the part of it on this page, or the flowchart.
    text: String,
    /// What a flowchart contains if it is not the whole map.
    #[serde(skip_serializing_if = "Option::is_none")]
    listed: Option<Listed>,
    /// Whether there is more: an outline has more pages, a flowchart has not.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// Numbers of components and relationships.
#[derive(Debug, Serialize)]
pub struct Listed {
    components: usize,
    relationships: usize,
}

/// The ids of the components around another one.
pub fn around(tx: &ViewTx<'_>, around: &Around) -> Result<HashSet<String>> {
    let depth = around.depth.unwrap_or(1);
    if !(1..=MAX_DEPTH).contains(&depth) {
        return Err(Error::invalid(["around", "depth"], Problem::range(1, MAX_DEPTH)));
    }
    tables::around(tx, &around.component_id, depth as usize)
}

/// A page of an outline.
pub fn outline(workspace: Summary, counts: Counts, map: &Map, cursor: Option<&str>) -> Result<View> {
    let (lines, next_cursor) = page(map.outline(), cursor, &mut SpaceLeft::after(&(&workspace, &counts)))?;
    let text = lines.join("\n");
    Ok(View { workspace, counts, text, listed: None, truncated: next_cursor.is_some(), next_cursor })
}

/// A flowchart.
pub fn mermaid(workspace: Summary, counts: Counts, map: &Map) -> View {
    let chart = map.flowchart(MAX_FLOWCHART_BYTES);
    let (components, relationships) = (chart.components, chart.relationships);
    let listed = (!chart.is_whole).then_some(Listed { components, relationships });
    View { workspace, counts, text: chart.text, truncated: listed.is_some(), listed, next_cursor: None }
}
