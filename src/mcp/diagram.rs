//! Writes a map as a mermaid flowchart or as an outline. In flowcharts, user input is quoted, so that it cannot become
//! markup.

use std::{
    collections::{HashMap, HashSet},
    fmt,
};

use crate::{
    domain::{
        core::ViewTx,
        map::tables::{self, Part, Row},
    },
    error::Result,
};

/// Maximum number of components in a flowchart; no renderer draws more.
const MAX_COMPONENTS: usize = 500;
/// Words of the flowchart syntax, with which no id of a node can begin.
const KEYWORDS: [&str; 17] = [
    "_blank",
    "_parent",
    "_self",
    "_top",
    "call",
    "class",
    "classDef",
    "click",
    "default",
    "end",
    "flowchart",
    "graph",
    "href",
    "interpolate",
    "linkStyle",
    "style",
    "subgraph",
];

/// The components and relationships of a map, without their other fields.
pub struct Map {
    components: Vec<Row>,
    relationships: Vec<Row>,
}

/// A component in the order of [`Part::columns`].
struct Node<'a> {
    id: &'a str,
    type_id: &'a str,
    name: &'a str,
    parent: &'a str,
    lifecycle: &'a str,
    owners: &'a str,
    kind: &'a str,
}

/// A relationship in the order of [`Part::columns`].
struct Line<'a> {
    source: &'a str,
    type_id: &'a str,
    target: &'a str,
    label: &'a str,
}

fn values<const N: usize>(row: &Row) -> [&str; N] {
    std::array::from_fn(|index| row.get(index).and_then(Option::as_deref).unwrap_or_default())
}

/// A flowchart and what it contains.
pub struct Flowchart {
    /// The text.
    pub text: String,
    /// Number of components in it.
    pub components: usize,
    /// Number of relationships in it, without containment.
    pub relationships: usize,
    /// Whether this is the whole map.
    pub is_whole: bool,
}

impl Map {
    /// Reads a map, or a part of it with these components.
    pub fn read(tx: &ViewTx<'_>, only: Option<&HashSet<String>>) -> Result<Self> {
        let rows = |part| tables::rows(tx, part, usize::MAX, 0);
        let has = |row: &Row, index: usize| {
            only.is_none_or(|only| row.get(index).and_then(Option::as_ref).is_some_and(|id| only.contains(id)))
        };
        let (mut components, mut relationships) = (rows(Part::Components)?, rows(Part::Relationships)?);
        components.retain(|row| has(row, 0));
        relationships.retain(|row| has(row, 1) && has(row, 3));
        Ok(Self { components, relationships })
    }

