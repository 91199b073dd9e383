//! Rules for all texts that come from a source.

use url::Url;

use super::secrets::without_secrets;

/// Maximum length of a name, in characters.
const MAX_NAME_CHARS: usize = 200;
/// Maximum length of a label of a relationship, in characters.
const MAX_LABEL_CHARS: usize = 500;
/// Maximum length of a description, in characters.
const MAX_TEXT_CHARS: usize = 10_000;
/// Maximum length of a tag or technology, in characters.
const MAX_KEYWORD_CHARS: usize = 80;
/// Maximum number of tags or technologies.
const MAX_KEYWORDS: usize = 32;
/// Maximum length of an address, in characters.
const MAX_ADDRESS_CHARS: usize = 2_048;

/// A name: one line of at most 200 characters.
pub(super) fn name(text: &str) -> String {
    cut(&one_line(text), MAX_NAME_CHARS)
}

/// A label: one line.
pub(super) fn label(text: &str) -> String {
    cut(&one_line(text), MAX_LABEL_CHARS)
}

/// A description, in Markdown; none if it is empty.
pub(super) fn description(text: &str) -> Option<String> {
    let text = without_secrets(text);
    let text = text.trim();
    (!text.is_empty()).then(|| cut(text, MAX_TEXT_CHARS))
}

/// Tags or technologies, each once.
pub(super) fn keywords<'t>(texts: impl IntoIterator<Item = &'t str>) -> Vec<String> {
    let mut keywords: Vec<String> = Vec::new();
    for text in texts {
        let text = cut(&one_line(text), MAX_KEYWORD_CHARS);
        if !text.is_empty() && !keywords.contains(&text) && keywords.len() < MAX_KEYWORDS {
            keywords.push(text);
        }
    }
    keywords
}

/// The parts of a list that is written as one text with commas.
pub(super) fn list(text: &str) -> Vec<String> {
    without_secrets(text).split(',').map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Converts a text to one line. Line breaks, `\n`, `\t`, `<br/>` and white space become single spaces, and hidden characters
/// are removed. Joiners alone are nothing.
pub(super) fn one_line(text: &str) -> String {
    let text = without_secrets(text);
    let mut line = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '\\' if rest[1..].starts_with(['n', 't', 'r']) => 2,
            '<' => line_break(rest).unwrap_or(0),
            c if c.is_whitespace() => c.len_utf8(),
            _ => 0,
        };
        if length > 0 {
            if !line.ends_with(' ') {
                line.push(' ');
            }
            rest = &rest[length..];
            continue;
        }
        if !is_hidden(c) {
            line.push(c);
        }
        rest = &rest[c.len_utf8()..];
    }
    if line.chars().all(|c| c.is_whitespace() || is_joiner(c)) { String::new() } else { line.trim().to_owned() }
}

/// Whether a character is invisible and can disguise the text: control characters, line separators, zero-width characters,
/// bidirectional controls, fillers, tags, and selectors of variants. [Joiners](is_joiner) are allowed, because scripts and emoji
/// need them.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
            | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}'
            | '\u{3164}' | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffc}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a character is invisible and decides how its neighbors are shown: joiners, and the selectors of emoji or text.
pub fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}')
}

/// The length of the `<br>` at the beginning of a text.
fn line_break(text: &str) -> Option<usize> {
    let end = text.bytes().take(8).position(|byte| byte == b'>')?;
    let tag = text[1..end].trim_end_matches('/').trim();
    tag.eq_ignore_ascii_case("br").then_some(end + 1)
}

/// An `http` or `https` address without user info that a component can link to.
pub(super) fn web_address(text: &str) -> Option<String> {
    let text = text.trim();
    let scheme = text.split_once("://")?.0;
    let url = Url::parse(text).ok()?;
    if !["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) || url.host_str().is_none() {
        return None;
    }
    let text = without_secrets(text);
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && c != '\\';
    let has_user_info = Url::parse(&text).is_ok_and(|url| !url.username().is_empty() || url.password().is_some());
    let valid = text.chars().all(plain) && text.chars().count() <= MAX_ADDRESS_CHARS && !has_user_info;
    (valid && Url::parse(&text).is_ok()).then(|| text.into_owned())
}

/// The beginning of a text, at most `max` characters long. A secret is removed before its end is, by which it is recognized.
pub(super) fn cut(text: &str, max: usize) -> String {
    if text.char_indices().nth(max).is_none() {
        return text.to_owned();
    }
    let text = &*without_secrets(text);
    match text.char_indices().nth(max) {
        None => text.to_owned(),
        Some(_) => {
            let end = text.char_indices().nth(max - 1).map_or(0, |(at, _)| at);
            format!("{}…", text[..end].trim_end())
        }
    }
}

/// An id: lowercase letters of any script and digits with dashes between them, at most `max` characters. Empty if the text
/// has no letters and digits.
pub(super) fn slug(text: &str, max: usize) -> String {
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric() || is_hidden(c))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let slug: String = words.join("-").chars().filter(|c| c.is_alphanumeric() || *c == '-').take(max).collect();
    slug.trim_matches('-').to_owned()
}

/// Like [`slug`], with ASCII letters and digits only.
pub(super) fn ascii_slug(text: &str, max: usize) -> String {
    let ascii: String = text.chars().map(|c| if c.is_ascii() { c } else { ' ' }).collect();
    slug(&ascii, max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_line() {
        for (text, line) in [
            ("Orders\ndatabase", "Orders database"),
            ("Orders\\ndatabase", "Orders database"),
            ("Orders <br/> database<BR>2<br />", "Orders database 2"),
            (" a\t\u{0}b \u{a0} c ", "a b c"),
            ("a <b> c <brown>", "a <b> c <brown>"),
            ("\\", "\\"),
            ("", ""),
            ("A\u{e0101}d\u{3164}a\u{2800}", "Ada"),
            ("\u{2764}\u{fe0f} \u{1f469}\u{200d}\u{1f4bb}", "\u{2764}\u{fe0f} \u{1f469}\u{200d}\u{1f4bb}"),
            ("\u{200d} \u{fe0f}\u{3164}", ""),
        ] {
            assert_eq!(one_line(text), line, "{text:?}");
        }
        assert_eq!(name(&"ü".repeat(200)).chars().count(), 200);
        assert_eq!(name(&"ü".repeat(201)), "ü".repeat(199) + "…");
    }

    #[test]
    fn links_are_web_addresses() {
        for (text, address) in [
            ("https://example.org/a b", None),
            (" https://example.org/a ", Some("https://example.org/a")),
            ("HTTP://u:p@example.org", Some("HTTP://example.org")),
            ("./model.c4#L18", None),
            ("javascript://x%0Aalert(1)", None),
            ("ftp://example.org", None),
            ("https:example.org", None),
            ("https://u:p\\@example.org", None),
            ("https://", None),
        ] {
            assert_eq!(web_address(text).as_deref(), address, "{text}");
        }
    }

    #[test]
    fn keywords_are_limited() {
        let many: Vec<String> = (0..50).map(|n| n.to_string()).collect();
        assert_eq!(keywords(many.iter().map(String::as_str)).len(), 32);
        assert_eq!(keywords([" b ", "", "b", &"x".repeat(100)]), ["b".to_owned(), "x".repeat(79) + "…"]);
    }
}
