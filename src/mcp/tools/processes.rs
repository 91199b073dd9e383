//! Tools that read and save processes.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    change_set::change_set,
    edits::{self, Edit},
    lenient::without_fence,
    results::{
        Either,
        components::{ProcessDetails, ProcessList, ProcessProblems, ProcessRef},
        writes::{SavedProcess, WriteResult},
    },
    steps::{ProcessItems, first_steps, items, problems},
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
        results::{SpaceLeft, beginning, position},
        services::Site,
    },
};

/// Minimum bytes of a diagram per result, however long the other fields are. Those are then shortened.
const MIN_CHUNK_BYTES: usize = 8_000;
/// Maximum number of edits of a call.
const MAX_EDITS: usize = 20;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_EDITS == 20);

/// The process to read.
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
    /// Participant alias to component id; these are set, null removes one, others stay.
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

/// Reads a process, a part of a long one, or one of its lists.
pub async fn get_process(
    gate: Gate,
    call: Call<Viewer>,
    request: GetProcess,
) -> Result<Either<Box<ProcessDetails>, ProcessItems>> {
    let id = request.process_id;
    if let Some(list) = request.list {
        let cursor = request.cursor;
        return gate
            .read(call.large(), request.workspace_id, move |tx| {
                items(tx, &id, list, cursor.as_deref()).map(Either::Right)
            })
            .await;
    }
    let (reading, mut problems, workspace_revision) = gate
        .read(call.large(), request.workspace_id, move |tx| {
            let reading = processes::read(tx, &id)?;
            let problems = problems(tx, &reading)?;
            Ok((reading, problems, tx.workspace().metadata.revision))
        })
        .await?;
    let ProcessReading { process, steps, unresolved, .. } = reading;
    let from = position(request.cursor.as_deref())?;
    let step_count = steps.len();
    let steps = (from == 0).then(|| first_steps(&steps, &mut problems.more));
    let revision = process.metadata.revision;
    let mut details = ProcessDetails {
        process: ProcessRef { process_id: process.id, revision, workspace_revision },
        name: process.name,
        description: process.description,
        mermaid: String::new(),
        participants: process.participants,
        unresolved,
        step_count,
        steps,
        problems,
        next: None.into(),
        text: None,
    };
    let max_bytes = SpaceLeft::after(&details).bytes().max(MIN_CHUNK_BYTES);
    details.mermaid = beginning(process.mermaid.chars().skip(from), max_bytes);
    let end = from + details.mermaid.chars().count();
    details.next = process.mermaid.chars().nth(end).map(|_| end.to_string()).into();
    let mut text = serde_json::to_value(&details)?;
    if let Some(fields) = text.as_object_mut() {
        fields.shift_remove("steps");
    }
    details.text = Some(text);
    Ok(Either::Left(details.into()))
}

/// Adds or changes a process.
pub async fn save_process(site: Site, call: Call<Editor>, request: SaveProcess) -> Result<WriteResult<SavedProcess>> {
    let SaveProcess { workspace_id, process_id, name, description, mermaid, edits, participants, expected_revision } =
        request;
    if mermaid.is_some() && edits.is_some() {
        return Err(Error::invalid("edits", "must be left out where `mermaid` is given"));
    }
    let mermaid = mermaid.map(|text| Mermaid::new(without_fence(text.as_str()))).transpose()?;
    let write = move |set: &mut ChangeSet<'_, '_>| {
        let existing = match &process_id {
            Some(id) => found(processes::find(set.now(), id.as_str()))?,
            None => None,
        };
        if let Some(row) = existing {
            let key = (ChangedKind::Process, row.id.as_str());
            expect(set.now(), key, row.metadata.revision, expected_revision)?;
            let (mermaid, made_before) = match edits {
                Some(edits) => {
                    let (text, made_before) = edits::apply(row.mermaid.clone(), edits, expected_revision.is_some())?;
                    (Some(text), made_before)
                }
                None => (mermaid, Vec::new()),
            };
            let participants = match (&mermaid, participants) {
                (None, None) => None,
                (text, changes) => {
                    let entries = changes.map(|changes| changes.entries()).unwrap_or_default();
                    let merged = row.participants.merged(entries.clone());
                    let merged = merged.map_err(|problem| Error::invalid("participants", problem))?;
                    let text = text.as_ref().map_or(row.mermaid.as_str(), Mermaid::as_str);
                    Some(mapping(set, text, &merged, &entries)?)
                }
            };
            let patch = ProcessPatch { id: None, name, description, mermaid, participants };
            let reading = processes::update(set.tx(), &row.id, patch)?;
            let problems = problems(set.now(), &reading)?;
            return Ok((reading, problems, Some(made_before)));
        }
        if expected_revision.is_some() || edits.is_some() {
            return Err(Error::NotFound("process"));
        }
        let required = |field: &str| Error::invalid(field, Problem::required(", because no process has this id"));
        let (name, mermaid) = (name.ok_or_else(|| required("name"))?, mermaid.ok_or_else(|| required("mermaid"))?);
        if process_id.is_none()
            && let Some(existing_id) = processes::named(set.now(), name.as_str())?
        {
            return Err(same_name("process", &existing_id, "processId"));
        }
        let participants = participants.unwrap_or_default();
        let participants = Some(mapping(set, mermaid.as_str(), &participants, &participants.entries())?);
        let new = NewProcess { id: process_id, name, description, mermaid, participants };
        let reading = processes::create(set.tx(), new)?;
        let problems = problems(set.now(), &reading)?;
        Ok((reading, problems, None))
    };
    let result = change_set(&site, call, workspace_id.clone(), "processes", write).await?;
    // New processes have no edits.
    let result = result.map(|(saved, problems, edits): (ProcessReading, ProcessProblems, Option<_>)| SavedProcess {
        process_id: saved.process.id,
        created: edits.is_none(),
        edits_made_before: edits.unwrap_or_default(),
        revision: saved.process.metadata.revision,
        unresolved: saved.unresolved,
        steps: saved.steps.len(),
        problems,
    });
    Ok(result.without_revision().with_url(|links, saved| links.process(&workspace_id, &saved.process_id)))
}

/// The mapping of a diagram: the `merged` entries, and participants with the id or name of a component. Aliases in `changes`
/// are kept, so that invalid ones are rejected, and those with null have no component.
fn mapping(
    set: &ChangeSet<'_, '_>,
    text: &str,
    merged: &Properties,
    changes: &Map<String, Value>,
) -> Result<Properties> {
    let mapped = processes::mapped(set.now(), text, merged)?;
    mapped.merged(changes.clone()).map_err(|problem| Error::invalid("participants", problem))
}
