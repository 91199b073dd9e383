//! Named versions: states of a workspace that are stored independently of the change log.

use std::io::{Read, Write};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::{kept::Kept, state::State};
use crate::{
    domain::{
        access::{Call, EditTx, Gate, Image, Reads, ViewTx, one_more, storage},
        bundle::Bundle,
        input::{Input, objects},
        paging::{Page, Paging},
        store,
        values::{Name, Text},
        workspaces::Workspace,
    },
    error::{Error, Result},
};

pub(super) const HIDDEN: Error = Error::NotFound("version");

/// A named version of a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Version {
    /// Version id. Ids are never reused, not even after deletion.
    pub id: i64,
    /// Display name.
    #[schema(example = "As approved")]
    pub name: String,
    /// Description; absent if never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// Workspace revision of the version; send it in `If-Match`.
    #[schema(example = 12)]
    pub revision: i64,
    /// Creation time in Unix milliseconds.
    #[schema(example = 1_790_000_000_000_i64)]
    pub created_at: i64,
    /// User id of the creator; absent for the system.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub created_by: Option<i64>,
}

/// A version to save from the current state.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewVersion {
    /// Display name; does not need to be unique.
    #[schema(example = "As approved")]
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
}

objects!(NewVersion);
impl Input for NewVersion {
    const READ_ONLY: &'static [&'static str] = &["id", "revision", "createdAt", "createdBy"];
}

/// Lists the versions of a workspace, in creation order.
pub fn versions(tx: &ViewTx<'_>, paging: &Paging) -> Result<Page<Version>> {
    store::versions::list(tx.core().conn, tx.pk(), &paging.window("versions")?)
}

/// Saves the current state as a version. The state is read and compressed before the write transaction begins, to keep
/// the writer thread free.
pub async fn keep(gate: &Gate, call: Call, id: String, new: NewVersion) -> Result<Version> {
    let pack = |tx: &ViewTx<'_>| Ok((tx.pk(), tx.workspace().written.revision, packed(&State::now(tx)?)?));
    let (pk, revision, snapshot) = gate.view_all(call.clone(), id.clone(), pack).await?;
    let keep = move |tx: &mut EditTx<'_>| {
        let core = tx.core();
        if tx.pk() != pk {
            return Err(Error::NotFound("workspace"));
        }
        let (most, there) = (core.shared.quotas.versions, store::versions::count(core.conn, pk)?);
        one_more("versions", "versions", most, there)?;
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
        noted(tx, "version.create", &version)?;
        tell(tx, "create", &version);
        Ok(version)
    };
    gate.edit(call, id, keep).await
}

/// Deletes a version.
pub fn forget(tx: &mut EditTx<'_>, id: i64) -> Result<()> {
    let version = store::versions::find(tx.core().conn, tx.pk(), id)?.ok_or(HIDDEN)?;
    tx.expect_revision(version.revision, version.created_by, &version)?;
    store::versions::delete(tx.core().conn, tx.pk(), id)?;
    tell(tx, "delete", &version);
    noted(tx, "version.delete", &version)
}

/// Reads a workspace as it was when the version was saved.
pub fn version(tx: &ViewTx<'_>, id: i64) -> Result<Bundle> {
    unpacked(tx, id)?.ok_or(HIDDEN)?.bundle(tx)
}

pub(super) fn noted(tx: &EditTx<'_>, kind: &str, version: &Version) -> Result<()> {
    let core = tx.core();
    let details = json!({ "workspacePk": tx.pk(), "version": version.id, "name": version.name });
    core.audit(kind, core.actor(), &details)
}

/// Notifies followers of the workspace that its list of versions changed.
fn tell(tx: &EditTx<'_>, op: &str, version: &Version) {
    let event = json!({ "op": op, "version": version });
    tx.core().notify_after_commit(tx.pk(), "versions", event.to_string());
}

/// All rows of a state, in the format of the change log.
#[derive(Serialize, Deserialize)]
struct Snapshot {
    workspace: Workspace,
    components: Vec<Value>,
    relationships: Vec<Value>,
    stakeholders: Vec<Value>,
    links: Vec<Value>,
    processes: Vec<Value>,
}

fn packed(state: &State) -> Result<Vec<u8>> {
    let snapshot = Snapshot {
        workspace: Workspace { my_role: None, ..state.workspace.clone() },
        components: images(&state.components)?,
        relationships: images(&state.relationships)?,
        stakeholders: images(&state.stakeholders)?,
        links: images(&state.links)?,
        processes: images(&state.processes)?,
    };
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&serde_json::to_vec(&snapshot)?)?;
    Ok(encoder.finish()?)
}

pub(super) fn unpacked(tx: &ViewTx<'_>, id: i64) -> Result<Option<State>> {
    let Some(bytes) = store::versions::snapshot(tx.core().conn, tx.pk(), id)? else { return Ok(None) };
    let mut text = Vec::new();
    GzDecoder::new(&*bytes).read_to_end(&mut text)?;
    let snapshot: Snapshot = serde_json::from_slice(&text)?;
    let now = tx.workspace();
    Ok(Some(State {
        workspace: snapshot.workspace.seen_from(now),
        components: rows(snapshot.components, &now.id)?,
        relationships: rows(snapshot.relationships, &now.id)?,
        stakeholders: rows(snapshot.stakeholders, &now.id)?,
        links: rows(snapshot.links, &now.id)?,
        processes: rows(snapshot.processes, &now.id)?,
    }))
}

fn images<R: Kept>(rows: &[R]) -> Result<Vec<Value>> {
    rows.iter().map(|row| Ok(serde_json::to_value(Image::of(row))?)).collect()
}

fn rows<R: Kept>(images: Vec<Value>, workspace_id: &str) -> Result<Vec<R>> {
    images.into_iter().map(|image| R::from_image(image, workspace_id)).collect()
}
