//! Cursors of lists. The content of a database comes from several lists of the provider, so a cursor contains more than
//! the provider's own. Cursors are opaque to clients, and validated like all input.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};

/// Maximum nesting depth of toggles, columns and lists that are searched; deeper content is omitted.
pub(super) const MAX_DEPTH: usize = 8;
/// Maximum length of a cursor, in characters.
const MAX_LENGTH: usize = 4_000;

/// The position at which a list continues.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cursor {
    /// In the content of a page: the position in the page, then in the block at that position, and so on.
    #[serde(rename = "p")]
    Page(Vec<BlockPosition>),
    /// In the rows of a database: the remaining data sources, and the provider's cursor in the first of them.
    #[serde(rename = "d")]
    Database(Vec<String>, Option<String>),
    /// In the list of shared pages and databases.
    #[serde(rename = "r")]
    Roots(String),
}

/// The position in a block at which reading stopped.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(Option<String>, usize)", into = "(Option<String>, usize)")]
pub struct BlockPosition {
    /// The provider's cursor of the current part.
    pub from: Option<String>,
    /// Number of blocks in this part that have been processed.
    pub index: usize,
}

impl From<(Option<String>, usize)> for BlockPosition {
    fn from((from, index): (Option<String>, usize)) -> Self {
        Self { from, index }
    }
}

impl From<BlockPosition> for (Option<String>, usize) {
    fn from(BlockPosition { from, index }: BlockPosition) -> Self {
        (from, index)
    }
}

impl Cursor {
    /// Parses and validates a cursor.
    pub fn read(text: &str) -> Option<Self> {
        if text.len() > MAX_LENGTH {
            return None;
        }
        let cursor: Self = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(text).ok()?).ok()?;
        match &cursor {
            // The ids become path segments of URLs.
            Self::Database(sources, _) if sources.is_empty() || sources.iter().any(|id| super::id(id).is_none()) => {
                None
            }
            Self::Page(path) if path.is_empty() || path.len() > MAX_DEPTH + 1 => None,
            _ => Some(cursor),
        }
    }

    /// Encodes the cursor.
    pub fn write(&self) -> String {
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(self).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unmodified_cursors_are_accepted() {
        let spot = |from: &str, index| BlockPosition { from: Some(from.into()), index };
        let source = "1429989fe8ac4effbc8f57f56486db54".to_owned();
        for cursor in [
            Cursor::Page(vec![spot("x/y=", 7), BlockPosition::default()]),
            Cursor::Database(vec![source.clone(), source.clone()], Some("c".into())),
            Cursor::Database(vec![source], None),
            Cursor::Roots(String::new()),
        ] {
            assert_eq!(Cursor::read(&cursor.write()), Some(cursor));
        }
        for bad in [
            Cursor::Database(Vec::new(), None).write(),
            Cursor::Database(vec!["../users/me".into()], None).write(),
            Cursor::Page(vec![spot(&"x".repeat(MAX_LENGTH), 0)]).write(),
            Cursor::Page(Vec::new()).write(),
            Cursor::Page(vec![BlockPosition::default(); MAX_DEPTH + 2]).write(),
            "x".into(),
            String::new(),
        ] {
            assert_eq!(Cursor::read(&bad), None, "{bad}");
        }
    }
}
