//! The bundle: a whole workspace in one answer, serialised once per state and kept.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use quick_cache::{Weighter, sync::Cache};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    access::{Call, Gate, Reads, ViewTx},
    components::Component,
    processes::Process,
    relationships::Relationship,
    stakeholders::Stakeholder,
    store,
    values::AccessLevel,
    workspaces::Workspace,
};
use crate::{
    db::AfterCommit,
    error::{Error, Result},
};

/// A workspace with all that is in it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Bundle {
    /// The workspace.
    pub workspace: Workspace,
    /// Its components, in their order.
    pub components: Vec<Component>,
    /// Its relationships, in their order.
    pub relationships: Vec<Relationship>,
    /// Its stakeholders, with their people and teams.
    pub stakeholders: Vec<Stakeholder>,
    /// Its processes.
    pub processes: Vec<Process>,
}

/// All that a bundle depends on: the workspace, its state, the directory's state, and who looks.
#[derive(Debug, Clone, PartialEq, Eq)]
struct State {
    pk: i64,
    revision: i64,
    directory_revision: i64,
    role: Option<AccessLevel>,
}

impl State {
    fn of(tx: &ViewTx<'_>) -> Self {
        let workspace = tx.workspace();
        Self {
            pk: workspace.pk,
            revision: workspace.written.revision,
            directory_revision: tx.directory_revision(),
            role: workspace.my_role,
        }
    }

    /// The entity tag, without quotes. `If-Match` looks at its first two parts alone.
    fn tag(&self) -> String {
        let role = self.role.map_or("none", AccessLevel::as_str);
        format!("{}-{}-{}-{role}", self.pk, self.revision, self.directory_revision)
    }
}

/// A serialised bundle. The compressed form is made when first asked for.
#[derive(Debug)]
pub struct Serialized {
    state: State,
    json: Bytes,
    gzip: OnceLock<Bytes>,
}

impl Serialized {
    /// The entity tag of the JSON, without quotes; each encoding adds a suffix of its own.
    pub fn tag(&self) -> String {
        self.state.tag()
    }

    /// The JSON.
    pub fn json(&self) -> Bytes {
        self.json.clone()
    }
}

/// What a conditional read of a bundle finds.
#[derive(Debug)]
pub enum Read {
    /// The reader has this state already; its tag.
    Unchanged(String),
    /// The bundle.
    Bundle(Arc<Serialized>),
}

/// Whether a reader who sent the tags `known` in `If-None-Match` has the state `tag`; `*` stands for any.
pub fn is_known(known: &[String], tag: &str) -> bool {
    known.iter().any(|known| known == tag || known == "*")
}

/// Reads a workspace as a bundle. `known` are the entity tags that the reader has, without quotes and suffixes.
pub async fn read(gate: &Gate, call: Call, id: String, known: Vec<String>) -> Result<Read> {
    let shared = Arc::clone(gate.shared());
    let quick = gate
        .view(call.clone(), id.clone(), move |tx| {
            let state = State::of(tx);
            let tag = state.tag();
            if is_known(&known, &tag) {
                return Ok(Some(Read::Unchanged(tag)));
            }
            Ok(shared.bundles.get(&state).map(Read::Bundle))
        })
        .await?;
    if let Some(read) = quick {
        return Ok(read);
    }
    let shared = Arc::clone(gate.shared());
    gate.view_all(call, id, move |tx| shared.bundles.get_or_make(tx).map(Read::Bundle)).await
}

/// The bundle's gzip form, made on the lane for heavy work when it is not there yet.
pub async fn gzip(gate: &Gate, bundle: Arc<Serialized>) -> Result<Bytes> {
    if let Some(gzip) = bundle.gzip.get() {
        return Ok(gzip.clone());
    }
    gate.heavy_work(move || {
        let made = compress(&bundle.json)?;
        Ok(bundle.gzip.get_or_init(|| made).clone())
    })
    .await
}

fn compress(json: &[u8]) -> Result<Bytes> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(json)?;
    Ok(encoder.finish()?.into())
}

/// Serialised bundles, one per workspace and access level, within a limit of memory.
#[derive(Debug, Clone)]
pub(in crate::domain) struct Bundles(Arc<Cache<Slot, Arc<Serialized>, Size>>);

/// A workspace, and who looks.
type Slot = (i64, Option<AccessLevel>);

#[derive(Debug, Clone)]
struct Size;

impl Weighter<Slot, Arc<Serialized>> for Size {
    fn weight(&self, _: &Slot, bundle: &Arc<Serialized>) -> u64 {
        // The compressed form comes later; a fifth is what architecture maps have been seen to shrink to.
        let bytes = bundle.json.len() + bundle.json.len() / 5 + 200;
        bytes as u64
    }
}

impl Bundles {
    /// A cache of at most `bytes` bytes.
    pub(in crate::domain) fn new(bytes: u64) -> Self {
        Self(Arc::new(Cache::with_weighter(1_000, bytes, Size)))
    }

    /// Forgets a workspace when the transaction that changes it is on disk.
    pub(in crate::domain) fn drop_after(&self, pk: i64, after: &mut Vec<AfterCommit>) {
        let cache = Arc::clone(&self.0);
        after.push(Box::new(move || {
            for role in [None, Some(AccessLevel::Viewer), Some(AccessLevel::Editor), Some(AccessLevel::Owner)] {
                cache.remove(&(pk, role));
            }
        }));
    }

    fn get(&self, state: &State) -> Option<Arc<Serialized>> {
        self.0.get(&(state.pk, state.role)).filter(|bundle| bundle.state == *state)
    }

    fn get_or_make(&self, tx: &ViewTx<'_>) -> Result<Arc<Serialized>> {
        let state = State::of(tx);
        if let Some(bundle) = self.get(&state) {
            return Ok(bundle); // made while this reader waited
        }
        let json = serde_json::to_vec(&assemble(tx)?).map_err(Error::from)?;
        let bundle = Arc::new(Serialized { state: state.clone(), json: json.into(), gzip: OnceLock::new() });
        self.0.insert((state.pk, state.role), Arc::clone(&bundle));
        Ok(bundle)
    }
}

/// Reads all rows of a workspace.
pub fn assemble(tx: &ViewTx<'_>) -> Result<Bundle> {
    let (conn, key) = (tx.core().conn, tx.key());
    Ok(Bundle {
        workspace: tx.workspace().clone(),
        components: store::components::list(conn, &key)?,
        relationships: store::relationships::list(conn, &key)?,
        stakeholders: store::stakeholders::list(conn, &key)?,
        processes: store::processes::list(conn, &key)?,
    })
}
