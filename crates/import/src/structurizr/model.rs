//! The model of a Structurizr workspace, as far as it is imported.

use std::collections::HashMap;

use crate::{
    builder::{At, Builder, MAX_COMPONENTS, MAX_RELATIONSHIPS},
    files::Refusal,
    processes::Event,
};

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

/// Estimated memory of texts, in bytes.
fn text_bytes<'t>(texts: impl IntoIterator<Item = &'t String>) -> usize {
    const TEXT_BYTES: usize = 40;
    texts.into_iter().map(|text| TEXT_BYTES + text.len()).sum()
}

/// The names and values of properties.
fn texts(properties: &[(String, String)]) -> impl Iterator<Item = &String> {
    properties.iter().flat_map(|(name, value)| [name, value])
}

impl Element {
    /// Estimated memory of the element, in bytes.
    fn estimated_bytes(&self) -> usize {
        let own = [&self.name, &self.description, &self.technology, &self.environment];
        let other = [&self.identifier, &self.identifier, &self.url, &self.group, &self.instances];
        let other = other.into_iter().flatten();
        size_of::<Self>() + text_bytes(own.into_iter().chain(other).chain(&self.tags).chain(texts(&self.properties)))
    }
}

impl Relationship {
    /// Estimated memory of the relationship, in bytes.
    fn estimated_bytes(&self) -> usize {
        let own = [&self.description, &self.technology].into_iter().chain(&self.url);
        size_of::<Self>() + text_bytes(own.chain(&self.tags).chain(texts(&self.properties)))
    }
}

impl Model {
    /// Adds an element. Fails if there are too many.
    pub(super) fn add(&mut self, builder: &Builder<'_>, element: Element) -> Result<ElementIndex, Refusal> {
        if self.elements.len() >= 2 * MAX_COMPONENTS {
            let text = format!("there are more than {} elements; import a part of them", 2 * MAX_COMPONENTS);
            return Err(builder.refusal(element.at, text));
        }
        builder.charge(element.estimated_bytes(), element.at)?;
        self.elements.push(element);
        Ok(self.elements.len() - 1)
    }

    /// Adds a relationship. Fails if there are too many.
    pub(super) fn relate(&mut self, builder: &Builder<'_>, relationship: Relationship) -> Result<usize, Refusal> {
        if self.relationships.len() >= 2 * MAX_RELATIONSHIPS {
            let text = format!("there are more than {} relationships; import a part of them", 2 * MAX_RELATIONSHIPS);
            return Err(builder.refusal(relationship.at, text));
        }
        builder.charge(relationship.estimated_bytes(), relationship.at)?;
        self.relationships.push(relationship);
        Ok(self.relationships.len() - 1)
    }

    /// Whether an element belongs to a deployment environment.
    pub(super) fn is_deployment(&self, element: ElementIndex) -> bool {
        matches!(self.elements[element].kind, Kind::DeploymentNode | Kind::InfrastructureNode | Kind::Instance(_))
    }
}
