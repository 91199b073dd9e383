//! The order of results.

use std::cmp::Reverse;

use crate::{
    domain::core::{
        HitKind,
        search::{Document, folded, word_starts},
    },
    error::{Error, Problem, Result},
};

/// How well a result matches, from worst to best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Score {
    /// A relationship whose label does not have all words, because generated ids of relationships contain the ids of both
    /// components, which are found themselves; or a component that has some of the words only in its properties.
    Minor,
    /// Any other text has all words.
    Text,
    /// The name has all words.
    Name,
    /// Each word begins a word of the name.
    WordStarts,
    /// The name begins with the query.
    NameStart,
    /// The name or id is the query.
    Exact,
}

impl Score {
    const ALL: [Self; 6] = [Self::Minor, Self::Text, Self::Name, Self::WordStarts, Self::NameStart, Self::Exact];
}

/// Maximum length of a query, in characters.
pub const MAX_QUERY_CHARS: usize = 200;
/// Maximum number of words in a query.
pub const MAX_QUERY_WORDS: usize = 20;

/// The words of a query.
#[derive(Debug, Clone)]
pub struct Words {
    /// The query without white space at its ends: an id as it is.
    id: String,
    /// The words, in lowercase.
    pub(super) list: Vec<String>,
    /// All words, separated by single spaces.
    pub(super) whole: String,
}

impl Words {
    /// Reads the words of a query. `field` is the field that contains it.
    pub fn of(field: &'static str, query: &str) -> Result<Self> {
        let is_separator = |c: char| c.is_whitespace() || c.is_control();
        let words: Vec<String> = query.split(is_separator).filter(|word| !word.is_empty()).map(folded).collect();
        match (words.len(), query.chars().count()) {
            (0, _) => Err(Error::invalid(field, "must have a word to look for")),
            (_, actual) if actual > MAX_QUERY_CHARS => {
                Err(Error::invalid(field, Problem::Length { min: 1, max: MAX_QUERY_CHARS, actual }))
            }
            (1..=MAX_QUERY_WORDS, _) => Ok(Self { id: query.trim().to_owned(), whole: words.join(" "), list: words }),
            _ => Err(Error::invalid(field, format!("must have at most {MAX_QUERY_WORDS} words"))),
        }
    }

    /// A query of only one of the words.
    pub(super) fn only(word: &str) -> Self {
        Self { id: word.to_owned(), list: vec![word.to_owned()], whole: word.to_owned() }
    }

    /// The query, if it can be an id.
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// The score of a result, given that its texts have all words; `is_minor` if only with texts that count less. `name` is
    /// in lowercase.
    pub(super) fn score(&self, (kind, is_minor): (HitKind, bool), id: &str, name: &str) -> Score {
        let starts = word_starts(name);
        let is_start = |word: &String| {
            let word = word_starts(word);
            !word.is_empty() && starts.contains(&word)
        };
        match () {
            () if id == self.id || name == self.whole => Score::Exact,
            () if name.starts_with(&self.whole) => Score::NameStart,
            () if self.list.iter().all(is_start) => Score::WordStarts,
            () if self.list.iter().all(|word| name.contains(word)) => Score::Name,
            () if is_minor || kind == HitKind::Relationship => Score::Minor,
            () => Score::Text,
        }
    }
}

/// Sort key of a result: best first; equally good results by workspace, kind, and age. Pages are read by this key, so that
/// writes between two requests do not shift a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SortKey(Reverse<Score>, Document);

impl SortKey {
    pub(super) fn new(score: Score, document: Document) -> Self {
        Self(Reverse(score), document)
    }

    pub(super) fn score(&self) -> Score {
        self.0.0
    }

    pub(super) fn document(&self) -> Document {
        self.1
    }

    /// Parses a cursor created by [`SortKey::cursor`].
    pub fn from_cursor(cursor: &str) -> Result<Self> {
        let wrong = || {
            Error::invalid("cursor", "must be the `nextCursor` of the call before; leave it out to begin at the start")
        };
        let (score, document) = cursor.split_once('.').ok_or_else(wrong)?;
        let score = score.parse::<usize>().ok().and_then(|score| Score::ALL.get(score).copied()).ok_or_else(wrong)?;
        Ok(Self::new(score, Document(document.parse().map_err(|_| wrong())?)))
    }

    /// The sort key as a cursor.
    pub fn cursor(&self) -> String {
        let Self(Reverse(score), Document(document)) = self;
        format!("{}.{document}", *score as usize)
    }
}
