//! Excalidraw files: shapes with a text, and arrows between them.
//!
//! A whiteboard has no names, so the text in or beside a shape is its name, and what a shape encloses is in it.

use std::collections::{HashMap, HashSet};

use super::{
    builder::{Arrow, At, Builder, C, Draft},
    files::{File, Refusal},
    node::Node,
    text, types,
};

/// Memory of an element including its index entries, in bytes.
const ELEMENT_BYTES: usize = 200;
/// Maximum number of position comparisons over all files.
const MAX_COMPARISONS: usize = 4_000_000;
/// Maximum distance of a text from the shape that it names.
const MAX_DISTANCE: f64 = 30.0;

/// Whether a file is a whiteboard.
pub(super) fn recognizes(file: &File) -> bool {
    let beginning = file.beginning(1 << 10);
    beginning.contains("\"type\"") && beginning.contains("\"excalidraw\"")
}

/// Reads whiteboards.
pub(super) fn read(builder: &mut Builder<'_>, files: &[usize]) -> Result<(), Refusal> {
    let mut comparisons = 0;
    for &file in files {
        let root = builder.json(file)?;
        let elements = root.items("elements").iter().filter(|one| one.flag("isDeleted") != Some(true));
        let all: Vec<Element<'_>> = elements.filter_map(Element::of).collect();
        let texts: usize = all.iter().map(|one| one.text.len()).sum();
        builder.charge(ELEMENT_BYTES * all.len() + texts, At::new(file, 1))?;
        Board { builder, file, all: &all, components: vec![None; all.len()] }.read(&mut comparisons)?;
        builder.budget.release_trees();
    }
    Ok(())
}

struct Element<'n> {
    node: &'n Node,
    id: &'n str,
    kind: &'n str,
    bounds: [f64; 4],
    /// The content of a text element on one line, computed once because it can name many shapes.
    text: String,
}

impl<'n> Element<'n> {
    fn of(node: &'n Node) -> Option<Self> {
        let number = |name| node.number(name).unwrap_or_default();
        let (x, y) = (number("x"), number("y"));
        let bounds = [x, y, x + number("width"), y + number("height")];
        let kind = node.text("type")?;
        // `originalText` does not contain the line breaks that fit the text into its shape.
        let written = node.text("originalText").or_else(|| node.text("text")).filter(|_| kind == "text");
        let text = written.map(text::label).unwrap_or_default();
        Some(Self { node, id: node.text("id")?, kind, bounds, text })
    }

    fn is_shape(&self) -> bool {
        matches!(self.kind, "rectangle" | "ellipse" | "diamond" | "image" | "frame" | "magicframe")
    }

    fn is_frame(&self) -> bool {
        self.kind.ends_with("frame")
    }

    fn is_free_text(&self) -> bool {
        self.kind == "text" && self.node.text("containerId").is_none()
    }

    fn area(&self) -> f64 {
        let [left, top, right, bottom] = self.bounds;
        (right - left) * (bottom - top)
    }

    fn contains(&self, other: &Self) -> bool {
        let [left, top, right, bottom] = self.bounds;
        let inner = other.bounds;
        left <= inner[0] && top <= inner[1] && right >= inner[2] && bottom >= inner[3] && self.area() > other.area()
    }

    /// The distance between the edges of two elements; 0 if they overlap.
    fn distance(&self, other: &Self) -> f64 {
        let gap = |side: usize| {
            let (start, end) = (self.bounds[side], self.bounds[side + 2]);
            (other.bounds[side] - end).max(start - other.bounds[side + 2]).max(0.0)
        };
        gap(0).hypot(gap(1))
    }
}

struct Board<'b, 's, 'n> {
    builder: &'b mut Builder<'s>,
    file: usize,
    all: &'b [Element<'n>],
    components: Vec<Option<C>>,
}

