//! The state of a decision as files write it, with links to other decisions.

use super::{Located, MAX_NUMBER, Record, Status, name};

/// Reads a line about the state, as in `Accepted` or `Superseded by [5. Title](0005-title.md)`. Returns whether it was
/// understood. The first state of a file wins, except that `superseded` always does.
pub(super) fn read_line(record: &mut Record, text: &str, line: u32) -> bool {
    let text = text.trim().trim_matches(['*', '_', '"', '\'', '.']).trim();
    let lower = text.to_lowercase();
    let links = |rest: &str| numbers(rest).map(|value| Located { value, line }).collect::<Vec<_>>();
    for start in ["superseded by", "superceded by", "replaced by"] {
        if lower.starts_with(start) {
            record.superseded_by.extend(links(text.get(start.len()..).unwrap_or_default()));
            record.status = Some(Status::Superseded);
            return true;
        }
    }
    for start in ["supersedes", "supercedes", "replaces"] {
        if lower.starts_with(start) {
            let found = links(text.get(start.len()..).unwrap_or_default());
            let is_known = !found.is_empty();
            record.also_supersedes.extend(found);
            return is_known;
        }
    }
    // As in `Accepted on 2016-02-12`: the word decides.
    let word = lower.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    let Some(status) = word_status(word) else { return false };
    if record.status.is_none() {
        record.status = Some(status);
    }
    lower.chars().all(char::is_alphabetic)
}

/// The state that a word means.
pub(super) fn word_status(word: &str) -> Option<Status> {
    Some(match word {
        "proposed" | "draft" | "pending" | "open" => Status::Proposed,
        "accepted" | "approved" | "decided" | "done" | "implemented" => Status::Accepted,
        "superseded" | "superceded" | "deprecated" | "replaced" | "obsolete" => Status::Superseded,
        "rejected" | "declined" => Status::Rejected,
        _ => return None,
    })
}

/// The numbers of the decisions that a text refers to: `[5. Title](0005-title.md)`, `ADR-0005`, `ADR 5`.
pub(super) fn numbers(text: &str) -> impl Iterator<Item = u32> + '_ {
    let linked = text.split("](").skip(1).filter_map(|rest| {
        let target = rest.split([')', '#', '?']).next()?;
        name::number_of(target.trim())
    });
    let linked: Vec<u32> = linked.take(50).collect();
    let named = if linked.is_empty() { mentioned(text) } else { Vec::new() };
    linked.into_iter().chain(named)
}

fn is_number(word: &str) -> bool {
    word.bytes().all(|byte| byte.is_ascii_digit())
}

/// Numbers after `ADR`, or a number alone.
fn mentioned(text: &str) -> Vec<u32> {
    let mut found = Vec::new();
    let mut words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).peekable();
    let mut first = true;
    while let Some(word) = words.next() {
        let lower = word.to_ascii_lowercase();
        let digits = match lower.strip_prefix("adr") {
            Some("") => words.next_if(|next| is_number(next)).map(str::to_owned),
            Some(rest) if is_number(rest) => Some(rest.to_owned()),
            _ => (first && is_number(word)).then(|| word.to_owned()),
        };
        first = false;
        found.extend(digits.and_then(|digits| digits.parse().ok()).filter(|number| (1..=MAX_NUMBER).contains(number)));
        if found.len() >= 50 {
            break;
        }
    }
    found
}
