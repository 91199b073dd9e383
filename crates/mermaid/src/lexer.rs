//! The lexer, with the rules of mermaid's own lexer in the same order.
//!
//! The rules depend on the preceding token: after `loop` the rest of the line is a label, after `participant` an alias
//! follows. Surprising results, such as `-x` within a name, are those of mermaid.

use super::{
    arrow::{ARROWS, Arrow},
    keywords::{Keyword, letters, word},
    scan::{before_accessible_line, begins, begins_block, name, number, title},
    source::{is_space, is_word, run, seek, trim},
};

/// A token and its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'t> {
    /// What it is.
    pub kind: TokenKind<'t>,
    /// Byte offset of its first byte.
    pub at: usize,
}

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenKind<'t> {
    /// `sequenceDiagram`.
    Header,
    /// End of a line, or `;`.
    End,
    /// End of the text.
    Nothing,
    /// A character without meaning here. Mermaid skips it at the beginning of a statement.
    Stray,
    /// An invalid token; at the beginning of a statement, unclosed braces.
    Invalid,
    /// A keyword.
    Keyword(Keyword),
    /// A number.
    Number,
    /// A participant's alias.
    Name(&'t str),
    /// An arrow.
    Arrow(Arrow),
    /// `:` and the text after it.
    Text(&'t str),
    /// The rest of a line: a label or a display name.
    Rest(&'t str),
    /// The content of `@{ … }`.
    Config(&'t str),
    /// `title`, or the accessible title or description, including its text.
    Ignored,
    Comma,
    Plus,
    Minus,
    /// `()`.
    Central,
}

/// The active set of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Statement,
    Alias,
    Display,
    Line,
    Config,
}

/// Splits a text into tokens.
pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
    mode: Mode,
    /// Whether the end of the text has been reported as the end of the last statement.
    ended: bool,
    /// The positions of the next `}`, `{` and line feed, cached so that a text with many unclosed braces or with many invalid
    /// statements in one line is searched only once.
    closing: CharSearch,
    opening: CharSearch,
    line_feed: CharSearch,
}

impl<'t> Lexer<'t> {
    /// Starts at byte `at` of `text`.
    pub fn new(text: &'t str, at: usize) -> Self {
        let search = |sign| CharSearch { sign, from: 0, found: None, looked: false };
        let (closing, opening, line_feed) = (search('}'), search('{'), search('\n'));
        Self { text, at, mode: Mode::Statement, ended: false, closing, opening, line_feed }
    }

    /// The next token.
    pub fn next(&mut self) -> Token<'t> {
        loop {
            let at = self.at;
            if at == self.text.len() {
                let kind = if std::mem::replace(&mut self.ended, true) { TokenKind::Nothing } else { TokenKind::End };
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

    /// Returns the next token without consuming it.
    pub fn peek(&mut self) -> Token<'t> {
        let (at, mode, ended) = (self.at, self.mode, self.ended);
        let token = self.next();
        (self.at, self.mode, self.ended) = (at, mode, ended);
        token
    }

    /// Continues after the line break or `;` that ends the statement at `at`.
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

    /// Consumes `length` bytes.
    fn take(&mut self, length: usize) -> &'t str {
        let taken = &self.rest()[..length];
        self.at += length;
        taken
    }

    fn skip(&mut self, length: usize) -> Option<TokenKind<'t>> {
        self.at += length;
        None
    }

    fn statement(&mut self) -> Option<TokenKind<'t>> {
        let rest = self.rest();
        let mut chars = rest.chars();
        let (first, then) = (chars.next().unwrap_or('\n'), chars.as_str());
        let line = |text: &str| run(text, |c| c != '\n');
        match first {
            '\n' => {
                self.take(run(rest, |c| c == '\n'));
                return Some(TokenKind::End);
            }
            _ if is_space(first) => return self.skip(run(rest, is_space)),
            '#' => return self.skip(line(rest)),
            '%' if !then.starts_with('{') => return self.skip(line(rest)),
            _ if first != '}' && first.len_utf16() == 1 && then.starts_with("%%") => return self.skip(line(rest)),
            '0'..='9' | '.' => {
                if let Some(length) = number(rest) {
                    self.take(length);
                    return Some(TokenKind::Number);
                }
            }
            'a'..='z' | 'A'..='Z' => {
                if let Some(kind) = self.word() {
                    return Some(kind);
                }
            }
            ',' | ';' => {
                self.take(1);
                return Some(if first == ',' { TokenKind::Comma } else { TokenKind::End });
            }
            _ => {}
        }
        let name = name(rest);
        if name > 0 {
            return Some(TokenKind::Name(trim(self.take(name))));
        }
        if let Some((sign, arrow)) = ARROWS.iter().find(|(sign, _)| begins(rest, sign)) {
            self.take(sign.len());
            return Some(TokenKind::Arrow(*arrow));
        }
        if first == ':' {
            let length = 1 + run(&rest[1..], |c| !matches!(c, '#' | '\n' | ';'));
            return Some(TokenKind::Text(&self.take(length)[1..]));
        }
        let (kind, length) = match first {
            '+' => (TokenKind::Plus, 1),
            '-' => (TokenKind::Minus, 1),
            '(' if then.starts_with(')') => (TokenKind::Central, 2),
            _ => (TokenKind::Stray, first.len_utf8()),
        };
        self.take(length);
        Some(kind)
    }

    /// A keyword, if there is one here.
    fn word(&mut self) -> Option<TokenKind<'t>> {
        let rest = self.rest();
        if let Some((word, length)) = word(rest) {
            self.take(length);
            self.mode = match word {
                word if word.precedes_an_alias() => Mode::Alias,
                word if word.precedes_a_label() => Mode::Line,
                _ => Mode::Statement,
            };
            return Some(TokenKind::Keyword(word));
        }
        let word = letters(rest);
        let after = &rest[word.len()..];
        let (kind, length) = match &*word.to_ascii_lowercase() {
            "sequencediagram" => (TokenKind::Header, 0),
            "title" => (TokenKind::Ignored, title(after)?),
            "accdescr" if begins_block(after) => {
                self.accessible_block(after).map_or((TokenKind::Invalid, 0), |block| (TokenKind::Ignored, block))
            }
            "acctitle" | "accdescr" => (TokenKind::Ignored, self.accessible_line(after)?),
            _ => return None,
        };
        self.take(word.len() + length);
        Some(kind)
    }

    /// The length of a `{ … }` that may span several lines.
    fn accessible_block(&mut self, text: &str) -> Option<usize> {
        let from = self.text.len() - text.len();
        let close = self.closing.next_in(self.text, from)?;
        Some(close + 1 - from)
    }

    /// The length of `: …` up to the end of the line.
    fn accessible_line(&mut self, text: &str) -> Option<usize> {
        let from = self.text.len() - text.len();
        let begin = from + before_accessible_line(text)?;
        Some(self.line_feed.next_in(self.text, begin).unwrap_or(self.text.len()) - from)
    }

    fn alias(&mut self) -> Option<TokenKind<'t>> {
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
            return Some(TokenKind::Name(self.take(word)));
        }
        if word > 0 && blank > 0 && begins(then, "as") && then[2..].starts_with(is_space) {
            self.mode = Mode::Display;
            return Some(TokenKind::Name(self.take(word)));
        }
        let line = run(rest, |c| !apart(c));
        let ends = rest[line..].chars().next().is_none_or(|c| matches!(c, '\n' | ';'));
        let line = if ends { line } else { rest[..line].rfind('#').unwrap_or(0) };
        self.mode = Mode::Statement;
        if line > 0 {
            return Some(TokenKind::Name(trim(self.take(line))));
        }
        self.at = self.line_feed.next_in(self.text, self.at).unwrap_or(self.text.len());
        Some(TokenKind::Invalid)
    }

    /// Text after an alias that is followed by a display name.
    fn display(&mut self) -> Option<TokenKind<'t>> {
        let rest = self.rest();
        let blank = run(rest, |c| is_space(c) && c != '\n');
        if blank > 0 {
            return self.skip(blank);
        }
        if begins(rest, "as") && !rest[2..].starts_with(is_word) {
            self.take(2);
            self.mode = Mode::Line;
            return Some(TokenKind::Keyword(Keyword::As));
        }
        self.mode = Mode::Statement;
        Some(TokenKind::End)
    }

    fn line(&mut self) -> Option<TokenKind<'t>> {
        let rest = self.rest();
        let blank = run(rest, |c| is_space(c) && c != '\n');
        if blank > 0 {
            return self.skip(blank);
        }
        if rest.starts_with('#') {
            return self.skip(run(rest, |c| c != '\n'));
        }
        self.mode = Mode::Statement;
        Some(TokenKind::Rest(self.take(run(rest, |c| !matches!(c, '#' | '\n' | ';')))))
    }

    /// The content between `@{` and `}`. A `}` on another line is used only if no other `{` comes before it.
    fn config(&mut self) -> TokenKind<'t> {
        self.mode = Mode::Statement;
        let close = self.closing.next_in(self.text, self.at);
        let open = self.opening.next_in(self.text, self.at);
        let Some(close) = close.filter(|close| {
            open.is_none_or(|open| open > *close) || seek(&self.text[self.at..*close], |c| c == '\n').is_none()
        }) else {
            return TokenKind::Invalid;
        };
        let config = self.take(close - self.at);
        self.take(1);
        if config.is_empty() {
            return TokenKind::Invalid;
        }
        let rest = self.rest();
        let blank = run(rest, is_space);
        let then = &rest[blank..];
        if blank > 0 && begins(then, "as") && then[2..].starts_with(is_space) {
            self.mode = Mode::Display;
        }
        TokenKind::Config(config)
    }
}

/// The next occurrence of a character, cached for all positions before it.
struct CharSearch {
    sign: char,
    from: usize,
    found: Option<usize>,
    looked: bool,
}

impl CharSearch {
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
