//! Where a list goes on. What is below a database comes from several of the provider's lists, so our cursors hold more
//! than its own: they are opaque to clients, and what is in them is checked as anything that comes from outside.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};

/// How deep it is looked into toggles, columns and lists; what is deeper is left out.
pub(super) const DEPTH: usize = 8;
/// Longest cursor, in characters.
const LONGEST: usize = 4_000;

/// Where a list goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cursor {
    /// In the content of a page: the spot in it, then that in the block there, and so on downwards.
    #[serde(rename = "p")]
    Page(Vec<Spot>),
    /// In the rows of a database: what is left of its data sources, and where the first of them goes on.
    #[serde(rename = "d")]
    Database(Vec<String>, Option<String>),
    /// In what is shared.
    #[serde(rename = "r")]
    Roots(String),
}

/// Where reading the content of one block stopped.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(Option<String>, usize)", into = "(Option<String>, usize)")]
pub struct Spot {
    /// Cursor of the provider's part.
    pub from: Option<String>,
    /// How many blocks of that part are done with.
    pub index: usize,
}

impl From<(Option<String>, usize)> for Spot {
    fn from((from, index): (Option<String>, usize)) -> Self {
        Self { from, index }
    }
}

impl From<Spot> for (Option<String>, usize) {
    fn from(Spot { from, index }: Spot) -> Self {
        (from, index)
    }
}

impl Cursor {
    /// Reads one that was written.
    pub fn read(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let cursor: Self = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        match &cursor {
            // These become parts of addresses.
            Self::Database(sources, _) if sources.is_empty() || sources.iter().any(|id| super::id(id).is_none()) => {
                None
            }
            Self::Page(path) if path.is_empty() || path.len() > DEPTH + 1 => None,
            _ => Some(cursor),
        }
    }

    /// Writes it.
    pub fn write(&self) -> String {
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(self).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_as_it_was_and_nothing_else_does() {
        let spot = |from: &str, index| Spot { from: Some(from.into()), index };
        let source = "1429989fe8ac4effbc8f57f56486db54".to_owned();
        for cursor in [
            Cursor::Page(vec![spot("x/y=", 7), Spot::default()]),
            Cursor::Database(vec![source.clone(), source.clone()], Some("c".into())),
            Cursor::Database(vec![source], None),
            Cursor::Roots(String::new()),
        ] {
            assert_eq!(Cursor::read(&cursor.write()), Some(cursor));
        }
        for bad in [
            Cursor::Database(Vec::new(), None).write(),
            Cursor::Database(vec!["../users/me".into()], None).write(),
            Cursor::Page(vec![spot(&"x".repeat(LONGEST), 0)]).write(),
            Cursor::Page(Vec::new()).write(),
            Cursor::Page(vec![Spot::default(); DEPTH + 2]).write(),
            "x".into(),
            String::new(),
        ] {
            assert_eq!(Cursor::read(&bad), None, "{bad}");
        }
    }
}
