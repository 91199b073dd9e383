//! Converts texts for display: decodes entity codes and replaces line breaks by line feeds.

use super::source::{codes, decoded_as_written, is_space, run, seek, trim};

/// Named entity codes that are common in diagrams.
const NAMED_ENTITIES: &[(&str, char)] = &[
    ("amp", '&'),
    ("apos", '\''),
    ("bull", '•'),
    ("cent", '¢'),
    ("check", '✓'),
    ("colon", ':'),
    ("comma", ','),
    ("commat", '@'),
    ("copy", '©'),
    ("darr", '↓'),
    ("deg", '°'),
    ("dollar", '$'),
    ("equals", '='),
    ("euro", '€'),
    ("excl", '!'),
    ("gt", '>'),
    ("harr", '↔'),
    ("hearts", '♥'),
    ("hellip", '…'),
    ("infin", '∞'),
    ("larr", '←'),
    ("laquo", '«'),
    ("lbrace", '{'),
    ("lbrack", '['),
    ("ldquo", '“'),
    ("lowbar", '_'),
    ("lpar", '('),
    ("lsquo", '‘'),
    ("lt", '<'),
    ("mdash", '—'),
    ("middot", '·'),
    ("nbsp", '\u{a0}'),
    ("ndash", '–'),
    ("num", '#'),
    ("para", '¶'),
    ("percnt", '%'),
    ("period", '.'),
    ("plus", '+'),
    ("pound", '£'),
    ("quest", '?'),
    ("quot", '"'),
    ("raquo", '»'),
    ("rarr", '→'),
    ("rbrace", '}'),
    ("rbrack", ']'),
    ("rdquo", '”'),
    ("reg", '®'),
    ("rpar", ')'),
    ("rsquo", '’'),
    ("sect", '§'),
    ("semi", ';'),
    ("sol", '/'),
    ("star", '☆'),
    ("trade", '™'),
    ("uarr", '↑'),
    ("yen", '¥'),
];

/// The text of a message or label, without the prefix that requests wrapping.
pub(super) fn message(text: &str) -> String {
    display(unwrapped(text))
}

/// The text of a title or label in its encoded form, without the prefix that requests wrapping.
pub(super) fn unwrapped(text: &str) -> &str {
    let text = trim(text);
    let bare = text.strip_prefix(':').unwrap_or(text);
    let rest = bare.strip_prefix("wrap:").or_else(|| bare.strip_prefix("nowrap:"));
    rest.map_or(text, trim)
}

/// A display name. Quotes are removed; mermaid would show those of `as "Web shop"`.
pub(super) fn name(text: &str) -> String {
    let bare = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
    display(bare.unwrap_or(text))
}

/// An alias as written.
pub(super) fn alias(text: &str) -> String {
    decoded_as_written(text)
}

/// A text with decoded entity codes, and with line feeds for `<br/>`.
pub(super) fn display(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = seek(rest, |c| c == '<') {
        let (before, tag) = rest.split_at(open);
        decode(before, &mut shown);
        let length = line_break(tag);
        shown.push(if length > 0 { '\n' } else { '<' });
        rest = &tag[length.max(1)..];
    }
    decode(rest, &mut shown);
    shown
}

/// The length of a `<br/>` in any of its forms at the beginning of `text`.
fn line_break(text: &str) -> usize {
    let inside = &text[1..];
    let inside = inside.strip_prefix('/').unwrap_or(inside);
    if !inside.get(..2).is_some_and(|name| name.eq_ignore_ascii_case("br")) {
        return 0;
    }
    let after = &inside[2..];
    let after = &after[run(after, is_space)..];
    let after = after.strip_prefix('/').unwrap_or(after);
    after.strip_prefix('>').map_or(0, |after| text.len() - after.len())
}

fn decode(text: &str, into: &mut String) {
    codes(text, |before, code| {
        into.push_str(before);
        let Some(code) = code else { return };
        let number = code.parse().ok().and_then(char::from_u32).filter(|c| *c != '\0');
        let named = || NAMED_ENTITIES.iter().find(|(name, _)| *name == code).map(|(_, c)| *c);
        match number.or_else(named) {
            Some(c) => into.push(c),
            None => into.extend(["#", code, ";"]),
        }
    });
}
