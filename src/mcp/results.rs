//! Tool results, limited in size and serialized as both text and structured content, and tool errors with a suggestion
//! for the next step.

use std::fmt;

use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::Value;

use crate::error::{Error, Problem, Result};

/// Maximum size of a tool result in bytes, including both copies: clients truncate results at 25,000 tokens.
pub const MAX_BYTES: usize = 40 << 10;
/// Bytes of a result reserved for the protocol.
const PROTOCOL_BYTES: usize = 200;
/// Bytes of a result reserved for the fields around the items of a page, such as the next cursor.
const PAGE_FIELDS_BYTES: usize = 1_000;
/// Maximum length of a text in a table or list, in characters.
const MAX_LIST_TEXT: usize = 160;

/// An error message for a model or a person.
#[derive(Debug)]
pub struct ToolError {
    /// Machine-readable code.
    pub code: &'static str,
    /// What is wrong, and where.
    pub message: String,
    /// What to do about it.
    next: &'static str,
}

impl ToolError {
    /// Maps an error. The cause of an internal error is logged and never returned.
    pub fn of(error: Error, request_id: &str) -> Self {
        let message = text(&error);
        let (code, next) = match &error {
            Error::Unauthenticated(_) => ("unauthenticated", "connect again, or use another token"),
            Error::Suspended => ("account_suspended", "do not retry; tell the user"),
            Error::Forbidden(_) => ("forbidden", "do not retry; tell the user that they lack this permission"),
            Error::NotFound("workspace") => ("not_found", "get the ids with list_workspaces"),
            Error::NotFound(_) => ("not_found", "look up the id with search or get_workspace; ids are case-sensitive"),
            Error::NoSuchRevision { .. } => ("not_found", "use one of the available revisions"),
            Error::Invalid { .. } => ("invalid", "correct the argument and call again"),
            Error::NoActiveOrganization => ("no_active_org", "the user must create a token in an organization"),
            Error::Conflict(_)
            | Error::TeamMemberExists(_)
            | Error::SoleOwner(_)
            | Error::OperationConflicts(_)
            | Error::OtherIncarnation => ("conflict", "read the current state, then decide"),
            Error::LimitReached { .. } => ("limit_reached", "tell the user; something must be deleted first"),
            Error::InUse { code, .. } => (*code, "ask the user before you remove what uses it"),
            Error::RateLimited { .. } => ("rate_limited", "wait, then call again"),
            Error::Stale { .. } => ("stale", "read it again, check that your change still makes sense, then repeat it"),
            Error::ChangedSince(_) => ("changed_since", "read the current state, then decide"),
            Error::WikiAccessDenied => ("wiki_access_denied", "tell the user; an admin must reconnect the wiki"),
            Error::WikiNotFound => {
                ("wiki_not_found", "use another page, or ask the user to share this one with the connection")
            }
            Error::WikiUnavailable { .. } => ("wiki_unavailable", "call again in a moment; nothing was written"),
            Error::NoPicture { .. } => ("no_picture", "continue without it"),
            Error::WikiMisconfigured => {
                ("wiki_misconfigured", "tell the user; add_component_link with `kind` `url` stores any URL")
            }
            Error::TooManyRequests => ("rate_limited", "call again in a moment, with fewer calls at once"),
            Error::Cancelled => ("busy", "request less, or call again in a moment; nothing was written"),
            Error::Busy | Error::NotCommitted(_) => ("busy", "call again in a moment; nothing was written"),
            Error::StorageFull => ("storage_full", "tell the user; an administrator must free disk space"),
            Error::Internal(cause) => {
                tracing::error!(request_id, cause, "internal error");
                let message = format!("internal error; the cause is in the server log under `{request_id}`");
                return Self { code: "internal", message, next: "tell the user; calling again may help" };
            }
        };
        Self { code, message, next }
    }
}

