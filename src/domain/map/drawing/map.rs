//! Reads the rows of a workspace and converts them to what is drawn.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use drawing::map as drawn;

use super::{
    part::{self, ImageDirection},
    process::{Message, plain_participants},
    rows::{Descriptions, Rows},
    view_rows,
};
use crate::{
    domain::{
        catalogue::{self, CATALOGUE, CONTAINS},
        core::{Reads, ViewTx, WholeMap},
        directory::component_kinds::{self, ComponentKind, Lookup},
        map::{
            components::Component,
            lines::{LineShape, RelationshipLine},
            near,
            notes::{Note, NoteColor, NoteKind},
            personal_views::PersonalView,
            placement::{image_size, note_size},
            processes,
            relationships::Relationship,
            views::{self, ViewLayout, resolved::Shown},
        },
        values::Size,
    },
    error::{Error, Result},
};

/// Maximum number of technologies that are read.
const MAX_TECHNOLOGIES: usize = 8;
/// Largest distance of the surroundings of a component, in relationships.
pub const MAX_DEPTH: u32 = 10;
/// Maximum number of components that a request can name.
pub const MAX_NAMED: usize = 500;

/// What is drawn of a workspace.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Content {
    /// The view; the map if there is none.
    pub view: Option<DrawnView>,
    /// The part of the map or the view.
    pub part: Part,
}

impl Content {
    /// Whether everything on the map is drawn.
    pub(super) fn is_whole(&self) -> bool {
        self.view.is_none() && self.part == Part::Whole
    }
}

/// A view that is drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum DrawnView {
    /// The view of the workspace with this id.
    Shared(String),
    /// A view that only the caller sees.
    Personal(Arc<PersonalView>),
}

/// A part of a map.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub enum Part {
    /// Everything.
    #[default]
    Whole,
    /// These components with their contents, at their places.
    Components(Vec<String>),
    /// The components around one or several, arranged.
    Around {
        /// Ids of the components in the middle.
        of: Vec<String>,
        /// Which relationships are followed.
        direction: ImageDirection,
        /// Maximum distance in relationships.
        depth: u32,
    },
    /// The participants of a process, arranged.
    Process {
        /// Id of the process.
        id: String,
        /// The message to emphasize, counted from 1.
        step: Option<usize>,
    },
}

/// Reads what is drawn, with the beginnings of descriptions.
///
/// # Errors
/// If a view, a component, a process or a step does not exist.
pub fn read(tx: &ViewTx<'_>, content: &Content, _: &WholeMap) -> Result<drawn::Map> {
    read_with(tx, content, Missing::Refused, Descriptions::Beginning)
}

/// Like [`read`], without those of the named components, and without a step, that do not exist.
pub fn read_remaining(
    tx: &ViewTx<'_>,
    content: &Content,
    descriptions: Descriptions,
    _: &WholeMap,
) -> Result<drawn::Map> {
    read_with(tx, content, Missing::Ignored, descriptions)
}

/// Whether components and steps that do not exist are an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Missing {
    Refused,
    Ignored,
}

fn read_with(tx: &ViewTx<'_>, content: &Content, missing: Missing, descriptions: Descriptions) -> Result<drawn::Map> {
    let check = |rows: &Rows, field, ids: &[String]| match missing {
        Missing::Refused => expect_components(tx, rows, field, ids),
        Missing::Ignored => Ok(()),
    };
    let mut rows = Rows::read(tx, content.is_whole(), descriptions)?;
    let mut title = tx.workspace().name.clone();
    if let Some(view) = &content.view {
        title = match view {
            DrawnView::Shared(id) => apply_view(tx, &mut rows, id)?,
            DrawnView::Personal(view) => apply_personal_view(tx, &mut rows, view)?,
        };
    }
    let (mut message, mut process_drawn) = (None, None);
    match &content.part {
        Part::Whole => {}
        Part::Components(ids) => {
            check(&rows, "components", ids)?;
            let kept = with_contents(&rows.relationships, ids);
            keep(&mut rows, &kept);
        }
        Part::Around { of, direction, depth } => {
            check(&rows, "around", of)?;
            let kept = part::around(&rows.relationships, of, *direction, (*depth).min(MAX_DEPTH));
            let kept = kept.into_iter().map(str::to_owned).collect();
            keep(&mut rows, &kept);
            arrange(&mut rows);
        }
        Part::Process { id, step } => {
            let process = processes::read(tx, id)?;
            title.clone_from(&process.process.name);
            let kept = process.lifelines.iter().filter_map(|line| line.component_id.clone()).collect();
            keep(&mut rows, &kept);
            arrange(&mut rows);
            if let Some(number) = step {
                message = Message::of(&process, *number);
                if message.is_none() && missing == Missing::Refused {
                    let count = process.steps.len();
                    return Err(Error::invalid("step", format!("must be a step of the process: from 1 to {count}")));
                }
            }
            process_drawn = Some(process);
        }
    }
    let mut map = converted(tx, title, rows)?;
    if let Some(process) = process_drawn {
        let participants = plain_participants(&process, &map);
        map.components.extend(participants);
    }
    if let Some(message) = message {
        message.emphasize(&mut map);
    }
    Ok(map)
}

