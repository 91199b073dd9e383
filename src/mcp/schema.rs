//! JSON Schemas of tool arguments, derived from the types that the REST API documents. Tools have no schemas of results:
//! they were a quarter of the tool list, and a model reads the result itself.
//!
//! The schemas have no references (some clients do not resolve them) and no type arrays (some clients reject them), and
//! they are short, because all tools are part of every conversation.

use std::{collections::HashMap, sync::Arc};

use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

use crate::{
    describe::{PartialSchema, ToSchema},
    domain::catalogue::FROM_CATALOGUE,
};

/// The schema of tool arguments. Unknown fields are not allowed.
pub fn arguments<T: ToSchema>() -> Arc<JsonObject> {
    Arc::new(schema_of::<T>())
}

/// Description of an id of the type catalogue.
const OF_CATALOGUE: &str = "From get_type_catalogue";
/// Descriptions that repeat the name of the argument. The instructions of the server explain `nextCursor`.
const REDUNDANT: [&str; 6] = [
    "Id of the workspace.",
    "Id.",
    "Name.",
    "Description.",
    "Id of the process.",
    "`nextCursor` of the previous call.",
];

/// Adds optional texts to a schema.
pub fn add_texts(schema: &mut Arc<JsonObject>, names: &[&str]) {
    if let Some(Value::Object(properties)) = Arc::make_mut(schema).get_mut("properties") {
        properties.extend(names.iter().map(|name| ((*name).to_owned(), json!({ "type": "string" }))));
    }
}

fn schema_of<T: ToSchema>() -> JsonObject {
    let mut named = Vec::new();
    T::schemas(&mut named);
    let named: HashMap<String, Value> =
        named.into_iter().map(|(name, schema)| (name, serde_json::to_value(schema).unwrap_or_default())).collect();
    let root = serde_json::to_value(<T as PartialSchema>::schema()).unwrap_or_default();
    match tidy(root, &named) {
        Value::Object(mut object) => {
            // The tool describes the purpose of the type.
            object.shift_remove("description");
            object.entry("properties").or_insert_with(|| json!({}));
            object.insert("additionalProperties".into(), Value::Bool(false));
            object
        }
        _ => JsonObject::new(),
    }
}

fn tidy(schema: Value, named: &HashMap<String, Value>) -> Value {
    let Value::Object(mut object) = schema else { return schema };
    if let Some(name) = object.get("$ref").and_then(Value::as_str) {
        let name = name.rsplit('/').next().unwrap_or_default();
        let mut target = tidy(named.get(name).cloned().unwrap_or_default(), named);
        if let (Some(text), Value::Object(target)) = (object.get("description"), &mut target) {
            target.insert("description".into(), text.clone());
        }
        return target;
    }
    if let Some(Value::Array(parts)) = object.shift_remove("allOf") {
        let mut whole = merged(parts.into_iter().map(|part| tidy(part, named)));
        if let Some(text) = object.shift_remove("description") {
            whole.insert("description".into(), text);
        }
        return Value::Object(whole);
    }
    if let Some(Value::Array(types)) = object.get("type").cloned() {
        object.shift_remove("type");
        let types = types.into_iter().map(|value_type| {
            let mut part = if value_type == "null" { Map::new() } else { object.clone() };
            part.shift_remove("description");
            part.insert("type".into(), value_type);
            Value::Object(part)
        });
        let types = types.map(|part| tidy(part, named)).collect::<Vec<_>>();
        let mut whole = Map::new();
        if let Some(text) = object.shift_remove("description") {
            whole.insert("description".into(), text);
        }
        whole.insert("anyOf".into(), types.into());
        return Value::Object(whole);
    }
    for key in ["properties", "additionalProperties", "items", "oneOf", "anyOf"] {
        let Some(inner) = object.get_mut(key) else { continue };
        *inner = match (key, inner.take()) {
            ("properties", Value::Object(fields)) => {
                fields.into_iter().map(|(name, field)| (name, tidy(field, named))).collect()
            }
            (_, Value::Array(parts)) => parts.into_iter().map(|part| tidy(part, named)).collect(),
            (_, schema) => tidy(schema, named),
        };
    }
    // A nullable object is described by its field.
    if let Some(Value::Array(parts)) = object.get_mut("oneOf")
        && parts.iter().any(|part| part["type"] == "null")
    {
        for part in parts {
            part.as_object_mut().and_then(|part| part.shift_remove("description"));
            terse(part);
        }
    }
    if object.contains_key("properties") {
        object.insert("additionalProperties".into(), Value::Bool(false));
    }
    // `int64` and similar formats do not help a model, and examples of a type do not describe the field.
    for key in ["format", "pattern", "examples"] {
        object.shift_remove(key);
    }
    if let Some(example) = object.shift_remove("example") {
        object.insert("examples".into(), json!([example]));
    }
    if object.contains_key(FROM_CATALOGUE) {
        object.insert("description".into(), OF_CATALOGUE.into());
    }
    let is_redundant = |text: &Value| text.as_str().is_some_and(|text| REDUNDANT.contains(&text));
    object.retain(|key, text| !(key.starts_with("x-") || key == "description" && is_redundant(text)));
    let limits = ["minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"];
    // Limits that calls rarely reach, and those that clients know, are not useful.
    let is_extreme = |limit: &Value| limit.as_f64().is_some_and(|limit| limit == 0.0 || limit.abs() >= 1e6);
    for name in limits {
        let is_usual = |limit: &Value| match name {
            "minLength" => *limit == 1,
            "maxLength" => limit.as_u64().is_some_and(|limit| limit >= MIN_TEXT_LENGTH),
            _ => false,
        };
        if object.get(name).is_some_and(|limit| is_extreme(limit) || is_usual(limit)) {
            object.shift_remove(name);
        }
    }
    // The list describes its items.
    let is_model = object.get("maxItems").and_then(Value::as_u64).is_some_and(|max| max >= MIN_MODEL_ITEMS);
    if let Some(Value::Object(items)) = object.get_mut("items") {
        items.shift_remove("description");
        if is_model && let Some(Value::Object(fields)) = items.get_mut("properties") {
            fields.values_mut().for_each(shorten);
        }
    }
    Value::Object(object)
}