    fn nodes(&self) -> Vec<Node<'_>> {
        let node = |row| {
            let [id, type_id, name, parent, lifecycle, owners, kind] = values(row);
            Node { id, type_id, name, parent, lifecycle, owners, kind }
        };
        self.components.iter().map(node).collect()
    }

    fn lines(&self) -> Vec<Line<'_>> {
        let line = |row| {
            let [_, source, type_id, target, label] = values(row);
            Line { source, type_id, target, label }
        };
        self.relationships.iter().map(line).collect()
    }

    /// The map as a flowchart of at most about `max_bytes`: as many components as fit, and the relationships between them
    /// that fit. Components that contain others are drawn as subgraphs.
    pub fn flowchart(&self, max_bytes: usize) -> Flowchart {
        let (nodes, lines) = (self.nodes(), self.lines());
        let max = nodes.len().min(MAX_COMPONENTS);
        let drawn = |count: usize| draw_all(&nodes[..count]);
        // Leaves space for lines unless all components and lines fit.
        let fits = |count: &usize| drawn(*count).len() <= max_bytes / 2;
        let counts: Vec<usize> = (0..=max).collect();
        let mut count = max;
        let mut text = drawn(count);
        let names: HashMap<&str, usize> = nodes.iter().enumerate().map(|(index, node)| (node.id, index)).collect();
        let drawn_lines = |count: usize| -> Vec<String> {
            let place = |id: &str| names.get(id).copied().filter(|index| *index < count);
            let ends = lines.iter().filter_map(|line| Some((line, place(line.source)?, place(line.target)?)));
            ends.map(|(line, source, target)| {
                let label = quoted(if line.label.is_empty() { line.type_id } else { line.label });
                format!("  {} -->|{label}| {}\n", node_id(&nodes, source), node_id(&nodes, target))
            })
            .collect()
        };
        let mut connections = drawn_lines(count);
        if text.len() + connections.iter().map(String::len).sum::<usize>() > max_bytes {
            count = counts.partition_point(fits).saturating_sub(1);
            text = drawn(count);
            connections = drawn_lines(count);
        }
        let mut relationships = 0;
        for connection in connections {
            if text.len() + connection.len() > max_bytes {
                break;
            }
            text.push_str(&connection);
            relationships += 1;
        }
        let is_whole = (count, relationships) == (nodes.len(), lines.len());
        let mut whole = String::from("flowchart LR\n");
        if !is_whole {
            let (components, lines) = (nodes.len(), lines.len());
            push(
                &mut whole,
                format_args!("  %% {count} of {components} components, {relationships} of {lines} relationships"),
            );
        }
        Flowchart { text: whole + &text, components: count, relationships, is_whole }
    }

    /// The map as an outline: each component with those that it contains and its outgoing relationships below it, indented.
    pub fn outline(&self) -> Vec<String> {
        let (nodes, lines) = (self.nodes(), self.lines());
        let mut outgoing: HashMap<&str, Vec<&Line<'_>>> = HashMap::new();
        for line in &lines {
            outgoing.entry(line.source).or_default().push(line);
        }
        let children = children(&nodes);
        let mut text = Vec::new();
        let mut stack: Vec<(usize, usize)> = roots(&nodes).into_iter().rev().map(|index| (index, 0)).collect();
        while let Some((index, depth)) = stack.pop() {
            let indent = indent(depth);
            let Node { id, type_id, name, lifecycle, owners, kind, .. } = nodes[index];
            let kind = if kind.is_empty() { String::new() } else { format!("/{}", line_of(kind)) };
            let lifecycle = if lifecycle.is_empty() { String::new() } else { format!(" · {}", line_of(lifecycle)) };
            let owners = if owners.is_empty() { String::new() } else { format!(" · owned by {}", line_of(owners)) };
            let (id_text, name) = (line_of(id), line_of(name));
            text.push(format!("{indent}{id_text} [{type_id}{kind}] {name}{lifecycle}{owners}"));
            for Line { type_id, target, label, .. } in outgoing.get(id).into_iter().flatten() {
                let label = if label.is_empty() { String::new() } else { format!(": {}", line_of(label)) };
                text.push(format!("{indent}  -> {} {type_id}{label}", line_of(target)));
            }
            stack.extend(children.get(id).into_iter().flatten().rev().map(|index| (*index, depth + 1)));
        }
        text
    }
}

/// The components that no other component of the map contains.
fn roots(nodes: &[Node<'_>]) -> Vec<usize> {
    let ids: HashSet<&str> = nodes.iter().map(|node| node.id).collect();
    (0..nodes.len()).filter(|index| !ids.contains(nodes[*index].parent)).collect()
}

fn children<'a>(nodes: &[Node<'a>]) -> HashMap<&'a str, Vec<usize>> {
    let mut children: HashMap<&str, Vec<usize>> = HashMap::new();
    for (index, node) in nodes.iter().enumerate() {
        children.entry(node.parent).or_default().push(index);
    }
    children
}

