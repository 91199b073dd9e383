//! The statement parser. It implements mermaid's grammar and continues after errors.

use super::{
    arrow::Arrow,
    boxes::group_box,
    config::{Config, config, short},
    diagram::{Activation, BlockKind, Central, Diagram, Figure, MOST, Note, Placement, Step},
    lexer::{Kind, Lexer, Token},
    shown,
    sketch::{Said, Sketch},
    source::Source,
    words::Word,
};

/// A syntax error: its position and what is expected.
struct Wrong {
    at: usize,
    message: String,
}

type Result<T> = std::result::Result<T, Wrong>;

/// An open box or block, with the keyword of the block's further sections.
enum Open {
    Box,
    Block(Option<Word>),
}

/// Parses a text into a diagram.
pub(super) struct Reader<'t> {
    source: &'t Source,
    lexer: Lexer<'t>,
    sketch: Sketch<'t>,
    /// Open boxes and blocks, with keyword and position.
    open: Vec<(Open, &'static str, usize)>,
}

impl<'t> Reader<'t> {
    /// Starts at byte `at`, after the header.
    pub fn new(source: &'t Source, at: usize) -> Self {
        Self { source, lexer: Lexer::new(&source.text, at), sketch: Sketch::default(), open: Vec::new() }
    }

    /// Parses the whole text.
    pub fn read(mut self) -> Diagram {
        loop {
            let token = self.lexer.next();
            if token.kind == Kind::Nothing {
                break;
            }
            if self.sketch.is_full() {
                self.diagnose(token.at, format!("reading ends here, after {MOST} participants, messages and blocks"));
                return self.sketch.finish();
            }
            if let Err(wrong) = self.statement(token) {
                self.diagnose(wrong.at, wrong.message);
                self.lexer.skip_statement(wrong.at);
            }
        }
        for (_, word, at) in std::mem::take(&mut self.open) {
            self.diagnose(at, format!("this `{word}` is not closed; `end` is missing"));
        }
        self.sketch.finish()
    }

    fn diagnose(&mut self, at: usize, message: impl Into<String>) {
        self.sketch.diagnose(self.source.place(at), message);
    }

    fn statement(&mut self, first: Token<'t>) -> Result<()> {
        let at = first.at;
        let in_box = matches!(self.open.last(), Some((Open::Box, ..)));
        let word = match first.kind {
            Kind::End => return Ok(()),
            Kind::Stray if !in_box => return Ok(()),
            Kind::Word(word) => Some(word),
            _ => None,
        };
        let fits = matches!(word, Some(Word::Participant | Word::Actor | Word::Destroy | Word::End));
        if in_box && !fits {
            // The statement is parsed nevertheless.
            self.diagnose(at, "only participants stand in a box; `end` closes it");
        }
        match (word, first.kind) {
            (_, Kind::Said) => Ok(()),
            (None, Kind::Name(name)) => self.message(name, at),
            (Some(Word::Participant | Word::Actor), _) => self.participant(first, at, false),
            (Some(Word::Create), _) => {
                let next = self.lexer.next();
                match next.kind {
                    Kind::Word(Word::Participant | Word::Actor) => self.participant(next, at, true),
                    _ => Err(wrong(next, "`create` is followed by `participant` or `actor`")),
                }
            }
            (Some(Word::Destroy), _) => {
                let name = self.alias()?;
                self.end()?;
                self.sketch.destroy(name);
                Ok(())
            }
            (Some(Word::Activate), _) => {
                let name = self.alias()?;
                self.end()?;
                self.sketch.activate(name);
                Ok(())
            }
            (Some(Word::Deactivate), _) => {
                let name = self.alias()?;
                self.end()?;
                self.sketch.deactivate(name, self.source.place(at));
                Ok(())
            }
            (Some(Word::Note), _) => self.note(at),
            (Some(Word::AutoNumber), _) => self.autonumber(),
            (Some(Word::Link), _) if !matches!(self.lexer.peek().kind, Kind::Name(_) | Kind::Word(Word::Link)) => {
                self.message(&self.source.text[at..at + "link".len()], at)
            }
            (Some(Word::Links | Word::Link | Word::Properties | Word::Details), _) => {
                let (name, at) = self.name()?;
                self.text()?;
                self.end()?;
                self.sketch.participant(name, Said::default(), self.source.place(at));
                Ok(())
            }
            (Some(word), _) => self.block(word, at),
            (None, Kind::Arrow(_)) => Err(wrong(first, "an arrow needs a participant before it, as in `A->>B: text`")),
            (None, Kind::Wrong) => Err(wrong(first, "`accDescr {` is not closed; `}` is missing")),
            _ => Err(wrong(first, "this begins no statement")),
        }
    }

