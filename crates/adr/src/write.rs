//! Writes a record as a file in the form of MADR 4.

use std::fmt::Write as _;

use super::{Record, Status, normalized};

/// The text of a file. `number` is the number of the decision; absent parts of the record are written as empty ones.
pub fn write(number: u32, record: &Record) -> String {
    let title = record.title.as_ref().map(|title| title.value.as_str()).unwrap_or_default();
    let status = match (record.status.unwrap_or(Status::Proposed), record.superseded_by.first()) {
        (Status::Proposed, _) => "proposed".to_owned(),
        (Status::Accepted, _) => "accepted".to_owned(),
        (Status::Rejected, _) => "rejected".to_owned(),
        (Status::Superseded, Some(by)) => format!("superseded by ADR-{:04}", by.value),
        (Status::Superseded, None) => "superseded".to_owned(),
    };
    let texts = |list: &Option<Vec<super::Located<String>>>| {
        list.iter().flatten().map(|item| quoted(&item.value)).collect::<Vec<_>>().join(", ")
    };
    let supersedes = record.supersedes.iter().flatten().map(|number| quoted(&format!("ADR-{:04}", number.value)));
    let supersedes = supersedes.collect::<Vec<_>>().join(", ");
    let mut text = String::with_capacity(record.body.len() + 500);
    // Writing to a string never fails.
    let _ = write!(
        text,
        "---\nstatus: {}\ndate: {}\ndecision-makers: [{}]\ncomponents: [{}]\nsupersedes: [{}]\n---\n\n# {}{title}\n",
        quoted(&status),
        quoted(record.date.as_deref().unwrap_or_default()),
        texts(&record.authors),
        texts(&record.components),
        supersedes,
        // Readers remove the number of the decision from the beginning of a title, once.
        if begins_with_number(title, number) { format!("{number}. ") } else { String::new() },
    );
    let body = normalized(&record.body);
    if !body.is_empty() {
        let _ = write!(text, "\n{body}\n");
    }
    text
}

/// Whether a reader would remove a number from the beginning of the title.
fn begins_with_number(title: &str, number: u32) -> bool {
    super::read::without_number(title, number) != title
}

/// A text as a double-quoted scalar of YAML.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            // Line breaks of YAML, characters that it does not allow, and the byte order mark.
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}') => {
                let _ = write!(quoted, "\\u{:04x}", u32::from(c));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
