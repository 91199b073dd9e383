//! Preprocesses the text as mermaid does, and maps each byte to its position in the original.
//!
//! Before parsing, mermaid removes front matter, directives and comment lines, and encodes entity codes in characters
//! that its grammar ignores. This module does the same, in the same steps.

use super::work_counter::examined;

/// A position in the original text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextPosition {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// Replacements for `#` and `;` of entity codes such as `#59;` and `#quot;` during parsing.
const NUMBER: &str = "ﬂ°°";
const NAME: &str = "ﬂ°";
const END: &str = "¶ß";

/// White space as defined by JavaScript, the language of mermaid.
pub(super) fn is_space(c: char) -> bool {
    c == '\u{feff}' || c.is_whitespace() && c != '\u{85}'
}

/// An ASCII letter, digit or underscore: `\w`.
pub(super) fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Removes leading and trailing white space.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// The length of the longest prefix of `text` whose characters satisfy `of`.
pub(super) fn run(text: &str, of: impl Fn(char) -> bool) -> usize {
    examined(text.find(|c| !of(c)).unwrap_or(text.len()))
}

/// The position of the first character in `text` that satisfies `of`.
pub(super) fn seek(text: &str, of: impl Fn(char) -> bool) -> Option<usize> {
    let found = text.find(of);
    examined(found.unwrap_or(text.len()));
    found
}

/// A text and the original position of each byte.
pub(super) struct Source {
    /// The preprocessed text.
    pub text: String,
    /// One position for each byte, and one for the end.
    places: Vec<TextPosition>,
}

impl Source {
    /// Preprocesses a text.
    pub fn new(original: &str) -> Self {
        let mut source = Self::written(original);
        source.soften_attributes();
        let head = front_matter(&source.text).unwrap_or(0);
        let source = source.without(vec![(0, head)]);
        let directives = directives(&source.text);
        let source = source.without(directives);
        let comments = comments(&source.text);
        source.without(comments).encoded()
    }

    /// The original position of the byte at `at`; the end position if `at` is beyond the text.
    pub fn place(&self, at: usize) -> TextPosition {
        self.places.get(at).or(self.places.last()).copied().unwrap_or(TextPosition { line: 1, column: 1 })
    }

    /// The text with line endings normalized to line feeds.
    fn written(original: &str) -> Self {
        let mut text = String::with_capacity(original.len());
        let mut places = Vec::with_capacity(original.len() + 1);
        let mut place = TextPosition { line: 1, column: 1 };
        let mut after_return = false;
        for c in original.chars() {
            if std::mem::take(&mut after_return) && c == '\n' {
                continue;
            }
            after_return = c == '\r';
            let c = if after_return { '\n' } else { c };
            text.push(c);
            places.resize(text.len(), place);
            place = if c == '\n' {
                TextPosition { line: place.line + 1, column: 1 }
            } else {
                TextPosition { column: place.column + 1, ..place }
            };
        }
        places.push(place);
        Self { text, places }
    }

    /// Replaces `<b class="x">` by `<b class='x'>`.
    fn soften_attributes(&mut self) {
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        let mut at = 0;
        while let Some(open) = find(&bytes, at, b'<') {
            at = open + 1;
            let name = bytes[at..].iter().take_while(|byte| is_word(char::from(**byte))).count();
            if name == 0 {
                continue;
            }
            let Some(close) = find(&bytes, at + name, b'>') else { break };
            soften_quotes(&mut bytes[at + name..close]);
            at = close + 1;
        }
        // Only quotes were replaced by apostrophes, so the text is still UTF-8.
        self.text = String::from_utf8(bytes).unwrap_or_default();
    }

    /// The text without the given ranges, which must be in order.
    fn without(self, ranges: Vec<(usize, usize)>) -> Self {
        let mut text = String::with_capacity(self.text.len());
        let mut places = Vec::with_capacity(self.places.len());
        let mut from = 0;
        for (start, end) in ranges.into_iter().chain([(self.text.len(), self.text.len())]) {
            text.push_str(&self.text[from..start]);
            places.extend_from_slice(&self.places[from..start]);
            from = end;
        }
        places.extend(self.places.last());
        Self { text, places }
    }

    /// The text without leading white space, with encoded entity codes, and with a line feed at its end.
    fn encoded(self) -> Self {
        let mut text = String::with_capacity(self.text.len() + 1);
        let mut places = Vec::with_capacity(self.places.len() + 1);
        let mut put = |piece: &str, at: &[TextPosition]| {
            text.push_str(piece);
            places.extend_from_slice(at);
            places.resize(
                text.len(),
                at.last().or(self.places.last()).copied().unwrap_or(TextPosition { line: 1, column: 1 }),
            );
        };
        let mut from = run(&self.text, is_space);
        while let Some(hash) = seek(&self.text[from..], |c| c == '#').map(|found| from + found) {
            put(&self.text[from..hash], &self.places[from..hash]);
            let name = run(&self.text[hash + 1..], is_word);
            let end = hash + 1 + name;
            if name == 0 || self.text.as_bytes().get(end) != Some(&b';') {
                put(&self.text[hash..end], &self.places[hash..end]);
                from = end;
                continue;
            }
            let name = &self.text[hash + 1..end];
            put(if name.bytes().all(|b| b.is_ascii_digit()) { NUMBER } else { NAME }, &self.places[hash..=hash]);
            put(name, &self.places[hash + 1..end]);
            put(END, &self.places[end..=end]);
            from = end + 1;
        }
        put(&self.text[from..], &self.places[from..self.text.len()]);
        put("\n", &[]);
        places.extend(self.places.last());
        Self { text, places }
    }
}

