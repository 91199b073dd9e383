//! Writes the bundle of a workspace as JSON. Rows that have not changed are copied from an earlier bundle, because reading
//! and serializing them takes most of the time.

use std::{collections::HashSet, ops::Range, sync::Arc};

use serde::Serialize;

use crate::{
    domain::{
        core::{Entity, Reads, Record, ViewTx, change_log},
        map::{
            model::bundle::{Bundle, Places},
            store,
        },
    },
    error::Result,
};

/// Number of changes up to which rows are copied. Reading that many rows one by one takes about as long as reading all.
const MAX_CHANGES: u32 = 500;

/// Where the components and relationships are in the JSON of a bundle.
#[derive(Debug)]
pub(super) struct RowSpans {
    components: ListSpan,
    relationships: ListSpan,
}

/// The rows of one kind in the JSON of a bundle.
#[derive(Debug)]
struct ListSpan {
    /// The list without its brackets.
    bytes: Range<usize>,
    /// Bundles share the rows if none of this kind was written between them.
    rows: Arc<[RowSpan]>,
}

/// A row in the list of its kind.
#[derive(Debug, Clone)]
struct RowSpan {
    seq: i64,
    id: Arc<str>,
    bytes: Range<usize>,
}

impl RowSpans {
    /// Memory in bytes.
    pub(super) fn memory(&self) -> usize {
        let rows = || self.components.rows.iter().chain(&*self.relationships.rows);
        rows().count() * size_of::<RowSpan>() + rows().map(|row| row.id.len()).sum::<usize>()
    }
}

/// An earlier bundle of the workspace.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'s> {
    pub json: &'s [u8],
    pub spans: &'s RowSpans,
    pub revision: i64,
}

/// Rows of one kind that are copied.
struct Copied<'s> {
    /// The list without its brackets.
    json: &'s [u8],
    rows: &'s Arc<[RowSpan]>,
    /// Ids of rows that are not copied.
    written: HashSet<&'s str>,
}

/// Serializes a bundle. `rest` is the bundle without components and relationships.
pub(super) fn write(tx: &ViewTx<'_>, rest: Bundle, earlier: Option<Source<'_>>) -> Result<(Vec<u8>, RowSpans)> {
    let (conn, key) = (tx.core().conn, tx.key());
    let written = match earlier {
        Some(earlier) => change_log::written_after(conn, key.pk, earlier.revision, MAX_CHANGES)?,
        None => None,
    };
    let base = earlier.zip(written.as_deref());
    let mut out = Vec::with_capacity(base.map_or(0, |(earlier, _)| earlier.json.len() + earlier.json.len() / 8));

    let mut members = Members { out: &mut out, separator: b'{' };
    members.write("incarnation", &rest.incarnation)?;
    members.write("workspace", &rest.workspace)?;
    let copied =
        base.map(|(earlier, written)| Copied::of(earlier, &earlier.spans.components, written, Entity::Component));
    let components = match &copied {
        Some(copied) => copied.fresh(|id| store::components::find(conn, &key, id))?,
        None => store::components::list(conn, &key)?,
    };
    let components = members.write_rows("components", copied, components)?;
    let copied =
        base.map(|(earlier, written)| Copied::of(earlier, &earlier.spans.relationships, written, Entity::Relationship));
    let relationships = match &copied {
        Some(copied) => copied.fresh(|id| store::relationships::find(conn, &key, id))?,
        None => store::relationships::list(conn, &key)?,
    };
    let relationships = members.write_rows("relationships", copied, relationships)?;
    members.write("stakeholders", &rest.stakeholders)?;
    members.write("processes", &rest.processes)?;
    members.write_some("notes", rest.notes.as_ref())?;
    members.write_some("views", rest.views.as_ref())?;
    members.write_some("viewPlaces", rest.view_places.as_ref())?;
    members.write_some("viewLines", rest.view_lines.as_ref())?;
    members.write_some("tours", rest.tours.as_ref())?;
    members.write_some("decisions", rest.decisions.as_ref())?;
    let seqs = |list: &ListSpan| list.rows.iter().map(|row| row.seq).collect();
    let places = Places { components: seqs(&components), relationships: seqs(&relationships), ..rest.places };
    members.write("places", &places)?;
    out.push(b'}');
    Ok((out, RowSpans { components, relationships }))
}