/// The text of an error. Differs from the text for API clients where that one refers to the REST API or to the JSON
/// body, which callers of tools do not see.
fn text(error: &Error) -> String {
    match error {
        Error::Invalid { field, problem: Problem::UnknownType { what, id }, .. } => {
            format!("{field}: unknown {what} `{id}`; get_type_catalogue lists them")
        }
        Error::TeamMemberExists(person_id) => format!("`{person_id}` belongs to the team already"),
        error => error.to_string(),
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, message, next } = self;
        write!(f, "{} (code: {code}). What to do: {next}.", message.trim_end_matches('.'))
    }
}

impl From<ToolError> for CallToolResult {
    fn from(error: ToolError) -> Self {
        Self::error(vec![ContentBlock::text(error.to_string())])
    }
}

/// The result of a successful tool call.
pub fn success(mut value: Value) -> CallToolResult {
    truncate_to_fit(&mut value);
    CallToolResult::structured(value)
}

/// The number of bytes that `value` takes in a result: once as structured content, and once as text with escaped
/// quotes.
fn size_of_json(value: &impl Serialize) -> usize {
    let mut counter = Counter { size: 0, limit: usize::MAX };
    // Writing to a counter cannot fail.
    drop(serde_json::to_writer(&mut counter, value));
    counter.size
}

/// Counts the bytes that a value takes, without storing its text. Stops beyond a limit.
struct Counter {
    size: usize,
    limit: usize,
}

