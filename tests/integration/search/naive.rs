//! The rules of a search, applied to everything that a caller can read.

use std::{cmp::Reverse, fmt};

use serde_json::Value;

use crate::support::TestClient;

/// A result.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct NaiveHit {
    score: Reverse<u8>,
    workspace_position: usize,
    kind_position: usize,
    position: usize,
    pub kind: &'static str,
    pub workspace: String,
    pub id: String,
}

impl fmt::Display for NaiveHit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.kind, self.workspace, self.id)
    }
}

impl NaiveHit {
    /// What decides the order before the age of documents does.
    pub fn rank(&self) -> (Reverse<u8>, usize, usize) {
        (self.score, self.workspace_position, self.kind_position)
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn texts(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().map(text).collect()
}

fn words_of(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Whether `word`, which can have several parts, begins a word of `name` and continues with the following ones.
fn begins(name: &str, word: &str) -> bool {
    let (names, parts) = (words_of(name), words_of(word));
    let Some((last, before)) = parts.split_last() else { return false };
    names
        .windows(parts.len())
        .any(|window| window[..before.len()] == *before && window[before.len()].starts_with(last.as_str()))
}

/// The texts and numbers in properties.
fn values(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Number(number) => vec![number.to_string()],
        Value::Array(items) => items.iter().flat_map(values).collect(),
        Value::Object(fields) => fields.values().flat_map(values).collect(),
        _ => Vec::new(),
    }
}

/// `others` are texts of the row besides its name; `minor` are those that count less.
fn score(query: &str, kind: &str, (id, name): (&str, &str), others: &[String], minor: &[String]) -> Option<u8> {
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    let (whole, name) = (words.join(" "), name.to_lowercase());
    let all: Vec<String> =
        others.iter().map(|text| text.to_lowercase()).chain([name.clone(), id.to_lowercase()]).collect();
    let has = |word: &String| all.iter().any(|text| text.contains(word.as_str()));
    let has_minor = |word: &String| minor.iter().any(|text| text.to_lowercase().contains(word.as_str()));
    if !words.iter().all(|word| has(word) || has_minor(word)) {
        return None;
    }
    Some(match () {
        () if id == query.trim() || name == whole => 5,
        () if name.starts_with(&whole) => 4,
        () if words.iter().all(|word| begins(&name, word)) => 3,
        () if words.iter().all(|word| name.contains(word.as_str())) => 2,
        () if kind == "relationship" || !words.iter().all(has) => 0,
        () => 1,
    })
}

/// All results for the caller, in order.
pub async fn naive(client: &TestClient<'_>, query: &str) -> Vec<NaiveHit> {
    let workspaces = client.get("/api/workspaces").await.ok()["workspaces"].as_array().unwrap().clone();
    let mut hits = Vec::new();
    for (workspace_position, listed) in workspaces.iter().enumerate() {
        let workspace = text(&listed["id"]);
        let bundle = client.get(&format!("/api/workspaces/{workspace}?include=notes,decisions")).await.ok();
        let mut decisions = Vec::new();
        for row in bundle["decisions"].as_array().into_iter().flatten() {
            let path = format!("/api/workspaces/{workspace}/decisions/{}", text(&row["id"]));
            decisions.push(client.get(&path).await.ok()["decision"].clone());
        }
        let mut add_with =
            |kind_position: usize, position: usize, id: String, name: &str, others: &[String], minor: &[String]| {
                let kind = ["workspace", "component", "relationship", "process", "note", "decision"][kind_position];
                hits.extend(score(query, kind, (&id, name), others, minor).map(|score| NaiveHit {
                    score: Reverse(score),
                    workspace_position,
                    kind_position,
                    position,
                    kind,
                    workspace: workspace.clone(),
                    id,
                }));
            };
        for (position, row) in bundle["components"].as_array().unwrap().iter().enumerate() {
            let owners = bundle["stakeholders"].as_array().unwrap().iter();
            let owners = owners.filter(|owner| owner["componentId"] == row["id"]);
            let owners = owners.map(|owner| text(&owner["person"]["name"]) + &text(&owner["team"]["name"]));
            let mut others = vec![text(&row["typeId"]), text(&row["description"])];
            others.extend(texts(&row["technology"]).into_iter().chain(texts(&row["tags"])).chain(owners));
            add_with(1, position, text(&row["id"]), &text(&row["name"]), &others, &values(&row["properties"]));
        }
        let mut add = |kind_position: usize, position: usize, id: String, name: &str, others: &[String]| {
            add_with(kind_position, position, id, name, others, &[]);
        };
        let row = &bundle["workspace"];
        add(0, 0, workspace.clone(), &text(&row["name"]), &[text(&row["description"])]);
        for (position, row) in bundle["relationships"].as_array().unwrap().iter().enumerate() {
            let mut others = vec![text(&row["typeId"])];
            others.extend(texts(&row["technology"]));
            add(2, position, text(&row["id"]), &text(&row["label"]), &others);
        }
        for (position, row) in bundle["processes"].as_array().unwrap().iter().enumerate() {
            let others = [text(&row["description"]), text(&row["mermaid"])];
            add(3, position, text(&row["id"]), &text(&row["name"]), &others);
        }
        for (position, row) in bundle["notes"].as_array().into_iter().flatten().enumerate() {
            let content = text(&row["text"]);
            let first = content.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default().to_owned();
            let name: String = first.trim_start_matches('#').trim_start().chars().take(200).collect();
            add(4, position, text(&row["id"]), &name, &[content]);
        }
        for (position, row) in decisions.iter().enumerate() {
            add(5, position, text(&row["id"]), &text(&row["title"]), &[text(&row["body"])]);
        }
    }
    hits.sort();
    hits
}
