//! The bundle: a complete workspace in one response, serialized once per state and cached.

use std::sync::Arc;

use bytes::Bytes;
use quick_cache::{
    DefaultHashBuilder, OptionsBuilder, Weighter,
    sync::{Cache, DefaultLifecycle},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    components::Component, links::Link, notes::Note, processes::Process, relationships::Relationship,
    stakeholders::Stakeholder, store, workspaces::Workspace,
};
use crate::{
    budget::{Budget, Holder, Reservation},
    db::{AfterCommit, Incarnation},
    domain::{
        core::{Call, Gate, Observer, Reads, ViewTx, access::Viewer},
        directory,
        paging::Window,
        values::AccessLevel,
    },
    error::Result,
};

/// A workspace with all its rows.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Bundle {
    /// Identifier of the database's incarnation. It changes when the database is restored; revisions and ids may then
    /// refer to different contents.
    #[schema(example = "0f3a9c21d4b84e07a6c5f1e2938475ab")]
    pub incarnation: String,
    /// The workspace.
    pub workspace: Workspace,
    /// Components, in their order.
    pub components: Vec<Component>,
    /// Relationships, in their order.
    pub relationships: Vec<Relationship>,
    /// Stakeholders, with their people and teams.
    pub stakeholders: Vec<Stakeholder>,
    /// External links of components, in creation order. Present only in bundles of a past state; for the current state,
    /// read the links of each component.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub links: Option<Vec<Link>>,
    /// Processes, in their order.
    pub processes: Vec<Process>,
    /// Notes, frames and images, in their order. Present in bundles of a past state, and with `include=notes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub notes: Option<Vec<Note>>,
    /// Order values (`seq`) of the rows.
    pub places: Places,
}

/// Order values (`seq`) of rows by kind, each list parallel to the list of rows. Clients that follow the event stream
/// use them to insert a new or moved row by its `seq`. Rows with equal values are ordered by id, ascending.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Places {
    /// `seq` of each component.
    pub components: Vec<i64>,
    /// `seq` of each relationship.
    pub relationships: Vec<i64>,
    /// `seq` of each process.
    pub processes: Vec<i64>,
    /// `seq` of each note. Present if `notes` is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub notes: Option<Vec<i64>>,
}

impl Places {
    pub(in crate::domain) fn of(
        components: &[Component],
        relationships: &[Relationship],
        processes: &[Process],
        notes: Option<&[Note]>,
    ) -> Self {
        Self {
            components: components.iter().map(|row| row.seq).collect(),
            relationships: relationships.iter().map(|row| row.seq).collect(),
            processes: processes.iter().map(|row| row.seq).collect(),
            notes: notes.map(|notes| notes.iter().map(|row| row.seq).collect()),
        }
    }
}

/// Everything a bundle depends on: the workspace, its revision, the directory's revision, the reader's access level and
/// what the reader learns about access requests.
#[derive(Debug, Clone, PartialEq, Eq)]
struct BundleVersion {
    incarnation: Incarnation,
    pk: i64,
    revision: i64,
    directory_revision: i64,
    role: Option<AccessLevel>,
    access_requests: Option<i64>,
    access_requested_at: Option<i64>,
    /// Whether the bundle contains notes.
    notes: bool,
}

impl BundleVersion {
    fn of(tx: &ViewTx<'_>, notes: bool) -> Self {
        let workspace = tx.workspace();
        Self {
            incarnation: tx.core().incarnation().clone(),
            pk: workspace.pk,
            revision: workspace.metadata.revision,
            directory_revision: tx.directory_revision(),
            role: workspace.my_role,
            access_requests: workspace.access_requests,
            access_requested_at: workspace.access_requested_at,
            notes,
        }
    }

    /// The entity tag, without quotes. `If-Match` compares only its first three parts.
    fn tag(&self) -> String {
        let role = self.role.map_or("none", AccessLevel::as_str);
        let requests = requests_in_tag(self.access_requests, self.access_requested_at);
        let requests = requests.map(|number| format!("-{number}")).unwrap_or_default();
        let Self { incarnation, pk, revision, directory_revision, .. } = self;
        let notes = if self.notes { NOTES_SUFFIX } else { "" };
        format!("{}-{pk}-{revision}-{directory_revision}-{role}{requests}{notes}", incarnation.short())
    }
}

/// End of the entity tag of a bundle that contains notes.
const NOTES_SUFFIX: &str = "-notes";

/// The sixth part of an entity tag, if there is one: the number of access requests, or the time of the reader's own.
pub(in crate::domain) fn requests_in_tag(requests: Option<i64>, requested_at: Option<i64>) -> Option<i64> {
    requests.filter(|count| *count > 0).or(requested_at)
}