/// Restores entity codes to their written form: `#59;`.
pub(super) fn decoded_as_written(text: &str) -> String {
    text.replace(NUMBER, "#").replace(NAME, "#").replace(END, ";")
}

/// Calls `each` with the text between entity codes and with their names, in order: `(text, Some("59"))`.
pub(super) fn codes<'t>(text: &'t str, mut each: impl FnMut(&'t str, Option<&'t str>)) {
    let mut rest = text;
    while let Some(start) = rest.find(NAME) {
        examined(start);
        let inside = &rest[start + NAME.len()..];
        let inside = inside.strip_prefix('°').unwrap_or(inside);
        let name = run(inside, is_word);
        match inside[name..].strip_prefix(END) {
            Some(after) => {
                each(&rest[..start], Some(&inside[..name]));
                rest = after;
            }
            None => {
                each(&rest[..start + NAME.len()], None);
                rest = &rest[start + NAME.len()..];
            }
        }
    }
    each(rest, None);
}

fn find(bytes: &[u8], from: usize, byte: u8) -> Option<usize> {
    let found = bytes[from..].iter().position(|found| *found == byte);
    examined(found.unwrap_or(bytes.len() - from));
    found.map(|found| from + found)
}

/// Replaces `="x"` by `='x'`.
fn soften_quotes(bytes: &mut [u8]) {
    let mut at = 0;
    while let Some(sign) = find(bytes, at, b'=') {
        at = sign + 1;
        if bytes.get(at) != Some(&b'"') {
            continue;
        }
        let Some(close) = find(bytes, at + 1, b'"') else { break };
        (bytes[at], bytes[close]) = (b'\'', b'\'');
        at = close + 1;
    }
}

/// The position after the front matter (lines between `---` and `---`), if there is one.
fn front_matter(text: &str) -> Option<usize> {
    let indent = run(text, |c| is_space(c) && c != '\n');
    let fence = format!("\n{}---", &text[..indent]);
    let opened = indent + text[indent..].strip_prefix("---").map(|_| 3)?;
    // The line of the fence may end at any line feed of the following white space; if a fence follows, at the last one.
    let blank = opened + run(&text[opened..], is_space);
    let closes = |at: usize| -> Option<usize> {
        let after = at + text[at..].strip_prefix(fence.as_str()).map(|_| fence.len())?;
        let white = run(&text[after..], is_space);
        Some(after + text[after..after + white].rfind('\n')? + 1)
    };
    let first = opened + text[opened..blank].find('\n')? + 1;
    let fences = || text[first..].match_indices('\n').map(|(at, _)| first + at).filter(|at| closes(*at).is_some());
    let last = fences().next_back()?;
    let body = opened + text[opened..blank.min(last)].rfind('\n')? + 1;
    fences().find(|at| *at >= body).and_then(closes)
}

/// The ranges of directives: `%%{init: {"theme": "dark"}}%%`.
fn directives(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find("%%{").map(|at| from + examined(at)) {
        from = match directive(&text[start + 3..]) {
            Some(length) => {
                found.push((start, start + 3 + length));
                start + 3 + length
            }
            None => start + 1,
        };
    }
    found
}

/// The length of a directive after its `%%{`: a name, an optional colon, and a word or any text up to `}%%`.
pub(super) fn directive(text: &str) -> Option<usize> {
    const CLOSE: &str = "}%%";
    let spaces = |at: usize| at + run(&text[at..], is_space);
    let name = spaces(0);
    let after = name + run(&text[name..], is_word);
    if after == name {
        return None;
    }
    let colon = spaces(after);
    let value = spaces(if text[colon..].starts_with(':') { colon + 1 } else { after });
    let word = run(&text[value..], is_word);
    let end = match word {
        0 => {
            let mut end = value;
            // Only one of these characters can be the end, so all others are skipped.
            while let Some(at) = seek(&text[end..], |c| matches!(c, '}' | '\u{2028}' | '\u{2029}')) {
                end += at;
                if text[end..].starts_with(CLOSE) || !text[end..].starts_with('}') {
                    break;
                }
                end += 1;
            }
            if text[end..].starts_with(['}', '\u{2028}', '\u{2029}']) { end } else { text.len() }
        }
        word => value + word,
    };
    let end = spaces(end);
    Some(if text[end..].starts_with(CLOSE) { end + CLOSE.len() } else { end })
}

/// The ranges of lines that contain only a comment.
fn comments(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut line = Some(0);
    while let Some(start) = line {
        let at = start + run(&text[start..], is_space);
        let comment =
            text[at..].strip_prefix("%%").filter(|after| !after.is_empty() && !after.starts_with(['{', '\n']));
        if let Some(comment) = comment {
            let end = at + 2 + run(comment, |c| c != '\n');
            let end = if end < text.len() { end + 1 } else { end };
            found.push((start, end));
            line = (end < text.len()).then_some(end);
        } else {
            let ends = |c: char| matches!(c, '\n' | '\u{2028}' | '\u{2029}');
            line = seek(&text[at..], ends).map(|end| at + end).and_then(|end| {
                let next = end + text[end..].chars().next().map_or(1, char::len_utf8);
                (next < text.len()).then_some(next)
            });
        }
    }
    found
}