/// Leaves only the contents of a view, at their places in it. Returns its name.
fn apply_view(tx: &ViewTx<'_>, rows: &mut Rows, id: &str) -> Result<String> {
    let view = views::resolved::read(tx, id)?;
    let contents = Shown {
        component_ids: view.component_ids.unwrap_or_default(),
        relationship_ids: view.relationship_ids.unwrap_or_default(),
        implied: view.implied_relationships.unwrap_or_default(),
        positions: view.positions.unwrap_or_default(),
        lines: view.lines.unwrap_or_default(),
    };
    show_only(rows, contents, view.view.layout);
    Ok(view.view.name)
}

/// Like [`apply_view`], for a view that only its user sees.
fn apply_personal_view(tx: &ViewTx<'_>, rows: &mut Rows, view: &PersonalView) -> Result<String> {
    show_only(rows, views::resolved::personal(tx, view)?, view.layout);
    Ok(view.name.clone())
}

fn show_only(rows: &mut Rows, contents: Shown, layout: ViewLayout) {
    let components: HashSet<String> = contents.component_ids.into_iter().collect();
    let relationships: HashSet<String> = contents.relationship_ids.into_iter().collect();
    rows.components.retain(|row| components.contains(&row.id));
    let implied = view_rows::lines(&rows.relationships, contents.implied);
    view_rows::regroup(&mut rows.relationships, &components);
    rows.relationships.retain(|row| match row.type_id.as_str() {
        CONTAINS => components.contains(&row.source_id) && components.contains(&row.target_id),
        _ => relationships.contains(&row.id),
    });
    let places: HashMap<String, (f64, f64)> =
        contents.positions.into_iter().map(|place| (place.component_id, (place.x, place.y))).collect();
    for row in &mut rows.components {
        if let Some(&(x, y)) = places.get(&row.id) {
            (row.x, row.y) = (x, y);
        }
    }
    if layout == ViewLayout::Own {
        let mut lines: HashMap<String, RelationshipLine> =
            contents.lines.into_iter().map(|line| (line.relationship_id, line.line)).collect();
        for row in &mut rows.relationships {
            row.line = lines.remove(&row.id);
        }
    }
    rows.relationships.extend(implied);
}

fn expect_components(tx: &ViewTx<'_>, rows: &Rows, field: &'static str, ids: &[String]) -> Result<()> {
    let known: HashSet<&str> = rows.components.iter().map(|row| row.id.as_str()).collect();
    match ids.iter().find(|id| !known.contains(id.as_str())) {
        Some(id) => Err(Error::invalid(field, near::no_component(tx, id)?)),
        None => Ok(()),
    }
}

/// These components and everything in them.
fn with_contents(relationships: &[Relationship], ids: &[String]) -> HashSet<String> {
    let mut parts: HashMap<&str, Vec<&str>> = HashMap::new();
    for row in relationships.iter().filter(|row| row.type_id == CONTAINS) {
        parts.entry(&row.source_id).or_default().push(&row.target_id);
    }
    let mut found = HashSet::new();
    let mut open: Vec<&str> = ids.iter().map(String::as_str).collect();
    while let Some(id) = open.pop() {
        if found.insert(id.to_owned()) {
            open.extend(parts.get(id).into_iter().flatten());
        }
    }
    found
}

fn keep(rows: &mut Rows, kept: &HashSet<String>) {
    rows.components.retain(|row| kept.contains(&row.id));
    rows.relationships.retain(|row| kept.contains(&row.source_id) && kept.contains(&row.target_id));
}

fn arrange(rows: &mut Rows) {
    for row in &mut rows.relationships {
        // Waypoints belong to the places on the map.
        row.line = None;
    }
    let parents = rows.relationships.iter().filter(|row| row.type_id == CONTAINS);
    let parents: Vec<(String, String)> = parents.map(|row| (row.source_id.clone(), row.target_id.clone())).collect();
    part::arrange(&mut rows.components, &rows.relationships, &parents);
}

