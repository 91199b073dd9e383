//! What a report says, one line for each row.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::model::{FieldChange, MAX_LISTED, Outcome, Report, Row};
use crate::cli::output::one_line;

/// Maximum length of a value, in characters.
const MAX_VALUE: usize = 80;

/// A line of a report.
pub(super) struct Entry {
    /// `+` for an added row, `~` for a changed one, `-` for a removed one, `!` for something to decide, `i` for a hint.
    pub(super) sign: char,
    /// What is reported.
    pub(super) text: String,
    /// File and line as `file:line`, unless there is none.
    pub(super) place: String,
    pub(super) file: String,
    pub(super) line: u32,
}

/// Sign, verb, rows, number of all rows, and the text of a row.
type Group<'r> = (char, String, &'r [Row], usize, &'r dyn Fn(&Row) -> String);

/// All lines of a report.
pub(super) fn of(report: &Report, is_preview: bool) -> Vec<Entry> {
    let mut lines = Vec::new();
    // Readers often report the same for many files, such as once for each folder.
    let mut places: HashMap<(&str, &str), usize> = HashMap::new();
    for one in &report.diagnostics {
        *places.entry((&one.severity, &one.text)).or_default() += 1;
    }
    for one in &report.diagnostics {
        let Some(count) = places.remove(&(one.severity.as_str(), one.text.as_str())) else { continue };
        let sign = if one.severity == "info" { 'i' } else { '!' };
        let more = match count {
            1 => String::new(),
            2 => ", and at 1 more place".to_owned(),
            _ => format!(", and at {} more places", count - 1),
        };
        lines.push(line(sign, format!("{}: {}{more}", plain(&one.severity), plain(&one.text)), &one.file, one.line));
    }
    let verb = |now: &str, later: &str| if is_preview { later.to_owned() } else { now.to_owned() };
    let simple = |row: &Row| {
        let from = row.moved_from.as_ref().map(|from| format!(", moved from `{}`", plain(from)));
        let into = row.merged_into.as_ref().map(|into| format!(", merged into `{}`", plain(into)));
        let also: Vec<String> = row.also_in.iter().map(|at| place(&at.file, at.line)).collect();
        let also = if also.is_empty() { String::new() } else { format!(", also in {}", also.join(", ")) };
        format!(" {}{}{also}", named(row), from.or(into).unwrap_or_default())
    };
    let gone = |row: &Row| match &row.dependents[..] {
        [] => simple(row),
        names => {
            let names: Vec<String> = names.iter().map(|name| format!("`{}`", plain(name))).collect();
            format!("{}; dependents: {}", simple(row), names.join(", "))
        }
    };
    let deleted = |row: &Row| match row.accepted_at {
        None => format!("{}; accept it with --accept {}, or restore it", simple(row), argument(&row.key)),
        Some(_) => format!("{}, as accepted", simple(row)),
    };
    let adopted = |row: &Row| {
        let replaced = row.fields.iter().filter(|field| field.taken == "source" && has_value(&field.map));
        let taken: Vec<String> = replaced.map(changed).collect();
        let taken = if taken.is_empty() { String::new() } else { format!(": {}", taken.join(", ")) };
        format!("{}{taken}{}", simple(row), if is_preview { String::new() } else { split_hint(row) })
    };
    let fields =
        |row: &Row| format!(" {}: {}", named(row), row.fields.iter().map(changed).collect::<Vec<_>>().join(", "));
    let conflict =
        |row: &Row| format!(" {}: {}", named(row), row.fields.iter().map(conflicting).collect::<Vec<_>>().join(", "));
    let counts = &report.counts;
    let groups: [Group<'_>; 8] = [
        ('+', verb("added", "add"), &report.added, counts.added, &simple),
        ('+', verb("adopted", "adopt"), &report.adopted, counts.adopted, &adopted),
        ('~', verb("changed", "change"), &report.changed, counts.changed, &fields),
        ('+', "back in the source:".into(), &report.returned, counts.returned, &simple),
        ('-', verb("removed", "remove"), &report.removed, counts.removed, &gone),
        ('!', "gone from the source:".into(), &report.vanished, counts.vanished, &gone),
        ('!', "conflict in".into(), &report.conflicts, counts.conflicts, &conflict),
        ('!', "deleted on the map:".into(), &report.deleted_on_map, counts.deleted_on_map, &deleted),
    ];
    for (sign, verb, rows, count, text) in groups {
        for row in rows.iter().take(MAX_LISTED) {
            lines.push(line(sign, verb.clone() + &text(row), &row.file, row.line));
        }
        if count > rows.len().min(MAX_LISTED) {
            lines.push(line(sign, format!("{verb} {} more", count - rows.len().min(MAX_LISTED)), "", 0));
        }
    }
    for one in report.rename_candidates.iter().take(MAX_LISTED) {
        let text = format!(
            "`{}` may be the new name of `{}`; if so, add `{}: {}` to `renames` in planroom.yaml",
            plain(&one.new_name),
            plain(&one.name),
            plain(&one.from),
            plain(&one.to)
        );
        lines.push(line('i', text, "", 0));
    }
    if let Some(removal) = report.mass_removal.as_ref().filter(|removal| !removal.is_allowed) {
        let text = format!(
            "{} of {} rows are gone from the source; a sync refuses this without --allow-mass-removal",
            removal.vanishing, removal.claimed
        );
        lines.push(line('!', text, "", 0));
    }
    lines
}

