//! The size of tool results. A result has its content twice: as text, which a model reads, and as structured content.

use std::io;

use serde::Serialize;
use serde_json::{Serializer, ser::Formatter};

use super::escape::is_hidden;

/// Maximum size of the text of a tool result in bytes: clients truncate results at 25,000 tokens.
pub const MAX_BYTES: usize = 40 << 10;
/// Maximum size of a whole tool result in bytes.
pub const MAX_WHOLE_BYTES: usize = 128 << 10;
/// Bytes of a result reserved for the protocol.
const PROTOCOL_BYTES: usize = 200;
/// Bytes of a result reserved for the fields around the items of a page, such as the next cursor.
const PAGE_FIELDS_BYTES: usize = 500;
/// Bytes of an escaped backslash in addition to the backslash.
const ESCAPE_BYTES: usize = 6;

/// The bytes that a value takes as JSON with its hidden characters escaped: as such, and as a text in JSON.
#[derive(Debug, Clone, Copy, Default)]
pub struct Size {
    plain: usize,
    quoted: usize,
}

impl Size {
    /// The size of a value.
    pub fn of(value: &impl Serialize) -> Self {
        Self::counted(value, usize::MAX)
    }

    /// The size of a value, or a size above `limit`.
    fn counted(value: &impl Serialize, limit: usize) -> Self {
        let mut counter = Counter { size: Self::default(), limit };
        // The only error is that the limit is exceeded.
        drop(value.serialize(&mut Serializer::with_formatter(&mut counter, Escaping)));
        counter.size
    }

    /// The bytes of the text.
    pub fn plain(self) -> usize {
        self.plain
    }

    /// Whether a result with this text and structured content is small enough to be sent.
    pub fn fits(text: Self, structured: Self) -> bool {
        text.plain <= MAX_BYTES - PROTOCOL_BYTES && text.quoted + structured.plain <= MAX_WHOLE_BYTES - PROTOCOL_BYTES
    }
}

/// Whether a result with this text and the same structured content is small enough to be sent.
pub fn fits(value: &impl Serialize) -> bool {
    let size = Size::counted(value, MAX_BYTES);
    Size::fits(size, size)
}

/// The beginning of a text that takes at most `bytes` in a result.
pub fn beginning(text: impl Iterator<Item = char>, bytes: usize) -> String {
    let mut left = bytes;
    text.take_while(|c| {
        let size = Size::of(c).plain - 2;
        let fits = size <= left;
        left = left.saturating_sub(size);
        fits
    })
    .collect()
}

/// Counts bytes without storing them. Stops beyond the limit.
struct Counter {
    size: Size,
    limit: usize,
}

impl io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let escapes = memchr::memchr2_iter(b'"', b'\\', bytes).count();
        self.size.plain += bytes.len();
        self.size.quoted += bytes.len() + escapes;
        if self.size.plain > self.limit { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes hidden characters with the bytes of their escapes, and backslashes with those of theirs, which few need.
struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        if fragment.is_ascii() {
            return writer.write_all(fragment.as_bytes());
        }
        for c in fragment.chars() {
            if is_hidden(c) {
                write!(writer, "\\\\u{{{:x}}}", u32::from(c))?;
            } else {
                writer.write_all(c.encode_utf8(&mut [0; 4]).as_bytes())?;
            }
        }
        Ok(())
    }

    // Properties are stored as JSON.
    fn write_raw_fragment<W: ?Sized + io::Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        self.write_string_fragment(writer, fragment)?;
        writer.write_all(&[b'x'; ESCAPE_BYTES].repeat(fragment.matches("\\\\u{").count()))
    }

    fn write_char_escape<W: ?Sized + io::Write>(
        &mut self,
        writer: &mut W,
        escape: serde_json::ser::CharEscape,
    ) -> io::Result<()> {
        if matches!(escape, serde_json::ser::CharEscape::ReverseSolidus) {
            writer.write_all(&[b'x'; ESCAPE_BYTES])?;
        }
        serde_json::ser::CompactFormatter.write_char_escape(writer, escape)
    }
}

/// The remaining bytes of a result.
#[derive(Debug)]
pub struct SpaceLeft {
    text: usize,
    whole: usize,
}

impl SpaceLeft {
    /// A result that contains only `head` so far.
    pub fn after(head: &impl Serialize) -> Self {
        let Size { plain, quoted } = Size::of(head);
        let reserved = PROTOCOL_BYTES + PAGE_FIELDS_BYTES;
        Self {
            text: (MAX_BYTES - reserved).saturating_sub(plain),
            whole: (MAX_WHOLE_BYTES - 3 * reserved).saturating_sub(plain + quoted),
        }
    }

    /// The remaining bytes of the text.
    pub fn bytes(&self) -> usize {
        self.text
    }

    /// Whether `value` fits.
    pub fn fits(&self, value: &impl Serialize) -> bool {
        let size = Size::of(value);
        self.fit(size, size)
    }

    fn fit(&self, text: Size, structured: Size) -> bool {
        text.plain < self.text && text.quoted + structured.plain + 1 < self.whole
    }

    /// Whether `value` fits. If it does, reduces the remaining bytes.
    pub fn take(&mut self, value: &impl Serialize) -> bool {
        let size = Size::of(value);
        self.take_sizes(size, size)
    }

    /// Whether an item fits that has another form in the text than in the structured content. If it does, reduces the
    /// remaining bytes.
    pub fn take_both(&mut self, text: &impl Serialize, structured: &impl Serialize) -> bool {
        self.take_sizes(Size::of(text), Size::of(structured))
    }

    fn take_sizes(&mut self, text: Size, structured: Size) -> bool {
        let fits = self.fit(text, structured);
        // After an item that does not fit, none does.
        (self.text, self.whole) =
            if fits { (self.text - text.plain - 1, self.whole - text.quoted - structured.plain - 2) } else { (0, 0) };
        fits
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::mcp::escape::escape;

    #[test]
    fn the_size_is_that_of_the_escaped_text() {
        for value in [
            json!("a\"b"),
            json!({ "a\u{200b}": ["\u{e0041}x\u{202e}", 1, null] }),
            json!("\u{ad}\u{34f}\u{feff}"),
            json!("日本 ✓"),
        ] {
            let mut escaped = value.clone();
            escape(&mut escaped);
            let text = escaped.to_string();
            let size = Size::of(&value);
            assert_eq!((size.plain, size.quoted), (text.len(), Value::String(text).to_string().len() - 2), "{value}");
        }
        let backslashes = json!("\\u{5c}");
        assert!(Size::of(&backslashes).plain >= json!("\\u{5c}u{5c}").to_string().len());
    }
}
