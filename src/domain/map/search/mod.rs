//! Search by words in one workspace, or in all workspaces that the caller can access.
//!
//! The index (`domain::core::search`) restricts matches to those workspaces, before they are counted, ranked and
//! limited. The rank of a result depends on that result only, so other workspaces do not change the order.

mod excerpt;
mod expression;
mod rank;

use std::collections::{HashMap, HashSet};

use rusqlite::Connection;
use serde_json::json;

pub use self::{
    excerpt::SearchField,
    rank::{MAX_QUERY_CHARS, MAX_QUERY_WORDS, SortKey, Words},
};
use self::{
    excerpt::{excerpt, matched},
    expression::Expressions,
    rank::Score,
};
use super::{
    store::search::{Ranges, document, ends, organization_slug, scan, scan_all, with_id, with_name, with_name_start},
    workspaces,
};
pub use crate::domain::core::HitKind;
use crate::{
    domain::{
        core::{
            OrgViewTx, Reads, SystemTx,
            search::{self, Document, Texts, find_texts},
        },
        paging::Paging,
    },
    error::{Error, Result},
};

/// If at most this many results match, all of them are ranked; otherwise, results are read by rank.
const MAX_RANKED: usize = 1_000;
/// Maximum number of documents whose texts a search reads because the index has too many terms for it.
const MAX_CHECKED: usize = 20_000;

/// Fills the search index if it is missing, outdated or damaged. Returns the number of documents if it did.
pub fn ensure_index(tx: &mut SystemTx<'_>) -> Result<Option<usize>> {
    search::ensure(tx)
}

/// Empties the search index and fills it again. Returns the number of documents.
pub fn rebuild_index(tx: &mut SystemTx<'_>) -> Result<usize> {
    let documents = search::rebuild(tx)?;
    tx.core().audit("search.rebuild", None, &json!({ "documents": documents }))?;
    Ok(documents)
}

/// A search query.
#[derive(Debug, Clone)]
pub struct SearchQuery {
    /// Words to search for. A result contains all of them; matching ignores case.
    pub words: Words,
    /// Workspace to search. Default: all workspaces that the caller can access.
    pub workspace_id: Option<String>,
    /// Workspace not to search. Ids of other workspaces than those that the caller can access have no effect.
    pub except_workspace_id: Option<String>,
    /// Kinds of results to return; all kinds if empty.
    pub kinds: Vec<HitKind>,
    /// Number of results up to which they are counted; all if absent.
    pub max_counted: Option<usize>,
}

/// A search result.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Kind of the result.
    pub kind: HitKind,
    /// Id of the workspace that contains the result; for a workspace, its own id.
    pub workspace_id: String,
    /// Name of that workspace.
    pub workspace_name: String,
    /// Slug of the organization of that workspace.
    pub organization_slug: String,
    /// Id of the result.
    pub id: String,
    /// Name of the result; for a relationship, its label; for a note, its first line.
    pub name: String,
    /// Type id of the result, if it has a type.
    pub type_id: Option<String>,
    /// Line of the description or process text that contains a search word; otherwise the first line. At most 160
    /// characters. Absent for relationships and if the text is empty.
    pub excerpt: Option<String>,
    /// The field that contains the search words, or the first that contains one that the name does not.
    pub field: SearchField,
    /// Line of that field, unless it is the name. At most 160 characters.
    pub matched: Option<String>,
    /// Ids of the source and target of a relationship.
    pub ends: Option<(String, String)>,
}

/// A page of search results.
#[derive(Debug)]
pub struct SearchPage {
    /// The best results after the cursor, best first; at most as many as requested.
    pub hits: Vec<(SortKey, Hit)>,
    /// Number of results on all pages, at most one more than the number up to which they are counted.
    pub total: usize,
}

