//! Lists of a process in results of tools: its messages, those between components that no relationship connects, and the
//! parts of its diagram that could not be parsed.

use std::collections::HashSet;

use mermaid::{Diagnostic, MAX_DIAGNOSTICS};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{
    describe::ToSchema,
    domain::{
        core::ViewTx,
        map::processes::{self, ProcessReading, ProcessStep},
    },
    error::Result,
    mcp::{
        results::{SpaceLeft, page, truncate},
        size::Size,
    },
};

/// A list of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ProcessList {
    /// Messages.
    Steps,
    /// Parse errors.
    Diagnostics,
}

/// What is to be fixed in a process: parse errors, and messages between components that no relationship connects.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Faults {
    /// Parse errors.
    diagnostics: Vec<Diagnostic>,
    /// Number of all, if not all are listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    diagnostic_count: Option<usize>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    steps_without_relationship: Vec<UnrelatedStep>,
    /// Number of all, if not all are listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    steps_without_relationship_count: Option<usize>,
    /// The lists with the rest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    more: Vec<ProcessList>,
}

/// A message between components that no relationship connects.
#[derive(Debug, Serialize, Deserialize)]
pub struct UnrelatedStep {
    /// Number of the message, counted from 1.
    step: usize,
    /// Line of the message, counted from 1.
    line: u32,
    /// Component id of the sender.
    from: Option<String>,
    /// Component id of the receiver.
    to: Option<String>,
}

/// A message.
#[derive(Debug, Serialize)]
pub struct Step {
    /// Component id of the sender, or its alias if it is not mapped to a component.
    from: String,
    /// The same of the receiver.
    to: String,
    text: String,
}

impl Step {
    fn of(step: &ProcessStep) -> Self {
        let (from, to) = ends(step);
        Self { from: from.to_owned(), to: to.to_owned(), text: truncate(&step.text) }
    }
}

impl Faults {
    /// The first messages of a process. If there are others, `more` says that they are in the list of all.
    pub(super) fn first_steps(&mut self, all: &[ProcessStep]) -> Vec<Step> {
        /// Maximum number of messages.
        const MAX_STEPS: usize = 100;
        /// Maximum size of messages in bytes, so that the diagram has room.
        const MAX_BYTES: usize = 12 << 10;
        let mut bytes = 0;
        let mut fits = |step: &Step| {
            bytes += Size::of(step).plain();
            bytes <= MAX_BYTES
        };
        let steps: Vec<Step> = all.iter().take(MAX_STEPS).map(Step::of).take_while(|step| fits(step)).collect();
        if steps.len() < all.len() && !self.more.contains(&ProcessList::Steps) {
            self.more.insert(0, ProcessList::Steps);
        }
        steps
    }

    pub(super) fn of(tx: &ViewTx<'_>, process: &ProcessReading) -> Result<Self> {
        /// Maximum number of listed messages.
        const MAX_STEPS: usize = 50;
        let steps = processes::steps_without_relationship(tx, process)?;
        let diagnostics = process.diagnostics.clone();
        let diagnostic_count = match diagnostics.len() {
            0..MAX_DIAGNOSTICS => None,
            listed => {
                let read = mermaid::read(&process.process.mermaid);
                read.ok().map(|diagram| diagram.diagnostic_count).filter(|count| *count > listed)
            }
        };
        let mut more = Vec::new();
        if steps.len() > MAX_STEPS {
            more.push(ProcessList::Steps);
        }
        if diagnostic_count.is_some() {
            more.push(ProcessList::Diagnostics);
        }
        let shown = |step: &&ProcessStep| {
            let (from, to) = (step.source_id.clone(), step.target_id.clone());
            UnrelatedStep { step: step.index + 1, line: step.line, from, to }
        };
        Ok(Self {
            diagnostics,
            diagnostic_count,
            steps_without_relationship: steps.iter().take(MAX_STEPS).map(shown).collect(),
            steps_without_relationship_count: (steps.len() > MAX_STEPS).then_some(steps.len()),
            more,
        })
    }
}

/// A page of a list of a process.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Items {
    process_id: String,
    revision: i64,
    workspace_revision: i64,
    list: ProcessList,
    /// Number of items on all pages.
    total: usize,
    columns: &'static [&'static str],
    rows: Vec<Value>,
    /// Whether there are more.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// A page of a list of a process.
pub(super) fn items(tx: &ViewTx<'_>, id: &str, list: ProcessList, cursor: Option<&str>) -> Result<Items> {
    /// Maximum number of diagnostics. There is no need to read more of them, because each can cause others.
    const MAX_LISTED: usize = 10_000;
    let reading = processes::read(tx, id)?;
    let (columns, all): (&[_], Vec<Value>) = match list {
        ProcessList::Steps => {
            let unrelated: HashSet<usize> =
                processes::steps_without_relationship(tx, &reading)?.into_iter().map(|step| step.index).collect();
            let rows = reading.steps.iter().map(|step| row(step, unrelated.contains(&step.index)));
            (&["step", "line", "from", "to", "text", "hasRelationship"], rows.collect())
        }
        ProcessList::Diagnostics => {
            let read = mermaid::read_with(&reading.process.mermaid, MAX_LISTED);
            let found = read.map_or_else(|missing| vec![missing], |diagram| diagram.diagnostics);
            let rows = found.into_iter().map(|one| json!([one.line, one.column, one.message]));
            (&["line", "column", "message"], rows.collect())
        }
    };
    let total = all.len();
    let (rows, next_cursor) = page(all, cursor, &mut SpaceLeft::after(&()))?;
    Ok(Items {
        process_id: reading.process.id,
        revision: reading.process.metadata.revision,
        workspace_revision: tx.workspace().metadata.revision,
        list,
        total,
        columns,
        rows,
        truncated: next_cursor.is_some(),
        next_cursor,
    })
}

/// The sender and the receiver of a message. An alias without a component is shown as it is in the diagram.
fn ends(step: &ProcessStep) -> (&str, &str) {
    let (from, to) = (step.source_id.as_ref().unwrap_or(&step.source), step.target_id.as_ref().unwrap_or(&step.target));
    (from, to)
}

/// The row of a message.
fn row(step: &ProcessStep, is_unrelated: bool) -> Value {
    let (from, to) = ends(step);
    let is_mapped = step.source_id.is_some() && step.target_id.is_some();
    json!([step.index + 1, step.line, from, to, truncate(&step.text), is_mapped && !is_unrelated])
}