    /// Keywords that begin, divide and end blocks and boxes.
    fn block(&mut self, word: Word, at: usize) -> Result<()> {
        let (kind, name, sections) = match word {
            Word::Loop => (BlockKind::Loop, "loop", None),
            Word::Rect => (BlockKind::Rect, "rect", None),
            Word::Opt => (BlockKind::Opt, "opt", None),
            Word::Break => (BlockKind::Break, "break", None),
            Word::Alt => (BlockKind::Alt, "alt", Some(Word::Else)),
            Word::Par => (BlockKind::Par, "par", Some(Word::And)),
            Word::ParOver => (BlockKind::ParOver, "par_over", Some(Word::And)),
            Word::Critical => (BlockKind::Critical, "critical", Some(Word::Option)),
            Word::Else | Word::And | Word::Option => {
                self.section(word, at);
                return Ok(());
            }
            Word::Box => {
                let line = self.label();
                self.sketch.open_box(group_box(line));
                self.open.push((Open::Box, "box", at));
                return Ok(());
            }
            Word::End => {
                self.close(at);
                return Ok(());
            }
            _ => return Err(Wrong { at, message: "this begins no statement".into() }),
        };
        let label = self.label();
        self.sketch.open_block(kind, label, self.source.place(at));
        self.open.push((Open::Block(sections), name, at));
        Ok(())
    }

    /// `else`, `and` or `option`, if it divides the innermost block.
    fn section(&mut self, word: Word, at: usize) {
        let label = self.label();
        let (kind, own, whole) = match word {
            Word::Else => (BlockKind::Else, "else", "alt"),
            Word::And => (BlockKind::And, "and", "par"),
            _ => (BlockKind::Option, "option", "critical"),
        };
        match self.open.last() {
            Some((Open::Block(Some(parted)), ..)) if *parted == word => {
                self.sketch.next_section(kind, label, self.source.place(at));
            }
            _ => self.diagnose(at, format!("`{own}` parts a block that began with `{whole}`, and this is none")),
        }
    }

    fn close(&mut self, at: usize) {
        match self.open.pop() {
            Some((Open::Box, ..)) => self.sketch.close_box(),
            Some((Open::Block(_), ..)) => self.sketch.close_block(),
            None => self.diagnose(at, "`end` closes a block or a box, and none is open here"),
        }
    }

    /// `participant A`, `actor A as Ada`, `participant A@{ "type": "queue" } as Jobs`.
    fn participant(&mut self, word: Token<'t>, at: usize, create: bool) -> Result<()> {
        let figure = if word.kind == Kind::Word(Word::Actor) { Figure::Actor } else { Figure::Participant };
        let (alias, place) = (self.alias()?, self.source.place(at));
        let mut config_here = Config::default();
        let mut next = self.lexer.next();
        if let Kind::Config(text) = next.kind {
            match config(text) {
                Ok(read) => config_here = read,
                Err(message) => self.diagnose(next.at, message),
            }
            next = self.lexer.next();
        }
        let mut label = None;
        if next.kind == Kind::Word(Word::As) {
            label = Some(self.label());
            next = self.lexer.next();
        }
        let name = match (label, config_here.alias) {
            (Some(label), Some(other)) if shown::unwrapped(label) == alias => Some(shown::name(&other)),
            (Some(label), _) => Some(shown::name(shown::unwrapped(label))),
            (None, other) => other.as_deref().map(shown::name),
        };
        let said = Said { figure: Some(config_here.figure.unwrap_or(figure)), name };
        if create {
            self.sketch.create(alias, said, place);
        } else {
            self.sketch.participant(alias, said, place);
        }
        match next.kind {
            Kind::End => Ok(()),
            Kind::Wrong => Err(wrong(next, "`@{` is not closed, or says nothing; `@{ \"type\": \"database\" }` would")),
            _ => Err(wrong(next, "after a participant, only `as` and its name for display can follow")),
        }
    }

