//! Structurizr workspaces as JSON.

use std::collections::HashMap;

use super::{
    build,
    model::{DynamicView, Element, ElementIndex, Kind, Model, Relationship, View},
};
use crate::{
    builder::{At, Builder},
    files::{File, Refusal},
    node::Node,
    processes::{Block, Event},
};

/// Views whose elements are listed.
/// Steps for sorting a step of a dynamic view by its number.
const ORDER_STEPS: usize = 50;
const VIEWS: [&str; 6] = [
    "systemLandscapeViews",
    "systemContextViews",
    "containerViews",
    "componentViews",
    "customViews",
    "deploymentViews",
];

/// Whether a file is a workspace.
pub(crate) fn recognizes(file: &File) -> bool {
    let text = file.text();
    text.trim_start().starts_with('{')
        && text.contains("\"model\"")
        && ["\"softwareSystems\"", "\"people\"", "\"deploymentNodes\"", "\"customElements\""]
            .iter()
            .any(|name| text.contains(name))
}

/// Reads workspaces.
pub(crate) fn read(builder: &mut Builder<'_>, files: &[usize]) -> Result<(), Refusal> {
    for &file in files {
        let root = builder.json(file)?;
        let mut reader = Reader { builder, file, model: Model::default(), ids: HashMap::new(), ends: HashMap::new() };
        reader.workspace(&root)?;
        let model = reader.model;
        build::build(builder, &model)?;
        builder.budget.release_trees();
    }
    Ok(())
}

struct Reader<'b, 's, 'n> {
    builder: &'b mut Builder<'s>,
    file: usize,
    model: Model,
    /// Elements by id.
    ids: HashMap<&'n str, ElementIndex>,
    /// Ends of relationships by id, including the implied ones.
    ends: HashMap<&'n str, (ElementIndex, ElementIndex)>,
}

impl<'n> Reader<'_, '_, 'n> {
    fn workspace(&mut self, root: &'n Node) -> Result<(), Refusal> {
        let Some(model) = root.get("model") else {
            return Err(self
                .builder
                .refusal(self.at(root), "the file is no Structurizr workspace: `model` is missing"));
        };
        self.model.name = root.text("name").map(str::to_owned);
        self.model.description = root.text("description").map(str::to_owned);
        let separator = ["model", ""].into_iter().find_map(|part| {
            let of = if part.is_empty() { root } else { model };
            of.at(&["properties", "structurizr.groupSeparator"])?.as_text()
        });
        self.model.group_separator = separator.map(str::to_owned);
        let mut sources: Vec<&Node> = Vec::new();
        for person in model.items("people") {
            self.element(person, Kind::Person, None, &mut sources)?;
        }
        for system in model.items("softwareSystems") {
            let index = self.element(system, Kind::System, None, &mut sources)?;
            for container in system.items("containers") {
                let index = self.element(container, Kind::Container, Some(index), &mut sources)?;
                for component in container.items("components") {
                    self.element(component, Kind::Component, Some(index), &mut sources)?;
                }
            }
        }
        for element in model.items("customElements") {
            self.element(element, Kind::Custom, None, &mut sources)?;
        }
        for node in model.items("deploymentNodes") {
            self.deployment_node(node, None, &mut sources)?;
        }
        self.relationships(&sources)?;
        if let Some(views) = root.get("views") {
            self.views(views)?;
        }
        let documentation = root.get("documentation");
        self.builder.ignore("documentation sections", documentation.map_or(0, |node| node.items("sections").len()));
        self.builder.ignore("decisions", documentation.map_or(0, |node| node.items("decisions").len()));
        Ok(())
    }

    fn at(&self, node: &Node) -> At {
        At::new(self.file, node.line)
    }

