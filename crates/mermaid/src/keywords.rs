//! Keywords, which are case-insensitive.

use super::{
    scan::begins,
    source::{is_space, is_word, run},
};

/// A keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keyword {
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
const KEYWORDS: &[(&str, Keyword)] = &[
    ("box", Keyword::Box),
    ("participant", Keyword::Participant),
    ("actor", Keyword::Actor),
    ("create", Keyword::Create),
    ("destroy", Keyword::Destroy),
    ("loop", Keyword::Loop),
    ("rect", Keyword::Rect),
    ("opt", Keyword::Opt),
    ("alt", Keyword::Alt),
    ("else", Keyword::Else),
    ("par", Keyword::Par),
    ("par_over", Keyword::ParOver),
    ("and", Keyword::And),
    ("critical", Keyword::Critical),
    ("option", Keyword::Option),
    ("break", Keyword::Break),
    ("end", Keyword::End),
    ("over", Keyword::Over),
    ("note", Keyword::Note),
    ("activate", Keyword::Activate),
    ("deactivate", Keyword::Deactivate),
    ("autonumber", Keyword::AutoNumber),
    ("off", Keyword::Off),
];

/// Keywords that are recognized only before a name.
const BEFORE_A_NAME: &[(&str, Keyword)] = &[
    ("links", Keyword::Links),
    ("link", Keyword::Link),
    ("properties", Keyword::Properties),
    ("details", Keyword::Details),
];

/// The length of the longest keyword.
const MAX_KEYWORD_LENGTH: usize = "sequenceDiagram".len();

impl Keyword {
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
    &text[..text.bytes().take(MAX_KEYWORD_LENGTH + 1).take_while(|byte| is_word(char::from(*byte))).count()]
}

/// The keyword at the beginning of `text` and its length.
pub(super) fn word(text: &str) -> Option<(Keyword, usize)> {
    let word = letters(text);
    let after = &text[word.len()..];
    let among = |words: &[(&str, Keyword)]| {
        words.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)).map(|(_, meaning)| (*meaning, word.len()))
    };
    let of = |side: &str, meaning: Keyword| {
        let whole = word.eq_ignore_ascii_case(side) && begins(after, " of") && !after[3..].starts_with(is_word);
        whole.then_some((meaning, word.len() + 3))
    };
    let named = || {
        let blank = run(after, |c| matches!(c, ' ' | '\t'));
        blank > 0 && after[blank..].starts_with(|c| !is_space(c) && !"/\\+()<>:,;-".contains(c))
    };
    among(KEYWORDS)
        .or_else(|| among(BEFORE_A_NAME).filter(|_| named()))
        .or_else(|| of("left", Keyword::LeftOf))
        .or_else(|| of("right", Keyword::RightOf))
}
