//! External images: people's photos and wiki icons, fetched and stored by this server.
//!
//! Only users who can see a person or a link can see its image. The address comes from the row, in the same transaction
//! that checks access, so clients can neither make the server fetch an arbitrary address nor see images of other
//! organizations. An image is fetched when it is first requested. After a failure, [`Images::fetch_due`] retries with
//! increasing intervals; requests do not trigger a retry. Images are fetched again after a month, and deleted a week
//! after the last row that refers to them.

mod model;
mod store;
mod uploads;
pub mod user_photos;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use futures_util::{
    FutureExt, StreamExt,
    future::{BoxFuture, Shared},
    stream,
};
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use self::{
    model::{DownloadResult, RETRY_DELAYS, WikiTarget},
    store::{DownloadAttempt, ImageKey},
    uploads::WikiFailure,
};
use super::{
    core::{
        Call, Core, Gate, OrgViewTx, Reads, SystemTx, ViewTx,
        access::{Member, OrgReader, Viewer},
    },
    directory::{entries, people::Person},
    map::{bundle, links},
    wiki::Wiki,
};
use crate::{
    blocking::BlockingPool,
    clock::DAY,
    error::{Error, Result},
    images::{ImageClient, ImageResponse, entity_tag},
    wiki::{ObjectKind, is_upload},
};

/// Maximum number of images per organization, including failed fetches, and maximum total size in bytes.
const MAX_IMAGES: i64 = 5_000;
const MAX_BYTES: i64 = 256 << 20;
/// Maximum number of concurrent fetches for requests. Further requests get a `Retry-After` response.
const MAX_FETCHES: usize = 200;
/// Maximum number of fetches per organization that are queued, and that run in parallel, so that slow images of one
/// organization do not delay others.
const MAX_FETCHES_PER_ORGANIZATION: usize = 100;
const MAX_CONCURRENT_FETCHES_PER_ORGANIZATION: usize = 2;
/// Time that a request waits for an image that is being fetched.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(8);
/// Value of `Retry-After`.
const DEFAULT_RETRY_AFTER: Duration = Duration::from_secs(5);
/// Age at which an image is fetched again, in milliseconds, because the image at an address can change. Uploads do not
/// change.
const MAX_AGE: i64 = 30 * DAY;
/// Time that an unused image is stored, in milliseconds. The reference may have been removed by mistake, or the image
/// may be an icon in a list of wiki pages.
const UNUSED_RETENTION: i64 = 7 * DAY;
/// Maximum number of images per run of [`Images::fetch_due`], and how many of them are fetched in parallel.
const MAX_DUE_IMAGES: usize = 200;
const MAX_CONCURRENT_RETRIES: usize = 2;

/// Fetches and serves images. Clones share the same state.
#[derive(Debug, Clone)]
pub struct Images(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    gate: Gate,
    pool: BlockingPool,
    client: ImageClient,
    wiki: Wiki,
    /// Semaphores that limit parallel fetches, by organization.
    semaphores: Mutex<HashMap<String, Arc<Semaphore>>>,
    /// Fetches in progress, with futures to wait for them.
    pending: Mutex<HashMap<ImageKey, FetchFuture>>,
}

/// A fetch in progress. Dropping it removes its entry.
struct PendingFetch {
    images: Images,
    at: ImageKey,
}

impl Drop for PendingFetch {
    fn drop(&mut self) {
        self.images.0.pending.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.at);
    }
}

/// A future that resolves when the result of a fetch is stored, or with the failure of the wiki that prevented it.
type FetchFuture = Shared<BoxFuture<'static, Option<WikiFailure>>>;

/// A requested image.
struct RequestedImage {
    key: ImageKey,
    /// For an upload, a page whose icon it is.
    page: Option<WikiTarget>,
    /// Entity tags of images that the caller has.
    known: Vec<String>,
    state: ImageState,
}

