//! The in-memory channels of workspaces that have followers.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::sync::{broadcast, watch};

pub(in crate::domain) use super::frame::Frame;
use crate::{
    db::{Changed, Incarnation, Watch},
    domain::core::{Audience, Caller, Change, Entity, Observer, Scope},
    error::{Error, Result},
};

/// Maximum number of queued frames per reader. A reader that falls further behind receives `reload`.
pub(in crate::domain) const QUEUE_CAPACITY: usize = 256;

/// Maximum number of changes per commit that are sent individually. A larger commit is sent as `reload`.
pub(in crate::domain) const MAX_CHANGES_PER_COMMIT: usize = 200;

/// Maximum number of concurrent streams per user.
pub(in crate::domain) const MAX_STREAMS_PER_USER: usize = 32;

/// Value of `Retry-After` if a user has too many streams.
pub(in crate::domain) const STREAM_RETRY_AFTER: Duration = Duration::from_secs(5);

/// Tables whose rows determine permissions. Workspaces are missing because the log reports their changes.
pub(in crate::domain) const PERMISSION_TABLES: &[&str] =
    &["user", "session", "api_token", "oauth_grant", "oauth_token", "organization_member", "workspace_member"];

/// The live events of this instance.
#[derive(Debug, Default)]
pub struct Live {
    pub(super) channels: Mutex<Channels>,
    /// Number of active streams. Writes skip the distribution if it is zero, which is the usual case.
    pub(super) stream_count: AtomicUsize,
    pub(super) incarnation: OnceLock<Incarnation>,
}

#[derive(Debug, Default)]
pub(super) struct Channels {
    pub(super) by_workspace: HashMap<i64, Channel>,
    pub(super) by_user: HashMap<i64, usize>,
    /// Counts of changes of inboxes, by user, for the streams of these users.
    pub(super) inboxes: HashMap<i64, watch::Sender<u64>>,
    /// Followers by stream number.
    pub(super) followers: HashMap<u64, FollowerPermission>,
    pub(super) next_number: u64,
    /// Rate limits for presence announcements, by user.
    pub(super) rate_limits: HashMap<i64, super::present::RateLimit>,
    pub(super) closed: bool,
}

/// The data that a follower's permission depends on.
#[derive(Debug)]
pub(super) struct FollowerPermission {
    pub(super) user_id: i64,
    /// Credential name as in [`Caller`], such as `session:7`.
    pub(super) credential: String,
    /// Incremented when the follower may have lost the permission.
    pub(super) permissions: watch::Sender<u64>,
}

