//! Words and signs, told apart by the rules of mermaid's own lexer, in its order.
//!
//! Which rules hold depends on what was read before: after `loop` the rest of the line is a label, after `participant`
//! comes an alias. The places where this differs from what one would expect, such as `-x` within a name, are mermaid's.

use super::{
    arrow::{ARROWS, Arrow},
    scan::{accessible_line, begins, begins_block, name, number, title},
    source::{is_space, is_word, run, seek, trim},
    words::{Word, letters, word},
};

/// A word or sign, and where it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'t> {
    /// What it is.
    pub kind: Kind<'t>,
    /// Its first byte.
    pub at: usize,
}

/// What a word or sign is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind<'t> {
    /// `sequenceDiagram`.
    Header,
    /// The end of a line, or `;`.
    End,
    /// There is no more.
    Nothing,
    /// A sign that has no meaning here. At the beginning of a statement mermaid passes over it.
    Stray,
    /// Nothing that fits here; at the beginning of a statement, braces that are not closed.
    Wrong,
    /// A word with a meaning.
    Word(Word),
    /// A number.
    Number,
    /// The alias of a participant.
    Name(&'t str),
    /// An arrow.
    Arrow(Arrow),
    /// `:` and what follows it.
    Text(&'t str),
    /// The rest of a line: a label or a name for display.
    Rest(&'t str),
    /// What lies in `@{ … }`.
    Config(&'t str),
    /// `title` and the accessible title and description, with what they say.
    Said,
    Comma,
    Plus,
    Minus,
    /// `()`.
    Central,
}

/// Which rules hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Statement,
    Alias,
    Display,
    Line,
    Config,
}

/// Reads words and signs.
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    mode: Mode,
    /// The end of the text ends its last statement, once.
    ended: bool,
    /// Where the next `}` and `{` are, kept so that a text full of what is never closed is searched once.
    closing: Sought,
    opening: Sought,
}

impl<'t> Lexer<'t> {
    /// Reads `text` from `at`.
    pub fn new(text: &'t str, at: usize) -> Self {
        let [closing, opening] = ['}', '{'].map(|sign| Sought { sign, from: 0, found: None, looked: false });
        Self { text, at, mode: Mode::Statement, ended: false, closing, opening }
    }

    /// The next one.
    pub fn next(&mut self) -> Token<'t> {
        loop {
            let at = self.at;
            if at == self.text.len() {
                let kind = if std::mem::replace(&mut self.ended, true) { Kind::Nothing } else { Kind::End };
                return Token { kind, at };
            }
            let found = match self.mode {
                Mode::Statement => self.statement(),
                Mode::Alias => self.alias(),
                Mode::Display => self.display(),
                Mode::Line => self.line(),
                Mode::Config => Some(self.config()),
            };
            if let Some(kind) = found {
                return Token { kind, at };
            }
        }
    }

    /// Looks at the next one without taking it.
    pub fn peek(&mut self) -> Token<'t> {
        let (at, mode, ended) = (self.at, self.mode, self.ended);
        let token = self.next();
        (self.at, self.mode, self.ended) = (at, mode, ended);
        token
    }

    /// Goes on behind the line, or the `;`, that ends what stands at `at`.
    pub fn skip_statement(&mut self, at: usize) {
        self.mode = Mode::Statement;
        self.at = match seek(&self.text[at..], |c| matches!(c, '\n' | ';')) {
            Some(end) => at + end + 1,
            None => self.text.len(),
        };
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Takes `length` bytes.
    fn take(&mut self, length: usize) -> &'t str {
        let taken = &self.rest()[..length];
        self.at += length;
        taken
    }

    fn skip(&mut self, length: usize) -> Option<Kind<'t>> {
        self.at += length;
        None
    }

    fn statement(&mut self) -> Option<Kind<'t>> {
        let rest = self.rest();
        let mut chars = rest.chars();
        let (first, then) = (chars.next().unwrap_or('\n'), chars.as_str());
        let line = |text: &str| run(text, |c| c != '\n');
        match first {
            '\n' => {
                self.take(run(rest, |c| c == '\n'));
                return Some(Kind::End);
            }
            _ if is_space(first) => return self.skip(run(rest, is_space)),
            '#' => return self.skip(line(rest)),
            '%' if !then.starts_with('{') => return self.skip(line(rest)),
            _ if first != '}' && first.len_utf16() == 1 && then.starts_with("%%") => return self.skip(line(rest)),
            '0'..='9' | '.' => {
                if let Some(length) = number(rest) {
                    self.take(length);
                    return Some(Kind::Number);
                }
            }
            'a'..='z' | 'A'..='Z' => {
                if let Some(kind) = self.word() {
                    return Some(kind);
                }
            }
            ',' | ';' => {
                self.take(1);
                return Some(if first == ',' { Kind::Comma } else { Kind::End });
            }
            _ => {}
        }
        let name = name(rest);
        if name > 0 {
            return Some(Kind::Name(trim(self.take(name))));
        }
        if let Some((sign, arrow)) = ARROWS.iter().find(|(sign, _)| begins(rest, sign)) {
            self.take(sign.len());
            return Some(Kind::Arrow(*arrow));
        }
        if first == ':' {
            let length = 1 + run(&rest[1..], |c| !matches!(c, '#' | '\n' | ';'));
            return Some(Kind::Text(&self.take(length)[1..]));
        }
        let (kind, length) = match first {
            '+' => (Kind::Plus, 1),
            '-' => (Kind::Minus, 1),
            '(' if then.starts_with(')') => (Kind::Central, 2),
            _ => (Kind::Stray, first.len_utf8()),
        };
        self.take(length);
        Some(kind)
    }

    /// A word with a meaning, if there is one here.
    fn word(&mut self) -> Option<Kind<'t>> {
        let rest = self.rest();
        if let Some((word, length)) = word(rest) {
            self.take(length);
            self.mode = match word {
                word if word.precedes_an_alias() => Mode::Alias,
                word if word.precedes_a_label() => Mode::Line,
                _ => Mode::Statement,
            };
            return Some(Kind::Word(word));
        }
        let word = letters(rest);
        let after = &rest[word.len()..];
        let (kind, length) = match &*word.to_ascii_lowercase() {
            "sequencediagram" => (Kind::Header, 0),
            "title" => (Kind::Said, title(after)?),
            "accdescr" if begins_block(after) => {
                self.accessible_block(after).map_or((Kind::Wrong, 0), |block| (Kind::Said, block))
            }
            "acctitle" | "accdescr" => (Kind::Said, accessible_line(after)?),
            _ => return None,
        };
        self.take(word.len() + length);
        Some(kind)
    }

    /// The length of `{ … }` over several lines.
    fn accessible_block(&mut self, text: &str) -> Option<usize> {
        let from = self.text.len() - text.len();
        let close = self.closing.next_in(self.text, from)?;
        Some(close + 1 - from)
    }

    fn alias(&mut self) -> Option<Kind<'t>> {
        let rest = self.rest();
        let blank = run(rest, |c| is_space(c) && c != '\n');
        if blank > 0 {
            return self.skip(blank);
        }
        if rest.starts_with('#') {
            return self.skip(run(rest, |c| c != '\n'));
        }
        if rest.starts_with("@{") {
            self.mode = Mode::Config;
            return self.skip(2);
        }
        let apart = |c: char| matches!(c, '<' | '>' | ':' | '\n' | ',' | ';' | '@');
        let word = run(rest, |c| !apart(c) && !is_space(c));
        let after = &rest[word..];
        let blank = run(after, is_space);
        let then = &after[blank..];
        if word > 0 && then.starts_with("@{") {
            return Some(Kind::Name(self.take(word)));
        }
        if word > 0 && blank > 0 && begins(then, "as") && then[2..].starts_with(is_space) {
            self.mode = Mode::Display;
            return Some(Kind::Name(self.take(word)));
        }
        let line = run(rest, |c| !apart(c));
        let ends = rest[line..].chars().next().is_none_or(|c| matches!(c, '\n' | ';'));
        let line = if ends { line } else { rest[..line].rfind('#').unwrap_or(0) };
        self.mode = Mode::Statement;
        if line > 0 {
            return Some(Kind::Name(trim(self.take(line))));
        }
        self.take(run(rest, |c| c != '\n'));
        Some(Kind::Wrong)
    }

    /// After an alias that a name for display follows.
    fn display(&mut self) -> Option<Kind<'t>> {
        let rest = self.rest();
        let blank = run(rest, |c| is_space(c) && c != '\n');
        if blank > 0 {
            return self.skip(blank);
        }
        if begins(rest, "as") && !rest[2..].starts_with(is_word) {
            self.take(2);
            self.mode = Mode::Line;
            return Some(Kind::Word(Word::As));
        }
        self.mode = Mode::Statement;
        Some(Kind::End)
    }

    fn line(&mut self) -> Option<Kind<'t>> {
        let rest = self.rest();
        let blank = run(rest, |c| is_space(c) && c != '\n');
        if blank > 0 {
            return self.skip(blank);
        }
        if rest.starts_with('#') {
            return self.skip(run(rest, |c| c != '\n'));
        }
        self.mode = Mode::Statement;
        Some(Kind::Rest(self.take(run(rest, |c| !matches!(c, '#' | '\n' | ';')))))
    }

    /// What lies between `@{` and `}`. On another line, `}` closes only what it can have been meant for.
    fn config(&mut self) -> Kind<'t> {
        self.mode = Mode::Statement;
        let close = self.closing.next_in(self.text, self.at);
        let open = self.opening.next_in(self.text, self.at);
        let Some(close) = close.filter(|close| {
            open.is_none_or(|open| open > *close) || seek(&self.text[self.at..*close], |c| c == '\n').is_none()
        }) else {
            return Kind::Wrong;
        };
        let config = self.take(close - self.at);
        self.take(1);
        if config.is_empty() {
            return Kind::Wrong;
        }
        let rest = self.rest();
        let blank = run(rest, is_space);
        let then = &rest[blank..];
        if blank > 0 && begins(then, "as") && then[2..].starts_with(is_space) {
            self.mode = Mode::Display;
        }
        Kind::Config(config)
    }
}

/// The next of some sign, looked for once for all places before it.
struct Sought {
    sign: char,
    from: usize,
    found: Option<usize>,
    looked: bool,
}

impl Sought {
    fn next_in(&mut self, text: &str, at: usize) -> Option<usize> {
        let known = self.looked && self.from <= at && self.found.is_none_or(|found| at <= found);
        if !known {
            *self = Self {
                from: at,
                found: seek(&text[at..], |c| c == self.sign).map(|found| at + found),
                looked: true,
                ..*self
            };
        }
        self.found
    }
}
