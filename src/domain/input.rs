//! Strict parsing of request bodies: unknown fields are rejected by name.
//!
//! Read-only fields of the resource are accepted and ignored, so that clients can send back what they read.

mod at_most;
mod ignored_fields;
mod nullable;
mod object;
mod same;
mod stamped;

use serde::de::DeserializeOwned;

pub(in crate::domain) use self::same::same;
pub(crate) use self::{
    at_most::{at_most, optional_at_most},
    object::objects,
    stamped::stamped,
};
pub use self::{nullable::Nullable, object::ObjectOnly};

use self::ignored_fields::IgnoredFields;
use crate::error::{Error, Result};

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
    let text = std::str::from_utf8(bytes).map_err(|error| Error::Invalid {
        field: None,
        message: format!("the body is not UTF-8: there is a bad byte at position {}", error.valid_up_to()),
    })?;
    let mut others = Vec::new();
    let mut wrong = None;
    let mut passed = IgnoredFields::default();
    let mut passed_over = |path: serde_ignored::Path<'_>| {
        let mut named = String::new();
        let mut general = String::new();
        spell(&path, &mut named, &mut general);
        let other = T::OTHERS.contains(&general.as_str());
        if !other && !T::READ_ONLY.contains(&general.as_str()) {
            wrong.get_or_insert((named, "this resource has no such field"));
        } else if !passed.first_time(&named) {
            wrong.get_or_insert((named, "is repeated"));
        } else if other {
            others.push(named);
        }
    };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let body = serde_ignored::deserialize(&mut deserializer, &mut passed_over)
        .and_then(|body| deserializer.end().map(|()| body))
        .map_err(|error| explain::<T>(text, &error))?;
    match wrong {
        Some((field, text)) => Err(Error::invalid(field, text)),
        None => Ok((body, others)),
    }
}

/// Formats the path of a field, with and without indexes.
fn spell(path: &serde_ignored::Path<'_>, named: &mut String, general: &mut String) {
    use serde_ignored::Path;
    match path {
        Path::Root => {}
        Path::Seq { parent, index } => {
            spell(parent, named, general);
            named.extend(["[", &index.to_string(), "]"]);
            general.push_str("[]");
        }
        Path::Map { parent, key } => {
            spell(parent, named, general);
            for text in [named, general] {
                if !text.is_empty() {
                    text.push('.');
                }
                // Keys come from the request and can have any length.
                text.extend(key.chars().take(60));
            }
        }
        Path::Some { parent } | Path::NewtypeStruct { parent } | Path::NewtypeVariant { parent } => {
            spell(parent, named, general);
        }
    }
}

/// Parses the body again, more slowly, to find the location of the error.
fn explain<T: Input>(text: &str, first: &serde_json::Error) -> Error {
    let failed = serde_path_to_error::deserialize::<_, T>(&mut serde_json::Deserializer::from_str(text)).err();
    let (path, message) = failed.map_or_else(
        || (String::new(), first.to_string()),
        |error| (error.path().to_string().trim_matches('.').to_owned(), error.inner().to_string()),
    );
    let at_fault = |field: &str| if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") };
    let quoted = |prefix: &str| Some(message.strip_prefix(prefix)?.split_once('`')?.0.to_owned());
    if let Some(field) = quoted("missing field `") {
        return Error::invalid(at_fault(&field), "is required");
    }
    if let Some(field) = quoted("duplicate field `") {
        return Error::invalid(at_fault(&field), "is repeated");
    }
    let field = (!path.is_empty() && path != "?").then_some(path);
    Error::invalid_at(field, without_types(&message))
}

/// Removes Rust type names from the message, because clients only know JSON objects.
fn without_types(message: &str) -> String {
    match message.split_once(", expected struct ") {
        Some((found, expected)) => {
            let place = expected.find(" at line ").map_or("", |at| &expected[at..]);
            format!("{found}, expected an object{place}")
        }
        None => message.to_owned(),
    }
}
