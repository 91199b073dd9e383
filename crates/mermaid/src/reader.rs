//! The statement parser. It implements mermaid's grammar and continues after errors.

use super::{
    arrow::Arrow,
    boxes::group_box,
    builder::{Declaration, DiagramBuilder},
    config::{Config, config, short},
    diagram::{Activation, BlockKind, Central, Diagram, Figure, MAX_ITEMS, Note, Placement, Step},
    keywords::Keyword,
    lexer::{Lexer, Token, TokenKind},
    source::Source,
    text,
};

/// A syntax error: its position and what is expected.
struct SyntaxError {
    at: usize,
    message: String,
}

type Result<T> = std::result::Result<T, SyntaxError>;

/// An open box or block, with the keyword of the block's further sections.
enum Open {
    Box,
    Block(Option<Keyword>),
}

/// Parses a text into a diagram.
pub(super) struct Reader<'t> {
    source: &'t Source,
    lexer: Lexer<'t>,
    builder: DiagramBuilder<'t>,
    /// Open boxes and blocks, with keyword and position.
    open: Vec<(Open, &'static str, usize)>,
}

impl<'t> Reader<'t> {
    /// Starts at byte `at`, after the header.
    pub fn new(source: &'t Source, at: usize, max_diagnostics: usize) -> Self {
        let (lexer, builder) = (Lexer::new(&source.text, at), DiagramBuilder::new(max_diagnostics));
        Self { source, lexer, builder, open: Vec::new() }
    }

    /// Parses the whole text.
    pub fn read(mut self) -> Diagram {
        loop {
            let token = self.lexer.next();
            if token.kind == TokenKind::Nothing {
                break;
            }
            if self.builder.is_full() {
                self.diagnose(
                    token.at,
                    format!("parsing stops here, after {MAX_ITEMS} participants, messages and blocks"),
                );
                return self.builder.finish();
            }
            if let Err(wrong) = self.statement(token) {
                self.diagnose(wrong.at, wrong.message);
                self.lexer.skip_statement(wrong.at);
            }
        }
        for (_, word, at) in std::mem::take(&mut self.open) {
            self.diagnose(at, format!("this `{word}` is not closed; `end` is missing"));
        }
        self.builder.finish()
    }

    fn diagnose(&mut self, at: usize, message: impl Into<String>) {
        self.builder.diagnose(self.source.place(at), message);
    }

    fn statement(&mut self, first: Token<'t>) -> Result<()> {
        let at = first.at;
        let in_box = matches!(self.open.last(), Some((Open::Box, ..)));
        let word = match first.kind {
            TokenKind::End => return Ok(()),
            TokenKind::Stray if !in_box => return Ok(()),
            TokenKind::Keyword(word) => Some(word),
            _ => None,
        };
        let fits = matches!(word, Some(Keyword::Participant | Keyword::Actor | Keyword::Destroy | Keyword::End));
        if in_box && !fits {
            // The statement is parsed nevertheless.
            self.diagnose(at, "only participants are allowed in a box; close it with `end`");
        }
        match (word, first.kind) {
            (_, TokenKind::Ignored) => Ok(()),
            (None, TokenKind::Name(name)) => self.message(name, at),
            (Some(Keyword::Participant | Keyword::Actor), _) => self.participant(first, at, false),
            (Some(Keyword::Create), _) => {
                let next = self.lexer.next();
                match next.kind {
                    TokenKind::Keyword(Keyword::Participant | Keyword::Actor) => self.participant(next, at, true),
                    _ => Err(syntax_error(next, "`create` must be followed by `participant` or `actor`")),
                }
            }
            (Some(Keyword::Destroy), _) => {
                let name = self.alias()?;
                self.end()?;
                self.builder.destroy(name);
                Ok(())
            }
            (Some(Keyword::Activate), _) => {
                let name = self.alias()?;
                self.end()?;
                self.builder.activate(name);
                Ok(())
            }
            (Some(Keyword::Deactivate), _) => {
                let name = self.alias()?;
                self.end()?;
                self.builder.deactivate(name, self.source.place(at));
                Ok(())
            }
            (Some(Keyword::Note), _) => self.note(at),
            (Some(Keyword::AutoNumber), _) => self.autonumber(),
            (Some(Keyword::Link), _)
                if !matches!(self.lexer.peek().kind, TokenKind::Name(_) | TokenKind::Keyword(Keyword::Link)) =>
            {
                self.message(&self.source.text[at..at + "link".len()], at)
            }
            (Some(Keyword::Links | Keyword::Link | Keyword::Properties | Keyword::Details), _) => {
                let (name, at) = self.name()?;
                self.text()?;
                self.end()?;
                self.builder.participant(name, Declaration::default(), self.source.place(at));
                Ok(())
            }
            (Some(word), _) => self.block(word, at),
            (None, TokenKind::Arrow(_)) => {
                Err(syntax_error(first, "an arrow needs a participant before it, as in `A->>B: text`"))
            }
            (None, TokenKind::Invalid) => Err(syntax_error(first, "`accDescr {` is not closed; `}` is missing")),
            _ => Err(syntax_error(first, "this is not a statement")),
        }
    }

