//! Somebody who keeps a copy of a workspace, goes away and comes back.

use std::cell::Cell;

use super::mirror::Mirror;
use crate::support::{Actor, Follower};

/// One who follows: what they have, and how they hear of more.
#[derive(Default)]
pub struct Watcher {
    pub mirror: Option<Mirror>,
    pub stream: Option<Follower>,
    /// The last event that was heard.
    pub last: Option<i64>,
}

/// What was seen in all cases, so that it is known that something was.
#[derive(Debug, Default)]
pub struct Seen {
    pub changes: Cell<usize>,
    pub reloads: Cell<usize>,
    pub resumed: Cell<usize>,
    pub ended: Cell<usize>,
    pub undone: Cell<usize>,
}

/// One more.
pub fn count(of: &Cell<usize>) {
    of.set(of.get() + 1);
}

impl Watcher {
    /// Begins to follow, where that can be done.
    pub async fn connect(&mut self, actor: &Actor<'_>, id: &str, anew: Option<bool>, seen: &Seen) {
        let last = self.last.filter(|_| anew.is_none() && self.mirror.is_some());
        self.stream = if let Some(last) = last {
            count(&seen.resumed);
            actor.header("last-event-id", &actor.event_id(last)).try_follow(id, "").await
        } else if anew.unwrap_or_default() {
            let stream = actor.try_follow(id, "").await;
            self.mirror = Mirror::read(actor, id).await.map(|(mirror, _)| mirror);
            stream
        } else if let Some((mirror, tag)) = Mirror::read(actor, id).await {
            self.mirror = Some(mirror);
            actor.try_follow(id, &format!("?since={tag}")).await
        } else {
            None
        };
    }

    /// Hears the next event. Answers whether there was one.
    pub async fn hear(&mut self, actor: &Actor<'_>, id: &str, seen: &Seen) -> bool {
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
                self.mirror.as_mut().is_none_or(|mirror| mirror.hear(&event))
            }
            "reload" => {
                count(&seen.reloads);
                false
            }
            _ => true,
        };
        if !told {
            self.mirror = Mirror::read(actor, id).await.map(|(mirror, _)| mirror);
        }
        true
    }
}