/// Searches. Returns at most `limit` results after the sort key `after`, best first.
pub fn find(tx: &OrgViewTx<'_>, query: &SearchQuery, after: Option<SortKey>, limit: usize) -> Result<SearchPage> {
    let mut visible = HashMap::new();
    match &query.workspace_id {
        Some(id) => {
            let view = tx.view(id)?;
            if view.workspace().base_pk.is_some() {
                let text = "is a draft, and search does not find drafts; search its workspace, or query its components";
                return Err(Error::invalid("workspaceId", text));
            }
            visible.insert(view.pk(), (id.clone(), view.workspace().name.clone()));
        }
        None => {
            let listed = workspaces::list(tx, &Paging::default())?.items.into_iter();
            visible.extend(listed.map(|listed| (listed.workspace.pk, (listed.workspace.id, listed.workspace.name))));
        }
    }
    let except = query.except_workspace_id.as_ref();
    visible.retain(|_, (id, _)| except != Some(id));
    let mut pks: Vec<i64> = visible.keys().copied().collect();
    pks.sort_unstable();
    let ranges = ranges(&pks, &query.kinds);
    let conn = tx.core().conn;
    let expressions = Expressions::of(conn, &query.words.list)?;
    let search = Search { tx, conn, words: &query.words, pks, ranges, after, limit, expressions };
    let max_counted = query.max_counted.unwrap_or(usize::MAX);
    let (total, found) =
        if search.expressions.is_partial { search.checked(max_counted)? } else { search.matches(max_counted)? };
    let keys = match found {
        Some(all) => search.ranked(all)?,
        None => search.by_rank()?,
    };
    let hits = keys.into_iter().map(|key| Ok(search.hit(key.document(), &visible)?.map(|hit| (key, hit))));
    Ok(SearchPage { hits: hits.filter_map(Result::transpose).collect::<Result<_>>()?, total })
}

/// Finds what has most of the words, and at least half of them, for a search of several words that finds nothing, best
/// first. Of each word, the `limit` best results are considered; short words are not.
pub fn find_some(tx: &OrgViewTx<'_>, query: &SearchQuery, limit: usize) -> Result<Vec<Hit>> {
    /// Shorter words are parts of too many others.
    const MIN_CHARS: usize = 3;
    let words = query.words.list.iter().map(|word| word.trim_matches(|c: char| c.is_ascii_punctuation()));
    let words: Vec<&str> = words.filter(|word| word.chars().count() >= MIN_CHARS).collect();
    let mut found: Vec<(usize, usize, Hit)> = Vec::new();
    for word in words.iter().filter(|_| query.words.list.len() > 1) {
        let of_word = SearchQuery { words: Words::only(word), ..query.clone() };
        for (place, (_, hit)) in find(tx, &of_word, None, limit)?.hits.into_iter().enumerate() {
            let is_same =
                |other: &Hit| (other.kind, &other.workspace_id, &other.id) == (hit.kind, &hit.workspace_id, &hit.id);
            match found.iter_mut().find(|(.., other)| is_same(other)) {
                Some((words, best, _)) => (*words, *best) = (*words + 1, place.min(*best)),
                None => found.push((1, place, hit)),
            }
        }
    }
    let most = found.iter().map(|(words, ..)| *words).max().unwrap_or_default();
    found.retain(|(of_hit, ..)| *of_hit == most && 2 * most >= words.len());
    found.sort_by_key(|(_, place, _)| *place);
    Ok(found.into_iter().map(|(.., hit)| hit).collect())
}

/// The documents of some kinds in some workspaces.
fn ranges(pks: &[i64], kinds: &[HitKind]) -> Ranges {
    let mut ranges = Ranges::default();
    for pk in pks {
        for kind in HitKind::ALL.into_iter().filter(|kind| kinds.is_empty() || kinds.contains(kind)) {
            ranges.push(&(Document::before(*pk, kind)..=Document::last(*pk, kind)));
        }
    }
    ranges
}

/// Documents that were found, each with whether it is found only with texts that count less.
type Matches = Vec<(Document, bool)>;

struct Search<'t, 'c> {
    tx: &'t OrgViewTx<'c>,
    conn: &'t Connection,
    words: &'t Words,
    /// The workspaces to search.
    pks: Vec<i64>,
    /// The documents to search.
    ranges: Ranges,
    after: Option<SortKey>,
    limit: usize,
    expressions: Expressions,
}

