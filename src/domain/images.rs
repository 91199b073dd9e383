//! Pictures from elsewhere: people's photographs and icons of the wiki, fetched once by this server and shown from here.
//!
//! Who may see a person or a link may see its picture, and nobody else: the transaction that finds the row finds the
//! address, so there is no way to have an address fetched that is in no row, nor to see what another organization has. A
//! picture is fetched when it is first looked at. What did not come is not tried again by looking, but by [`Images::catch_up`],
//! less and less often; so is a picture that came a month ago. One that no row leads to any more is deleted after a week.

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

/// Most pictures of an organization, those that did not come among them, and most bytes of them all.
const MOST: i64 = 5_000;
const MOST_BYTES: i64 = 256 << 20;
/// Most that are fetched at a time because somebody looks; the rest is told to come again.
const AT_ONCE: usize = 200;
/// Most of these for one organization, and how many of them beside each other: others do not wait behind those whose pictures
/// do not come.
const AT_ONCE_EACH: usize = 100;
const ABREAST_EACH: usize = 2;
/// How long somebody who looks waits for a picture that is being fetched.
const PATIENCE: Duration = Duration::from_secs(8);
/// When to come again.
const AGAIN: Duration = Duration::from_secs(5);
/// How long after it came a picture is fetched again, in milliseconds: there may be another at the same address. An upload
/// is not.
const FRESH: i64 = 30 * DAY;
/// How long after it failed for the first, second, … time it is tried again, in milliseconds.
const LATER: [i64; 5] = [10 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY];
/// How long one is kept that nothing leads to, in milliseconds: it may have been taken away by mistake, or be an icon in a
/// list of the wiki's pages.
const UNUSED: i64 = 7 * DAY;
/// How many are caught up with at a time, and how many of these beside each other.
const DUE: usize = 200;
const ABREAST: usize = 2;

/// A picture as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// The caller has it already: its entity tag, without quotes.
    Unchanged(String),
    /// Here it is.
    Picture {
        /// Entity tag, without quotes: a hash of the bytes.
        tag: String,
        /// What it is.
        media_type: String,
        /// As they came.
        bytes: Vec<u8>,
    },
}

/// What fetches pictures and shows them. Clones share it.
#[derive(Debug, Clone)]
pub struct Images(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    gate: Gate,
    lane: Lane,
    source: Source,
    wiki: Wiki,
    /// Turns to fetch, by organization.
    turns: Mutex<HashMap<String, Arc<Semaphore>>>,
    /// What is being fetched, and how to wait for it.
    under_way: Mutex<HashMap<Place, Coming>>,
}

/// A fetch that is in progress: its entry is removed when this is dropped.
struct UnderWay {
    images: Images,
    at: Place,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.images.0.under_way.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.at);
    }
}

/// How to wait for a picture: until it is noted what came of it, or nothing is because of an obstacle.
type Coming = Shared<BoxFuture<'static, Option<Obstacle>>>;

/// What came of a try.
type Came = std::result::Result<Picture, Missing>;

/// A page or database of the wiki: its id, and what it more likely is.
type Page = (String, Kind);

/// A picture that is looked for.
struct Sought {
    place: Place,
    /// Of an upload: a page that has it for its icon.
    page: Option<Page>,
    /// Entity tags of what the caller has.
    known: Vec<String>,
    state: State,
}

/// What is known of a picture.
enum State {
    /// Nobody has looked at it yet.
    Unknown,
    /// It did not come.
    Failed(String),
    /// It did.
    Here(Shown),
}

impl Images {
    /// Pictures come from `source`, waited for on `lane`; where an upload is, `wiki` knows.
    pub fn new(gate: Gate, lane: Lane, source: Source, wiki: Wiki) -> Self {
        Self(Arc::new(Inner { gate, lane, source, wiki, turns: Mutex::default(), under_way: Mutex::default() }))
    }

