//! Live events: an in-memory channel for each workspace that has followers.
//!
//! The change log is authoritative; a channel only distributes what a commit has added to it. Queues are bounded: a
//! reader that is too slow must read the workspace again, and does not slow down others.

mod follow;
mod presence;
mod told;

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use bytes::Bytes;
use tokio::sync::{broadcast, watch};

pub use self::{
    follow::{From, follow},
    presence::{NewPresence, Place, Presence, PresentList, Selected, announce},
    told::{Told, Versions},
};
use super::access::{Caller, Change, Observer, Scope};
use crate::{
    db::{Changed, Incarnation, Watch},
    error::{Error, Result},
};

/// Maximum number of queued frames per reader. A reader that falls further behind receives `reload`.
const QUEUE: usize = 256;
/// Maximum number of changes per commit that are sent individually. A larger commit is sent as `reload`.
const MOST_CHANGES: usize = 200;
/// Maximum number of concurrent streams per user.
const STREAMS_OF_ONE: usize = 32;
/// Value of `Retry-After` if a user has too many streams.
const WAIT: Duration = Duration::from_secs(5);

/// A serialized part of an event stream.
#[derive(Debug, Clone)]
struct Frame {
    /// Id of the last change in the frame; none for events that are not logged.
    change: Option<i64>,
    text: Bytes,
}

impl Frame {
    fn of_change(incarnation: &Incarnation, change: &Change) -> Result<Self> {
        Ok(Self::at(incarnation, "change", change.id, &serde_json::to_string(change)?))
    }

    /// A `reload` event: changes up to `id` are not sent individually.
    fn reload(incarnation: &Incarnation, id: i64) -> Self {
        Self::at(incarnation, "reload", id, "{}")
    }

    /// A frame without an event that sets the id to resume from.
    fn position(incarnation: &Incarnation, id: i64) -> Self {
        Self { change: Some(id), text: format!("id: {}-{id}\n\n", incarnation.short()).into() }
    }

    /// An event with an id, which contains the incarnation, because change ids are only unique within an incarnation.
    fn at(incarnation: &Incarnation, event: &str, id: i64, json: &str) -> Self {
        let text = format!("id: {}-{id}\nevent: {event}\ndata: {json}\n\n", incarnation.short());
        Self { change: Some(id), text: text.into() }
    }

    /// An event that is not logged.
    fn new(event: &str, json: &str) -> Self {
        Self { change: None, text: format!("event: {event}\ndata: {json}\n\n").into() }
    }
}

/// Tables whose rows determine permissions. Workspaces are missing because the log reports their changes.
const PERMISSIONS: &[&str] =
    &["user", "session", "api_token", "oauth_grant", "oauth_token", "organization_member", "workspace_member"];

/// The live events of this instance.
#[derive(Debug, Default)]
pub struct Live {
    rooms: Mutex<Rooms>,
    /// Number of active streams. Writes skip the distribution if it is zero, which is the usual case.
    seats: AtomicUsize,
    incarnation: OnceLock<Incarnation>,
}

#[derive(Debug, Default)]
struct Rooms {
    by_workspace: HashMap<i64, Room>,
    by_user: HashMap<i64, usize>,
    /// Followers by stream number.
    followers: HashMap<u64, Follows>,
    next_seat: u64,
    /// Rate limits for presence announcements, by user.
    paces: HashMap<i64, presence::Pace>,
    closed: bool,
}

/// The data that a follower's permission depends on.
#[derive(Debug)]
struct Follows {
    user_id: i64,
    /// Credential name as in [`super::access::Caller`], such as `session:7`.
    credential: String,
    /// Incremented when the follower may have lost the permission.
    permissions: watch::Sender<u64>,
}

impl Follows {
    /// Whether a change of this row may end the permission.
    fn depend_on(&self, table: &str, row: i64) -> bool {
        let is_credential = |kind: &str| self.credential.strip_prefix(kind) == Some(row.to_string().as_str());
        match table {
            "user" => self.user_id == row,
            "session" => is_credential("session:"),
            "api_token" => is_credential("token:"),
            "oauth_grant" => is_credential("grant:"),
            "oauth_token" => self.credential.starts_with("grant:"),
            _ => true,
        }
    }
}

