//! Writes the bundle of a workspace as JSON. Rows that have not changed are copied from an earlier bundle, because reading
//! and serializing them takes most of the time.

use std::{collections::BTreeSet, iter, ops::Range, sync::Arc};

use serde::Serialize;

use crate::{
    domain::{
        core::{Entity, Reads, Record, ViewTx, change_log},
        map::{components::Component, model::bundle::Bundle, relationships::Relationship},
    },
    error::Result,
};

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
    /// Bundles share the keys if no row of this kind was created, deleted or moved between them.
    rows: Arc<[RowKey]>,
    /// The end of each row, counted from the beginning of the list. The next row begins after a comma.
    ends: Vec<usize>,
    /// The list of order values in `places`.
    places: Range<usize>,
}

/// The place of a row in the list of its kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct RowKey {
    seq: i64,
    id: Arc<str>,
}

impl RowSpans {
    /// Memory in bytes.
    pub(super) fn memory(&self) -> usize {
        [&self.components, &self.relationships].into_iter().map(ListSpan::memory).sum()
    }
}

impl ListSpan {
    fn memory(&self) -> usize {
        let row = size_of::<RowKey>() + size_of::<usize>();
        self.rows.len() * row + self.rows.iter().map(|row| row.id.len()).sum::<usize>()
    }

    /// Where some consecutive rows are in the list, with the commas between them.
    fn run(&self, rows: &Range<usize>) -> Range<usize> {
        let start = rows.start.checked_sub(1).map_or(0, |before| self.ends[before] + 1);
        start..self.ends[rows.end - 1]
    }
}

/// An earlier bundle of the workspace.
#[derive(Debug, Clone, Copy)]
pub(super) struct Source<'s> {
    pub json: &'s [u8],
    pub spans: &'s RowSpans,
}

/// The rows of one kind of an earlier bundle, from which those that were not written are copied.
struct Copied<'s> {
    json: &'s [u8],
    list: &'s ListSpan,
    /// Ids of rows that were written, in order.
    written: Vec<&'s str>,
    /// Positions of the written rows, in order. They are not copied.
    replaced: Vec<usize>,
}

/// The kinds and ids of the rows that were written after `revision`. None if there are more than `limit`, or if the log
/// does not reach back so far.
pub(super) fn written_after(tx: &ViewTx<'_>, revision: i64, limit: u32) -> Result<Option<Vec<(String, String)>>> {
    change_log::written_after(tx.core().conn, tx.key().pk, revision, limit)
}

