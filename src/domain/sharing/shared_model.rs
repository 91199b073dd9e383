//! What a share link shows.
//!
//! The type has no fields for personal data: no people, accounts, authors, presence, history, wiki pages, properties or
//! organization. Ids of the workspace are replaced by ordinals. `read` is the only place that makes one.

use std::collections::{HashMap, HashSet};

use drawing::map::Map;
use serde::Serialize;

use super::{
    model::{ShareContent, ShareOptions, ShareScope, ShareTarget},
    store::links::StoredLink,
};
use crate::{
    domain::{
        core::{ViewTx, WholeMap},
        map::{
            drawing::{Descriptions, map::read_remaining},
            processes::{self, ProcessReading},
        },
        paging::Paging,
    },
    error::Result,
};

/// Maximum number of processes that a link shows besides the map.
const MAX_PROCESSES: usize = 200;

/// What a share link shows.
#[derive(Debug)]
pub struct SharedModel {
    scope: ShareScope,
    /// Keys are ordinals.
    map: Map,
    processes: Option<Vec<SharedProcess>>,
}

/// A process.
#[derive(Debug, Serialize)]
struct SharedProcess {
    key: String,
    name: String,
    steps: Vec<SharedStep>,
}

/// A message of a process. The ends are null if they are not components of the map.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SharedStep {
    from: Option<String>,
    to: Option<String>,
    from_name: String,
    to_name: String,
    text: String,
}

/// A component in the JSON.
#[derive(Serialize)]
struct SharedComponent<'m> {
    key: &'m str,
    name: &'m str,
    #[serde(rename = "type")]
    type_name: &'m str,
    #[serde(skip_serializing_if = "Option::is_none")]
    parent: Option<&'m str>,
    #[serde(skip_serializing_if = "str::is_empty")]
    description: &'m str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    technology: &'m [String],
}

/// A relationship in the JSON.
#[derive(Serialize)]
struct SharedRelationship<'m> {
    key: &'m str,
    from: &'m str,
    to: &'m str,
    #[serde(skip_serializing_if = "str::is_empty")]
    label: &'m str,
    #[serde(rename = "type")]
    type_name: &'m str,
}

/// The JSON.
#[derive(Serialize)]
struct SharedJson<'m> {
    name: &'m str,
    scope: ShareScope,
    components: Vec<SharedComponent<'m>>,
    relationships: Vec<SharedRelationship<'m>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    processes: Option<&'m [SharedProcess]>,
}

/// Reads what a link shows. `step` is the message of the process to emphasize, counted from 1.
pub(super) fn read(
    tx: &ViewTx<'_>,
    link: &StoredLink,
    step: Option<usize>,
    descriptions: Descriptions,
    whole: &WholeMap,
) -> Result<SharedModel> {
    let StoredLink { target, options, .. } = link;
    let mut map = read_remaining(tx, &target.content(step), descriptions, whole)?;
    if !options.has(ShareContent::Descriptions) {
        map.components.iter_mut().for_each(|component| component.description.clear());
    }
    if !options.has(ShareContent::Notes) {
        map.notes.clear();
    }
    let keys = rekey(&mut map);
    Ok(SharedModel { scope: target.scope, processes: shared_processes(tx, target, options, &keys)?, map })
}

/// Replaces ids by ordinals. Returns the ordinals of the components by id.
fn rekey(map: &mut Map) -> HashMap<String, String> {
    let components = map.components.iter().enumerate();
    let keys: HashMap<String, String> =
        components.map(|(index, row)| (row.key.clone(), format!("c{}", index + 1))).collect();
    let key_of = |id: &str| keys.get(id).cloned().unwrap_or_default();
    let mut highlighted: HashSet<String> = map.highlighted.iter().filter_map(|id| keys.get(id).cloned()).collect();
    for component in &mut map.components {
        component.key = key_of(&component.key);
        component.parent = component.parent.as_deref().and_then(|parent| keys.get(parent).cloned());
        // Whether there is an owner is about people.
        component.has_owner = false;
    }
    map.relationships.retain(|row| keys.contains_key(&row.from) && keys.contains_key(&row.to));
    for (index, row) in map.relationships.iter_mut().enumerate() {
        let is_highlighted = map.highlighted.contains(&row.key);
        (row.from, row.to) = (key_of(&row.from), key_of(&row.to));
        row.key = format!("r{}", index + 1);
        if is_highlighted {
            highlighted.insert(row.key.clone());
        }
    }
    map.highlighted = highlighted;
    keys
}