#[derive(Debug)]
struct Room {
    organization_id: String,
    frames: broadcast::Sender<Frame>,
    present: presence::Present,
}

impl Room {
    /// Sends a frame to all readers. Having no readers is not an error.
    fn tell(&self, frame: Frame) {
        drop(self.frames.send(frame));
    }
}

/// A follower's subscription to a workspace. Dropping it ends the subscription.
#[derive(Debug)]
struct Seat {
    live: Arc<Live>,
    number: u64,
    workspace_pk: i64,
    user_id: i64,
    /// Client id that the follower uses in [`announce`].
    client: Option<String>,
    frames: broadcast::Receiver<Frame>,
    permissions: watch::Receiver<u64>,
}

impl Live {
    /// Describes the rows that the database must report. After each change of a row that a follower's permission
    /// depends on, the follower checks the permission again.
    pub fn watch(self: &Arc<Self>) -> Watch {
        let live = Arc::downgrade(self);
        let told = move |changed: &Changed| {
            let Some(live) = live.upgrade() else { return };
            match changed {
                Changed::Many => live.permissions_moved(|_| true),
                Changed::Rows(rows) => {
                    live.permissions_moved(|follows| rows.iter().any(|(table, row)| follows.depend_on(table, *row)));
                }
            }
        };
        Watch { tables: PERMISSIONS, told: Arc::new(told) }
    }

    /// Sets the incarnation of the opened database. Must be called before the first follower.
    pub fn begin(&self, incarnation: Incarnation) {
        // The incarnation does not change while the database is open.
        drop(self.incarnation.set(incarnation));
    }

    fn incarnation(&self) -> &Incarnation {
        self.incarnation.get_or_init(Incarnation::default)
    }

    /// Ends all streams and rejects new ones, for shutdown.
    pub fn close(&self) {
        let mut rooms = self.rooms();
        rooms.closed = true;
        rooms.by_workspace.clear();
    }

    /// Makes the affected followers check their permission before the next event.
    fn permissions_moved(&self, concerns: impl Fn(&Follows) -> bool) {
        let rooms = self.rooms();
        for follows in rooms.followers.values().filter(|follows| concerns(follows)) {
            follows.permissions.send_modify(|count| *count += 1);
        }
    }

    fn join(
        self: &Arc<Self>,
        workspace_pk: i64,
        organization_id: &str,
        caller: &Caller,
        client: Option<String>,
    ) -> Result<Seat> {
        let user_id = caller.user_id;
        let mut rooms = self.rooms();
        if rooms.closed {
            return Err(Error::Busy);
        }
        let streams = rooms.by_user.entry(user_id).or_default();
        if *streams >= STREAMS_OF_ONE {
            return Err(Error::RateLimited { retry_after: WAIT });
        }
        *streams += 1;
        let frames = rooms.room(workspace_pk, organization_id).frames.subscribe();
        self.seats.fetch_add(1, Ordering::Relaxed);
        let (moved, permissions) = watch::channel(0);
        let number = rooms.next_seat;
        rooms.next_seat += 1;
        let follows = Follows { user_id, credential: caller.credential.clone(), permissions: moved };
        rooms.followers.insert(number, follows);
        Ok(Seat { live: Arc::clone(self), number, workspace_pk, user_id, client, frames, permissions })
    }

