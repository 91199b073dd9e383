//! Strict parsing of request bodies: unknown fields are rejected by name.
//!
//! Read-only fields of the resource are accepted and ignored, so that clients can send back what they read.

mod at_most;
mod ignored_fields;
mod nullable;
mod object;
mod same;
mod stamped;
mod tracked;

use std::{cell::RefCell, mem};

use serde::de::DeserializeOwned;
use serde_json::de::StrRead;

pub(in crate::domain) use self::same::same;
pub(crate) use self::{
    at_most::{at_most, empty_or_at_most, optional_at_most, or_default},
    object::{objects, serialized_objects},
    stamped::stamped,
};
pub use self::{nullable::Nullable, object::ObjectOnly};

use self::{
    ignored_fields::IgnoredFields,
    tracked::{Place, Tracked, Tracker},
};
use crate::error::{Error, FieldPath, JsonPosition, Problem, Rejection, Result, json_message, truncated};

/// A request body of an endpoint.
pub trait Input: DeserializeOwned + Send + 'static {
    /// Read-only fields, which are accepted and ignored.
    const READ_ONLY: &'static [&'static str] = &[];
    /// Fields of other resources, which are ignored and reported as such.
    const OTHERS: &'static [&'static str] = &[];
    /// Whether the larger size limit applies.
    const LARGE: bool = false;
}

/// Parses a body. Also returns the ignored parts that belong to another resource.
pub fn parse<T: Input>(bytes: &[u8]) -> Result<(T, Vec<String>)> {
    let mut parsed = None;
    let mut parse = |body: Body<'_, '_>| T::deserialize(body).map(|body| parsed = Some(body));
    let others = read(bytes, T::READ_ONLY, T::OTHERS, &mut parse)?;
    Ok((parsed.ok_or_else(|| Error::internal("the body was not read"))?, others))
}

/// The deserializer of a body.
type Body<'p, 'de> = Tracked<'p, &'p mut serde_json::Deserializer<StrRead<'de>>>;

/// Reads a body with `parse`, whose type the compiler does not know here: this code exists once for all types.
fn read(
    bytes: &[u8],
    read_only: &[&str],
    others: &[&str],
    parse: &mut dyn FnMut(Body<'_, '_>) -> serde_json::Result<()>,
) -> Result<Vec<String>> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let text = format!("the body is not UTF-8: there is a bad byte at position {}", error.valid_up_to());
        Error::invalid_input(Problem::Malformed(text))
    })?;
    let ignored = RefCell::new(Ignored::default());
    let ignore = |place: &Place<'_>| ignored.borrow_mut().add(place, read_only, others);
    let tracker = Tracker::new(&ignore);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = parse(Tracked { inner: &mut deserializer, place: &Place::Root(&tracker) });
    read.and_then(|()| deserializer.end()).map_err(|error| explain(tracker.failed(), &error))?;
    let Ignored { wrong, reported, .. } = ignored.into_inner();
    match wrong {
        Some((field, problem)) => Err(Error::invalid(field, problem)),
        None => Ok(reported),
    }
}

/// The ignored fields of a body.
#[derive(Default)]
struct Ignored {
    fields: IgnoredFields,
    /// The first field that is not allowed.
    wrong: Option<(FieldPath, Problem)>,
    /// Fields that belong to another resource.
    reported: Vec<String>,
}

impl Ignored {
    fn add(&mut self, place: &Place<'_>, read_only: &[&str], others: &[&str]) {
        let mut named = FieldPath::default();
        let mut general = String::new();
        spell(place, &mut named, &mut general);
        let other = others.contains(&general.as_str());
        let text = named.to_string();
        if !other && !read_only.contains(&general.as_str()) {
            self.wrong.get_or_insert((named, Problem::UnknownField));
        } else if !self.fields.first_time(&text) {
            self.wrong.get_or_insert((named, Problem::Repeated));
        } else if other {
            self.reported.push(text);
        }
    }
}

/// Maximum number of characters of the name of an unknown field in an error message.
const MAX_SHOWN_NAME: usize = 60;

