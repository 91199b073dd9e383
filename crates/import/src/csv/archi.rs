//! The three CSV files of Archi: elements, relations and properties.

use std::collections::{BTreeMap, HashMap};

use super::parse::Row;
use crate::{
    archimate::types::{ElementType, element_type, relationship_type},
    builder::{Arrow, At, Builder, C, Draft},
    files::Refusal,
};

/// Steps for a row.
const ROW_STEPS: usize = 10;
/// Memory of the index entries of a property, in bytes.
const PROPERTY_BYTES: usize = 150;

/// What a file contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Elements,
    Relations,
    Properties,
}

/// The part that headings tell.
pub(super) fn part(headings: &[String]) -> Option<Part> {
    let headings: Vec<&str> = headings.iter().map(|heading| heading.trim()).collect();
    match headings.as_slice() {
        ["ID", "Type", "Name", "Documentation", "Source", "Target", ..] => Some(Part::Relations),
        ["ID", "Type", "Name", "Documentation", ..] => Some(Part::Elements),
        ["ID", "Key", "Value"] => Some(Part::Properties),
        _ => None,
    }
}

/// Reads the files of a model.
pub(super) fn read(builder: &mut Builder<'_>, files: &[(usize, Part, Vec<Row>)]) -> Result<(), Refusal> {
    let rows = |part: Part| {
        let own = files.iter().filter(move |(_, own, _)| *own == part);
        own.flat_map(|(file, _, rows)| rows.iter().skip(1).map(|row| (At::new(*file, row.line), row)))
    };
    // Properties by element and name; the last one that is not empty counts.
    let mut properties: HashMap<&str, BTreeMap<&str, &str>> = HashMap::new();
    for (at, row) in rows(Part::Properties) {
        builder.charge(PROPERTY_BYTES, at)?;
        let [id, name, value] = row.cells.as_slice() else { continue };
        let own = properties.entry(id).or_default().entry(name).or_default();
        if !value.trim().is_empty() {
            *own = value;
        }
    }
    let mut elements: HashMap<&str, C> = HashMap::new();
    let mut models = Vec::new();
    for (at, row) in rows(Part::Elements) {
        builder.charge_steps(ROW_STEPS, at)?;
        let [id, kind, name, documentation, ..] = row.cells.as_slice() else { continue };
        if kind == "ArchimateModel" {
            builder.workspace(Some(name), Some(documentation));
            models.push(id.as_str());
            continue;
        }
        let level = match element_type(kind) {
            ElementType::Component(level) => level,
            ElementType::Motivation if builder.options.motivation => "document",
            _ => {
                builder.ignore(kind, 1);
                continue;
            }
        };
        let mut draft = Draft::new(id, name, level, at);
        draft.is_fixed = level != "service";
        draft.is_box = level == "group";
        draft.description = Some(documentation.clone());
        draft.property("archimate", kind.as_str());
        if let Some(specialization) = row.cells.get(4).filter(|text| !text.trim().is_empty()) {
            draft.tags.push(specialization.clone());
        }
        for (name, value) in properties.get(id.as_str()).into_iter().flatten() {
            draft.property(name, *value);
        }
        elements.insert(id, builder.component(draft)?);
    }
    for model in models {
        builder.ignore("properties of the model", properties.get(model).map_or(0, BTreeMap::len));
    }
    for (at, row) in rows(Part::Relations) {
        builder.charge_steps(ROW_STEPS, at)?;
        let [id, kind, name, documentation, source, target, ..] = row.cells.as_slice() else { continue };
        let own = properties.get(id.as_str());
        let (Some(&from), Some(&to)) = (elements.get(source.as_str()), elements.get(target.as_str())) else {
            builder.ignore("relationships of elements that were not imported", 1);
            continue;
        };
        let kind = kind.strip_suffix("Relationship").unwrap_or(kind);
        if matches!(kind, "Composition" | "Aggregation") {
            builder.ignore("properties of compositions", own.map_or(0, BTreeMap::len));
            builder.contain(from, to, at)?;
            continue;
        }
        let (type_id, is_turned, label) = relationship_type(kind, "");
        let (from, to) = if is_turned { (to, from) } else { (from, to) };
        let label = if name.trim().is_empty() { label.to_owned() } else { name.clone() };
        let mut arrow = Arrow { type_id: Some(type_id), label, key: Some(id.clone()), ..Arrow::new(from, to, at) };
        arrow.properties.push(("archimate".into(), kind.into()));
        if !documentation.trim().is_empty() {
            arrow.properties.push(("documentation".into(), documentation.as_str().into()));
        }
        let own = own.into_iter().flatten();
        arrow.properties.extend(own.map(|(name, value)| ((*name).to_owned(), (*value).into())));
        builder.arrow(arrow)?;
    }
    Ok(())
}