    fn rooms(&self) -> MutexGuard<'_, Rooms> {
        // A panic while the lock was held cannot leave inconsistent data.
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Live {
    fn is_followed(&self, scope: &Scope) -> bool {
        self.seats.load(Ordering::Relaxed) > 0 && self.rooms().of(scope).next().is_some()
    }

    fn on_commit(&self, scope: &Scope, changes: &[Change]) {
        let Some(last) = changes.last() else { return };
        let frames = if changes.len() > MOST_CHANGES {
            vec![Frame::reload(self.incarnation(), last.id)]
        } else {
            // If a change cannot be serialized, followers read the workspace again.
            let frames: Result<_> = changes.iter().map(|change| Frame::of_change(self.incarnation(), change)).collect();
            frames.unwrap_or_else(|_| vec![Frame::reload(self.incarnation(), last.id)])
        };
        if changes.iter().any(|change| change.entity == "workspace") {
            // The workspace may have been deleted, or its visibility changed.
            self.permissions_moved(|_| true);
        }
        for room in self.rooms().of(scope) {
            for frame in &frames {
                room.tell(frame.clone());
            }
        }
    }

    fn on_event(&self, workspace_pk: i64, event: &str, json: &str) {
        if let Some(room) = self.rooms().by_workspace.get(&workspace_pk) {
            room.tell(Frame::new(event, json));
        }
    }
}

impl Rooms {
    /// The channels that receive a write in `scope`. A directory write goes to all workspaces of the organization.
    fn of(&self, scope: &Scope) -> impl Iterator<Item = &Room> {
        let one = scope.workspace_pk().map(|pk| self.by_workspace.get(&pk));
        let (one, all) = match one {
            Some(one) => (one, None),
            None => (None, Some(self.by_workspace.values())),
        };
        let organization_id = scope.organization_id();
        one.into_iter().chain(all.into_iter().flatten().filter(move |room| room.organization_id == organization_id))
    }

    fn room(&mut self, workspace_pk: i64, organization_id: &str) -> &mut Room {
        self.by_workspace.entry(workspace_pk).or_insert_with(|| Room {
            organization_id: organization_id.to_owned(),
            frames: broadcast::Sender::new(QUEUE),
            present: presence::Present::default(),
        })
    }

    /// Removes the channel of a workspace if it has no readers and no presence entries.
    fn tidy(&mut self, workspace_pk: i64) {
        let empty = |room: &Room| room.frames.receiver_count() == 0 && room.present.is_empty();
        if self.by_workspace.get(&workspace_pk).is_some_and(empty) {
            self.by_workspace.remove(&workspace_pk);
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let live = Arc::clone(&self.live);
        live.seats.fetch_sub(1, Ordering::Relaxed);
        let mut rooms = live.rooms();
        rooms.followers.remove(&self.number);
        if let Some(streams) = rooms.by_user.get_mut(&self.user_id) {
            *streams -= 1;
            if *streams == 0 {
                rooms.by_user.remove(&self.user_id);
            }
        }
        if let (Some(client), Some(room)) = (&self.client, rooms.by_workspace.get_mut(&self.workspace_pk)) {
            room.leaves(self.user_id, client);
        }
        // Unsubscribe now: the receiver would otherwise count until this drop is complete.
        self.frames = broadcast::Sender::new(1).subscribe();
        rooms.tidy(self.workspace_pk);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn followers_check_their_permission_when_a_row_of_their_own_changes() {
        let live = Arc::new(Live::default());
        let follow = |user_id, credential: &str| {
            let credential = credential.to_owned();
            let (permissions, moved) = watch::channel(0);
            let mut rooms = live.rooms();
            let number = rooms.next_seat;
            rooms.next_seat += 1;
            rooms.followers.insert(number, Follows { user_id, credential, permissions });
            moved
        };
        let mut followers =
            [follow(1, "session:7"), follow(1, "token:7"), follow(2, "session:8"), follow(3, "external")];
        let mut told = |changed: Changed| {
            (live.watch().told)(&changed);
            followers.each_mut().map(|one| {
                let has = one.has_changed().unwrap();
                one.mark_unchanged();
                has
            })
        };
        let mut row = |table, row| told(Changed::Rows([(table, row)].into()));
        assert_eq!(row("session", 7), [true, false, false, false], "a session was renewed");
        assert_eq!(row("api_token", 7), [false, true, false, false], "a token was used");
        assert_eq!(row("oauth_grant", 7), [false; 4]);
        assert_eq!(row("user", 1), [true, true, false, false], "a user was suspended");
        assert_eq!(row("workspace_member", 99), [true; 4]);
        assert_eq!(row("organization_member", 99), [true; 4]);
        assert_eq!(told(Changed::Many), [true; 4]);
    }
}
