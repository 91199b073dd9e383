//! Problems found while a value is deserialized.
//!
//! serde's errors carry only text, so the problem is kept beside the error until the parser's caller asks for it.

use std::cell::Cell;

use serde::de;

use super::problem::{JsonPosition, Problem};

thread_local! {
    /// The last problem that was found on this thread.
    static LAST: Cell<Option<Rejection>> = const { Cell::new(None) };
}

/// A problem that was found while a value was deserialized.
#[derive(Debug)]
pub struct Rejection {
    /// The field of the object that was being deserialized; none if the value itself is invalid.
    pub field: Option<&'static str>,
    /// What is wrong.
    pub problem: Problem,
}

impl Rejection {
    /// The text of the serde error.
    fn text(&self) -> String {
        match self.field {
            Some(field) => format!("{field}: {}", self.problem),
            None => self.problem.to_string(),
        }
    }

    /// The problem behind an error of this thread; none if the JSON parser itself found the error.
    pub fn behind(error: &serde_json::Error) -> Option<Self> {
        // A deserializer can catch an error and fail with another one, so the last problem may belong to another error.
        let expected = message(error);
        LAST.take().filter(|last| last.text() == expected)
    }
}

/// The serde error for a value that is invalid.
pub fn reject<E: de::Error>(problem: Problem) -> E {
    keep(Rejection { field: None, problem })
}

/// The serde error for an object whose field is invalid.
pub fn reject_field<E: de::Error>(field: &'static str, problem: Problem) -> E {
    keep(Rejection { field: Some(field), problem })
}

fn keep<E: de::Error>(rejection: Rejection) -> E {
    let error = E::custom(rejection.text());
    LAST.set(Some(rejection));
    error
}

/// The text of an error without its position.
fn message(error: &serde_json::Error) -> String {
    let mut text = error.to_string();
    if let Some(position) = JsonPosition::of(error) {
        let length = text.strip_suffix(&position.to_string()).map_or(text.len(), str::len);
        text.truncate(length);
    }
    text
}

/// The text of an error in terms of JSON. `serde_json` names the types of Rust.
pub fn json_message(error: &serde_json::Error) -> String {
    let text = message(error);
    if let Some(text) = other_word(&text) {
        return text;
    }
    let Some((found, expected)) = text.strip_prefix("invalid type: ").and_then(|types| types.split_once(", expected "))
    else {
        return text;
    };
    let found = match found {
        "map" => "object",
        "sequence" => "list",
        other => other,
    };
    let expected = match expected {
        "a map" => "an object",
        "a sequence" => "a list",
        "f32" | "f64" => "a number",
        "i8" | "i16" | "i32" | "i64" | "isize" | "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number",
        other => other,
    };
    format!("invalid type: {found}, expected {expected}")
}

/// The text of an error about a word that is not one of those that are allowed.
fn other_word(text: &str) -> Option<String> {
    // The words that are allowed contain no such separator, unlike the one that was found.
    let (found, allowed) = text.strip_prefix("unknown variant ")?.rsplit_once(", expected ")?;
    Some(format!("must be {allowed}, not {found}"))
}

impl JsonPosition {
    /// The position of an error; none if it has no position.
    pub fn of(error: &serde_json::Error) -> Option<Self> {
        (error.line() > 0).then(|| Self { line: error.line(), column: error.column() })
    }
}
