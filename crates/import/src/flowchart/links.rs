//! Arrows between nodes, as Mermaid's grammar defines them.

/// An arrow.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) label: String,
    /// Whether it has a head at its beginning.
    pub(super) starts: bool,
    /// Whether it has a head at its end.
    pub(super) ends: bool,
    /// Whether it only influences the layout.
    pub(super) is_invisible: bool,
}

/// Reads an arrow at the beginning of a text. Also returns its length.
pub(super) fn read(text: &str) -> Option<(Link, usize)> {
    let mut at = id_length(text);
    let rest = &text[at..];
    let starts = rest.starts_with(['<', 'x', 'o']) && rest[1..].starts_with(['-', '=']);
    at += usize::from(starts);
    let rest = &text[at..];
    let mut link = Link { starts, ..Link::default() };
    if rest.starts_with("~~~") {
        link.is_invisible = true;
        at += run(rest, '~');
    } else if let Some((length, ends)) = whole(rest) {
        link.ends = ends;
        at += length;
    } else {
        // A text between the two halves of the arrow.
        let opening = ["--", "==", "-."].into_iter().find(|opening| rest.starts_with(opening))?;
        let (label, length, ends) = labelled(&rest[2..], opening)?;
        label.trim().clone_into(&mut link.label);
        link.ends = ends;
        at += 2 + length;
    }
    let after = text[at..].trim_start();
    if let Some(label) = after.strip_prefix('|') {
        at = text.len() - label.len();
        let quoted = label.trim_start().starts_with('"');
        let end = match label.find('"').filter(|_| quoted) {
            Some(open) => label[open + 1..].find('"').and_then(|close| {
                let closed = open + 2 + close;
                label[closed..].find('|').map(|bar| closed + bar)
            }),
            None => label.find('|'),
        }?;
        label[..end].trim().clone_into(&mut link.label);
        at += end + 1;
    }
    Some((link, at))
}

/// The length of the id of an arrow, as in `e1@-->`.
fn id_length(text: &str) -> usize {
    let word = text.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(text.len());
    let has_id =
        word > 0 && text[word..].starts_with('@') && text[word + 1..].starts_with(['-', '=', '<', '~', 'o', 'x']);
    if has_id { word + 1 } else { 0 }
}

/// The length of an arrow without a text, such as `-->`, `---`, `-.->` or `==x`, and whether it has a head.
fn whole(text: &str) -> Option<(usize, bool)> {
    for line in ['-', '='] {
        let length = run(text, line);
        if length >= 2 {
            let head = text[length..].starts_with(['>', 'x', 'o']);
            // `--o` and `--x` are heads only if something follows the line; `---` is a line.
            return (head || length >= 3).then_some((length + usize::from(head), head));
        }
    }
    let dots = text.strip_prefix('-').map_or(0, |rest| run(rest, '.'));
    let after = text.get(1 + dots..).filter(|_| dots > 0)?.strip_prefix('-')?;
    let head = after.starts_with(['>', 'x', 'o']);
    Some((dots + 2 + usize::from(head), head))
}

/// The text of an arrow, the length of the rest of the arrow, and whether it has a head.
fn labelled<'t>(text: &'t str, opening: &str) -> Option<(&'t str, usize, bool)> {
    let is_dotted = opening == "-.";
    let line = match opening {
        "-." => '.',
        "==" => '=',
        _ => '-',
    };
    let (mut is_quoted, mut at) = (false, 0);
    while let Some(found) = text[at..].find([line, '"']) {
        at += found;
        let rest = &text[at..];
        let length = run(rest, line);
        if length == 0 {
            (is_quoted, at) = (!is_quoted, at + 1);
            continue;
        }
        let end = if is_dotted { rest[length..].strip_prefix('-') } else { Some(&rest[length..]) };
        if let Some(after) = end.filter(|_| !is_quoted) {
            let head = after.starts_with(['>', 'x', 'o']);
            if is_dotted || length >= 3 || (length == 2 && head) {
                return Some((&text[..at], at + length + usize::from(is_dotted) + usize::from(head), head));
            }
        }
        // Skip the run: the same text follows each position in it.
        at += length;
    }
    None
}

/// The number of times a character is repeated at the beginning of a text.
fn run(text: &str, c: char) -> usize {
    text.len() - text.trim_start_matches(c).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_of_any_form_are_read() {
        for (text, label, starts, ends, rest) in [
            ("-->B", "", false, true, "B"),
            ("---->|gRPC| B", "gRPC", false, true, " B"),
            ("---B", "", false, false, "B"),
            ("-- a text -->B", "a text", false, true, "B"),
            ("-- a text ---B", "a text", false, false, "B"),
            ("-.->B", "", false, true, "B"),
            ("-..-B", "", false, false, "B"),
            ("-. text .->B", "text", false, true, "B"),
            ("==>B", "", false, true, "B"),
            ("== a-b ==>B", "a-b", false, true, "B"),
            ("<-->B", "", true, true, "B"),
            ("o--o B", "", true, true, " B"),
            ("x--x B", "", true, true, " B"),
            ("--x B", "", false, true, " B"),
            ("<-- text --- B", "text", true, false, " B"),
            ("e1@-->B", "", false, true, "B"),
            ("-->| \"a | b\" |B", "\"a | b\"", false, true, "B"),
            ("-- \"a --> b\" -->B", "\"a --> b\"", false, true, "B"),
        ] {
            let (link, length) = read(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((link.label.as_str(), link.starts, link.ends), (label, starts, ends), "{text}");
            assert_eq!(&text[length..], rest, "{text}");
        }
        assert!(read("~~~B").unwrap().0.is_invisible);
        for text in ["", "B", "-B", "- B", "-- text", "-->|text", "=", "@-->"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
