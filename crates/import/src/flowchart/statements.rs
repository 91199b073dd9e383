//! Splits a diagram into statements.

/// Maximum length of a statement with a text of several lines, in bytes.
const MAX_JOINED_BYTES: usize = 10_000;

/// The statements of a text after the first one, which is in the first line, each with the index of its line. They end at
/// the end of the text, or of a code block.
pub(super) fn statements(text: &str) -> Vec<(usize, String)> {
    let mut all = Vec::new();
    let mut lines = text.lines().enumerate();
    // Further statements can follow on the first line.
    if let Some((_, rest)) = lines.next().and_then(|(_, line)| line.split_once(';')) {
        all.extend(split(rest).map(|statement| (0, statement.trim().to_owned())));
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
        let mut joined = code.to_owned();
        // A label in quotes can have several lines.
        let mut quotes = code.matches('"').count();
        while quotes % 2 == 1 && joined.len() < MAX_JOINED_BYTES {
            let Some((_, next)) = lines.next() else { break };
            quotes += next.matches('"').count();
            joined.push('\n');
            joined.push_str(next.trim());
        }
        all.extend(split(&joined).map(|statement| (number, statement.trim().to_owned())));
    }
    all.retain(|(_, statement)| !statement.is_empty());
    all
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
        let found = statements(text);
        let expected =
            [(0, "X-->Y"), (1, "A-->B"), (1, "B-->C"), (4, "C[\"x;\ny\"] --> D(a #35; b)"), (9, "E -->|a;b| F")];
        assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));
    }
}
