//! Search words as expressions of FTS5.
//!
//! The index has a trigram for each position of each text, so a word of three or more characters is a phrase of its
//! trigrams. A shorter word is the alternative of all trigrams in the index that begin with it, unless there are too many.

use std::collections::HashMap;

use rusqlite::Connection;

use crate::{
    domain::{core::search::word_starts, map::store},
    error::Result,
};

/// Characters of a term of the index.
const TERM_CHARS: usize = 3;
/// Maximum number of terms of a short word. All texts in the index have fewer than this in most languages, but one user can
/// write texts with many more, and FTS5 reads the alternatives of an expression one by one for every document.
const MAX_TERMS: u32 = 2_000;
/// Columns of the texts that count more.
const MAJOR: &str = "{name words rest}";

/// The expressions of a query; none if nothing in the index can match it.
pub(super) struct Expressions {
    /// Whether words have too many terms. `all` is then without them, and none if there are no others.
    pub is_partial: bool,
    /// Every word, in any text.
    pub all: Option<String>,
    /// Every word, in any text but properties, and the texts of relationships other than their names.
    pub major: Option<String>,
    /// Every word, in the name.
    pub in_name: Option<String>,
    /// Every word, at the beginning of words of the name.
    pub starts: Option<String>,
}

impl Expressions {
    pub(super) fn of(conn: &Connection, words: &[String]) -> Result<Self> {
        let mut terms = Terms { conn, known: HashMap::new() };
        let mut bounded = Vec::with_capacity(words.len());
        for word in words {
            if !terms.has_too_many(word)? {
                bounded.push(word.clone());
            }
        }
        if bounded.len() < words.len() {
            let all = if bounded.is_empty() { None } else { terms.every(&bounded)? };
            let is_partial = bounded.is_empty() || all.is_some();
            return Ok(Self { is_partial, all, major: None, in_name: None, starts: None });
        }
        let every = terms.every(words)?;
        let starts: Vec<String> = words.iter().map(|word| word_starts(word)).collect();
        let starts = if starts.iter().any(String::is_empty) { None } else { terms.every(&starts)? };
        let within = |columns: &str, expression: &Option<String>| {
            expression.as_ref().map(|expression| format!("{columns} : ({expression})"))
        };
        Ok(Self {
            is_partial: false,
            major: within(MAJOR, &every),
            in_name: within("name", &every),
            starts: within("words", &starts),
            all: every,
        })
    }
}

struct Terms<'c> {
    conn: &'c Connection,
    known: HashMap<String, Option<String>>,
}

impl Terms<'_> {
    fn every(&mut self, texts: &[String]) -> Result<Option<String>> {
        let parts: Vec<Option<String>> = texts.iter().map(|text| self.containing(text)).collect::<Result<_>>()?;
        Ok(parts.into_iter().collect::<Option<Vec<_>>>().map(|parts| parts.join(" AND ")))
    }

    /// Whether too many terms begin with `text`, or with `text` at the beginning of a word.
    fn has_too_many(&self, text: &str) -> Result<bool> {
        let is_short = text.chars().count() < TERM_CHARS;
        Ok(is_short && store::search::terms(self.conn, text, MAX_TERMS + 1)?.len() > MAX_TERMS as usize)
    }

    /// An expression for texts that contain `text`; none if no indexed text does.
    fn containing(&mut self, text: &str) -> Result<Option<String>> {
        if text.chars().count() >= TERM_CHARS {
            return Ok(Some(quoted(text)));
        }
        if let Some(known) = self.known.get(text) {
            return Ok(known.clone());
        }
        let terms: Vec<String> =
            store::search::terms(self.conn, text, MAX_TERMS)?.iter().map(|term| quoted(term)).collect();
        let expression = if terms.is_empty() { None } else { Some(format!("({})", terms.join(" OR "))) };
        self.known.insert(text.to_owned(), expression.clone());
        Ok(expression)
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
