//! Exports a workspace in the format of another tool.

use std::collections::HashMap;

use crate::{
    domain::{
        catalogue::CATALOGUE,
        core::{Reads, ViewTx},
        map::{
            bundle::{self, Bundle, Included},
            components::Component,
            drawing::{Content, map},
            links,
            processes::Process,
            relationships::Relationship,
        },
        values::words,
    },
    drawing,
    error::Result,
    export::{self, Format, Rect},
    mermaid,
};

/// The role of owners.
const OWNER: &str = "owner";
/// The property of relationships that go in both directions.
const BIDIRECTIONAL: &str = "bidirectional";

words! {
    /// The format of an exported file.
    ExportFormat {
        /// A workspace file, which imports restore completely.
        Planroom = "planroom",
        /// A Structurizr workspace in its DSL.
        StructurizrDsl = "structurizr-dsl",
        /// A Structurizr workspace as JSON, with positions.
        StructurizrJson = "structurizr-json",
        /// A C4 diagram in Mermaid.
        MermaidC4 = "mermaid-c4",
        /// A C4 diagram in PlantUML.
        PlantUmlC4 = "plantuml-c4",
        /// A draw.io drawing.
        DrawIo = "drawio",
    }
}

impl ExportFormat {
    /// The format of the other tool; none for a workspace file.
    pub fn foreign(self) -> Option<Format> {
        Format::of_id(self.as_str())
    }
}

/// Writes a workspace in the format of another tool.
pub fn export(tx: &ViewTx<'_>, format: Format) -> Result<String> {
    let rows = bundle::assemble(tx, Included::default())?;
    let drawn = map::read(tx, &Content::default())?;
    let rects: HashMap<String, Rect> = drawing::rects(&drawn)
        .into_iter()
        .map(|(key, [x, y, width, height])| (key, Rect { x, y, width, height }))
        .collect();
    let mut type_names: HashMap<String, String> =
        drawn.components.into_iter().map(|one| (one.key, one.type_name)).collect();
    let mut components: Vec<export::Component> = Vec::with_capacity(rows.components.len());
    for row in &rows.components {
        tx.core().check_alive()?;
        components.push(export::Component {
            type_name: type_names.remove(&row.id).unwrap_or_else(|| row.type_id.clone()),
            rect: rects.get(&row.id).copied().unwrap_or_default(),
            ..component(row)
        });
    }
    attach(tx, &rows, &mut components)?;
    let map = export::Map {
        name: rows.workspace.name.clone(),
        description: rows.workspace.description.clone().unwrap_or_default(),
        components,
        relationships: rows.relationships.iter().map(relationship).collect(),
        processes: rows.processes.iter().map(process).collect(),
    };
    Ok(export::write(format, &map))
}

fn component(row: &Component) -> export::Component {
    let properties = row.properties.entries().into_iter().filter_map(|(name, value)| {
        let text = match value {
            serde_json::Value::String(text) => text,
            serde_json::Value::Number(number) => number.to_string(),
            serde_json::Value::Bool(flag) => flag.to_string(),
            _ => return None,
        };
        Some((name, text))
    });
    export::Component {
        id: row.id.clone(),
        type_id: row.type_id.clone(),
        name: row.name.clone(),
        description: row.description.clone().unwrap_or_default(),
        tags: row.tags.iter().map(str::to_owned).collect(),
        technology: row.technology.iter().map(str::to_owned).collect(),
        properties: properties.collect(),
        ..export::Component::default()
    }
}

/// Adds owners and links to components.
fn attach(tx: &ViewTx<'_>, rows: &Bundle, components: &mut [export::Component]) -> Result<()> {
    let index: HashMap<&str, usize> =
        rows.components.iter().enumerate().map(|(at, row)| (row.id.as_str(), at)).collect();
    for one in rows.stakeholders.iter().filter(|one| one.link.link_type == OWNER) {
        if let Some(&at) = index.get(one.link.component_id.as_str()) {
            components[at].owners.push(one.name().to_owned());
        }
    }
    for link in links::rows(tx.core().conn, &tx.key())? {
        let is_web = link.url.starts_with("https://") || link.url.starts_with("http://");
        if let Some(&at) = index.get(link.component_id.as_str()).filter(|_| is_web) {
            components[at].links.push(link.url);
        }
    }
    Ok(())
}

fn relationship(row: &Relationship) -> export::Relationship {
    let kind = CATALOGUE.relation_types.iter().find(|kind| kind.id == row.type_id);
    export::Relationship {
        id: row.id.clone(),
        source_id: row.source_id.clone(),
        target_id: row.target_id.clone(),
        type_id: row.type_id.clone(),
        type_name: kind.map_or(row.type_id.as_str(), |kind| kind.name).to_owned(),
        is_directed: kind.is_none_or(|kind| kind.directed),
        label: row.label.clone().unwrap_or_default(),
        technology: row.technology.iter().map(str::to_owned).collect(),
        is_bidirectional: row.properties.get(BIDIRECTIONAL).is_some_and(|value| value == true),
    }
}

/// The messages between components of the map.
fn process(row: &Process) -> export::Process {
    let mut steps = Vec::new();
    if let Ok(diagram) = mermaid::read(&row.mermaid) {
        let participants = row.participants.entries();
        let component = |index: usize| {
            let alias = &diagram.participants.get(index)?.alias;
            participants.get(alias)?.as_str().map(str::to_owned)
        };
        for step in &diagram.steps {
            if let (Some(source_id), Some(target_id)) = (component(step.source), component(step.target)) {
                steps.push(export::Step { source_id, target_id, text: step.text.clone() });
            }
        }
    }
    export::Process {
        id: row.id.clone(),
        name: row.name.clone(),
        description: row.description.clone().unwrap_or_default(),
        steps,
    }
}
