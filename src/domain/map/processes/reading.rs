//! Parsed content of a process, with its participants resolved to components.

use mermaid::{Activation, Arrow, Block, Central, Diagnostic, Diagram, Figure, Placement};
use serde::{Deserialize, Serialize};

use super::Process;
use crate::{
    describe::ToSchema,
    domain::{core::ViewTx, map::components::Component},
    error::Result,
};

/// A process with the parsed content of its text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProcessReading {
    /// The process.
    #[serde(flatten)]
    pub process: Process,
    /// Participants, in order of first appearance.
    pub lifelines: Vec<Lifeline>,
    /// Messages, in order.
    pub steps: Vec<ProcessStep>,
    /// Blocks that contain messages and notes, such as `loop` and `alt`, in order of their first line.
    pub blocks: Vec<Block>,
    /// Notes, in order.
    pub notes: Vec<ProcessNote>,
    /// Aliases of participants without a component in the workspace: unmapped, or mapped to a deleted component.
    #[schema(example = json!(["Pay"]))]
    pub unresolved: Vec<String>,
    /// Problems found while parsing, in order; at most 100.
    pub diagnostics: Vec<Diagnostic>,
}

/// A participant of a process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Lifeline {
    /// Alias of the participant in messages.
    #[schema(example = "Web")]
    pub alias: String,
    /// Display name. Default: the alias.
    #[schema(example = "Web shop")]
    pub name: String,
    /// Symbol that the participant is drawn as.
    pub figure: Figure,
    /// Line of first appearance, counted from 1.
    #[schema(example = 2)]
    pub line: u32,
    /// Whether the participant is created during the process.
    pub created: bool,
    /// Whether the participant is destroyed during the process.
    pub destroyed: bool,
    /// Id of the component; null if the participant has no component in the workspace.
    #[schema(required, example = "web")]
    pub component_id: Option<String>,
}

/// A message of a process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProcessStep {
    /// Index of the message, counted from 0.
    #[schema(example = 0)]
    pub index: usize,
    /// Line of the message, counted from 1.
    #[schema(example = 3)]
    pub line: u32,
    /// Alias of the sender.
    #[schema(example = "Web")]
    pub source: String,
    /// Component id of the sender; null if it has no component in the workspace.
    #[schema(required, example = "web")]
    pub source_id: Option<String>,
    /// Alias of the receiver.
    #[schema(example = "Pay")]
    pub target: String,
    /// Component id of the receiver; null if it has no component in the workspace.
    #[schema(required, example = "payments")]
    pub target_id: Option<String>,
    /// Style of the arrow. Reverse arrows point at the source.
    pub arrow: Arrow,
    /// Text of the message; may have several lines.
    #[schema(example = "charge")]
    pub text: String,
    /// Effect on an activation, if any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub activation: Option<Activation>,
    /// Ends of the message that are circles on the lifeline, if any.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub central: Option<Central>,
    /// Innermost block that contains the message, if any: an index into `blocks`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub block: Option<usize>,
}

/// A note of a process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProcessNote {
    /// Line of the note, counted from 1.
    pub line: u32,
    /// Placement of the note.
    pub placement: Placement,
    /// Aliases of the one or two participants that the note belongs to.
    #[schema(example = json!(["Web", "Pay"]))]
    pub about: Vec<String>,
    /// Text of the note; may have several lines.
    #[schema(example = "within a second")]
    pub text: String,
    /// Number of messages before the note.
    pub after: usize,
    /// Innermost block that contains the note, if any: an index into `blocks`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub block: Option<usize>,
}

/// Combines a process with its parsed text and the existing components.
pub(super) fn reading(tx: &ViewTx<'_>, process: Process, diagram: Diagram) -> Result<ProcessReading> {
    let mut mapping = process.participants.entries();
    let mut lifelines = Vec::with_capacity(diagram.participants.len());
    for one in diagram.participants {
        let mapped = mapping.remove(&one.alias).and_then(|id| id.as_str().map(str::to_owned));
        let component_id = match mapped {
            Some(id) if tx.has::<Component>(&id)? => Some(id),
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
