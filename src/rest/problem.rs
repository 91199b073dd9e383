//! The machine-readable part of an error about a field.

use serde::Serialize;

use crate::{
    describe::ToSchema,
    error::{JsonPosition, Problem},
};

/// What is wrong with a field, for programs. `error` says the same to people.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(example = json!({ "kind": "tooLong", "message": "must have 1 to 200 characters, has 250",
                                         "min": 1, "max": 200, "actual": 250 }))]
pub struct ProblemBody {
    /// Kind of problem. More kinds may be added.
    pub kind: ProblemKind,
    /// What is wrong, for people, without the name of the field, without a position, and without what to do.
    pub message: String,
    /// Minimum: characters of a text, items of a list, or a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub min: Option<i64>,
    /// Maximum: characters of a text, bytes of a value, items of a list, or a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub max: Option<i64>,
    /// Number of characters or bytes that were sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub actual: Option<i64>,
    /// Line, starting at 1: of the text with the kind `syntax`, otherwise of the JSON in the request body.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub line: Option<i64>,
    /// Column in the line, starting at 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub column: Option<i64>,
}

/// A kind of problem.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ProblemKind {
    /// The field is missing.
    Required,
    /// The field occurs more than once.
    Repeated,
    /// The object has no such field.
    UnknownField,
    /// The type catalogue has no such id.
    UnknownType,
    /// The text has too few characters.
    TooShort,
    /// The text has too many characters.
    TooLong,
    /// The value has too many bytes.
    TooLarge,
    /// The list has too few or too many items.
    ItemCount,
    /// The number is too small or too large.
    OutOfRange,
    /// The text does not follow its grammar.
    Syntax,
    /// The value is not the expected JSON.
    Malformed,
    /// Anything else; see `message`.
    #[default]
    Other,
}

impl ProblemBody {
    pub(super) fn new(problem: &Problem, position: Option<JsonPosition>) -> Self {
        let number = |count: usize| i64::try_from(count).ok();
        let body = |kind| Self { kind, message: problem.to_string(), ..Self::default() };
        let body = match problem {
            Problem::Required { .. } => body(ProblemKind::Required),
            Problem::Repeated => body(ProblemKind::Repeated),
            Problem::UnknownField => body(ProblemKind::UnknownField),
            Problem::UnknownType { .. } => body(ProblemKind::UnknownType),
            Problem::Length { min, max, actual } => {
                let kind = if actual < min { ProblemKind::TooShort } else { ProblemKind::TooLong };
                Self { min: number(*min), max: number(*max), actual: number(*actual), ..body(kind) }
            }
            Problem::TooLarge { max, actual, .. } => {
                Self { max: number(*max), actual: number(*actual), ..body(ProblemKind::TooLarge) }
            }
            Problem::Items { min, max } => {
                Self { min: number(*min), max: max.and_then(number), ..body(ProblemKind::ItemCount) }
            }
            Problem::Range { min, max } => Self { min: Some(*min), max: Some(*max), ..body(ProblemKind::OutOfRange) },
            Problem::Syntax { line, column, message } => {
                let (line, column) = (Some((*line).into()), Some((*column).into()));
                Self { line, column, message: message.clone(), ..body(ProblemKind::Syntax) }
            }
            Problem::Malformed(_) => body(ProblemKind::Malformed),
            Problem::NotAWikiUrl | Problem::Other(_) | Problem::Solvable(..) => body(ProblemKind::Other),
        };
        match position {
            Some(JsonPosition { line, column }) => Self { line: number(line), column: number(column), ..body },
            None => body,
        }
    }
}
