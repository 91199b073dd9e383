//! Processes: Mermaid sequence diagrams whose participants are components on the map.

mod reading;

use std::collections::{HashMap, HashSet};

use mermaid::Diagram;
use rusqlite::Connection;
use serde_json::{Map, Value};

pub use self::reading::{Lifeline, ProcessNote, ProcessReading, ProcessStep};
pub use super::model::processes::{Mermaid, NewProcess, Process, ProcessPatch};
use super::{components::Component, store};
use crate::{
    domain::{
        core::{EditTx, Reads, RowMetadata, ViewTx, WorkspaceKey, list_rows},
        input::same,
        paging::{Page, Paging},
        slug,
        values::Properties,
    },
    error::{Error, Problem, Result},
};

/// Maximum number of processes that a write names as affected.
const MAX_NAMED: usize = 20;
/// Maximum number of texts that are searched for a name.
const MAX_SEARCHED: usize = 200;

/// Lists the processes of a workspace, in creation order.
pub fn list(tx: &ViewTx<'_>, paging: &Paging) -> Result<Page<ProcessReading>> {
    let page = tx.page(paging)?;
    page.try_map(|process| {
        // Parsing a text takes time and runs no SQL statement that could be interrupted.
        tx.core().check_alive()?;
        read_out(tx, process)
    })
}

/// Reads a process.
pub fn read(tx: &ViewTx<'_>, id: &str) -> Result<ProcessReading> {
    read_out(tx, find(tx, id)?)
}

/// Creates a process.
pub fn create(tx: &mut EditTx<'_>, new: NewProcess) -> Result<ProcessReading> {
    let taken = |id: &str| tx.has::<Process>(id);
    let id = slug::chosen("process", new.id.clone(), || slug::strict(new.name.as_str(), "process"), taken)?;
    let diagram = diagram(&new.mermaid.0)?;
    let row = Process { seq: tx.next_position::<Process>()?, ..new.into_row(&tx.workspace().id, id) };
    check(tx, &Map::new(), &row.participants, &diagram)?;
    let process = tx.create(row)?;
    reading::reading(tx, process, diagram)
}

impl NewProcess {
    /// Checks the rules that depend on no other row. An imported process has no further rules: its mapping, like that
    /// of an existing process, may refer to deleted aliases and components.
    pub(in crate::domain) fn check(&self) -> Result<()> {
        diagram(&self.mermaid.0)?;
        let entries = self.participants.iter().flat_map(Properties::entries);
        entries.into_iter().try_for_each(|(alias, component)| component_id(&alias, &component).map(drop))
    }

    /// Builds the row. Its position is not set yet.
    pub(in crate::domain) fn into_row(self, workspace_id: &str, id: String) -> Process {
        Process {
            seq: 0,
            id,
            workspace_id: workspace_id.to_owned(),
            name: self.name.into(),
            description: self.description.map(String::from),
            mermaid: self.mermaid.0,
            participants: self.participants.unwrap_or_default(),
            metadata: RowMetadata::default(),
        }
    }
}

/// Component id in an entry of the mapping.
fn component_id<'v>(alias: &str, component: &'v Value) -> Result<&'v str> {
    let wrong = || Error::invalid(["participants", alias], "must be the id of a component");
    component.as_str().ok_or_else(wrong)
}

/// Updates a process.
pub fn update(tx: &mut EditTx<'_>, id: &str, patch: ProcessPatch) -> Result<ProcessReading> {
    let before: Process = tx.expected(id)?;
    same("id", patch.id.as_deref(), &before.id)?;
    let old = before.clone();
    let after = Process {
        name: patch.name.map_or(old.name, String::from),
        description: patch.description.map(String::from).or(old.description),
        mermaid: patch.mermaid.map_or(old.mermaid, |text| text.0),
        participants: patch.participants.unwrap_or(old.participants),
        ..old
    };
    let diagram = diagram(&after.mermaid)?;
    check(tx, &before.participants.entries(), &after.participants, &diagram)?;
    let process = tx.update(&before, after)?;
    reading::reading(tx, process, diagram)
}

/// Deletes a process.
pub fn delete(tx: &mut EditTx<'_>, id: &str) -> Result<()> {
    let process: Process = tx.expected(id)?;
    tx.delete(&process)
}

/// Ids of processes whose text contains `name` as whole words, at most 20, and whether there can be more.
pub fn that_mention(tx: &ViewTx<'_>, name: &str) -> Result<(Vec<String>, bool)> {
    let found = store::processes::that_contain(tx.core().conn, tx.pk(), name, MAX_SEARCHED)?;
    let mentions = |text: &str| {
        let ends_word = |rest: Option<char>| !rest.is_some_and(char::is_alphanumeric);
        text.match_indices(name).any(|(at, _)| {
            ends_word(text[..at].chars().next_back()) && ends_word(text[at + name.len()..].chars().next())
        })
    };
    let is_all = found.len() < MAX_SEARCHED;
    let mut ids: Vec<String> = found.into_iter().filter(|(_, text)| mentions(text)).map(|(id, _)| id).collect();
    let more = ids.len() > MAX_NAMED || !is_all;
    ids.truncate(MAX_NAMED);
    Ok((ids, more))
}

