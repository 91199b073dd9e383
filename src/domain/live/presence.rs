//! Who is here, where they look, and what they have selected. Kept in memory alone, and for half a minute.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize, Serializer};
use utoipa::ToSchema;

use super::{Frame, Live, Room, told::Gone};
use crate::{
    clock::SECOND,
    domain::{
        access::{Call, Gate, Reads, author},
        input::{Input, objects, optional_at_most},
        values::{Coordinate, Id, Name},
    },
    error::{Author, Error, Result},
};

/// Who says nothing for so long is gone, in milliseconds.
const SILENCE: i64 = 30 * SECOND;
/// How much can be selected.
const MOST_SELECTED: usize = 100;
/// Clients of one workspace that are remembered at a time.
const MOST_PRESENT: usize = 1_000;
/// Clients of one user in one workspace that are remembered at a time; the one that was silent longest makes room.
const MOST_OF_ONE: usize = 10;
/// The largest announcement that others are told, in bytes of JSON. Of a longer selection the beginning is told.
const LARGEST: usize = 4 << 10;
/// Announcements of one user in a second, over time.
const PER_SECOND: u64 = 20;
/// Announcements of one user at once.
const BURST: u32 = 40;

/// Where somebody looks.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Place {
    /// Canvas position.
    pub x: Coordinate,
    /// Canvas position.
    pub y: Coordinate,
}

/// Something selected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct Selected {
    /// What kind it is: `component`, `relationship`, `process`.
    #[schema(example = "component")]
    pub kind: Name,
    /// Its id.
    #[schema(example = "checkout")]
    pub id: Id,
}

/// Where the caller is.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewPresence {
    /// Names the window or program among those of the same user; the same as `client` of the event stream.
    #[schema(example = "tab-1")]
    pub client: Id,
    /// The part of the product: `map`, `table`, or a process.
    #[schema(nullable = false, example = "map")]
    pub view: Option<Name>,
    /// Where the pointer is.
    #[schema(nullable = false)]
    pub pointer: Option<Place>,
    /// What is selected. Others are told of as much of it as fits into 4 KiB.
    #[serde(default, deserialize_with = "selected")]
    #[schema(max_items = 100)]
    pub selected: Vec<Selected>,
}

fn selected<'de, D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Vec<Selected>, D::Error> {
    Ok(optional_at_most::<MOST_SELECTED, _, _>(deserializer)?.unwrap_or_default())
}

objects!(NewPresence, Place, Selected);
impl Input for NewPresence {}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        // The derived one, an inherent function.
        Self::serialize(self, serializer)
    }
}

impl Serialize for Selected {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        // The derived one, an inherent function.
        Self::serialize(self, serializer)
    }
}

/// Somebody who is here.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Presence {
    /// Who.
    pub user: Author,
    /// The window or program.
    pub client: String,
    /// The part of the product.
    #[schema(required)]
    pub view: Option<String>,
    /// Where the pointer is.
    #[schema(required)]
    pub pointer: Option<Place>,
    /// What is selected.
    pub selected: Vec<Selected>,
    /// When this was said, Unix milliseconds.
    pub at: i64,
}

/// What was announced.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct PresentList {
    /// The caller's own entry, as others are told it. Everybody else is announced by the event stream.
    #[schema(min_items = 1, max_items = 1)]
    pub present: Vec<Presence>,
}

/// Those in one room, by user and client.
#[derive(Debug, Default)]
pub(super) struct Present(BTreeMap<(i64, String), Announced>);

/// An announcement as it was told, and when, in Unix milliseconds.
#[derive(Debug)]
struct Announced {
    at: i64,
    frame: Frame,
}

/// How fast one user announces their presence: a bucket of [`BURST`] announcements that fills again over time.
#[derive(Debug)]
pub(super) struct Pace {
    /// When the bucket will be full again.
    full_at: Instant,
}

impl Pace {
    const STEP: Duration = Duration::from_millis(1_000 / PER_SECOND);

    pub(super) fn new(now: Instant) -> Self {
        Self { full_at: now }
    }

    /// Takes one announcement out of the bucket; the error is how long to wait for the next.
    fn take(&mut self, now: Instant) -> std::result::Result<(), Duration> {
        let full_at = self.full_at.max(now) + Self::STEP;
        match (full_at - now).checked_sub(Self::STEP * BURST) {
            Some(wait) if !wait.is_zero() => Err(wait),
            _ => {
                self.full_at = full_at;
                Ok(())
            }
        }
    }
}

