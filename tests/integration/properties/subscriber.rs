//! A subscriber that keeps a copy of a workspace, disconnects and resumes.

use std::cell::Cell;

use super::replica::Replica;
use crate::support::{Follower, TestClient};

/// A subscriber with its copy and its stream.
#[derive(Default)]
pub struct Subscriber {
    pub replica: Option<Replica>,
    pub stream: Option<Follower>,
    /// The last received event.
    pub last: Option<i64>,
}

/// Counts of received events over all cases, to prove that there were some.
#[derive(Debug, Default)]
pub struct Seen {
    pub changes: Cell<usize>,
    pub reloads: Cell<usize>,
    pub resumed: Cell<usize>,
    pub ended: Cell<usize>,
    pub undone: Cell<usize>,
}

/// Increments a counter.
pub fn count(of: &Cell<usize>) {
    of.set(of.get() + 1);
}

impl Subscriber {
    /// Subscribes if possible.
    pub async fn connect(&mut self, client: &TestClient<'_>, id: &str, anew: Option<bool>, seen: &Seen) {
        let last = self.last.filter(|_| anew.is_none() && self.replica.is_some());
        self.stream = if let Some(last) = last {
            count(&seen.resumed);
            client.header("last-event-id", &client.event_id(last)).try_follow(id, "").await
        } else if anew.unwrap_or_default() {
            let stream = client.try_follow(id, "").await;
            self.replica = Replica::read(client, id).await.map(|(replica, _)| replica);
            stream
        } else if let Some((replica, tag)) = Replica::read(client, id).await {
            self.replica = Some(replica);
            client.try_follow(id, &format!("?since={tag}")).await
        } else {
            None
        };
    }

    /// Reads the next event. Returns whether there was one.
    pub async fn receive(&mut self, client: &TestClient<'_>, id: &str, seen: &Seen) -> bool {
        let Some(stream) = &mut self.stream else { return false };
        let Some(event) = stream.next().await else {
            count(&seen.ended);
            self.stream = None;
            return false;
        };
        self.last = stream.last;
        let told = match event.kind.as_str() {
            "change" => {
                count(&seen.changes);
                self.replica.as_mut().is_none_or(|replica| replica.apply(&event))
            }
            "reload" => {
                count(&seen.reloads);
                false
            }
            _ => true,
        };
        if !told {
            self.replica = Replica::read(client, id).await.map(|(replica, _)| replica);
        }
        true
    }
}
