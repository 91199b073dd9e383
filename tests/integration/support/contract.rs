//! Validates every response in any test against the OpenAPI document: the status must be documented for the route, and
//! the body must have the documented shape. Accepted request bodies are validated too, so the document matches the
//! server. The generated documents are compared with the copies that the binary embeds.

use std::{
    collections::HashMap,
    sync::{LazyLock, Mutex},
};

use axum::http::{Method, StatusCode};
use jsonschema::{Registry, Validator};
use serde::Serialize;
use serde_json::{Value, json};

use super::TestResponse;

static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_json::to_value(planroom::rest::openapi()).unwrap());
/// The document as a resource that the schemas of the validators refer to.
static REGISTRY: LazyLock<Registry<'static>> =
    LazyLock::new(|| Registry::new().add(DOCUMENT_URI, &*DOCUMENT).unwrap().prepare().unwrap());
const DOCUMENT_URI: &str = "https://planroom.test/openapi.json";
/// By JSON pointer.
static VALIDATORS: LazyLock<Mutex<HashMap<String, &'static Validator>>> = LazyLock::new(Mutex::default);

/// Panics if a generated document differs from its copy in `assets/contracts`. With `INSTA_UPDATE=always`, writes the copy
/// instead, to be reviewed.
pub fn assert_contract(file: &str, document: &impl Serialize) {
    let path = format!("{}/assets/contracts/{file}", env!("CARGO_MANIFEST_DIR"));
    let generated = serde_json::to_string_pretty(document).unwrap() + "\n";
    if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        return std::fs::write(path, generated).unwrap();
    }
    let copy = std::fs::read_to_string(&path).unwrap();
    let difference = copy.lines().zip(generated.lines()).position(|(old, new)| old != new);
    let line = difference.unwrap_or_else(|| copy.lines().count().min(generated.lines().count()));
    assert!(
        copy == generated,
        "{path} differs from line {}: `{}`, generated `{}`. Run `INSTA_UPDATE=always cargo test` and review the difference.",
        line + 1,
        copy.lines().nth(line).unwrap_or_default(),
        generated.lines().nth(line).unwrap_or_default(),
    );
}

/// Panics if a response does not match the document.
pub fn check_response(reply: &TestResponse) {
    let path = reply.path.split('?').next().unwrap();
    // HEAD is documented as GET, without the body.
    let head = reply.method == Method::HEAD;
    let method = if head { "get".into() } else { reply.method.as_str().to_lowercase() };
    let Some((pattern, operation)) = operation(path, &method) else {
        // Not in the document: an unknown path or method, which has the standard error body too.
        if path.starts_with("/api") {
            assert!(matches!(reply.status.as_u16(), 404 | 405 | 204), "undocumented: {reply}");
        }
        return;
    };
    let status = reply.status.as_str();
    let documented = &operation["responses"][status];
    assert!(documented.is_object(), "status {status} is not documented for {method} {pattern}: {reply}");
    let empty = matches!(reply.status, StatusCode::NOT_MODIFIED | StatusCode::NO_CONTENT);
    if head || empty || reply.status.is_redirection() {
        assert!(reply.bytes.is_empty());
        return;
    }
    if reply.header("content-type") == "text/event-stream" {
        assert!(documented["content"]["text/event-stream"].is_object(), "an undocumented stream: {reply}");
        return;
    }
    let media_type = reply.header("content-type");
    if media_type.starts_with("image/") || media_type == "application/pdf" {
        let content = &documented["content"];
        assert!(
            content[media_type].is_object() || content["image/*"].is_object(),
            "an undocumented image: {media_type}"
        );
        return;
    }
    let text = media_type.split(';').next().unwrap();
    if text != "application/json" && documented["content"][text].is_object() {
        return;
    }
    let schema = &documented["content"]["application/json"]["schema"];
    assert!(schema.is_object(), "no schema for {status} of {method} {pattern}");
    if reply.headers.contains_key("content-encoding") {
        return;
    }
    let at = operation_pointer(pattern, &method);
    let problems = problems(format!("{at}/responses/{status}/content/application~1json/schema"), &reply.json());
    assert!(problems.is_empty(), "{reply}\ndoes not have the documented shape: {problems:?}");
}

/// Panics if the data of an event does not match the document.
pub fn check_event(name: &str, data: &Value) {
    let schema = match name {
        "accessRequests" | "comments" | "drafts" | "sources" | "versions" => capitalized(name) + "Changed",
        "gone" => "DepartedClient".into(),
        "inbox" => "UnreadCount".into(),
        _ => capitalized(name),
    };
    let problems = problems(format!("/components/schemas/{schema}"), data);
    assert!(problems.is_empty(), "{data}\ndoes not have the documented shape: {problems:?}");
}

fn capitalized(word: &str) -> String {
    word[..1].to_uppercase() + &word[1..]
}

/// Panics if an accepted body does not match the document.
pub fn check_request(reply: &TestResponse, body: &Value) {
    let path = reply.path.split('?').next().unwrap();
    let method = reply.method.as_str().to_lowercase();
    let Some((pattern, operation)) = operation(path, &method).filter(|_| reply.status.is_success()) else { return };
    let schema = &operation["requestBody"]["content"]["application/json"]["schema"];
    if schema.is_object() {
        let at = operation_pointer(pattern, &method);
        let problems = problems(format!("{at}/requestBody/content/application~1json/schema"), body);
        assert!(problems.is_empty(), "{reply}\nwas an answer to {body}, which is not as documented: {problems:?}");
    }
}

/// The validation errors of a body; `schema` is a JSON pointer into the document.
fn problems(schema: String, body: &Value) -> Vec<String> {
    let mut validators = VALIDATORS.lock().unwrap();
    let validator = *validators.entry(schema).or_insert_with_key(|schema| Box::leak(Box::new(compile(schema))));
    drop(validators);
    validator.iter_errors(body).map(|problem| problem.to_string()).take(3).collect()
}

fn compile(pointer: &str) -> Validator {
    let schema = json!({ "$ref": format!("{DOCUMENT_URI}#{}", pointer.replace('{', "%7B").replace('}', "%7D")) });
    jsonschema::options().with_registry(&REGISTRY).build(&schema).unwrap()
}

/// The JSON pointer to an operation.
fn operation_pointer(pattern: &str, method: &str) -> String {
    format!("/paths/{}/{method}", pattern.replace('~', "~0").replace('/', "~1"))
}

/// The documented operation with a matching path; one without parameters takes precedence.
fn operation(path: &str, method: &str) -> Option<(&'static str, &'static Value)> {
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let fits = |pattern: &str| {
        let (given, wanted): (Vec<_>, Vec<_>) = (path.split('/').collect(), pattern.split('/').collect());
        given.len() == wanted.len()
            && given.iter().zip(&wanted).all(|(given, wanted)| wanted.starts_with('{') || given == wanted)
    };
    let (pattern, item) =
        paths.iter().filter(|(pattern, _)| fits(pattern)).min_by_key(|(pattern, _)| pattern.matches('{').count())?;
    item.get(method).map(|operation| (pattern.as_str(), operation))
}
