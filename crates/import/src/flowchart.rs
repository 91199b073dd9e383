//! Flowcharts in Mermaid: nodes, subgraphs and arrows. Styles are ignored, but the classes of nodes become tags.

mod links;
pub(super) mod nodes;
mod statements;

use std::collections::HashMap;

use self::statements::statements;
use super::{
    builder::{Arrow, At, Builder, C, Draft},
    diagrams::{self, Diagram, Kind},
    files::{File, Refusal},
    text,
};

/// Memory of a reference to a node in its group and its subgraph, in bytes.
const NODE_BYTES: usize = 48;
/// Bytes that are scanned in a step.
const BYTES_PER_STEP: usize = 16;
/// Maximum number of nested subgraphs.
const MAX_DEPTH: usize = 100;

/// Whether a file is a flowchart, or a Markdown file with one.
pub(super) fn recognizes(file: &File) -> bool {
    diagrams::has(file, Kind::Flowchart)
}

/// Reads flowcharts: one for each file, or all of a Markdown file.
pub(super) fn read(builder: &mut Builder<'_>, files: &[usize]) -> Result<(), Refusal> {
    for &file in files {
        let diagrams = diagrams::of_kind(builder, file, Kind::Flowchart)?;
        let Some(first) = diagrams.first() else {
            let text = "the file has no flowchart; it must begin with a line such as `flowchart LR`";
            return Err(builder.refusal(At::new(file, 1), text));
        };
        let mut head = builder.files.at(file).text().lines().take(first.line);
        let title = head.find_map(|line| line.trim().strip_prefix("title:"));
        builder.workspace(title.map(|title| title.trim().trim_matches(['"', '\''])), None);
        for diagram in &diagrams {
            let at = At::new(file, diagrams::number(diagram.line));
            let mut chart = Chart { builder, diagram, at, nodes: HashMap::new(), open: Vec::new() };
            statements(diagram.text, |line, statement| {
                chart.at.line = diagrams::number(diagram.line + line);
                chart.builder.charge_steps(1 + statement.len() / BYTES_PER_STEP, chart.at)?;
                chart.statement(statement)
            })?;
            chart.finish();
        }
    }
    Ok(())
}

/// A subgraph whose end was not read yet.
struct Open {
    group: C,
    members: Vec<C>,
}

struct Chart<'b, 's> {
    builder: &'b mut Builder<'s>,
    diagram: &'b Diagram<'s>,
    at: At,
    nodes: HashMap<String, C>,
    open: Vec<Open>,
}

impl Chart<'_, '_> {
    fn statement(&mut self, statement: &str) -> Result<(), Refusal> {
        const IGNORED: [&str; 8] =
            ["classDef", "style", "linkStyle", "direction", "accTitle", "accTitle:", "accDescr", "accDescr:"];
        let (word, rest) = statement.split_once(char::is_whitespace).unwrap_or((statement, ""));
        match word {
            "subgraph" => self.subgraph(rest.trim()),
            "end" if rest.trim().is_empty() => {
                self.end();
                Ok(())
            }
            "class" => self.class(rest),
            "click" => self.click(rest),
            _ if IGNORED.contains(&word) => Ok(()),
            _ => self.chain(statement),
        }
    }

    /// `subgraph id`, `subgraph id [Title]` or `subgraph Title of several words`.
    fn subgraph(&mut self, text: &str) -> Result<(), Refusal> {
        if self.open.len() == MAX_DEPTH {
            return Err(self
                .builder
                .refusal(self.at, format!("subgraphs are nested more than {MAX_DEPTH} levels deep")));
        }
        let (id, title) = match text.split_once('[') {
            Some((id, title)) => (id.trim(), title.trim().trim_end_matches(']')),
            None => (text, text),
        };
        let title = nodes::display(title);
        let id = if id.is_empty() { nodes::display(text) } else { nodes::display(id) };
        let group = match self.nodes.get(&id) {
            // An arrow to the subgraph was read before.
            Some(known) => {
                let draft = self.builder.edit(*known);
                (draft.is_box, draft.is_fixed, draft.level) = (true, true, "group");
                draft.name = if title.is_empty() { text::name(&id) } else { text::name(&title) };
                *known
            }
            None => {
                let name = if title.is_empty() { id.clone() } else { title };
                let group = self.builder.component(Draft::group(self.diagram.key(&id), name, self.at))?;
                self.nodes.insert(id, group);
                group
            }
        };
        self.mention(group);
        self.open.push(Open { group, members: Vec::new() });
        Ok(())
    }

