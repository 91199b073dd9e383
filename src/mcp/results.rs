//! Tool results, limited in size and usually serialized as both text and structured content, and tool errors with a suggestion
//! for the next step.

use std::fmt;

use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::Value;

pub use super::size::{SpaceLeft, beginning};
use super::{
    escape::{escape, escaped},
    shorten::shorten_to_fit,
    size::{Size, fits},
};
use crate::{
    domain::map::near,
    error::{ChangedSince, Error, Problem, Remedy, Result},
};

/// Maximum length of a text in a table or list, in characters.
const MAX_LIST_TEXT: usize = 160;

/// What to do if the map of a workspace cannot be changed directly.
const PROPOSE: &str = "start_draft, make the change in the draft, then submit_draft";

/// An error message for a model or a person.
#[derive(Debug)]
pub struct ToolError {
    /// Machine-readable code.
    pub code: &'static str,
    /// The problem and its place.
    pub message: String,
    /// What to do about it.
    next: &'static str,
}

impl ToolError {
    /// Maps an error. The cause of an internal error is logged and never returned.
    pub fn new(error: Error, request_id: &str) -> Self {
        if let Error::WrongItems { errors, count, total } = error {
            return Self::of_items(errors, (count, total), request_id);
        }
        let message = text(&error);
        let (code, next) = match &error {
            Error::Unauthenticated(_) => ("unauthenticated", "connect again, or use another token"),
            Error::Suspended => ("account_suspended", "do not retry; tell the user"),
            Error::Forbidden(_) => ("forbidden", "do not retry; tell the user that they lack this permission"),
            Error::NotFound("workspace") => ("not_found", "get the ids with list_workspaces"),
            Error::NotFound("view") | Error::NoSuchView { .. } => ("not_found", "get the ids with list_views"),
            Error::NotFound("decision") => ("not_found", "get the ids with list_decisions"),
            Error::NotFound("person" | "team") => ("not_found", "get the ids with list_people_and_teams"),
            Error::NotFound(_) => ("not_found", "look up the id with search or get_workspace; ids are case-sensitive"),
            Error::NotProvided(_) => ("not_found", "do not retry; tell the user"),
            Error::NoSuchRevision { .. } => ("not_found", "use one of the available revisions"),
            Error::Invalid { .. } => ("invalid", "correct the argument and call again"),
            Error::NoActiveOrganization => ("no_active_org", "the user must create a token in an organization"),
            Error::Conflict(_)
            | Error::TeamMemberExists(_)
            | Error::WorkspaceExists(_)
            | Error::SoleOwner(_)
            | Error::OperationConflicts(_)
            | Error::OtherIncarnation => ("conflict", "read the current state, then decide"),
            Error::Protected(_) => ("protected", PROPOSE),
            Error::ViewOnly(_) => ("forbidden", PROPOSE),
            Error::Draft(refusal) => (refusal.code, "read the draft with compare_draft, then tell the user"),
            Error::LimitReached { .. } => ("limit_reached", "tell the user; something must be deleted first"),
            Error::InUse { code, .. } => (*code, "ask the user before you remove what uses it"),
            Error::RateLimited { .. } => ("rate_limited", "wait, then call again"),
            Error::Stale { .. } | Error::StaleItem(_) | Error::WrongItems { .. } => {
                ("stale", "read it again, check that your change still makes sense, then repeat it")
            }
            Error::ChangedSince(_) => (
                "changed_since",
                "if the later changes are tool calls of yours, undo them together with this; otherwise tell the user",
            ),
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
            Error::Standby(_) => ("standby", "do not retry here; tell the user where changes can be made"),
            Error::StorageFull => ("storage_full", "tell the user; an administrator must free disk space"),
            Error::Internal(cause) => {
                tracing::error!(request_id, cause, "internal error");
                let message = format!("internal error; the cause is in the server log under `{request_id}`");
                return Self { code: "internal", message, next: "tell the user; calling again may help" };
            }
        };
        Self { code, message, next }
    }

    /// The errors of several items, one per line, with the code of the first. `count` of `total` items are invalid.
    fn of_items(errors: Vec<Error>, (count, total): (usize, usize), request_id: &str) -> Self {
        let listed = errors.len();
        let mut errors = errors.into_iter().map(|error| Self::new(error, request_id));
        let Some(Self { code, message, next }) = errors.next() else {
            return Self::new(Error::internal("no item is invalid"), request_id);
        };
        // Errors of arguments other than the items of a list have no total.
        let mut text = match total {
            0 => format!("{count} arguments are wrong; nothing was done:\n- {message}"),
            total => format!("{count} of {total} items are wrong; nothing was written:\n- {message}"),
        };
        for error in errors {
            text.push_str("\n- ");
            text.push_str(&error.message);
        }
        if listed < count {
            text.push_str("\n- … (the first errors are listed)");
        }
        let message = text + "\n";
        Self { code, message, next }
    }
}