    /// The photograph of a person. `org_id` tells people of equal ids in several organizations apart; `known` are the entity
    /// tags of what the caller has.
    pub async fn photo(&self, call: Call, id: String, org_id: Option<String>, known: Vec<String>) -> Result<Shown> {
        let find = move |tx: &OrgViewTx<'_>| {
            let person: Person = directory::read(tx, &id, org_id.as_deref())?;
            let address = person.photo_url.filter(|address| !address.is_empty());
            seek(tx.core(), Place::new(person.org_id, address, "photograph")?, None, known)
        };
        let found = self.0.gate.org_view(call, find).await?;
        self.have(found).await
    }

    /// The icon of what a link leads to, where it is a picture.
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

    /// The icon of a page or database that the wiki of the active organization has, where it is a picture; without an id,
    /// that of the wiki.
    pub async fn wiki_icon(&self, call: Call, id: Option<String>, known: Vec<String>) -> Result<Shown> {
        let page = id.as_deref().and_then(crate::wiki::id).map(|id| (id, Kind::Page));
        let (organization_id, icon) = self.0.wiki.icon(call, id).await?;
        let place = Place::of_icon(organization_id, icon)?;
        let found = self.0.gate.aside_view(move |tx| seek(tx.core(), place, page, known)).await?;
        self.have(found).await
    }

    /// What was found, fetched first when nobody has looked at it yet.
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

    /// Has a picture fetched, unless that is under way, and answers with the way to wait for it; none when too many are.
    /// It goes on when whoever waits goes away.
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
            // Removed however the task ends: a panic must not leave the picture on its way forever.
            let under_way = UnderWay { images, at };
            under_way.images.fetch_first(under_way.at.clone(), page).await
        });
        let coming = task.map(std::result::Result::unwrap_or_default).boxed().shared();
        under_way.insert(place, coming.clone());
        Some(coming)
    }

    /// Fetches a picture that nobody has looked at yet. It may have come since that was found out.
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

    /// Fetches a picture and notes what came of it, unless there is an obstacle that is not this picture's.
    async fn fetch(&self, place: Place, page: Option<Page>) -> Option<Obstacle> {
        let turns = {
            let mut turns = self.0.turns.lock().unwrap_or_else(PoisonError::into_inner);
            let of_each = || Arc::new(Semaphore::new(ABREAST_EACH));
            // Organizations that fetch nothing now need no entry.
            turns.retain(|_, turns| Arc::strong_count(turns) > 1);
            Arc::clone(turns.entry(place.organization_id.clone()).or_insert_with(of_each))
        };
        // It is never closed.
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

    /// Tries again what is due: what did not come, and what came long ago. Only what is still used, and can be had. Answers
    /// how many.
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
    /// Where a picture of a row is; an error that names `what` when the row has none.
    fn new(organization_id: String, address: Option<String>, what: &'static str) -> Result<Self> {
        Ok(Self { organization_id, address: address.ok_or(Error::NotFound(what))? })
    }

    /// The same of an icon, which may be an emoji.
    fn of_icon(organization_id: String, icon: Option<String>) -> Result<Self> {
        let is_picture = |icon: &String| icon.contains("://") || is_upload(icon);
        Self::new(organization_id, icon.filter(is_picture), "icon that is a picture")
    }
}

/// What is known of a picture. What nobody has looked at counts as failed where there is no room for it.
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

/// Half of the hash, in hexadecimal digits.
fn tag(hash: &[u8]) -> String {
    hash.iter().take(16).fold(String::with_capacity(32), |tag, byte| tag + &format!("{byte:02x}"))
}

/// Notes what came of a try. A picture that came before stays until another comes.
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

/// Gives an icon another chance when somebody has looked up again what has it: what was in the way may be mended.
pub(super) fn another_chance(core: &Core<'_>, organization_id: Option<&str>, icon: Option<&str>) -> Result<()> {
    let (Some(organization_id), Some(icon)) = (organization_id, icon) else { return Ok(()) };
    store::images::forgive(core.conn, &Place { organization_id: organization_id.into(), address: icon.into() })
}

/// Deletes pictures that nothing has led to for some time. Answers how many.
pub(super) fn sweep(core: &Core<'_>, now: i64) -> Result<usize> {
    store::images::forget(core.conn, now - UNUSED)
}
