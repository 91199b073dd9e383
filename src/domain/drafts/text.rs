//! A comparison as Markdown.

use std::fmt::Write;

use serde_json::Value;

use super::{
    comparison::{DraftChange, DraftChangeKind, DraftComparison, compare},
    model::{DraftReview, ReviewState},
    rules::{read, stored},
};
use crate::{
    domain::core::{DraftTx, WholeMap},
    error::Result,
};

/// Maximum number of rows in a text.
const MAX_ROWS: usize = 500;
/// Maximum length of a value in a text, in characters.
const MAX_VALUE_CHARS: usize = 120;

/// Compares a draft with its base, as Markdown, for example for a pull request.
pub fn compare_as_text(tx: &DraftTx<'_>, whole: &WholeMap) -> Result<String> {
    Ok(markdown(&stored(tx)?.title, &compare(tx, whole)?))
}

/// The reviews of a draft as Markdown, oldest first; empty without any.
pub fn reviews_as_text(tx: &DraftTx<'_>) -> Result<String> {
    let reviews = read(tx)?.reviews;
    let mut text = String::new();
    if !reviews.is_empty() {
        text.push_str("\n### Reviews\n\n");
    }
    for DraftReview { reviewer, verdict, text: message, revision, is_current, .. } in reviews {
        let done = match verdict {
            ReviewState::Approved => "approved",
            ReviewState::ChangesRequested => "requested changes",
            ReviewState::Comment => "commented",
        };
        let lapsed = if is_current || verdict == ReviewState::Comment { "" } else { " (no longer counts)" };
        let name = escaped(&reviewer.display_name);
        let _ = writeln!(text, "- **{name}** {done} at revision {revision}{lapsed}");
        for line in message.iter().flat_map(|message| message.lines()) {
            let _ = writeln!(text, "  > {line}");
        }
    }
    Ok(text)
}

/// The comparison as Markdown. Names and values are written by users and are quoted.
fn markdown(title: &str, comparison: &DraftComparison) -> String {
    let counts = &comparison.counts;
    let mut text = format!("## {}\n\n", escaped(title));
    let parts = [
        (counts.added, "added"),
        (counts.changed, "changed"),
        (counts.removed, "removed"),
        (counts.moved, "moved"),
        (counts.conflicting, "in conflict"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let summary = if parts.is_empty() { "No changes".to_owned() } else { parts.join(", ") };
    let _ = writeln!(
        text,
        "{summary}, compared with revision {} of `{}`.",
        comparison.base_revision,
        code(&comparison.workspace_id)
    );
    let mut left = MAX_ROWS;
    let is_in = |change: DraftChangeKind, is_conflict: bool| {
        comparison
            .changes
            .iter()
            .filter(move |row| row.conflict.is_some() == is_conflict && (is_conflict || row.change == change))
    };
    let mut section = |heading: &str, rows: Vec<&DraftChange>| {
        if rows.is_empty() {
            return;
        }
        let _ = writeln!(text, "\n### {heading}\n");
        for row in rows.iter().take(left) {
            line(&mut text, row);
        }
        if rows.len() > left {
            let _ = writeln!(text, "- and {} more", rows.len() - left);
        }
        left = left.saturating_sub(rows.len());
    };
    section("Conflicts", is_in(DraftChangeKind::Changed, true).collect());
    section("Added", is_in(DraftChangeKind::Added, false).collect());
    section("Changed", is_in(DraftChangeKind::Changed, false).collect());
    section("Removed", is_in(DraftChangeKind::Removed, false).collect());
    if counts.moved > 0 {
        let _ = writeln!(text, "\n{} rows only move on the map.", counts.moved);
    }
    if counts.base > 0 {
        let _ = writeln!(text, "\nThe workspace has changed {} other rows since the draft was started.", counts.base);
    }
    text
}

fn line(text: &mut String, row: &DraftChange) {
    let _ = writeln!(text, "- {} **{}** (`{}`)", row.kind, escaped(&row.name), code(&row.id));
    if let Some(why) = &row.why {
        let _ = writeln!(text, "  - {why}");
    }
    if row.change != DraftChangeKind::Changed {
        return;
    }
    for field in &row.fields {
        if field.conflict {
            let (base, draft) = (value(&field.base), value(&field.draft));
            let _ = writeln!(text, "  - `{}`: {base} in the workspace, {draft} in the draft", code(&field.field));
        } else if field.draft != field.branch {
            let (base, draft) = (value(&field.base), value(&field.draft));
            let _ = writeln!(text, "  - `{}`: {base} → {draft}", code(&field.field));
        }
    }
}

fn value(value: &Value) -> String {
    let text = match value {
        Value::Null => return "not set".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let mut cut: String = text.chars().take(MAX_VALUE_CHARS).collect();
    if cut.len() < text.len() {
        cut.push('…');
    }
    format!("`{}`", code(&cut))
}

/// A text in a code span, which cannot end it and has one line.
fn code(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c == '`' {
                '\''
            } else if c.is_control() {
                ' '
            } else {
                c
            }
        })
        .collect()
}

/// A text without a meaning in Markdown or HTML.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            c if c.is_control() => escaped.push(' '),
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '(' | ')' | '#' | '|' | '!' | '~' | '@' => escaped.extend(['\\', c]),
            c => escaped.push(c),
        }
    }
    escaped
}
