//! Splits a diagram into statements.

use crate::files::Refusal;

/// Maximum length of a statement with a text of several lines, in bytes.
const MAX_JOINED_BYTES: usize = 10_000;

/// Calls `read` with each statement after the first one, and the index of its line. Statements end with the text or with the
/// code block.
pub(super) fn statements(text: &str, mut read: impl FnMut(usize, &str) -> Result<(), Refusal>) -> Result<(), Refusal> {
    let mut read_all = |number: usize, line: &str| {
        let mut statements = split(line).map(str::trim).filter(|statement| !statement.is_empty());
        statements.try_for_each(|statement| read(number, statement))
    };
    let mut lines = text.lines().enumerate();
    // Further statements can follow on the first line.
    if let Some((_, rest)) = lines.next().and_then(|(_, line)| line.split_once(';')) {
        read_all(0, rest)?;
    }
    while let Some((number, line)) = lines.next() {
        let code = line.trim();
        if code.starts_with("```") {
            break;
        }
        if code.starts_with("%%") || code.is_empty() {
            continue;
        }
        // A description can be a block of text.
        if code.starts_with("accDescr") && code.ends_with('{') {
            lines.by_ref().find(|(_, line)| line.contains('}'));
            continue;
        }
        // A label in quotes can have several lines.
        let mut quotes = code.matches('"').count();
        if quotes.is_multiple_of(2) {
            read_all(number, code)?;
            continue;
        }
        let mut joined = code.to_owned();
        while quotes % 2 == 1 && joined.len() < MAX_JOINED_BYTES {
            let Some((_, next)) = lines.next() else { break };
            quotes += next.matches('"').count();
            joined.push('\n');
            joined.push_str(next.trim());
        }
        read_all(number, &joined)?;
    }
    Ok(())
}

/// Splits a line at `;`, but not in texts: there, it ends a code such as `#35;`.
fn split(line: &str) -> impl Iterator<Item = &str> {
    let (mut is_quoted, mut depth, mut is_label) = (false, 0_i32, false);
    line.split(move |c| {
        match c {
            '"' => is_quoted = !is_quoted,
            '[' | '(' | '{' if !is_quoted => depth += 1,
            ']' | ')' | '}' if !is_quoted => depth -= 1,
            '|' if !is_quoted => is_label = !is_label,
            ';' => return !is_quoted && depth <= 0 && !is_label,
            _ => {}
        }
        false
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_end_with_lines_and_semicolons() {
        let text = "graph TD;X-->Y\nA-->B;B-->C\n%% no\n\nC[\"x;\ny\"] --> D(a #35; b);\naccDescr {\n x\n}\nE -->|a;b| F\n```\nG";
        let mut found = Vec::new();
        statements(text, |line, statement| {
            found.push((line, statement.to_owned()));
            Ok(())
        })
        .unwrap();
        let expected =
            [(0, "X-->Y"), (1, "A-->B"), (1, "B-->C"), (4, "C[\"x;\ny\"] --> D(a #35; b)"), (9, "E -->|a;b| F")];
        assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));
    }
}
