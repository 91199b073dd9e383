//! The fields of rows that a source can set: of a row in a source, and of a row on the map.

use serde_json::{Map, Value, json};

use super::model::{
    claims::Fields,
    reading::{ReadComponent, ReadProcess, ReadRelationship, ReadView},
    request::SyncKind,
};
use crate::{
    domain::{
        map::{
            components::Component,
            processes::Process,
            relationships::Relationship,
            views::{View, ViewDefinition},
        },
        values::{Keywords, Properties, Text},
    },
    error::{Error, Result},
};

/// Fields whose values a source sets.
type Change<'c> = (String, Option<&'c Value>);

const PROPERTY: &str = "properties.";
const LIFECYCLE: &str = "lifecycle";

fn keywords(keywords: &Keywords) -> Value {
    keywords.iter().map(Value::from).collect()
}

/// Adds properties, each as a field of its own.
fn add_properties(fields: &mut Fields, properties: Map<String, Value>) {
    for (name, value) in properties {
        if name == LIFECYCLE {
            fields.set(LIFECYCLE, value);
        } else {
            fields.set(format!("{PROPERTY}{name}"), value);
        }
    }
}

/// Whether rows of a kind have fields that a source and the map can change differently.
pub(super) fn can_conflict(kind: SyncKind) -> bool {
    !names(kind).is_empty()
}

/// Whether rows of a kind can have a field.
pub(super) fn is_field(kind: SyncKind, field: &str) -> bool {
    let has_properties = matches!(kind, SyncKind::Component | SyncKind::Relationship);
    names(kind).contains(&field)
        || (has_properties && field.strip_prefix(PROPERTY).is_some_and(|name| !name.is_empty()))
}

/// The fields of the rows of a kind, without their properties.
fn names(kind: SyncKind) -> &'static [&'static str] {
    match kind {
        SyncKind::Component => &["name", "type", "description", "parent", "technology", "tags", LIFECYCLE],
        SyncKind::Relationship => &["source", "target", "type", "label", "technology", LIFECYCLE],
        SyncKind::Process => &["name", "description", "mermaid", "participants"],
        SyncKind::View => &["name", "description", "components"],
        SyncKind::Stakeholder | SyncKind::Link => &[],
    }
}

/// The fields of a component in a source. `parent` is the id on the map of the component that contains it.
pub(super) fn of_read_component(row: &ReadComponent, parent: Option<&str>) -> Fields {
    let mut fields = Fields::default();
    fields.set("name", row.name.as_str());
    fields.set("type", row.type_id.as_str());
    fields.set("description", row.description.as_ref().map(Text::as_str));
    fields.set("parent", parent);
    fields.set("technology", keywords(&row.technology));
    fields.set("tags", keywords(&row.tags));
    add_properties(&mut fields, row.properties.as_ref().map(Properties::entries).unwrap_or_default());
    fields
}

/// An owner, as in the property `planroom.owner` of files.
pub(super) fn owner(person_id: Option<&str>, team_id: Option<&str>) -> Option<String> {
    person_id.map(|id| format!("person:{id}")).or_else(|| team_id.map(|id| format!("team:{id}")))
}

/// The fields of a component on the map.
pub(super) fn of_component(row: &Component, parent: Option<&str>) -> Fields {
    let mut fields = Fields::default();
    fields.set("name", row.name.as_str());
    fields.set("type", row.type_id.as_str());
    fields.set("description", row.description.as_deref());
    fields.set("parent", parent);
    fields.set("technology", keywords(&row.technology));
    fields.set("tags", keywords(&row.tags));
    add_properties(&mut fields, row.properties.entries());
    fields
}

