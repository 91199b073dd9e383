//! Random IDs, texts, numbers, properties and whole models.

use std::collections::HashSet;

use planroom::domain::catalogue::CATALOGUE;
use proptest::{
    prelude::*,
    sample::{Index, select},
};
use serde_json::{Map, Value, json};

/// IDs with all characters that have a meaning in paths and queries, and letters of many scripts.
pub fn id() -> impl Strategy<Value = String> {
    let strange = select(vec!['/', '+', '%', ' ', '"', '\'', '?', '#', '&', '=', '\\', ';', ':', '.', '<', '{', '}']);
    let letter = select(vec!['a', 'Z', '0', '-', '_', 'ß', 'ж', '漢', 'ع', 'é', '🚀', '\u{301}', '\u{200d}']);
    prop::collection::vec(prop_oneof![strange, letter], 1..10)
        .prop_map(|chars| chars.into_iter().collect::<String>().trim().to_owned())
        .prop_filter("no URL can name it", |id| !matches!(id.as_str(), "" | "." | ".."))
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), any::<String>(), "[a-zж漢🚀 \n\t\"\\\\]{1,20}"]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-zA-Z]{1,10}", "[ß漢🚀\"'<>&%]{1,10}"]
}

fn number() -> impl Strategy<Value = Value> {
    let float = prop::num::f64::NORMAL | prop::num::f64::ZERO | prop::num::f64::SUBNORMAL;
    prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        float.prop_map(Value::from),
        (-1e3..1e3_f64).prop_map(Value::from),
    ]
}

fn object(value: impl Strategy<Value = Value>) -> impl Strategy<Value = Map<String, Value>> {
    prop::collection::vec(("[a-zA-Zж🚀\" ]{0,4}", value), 0..5).prop_map(|entries| entries.into_iter().collect())
}

fn properties() -> impl Strategy<Value = Map<String, Value>> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number(),
        any::<String>().prop_map(Value::from)
    ];
    object(leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            object(inner).prop_map(Value::from)
        ]
    }))
}

fn component_type() -> impl Strategy<Value = &'static str> {
    select(CATALOGUE.component_types.iter().map(|known| known.id).collect::<Vec<_>>())
}

/// Any type but containment, which has additional rules.
fn relation_type() -> impl Strategy<Value = &'static str> {
    let plain = |id: &&str| *id != "contains";
    select(CATALOGUE.relation_types.iter().map(|known| known.id).filter(plain).collect::<Vec<_>>())
}

fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![-1e9..=1e9_f64, -1e3..1e3_f64, (-5_000..5_000_i32).prop_map(f64::from)]
}

fn keywords() -> impl Strategy<Value = Vec<String>> {
    prop::collection::hash_set("[a-zA-Zж漢🚀\"\\\\]{1,6}", 0..4).prop_map(|texts| texts.into_iter().collect())
}

/// The size, tags and technologies of a component.
fn component_fields() -> impl Strategy<Value = Value> {
    let size = || prop::option::of(prop_oneof![1.0..1e6_f64, Just(1.0), Just(1e6)]);
    (size(), size(), keywords(), keywords()).prop_map(|(width, height, tags, technology)| {
        json!({ "width": width, "height": height, "tags": tags, "technology": technology })
    })
}

/// The technologies and the line of a relationship.
fn relationship_fields() -> impl Strategy<Value = Value> {
    let via = prop::collection::vec((coordinate(), coordinate()), 0..4);
    let line = (any::<bool>(), via, prop::option::of(0.0..=1.0_f64)).prop_map(|(is_straight, via, position)| {
        let mut line = json!({ "shape": if is_straight { "straight" } else { "routed" }, "via": via });
        if let Some(position) = position {
            line["labelPosition"] = position.into();
        }
        line
    });
    (keywords(), prop::option::of(line))
        .prop_map(|(technology, line)| json!({ "technology": technology, "line": line }))
}

/// The model of a bulk, with every field that is read back.
#[derive(Debug, Clone)]
pub struct Model {
    pub workspace: Value,
    pub components: Vec<Value>,
    pub relationships: Vec<Value>,
}

impl Model {
    pub fn body(&self) -> Value {
        json!({ "workspace": self.workspace, "components": self.components, "relationships": self.relationships })
    }
}

/// A model with IDs from a small pool, so that two models can share some.
pub fn model() -> impl Strategy<Value = Model> {
    let some_id = || prop_oneof![2 => "[a-e]", 1 => id()];
    let component = (
        component_type(),
        name(),
        prop::option::of(text()),
        coordinate(),
        coordinate(),
        properties(),
        component_fields(),
    );
    let relationship = (
        any::<Index>(),
        any::<Index>(),
        relation_type(),
        prop::option::of(text()),
        properties(),
        relationship_fields(),
    );
    (
        (name(), prop::option::of(text()), properties()),
        prop::collection::vec((some_id(), component), 0..8),
        prop::collection::vec((some_id(), relationship), 0..8),
    )
        .prop_map(|((name, description, properties), components, relationships)| {
            let mut workspace = json!({ "name": name, "properties": properties });
            optional(&mut workspace, "description", description);
            let mut seen = HashSet::new();
            let components: Vec<Value> = components
                .into_iter()
                .filter(|(id, _)| seen.insert(id.clone()))
                .map(|(id, (type_id, name, description, x, y, properties, fields))| {
                    let mut row = json!({ "id": id, "typeId": type_id, "name": name, "x": x, "y": y,
                                          "properties": properties });
                    optional(&mut row, "description", description);
                    extend(&mut row, fields);
                    row
                })
                .collect();
            let mut seen = HashSet::new();
            let relationships = relationships
                .into_iter()
                .filter(|(id, _)| !components.is_empty() && seen.insert(id.clone()))
                .map(|(id, (source, target, type_id, label, properties, fields))| {
                    let end = |index: Index| index.get(&components)["id"].clone();
                    let mut row = json!({ "id": id, "sourceId": end(source), "targetId": end(target),
                                          "typeId": type_id, "properties": properties });
                    optional(&mut row, "label", label);
                    extend(&mut row, fields);
                    row
                })
                .collect();
            Model { workspace, components, relationships }
        })
}

fn optional(row: &mut Value, key: &str, text: Option<String>) {
    if let Some(text) = text {
        row[key] = text.into();
    }
}

fn extend(row: &mut Value, fields: Value) {
    if let (Value::Object(row), Value::Object(fields)) = (row, fields) {
        row.extend(fields);
    }
}