impl<'n> Board<'_, '_, 'n> {
    fn read(&mut self, comparisons: &mut usize) -> Result<(), Refusal> {
        let all = self.all;
        let mut labels: HashMap<&str, &str> = HashMap::new();
        for text in all.iter().filter(|one| one.kind == "text") {
            if let Some(container) = text.node.text("containerId") {
                labels.insert(container, text.text.as_str());
            }
        }
        let shapes: Vec<usize> = (0..all.len()).filter(|at| all[*at].is_shape()).collect();
        *comparisons += shapes.len().saturating_mul(all.len());
        let is_small = *comparisons <= MAX_COMPARISONS;
        if is_small {
            self.builder.charge_steps(shapes.len() * all.len(), At::new(self.file, 1))?;
        }
        if !is_small {
            let text =
                "there are too many shapes to compare their positions, so only names and frames in the file count";
            self.builder.warn(At::new(self.file, 1), text);
        }
        let mut used = HashSet::new();
        for &at in &shapes {
            let shape = &all[at];
            let written = if shape.is_frame() { shape.node.text("name") } else { None };
            let name = labels.get(shape.id).copied().or(written);
            let name = name.or_else(|| {
                let text = if is_small && !shape.is_frame() { self.near(shape)? } else { return None };
                used.insert(text);
                Some(all[text].text.as_str())
            });
            self.builder.charge_steps(1, At::new(self.file, shape.node.line))?;
            let Some(name) = name.filter(|name| !name.trim().is_empty()).map(text::name) else {
                self.builder.ignore("shapes without text", 1);
                continue;
            };
            let place = At::new(self.file, shape.node.line);
            let mut draft = if shape.is_frame() {
                Draft::group(shape.id, name, place)
            } else {
                let level = types::technology(&name).unwrap_or("service");
                Draft::new(shape.id, name, level, place)
            };
            draft.position = Some((shape.bounds[0], shape.bounds[1]));
            draft.links.extend(shape.node.text("link").map(|link| (None, link.to_owned())));
            self.components[at] = Some(self.builder.component(draft)?);
        }
        let texts = all.iter().enumerate().filter(|(at, one)| one.is_free_text() && !used.contains(at));
        self.builder.ignore("texts", texts.count());
        self.contain(&shapes, is_small)?;
        self.arrows(&labels)
    }

    /// The text in or beside a shape that names it: the nearest one.
    fn near(&self, shape: &Element<'n>) -> Option<usize> {
        let texts = self.all.iter().enumerate().filter(|(_, one)| one.is_free_text());
        let near = texts.map(|(at, text)| (at, shape.distance(text))).filter(|(_, distance)| *distance <= MAX_DISTANCE);
        near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(at, _)| at)
    }

    /// Puts shapes into their frame, or into the smallest shape around them.
    fn contain(&mut self, shapes: &[usize], is_small: bool) -> Result<(), Refusal> {
        let by_id: HashMap<&str, usize> = shapes.iter().map(|at| (self.all[*at].id, *at)).collect();
        for &at in shapes {
            let (Some(part), shape) = (self.components[at], &self.all[at]) else { continue };
            let frame = shape.node.text("frameId").and_then(|frame| by_id.get(frame)).copied();
            let others = if is_small { shapes } else { &[] };
            let around = others.iter().copied().filter(|other| *other != at);
            let around = around.filter(|other| self.components[*other].is_some() && self.all[*other].contains(shape));
            let around = around.min_by(|a, b| self.all[*a].area().total_cmp(&self.all[*b].area()));
            let Some(whole) = around.or(frame).and_then(|whole| self.components[whole]) else { continue };
            let draft = self.builder.edit(whole);
            if draft.level == "service" {
                (draft.level, draft.is_fixed) = ("group", true);
            }
            self.builder.contain(whole, part, At::new(self.file, shape.node.line))?;
        }
        Ok(())
    }

    fn arrows(&mut self, labels: &HashMap<&str, &str>) -> Result<(), Refusal> {
        let mut ends: HashMap<&str, C> = HashMap::new();
        for (one, component) in self.all.iter().zip(&self.components) {
            ends.extend(component.map(|component| (one.id, component)));
        }
        // An arrow can end at the text of a shape.
        for text in self.all.iter().filter(|one| one.kind == "text") {
            if let Some(component) = text.node.text("containerId").and_then(|id| ends.get(id)).copied() {
                ends.insert(text.id, component);
            }
        }
        for arrow in self.all.iter().filter(|one| matches!(one.kind, "arrow" | "line")) {
            let end = |field| arrow.node.get(field).and_then(|binding| ends.get(binding.text("elementId")?)).copied();
            let (Some(from), Some(to)) = (end("startBinding"), end("endBinding")) else {
                self.builder.ignore(if arrow.kind == "arrow" { "arrows without both ends" } else { "lines" }, 1);
                continue;
            };
            let has = |field: &str| arrow.node.text(field).is_some();
            let is_turned = has("startArrowhead") && !has("endArrowhead");
            let (from, to) = if is_turned { (to, from) } else { (from, to) };
            let label = labels.get(arrow.id).map(|label| (*label).to_owned()).unwrap_or_default();
            let is_bidirectional = has("startArrowhead") && has("endArrowhead");
            let key = Some(arrow.id.to_owned());
            let at = At::new(self.file, arrow.node.line);
            self.builder.arrow(Arrow { label, is_bidirectional, key, ..Arrow::new(from, to, at) })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