/// The component with these changes. The field `parent` is a relationship and not changed here.
pub(super) fn changed_component(row: &Component, changes: &[Change<'_>]) -> Result<Component> {
    let mut after = row.clone();
    let mut properties = Map::new();
    for (field, value) in changes {
        match field.as_str() {
            "name" => after.name = required(*value)?,
            "type" => after.type_id = required(*value)?,
            "description" => after.description = Some(optional(*value)),
            "technology" => after.technology = list(*value)?,
            "tags" => after.tags = list(*value)?,
            LIFECYCLE => drop(properties.insert(LIFECYCLE.to_owned(), value.cloned().unwrap_or_default())),
            _ => add_change(&mut properties, field, *value),
        }
    }
    after.properties = merged(&row.properties, properties)?;
    Ok(after)
}

/// The fields of a relationship in a source, between components of the map.
pub(super) fn of_read_relationship(row: &ReadRelationship, ends: (&str, &str)) -> Fields {
    let mut fields = Fields::default();
    fields.set("source", ends.0);
    fields.set("target", ends.1);
    fields.set("type", row.type_id.as_str());
    fields.set("label", row.label.as_ref().map(Text::as_str));
    fields.set("technology", keywords(&row.technology));
    add_properties(&mut fields, row.properties.as_ref().map(Properties::entries).unwrap_or_default());
    fields
}

/// The fields of a relationship on the map.
pub(super) fn of_relationship(row: &Relationship) -> Fields {
    let mut fields = Fields::default();
    fields.set("source", row.source_id.as_str());
    fields.set("target", row.target_id.as_str());
    fields.set("type", row.type_id.as_str());
    fields.set("label", row.label.as_deref());
    fields.set("technology", keywords(&row.technology));
    add_properties(&mut fields, row.properties.entries());
    fields
}

/// The relationship with these changes.
pub(super) fn changed_relationship(row: &Relationship, changes: &[Change<'_>]) -> Result<Relationship> {
    let mut after = row.clone();
    let mut properties = Map::new();
    for (field, value) in changes {
        match field.as_str() {
            "source" => after.source_id = required(*value)?,
            "target" => after.target_id = required(*value)?,
            "type" => after.type_id = required(*value)?,
            "label" => after.label = Some(optional(*value)),
            "technology" => after.technology = list(*value)?,
            LIFECYCLE => drop(properties.insert(LIFECYCLE.to_owned(), value.cloned().unwrap_or_default())),
            _ => add_change(&mut properties, field, *value),
        }
    }
    after.properties = merged(&row.properties, properties)?;
    Ok(after)
}

/// The fields of a process in a source. `participants` contains ids of components of the map.
pub(super) fn of_read_process(row: &ReadProcess, participants: Map<String, Value>) -> Fields {
    let mut fields = Fields::default();
    fields.set("name", row.name.as_str());
    fields.set("description", row.description.as_ref().map(Text::as_str));
    fields.set("mermaid", row.mermaid.as_str());
    fields.set("participants", Value::Object(participants));
    fields
}

/// The fields of a process on the map.
pub(super) fn of_process(row: &Process) -> Fields {
    let mut fields = Fields::default();
    fields.set("name", row.name.as_str());
    fields.set("description", row.description.as_deref());
    fields.set("mermaid", row.mermaid.as_str());
    fields.set("participants", Value::Object(row.participants.entries()));
    fields
}

/// The process with these changes.
pub(super) fn changed_process(row: &Process, changes: &[Change<'_>]) -> Result<Process> {
    let mut after = row.clone();
    for (field, value) in changes {
        match field.as_str() {
            "name" => after.name = required(*value)?,
            "description" => after.description = Some(optional(*value)),
            "mermaid" => after.mermaid = required(*value)?,
            "participants" => after.participants = parsed(value.cloned().unwrap_or_else(|| json!({})))?,
            _ => {}
        }
    }
    Ok(after)
}

/// The fields of a view in a source, which shows these components of the map.
pub(super) fn of_read_view(row: &ReadView, components: &[String]) -> Fields {
    let mut fields = Fields::default();
    fields.set("name", row.name.as_str());
    fields.set("description", row.description.as_ref().map(Text::as_str));
    fields.set("components", components.iter().map(|id| Value::from(id.as_str())).collect::<Value>());
    fields
}

/// The fields of a view on the map.
pub(super) fn of_view(row: &View) -> Result<Fields> {
    let mut fields = Fields::default();
    fields.set("name", row.name.as_str());
    fields.set("description", row.description.as_deref());
    let definition = serde_json::to_value(&row.definition)?;
    let listed = definition.pointer("/include/0/ids").cloned().unwrap_or_default();
    let is_plain =
        definition_of(&listed, row.definition.implied_relationships).is_ok_and(|plain| plain == row.definition);
    fields.set("components", if is_plain { listed } else { definition });
    Ok(fields)
}

/// The definition of a view that shows these components.
pub(super) fn definition_of(ids: &Value, implied_relationships: bool) -> Result<ViewDefinition> {
    parsed(json!({ "include": [{ "ids": ids }], "impliedRelationships": implied_relationships }))
}

/// The view with these changes.
pub(super) fn changed_view(row: &View, changes: &[Change<'_>]) -> Result<View> {
    let mut after = row.clone();
    for (field, value) in changes {
        match field.as_str() {
            "name" => after.name = required(*value)?,
            "description" => after.description = Some(optional(*value)),
            "components" => {
                if let Some(ids) = value {
                    after.definition = definition_of(ids, row.definition.implied_relationships)?;
                }
            }
            _ => {}
        }
    }
    Ok(after)
}

fn add_change(properties: &mut Map<String, Value>, field: &str, value: Option<&Value>) {
    if let Some(name) = field.strip_prefix(PROPERTY) {
        properties.insert(name.to_owned(), value.cloned().unwrap_or_default());
    }
}

fn merged(before: &Properties, changes: Map<String, Value>) -> Result<Properties> {
    if changes.is_empty() {
        return Ok(before.clone());
    }
    before.merged(changes).map_err(|problem| Error::invalid(["reading", "components"], problem))
}

fn required(value: Option<&Value>) -> Result<String> {
    value.and_then(Value::as_str).map(str::to_owned).ok_or_else(|| Error::internal("a field of a source has no text"))
}

fn optional(value: Option<&Value>) -> String {
    value.and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn list(value: Option<&Value>) -> Result<Keywords> {
    value.map_or_else(|| Ok(Keywords::default()), |value| parsed(value.clone()))
}

/// A value as its type. Values of a reading are valid.
pub(super) fn parsed<T: serde::de::DeserializeOwned>(value: Value) -> Result<T> {
    serde_json::from_value(value).map_err(Error::internal)
}
