//! Keywords, which are case-insensitive.

use super::{
    scan::begins,
    source::{is_space, is_word, run},
};

/// A keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    Box,
    Participant,
    Actor,
    Create,
    Destroy,
    As,
    Loop,
    Rect,
    Opt,
    Alt,
    Else,
    Par,
    ParOver,
    And,
    Critical,
    Option,
    Break,
    End,
    LeftOf,
    RightOf,
    Over,
    Note,
    Links,
    Link,
    Properties,
    Details,
    Activate,
    Deactivate,
    AutoNumber,
    Off,
}

/// Keywords that are recognized wherever a statement allows them.
const WORDS: &[(&str, Word)] = &[
    ("box", Word::Box),
    ("participant", Word::Participant),
    ("actor", Word::Actor),
    ("create", Word::Create),
    ("destroy", Word::Destroy),
    ("loop", Word::Loop),
    ("rect", Word::Rect),
    ("opt", Word::Opt),
    ("alt", Word::Alt),
    ("else", Word::Else),
    ("par", Word::Par),
    ("par_over", Word::ParOver),
    ("and", Word::And),
    ("critical", Word::Critical),
    ("option", Word::Option),
    ("break", Word::Break),
    ("end", Word::End),
    ("over", Word::Over),
    ("note", Word::Note),
    ("activate", Word::Activate),
    ("deactivate", Word::Deactivate),
    ("autonumber", Word::AutoNumber),
    ("off", Word::Off),
];

/// Keywords that are recognized only before a name.
const BEFORE_A_NAME: &[(&str, Word)] =
    &[("links", Word::Links), ("link", Word::Link), ("properties", Word::Properties), ("details", Word::Details)];

/// The length of the longest keyword.
const LONGEST: usize = "sequenceDiagram".len();

impl Word {
    /// Whether an alias follows that extends to the end of the line.
    pub fn precedes_an_alias(self) -> bool {
        matches!(self, Self::Participant | Self::Actor | Self::Destroy | Self::Activate | Self::Deactivate)
    }

    /// Whether the rest of the line is a label.
    pub fn precedes_a_label(self) -> bool {
        let opens = matches!(self, Self::Box | Self::Loop | Self::Rect | Self::Opt | Self::Alt | Self::Break);
        opens || matches!(self, Self::Else | Self::Par | Self::ParOver | Self::And | Self::Critical | Self::Option)
    }
}

/// The letters, digits and underscores at the beginning of `text`, up to the maximum length of a keyword.
pub(super) fn letters(text: &str) -> &str {
    &text[..text.bytes().take(LONGEST + 1).take_while(|byte| is_word(char::from(*byte))).count()]
}

/// The keyword at the beginning of `text` and its length.
pub(super) fn word(text: &str) -> Option<(Word, usize)> {
    let word = letters(text);
    let after = &text[word.len()..];
    let among = |words: &[(&str, Word)]| {
        words.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, meaning)| (*meaning, word.len()))
    };
    let of = |side: &str, meaning: Word| {
        let whole = word.eq_ignore_ascii_case(side) && begins(after, " of") && !after[3..].starts_with(is_word);
        whole.then_some((meaning, word.len() + 3))
    };
    let named = || {
        let blank = run(after, |c| matches!(c, ' ' | '\t'));
        blank > 0 && after[blank..].starts_with(|c| !is_space(c) && !"/\\+()<>:,;-".contains(c))
    };
    among(WORDS)
        .or_else(|| among(BEFORE_A_NAME).filter(|_| named()))
        .or_else(|| of("left", Word::LeftOf))
        .or_else(|| of("right", Word::RightOf))
}
