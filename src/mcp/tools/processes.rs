//! Tools that read and save processes.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{
    change_set::{Done, change_set},
    edits::{Edit, edited},
    lenient::unfenced,
    steps::{Faults, Items, ProcessList, Step, items},
    tool::{arguments, found},
    upserts::{expect, same_name},
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{
            Call, Gate,
            access::{Editor, Viewer},
        },
        history::ChangedKind,
        input::optional_at_most,
        map::change_set::ChangeSet,
        map::processes::{self, Mermaid, NewProcess, ProcessPatch, ProcessReading},
        values::{KebabId, Name, Properties, Text},
    },
    error::{Error, Problem, Result},
    mcp::{
        results::{SpaceLeft, beginning},
        services::Site,
    },
};

/// Minimum bytes of a diagram per result, however long the other fields are. Those are then cut and marked.
const MIN_CHUNK_BYTES: usize = 8_000;
/// Maximum number of edits of a call.
const MAX_EDITS: usize = 20;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_EDITS == 20);

/// Which process.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct GetProcess {
    /// Id of the workspace.
    workspace_id: String,
    /// Id of the process.
    process_id: String,
    /// All of one list, in pages.
    #[schema(inline, nullable = false)]
    list: Option<ProcessList>,
    /// `nextCursor` of the previous call.
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
    /// Instead of `mermaid`: replaces texts that occur once.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_EDITS, _, _>")]
    #[schema(nullable = false, max_items = 20)]
    edits: Option<Vec<Edit>>,
    /// Participant alias to component id; those given are set, null removes one, others stay.
    #[schema(nullable = false)]
    participants: Option<Properties>,
    /// `revision` of the process that you read: the call fails if it has changed since.
    #[schema(nullable = false)]
    expected_revision: Option<i64>,
}

arguments!(
    GetProcess: "One process: its mermaid sequence diagram, the component of each participant, parse errors, and \
            steps between components without a relationship. A long diagram is split: append the parts. Example: \
            {\"workspaceId\": \"web-shop\", \"processId\": \"check-out\"}",
    SaveProcess: "Create a process, or update the one with this `processId` (omitted fields stay). `mermaid` is a \
            sequenceDiagram; a participant whose alias or label is the id or name of a component is mapped to it, \
            `participants` maps the others, so that the process can be played on the map. Fix `unresolved` aliases \
            and `diagnostics` in the result with a second call. Example: {\"workspaceId\": \"web-shop\", \"name\": \
            \"Check out\", \"mermaid\": \"sequenceDiagram\\n  Web->>Pay: charge\", \"participants\": {\"Web\": \
            \"web\", \"Pay\": \"payments\"}}",
);

/// A process.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Read {
    process_id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    revision: i64,
    /// Revision of the workspace.
    workspace_revision: i64,
    /// The text of the diagram, or this part of it.
    mermaid: String,
    /// Participant alias to component id.
    participants: Properties,
    /// Aliases without a component.
    unresolved: Vec<String>,
    /// Number of messages.
    step_count: usize,
    /// The first messages, on the first page, for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<Step>>,
    #[serde(flatten)]
    faults: Faults,
    /// Whether more of the diagram follows.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
    /// The text: without `steps`, which models read in the diagram.
    #[serde(rename = "$text", skip_serializing_if = "Option::is_none")]
    text: Option<Value>,
}

/// A process, or its messages.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Shown {
    /// The process.
    Process(Box<Read>),
    /// A page of one of its lists.
    Items(Items),
}

/// A saved process.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Saved {
    process_id: String,
    /// Whether it was created.
    created: bool,
    /// Positions of edits that changed nothing, because the diagram already had their `newText` in this place.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    edits_made_before: Vec<usize>,
    revision: i64,
    /// Aliases without a component.
    unresolved: Vec<String>,
    /// Number of messages.
    steps: usize,
    #[serde(flatten)]
    faults: Faults,
}

/// A process, or a piece of a long one.
pub async fn get_process(gate: Gate, call: Call<Viewer>, ask: GetProcess) -> Result<Shown> {
    let id = ask.process_id;
    if let Some(list) = ask.list {
        let cursor = ask.cursor;
        return gate
            .read(call.large(), ask.workspace_id, move |tx| items(tx, &id, list, cursor.as_deref()).map(Shown::Items))
            .await;
    }
    let (reading, mut faults, workspace_revision) = gate
        .read(call.large(), ask.workspace_id, move |tx| {
            let reading = processes::read(tx, &id)?;
            let faults = Faults::of(tx, &reading)?;
            Ok((reading, faults, tx.workspace().metadata.revision))
        })
        .await?;
    let ProcessReading { process, steps, unresolved, .. } = reading;
    let from: usize = match ask.cursor.as_deref() {
        None | Some("") => 0,
        Some(text) => {
            text.parse().map_err(|_| Error::invalid("cursor", "must be the `nextCursor` of the previous call"))?
        }
    };
    let step_count = steps.len();
    let steps = (from == 0).then(|| faults.first_steps(&steps));
    let mut read = Read {
        process_id: process.id,
        name: process.name,
        description: process.description,
        revision: process.metadata.revision,
        workspace_revision,
        mermaid: String::new(),
        participants: process.participants,
        unresolved,
        step_count,
        steps,
        faults,
        truncated: false,
        next_cursor: None,
        text: None,
    };
    let room = SpaceLeft::after(&read).bytes().max(MIN_CHUNK_BYTES);
    read.mermaid = beginning(process.mermaid.chars().skip(from), room);
    let end = from + read.mermaid.chars().count();
    read.next_cursor = (process.mermaid.chars().nth(end).is_some()).then(|| end.to_string());
    read.truncated = read.next_cursor.is_some();
    let mut text = serde_json::to_value(&read)?;
    if let Some(fields) = text.as_object_mut() {
        fields.shift_remove("steps");
    }
    read.text = Some(text);
    Ok(Shown::Process(read.into()))
}

