//! Invisible and bidirectional characters in tool calls. A model reads them, but its user does not see them, so results
//! show them as the text `\u{…}`, and arguments with that text mean the characters.
//!
//! What would be read as an escape in a stored text has its backslash escaped, so that every text is restored.

use std::{borrow::Cow, fmt::Write as _};

use rmcp::model::JsonObject;
use serde_json::{Value, map::Entry};

use crate::error::{Error, FieldPath, Result};

/// The field of an object that stands for a value that did not fit into a result; its value is the original length.
pub const CUT: &str = "$cut";
/// The beginning of an escape.
const OPENING: &str = "\\u{";

/// Whether a character is shown as an escape.
pub fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' | '\u{e0100}'..='\u{e01ef}')
}

/// The character that the escape at the beginning of `text` means, and the length of the escape.
fn escaped_at(text: &str) -> Option<(char, usize)> {
    let (digits, _) = text.strip_prefix(OPENING)?.split_once('}')?;
    if digits.is_empty() || digits.len() > 6 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    (c == '\\' || is_hidden(c)).then_some((c, OPENING.len() + digits.len() + 1))
}

/// A text for a result.
pub fn escaped(text: &str) -> Cow<'_, str> {
    if (text.is_ascii() || !text.contains(is_hidden)) && !text.contains(OPENING) {
        return Cow::Borrowed(text);
    }
    let mut escaped_text = String::with_capacity(text.len() + 16);
    for (at, c) in text.char_indices() {
        if is_hidden(c) || (c == '\\' && escaped_at(&text[at..]).is_some()) {
            // Writing to a text cannot fail.
            let _ = write!(escaped_text, "{OPENING}{:x}}}", u32::from(c));
        } else {
            escaped_text.push(c);
        }
    }
    Cow::Owned(escaped_text)
}

/// The text of an argument with its escapes restored.
pub fn restored_text(text: &str) -> String {
    restored(text).into_owned()
}

fn restored(text: &str) -> Cow<'_, str> {
    if !text.contains(OPENING) {
        return Cow::Borrowed(text);
    }
    let (mut restored, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(OPENING) {
        restored.push_str(&rest[..at]);
        let (c, length) = escaped_at(&rest[at..]).unwrap_or(('\\', 1));
        restored.push(c);
        rest = &rest[at + length..];
    }
    restored.push_str(rest);
    Cow::Owned(restored)
}

/// Escapes all texts of a result, and the names of fields, which users choose in `properties`.
pub fn escape(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(escaped_text) = escaped(text) {
                *text = escaped_text;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(escape),
        Value::Object(fields) => {
            if fields.keys().any(|name| matches!(escaped(name), Cow::Owned(_))) {
                *fields =
                    std::mem::take(fields).into_iter().map(|(name, field)| (escaped(&name).into(), field)).collect();
            }
            fields.values_mut().for_each(escape);
        }
        _ => {}
    }
}

/// Arguments with the escapes of their texts restored. Values that a result has shortened are rejected, because writing them
/// would overwrite the original.
pub fn restore(arguments: JsonObject) -> Result<JsonObject> {
    let mut restored_arguments = JsonObject::new();
    for (name, mut value) in arguments {
        let name = restored(&name).into_owned();
        restore_value(&mut value).map_err(|error| error.within(name.as_str()))?;
        match restored_arguments.entry(name) {
            Entry::Vacant(place) => drop(place.insert(value)),
            Entry::Occupied(place) => {
                return Err(Error::invalid(place.key().as_str(), "is sent twice, once with an escaped name"));
            }
        }
    }
    Ok(restored_arguments)
}

fn restore_value(value: &mut Value) -> Result<()> {
    match value {
        Value::String(text) => {
            if let Cow::Owned(original) = restored(text) {
                *text = original;
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                restore_value(item).map_err(|error| error.within(FieldPath::default().index(index)))?;
            }
        }
        Value::Object(fields) if fields.len() == 1 && fields.contains_key(CUT) => {
            let why =
                "stands for a value that did not fit into a result; omit it to keep the value, or give a whole one";
            return Err(Error::invalid(CUT, why));
        }
        Value::Object(fields) => *fields = restore(std::mem::take(fields))?,
        _ => {}
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn hidden_characters_are_shown_and_other_texts_stay() {
        assert_eq!(escaped("a\u{200b}b\u{e0041}"), "a\\u{200b}b\\u{e0041}");
        assert_eq!(escaped("C:\\u{home} \\u{2713} ✓ é 日本"), "C:\\u{home} \\u{2713} ✓ é 日本");
        assert_eq!(escaped("\\u{200B}"), "\\u{5c}u{200B}", "a text that looks like an escape");
        assert_eq!(restored("\\u{5c}u{200B}"), "\\u{200B}");
    }

    #[test]
    fn a_cut_value_is_refused_with_its_place() {
        let ask = json!({ "components": [{ "id": "a", "properties": { "note": { "$cut": 30_000 } } }] });
        let error = restore(ask.as_object().unwrap().clone()).unwrap_err().to_string();
        assert!(error.starts_with("components[0].properties.note.$cut: stands for a value"), "{error}");
        let other = json!({ "a": { "$cut": 1, "b": 2 } });
        assert!(restore(other.as_object().unwrap().clone()).is_ok());
    }

    fn text() -> impl Strategy<Value = String> {
        let part = prop_oneof![
            Just("\\".to_owned()),
            Just("\\u{".to_owned()),
            Just("}".to_owned()),
            Just("5c".to_owned()),
            Just("200b".to_owned()),
            Just("\u{200b}".to_owned()),
            Just("\u{e0041}".to_owned()),
            Just("\u{202e}".to_owned()),
            Just("\u{feff}".to_owned()),
            Just("\\u{5c}".to_owned()),
            ".{0,3}",
        ];
        prop::collection::vec(part, 0..12).prop_map(|parts| parts.concat())
    }

    proptest! {
        #[test]
        fn every_text_is_shown_visibly_and_restored(text in text(), name in text()) {
            let mut escaped_text = json!({ "list": [{ name.as_str(): text }] });
            let stored = escaped_text.clone();
            escape(&mut escaped_text);
            prop_assert!(!escaped_text.to_string().contains(is_hidden));
            prop_assert_eq!(Value::Object(restore(escaped_text.as_object().unwrap().clone()).unwrap()), stored);
        }
    }
}
