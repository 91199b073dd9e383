//! Helpers of tests of formats that have several files.

use proptest::{prelude::*, sample::Index};

use super::{Files, Format, Options, Reading, fuzz, read, recognize};

/// A set of files.
pub(super) fn files(files: &[(&str, &str)]) -> Files {
    let mut set = Files::new();
    for (name, text) in files {
        set.add(name, *text).unwrap();
    }
    set
}

/// Reads files whose format must be recognized.
pub(super) fn reading(format: Format, own: &[(&str, &str)]) -> Reading {
    let files = files(own);
    assert_eq!(recognize(&files).unwrap(), format);
    read(format, &files, &Options::default()).unwrap()
}

/// The components as `name: type` or `whole / name: type`, in order.
pub(super) fn components(reading: &Reading) -> Vec<String> {
    let name = |id: &str| reading.components.iter().find(|one| one.id == id).map_or("?", |one| one.name.as_str());
    let whole = |id: &str| {
        let row = reading.relationships.iter().find(|one| one.type_id == "contains" && one.target_id == id);
        row.map_or(String::new(), |row| format!("{} / ", name(&row.source_id)))
    };
    reading.components.iter().map(|one| format!("{}{}: {}", whole(&one.id), one.name, one.type_id)).collect()
}

/// The relationships that are no containment as `source type target` or `source type target: label`, in order.
pub(super) fn relationships(reading: &Reading) -> Vec<String> {
    let name = |id: &str| reading.components.iter().find(|one| one.id == id).map_or("?", |one| one.name.as_str());
    let rows = reading.relationships.iter().filter(|one| one.type_id != "contains");
    rows.map(|row| {
        let label = row.label.as_ref().map_or(String::new(), |label| format!(": {label}"));
        format!("{} {} {}{label}", name(&row.source_id), row.type_id, name(&row.target_id))
    })
    .collect()
}

/// The owners as `component: person or team`, in order.
pub(super) fn owners(reading: &Reading) -> Vec<String> {
    let name = |id: &str| reading.components.iter().find(|one| one.id == id).map_or("?", |one| one.name.as_str());
    let rows = reading.stakeholders.iter().filter(|one| one.link_type == "owner");
    rows.map(|row| {
        let holder = row.team_id.as_ref().or(row.person_id.as_ref()).unwrap();
        format!("{}: {holder}", name(&row.component_id))
    })
    .collect()
}

/// The diagnostics as `file:line: text`.
pub(super) fn diagnostics(reading: &Reading) -> Vec<String> {
    reading.diagnostics.iter().map(|one| format!("{}:{}: {}", one.file, one.line, one.text)).collect()
}

/// What was not read, as `name: count`.
pub(super) fn ignored(reading: &Reading) -> Vec<String> {
    reading.ignored.iter().map(|(name, count)| format!("{name}: {count}")).collect()
}

/// Changes to a sample: at a position, some bytes are replaced by others.
pub(super) fn changes() -> impl Strategy<Value = Vec<(Index, usize, String)>> {
    let piece = prop_oneof!["[ -~\n]{0,6}", Just("null".to_owned()), Just("[]".to_owned()), Just("{}".to_owned())];
    proptest::collection::vec((any::<Index>(), 0_usize..12, piece), 1..6)
}

/// Reads a changed sample: it is refused, or its rows are consistent.
pub(super) fn read_changed(format: Format, sample: &[(&str, &str)], which: Index, changes: &[(Index, usize, String)]) {
    let mut own: Vec<(&str, Vec<u8>)> = sample.iter().map(|(name, text)| (*name, text.as_bytes().to_vec())).collect();
    let at = which.index(own.len());
    for (start, length, piece) in changes {
        let bytes = &mut own[at].1;
        let start = start.index(bytes.len() + 1);
        bytes.splice(start..(start + length).min(bytes.len()), piece.bytes());
    }
    let mut set = Files::new();
    if own.into_iter().any(|(name, bytes)| set.add(name, bytes).is_err()) {
        return;
    }
    consistent(format, &set);
}

/// Whether files are refused, or read into rows that an import accepts.
pub(super) fn consistent(format: Format, files: &Files) {
    let _ = recognize(files);
    let Ok(reading) = read(format, files, &Options::default()) else { return };
    fuzz::check(&reading);
}
