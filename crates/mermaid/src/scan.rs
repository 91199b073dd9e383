//! The lengths of names, numbers and titles. These are the regular expressions of mermaid's lexer, written by hand to
//! avoid backtracking.

use super::source::{is_space, run};

/// Whether `text` begins with `with`, ignoring case.
pub(super) fn begins(text: &str, with: &str) -> bool {
    text.as_bytes().get(..with.len()).is_some_and(|start| start.eq_ignore_ascii_case(with.as_bytes()))
}

/// The length of a number that is followed by white space.
pub(super) fn number(text: &str) -> Option<usize> {
    let digits = |text: &str| run(text, |c| c.is_ascii_digit());
    let whole = digits(text);
    let part = text[whole..].strip_prefix('.').map_or(0, digits);
    let length = if (1..=2).contains(&part) { whole + 1 + part } else { whole };
    (length > 0 && text[length..].starts_with([' ', '\n'])).then_some(length)
}

/// Sequences that end a name after its first characters.
const ENDS_A_NAME: [&str; 12] = ["--", "-x", "-)", "-/", "-\\", "-|/", "-|\\", "/|-", "\\|-", "//-", "\\\\-", "()"];

/// The length of a name at the beginning of `text`: letters and most other characters, including dashes, up to an
/// arrow.
pub(super) fn name(text: &str) -> usize {
    let mut length =
        run(text, |c| !matches!(c, '/' | '\\' | '+' | '(' | ')' | '<' | '-' | '>' | ':' | '\n' | ',' | ';'));
    while length > 0 {
        let rest = &text[length..];
        if ENDS_A_NAME.iter().any(|end| begins(rest, end)) {
            break;
        }
        let dashes = run(rest, |c| c == '-');
        let more = run(&rest[dashes..], |c| !matches!(c, '+' | '<' | '-' | '>' | ':' | '\n' | ',' | ';'));
        if more == 0 {
            break;
        }
        length += dashes + more;
    }
    length
}

/// Whether an opening brace follows a keyword.
pub(super) fn begins_block(after: &str) -> bool {
    after[run(after, is_space)..].starts_with('{')
}

/// The length of a title after its keyword.
pub(super) fn title(after: &str) -> Option<usize> {
    let colon = usize::from(after.starts_with(':'));
    let space = after[colon..].chars().next().filter(|c| is_space(*c))?.len_utf8();
    let text = run(&after[colon + space..], |c| !matches!(c, '#' | '\n' | ';'));
    (text > 0).then_some(colon + space + text)
}

/// The length of `: ` before a text that ends with the line.
pub(super) fn before_accessible_line(after: &str) -> Option<usize> {
    let colon = run(after, is_space);
    let begin = colon + after[colon..].strip_prefix(':').map(|_| 1)?;
    Some(begin + run(&after[begin..], is_space))
}
