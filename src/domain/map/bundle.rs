//! The bundle: a complete workspace in one response, serialized once per state and cached.

mod lookups;
mod rows;
mod version;

use std::sync::Arc;

use bytes::Bytes;
use quick_cache::{
    DefaultHashBuilder, OptionsBuilder, Weighter,
    sync::{Cache, DefaultLifecycle},
};

pub(in crate::domain) use self::version::requests_in_tag;
pub use self::version::{Content, Included};
use self::{
    lookups::Lookups,
    rows::{RowSpans, Source},
    version::BundleVersion,
};
pub use super::model::bundle::{Bundle, RowOrder};
use super::{notes::Note, processes::Process, store, views};
use crate::{
    budget::{Budget, Holder, Reservation},
    db::AfterCommit,
    domain::{
        core::{Call, Gate, Observer, ReadCache, Reads, ViewTx, access::Viewer},
        directory,
        paging::Window,
        values::AccessLevel,
    },
    error::Result,
};

/// Number of changes up to which rows are copied from an earlier bundle. Reading that many rows one by one takes about as
/// long as reading all.
const MAX_CHANGES: u32 = 500;
/// Number of changes, and size of the earlier bundle in bytes, up to which copying takes no more time than a point read.
const MAX_POINT_CHANGES: u32 = 20;
const MAX_POINT_BYTES: usize = 2 << 20;

/// The encoding in which a bundle is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// Uncompressed JSON.
    Json,
    /// JSON compressed with gzip.
    Gzip,
}

/// A bundle as a reader asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundleVariant {
    /// Encoding.
    pub form: Form,
    /// What is read.
    pub content: Content,
}

/// A serialized bundle in one encoding.
#[derive(Debug)]
pub struct Serialized {
    state: BundleVersion,
    bytes: Bytes,
    /// Where its rows are, in the JSON of a workspace: the next bundle copies those that have not changed.
    spans: Option<RowSpans>,
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
    BundleVariant { form, content }: BundleVariant,
    known: Vec<String>,
    answers: &Budget,
) -> Result<BundleRead> {
    let (cache, wanted, has) = (bundles.clone(), content.clone(), known.clone());
    let version = move |tx: &ViewTx<'_>| {
        let state = BundleVersion::of(tx, wanted);
        if form == Form::Json && !is_known(&has, &state.tag()) {
            cache.update(tx, &state)?;
        }
        Ok(state)
    };
    let state = gate.cached_read(&bundles.versions, call.clone(), id.clone(), content.clone(), version).await?;
    let tag = state.tag();
    if is_known(&known, &tag) {
        return Ok(BundleRead::Unchanged(tag));
    }
    let found = bundles.get(&state, form);
    bundles.lookups.record(found.is_some());
    if let Some(bundle) = found {
        return Ok(BundleRead::Bundle(bundle, None));
    }
    let (cache, answers) = (bundles.clone(), answers.clone());
    let made = move |tx: &ViewTx<'_>| {
        let holder = Holder::User(tx.user_id()?);
        if answers.check(holder).is_err() {
            return Ok(Err(holder));
        }
        let json = cache.json(tx, &content)?;
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
pub struct Bundles {
    entries: Arc<Cache<Slot, Arc<Serialized>, Size>>,
    lookups: Arc<Lookups>,
    /// The state of each workspace for each of its readers.
    versions: Arc<ReadCache<Viewer, Content, BundleVersion>>,
}

/// Cache key: workspace, access level of the reader, encoding, contents.
type Slot = (i64, Option<AccessLevel>, Form, Content);

/// The size of an entry in bytes.
#[derive(Debug, Clone)]
struct Size;

impl Weighter<Slot, Arc<Serialized>> for Size {
    fn weight(&self, _: &Slot, bundle: &Arc<Serialized>) -> u64 {
        (bundle.bytes.len() + bundle.spans.as_ref().map_or(0, RowSpans::memory)) as u64 + 200
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
        let cache = Cache::with_options(options, Size, DefaultHashBuilder::default(), DefaultLifecycle::default());
        Self { entries: Arc::new(cache), lookups: Arc::default(), versions: Arc::default() }
    }

    /// Number of bundles that were in the cache when they were read, and of those that were not.
    pub fn hits_and_misses(&self) -> (u64, u64) {
        self.lookups.hits_and_misses()
    }

    /// Bytes in the cache.
    pub fn bytes(&self) -> u64 {
        self.entries.weight()
    }

    fn get(&self, state: &BundleVersion, form: Form) -> Option<Arc<Serialized>> {
        self.entries.get(&(state.pk, state.role, form, state.content.clone())).filter(|bundle| bundle.state == *state)
    }

    fn keep(&self, state: BundleVersion, form: Form, bytes: Bytes, spans: Option<RowSpans>) -> Arc<Serialized> {
        let slot = (state.pk, state.role, form, state.content.clone());
        // A bundle with the time of an access request is only for the user who made the request.
        let is_shared = state.access_requested_at.is_none();
        let bundle = Arc::new(Serialized { state, bytes, spans });
        if is_shared {
            self.entries.insert(slot, Arc::clone(&bundle));
        }
        bundle
    }

    /// Returns the uncompressed bundle and serializes it if needed. Another reader may have done so while this reader
    /// waited.
    fn json(&self, tx: &ViewTx<'_>, content: &Content) -> Result<Arc<Serialized>> {
        let state = BundleVersion::of(tx, content.clone());
        if let Some(bundle) = self.get(&state, Form::Json) {
            return Ok(bundle);
        }
        let included = match content {
            Content::Workspace(included) => *included,
            Content::View(id) => {
                let json = serde_json::to_vec(&views::resolved::read(tx, id)?)?;
                return Ok(self.keep(state, Form::Json, json.into(), None));
            }
        };
        if let Some(bundle) = self.updated(tx, &state, included, MAX_CHANGES, |_| true)? {
            return Ok(bundle);
        }
        let (json, spans) = rows::write(tx, without_rows(tx, included)?, None)?;
        Ok(self.keep(state, Form::Json, json.into(), Some(spans)))
    }

