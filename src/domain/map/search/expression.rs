//! Search words as expressions of FTS5.
//!
//! The index has a trigram for each position of each text, so a word of three or more characters is a phrase of its
//! trigrams. A shorter word is the alternative of all trigrams in the index that begin with it.

use std::collections::HashMap;

use rusqlite::Connection;

use crate::{
    domain::{core::search::word_starts, map::store},
    error::Result,
};

/// Characters of a term of the index.
const TERM_CHARS: usize = 3;
/// Columns of everything but relationships that their name does not match.
const MAJOR: &str = "{name words rest}";

/// The expressions of a query; none if nothing in the index can match it.
pub(super) struct Expressions {
    /// Every word, in any text.
    pub all: Option<String>,
    /// Every word, in any text that is not a text of a relationship other than its name.
    pub major: Option<String>,
    /// Every word, in the name.
    pub in_name: Option<String>,
    /// Every word, at the beginning of words of the name.
    pub starts: Option<String>,
}

impl Expressions {
    pub(super) fn of(conn: &Connection, words: &[String]) -> Result<Self> {
        let mut terms = Terms { conn, known: HashMap::new() };
        let every = terms.every(words)?;
        let starts: Vec<String> = words.iter().map(|word| word_starts(word)).collect();
        let starts = if starts.iter().any(String::is_empty) { None } else { terms.every(&starts)? };
        let within = |columns: &str, expression: &Option<String>| {
            expression.as_ref().map(|expression| format!("{columns} : ({expression})"))
        };
        Ok(Self {
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

    /// An expression for texts that contain `text`; none if no indexed text does.
    fn containing(&mut self, text: &str) -> Result<Option<String>> {
        if text.chars().count() >= TERM_CHARS {
            return Ok(Some(quoted(text)));
        }
        if let Some(known) = self.known.get(text) {
            return Ok(known.clone());
        }
        let terms: Vec<String> = store::search::terms(self.conn, text)?.iter().map(|term| quoted(term)).collect();
        let expression = if terms.is_empty() { None } else { Some(format!("({})", terms.join(" OR "))) };
        self.known.insert(text.to_owned(), expression.clone());
        Ok(expression)
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
