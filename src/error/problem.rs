//! What can be wrong with a field of the input.

use std::{borrow::Cow, fmt};

use super::{remedy::Remedy, truncated::truncated};

/// What is wrong with a field. [`fmt::Display`] completes a sentence that starts with the name of the field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// The field is missing. The note says why it is required, or what can be sent instead; it is usually empty.
    Required {
        /// The end of the sentence, such as ``, or `teamId` instead``.
        note: Cow<'static, str>,
    },
    /// The object has the field twice.
    Repeated,
    /// The object has no such field.
    UnknownField,
    /// The catalogue has no entry with this id.
    UnknownType {
        /// Kind of entry: `component type`.
        what: &'static str,
        /// The beginning of the id that was sent.
        id: String,
    },
    /// The text has too few or too many characters.
    Length {
        /// Minimum number of characters.
        min: usize,
        /// Maximum number of characters.
        max: usize,
        /// Number of characters that were sent.
        actual: usize,
    },
    /// The value has too many bytes.
    TooLarge {
        /// Maximum number of bytes.
        max: usize,
        /// Number of bytes that were sent.
        actual: usize,
        /// What is counted: `bytes of JSON`.
        unit: &'static str,
    },
    /// The list has too few or too many items.
    Items {
        /// Minimum number of items.
        min: usize,
        /// Maximum number of items; none if only the minimum is limited.
        max: Option<usize>,
    },
    /// The number is too small or too large.
    Range {
        /// Smallest number.
        min: i64,
        /// Largest number.
        max: i64,
    },
    /// The URL belongs to no page or database of a wiki.
    NotAWikiUrl,
    /// The text does not follow its grammar.
    Syntax {
        /// Line of the text, starting at 1.
        line: u32,
        /// Column in the line, starting at 1.
        column: u32,
        /// What was expected.
        message: String,
    },
    /// The input is not the JSON that is expected, for example because of a missing quote or another type.
    Malformed(String),
    /// Anything else, described by a text.
    Other(String),
    /// Anything else, described by a text that does not say what to do about it.
    Solvable(Cow<'static, str>, Remedy),
}

impl Problem {
    /// The field is missing, without a note.
    pub const REQUIRED: Self = Self::required("");

    /// The field is missing. `note` completes the sentence.
    pub const fn required(note: &'static str) -> Self {
        Self::Required { note: Cow::Borrowed(note) }
    }

    /// What the caller can do about it, if that differs between transports.
    pub fn remedy(&self) -> Option<Remedy> {
        match self {
            Self::UnknownType { .. } => Some(Remedy::ListTypes),
            Self::Solvable(_, remedy) => Some(remedy.clone()),
            _ => None,
        }
    }

    /// Checks the number of characters of a text.
    pub fn check_length(text: &str, min: usize, max: usize) -> Result<(), Self> {
        match text.chars().count() {
            actual if (min..=max).contains(&actual) => Ok(()),
            actual => Err(Self::Length { min, max, actual }),
        }
    }

    /// The number must be `min` to `max`.
    pub fn range(min: i64, max: impl TryInto<i64>) -> Self {
        Self::Range { min, max: max.try_into().unwrap_or(i64::MAX) }
    }

    /// The list must have 1 to `max` items.
    pub const fn items(max: usize) -> Self {
        Self::Items { min: 1, max: Some(max) }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Required { note } => write!(f, "is required{note}"),
            Self::Repeated => f.write_str("is repeated"),
            Self::UnknownField => f.write_str("this resource has no such field"),
            Self::UnknownType { what, id } => write!(f, "unknown {what} `{id}`"),
            Self::Length { min: 0, max, actual } => write!(f, "must have at most {max} characters, has {actual}"),
            Self::Length { min, max, actual } => write!(f, "must have {min} to {max} characters, has {actual}"),
            Self::TooLarge { max, actual, unit } => write!(f, "must have at most {max} {unit}, has {actual}"),
            Self::Items { min: 0, max: Some(max) } => write!(f, "must have at most {max} items"),
            Self::Items { min, max: Some(max) } => write!(f, "must have {min} to {max} items"),
            Self::Items { min: 1, max: None } => f.write_str("must have at least 1 item"),
            Self::Items { min, max: None } => write!(f, "must have at least {min} items"),
            Self::Range { min, max } => write!(f, "must be {min} to {max}"),
            Self::NotAWikiUrl => f.write_str(
                "no identifier found in the URL; URLs of wiki pages and databases contain 32 hexadecimal digits; \
                 `kind` `url` stores any URL as a plain link",
            ),
            Self::Syntax { line, column, message } => write!(f, "line {line}, column {column}: {message}"),
            Self::Malformed(text) | Self::Other(text) => f.write_str(text),
            Self::Solvable(text, _) => f.write_str(text),
        }
    }
}

// Texts may repeat input, which can be megabytes long.
impl From<&str> for Problem {
    fn from(text: &str) -> Self {
        Self::Other(truncated(text.to_owned()))
    }
}

impl From<String> for Problem {
    fn from(text: String) -> Self {
        Self::Other(truncated(text))
    }
}

/// The position of an error in a JSON text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonPosition {
    /// Line, starting at 1.
    pub line: usize,
    /// Column in the line, starting at 1.
    pub column: usize,
}

impl fmt::Display for JsonPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " at line {} column {}", self.line, self.column)
    }
}