/// Builds the path of a field, and its text without indexes.
fn spell(place: &Place<'_>, named: &mut FieldPath, general: &mut String) {
    match place {
        Place::Root(_) => {}
        Place::Item(parent, index) => {
            spell(parent, named, general);
            *named = mem::take(named).index(*index);
            general.push_str("[]");
        }
        Place::Field(parent, key) => {
            spell(parent, named, general);
            // Keys come from the request and can have any length.
            let name: String = key.chars().take(MAX_SHOWN_NAME).collect();
            if !general.is_empty() {
                general.push('.');
            }
            general.push_str(&name);
            *named = mem::take(named).field(name);
        }
        Place::Variant(parent, _) => spell(parent, named, general),
    }
}

/// The error for a value at `path` that could not be read.
fn explain(path: FieldPath, error: &serde_json::Error) -> Error {
    match Rejection::behind(error) {
        Some(Rejection { field: Some(field), problem }) => Error::invalid(path.field(field), problem),
        Some(Rejection { field: None, problem }) => {
            Error::Invalid { field: path, problem, position: JsonPosition::of(error) }
        }
        None => {
            let problem = Problem::Malformed(truncated(json_message(error)));
            Error::Invalid { field: path, problem, position: JsonPosition::of(error) }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    struct Order {
        items: Vec<Item>,
        delivery: Option<Delivery>,
    }

    #[derive(Debug, Deserialize)]
    struct Item {
        size: u8,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    enum Delivery {
        Pickup,
        Parcel { weight: u8 },
        Numbered(Vec<u8>),
    }

    impl Input for Order {
        const READ_ONLY: &'static [&'static str] = &["items[].revision"];
        const OTHERS: &'static [&'static str] = &["links", "items[].links"];
    }

    fn wrong_field(text: &str) -> String {
        match parse::<Order>(text.as_bytes()) {
            Err(Error::Invalid { field, .. }) => field.to_string(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_error_names_the_innermost_value() {
        for (text, field) in [
            (r#"{"items": [{"size": 1}, {"size": "2"}]}"#, "items[1].size"),
            (r#"{"items": [{"size": 1}, {"s\u0069ze": "2"}]}"#, "items[1].size"),
            (r#"{"items": [{"size": 1}, {}]}"#, "items[1]"),
            (r#"{"items": [{"size": 1} {}]}"#, "items"),
            (r#"{"items": [], "items": []}"#, ""),
            (r#"{"items": [], "delivery": "By hand"}"#, "delivery"),
            (r#"{"items": [], "delivery": {"Pickup": 1}}"#, "delivery.Pickup"),
            (r#"{"items": [], "delivery": {"Parcel": {"weight": -1}}}"#, "delivery.Parcel.weight"),
            (r#"{"items": [], "delivery": {"Parcel": {}}}"#, "delivery.Parcel"),
            (r#"{"items": [], "delivery": {"Numbered": [1, 300]}}"#, "delivery.Numbered[1]"),
            (r#"{"items": []} {}"#, ""),
        ] {
            assert_eq!(wrong_field(text), field, "{text}");
        }
    }

    #[test]
    fn ignored_fields_are_allowed_reported_or_rejected_by_their_path() {
        let text = r#"{"items": [{"size": 1, "revision": 2}, {"size": 2, "links": [], "revision": 3}], "links": {},
                       "delivery": {"Parcel": {"weight": 3}}}"#;
        let (order, ignored) = parse::<Order>(text.as_bytes()).unwrap();
        assert_eq!(order.items.iter().map(|item| item.size).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(order.delivery, Some(Delivery::Parcel { weight: 3 }));
        assert_eq!(ignored, ["items[1].links", "links"]);
        assert_eq!(wrong_field(r#"{"items": [{"size": 1, "color": 2}]}"#), "items[0].color");
        assert_eq!(wrong_field(r#"{"items": [{"size": 1, "revision": 2, "revision": 2}]}"#), "items[0].revision");
        assert_eq!(wrong_field(r#"{"items": [], "delivery": {"Parcel": {"weight": 3, "fee": 1}}}"#), "delivery.fee");
    }
}
