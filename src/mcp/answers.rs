//! Tool results, limited in size and serialized as both text and structured content, and tool errors with a suggestion
//! for the next step.

use std::fmt;

use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::Value;

use crate::error::{Error, Result};

/// Maximum size of a tool result in bytes, including both copies: clients truncate results at 25,000 tokens.
pub const LARGEST: usize = 40 << 10;
/// Bytes of a result reserved for the protocol.
const FRAME: usize = 200;
/// Bytes of a result reserved for the fields around the items of a page, such as the next cursor.
const AROUND: usize = 1_000;
/// Maximum length of a text in a table or list, in characters.
const SHORT: usize = 160;

/// An error message for a model or a person.
#[derive(Debug)]
pub struct Told {
    /// Machine-readable code.
    pub code: &'static str,
    /// What is wrong, and where.
    pub message: String,
    /// What to do about it.
    next: &'static str,
}

impl Told {
    /// Maps an error. The cause of an internal error is logged and never returned.
    pub fn of(error: Error, request_id: &str) -> Self {
        // Messages of the domain refer to the REST API.
        let message = error
            .to_string()
            .replace("GET /api/schema lists them", "get_type_catalogue lists them")
            .replace("; PATCH changes their role", "");
        let (code, next) = match &error {
            Error::Unauthenticated(_) => ("unauthenticated", "connect again, or use another token"),
            Error::Suspended => ("account_suspended", "nothing works for this account until then"),
            Error::Forbidden(_) => ("forbidden", "do not retry; tell the user that they lack this permission"),
            Error::NotFound("workspace") => ("not_found", "list_workspaces has the ids that you may see"),
            Error::NotFound(_) => ("not_found", "look the id up with search or get_workspace; ids are case-sensitive"),
            Error::NoSuchRevision { .. } => ("not_found", "use one of the revisions named"),
            Error::Invalid { .. } | Error::BadWikiUrl => ("invalid", "correct the argument and call again"),
            Error::NoActiveOrganization => ("no_active_org", "the user has to make a token within an organization"),
            Error::Conflict(_) | Error::SoleOwner(_) | Error::OperationConflicts(_) | Error::OtherIncarnation => {
                ("conflict", "read the present state, then decide")
            }
            Error::LimitReached { .. } => ("limit_reached", "tell the user; something has to be deleted first"),
            Error::InUse { code, .. } => (*code, "ask the user before taking away what uses it"),
            Error::RateLimited { .. } => ("rate_limited", "wait so long, then call again"),
            Error::Stale { .. } => ("stale", "read it again, check that your change still makes sense, and repeat it"),
            Error::ChangedSince(_) => ("changed_since", "read the present state, then decide"),
            Error::WikiAccessDenied => {
                ("wiki_access_denied", "tell the user; an administrator has to connect the wiki again")
            }
            Error::WikiNotFound => ("wiki_not_found", "use another page, or have this one shared with the connection"),
            Error::WikiUnavailable { .. } => ("wiki_unavailable", "call again in a moment; nothing was written"),
            Error::NoPicture { .. } => ("no_picture", "do without it"),
            Error::WikiMisconfigured => {
                ("wiki_misconfigured", "tell the user; with `kind` `url` add_component_link keeps any address as it is")
            }
            Error::TooManyRequests => ("rate_limited", "call again in a moment, with fewer calls at once"),
            Error::Cancelled => ("busy", "ask for less, or call again in a moment; nothing was written"),
            Error::Busy | Error::NotCommitted(_) => ("busy", "call again in a moment; nothing was written"),
            Error::StorageFull => ("storage_full", "tell the user; an administrator has to make room"),
            Error::Internal(cause) => {
                tracing::error!(request_id, cause, "internal error");
                let message = format!("an internal error; its cause is in the server's log under `{request_id}`");
                return Self { code: "internal", message, next: "tell the user; calling again may help" };
            }
        };
        Self { code, message, next }
    }
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, message, next } = self;
        write!(f, "{} (code: {code}). What to do: {next}.", message.trim_end_matches('.'))
    }
}

impl From<Told> for CallToolResult {
    fn from(told: Told) -> Self {
        Self::error(vec![ContentBlock::text(told.to_string())])
    }
}

/// The result of a successful tool call.
pub fn answer(mut value: Value) -> CallToolResult {
    fit(&mut value);
    CallToolResult::structured(value)
}

/// The number of bytes that `value` takes in a result: once as structured content, and once as text with escaped
/// quotes.
fn cost(value: &impl Serialize) -> usize {
    let mut counter = Counter { cost: 0, most: usize::MAX };
    // Writing to a counter cannot fail.
    drop(serde_json::to_writer(&mut counter, value));
    counter.cost
}

/// Counts the bytes that a value takes, without storing its text. Stops beyond a limit.
struct Counter {
    cost: usize,
    most: usize,
}