impl std::io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.size += bytes.len() * 2 + bytes.iter().filter(|byte| matches!(byte, b'"' | b'\\')).count();
        if self.size > self.limit { Err(std::io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Whether a value is small enough to build the result on an asynchronous thread.
pub fn is_small(value: &impl Serialize) -> bool {
    serde_json::to_writer(&mut Counter { size: 0, limit: 2 * MAX_BYTES }, value).is_ok()
}

/// The remaining bytes of a result.
#[derive(Debug)]
pub struct SpaceLeft(usize);

impl SpaceLeft {
    /// A result that contains only `head` so far.
    pub fn after(head: &impl Serialize) -> Self {
        Self((MAX_BYTES - PROTOCOL_BYTES - PAGE_FIELDS_BYTES).saturating_sub(size_of_json(head)))
    }

    /// Whether `value` fits.
    pub fn fits(&self, value: &impl Serialize) -> bool {
        size_of_json(value) + 2 <= self.0
    }

    /// Whether `value` fits. If it does, reduces the remaining bytes.
    pub fn take(&mut self, value: &impl Serialize) -> bool {
        let fits = self.fits(value);
        self.0 = if fits { self.0 - size_of_json(value) - 2 } else { 0 };
        fits
    }
}

/// Returns as many items as fit, but at least one, starting at the position `cursor`, and the cursor of the next page
/// if there are more.
pub fn page<T: Serialize>(
    items: impl IntoIterator<Item = T>,
    cursor: Option<&str>,
    space: &mut SpaceLeft,
) -> Result<(Vec<T>, Option<String>)> {
    let from = position(cursor)?;
    let mut taken = Vec::new();
    for item in items.into_iter().skip(from) {
        if !space.take(&item) && !taken.is_empty() {
            let next = from + taken.len();
            return Ok((taken, Some(next.to_string())));
        }
        taken.push(item);
    }
    Ok((taken, None))
}

/// The position that a cursor of [`page`] denotes.
pub fn position(cursor: Option<&str>) -> Result<usize> {
    match cursor {
        None | Some("") => Ok(0),
        Some(text) => text.parse().map_err(|_| {
            Error::invalid("cursor", "must be the `nextCursor` of the previous call; omit it to start at the beginning")
        }),
    }
}

/// Truncates a long text for a table or list.
pub fn truncate(text: &str) -> String {
    match text.char_indices().nth(MAX_LIST_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Reduces a result that is too large, for example because of a single long text: halves the longest part until it
/// fits.
fn truncate_to_fit(value: &mut Value) {
    while size_of_json(value) > MAX_BYTES - PROTOCOL_BYTES {
        let Some(longest) = longest(value) else { return };
        match longest {
            Value::Array(items) => items.truncate(items.len() / 2),
            Value::String(text) => *text = text.chars().take(text.chars().count() / 2).chain(['…']).collect(),
            Value::Object(fields) => fields.clear(),
            _ => return,
        }
        if let Value::Object(fields) = value {
            fields.insert("truncated".into(), Value::Bool(true));
        }
    }
}

/// The list or text, at any depth, that takes the most bytes; lists are measured with their content.
fn longest(value: &mut Value) -> Option<&mut Value> {
    /// Parts smaller than this are not truncated.
    const MIN_TRUNCATED_BYTES: usize = 1_000;
    let inner = match &*value {
        Value::Object(fields) => fields
            .iter()
            .max_by_key(|(_, field)| size_of_json(field))
            .map(|(name, field)| (Step::Field(name.clone()), size_of_json(field))),
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items
                .max_by_key(|(_, item)| size_of_json(item))
                .map(|(index, item)| (Step::Item(index), size_of_json(item)))
        }
        _ => None,
    };
    let whole = size_of_json(value);
    let splits = matches!(value, Value::Array(items) if items.len() > 1) || value.is_string();
    match inner {
        // One part takes most of the space, so it is the one to shorten.
        Some((step, part)) if part > MIN_TRUNCATED_BYTES && (part * 2 > whole || !splits) => match (value, step) {
            (Value::Object(fields), Step::Field(name)) => fields.get_mut(&name).and_then(longest),
            (Value::Array(items), Step::Item(index)) => items.get_mut(index).and_then(longest),
            _ => None,
        },
        _ if whole > MIN_TRUNCATED_BYTES => Some(value),
        _ => None,
    }
}

enum Step {
    Field(String),
    Item(usize),
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pages_have_no_gaps_or_repetitions() {
        let all: Vec<String> = (0..1_000).map(|n| format!("component \"{n}\" {}", "x".repeat(n % 90))).collect();
        let (mut seen, mut cursor, mut pages) = (Vec::new(), None::<String>, 0);
        loop {
            let (items, next) = page(all.iter(), cursor.as_deref(), &mut SpaceLeft::after(&json!({}))).unwrap();
            assert!(!items.is_empty());
            let whole = serde_json::to_string(&CallToolResult::structured(json!({ "items": items }))).unwrap();
            assert!(whole.len() <= MAX_BYTES, "{}", whole.len());
            seen.extend(items.into_iter().cloned());
            pages += 1;
            cursor = next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen, all);
        assert!(pages > 1);
        assert!(
            page([1], Some("x"), &mut SpaceLeft::after(&1)).unwrap_err().to_string().starts_with("cursor: must be")
        );
    }

    #[test]
    fn the_longest_part_of_a_result_is_truncated() {
        let long = "\"".repeat(70_000);
        let whole =
            success(json!({ "id": "a", "components": [{ "name": "A", "properties": { "deep": { "text": long } } }] }));
        assert!(serde_json::to_string(&whole).unwrap().len() <= MAX_BYTES);
        let kept = whole.structured_content.unwrap();
        assert_eq!(
            (&kept["id"], &kept["components"][0]["name"], &kept["truncated"]),
            (&json!("a"), &json!("A"), &json!(true))
        );
        let many: Vec<Value> = (0..5_000).map(|n| json!({ "id": n })).collect();
        let whole = success(json!({ "id": "a", "many": many }));
        let (text, kept) = (serde_json::to_string(&whole).unwrap(), whole.structured_content.unwrap());
        assert!(text.len() <= MAX_BYTES && text.len() > MAX_BYTES / 3, "{}", text.len());
        assert_eq!(serde_json::from_str::<Value>(&whole.content[0].as_text().unwrap().text).unwrap(), kept);
    }
}
