//! The tool that reads a workspace.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::{
    results::{
        Either,
        map::{PartTable, WorkspaceHead, WorkspaceSummary, WorkspaceTables, WorkspaceText},
    },
    tool::arguments,
    views::{self, Around},
};
use crate::{
    describe::ToSchema,
    domain::{
        core::{Call, Gate, ViewTx, access::Viewer},
        map::{
            self,
            tables::{self, Part},
        },
    },
    error::Result,
    mcp::{
        diagram::Map,
        results::{SpaceLeft, position, truncate},
    },
};

/// The workspace and the parts to read.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct GetWorkspace {
    /// Id of the workspace.
    workspace_id: String,
    /// Tables to read, in this order, each once; [] for counts only. Default: components and relationships.
    #[schema(nullable = false)]
    include: Option<Vec<Part>>,
    /// outline and mermaid are short texts instead of tables. Default: table.
    #[schema(inline, nullable = false)]
    format: Option<Format>,
    /// Only a neighborhood.
    #[schema(nullable = false)]
    around: Option<Around>,
    /// Only the components of a view.
    #[schema(nullable = false)]
    view_id: Option<String>,
    /// `nextCursor` of the previous call.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

/// The format of the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Format {
    /// Tables.
    #[default]
    Table,
    /// A nested list.
    Outline,
    /// A flowchart.
    Mermaid,
}

arguments!(
    GetWorkspace: "Counts and tables of one workspace. Rows have their values in the order of `columns`; `parent` \
            is the component that contains it, so `relationships` are without contains. query_components filters \
            and ranks, get_components has details. A note cut with … continues in the next page's first row. If \
            `revision` changes between pages, start again.",
);

/// Number of rows that are read at a time. Rows that do not fit on the page are discarded.
const CHUNK: usize = 128;

/// The rows of the tables of a workspace, or of those near a component.
enum Rows<'t, 'c> {
    /// All, read in chunks.
    All(&'t ViewTx<'c>),
    /// The rows of these components.
    Near(&'t ViewTx<'c>, HashSet<String>),
}

impl Rows<'_, '_> {
    /// Rows of a table from the position `offset` on.
    fn read(&self, part: Part, offset: usize) -> Result<Vec<tables::Row>> {
        match self {
            Self::All(tx) => tables::rows(tx, part, CHUNK, offset),
            Self::Near(..) => Ok(self.nearby(part)?.split_off(offset)),
        }
    }

    /// The number of rows of a table.
    fn count(&self, part: Part) -> Result<usize> {
        match self {
            Self::All(tx) => tables::listed(tx, part),
            Self::Near(..) => Ok(self.nearby(part)?.len()),
        }
    }

    /// The rows of a table that belong to the near components. Processes and notes belong to the whole map.
    fn nearby(&self, part: Part) -> Result<Vec<tables::Row>> {
        let (Self::All(tx) | Self::Near(tx, _)) = self;
        let mut rows = tables::rows(tx, part, usize::MAX, 0)?;
        let ids: &[usize] = match part {
            Part::Components | Part::Stakeholders => &[0],
            Part::Relationships => &[1, 3],
            Part::Processes | Part::Notes => &[],
        };
        if let Self::Near(_, near) = self {
            rows.retain(|row| ids.iter().all(|index| row[*index].as_ref().is_some_and(|id| near.contains(id))));
        }
        Ok(rows)
    }
}

