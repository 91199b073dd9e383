//! External images: people's photos and wiki icons, fetched and stored by this server.
//!
//! Only users who can see a person or a link can see its image. The address comes from the row, in the same transaction
//! that checks access, so clients can neither make the server fetch an arbitrary address nor see images of other
//! organizations. An image is fetched when it is first requested. After a failure, [`Images::catch_up`] retries with
//! increasing intervals; requests do not trigger a retry. Images are fetched again after a month, and deleted a week
//! after the last row that refers to them.

mod uploads;

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

use self::uploads::Obstacle;
use super::{
    access::{Call, Core, Gate, OrgViewTx, Reads, SystemTx, ViewTx},
    bundle, directory, links,
    people::Person,
    store::{
        self,
        images::{Attempt, Place},
    },
    wiki::Wiki,
};
use crate::{
    clock::{DAY, HOUR, MINUTE},
    error::{Error, Result},
    images::{Missing, Picture, Source},
    lane::Lane,
    wiki::{Kind, is_upload},
};

/// Maximum number of images per organization, including failed fetches, and maximum total size in bytes.
const MOST: i64 = 5_000;
const MOST_BYTES: i64 = 256 << 20;
/// Maximum number of concurrent fetches for requests. Further requests get a `Retry-After` response.
const AT_ONCE: usize = 200;
/// Maximum number of fetches per organization that are queued, and that run in parallel, so that slow images of one
/// organization do not delay others.
const AT_ONCE_EACH: usize = 100;
const ABREAST_EACH: usize = 2;
/// Time that a request waits for an image that is being fetched.
const PATIENCE: Duration = Duration::from_secs(8);
/// Value of `Retry-After`.
const AGAIN: Duration = Duration::from_secs(5);
/// Age at which an image is fetched again, in milliseconds, because the image at an address can change. Uploads do not
/// change.
const FRESH: i64 = 30 * DAY;
/// Delays before a retry after the first, second, … consecutive failure, in milliseconds. The last delay applies to all
/// further failures.
const LATER: [i64; 5] = [10 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY];
/// Time that an unused image is stored, in milliseconds. The reference may have been removed by mistake, or the image
/// may be an icon in a list of wiki pages.
const UNUSED: i64 = 7 * DAY;
/// Maximum number of images per run of [`Images::catch_up`], and how many of them are fetched in parallel.
const DUE: usize = 200;
const ABREAST: usize = 2;

/// The response to an image request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// The caller already has the image; contains its entity tag, without quotes.
    Unchanged(String),
    /// The image.
    Picture {
        /// Entity tag, without quotes: a hash of the bytes.
        tag: String,
        /// Media type.
        media_type: String,
        /// The bytes, as received.
        bytes: Vec<u8>,
    },
}

/// Fetches and serves images. Clones share the same state.
#[derive(Debug, Clone)]
pub struct Images(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    gate: Gate,
    lane: Lane,
    source: Source,
    wiki: Wiki,
    /// Semaphores that limit parallel fetches, by organization.
    turns: Mutex<HashMap<String, Arc<Semaphore>>>,
    /// Fetches in progress, with futures to wait for them.
    under_way: Mutex<HashMap<Place, Coming>>,
}

/// A fetch in progress. Dropping it removes its entry.
struct UnderWay {
    images: Images,
    at: Place,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.images.0.under_way.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.at);
    }
}

/// A future that resolves when the result of a fetch is stored, or with the obstacle that prevented the fetch.
type Coming = Shared<BoxFuture<'static, Option<Obstacle>>>;

/// The result of a fetch.
type Came = std::result::Result<Picture, Missing>;

/// A wiki page or database: its id and its likely kind.
type Page = (String, Kind);

/// A requested image.
struct Sought {
    place: Place,
    /// For an upload, a page whose icon it is.
    page: Option<Page>,
    /// Entity tags of images that the caller has.
    known: Vec<String>,
    state: State,
}

/// The stored state of an image.
enum State {
    /// The image was never fetched.
    Unknown,
    /// The last fetch failed; contains the reason.
    Failed(String),
    /// The image is available.
    Here(Shown),
}

impl Images {
    /// Creates a service that fetches images from `source` on the blocking threads of `lane`. `wiki` locates uploads.
    pub fn new(gate: Gate, lane: Lane, source: Source, wiki: Wiki) -> Self {
        Self(Arc::new(Inner { gate, lane, source, wiki, turns: Mutex::default(), under_way: Mutex::default() }))
    }