    /// A node is part of the first subgraph that ends after it was mentioned there.
    fn end(&mut self) {
        let Some(Open { group, members }) = self.open.pop() else {
            self.builder.error(self.at, "`end` closes no subgraph");
            return;
        };
        for member in members {
            if self.builder.whole(member).is_none() && member != group {
                // The containment of a new pair cannot be refused for its number: it has no arrow.
                let at = self.builder.edit(member).at;
                if let Err(refusal) = self.builder.contain(group, member, at) {
                    self.builder.warn(at, refusal.text);
                }
            }
        }
    }

    fn mention(&mut self, node: C) {
        if let Some(open) = self.open.last_mut() {
            open.members.push(node);
        }
    }

    fn class(&mut self, text: &str) -> Result<(), Refusal> {
        let Some((ids, class)) = text.trim().rsplit_once(char::is_whitespace) else { return Ok(()) };
        let nodes = ids.split(',').filter_map(|id| self.nodes.get(id.trim()).copied());
        self.builder.tag(nodes, class, self.at)
    }

    /// `click id "https://…"` or `click id href "https://…" "Tooltip"`.
    fn click(&mut self, text: &str) -> Result<(), Refusal> {
        let Some((id, target)) = text.trim().split_once(char::is_whitespace) else { return Ok(()) };
        let url = target.split('"').nth(1).unwrap_or_default();
        self.nodes.get(id).map_or(Ok(()), |node| self.builder.link(*node, url, self.at))
    }

    /// `a & b --> c -- text --> d`.
    fn chain(&mut self, statement: &str) -> Result<(), Refusal> {
        let mut rest = statement.trim();
        let Some(mut sources) = self.group(&mut rest)? else { return Ok(()) };
        while !rest.is_empty() {
            let Some((link, length)) = links::read(rest) else {
                let shown = text::cut(rest, 40);
                self.builder.warn(self.at, format!("`{shown}` was not read; an arrow such as `-->` is expected"));
                return Ok(());
            };
            rest = rest[length..].trim_start();
            let Some(targets) = self.group(&mut rest)? else { return Ok(()) };
            if !link.is_invisible {
                let label = text::label(&nodes::display(&link.label));
                for (source, target) in sources.iter().flat_map(|from| targets.iter().map(|to| (*from, *to))) {
                    self.link(source, target, &link, &label)?;
                }
            }
            sources = targets;
        }
        Ok(())
    }

    fn link(&mut self, source: C, target: C, link: &links::Link, label: &str) -> Result<(), Refusal> {
        let (from, to) = if link.starts && !link.ends { (target, source) } else { (source, target) };
        let mut arrow = Arrow { label: label.to_owned(), ..Arrow::new(from, to, self.at) };
        arrow.is_bidirectional = link.starts && link.ends;
        if !link.starts && !link.ends {
            // A line without an arrow has no direction.
            arrow.type_id = Some("related-to");
        }
        self.builder.arrow(arrow)
    }

    /// One or more nodes with `&` between them. None if there is no node, which is reported.
    fn group(&mut self, rest: &mut &str) -> Result<Option<Vec<C>>, Refusal> {
        let mut found = Vec::new();
        loop {
            let mut scanned = 0;
            let node = nodes::read(rest, &mut scanned);
            self.builder.charge_steps(1 + scanned / BYTES_PER_STEP, self.at)?;
            let Some((node, length)) = node else {
                let shown = text::cut(rest, 40);
                self.builder.warn(self.at, format!("`{shown}` was not read; a node is expected"));
                return Ok(None);
            };
            *rest = rest[length..].trim_start();
            let node = self.node(node)?;
            self.builder.charge(NODE_BYTES, self.at)?;
            found.push(node);
            match rest.strip_prefix('&') {
                Some(after) => *rest = after.trim_start(),
                None => return Ok(Some(found)),
            }
        }
    }

    fn node(&mut self, node: nodes::Node) -> Result<C, Refusal> {
        let component = match self.nodes.get(&node.id) {
            Some(known) => *known,
            None => {
                let component = self.builder.component(Draft::new(
                    self.diagram.key(&node.id),
                    node.id.as_str(),
                    "service",
                    self.at,
                ))?;
                self.nodes.insert(node.id, component);
                component
            }
        };
        let at = self.at;
        let draft = self.builder.edit(component);
        if let Some(label) =
            node.label.map(|label| text::name(&nodes::display(&label))).filter(|label| !label.is_empty())
        {
            // The line of a node is the one that declares it.
            (draft.name, draft.at) = (label, at);
        }
        if let Some(shape) = node.shape {
            draft.shape = Some(shape);
        }
        if let Some(class) = node.class {
            self.builder.tag([component], &class, at)?;
        }
        self.mention(component);
        Ok(component)
    }

    fn finish(mut self) {
        if !self.open.is_empty() {
            self.builder.error(self.at, format!("{} subgraphs have no `end`", self.open.len()));
        }
        while !self.open.is_empty() {
            self.end();
        }
    }
}
