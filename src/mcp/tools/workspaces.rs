//! Tools that list, read, create and update workspaces.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{change_set::change_set, tool::arguments};
use crate::{
    domain::{
        core::{
            Call, Gate, Precondition,
            access::{Editor, Member, OrgReader, Viewer},
        },
        map::{
            tables::{self, Part},
            workspaces::{self, NewWorkspace, Workspace, WorkspacePatch},
        },
        paging::Paging,
        transfer,
        values::{AccessLevel, Id, Name, OrganizationAccess, Properties, Text, Visibility},
    },
    error::Result,
    mcp::results::{SpaceLeft, page, position, truncate},
};

/// Which page.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ListWorkspaces {
    /// `nextCursor` of the previous call, for the next page.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

/// Which workspace, and what of it.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct GetWorkspace {
    /// Id of the workspace.
    workspace_id: String,
    /// Tables to read, in this order, each once; [] for counts only. Default: components and relationships.
    #[schema(nullable = false)]
    include: Option<Vec<Part>>,
    /// `nextCursor` of the previous call, for the next page, with the same `include`.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

/// A workspace to be founded.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct CreateWorkspace {
    /// Unique in the whole instance and permanent. Default: generated from the name.
    #[schema(nullable = false)]
    id: Option<Id>,
    /// Name.
    name: Name,
    /// Description.
    #[schema(nullable = false)]
    description: Option<Text>,
    /// Free-form.
    #[schema(nullable = false)]
    properties: Option<Properties>,
    /// Whether to start with a sample system instead of an empty map.
    #[schema(nullable = false)]
    sample: Option<bool>,
}

/// What to change of a workspace; what is absent stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct UpdateWorkspace {
    /// Id of the workspace.
    workspace_id: String,
    /// New name.
    #[schema(nullable = false)]
    name: Option<Name>,
    /// New description.
    #[schema(nullable = false)]
    description: Option<Text>,
    /// Replaces all properties.
    #[schema(nullable = false)]
    properties: Option<Properties>,
    /// `revision` of the workspace that you read: the call fails if it has changed since.
    #[schema(nullable = false)]
    expected_revision: Option<i64>,
}

arguments!(
    ListWorkspaces: "The workspaces (architecture maps) visible to you, with their ids. Start here if the user gives \
                     no id. `myRole`: viewers can read, editors and owners can write; null: can read. About 100 per \
                     page.",
    GetWorkspace: "Counts and tables of one workspace. Rows have their values in the order of `columns`. Use \
                   get_components for details of a few components (owners, links, neighbors), search to find one by \
                   name, trace_dependencies for dependencies. If `truncated`, call again with `nextCursor`. A note cut \
                   with … continues in the next page's first row. If `revision` changes, start again.",
    CreateWorkspace: "Create an empty workspace in the active organization; the user becomes its owner, and all \
            members of the organization can see it. Fill it with upsert_components and upsert_relationships, or at \
            once with replace_workspace_model. Check list_workspaces and ask before creating a duplicate. Example: \
            {\"name\": \"Web shop\", \"description\": \"All that sells\"}",
    UpdateWorkspace: "Update name, description or properties of a workspace; omitted fields stay. `properties` \
            replaces all of them. Not for its content or visibility (use the web client for that). Example: \
            {\"workspaceId\": \"web-shop\", \"name\": \"Web shop 2\"}",
);

/// A workspace in short.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Summary {
    id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    description: Option<String>,
    visibility: Visibility,
    organization_access: OrganizationAccess,
    #[schema(required)]
    my_role: Option<AccessLevel>,
    /// Number of writes.
    revision: i64,
    /// Unix milliseconds.
    updated_at: i64,
}

