//! Types of shapes.

use super::page::Cell;
use crate::types;

/// Parts of names of shapes that are no names of technologies.
const SHAPES: &[(&str, &str)] = &[
    ("rds", "database"),
    ("database", "database"),
    ("datastore", "database"),
    ("redshift", "database"),
    ("cylinder", "database"),
    ("cylinder3", "database"),
    ("lambda_function", "function"),
    ("elasticsearch_service", "search-index"),
    ("opensearch_service", "search-index"),
    ("simple_storage_service", "storage"),
    ("cloud_pubsub", "topic"),
    ("kinesis", "topic"),
    ("kinesis_data_streams", "topic"),
    ("simple_queue_service", "queue"),
    ("simple_notification_service", "topic"),
    ("ec2", "host"),
    ("compute_engine", "host"),
    ("eks", "cluster"),
    ("ecs", "cluster"),
    ("mobile_client", "mobile-app"),
    ("user", "person"),
    ("users", "person"),
    ("umlactor", "person"),
    ("actor", "person"),
    ("person", "person"),
    ("person2", "person"),
    ("webbrowser", "web-app"),
    ("webbrowsercontainer", "web-app"),
    ("browserwindow", "web-app"),
    ("document", "document"),
    ("note", "document"),
    ("vpc", "network"),
];

/// Whether a shape is a container of other shapes.
pub(crate) fn is_container(cell: &Cell) -> bool {
    cell.is("swimlane")
        || cell.style("container") == Some("1")
        || cell.style("shape").is_some_and(|name| name.rsplit('.').next() == Some("group") && name.contains('.'))
}

/// The type of a cell, and whether it is the type of the C4 model.
pub(crate) fn level(cell: &Cell) -> (&'static str, &'static str) {
    let kind = cell.attribute("c4Type").unwrap_or_default().to_lowercase();
    let is_external = cell.attribute("c4External").is_some() || kind.contains("external");
    match kind.as_str() {
        kind if kind.contains("person") => return ("person", ""),
        kind if kind.contains("boundary") || kind.contains("scope") => return ("group", ""),
        kind if kind.contains("software system") || kind.contains("softwaresystem") => {
            return (if is_external { "external-system" } else { "system" }, "system");
        }
        kind if kind.contains("container") => return (shape(cell).unwrap_or("service"), "container"),
        kind if kind.contains("component") => return ("component", "component"),
        kind if kind.contains("database") => return ("database", "container"),
        "executionenvironment" | "deploymentnode" => return ("host", ""),
        _ => {}
    }
    (shape(cell).unwrap_or(if is_container(cell) { "group" } else { "service" }), "")
}

/// The type that the name of a shape says.
fn shape(cell: &Cell) -> Option<&'static str> {
    let names = [cell.style("resIcon"), cell.style("prIcon"), cell.style("shape"), cell.style.split(';').next()];
    names.into_iter().flatten().find_map(|name| {
        let name = name.rsplit('.').next().unwrap_or_default().to_lowercase();
        let known = SHAPES.iter().find(|(known, _)| *known == name).map(|(_, id)| *id);
        known.or_else(|| types::technology(&name.replace('_', " ")))
    })
}
