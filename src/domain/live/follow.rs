//! Event streams: sends missed changes, then live events, until the reader loses access.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use bytes::Bytes;
use futures_util::{Stream, stream};
use tokio::{
    sync::broadcast::error::RecvError,
    time::{Interval, MissedTickBehavior},
};

use super::{
    event_data::{AccessRequestsChanged, Ready},
    frame::Frame,
    hub::{Live, Subscription},
};
use crate::{
    auth::Credential,
    clock::SECOND,
    domain::{
        core::{Audience, Call, Entity, Gate, LoggedChange, Reads, ViewTx, access::Viewer, change_log},
        map::bundle::requests_in_tag,
        values::AccessLevel,
    },
    error::{Error, Result},
};

/// Interval at which an idle stream sends a heartbeat and checks the reader's permission.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(15);
/// Maximum number of missed changes sent after a reconnect. A reader who missed more receives `reload`.
const MAX_MISSED_CHANGES: u32 = 1_000;

/// The state that the follower already has.
#[derive(Debug, Clone)]
pub enum StartPosition {
    /// No state: the stream starts with the next event.
    Now,
    /// All changes up to this id, with the incarnation that the id belongs to, if known.
    Change(Option<String>, i64),
    /// The bundle with this entity tag, without quotes.
    Bundle(String),
}

/// Follows the workspace `id` as a stream of server-sent events. `client` is the client id that the follower uses to
/// announce presence; when the stream ends, the client's presence ends.
///
/// The stream ends when the caller loses read access, when their credential expires, and when the server stops.
pub async fn follow(
    gate: &Gate,
    live: &Arc<Live>,
    call: Call<Viewer>,
    id: String,
    from: StartPosition,
    client: Option<String>,
) -> Result<impl Stream<Item = std::io::Result<Bytes>> + Send + 'static> {
    let (joined, present) = (Arc::clone(live), Arc::clone(live));
    // Subscribe before reading missed changes: a change committed in between is received twice, and the second copy is
    // skipped by its id.
    let subscription = gate
        .read(call.clone(), id.clone(), move |tx| {
            let organization_id = tx.workspace().org_id.as_deref().unwrap_or_default();
            joined.join(tx.pk(), organization_id, tx.core().caller()?, client)
        })
        .await?;
    let pk = subscription.workspace_pk;
    let begin = move |tx: &ViewTx<'_>| {
        let mut initial = initial(tx, &from)?;
        initial.frames.extend(present.presence_frames(pk));
        if tx.pk() == pk { Ok(initial) } else { Err(Error::NotFound("workspace")) }
    };
    let InitialFrames { frames, head } = gate.read(call.clone(), id.clone(), begin).await?;
    let mut heartbeat = tokio::time::interval(HEARTBEAT);
    heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    heartbeat.reset();
    let follower = Follower { gate: gate.clone(), call, id, subscription, waiting: frames.into(), head, heartbeat };
    Ok(stream::unfold(follower, |mut follower| async move {
        let text = follower.next().await?;
        Some((Ok(text), follower))
    }))
}

/// The frames to send first, and the id of the last change that they cover.
struct InitialFrames {
    frames: Vec<Frame>,
    head: i64,
}

fn initial(tx: &ViewTx<'_>, from: &StartPosition) -> Result<InitialFrames> {
    let (conn, pk) = (tx.core().conn, tx.pk());
    let workspace = tx.workspace();
    let organization_id = workspace.org_id.as_deref().unwrap_or_default();
    let head = change_log::head(conn)?;
    let incarnation = tx.core().incarnation();
    let ready = Ready {
        incarnation: incarnation.as_str().to_owned(),
        id: head,
        revision: workspace.metadata.revision,
        directory_revision: tx.directory_revision(),
    };
    let mut frames = vec![Frame::new("ready", &serde_json::to_string(&ready)?)];
    let rows = match from {
        StartPosition::Now => Some(Vec::new()),
        StartPosition::Change(given, _) if !given.as_ref().is_some_and(|given| incarnation.is_named_by(given)) => None,
        StartPosition::Change(_, id) if *id < change_log::forgotten(conn, pk, organization_id)? => None,
        StartPosition::Change(_, id) if *id > head => None,
        StartPosition::Change(_, id) => {
            Some(change_log::after(conn, pk, organization_id, *id, MAX_MISSED_CHANGES + 1)?)
        }
        StartPosition::Bundle(tag) => since_bundle(tx, tag)?,
    };
    // The id may now belong to a different workspace than the one that was followed before.
    let is_workspace_creation =
        |row: &LoggedChange| row.change.entity == Entity::Workspace && row.change.op == "create";
    match rows.filter(|rows| rows.len() <= MAX_MISSED_CHANGES as usize && !rows.iter().any(is_workspace_creation)) {
        Some(rows) => {
            for row in rows {
                frames.push(Frame::of_change(incarnation, &row.read()?)?);
            }
            // Sends the current position, so that a client that disconnects before the first event can resume from it.
            frames.push(Frame::position(incarnation, head));
        }
        None => frames.push(Frame::reload(incarnation, head)),
    }
    frames.extend(access_requests(tx, from)?);
    Ok(InitialFrames { frames, head })
}

/// An event with the access requests that the reader sees, if they may have changed since `from`.
fn access_requests(tx: &ViewTx<'_>, from: &StartPosition) -> Result<Option<Frame>> {
    let workspace = tx.workspace();
    let now = requests_in_tag(workspace.access_requests, workspace.access_requested_at);
    let is_news = match from {
        StartPosition::Now => false,
        StartPosition::Change(..) => now.is_some(),
        StartPosition::Bundle(tag) => tag.split('-').nth(5).and_then(|part| part.parse().ok()) != now,
    };
    if !is_news {
        return Ok(None);
    }
    let is_owner = workspace.my_role == Some(AccessLevel::Owner);
    let data = AccessRequestsChanged {
        access_requests: workspace.access_requests,
        access_requested_at: (!is_owner).then_some(workspace.access_requested_at),
    };
    Ok(Some(Frame::new("accessRequests", &serde_json::to_string(&data)?)))
}