    fn element(
        &mut self,
        node: &'n Node,
        kind: Kind,
        parent: Option<ElementIndex>,
        sources: &mut Vec<&'n Node>,
    ) -> Result<ElementIndex, Refusal> {
        let text = |name: &str| node.text(name).unwrap_or_default().to_owned();
        let mut properties = pairs(node.get("properties"));
        let perspectives = node.items("perspectives").iter();
        properties.extend(perspectives.filter_map(|one| {
            Some((format!("perspective.{}", one.text("name")?), one.text("description")?.to_owned()))
        }));
        let identifier = properties.iter().find(|(name, _)| name == "structurizr.dsl.identifier");
        let identifier = identifier.map(|(_, value)| value.to_lowercase()).filter(|value| !is_uuid(value));
        let mut tags = tags(&text("tags"));
        if let (Kind::Custom, Some(metadata)) = (kind, node.text("metadata")) {
            tags.push(metadata.to_owned());
        }
        let element = Element {
            kind,
            identifier,
            name: crate::text::name(node.text("name").unwrap_or_default()),
            description: text("description"),
            technology: text("technology"),
            tags,
            url: node.text("url").map(str::to_owned),
            properties,
            group: node.text("group").map(|group| crate::text::cut(group, 2_000)),
            parent,
            environment: crate::text::name(node.text("environment").unwrap_or_default()),
            instances: node.get("instances").and_then(Node::scalar).map(str::to_owned),
            is_external: node.text("location") == Some("External"),
            at: self.at(node),
        };
        let index = self.model.add(self.builder, element)?;
        if let Some(id) = node.get("id").and_then(Node::scalar) {
            self.ids.insert(id, index);
        }
        self.builder
            .ignore("documentation sections", node.get("documentation").map_or(0, |own| own.items("sections").len()));
        sources.push(node);
        Ok(index)
    }

    /// Nested as deep as the JSON parser allows.
    fn deployment_node(
        &mut self,
        node: &'n Node,
        parent: Option<ElementIndex>,
        sources: &mut Vec<&'n Node>,
    ) -> Result<(), Refusal> {
        let index = self.element(node, Kind::DeploymentNode, parent, sources)?;
        if self.model.elements[index].environment.is_empty() {
            self.model.elements[index].environment = "Default".into();
        }
        let environment = self.model.elements[index].environment.clone();
        for child in node.items("infrastructureNodes") {
            let child = self.element(child, Kind::InfrastructureNode, Some(index), sources)?;
            self.model.elements[child].environment.clone_from(&environment);
        }
        for (list, id) in [("softwareSystemInstances", "softwareSystemId"), ("containerInstances", "containerId")] {
            for instance in node.items(list) {
                match instance.get(id).and_then(Node::scalar).and_then(|id| self.ids.get(id)) {
                    Some(&of) => {
                        let child = self.element(instance, Kind::Instance(of), Some(index), sources)?;
                        self.model.elements[child].environment.clone_from(&environment);
                    }
                    None => self
                        .builder
                        .warn(self.at(instance), "an instance was not imported, because its element is missing"),
                }
            }
        }
        for child in node.items("children") {
            self.deployment_node(child, Some(index), sources)?;
        }
        Ok(())
    }

