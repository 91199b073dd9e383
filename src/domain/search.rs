//! Search by words: in one workspace, or in all that the caller may see.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    access::{OrgViewTx, Reads, ViewTx},
    store, workspaces,
};
use crate::error::{Error, Result};

/// Longest question, in characters.
pub const LONGEST: usize = 200;

/// What can be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Kind {
    /// A workspace.
    Workspace,
    /// A component.
    Component,
    /// A relationship, by its label or id.
    Relationship,
    /// A process, by its name, description or text.
    Process,
}

/// Something that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// What it is.
    pub kind: Kind,
    /// The workspace that it is in, or is.
    pub workspace_id: String,
    /// Its id.
    pub id: String,
    /// Its name; a relationship's label.
    pub name: String,
    /// Its type, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub type_id: Option<String>,
    /// Its description, or what of it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub excerpt: Option<String>,
}

/// Where to look, and for what.
#[derive(Debug, Default)]
pub struct Question {
    /// Words: all of them are in what is found, whatever their case.
    pub words: String,
    /// The workspace to look in; all within reach when absent.
    pub workspace_id: Option<String>,
    /// Kinds of things to look for; all when empty.
    pub kinds: Vec<Kind>,
}

/// All that has the words, what fits best first.
pub fn find(tx: &OrgViewTx<'_>, question: &Question) -> Result<Vec<Hit>> {
    let words: Vec<String> = question.words.split_whitespace().map(str::to_lowercase).collect();
    match question.words.chars().count() {
        _ if words.is_empty() => return Err(Error::invalid("query", "must have a word to look for")),
        ..=LONGEST => {}
        count => return Err(Error::invalid("query", format!("must have 1 to {LONGEST} characters, has {count}"))),
    }
    let mut search = Search { whole: words.join(" "), words, kinds: &question.kinds, found: Vec::new() };
    match &question.workspace_id {
        Some(id) => search.look_in(&tx.view(id)?)?,
        None => {
            for listed in workspaces::list(tx)? {
                search.look_in(&tx.view(&listed.workspace.id)?)?;
            }
        }
    }
    // Stable: what fits equally well stays in the order of the maps.
    search.found.sort_by_key(|(score, _)| Reverse(*score));
    Ok(search.found.into_iter().map(|(_, hit)| hit).collect())
}

struct Search<'q> {
    whole: String,
    words: Vec<String>,
    kinds: &'q [Kind],
    found: Vec<(u32, Hit)>,
}

impl Search<'_> {
    fn look_in(&mut self, tx: &ViewTx<'_>) -> Result<()> {
        let (conn, key, workspace) = (tx.core().conn, tx.key(), tx.workspace());
        let within = &workspace.id;
        let hit = |kind, id: &str, name: &str, type_id: Option<&str>| Hit {
            kind,
            workspace_id: within.clone(),
            id: id.to_owned(),
            name: name.to_owned(),
            type_id: type_id.map(str::to_owned),
            excerpt: None,
        };
        self.consider(hit(Kind::Workspace, within, &workspace.name, None), workspace.description.as_deref());
        if self.wants(Kind::Component) {
            for row in store::components::list(conn, &key)? {
                let found = hit(Kind::Component, &row.id, &row.name, Some(&row.type_id));
                self.consider(found, row.description.as_deref());
            }
        }
        if self.wants(Kind::Relationship) {
            for row in store::relationships::list(conn, &key)? {
                let label = row.label.as_deref().unwrap_or_default();
                self.consider(hit(Kind::Relationship, &row.id, label, Some(&row.type_id)), None);
            }
        }
        if self.wants(Kind::Process) {
            for row in store::processes::list(conn, &key)? {
                let text = format!("{}\n{}", row.description.as_deref().unwrap_or_default(), row.mermaid);
                self.consider(hit(Kind::Process, &row.id, &row.name, None), Some(&text));
            }
        }
        Ok(())
    }

    fn wants(&self, kind: Kind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    /// Keeps what has all words in its id, name, type or text.
    fn consider(&mut self, mut hit: Hit, text: Option<&str>) {
        if !self.wants(hit.kind) {
            return;
        }
        let (id, name) = (hit.id.to_lowercase(), hit.name.to_lowercase());
        let (kind, long) = (hit.type_id.as_deref().unwrap_or_default(), text.unwrap_or_default().to_lowercase());
        let has =
            |word: &String| name.contains(word) || id.contains(word) || kind.contains(word) || long.contains(word);
        if !self.words.iter().all(has) {
            return;
        }
        let begins = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|part| part == self.words[0]);
        let in_name = self.words.iter().all(|word| name.contains(word));
        let score = match () {
            // Ids of relationships are made of those of their ends, which are found themselves.
            () if hit.kind == Kind::Relationship && !in_name => 0,
            () if id == self.whole || name == self.whole => 6,
            () if name.starts_with(&self.whole) || id.starts_with(&self.whole) => 5,
            () if in_name => 3 + u32::from(begins(&name)),
            () if self.words.iter().all(|word| name.contains(word) || id.contains(word)) => 2,
            () => 1,
        };
        hit.excerpt = text.and_then(|text| excerpt(text, &long, &self.words));
        self.found.push((score, hit));
    }
}

/// The line of a text that has a word that is looked for, or its first one.
fn excerpt(text: &str, lower: &str, words: &[String]) -> Option<String> {
    const SHORT: usize = 160;
    let has = |line: &&str| words.iter().any(|word| line.contains(word.as_str()));
    let at = lower.lines().position(|line| has(&line)).unwrap_or(0);
    let line = text.lines().nth(at).unwrap_or_default().trim();
    (!line.is_empty()).then(|| match line.char_indices().nth(SHORT) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    })
}
