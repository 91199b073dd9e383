//! Corrects unambiguous mistakes of models in arguments: a number as text, an item instead of a list, a list as JSON text.
//! Everything else is unchanged, and rejected by the parser.

use serde_json::{Map, Number, Value};

/// Corrects arguments to the types in their schema.
pub(super) fn correct_fields(arguments: &mut Map<String, Value>, schema: &Map<String, Value>) {
    let Some(Value::Object(fields)) = schema.get("properties") else { return };
    for (name, value) in arguments {
        if let Some(schema) = fields.get(name) {
            correct(value, schema);
        }
    }
}

fn correct(value: &mut Value, schema: &Value) {
    // The schema of a nullable field has the schema of the value as a part.
    let parts = schema["oneOf"].as_array().or(schema["anyOf"].as_array());
    if let Some(schema) = parts.and_then(|parts| parts.iter().find(|part| part["type"] != "null")) {
        if !value.is_null() {
            correct(value, schema);
        }
        return;
    }
    let kind = schema["type"].as_str().unwrap_or_default();
    if let Value::String(text) = &*value
        && let Some(parsed) = parsed(text.trim(), kind)
    {
        *value = parsed;
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
                correct_fields(fields, schema);
            }
        }
        _ => {}
    }
}

/// The value of a text where another type is expected.
fn parsed(text: &str, kind: &str) -> Option<Value> {
    match kind {
        "integer" => text.parse::<i64>().ok().map(Value::from),
        "number" => text.parse::<f64>().ok().and_then(Number::from_f64).map(Value::Number),
        "boolean" => text.parse::<bool>().ok().map(Value::Bool),
        "array" if text.starts_with('[') => serde_json::from_str(text).ok().filter(Value::is_array),
        "array" | "object" if text.starts_with('{') => serde_json::from_str(text).ok().filter(Value::is_object),
        _ => None,
    }
}

/// A diagram without the fence of a Markdown code block.
pub(super) fn without_fence(text: &str) -> &str {
    let inner = text.trim().strip_prefix("```").and_then(|rest| rest.strip_suffix("```"));
    let Some((language, diagram)) = inner.and_then(|inner| inner.split_once('\n')) else { return text };
    if matches!(language.trim(), "" | "mermaid") { diagram.trim_end_matches([' ', '\n', '\r']) } else { text }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn unambiguous_mistakes_are_corrected() {
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
        for (mut arguments, expected) in cases {
            correct_fields(arguments.as_object_mut().unwrap(), schema.as_object().unwrap());
            assert_eq!(arguments, expected);
        }
    }

    #[test]
    fn the_fence_of_a_diagram_is_removed() {
        let diagram = "sequenceDiagram\n  A->>B: go";
        for text in [format!("```mermaid\n{diagram}\n```"), format!("\n```\n{diagram}\n```\n"), diagram.into()] {
            assert_eq!(without_fence(&text), diagram);
        }
        assert_eq!(without_fence("```js\nx\n```"), "```js\nx\n```");
    }
}