/// The numbers of a report.
pub(super) fn summary(report: &Report, outcome: &Outcome<'_>) -> String {
    let counts = &report.counts;
    let all = [
        (counts.added, "added", "to add"),
        (counts.adopted, "adopted", "to adopt"),
        (counts.changed, "changed", "to change"),
        (counts.returned, "back", "back"),
        (counts.removed, "removed", "to remove"),
        (counts.vanished, "gone", "gone"),
        (counts.conflicts, "in conflict", "in conflict"),
        (counts.deleted_on_map, "deleted on the map", "deleted on the map"),
        (report.unchanged, "unchanged", "unchanged"),
    ];
    let parts = all.into_iter().filter(|(count, ..)| *count > 0);
    let parts: Vec<String> =
        parts.map(|(count, now, later)| format!("{count} {}", if outcome.is_preview { later } else { now })).collect();
    let numbers = if parts.is_empty() { "no rows".to_owned() } else { parts.join(", ") };
    let draft = report
        .draft
        .as_ref()
        .map(|draft| format!("; in draft {} ({}), because the workspace is protected", draft.number, plain(&draft.id)));
    let draft = draft.unwrap_or_default();
    if report.is_in_step && outcome.problems.is_empty() {
        format!("In step: {numbers}{draft}")
    } else {
        format!("{numbers}{draft}")
    }
}

fn line(sign: char, text: String, file: &str, number: u32) -> Entry {
    Entry { sign, text, place: place(file, number), file: one_line(file), line: number }
}

fn place(file: &str, line: u32) -> String {
    if file.is_empty() { String::new() } else { format!("{}:{line}", plain(file)) }
}

/// How to split off a component that was matched with one of the map.
fn split_hint(row: &Row) -> String {
    if row.kind != "component" {
        return String::new();
    }
    let keys: BTreeSet<&String> = std::iter::once(&row.key).chain(row.also_in.iter().map(|at| &at.key)).collect();
    let split: Vec<String> = keys.into_iter().map(|key| format!("--split {}", argument(key))).collect();
    format!("; if it is another one, split it off with {}", split.join(" "))
}

/// A key as an argument of a command, in quotes if a shell needs them.
fn argument(key: &str) -> String {
    let is_safe = |c: char| c.is_alphanumeric() || "_-./:@%+=,".contains(c);
    let key = one_line(key).trim().to_owned();
    if !key.is_empty() && key.chars().all(is_safe) { key } else { format!("'{}'", key.replace('\'', "'\\''")) }
}

fn named(row: &Row) -> String {
    let name = if row.name.is_empty() { &row.key } else { &row.name };
    format!("{} `{}`", plain(&row.kind), plain(name))
}

fn changed(field: &FieldChange) -> String {
    format!("{} {} → {}", plain(&field.field), value(&field.map), value(&field.source))
}

fn conflicting(field: &FieldChange) -> String {
    let kept = match field.taken.as_str() {
        "source" => "; the source counts",
        "map" => "; the map counts",
        _ => "; not decided",
    };
    format!(
        "{} is {} in the source and {} on the map{kept}",
        plain(&field.field),
        value(&field.source),
        value(&field.map)
    )
}

fn has_value(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => true,
    }
}

fn value(value: &Value) -> String {
    let text = match value {
        Value::Null => return "none".into(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items
            .iter()
            .map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned))
            .collect::<Vec<_>>()
            .join(", "),
        other => other.to_string(),
    };
    let text = plain(&text);
    match text.char_indices().nth(MAX_VALUE) {
        None => format!("`{text}`"),
        Some((end, _)) => format!("`{}…`", &text[..end]),
    }
}

/// The name of the source, or of the repository of several sources. At the beginning of a line, `::` would be a workflow command.
pub(super) fn title(report: &Report) -> String {
    let id = match (&report.repository, &report.sources[..]) {
        (Some(repository), [_, _, ..]) => repository,
        _ => &report.source.id,
    };
    plain(id).trim_start_matches([':', ' ']).to_owned()
}

/// A text as one line without backticks, which surround names and values.
pub(super) fn plain(text: &str) -> String {
    one_line(text).replace('`', "'").trim().to_owned()
}
