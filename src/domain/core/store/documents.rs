//! The documents of the search index.

use std::collections::HashMap;

use icu_normalizer::ComposingNormalizerBorrowed;
use indexmap::IndexSet;
use rusqlite::{Connection, Row, params};
use serde_json::Value;

use crate::{
    db::sql::{all, one, run},
    domain::core::{
        scope::Scope,
        searched::{Affected, Dirty, HitKind},
    },
    error::{Error, Result},
};

/// Version of the index format. An index with another version is filled again at the next start.
const VERSION: i64 = 3;

/// Bits of a document's key below its workspace.
const WORKSPACE_BITS: u32 = 32;
/// Bits of a document's key below its kind: the number of the document among those of its workspace and kind.
const NUMBER_BITS: u32 = 28;

/// Stands before and after every indexed text and between the words of a name, so that the beginning of a text or word is
/// a part of a trigram. No query contains it.
const BOUNDARY: char = '\u{1}';

/// The key of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::domain) struct Document(pub(in crate::domain) i64);

impl Document {
    /// A key before all documents of a workspace and kind.
    pub(in crate::domain) fn before(workspace_pk: i64, kind: HitKind) -> Self {
        Self((workspace_pk << WORKSPACE_BITS) | ((kind as i64) << NUMBER_BITS))
    }

    /// The last possible key of a workspace and kind.
    pub(in crate::domain) fn last(workspace_pk: i64, kind: HitKind) -> Self {
        Self(Self::before(workspace_pk, kind).0 + (1 << NUMBER_BITS) - 1)
    }

    pub(in crate::domain) fn workspace_pk(self) -> i64 {
        self.0 >> WORKSPACE_BITS
    }

    pub(in crate::domain) fn kind(self) -> HitKind {
        let kind = (self.0 >> NUMBER_BITS) & ((1 << (WORKSPACE_BITS - NUMBER_BITS)) - 1);
        HitKind::ALL.into_iter().find(|known| *known as i64 == kind).unwrap_or(HitKind::Workspace)
    }
}

/// The first and last possible key of a workspace.
pub(in crate::domain) fn range(workspace_pk: i64) -> (i64, i64) {
    (workspace_pk << WORKSPACE_BITS, ((workspace_pk + 1) << WORKSPACE_BITS) - 1)
}

/// Maximum length of the name of a note, in characters.
const MAX_NAME_CHARS: usize = 200;

/// A row that has a document, by its workspace and its id; a workspace by its key only.
pub(in crate::domain) type RowKey = (i64, HitKind, String);

/// Searchable texts of a row. Lists have one item per line.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::domain) struct Texts {
    pub id: String,
    /// Name of a workspace, component or process; title of a decision; label of a relationship; first line of a note.
    pub name: String,
    pub type_id: Option<String>,
    pub technology: String,
    pub tags: String,
    /// Names of the people and teams that are stakeholders of a component.
    pub owners: String,
    pub description: String,
    /// Source text of a process; text of a note or decision.
    pub text: String,
    /// Texts and numbers in the properties of a component, up to a maximum length.
    pub properties: String,
}

impl Texts {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        let text = |column: usize| row.get::<_, Option<String>>(column).map(Option::unwrap_or_default);
        Ok(Self {
            id: text(0)?,
            name: text(1)?,
            type_id: row.get(2)?,
            technology: text(3)?,
            tags: text(4)?,
            owners: text(5)?,
            description: text(6)?,
            text: text(7)?,
            properties: property_texts(&text(8)?),
        })
    }

    /// With the first line of the text as the name, without the mark of a heading.
    fn named_by_text(self) -> Self {
        let first = self.text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let name = first.trim_start_matches('#').trim_start().chars().take(MAX_NAME_CHARS).collect();
        Self { name, ..self }
    }

    /// Whether the texts contain all of these [`folded`] words, and if so, whether only with the properties.
    pub(in crate::domain) fn have(&self, words: &[String]) -> (bool, bool) {
        let (name, rest, properties) = (folded(&self.name), folded(&self.rest()), folded(&self.properties));
        let is_major = |word: &String| name.contains(word) || rest.contains(word);
        let is_any = |word: &String| is_major(word) || properties.contains(word);
        (words.iter().all(is_any), !words.iter().all(is_major))
    }

    /// All texts but the name and the properties, as they are indexed.
    fn rest(&self) -> String {
        let parts = [
            self.id.as_str(),
            self.type_id.as_deref().unwrap_or_default(),
            &self.technology,
            &self.tags,
            &self.owners,
            &self.description,
            &self.text,
        ];
        let mut rest = String::with_capacity(parts.iter().map(|part| part.len() + 1).sum());
        for part in parts.into_iter().filter(|part| !part.is_empty()) {
            rest.push_str(part);
            rest.push('\n');
        }
        rest
    }
}