impl Search<'_, '_> {
    /// The number of results, counted up to one more than `max_counted`, and the results unless there are too many to
    /// rank all of them, each with whether it is found only with texts that count less.
    fn matches(&self, max_counted: usize) -> Result<(usize, Option<Matches>)> {
        let Expressions { all: every_word, major, .. } = &self.expressions;
        let Some(expression) = every_word else { return Ok((0, Some(Vec::new()))) };
        let (mut total, mut found) = (0, Vec::new());
        let enough = max_counted.max(MAX_RANKED).saturating_add(1);
        scan(self.conn, expression, &self.ranges, None, |document| {
            self.tx.core().check_alive()?;
            total += 1;
            if total <= MAX_RANKED {
                found.push(document);
            }
            Ok(total < enough)
        })?;
        let counted = total.min(max_counted.saturating_add(1));
        if total > MAX_RANKED {
            return Ok((counted, None));
        }
        let mut majors = HashSet::new();
        if let Some(expression) = major.as_ref().filter(|_| total > 0) {
            scan(self.conn, expression, &self.ranges, None, |document| {
                majors.insert(document);
                Ok(true)
            })?;
        }
        Ok((counted, Some(found.into_iter().map(|document| (document, !majors.contains(&document))).collect())))
    }

    /// Like [`Self::matches`], by reading the texts of documents, because the index has too many terms that begin with a
    /// word. Reads results by name first and a limited number of other documents, so that texts of other users cannot make
    /// a search take longer; it then finds and counts only a part of the results.
    fn checked(&self, max_counted: usize) -> Result<(usize, Option<Matches>)> {
        let mut found = with_id(self.conn, self.words.id())?;
        for pk in &self.pks {
            self.tx.core().check_alive()?;
            found.extend(with_name_start(self.conn, *pk, &self.words.whole)?);
        }
        found.retain(|document| self.ranges.contains(*document));
        found.truncate(MAX_RANKED);
        let mut found: Matches = found.into_iter().map(|document| (document, false)).collect();
        let mut read = 0;
        let visit = |document: Document| {
            self.tx.core().check_alive()?;
            if let (true, is_minor) = self.has_all_words(document)? {
                found.push((document, is_minor));
            }
            read += 1;
            Ok(read < MAX_CHECKED && found.len() < 2 * MAX_RANKED)
        };
        match &self.expressions.all {
            Some(expression) => scan(self.conn, expression, &self.ranges, None, visit)?,
            None => scan_all(self.conn, &self.ranges, visit)?,
        }
        found.sort_unstable();
        found.dedup_by_key(|(document, _)| *document);
        let more_than_counted = max_counted.saturating_add(1);
        let total = if read < MAX_CHECKED { found.len().min(more_than_counted) } else { more_than_counted };
        Ok((total, Some(found)))
    }

    /// Whether the document has all words, and if so, whether only with texts that count less.
    fn has_all_words(&self, found: Document) -> Result<(bool, bool)> {
        let Some((row_id, _)) = document(self.conn, found)? else { return Ok((false, false)) };
        let texts = find_texts(self.conn, (found.workspace_pk(), found.kind(), &row_id))?;
        Ok(texts.map_or((false, false), |texts| texts.have(&self.words.list)))
    }

    /// The page of results, given all of them.
    fn ranked(&self, documents: Matches) -> Result<Vec<SortKey>> {
        let mut keys = Vec::with_capacity(documents.len());
        for (document, is_minor) in documents {
            keys.extend(self.score(document, is_minor)?.map(|score| SortKey::new(score, document)));
        }
        keys.retain(|key| self.after.is_none_or(|after| *key > after));
        keys.sort_unstable();
        keys.truncate(self.limit);
        Ok(keys)
    }

    fn score(&self, found: Document, is_minor: bool) -> Result<Option<Score>> {
        let row = document(self.conn, found)?;
        Ok(row.map(|(id, name)| self.words.score((found.kind(), is_minor), &id, &name)))
    }

