//! Strict parsing of request bodies: unknown fields are rejected by name.
//!
//! Read-only fields of the resource are accepted and ignored, so that clients can send back what they read.

mod at_most;
mod ignored_fields;
mod nullable;
mod object;
mod same;
mod stamped;

use std::mem;

use serde::de::DeserializeOwned;

pub(in crate::domain) use self::same::same;
pub(crate) use self::{
    at_most::{at_most, optional_at_most},
    object::objects,
    stamped::stamped,
};
pub use self::{nullable::Nullable, object::ObjectOnly};

use self::ignored_fields::IgnoredFields;
use crate::error::{Error, FieldPath, Position, Problem, Rejection, Result, message, truncated};

/// A request body of an endpoint.
pub trait Input: DeserializeOwned + Send + 'static {
    /// Read-only fields, which are accepted and ignored.
    const READ_ONLY: &'static [&'static str] = &[];
    /// Fields of other resources, which are ignored and reported as such.
    const OTHERS: &'static [&'static str] = &[];
    /// Whether the larger size limit applies.
    const LARGE: bool = false;
    /// Whether the request creates the workspace in the path if its id is free.
    const CREATES_WORKSPACE: bool = false;
}

/// Parses a body. Also returns the ignored parts that belong to another resource.
pub fn parse<T: Input>(bytes: &[u8]) -> Result<(T, Vec<String>)> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let text = format!("the body is not UTF-8: there is a bad byte at position {}", error.valid_up_to());
        Error::invalid_input(Problem::Malformed(text))
    })?;
    let mut others = Vec::new();
    let mut wrong = None;
    let mut passed = IgnoredFields::default();
    let mut passed_over = |path: serde_ignored::Path<'_>| {
        let mut named = FieldPath::default();
        let mut general = String::new();
        spell(&path, &mut named, &mut general);
        let other = T::OTHERS.contains(&general.as_str());
        let text = named.to_string();
        if !other && !T::READ_ONLY.contains(&general.as_str()) {
            wrong.get_or_insert((named, Problem::UnknownField));
        } else if !passed.first_time(&text) {
            wrong.get_or_insert((named, Problem::Repeated));
        } else if other {
            others.push(text);
        }
    };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let body = serde_ignored::deserialize(&mut deserializer, &mut passed_over)
        .and_then(|body| deserializer.end().map(|()| body))
        .map_err(|error| explain::<T>(text, &error))?;
    match wrong {
        Some((field, problem)) => Err(Error::invalid(field, problem)),
        None => Ok((body, others)),
    }
}

/// Maximum number of characters of the name of an unknown field in an error message.
const MAX_SHOWN_NAME: usize = 60;

/// Builds the path of a field, and its text without indexes.
fn spell(path: &serde_ignored::Path<'_>, named: &mut FieldPath, general: &mut String) {
    use serde_ignored::Path;
    match path {
        Path::Root => {}
        Path::Seq { parent, index } => {
            spell(parent, named, general);
            *named = mem::take(named).index(*index);
            general.push_str("[]");
        }
        Path::Map { parent, key } => {
            spell(parent, named, general);
            // Keys come from the request and can have any length.
            let name: String = key.chars().take(MAX_SHOWN_NAME).collect();
            if !general.is_empty() {
                general.push('.');
            }
            general.push_str(&name);
            *named = mem::take(named).field(name);
        }
        Path::Some { parent } | Path::NewtypeStruct { parent } | Path::NewtypeVariant { parent } => {
            spell(parent, named, general);
        }
    }
}

/// Parses the body again, more slowly, to find the location of the error.
fn explain<T: Input>(text: &str, first: &serde_json::Error) -> Error {
    let failed = serde_path_to_error::deserialize::<_, T>(&mut serde_json::Deserializer::from_str(text)).err();
    let (path, error) =
        failed.as_ref().map_or_else(|| (FieldPath::default(), first), |error| (error.path().into(), error.inner()));
    match Rejection::behind(error) {
        Some(Rejection { field: Some(field), problem }) => Error::invalid(path.field(field), problem),
        Some(Rejection { field: None, problem }) => {
            Error::Invalid { field: path, problem, position: Position::of(error) }
        }
        None => {
            let problem = Problem::Malformed(truncated(message(error)));
            Error::Invalid { field: path, problem, position: Position::of(error) }
        }
    }
}
