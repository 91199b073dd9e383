//! Tags of elements and relationships.

use super::lexer::Token;
use crate::text;

/// Maximum number of tags of an element or relationship.
const MAX_TAGS: usize = 100;

/// Splits tokens into tags at commas.
pub(super) fn tags(tokens: &[Token]) -> Vec<String> {
    let all = tokens.iter().flat_map(|token| text::list(&token.text)).take(MAX_TAGS);
    all.map(|tag| text::cut(&tag, 100)).collect()
}

/// Adds tags that are missing, up to the limit.
pub(super) fn add_tags(tags: &mut Vec<String>, added: &[String]) {
    for tag in added {
        if tags.len() < MAX_TAGS && !tags.contains(tag) {
            tags.push(tag.clone());
        }
    }
}