    /// `A->>+B: text`; `source` has already been consumed.
    fn message(&mut self, source: &'t str, at: usize) -> Result<()> {
        let mut next = self.lexer.next();
        let from_circle = next.kind == Kind::Central;
        if from_circle {
            next = self.lexer.next();
        }
        let Kind::Arrow(arrow) = next.kind else {
            return Err(wrong(next, format!("an arrow is missing after `{}`, as in `A->>B: text`", short(source))));
        };
        let sign = self.lexer.peek();
        let (activation, to_circle) = match sign.kind {
            Kind::Plus => (Some(Activation::Begins), false),
            Kind::Minus => (Some(Activation::Ends), false),
            Kind::Central => (None, true),
            _ => (None, false),
        };
        if activation.is_some() && from_circle {
            self.diagnose(sign.at, "a message from `()` can neither begin nor end an activation");
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
        let [from, to] = ends.map(|(name, at)| self.sketch.participant(name, Said::default(), self.source.place(at)));
        let step = Step {
            line: place.line,
            source: from,
            target: to,
            arrow,
            text: shown::message(text),
            activation,
            central,
            block: None,
        };
        self.sketch.step((source, target), place, step);
    }

    /// `Note over A,B: text`.
    fn note(&mut self, at: usize) -> Result<()> {
        let side = self.lexer.next();
        let placement = match side.kind {
            Kind::Word(Word::LeftOf) => Placement::LeftOf,
            Kind::Word(Word::RightOf) => Placement::RightOf,
            Kind::Word(Word::Over) => Placement::Over,
            _ => return Err(wrong(side, "`Note` is followed by `left of`, `right of` or `over`")),
        };
        let mut names = vec![self.name()?];
        if placement == Placement::Over && self.lexer.peek().kind == Kind::Comma {
            self.lexer.next();
            names.push(self.name()?);
        }
        let text = self.text()?;
        self.end()?;
        let place = |at| self.source.place(at);
        let about = names.into_iter().map(|(name, at)| self.sketch.participant(name, Said::default(), place(at)));
        let mut about: Vec<usize> = about.collect();
        about.dedup();
        let line = place(at).line;
        self.sketch.note(Note { line, placement, about, text: shown::message(text), after: 0, block: None });
        Ok(())
    }

    /// `autonumber`, `autonumber off`, `autonumber 10 5`.
    fn autonumber(&mut self) -> Result<()> {
        let mut next = self.lexer.next();
        if next.kind == Kind::Word(Word::Off) {
            next = self.lexer.next();
        } else {
            for _ in 0..2 {
                if next.kind == Kind::Number {
                    next = self.lexer.next();
                }
            }
        }
        match next.kind {
            Kind::End => Ok(()),
            _ => Err(wrong(next, "`autonumber` is followed by nothing, by `off`, or by a start and a step")),
        }
    }

    /// The rest of a line.
    fn label(&mut self) -> &'t str {
        match self.lexer.next().kind {
            Kind::Rest(label) => label,
            _ => "",
        }
    }

    /// An alias that must follow a keyword.
    fn alias(&mut self) -> Result<&'t str> {
        let token = self.lexer.next();
        match token.kind {
            Kind::Name(name) => Ok(name),
            _ => Err(wrong(token, "an alias must follow, without `<`, `>`, `:`, `,`, `;` and `@`")),
        }
    }

    /// The participant of a message or note, and its position.
    fn name(&mut self) -> Result<(&'t str, usize)> {
        let token = self.lexer.next();
        match token.kind {
            Kind::Name(name) => Ok((name, token.at)),
            Kind::Word(Word::Link) => Ok((&self.source.text[token.at..token.at + "link".len()], token.at)),
            Kind::Word(_) => Err(wrong(token, "this word has a meaning of its own and cannot be a participant here")),
            _ => Err(wrong(token, "a participant is missing here")),
        }
    }

    /// `: text`.
    fn text(&mut self) -> Result<&'t str> {
        let token = self.lexer.peek();
        match token.kind {
            Kind::Text(text) => {
                self.lexer.next();
                Ok(text)
            }
            _ => Err(wrong(token, "`:` and a text are missing here")),
        }
    }

    /// The end of a statement.
    fn end(&mut self) -> Result<()> {
        let token = self.lexer.next();
        match token.kind {
            Kind::End => Ok(()),
            _ => Err(wrong(token, "the statement should end here")),
        }
    }
}

fn wrong(token: Token<'_>, message: impl Into<String>) -> Wrong {
    Wrong { at: token.at, message: message.into() }
}