/// The stored state of an image.
enum ImageState {
    /// The image was never fetched.
    Unknown,
    /// The last fetch failed; contains the reason.
    Failed(String),
    /// The image is available.
    Available(ImageResponse),
}

impl Images {
    /// Creates a service that fetches images from `client` on the blocking threads of `pool`. `wiki` locates uploads.
    pub fn new(gate: Gate, pool: BlockingPool, client: ImageClient, wiki: Wiki) -> Self {
        Self(Arc::new(Inner { gate, pool, client, wiki, semaphores: Mutex::default(), pending: Mutex::default() }))
    }

    /// Returns the photo of a person.
    ///
    /// `org_id` distinguishes people with the same id in several organizations. `known` contains the entity tags that
    /// the caller has.
    pub async fn photo(
        &self,
        call: Call<OrgReader>,
        id: String,
        org_id: Option<String>,
        known: Vec<String>,
    ) -> Result<ImageResponse> {
        let find = move |tx: &OrgViewTx<'_>| {
            let person: Person = entries::read(tx, &id, org_id.as_deref())?;
            if let Some(uploaded) = user_photos::of_person(tx.core(), &person, &known)? {
                return Ok(Err(uploaded));
            }
            let address = person.photo_url.filter(|address| !address.is_empty());
            look_up(tx.core(), ImageKey::new(person.org_id, address, "photograph")?, None, known).map(Ok)
        };
        match self.0.gate.read(call, (), find).await? {
            Ok(found) => self.get(found).await,
            Err(uploaded) => Ok(uploaded),
        }
    }

    /// Returns the icon of a link, if it is an image.
    pub async fn link_icon(
        &self,
        call: Call<Viewer>,
        workspace: String,
        component: String,
        link: i64,
        known: Vec<String>,
    ) -> Result<ImageResponse> {
        let find = move |tx: &ViewTx<'_>| {
            let link = links::find(tx, &component, link)?;
            let page = links::target_of(link.kind, link.target_id.as_deref(), &link.url).ok().flatten();
            let organization_id = tx.workspace().org_id.clone().unwrap_or_default();
            look_up(tx.core(), ImageKey::of_icon(organization_id, link.icon)?, page, known)
        };
        let found = self.0.gate.read(call, workspace, find).await?;
        self.get(found).await
    }

    /// Returns the icon of a wiki page or database, if it is an image. Without an id, returns the icon of the wiki of
    /// the active organization.
    pub async fn wiki_icon(&self, call: Call<Member>, id: Option<String>, known: Vec<String>) -> Result<ImageResponse> {
        let page = id.as_deref().and_then(crate::wiki::id).map(|id| (id, ObjectKind::Page));
        let (organization_id, icon) = self.0.wiki.icon(call, id).await?;
        let key = ImageKey::of_icon(organization_id, icon)?;
        let found = self.0.gate.aside_view(move |tx| look_up(tx.core(), key, page, known)).await?;
        self.get(found).await
    }

    /// Returns the image and fetches it first if that was never tried.
    async fn get(&self, requested: RequestedImage) -> Result<ImageResponse> {
        let is_pending =
            || Error::NoPicture { why: "it is still on its way".into(), retry_after: Some(DEFAULT_RETRY_AFTER) };
        let RequestedImage { key, page, known, state } = requested;
        let state = match state {
            ImageState::Unknown => {
                self.0.gate.expect_primary()?;
                let fetch = self.start_fetch(key.clone(), page).ok_or_else(is_pending)?;
                if let Some(failure) = tokio::time::timeout(REQUEST_TIMEOUT, fetch).await.map_err(|_| is_pending())? {
                    return Err(failure.into());
                }
                self.0.gate.aside_view(move |tx| look_up(tx.core(), key, None, known)).await?.state
            }
            state => state,
        };
        match state {
            ImageState::Available(response) => Ok(response),
            ImageState::Failed(why) => Err(Error::NoPicture { why, retry_after: None }),
            ImageState::Unknown => Err(is_pending()),
        }
    }

    /// Starts fetching an image, unless a fetch is in progress, and returns a future to wait for it. None if too many
    /// fetches are in progress. The fetch continues if the waiting request is canceled.
    fn start_fetch(&self, key: ImageKey, page: Option<WikiTarget>) -> Option<FetchFuture> {
        let mut pending = self.0.pending.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(fetch) = pending.get(&key) {
            return Some(fetch.clone());
        }
        let in_organization = pending.keys().filter(|other| other.organization_id == key.organization_id).count();
        if pending.len() >= MAX_FETCHES || in_organization >= MAX_FETCHES_PER_ORGANIZATION {
            return None;
        }
        let (images, at) = (self.clone(), key.clone());
        let task = tokio::spawn(async move {
            // The entry is removed even if the task panics; otherwise the image would appear to be in progress forever.
            let pending = PendingFetch { images, at };
            pending.images.fetch_first(pending.at.clone(), page).await
        });
        let fetch = task.map(std::result::Result::unwrap_or_default).boxed().shared();
        pending.insert(key, fetch.clone());
        Some(fetch)
    }

    /// Fetches an image that was never fetched. Checks the state again, because another fetch may have finished since.
    async fn fetch_first(&self, key: ImageKey, page: Option<WikiTarget>) -> Option<WikiFailure> {
        match self.0.gate.aside_view(move |tx| look_up(tx.core(), key, page, Vec::new())).await {
            Ok(RequestedImage { key, page, state: ImageState::Unknown, .. }) => self.fetch(key, page).await,
            Ok(_) => None,
            Err(error) => {
                tracing::warn!(%error, "cannot fetch an image; trying again when it is displayed");
                None
            }
        }
    }

    /// Fetches an image and stores the result, unless the wiki fails, which says nothing about this image.
    async fn fetch(&self, key: ImageKey, page: Option<WikiTarget>) -> Option<WikiFailure> {
        let semaphores = {
            let mut semaphores = self.0.semaphores.lock().unwrap_or_else(PoisonError::into_inner);
            let new_semaphore = || Arc::new(Semaphore::new(MAX_CONCURRENT_FETCHES_PER_ORGANIZATION));
            // Organizations without fetches in progress need no entry.
            semaphores.retain(|_, semaphores| Arc::strong_count(semaphores) > 1);
            Arc::clone(semaphores.entry(key.organization_id.clone()).or_insert_with(new_semaphore))
        };
        // The semaphore is never closed.
        let _permit = semaphores.acquire().await;
        let downloaded = if key.is_upload() {
            self.download_upload(&key, page).await
        } else {
            let (images, address) = (self.clone(), key.address.clone());
            self.0.pool.run(move || Ok(images.0.client.fetch(&address))).await
        };
        let stored = match downloaded {
            Ok(downloaded) => self.store_result(key, downloaded).await,
            Err(error) => Err(error),
        };
        stored.err().and_then(|error| {
            let failure = WikiFailure::of(&error);
            if failure.is_none() {
                tracing::warn!(%error, "cannot store an image; trying again when it is displayed");
            }
            failure
        })
    }

    async fn store_result(&self, key: ImageKey, downloaded: DownloadResult) -> Result<()> {
        self.0.gate.aside(move |tx| store_result(tx, &key, downloaded)).await
    }

    /// Retries failed images and refreshes old ones that are due. Skips images that are unused or cannot be fetched.
    /// Returns the number of images that were due.
    pub async fn fetch_due(&self) -> Result<usize> {
        let due = self.0.gate.aside_view(|tx| store::due(tx.core().conn, tx.core().now, MAX_DUE_IMAGES)).await?;
        let count = due.len();
        let (uploads, others): (Vec<ImageKey>, Vec<ImageKey>) = due.into_iter().partition(ImageKey::is_upload);
        let others =
            stream::iter(others).for_each_concurrent(MAX_CONCURRENT_RETRIES, |key| self.fetch(key, None).map(drop));
        tokio::join!(others, self.fetch_due_uploads(uploads)).1?;
        Ok(count)
    }
}

