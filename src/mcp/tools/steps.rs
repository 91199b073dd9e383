//! Lists of a process in results of tools: its messages, those between components that no relationship connects, and the
//! parts of its diagram that could not be parsed.

use std::collections::HashSet;

use mermaid::MAX_DIAGNOSTICS;
use serde_json::{Value, json};

use super::results::{
    ListPage, Table,
    components::{ProcessList, ProcessProblems, ProcessRef, Step, UnrelatedStep},
};
use crate::{
    domain::{
        core::ViewTx,
        map::processes::{self, ProcessReading, ProcessStep},
    },
    error::Result,
    mcp::size::Size,
};

pub type ProcessItems = ListPage<ProcessRef, ProcessList>;

/// The first messages of a process. Adds [`ProcessList::Steps`] to `more` if there are others.
pub(super) fn first_steps(all: &[ProcessStep], more: &mut Vec<ProcessList>) -> Vec<Step> {
    /// Maximum number of messages.
    const MAX_STEPS: usize = 100;
    /// Maximum size of messages in bytes, which leaves space for the diagram.
    const MAX_BYTES: usize = 12 << 10;
    let mut bytes = 0;
    let mut fits = |step: &Step| {
        bytes += Size::of(step).plain();
        bytes <= MAX_BYTES
    };
    let steps: Vec<Step> = all.iter().take(MAX_STEPS).map(Step::from).take_while(|step| fits(step)).collect();
    if steps.len() < all.len() && !more.contains(&ProcessList::Steps) {
        more.insert(0, ProcessList::Steps);
    }
    steps
}

/// What should be fixed in a process.
pub(super) fn problems(tx: &ViewTx<'_>, process: &ProcessReading) -> Result<ProcessProblems> {
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
    let more = [(ProcessList::Steps, steps.len() > MAX_STEPS), (ProcessList::Diagnostics, diagnostic_count.is_some())];
    Ok(ProcessProblems {
        diagnostics,
        diagnostic_count,
        steps_without_relationship: steps.iter().take(MAX_STEPS).copied().map(UnrelatedStep::from).collect(),
        steps_without_relationship_count: (steps.len() > MAX_STEPS).then_some(steps.len()),
        more: more.into_iter().filter_map(|(list, has_more)| has_more.then_some(list)).collect(),
    })
}

/// A page of a list of a process.
pub(super) fn items(tx: &ViewTx<'_>, id: &str, list: ProcessList, cursor: Option<&str>) -> Result<ProcessItems> {
    /// Maximum number of diagnostics. Later ones are often caused by earlier ones.
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
            let found = read.map_or_else(|error| vec![error], |diagram| diagram.diagnostics);
            let rows =
                found.into_iter().map(|diagnostic| json!([diagnostic.line, diagnostic.column, diagnostic.message]));
            (&["line", "column", "message"], rows.collect())
        }
    };
    let total = all.len();
    let table = Table::page(None, columns, all, cursor)?;
    let (revision, workspace_revision) = (reading.process.metadata.revision, tx.workspace().metadata.revision);
    let row = ProcessRef { process_id: reading.process.id, revision, workspace_revision };
    Ok(ListPage { row, list, total, table })
}

/// The row of a message.
fn row(step: &ProcessStep, is_unrelated: bool) -> Value {
    let Step { from, to, text } = step.into();
    let is_mapped = step.source_id.is_some() && step.target_id.is_some();
    json!([step.index + 1, step.line, from, to, text, is_mapped && !is_unrelated])
}
