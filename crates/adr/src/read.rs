//! Reads a file: front matter, title, and the text below it.

use super::{
    Diagnostic, Diagnostics, Located, Record, front_matter,
    markdown::{headings, is_underlined},
    normalized, sections,
};

/// Reads a file with the number of its decision. Everything that it does not understand stays in the text or is reported.
pub fn read(number: u32, text: &str) -> (Record, Vec<Diagnostic>) {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_owned() };
    let (mut record, mut diagnostics) = (Record::default(), Diagnostics::default());
    let mut lines: Vec<(usize, &str)> = text.split('\n').enumerate().map(|(index, line)| (index + 1, line)).collect();
    let mut has_front_matter = false;
    if lines.first().is_some_and(|(_, line)| is_fence(line)) {
        match lines.iter().skip(1).position(|(_, line)| is_fence(line)) {
            Some(length) => {
                let inside: Vec<&str> = lines[1..=length].iter().map(|(_, line)| *line).collect();
                has_front_matter = front_matter::read(&mut record, &inside.join("\n"), &mut diagnostics);
                lines.drain(..length + 2);
            }
            None => diagnostics.add(1, "the front matter has no end, a line `---`; it is part of the text"),
        }
    }
    let title = headings(&lines).find(|(_, level, _)| *level == 1).map(|(index, _, title)| (index, title.to_owned()));
    if let Some((index, title)) = title {
        let has_underline = is_underlined(&lines, index);
        let (line, _) = lines.remove(index);
        if has_underline {
            lines.remove(index);
        }
        let title = without_number(&title, number).trim();
        if !title.is_empty() && record.title.is_none() {
            record.title = Some(Located { value: title.to_owned(), line: u32::try_from(line).unwrap_or(u32::MAX) });
        }
        // With front matter, the text is as its author wrote it.
        if !has_front_matter {
            sections::read(&mut record, &mut lines, index, &mut diagnostics);
        }
    }
    let body: Vec<&str> = lines.iter().map(|(_, line)| *line).collect();
    record.body = normalized(&body.join("\n"));
    (record, diagnostics.0)
}

fn is_fence(line: &str) -> bool {
    line.trim_end() == "---"
}

/// The title without the number of the decision at its beginning: `5. Title`, `ADR-0005: Title`.
pub(super) fn without_number(title: &str, number: u32) -> &str {
    let is_prefixed = title.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("adr"));
    let rest = if is_prefixed { title[3..].trim_start_matches(['-', ' ', '#']) } else { title };
    let end = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (digits, rest) = rest.split_at(end);
    let is_own = digits.parse() == Ok(number);
    let rest = rest.trim_start().strip_prefix(['.', ':', '-', '–', '—']).filter(|rest| rest.starts_with(' '));
    match rest.map(str::trim_start) {
        Some(rest) if is_own && !rest.is_empty() => rest,
        _ => title,
    }
}