impl FollowerPermission {
    /// Whether a change of this row may end the permission.
    pub(super) fn depends_on(&self, table: &str, row: i64) -> bool {
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
pub(super) struct Channel {
    pub(super) organization_id: String,
    pub(super) frames: broadcast::Sender<Frame>,
    pub(super) present: super::present::PresentClients,
}

impl Channel {
    /// Sends a frame to all readers. Having no readers is not an error.
    pub(super) fn send(&self, frame: Frame) {
        drop(self.frames.send(frame));
    }
}

/// A follower's subscription to a workspace. Dropping it ends the subscription.
#[derive(Debug)]
pub(super) struct Subscription {
    pub(super) live: Arc<Live>,
    pub(super) number: u64,
    pub(super) workspace_pk: i64,
    pub(super) user_id: i64,
    /// Client id that the follower uses to announce its presence.
    pub(super) client: Option<String>,
    pub(super) frames: broadcast::Receiver<Frame>,
    pub(super) permissions: watch::Receiver<u64>,
}

impl Live {
    /// Describes the rows that the database must report. After each change of a row that a follower's permission
    /// depends on, the follower checks the permission again.
    pub fn watch(self: &Arc<Self>) -> Watch {
        let live = Arc::downgrade(self);
        let notify = move |changed: &Changed| {
            let Some(live) = live.upgrade() else { return };
            match changed {
                Changed::Many => live.request_permission_checks(|_| true),
                Changed::Rows(rows) => {
                    live.request_permission_checks(|follower| {
                        rows.iter().any(|(table, row)| follower.depends_on(table, *row))
                    });
                }
            }
        };
        Watch { tables: PERMISSION_TABLES, on_change: Arc::new(notify) }
    }

    /// Sets the incarnation of the opened database. Must be called before the first follower.
    pub fn set_incarnation(&self, incarnation: Incarnation) {
        // The incarnation does not change while the database is open.
        drop(self.incarnation.set(incarnation));
    }

    pub(super) fn incarnation(&self) -> &Incarnation {
        self.incarnation.get_or_init(Incarnation::default)
    }

    /// Number of open event streams.
    pub fn streams(&self) -> usize {
        self.stream_count.load(Ordering::Relaxed)
    }

    /// Ends all streams and rejects new ones, for shutdown.
    pub fn close(&self) {
        let mut channels = self.channels();
        channels.closed = true;
        channels.by_workspace.clear();
        channels.inboxes.clear();
    }

    /// Makes the affected followers check their permission before the next event.
    pub(super) fn request_permission_checks(&self, is_affected: impl Fn(&FollowerPermission) -> bool) {
        let channels = self.channels();
        for follower in channels.followers.values().filter(|follower| is_affected(follower)) {
            follower.permissions.send_modify(|count| *count += 1);
        }
    }

    pub(super) fn join(
        self: &Arc<Self>,
        workspace_pk: i64,
        organization_id: &str,
        caller: &Caller,
        client: Option<String>,
    ) -> Result<Subscription> {
        let user_id = caller.user_id;
        let mut channels = self.channels();
        channels.expect_room(user_id)?;
        let frames = channels.channel(workspace_pk, organization_id).frames.subscribe();
        self.count_stream();
        let (sender, permissions) = watch::channel(0);
        let follower = FollowerPermission { user_id, credential: caller.credential.clone(), permissions: sender };
        let number = channels.add_follower(follower);
        Ok(Subscription { live: Arc::clone(self), number, workspace_pk, user_id, client, frames, permissions })
    }

    /// Counts a stream that has started.
    pub(super) fn count_stream(&self) {
        self.stream_count.fetch_add(1, Ordering::Relaxed);
    }

    /// Forgets a stream that has ended.
    pub(super) fn end_stream(&self, channels: &mut Channels, number: u64, user_id: i64) {
        self.stream_count.fetch_sub(1, Ordering::Relaxed);
        channels.followers.remove(&number);
        if let Some(streams) = channels.by_user.get_mut(&user_id) {
            *streams -= 1;
            if *streams == 0 {
                channels.by_user.remove(&user_id);
            }
        }
    }

    pub(super) fn channels(&self) -> MutexGuard<'_, Channels> {
        // A panic while the lock was held cannot leave inconsistent data.
        self.channels.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Live {
    fn is_followed(&self, scope: &Scope) -> bool {
        self.has_followers() && self.channels().of(scope).next().is_some()
    }

    fn on_commit(&self, scope: &Scope, changes: &[Change]) {
        let Some(last) = changes.last() else { return };
        let frames = if changes.len() > MAX_CHANGES_PER_COMMIT {
            vec![Frame::reload(self.incarnation(), last.id)]
        } else {
            // If a change cannot be serialized, followers read the workspace again.
            let frames: Result<_> = changes.iter().map(|change| Frame::of_change(self.incarnation(), change)).collect();
            frames.unwrap_or_else(|_| vec![Frame::reload(self.incarnation(), last.id)])
        };
        if changes.iter().any(|change| change.entity == Entity::Workspace) {
            // The workspace may have been deleted, or its visibility changed.
            self.request_permission_checks(|_| true);
        }
        for channel in self.channels().of(scope) {
            for frame in &frames {
                channel.send(frame.clone());
            }
        }
    }

    fn on_unfollowed_commit(&self, scope: &Scope, last_id: i64) {
        // The frame is sent first and with the last id, so that followers skip the other changes of the commit.
        let reload = || Frame::reload(self.incarnation(), last_id);
        let is_followed = self.channels().of(scope).map(|channel| channel.send(reload())).count() > 0;
        if is_followed {
            self.request_permission_checks(|_| true);
        }
    }

    fn has_followers(&self) -> bool {
        self.stream_count.load(Ordering::Relaxed) > 0
    }

    fn on_event(&self, workspace_pk: i64, audience: Audience, event: &str, json: &str) {
        if let Some(channel) = self.channels().by_workspace.get(&workspace_pk) {
            channel.send(Frame { audience, ..Frame::new(event, json) });
        }
    }

    fn on_inbox(&self, user_ids: &[i64]) {
        if self.has_followers() {
            self.inbox_changed(user_ids);
        }
    }
}

impl Channels {
    /// Counts another stream of a user. Fails if the user has too many, or after [`Live::close`].
    pub(super) fn expect_room(&mut self, user_id: i64) -> Result<()> {
        if self.closed {
            return Err(Error::Busy);
        }
        let streams = self.by_user.entry(user_id).or_default();
        if *streams >= MAX_STREAMS_PER_USER {
            return Err(Error::RateLimited { retry_after: STREAM_RETRY_AFTER });
        }
        *streams += 1;
        Ok(())
    }

    /// Adds a follower. Returns the number of its stream.
    pub(super) fn add_follower(&mut self, follower: FollowerPermission) -> u64 {
        let number = self.next_number;
        self.next_number += 1;
        self.followers.insert(number, follower);
        number
    }

    /// The channels that receive a write in `scope`. A directory write goes to all workspaces of the organization.
    pub(super) fn of(&self, scope: &Scope) -> impl Iterator<Item = &Channel> {
        let one = scope.workspace_pk().map(|pk| self.by_workspace.get(&pk));
        let (one, all) = match one {
            Some(one) => (one, None),
            None => (None, Some(self.by_workspace.values())),
        };
        let organization_id = scope.organization_id();
        one.into_iter()
            .chain(all.into_iter().flatten().filter(move |channel| channel.organization_id == organization_id))
    }

    pub(super) fn channel(&mut self, workspace_pk: i64, organization_id: &str) -> &mut Channel {
        self.by_workspace.entry(workspace_pk).or_insert_with(|| Channel {
            organization_id: organization_id.to_owned(),
            frames: broadcast::Sender::new(QUEUE_CAPACITY),
            present: super::present::PresentClients::default(),
        })
    }

    /// Removes the channel of a workspace if it has no readers and no presence entries.
    pub(super) fn remove_if_unused(&mut self, workspace_pk: i64) {
        let empty = |channel: &Channel| channel.frames.receiver_count() == 0 && channel.present.is_empty();
        if self.by_workspace.get(&workspace_pk).is_some_and(empty) {
            self.by_workspace.remove(&workspace_pk);
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        let live = Arc::clone(&self.live);
        let mut channels = live.channels();
        live.end_stream(&mut channels, self.number, self.user_id);
        if let (Some(client), Some(channel)) = (&self.client, channels.by_workspace.get_mut(&self.workspace_pk)) {
            channel.remove_client(self.user_id, client);
        }
        // Unsubscribe now: the receiver would otherwise count until this drop is complete.
        self.frames = broadcast::Sender::new(1).subscribe();
        channels.remove_if_unused(self.workspace_pk);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn followers_check_their_permission_when_a_row_that_it_depends_on_changes() {
        let live = Arc::new(Live::default());
        let follow = |user_id, credential: &str| {
            let credential = credential.to_owned();
            let (permissions, moved) = watch::channel(0);
            let mut channels = live.channels();
            let number = channels.next_number;
            channels.next_number += 1;
            channels.followers.insert(number, FollowerPermission { user_id, credential, permissions });
            moved
        };
        let mut followers =
            [follow(1, "session:7"), follow(1, "token:7"), follow(2, "session:8"), follow(3, "external")];
        let mut notified = |changed: Changed| {
            (live.watch().on_change)(&changed);
            followers.each_mut().map(|one| {
                let has = one.has_changed().unwrap();
                one.mark_unchanged();
                has
            })
        };
        let mut row = |table, row| notified(Changed::Rows([(table, row)].into()));
        assert_eq!(row("session", 7), [true, false, false, false], "a session was renewed");
        assert_eq!(row("api_token", 7), [false, true, false, false], "a token was used");
        assert_eq!(row("oauth_grant", 7), [false; 4]);
        assert_eq!(row("user", 1), [true, true, false, false], "a user was suspended");
        assert_eq!(row("workspace_member", 99), [true; 4]);
        assert_eq!(row("organization_member", 99), [true; 4]);
        assert_eq!(notified(Changed::Many), [true; 4]);
    }
}