/// Reads a workspace.
pub async fn get_workspace(
    gate: Gate,
    call: Call<Viewer>,
    request: GetWorkspace,
) -> Result<Either<WorkspaceTables, WorkspaceText>> {
    let GetWorkspace { workspace_id, include, format, around, view_id, cursor } = request;
    let mut parts: Vec<Part> = Vec::new();
    for part in include.unwrap_or_else(|| vec![Part::Components, Part::Relationships]) {
        // Each table once, even if it is repeated.
        if !parts.contains(&part) {
            parts.push(part);
        }
    }
    gate.read(call.large(), workspace_id, move |tx| {
        let from = Position::parse(cursor.as_deref())?;
        // Pages after the first one have space for rows, however long the description is.
        let workspace = WorkspaceSummary::new(tx.workspace(), if from.is_start { str::to_owned } else { truncate });
        let head = WorkspaceHead::read(tx, workspace)?;
        let near = around.as_ref().map(|around| views::around(tx, around)).transpose()?;
        let near = match &view_id {
            None => near,
            Some(id) => {
                let mut members = map::views::reading::member_ids(tx, id)?;
                members.retain(|id| near.as_ref().is_none_or(|near| near.contains(id)));
                Some(members)
            }
        };
        Ok(match format.unwrap_or_default() {
            Format::Table => {
                let rows = near.map_or(Rows::All(tx), |near| Rows::Near(tx, near));
                Either::Left(tables(head, &parts, &rows, &from)?)
            }
            Format::Outline => {
                let map = Map::read(tx, near.as_ref())?;
                Either::Right(views::outline(head, &map, cursor.as_deref())?)
            }
            Format::Mermaid => Either::Right(views::mermaid(head, &Map::read(tx, near.as_ref())?)),
        })
    })
    .await
}

/// A page of tables. It reads the rows of one page and counts the rest.
fn tables(head: WorkspaceHead, parts: &[Part], source: &Rows<'_, '_>, from: &Position) -> Result<WorkspaceTables> {
    let mut space = SpaceLeft::after(&head);
    let (mut tables, mut next, mut before) = (Vec::<PartTable>::new(), from.row, 0);
    // Characters of a note that earlier pages contain, and with this page.
    let (mut sent, mut cut) = (from.characters, 0);
    let mut is_full = false;
    for part in parts.iter().copied() {
        if is_full {
            break;
        }
        let end = before + source.count(part)?;
        let mut rows = Vec::new();
        while next < end && !is_full {
            let chunk = source.read(part, next - before)?;
            if chunk.is_empty() {
                break;
            }
            for row in chunk {
                let is_first = tables.is_empty() && rows.is_empty();
                let row = shortened(part, row, std::mem::take(&mut sent));
                if part == Part::Notes && is_first && !space.fits(&row) {
                    let fitting = fitting(&row, &space);
                    (is_full, cut) = (true, from.characters + fitting);
                    rows.extend((fitting > 0).then(|| note(row, 0, fitting)));
                    break;
                }
                is_full = !(space.take(&row) || is_first);
                if is_full {
                    break;
                }
                rows.push(row);
                next += 1;
            }
        }
        if !rows.is_empty() {
            tables.push(PartTable { name: part, columns: part.columns(), rows });
        }
        before = end;
    }
    let next_cursor = is_full.then(|| if cut > 0 { format!("{next}:{cut}") } else { next.to_string() });
    Ok(WorkspaceTables { head, tables, next: next_cursor.into() })
}

/// The position that a cursor denotes: a row and, if the previous page has only the beginning of a note, the number of
/// its characters that were sent.
struct Position {
    is_start: bool,
    row: usize,
    characters: usize,
}

impl Position {
    fn parse(cursor: Option<&str>) -> Result<Self> {
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
fn fitting(row: &tables::Row, space: &SpaceLeft) -> usize {
    let characters = row.last().and_then(Option::as_deref).map_or(0, |text| text.chars().count());
    let lengths: Vec<usize> = (0..characters).collect();
    lengths.partition_point(|length| space.fits(&note(row.clone(), 0, *length))).saturating_sub(1)
}

/// A row for the result: long texts are truncated, except those of notes, which no other tool reads and which continue on
/// the next page. `sent` is the number of characters of a note that the previous pages contain.
fn shortened(part: Part, mut row: tables::Row, sent: usize) -> tables::Row {
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
