//! Tools that read and save processes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{change_set::change_set, components::found, tool::arguments};
use crate::{
    domain::{
        access::{Call, Gate, Precondition},
        operations::ChangeSet,
        processes::{self, Mermaid, NewProcess, ProcessPatch, ProcessReading},
        values::{KebabId, Name, Properties, Text},
    },
    error::{Error, Result},
    mermaid::Diagnostic,
};

/// Characters of a diagram per answer, which has it twice, quoted.
const PIECE: usize = 8_000;

/// Which process.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct GetProcess {
    /// Id of the workspace.
    workspace_id: String,
    /// Id of the process.
    process_id: String,
    /// `nextCursor` of the call before, for the rest of a long diagram.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

/// A process to add or change. What is absent stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct SaveProcess {
    /// Id of the workspace.
    workspace_id: String,
    /// Changes the process of this id, or adds one with it (kebab-case). Absent: adds one.
    #[schema(nullable = false)]
    process_id: Option<KebabId>,
    /// Required for a new one.
    #[schema(nullable = false)]
    name: Option<Name>,
    /// What it is about.
    #[schema(nullable = false)]
    description: Option<Text>,
    /// A mermaid sequence diagram; required for a new one.
    #[schema(nullable = false)]
    mermaid: Option<Mermaid>,
    /// Participant alias to component id, as in {"Web": "web"}; replaces the whole mapping.
    #[schema(nullable = false)]
    participants: Option<Properties>,
    /// `revision` of the process as you read it: refused when it has changed since.
    #[schema(nullable = false)]
    expected_revision: Option<i64>,
}

arguments!(
    GetProcess: "One process: its mermaid sequence diagram, which component each participant is, and what could not be read in it. \
            Ids come from get_workspace with include [\"processes\"], or search. A long diagram comes in pieces: when \
            `truncated`, call again with `nextCursor` and append. \
            Example: {\"workspaceId\": \"web-shop\", \"processId\": \"check-out\"}",
    SaveProcess: "Add a process, or change the one of this `processId` (what you leave out stays). `mermaid` is a sequenceDiagram; map \
            each participant to a component of the workspace in `participants`, so that the process can be played over the map. \
            `unresolved` in the answer lists aliases that are no component, `diagnostics` lines that could not be read: mend \
            them with a second call. Example: {\"workspaceId\": \"web-shop\", \"name\": \"Check out\", \"mermaid\": \
            \"sequenceDiagram\\n  participant Web\\n  Web->>Pay: charge\", \"participants\": {\"Web\": \"web\", \"Pay\": \"payments\"}}",
);

/// A process.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Read {
    process_id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    description: Option<String>,
    revision: i64,
    /// The text of the diagram, or this piece of it.
    mermaid: String,
    /// Participant alias to component id.
    participants: Properties,
    /// Aliases of participants that are no component.
    unresolved: Vec<String>,
    /// What could not be read.
    diagnostics: Vec<Diagnostic>,
    /// How many messages it has.
    steps: usize,
    /// Whether the diagram goes on.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// A saved process.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Saved {
    process_id: String,
    /// Whether it is new.
    created: bool,
    revision: i64,
    /// Aliases of participants that are no component.
    unresolved: Vec<String>,
    /// What could not be read.
    diagnostics: Vec<Diagnostic>,
    /// How many messages it has.
    steps: usize,
}

/// A process, or a piece of a long one.
pub async fn get_process(gate: Gate, call: Call, ask: GetProcess) -> Result<Read> {
    let id = ask.process_id;
    let ProcessReading { process, steps, unresolved, diagnostics, .. } =
        gate.view_all(call, ask.workspace_id, move |tx| processes::read(tx, &id)).await?;
    let from: usize = match ask.cursor.as_deref() {
        None | Some("") => 0,
        Some(text) => {
            text.parse().map_err(|_| Error::invalid("cursor", "must be the `nextCursor` of the call before"))?
        }
    };
    let piece: String = process.mermaid.chars().skip(from).take(PIECE).collect();
    let end = from + piece.chars().count();
    let next_cursor = (process.mermaid.chars().nth(end).is_some()).then(|| end.to_string());
    Ok(Read {
        process_id: process.id,
        name: process.name,
        description: process.description,
        revision: process.written.revision,
        mermaid: piece,
        participants: process.participants,
        unresolved,
        diagnostics,
        steps: steps.len(),
        truncated: next_cursor.is_some(),
        next_cursor,
    })
}

/// Adds or changes a process.
pub async fn save_process(gate: Gate, mut call: Call, ask: SaveProcess) -> Result<Saved> {
    if let Some(revision) = ask.expected_revision {
        call.precondition = Precondition::Revision(revision);
    }
    let SaveProcess { workspace_id, process_id, name, description, mermaid, participants, expected_revision } = ask;
    let write = move |set: &mut ChangeSet<'_, '_>| {
        let present = match &process_id {
            Some(id) => found(processes::find(set.now(), id.as_str()))?,
            None => None,
        };
        if let Some(row) = present {
            let patch = ProcessPatch { id: None, name, description, mermaid, participants };
            return Ok((set.update_process(&row.id, patch)?, false));
        }
        if expected_revision.is_some() {
            return Err(Error::NotFound("process"));
        }
        let needed =
            |field: &str| Error::invalid(field, "is required: there is no process of this id yet, so one is added");
        let (name, mermaid) = (name.ok_or_else(|| needed("name"))?, mermaid.ok_or_else(|| needed("mermaid"))?);
        let new = NewProcess { id: process_id, name, description, mermaid, participants };
        Ok((set.create_process(new)?, true))
    };
    let (saved, created): (ProcessReading, bool) = change_set(&gate, call, workspace_id, "processes", write).await?;
    Ok(Saved {
        process_id: saved.process.id,
        created,
        revision: saved.process.written.revision,
        unresolved: saved.unresolved,
        diagnostics: saved.diagnostics,
        steps: saved.steps.len(),
    })
}