fn converted(tx: &ViewTx<'_>, title: String, rows: Rows) -> Result<drawn::Map> {
    let organization_id = tx.workspace().org_id.as_deref().unwrap_or_default();
    let kinds = component_kinds::all(tx.core(), organization_id)?;
    let lookup = Lookup::new(kinds.iter().map(|kind| (kind.id.as_str(), kind.name.as_str())));
    let kinds: HashMap<&str, &ComponentKind> = kinds.iter().map(|kind| (kind.id.as_str(), kind)).collect();
    let kind_of = |row: &Component| {
        let value = row.properties.get(component_kinds::PROPERTY)?;
        kinds.get(lookup.find(value.as_str()?)?).copied()
    };
    let mut parents: HashMap<&str, &str> = HashMap::new();
    for row in rows.relationships.iter().filter(|row| row.type_id == CONTAINS) {
        parents.entry(&row.target_id).or_insert(&row.source_id);
    }
    let components = rows.components.iter().map(|row| drawn::Component {
        parent: parents.get(row.id.as_str()).map(|parent| (*parent).to_owned()),
        has_owner: rows.owned.contains(&row.id),
        ..component(row, kind_of(row))
    });
    let relationships = rows.relationships.iter().filter(|row| row.type_id != CONTAINS).map(relationship);
    let mut notes = rows.notes;
    notes.sort_by_key(|note| note.layer.get());
    Ok(drawn::Map {
        title,
        components: components.collect(),
        relationships: relationships.collect(),
        notes: notes.into_iter().map(note).collect(),
        highlighted: HashSet::new(),
        caption: String::new(),
    })
}

fn component(row: &Component, kind: Option<&ComponentKind>) -> drawn::Component {
    let base = catalogue::known_component_type(&row.type_id);
    let text = |text: Option<&str>, other: &str| text.unwrap_or(other).to_owned();
    drawn::Component {
        key: row.id.clone(),
        name: row.name.clone(),
        type_id: row.type_id.clone(),
        type_name: text(kind.map(|kind| kind.name.as_str()), base.name),
        color: text(kind.map(|kind| kind.color.as_str()), base.color),
        icon: text(kind.map(|kind| kind.icon.as_str()), base.icon),
        logo: kind.and_then(|kind| kind.logo.clone()),
        technology: technologies(row),
        description: row.description.clone().unwrap_or_default(),
        has_owner: false,
        lifecycle: row.properties.get("lifecycle").and_then(|state| state.as_str().map(str::to_owned)),
        parent: None,
        x: row.x,
        y: row.y,
        width: row.width.map(Size::get),
        height: row.height.map(Size::get),
    }
}

/// The technologies of a component: its field, or if that is empty, the property of that name.
fn technologies(row: &Component) -> Vec<String> {
    let listed: Vec<String> = row.technology.iter().map(str::to_owned).collect();
    let texts = if listed.is_empty() {
        match row.properties.get("technology") {
            Some(serde_json::Value::String(text)) => text.split([',', ';']).map(str::to_owned).collect(),
            Some(serde_json::Value::Array(items)) => {
                items.iter().filter_map(|item| item.as_str()).map(str::to_owned).collect()
            }
            _ => Vec::new(),
        }
    } else {
        listed
    };
    let trimmed = texts.iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    trimmed.take(MAX_TECHNOLOGIES).collect()
}

fn relationship(row: &Relationship) -> drawn::Relationship {
    let kind = CATALOGUE.relation_types.iter().find(|kind| kind.id == row.type_id);
    let line = row.line.as_ref();
    drawn::Relationship {
        key: row.id.clone(),
        from: row.source_id.clone(),
        to: row.target_id.clone(),
        type_id: row.type_id.clone(),
        type_name: kind.map_or(row.type_id.as_str(), |kind| kind.name).to_owned(),
        color: kind.map_or("", |kind| kind.color).to_owned(),
        directed: kind.is_none_or(|kind| kind.directed),
        label: row.label.clone().unwrap_or_default(),
        via: line.map(|line| line.via.points().collect()).unwrap_or_default(),
        straight: line.is_some_and(|line| line.shape == Some(LineShape::Straight)),
        label_at: line.and_then(|line| line.label_position).map(super::super::lines::Fraction::get),
    }
}

fn note(note: Note) -> drawn::Note {
    let (width, height) = (note.width.map(Size::get), note.height.map(Size::get));
    let (kind, size, default_color) = match note.kind {
        NoteKind::Note => (drawn::NoteKind::Note, note_size(&note.text, width, height), NoteColor::Yellow),
        NoteKind::Image => (drawn::NoteKind::Image, image_size(width, height), NoteColor::Gray),
        NoteKind::Frame => {
            let frame = drawing::frame_size();
            (drawn::NoteKind::Frame, (width.unwrap_or(frame.0), height.unwrap_or(frame.1)), NoteColor::Gray)
        }
    };
    drawn::Note {
        kind,
        color: color_value(note.color.unwrap_or(default_color)).to_owned(),
        x: note.x,
        y: note.y,
        width: size.0,
        height: size.1,
        behind: note.layer.get() < 0,
        text: note.text,
    }
}

/// The colors of the web client, before they are adjusted to a theme.
fn color_value(color: NoteColor) -> &'static str {
    match color {
        NoteColor::Yellow => "#f2c230",
        NoteColor::Orange => "#f08c2e",
        NoteColor::Red => "#e5484d",
        NoteColor::Pink => "#e668a7",
        NoteColor::Purple => "#9a6ee0",
        NoteColor::Blue => "#4a90e2",
        NoteColor::Green => "#46a758",
        NoteColor::Gray => "#8a94a0",
    }
}
