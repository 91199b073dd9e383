//! Arguments as models write them: a number as text, one item where a list is expected, a list as JSON text. What they
//! mean is unambiguous, so it is accepted; everything else stays as it is, and is rejected when it is parsed.

use serde_json::{Map, Number, Value};

/// Corrects arguments to what their schema expects.
pub(super) fn corrected(arguments: &mut Map<String, Value>, schema: &Map<String, Value>) {
    let Some(Value::Object(fields)) = schema.get("properties") else { return };
    for (name, value) in arguments {
        if let Some(schema) = fields.get(name) {
            correct(value, schema);
        }
    }
}

fn correct(value: &mut Value, schema: &Value) {
    // Of a nullable field, the schema of the value.
    let parts = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
    if let Some(schema) = parts.and_then(|parts| parts.iter().find(|part| part["type"] != "null")) {
        if !value.is_null() {
            correct(value, schema);
        }
        return;
    }
    let kind = schema["type"].as_str().unwrap_or_default();
    if let Value::String(text) = &*value
        && let Some(meant) = meant(text.trim(), kind)
    {
        *value = meant;
    }
    match (kind, &mut *value) {
        ("array", Value::Array(items)) => items.iter_mut().for_each(|item| correct(item, &schema["items"])),
        ("array", Value::Null) => {}
        ("array", single) => {
            correct(single, &schema["items"]);
            let single = single.take();
            *value = Value::Array(vec![single]);
        }
        ("object", Value::Object(fields)) => {
            if let Value::Object(schema) = schema {
                corrected(fields, schema);
            }
        }
        _ => {}
    }
}

/// What a text means where another type is expected.
fn meant(text: &str, kind: &str) -> Option<Value> {
    let begins = |mark: char| text.starts_with(mark);
    match kind {
        "integer" => text.parse::<i64>().ok().map(Value::from),
        "number" => text.parse::<f64>().ok().and_then(Number::from_f64).map(Value::Number),
        "boolean" => text.parse::<bool>().ok().map(Value::Bool),
        "array" if begins('[') => serde_json::from_str(text).ok().filter(Value::is_array),
        "array" | "object" if begins('{') => serde_json::from_str(text).ok().filter(Value::is_object),
        _ => None,
    }
}

/// A diagram without the fence of a Markdown code block.
pub(super) fn unfenced(text: &str) -> &str {
    let inner = text.trim().strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let Some((language, diagram)) = inner.and_then(|inner| inner.split_once('\n')) else { return text };
    if matches!(language.trim(), "" | "mermaid") { diagram.trim_end_matches([' ', '\n', '\r']) } else { text }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_unambiguous_is_corrected() {
        let schema = json!({ "properties": {
            "depth": { "type": "integer" },
            "width": { "oneOf": [{ "type": "number" }, { "type": "null" }] },
            "dryRun": { "type": "boolean" },
            "ids": { "type": "array", "items": { "type": "string" } },
            "components": { "type": "array", "items": { "type": "object", "properties": { "x": { "type": "number" } } } },
            "name": { "type": "string" },
            "properties": { "type": "object", "additionalProperties": true },
        } });
        let cases = [
            (json!({ "depth": " 2 " }), json!({ "depth": 2 })),
            (json!({ "depth": "two" }), json!({ "depth": "two" })),
            (json!({ "depth": "2.5" }), json!({ "depth": "2.5" })),
            (json!({ "width": "2.5" }), json!({ "width": 2.5 })),
            (json!({ "width": null, "ids": null }), json!({ "width": null, "ids": null })),
            (json!({ "dryRun": "true" }), json!({ "dryRun": true })),
            (json!({ "ids": "a" }), json!({ "ids": ["a"] })),
            (json!({ "ids": "[\"a\", \"b\"]" }), json!({ "ids": ["a", "b"] })),
            (json!({ "ids": "[a" }), json!({ "ids": ["[a"] })),
            (json!({ "components": { "x": "1" } }), json!({ "components": [{ "x": 1.0 }] })),
            (json!({ "components": "[{\"x\": \"1\"}]" }), json!({ "components": [{ "x": 1.0 }] })),
            (json!({ "components": "{\"x\": 1}" }), json!({ "components": [{ "x": 1 }] })),
            (json!({ "name": "[1]" }), json!({ "name": "[1]" })),
            (json!({ "properties": "{\"a\": \"1\"}" }), json!({ "properties": { "a": "1" } })),
            (json!({ "other": "1" }), json!({ "other": "1" })),
        ];
        for (mut given, expected) in cases {
            corrected(given.as_object_mut().unwrap(), schema.as_object().unwrap());
            assert_eq!(given, expected);
        }
    }

    #[test]
    fn a_fence_is_no_part_of_a_diagram() {
        let diagram = "sequenceDiagram\n  A->>B: go";
        for text in [format!("```mermaid\n{diagram}\n```"), format!("\n```\n{diagram}\n```\n"), diagram.into()] {
            assert_eq!(unfenced(&text), diagram);
        }
        assert_eq!(unfenced("```js\nx\n```"), "```js\nx\n```");
    }
}
