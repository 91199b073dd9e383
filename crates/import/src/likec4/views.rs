//! Views: element views become views, dynamic views become processes.

use std::collections::HashMap;

use super::{Project, rich_text};
use crate::{
    builder::{C, ProcessDraft, ViewDraft},
    files::Refusal,
    node::Node,
    processes::{Block, Event},
};

/// Maximum nesting depth of blocks in a dynamic view.
const MAX_DEPTH: usize = 16;

impl<'n> Project<'_, '_, 'n> {
    pub(super) fn views(&mut self) -> Result<(), Refusal> {
        let views = self.root.entries("views");
        if views.is_empty() {
            let text = "the export contains no views, so there are no views and processes; likec4 writes none if its layout \
                        failed, which it reports";
            self.builder.warn(self.at(self.root), text);
        }
        let element_views = || views.iter().filter(|(_, view)| kind(view) == "element");
        let largest = || element_views().rev().max_by_key(|(_, view)| view.items("nodes").len());
        let main = element_views().find(|(id, _)| id == "index").filter(|(_, view)| view.items("nodes").len() > 1);
        if let Some((_, view)) = main.or_else(largest) {
            for (component, x, y) in self.positions(view) {
                self.builder.edit(component).position = Some((x, y));
            }
        }
        for (id, view) in views {
            match kind(view) {
                "dynamic" => self.process(id, view)?,
                "deployment" if self.nodes.is_empty() => self.builder.ignore("deployment views", 1),
                _ => self.view(id, view)?,
            }
            if kind(view) == "dynamic" {
                self.builder.ignore("dynamic views", 1);
            }
        }
        Ok(())
    }

    /// The component of a node of a view.
    fn component(&self, node: &Node) -> Option<C> {
        let deployed = || node.text("deploymentRef").and_then(|id| self.nodes.get(id));
        let element = || node.text("modelRef").or_else(|| node.text("id")).and_then(|id| self.elements.get(id));
        element().or_else(deployed).copied()
    }

    /// Positions, if the export has a layout. They are absolute.
    fn positions(&self, view: &Node) -> Vec<(C, f64, f64)> {
        let stage = view.text("_stage").or_else(|| self.root.text("_stage"));
        if stage != Some("layouted") {
            return Vec::new();
        }
        let place = |node: &Node| Some((self.component(node)?, node.number("x")?, node.number("y")?));
        view.items("nodes").iter().filter_map(place).collect()
    }

    fn view(&mut self, id: &str, view: &'n Node) -> Result<(), Refusal> {
        let components = view.items("nodes").iter().filter_map(|node| self.component(node)).collect();
        self.builder.view(ViewDraft {
            key: id.to_owned(),
            name: view.text("title").unwrap_or(id).to_owned(),
            description: rich_text(view, "description"),
            components,
            positions: self.positions(view),
            implies_relationships: kind(view) != "deployment",
            at: self.at(view),
        })
    }

    fn process(&mut self, id: &str, view: &'n Node) -> Result<(), Refusal> {
        let steps: HashMap<&str, &Node> =
            view.items("edges").iter().filter_map(|edge| Some((edge.text("id")?, edge))).collect();
        let mut events = Vec::new();
        match view.get("flow") {
            Some(flow) => self.flow(flow.as_list(), &steps, 0, &mut events)?,
            None => view.items("edges").iter().try_for_each(|edge| self.step(edge, &mut events))?,
        }
        self.builder.process(ProcessDraft {
            key: id.to_owned(),
            name: view.text("title").unwrap_or(id).to_owned(),
            description: rich_text(view, "description"),
            events,
            at: self.at(view),
        })
    }

    /// Steps by id, and blocks of steps.
    fn flow(
        &mut self,
        items: &[Node],
        steps: &HashMap<&str, &'n Node>,
        depth: usize,
        events: &mut Vec<Event<C>>,
    ) -> Result<(), Refusal> {
        for item in items {
            if let Some(step) = item.as_text() {
                if let Some(step) = steps.get(step) {
                    self.step(step, events)?;
                }
                continue;
            }
            let block = match item.text("_type").unwrap_or_default() {
                "par" | "parallel" => Some(Block::Par),
                "alt" => Some(Block::Alt),
                "opt" => Some(Block::Opt),
                "loop" => Some(Block::Loop),
                _ => None,
            };
            let block = block.filter(|_| depth < MAX_DEPTH);
            let parts = item.items("flow");
            if let Some(block) = block {
                let label = item.text("title").or_else(|| item.text("label")).unwrap_or_default();
                events.push(Event::Begin(block, label.to_owned()));
            }
            for (number, part) in parts.iter().enumerate() {
                // Every part of these blocks is a section of its own.
                if number > 0 && matches!(block, Some(Block::Par | Block::Alt)) {
                    events.push(Event::Next(part.text("title").unwrap_or_default().to_owned()));
                }
                self.flow(std::slice::from_ref(part), steps, depth + 1, events)?;
            }
            if block.is_some() {
                events.push(Event::End);
            }
        }
        Ok(())
    }

    fn step(&mut self, edge: &Node, events: &mut Vec<Event<C>>) -> Result<(), Refusal> {
        let (source, target) = (edge.text("source").unwrap_or_default(), edge.text("target").unwrap_or_default());
        let find = |id: &str| self.elements.get(id).copied();
        let (Some(from), Some(to)) = (find(source), find(target)) else {
            self.builder.warn(self.at(edge), "a step was not imported, because one of its ends is not in the project");
            return Ok(());
        };
        // `dir: back` is also written for steps that the layout draws backward. Those that answer go against a relationship.
        let is_answer = self.connected.contains(&(target, source)) && !self.connected.contains(&(source, target));
        let reply = edge.text("dir") == Some("back") && is_answer;
        let (text, note) = (edge.text("label").unwrap_or_default(), rich_text(edge, "notes"));
        // Several blocks can contain the same step.
        let bytes = text.len() + note.as_ref().map_or(0, String::len);
        self.builder.charge(3 * size_of::<Event<C>>() + bytes, self.at(edge))?;
        events.push(Event::Step { from, to, text: text.to_owned(), reply });
        events.extend(note.map(|text| Event::Note { over: to, text }));
        Ok(())
    }
}

fn kind(view: &Node) -> &str {
    // Versions before 1.46 write the type in another field.
    view.text("_type").or_else(|| view.text("__")).unwrap_or("element")
}