    /// Keywords that begin, divide and end blocks and boxes.
    fn block(&mut self, word: Keyword, at: usize) -> Result<()> {
        let (kind, name, sections) = match word {
            Keyword::Loop => (BlockKind::Loop, "loop", None),
            Keyword::Rect => (BlockKind::Rect, "rect", None),
            Keyword::Opt => (BlockKind::Opt, "opt", None),
            Keyword::Break => (BlockKind::Break, "break", None),
            Keyword::Alt => (BlockKind::Alt, "alt", Some(Keyword::Else)),
            Keyword::Par => (BlockKind::Par, "par", Some(Keyword::And)),
            Keyword::ParOver => (BlockKind::ParOver, "par_over", Some(Keyword::And)),
            Keyword::Critical => (BlockKind::Critical, "critical", Some(Keyword::Option)),
            Keyword::Else | Keyword::And | Keyword::Option => {
                self.section(word, at);
                return Ok(());
            }
            Keyword::Box => {
                let line = self.label();
                self.builder.open_box(group_box(line));
                self.open.push((Open::Box, "box", at));
                return Ok(());
            }
            Keyword::End => {
                self.close(at);
                return Ok(());
            }
            _ => return Err(SyntaxError { at, message: "this is not a statement".into() }),
        };
        let label = self.label();
        self.builder.open_block(kind, label, self.source.place(at));
        self.open.push((Open::Block(sections), name, at));
        Ok(())
    }

    /// `else`, `and` or `option`, if it divides the innermost block.
    fn section(&mut self, word: Keyword, at: usize) {
        let label = self.label();
        let (kind, own, whole) = match word {
            Keyword::Else => (BlockKind::Else, "else", "alt"),
            Keyword::And => (BlockKind::And, "and", "par"),
            _ => (BlockKind::Option, "option", "critical"),
        };
        match self.open.last() {
            Some((Open::Block(Some(parted)), ..)) if *parted == word => {
                self.builder.next_section(kind, label, self.source.place(at));
            }
            _ => self.diagnose(at, format!("`{own}` is only allowed in a block that starts with `{whole}`")),
        }
    }

    fn close(&mut self, at: usize) {
        match self.open.pop() {
            Some((Open::Box, ..)) => self.builder.close_box(),
            Some((Open::Block(_), ..)) => self.builder.close_block(),
            None => self.diagnose(at, "`end` without an open block or box"),
        }
    }

    /// `participant A`, `actor A as Ada`, `participant A@{ "type": "queue" } as Jobs`.
    fn participant(&mut self, word: Token<'t>, at: usize, create: bool) -> Result<()> {
        let figure = if word.kind == TokenKind::Keyword(Keyword::Actor) { Figure::Actor } else { Figure::Participant };
        let (alias, place) = (self.alias()?, self.source.place(at));
        let mut config_here = Config::default();
        let mut next = self.lexer.next();
        if let TokenKind::Config(text) = next.kind {
            match config(text) {
                Ok(read) => config_here = read,
                Err(message) => self.diagnose(next.at, message),
            }
            next = self.lexer.next();
        }
        let mut label = None;
        if next.kind == TokenKind::Keyword(Keyword::As) {
            label = Some(self.label());
            next = self.lexer.next();
        }
        let name = match (label, config_here.alias) {
            (Some(label), Some(other)) if text::unwrapped(label) == alias => Some(text::name(&other)),
            (Some(label), _) => Some(text::name(text::unwrapped(label))),
            (None, other) => other.as_deref().map(text::name),
        };
        let declaration = Declaration { figure: Some(config_here.figure.unwrap_or(figure)), name };
        if create {
            self.builder.create(alias, declaration, place);
        } else {
            self.builder.participant(alias, declaration, place);
        }
        match next.kind {
            TokenKind::End => Ok(()),
            TokenKind::Invalid => {
                Err(syntax_error(next, "`@{` is not closed or empty; write for example `@{ \"type\": \"database\" }`"))
            }
            _ => Err(syntax_error(next, "a participant can only be followed by `as` and a display name")),
        }
    }

