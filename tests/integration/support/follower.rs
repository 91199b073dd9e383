//! Somebody who follows a workspace.

use std::time::Duration;

use axum::{
    body::{Body, BodyDataStream},
    http::Method,
};
use futures_util::StreamExt;
use serde_json::Value;

use super::{Actor, contract};

/// Longer than anything takes that comes at all.
const EVER: Duration = Duration::from_secs(20);

/// One event of a stream.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// As in `change`; empty for a comment, or a mere position.
    pub kind: String,
    pub id: Option<i64>,
    pub data: Value,
}

impl Event {
    /// As in `update component checkout`.
    pub fn what(&self) -> String {
        let part = |name: &str| self.data[name].as_str().unwrap_or_default().to_owned();
        match self.kind.as_str() {
            "change" => format!("{} {} {}", part("op"), part("entity"), part("entityId")),
            kind => kind.to_owned(),
        }
    }
}

/// An open stream.
pub struct Follower {
    stream: BodyDataStream,
    read: String,
    /// The last id that was heard, as a browser keeps it.
    pub last: Option<i64>,
}

impl Actor<'_> {
    /// Follows a workspace; `query` begins with `?` or is empty. The first word, `ready`, has been read.
    pub async fn follow(&self, workspace: &str, query: &str) -> Follower {
        self.try_follow(workspace, query).await.expect("the workspace is there to be followed")
    }

    /// The same of a workspace that may not be there.
    pub async fn try_follow(&self, workspace: &str, query: &str) -> Option<Follower> {
        let path = format!("/api/workspaces/{workspace}/events{query}");
        let response = self.response(&Method::GET, &path, None, Body::empty()).await;
        if response.status() == 404 {
            return None;
        }
        assert_eq!(response.status(), 200, "{path}");
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let stream = response.into_body().into_data_stream();
        let mut follower = Follower { stream, read: String::new(), last: None };
        assert_eq!(follower.next().await.unwrap().kind, "ready");
        Some(follower)
    }

    /// Comes back after the last event that was heard.
    pub async fn resume(&self, workspace: &str, last: Option<i64>) -> Follower {
        self.header("last-event-id", &self.event_id(last.unwrap())).follow(workspace, "").await
    }

    /// The id of the event that tells the change `id`.
    pub fn event_id(&self, id: i64) -> String {
        format!("{}-{id}", self.stage.app.gate.incarnation().short())
    }
}

impl Follower {
    /// The next event; none at the end of the stream.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(end) = self.read.find("\n\n") {
                let event = parse(&self.read[..end]);
                self.read.drain(..end + 2);
                self.last = event.id.or(self.last);
                return Some(event);
            }
            let piece = tokio::time::timeout(EVER, self.stream.next()).await.expect("nothing came");
            self.read.push_str(std::str::from_utf8(&piece?.unwrap()).unwrap());
        }
    }

    /// The next thing that has happened; positions and comments are passed over.
    pub async fn hear(&mut self) -> Event {
        loop {
            let event = self.next().await.expect("the stream has ended");
            if !event.kind.is_empty() {
                return event;
            }
        }
    }

    /// Expects the stream to say nothing more but its end.
    pub async fn ended(&mut self) {
        while let Some(event) = self.next().await {
            assert!(event.kind.is_empty(), "{event:?}");
        }
    }
}

fn parse(text: &str) -> Event {
    let field = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    let kind = field("event").unwrap_or_default().to_owned();
    let data = field("data").map_or(Value::Null, |data| serde_json::from_str(data).unwrap());
    if !kind.is_empty() {
        contract::hold_event(&kind, &data);
    }
    Event { kind, id: field("id").map(|id| id.split_once('-').unwrap().1.parse().unwrap()), data }
}
