//! Shortens text that comes from the input.

/// Limits the length of a part of a message. Paths and messages may repeat input, which can be megabytes long.
pub fn truncated(mut text: String) -> String {
    const MAX_LENGTH: usize = 300;
    if let Some((end, _)) = text.char_indices().nth(MAX_LENGTH) {
        text.truncate(end);
        text.push('…');
    }
    text
}