/// The texts and numbers in properties, one per line.
fn property_texts(properties: &str) -> String {
    /// Maximum length in characters: properties can be as long as a description, and are seldom what is looked for.
    const MAX_CHARS: usize = 2_000;
    fn add(value: &Value, texts: &mut String) {
        match value {
            Value::String(text) => texts.push_str(text),
            Value::Number(number) => texts.push_str(&number.to_string()),
            Value::Array(items) => return items.iter().for_each(|item| add(item, texts)),
            Value::Object(fields) => return fields.values().for_each(|field| add(field, texts)),
            Value::Null | Value::Bool(_) => return,
        }
        texts.push('\n');
    }
    let mut texts = String::new();
    if let Ok(properties) = serde_json::from_str(properties) {
        add(&properties, &mut texts);
    }
    match texts.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => texts[..end].to_owned(),
        None => texts,
    }
}

/// A text in the form in which search compares texts: in lowercase, with characters composed, and without differences of
/// lowercase letters that depend on their place (final sigma) or on the language (the dot of the Turkish İ).
pub(in crate::domain) fn folded(text: &str) -> String {
    const COMBINING_DOT_ABOVE: char = '\u{307}';
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let lower = ComposingNormalizerBorrowed::new_nfc().normalize(text).to_lowercase();
    lower.chars().filter(|c| *c != COMBINING_DOT_ABOVE).map(|c| if c == 'ς' { 'σ' } else { c }).collect()
}

/// A text as it is indexed. Trigrams begin at every character of it, the last included.
fn indexed(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let mut indexed = String::with_capacity(text.len() + 3);
    indexed.push(BOUNDARY);
    // FTS5 ignores what follows a NUL.
    indexed.extend(folded(text).chars().map(|c| if c == '\0' { BOUNDARY } else { c }));
    indexed.extend([BOUNDARY, BOUNDARY]);
    indexed
}

/// The words of a [`folded`] text, each after a [`BOUNDARY`].
pub(in crate::domain) fn word_starts(lower: &str) -> String {
    let mut words = String::with_capacity(lower.len() + 3);
    for word in lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        words.push(BOUNDARY);
        words.push_str(word);
    }
    words
}

/// Names of the people and teams of a component `c`.
const OWNERS: &str = "(SELECT group_concat(name, char(10)) FROM (
        SELECT DISTINCT coalesce(p.name, t.name) AS name FROM stakeholder s
        LEFT JOIN person p ON p.organization_id = s.organization_id AND p.id = s.person_id
        LEFT JOIN team t ON t.organization_id = s.organization_id AND t.id = s.team_id
        WHERE s.workspace_pk = c.workspace_pk AND s.component_id = c.id))";

/// The texts of a row.
pub(in crate::domain) fn find_texts(
    conn: &Connection,
    (workspace_pk, kind, id): (i64, HitKind, &str),
) -> Result<Option<Texts>> {
    let sql = match kind {
        HitKind::Workspace => {
            "SELECT id, name, NULL, NULL, NULL, NULL, description, NULL, NULL FROM workspace WHERE pk = ?1 AND ?2 IS NOT NULL"
        }
        HitKind::Component => &format!(
            "SELECT id, name, type_id,
                    iif(technology = '[]', NULL, (SELECT group_concat(value, char(10)) FROM json_each(technology))),
                    iif(tags = '[]', NULL, (SELECT group_concat(value, char(10)) FROM json_each(tags))),
                    {OWNERS}, description, NULL, nullif(properties, '{{}}')
             FROM component c WHERE workspace_pk = ?1 AND id = ?2"
        ),
        HitKind::Relationship => {
            "SELECT id, label, type_id,
                    iif(technology = '[]', NULL, (SELECT group_concat(value, char(10)) FROM json_each(technology))),
                    NULL, NULL, NULL, NULL, NULL
             FROM relationship WHERE workspace_pk = ?1 AND id = ?2"
        }
        HitKind::Process => {
            "SELECT id, name, NULL, NULL, NULL, NULL, description, mermaid, NULL
             FROM process WHERE workspace_pk = ?1 AND id = ?2"
        }
        HitKind::Note => {
            "SELECT id, NULL, NULL, NULL, NULL, NULL, NULL, text, NULL
             FROM note WHERE workspace_pk = ?1 AND id = ?2"
        }
        HitKind::Decision => {
            "SELECT id, title, NULL, NULL, NULL, NULL, NULL, body, NULL
             FROM decision WHERE workspace_pk = ?1 AND id = ?2"
        }
    };
    let texts = one(conn, sql, params![workspace_pk, id], Texts::read)?;
    Ok(texts.map(|texts| if kind == HitKind::Note { texts.named_by_text() } else { texts }))
}