/// The text of an error. It names tools, and the change sets that callers of tools can undo.
fn text(error: &Error) -> String {
    match error {
        Error::Invalid { problem, .. } => {
            let near = match problem {
                Problem::UnknownType { id, .. } => near::suggested(&near::types(id)),
                _ => String::new(),
            };
            let list = problem.remedy().and_then(|remedy| tool_that_lists(&remedy));
            format!("{error}{near}{}", list.map(|tool| format!("; {tool} lists them")).unwrap_or_default())
        }
        Error::ChangedSince(changed) => changed_since(changed),
        Error::Protected(_) => "this workspace is protected: its changes need a draft".to_owned(),
        Error::ViewOnly(_) => {
            "changing this workspace needs the access level editor, but you can propose changes".to_owned()
        }
        error => error.to_string(),
    }
}

/// The tool that lists the values an argument can have.
fn tool_that_lists(remedy: &Remedy) -> Option<&'static str> {
    match remedy {
        Remedy::ListTypes => Some("get_type_catalogue"),
        Remedy::ListChanges => Some("list_changes"),
        Remedy::ListPeopleAndTeams => Some("list_people_and_teams"),
        _ => None,
    }
}

/// The rows that prevent an undo: who changed them, in which change sets.
fn changed_since(changed: &[ChangedSince]) -> String {
    const MAX_NAMED: usize = 10;
    let named = changed.iter().take(MAX_NAMED).map(|row| {
        let by = row.changed_by.as_ref().map(|by| format!(" by {}", by.display_name)).unwrap_or_default();
        let set = row.change_set_id.as_ref().map(|id| format!(" (changeSetId {id})")).unwrap_or_default();
        truncate(&format!("{} `{}` {}{by}", row.entity, row.id, row.why)) + &set
    });
    let named: Vec<String> = named.collect();
    let more = match changed.len().saturating_sub(MAX_NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!("this can no longer be undone, and nothing was: {}{more}", named.join("; "))
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, message, next } = self;
        write!(f, "{} (code: {code}). What to do: {next}.", message.trim_end_matches('.'))
    }
}

impl From<ToolError> for CallToolResult {
    fn from(error: ToolError) -> Self {
        Self::error(vec![ContentBlock::text(escaped(&error.to_string()))])
    }
}

/// The result of a tool.
pub trait ToolResult: Send + 'static {
    /// Whether the result is not too large: it is then not shortened, and can be converted on an asynchronous thread.
    fn fits(&self) -> bool;

    /// Converts the result. `fits` is the value of [`Self::fits`].
    fn into_result(self, fits: bool) -> Result<CallToolResult>;
}

/// Data: text, which a model reads, and structured content.
impl<T: Serialize + Send + 'static> ToolResult for T {
    fn fits(&self) -> bool {
        fits(self)
    }

    fn into_result(self, fits: bool) -> Result<CallToolResult> {
        Ok(success(serde_json::to_value(self)?, fits))
    }
}

/// The field of a result that contains another form of it, shorter and with equal content, for the text. It is removed from
/// the structured content.
pub const TEXT: &str = "$text";

/// The result of a successful tool call: text, which a model reads, and structured content. It is shortened unless it `fits`.
pub(super) fn success(mut value: Value, fits: bool) -> CallToolResult {
    let text = value.as_object_mut().and_then(|fields| fields.shift_remove(TEXT));
    escape(&mut value);
    let Some(mut text) = text else {
        if !fits {
            shorten_to_fit(&mut value);
        }
        return CallToolResult::structured(value);
    };
    escape(&mut text);
    // Pages fit unless a single item is too large; then both forms are the same.
    if !fits && !Size::fits(Size::of(&text), Size::of(&value)) {
        shorten_to_fit(&mut value);
        return CallToolResult::structured(value);
    }
    let mut result = CallToolResult::structured(value);
    result.content = vec![ContentBlock::text(text.to_string())];
    result
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
        Some(text) => text.parse().map_err(|_| bad_cursor()),
    }
}

/// The error for a cursor that no call returned.
pub fn bad_cursor() -> Error {
    Error::invalid("cursor", "must be the `nextCursor` of the previous call; omit it to start at the beginning")
}

/// Truncates a long text for a table or list.
pub fn truncate(text: &str) -> String {
    match text.char_indices().nth(MAX_LIST_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::mcp::size::MAX_BYTES;

    #[test]
    fn pages_have_no_gaps_or_repetitions() {
        let all: Vec<String> = (0..1_000).map(|n| format!("component \"{n}\" {}", "x".repeat(n % 90))).collect();
        let (mut seen, mut cursor, mut pages) = (Vec::new(), None::<String>, 0);
        loop {
            let (items, next) = page(all.iter(), cursor.as_deref(), &mut SpaceLeft::after(&json!({}))).unwrap();
            assert!(!items.is_empty());
            let text = json!({ "items": items }).to_string();
            assert!(text.len() <= MAX_BYTES, "{}", text.len());
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
}