/// Serializes a bundle. `rest` is the bundle without components and relationships. `base` is an earlier bundle and the rows
/// that were written since.
pub(super) fn write(
    tx: &ViewTx<'_>,
    rest: Bundle,
    base: Option<(Source<'_>, &[(String, String)])>,
) -> Result<(Vec<u8>, RowSpans)> {
    let mut out = Vec::with_capacity(base.map_or(0, |(earlier, _)| earlier.json.len() + earlier.json.len() / 8));

    let mut members = Members { out: &mut out, separator: b'{' };
    members.write("incarnation", &rest.incarnation)?;
    members.write("workspace", &rest.workspace)?;
    let component_source =
        base.map(|(earlier, written)| Copied::of(earlier, &earlier.spans.components, written, Entity::Component));
    let rows = match &component_source {
        Some(copied) => copied.fresh(|id| tx.find::<Component>(id))?,
        None => tx.rows()?,
    };
    let mut components = members.write_rows("components", component_source.as_ref(), &rows)?;
    let relationship_source =
        base.map(|(earlier, written)| Copied::of(earlier, &earlier.spans.relationships, written, Entity::Relationship));
    let rows = match &relationship_source {
        Some(copied) => copied.fresh(|id| tx.find::<Relationship>(id))?,
        None => tx.rows()?,
    };
    let mut relationships = members.write_rows("relationships", relationship_source.as_ref(), &rows)?;
    members.write("stakeholders", &rest.stakeholders)?;
    members.write("processes", &rest.processes)?;
    members.write_some("notes", rest.notes.as_ref())?;
    members.write_some("views", rest.views.as_ref())?;
    members.write_some("viewPlaces", rest.view_places.as_ref())?;
    members.write_some("viewLines", rest.view_lines.as_ref())?;
    members.write_some("tours", rest.tours.as_ref())?;
    members.write_some("decisions", rest.decisions.as_ref())?;
    members.name("places");
    let mut places = Members { out: members.out, separator: b'{' };
    places.write_places("components", &mut components, component_source.as_ref())?;
    places.write_places("relationships", &mut relationships, relationship_source.as_ref())?;
    places.write("processes", &rest.places.processes)?;
    places.write_some("notes", rest.places.notes.as_ref())?;
    out.extend_from_slice(b"}}");
    Ok((out, RowSpans { components, relationships }))
}

impl<'s> Copied<'s> {
    fn of(earlier: Source<'s>, list: &'s ListSpan, written: &'s [(String, String)], entity: Entity) -> Self {
        let written = written.iter().filter(|(kind, _)| kind == entity.as_str()).map(|(_, id)| id.as_str());
        let written: Vec<&str> = written.collect::<BTreeSet<_>>().into_iter().collect();
        let is_written = |row: &RowKey| written.binary_search(&&*row.id).is_ok();
        let replaced = if written.is_empty() { Vec::new() } else { positions(&list.rows, is_written) };
        Self { json: earlier.json, list, written, replaced }
    }

    /// Those of the rows that are copied, as runs of consecutive ones.
    fn runs(&self, rows: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let before = |end: usize| self.replaced.partition_point(|at| *at < end);
        let replaced = &self.replaced[before(rows.start)..before(rows.end)];
        let starts = iter::once(rows.start).chain(replaced.iter().map(|at| at + 1));
        let ends = replaced.iter().copied().chain([rows.end]);
        starts.zip(ends).map(|(start, end)| start..end).filter(|run| !run.is_empty())
    }

    /// The keys of the rows if `fresh` are written instead of those that are not copied.
    fn keys_with(&self, fresh: Vec<RowKey>) -> Arc<[RowKey]> {
        let rows = &self.list.rows;
        if self.replaced.iter().map(|at| &rows[*at]).eq(&fresh) {
            return Arc::clone(rows);
        }
        let mut keys = fresh;
        keys.extend(self.runs(0..rows.len()).flat_map(|run| rows[run].iter().cloned()));
        keys.sort();
        keys.into()
    }

    /// The rows that were written and still exist, in order.
    fn fresh<R: Record>(&self, find: impl Fn(&str) -> Result<Option<R>>) -> Result<Vec<R>> {
        let mut rows = Vec::new();
        for id in &self.written {
            rows.extend(find(id)?);
        }
        rows.sort_by_cached_key(RowKey::of);
        Ok(rows)
    }
}

impl RowKey {
    fn of(row: &impl Record) -> Self {
        Self { seq: row.seq().unwrap_or(0), id: row.key().into() }
    }
}

fn positions(rows: &[RowKey], is_sought: impl Fn(&RowKey) -> bool) -> Vec<usize> {
    rows.iter().enumerate().filter(|(_, row)| is_sought(row)).map(|(at, _)| at).collect()
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

    /// Writes `fresh` and the copied rows, both of which are in order. Returns where all rows are, without their places.
    fn write_rows<R: Record>(&mut self, name: &str, copied: Option<&Copied<'_>>, fresh: &[R]) -> Result<ListSpan> {
        self.name(name);
        self.out.push(b'[');
        let mut list = ListWriter { start: self.out.len(), out: self.out, ends: Vec::new() };
        let keys: Vec<RowKey> = fresh.iter().map(RowKey::of).collect();
        let mut at = 0;
        for (key, row) in keys.iter().zip(fresh) {
            if let Some(copied) = copied {
                let next = copied.list.rows.partition_point(|other| other < key);
                list.copy(copied, at..next);
                at = next;
            }
            list.write(row)?;
        }
        if let Some(copied) = copied {
            list.copy(copied, at..copied.list.rows.len());
        }
        let (start, ends) = (list.start, list.ends);
        let bytes = start..self.out.len();
        self.out.push(b']');
        let rows = match copied {
            Some(copied) => copied.keys_with(keys),
            None => keys.into(),
        };
        Ok(ListSpan { bytes, rows, ends, places: 0..0 })
    }

    /// Writes the order values of the rows of `list`. They are copied if the rows have the same as in the earlier bundle.
    fn write_places(&mut self, name: &str, list: &mut ListSpan, copied: Option<&Copied<'_>>) -> Result<()> {
        self.name(name);
        let start = self.out.len();
        match copied {
            Some(copied) if Arc::ptr_eq(&copied.list.rows, &list.rows) => {
                self.out.extend_from_slice(&copied.json[copied.list.places.clone()]);
            }
            _ => {
                let seqs: Vec<i64> = list.rows.iter().map(|row| row.seq).collect();
                serde_json::to_writer(&mut *self.out, &seqs)?;
            }
        }
        list.places = start..self.out.len();
        Ok(())
    }
}

/// Writes the rows of a list.
struct ListWriter<'o> {
    start: usize,
    out: &'o mut Vec<u8>,
    ends: Vec<usize>,
}

impl ListWriter<'_> {
    /// Writes the comma before a row, if there is one.
    fn next(&mut self) {
        if !self.ends.is_empty() {
            self.out.push(b',');
        }
    }

    fn write(&mut self, row: &impl Serialize) -> Result<()> {
        self.next();
        serde_json::to_writer(&mut *self.out, row)?;
        self.ends.push(self.out.len() - self.start);
        Ok(())
    }

    /// Copies those of the rows that were not written.
    fn copy(&mut self, from: &Copied<'_>, rows: Range<usize>) {
        let list = from.list;
        for run in from.runs(rows) {
            self.next();
            let (bytes, start) = (list.run(&run), self.out.len() - self.start);
            self.out.extend_from_slice(&from.json[list.bytes.clone()][bytes.clone()]);
            self.ends.extend(list.ends[run].iter().map(|end| end - bytes.start + start));
        }
    }
}
