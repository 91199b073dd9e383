//! Where a list goes on. What is below a database comes from several of the provider's lists, so our cursors hold more
//! than its own: they are opaque to clients, and what is in them is checked as anything that comes from outside.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::{Deserialize, Serialize};

/// Longest cursor, in characters.
const LONGEST: usize = 4_000;

/// Where a list goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cursor {
    /// In the content of a page.
    #[serde(rename = "p")]
    Page(String),
    /// In the rows of a database: what is left of its data sources, and where the first of them goes on.
    #[serde(rename = "d")]
    Database(Vec<String>, Option<String>),
    /// In what is shared.
    #[serde(rename = "r")]
    Roots(String),
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
        let source = "1429989fe8ac4effbc8f57f56486db54".to_owned();
        for cursor in [
            Cursor::Page("x/y=".into()),
            Cursor::Database(vec![source.clone(), source.clone()], Some("c".into())),
            Cursor::Database(vec![source], None),
            Cursor::Roots(String::new()),
        ] {
            assert_eq!(Cursor::read(&cursor.write()), Some(cursor));
        }
        for bad in [
            Cursor::Database(Vec::new(), None).write(),
            Cursor::Database(vec!["../users/me".into()], None).write(),
            Cursor::Page("x".repeat(LONGEST)).write(),
            "x".into(),
            String::new(),
        ] {
            assert_eq!(Cursor::read(&bad), None, "{bad}");
        }
    }
}