/// Texts with this maximum length in characters, or a larger one, are not names or ids.
const MIN_TEXT_LENGTH: u64 = 2_000;

/// Lists with this maximum length, or a larger one, are whole models. Their items have the fields that upserts describe.
const MIN_MODEL_ITEMS: u64 = 1_000;

/// Removes what the schema of an upsert contains for the same field: its description and the ids of the type catalogue.
fn shorten(field: &mut Value) {
    if let Value::Object(object) = field {
        if object.get("description").is_some_and(|text| text == OF_CATALOGUE) {
            object.shift_remove("enum");
        } else {
            object.shift_remove("description");
        }
        object.shift_remove("examples");
        // A nullable object, whose fields the upsert describes.
        for part in object.get_mut("oneOf").and_then(Value::as_array_mut).into_iter().flatten() {
            if let Value::Object(part) = part {
                part.retain(|key, _| key != "properties" && key != "additionalProperties");
            }
        }
    }
    terse(field);
}

/// Removes the descriptions of result fields: the names are sufficient, and the tool describes the rest.
fn terse(field: &mut Value) {
    let Value::Object(object) = field else { return };
    for key in ["properties", "items", "anyOf", "oneOf"] {
        let inner: Vec<&mut Value> = match (key, object.get_mut(key)) {
            ("properties", Some(Value::Object(fields))) => fields.iter_mut().map(|(_, field)| field).collect(),
            (_, Some(Value::Array(parts))) => parts.iter_mut().collect(),
            (_, Some(schema)) => vec![schema],
            (_, None) => continue,
        };
        for schema in inner {
            if let Value::Object(object) = schema {
                object.shift_remove("description");
                object.shift_remove("required");
            }
            terse(schema);
        }
    }
}

/// Merges the parts of an `allOf` schema: objects contribute their fields, other parts their keywords.
fn merged(parts: impl Iterator<Item = Value>) -> Map<String, Value> {
    let (mut whole, mut properties, mut required) = (Map::new(), Map::new(), Vec::new());
    for part in parts {
        let Value::Object(mut part) = part else { continue };
        if let Some(Value::Object(fields)) = part.shift_remove("properties") {
            properties.extend(fields);
            // The description of a part does not describe the whole.
            part.shift_remove("description");
        }
        if let Some(Value::Array(names)) = part.shift_remove("required") {
            required.extend(names);
        }
        // The description of a field follows in a later part and takes precedence over the description of its type.
        for (key, value) in part {
            if key == "description" || !whole.contains_key(&key) {
                whole.insert(key, value);
            }
        }
    }
    if !properties.is_empty() {
        whole.insert("properties".into(), properties.into());
        whole.insert("required".into(), required.into());
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::map::{impact::Direction, stakeholders::Stakeholder};

    #[test]
    fn a_schema_has_no_references() {
        let schema = Value::Object(schema_of::<Stakeholder>());
        assert!(!schema.to_string().contains("$ref"), "{schema}");
        let person = &schema["properties"]["personId"]["anyOf"];
        assert_eq!((&person[0]["type"], &person[1]), (&json!("string"), &json!({ "type": "null" })));
        assert_eq!(schema["properties"]["revision"]["type"], "integer");
    }
    #[test]
    fn an_enumeration_is_not_an_object() {
        #[derive(ToSchema)]
        #[expect(dead_code, reason = "only its schema is used")]
        struct Arguments {
            /// The direction.
            #[schema(inline, nullable = false)]
            direction: Option<Direction>,
        }
        let direction = &Value::Object(schema_of::<Arguments>())["properties"]["direction"];
        let expected =
            json!({ "type": "string", "description": "The direction.", "enum": ["dependents", "dependencies"] });
        assert_eq!(*direction, expected);
    }
}
