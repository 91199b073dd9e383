//! draw.io files.
//!
//! A component is a shape with a text. Shapes without a text dissolve: their children belong to the nearest shape around
//! them that has one. Callout numbers, legends and free texts are no components.

pub(super) mod label;
pub(super) mod page;
pub(super) mod shapes;

use std::collections::HashMap;

use self::page::{Cell, Page};
use super::{
    builder::{Arrow, At, Builder, C, Draft},
    files::{File, Refusal},
    secrets::without_secrets,
    text, types,
};

/// Maximum number of cells above each other.
const MAX_DEPTH: usize = 64;

/// Steps for a cell.
const CELL_STEPS: usize = 20;

/// Whether a file is a drawing.
pub(super) fn recognizes(file: &File) -> bool {
    let beginning = file.beginning(2 << 10);
    beginning.contains("<mxfile") || beginning.contains("<mxGraphModel")
}

/// Reads drawings.
pub(super) fn read(builder: &mut Builder<'_>, files: &[usize]) -> Result<(), Refusal> {
    for &file in files {
        let pages = page::all(builder, file)?;
        let is_single = pages.len() == 1;
        for page in &pages {
            let by_id = page::by_id(&page.cells);
            let parent = |cell: &Cell| by_id.get(cell.parent.as_str()).copied();
            let parents = page.cells.iter().map(parent).collect();
            let components = vec![None; page.cells.len()];
            Drawing { builder, file, page, by_id, parents, components, is_single }.read()?;
        }
    }
    Ok(())
}

struct Drawing<'b, 's, 'p> {
    builder: &'b mut Builder<'s>,
    file: usize,
    page: &'p Page,
    by_id: HashMap<&'p str, usize>,
    /// The parent of each cell.
    parents: Vec<Option<usize>>,
    /// The component of each cell.
    components: Vec<Option<C>>,
    is_single: bool,
}

