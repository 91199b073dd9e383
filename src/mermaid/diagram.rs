//! A sequence diagram as it was read.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::arrow::Arrow;

/// Most participants, steps, notes and blocks that are read of one text, together.
pub const MOST: usize = 10_000;

/// Most diagnostics that are given of one text.
pub const MOST_DIAGNOSTICS: usize = 100;

/// What a text says.
#[derive(Debug, Default)]
pub struct Diagram {
    /// Those who take part, in the order in which they appear.
    pub participants: Vec<Participant>,
    /// The messages, in order.
    pub steps: Vec<Step>,
    /// The notes, in order.
    pub notes: Vec<Note>,
    /// Blocks that steps and notes lie in, in order of their beginning.
    pub blocks: Vec<Block>,
    /// Boxes around participants, in order.
    pub boxes: Vec<GroupBox>,
    /// What could not be read, in order.
    pub diagnostics: Vec<Diagnostic>,
}

/// One who takes part.
#[derive(Debug, PartialEq, Eq)]
pub struct Participant {
    /// What messages call it.
    pub alias: String,
    /// Its name for display; the alias when it has no other.
    pub name: String,
    /// As what it is drawn.
    pub figure: Figure,
    /// The line in which it appears first, from 1.
    pub line: u32,
    /// Whether it comes into being on the way.
    pub created: bool,
    /// Whether it ends on the way.
    pub destroyed: bool,
    /// The box around it: an index into [`Diagram::boxes`].
    pub in_box: Option<usize>,
}

/// As what a participant is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = ProcessFigure)]
pub enum Figure {
    /// A rectangle.
    Participant,
    /// A person.
    Actor,
    /// A boundary of a system.
    Boundary,
    /// Several at once.
    Collections,
    /// What controls others.
    Control,
    /// A database.
    Database,
    /// A thing of the domain.
    Entity,
    /// A queue.
    Queue,
}

/// A message.
#[derive(Debug, PartialEq, Eq)]
pub struct Step {
    /// Its line, from 1.
    pub line: u32,
    /// Who sends it: an index into [`Diagram::participants`].
    pub source: usize,
    /// Who gets it: an index into [`Diagram::participants`].
    pub target: usize,
    /// How it is drawn. The reverse arrows point at the source.
    pub arrow: Arrow,
    /// What it says, in lines.
    pub text: String,
    /// What it does to an activation.
    pub activation: Option<Activation>,
    /// Which of its ends are circles on the lifeline.
    pub central: Option<Central>,
    /// The innermost block that it lies in: an index into [`Diagram::blocks`].
    pub block: Option<usize>,
}

/// What a message does to an activation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = ProcessActivation)]
pub enum Activation {
    /// The target becomes active: `+`.
    Begins,
    /// The source ceases to be active: `-`.
    Ends,
}

/// Which ends of a message are circles on the lifeline: `()`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = ProcessCentral)]
pub enum Central {
    /// At the target.
    Target,
    /// At the source.
    Source,
    /// At both.
    Both,
}

/// A note.
#[derive(Debug, PartialEq, Eq)]
pub struct Note {
    /// Its line, from 1.
    pub line: u32,
    /// Where it lies.
    pub placement: Placement,
    /// Whom it is about: one or two indexes into [`Diagram::participants`].
    pub about: Vec<usize>,
    /// What it says, in lines.
    pub text: String,
    /// How many steps come before it.
    pub after: usize,
    /// The innermost block that it lies in: an index into [`Diagram::blocks`].
    pub block: Option<usize>,
}

/// Where a note lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = ProcessPlacement)]
pub enum Placement {
    /// To the left of a participant.
    LeftOf,
    /// To the right of a participant.
    RightOf,
    /// Over one participant, or from one to another.
    Over,
}

/// A block, or a section of one: the `else` of an `alt` is a block in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ProcessBlock)]
pub struct Block {
    /// What it means.
    pub kind: BlockKind,
    /// Its label; the colour of a `rect`.
    #[schema(example = "the card is good")]
    pub label: String,
    /// The line in which it begins, from 1.
    #[schema(example = 6)]
    pub line: u32,
    /// The block that it lies in: an index into the list of blocks, smaller than its own.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub parent: Option<usize>,
}

/// What a block means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = ProcessBlockKind)]
pub enum BlockKind {
    /// It happens again and again.
    Loop,
    /// One of its sections happens; this is the first.
    Alt,
    /// Another section of an `alt`.
    Else,
    /// It happens or not.
    Opt,
    /// Its sections happen at the same time; this is the first.
    Par,
    /// The same, drawn one over the other.
    ParOver,
    /// Another section of a `par`.
    And,
    /// It must happen; this is what is expected.
    Critical,
    /// What else happens in a `critical`.
    Option,
    /// It ends what is around it.
    Break,
    /// A coloured background.
    Rect,
}

/// A box around participants.
#[derive(Debug, PartialEq, Eq)]
pub struct GroupBox {
    /// Its title, if it has one.
    pub title: Option<String>,
    /// Its colour, as it was written, or `transparent`.
    pub color: String,
}

/// What could not be read, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ProcessDiagnostic)]
pub struct Diagnostic {
    /// Line, from 1.
    #[schema(example = 4)]
    pub line: u32,
    /// Column in characters, from 1.
    #[schema(example = 7)]
    pub column: u32,
    /// What is wrong and what would be right.
    #[schema(example = "an arrow is missing after `Web`, as in `Web->>B: text`")]
    pub message: String,
}
