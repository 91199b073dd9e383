//! C4 diagrams in Mermaid and in `PlantUML`, which share their macros. A component with contents is a boundary.

use std::{
    collections::{HashMap, HashSet},
    fmt::Write as _,
};

use super::{
    map::{Component, Map, Relationship},
    text::{identifier, indent, one_line, summary},
    tree::{Tree, Visit},
    types::{self, Level, Shape},
};

/// Maximum length of a description, in characters. Descriptions are part of the drawing.
const MAX_DESCRIPTION: usize = 200;
/// Words that are no aliases in `PlantUML`, because lines can begin with them.
const RESERVED: [&str; 30] = [
    "actor",
    "as",
    "bottom",
    "caption",
    "center",
    "component",
    "database",
    "down",
    "end",
    "footer",
    "header",
    "hide",
    "interface",
    "left",
    "legend",
    "left_to_right",
    "node",
    "note",
    "package",
    "person",
    "queue",
    "rectangle",
    "remove",
    "right",
    "show",
    "skinparam",
    "system",
    "title",
    "together",
    "top",
];

/// How a tool reads the macros.
struct Dialect {
    quoted: fn(&str) -> String,
    /// Whether relationships can end at boundaries.
    links_boundaries: bool,
}

const MERMAID: Dialect = Dialect { quoted: mermaid_text, links_boundaries: false };
const PLANTUML: Dialect = Dialect { quoted: plantuml_text, links_boundaries: true };

pub(super) fn mermaid(map: &Map, tree: &Tree<'_>) -> String {
    let mut out = String::from("C4Context\n");
    let _ = writeln!(out, "    title {}", mermaid_title(&map.name));
    diagram(&mut out, map, tree, &MERMAID, 1);
    out
}

pub(super) fn plantuml(map: &Map, tree: &Tree<'_>) -> String {
    // The library is a part of PlantUML, so that nothing is downloaded.
    let mut out = String::from("@startuml\n!include <C4/C4_Component>\n\n");
    let _ = writeln!(out, "title {}\n", plantuml_text(&map.name));
    diagram(&mut out, map, tree, &PLANTUML, 0);
    out.push_str("@enduml\n");
    out
}

fn diagram(out: &mut String, map: &Map, tree: &Tree<'_>, dialect: &Dialect, level: usize) {
    let aliases = aliases(map);
    let taken: HashSet<String> = aliases.iter().map(|alias| alias.to_ascii_lowercase()).collect();
    let is_linked: HashSet<usize> = tree.edges.iter().flat_map(|edge| [edge.from, edge.to]).collect();
    for visit in tree.walk() {
        let (at, depth) = match visit {
            Visit::Begin(at, depth) => (at, depth),
            Visit::End(_, depth) => {
                let _ = writeln!(out, "{}}}", indent(level + depth));
                continue;
            }
        };
        let (one, alias) = (&map.components[at], &aliases[at]);
        if tree.children[at].is_empty() {
            let _ = writeln!(out, "{}{}", indent(level + depth), element(one, alias, dialect));
            continue;
        }
        let own = is_linked.contains(&at) && !dialect.links_boundaries;
        let boundary = if own { other_alias(alias, &taken) } else { alias.clone() };
        let _ = writeln!(out, "{}{}", indent(level + depth), boundary_line(one, &boundary, dialect));
        if own {
            let _ = writeln!(out, "{}{}", indent(level + depth + 1), element(one, alias, dialect));
        }
    }
    if !tree.edges.is_empty() {
        out.push('\n');
    }
    for edge in &tree.edges {
        let _ = writeln!(
            out,
            "{}{}",
            indent(level),
            relationship(edge.row, &aliases[edge.from], &aliases[edge.to], dialect)
        );
    }
}

fn element(one: &Component, alias: &str, dialect: &Dialect) -> String {
    let level = types::level(&one.type_id);
    let name = match level {
        Level::Person => "Person",
        Level::System => "System",
        Level::Container => "Container",
        Level::Component => "Component",
    };
    let shape = match types::shape(&one.type_id) {
        Shape::Plain => "",
        Shape::Database => "Db",
        Shape::Queue => "Queue",
    };
    let external = if one.type_id == "external-system" { "_Ext" } else { "" };
    let mut arguments = vec![alias.to_owned(), (dialect.quoted)(&one.name)];
    if matches!(level, Level::Container | Level::Component) {
        arguments.push((dialect.quoted)(&one.technology.join(", ")));
    }
    arguments.push((dialect.quoted)(&summary(&one.description, MAX_DESCRIPTION)));
    let quoted = |text: &String| format!("\"{text}\"");
    let mut line = arguments[0].clone();
    // Empty arguments at the end are left out.
    let used = arguments.iter().rposition(|argument| !argument.is_empty()).unwrap_or(0).max(1);
    for argument in &arguments[1..=used] {
        let _ = write!(line, ", {}", quoted(argument));
    }
    let has_hints = !one.tags.is_empty() || !one.technology.is_empty();
    let is_default = matches!(
        one.type_id.as_str(),
        "person" | "external-system" | "system" | "service" | "component" | "database" | "queue"
    );
    let tags = (has_hints || !is_default).then(|| format!("planroom:{}", one.type_id));
    let tags: Vec<String> = tags.into_iter().chain(one.tags.iter().map(|tag| tag.replace('+', " "))).collect();
    named(&mut line, "tags", &tags.join("+"), dialect);
    named(&mut line, "link", one.links.first().map_or("", String::as_str), dialect);
    format!("{name}{shape}{external}({line})")
}