    fn relationships(&mut self, sources: &[&'n Node]) -> Result<(), Refusal> {
        let mut implied = 0;
        for node in sources {
            for one in node.items("relationships") {
                let end = |name: &str| one.get(name).and_then(Node::scalar).and_then(|id| self.ids.get(id)).copied();
                let source = end("sourceId")
                    .or_else(|| node.get("id").and_then(Node::scalar).and_then(|id| self.ids.get(id)).copied());
                let (Some(from), Some(to)) = (source, end("destinationId")) else {
                    self.builder
                        .warn(self.at(one), "a relationship was not imported, because one of its ends is missing");
                    continue;
                };
                if let Some(id) = one.get("id").and_then(Node::scalar) {
                    self.ends.insert(id, (from, to));
                }
                if one.get("linkedRelationshipId").is_some() {
                    implied += usize::from(!self.model.is_deployment(from));
                    continue;
                }
                let text = |name: &str| one.text(name).unwrap_or_default().to_owned();
                let relationship = Relationship {
                    from,
                    to,
                    description: text("description"),
                    technology: text("technology"),
                    tags: tags(&text("tags")),
                    url: one.text("url").map(str::to_owned),
                    properties: pairs(one.get("properties")),
                    at: self.at(one),
                };
                self.model.relate(self.builder, relationship)?;
            }
        }
        self.builder.ignore("implied relationships", implied);
        Ok(())
    }

    fn views(&mut self, views: &'n Node) -> Result<(), Refusal> {
        for list in VIEWS {
            for view in views.items(list) {
                let element = |node: &Node| {
                    let index = *self.ids.get(node.get("id")?.scalar()?)?;
                    Some((index, node.number("x").zip(node.number("y"))))
                };
                let elements: Vec<_> = view.items("elements").iter().filter_map(element).collect();
                let at = At::new(self.file, view.line);
                self.builder.charge(size_of::<View>() + size_of_val(&*elements), at)?;
                let scope = ["containerId", "softwareSystemId"].iter().find_map(|name| view.get(name)?.scalar());
                let scope = scope.filter(|_| list != "deploymentViews").and_then(|id| self.ids.get(id)).copied();
                self.model.views.push(View {
                    key: view.text("key").unwrap_or(list).to_owned(),
                    title: view.text("title").map(str::to_owned),
                    description: view.text("description").map(str::to_owned),
                    environment: (list == "deploymentViews")
                        .then(|| view.text("environment").unwrap_or("Default").to_owned()),
                    elements,
                    scope,
                    is_context: list == "systemContextViews",
                    at,
                });
            }
        }
        for view in views.items("dynamicViews") {
            let events = self.steps(view)?;
            self.model.dynamic_views.push(DynamicView {
                key: view.text("key").unwrap_or("dynamic").to_owned(),
                title: view.text("title").map(str::to_owned),
                description: view.text("description").map(str::to_owned),
                events,
                at: At::new(self.file, view.line),
            });
        }
        for list in ["filteredViews", "imageViews"] {
            self.builder.ignore(list, views.items(list).len());
        }
        for style in views.at(&["configuration", "styles"]).map_or(&[][..], |styles| styles.items("elements")) {
            if let (Some(tag), Some(shape)) = (style.text("tag"), style.text("shape")) {
                self.model.shapes.insert(tag.to_owned(), crate::text::cut(shape, 60));
            }
        }
        Ok(())
    }

    /// The steps of a dynamic view. Those with the same number happen at the same time.
    fn steps(&mut self, view: &'n Node) -> Result<Vec<Event<ElementIndex>>, Refusal> {
        let mut steps: Vec<(&str, &Node)> = view
            .items("relationships")
            .iter()
            .map(|one| (one.get("order").and_then(Node::scalar).unwrap_or_default(), one))
            .collect();
        self.builder.charge_steps(ORDER_STEPS * steps.len(), self.at(view))?;
        steps.sort_by(|(a, _), (b, _)| order_key(a).cmp(order_key(b)));
        let mut events = Vec::new();
        for same in steps.chunk_by(|a, b| a.0 == b.0) {
            self.builder.charge(same.len() * 3 * size_of::<Event<ElementIndex>>(), self.at(same[0].1))?;
            let is_parallel = same.len() > 1 && !same[0].0.is_empty();
            for (number, (_, step)) in same.iter().enumerate() {
                let Some(&(from, to)) = step.get("id").and_then(Node::scalar).and_then(|id| self.ends.get(id)) else {
                    self.builder.warn(self.at(step), "a step was not imported, because its relationship is missing");
                    continue;
                };
                if is_parallel {
                    events.push(if number == 0 {
                        Event::Begin(Block::Par, String::new())
                    } else {
                        Event::Next(String::new())
                    });
                }
                let reply = step.flag("response") == Some(true);
                let (from, to) = if reply { (to, from) } else { (from, to) };
                let text = step.text("description").unwrap_or_default().to_owned();
                events.push(Event::Step { from, to, text, reply });
            }
            if is_parallel {
                events.push(Event::End);
            }
        }
        Ok(events)
    }
}

/// Returns the sort key for a step number such as `1`, `1.1`, `2a` or `10`.
fn order_key(order: &str) -> impl Iterator<Item = (u64, &str)> {
    const MAX_BYTES: usize = 100;
    const MAX_PARTS: usize = 16;
    order[..order.floor_char_boundary(MAX_BYTES)].split('.').take(MAX_PARTS).map(|part| {
        let digits = part.find(|c: char| !c.is_ascii_digit()).unwrap_or(part.len());
        (part[..digits].parse().unwrap_or(u64::MAX), &part[digits..])
    })
}

fn tags(text: &str) -> Vec<String> {
    crate::text::list(text)
}

fn pairs(node: Option<&Node>) -> Vec<(String, String)> {
    let fields = node.map_or(&[][..], Node::fields).iter();
    fields.filter_map(|(name, value)| Some((name.clone(), value.scalar()?.to_owned()))).collect()
}

/// Elements without an identifier in the DSL get a new UUID in each export.
fn is_uuid(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12])
        && parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_steps_are_compared_as_numbers() {
        let mut orders = ["10", "2", "1.10", "1.2", "1", "2a", "1.2.1"];
        orders.sort_by(|a, b| order_key(a).cmp(order_key(b)));
        assert_eq!(orders, ["1", "1.2", "1.2.1", "1.10", "2", "2a", "10"]);
    }
}
