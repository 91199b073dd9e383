//! draw.io drawings: not compressed, so that they can be compared in version control.
//!
//! Every shape and connector is an object with `planroomId` and `planroomType`: reading the file again finds the same rows.
//! Names and labels are in one place each, so that reading the file again also finds what was edited in draw.io.
//! A component with contents is a container, and the positions of its contents are relative to it.

use std::fmt::{self, Display, Write as _};

use super::{
    map::{Component, Map, Owner, Rect},
    tree::{Edge, Tree, Visit},
    types::{self, Level},
};

/// Names of attributes that have a meaning in draw.io or in this file. Properties with these names are left out.
const RESERVED: [&str; 15] = [
    "id",
    "label",
    "placeholders",
    "tooltip",
    "link",
    "tags",
    "technology",
    "kind",
    "planroomId",
    "planroomType",
    "planroomTags",
    "planroomTechnology",
    "planroomOwner",
    "owner",
    "lifecycle",
];

pub(super) fn write(map: &Map, tree: &Tree<'_>) -> String {
    let mut out = String::from("<mxfile host=\"planroom\">\n");
    let _ = writeln!(out, "  <diagram id=\"map\" name=\"{}\">", Xml(&map.name));
    out.push_str("    <mxGraphModel grid=\"1\" gridSize=\"10\" page=\"0\" math=\"0\" shadow=\"0\">\n      <root>\n");
    out.push_str("        <mxCell id=\"0\"/>\n        <mxCell id=\"1\" parent=\"0\"/>\n");
    for visit in tree.walk() {
        if let Visit::Begin(at, _) = visit {
            shape(&mut out, map, tree, at);
        }
    }
    for edge in &tree.edges {
        connector(&mut out, map, edge);
    }
    out.push_str("      </root>\n    </mxGraphModel>\n  </diagram>\n</mxfile>\n");
    out
}

fn shape(out: &mut String, map: &Map, tree: &Tree<'_>, at: usize) {
    let one = &map.components[at];
    let is_group = !tree.children[at].is_empty() || one.type_id == "group";
    let (label, has_placeholder) = label(one, is_group);
    let placeholders = if has_placeholder { " placeholders=\"1\"" } else { "" };
    let _ = write!(out, "        <object id=\"c-{}\" label=\"{}\"{placeholders}", Xml(&one.id), Xml(&label));
    let mut attribute = |name: &str, value: &str| {
        if !value.trim().is_empty() {
            let _ = write!(out, " {name}=\"{}\"", Xml(value));
        }
    };
    attribute("planroomId", &one.id);
    attribute("planroomType", &one.type_id);
    attribute("c4Name", &one.name);
    attribute("c4Type", c4_type(&one.type_id, is_group));
    attribute("c4Description", &one.description);
    list(&mut attribute, ("c4Technology", ", "), ("planroomTechnology", |c| c == ','), &one.technology);
    list(&mut attribute, ("tags", " "), ("planroomTags", char::is_whitespace), &one.tags);
    let names: Vec<&str> = one.owners.iter().map(|owner| owner.name.as_str()).collect();
    attribute("owner", &names.join(", "));
    attribute("planroomOwner", &one.owners.iter().map(Owner::reference).collect::<Vec<_>>().join("\n"));
    attribute("link", one.links.first().map_or("", String::as_str));
    for (name, value) in &one.properties {
        if name == "lifecycle" || is_attribute(name) {
            attribute(name, value);
        }
    }
    let style = if is_group {
        "rounded=1;arcSize=4;container=1;collapsible=0;verticalAlign=top;fontStyle=1;fillColor=none;strokeColor=#71717a;"
    } else {
        types::drawio_style(&one.type_id)
    };
    let parent = tree.parent[at];
    let place = relative(one.rect, parent.map(|parent| map.components[parent].rect));
    let _ = writeln!(
        out,
        ">\n          <mxCell style=\"{style}whiteSpace=wrap;html=1;\" vertex=\"1\" parent=\"{}\">\n            {place}\n          \
         </mxCell>\n        </object>",
        Cell(map, parent)
    );
}