fn boundary_line(one: &Component, alias: &str, dialect: &Dialect) -> String {
    let name = match types::level(&one.type_id) {
        _ if types::is_box(&one.type_id) => "Boundary",
        Level::Container | Level::Component => "Container_Boundary",
        _ => "System_Boundary",
    };
    let mut line = format!("{alias}, \"{}\"", (dialect.quoted)(&one.name));
    if one.type_id != "group" {
        named(&mut line, "tags", &format!("planroom:{}", one.type_id), dialect);
    }
    format!("{name}({line}) {{")
}

fn relationship(row: &Relationship, from: &str, to: &str, dialect: &Dialect) -> String {
    let name = if row.is_bidirectional { "BiRel" } else { "Rel" };
    // The macros require a label.
    let label = if row.label.trim().is_empty() { &row.type_name } else { &row.label };
    let mut line = format!("{from}, {to}, \"{}\"", (dialect.quoted)(label));
    if !row.technology.is_empty() {
        let _ = write!(line, ", \"{}\"", (dialect.quoted)(&row.technology.join(", ")));
    }
    named(&mut line, "tags", &format!("planroom:{}", row.type_id), dialect);
    format!("{name}({line})")
}

/// Adds an argument with a name, unless it is empty.
fn named(line: &mut String, name: &str, value: &str, dialect: &Dialect) {
    if !value.trim().is_empty() {
        let _ = write!(line, ", ${name}=\"{}\"", (dialect.quoted)(value));
    }
}

fn aliases(map: &Map) -> Vec<String> {
    let mut taken: HashSet<String> = HashSet::new();
    let mut last: HashMap<String, usize> = HashMap::new();
    let alias = |one: &Component| {
        let own = identifier(&one.id);
        let own = match own.as_bytes().first() {
            None => "c".to_owned(),
            Some(first) if first.is_ascii_digit() || RESERVED.contains(&own.to_ascii_lowercase().as_str()) => {
                format!("c_{own}")
            }
            Some(_) => own,
        };
        let last = last.entry(own.to_ascii_lowercase()).or_default();
        loop {
            *last += 1;
            let numbered = if *last == 1 && own != "c" { own.clone() } else { format!("{own}{last}") };
            if taken.insert(numbered.to_ascii_lowercase()) {
                return numbered;
            }
        }
    };
    map.components.iter().map(alias).collect()
}

/// A text in quotes in Mermaid: quotes and angle brackets are codes, and so is what would begin a code or a directive. Other
/// characters are written as they are, because Mermaid does not decode numeric codes on elements.
fn mermaid_text(text: &str) -> String {
    let line = one_line(text);
    let mut out = String::new();
    for (at, c) in line.char_indices() {
        let rest = &line[at + c.len_utf8()..];
        let begins_code = || {
            let after = rest.trim_start_matches(|c: char| c.is_alphanumeric() || c == '_');
            rest.starts_with(['#', '&', '"', '<', '>']) || (after.len() < rest.len() && after.starts_with(';'))
        };
        match c {
            '"' => out.push_str("#quot;"),
            '<' => out.push_str("#lt;"),
            '>' => out.push_str("#gt;"),
            '#' if begins_code() => out.push_str("#35;"),
            '&' if begins_code() => out.push_str("#amp;"),
            '{' if line[..at].ends_with("%%") => out.push_str("#123;"),
            c => out.push(c),
        }
    }
    out
}

/// The alias of a boundary that has the same component as an element inside.
fn other_alias(alias: &str, taken: &HashSet<String>) -> String {
    let mut other = format!("{alias}_boundary");
    while taken.contains(&other.to_ascii_lowercase()) {
        other.push('_');
    }
    other
}

/// A title in Mermaid, which has no quotes.
fn mermaid_title(text: &str) -> String {
    let mut out = String::new();
    for c in one_line(text).chars() {
        if c.is_alphanumeric() || " .,:()/+-_".contains(c) {
            out.push(c);
        } else {
            let _ = write!(out, "#{};", u32::from(c));
        }
    }
    out
}

/// A text with all ASCII characters that are special in `PlantUML` by their number. Some are special only when they are
/// repeated.
fn plantuml_text(text: &str) -> String {
    let chars: Vec<char> = one_line(text).chars().collect();
    let mut out = String::new();
    for (at, &c) in chars.iter().enumerate() {
        let is_repeated = at.checked_sub(1).is_some_and(|before| chars[before] == c) || chars.get(at + 1) == Some(&c);
        let is_plain =
            c.is_alphanumeric() || !c.is_ascii() || " ,:;()+?".contains(c) || (!is_repeated && "-_/.".contains(c));
        if is_plain {
            out.push(c);
        } else {
            let _ = write!(out, "<U+{:04X}>", u32::from(c));
        }
    }
    out
}
