//! What the text of a process says, and which components it speaks of.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Process;
use crate::{
    domain::{
        access::{Reads, ViewTx},
        store,
    },
    error::Result,
    mermaid::{Activation, Arrow, Block, Central, Diagnostic, Diagram, Figure, Placement},
};

/// A process, and what its text says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProcessReading {
    /// The process.
    #[serde(flatten)]
    pub process: Process,
    /// Those who take part, in the order in which they appear.
    pub lifelines: Vec<Lifeline>,
    /// The messages, in order.
    pub steps: Vec<ProcessStep>,
    /// Blocks that messages and notes lie in, such as `loop` and `alt`, in order of their beginning.
    pub blocks: Vec<Block>,
    /// The notes, in order.
    pub notes: Vec<ProcessNote>,
    /// Aliases of those who take part and are no component of the workspace: not mapped, or to one that is deleted.
    #[schema(example = json!(["Pay"]))]
    pub unresolved: Vec<String>,
    /// What could not be read, in order; at most 100.
    pub diagnostics: Vec<Diagnostic>,
}

/// One who takes part in a process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Lifeline {
    /// What messages call it.
    #[schema(example = "Web")]
    pub alias: String,
    /// Its name for display; the alias when it has no other.
    #[schema(example = "Web shop")]
    pub name: String,
    /// As what it is drawn.
    pub figure: Figure,
    /// The line in which it appears first, from 1.
    #[schema(example = 2)]
    pub line: u32,
    /// Whether it comes into being on the way.
    pub created: bool,
    /// Whether it ends on the way.
    pub destroyed: bool,
    /// The component that it is; null when it is none of the workspace.
    #[schema(required, example = "web")]
    pub component_id: Option<String>,
}

/// A message of a process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProcessStep {
    /// Its place in the order, from 0.
    #[schema(example = 0)]
    pub index: usize,
    /// Its line, from 1.
    #[schema(example = 3)]
    pub line: u32,
    /// Alias of who sends it.
    #[schema(example = "Web")]
    pub source: String,
    /// The component that sends it; null when that is none of the workspace.
    #[schema(required, example = "web")]
    pub source_id: Option<String>,
    /// Alias of who gets it.
    #[schema(example = "Pay")]
    pub target: String,
    /// The component that gets it; null when that is none of the workspace.
    #[schema(required, example = "payments")]
    pub target_id: Option<String>,
    /// How it is drawn. The reverse arrows point at the source.
    pub arrow: Arrow,
    /// What it says, in lines.
    #[schema(example = "charge")]
    pub text: String,
    /// What it does to an activation, if it does.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub activation: Option<Activation>,
    /// Which of its ends are circles on the lifeline, if any are.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub central: Option<Central>,
    /// The innermost block that it lies in, if it lies in one: an index into `blocks`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub block: Option<usize>,
}

/// A note of a process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProcessNote {
    /// Its line, from 1.
    pub line: u32,
    /// Where it lies.
    pub placement: Placement,
    /// The aliases of the one or two whom it is about.
    #[schema(example = json!(["Web", "Pay"]))]
    pub about: Vec<String>,
    /// What it says, in lines.
    #[schema(example = "within a second")]
    pub text: String,
    /// How many steps come before it.
    pub after: usize,
    /// The innermost block that it lies in, if it lies in one: an index into `blocks`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub block: Option<usize>,
}

/// Puts a process and what its text says together, with the components that live.
pub(super) fn reading(tx: &ViewTx<'_>, process: Process, diagram: Diagram) -> Result<ProcessReading> {
    let mut mapping = process.participants.entries();
    let mut lifelines = Vec::with_capacity(diagram.participants.len());
    for one in diagram.participants {
        let mapped = mapping.remove(&one.alias).and_then(|id| id.as_str().map(str::to_owned));
        let component_id = match mapped {
            Some(id) if store::components::id_taken(tx.core().conn, tx.pk(), &id)? => Some(id),
            _ => None,
        };
        lifelines.push(Lifeline {
            alias: one.alias,
            name: one.name,
            figure: one.figure,
            line: one.line,
            created: one.created,
            destroyed: one.destroyed,
            component_id,
        });
    }
    let end = |index: usize| (lifelines[index].alias.clone(), lifelines[index].component_id.clone());
    let steps = diagram.steps.into_iter().enumerate().map(|(index, step)| {
        let ((source, source_id), (target, target_id)) = (end(step.source), end(step.target));
        ProcessStep {
            index,
            line: step.line,
            source,
            source_id,
            target,
            target_id,
            arrow: step.arrow,
            text: step.text,
            activation: step.activation,
            central: step.central,
            block: step.block,
        }
    });
    let steps = steps.collect();
    let notes = diagram.notes.into_iter().map(|note| ProcessNote {
        line: note.line,
        placement: note.placement,
        about: note.about.into_iter().map(|index| end(index).0).collect(),
        text: note.text,
        after: note.after,
        block: note.block,
    });
    let notes = notes.collect();
    let missing = lifelines.iter().filter(|one| one.component_id.is_none());
    let unresolved = missing.map(|one| one.alias.clone()).collect();
    let (blocks, diagnostics) = (diagram.blocks, diagram.diagnostics);
    Ok(ProcessReading { process, lifelines, steps, blocks, notes, unresolved, diagnostics })
}
