//! Metadata in the text of files without front matter: the section `## Status`, a line `Date:`, and the list of MADR 2.

use super::{
    Diagnostics, Record, Status, is_date,
    markdown::{headings, is_underlined, names},
    shown, status,
};

/// Reads metadata from the lines, which no longer have the title, and removes what it read. `title` is the index of the
/// first line below the title.
pub(super) fn read(record: &mut Record, lines: &mut Vec<(usize, &str)>, title: usize, diagnostics: &mut Diagnostics) {
    fields(record, lines, title, diagnostics);
    let found: Vec<(usize, usize, bool)> = headings(lines)
        .skip_while(|(index, ..)| *index < title)
        .map(|(index, level, text)| (index, level, text.trim_end_matches(':').eq_ignore_ascii_case("status")))
        .collect();
    let Some(at) = found.iter().position(|(.., is_status)| *is_status) else { return };
    let (start, level, _) = found[at];
    let next = found.iter().skip(at + 1).find(|(_, other, _)| *other <= level);
    let end = next.map_or(lines.len(), |(index, ..)| *index);
    // An underlined heading has two lines.
    let text = start + 1 + usize::from(is_underlined(lines, start));
    let section: Vec<(usize, &str)> = lines[text.min(end)..end].to_vec();
    let mut left = Vec::new();
    let mut unknown = None;
    for (line, text) in section {
        let content = text.trim().trim_start_matches(['*', '-', '+']).trim();
        if content.is_empty() || content.starts_with("<!--") && content.ends_with("-->") {
            continue;
        }
        if !status::read_line(record, content, u32::try_from(line).unwrap_or(u32::MAX)) {
            unknown = unknown.or(Some((line, content)));
            left.push((line, text));
        }
    }
    if record.status.is_none()
        && let Some((line, content)) = unknown
    {
        diagnostics.add(line, format!("the status {} is unknown; `proposed` is used", shown(content)));
        record.status = Some(Status::Proposed);
    }
    let kept = if left.is_empty() {
        Vec::new()
    } else {
        [lines[start..text].to_vec(), vec![(0, "")], left, vec![(0, "")]].concat()
    };
    drop(lines.splice(start..end, kept));
}

/// Reads lines such as `Date: 2016-02-12` and `* Status: accepted` directly below the title.
fn fields(record: &mut Record, lines: &mut Vec<(usize, &str)>, title: usize, diagnostics: &mut Diagnostics) {
    let mut read = Vec::new();
    for (index, (line, text)) in lines.iter().enumerate().skip(title) {
        if text.trim().is_empty() {
            continue;
        }
        let content = text.trim_start_matches(['*', '-', ' ']);
        let Some((key, value)) = content.split_once(':') else { break };
        let key = key.trim_matches(['*', '_', ' ']).to_lowercase();
        let value = value.trim_matches(['*', '_', ' ']);
        let at = u32::try_from(*line).unwrap_or(u32::MAX);
        match key.as_str() {
            "status" => {
                if !status::read_line(record, value, at) && record.status.is_none() {
                    diagnostics.add(*line, format!("the status {} is unknown; `proposed` is used", shown(value)));
                    record.status = Some(Status::Proposed);
                }
            }
            "date" => match value {
                date if is_date(date) => record.date = Some(date.to_owned()),
                other => diagnostics.add(*line, format!("{} is no date as in `2026-11-25`", shown(other))),
            },
            "deciders" | "decision-makers" | "decision makers" | "author" | "authors" => {
                record.authors = Some(names(value, at));
            }
            _ => break,
        }
        read.push(index);
    }
    for index in read.into_iter().rev() {
        lines.remove(index);
    }
}