    /// `A->>+B: text`; `source` has already been consumed.
    fn message(&mut self, source: &'t str, at: usize) -> Result<()> {
        let mut next = self.lexer.next();
        let from_circle = next.kind == TokenKind::Central;
        if from_circle {
            next = self.lexer.next();
        }
        let TokenKind::Arrow(arrow) = next.kind else {
            return Err(syntax_error(
                next,
                format!("an arrow is missing after `{}`, as in `A->>B: text`", short(source)),
            ));
        };
        let sign = self.lexer.peek();
        let (activation, to_circle) = match sign.kind {
            TokenKind::Plus => (Some(Activation::Begins), false),
            TokenKind::Minus => (Some(Activation::Ends), false),
            TokenKind::Central => (None, true),
            _ => (None, false),
        };
        if activation.is_some() && from_circle {
            self.diagnose(sign.at, "a message from `()` cannot start or end an activation");
        }
        if activation.is_some() || to_circle {
            self.lexer.next();
        }
        let (target, target_at) = self.name()?;
        let central = match (from_circle, to_circle) {
            (true, true) => Some(Central::Both),
            (true, false) => Some(Central::Source),
            (false, true) => Some(Central::Target),
            (false, false) => None,
        };
        // A message without a text is valid.
        let text = self.text();
        self.step((source, at), (target, target_at), arrow, (activation, central), text.as_ref().unwrap_or(&""));
        text?;
        self.end()
    }

    fn step(
        &mut self,
        (source, from): (&'t str, usize),
        (target, to): (&'t str, usize),
        arrow: Arrow,
        (activation, central): (Option<Activation>, Option<Central>),
        text: &str,
    ) {
        let place = self.source.place(from);
        let ends = [(source, from), (target, to)];
        let [from, to] =
            ends.map(|(name, at)| self.builder.participant(name, Declaration::default(), self.source.place(at)));
        let step = Step {
            line: place.line,
            source: from,
            target: to,
            arrow,
            text: text::message(text),
            activation,
            central,
            block: None,
        };
        self.builder.step((source, target), place, step);
    }

    /// `Note over A,B: text`.
    fn note(&mut self, at: usize) -> Result<()> {
        let side = self.lexer.next();
        let placement = match side.kind {
            TokenKind::Keyword(Keyword::LeftOf) => Placement::LeftOf,
            TokenKind::Keyword(Keyword::RightOf) => Placement::RightOf,
            TokenKind::Keyword(Keyword::Over) => Placement::Over,
            _ => return Err(syntax_error(side, "`Note` must be followed by `left of`, `right of` or `over`")),
        };
        let mut names = vec![self.name()?];
        if placement == Placement::Over && self.lexer.peek().kind == TokenKind::Comma {
            self.lexer.next();
            names.push(self.name()?);
        }
        let text = self.text()?;
        self.end()?;
        let place = |at| self.source.place(at);
        let about =
            names.into_iter().map(|(name, at)| self.builder.participant(name, Declaration::default(), place(at)));
        let mut about: Vec<usize> = about.collect();
        about.dedup();
        let line = place(at).line;
        self.builder.note(Note { line, placement, about, text: text::message(text), after: 0, block: None });
        Ok(())
    }

    /// `autonumber`, `autonumber off`, `autonumber 10 5`.
    fn autonumber(&mut self) -> Result<()> {
        let mut next = self.lexer.next();
        if next.kind == TokenKind::Keyword(Keyword::Off) {
            next = self.lexer.next();
        } else {
            for _ in 0..2 {
                if next.kind == TokenKind::Number {
                    next = self.lexer.next();
                }
            }
        }
        match next.kind {
            TokenKind::End => Ok(()),
            _ => Err(syntax_error(next, "`autonumber` can be followed by `off`, or by a start and a step")),
        }
    }

    /// The rest of a line.
    fn label(&mut self) -> &'t str {
        match self.lexer.next().kind {
            TokenKind::Rest(label) => label,
            _ => "",
        }
    }

    /// An alias that must follow a keyword.
    fn alias(&mut self) -> Result<&'t str> {
        let token = self.lexer.next();
        match token.kind {
            TokenKind::Name(name) => Ok(name),
            _ => {
                Err(syntax_error(token, "an alias is missing here; it cannot contain `<`, `>`, `:`, `,`, `;` and `@`"))
            }
        }
    }

    /// The participant of a message or note, and its position.
    fn name(&mut self) -> Result<(&'t str, usize)> {
        let token = self.lexer.next();
        match token.kind {
            TokenKind::Name(name) => Ok((name, token.at)),
            TokenKind::Keyword(Keyword::Link) => Ok((&self.source.text[token.at..token.at + "link".len()], token.at)),
            TokenKind::Keyword(_) => Err(syntax_error(token, "this is a keyword and cannot be a participant here")),
            _ => Err(syntax_error(token, "a participant is missing here")),
        }
    }

    /// `: text`.
    fn text(&mut self) -> Result<&'t str> {
        let token = self.lexer.peek();
        match token.kind {
            TokenKind::Text(text) => {
                self.lexer.next();
                Ok(text)
            }
            _ => Err(syntax_error(token, "`:` and a text are missing here")),
        }
    }

    /// The end of a statement.
    fn end(&mut self) -> Result<()> {
        let token = self.lexer.next();
        match token.kind {
            TokenKind::End => Ok(()),
            _ => Err(syntax_error(token, "the statement should end here")),
        }
    }
}

fn syntax_error(token: Token<'_>, message: impl Into<String>) -> SyntaxError {
    SyntaxError { at: token.at, message: message.into() }
}
