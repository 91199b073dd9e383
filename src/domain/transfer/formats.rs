//! Exports a workspace in the format of another tool.

use std::collections::{HashMap, HashSet};

use export::{Format, Owner, Rect, Step};

use crate::{
    domain::{
        catalogue::{CATALOGUE, CONTAINS},
        core::{Reads, ViewTx, WholeMap},
        map::{
            bundle::{self, Bundle, Included},
            components::Component,
            drawing::{Content, DrawnView, Part, map},
            links::Link,
            processes::Process,
            relationships::Relationship,
            views,
        },
        values::words,
    },
    error::{Error, Result},
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

/// The format of a file that contains a view.
///
/// # Errors
/// If the format is a workspace file.
pub fn of_view(format: ExportFormat) -> Result<Format> {
    let text = "must be the format of another tool to export a view, because a workspace file is always complete";
    format.foreign().ok_or_else(|| Error::invalid("format", text))
}

/// Estimated memory of [`export()`] in bytes: the rows, the drawn map, the exported map and the text.
pub fn weigh(tx: &ViewTx<'_>) -> Result<usize> {
    Ok(tx.weight()?.saturating_mul(4))
}

/// Writes a workspace, or what a view of it shows, in the format of another tool.
///
/// # Errors
/// If the view does not exist.
pub fn export(tx: &ViewTx<'_>, format: Format, view: Option<DrawnView>, whole: &WholeMap) -> Result<String> {
    let mut rows = bundle::assemble(tx, Included::default())?;
    let (name, description) = match &view {
        None => (rows.workspace.name.clone(), rows.workspace.description.clone()),
        Some(DrawnView::Shared(id)) => {
            let view = views::find(tx, id).map_err(|error| or_unknown(tx, id, error))?;
            (view.name, view.description)
        }
        Some(DrawnView::Personal(view)) => (view.name.clone(), view.description.clone()),
    };
    let is_whole = view.is_none();
    let drawn = map::read(tx, &Content { view, part: Part::Whole }, whole)?;
    let rects: HashMap<String, [f64; 4]> = drawing::rects(&drawn).into_iter().collect();
    if !is_whole {
        keep(&mut rows, &drawn);
    }
    let drawing::map::Map { components: drawn, .. } = drawn;
    let mut type_names: HashMap<String, String> = drawn.into_iter().map(|one| (one.key, one.type_name)).collect();
    let mut components: Vec<export::Component> = Vec::with_capacity(rows.components.len());
    // Rows become parts of the exported map one by one, because both together can take hundreds of megabytes.
    for row in std::mem::take(&mut rows.components) {
        tx.core().check_alive()?;
        let [x, y, width, height] = rects.get(&row.id).copied().unwrap_or_default();
        components.push(export::Component {
            type_name: type_names.remove(&row.id).unwrap_or_else(|| row.type_id.clone()),
            rect: Rect { x, y, width, height },
            ..component(row)
        });
    }
    attach(tx, &rows, &mut components)?;
    let relationships = std::mem::take(&mut rows.relationships).into_iter().map(relationship).collect();
    let mut processes: Vec<export::Process> = rows.processes.iter().map(process).collect();
    if !is_whole {
        let shown: HashSet<&str> = components.iter().map(|one| one.id.as_str()).collect();
        let is_shown = |step: &Step| [&step.source_id, &step.target_id].iter().all(|id| shown.contains(id.as_str()));
        processes.retain(|process| !process.steps.is_empty() && process.steps.iter().all(is_shown));
    }
    let description = description.unwrap_or_default();
    Ok(export::write(format, &export::Map { name, description, components, relationships, processes }))
}

/// The error for a view that does not exist, which names the workspace.
fn or_unknown(tx: &ViewTx<'_>, id: &str, error: Error) -> Error {
    match error {
        Error::NotFound(_) => {
            let id = crate::error::truncated(id.to_owned());
            Error::NoSuchView { id, workspace_id: tx.workspace().id.clone() }
        }
        other => other,
    }
}

/// Leaves only the rows that are drawn, with the groups and the ends that the view shows.
fn keep(rows: &mut Bundle, drawn: &drawing::map::Map) {
    let parents: HashMap<&str, Option<&String>> =
        drawn.components.iter().map(|one| (one.key.as_str(), one.parent.as_ref())).collect();
    let lines: HashMap<&str, &drawing::map::Relationship> =
        drawn.relationships.iter().map(|one| (one.key.as_str(), one)).collect();
    rows.components.retain(|row| parents.contains_key(row.id.as_str()));
    rows.relationships.retain_mut(|row| {
        if row.type_id == CONTAINS {
            let parent = parents.get(row.target_id.as_str()).copied().flatten();
            row.source_id = parent.cloned().unwrap_or_default();
            return parent.is_some();
        }
        let Some(line) = lines.get(row.id.as_str()) else { return false };
        if (&row.source_id, &row.target_id) != (&line.from, &line.to) {
            row.source_id.clone_from(&line.from);
            row.target_id.clone_from(&line.to);
            row.type_id.clone_from(&line.type_id);
            row.label = Some(line.label.clone()).filter(|label| !label.is_empty());
        }
        true
    });
}

fn component(row: Component) -> export::Component {
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
        id: row.id,
        type_id: row.type_id,
        name: row.name,
        description: row.description.unwrap_or_default(),
        tags: row.tags.iter().map(str::to_owned).collect(),
        technology: row.technology.iter().map(str::to_owned).collect(),
        properties: properties.collect(),
        ..export::Component::default()
    }
}

/// Adds owners and links to components.
fn attach(tx: &ViewTx<'_>, rows: &Bundle, components: &mut [export::Component]) -> Result<()> {
    let index: HashMap<String, usize> = components.iter().enumerate().map(|(at, one)| (one.id.clone(), at)).collect();
    for one in rows.stakeholders.iter().filter(|one| one.link.link_type == OWNER) {
        if let Some(&at) = index.get(&one.link.component_id) {
            let is_person = one.link.person_id.is_some();
            components[at].owners.push(Owner { name: one.name().to_owned(), is_person });
        }
    }
    for link in tx.rows::<Link>()? {
        let is_web = link.url.starts_with("https://") || link.url.starts_with("http://");
        if let Some(&at) = index.get(&link.component_id).filter(|_| is_web) {
            components[at].links.push(link.url);
        }
    }
    Ok(())
}

fn relationship(row: Relationship) -> export::Relationship {
    let kind = CATALOGUE.relation_types.iter().find(|kind| kind.id == row.type_id);
    export::Relationship {
        type_name: kind.map_or(row.type_id.as_str(), |kind| kind.name).to_owned(),
        is_directed: kind.is_none_or(|kind| kind.directed),
        id: row.id,
        source_id: row.source_id,
        target_id: row.target_id,
        type_id: row.type_id,
        label: row.label.unwrap_or_default(),
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
                steps.push(Step { source_id, target_id, text: step.text.clone() });
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
