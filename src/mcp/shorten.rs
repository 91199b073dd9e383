//! Shortens results that do not fit although pages are limited, for example because of a single long text. Shortened parts
//! are marked, so that neither a model nor its user mistakes them for the whole.

use serde_json::{Value, json};

use super::{escape::CUT, size::Size};

/// Parts smaller than this are not shortened.
const MIN_SHORTENED_BYTES: usize = 1_000;
/// Fields with content that users define, and that is written back as a whole.
const USER_DEFINED: [&str; 2] = ["properties", "participants"];

/// Shortens the longest parts of a result until it fits. Texts and values that users define become `{"$cut": length}`, with
/// their length in characters, items or fields; lists keep their first items, with their number in a field next to them,
/// as in `incomingCount`.
pub fn shorten_to_fit(value: &mut Value) {
    loop {
        let size = Size::of(value);
        if Size::fits(size, size) || !shorten(value, false) {
            return;
        }
        if let Value::Object(fields) = value {
            fields.insert("truncated".into(), Value::Bool(true));
        }
    }
}

/// Shortens the longest part. Returns whether there is one to shorten.
fn shorten(value: &mut Value, user_defined: bool) -> bool {
    match value {
        Value::Object(fields) => {
            let longest = fields.iter().map(|(name, field)| (Size::of(field).plain(), name.clone())).max();
            let Some((_, name)) = longest.filter(|(size, _)| *size > MIN_SHORTENED_BYTES) else { return false };
            let user_defined = user_defined || USER_DEFINED.contains(&name.as_str());
            let Some(field) = fields.get_mut(&name) else { return false };
            if let Some(count) = shorten_part(field, user_defined) {
                fields.entry(format!("{name}Count")).or_insert(count.into());
            }
            true
        }
        Value::Array(items) => {
            let longest = items.iter().enumerate().map(|(index, item)| (Size::of(item).plain(), index)).max();
            let Some((_, index)) = longest.filter(|(size, _)| *size > MIN_SHORTENED_BYTES) else { return false };
            // A list in a list has no name, so its number of items is not included; it is replaced as a whole.
            shorten_part(&mut items[index], true);
            true
        }
        _ => false,
    }
}

/// Shortens a part. Returns its number of items if it was a list whose first items are kept.
fn shorten_part(part: &mut Value, user_defined: bool) -> Option<usize> {
    match part {
        Value::Array(items) if !user_defined => {
            let whole = items.iter().map(|item| Size::of(item).plain()).sum::<usize>();
            let largest = items.iter().map(|item| Size::of(item).plain()).max().unwrap_or_default();
            if largest * 2 > whole
                && items
                    .iter_mut()
                    .any(|item| is_container(item) && Size::of(item).plain() == largest && shorten(item, false))
            {
                return None;
            }
            let count = items.len();
            items.truncate(count / 2);
            Some(count)
        }
        Value::Array(items) => {
            let cut = json!({ CUT: items.len() });
            *part = cut;
            None
        }
        Value::Object(fields) => {
            let cut = json!({ CUT: fields.len() });
            if !shorten(part, user_defined) {
                *part = cut;
            }
            None
        }
        Value::String(text) => {
            let cut = json!({ CUT: text.chars().count() });
            *part = cut;
            None
        }
        _ => None,
    }
}

fn is_container(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcp::{results::success, size::MAX_BYTES};

    fn sent(value: Value) -> Value {
        let result = success(value, false);
        let text = &result.content[0].as_text().unwrap().text;
        assert!(text.len() <= MAX_BYTES, "{}", text.len());
        let structured = result.structured_content.unwrap();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), structured);
        structured
    }

    #[test]
    fn long_values_are_cut_and_marked_with_their_length() {
        let long = "\"".repeat(70_000);
        let list: Vec<u32> = (0..20_000).collect();
        let result = sent(json!({ "id": "a", "components": [
            { "name": "A", "properties": { "deep": { "text": long, "short": 1 }, "list": list } },
        ] }));
        let expected = json!({ "id": "a", "components": [
            { "name": "A", "properties": { "deep": { "text": { "$cut": 70_000 }, "short": 1 }, "list": { "$cut": 20_000 } } },
        ], "truncated": true });
        assert_eq!(result, expected);
    }

    #[test]
    fn a_shortened_list_says_how_many_items_there_are() {
        let many: Vec<Value> = (0..9_000).map(|n| json!({ "id": n })).collect();
        let result = sent(json!({ "id": "a", "inner": { "many": many } }));
        assert_eq!((&result["inner"]["manyCount"], &result["truncated"]), (&json!(9_000), &json!(true)));
        assert!(result["inner"]["many"].as_array().unwrap().len() > 1_000);
        let fields: serde_json::Map<String, Value> = (0..9_000).map(|n| (format!("field{n}"), json!(n))).collect();
        assert_eq!(sent(json!({ "properties": fields }))["properties"], json!({ "$cut": 9_000 }));
    }
}