/// Adds or changes a process.
pub async fn save_process(site: Site, call: Call<Editor>, ask: SaveProcess) -> Result<Done<Saved>> {
    let SaveProcess { workspace_id, process_id, name, description, mermaid, edits, participants, expected_revision } =
        ask;
    if mermaid.is_some() && edits.is_some() {
        return Err(Error::invalid("edits", "must be left out where `mermaid` is given"));
    }
    let mermaid = mermaid.map(|text| Mermaid::new(unfenced(text.as_str()))).transpose()?;
    let write = move |set: &mut ChangeSet<'_, '_>| {
        let present = match &process_id {
            Some(id) => found(processes::find(set.now(), id.as_str()))?,
            None => None,
        };
        if let Some(row) = present {
            let known = (ChangedKind::Process, row.id.as_str());
            expect(set.now(), known, row.metadata.revision, expected_revision)?;
            let (mermaid, made_before) = match edits {
                Some(edits) => {
                    let (text, made_before) = edited(row.mermaid.clone(), edits, expected_revision.is_some())?;
                    (Some(text), made_before)
                }
                None => (mermaid, Vec::new()),
            };
            let participants = match (&mermaid, participants) {
                (None, None) => None,
                (text, given) => {
                    let entries = given.map(|given| given.entries()).unwrap_or_default();
                    let merged = row.participants.merged(entries.clone());
                    let merged = merged.map_err(|problem| Error::invalid("participants", problem))?;
                    let text = text.as_ref().map_or(row.mermaid.as_str(), Mermaid::as_str);
                    Some(mapping(set, text, &merged, &entries)?)
                }
            };
            let patch = ProcessPatch { id: None, name, description, mermaid, participants };
            let reading = processes::update(set.tx(), &row.id, patch)?;
            let faults = Faults::of(set.now(), &reading)?;
            return Ok((reading, faults, Written::Updated(made_before)));
        }
        if expected_revision.is_some() || edits.is_some() {
            return Err(Error::NotFound("process"));
        }
        let needed = |field: &str| Error::invalid(field, Problem::required(", because no process has this id"));
        let (name, mermaid) = (name.ok_or_else(|| needed("name"))?, mermaid.ok_or_else(|| needed("mermaid"))?);
        if process_id.is_none()
            && let Some(known) = processes::named(set.now(), name.as_str())?
        {
            return Err(same_name("process", &known, "processId"));
        }
        let given = participants.unwrap_or_default();
        let participants = Some(mapping(set, mermaid.as_str(), &given, &given.entries())?);
        let new = NewProcess { id: process_id, name, description, mermaid, participants };
        let reading = processes::create(set.tx(), new)?;
        let faults = Faults::of(set.now(), &reading)?;
        Ok((reading, faults, Written::Created))
    };
    let done = change_set(&site, call, workspace_id.clone(), "processes", write).await?;
    let done = done.map(|(saved, faults, written): (ProcessReading, Faults, Written)| Saved {
        process_id: saved.process.id,
        created: matches!(written, Written::Created),
        edits_made_before: if let Written::Updated(places) = written { places } else { Vec::new() },
        revision: saved.process.metadata.revision,
        unresolved: saved.unresolved,
        steps: saved.steps.len(),
        faults,
    });
    Ok(done.without_revision().at(|links, saved| links.process(&workspace_id, &saved.process_id)))
}

/// How a process was written.
#[derive(Debug, Serialize, Deserialize)]
enum Written {
    Created,
    /// With the positions of edits that were made before.
    Updated(Vec<usize>),
}

/// The mapping of a diagram: what is stored and `given`, and participants that are called like a component. An alias that is
/// given stays, so that a wrong one is rejected, and one that is given as null has no component.
fn mapping(set: &ChangeSet<'_, '_>, text: &str, merged: &Properties, given: &Map<String, Value>) -> Result<Properties> {
    let mapped = processes::mapped(set.now(), text, merged)?;
    mapped.merged(given.clone()).map_err(|problem| Error::invalid("participants", problem))
}
