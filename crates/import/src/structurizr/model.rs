//! The model of a Structurizr workspace, as far as it is imported.

use std::collections::HashMap;

use crate::{builder::At, processes::Event};

/// The index of an element in a model.
pub(super) type ElementIndex = usize;

/// A workspace.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    /// Text between the names of nested groups.
    pub(super) group_separator: Option<String>,
    /// Elements; one that contains others comes before them.
    pub(super) elements: Vec<Element>,
    pub(super) relationships: Vec<Relationship>,
    pub(super) views: Vec<View>,
    pub(super) dynamic_views: Vec<DynamicView>,
    /// Tags and the shapes of elements with them.
    pub(super) shapes: HashMap<String, String>,
}

/// What an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Kind {
    Person,
    #[default]
    System,
    Container,
    Component,
    /// An element of a type that the author chose.
    Custom,
    DeploymentNode,
    InfrastructureNode,
    /// An instance of a system or container on a deployment node.
    Instance(ElementIndex),
}

/// An element.
#[derive(Debug, Clone, Default)]
pub(super) struct Element {
    pub(super) kind: Kind,
    /// Identifier in the DSL, in lowercase. None if the author did not choose one.
    pub(super) identifier: Option<String>,
    pub(super) name: String,
    pub(super) description: String,
    pub(super) technology: String,
    pub(super) tags: Vec<String>,
    pub(super) url: Option<String>,
    pub(super) properties: Vec<(String, String)>,
    /// The group around the element, with separators between the names of nested groups.
    pub(super) group: Option<String>,
    pub(super) parent: Option<ElementIndex>,
    /// Deployment environment of a node or instance.
    pub(super) environment: String,
    pub(super) instances: Option<String>,
    pub(super) is_external: bool,
    pub(super) at: At,
}

/// A relationship.
#[derive(Debug, Clone, Default)]
pub(super) struct Relationship {
    pub(super) from: ElementIndex,
    pub(super) to: ElementIndex,
    pub(super) description: String,
    pub(super) technology: String,
    pub(super) tags: Vec<String>,
    pub(super) url: Option<String>,
    pub(super) properties: Vec<(String, String)>,
    pub(super) at: At,
}

/// A view with elements.
#[derive(Debug, Default)]
pub(super) struct View {
    pub(super) key: String,
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    /// The environment of a deployment view.
    pub(super) environment: Option<String>,
    /// Elements and their positions.
    pub(super) elements: Vec<(ElementIndex, Option<(f64, f64)>)>,
    /// The element whose parts the view shows. It is drawn as a boundary around them.
    pub(super) scope: Option<ElementIndex>,
    /// Whether the view shows the scope itself instead of its parts.
    pub(super) is_context: bool,
    pub(super) at: At,
}

/// A dynamic view.
#[derive(Debug, Default)]
pub(super) struct DynamicView {
    pub(super) key: String,
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    pub(super) events: Vec<Event<ElementIndex>>,
    pub(super) at: At,
}

impl Model {
    /// Whether an element belongs to a deployment environment.
    pub(super) fn is_deployment(&self, element: ElementIndex) -> bool {
        matches!(self.elements[element].kind, Kind::DeploymentNode | Kind::InfrastructureNode | Kind::Instance(_))
    }
}
