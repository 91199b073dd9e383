//! Pages of draw.io files: compressed and plain, and the cells on them.

use std::{collections::HashMap, io::Read};

use base64::Engine;
use flate2::read::DeflateDecoder;
use roxmltree::Node;

use super::label;
use crate::{
    builder::{At, Builder},
    files::{Files, MAX_FILE_BYTES, Refusal},
    text,
    xml::{self, Xml},
};

/// Maximum length of a text, in characters. Names and labels are shorter.
const MAX_TEXT_CHARS: usize = 1_000;
/// Bytes of a page that are inflated and decoded in a step.
const INFLATED_BYTES_PER_STEP: usize = 8;
/// Bytes of a label that are processed in a step.
const LABEL_BYTES_PER_STEP: usize = 32;
/// Memory of a cell including its index entries, and of an attribute, without their texts, in bytes.
const CELL_BYTES: usize = 600;
const ATTRIBUTE_BYTES: usize = 120;

/// A page: its id, its name, and its cells in the order of the file.
pub(super) struct Page {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) cells: Vec<Cell>,
}

/// A shape, connector, group or layer.
#[derive(Default)]
pub(crate) struct Cell {
    pub(crate) id: String,
    /// The text, without markup.
    pub(crate) text: String,
    /// The label as written, if it has placeholders.
    pub(crate) template: String,
    pub(crate) style: String,
    pub(crate) parent: String,
    pub(crate) source: String,
    pub(crate) target: String,
    pub(crate) is_edge: bool,
    pub(crate) is_vertex: bool,
    /// Attributes of the object around the cell.
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) position: (f64, f64),
    pub(crate) line: u32,
}

/// The pages of a file.
pub(super) fn all(builder: &Builder<'_>, file: usize) -> Result<Vec<Page>, Refusal> {
    let xml = builder.xml(file)?;
    let name = builder.files.at(file).name();
    let root = xml.document.root_element();
    if root.has_tag_name("mxGraphModel") {
        let cells = cells(builder, file, &xml, root, None)?;
        return Ok(vec![Page { id: String::new(), name: String::new(), cells }]);
    }
    let mut pages = Vec::new();
    for diagram in root.children().filter(|node| node.has_tag_name("diagram")) {
        // Each shape of the page copies these attributes.
        let attribute = |name| text::name(diagram.attribute(name).unwrap_or_default());
        let line = xml.line(diagram);
        let cells = match diagram.children().find(|node| node.has_tag_name("mxGraphModel")) {
            Some(model) => cells(builder, file, &xml, model, None)?,
            None => {
                let refused = |text: &str| Refusal {
                    file: Some(name.to_owned()),
                    line: Some(line),
                    text: format!("the page `{}` is malformed: {text}", attribute("name")),
                };
                let text = diagram.text().unwrap_or_default().trim();
                if text.is_empty() {
                    continue;
                }
                let text = decompressed(text).map_err(refused)?;
                let at = At::new(file, line);
                builder.charge_steps(text.len() / INFLATED_BYTES_PER_STEP, at)?;
                // The inflated text, and its decoded form.
                let _reservation = builder.budget.reserve(3 * text.len()).map_err(|error| refused(&error.text()))?;
                let inner = Files::of(name, text).map_err(|refusal| refused(&refusal.text))?;
                let page = xml::parse(inner.at(0), &builder.budget).map_err(|refusal| refused(&refusal.text))?;
                cells(builder, file, &page, page.document.root_element(), Some(line))?
            }
        };
        pages.push(Page { id: attribute("id"), name: attribute("name"), cells });
    }
    Ok(pages)
}

/// The XML of a page: plain, or base64 of raw deflate of percent-encoded text.
fn decompressed(text: &str) -> Result<String, &'static str> {
    if text.starts_with('<') {
        return Ok(text.to_owned());
    }
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let bytes = base64::engine::general_purpose::STANDARD.decode(text).map_err(|_| "its content is not base64")?;
    let mut inflated = Vec::new();
    let limit = MAX_FILE_BYTES as u64 + 1;
    let decoder = DeflateDecoder::new(bytes.as_slice());
    decoder.take(limit).read_to_end(&mut inflated).map_err(|_| "its content cannot be decompressed")?;
    if inflated.len() > MAX_FILE_BYTES {
        return Err("it is larger than 8 MiB");
    }
    let plain = percent_encoding::percent_decode(&inflated).decode_utf8();
    plain.map(std::borrow::Cow::into_owned).map_err(|_| "its content is not text")
}

