//! Rules for texts that all writers share.

/// The deepest indentation, so that deep maps do not become large files.
const MAX_INDENT: usize = 20;

/// The indentation of a level, with four spaces each.
pub(super) fn indent(level: usize) -> String {
    "    ".repeat(level.min(MAX_INDENT))
}

/// A text as one line: white space becomes single spaces, and other control characters are left out.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace()).filter(|word| !word.is_empty()).collect();
    words.join(" ").chars().filter(|c| !c.is_control()).collect()
}

/// A text as one line, cut to a number of characters.
pub(super) fn summary(text: &str, max: usize) -> String {
    let line = one_line(text);
    match line.char_indices().nth(max) {
        None => line,
        Some(_) => {
            let end = line.char_indices().nth(max - 1).map_or(0, |(at, _)| at);
            format!("{}…", line[..end].trim_end())
        }
    }
}

/// An identifier: ASCII letters and digits with `_` between words, at most 60 characters. Empty if there are none.
pub(super) fn identifier(text: &str) -> String {
    let words: Vec<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut identifier: String = words.join("_").chars().take(60).collect();
    identifier.truncate(identifier.trim_end_matches('_').len());
    identifier
}
