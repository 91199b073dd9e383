//! Writes processes as Mermaid sequence diagrams.

use std::{collections::HashMap, fmt::Write as _};

/// Maximum length of a diagram, in bytes; that of a process.
pub(super) const MAX_BYTES: usize = 256 << 10;
/// Maximum number of steps, notes and blocks.
const MAX_EVENTS: usize = 5_000;
/// Maximum number of participants, so that the mapping to components stays within the limit of a process.
pub(super) const MAX_PARTICIPANTS: usize = 300;
/// Maximum length of a text, in characters.
const MAX_TEXT_CHARS: usize = 500;

/// A part of a process, in order. `P` refers to a participant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Event<P> {
    /// A message.
    Step {
        /// The sender.
        from: P,
        /// The receiver.
        to: P,
        /// The message.
        text: String,
        /// Whether it answers an earlier message.
        reply: bool,
    },
    /// A note over a participant.
    Note {
        /// The participant.
        over: P,
        /// The text.
        text: String,
    },
    /// The beginning of a block with its label.
    Begin(Block, String),
    /// The next section of the innermost block, with its label.
    Next(String),
    /// The end of the innermost block.
    End,
}

impl<P> Event<P> {
    /// The text or label; empty for `End`.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Step { text, .. } | Self::Note { text, .. } | Self::Begin(_, text) | Self::Next(text) => text,
            Self::End => "",
        }
    }
}

impl<P: Copy> Event<P> {
    /// The participants; none for blocks.
    pub(super) fn participants(&self) -> impl Iterator<Item = P> + use<P> {
        let [first, second] = match self {
            Self::Step { from, to, .. } => [Some(*from), Some(*to)],
            Self::Note { over, .. } => [Some(*over), None],
            _ => [None, None],
        };
        first.into_iter().chain(second)
    }
}

/// The type of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Block {
    /// Parallel sections.
    Par,
    /// Alternatives.
    Alt,
    /// An optional part.
    Opt,
    /// A repetition.
    Loop,
}

/// A written process.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Written<P> {
    /// The diagram.
    pub(super) mermaid: String,
    /// Participants by alias.
    pub(super) participants: Vec<(String, P)>,
    /// Number of steps.
    pub(super) steps: usize,
    /// Whether the end of the process did not fit.
    pub(super) is_cut: bool,
}

/// Writes a process. `name` is the name of a participant.
pub(super) fn write<P: Copy + Eq + std::hash::Hash>(events: &[Event<P>], name: impl Fn(P) -> String) -> Written<P> {
    let readable = write_with(events, &name, readable_alias);
    // A name can be a word that Mermaid reads in another way.
    let valid = mermaid::read(&readable.mermaid).is_ok_and(|diagram| {
        diagram.diagnostic_count == 0
            && diagram.steps.len() == readable.steps
            && diagram.participants.len() == readable.participants.len()
    });
    if valid { readable } else { write_with(events, &name, |_, number| format!("p{number}")) }
}

fn write_with<P: Copy + Eq + std::hash::Hash>(
    events: &[Event<P>],
    name: &impl Fn(P) -> String,
    alias: impl Fn(&str, usize) -> String,
) -> Written<P> {
    let (mut aliases, mut participants) = (HashMap::new(), Vec::new());
    let mut body = String::new();
    let mut open: Vec<Block> = Vec::new();
    let (mut steps, mut is_cut) = (0, false);
    let mut head = String::from("sequenceDiagram\n");
    for (number, event) in events.iter().enumerate() {
        let mut known = |participant: P| -> Option<String> {
            if let Some(alias) = aliases.get(&participant) {
                return Some(String::clone(alias));
            }
            if participants.len() == MAX_PARTICIPANTS {
                return None;
            }
            let name = name(participant);
            let mut new = alias(&name, participants.len() + 1);
            if participants.iter().any(|(taken, _)| *taken == new) {
                new = format!("{new}{}", participants.len() + 1);
            }
            let _ = writeln!(head, "  participant {new} as {}", escaped(&name));
            aliases.insert(participant, new.clone());
            participants.push((new.clone(), participant));
            Some(new)
        };
        let indent = |level: usize| "  ".repeat(level.min(20) + 1);
        let line = match event {
            Event::Step { from, to, text, reply } => known(*from).zip(known(*to)).map(|(from, to)| {
                steps += 1;
                let arrow = if *reply { "-->>" } else { "->>" };
                format!("{}{from}{arrow}{to}: {}", indent(open.len()), message(text))
            }),
            Event::Note { over, text } => {
                known(*over).map(|over| format!("{}Note over {over}: {}", indent(open.len()), message(text)))
            }
            Event::Begin(block, label) => {
                open.push(*block);
                Some(format!("{}{} {}", indent(open.len() - 1), block.word(), escaped(label)))
            }
            Event::Next(label) => match open.last() {
                Some(Block::Par) => Some(format!("{}and {}", indent(open.len() - 1), escaped(label))),
                Some(Block::Alt) => Some(format!("{}else {}", indent(open.len() - 1), escaped(label))),
                _ => continue,
            },
            Event::End => match open.pop() {
                Some(_) => Some(format!("{}end", indent(open.len()))),
                None => continue,
            },
        };
        let Some(line) = line else {
            is_cut = true;
            continue;
        };
        // Leaves room for the ends of the open blocks.
        if number >= MAX_EVENTS || head.len() + body.len() + line.len() + 64 * (open.len() + 1) > MAX_BYTES {
            // The line is not written: undo what it opened or counted.
            match event {
                Event::Begin(..) => drop(open.pop()),
                Event::Step { .. } => steps -= 1,
                Event::End => body.push_str("  end\n"),
                _ => {}
            }
            is_cut = true;
            break;
        }
        body.push_str(line.trim_end());
        body.push('\n');
    }
    for _ in open {
        body.push_str("  end\n");
    }
    Written { mermaid: head + &body, participants, steps, is_cut }
}