fn connector(out: &mut String, map: &Map, edge: &Edge<'_>) {
    let row = edge.row;
    let _ = write!(out, "        <object id=\"r-{}\" label=\"{}\"", Xml(&row.id), Xml(&html(&row.label)));
    let mut attribute = |name: &str, value: &str| {
        if !value.trim().is_empty() {
            let _ = write!(out, " {name}=\"{}\"", Xml(value));
        }
    };
    attribute("planroomId", &row.id);
    attribute("planroomType", &row.type_id);
    attribute("c4Type", "Relationship");
    // The label itself decides, unless it has white space that labels lose.
    if row.label.split_whitespace().collect::<Vec<_>>().join(" ") != row.label {
        attribute("c4Description", &row.label);
    }
    list(&mut attribute, ("c4Technology", ", "), ("planroomTechnology", |c| c == ','), &row.technology);
    let arrows = match (row.is_directed, row.is_bidirectional) {
        (_, true) => "startArrow=classic;endArrow=classic;",
        (true, _) => "endArrow=classic;",
        (false, _) => "endArrow=none;dashed=1;",
    };
    let _ = writeln!(
        out,
        ">\n          <mxCell style=\"edgeStyle=orthogonalEdgeStyle;rounded=1;html=1;{arrows}\" edge=\"1\" parent=\"1\" \
         source=\"{}\" target=\"{}\">\n            <mxGeometry relative=\"1\" as=\"geometry\"/>\n          </mxCell>\n        </object>",
        Cell(map, Some(edge.from)),
        Cell(map, Some(edge.to)),
    );
}

/// Writes a list in the way of draw.io and, if a value contains its separator, one per line in an attribute of our own.
fn list(
    attribute: &mut impl FnMut(&str, &str),
    (name, separator): (&str, &str),
    (own, is_separator): (&str, fn(char) -> bool),
    values: &[String],
) {
    let is_plain = values.iter().all(|value| !value.contains(is_separator));
    let parts: Vec<String> = values.iter().map(|value| value.replace(is_separator, "-")).collect();
    attribute(name, &parts.join(separator));
    if !is_plain {
        attribute(own, &values.join("\n"));
    }
}

/// The text on a shape, as HTML, and whether the name in it is a placeholder for `c4Name`. Texts in which draw.io would
/// read markup or other placeholders are written as they are.
fn label(one: &Component, is_group: bool) -> (String, bool) {
    let technology = one.technology.first().map_or(String::new(), |first| format!(": {}", html(first)));
    let has_placeholder =
        !one.name.trim().is_empty() && !one.name.contains(['<', '>', '&', '"', '%']) && !technology.contains('%');
    let name = if has_placeholder { "%c4Name%".to_owned() } else { html(&one.name) };
    let label = if is_group { name } else { format!("<b>{name}</b><div>[{}{technology}]</div>", html(&one.type_name)) };
    (label, has_placeholder)
}

fn c4_type(type_id: &str, is_group: bool) -> &'static str {
    match types::level(type_id) {
        _ if is_group => "SystemScopeBoundary",
        Level::Person => "Person",
        Level::System => "Software System",
        Level::Container => "Container",
        Level::Component => "Component",
    }
}

/// Whether a property can be an attribute of its own.
fn is_attribute(name: &str) -> bool {
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic());
    begins
        && name.len() <= 100
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
        && !RESERVED.contains(&name)
        && !name.to_ascii_lowercase().starts_with("xml")
        && !(name.starts_with("c4") && name != "c4")
}

/// A text without markup, as HTML.
fn html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

fn relative(rect: Rect, around: Option<Rect>) -> String {
    let origin = around.unwrap_or_default();
    let number = |value: f64| if value.is_finite() { (value * 100.0).round() / 100.0 + 0.0 } else { 0.0 };
    format!(
        "<mxGeometry x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" as=\"geometry\"/>",
        number(rect.x - origin.x),
        number(rect.y - origin.y),
        number(rect.width),
        number(rect.height)
    )
}

/// The id of the cell of a component, or of the layer.
struct Cell<'m>(&'m Map, Option<usize>);

impl Display for Cell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(at) => write!(f, "c-{}", Xml(&self.0.components[at].id)),
            None => f.write_str("1"),
        }
    }
}

/// A text in an attribute. Characters that XML does not allow are left out.
struct Xml<'t>(&'t str);

impl Display for Xml<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                // Parsers replace white space in attributes by spaces, unless it is written as a reference.
                '\n' | '\r' | '\t' => write!(f, "&#{};", u32::from(c))?,
                c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}
