//! The event stream of a user: tells when their inbox has changed, until they lose access to the organization.

use std::{sync::Arc, time::Duration};

use bytes::Bytes;
use futures_util::{Stream, stream};
use tokio::{
    sync::watch,
    time::{Interval, MissedTickBehavior},
};

use super::{
    follow::{HEARTBEAT, is_credential_expired},
    frame::Frame,
    hub::{FollowerPermission, Live},
};
use crate::{
    domain::{
        core::{Call, Caller, Gate, OrgTx, Reads, access::Member},
        inbox,
        inbox::model::UnreadCount,
    },
    error::{Error, Result},
};

/// Minimum time between two events of a stream. Changes in between are combined.
const MIN_INTERVAL: Duration = Duration::from_millis(250);

/// A subscription to the inbox of a user. Dropping it ends the subscription.
#[derive(Debug)]
struct InboxSubscription {
    live: Arc<Live>,
    number: u64,
    user_id: i64,
    /// Counts changes of the inbox.
    changes: watch::Receiver<u64>,
    permissions: watch::Receiver<u64>,
}

impl Live {
    fn join_inbox(self: &Arc<Self>, caller: &Caller) -> Result<InboxSubscription> {
        let user_id = caller.user_id;
        let mut channels = self.channels();
        channels.expect_room(user_id)?;
        let changes = channels.inboxes.entry(user_id).or_insert_with(|| watch::Sender::new(0)).subscribe();
        let (sender, permissions) = watch::channel(0);
        let follower = FollowerPermission { user_id, credential: caller.credential.clone(), permissions: sender };
        let number = channels.add_follower(follower);
        self.count_stream();
        Ok(InboxSubscription { live: Arc::clone(self), number, user_id, changes, permissions })
    }

    /// Tells the streams of these users that their inboxes have changed.
    pub(super) fn inbox_changed(&self, user_ids: &[i64]) {
        let channels = self.channels();
        for sender in user_ids.iter().filter_map(|user_id| channels.inboxes.get(user_id)) {
            sender.send_modify(|count| *count += 1);
        }
    }
}

impl Drop for InboxSubscription {
    fn drop(&mut self) {
        let live = Arc::clone(&self.live);
        let mut channels = live.channels();
        // This receiver still counts.
        if channels.inboxes.get(&self.user_id).is_some_and(|sender| sender.receiver_count() <= 1) {
            channels.inboxes.remove(&self.user_id);
        }
        live.end_stream(&mut channels, self.number, self.user_id);
    }
}

/// Follows the caller's inbox in the active organization as a stream of server-sent events.
///
/// The stream ends when the caller is no longer a member of the organization, when their credential expires, and when the
/// server stops.
pub async fn follow_inbox(
    gate: &Gate,
    live: &Arc<Live>,
    call: Call<Member>,
) -> Result<impl Stream<Item = std::io::Result<Bytes>> + Send + 'static> {
    let joined = Arc::clone(live);
    // Subscribe before reading the count, so that no change is missed.
    let begin = move |tx: &OrgTx<'_>| Ok((joined.join_inbox(tx.core().caller()?)?, inbox::unread(tx)?));
    let (subscription, unread) = gate.read(call.clone(), (), begin).await?;
    let mut heartbeat = tokio::time::interval(HEARTBEAT);
    heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    heartbeat.reset();
    let first = Some(frame(unread));
    let reader = InboxReader { gate: gate.clone(), call, subscription, first, unread, heartbeat };
    Ok(stream::unfold(reader, |mut reader| async move {
        let text = reader.next().await?;
        Some((Ok(text), reader))
    }))
}

fn frame(unread: i64) -> Bytes {
    let json = serde_json::to_string(&UnreadCount { unread }).unwrap_or_default();
    Frame::new("inbox", &json).text
}

/// A reader of the event stream of a user.
struct InboxReader {
    gate: Gate,
    call: Call<Member>,
    subscription: InboxSubscription,
    /// The frame to send first.
    first: Option<Bytes>,
    /// The number of unread entries that was sent last.
    unread: i64,
    heartbeat: Interval,
}

impl InboxReader {
    /// Returns the next part of the stream; none at its end.
    async fn next(&mut self) -> Option<Bytes> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        loop {
            tokio::select! {
                biased;
                moved = self.subscription.permissions.changed() => {
                    moved.ok()?;
                    self.read().await?;
                }
                // Entries of a workspace that the reader can no longer view are not counted anymore.
                _ = self.heartbeat.tick() => {
                    let before = self.unread;
                    let unread = self.read().await?;
                    let is_same = unread == before;
                    return Some(if is_same { Bytes::from_static(b": still here\n\n") } else { frame(unread) });
                }
                changed = self.subscription.changes.changed() => {
                    changed.ok()?;
                    tokio::time::sleep(MIN_INTERVAL).await;
                    self.subscription.changes.mark_unchanged();
                    let unread = self.read().await?;
                    return Some(frame(unread));
                }
            }
        }
    }

    /// Reads the number of unread entries, as long as the caller may. None if the stream must end.
    async fn read(&mut self) -> Option<i64> {
        if is_credential_expired(&self.gate, self.call.credential.as_ref()) {
            return None;
        }
        match self.gate.read(self.call.clone(), (), inbox::unread).await {
            Ok(unread) => self.unread = unread,
            // If the database is temporarily busy, the stream continues.
            Err(Error::Busy) => {}
            Err(_) => return None,
        }
        Some(self.unread)
    }
}
