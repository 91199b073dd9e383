//! Comments: threads about what is on a map.

mod anchors;
mod erasing;
mod events;
mod limits;
mod mentions;
mod talking;
mod tools;
mod transfer;

use serde_json::{Value, json};

use crate::support::TestClient;

const THREADS: &str = "/api/workspaces/w/threads";

/// Creates a thread about the component `a`.
async fn ask(client: &TestClient<'_>, text: &str) -> Value {
    about(client, json!({ "type": "component", "id": "a" }), text).await
}

/// Creates a thread about something.
async fn about(client: &TestClient<'_>, anchor: Value, text: &str) -> Value {
    client.post(THREADS, json!({ "anchor": anchor, "text": text })).await.created()["thread"].clone()
}

/// The path of a thread.
fn path(thread: &Value) -> String {
    format!("{THREADS}/{}", thread["id"].as_str().unwrap())
}

/// The texts of the messages of a thread.
async fn texts(client: &TestClient<'_>, thread: &Value) -> Vec<String> {
    let thread = client.get(&path(thread)).await.ok()["thread"].clone();
    let messages = thread["messages"].as_array().unwrap();
    messages.iter().map(|message| message["text"].as_str().unwrap().to_owned()).collect()
}