/// The encoding in which a bundle is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// Uncompressed JSON.
    Json,
    /// JSON compressed with gzip.
    Gzip,
}

/// A bundle as a reader asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BundleVariant {
    /// Encoding.
    pub form: Form,
    /// Whether it contains notes.
    pub notes: bool,
}

/// A serialized bundle in one encoding.
#[derive(Debug)]
pub struct Serialized {
    state: BundleVersion,
    bytes: Bytes,
}

impl Serialized {
    /// The entity tag of the JSON, without quotes; each encoding adds its own suffix.
    pub fn tag(&self) -> String {
        self.state.tag()
    }

    /// The response body.
    pub fn bytes(&self) -> Bytes {
        self.bytes.clone()
    }
}

/// The result of a conditional read of a bundle.
#[derive(Debug)]
pub enum BundleRead {
    /// The reader already has this state; contains its entity tag.
    Unchanged(String),
    /// The bundle. If it was serialized for this request, the reservation covers its memory until it is sent.
    Bundle(Arc<Serialized>, Option<Reservation>),
    /// Not enough memory is available at the moment; contains the holder whose responses must finish first.
    Wait(Holder),
}

/// Whether `known`, the entity tags from `If-None-Match`, contains `tag`; `*` matches any tag.
pub fn is_known(known: &[String], tag: &str) -> bool {
    known.iter().any(|known| known == tag || known == "*")
}

/// Reads a workspace as a bundle.
///
/// `known` contains the entity tags that the reader has, without quotes and suffixes. A bundle that is not cached is
/// only serialized if `answers` has enough memory left.
pub async fn read(
    gate: &Gate,
    bundles: &Bundles,
    call: Call<Viewer>,
    id: String,
    BundleVariant { form, notes }: BundleVariant,
    known: Vec<String>,
    answers: &Budget,
) -> Result<BundleRead> {
    let cache = bundles.clone();
    let quick = gate
        .read(call.clone(), id.clone(), move |tx| {
            let state = BundleVersion::of(tx, notes);
            let tag = state.tag();
            if is_known(&known, &tag) {
                return Ok(Some(BundleRead::Unchanged(tag)));
            }
            Ok(cache.get(&state, form).map(|bundle| BundleRead::Bundle(bundle, None)))
        })
        .await?;
    if let Some(read) = quick {
        return Ok(read);
    }
    let (cache, answers) = (bundles.clone(), answers.clone());
    let made = move |tx: &ViewTx<'_>| {
        let holder = Holder::User(tx.user_id()?);
        if answers.check(holder).is_err() {
            return Ok(Err(holder));
        }
        let json = cache.json(tx, notes)?;
        let reservation = answers.hold(holder, json.bytes.len());
        Ok(Ok((json, reservation)))
    };
    let (json, reservation) = match gate.read(call.large(), id, made).await? {
        Ok(made) => made,
        Err(holder) => return Ok(BundleRead::Wait(holder)),
    };
    let cache = bundles.clone();
    let bundle = match form {
        Form::Json => json,
        Form::Gzip => gate.heavy_work(move || cache.gzip(&json)).await?,
    };
    Ok(BundleRead::Bundle(bundle, Some(reservation)))
}

/// A cache of serialized bundles by workspace, access level and encoding, with a memory limit.
#[derive(Debug, Clone)]
pub struct Bundles(Arc<Cache<Slot, Arc<Serialized>, Size>>);

/// Cache key: workspace, access level of the reader, encoding, whether it contains notes.
type Slot = (i64, Option<AccessLevel>, Form, bool);

#[derive(Debug, Clone)]
struct Size;

impl Weighter<Slot, Arc<Serialized>> for Size {
    fn weight(&self, _: &Slot, bundle: &Arc<Serialized>) -> u64 {
        bundle.bytes.len() as u64 + 200
    }
}

impl Bundles {
    /// Creates a cache of at most `bytes` bytes.
    ///
    /// # Panics
    /// Never: all required options of the cache are set.
    pub fn new(bytes: u64) -> Self {
        // Use a single shard: by default, the cache has four shards per core and never stores an entry larger than a
        // shard.
        let options = OptionsBuilder::new().shards(1).estimated_items_capacity(1_000).weight_capacity(bytes).build();
        let options = options.expect("all that the builder asks for is given");
        Self(Arc::new(Cache::with_options(options, Size, DefaultHashBuilder::default(), DefaultLifecycle::default())))
    }

