//! CSV files: tables of components and of relationships, in the format of Planroom, of Archi, of draw.io, or any other.
//!
//! A table with a source and a target column contains relationships, others contain components. Columns are recognized by
//! usual headings, or by [`Options::columns`](super::Options::columns). Unknown columns become properties.

mod archi;
mod columns;
mod drawio;
mod parse;

use std::collections::HashMap;

use self::{columns::Columns, parse::Row};
use super::{
    builder::{Arrow, At, Builder, C, Draft},
    files::{File, Refusal},
    text, types,
};

/// Steps for a row.
const ROW_STEPS: usize = 10;
/// Memory of the index entries of an ID, excluding its text, in bytes.
const ID_BYTES: usize = 250;

/// Whether a file is a table.
pub(super) fn recognizes(file: &File) -> bool {
    file.has_extension(&["csv", "tsv"]) || (file.has_extension(&["txt"]) && drawio::recognizes(file.text()))
}

/// Reads tables.
pub(super) fn read(builder: &mut Builder<'_>, files: &[usize]) -> Result<(), Refusal> {
    let (mut archi, mut tables) = (Vec::new(), Vec::new());
    for &file in files {
        let own = builder.files.at(file);
        let rows = parse::rows(own.text(), &builder.budget)
            .map_err(|(line, text)| builder.refusal(At::new(file, line), text))?;
        if drawio::recognizes(own.text()) {
            drawio::read(builder, file, &rows)?;
        } else if let Some(part) = rows.first().and_then(|row| archi::part(&row.cells)) {
            archi.push((file, part, rows));
        } else {
            tables.push((file, rows));
        }
    }
    archi::read(builder, &archi)?;
    let mut reader = Tables { builder, by_id: HashMap::new(), by_file: HashMap::new(), by_name: HashMap::new() };
    let columns: Vec<Option<Columns>> = tables
        .iter()
        .map(|(_, rows)| rows.first().map(|row| Columns::new(&row.cells, &reader.builder.options.columns)))
        .collect();
    let is_relationships = |columns: &Columns| columns.has("source") && columns.has("target");
    let all =
        || tables.iter().zip(&columns).filter_map(|((file, rows), columns)| Some((*file, rows, columns.as_ref()?)));
    for (file, rows, columns) in all().filter(|(.., columns)| !is_relationships(columns)) {
        reader.components(file, rows, columns)?;
    }
    for (file, rows, columns) in all() {
        if is_relationships(columns) {
            reader.relationships(file, rows, columns)?;
        } else {
            reader.references(file, rows, columns)?;
        }
    }
    Ok(())
}

struct Tables<'b, 's> {
    builder: &'b mut Builder<'s>,
    /// Components by id, in the first file that has it.
    by_id: HashMap<String, C>,
    /// Components by file and id, the last one of several.
    by_file: HashMap<(usize, String), C>,
    /// Components by name in lowercase; none if several have the name.
    by_name: HashMap<String, Option<C>>,
}

impl Tables<'_, '_> {
    fn components(&mut self, file: usize, rows: &[Row], columns: &Columns) -> Result<(), Refusal> {
        let Some((heading, rows)) = rows.split_first() else { return Ok(()) };
        if !columns.has("name") && !columns.has("id") {
            let text =
                "no column has the names of the components; the heading of this column must be `name`, or be chosen";
            return Err(self.builder.refusal(At::new(file, heading.line), text));
        }
        for row in rows {
            let at = At::new(file, row.line);
            let cell = |field: &str| columns.cell(&row.cells, field);
            self.builder.charge_steps(ROW_STEPS + row.cells.len(), at)?;
            let Some(key) = cell("id").or_else(|| cell("name")) else {
                self.builder.ignore("rows without a name", 1);
                continue;
            };
            let name = cell("name").unwrap_or(key);
            let written = cell("type").unwrap_or_default();
            let known =
                types::component_type(written).or_else(|| types::tag(written)).or_else(|| types::technology(written));
            let mut draft = Draft::new(key, name, known.unwrap_or("service"), at);
            draft.is_fixed = known.is_some();
            draft.id = cell("id").map(str::to_owned);
            if known.is_none() {
                draft.property("type", written);
            }
            draft.description = cell("description").map(str::to_owned);
            draft.technologies(cell("technology").unwrap_or_default());
            draft.tags = text::list(cell("tags").unwrap_or_default());
            draft.owners = text::list(cell("owner").unwrap_or_default());
            draft.links.extend(cell("url").map(|url| (None, url.to_owned())));
            if let Some(state) = cell("lifecycle") {
                draft.property(if types::lifecycle(state).is_some() { "lifecycle" } else { "status" }, state);
            }
            let number = |field: &str| cell(field).and_then(|text| text.replace(',', ".").parse::<f64>().ok());
            draft.position = number("x").zip(number("y"));
            for (heading, value) in columns.others(&row.cells) {
                draft.property(heading, value);
            }
            let component = self.builder.component(draft)?;
            let is_known = self.by_id.contains_key(key);
            self.index(file, key, component, at)?;
            if is_known {
                self.builder
                    .warn(at, format!("the id `{}` appears twice; both rows were imported", text::cut(key, 60)));
            }
            self.by_name.entry(name.to_lowercase()).and_modify(|known| *known = None).or_insert(Some(component));
        }
        Ok(())
    }