    /// Returns the photo of a person.
    ///
    /// `org_id` distinguishes people with the same id in several organizations. `known` contains the entity tags that
    /// the caller has.
    pub async fn photo(&self, call: Call, id: String, org_id: Option<String>, known: Vec<String>) -> Result<Shown> {
        let find = move |tx: &OrgViewTx<'_>| {
            let person: Person = directory::read(tx, &id, org_id.as_deref())?;
            let address = person.photo_url.filter(|address| !address.is_empty());
            seek(tx.core(), Place::new(person.org_id, address, "photograph")?, None, known)
        };
        let found = self.0.gate.org_view(call, find).await?;
        self.have(found).await
    }

    /// Returns the icon of a link, if it is an image.
    pub async fn link_icon(
        &self,
        call: Call,
        workspace: String,
        component: String,
        link: i64,
        known: Vec<String>,
    ) -> Result<Shown> {
        let find = move |tx: &ViewTx<'_>| {
            let link = links::find(tx, &component, link)?;
            let page = links::target_of(link.kind, link.target_id.as_deref(), &link.url).ok().flatten();
            let organization_id = tx.workspace().org_id.clone().unwrap_or_default();
            seek(tx.core(), Place::of_icon(organization_id, link.icon)?, page, known)
        };
        let found = self.0.gate.view(call, workspace, find).await?;
        self.have(found).await
    }

    /// Returns the icon of a wiki page or database, if it is an image. Without an id, returns the icon of the wiki of
    /// the active organization.
    pub async fn wiki_icon(&self, call: Call, id: Option<String>, known: Vec<String>) -> Result<Shown> {
        let page = id.as_deref().and_then(crate::wiki::id).map(|id| (id, Kind::Page));
        let (organization_id, icon) = self.0.wiki.icon(call, id).await?;
        let place = Place::of_icon(organization_id, icon)?;
        let found = self.0.gate.aside_view(move |tx| seek(tx.core(), place, page, known)).await?;
        self.have(found).await
    }

    /// Returns the image and fetches it first if that was never tried.
    async fn have(&self, sought: Sought) -> Result<Shown> {
        let on_its_way = || Error::NoPicture { why: "it is still on its way".into(), retry_after: Some(AGAIN) };
        let Sought { place, page, known, state } = sought;
        let state = match state {
            State::Unknown => {
                let coming = self.coming(place.clone(), page).ok_or_else(on_its_way)?;
                if let Some(obstacle) = tokio::time::timeout(PATIENCE, coming).await.map_err(|_| on_its_way())? {
                    return Err(obstacle.into());
                }
                self.0.gate.aside_view(move |tx| seek(tx.core(), place, None, known)).await?.state
            }
            state => state,
        };
        match state {
            State::Here(shown) => Ok(shown),
            State::Failed(why) => Err(Error::NoPicture { why, retry_after: None }),
            State::Unknown => Err(on_its_way()),
        }
    }

    /// Starts fetching an image, unless a fetch is in progress, and returns a future to wait for it. None if too many
    /// fetches are in progress. The fetch continues if the waiting request is canceled.
    fn coming(&self, place: Place, page: Option<Page>) -> Option<Coming> {
        let mut under_way = self.0.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(coming) = under_way.get(&place) {
            return Some(coming.clone());
        }
        let theirs = under_way.keys().filter(|other| other.organization_id == place.organization_id).count();
        if under_way.len() >= AT_ONCE || theirs >= AT_ONCE_EACH {
            return None;
        }
        let (images, at) = (self.clone(), place.clone());
        let task = tokio::spawn(async move {
            // The entry is removed even if the task panics; otherwise the image would appear to be in progress forever.
            let under_way = UnderWay { images, at };
            under_way.images.fetch_first(under_way.at.clone(), page).await
        });
        let coming = task.map(std::result::Result::unwrap_or_default).boxed().shared();
        under_way.insert(place, coming.clone());
        Some(coming)
    }

    /// Fetches an image that was never fetched. Checks the state again, because another fetch may have finished since.
    async fn fetch_first(&self, place: Place, page: Option<Page>) -> Option<Obstacle> {
        match self.0.gate.aside_view(move |tx| seek(tx.core(), place, page, Vec::new())).await {
            Ok(Sought { place, page, state: State::Unknown, .. }) => self.fetch(place, page).await,
            Ok(_) => None,
            Err(error) => {
                tracing::warn!(%error, "a picture was not fetched");
                None
            }
        }
    }

    /// Fetches an image and stores the result, unless there is an obstacle unrelated to this image.
    async fn fetch(&self, place: Place, page: Option<Page>) -> Option<Obstacle> {
        let turns = {
            let mut turns = self.0.turns.lock().unwrap_or_else(PoisonError::into_inner);
            let of_each = || Arc::new(Semaphore::new(ABREAST_EACH));
            // Organizations without fetches in progress need no entry.
            turns.retain(|_, turns| Arc::strong_count(turns) > 1);
            Arc::clone(turns.entry(place.organization_id.clone()).or_insert_with(of_each))
        };
        // The semaphore is never closed.
        let _turn = turns.acquire().await;
        let came = if place.is_upload() {
            self.bring(&place, page).await
        } else {
            let (images, address) = (self.clone(), place.address.clone());
            self.0.lane.run(move || Ok(images.0.source.fetch(&address))).await
        };
        let noted = match came {
            Ok(came) => self.note(place, came).await,
            Err(error) => Err(error),
        };
        noted.err().and_then(|error| {
            let obstacle = Obstacle::of(&error);
            if obstacle.is_none() {
                tracing::warn!(%error, "a picture was not kept");
            }
            obstacle
        })
    }

    async fn note(&self, place: Place, came: Came) -> Result<()> {
        self.0.gate.aside(move |tx| note(tx, &place, came)).await
    }

    /// Retries failed images and refreshes old ones that are due. Skips images that are unused or cannot be fetched.
    /// Returns the number of images that were due.
    pub async fn catch_up(&self) -> Result<usize> {
        let due = self.0.gate.aside_view(|tx| store::images::due(tx.core().conn, tx.core().now, DUE)).await?;
        let count = due.len();
        let (uploads, others): (Vec<Place>, Vec<Place>) = due.into_iter().partition(Place::is_upload);
        let others = stream::iter(others).for_each_concurrent(ABREAST, |place| self.fetch(place, None).map(drop));
        tokio::join!(others, self.catch_up_with_uploads(uploads)).1?;
        Ok(count)
    }
}