impl Summary {
    fn of(workspace: &Workspace, cut: impl Fn(&str) -> String) -> Self {
        Self {
            id: workspace.id.clone(),
            name: workspace.name.clone(),
            description: workspace.description.as_deref().filter(|text| !text.is_empty()).map(cut),
            visibility: workspace.visibility,
            organization_access: workspace.organization_access,
            my_role: workspace.my_role,
            revision: workspace.metadata.revision,
            updated_at: workspace.metadata.updated_at,
        }
    }
}

/// A page of workspaces.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Listed {
    workspaces: Vec<Summary>,
    /// Whether there are more.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// A founded or changed workspace.
#[derive(Debug, Serialize, ToSchema)]
pub struct Saved {
    workspace: Summary,
}

/// How much there is of each.
#[derive(Debug, Serialize, ToSchema)]
pub struct Counts {
    components: usize,
    relationships: usize,
    processes: usize,
    stakeholders: usize,
    notes: usize,
}

/// Rows of one kind.
#[derive(Debug, Serialize, ToSchema)]
pub struct Table {
    name: Part,
    columns: &'static [&'static str],
    #[schema(value_type = Vec<Value>)]
    rows: Vec<tables::Row>,
}

/// A workspace at a glance.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Overview {
    workspace: Summary,
    counts: Counts,
    tables: Vec<Table>,
    /// Whether there are more rows.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// The workspaces that the caller may see.
pub async fn list_workspaces(gate: Gate, call: Call<OrgReader>, ask: ListWorkspaces) -> Result<Listed> {
    gate.read(call, (), move |tx| {
        let all = workspaces::list(tx, &Paging::default())?.items;
        let items = all.iter().map(|listed| Summary::of(&listed.workspace, truncate));
        let (workspaces, next_cursor) = page(items, ask.cursor.as_deref(), &mut SpaceLeft::after(&()))?;
        Ok(Listed { workspaces, truncated: next_cursor.is_some(), next_cursor })
    })
    .await
}

/// Rows that are read at a time.
const CHUNK: usize = 256;

