//! How components of the types of the catalog appear in other tools.

/// A level of the C4 model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Person,
    System,
    Container,
    Component,
}

/// The shape of a C4 element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Plain,
    Database,
    Queue,
}

/// Types that only group other components when they have contents and no relationships.
pub(super) fn is_box(type_id: &str) -> bool {
    matches!(type_id, "group" | "domain" | "capability")
}

/// The shape of a type.
pub(super) fn shape(type_id: &str) -> Shape {
    match type_id {
        "database" | "cache" | "storage" | "search-index" => Shape::Database,
        "queue" | "topic" => Shape::Queue,
        _ => Shape::Plain,
    }
}

/// The level of a type in diagrams in which an element of any level can be in any other one.
pub(super) fn level(type_id: &str) -> Level {
    match type_id {
        "person" => Level::Person,
        "component" | "library" => Level::Component,
        "external-system" | "system" | "capability" | "domain" | "group" | "document" => Level::System,
        _ => Level::Container,
    }
}

/// Shapes of Structurizr by type. Others are boxes.
pub(super) const STRUCTURIZR_SHAPES: &[(&str, &str)] = &[
    ("database", "Cylinder"),
    ("cache", "Cylinder"),
    ("search-index", "Cylinder"),
    ("storage", "Folder"),
    ("queue", "Pipe"),
    ("topic", "Pipe"),
    ("web-app", "WebBrowser"),
    ("mobile-app", "MobileDevicePortrait"),
    ("person", "Person"),
];

/// The shape and the color of a type in draw.io.
pub(super) fn drawio_style(type_id: &str) -> &'static str {
    match type_id {
        "person" => "shape=mxgraph.c4.person2;fillColor=#ede9fe;strokeColor=#8b5cf6;",
        "external-system" => "rounded=1;fillColor=#f3f4f6;strokeColor=#6b7280;dashed=1;",
        "database" | "cache" | "search-index" | "storage" => {
            "shape=cylinder3;size=12;boundedLbl=1;fillColor=#d1fae5;strokeColor=#059669;"
        }
        "queue" | "topic" => {
            "shape=cylinder3;size=12;boundedLbl=1;direction=south;fillColor=#fef3c7;strokeColor=#d97706;"
        }
        "document" => "shape=document;fillColor=#fef3c7;strokeColor=#92400e;",
        "host" | "cluster" | "network" => "rounded=0;fillColor=#f1f5f9;strokeColor=#475569;",
        _ => "rounded=1;fillColor=#dbeafe;strokeColor=#2563eb;",
    }
}
