//! Tools that read and save processes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{change_set::change_set, components::found, tool::arguments};
use crate::{
    domain::{
        core::{
            Call, Gate, Precondition,
            access::{Editor, Viewer},
        },
        map::change_set::ChangeSet,
        map::processes::{self, Mermaid, NewProcess, ProcessPatch, ProcessReading},
        values::{KebabId, Name, Properties, Text},
    },
    error::{Error, Problem, Result},
    mermaid::Diagnostic,
};

/// Characters of a diagram per result, which contains it twice, escaped.
const CHUNK_LENGTH: usize = 8_000;

/// Which process.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct GetProcess {
    /// Id of the workspace.
    workspace_id: String,
    /// Id of the process.
    process_id: String,
    /// `nextCursor` of the previous call, for the rest of a long diagram.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

/// A process to add or change. What is absent stays as it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct SaveProcess {
    /// Id of the workspace.
    workspace_id: String,
    /// Updates the process with this id, or creates it (kebab-case). Default: creates one.
    #[schema(nullable = false)]
    process_id: Option<KebabId>,
    /// Required to create one.
    #[schema(nullable = false)]
    name: Option<Name>,
    /// Description.
    #[schema(nullable = false)]
    description: Option<Text>,
    /// A mermaid sequence diagram; required to create one.
    #[schema(nullable = false)]
    mermaid: Option<Mermaid>,
    /// Participant alias to component id, for example {"Web": "web"}; replaces the whole mapping.
    #[schema(nullable = false)]
    participants: Option<Properties>,
    /// `revision` of the process that you read: the call fails if it has changed since.
    #[schema(nullable = false)]
    expected_revision: Option<i64>,
}

arguments!(
    GetProcess: "One process: its mermaid sequence diagram, the component of each participant, and parse errors. Get \
            ids from get_workspace with include [\"processes\"], or search. A long diagram is split: if `truncated`, \
            call again with `nextCursor` and append. Example: {\"workspaceId\": \"web-shop\", \"processId\": \
            \"check-out\"}",
    SaveProcess: "Create a process, or update the one with this `processId` (omitted fields stay). `mermaid` is a \
            sequenceDiagram; map each participant to a component of the workspace in `participants`, so that the \
            process can be played on the map. `unresolved` in the result lists aliases without a component, \
            `diagnostics` invalid lines: fix them with a second call. Example: {\"workspaceId\": \"web-shop\", \
            \"name\": \"Check out\", \"mermaid\": \"sequenceDiagram\\n  participant Web\\n  Web->>Pay: charge\", \
            \"participants\": {\"Web\": \"web\", \"Pay\": \"payments\"}}",
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
    /// The text of the diagram, or this part of it.
    mermaid: String,
    /// Participant alias to component id.
    participants: Properties,
    /// Aliases without a component.
    unresolved: Vec<String>,
    /// Parse errors.
    diagnostics: Vec<Diagnostic>,
    /// Number of messages.
    steps: usize,
    /// Whether more of the diagram follows.
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
    /// Whether it was created.
    created: bool,
    revision: i64,
    /// Aliases without a component.
    unresolved: Vec<String>,
    /// Parse errors.
    diagnostics: Vec<Diagnostic>,
    /// Number of messages.
    steps: usize,
}

/// A process, or a piece of a long one.
pub async fn get_process(gate: Gate, call: Call<Viewer>, ask: GetProcess) -> Result<Read> {
    let id = ask.process_id;
    let ProcessReading { process, steps, unresolved, diagnostics, .. } =
        gate.read(call.large(), ask.workspace_id, move |tx| processes::read(tx, &id)).await?;
    let from: usize = match ask.cursor.as_deref() {
        None | Some("") => 0,
        Some(text) => {
            text.parse().map_err(|_| Error::invalid("cursor", "must be the `nextCursor` of the previous call"))?
        }
    };
    let piece: String = process.mermaid.chars().skip(from).take(CHUNK_LENGTH).collect();
    let end = from + piece.chars().count();
    let next_cursor = (process.mermaid.chars().nth(end).is_some()).then(|| end.to_string());
    Ok(Read {
        process_id: process.id,
        name: process.name,
        description: process.description,
        revision: process.metadata.revision,
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
pub async fn save_process(gate: Gate, mut call: Call<Editor>, ask: SaveProcess) -> Result<Saved> {
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
        let needed = |field: &str| Error::invalid(field, Problem::required(", because no process has this id"));
        let (name, mermaid) = (name.ok_or_else(|| needed("name"))?, mermaid.ok_or_else(|| needed("mermaid"))?);
        let new = NewProcess { id: process_id, name, description, mermaid, participants };
        Ok((set.create_process(new)?, true))
    };
    let (saved, created): (ProcessReading, bool) = change_set(&gate, call, workspace_id, "processes", write).await?;
    Ok(Saved {
        process_id: saved.process.id,
        created,
        revision: saved.process.metadata.revision,
        unresolved: saved.unresolved,
        diagnostics: saved.diagnostics,
        steps: saved.steps.len(),
    })
}
