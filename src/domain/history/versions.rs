//! Named versions: states of a workspace that are stored independently of the change log.

use std::{
    collections::HashMap,
    io::{BufWriter, Read},
    mem,
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use serde::{Serializer, ser::SerializeMap};
use serde_json::{json, value::RawValue};

pub use super::model::{NewVersion, Version};
use super::store;
use crate::{
    domain::{
        core::{
            Audience, Call, EditTx, Entity, Gate, LoggedRow, Reads, ViewTx, WholeMap, access::EditorBesideMap,
            one_more, storage,
        },
        map::{bundle::Bundle, note_images, notes::ImageId, workspaces::Workspace},
        paging::{Page, Paging},
        state::{ByKind, KindVisitor, MapRow, RowsOf, WorkspaceState, each_kind},
    },
    error::{Error, Result},
};

/// Maximum memory that is allocated before a state is decompressed, because the size in a restored database is not trusted.
const MAX_RESERVED: usize = 256 << 20;
/// Number of copies of a map in memory while it is saved: the rows and their serialized form.
pub(in crate::domain) const SAVED_COPIES: usize = 2;

/// Name of the workspace in stored states.
const WORKSPACE: &str = "workspace";

pub(super) const NOT_FOUND: Error = Error::NotFound("version");

/// Lists the versions of a workspace, in creation order.
pub fn versions(tx: &ViewTx<'_>, paging: &Paging) -> Result<Page<Version>> {
    store::versions::list(tx.core().conn, tx.pk(), &paging.window("versions")?)
}

/// Saves the current state as a version.
pub async fn save(gate: &Gate, call: Call<EditorBesideMap>, id: String, new: NewVersion) -> Result<Version> {
    let state = CompressedState::read(gate, &call, &id).await?;
    gate.write(call, id, move |tx| state.insert(tx, new)).await
}

/// Saves the current state as a version, unless a version of this name has it. Also returns whether it was saved.
pub async fn keep(gate: &Gate, call: Call<EditorBesideMap>, id: String, new: NewVersion) -> Result<(Version, bool)> {
    let state = CompressedState::read(gate, &call, &id).await?;
    let keep = move |tx: &mut EditTx<'_>| match store::versions::named(tx.core().conn, tx.pk(), new.name.as_str())? {
        Some(known) if known.revision == state.revision => Ok((known, false)),
        _ => state.insert(tx, new).map(|saved| (saved, true)),
    };
    gate.write(call, id, keep).await
}

/// The state of a workspace that becomes a version. It is read and compressed before the write transaction begins, to keep
/// the writer thread free.
struct CompressedState {
    pk: i64,
    revision: i64,
    snapshot: Vec<u8>,
    images: Vec<ImageId>,
}

impl CompressedState {
    async fn read(gate: &Gate, call: &Call<EditorBesideMap>, id: &str) -> Result<Self> {
        let weigh = |tx: &EditTx<'_>| Ok(tx.weight()?.saturating_mul(SAVED_COPIES));
        let whole = gate.whole_map(call, id.to_owned(), weigh).await?;
        let read = move |tx: &EditTx<'_>| {
            let state = WorkspaceState::now(tx, &whole)?;
            let images = state.notes.iter().filter_map(|note| note.image_id.clone()).collect();
            let (pk, revision) = (tx.pk(), tx.workspace().metadata.revision);
            Ok(Self { pk, revision, snapshot: compress(state)?, images })
        };
        gate.read(call.clone().large(), id.to_owned(), read).await
    }

    fn insert(self, tx: &mut EditTx<'_>, new: NewVersion) -> Result<Version> {
        let Self { pk, revision, snapshot, images } = self;
        let core = tx.core();
        if tx.pk() != pk {
            return Err(Error::NotFound("workspace"));
        }
        let (max, count) = (core.shared.quotas.versions, store::versions::count(core.conn, pk)?);
        one_more("versions", "versions", max, count)?;
        storage(core.conn, &core.shared.quotas, tx.workspace().org_id.as_deref().unwrap_or_default(), 0, 0)?;
        let mut version = Version {
            id: 0,
            name: new.name.into(),
            description: new.description.map(String::from),
            revision,
            created_at: core.now,
            created_by: core.actor(),
        };
        version.id = store::versions::insert(core.conn, pk, &version, &snapshot)?;
        note_images::insert_of_version(core.conn, pk, version.id, images.iter())?;
        audit(tx, "version.create", &version)?;
        notify_followers(tx, "create", &version);
        Ok(version)
    }
}

/// Deletes a version.
pub fn delete(tx: &mut EditTx<'_>, id: i64) -> Result<()> {
    let version = store::versions::find(tx.core().conn, tx.pk(), id)?.ok_or(NOT_FOUND)?;
    tx.expect_revision(version.revision, version.created_by, &version)?;
    store::versions::delete(tx.core().conn, tx.pk(), id)?;
    notify_followers(tx, "delete", &version);
    audit(tx, "version.delete", &version)
}