impl ImageKey {
    /// The image address in a row. The error names `what` if the row has none.
    fn new(organization_id: String, address: Option<String>, what: &'static str) -> Result<Self> {
        Ok(Self { organization_id, address: address.ok_or(Error::NotFound(what))? })
    }

    /// Like [`Self::new`], for an icon, which may be an emoji instead of an image.
    fn of_icon(organization_id: String, icon: Option<String>) -> Result<Self> {
        let is_picture = |icon: &String| icon.contains("://") || is_upload(icon);
        Self::new(organization_id, icon.filter(is_picture), "icon that is a picture")
    }
}

/// Looks up the state of an image. An image that was never fetched counts as failed if the organization's limit is
/// reached.
fn look_up(core: &Core<'_>, key: ImageKey, page: Option<WikiTarget>, known: Vec<String>) -> Result<RequestedImage> {
    let state = match store::find(core.conn, &key)? {
        None => match store::used(core.conn, &key.organization_id)? {
            (count, bytes) if count >= MAX_IMAGES || bytes >= MAX_BYTES => {
                ImageState::Failed("the organization has as many pictures as it may".into())
            }
            _ => ImageState::Unknown,
        },
        Some(DownloadAttempt { hash: Some(hash), .. }) => {
            let tag = entity_tag(&hash);
            if bundle::is_known(&known, &tag) {
                ImageState::Available(ImageResponse::Unchanged(tag))
            } else {
                let (media_type, bytes) = store::content(core.conn, &hash)?;
                ImageState::Available(ImageResponse::Image { tag, media_type, bytes, is_gzip: false })
            }
        }
        Some(DownloadAttempt { problem, .. }) => ImageState::Failed(problem.unwrap_or_default()),
    };
    Ok(RequestedImage { key, page, known, state })
}