/// The rows whose documents a write affects.
fn rows(conn: &Connection, scope: &Scope, affected: Affected) -> Result<Vec<RowKey>> {
    let component = |row: &Row<'_>| Ok((row.get(0)?, HitKind::Component, row.get(1)?));
    match affected {
        Affected::Row(kind, id) => Ok(scope.workspace_pk().map(|pk| (pk, kind, id)).into_iter().collect()),
        Affected::OfPerson(id) => {
            let sql = "SELECT DISTINCT workspace_pk, component_id FROM stakeholder
                       WHERE organization_id = ? AND person_id = ?";
            all(conn, sql, params![scope.organization_id(), id], component)
        }
        Affected::OfTeam(id) => {
            let sql = "SELECT DISTINCT workspace_pk, component_id FROM stakeholder
                       WHERE organization_id = ? AND team_id = ?";
            all(conn, sql, params![scope.organization_id(), id], component)
        }
    }
}

/// Whether all documents are indexed in the current [`VERSION`].
pub(in crate::domain) fn are_complete(conn: &Connection) -> Result<bool> {
    let version: Option<i64> = one(conn, "SELECT version FROM search_state", [], |row| row.get(0))?;
    Ok(version == Some(VERSION))
}

/// Records that all documents are indexed.
pub(in crate::domain) fn mark_complete(conn: &Connection) -> Result<()> {
    run(conn, "UPDATE search_state SET version = ?", [VERSION]).map(drop)
}

/// Records that the index has missing or outdated documents.
pub(in crate::domain) fn mark_incomplete(conn: &Connection) -> Result<()> {
    run(conn, "UPDATE search_state SET version = 0 WHERE version <> 0", []).map(drop)
}

/// The rows whose documents a transaction has changed, without rows of drafts, which are not searchable.
pub(in crate::domain) fn of_dirty(conn: &Connection, dirty: Dirty) -> Result<Vec<RowKey>> {
    let mut found = IndexSet::new();
    for (scope, affected) in dirty {
        found.extend(rows(conn, &scope, affected)?);
    }
    let mut found: Vec<RowKey> = found.into_iter().collect();
    without_drafts(conn, &mut found)?;
    Ok(found)
}

/// Removes rows of drafts.
fn without_drafts(conn: &Connection, rows: &mut Vec<RowKey>) -> Result<()> {
    let mut drafts: HashMap<i64, bool> = HashMap::new();
    for (pk, ..) in rows.iter() {
        if !drafts.contains_key(pk) {
            let sql = "SELECT base_pk IS NOT NULL FROM workspace WHERE pk = ?";
            drafts.insert(*pk, one(conn, sql, [pk], |row| row.get(0))?.unwrap_or_default());
        }
    }
    rows.retain(|(pk, ..)| drafts.get(pk) != Some(&true));
    Ok(())
}