    /// The page of results, read from the best rank down until the page is full.
    fn by_rank(&self) -> Result<Vec<SortKey>> {
        let mut page = Vec::new();
        let Expressions { all, major, in_name, starts, .. } = &self.expressions;
        let except = |this: &Option<String>, other: &Option<String>| match (this, other) {
            (Some(this), Some(other)) => Some(format!("({this}) NOT ({other})")),
            (this, _) => this.clone(),
        };
        let steps: [(Score, Option<String>); 6] = [
            (Score::Exact, None),
            (Score::NameStart, None),
            (Score::WordStarts, starts.clone()),
            (Score::Name, except(in_name, starts)),
            (Score::Text, except(major, in_name)),
            (Score::Minor, except(all, major)),
        ];
        for (score, expression) in steps {
            let is_before = self.after.is_some_and(|after| after.score() < score);
            if is_before || page.len() >= self.limit {
                continue;
            }
            let after = self.after.filter(|after| after.score() == score).map(|after| after.document());
            match score {
                Score::Exact => self.exact(after, &mut page)?,
                Score::NameStart => self.name_starts(after, &mut page)?,
                _ => {
                    let Some(expression) = expression else { continue };
                    scan(self.conn, &expression, &self.ranges, after, |document| {
                        self.tx.core().check_alive()?;
                        // A better rank has been read before.
                        if self.score(document, score == Score::Minor)? == Some(score) {
                            page.push(SortKey::new(score, document));
                        }
                        Ok(page.len() < self.limit)
                    })?;
                }
            }
        }
        Ok(page)
    }

    fn exact(&self, after: Option<Document>, page: &mut Vec<SortKey>) -> Result<()> {
        let mut found = with_id(self.conn, self.words.id())?;
        for pk in &self.pks {
            found.extend(with_name(self.conn, *pk, &self.words.whole)?);
        }
        found.sort_unstable();
        found.dedup();
        self.take(Score::Exact, found, after, page)
    }

    fn name_starts(&self, after: Option<Document>, page: &mut Vec<SortKey>) -> Result<()> {
        for pk in &self.pks {
            if after.is_some_and(|after| after.workspace_pk() > *pk) {
                continue;
            }
            if page.len() >= self.limit {
                break;
            }
            let mut found = with_name_start(self.conn, *pk, &self.words.whole)?;
            found.sort_unstable();
            self.take(Score::NameStart, found, after, page)?;
        }
        Ok(())
    }

    fn take(&self, score: Score, found: Vec<Document>, after: Option<Document>, page: &mut Vec<SortKey>) -> Result<()> {
        for document in found {
            self.tx.core().check_alive()?;
            if page.len() >= self.limit {
                break;
            }
            let is_new = after.is_none_or(|after| document > after) && self.ranges.contains(document);
            if is_new && self.score(document, false)? == Some(score) {
                page.push(SortKey::new(score, document));
            }
        }
        Ok(())
    }

    fn hit(&self, found: Document, visible: &HashMap<i64, (String, String)>) -> Result<Option<Hit>> {
        self.tx.core().check_alive()?;
        let (pk, kind) = (found.workspace_pk(), found.kind());
        let Some((row_id, _)) = document(self.conn, found)? else { return Ok(None) };
        let Some((workspace_id, workspace_name)) = visible.get(&pk) else { return Ok(None) };
        let Some(texts) = find_texts(self.conn, (pk, kind, &row_id))? else { return Ok(None) };
        let Some(organization_slug) = organization_slug(self.conn, pk)? else { return Ok(None) };
        let (field, matched) = matched(&texts, &self.words.list);
        let excerpt = match kind {
            HitKind::Relationship => None,
            HitKind::Note | HitKind::Decision => excerpt(&texts.text, &self.words.list),
            HitKind::Process => excerpt(&[texts.description.as_str(), &texts.text].join("\n"), &self.words.list),
            HitKind::Workspace | HitKind::Component => excerpt(&texts.description, &self.words.list),
        };
        let ends = if kind == HitKind::Relationship { ends(self.conn, pk, &row_id)? } else { None };
        let Texts { id, name, type_id, .. } = texts;
        let (workspace_id, workspace_name) = (workspace_id.clone(), workspace_name.clone());
        Ok(Some(Hit {
            kind,
            workspace_id,
            workspace_name,
            organization_slug,
            id,
            name,
            type_id,
            excerpt,
            field,
            matched,
            ends,
        }))
    }
}