impl Present {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Tells the followers of a workspace where the caller is. Answers with what they are told.
pub async fn announce(
    gate: &Gate,
    live: &std::sync::Arc<Live>,
    call: Call,
    id: String,
    new: NewPresence,
) -> Result<PresentList> {
    let live = std::sync::Arc::clone(live);
    gate.view(call, id, move |tx| {
        let core = tx.core();
        let user = author(core.conn, core.caller()?.user_id)?;
        let user = user.ok_or(Error::Unauthenticated("this account does not exist"))?;
        let presence = Presence {
            user,
            client: new.client.into(),
            view: new.view.map(String::from),
            pointer: new.pointer,
            selected: new.selected,
            at: core.now,
        };
        let organization_id = tx.workspace().org_id.as_deref().unwrap_or_default();
        live.announce(tx.pk(), organization_id, presence, Instant::now())
    })
    .await
}

/// The JSON of `presence`, without the end of a selection that makes it too large.
fn fitted(presence: &mut Presence) -> Result<String> {
    let mut json = serde_json::to_string(presence)?;
    while json.len() > LARGEST && !presence.selected.is_empty() {
        // Each goes at least by half: a selection of a hundred is written a few times at most.
        let kept = (presence.selected.len() * LARGEST / json.len()).min(presence.selected.len() - 1);
        presence.selected.truncate(kept);
        json = serde_json::to_string(presence)?;
    }
    Ok(json)
}

impl Live {
    fn announce(
        &self,
        workspace_pk: i64,
        organization_id: &str,
        mut presence: Presence,
        now: Instant,
    ) -> Result<PresentList> {
        // Before the lock, which commits wait for too.
        let frame = Frame::new("presence", &fitted(&mut presence)?);
        let mut rooms = self.rooms();
        if rooms.closed {
            return Err(Error::Busy);
        }
        let user_id = presence.user.id;
        let pace = rooms.paces.entry(user_id).or_insert_with(|| Pace::new(now));
        pace.take(now).map_err(|retry_after| Error::RateLimited { retry_after })?;
        let room = rooms.room(workspace_pk, organization_id);
        let key = (user_id, presence.client.clone());
        if !room.present.0.contains_key(&key) {
            if let Some(oldest) = room.present.oldest_beyond(user_id, MOST_OF_ONE - 1) {
                room.leaves(user_id, &oldest);
            }
            if room.present.0.len() >= MOST_PRESENT {
                return Err(Error::Busy);
            }
        }
        room.tell(frame.clone());
        room.present.0.insert(key, Announced { at: presence.at, frame });
        Ok(PresentList { present: vec![presence] })
    }

    /// A frame for each who is in the room.
    pub(super) fn who_is_here(&self, workspace_pk: i64) -> Vec<Frame> {
        let rooms = self.rooms();
        let room = rooms.by_workspace.get(&workspace_pk);
        room.into_iter().flat_map(|room| room.present.0.values()).map(|one| one.frame.clone()).collect()
    }

    /// Sends away who has said nothing for too long.
    pub fn miss_the_silent(&self, now: i64) {
        let mut rooms = self.rooms();
        let moment = Instant::now();
        rooms.paces.retain(|_, pace| pace.full_at > moment);
        let mut quiet = Vec::new();
        for (pk, room) in &mut rooms.by_workspace {
            let silent = room.present.0.iter().filter(|(_, one)| one.at + SILENCE <= now);
            for (user_id, client) in silent.map(|(key, _)| key.clone()).collect::<Vec<_>>() {
                room.leaves(user_id, &client);
            }
            quiet.push(*pk);
        }
        for pk in quiet {
            rooms.tidy(pk);
        }
    }
}

impl Present {
    /// The client of a user that was silent longest, when the user has more than `most`.
    fn oldest_beyond(&self, user_id: i64, most: usize) -> Option<String> {
        let own = || self.0.range((user_id, String::new())..).take_while(|((owner, _), _)| *owner == user_id);
        let oldest = own().min_by_key(|(_, one)| one.at).map(|((_, client), _)| client.clone());
        oldest.filter(|_| own().count() > most)
    }
}

impl Room {
    /// Tells the others that somebody has gone.
    pub(super) fn leaves(&mut self, user_id: i64, client: &str) {
        if self.present.0.remove(&(user_id, client.to_owned())).is_some() {
            let gone = Gone { user_id, client: client.to_owned() };
            self.tell(Frame::new("gone", &serde_json::json!(gone).to_string()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_announces_twenty_times_a_second_and_forty_at_once() {
        let start = Instant::now();
        let mut pace = Pace::new(start);
        assert!((0..BURST).all(|_| pace.take(start).is_ok()));
        assert_eq!(pace.take(start), Err(Duration::from_millis(50)));
        let later = start + Duration::from_secs(1);
        assert!((0..PER_SECOND).all(|_| pace.take(later).is_ok()));
        assert!(pace.take(later).is_err(), "what was refused is not counted, and no more than a second has come back");
        assert!((0..BURST).all(|_| pace.take(start + Duration::from_mins(1)).is_ok()));
        assert!(pace.take(start + Duration::from_mins(1)).is_err());
    }
}