/// Brings the documents of `rows` up to date.
pub(in crate::domain) fn index(
    conn: &Connection,
    rows: Vec<RowKey>,
    check_alive: impl Fn() -> Result<()>,
) -> Result<()> {
    let mut last_numbers: HashMap<(i64, HitKind), i64> = HashMap::new();
    let mut documents = Vec::with_capacity(rows.len());
    for row in rows {
        check_alive()?;
        let document = find(conn, &row)?;
        let is_new = document.is_none();
        let document = match document {
            Some(document) => document,
            None => {
                let (workspace_pk, kind, _) = row;
                let last = match last_numbers.get(&(workspace_pk, kind)) {
                    Some(last) => *last,
                    None => last_document(conn, workspace_pk, kind)?,
                };
                if last >= Document::last(workspace_pk, kind).0 {
                    return Err(Error::internal("the search index has no free keys in a workspace"));
                }
                last_numbers.insert((workspace_pk, kind), last + 1);
                last + 1
            }
        };
        documents.push((document, is_new, row));
    }
    documents.sort_unstable_by_key(|(document, ..)| *document);
    for (document, is_new, row) in documents {
        check_alive()?;
        let (workspace_pk, kind, id) = &row;
        match (find_texts(conn, (*workspace_pk, *kind, id))?, is_new) {
            (Some(texts), true) => insert(conn, document, &row, &texts)?,
            (Some(texts), false) => update(conn, document, *kind, &texts)?,
            (None, false) => delete(conn, document)?,
            (None, true) => {}
        }
    }
    Ok(())
}

fn find(conn: &Connection, (workspace_pk, kind, id): &RowKey) -> Result<Option<i64>> {
    // A workspace can get another id.
    if *kind == HitKind::Workspace {
        let last = last_document(conn, *workspace_pk, *kind)?;
        return Ok(Some(last).filter(|last| *last > Document::before(*workspace_pk, *kind).0));
    }
    let sql = "SELECT document FROM search_document WHERE row_id = ? AND workspace_pk = ? AND kind = ?";
    one(conn, sql, params![id, workspace_pk, *kind as i64], |row| row.get(0))
}

/// The last document of a workspace and kind; the key before all of them if there is none.
fn last_document(conn: &Connection, workspace_pk: i64, kind: HitKind) -> Result<i64> {
    let (first, last) = (Document::before(workspace_pk, kind).0, Document::last(workspace_pk, kind).0);
    let sql = "SELECT max(document) FROM search_document WHERE document BETWEEN ? AND ?";
    Ok(one(conn, sql, [first, last], |row| row.get::<_, Option<i64>>(0))?.flatten().unwrap_or(first))
}

/// Adds a document.
fn insert(conn: &Connection, document: i64, (workspace_pk, kind, _): &RowKey, texts: &Texts) -> Result<()> {
    let name = folded(&texts.name);
    run(
        conn,
        "INSERT INTO search_document (document, workspace_pk, kind, row_id, name) VALUES (?, ?, ?, ?, ?)",
        params![document, workspace_pk, *kind as i64, texts.id, name],
    )?;
    let (words, rest, minor) = columns(*kind, &name, texts);
    let sql = "INSERT INTO search_index (rowid, name, words, rest, minor) VALUES (?, ?, ?, ?, ?)";
    run(conn, sql, params![document, indexed(&name), words, rest, minor]).map(drop)
}

fn update(conn: &Connection, document: i64, kind: HitKind, texts: &Texts) -> Result<()> {
    let name = folded(&texts.name);
    let sql = "UPDATE search_document SET row_id = ?1, name = ?2 WHERE document = ?3 AND (row_id, name) <> (?1, ?2)";
    run(conn, sql, params![texts.id, name, document])?;
    let (words, rest, minor) = columns(kind, &name, texts);
    let sql = "UPDATE search_index SET name = ?, words = ?, rest = ?, minor = ? WHERE rowid = ?";
    run(conn, sql, params![indexed(&name), words, rest, minor, document]).map(drop)
}

fn delete(conn: &Connection, document: i64) -> Result<()> {
    run(conn, "DELETE FROM search_index WHERE rowid = ?", [document])?;
    run(conn, "DELETE FROM search_document WHERE document = ?", [document]).map(drop)
}

/// The indexed columns after the name: its words, and all other texts, in another column those by which a row is found
/// last: properties, and all texts of relationships.
fn columns(kind: HitKind, name: &str, texts: &Texts) -> (String, String, String) {
    let rest = indexed(&texts.rest());
    let words = word_starts(name);
    let words = if words.is_empty() { words } else { words + "\u{1}\u{1}" };
    if kind == HitKind::Relationship { (words, String::new(), rest) } else { (words, rest, indexed(&texts.properties)) }
}
