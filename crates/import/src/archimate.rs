//! `ArchiMate` models in the Open Exchange File Format.

pub(super) mod types;

use std::collections::{HashMap, HashSet};

use roxmltree::Node;

use self::types::{ElementType, element_type, relationship_type};
use super::{
    builder::{Arrow, At, Builder, C, Draft, ViewDraft},
    files::{File, Refusal},
    text,
    xml::Xml,
};

const SCHEMA_INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// Whether a file is a model.
pub(super) fn recognizes(file: &File) -> bool {
    let beginning = file.beginning(4 << 10);
    beginning.contains("http://www.opengroup.org/xsd/archimate")
}

/// Reads models.
pub(super) fn read(builder: &mut Builder<'_>, files: &[usize]) -> Result<(), Refusal> {
    for &file in files {
        let xml = builder.xml(file)?;
        if xml.document.root_element().tag_name().name() != "model" {
            return Err(builder.refusal(At::new(file, 1), "the file is no ArchiMate model in the Open Exchange format"));
        }
        let mut model = Model {
            builder,
            file,
            xml: &xml,
            elements: HashMap::new(),
            junctions: HashSet::new(),
            relationships: HashSet::new(),
            definitions: HashMap::new(),
        };
        model.read()?;
    }
    Ok(())
}

struct Model<'b, 's, 'x> {
    builder: &'b mut Builder<'s>,
    file: usize,
    xml: &'x Xml<'x, 's>,
    elements: HashMap<&'x str, C>,
    /// Elements that only join relationships.
    junctions: HashSet<&'x str>,
    /// Ids of relationships, which can be the ends of others.
    relationships: HashSet<&'x str>,
    /// Names of properties.
    definitions: HashMap<&'x str, String>,
}

impl<'x> Model<'_, '_, 'x> {
    fn read(&mut self) -> Result<(), Refusal> {
        let root = self.xml.document.root_element();
        let name = text_of(root, "name").or_else(|| text_of(root, "label"));
        self.builder.workspace(name.as_deref(), text_of(root, "documentation").as_deref());
        for definition in children(root, "propertyDefinitions").flat_map(|list| elements(list)) {
            if let Some(id) = definition.attribute("identifier") {
                // Each property copies the name.
                let name = text::name(&text_of(definition, "name").unwrap_or_else(|| id.to_owned()));
                self.definitions.insert(id, name);
            }
        }
        for element in children(root, "elements").flat_map(|list| children(list, "element")) {
            self.element(element)?;
        }
        let all: Vec<Node<'x, 'x>> =
            children(root, "relationships").flat_map(|list| children(list, "relationship")).collect();
        self.relationships = all.iter().filter_map(|one| one.attribute("identifier")).collect();
        // Compositions come first: an aggregated element can be part of several others.
        for wholes in ["Composition", "Aggregation", ""] {
            for one in &all {
                let kind = type_of(*one);
                let is_whole = kind == "Composition" || kind == "Aggregation";
                if kind == wholes || (wholes.is_empty() && !is_whole) {
                    self.relationship(*one, kind)?;
                }
            }
        }
        self.joined(&all)?;
        self.views(root)
    }

    fn at(&self, node: Node<'_, '_>) -> At {
        At::new(self.file, self.xml.line(node))
    }

    fn element(&mut self, node: Node<'x, 'x>) -> Result<(), Refusal> {
        let Some(id) = node.attribute("identifier") else { return Ok(()) };
        let kind = type_of(node);
        let level = match element_type(kind) {
            ElementType::Component(level) => level,
            ElementType::Motivation if self.builder.options.motivation => {
                if kind == "Stakeholder" {
                    "person"
                } else {
                    "document"
                }
            }
            ElementType::Motivation => {
                self.builder.ignore(kind, 1);
                return Ok(());
            }
            ElementType::Junction => {
                self.junctions.insert(id);
                return Ok(());
            }
            ElementType::Unknown => {
                self.builder.ignore(if kind.is_empty() { "elements without a type" } else { kind }, 1);
                return Ok(());
            }
        };
        let name = text_of(node, "name").or_else(|| text_of(node, "label")).unwrap_or_default();
        let mut draft = Draft::new(id, name, level, self.at(node));
        draft.is_fixed = level != "service";
        draft.is_box = level == "group";
        draft.description = text_of(node, "documentation");
        draft.property("archimate", kind);
        for property in children(node, "properties").flat_map(|list| children(list, "property")) {
            let definition =
                property.attribute("propertyDefinitionRef").or_else(|| property.attribute("identifierref"));
            let name = definition.and_then(|id| self.definitions.get(id)).cloned();
            if let (Some(name), Some(value)) = (name, text_of(property, "value")) {
                draft.property(&name, value);
            }
        }
        let component = self.builder.component(draft)?;
        self.elements.insert(id, component);
        Ok(())
    }

    /// The component at an end of a relationship.
    fn end(&self, node: Node<'x, 'x>, end: &str) -> Option<C> {
        self.elements.get(node.attribute(end)?).copied()
    }

    fn relationship(&mut self, node: Node<'x, 'x>, kind: &str) -> Result<(), Refusal> {
        let at = self.at(node);
        let ends = ["source", "target"].map(|end| node.attribute(end).unwrap_or_default());
        let (Some(from), Some(to)) = (self.end(node, "source"), self.end(node, "target")) else {
            if ends.iter().any(|end| self.relationships.contains(end)) {
                self.builder.ignore("relationships of relationships", 1);
            } else if !ends.iter().any(|end| self.junctions.contains(end)) {
                self.builder.ignore("relationships of elements that were not imported", 1);
            }
            return Ok(());
        };
        if matches!(kind, "Composition" | "Aggregation") {
            return self.builder.contain(from, to, at);
        }
        self.arrow(node, kind, from, to)
    }