    /// Caches the uncompressed bundle of a workspace if that takes no more time than a point read, because an earlier
    /// bundle is there and few rows were written since. A second transaction for the bundle is not needed then.
    fn update(&self, tx: &ViewTx<'_>, state: &BundleVersion) -> Result<()> {
        if let Content::Workspace(included) = state.content
            && state.access_requested_at.is_none()
            && self.get(state, Form::Json).is_none()
        {
            // Everything besides components and relationships is read again: only if it is known to be small, too.
            let is_small =
                |earlier: &Serialized| earlier.state.content == state.content && earlier.bytes.len() <= MAX_POINT_BYTES;
            self.updated(tx, state, included, MAX_POINT_CHANGES, is_small)?;
        }
        Ok(())
    }

    /// Serializes and caches a bundle by copying from an earlier one, if it is usable and at most `changes` rows were written
    /// since.
    fn updated(
        &self,
        tx: &ViewTx<'_>,
        state: &BundleVersion,
        included: Included,
        changes: u32,
        is_usable: impl Fn(&Serialized) -> bool,
    ) -> Result<Option<Arc<Serialized>>> {
        let earlier = self.newest(state.pk).filter(|earlier| earlier.state.precedes(state));
        let Some(earlier) = earlier.filter(|earlier| is_usable(earlier)) else { return Ok(None) };
        let written = rows::written_after(tx, earlier.state.revision, changes)?;
        let Some((spans, written)) = earlier.spans.as_ref().zip(written) else { return Ok(None) };
        let source = Source { json: &earlier.bytes, spans };
        let (json, spans) = rows::write(tx, without_rows(tx, included)?, Some((source, &written)))?;
        Ok(Some(self.keep(state.clone(), Form::Json, json.into(), Some(spans))))
    }

    /// The slots of the bundles of a workspace in one encoding.
    fn slots(pk: i64, form: Form) -> impl Iterator<Item = Slot> {
        let roles = [None, Some(AccessLevel::Viewer), Some(AccessLevel::Editor), Some(AccessLevel::Owner)];
        roles.into_iter().flat_map(move |role| {
            Included::ALL.into_iter().map(move |included| (pk, role, form, Content::Workspace(included)))
        })
    }

    /// The uncompressed bundle of the newest state of a workspace in the cache. It can be outdated.
    fn newest(&self, pk: i64) -> Option<Arc<Serialized>> {
        let found = Self::slots(pk, Form::Json).filter_map(|slot| self.entries.peek(&slot));
        found.filter(|bundle| bundle.spans.is_some()).max_by_key(|bundle| bundle.state.revision)
    }

    /// Returns the compressed form of `json` and creates it if needed.
    fn gzip(&self, json: &Serialized) -> Result<Arc<Serialized>> {
        use std::io::Write;
        if let Some(bundle) = self.get(&json.state, Form::Gzip) {
            return Ok(bundle);
        }
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        encoder.write_all(&json.bytes)?;
        Ok(self.keep(json.state.clone(), Form::Gzip, encoder.finish()?.into(), None))
    }
}

impl Observer for Bundles {
    fn on_write(&self, workspace_pk: i64) -> Option<AfterCommit> {
        let cache = self.clone();
        // The newest bundle stays: the next one copies the rows that have not changed. Views are small. They stay until
        // the next read replaces them, or others need the memory.
        Some(Box::new(move || {
            let newest = cache.newest(workspace_pk);
            for slot in Self::slots(workspace_pk, Form::Json) {
                cache
                    .entries
                    .remove_if(&slot, |bundle| newest.as_ref().is_none_or(|newest| !Arc::ptr_eq(bundle, newest)));
            }
            for slot in Self::slots(workspace_pk, Form::Gzip) {
                cache.entries.remove(&slot);
            }
        }))
    }
}

/// Reads all rows of a workspace, and those that are included.
pub fn assemble(tx: &ViewTx<'_>, included: Included) -> Result<Bundle> {
    let mut bundle = without_rows(tx, included)?;
    bundle.components = tx.rows()?;
    bundle.relationships = tx.rows()?;
    bundle.places = RowOrder::of(&bundle.components, &bundle.relationships, &bundle.processes, bundle.notes.as_deref());
    Ok(bundle)
}

/// Reads a workspace without components and relationships.
fn without_rows(tx: &ViewTx<'_>, included: Included) -> Result<Bundle> {
    let (conn, key) = (tx.core().conn, tx.key());
    let processes: Vec<Process> = tx.rows()?;
    let notes = included.notes.then(|| tx.rows::<Note>()).transpose()?;
    Ok(Bundle {
        incarnation: tx.core().incarnation().as_str().to_owned(),
        workspace: tx.workspace().clone(),
        places: RowOrder::of(&[], &[], &processes, notes.as_deref()),
        components: Vec::new(),
        relationships: Vec::new(),
        stakeholders: directory::stakeholders::rows(conn, &key, &Window::whole())?.items,
        links: None,
        processes,
        notes,
        views: included.views.then(|| tx.rows()).transpose()?,
        view_places: included.views.then(|| tx.rows()).transpose()?,
        view_lines: included.views.then(|| tx.rows()).transpose()?,
        tours: included.views.then(|| tx.rows()).transpose()?,
        decisions: included.decisions.then(|| store::decisions::summaries(conn, &key)).transpose()?,
    })
}

#[cfg(test)]
mod tests;