/// Estimated memory of [`version`] in bytes: the state and its serialized form.
pub fn weigh_version(tx: &ViewTx<'_>, id: i64) -> Result<usize> {
    let end = store::versions::snapshot_end(tx.core().conn, tx.pk(), id)?;
    Ok(end.map_or(0, |end| uncompressed_size(&end)).saturating_mul(2))
}

/// Reads a workspace as it was when the version was saved.
pub fn version(tx: &ViewTx<'_>, id: i64, whole: &WholeMap) -> Result<Bundle> {
    decompress(tx, id, whole)?.ok_or(NOT_FOUND)?.bundle(tx)
}

pub(super) fn audit(tx: &EditTx<'_>, kind: &str, version: &Version) -> Result<()> {
    let core = tx.core();
    let details = json!({ "workspacePk": tx.pk(), "version": version.id, "name": version.name });
    core.audit(kind, core.actor(), &details)
}

/// Notifies followers of the workspace that its list of versions changed.
fn notify_followers(tx: &EditTx<'_>, op: &str, version: &Version) {
    let event = json!({ "op": op, "version": version });
    tx.core().notify_after_commit(tx.pk(), Audience::Everyone, "versions", event.to_string());
}

/// Writes all rows of a state by the names of their lists, in the format of the change log.
struct Lists<M> {
    rows: ByKind<RowsOf>,
    map: M,
}

impl<M: SerializeMap> KindVisitor for Lists<M> {
    type Error = M::Error;

    fn visit<R: MapRow>(&mut self) -> std::result::Result<(), M::Error> {
        let rows = mem::take(R::of_mut(&mut self.rows));
        let rows: Vec<LoggedRow<'_, R>> = rows.iter().map(LoggedRow::of).collect();
        self.map.serialize_entry(R::LIST, &rows)
    }
}

/// The lists of a stored state by name. Rows are parsed one at a time, so that at most one JSON value is in memory. Versions that
/// were saved before a kind existed have no list of it.
struct Snapshot<'s> {
    lists: HashMap<&'s str, &'s RawValue>,
    workspace_id: &'s str,
    rows: ByKind<RowsOf>,
}

impl KindVisitor for Snapshot<'_> {
    type Error = Error;

    fn visit<R: MapRow>(&mut self) -> Result<()> {
        let Some(list) = self.lists.get(R::LIST) else {
            // The first kinds of rows are in all stored states.
            return if R::ENTITY > Entity::Process {
                Ok(())
            } else {
                Err(Error::internal("a stored state has no rows"))
            };
        };
        let rows: Vec<&RawValue> = serde_json::from_str(list.get())?;
        let read = |row: &RawValue| R::from_logged(serde_json::from_str(row.get())?, self.workspace_id);
        *R::of_mut(&mut self.rows) = rows.into_iter().map(read).collect::<Result<_>>()?;
        Ok(())
    }
}

/// Serializes a state.
pub(in crate::domain) fn compress(state: WorkspaceState) -> Result<Vec<u8>> {
    let mut writer = BufWriter::new(GzEncoder::new(Vec::new(), Compression::default()));
    let mut serializer = serde_json::Serializer::new(&mut writer);
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry(WORKSPACE, &state.workspace.stored())?;
    let mut lists = Lists { rows: state.rows, map };
    each_kind(&mut lists)?;
    lists.map.end()?;
    Ok(writer.into_inner().map_err(std::io::IntoInnerError::into_error)?.finish()?)
}

pub(super) fn decompress(tx: &ViewTx<'_>, id: i64, whole: &WholeMap) -> Result<Option<WorkspaceState>> {
    let bytes = store::versions::snapshot(tx.core().conn, tx.pk(), id)?;
    bytes.map(|bytes| read_compressed(tx, &bytes, whole)).transpose()
}

/// Uncompressed size of a serialized state in bytes. gzip stores it in the last four bytes, `end`.
pub(in crate::domain) fn uncompressed_size(end: &[u8]) -> usize {
    end.last_chunk().map_or(0, |size| u32::from_le_bytes(*size) as usize)
}

/// Reads a serialized state of the workspace.
pub(in crate::domain) fn read_compressed(tx: &ViewTx<'_>, bytes: &[u8], _: &WholeMap) -> Result<WorkspaceState> {
    let mut text = Vec::with_capacity(uncompressed_size(bytes).min(MAX_RESERVED));
    GzDecoder::new(bytes).read_to_end(&mut text)?;
    let lists: HashMap<&str, &RawValue> = serde_json::from_slice(&text)?;
    let now = tx.workspace();
    let workspace = lists.get(WORKSPACE).ok_or_else(|| Error::internal("a stored state has no workspace"))?;
    let workspace: Workspace = serde_json::from_str(workspace.get())?;
    let mut snapshot = Snapshot { lists, workspace_id: &now.id, rows: ByKind::default() };
    each_kind(&mut snapshot)?;
    Ok(WorkspaceState { workspace: workspace.seen_from(now), rows: snapshot.rows })
}
