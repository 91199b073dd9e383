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
            components::{Component, NewComponent},
            processes::Process,
            relationships::{NewRelationship, Relationship},
            views::{View, ViewDefinition},
        },
        values::{Coordinate, Keywords, Properties, Text},
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

/// Properties that change with each deployment, in addition to those whose names end with [`VOLATILE_ENDINGS`].
const VOLATILE: [&str; 8] =
    ["instances", "replicas", "ports", "limits", "resources", "digest", "callCount", "errorRate"];
/// The ends of names of properties that change with each deployment.
const VOLATILE_ENDINGS: [&str; 3] = ["hash", "checksum", "Digest"];
/// The property with the image of a container. Its tag changes with each deployment.
pub(super) const IMAGE: &str = "properties.image";

/// Takes the properties out that change with each deployment: the source shows them, and the row does not have them. `also` are
/// the names of further properties.
pub(super) fn take_volatile(fields: &mut Fields, also: &Keywords) -> Fields {
    let mut volatile = Fields::default();
    let is_volatile = |field: &str| {
        field.strip_prefix(PROPERTY).is_some_and(|name| {
            VOLATILE.contains(&name)
                || VOLATILE_ENDINGS.iter().any(|ending| name.ends_with(ending))
                || also.iter().any(|also| also == name)
        })
    };
    for (field, value) in std::mem::take(&mut fields.0) {
        if is_volatile(&field) {
            volatile.set(field.trim_start_matches(PROPERTY), value);
            continue;
        }
        match value.as_str().filter(|_| field == IMAGE) {
            Some(image) => {
                let name = untagged(image);
                if name != image {
                    volatile.set("image", image);
                }
                fields.set(field, name);
            }
            None => drop(fields.0.insert(field, value)),
        }
    }
    volatile
}

/// An image without its tag and digest.
pub(super) fn untagged(image: &str) -> String {
    let image = image.split('@').next().unwrap_or_default();
    let name = image.rfind('/').map_or(0, |at| at + 1);
    match image[name..].find(':').map(|at| image.split_at(name + at)) {
        // A variable can contain the colon.
        Some((before, tag)) if tag.matches('{').count() == tag.matches('}').count() => before.to_owned(),
        _ => image.to_owned(),
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

/// The built-in role of owners, and the field of a claim that names them.
pub(super) const OWNER: &str = "owner";

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

/// Properties of fields.
fn properties_of(fields: &Fields) -> Map<String, Value> {
    let own = fields.0.iter().filter_map(|(field, value)| {
        let name = if field == LIFECYCLE { LIFECYCLE } else { field.strip_prefix(PROPERTY)? };
        Some((name.to_owned(), value.clone()))
    });
    own.collect()
}

/// A new component with these fields, which are valid.
pub(super) fn new_component(
    id: &str,
    fields: &Fields,
    position: Option<(Coordinate, Coordinate)>,
) -> Result<NewComponent> {
    let get = |field: &str| fields.get(field).cloned().unwrap_or_default();
    let new: NewComponent = parsed(json!({
        "id": id,
        "typeId": get("type"),
        "name": get("name"),
        "description": get("description"),
        "tags": get("tags"),
        "technology": get("technology"),
        "properties": properties_of(fields),
    }))?;
    Ok(NewComponent { x: position.map(|(x, _)| x), y: position.map(|(_, y)| y), ..new })
}

/// A new relationship with these fields, which are valid.
pub(super) fn new_relationship(id: &str, fields: &Fields) -> Result<NewRelationship> {
    let get = |field: &str| fields.get(field).cloned().unwrap_or_default();
    parsed(json!({
        "id": id,
        "sourceId": get("source"),
        "targetId": get("target"),
        "typeId": get("type"),
        "label": get("label"),
        "technology": get("technology"),
        "properties": properties_of(fields),
    }))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_compared_without_tag_and_digest() {
        for (image, name) in [
            ("acme/pay", "acme/pay"),
            ("acme/pay:1.0", "acme/pay"),
            ("localhost:5000/acme/pay:1.0@sha256:ab", "localhost:5000/acme/pay"),
            ("postgres:17", "postgres"),
            ("${REGISTRY:-acme}/pay:${TAG:-latest}", "${REGISTRY:-acme}/pay"),
            ("${IMAGE:-acme/pay:1}", "${IMAGE:-acme/pay:1}"),
        ] {
            assert_eq!(untagged(image), name);
        }
    }
}