/// Stores the result of a fetch. After a failure, the previous image is still available.
fn store_result(tx: &mut SystemTx<'_>, key: &ImageKey, downloaded: DownloadResult) -> Result<()> {
    let core = tx.core();
    let (conn, now) = (core.conn, core.now);
    let before = store::find(conn, key)?;
    let attempt = match downloaded {
        Ok(image) => {
            let hash = Sha256::digest(&image.bytes).to_vec();
            store::insert(conn, &hash, &image)?;
            let due_at = if key.is_upload() { i64::MAX } else { now + MAX_AGE };
            DownloadAttempt { hash: Some(hash), problem: None, failures: 0, tried_at: now, due_at }
        }
        Err(why) => {
            let (hash, failures) = before.map_or((None, 0), |before| (before.hash, before.failures));
            let wait = RETRY_DELAYS[usize::try_from(failures).unwrap_or(usize::MAX).min(RETRY_DELAYS.len() - 1)];
            DownloadAttempt {
                hash,
                problem: Some(why.to_string()),
                failures: failures + 1,
                tried_at: now,
                due_at: now + wait,
            }
        }
    };
    store::put(conn, key, &attempt)
}

/// Resets the failures of an icon after its metadata was looked up again, because the cause may be fixed.
pub(super) fn reset_failures(core: &Core<'_>, organization_id: Option<&str>, icon: Option<&str>) -> Result<()> {
    let (Some(organization_id), Some(icon)) = (organization_id, icon) else { return Ok(()) };
    store::delete_failure(core.conn, &ImageKey { organization_id: organization_id.into(), address: icon.into() })
}

/// Deletes images that have been unused for some time. Returns the number of deleted images.
pub(super) fn delete_unused(core: &Core<'_>, now: i64) -> Result<usize> {
    store::delete_unused(core.conn, now - UNUSED_RETENTION)
}