    fn arrow(&mut self, node: Node<'x, 'x>, kind: &str, from: C, to: C) -> Result<(), Refusal> {
        let at = self.at(node);
        let is_read = node.attribute("accessType").unwrap_or_default();
        let (type_id, is_turned, word) = relationship_type(kind, is_read);
        let (from, to) = if is_turned { (to, from) } else { (from, to) };
        let name = text_of(node, "name").or_else(|| text_of(node, "label"));
        let mut arrow = Arrow { type_id: Some(type_id), ..Arrow::new(from, to, at) };
        arrow.label = name.unwrap_or_else(|| word.to_owned());
        arrow.key = node.attribute("identifier").map(str::to_owned);
        arrow.properties.push(("archimate".into(), kind.into()));
        self.builder.arrow(arrow)
    }

    /// Relationships through junctions: from everything before one to everything after it.
    fn joined(&mut self, all: &[Node<'x, 'x>]) -> Result<(), Refusal> {
        let mut before: HashMap<&str, Vec<C>> = HashMap::new();
        for one in all {
            let target = one.attribute("target").filter(|end| self.junctions.contains(end));
            if let (Some(junction), Some(from)) = (target, self.end(*one, "source")) {
                before.entry(junction).or_default().push(from);
            }
        }
        for one in all {
            let source = one.attribute("source").filter(|end| self.junctions.contains(end));
            let Some(junction) = source else { continue };
            let Some(to) = self.end(*one, "target") else {
                self.builder.ignore("relationships between junctions", 1);
                continue;
            };
            for from in before.get(junction).into_iter().flatten().copied() {
                let kind = type_of(*one);
                let kind = if matches!(kind, "Composition" | "Aggregation") { "Association" } else { kind };
                self.arrow(*one, kind, from, to)?;
            }
        }
        Ok(())
    }

    fn views(&mut self, root: Node<'x, 'x>) -> Result<(), Refusal> {
        let diagrams = children(root, "views").flat_map(|views| children(views, "diagrams"));
        let mut largest = Vec::new();
        for (number, view) in diagrams.flat_map(|list| children(list, "view")).enumerate() {
            let mut draft = ViewDraft { at: self.at(view), ..ViewDraft::default() };
            draft.key = view.attribute("identifier").map_or_else(|| format!("view {number}"), str::to_owned);
            draft.name = text_of(view, "name").or_else(|| text_of(view, "label")).unwrap_or_else(|| "View".into());
            draft.description = text_of(view, "documentation");
            // Positions are absolute, also those of nodes in nodes.
            for node in view.descendants().filter(|node| node.has_tag_name_in("node")) {
                let element = node.attribute("elementRef").or_else(|| node.attribute("elementref"));
                let Some(component) = element.and_then(|id| self.elements.get(id)).copied() else { continue };
                draft.components.push(component);
                let number = |name| node.attribute(name).and_then(|text| text.parse::<f64>().ok());
                if let Some((x, y)) = number("x").zip(number("y")).filter(|(x, y)| x.is_finite() && y.is_finite()) {
                    draft.positions.push((component, x, y));
                }
            }
            if draft.positions.len() > largest.len() {
                largest.clone_from(&draft.positions);
            }
            self.builder.view(draft)?;
        }
        for (component, x, y) in largest {
            self.builder.edit(component).position = Some((x, y));
        }
        Ok(())
    }
}

/// Compares names of elements in any version of the format.
trait HasTagName {
    fn has_tag_name_in(&self, name: &str) -> bool;
}

impl HasTagName for Node<'_, '_> {
    fn has_tag_name_in(&self, name: &str) -> bool {
        self.is_element() && self.tag_name().name() == name
    }
}

fn elements<'x>(node: Node<'x, 'x>) -> impl Iterator<Item = Node<'x, 'x>> {
    node.children().filter(Node::is_element)
}

fn children<'x>(node: Node<'x, 'x>, name: &'static str) -> impl Iterator<Item = Node<'x, 'x>> {
    elements(node).filter(move |child| child.has_tag_name_in(name))
}

/// The text of a child; the English or first one of several languages.
fn text_of(node: Node<'_, '_>, name: &str) -> Option<String> {
    const LANGUAGE: (&str, &str) = ("http://www.w3.org/XML/1998/namespace", "lang");
    let mut own = node.children().filter(|child| child.has_tag_name_in(name));
    let first = own.next()?;
    let english = own.find(|child| child.attribute(LANGUAGE).is_some_and(|language| language.starts_with("en")));
    let is_english = first.attribute(LANGUAGE).is_none_or(|language| language.starts_with("en"));
    let chosen = if is_english { first } else { english.unwrap_or(first) };
    let text: String = chosen.children().filter_map(|child| child.text()).collect();
    Some(text.trim().to_owned()).filter(|text| !text.is_empty()).map(|text| text::cut(&text, 20_000))
}

/// The type of an element or relationship, without a prefix.
fn type_of<'x>(node: Node<'x, 'x>) -> &'x str {
    let kind = node.attribute((SCHEMA_INSTANCE, "type")).unwrap_or_default();
    let kind = kind.rsplit(':').next().unwrap_or_default();
    // Version 2 of the format has `ServingRelationship`.
    kind.strip_suffix("Relationship").unwrap_or(kind)
}
