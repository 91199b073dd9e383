//! A subscriber of a workspace's event stream.

use std::time::Duration;

use axum::{
    body::{Body, BodyDataStream},
    http::Method,
};
use futures_util::StreamExt;
use serde_json::Value;

use super::{TestClient, contract};

/// Longer than any expected event takes.
const TIMEOUT: Duration = Duration::from_secs(20);

/// One event of a stream.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// For example `change`; empty for comments and positions.
    pub kind: String,
    pub id: Option<i64>,
    pub data: Value,
}

impl Event {
    /// For example `update component checkout`.
    pub fn what(&self) -> String {
        let part = |name: &str| self.data[name].as_str().unwrap_or_default().to_owned();
        match self.kind.as_str() {
            "change" => format!("{} {} {}", part("op"), part("entity"), part("entityId")),
            kind => kind.to_owned(),
        }
    }
}

/// An open event stream.
pub struct Follower {
    stream: BodyDataStream,
    read: String,
    /// The last received event ID, as a browser keeps it.
    pub last: Option<i64>,
}

impl TestClient<'_> {
    /// Opens the event stream of a workspace; `query` starts with `?` or is empty. Reads the event `ready`.
    pub async fn follow(&self, workspace: &str, query: &str) -> Follower {
        self.try_follow(workspace, query).await.expect("the workspace is there to be followed")
    }

    /// The same for a workspace that may not exist.
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

    /// Opens another event stream.
    pub async fn open_stream(&self, path: &str) -> Follower {
        let response = self.response(&Method::GET, path, None, Body::empty()).await;
        assert_eq!(response.status(), 200, "{path}");
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Follower { stream: response.into_body().into_data_stream(), read: String::new(), last: None }
    }

    /// Resumes after the last received event.
    pub async fn resume(&self, workspace: &str, last: Option<i64>) -> Follower {
        self.header("last-event-id", &self.event_id(last.unwrap())).follow(workspace, "").await
    }

    /// The event ID of the change `id`.
    pub fn event_id(&self, id: i64) -> String {
        format!("{}-{id}", self.server.app.gate.incarnation().short())
    }
}

impl Follower {
    /// The next event or comment; none at the end of the stream.
    pub async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(end) = self.read.find("\n\n") {
                let event = parse(&self.read[..end]);
                self.read.drain(..end + 2);
                self.last = event.id.or(self.last);
                return Some(event);
            }
            let piece = tokio::time::timeout(TIMEOUT, self.stream.next()).await.expect("nothing came");
            self.read.push_str(std::str::from_utf8(&piece?.unwrap()).unwrap());
        }
    }

    /// The next event; positions and comments are skipped.
    pub async fn next_event(&mut self) -> Event {
        loop {
            let event = self.next().await.expect("the stream has ended");
            if !event.kind.is_empty() {
                return event;
            }
        }
    }

    /// Expects the end of the stream without further events.
    pub async fn expect_end(&mut self) {
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
        contract::check_event(&kind, &data);
    }
    Event { kind, id: field("id").map(|id| id.split_once('-').unwrap().1.parse().unwrap()), data }
}
