//! The DSL: one statement per line.

use std::fmt::Write as _;

use super::{
    plan::{Item, Kind, Plan},
    processes::{self, Dynamic},
};
use crate::{
    map::Map,
    text::{indent, one_line},
    tree::Tree,
    types,
};

/// Maximum number of views of systems and containers. Further ones can be added in Structurizr.
const MAX_VIEWS: usize = 200;

pub(crate) fn dsl(map: &Map, tree: &Tree<'_>) -> String {
    let plan = Plan::of(map, tree);
    let (views, failed) = processes::of(&plan);
    let mut out = String::new();
    for text in &plan.left_out {
        let _ = writeln!(out, "// Left out: {text}");
    }
    for name in &failed {
        let _ = writeln!(out, "// Left out: the process {name}, whose messages fit into no dynamic view");
    }
    let _ = writeln!(out, "workspace {} {} {{", quoted(&map.name), quoted(&map.description));
    out.push_str("    !identifiers flat\n\n    model {\n        properties {\n");
    let _ = writeln!(out, "            \"structurizr.groupSeparator\" \"{}\"\n        }}\n", plan.separator);
    items(&mut out, &plan, &plan.items, 2);
    out.push('\n');
    for one in &plan.relations {
        let _ = write!(
            out,
            "        {} -> {} {} {} {}",
            plan.elements[one.from].identifier,
            plan.elements[one.to].identifier,
            quoted(&one.description),
            quoted(&one.edge.row.technology.join(", ")),
            quoted(&format!("planroom:{}", one.edge.row.type_id))
        );
        if one.edge.row.is_bidirectional {
            out.push_str(
                " {\n            properties {\n                \"bidirectional\" \"true\"\n            }\n        }\n",
            );
        } else {
            out.push('\n');
        }
    }
    if !plan.node_items.is_empty() {
        out.push_str("\n        deploymentEnvironment \"Live\" {\n");
        items(&mut out, &plan, &plan.node_items, 3);
        out.push_str("        }\n");
    }
    out.push_str("    }\n\n    views {\n");
    self::views(&mut out, &plan, &views);
    out.push_str("    }\n}\n");
    out
}

/// The statements of elements and groups.
fn items(out: &mut String, plan: &Plan<'_>, items: &[Item], level: usize) {
    let mut depth = level;
    for item in items {
        match *item {
            Item::Close => {
                depth -= 1;
                let _ = writeln!(out, "{}}}", indent(depth));
            }
            Item::Group(at) => {
                let _ = writeln!(out, "{}group {} {{", indent(depth), quoted(&plan.map.components[at].name));
                depth += 1;
            }
            Item::Element(element) => {
                self::element(out, plan, element, depth);
                depth += 1;
            }
        }
    }
}

/// The beginning of an element with its fields.
fn element(out: &mut String, plan: &Plan<'_>, element: usize, depth: usize) {
    let (one, row) = (&plan.elements[element], plan.component(element));
    let (description, technology) = (quoted(&row.description), quoted(&row.technology.join(", ")));
    let (word, technology) = match one.kind {
        Kind::Person => ("person", None),
        Kind::System => ("softwareSystem", None),
        Kind::Container => ("container", Some(technology)),
        Kind::Component => ("component", Some(technology)),
        Kind::Node => ("deploymentNode", Some(technology)),
    };
    let mut line = format!("{} = {word} {} {description}", one.identifier, quoted(&one.name));
    for part in technology.into_iter().chain([quoted(&plan.tags(element).join(","))]) {
        line.push(' ');
        line.push_str(&part);
    }
    // Empty texts at the end are left out.
    while let Some(rest) = line.strip_suffix(" \"\"") {
        line.truncate(rest.len());
    }
    let (inside, deeper) = (indent(depth + 1), indent(depth + 2));
    let _ = writeln!(out, "{}{line} {{", indent(depth));
    if let Some(url) = row.links.first() {
        let _ = writeln!(out, "{inside}url {}", quoted(url));
    }
    let _ = writeln!(out, "{inside}properties {{");
    // People and systems have no technology.
    if matches!(one.kind, Kind::Person | Kind::System) && !row.technology.is_empty() {
        let _ = writeln!(out, "{deeper}\"planroom.technology\" {}", quoted(&row.technology.join(", ")));
    }
    for (name, value) in plan.properties(element) {
        let _ = writeln!(out, "{deeper}{} {}", quoted(name), quoted(&value));
    }
    let _ = writeln!(out, "{inside}}}");
    if one.kind == Kind::Node {
        for from in plan.deployed_on(element) {
            let word =
                if plan.elements[from].kind == Kind::System { "softwareSystemInstance" } else { "containerInstance" };
            let _ = writeln!(out, "{inside}{word} {}", plan.elements[from].identifier);
        }
    }
}

fn views(out: &mut String, plan: &Plan<'_>, dynamic: &[Dynamic<'_>]) {
    let shown = "            include *\n            autoLayout lr\n        }\n";
    if plan.elements.iter().any(|one| matches!(one.kind, Kind::Person | Kind::System)) {
        let _ = write!(out, "        systemLandscape \"landscape\" {{\n{shown}");
    }
    let mut has_parts = vec![false; plan.elements.len()];
    for one in &plan.elements {
        if let Some(parent) = one.parent {
            has_parts[parent] = true;
        }
    }
    let scopes = plan.elements.iter().enumerate().filter(|(at, _)| has_parts[*at]);
    for (number, (_, one)) in scopes.filter(|(_, one)| one.kind != Kind::Node).take(MAX_VIEWS).enumerate() {
        let word = if one.kind == Kind::System { "container" } else { "component" };
        let _ = write!(out, "        {word} {} \"{word}s-{}\" {{\n{shown}", one.identifier, number + 1);
    }
    if !plan.node_items.is_empty() {
        let _ = write!(out, "        deployment * \"Live\" \"deployment\" {{\n{shown}");
    }
    for view in dynamic {
        let scope = view.scope.map_or("*", |scope| plan.elements[scope].identifier.as_str());
        let description = quoted(&view.process.description);
        let _ = writeln!(out, "        dynamic {scope} \"{}\" {description} {{", view.key);
        let _ = writeln!(out, "            title {}", quoted(&view.process.name));
        if view.left_out > 0 {
            let _ =
                writeln!(out, "            // Left out: {} messages without a relationship on the map", view.left_out);
        }
        for step in &view.steps {
            let [from, to] = [step.from, step.to].map(|at| plan.elements[at].identifier.as_str());
            let _ = writeln!(out, "            {from} -> {to} {}", quoted(&step.text));
        }
        out.push_str("            autoLayout lr\n        }\n");
    }
    out.push_str("        styles {\n");
    for (type_id, shape) in types::STRUCTURIZR_SHAPES {
        let is_used = plan.elements.iter().any(|one| plan.map.components[one.at].type_id == *type_id);
        let tag = if *type_id == "person" { "Person".to_owned() } else { format!("planroom:{type_id}") };
        if is_used {
            let _ = writeln!(out, "            element \"{tag}\" {{\n                shape {shape}\n            }}");
        }
    }
    out.push_str("        }\n");
}

/// A text in quotes. Texts that the tokenizer takes for syntax even in quotes, and those that end with a backslash, which
/// would escape the quote, end with a space.
fn quoted(text: &str) -> String {
    let text = one_line(text);
    let is_syntax = !text.is_empty() && !text.chars().any(char::is_alphanumeric);
    let end = if is_syntax || text.ends_with('\\') { " " } else { "" };
    format!("\"{}{end}\"", text.replace('"', "\\\""))
}