fn draw_all(nodes: &[Node<'_>]) -> String {
    let children = children(nodes);
    let mut text = String::new();
    for index in roots(nodes) {
        draw(&mut text, nodes, &children, index, 1);
    }
    text
}

/// Draws a component and the components it contains. Containment is a forest, so the recursion terminates.
fn draw(text: &mut String, nodes: &[Node<'_>], children: &HashMap<&str, Vec<usize>>, index: usize, depth: usize) {
    let (indent, id, name) = (indent(depth), node_id(nodes, index), label(&nodes[index]));
    let Some(parts) = children.get(nodes[index].id) else { return push(text, format_args!("{indent}{id}[{name}]")) };
    push(text, format_args!("{indent}subgraph {id} [{name}]"));
    for part in parts {
        draw(text, nodes, children, *part, depth + 1);
    }
    push(text, format_args!("{indent}end"));
}

fn indent(depth: usize) -> String {
    /// Lines are not indented beyond this depth.
    const FAR: usize = 30;
    "  ".repeat(depth.min(FAR))
}

/// Appends a line.
fn push(text: &mut String, line: fmt::Arguments<'_>) {
    text.push_str(&line.to_string());
    text.push('\n');
}

/// Whether an id can be written in a flowchart as it is.
fn is_plain(id: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let first = id.split(|c: char| !is_word(c)).next().unwrap_or_default();
    id.starts_with(|c: char| c.is_ascii_alphabetic())
        && id.chars().all(|c| is_word(c) || c == '-')
        && !id.contains("--")
        && !id.ends_with('-')
        && !KEYWORDS.contains(&first)
}

/// The id of a node: that of the component if the syntax allows it.
fn node_id(nodes: &[Node<'_>], index: usize) -> String {
    // With a dot, so that it is no id of another component.
    if is_plain(nodes[index].id) { nodes[index].id.to_owned() } else { format!("c.{index}") }
}

/// The label of a node, with the id of the component if the node has another one.
fn label(node: &Node<'_>) -> String {
    if is_plain(node.id) { quoted(node.name) } else { quoted(&format!("{} ({})", node.name, node.id)) }
}

/// A text on a single line.
fn line_of(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// A quoted text. Quotes and markup characters are written as entities.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("#quot;"),
            '#' => quoted.push_str("#35;"),
            '&' => quoted.push_str("#amp;"),
            '<' => quoted.push_str("#lt;"),
            '>' => quoted.push_str("#gt;"),
            '`' => quoted.push_str("#96;"),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(values: &[&str]) -> Row {
        values.iter().map(|value| Some((*value).to_owned())).collect()
    }

    fn map(count: usize) -> Map {
        let component = |index: usize| {
            let parent = if index.is_multiple_of(10) { String::new() } else { format!("n{}", index / 10 * 10) };
            row(&[&format!("n{index}"), "service", &format!("Name {index}"), &parent, "live", "core, ada", "", ""])
        };
        let relationship =
            |index: usize| row(&["r", &format!("n{index}"), "calls", &format!("n{}", (index * 7) % count), ""]);
        Map { components: (0..count).map(component).collect(), relationships: (0..count).map(relationship).collect() }
    }

    #[test]
    fn user_text_is_escaped_in_diagrams() {
        assert_eq!(
            quoted("a\"]\n  click c0 \"javascript:x\" <b>#"),
            "\"a#quot;]   click c0 #quot;javascript:x#quot; #lt;b#gt;#35;\""
        );
    }

    #[test]
    fn only_ids_that_the_syntax_allows_are_used() {
        for id in ["geo-dns", "a1", "endpoint", "x_y"] {
            assert!(is_plain(id), "{id}");
        }
        for id in ["end", "end-user", "default-gateway", "a.b", "a b", "1a", "a--b", "a-", "-a", "é", "style"] {
            assert!(!is_plain(id), "{id}");
        }
    }

    #[test]
    fn a_flowchart_stays_within_its_size_and_has_a_comment_about_omissions() {
        let small = map(10).flowchart(40_000);
        assert!(small.is_whole && small.text.contains("    n3[\"Name 3\"]\n"), "{}", small.text);
        assert!(small.text.starts_with("flowchart LR\n  subgraph n0 [\"Name 0\"]\n"), "{}", small.text);
        let large = map(3_000).flowchart(10_000);
        assert!(large.text.len() <= 10_100 && large.components > 100 && large.relationships > 0);
        let comment =
            format!("  %% {} of 3000 components, {} of 3000 relationships", large.components, large.relationships);
        assert_eq!(large.text.lines().nth(1), Some(comment.as_str()));
    }

    #[test]
    fn an_outline_has_all_components_below_their_groups() {
        let outline = map(20).outline();
        assert_eq!(
            outline[..3],
            [
                "n0 [service] Name 0 · live · owned by core, ada",
                "  -> n0 calls",
                "  n1 [service] Name 1 · live · owned by core, ada",
            ]
        );
        assert_eq!(outline.len(), 40);
    }
}
