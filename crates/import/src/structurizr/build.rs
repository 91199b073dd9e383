//! Turns the model of a Structurizr workspace into rows.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::model::{Element, ElementIndex, Kind, Model, View};
use crate::{
    builder::{Arrow, At, Builder, C, Draft, ProcessDraft, ViewDraft},
    files::Refusal,
    options::Deployment,
    processes::Event,
    types,
};

/// Tags that every element of a type has.
const DEFAULT_TAGS: [&str; 11] = [
    "Element",
    "Person",
    "Software System",
    "Container",
    "Component",
    "Custom Element",
    "Deployment Node",
    "Infrastructure Node",
    "Container Instance",
    "Software System Instance",
    "Relationship",
];

/// Adds everything in a model to a builder.
pub(super) fn build(builder: &mut Builder<'_>, model: &Model) -> Result<(), Refusal> {
    builder.workspace(model.name.as_deref(), model.description.as_deref());
    let environments = environments(builder, model);
    let mut rows =
        Rows { builder, model, components: vec![None; model.elements.len()], boxes: HashMap::new(), environments };
    rows.elements()?;
    rows.relationships()?;
    rows.views()
}

/// The deployment environments to import.
fn environments(builder: &mut Builder<'_>, model: &Model) -> BTreeSet<String> {
    let deployed = model.elements.iter().enumerate().filter(|(at, _)| model.is_deployment(*at));
    let mut all: BTreeSet<String> = deployed.map(|(_, element)| element.environment.clone()).collect();
    match &builder.options.deployment {
        Deployment::All => all,
        Deployment::Single if all.len() == 1 => all,
        Deployment::Environment(name) => {
            if !all.contains(name) {
                let known: Vec<&str> = all.iter().map(String::as_str).take(20).collect();
                let text = format!("there is no deployment environment `{name}`; there are: {}", known.join(", "));
                builder.warn(At::new(0, 1), text);
            }
            all.retain(|one| one == name);
            all
        }
        Deployment::Single | Deployment::None => {
            builder.ignore("deployment environments", all.len());
            BTreeSet::new()
        }
    }
}

struct Rows<'b, 's, 'm> {
    builder: &'b mut Builder<'s>,
    model: &'m Model,
    /// The component of each element.
    components: Vec<Option<C>>,
    /// Groups by their parent and path, and environments.
    boxes: HashMap<String, C>,
    environments: BTreeSet<String>,
}

