//! Processes: Mermaid sequence diagrams whose participants are components on the map.

mod reading;

use std::collections::HashSet;

use serde_json::{Map, Value};

pub use self::reading::{Lifeline, ProcessNote, ProcessReading, ProcessStep};
pub use super::model::processes::{Mermaid, NewProcess, Process, ProcessPatch};
use super::store;
pub(in crate::domain) use super::store::processes::{find as find_row, list as rows};
use crate::{
    domain::{
        core::{EditTx, Reads, RowMetadata, ViewTx},
        input::same,
        paging::{Page, Paging},
        slug,
        values::Properties,
    },
    error::{Error, Problem, Result},
    mermaid::{self, Diagram},
};

const NOT_FOUND: Error = Error::NotFound("process");

/// Lists the processes of a workspace, in creation order.
pub fn list(tx: &ViewTx<'_>, paging: &Paging) -> Result<Page<ProcessReading>> {
    let page = store::processes::page(tx.core().conn, &tx.key(), &paging.window("processes")?)?;
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
    let (conn, pk) = (tx.core().conn, tx.pk());
    let taken = |id: &str| store::processes::id_taken(conn, pk, id);
    let id = slug::chosen("process", new.id.clone(), || slug::strict(new.name.as_str(), "process"), taken)?;
    let diagram = diagram(&new.mermaid.0)?;
    let row = Process { seq: store::processes::next_seq(conn, pk)?, ..new.into_row(&tx.workspace().id, id) };
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
    let before = find(tx, id)?;
    tx.expect(&before)?;
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
    let process = find(tx, id)?;
    tx.expect(&process)?;
    tx.delete(&process)
}

/// Finds a process of the workspace without parsing its text.
pub fn find(tx: &ViewTx<'_>, id: &str) -> Result<Process> {
    store::processes::find(tx.core().conn, &tx.key(), id)?.ok_or(NOT_FOUND)
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
        if !store::components::id_taken(tx.core().conn, tx.pk(), id)? {
            return wrong(format!("there is no component `{id}` in this workspace"));
        }
    }
    Ok(())
}