/// The cells of a model. The lines of a compressed page are that of the page.
fn cells(
    builder: &Builder<'_>,
    file: usize,
    xml: &Xml<'_, '_>,
    model: Node<'_, '_>,
    line: Option<u32>,
) -> Result<Vec<Cell>, Refusal> {
    let root = model.children().find(|node| node.has_tag_name("root")).unwrap_or(model);
    let mut cells = Vec::new();
    for node in root.children().filter(Node::is_element) {
        let is_cell = node.has_tag_name("mxCell");
        let Some(cell) = (if is_cell { Some(node) } else { node.children().find(|node| node.has_tag_name("mxCell")) })
        else {
            continue;
        };
        let own = |name| cell.attribute(name).unwrap_or_default().to_owned();
        let mut attributes: Vec<(String, String)> = Vec::new();
        if !is_cell {
            let own = node.attributes().filter(|one| !matches!(one.name(), "id" | "label" | "placeholders"));
            attributes.extend(own.map(|one| (one.name().to_owned(), one.value().to_owned())));
        }
        let written = if is_cell { cell.attribute("value") } else { node.attribute("label") }.unwrap_or_default();
        let template = if node.attribute("placeholders") == Some("1") { written } else { "" };
        let written = if template.is_empty() { written.to_owned() } else { label::replaced(template, &attributes) };
        let at = At::new(file, line.unwrap_or_else(|| xml.line(node)));
        builder.charge_steps(written.len() / LABEL_BYTES_PER_STEP, at)?;
        let style = own("style");
        let geometry = cell.children().find(|node| node.has_tag_name("mxGeometry"));
        let number = |name| {
            let is_relative = geometry.is_some_and(|geometry| geometry.attribute("relative") == Some("1"));
            let number = geometry.filter(|_| !is_relative).and_then(|geometry| geometry.attribute(name)?.parse().ok());
            number.filter(|number: &f64| number.is_finite()).unwrap_or_default()
        };
        let cell = Cell {
            id: node.attribute("id").or_else(|| cell.attribute("id")).unwrap_or_default().to_owned(),
            // Shapes copy the text of their layer.
            text: text::cut(&label::plain(&written), MAX_TEXT_CHARS),
            template: template.to_owned(),
            parent: own("parent"),
            source: own("source"),
            target: own("target"),
            is_edge: cell.attribute("edge") == Some("1"),
            is_vertex: cell.attribute("vertex") == Some("1"),
            attributes,
            position: (number("x"), number("y")),
            line: at.line,
            style,
        };
        if cell.is_relevant() {
            builder.charge(cell.estimated_bytes(), at)?;
            cells.push(cell);
        }
    }
    Ok(cells)
}

impl Cell {
    /// Whether the cell has content, or other cells can refer to it.
    fn is_relevant(&self) -> bool {
        !self.id.is_empty() || !self.text.is_empty() || !self.source.is_empty() || !self.attributes.is_empty()
    }

    /// Estimated memory of the cell, in bytes.
    fn estimated_bytes(&self) -> usize {
        let texts = [&self.id, &self.text, &self.template, &self.style, &self.parent, &self.source, &self.target];
        let attributes = self.attributes.iter().map(|(name, value)| ATTRIBUTE_BYTES + name.len() + value.len());
        CELL_BYTES + texts.into_iter().map(String::len).sum::<usize>() + attributes.sum::<usize>()
    }

    /// An attribute of the object around the cell.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.trim());
        found.filter(|value| !value.is_empty())
    }

    /// What the label says where an attribute says it too. People edit the label that they see, so it decides if it is
    /// another text: for shapes of exports in any case, for others if it does not contain the value.
    pub(crate) fn labeled<'c>(&'c self, name: &str, label: &'c str) -> &'c str {
        let Some(value) = self.attribute(name) else { return label };
        let is_own = self.attribute("planroomId").is_some();
        if self.template.contains(&format!("%{name}%")) || (label.is_empty() && !(is_own && self.is_edge)) {
            return value;
        }
        let plain = value.split_whitespace().collect::<Vec<_>>().join(" ");
        // Below the name of a shape is its type in brackets.
        let has_type = self.is_vertex && self.attribute("c4Type").is_some_and(|known| known != "SystemScopeBoundary");
        let is_same = if is_own {
            label == plain || (has_type && label.strip_prefix(&plain).is_some_and(|rest| rest.starts_with(" [")))
        } else {
            label.contains(&plain)
        };
        let end = label.rfind(" [").filter(|_| is_own && has_type && label.ends_with(']'));
        if is_same { value } else { &label[..end.unwrap_or(label.len())] }
    }

    /// The value of a part of the style, such as `shape=cylinder3`.
    pub(crate) fn style(&self, name: &str) -> Option<&str> {
        self.style.split(';').find_map(|part| part.split_once('=').filter(|(known, _)| *known == name)).map(|(_, v)| v)
    }

    /// Whether the style has a name, such as `text` or `group`.
    pub(crate) fn is(&self, name: &str) -> bool {
        self.style.split(';').any(|part| part == name)
    }
}

/// The indexes of cells by id.
pub(super) fn by_id(cells: &[Cell]) -> HashMap<&str, usize> {
    cells.iter().enumerate().map(|(at, cell)| (cell.id.as_str(), at)).collect()
}
