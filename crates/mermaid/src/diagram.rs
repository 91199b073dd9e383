//! The data model of a sequence diagram.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::arrow::Arrow;

/// Maximum number of participants, steps, notes and blocks of a diagram, in total.
pub const MAX_ITEMS: usize = 10_000;

/// Maximum number of diagnostics of a diagram.
pub const MAX_DIAGNOSTICS: usize = 100;

/// A parsed diagram.
#[derive(Debug, Default)]
pub struct Diagram {
    /// Participants, in order of first appearance.
    pub participants: Vec<Participant>,
    /// The messages, in order.
    pub steps: Vec<Step>,
    /// The notes, in order.
    pub notes: Vec<Note>,
    /// Blocks that contain steps and notes, in order of their beginning.
    pub blocks: Vec<Block>,
    /// Boxes around participants, in order.
    pub boxes: Vec<GroupBox>,
    /// Parts that could not be parsed, in order, up to a maximum number.
    pub diagnostics: Vec<Diagnostic>,
    /// Number of all parts that could not be parsed.
    pub diagnostic_count: usize,
}

/// A participant.
#[derive(Debug, PartialEq, Eq)]
pub struct Participant {
    /// The name that messages refer to it by.
    pub alias: String,
    /// Display name; the alias if it has no other.
    pub name: String,
    /// The symbol that it is drawn as.
    pub figure: Figure,
    /// Line of its first appearance, from 1.
    pub line: u32,
    /// Whether it is created by a message (`create`).
    pub created: bool,
    /// Whether it is destroyed by a message (`destroy`).
    pub destroyed: bool,
    /// The box around it: an index into [`Diagram::boxes`].
    pub in_box: Option<usize>,
}

/// The symbol that a participant is drawn as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = ProcessFigure)]
pub enum Figure {
    /// A rectangle.
    Participant,
    /// A person.
    Actor,
    /// A system boundary.
    Boundary,
    /// A collection.
    Collections,
    /// A controller.
    Control,
    /// A database.
    Database,
    /// A domain entity.
    Entity,
    /// A queue.
    Queue,
}

/// A message.
#[derive(Debug, PartialEq, Eq)]
pub struct Step {
    /// Line, from 1.
    pub line: u32,
    /// The sender: an index into [`Diagram::participants`].
    pub source: usize,
    /// The receiver: an index into [`Diagram::participants`].
    pub target: usize,
    /// The arrow. Reverse arrows point at the source.
    pub arrow: Arrow,
    /// The text; line breaks are line feeds.
    pub text: String,
    /// The effect on an activation.
    pub activation: Option<Activation>,
    /// The ends that are drawn as circles on the lifeline.
    pub central: Option<Central>,
    /// The innermost block that contains it: an index into [`Diagram::blocks`].
    pub block: Option<usize>,
}

/// The effect of a message on an activation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = ProcessActivation)]
pub enum Activation {
    /// Activates the target: `+`.
    Begins,
    /// Deactivates the source: `-`.
    Ends,
}

/// The ends of a message that are drawn as circles on the lifeline: `()`.
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
    /// Line, from 1.
    pub line: u32,
    /// Its position relative to the participants.
    pub placement: Placement,
    /// The participants it refers to: one or two indexes into [`Diagram::participants`].
    pub about: Vec<usize>,
    /// The text; line breaks are line feeds.
    pub text: String,
    /// Number of steps before it.
    pub after: usize,
    /// The innermost block that contains it: an index into [`Diagram::blocks`].
    pub block: Option<usize>,
}

/// The position of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = ProcessPlacement)]
pub enum Placement {
    /// To the left of a participant.
    LeftOf,
    /// To the right of a participant.
    RightOf,
    /// Over one participant, or spanning two.
    Over,
}

/// A block, or a section of one: the `else` of an `alt` is a block inside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ProcessBlock)]
pub struct Block {
    /// Its type.
    pub kind: BlockKind,
    /// Its label; the color of a `rect`.
    #[schema(example = "the card is good")]
    pub label: String,
    /// Its first line, from 1.
    #[schema(example = 6)]
    pub line: u32,
    /// The block that contains it: a smaller index into the same list.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub parent: Option<usize>,
}

/// The type of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = ProcessBlockKind)]
pub enum BlockKind {
    /// A repetition.
    Loop,
    /// Alternatives, of which one happens; this is the first.
    Alt,
    /// Another alternative of an `alt`.
    Else,
    /// An optional part.
    Opt,
    /// Parallel sections; this is the first.
    Par,
    /// Parallel sections that are drawn on top of each other.
    ParOver,
    /// Another section of a `par`.
    And,
    /// A part that must happen; this is the expected case.
    Critical,
    /// Another case of a `critical`.
    Option,
    /// An exit from the surrounding sequence.
    Break,
    /// A colored background.
    Rect,
}

/// A box around participants.
#[derive(Debug, PartialEq, Eq)]
pub struct GroupBox {
    /// Its title, if it has one.
    pub title: Option<String>,
    /// The color as written, or `transparent`.
    pub color: String,
}

/// An error in the text and its position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ProcessDiagnostic)]
pub struct Diagnostic {
    /// Line, from 1.
    #[schema(example = 4)]
    pub line: u32,
    /// Column in characters, from 1.
    #[schema(example = 7)]
    pub column: u32,
    /// What is wrong and what is expected.
    #[schema(example = "an arrow is missing after `Web`, as in `Web->>B: text`")]
    pub message: String,
}