impl<'s> Copied<'s> {
    fn of(earlier: Source<'s>, list: &'s ListSpan, written: &'s [(String, String)], entity: Entity) -> Self {
        let written = written.iter().filter(|(kind, _)| kind == entity.as_str()).map(|(_, id)| id.as_str()).collect();
        Self { json: &earlier.json[list.bytes.clone()], rows: &list.rows, written }
    }

    /// The rows that were written and still exist, in order.
    fn fresh<R: Record>(&self, find: impl Fn(&str) -> Result<Option<R>>) -> Result<Vec<R>> {
        let mut rows = Vec::new();
        for id in &self.written {
            rows.extend(find(id)?);
        }
        rows.sort_by_cached_key(|row| (row.seq(), row.key()));
        Ok(rows)
    }
}

/// Writes the members of a JSON object.
struct Members<'o> {
    out: &'o mut Vec<u8>,
    separator: u8,
}

impl Members<'_> {
    fn name(&mut self, name: &str) {
        self.out.push(self.separator);
        self.separator = b',';
        self.out.push(b'"');
        self.out.extend_from_slice(name.as_bytes());
        self.out.extend_from_slice(b"\":");
    }

    fn write(&mut self, name: &str, value: &impl Serialize) -> Result<()> {
        self.name(name);
        Ok(serde_json::to_writer(&mut *self.out, value)?)
    }

    fn write_some(&mut self, name: &str, value: Option<&impl Serialize>) -> Result<()> {
        value.map_or(Ok(()), |value| self.write(name, value))
    }

    /// Writes `fresh` and the copied rows, both of which are in order. Returns where all rows are.
    fn write_rows<R: Record>(&mut self, name: &str, copied: Option<Copied<'_>>, fresh: Vec<R>) -> Result<ListSpan> {
        self.name(name);
        self.out.push(b'[');
        let start = self.out.len();
        let rows = match copied {
            Some(Copied { json, rows, written }) if written.is_empty() => {
                self.out.extend_from_slice(json);
                Arc::clone(rows)
            }
            copied => self.merge(copied, fresh)?.into(),
        };
        let bytes = start..self.out.len();
        self.out.push(b']');
        Ok(ListSpan { bytes, rows })
    }

    fn merge<R: Record>(&mut self, copied: Option<Copied<'_>>, fresh: Vec<R>) -> Result<Vec<RowSpan>> {
        let list = self.out.len();
        let rows = copied.as_ref().map_or(&[][..], |copied| copied.rows);
        let mut spans = Vec::with_capacity(rows.len() + fresh.len());
        let kept = |row: &&RowSpan| copied.as_ref().is_some_and(|copied| !copied.written.contains(&*row.id));
        let mut kept = rows.iter().filter(kept).peekable();
        let mut fresh = fresh.into_iter().map(|row| (row.seq().unwrap_or(0), row.key(), row)).peekable();
        loop {
            if !spans.is_empty() && (kept.peek().is_some() || fresh.peek().is_some()) {
                self.out.push(b',');
            }
            let start = self.out.len();
            let before =
                |row: &&RowSpan| fresh.peek().is_none_or(|(seq, id, _)| (row.seq, &*row.id) < (*seq, id.as_str()));
            let (seq, id) = if let (Some(row), Some(copied)) = (kept.next_if(before), &copied) {
                self.out.extend_from_slice(&copied.json[row.bytes.clone()]);
                (row.seq, Arc::clone(&row.id))
            } else if let Some((seq, id, row)) = fresh.next() {
                serde_json::to_writer(&mut *self.out, &row)?;
                (seq, id.into())
            } else {
                break;
            };
            spans.push(RowSpan { seq, id, bytes: start - list..self.out.len() - list });
        }
        Ok(spans)
    }
}