    fn get(&self, state: &BundleVersion, form: Form) -> Option<Arc<Serialized>> {
        self.0.get(&(state.pk, state.role, form, state.notes)).filter(|bundle| bundle.state == *state)
    }

    fn keep(&self, state: BundleVersion, form: Form, bytes: Bytes) -> Arc<Serialized> {
        let slot = (state.pk, state.role, form, state.notes);
        // A bundle with the time of an access request is only for the user who made the request.
        let is_shared = state.access_requested_at.is_none();
        let bundle = Arc::new(Serialized { state, bytes });
        if is_shared {
            self.0.insert(slot, Arc::clone(&bundle));
        }
        bundle
    }

    /// Returns the uncompressed bundle and serializes it if needed. Another reader may have done so while this reader
    /// waited.
    fn json(&self, tx: &ViewTx<'_>, notes: bool) -> Result<Arc<Serialized>> {
        let state = BundleVersion::of(tx, notes);
        if let Some(bundle) = self.get(&state, Form::Json) {
            return Ok(bundle);
        }
        let json = serde_json::to_vec(&assemble(tx, notes)?)?;
        Ok(self.keep(state, Form::Json, json.into()))
    }

    /// Returns the compressed form of `json` and creates it if needed.
    fn gzip(&self, json: &Serialized) -> Result<Arc<Serialized>> {
        use std::io::Write;
        if let Some(bundle) = self.get(&json.state, Form::Gzip) {
            return Ok(bundle);
        }
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(&json.bytes)?;
        Ok(self.keep(json.state.clone(), Form::Gzip, encoder.finish()?.into()))
    }
}

impl Observer for Bundles {
    fn on_write(&self, workspace_pk: i64) -> Option<AfterCommit> {
        let cache = Arc::clone(&self.0);
        Some(Box::new(move || {
            for role in [None, Some(AccessLevel::Viewer), Some(AccessLevel::Editor), Some(AccessLevel::Owner)] {
                for notes in [false, true] {
                    cache.remove(&(workspace_pk, role, Form::Json, notes));
                    cache.remove(&(workspace_pk, role, Form::Gzip, notes));
                }
            }
        }))
    }
}

/// Reads all rows of a workspace, with its notes if `notes` is set.
pub fn assemble(tx: &ViewTx<'_>, notes: bool) -> Result<Bundle> {
    let (conn, key) = (tx.core().conn, tx.key());
    let components = store::components::list(conn, &key)?;
    let relationships = store::relationships::list(conn, &key)?;
    let processes = store::processes::list(conn, &key)?;
    let notes = notes.then(|| store::notes::list(conn, &key)).transpose()?;
    Ok(Bundle {
        incarnation: tx.core().incarnation().as_str().to_owned(),
        workspace: tx.workspace().clone(),
        places: Places::of(&components, &relationships, &processes, notes.as_deref()),
        components,
        relationships,
        stakeholders: directory::stakeholders::rows(conn, &key, &Window::whole())?.items,
        links: None,
        processes,
        notes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(pk: i64) -> BundleVersion {
        BundleVersion {
            incarnation: Incarnation::default(),
            pk,
            revision: 1,
            directory_revision: 1,
            role: Some(AccessLevel::Viewer),
            access_requests: None,
            access_requested_at: None,
            notes: false,
        }
    }

    #[test]
    fn a_bundle_of_a_quarter_of_the_cache_size_is_cached() {
        let bundles = Bundles::new(1 << 20);
        for pk in 1..=3 {
            bundles.keep(state(pk), Form::Json, vec![0; 1 << 18].into());
        }
        for pk in 1..=3 {
            assert!(bundles.get(&state(pk), Form::Json).is_some(), "{pk}");
        }
    }

    #[test]
    fn all_forms_count_and_are_evicted_together() {
        let bundles = Bundles::new(1 << 20);
        let json = bundles.keep(state(1), Form::Json, vec![b' '; 1_000].into());
        let gzip = bundles.gzip(&json).unwrap();
        let with_notes = bundles.keep(BundleVersion { notes: true, ..state(1) }, Form::Json, vec![b' '; 2_000].into());
        let sizes = [&json, &gzip, &with_notes].map(|bundle| bundle.bytes.len() + 200);
        assert_eq!(bundles.0.weight(), sizes.iter().sum::<usize>() as u64);
        assert!(Arc::ptr_eq(&gzip, &bundles.gzip(&json).unwrap()), "it is made once");
        let mut after = Vec::new();
        after.extend(bundles.on_write(1));
        for work in after {
            work();
        }
        assert_eq!(bundles.0.weight(), 0);
    }
}