/// A workspace at a glance. It reads the rows of one page and counts the rest.
pub async fn get_workspace(gate: Gate, call: Call<Viewer>, ask: GetWorkspace) -> Result<Overview> {
    let mut parts: Vec<Part> = Vec::new();
    for part in ask.include.unwrap_or_else(|| vec![Part::Components, Part::Relationships]) {
        // Each table once, however often it is named.
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    gate.read(call.large(), ask.workspace_id, move |tx| {
        let from = Position::of(ask.cursor.as_deref())?;
        // Pages after the first one have space for rows, however long the description is.
        let workspace = Summary::of(tx.workspace(), if from.is_start { str::to_owned } else { truncate });
        let counts = Counts {
            components: tables::count(tx, Part::Components)?,
            relationships: tables::count(tx, Part::Relationships)?,
            processes: tables::count(tx, Part::Processes)?,
            stakeholders: tables::count(tx, Part::Stakeholders)?,
            notes: tables::count(tx, Part::Notes)?,
        };
        let mut room = SpaceLeft::after(&(&workspace, &counts));
        let (mut found, mut next, mut before) = (Vec::<Table>::new(), from.row, 0);
        // Characters of a note that earlier pages contain, and with this page.
        let (mut sent, mut cut) = (from.characters, 0);
        let mut is_full = false;
        for part in parts {
            let end = before + counts.of(part);
            let mut rows = Vec::new();
            while next < end && !is_full {
                let chunk = tables::rows(tx, part, CHUNK, next - before)?;
                if chunk.is_empty() {
                    break;
                }
                for row in chunk {
                    let is_first = found.is_empty() && rows.is_empty();
                    let row = shown(part, row, std::mem::take(&mut sent));
                    if part == Part::Notes && is_first && !room.fits(&row) {
                        let fitting = fitting(&row, &room);
                        (is_full, cut) = (true, from.characters + fitting);
                        rows.extend((fitting > 0).then(|| note(row, 0, fitting)));
                        break;
                    }
                    is_full = !(room.take(&row) || is_first);
                    if is_full {
                        break;
                    }
                    rows.push(row);
                    next += 1;
                }
            }
            if !rows.is_empty() {
                found.push(Table { name: part, columns: part.columns(), rows });
            }
            before = end;
        }
        let next_cursor = is_full.then(|| if cut > 0 { format!("{next}:{cut}") } else { next.to_string() });
        Ok(Overview { workspace, counts, tables: found, truncated: is_full, next_cursor })
    })
    .await
}

/// The position that a cursor denotes: a row and, if the previous page has only the beginning of a note, the number of
/// its characters that are known.
struct Position {
    is_start: bool,
    row: usize,
    characters: usize,
}

impl Position {
    fn of(cursor: Option<&str>) -> Result<Self> {
        let (row, characters) = cursor.and_then(|text| text.split_once(':')).unzip();
        Ok(Self {
            is_start: cursor.is_none_or(str::is_empty),
            row: position(row.or(cursor))?,
            characters: position(characters)?,
        })
    }
}

/// The row of a note with `length` characters of its text from `start` on.
fn note(mut row: tables::Row, start: usize, length: usize) -> tables::Row {
    if let Some(Some(text)) = row.last_mut() {
        let mut rest = text.chars().skip(start);
        let mut part: String = rest.by_ref().take(length).collect();
        part.extend(rest.next().map(|_| '…'));
        *text = part;
    }
    row
}

/// The number of characters of a note that fit.
fn fitting(row: &tables::Row, room: &SpaceLeft) -> usize {
    let characters = row.last().and_then(Option::as_deref).map_or(0, |text| text.chars().count());
    let lengths: Vec<usize> = (0..characters).collect();
    lengths.partition_point(|length| room.fits(&note(row.clone(), 0, *length))).saturating_sub(1)
}

impl Counts {
    fn of(&self, part: Part) -> usize {
        match part {
            Part::Components => self.components,
            Part::Relationships => self.relationships,
            Part::Processes => self.processes,
            Part::Stakeholders => self.stakeholders,
            Part::Notes => self.notes,
        }
    }
}

/// A row as it is shown: texts cut where they are long, except those of notes, which no other tool reads and which
/// continue on the next page. A stakeholder has a person or a team. `sent` is the number of characters of a note that the
/// previous pages contain.
fn shown(part: Part, mut row: tables::Row, sent: usize) -> tables::Row {
    if part == Part::Notes {
        return note(row, sent, usize::MAX);
    }
    if part != Part::Stakeholders
        && let Some(text) = row.last_mut()
    {
        *text = Some(truncate(text.as_deref().unwrap_or_default()));
    }
    row
}

/// Founds a workspace.
pub async fn create_workspace(gate: Gate, call: Call<Member>, ask: CreateWorkspace) -> Result<Saved> {
    let CreateWorkspace { id, name, description, properties, sample } = ask;
    let new = NewWorkspace {
        id,
        name,
        description,
        visibility: None,
        organization_access: None,
        properties,
        org_id: None,
        sample,
        template: None,
    };
    let workspace = gate.write(call, (), |tx| transfer::workspaces::create(tx, new)).await?;
    Ok(Saved { workspace: Summary::of(&workspace, str::to_owned) })
}

/// Changes a workspace.
pub async fn update_workspace(gate: Gate, mut call: Call<Editor>, ask: UpdateWorkspace) -> Result<Saved> {
    if let Some(revision) = ask.expected_revision {
        call.precondition = Precondition::Revision(revision);
    }
    let UpdateWorkspace { name, description, properties, .. } = ask;
    let patch = WorkspacePatch { name, description, properties, ..WorkspacePatch::default() };
    let workspace = change_set(&gate, call, ask.workspace_id, "workspace", |set| set.update_workspace(patch)).await?;
    Ok(Saved { workspace: Summary::of(&workspace, str::to_owned) })
}