impl Block {
    fn word(self) -> &'static str {
        match self {
            Self::Par => "par",
            Self::Alt => "alt",
            Self::Opt => "opt",
            Self::Loop => "loop",
        }
    }
}

/// The words of a name without spaces, or `pN` if it has no usable ones.
fn readable_alias(name: &str, number: usize) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let alias: String = words
        .flat_map(|word| word[..1].to_uppercase().chars().chain(word[1..].chars()).collect::<Vec<_>>())
        .take(30)
        .collect();
    let usable = alias.len() > 1 && alias.starts_with(|c: char| c.is_ascii_alphabetic());
    if usable { alias } else { format!("p{number}") }
}

/// The text of a message; Mermaid requires one.
fn message(text: &str) -> String {
    let text = escaped(text);
    if text.is_empty() { "…".into() } else { text }
}

/// A text in which Mermaid finds no syntax.
fn escaped(text: &str) -> String {
    let text = super::text::cut(&super::text::one_line(text), MAX_TEXT_CHARS);
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_syntax(c) {
            let _ = write!(escaped, "#{};", u32::from(c));
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// Whether a character can have a meaning in Mermaid.
fn is_syntax(c: char) -> bool {
    matches!(c, '#' | ';' | '%' | '<' | '>' | '"' | '{' | '}' | '@' | ':')
}

/// The most memory that a text uses in a diagram, in bytes.
pub(super) fn written_bytes(text: &str) -> usize {
    text.len() + 4 * text.chars().filter(|c| is_syntax(*c)).count()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn step(from: usize, to: usize, text: &str) -> Event<usize> {
        Event::Step { from, to, text: text.into(), reply: false }
    }

    #[test]
    fn a_process_is_a_readable_diagram() {
        let names = ["Web shop", "Payments (v2)", "42"];
        let events = [
            Event::Begin(Block::Par, "at once".into()),
            step(0, 1, "charge #1; now"),
            Event::Next(String::new()),
            Event::Step { from: 1, to: 0, text: String::new(), reply: true },
            Event::End,
            Event::Note { over: 2, text: "done".into() },
        ];
        let written = write(&events, |at| names[at].into());
        let expected = "sequenceDiagram
  participant WebShop as Web shop
  participant PaymentsV2 as Payments (v2)
  participant p3 as 42
  par at once
    WebShop->>PaymentsV2: charge #35;1#59; now
  and
    PaymentsV2-->>WebShop: …
  end
  Note over p3: done
";
        assert_eq!((written.mermaid.as_str(), written.steps, written.is_cut), (expected, 2, false));
    }

    #[test]
    fn words_of_the_language_are_no_aliases() {
        for name in ["End", "Note", "Loop", "Participant", "As", "Par", "Title", "Activate", "Over"] {
            let written = write(&[step(0, 1, "x"), step(1, 0, "y")], |at| [name, "Other"][at].into());
            let diagram = mermaid::read(&written.mermaid).unwrap();
            assert_eq!((diagram.diagnostic_count, diagram.steps.len()), (0, 2), "{}", written.mermaid);
            assert_eq!(diagram.participants[0].name, name);
        }
    }

    #[test]
    fn large_processes_are_cut() {
        let many: Vec<_> = (0..6_000).map(|n| step(n % 2, 1, "text")).collect();
        let written = write(&many, |at| format!("P{at}"));
        assert_eq!((written.steps, written.is_cut), (MAX_EVENTS, true));
        let mut deep: Vec<_> = vec![Event::Begin(Block::Opt, "x".repeat(500)); 4_000];
        deep.push(step(0, 1, "x"));
        let written = write(&deep, |at| format!("P{at}"));
        assert!(written.is_cut && written.mermaid.len() <= MAX_BYTES, "{}", written.mermaid.len());
        assert_eq!(mermaid::read(&written.mermaid).unwrap().diagnostic_count, 0);
        let crowd: Vec<_> = (0..1_000).map(|n| step(n, n + 1, "x")).collect();
        assert_eq!(write(&crowd, |at| format!("P{at}")).participants.len(), MAX_PARTICIPANTS);
    }

    proptest! {
        #[test]
        fn any_texts_are_read_back(names in proptest::collection::vec("\\PC{0,20}", 1..5), texts in proptest::collection::vec("\\PC{0,30}", 1..6)) {
            let count = names.len();
            let events: Vec<_> = texts.iter().enumerate().map(|(n, text)| step(n % count, (n + 1) % count, text)).collect();
            let written = write(&events, |at| names[at].clone());
            let diagram = mermaid::read(&written.mermaid).unwrap();
            prop_assert_eq!(diagram.diagnostic_count, 0, "{}", written.mermaid);
            prop_assert_eq!(diagram.steps.len(), texts.len(), "{}", written.mermaid);
            prop_assert_eq!(diagram.participants.len(), written.participants.len());
        }
    }
}