impl Place {
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
fn seek(core: &Core<'_>, place: Place, page: Option<Page>, known: Vec<String>) -> Result<Sought> {
    let state = match store::images::find(core.conn, &place)? {
        None => match store::images::used(core.conn, &place.organization_id)? {
            (count, bytes) if count >= MOST || bytes >= MOST_BYTES => {
                State::Failed("the organization has as many pictures as it may".into())
            }
            _ => State::Unknown,
        },
        Some(Attempt { hash: Some(hash), .. }) => {
            let tag = tag(&hash);
            if bundle::is_known(&known, &tag) {
                State::Here(Shown::Unchanged(tag))
            } else {
                let (media_type, bytes) = store::images::content(core.conn, &hash)?;
                State::Here(Shown::Picture { tag, media_type, bytes })
            }
        }
        Some(Attempt { problem, .. }) => State::Failed(problem.unwrap_or_default()),
    };
    Ok(Sought { place, page, known, state })
}

/// The first half of the hash in hexadecimal digits.
fn tag(hash: &[u8]) -> String {
    hash.iter().take(16).fold(String::with_capacity(32), |tag, byte| tag + &format!("{byte:02x}"))
}

/// Stores the result of a fetch. After a failure, the previous image is still available.
fn note(tx: &mut SystemTx<'_>, place: &Place, came: Came) -> Result<()> {
    let core = tx.core();
    let (conn, now) = (core.conn, core.now);
    let before = store::images::find(conn, place)?;
    let tried = match came {
        Ok(picture) => {
            let hash = Sha256::digest(&picture.bytes).to_vec();
            store::images::keep(conn, &hash, &picture)?;
            let due_at = if place.is_upload() { i64::MAX } else { now + FRESH };
            Attempt { hash: Some(hash), problem: None, failures: 0, tried_at: now, due_at }
        }
        Err(why) => {
            let (hash, failures) = before.map_or((None, 0), |before| (before.hash, before.failures));
            let wait = LATER[usize::try_from(failures).unwrap_or(usize::MAX).min(LATER.len() - 1)];
            Attempt { hash, problem: Some(why.to_string()), failures: failures + 1, tried_at: now, due_at: now + wait }
        }
    };
    store::images::put(conn, place, &tried)
}

/// Resets the failures of an icon after its metadata was looked up again, because the cause may be fixed.
pub(super) fn another_chance(core: &Core<'_>, organization_id: Option<&str>, icon: Option<&str>) -> Result<()> {
    let (Some(organization_id), Some(icon)) = (organization_id, icon) else { return Ok(()) };
    store::images::forgive(core.conn, &Place { organization_id: organization_id.into(), address: icon.into() })
}

/// Deletes images that have been unused for some time. Returns the number of deleted images.
pub(super) fn sweep(core: &Core<'_>, now: i64) -> Result<usize> {
    store::images::forget(core.conn, now - UNUSED)
}