impl Rows<'_, '_, '_> {
    fn elements(&mut self) -> Result<(), Refusal> {
        let model = self.model;
        let is_parent: HashSet<ElementIndex> = model
            .elements
            .iter()
            .filter(|element| element.kind == Kind::DeploymentNode)
            .filter_map(|element| element.parent)
            .collect();
        for (index, element) in model.elements.iter().enumerate() {
            if model.is_deployment(index) && !self.environments.contains(&element.environment) {
                continue;
            }
            if let Kind::Instance(of) = element.kind {
                let node = element.parent.and_then(|node| self.components[node]);
                if let (Some(of), Some(node)) = (self.components[of], node) {
                    let arrow = Arrow { type_id: Some("deployed-on"), ..Arrow::new(of, node, element.at) };
                    self.builder.arrow(arrow)?;
                }
                continue;
            }
            let draft = self.draft(index, element, is_parent.contains(&index));
            let component = self.builder.component(draft)?;
            self.components[index] = Some(component);
            if let Some(whole) = self.whole(element)? {
                self.builder.contain(whole, component, element.at)?;
            }
        }
        Ok(())
    }

    fn draft(&self, index: ElementIndex, element: &Element, has_nodes: bool) -> Draft {
        let is_external = element.is_external
            || element.tags.iter().any(|tag| {
                ["external", "external system", "external software system"].contains(&tag.to_lowercase().as_str())
            });
        let (level, c4) = match element.kind {
            Kind::Person => ("person", ""),
            Kind::System if is_external => ("external-system", "system"),
            Kind::System | Kind::Instance(_) => ("system", "system"),
            Kind::Custom => ("system", ""),
            Kind::Container => ("service", "container"),
            Kind::Component => ("component", "component"),
            Kind::DeploymentNode if has_nodes => ("cluster", ""),
            Kind::DeploymentNode => ("host", ""),
            Kind::InfrastructureNode => ("network", ""),
        };
        let mut draft = Draft::new(self.key(index), &*element.name, level, element.at);
        draft.is_fixed = matches!(element.kind, Kind::Person | Kind::DeploymentNode);
        draft.description = Some(element.description.clone());
        draft.tags = element.tags.iter().filter(|tag| !DEFAULT_TAGS.contains(&tag.as_str())).cloned().collect();
        draft.technologies(&element.technology);
        // The style of the last tag that has a shape decides.
        draft.shape = element.tags.iter().rev().find_map(|tag| self.model.shapes.get(tag)).cloned();
        draft.property("c4", c4);
        match element.kind {
            Kind::DeploymentNode => draft.property("deployment", "node"),
            Kind::InfrastructureNode => draft.property("deployment", "infrastructure"),
            _ => {}
        }
        draft.property("instances", element.instances.as_deref().filter(|number| *number != "1").map(types::instances));
        draft.property("url", element.url.clone());
        for (name, value) in &element.properties {
            match name.to_lowercase().as_str() {
                "owner" | "perspective.owner" => draft.owners.push(value.clone()),
                known if known.starts_with("structurizr.") => {}
                _ => draft.property(name, value.clone()),
            }
        }
        draft
    }

    /// The identifier, or the names of the element and of those around it.
    fn key(&self, index: ElementIndex) -> String {
        let element = &self.model.elements[index];
        if let Some(identifier) = &element.identifier {
            return identifier.clone();
        }
        if element.kind == Kind::Person {
            return format!("person:{}", element.name);
        }
        let mut names = vec![element.name.as_str()];
        let mut above = element.parent;
        while let Some(parent) = above.filter(|_| names.len() < 32) {
            names.push(&self.model.elements[parent].name);
            above = self.model.elements[parent].parent;
        }
        if !element.environment.is_empty() {
            names.push(&element.environment);
        }
        names.reverse();
        names.join("/")
    }

    /// What contains an element: its innermost group, its parent or its environment.
    fn whole(&mut self, element: &Element) -> Result<Option<C>, Refusal> {
        let parent = match element.parent {
            Some(parent) => self.components[parent],
            None if element.environment.is_empty() => None,
            None => {
                Some(self.group(None, &format!("env:{}", element.environment), &element.environment, element.at)?)
            }
        };
        let Some(group) = element.group.as_deref().filter(|group| !group.trim().is_empty()) else { return Ok(parent) };
        let parent_key = element.parent.map_or_else(|| element.environment.clone(), |parent| self.key(parent));
        let separator = self.model.group_separator.as_deref().filter(|separator| !separator.is_empty());
        let names: Vec<&str> = match separator {
            Some(separator) => group.split(separator).filter(|name| !name.trim().is_empty()).collect(),
            None => vec![group],
        };
        let (mut whole, mut path) = (parent, format!("group:{parent_key}"));
        for name in names.into_iter().take(32) {
            self.builder.charge_steps(1 + path.len() / 64, element.at)?;
            path = format!("{path}/{name}");
            whole = Some(self.group(whole, &path, name, element.at)?);
        }
        Ok(whole)
    }

    fn group(&mut self, whole: Option<C>, key: &str, name: &str, at: At) -> Result<C, Refusal> {
        if let Some(group) = self.boxes.get(key) {
            return Ok(*group);
        }
        let group = self.builder.component(Draft::group(key, name, at))?;
        self.boxes.insert(key.to_owned(), group);
        if let Some(whole) = whole {
            self.builder.contain(whole, group, at)?;
        }
        Ok(group)
    }

    /// The component of an element, or of what an instance is an instance of.
    fn component(&self, index: ElementIndex) -> Option<C> {
        match self.model.elements[index].kind {
            Kind::Instance(of) => self.components[of],
            _ => self.components[index],
        }
    }

    fn relationships(&mut self) -> Result<(), Refusal> {
        let model = self.model;
        for one in &model.relationships {
            let ends = [one.from, one.to];
            let is_deployment = ends.iter().any(|end| model.is_deployment(*end));
            let is_left_out = |end: &ElementIndex| {
                model.is_deployment(*end) && !self.environments.contains(&model.elements[*end].environment)
            };
            if ends.iter().any(is_left_out) {
                continue;
            }
            let (Some(from), Some(to)) = (self.component(one.from), self.component(one.to)) else { continue };
            if is_deployment && from == to {
                continue;
            }
            let type_id = types::of_tags(&one.tags);
            let label = types::label(&one.description, type_id).to_owned();
            let mut arrow = Arrow { label, type_id, ..Arrow::new(from, to, one.at) };
            arrow.technology = crate::text::list(&one.technology);
            let tags: Vec<&str> = one
                .tags
                .iter()
                .map(String::as_str)
                .filter(|tag| !DEFAULT_TAGS.contains(tag) && !tag.starts_with("planroom:"))
                .collect();
            if !tags.is_empty() {
                arrow.properties.push(("tags".into(), tags.join(", ").into()));
            }
            if let Some(url) = &one.url {
                arrow.properties.push(("url".into(), url.as_str().into()));
            }
            for (name, value) in one.properties.iter().filter(|(name, _)| !name.starts_with("structurizr.")) {
                match (name.as_str(), value.as_str()) {
                    ("planroom.id", id) => arrow.id = Some(id.to_owned()),
                    ("bidirectional", "true") => arrow.is_bidirectional = true,
                    (name, value) => arrow.properties.push((name.to_owned(), value.into())),
                }
            }
            self.builder.arrow(arrow)?;
        }
        Ok(())
    }

    fn views(&mut self) -> Result<(), Refusal> {
        let model = self.model;
        let largest = model.views.iter().filter(|view| view.environment.is_none() && has_positions(view));
        if let Some(view) = largest.rev().max_by_key(|view| view.elements.len()) {
            for (element, position) in &view.elements {
                if let Some(component) = self.component(*element) {
                    self.builder.edit(component).position = *position;
                }
            }
        }
        for view in &model.views {
            if view.environment.as_ref().is_some_and(|name| !self.environments.contains(name)) {
                self.builder.ignore("deployment views", 1);
                continue;
            }
            // The scope is not one of the elements in the source.
            let scope = view.scope.filter(|_| !view.elements.is_empty()).map(|scope| (scope, None));
            let known = view.elements.iter().copied().chain(scope);
            let known = known.filter_map(|(element, at)| Some((self.component(element)?, at)));
            let known: Vec<(C, Option<(f64, f64)>)> = known.collect();
            let positions = known.iter().filter_map(|(component, at)| at.map(|(x, y)| (*component, x, y)));
            self.builder.view(ViewDraft {
                key: view.key.clone(),
                name: view.title.clone().unwrap_or_else(|| view.key.clone()),
                description: view.description.clone(),
                positions: if has_positions(view) { positions.collect() } else { Vec::new() },
                implies_relationships: view.environment.is_none(),
                components: known.into_iter().map(|(component, _)| component).collect(),
                at: view.at,
            })?;
        }
        for view in &model.dynamic_views {
            let events = view.events.iter().filter_map(|event| self.event(event)).collect();
            self.builder.process(ProcessDraft {
                key: view.key.clone(),
                name: view.title.clone().unwrap_or_else(|| view.key.clone()),
                description: view.description.clone(),
                events,
                at: view.at,
            })?;
        }
        Ok(())
    }

    fn event(&self, event: &Event<ElementIndex>) -> Option<Event<C>> {
        Some(match event {
            Event::Step { from, to, text, reply } => Event::Step {
                from: self.component(*from)?,
                to: self.component(*to)?,
                text: text.clone(),
                reply: *reply,
            },
            Event::Note { over, text } => Event::Note { over: self.component(*over)?, text: text.clone() },
            Event::Begin(block, label) => Event::Begin(*block, label.clone()),
            Event::Next(label) => Event::Next(label.clone()),
            Event::End => Event::End,
        })
    }
}

/// Whether a view was laid out: otherwise all elements are at the same place.
fn has_positions(view: &View) -> bool {
    let mut positions = view.elements.iter().filter_map(|(_, position)| *position);
    let first = positions.next();
    positions.any(|position| Some(position) != first)
}