impl std::io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.cost += bytes.len() * 2 + bytes.iter().filter(|byte| matches!(byte, b'"' | b'\\')).count();
        if self.cost > self.most { Err(std::io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Whether a value is small enough to build the result on an asynchronous thread.
pub fn is_small(value: &impl Serialize) -> bool {
    serde_json::to_writer(&mut Counter { cost: 0, most: 2 * LARGEST }, value).is_ok()
}

/// The remaining bytes of a result.
#[derive(Debug)]
pub struct Room(usize);

impl Room {
    /// A result that contains only `head` so far.
    pub fn beside(head: &impl Serialize) -> Self {
        Self((LARGEST - FRAME - AROUND).saturating_sub(cost(head)))
    }

    /// Whether `value` fits. If it does, reduces the remaining bytes.
    pub fn take(&mut self, value: &impl Serialize) -> bool {
        let cost = cost(value) + 2;
        let fits = cost <= self.0;
        self.0 = if fits { self.0 - cost } else { 0 };
        fits
    }
}

/// Returns as many items as fit, but at least one, starting at the position `cursor`, and the cursor of the next page
/// if there are more.
pub fn page<T: Serialize>(
    items: impl IntoIterator<Item = T>,
    cursor: Option<&str>,
    room: &mut Room,
) -> Result<(Vec<T>, Option<String>)> {
    let from = place(cursor)?;
    let mut taken = Vec::new();
    for item in items.into_iter().skip(from) {
        if !room.take(&item) && !taken.is_empty() {
            let next = from + taken.len();
            return Ok((taken, Some(next.to_string())));
        }
        taken.push(item);
    }
    Ok((taken, None))
}

/// The position that a cursor of [`page`] denotes.
pub fn place(cursor: Option<&str>) -> Result<usize> {
    match cursor {
        None | Some("") => Ok(0),
        Some(text) => text.parse().map_err(|_| {
            Error::invalid("cursor", "must be the `nextCursor` of the call before; leave it out to begin at the start")
        }),
    }
}

/// Truncates a long text for a table or list.
pub fn short(text: &str) -> String {
    match text.char_indices().nth(SHORT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Reduces a result that is too large, for example because of a single long text: halves the longest part until it
/// fits.
fn fit(value: &mut Value) {
    while cost(value) > LARGEST - FRAME {
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
    const SMALL: usize = 1_000;
    let inner = match &*value {
        Value::Object(fields) => fields
            .iter()
            .max_by_key(|(_, field)| cost(field))
            .map(|(name, field)| (Step::Field(name.clone()), cost(field))),
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.max_by_key(|(_, item)| cost(item)).map(|(index, item)| (Step::Item(index), cost(item)))
        }
        _ => None,
    };
    let whole = cost(value);
    let splits = matches!(value, Value::Array(items) if items.len() > 1) || value.is_string();
    match inner {
        // One part takes most of the space, so it is the one to shorten.
        Some((step, part)) if part > SMALL && (part * 2 > whole || !splits) => match (value, step) {
            (Value::Object(fields), Step::Field(name)) => fields.get_mut(&name).and_then(longest),
            (Value::Array(items), Step::Item(index)) => items.get_mut(index).and_then(longest),
            _ => None,
        },
        _ if whole > SMALL => Some(value),
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
    fn pages_follow_each_other_without_gap_or_repetition() {
        let all: Vec<String> = (0..1_000).map(|n| format!("component \"{n}\" {}", "x".repeat(n % 90))).collect();
        let (mut seen, mut cursor, mut pages) = (Vec::new(), None::<String>, 0);
        loop {
            let (items, next) = page(all.iter(), cursor.as_deref(), &mut Room::beside(&json!({}))).unwrap();
            assert!(!items.is_empty());
            let whole = serde_json::to_string(&CallToolResult::structured(json!({ "items": items }))).unwrap();
            assert!(whole.len() <= LARGEST, "{}", whole.len());
            seen.extend(items.into_iter().cloned());
            pages += 1;
            cursor = next;
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen, all);
        assert!(pages > 1);
        assert!(page([1], Some("x"), &mut Room::beside(&1)).unwrap_err().to_string().starts_with("cursor: must be"));
    }

    #[test]
    fn what_is_too_long_is_cut_where_it_is_long() {
        let long = "\"".repeat(70_000);
        let whole =
            answer(json!({ "id": "a", "components": [{ "name": "A", "properties": { "deep": { "text": long } } }] }));
        assert!(serde_json::to_string(&whole).unwrap().len() <= LARGEST);
        let kept = whole.structured_content.unwrap();
        assert_eq!(
            (&kept["id"], &kept["components"][0]["name"], &kept["truncated"]),
            (&json!("a"), &json!("A"), &json!(true))
        );
        let many: Vec<Value> = (0..5_000).map(|n| json!({ "id": n })).collect();
        let whole = answer(json!({ "id": "a", "many": many }));
        let (text, kept) = (serde_json::to_string(&whole).unwrap(), whole.structured_content.unwrap());
        assert!(text.len() <= LARGEST && text.len() > LARGEST / 3, "{}", text.len());
        assert_eq!(serde_json::from_str::<Value>(&whole.content[0].as_text().unwrap().text).unwrap(), kept);
    }
}
