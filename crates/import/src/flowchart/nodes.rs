//! Nodes: an id, a text in brackets that tell the shape, and a class.

/// A node as it is mentioned in a statement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) id: String,
    pub(super) label: Option<String>,
    /// The name of the shape, if it means something.
    pub(super) shape: Option<String>,
    pub(super) class: Option<String>,
}

/// Brackets and the shape that they mean, the longest first.
const BRACKETS: [(&str, &str, &str); 14] = [
    ("(((", ")))", ""),
    ("([", "])", ""),
    ("[[", "]]", ""),
    ("[(", ")]", "cylinder"),
    ("((", "))", ""),
    ("{{", "}}", ""),
    ("[/", "/]", ""),
    ("[\\", "\\]", ""),
    ("[/", "\\]", ""),
    ("[\\", "/]", ""),
    ("[", "]", ""),
    ("(", ")", ""),
    ("{", "}", ""),
    (">", "]", ""),
];

/// Reads a node at the beginning of a text, and returns its length. Adds the number of characters that were searched for
/// closing brackets to `scanned`, because the search for a missing bracket reads the whole text.
pub(super) fn read(text: &str, scanned: &mut usize) -> Option<(Node, usize)> {
    let mut at = id_length(text);
    if at == 0 {
        return None;
    }
    let mut node = Node { id: text[..at].to_owned(), ..Node::default() };
    if let Some((label, shape, length)) = label(&text[at..], scanned) {
        node.label = Some(label.to_owned());
        node.shape = (!shape.is_empty()).then(|| shape.to_owned());
        at += length;
    }
    // `@{ shape: cyl, label: "Orders" }`
    if text[at..].starts_with("@{") {
        let end = closing(&text[at + 2..], "}", scanned)?;
        attributes(&text[at + 2..at + 2 + end], &mut node);
        at += 2 + end + 1;
    }
    if let Some(class) = text[at..].strip_prefix(":::") {
        let length = class.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '-').unwrap_or(class.len());
        // `a:::class-->b`
        let length = class[..length].find("--").unwrap_or(length);
        node.class = (length > 0).then(|| class[..length].to_owned());
        at += 3 + length;
    }
    Some((node, at))
}

/// The length of the id at the beginning of a text.
fn id_length(text: &str) -> usize {
    for (at, c) in text.char_indices() {
        let rest = &text[at..];
        let is_link = ["--", "-.", "==", "~~~"].iter().any(|link| rest.starts_with(link));
        let is_end = c.is_whitespace() || "[](){}<>&|;:@\"`".contains(c);
        if is_link || is_end {
            return at;
        }
    }
    text.len()
}

/// The text in brackets at the beginning of a text, the shape, and the length with the brackets.
fn label<'t>(text: &'t str, scanned: &mut usize) -> Option<(&'t str, &'static str, usize)> {
    BRACKETS.iter().find_map(|(open, close, shape)| {
        let inside = text.strip_prefix(open)?;
        // `[(` can also begin a text in one pair of brackets.
        let end = closing(inside, close, scanned)?;
        Some((&inside[..end], *shape, open.len() + end + close.len()))
    })
}

/// The position of a closing bracket that is not in quotes.
fn closing(text: &str, close: &str, scanned: &mut usize) -> Option<usize> {
    let mut is_quoted = false;
    for (at, c) in text.char_indices() {
        *scanned += 1;
        if c == '"' {
            is_quoted = !is_quoted;
        } else if !is_quoted && text[at..].starts_with(close) {
            return Some(at);
        }
    }
    None
}

fn attributes(text: &str, node: &mut Node) {
    let (mut is_quoted, mut parts, mut from) = (false, Vec::new(), 0);
    for (at, c) in text.char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            ',' | '\n' if !is_quoted => {
                parts.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    for (name, value) in parts.iter().filter_map(|part| part.split_once(':')) {
        let value = value.trim().trim_matches('"');
        match name.trim() {
            "label" => node.label = Some(value.to_owned()),
            "shape" => {
                let shape = match value {
                    "cyl" | "cylinder" | "db" | "database" | "lin-cyl" | "lined-cylinder" | "disk" => "cylinder",
                    "das" | "h-cyl" | "horizontal-cylinder" => "queue",
                    "doc" | "document" | "docs" | "documents" | "lin-doc" | "tag-doc" => "document",
                    _ => continue,
                };
                node.shape = Some(shape.to_owned());
            }
            _ => {}
        }
    }
}

/// A text as it is shown: without quotes, tags and icons, and with the characters that codes stand for.
pub(super) fn display(text: &str) -> String {
    let text = text.trim();
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let text = text.strip_prefix('`').and_then(|text| text.strip_suffix('`')).unwrap_or(text);
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (piece, length) = match c {
            '#' | '&' => code(rest).unwrap_or((c, 1)),
            '<' => match tag(rest) {
                Some(length) => (' ', length),
                None => (c, 1),
            },
            'f' => match icon(rest) {
                Some(length) => (' ', length),
                None => (c, 1),
            },
            c => (c, c.len_utf8()),
        };
        shown.push(piece);
        rest = &rest[length..];
    }
    shown.trim().to_owned()
}

