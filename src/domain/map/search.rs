//! Search by words in one workspace, or in all workspaces that the caller can access.

use std::{cmp::Reverse, collections::BTreeMap};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    store::{self, tables::Text},
    tables::Part,
    workspaces,
};
use crate::{
    domain::{
        core::{OrgViewTx, Reads, ViewTx},
        paging::Paging,
    },
    error::{Error, Problem, Result},
};

/// Maximum length of a query, in characters.
pub const MAX_QUERY_CHARS: usize = 200;

/// Kind of a search result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum HitKind {
    /// A workspace.
    Workspace,
    /// A component.
    Component,
    /// A relationship, matched by its label or id.
    Relationship,
    /// A process, matched by its name, description, or text.
    Process,
}

/// A search result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// Kind of the result.
    pub kind: HitKind,
    /// Id of the workspace that contains the result; for a workspace, its own id.
    pub workspace_id: String,
    /// Id of the result.
    pub id: String,
    /// Name of the result; for a relationship, its label.
    pub name: String,
    /// Type id of the result, if it has a type.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub type_id: Option<String>,
    /// Line of the description or process text that contains a search word; otherwise the first line. At most 160
    /// characters. Absent for relationships and if the text is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub excerpt: Option<String>,
}

/// A search query.
#[derive(Debug, Default)]
pub struct SearchQuery {
    /// Words to search for. A result contains all of them; matching ignores case.
    pub words: String,
    /// Workspace to search. Default: all workspaces that the caller can access.
    pub workspace_id: Option<String>,
    /// Kinds of results to return; all kinds if empty.
    pub kinds: Vec<HitKind>,
}

/// A page of search results.
#[derive(Debug)]
pub struct SearchPage {
    /// The best results after the cursor, best first; at most as many as requested.
    pub hits: Vec<(SortKey, Hit)>,
    /// Number of results on all pages.
    pub total: usize,
}

/// Sort key of a result: best first; equally good results in map order. Pages are read by this key, so that writes
/// between two requests do not shift a page.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SortKey(Reverse<u32>, i64, u8, i64, String);

impl SortKey {
    /// Parses a cursor created by [`SortKey::cursor`].
    pub fn from_cursor(cursor: &str) -> Result<Self> {
        let wrong = || {
            Error::invalid("cursor", "must be the `nextCursor` of the call before; leave it out to begin at the start")
        };
        let mut parts = cursor.splitn(5, '.');
        let mut number = || parts.next().and_then(|part| part.parse::<i64>().ok()).ok_or_else(wrong);
        let (score, workspace, kind, seq) = (number()?, number()?, number()?, number()?);
        let (score, kind) = (u32::try_from(score).map_err(|_| wrong())?, u8::try_from(kind).map_err(|_| wrong())?);
        Ok(Self(Reverse(score), workspace, kind, seq, parts.next().ok_or_else(wrong)?.to_owned()))
    }

    /// The sort key as a cursor.
    pub fn cursor(&self) -> String {
        let Self(Reverse(score), workspace, kind, seq, id) = self;
        format!("{score}.{workspace}.{kind}.{seq}.{id}")
    }
}

/// Searches. Returns at most `limit` results after the sort key `after`, best first.
///
/// Reads rows one at a time, and only the columns that are searched. At most one page of results is in memory.
pub fn find(tx: &OrgViewTx<'_>, query: &SearchQuery, after: Option<SortKey>, limit: usize) -> Result<SearchPage> {
    let words: Vec<String> = query.words.split_whitespace().map(str::to_lowercase).collect();
    match query.words.chars().count() {
        _ if words.is_empty() => return Err(Error::invalid("query", "must have a word to look for")),
        ..=MAX_QUERY_CHARS => {}
        actual => {
            return Err(Error::invalid("query", Problem::Length { min: 1, max: MAX_QUERY_CHARS, actual }));
        }
    }
    let kinds = &query.kinds;
    let mut search = Search { whole: words.join(" "), words, kinds, after, limit, best: BTreeMap::new(), total: 0 };
    match &query.workspace_id {
        Some(id) => search.search_workspace(&tx.view(id)?)?,
        None => {
            for listed in workspaces::list(tx, &Paging::default())?.items {
                search.search_workspace(&tx.view(&listed.workspace.id)?)?;
            }
        }
    }
    Ok(SearchPage { hits: search.best.into_iter().collect(), total: search.total })
}