impl Drawing<'_, '_, '_> {
    fn read(&mut self) -> Result<(), Refusal> {
        let cells = &self.page.cells;
        let is_end = self.ends();
        let mut is_legend = vec![false; cells.len()];
        for legend in (0..cells.len()).filter_map(|at| self.legend(at)) {
            is_legend[legend] = true;
        }
        for (at, cell) in cells.iter().enumerate() {
            self.builder.charge_steps(CELL_STEPS, At::new(self.file, cell.line))?;
            if !cell.is_vertex
                || (cell.text.is_empty() && cell.attribute("planroomId").is_none())
                || cell.is("edgeLabel")
                || self.is_label(at)
            {
                continue;
            }
            let is_own = cell.attribute("planroomId").is_some();
            let is_row = cell.is("text") && self.above(at).any(|above| cells[above].is("swimlane"));
            let is_callout = cell.text.len() <= 3 && cell.text.chars().all(|c| c.is_ascii_digit());
            if is_own {
                self.components[at] = Some(self.component(at, cell)?);
            } else if self.above(at).any(|above| is_legend[above]) {
                self.builder.ignore(if cell.is("text") { "texts" } else { "shapes of legends" }, 1);
            } else if is_row {
                self.builder.ignore("rows of tables and classes", 1);
            } else if is_callout && !is_end[at] {
                self.builder.ignore("numbers", 1);
            } else if cell.is("text") && !is_end[at] {
                self.builder.ignore("texts", 1);
            } else {
                self.components[at] = Some(self.component(at, cell)?);
            }
        }
        for (at, cell) in cells.iter().enumerate() {
            let Some(part) = self.components[at] else { continue };
            let whole = self.above(at).find_map(|above| self.components[above]);
            if let Some(whole) = whole.filter(|whole| *whole != part) {
                self.builder.contain(whole, part, At::new(self.file, cell.line))?;
            }
        }
        let children = self.children();
        for (at, cell) in cells.iter().enumerate() {
            if cell.is_edge && self.above(at).any(|above| is_legend[above]) {
                self.builder.ignore("connectors of legends", 1);
            } else if cell.is_edge {
                self.edge(at, cell, &children)?;
            }
        }
        Ok(())
    }

    fn component(&mut self, at: usize, cell: &Cell) -> Result<C, Refusal> {
        if let Some(known) = cell.attribute("planroomId").and_then(|id| self.builder.find(&format!("planroom:{id}"))) {
            return Ok(known);
        }
        let key = match cell.attribute("planroomId") {
            Some(id) => format!("planroom:{id}"),
            None if self.page.id.is_empty() => cell.id.clone(),
            None => format!("{}/{}", self.page.id, cell.id),
        };
        let (level, c4) = shapes::level(cell);
        let mut draft = Draft::new(key, cell.labeled("c4Name", &cell.text), level, At::new(self.file, cell.line));
        let own_type = cell.attribute("planroomType");
        draft.is_box = level == "group" && own_type.is_none_or(|own| own == "group");
        draft.is_fixed = level == "group" || !c4.is_empty();
        draft.id = cell.attribute("planroomId").map(str::to_owned);
        // In exports, the level only says how the shape is drawn.
        draft.property("c4", if own_type.is_some() { "" } else { c4 });
        for (name, value) in &cell.attributes {
            match name.as_str() {
                "c4Name" | "c4Type" | "planroomId" | "tooltip" | "tags" | "planroomTags" | "c4External" => {}
                "planroomOwner" => draft.owners.extend(value.lines().map(str::to_owned)),
                "owner" if cell.attribute("planroomOwner").is_some() => {}
                "c4Technology" if cell.attribute("planroomTechnology").is_some() => {}
                "planroomTechnology" => draft.technology.extend(value.lines().map(str::to_owned)),
                "c4Description" => draft.description = Some(value.clone()),
                "c4Technology" | "technology" => draft.technologies(value),
                "link" => draft.links.push((None, value.clone())),
                "planroomType" => draft.property("planroom.type", value.as_str()),
                _ => draft.property(name, value.as_str()),
            }
        }
        if draft.description.is_none() {
            draft.description = cell.attribute("tooltip").map(str::to_owned);
        }
        draft.tags = match cell.attribute("planroomTags") {
            Some(tags) => tags.lines().map(str::to_owned).collect(),
            None => {
                let tags = cell.attribute("tags").map(without_secrets).unwrap_or_default();
                tags.split_whitespace().map(str::to_owned).collect()
            }
        };
        if !self.is_single {
            draft.tags.push(self.page.name.clone());
        }
        // The layers are the cells below the root.
        let layer = self
            .above(at)
            .filter(|above| !self.page.cells[*above].is_vertex)
            .find(|above| !self.page.cells[*above].text.is_empty());
        draft.tags.extend(layer.map(|layer| text::name(&self.page.cells[layer].text)));
        let (mut x, mut y) = cell.position;
        for above in self.above(at) {
            (x, y) = (x + self.page.cells[above].position.0, y + self.page.cells[above].position.1);
        }
        // The sum of decimal fractions is not exact.
        let rounded = |value: f64| (value * 1e6).round() / 1e6;
        draft.position = Some((rounded(x), rounded(y)));
        self.builder.component(draft)
    }

    fn edge(&mut self, at: usize, cell: &Cell, children: &[Vec<usize>]) -> Result<(), Refusal> {
        let place = At::new(self.file, cell.line);
        let (Some(&source), Some(&target)) =
            (self.by_id.get(cell.source.as_str()), self.by_id.get(cell.target.as_str()))
        else {
            self.builder.ignore("connectors without both ends", 1);
            return Ok(());
        };
        let (Some(from), Some(to)) = (self.end(source, children), self.end(target, children)) else {
            self.builder.ignore("connectors between shapes without text", 1);
            let text = "a connector was not imported, because one of its ends is a shape without text";
            self.builder.warn(place, text);
            return Ok(());
        };
        let (from, to) = if is_turned(cell) { (to, from) } else { (from, to) };
        let own = children[at].iter().map(|child| &self.page.cells[*child]).filter(|child| child.is_vertex);
        let labels: Vec<&str> =
            std::iter::once(cell).chain(own).map(|cell| cell.text.as_str()).filter(|text| !text.is_empty()).collect();
        let label = cell.labeled("c4Description", &labels.join(" ")).to_owned();
        let technology = match cell.attribute("planroomTechnology") {
            Some(technology) => technology.lines().map(str::to_owned).collect(),
            None => cell.attribute("c4Technology").map(text::list).unwrap_or_default(),
        };
        let has_arrow = |name, default| cell.style(name).unwrap_or(default) != "none";
        let is_bidirectional = has_arrow("startArrow", "none") && has_arrow("endArrow", "classic");
        let id = cell.attribute("planroomId").map(str::to_owned);
        let key = match (&id, self.page.id.as_str()) {
            (Some(id), _) => format!("planroom:{id}"),
            (None, "") => cell.id.clone(),
            (None, page) => format!("{page}/{}", cell.id),
        };
        let type_id = cell.attribute("planroomType").and_then(types::relationship_type);
        self.builder.arrow(Arrow {
            label,
            technology,
            is_bidirectional,
            type_id,
            id,
            key: Some(key),
            ..Arrow::new(from, to, place)
        })
    }

    /// The component at the end of a connector: the shape itself, the nearest one around it, or the only one in it.
    fn end(&self, at: usize, children: &[Vec<usize>]) -> Option<C> {
        let around = || self.above(at).find_map(|above| self.components[above]);
        self.components[at]
            .or_else(|| {
                let (mut found, mut open, mut seen) = (None, vec![at], 0);
                while let Some(next) = open.pop() {
                    seen += 1 + children[next].len();
                    // Shapes that repeat are few; large groups without a name are no ends.
                    if seen > 100 {
                        return None;
                    }
                    for child in &children[next] {
                        match self.components[*child] {
                            Some(_) if found.is_some() => return None,
                            Some(component) => found = Some(component),
                            None => open.push(*child),
                        }
                    }
                }
                found
            })
            .or_else(around)
    }

    /// The cells around a cell, from the inside.
    fn above(&self, at: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(self.parents[at], |at| self.parents[*at]).take(MAX_DEPTH)
    }

    /// The cells directly in each cell.
    fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.page.cells.len()];
        for (at, parent) in self.parents.iter().enumerate() {
            if let Some(parent) = parent {
                children[*parent].push(at);
            }
        }
        children
    }

    /// Whether each cell is the end of a connector.
    fn ends(&self) -> Vec<bool> {
        let mut ends = vec![false; self.page.cells.len()];
        for cell in self.page.cells.iter().filter(|cell| cell.is_edge) {
            for end in [&cell.source, &cell.target] {
                if let Some(at) = self.by_id.get(end.as_str()) {
                    ends[*at] = true;
                }
            }
        }
        ends
    }

    /// The group whose title says that it is a legend.
    fn legend(&self, at: usize) -> Option<usize> {
        let cell = &self.page.cells[at];
        let is_named = |name: &str| cell.text.trim_end_matches(':').eq_ignore_ascii_case(name);
        let is_legend = is_named("legend") || is_named("key");
        let parent = self.parents[at]?;
        if !is_legend || !cell.is_vertex {
            return None;
        }
        // The title of the group, or a shape in it.
        if shapes::is_container(cell) {
            Some(at)
        } else {
            Some(parent).filter(|parent| self.page.cells[*parent].is_vertex)
        }
    }

    /// Whether a cell is the label of a connector.
    fn is_label(&self, at: usize) -> bool {
        self.parents[at].is_some_and(|parent| self.page.cells[parent].is_edge)
    }
}

/// Whether the only arrow of a connector is at its source.
fn is_turned(cell: &Cell) -> bool {
    cell.style("endArrow") == Some("none") && cell.style("startArrow").is_some_and(|arrow| arrow != "none")
}

#[cfg(test)]
mod tests;
