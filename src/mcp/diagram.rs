//! Writes a map as a mermaid flowchart. User input is quoted, so that it cannot become markup.

use std::{
    collections::{HashMap, HashSet},
    fmt,
};

use crate::domain::{
    catalogue::CONTAINS,
    map::{bundle::Bundle, components::Component},
};

/// Maximum number of components in the diagram; no renderer draws more.
const MAX_COMPONENTS: usize = 500;

/// The map of a workspace. Components that contain others are drawn as subgraphs.
pub fn flowchart(bundle: &Bundle) -> String {
    let mut text = String::from("flowchart LR\n");
    if bundle.components.len() > MAX_COMPONENTS {
        let more = bundle.components.len() - MAX_COMPONENTS;
        line(&mut text, format_args!("  %% the first {MAX_COMPONENTS} components; {more} more are left out"));
    }
    let shown: Vec<&Component> = bundle.components.iter().take(MAX_COMPONENTS).collect();
    let node: HashMap<&str, usize> = shown.iter().enumerate().map(|(at, one)| (one.id.as_str(), at)).collect();
    let contains = bundle.relationships.iter().filter(|row| row.type_id == CONTAINS);
    let inside: Vec<(usize, usize)> = contains
        .filter_map(|row| Some((*node.get(row.source_id.as_str())?, *node.get(row.target_id.as_str())?)))
        .collect();
    let mut children: HashMap<usize, Vec<usize>> = HashMap::new();
    for (outer, inner) in &inside {
        children.entry(*outer).or_default().push(*inner);
    }
    let within: HashSet<usize> = inside.iter().map(|(_, inner)| *inner).collect();
    for at in (0..shown.len()).filter(|at| !within.contains(at)) {
        draw(&mut text, &shown, &children, at, 1);
    }
    for row in bundle.relationships.iter().filter(|row| row.type_id != CONTAINS) {
        let ends = (node.get(row.source_id.as_str()), node.get(row.target_id.as_str()));
        let (Some(source), Some(target)) = ends else { continue };
        let label = quoted(row.label.as_deref().filter(|label| !label.is_empty()).unwrap_or(&row.type_id));
        line(&mut text, format_args!("  c{source} -->|{label}| c{target}"));
    }
    text
}

/// Draws a component and the components it contains. Containment is a forest, so the recursion terminates.
fn draw(text: &mut String, shown: &[&Component], children: &HashMap<usize, Vec<usize>>, at: usize, depth: usize) {
    /// Lines are not indented beyond this depth.
    const FAR: usize = 30;
    let indent = "  ".repeat(depth.min(FAR));
    let name = quoted(&shown[at].name);
    let Some(parts) = children.get(&at) else { return line(text, format_args!("{indent}c{at}[{name}]")) };
    line(text, format_args!("{indent}subgraph c{at} [{name}]"));
    for part in parts {
        draw(text, shown, children, *part, depth + 1);
    }
    line(text, format_args!("{indent}end"));
}

/// Appends a line.
fn line(text: &mut String, line: fmt::Arguments<'_>) {
    text.push_str(&line.to_string());
    text.push('\n');
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
    use super::quoted;

    #[test]
    fn user_text_is_escaped_in_diagrams() {
        assert_eq!(
            quoted("a\"]\n  click c0 \"javascript:x\" <b>#"),
            "\"a#quot;]   click c0 #quot;javascript:x#quot; #lt;b#gt;#35;\""
        );
    }
}