    /// What the rows of a table of components refer to.
    fn references(&mut self, file: usize, rows: &[Row], columns: &Columns) -> Result<(), Refusal> {
        for row in rows.iter().skip(1) {
            let at = At::new(file, row.line);
            self.builder.charge_steps(ROW_STEPS, at)?;
            let own = columns.cell(&row.cells, "id").or_else(|| columns.cell(&row.cells, "name"));
            let Some(component) = own.and_then(|own| self.by_file.get(&(file, own.to_owned())).copied()) else {
                continue;
            };
            if let Some(whole) = columns.cell(&row.cells, "partOf") {
                match self.find(file, whole) {
                    Some(whole) => self.builder.contain(whole, component, at)?,
                    None => self.missing(whole, at),
                }
            }
            for other in columns.cell(&row.cells, "dependsOn").unwrap_or_default().split([',', ';']).map(str::trim) {
                self.builder.charge_steps(2, at)?;
                match self.find(file, other) {
                    Some(other) => {
                        self.builder
                            .arrow(Arrow { type_id: Some("depends-on"), ..Arrow::new(component, other, at) })?;
                    }
                    None if other.is_empty() => {}
                    None => self.missing(other, at),
                }
            }
        }
        Ok(())
    }

    fn relationships(&mut self, file: usize, rows: &[Row], columns: &Columns) -> Result<(), Refusal> {
        for row in rows.iter().skip(1) {
            let at = At::new(file, row.line);
            let cell = |field: &str| columns.cell(&row.cells, field);
            self.builder.charge_steps(ROW_STEPS + row.cells.len(), at)?;
            let mut ends = Vec::new();
            for (field, other) in [("source", "sourceName"), ("target", "targetName")] {
                let Some(written) = cell(field).or_else(|| cell(other)) else { continue };
                let known = cell(field).and_then(|id| self.find(file, id)).or_else(|| self.find(file, cell(other)?));
                ends.push(match known {
                    Some(known) => known,
                    // A list of relationships alone is a map too.
                    None => {
                        let name = cell(other).unwrap_or(written);
                        let component = self.builder.component(Draft::new(written, name, "service", at))?;
                        self.index(file, written, component, at)?;
                        self.by_name.entry(name.to_lowercase()).or_insert(Some(component));
                        component
                    }
                });
            }
            let [from, to] = ends.as_slice() else {
                self.builder.ignore("rows without source or target", 1);
                continue;
            };
            let written = cell("type").unwrap_or_default();
            if types::is_contains(written) {
                self.builder.contain(*from, *to, at)?;
                continue;
            }
            let type_id = types::relationship_type(written);
            let label = cell("label").or_else(|| type_id.is_none().then_some(written)).unwrap_or_default().to_owned();
            let technology = text::list(cell("technology").unwrap_or_default());
            let key = cell("id").map(str::to_owned);
            let properties =
                columns.others(&row.cells).filter(|(heading, _)| !["source", "target", "type"].contains(heading));
            let properties = properties.map(|(heading, value)| (heading.to_owned(), value.into())).collect();
            self.builder.arrow(Arrow { label, technology, type_id, properties, key, ..Arrow::new(*from, *to, at) })?;
        }
        Ok(())
    }

    fn index(&mut self, file: usize, id: &str, component: C, at: At) -> Result<(), Refusal> {
        self.builder.charge(ID_BYTES + 3 * id.len(), at)?;
        self.by_id.entry(id.to_owned()).or_insert(component);
        self.by_file.insert((file, id.to_owned()), component);
        Ok(())
    }

    /// The component with this id in the same file, or with this id or name in any.
    fn find(&self, file: usize, reference: &str) -> Option<C> {
        let by_name = || self.by_name.get(&reference.to_lowercase()).copied().flatten();
        let own = self.by_file.get(&(file, reference.to_owned())).or_else(|| self.by_id.get(reference));
        own.copied().or_else(by_name)
    }

    fn missing(&mut self, reference: &str, at: At) {
        let text = text::cut(reference, 60);
        self.builder.warn(at, format!("`{text}` is no row, or the name of several; use its id"));
    }
}

#[cfg(test)]
mod tests;