/// A text with the characters that codes such as `#35;` and `#quot;` stand for.
pub(crate) fn decoded(text: &str) -> String {
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(['#', '&']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (c, length) = code(rest).unwrap_or((if rest.starts_with('#') { '#' } else { '&' }, 1));
        out.push(c);
        rest = &rest[length..];
    }
    out + rest
}

/// The character that a code such as `#35;`, `&#40` or `#quot;` stands for, and its length.
fn code(text: &str) -> Option<(char, usize)> {
    const NAMED: [(&str, char); 9] = [
        ("quot", '"'),
        ("amp", '&'),
        ("lt", '<'),
        ("gt", '>'),
        ("nbsp", ' '),
        ("apos", '\''),
        ("semi", ';'),
        ("colon", ':'),
        ("num", '#'),
    ];
    let start = if text.starts_with("&#") { 2 } else { 1 };
    let inside = &text[start..];
    let digits = inside.find(|c: char| !c.is_ascii_digit()).unwrap_or(inside.len());
    if (1..=7).contains(&digits) {
        let has_end = inside[digits..].starts_with(';');
        let number: u32 = inside[..digits].parse().ok()?;
        let c = char::from_u32(number).filter(|_| has_end || start == 2)?;
        return Some((c, start + digits + usize::from(has_end)));
    }
    let (name, c) =
        NAMED.iter().find(|(name, _)| inside.strip_prefix(name).is_some_and(|rest| rest.starts_with(';')))?;
    Some((*c, start + name.len() + 1))
}

/// The length of an HTML tag.
fn tag(text: &str) -> Option<usize> {
    let end = text.bytes().take(200).position(|byte| byte == b'>')?;
    let name = text[1..end].trim_start_matches('/');
    name.starts_with(|c: char| c.is_ascii_alphabetic()).then_some(end + 1)
}

/// The length of an icon such as `fa:fa-car`.
fn icon(text: &str) -> Option<usize> {
    let set = &text[..text.bytes().take(4).position(|byte| byte == b':')?];
    let rest = &text[set.len() + 1..];
    let is_set = matches!(set, "fa" | "fab" | "fas" | "far" | "fal") && rest.starts_with("fa-");
    let length = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(rest.len());
    is_set.then_some(set.len() + 1 + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_have_ids_texts_shapes_and_classes() {
        for (text, id, label, shape, class, rest) in [
            ("a-b.c/d --> x", "a-b.c/d", None, None, None, " --> x"),
            ("a-->b", "a", None, None, None, "-->b"),
            ("a[Text (x)] -->", "a", Some("Text (x)"), None, None, " -->"),
            (
                "cache[(Cache<br/>&#40ValKey&#41)]:::dotnet",
                "cache",
                Some("Cache<br/>&#40ValKey&#41"),
                Some("cylinder"),
                Some("dotnet"),
                "",
            ),
            ("a([x])", "a", Some("x"), None, None, ""),
            ("a[\"x ] y\"]", "a", Some("\"x ] y\""), None, None, ""),
            ("a{x}&b", "a", Some("x"), None, None, "&b"),
            ("a>x]", "a", Some("x"), None, None, ""),
            ("a[/x\\]", "a", Some("x"), None, None, ""),
            (
                "a@{ shape: cyl, label: \"Orders, old\" } --> b",
                "a",
                Some("Orders, old"),
                Some("cylinder"),
                None,
                " --> b",
            ),
            ("a:::big-->b", "a", None, None, Some("big"), "-->b"),
            ("größe --- b", "größe", None, None, None, " --- b"),
        ] {
            let (node, length) = read(text, &mut 0).unwrap_or_else(|| panic!("{text}"));
            let found = (node.id.as_str(), node.label.as_deref(), node.shape.as_deref(), node.class.as_deref());
            assert_eq!(found, (id, label, shape, class), "{text}");
            assert_eq!(&text[length..], rest, "{text}");
        }
        for text in ["", "-->b", "[x]", "\"a\""] {
            assert_eq!(read(text, &mut 0), None, "{text}");
        }
    }

    #[test]
    fn texts_are_shown_without_markup() {
        for (text, shown) in [
            ("Cache<br/>&#40ValKey&#41", "Cache (ValKey)"),
            ("\"`a #quot;b#quot;`\"", "a \"b\""),
            ("fa:fa-car <b>Car</b> #35;1", "Car  #1"),
            ("fabric a < b > c & #", "fabric a < b > c & #"),
            ("&#99999999 &#1114112;", "&#99999999 &#1114112;"),
        ] {
            assert_eq!(display(text), shown, "{text}");
        }
    }
}