/// Adds to a mapping the participants of a text that have no component but whose alias is the id of one, or whose label or
/// alias is the name of exactly one. Removes the entries of aliases that the text does not have.
pub fn mapped(tx: &ViewTx<'_>, text: &str, mapping: &Properties) -> Result<Properties> {
    let (conn, pk) = (tx.core().conn, tx.pk());
    let Ok(diagram) = mermaid::read(text) else { return Ok(mapping.clone()) };
    let known = mapping.entries();
    let aliases: HashSet<&str> = diagram.participants.iter().map(|one| one.alias.as_str()).collect();
    let gone = known.keys().filter(|alias| !aliases.contains(alias.as_str()));
    let mut changes: Map<String, Value> = gone.map(|alias| (alias.clone(), Value::Null)).collect();
    for one in diagram.participants.iter().filter(|one| !known.contains_key(&one.alias)) {
        tx.core().check_alive()?;
        let component = if tx.has::<Component>(&one.alias)? {
            Some(one.alias.clone())
        } else {
            match store::components::only_named(conn, pk, &one.name)? {
                None if one.name != one.alias => store::components::only_named(conn, pk, &one.alias)?,
                found => found,
            }
        };
        if let Some(id) = component {
            changes.insert(one.alias.clone(), id.into());
        }
    }
    mapping.merged(changes).map_err(|problem| Error::invalid("participants", problem))
}

/// The messages between two components that no relationship connects, so that the map has no line for them.
pub fn steps_without_relationship<'r>(tx: &ViewTx<'_>, process: &'r ProcessReading) -> Result<Vec<&'r ProcessStep>> {
    let mut connected: HashMap<(&str, &str), bool> = HashMap::new();
    let mut found = Vec::new();
    for step in &process.steps {
        let (Some(source), Some(target)) = (step.source_id.as_deref(), step.target_id.as_deref()) else { continue };
        let pair = if source <= target { (source, target) } else { (target, source) };
        let is_connected = match connected.get(&pair) {
            Some(known) => *known,
            None => {
                tx.core().check_alive()?;
                let is = source == target || store::relationships::connect(tx.core().conn, tx.pk(), source, target)?;
                connected.insert(pair, is);
                is
            }
        };
        if !is_connected {
            found.push(step);
        }
    }
    Ok(found)
}

/// Ids of processes that have one of these components as a participant.
pub fn with_participants(tx: &ViewTx<'_>, component_ids: &[String]) -> Result<Vec<String>> {
    store::processes::with_participants(tx.core().conn, tx.pk(), component_ids)
}

/// Id of a process with this name, ignoring the case of the letters a to z.
pub fn named(tx: &ViewTx<'_>, name: &str) -> Result<Option<String>> {
    store::processes::named(tx.core().conn, tx.pk(), name)
}

/// Finds a process of the workspace without parsing its text.
pub fn find(tx: &ViewTx<'_>, id: &str) -> Result<Process> {
    tx.existing(id)
}

/// Parses a text. Fails if the text is not a sequence diagram.
fn diagram(text: &str) -> Result<Diagram> {
    mermaid::read(text).map_err(|missing| {
        let mermaid::Diagnostic { line, column, message, .. } = missing;
        Error::invalid("mermaid", Problem::Syntax { line, column, message })
    })
}

/// Builds the response for a process. A stored text that no longer parses is reported as a diagnostic, not as an error.
fn read_out(tx: &ViewTx<'_>, process: Process) -> Result<ProcessReading> {
    let diagram = mermaid::read(&process.mermaid)
        .unwrap_or_else(|missing| Diagram { diagnostics: vec![missing], ..Diagram::default() });
    reading::reading(tx, process, diagram)
}

/// Checks that new and changed entries refer to a participant of the diagram and a component of the workspace.
fn check(tx: &ViewTx<'_>, before: &Map<String, Value>, after: &Properties, diagram: &Diagram) -> Result<()> {
    let aliases: HashSet<&str> = diagram.participants.iter().map(|one| one.alias.as_str()).collect();
    for (alias, component) in after.entries() {
        if before.get(&alias) == Some(&component) {
            continue;
        }
        let wrong = |message: String| Err(Error::invalid(["participants", alias.as_str()], message));
        let id = component_id(&alias, &component)?;
        if !aliases.contains(alias.as_str()) {
            return wrong("the diagram has no participant of this alias".into());
        }
        if !tx.has::<Component>(id)? {
            return wrong(format!("there is no component `{id}` in this workspace"));
        }
    }
    Ok(())
}

/// All processes of a workspace, in list order.
pub(in crate::domain) fn rows(conn: &Connection, of: &WorkspaceKey<'_>) -> Result<Vec<Process>> {
    list_rows(conn, of)
}
