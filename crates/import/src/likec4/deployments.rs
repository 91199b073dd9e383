//! The deployment model: nodes, and instances of elements on them.

use std::collections::HashSet;

use super::{Project, rich_text};
use crate::{
    builder::{Arrow, Draft},
    files::Refusal,
    node::Node,
    options::Deployment,
};

impl<'n> Project<'_, '_, 'n> {
    /// Reads the environments that the options select. An environment is a node at the top.
    pub(super) fn deployments(&mut self) -> Result<(), Refusal> {
        let Some(deployments) = self.root.get("deployments") else { return Ok(()) };
        let elements = deployments.entries("elements");
        let top = |id: &'n str| id.split('.').next().unwrap_or(id);
        let environments: HashSet<&str> = elements.iter().map(|(id, _)| top(id)).collect();
        let is_chosen = |id: &'n str| match &self.builder.options.deployment {
            Deployment::All => true,
            Deployment::None => false,
            Deployment::Single => environments.len() == 1,
            Deployment::Environment(name) => top(id) == name,
        };
        let chosen: Vec<&(String, Node)> = elements.iter().filter(|(id, _)| is_chosen(id)).collect();
        if chosen.is_empty() {
            self.builder.ignore("deployment environments", environments.len());
        }
        let parents: HashSet<&str> = chosen
            .iter()
            .filter(|(_, node)| node.get("element").is_none())
            .filter_map(|(id, _)| id.rsplit_once('.').map(|(parent, _)| parent))
            .collect();
        for (id, node) in &chosen {
            let at = self.at(node);
            if node.get("element").is_some() {
                continue;
            }
            let name = node.text("title").unwrap_or_else(|| id.rsplit('.').next().unwrap_or(id));
            let level = if parents.contains(id.as_str()) { "cluster" } else { "host" };
            let mut draft = Draft::new(format!("deployment:{id}"), name, level, at);
            draft.is_fixed = true;
            draft.description = rich_text(node, "description");
            draft.technologies(node.text("technology").unwrap_or_default());
            draft.tags = node.texts("tags").map(str::to_owned).collect();
            draft.property("deployment", "node");
            let component = self.builder.component(draft)?;
            self.nodes.insert(id, component);
        }
        for (id, node) in &chosen {
            let at = self.at(node);
            let parent = id.rsplit_once('.').and_then(|(parent, _)| self.nodes.get(parent)).copied();
            let element = node.text("element").and_then(|name| self.elements.get(name)).copied();
            match (parent, element, self.nodes.get(id.as_str()).copied()) {
                (Some(parent), Some(of), _) => {
                    self.builder.arrow(Arrow { type_id: Some("deployed-on"), ..Arrow::new(of, parent, at) })?;
                }
                (Some(parent), None, Some(own)) => self.builder.contain(parent, own, at)?,
                _ => {}
            }
            if let Some(of) = element {
                self.nodes.insert(id, of);
            }
        }
        for (_, relation) in deployments.entries("relations") {
            let end = |field: &str| self.nodes.get(relation.get(field)?.text("deployment")?).copied();
            if let (Some(from), Some(to)) = (end("source"), end("target"))
                && from != to
            {
                let label = relation.text("title").unwrap_or_default().to_owned();
                self.builder.arrow(Arrow { label, ..Arrow::new(from, to, self.at(relation)) })?;
            }
        }
        Ok(())
    }
}
