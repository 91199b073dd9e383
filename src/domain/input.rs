//! Strict parsing of request bodies: unknown fields are rejected by name.
//!
//! Read-only fields of the resource are accepted and ignored, so that clients can send back what they read.

mod at_most;
mod object;
mod passed_over;
mod stamped;

use serde::de::DeserializeOwned;

pub use self::object::ObjectOnly;
pub(crate) use self::{
    at_most::{at_most, optional_at_most},
    object::objects,
    stamped::stamped,
};

use self::passed_over::PassedOver;
use super::{
    bulk::{Bulk, BulkComponent, BulkWorkspace},
    components::{ComponentPatch, Move, NewComponent},
    relationships::{NewRelationship, RelationshipPatch},
    tokens::NewToken,
    workspaces::{NewWorkspace, Restoration, WorkspacePatch},
};
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

/// Read-only fields of every row of a workspace.
const ROW: &[&str] = stamped!(""["workspaceId"]);
/// Read-only fields of a workspace.
const WORKSPACE: &[&str] = stamped!("" ["ownerUserId", "myRole", "pk", "deletedAt"]);

objects!(
    NewWorkspace,
    WorkspacePatch,
    Restoration,
    NewComponent,
    ComponentPatch,
    Move,
    NewRelationship,
    RelationshipPatch,
    NewToken,
    Bulk,
    BulkWorkspace,
    BulkComponent,
);

impl Input for NewWorkspace {
    const READ_ONLY: &'static [&'static str] = WORKSPACE;
}
impl Input for WorkspacePatch {
    const READ_ONLY: &'static [&'static str] = WORKSPACE;
}
impl Input for Restoration {}
impl Input for NewComponent {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for ComponentPatch {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for Vec<Move> {}
impl Input for NewRelationship {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for RelationshipPatch {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for NewToken {}
impl Input for Bulk {
    const READ_ONLY: &'static [&'static str] = stamped!(
        "workspace." ["ownerUserId", "myRole"],
        "components[]." ["workspaceId"],
        "relationships[]." ["workspaceId"];
        "places", "incarnation"
    );
    const OTHERS: &'static [&'static str] = &["stakeholders", "processes", "links"];
    const LARGE: bool = true;
    const CREATES_WORKSPACE: bool = true;
}

/// Parses a body. Also returns the ignored parts that belong to another resource.
pub fn parse<T: Input>(bytes: &[u8]) -> Result<(T, Vec<String>)> {
    let text = std::str::from_utf8(bytes).map_err(|error| Error::Invalid {
        field: None,
        message: format!("the body is not UTF-8: there is a bad byte at position {}", error.valid_up_to()),
    })?;
    let mut others = Vec::new();
    let mut wrong = None;
    let mut passed = PassedOver::default();
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the error message that a client receives.
    fn refusal<T: Input>(body: &str) -> String {
        parse::<T>(body.as_bytes()).map_or_else(|error| error.to_string(), |_| "accepted".into())
    }

    #[test]
    fn the_offending_field_is_named_with_its_index() {
        let component = r#"{"id":"a","typeId":"service","name":"A"}"#;
        let bulk = |more: &str| format!(r#"{{"components":[{component},{more}],"relationships":[]}}"#);
        let cases = [
            (bulk(r#"{"id":"b","name":"B"}"#), "components[1].typeId: is required"),
            (bulk("7"), "components[1]: invalid type: integer `7`, expected an object at line 1 column 57"),
            ("[]".to_owned(), "invalid type: sequence, expected an object at line 1 column 0"),
            (
                bulk(r#"{"typeId":"service","name":"B","color":1}"#),
                "components[1].color: this resource has no such field",
            ),
            (bulk(r#"{"typeId":"service","name":"B","name":"C"}"#), "components[1].name: is repeated"),
            (r#"{"components":[]}"#.into(), "relationships: is required"),
            (
                r#"{"components":{},"relationships":[]}"#.into(),
                "components: invalid type: map, expected a sequence at line 1 column 14",
            ),
        ];
        for (body, expected) in cases {
            assert_eq!(refusal::<Bulk>(&body), expected, "{body}");
        }
        let wrong = refusal::<Bulk>(&bulk(r#"{"typeId":"service","name":"B","x":1e10}"#));
        assert!(wrong.starts_with("components[1].x: must be within ±1,000,000,000"), "{wrong}");
        assert!(refusal::<NewComponent>("{").contains("EOF"));
        assert!(refusal::<NewComponent>(r#"{"typeId":"service","name":"A"} x"#).contains("trailing characters"));
    }

    #[test]
    fn a_field_that_is_passed_over_is_passed_over_once() {
        let own = r#""typeId":"service","name":"A""#;
        let row = format!(r#"{own},"revision":1,"createdAt":1"#);
        let bulk = |items: &str, more: &str| format!(r#"{{"components":[{items}],"relationships":[]{more}}}"#);
        let cases = [
            (bulk(&format!(r"{{{row}}},{{{row}}}"), r#","stakeholders":[]"#), "accepted"),
            (bulk(&format!(r#"{{{row}}},{{{row},"revision":1}}"#), ""), "components[1].revision: is repeated"),
            (bulk(&format!(r#"{{{row},"createdA\u0074":1}}"#), ""), "components[0].createdAt: is repeated"),
            (bulk("", r#","processes":[],"stakeholders":[],"processes":[]"#), "processes: is repeated"),
            (
                r#"{"stakeholders":[],"workspace":{"name":"A","revision":1},"components":[],"relationships":[],
                    "stakeholders":[]}"#
                    .into(),
                "stakeholders: is repeated",
            ),
        ];
        for (body, expected) in cases {
            assert_eq!(refusal::<Bulk>(&body), expected, "{body}");
        }
        assert_eq!(refusal::<NewComponent>(&format!(r#"{{{row},"revision":2}}"#)), "revision: is repeated");
    }

    #[test]
    fn what_was_read_can_be_sent_back() {
        let row = r#""workspaceId":"w","revision":3,"createdAt":1,"updatedAt":2,"createdBy":1"#;
        let text = format!(
            r#"{{"workspace":{{"name":"W","myRole":"owner","visibility":"org"}},
                "components":[{{"id":"a","typeId":"service","name":"A","properties":{{"deep":{{"x":1}}}},{row}}}],
                "relationships":[{{"sourceId":"a","targetId":"a","typeId":"uses",{row}}}],
                "stakeholders":[{{"id":1}}],"processes":[]}}"#
        );
        let (bulk, ignored) = parse::<Bulk>(text.as_bytes()).unwrap();
        assert_eq!((bulk.components.len(), ignored), (1, vec!["stakeholders".to_owned(), "processes".into()]));
    }
}
