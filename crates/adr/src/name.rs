//! Names of files: `NNNN-title.md`.

use super::MAX_NUMBER;

/// Maximum length of the part of a name that is derived from the title.
const MAX_SLUG_CHARS: usize = 60;

/// The name of the file of a decision.
pub fn file_name(number: u32, title: &str) -> String {
    let mut slug = String::new();
    for c in title.chars() {
        if slug.len() >= MAX_SLUG_CHARS {
            break;
        }
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    match slug.trim_end_matches('-') {
        "" => format!("{number:04}-decision.md"),
        slug => format!("{number:04}-{slug}.md"),
    }
}

/// The number of a decision in the name of its file, with or without folders: `doc/adr/0005-title.md`, `ADR-005.md`. None if
/// the file is not Markdown or has no number.
pub fn number_of(name: &str) -> Option<u32> {
    let name = name.rsplit(['/', '\\']).next()?;
    let (stem, extension) = name.rsplit_once('.')?;
    if !["md", "markdown"].iter().any(|known| extension.eq_ignore_ascii_case(known)) {
        return None;
    }
    let is_prefixed = stem.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("adr"));
    let stem = if is_prefixed { stem[3..].trim_start_matches(['-', '_', ' ', '#']) } else { stem };
    let digits = stem.len() - stem.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, rest) = stem.split_at(digits);
    let ends = rest.is_empty() || rest.starts_with(['-', '_', '.', ' ']);
    number.parse().ok().filter(|number| ends && (1..=MAX_NUMBER).contains(number))
}