/// The changes since the bundle with this tag was read; none if they cannot be determined.
fn since_bundle(tx: &ViewTx<'_>, tag: &str) -> Result<Option<Vec<LoggedChange>>> {
    let number = |part: Option<&&str>| part.and_then(|part| part.parse::<i64>().ok());
    let parts: Vec<&str> = tag.split('-').collect();
    if parts.len() < 4 {
        return Err(Error::invalid("since", "must be the entity tag of a bundle of this workspace"));
    }
    if parts[0] != tx.core().incarnation().short() {
        return Ok(None);
    }
    let (Some(pk), Some(revision), Some(directory)) =
        (number(parts.get(1)), number(parts.get(2)), number(parts.get(3)))
    else {
        return Err(Error::invalid("since", "must be the entity tag of a bundle of this workspace"));
    };
    let (conn, workspace) = (tx.core().conn, tx.workspace());
    let organization_id = workspace.org_id.as_deref().unwrap_or_default();
    if pk != tx.pk() || revision > workspace.metadata.revision || directory > tx.directory_revision() {
        return Ok(None);
    }
    if revision < workspace.metadata.revision && !change_log::reaches(conn, pk, revision)? {
        return Ok(None);
    }
    if directory < tx.directory_revision() && !change_log::reaches_in_directory(conn, organization_id, directory)? {
        return Ok(None);
    }
    change_log::since(conn, pk, organization_id, (revision, directory), MAX_MISSED_CHANGES + 1).map(Some)
}

/// Whether the token that a stream was opened with has expired.
pub(super) fn is_credential_expired(gate: &Gate, credential: Option<&Credential>) -> bool {
    let now = gate.shared().clock.now();
    match credential {
        Some(Credential::Session(claims)) => claims.exp * SECOND <= now,
        Some(Credential::External(external)) => external.expires.saturating_mul(SECOND) <= now,
        _ => false,
    }
}

/// A reader of an event stream.
struct Follower {
    gate: Gate,
    call: Call<Viewer>,
    id: String,
    subscription: Subscription,
    waiting: VecDeque<Frame>,
    /// Id of the last change that was sent.
    head: i64,
    heartbeat: Interval,
}

impl Follower {
    /// Returns the next part of the stream; none at its end.
    async fn next(&mut self) -> Option<Bytes> {
        self.check_permission().await?;
        if let Some(frame) = self.waiting.pop_front() {
            return Some(frame.text);
        }
        loop {
            tokio::select! {
                biased;
                moved = self.subscription.permissions.changed() => {
                    moved.ok()?;
                    self.recheck_permission().await?;
                }
                // The heartbeat is polled before events, because it would never be due on a busy stream otherwise.
                _ = self.heartbeat.tick() => {
                    self.recheck_permission().await?;
                    return Some(Bytes::from_static(b": still here\n\n"));
                }
                frame = self.subscription.frames.recv() => match frame {
                    Ok(frame) if frame.change.is_some_and(|id| id <= self.head) => {}
                    Ok(frame) => {
                        // Check first: permission changes in the same or an earlier commit have been signaled before
                        // this frame.
                        self.check_permission().await?;
                        self.head = frame.change.unwrap_or(self.head);
                        if self.is_in(frame.audience).await {
                            return Some(frame.text);
                        }
                    }
                    Err(RecvError::Lagged(_)) => return self.send_reload().await,
                    Err(RecvError::Closed) => return None,
                },
            }
        }
    }

    /// Checks, before sending anything, that the credential has not expired and, after permission changes, that the
    /// caller may still read the workspace. None if the stream must end.
    async fn check_permission(&mut self) -> Option<()> {
        if self.subscription.permissions.has_changed().unwrap_or(true) {
            self.subscription.permissions.mark_unchanged();
            return self.recheck_permission().await;
        }
        (!self.is_credential_expired()).then_some(())
    }

    /// Whether the reader receives the events for `audience`.
    async fn is_in(&self, audience: Audience) -> bool {
        match audience {
            Audience::Everyone => true,
            Audience::User(user_id) => self.subscription.user_id == user_id,
            Audience::Owners => {
                let is_owner = |tx: &ViewTx<'_>| Ok(tx.workspace().my_role == Some(AccessLevel::Owner));
                matches!(self.gate.read(self.call.clone(), self.id.clone(), is_owner).await, Ok(true))
            }
        }
    }

    fn is_credential_expired(&self) -> bool {
        is_credential_expired(&self.gate, self.call.credential.as_ref())
    }

    /// Checks that the caller may still read the workspace. None if the stream must end.
    async fn recheck_permission(&self) -> Option<()> {
        if self.is_credential_expired() {
            return None;
        }
        let pk = self.subscription.workspace_pk;
        let still = self.gate.read(self.call.clone(), self.id.clone(), move |tx| Ok(tx.pk() == pk)).await;
        // If the database is temporarily busy, the stream continues.
        matches!(still, Ok(true) | Err(Error::Busy)).then_some(())
    }

    /// Handles a reader that was too slow: sends `reload` and continues from the current position.
    async fn send_reload(&mut self) -> Option<Bytes> {
        self.subscription.frames = self.subscription.frames.resubscribe();
        let head = |tx: &ViewTx<'_>| change_log::head(tx.core().conn);
        self.head = self.gate.read(self.call.clone(), self.id.clone(), head).await.ok()?;
        Some(Frame::reload(self.gate.incarnation(), self.head).text)
    }
}