/// The processes that a link shows: its process, or those whose participants it shows all. Links of views and parts show
/// only processes with a participant in them; links of the map also those without components.
fn shared_processes(
    tx: &ViewTx<'_>,
    target: &ShareTarget,
    options: &ShareOptions,
    keys: &HashMap<String, String>,
) -> Result<Option<Vec<SharedProcess>>> {
    if let Some(id) = &target.process_id {
        return Ok(Some(vec![shared_process(0, processes::read(tx, id)?, keys)]));
    }
    if !options.has(ShareContent::Processes) {
        return Ok(None);
    }
    let is_whole = target.scope == ShareScope::Map;
    let is_shown = |process: &ProcessReading| {
        let linked = process.lifelines.iter().filter_map(|line| line.component_id.as_ref());
        let mut shown = linked.map(|id| keys.contains_key(id));
        if is_whole { shown.all(|is_shown| is_shown) } else { has_only_shown(process, keys) }
    };
    let shown = processes::list(tx, &Paging::default())?.items.into_iter().filter(is_shown).take(MAX_PROCESSES);
    Ok(Some(shown.enumerate().map(|(index, process)| shared_process(index, process, keys)).collect()))
}

/// Whether participants of a process are components, and all of them are shown. A participant whose component was deleted is
/// still mapped to it, and not shown.
fn has_only_shown(process: &ProcessReading, keys: &HashMap<String, String>) -> bool {
    let mapping = process.process.participants.entries();
    let mut shown = process
        .lifelines
        .iter()
        .filter_map(|line| mapping.get(&line.alias)?.as_str())
        .map(|id| keys.contains_key(id))
        .peekable();
    shown.peek().is_some() && shown.all(|is_shown| is_shown)
}

fn shared_process(index: usize, process: ProcessReading, keys: &HashMap<String, String>) -> SharedProcess {
    let names: HashMap<&str, &str> =
        process.lifelines.iter().map(|line| (line.alias.as_str(), line.name.as_str())).collect();
    let name_of = |alias: &str| names.get(alias).copied().unwrap_or(alias).to_owned();
    let key_of = |id: &Option<String>| id.as_ref().and_then(|id| keys.get(id).cloned());
    let steps = process.steps.iter().map(|step| SharedStep {
        from: key_of(&step.source_id),
        to: key_of(&step.target_id),
        from_name: name_of(&step.source),
        to_name: name_of(&step.target),
        text: step.text.clone(),
    });
    SharedProcess { key: format!("p{}", index + 1), steps: steps.collect(), name: process.process.name.clone() }
}

impl SharedModel {
    /// The map to draw.
    pub fn into_map(self) -> Map {
        self.map
    }

    /// The model as JSON.
    pub fn to_json(&self) -> Result<Vec<u8>> {
        // Participants of a process that are not components are drawn like components.
        let components = self.map.components.iter().filter(|row| !row.type_id.is_empty()).map(|row| SharedComponent {
            key: &row.key,
            name: &row.name,
            type_name: &row.type_name,
            parent: row.parent.as_deref(),
            description: &row.description,
            technology: &row.technology,
        });
        // The message of a process is drawn like a relationship, and is none.
        let rows = self.map.relationships.iter().filter(|row| !row.type_id.is_empty());
        let relationships = rows.map(|row| SharedRelationship {
            key: &row.key,
            from: &row.from,
            to: &row.to,
            label: &row.label,
            type_name: &row.type_name,
        });
        Ok(serde_json::to_vec(&SharedJson {
            name: &self.map.title,
            scope: self.scope,
            components: components.collect(),
            relationships: relationships.collect(),
            processes: self.processes.as_deref(),
        })?)
    }
}