struct Search<'q> {
    whole: String,
    words: Vec<String>,
    kinds: &'q [HitKind],
    after: Option<SortKey>,
    limit: usize,
    best: BTreeMap<SortKey, Hit>,
    total: usize,
}

/// A row that may match.
struct Candidate<'r> {
    kind: HitKind,
    row: &'r Text<'r>,
}

impl Search<'_> {
    fn search_workspace(&mut self, tx: &ViewTx<'_>) -> Result<()> {
        let (core, workspace) = (tx.core(), tx.workspace());
        let description = workspace.description.as_deref().unwrap_or_default();
        let (id, name) = (workspace.id.as_str(), workspace.name.as_str());
        let row = Text { seq: 0, id, name, type_id: None, description, more: "" };
        self.consider(tx.pk(), id, &Candidate { kind: HitKind::Workspace, row: &row });
        let parts = [
            (HitKind::Component, Part::Components),
            (HitKind::Relationship, Part::Relationships),
            (HitKind::Process, Part::Processes),
        ];
        for (kind, part) in parts {
            if self.wants(kind) {
                store::tables::texts(core.conn, tx.pk(), part, |row| {
                    core.check_alive()?;
                    self.consider(tx.pk(), id, &Candidate { kind, row });
                    Ok(())
                })?;
            }
        }
        Ok(())
    }

    fn wants(&self, kind: HitKind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    /// Counts the row if its id, name, type, or text contains all words, and stores it if it is among the best.
    fn consider(&mut self, workspace_pk: i64, workspace_id: &str, candidate: &Candidate<'_>) {
        let Candidate { kind, row } = *candidate;
        if !self.wants(kind) {
            return;
        }
        let (id, name, type_id) = (row.id.to_lowercase(), row.name.to_lowercase(), row.type_id.unwrap_or_default());
        let (description, more) = (row.description.to_lowercase(), row.more.to_lowercase());
        let has = |word: &String| {
            [name.as_str(), &id, type_id, &description, &more].iter().any(|text| text.contains(word.as_str()))
        };
        if !self.words.iter().all(has) {
            return;
        }
        self.total += 1;
        let begins = |text: &str| text.split(|c: char| !c.is_alphanumeric()).any(|part| part == self.words[0]);
        let in_name = self.words.iter().all(|word| name.contains(word));
        let score = match () {
            // Generated ids of relationships contain the ids of both components, which are found themselves.
            () if kind == HitKind::Relationship && !in_name => 0,
            () if id == self.whole || name == self.whole => 6,
            () if name.starts_with(&self.whole) || id.starts_with(&self.whole) => 5,
            () if in_name => 3 + u32::from(begins(&name)),
            () if self.words.iter().all(|word| name.contains(word) || id.contains(word)) => 2,
            () => 1,
        };
        let key = SortKey(Reverse(score), workspace_pk, kind as u8, row.seq, row.id.to_owned());
        let is_before = self.after.as_ref().is_some_and(|after| key <= *after);
        let is_beyond =
            self.best.len() >= self.limit && self.best.last_key_value().is_some_and(|(last, _)| key > *last);
        if is_before || is_beyond {
            return;
        }
        let excerpt = match kind {
            HitKind::Relationship => None,
            HitKind::Process => {
                excerpt(&[row.description, row.more].join("\n"), &[description, more].join("\n"), &self.words)
            }
            HitKind::Workspace | HitKind::Component => excerpt(row.description, &description, &self.words),
        };
        let hit = Hit {
            kind,
            workspace_id: workspace_id.to_owned(),
            id: row.id.to_owned(),
            name: row.name.to_owned(),
            type_id: row.type_id.map(str::to_owned),
            excerpt,
        };
        self.best.insert(key, hit);
        if self.best.len() > self.limit {
            self.best.pop_last();
        }
    }
}

/// The first line of a text that contains one of the words; otherwise the first line.
fn excerpt(text: &str, lower: &str, words: &[String]) -> Option<String> {
    const MAX_EXCERPT_CHARS: usize = 160;
    let has = |line: &&str| words.iter().any(|word| line.contains(word.as_str()));
    let at = lower.lines().position(|line| has(&line)).unwrap_or(0);
    let line = text.lines().nth(at).unwrap_or_default().trim();
    (!line.is_empty()).then(|| match line.char_indices().nth(MAX_EXCERPT_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    })
}
