//! Compares the schema of a database with the schema that the migrations create. A database from an untrusted source can
//! contain triggers that run when the server writes, or views in place of tables.

use std::{collections::BTreeMap, path::Path};

use rusqlite::Connection;

use super::{
    definition::{HISTORY, tokens},
    migrate,
    open_error::OpenError,
    schema_32,
};

/// Tables that no migration creates: those of SQLite and Litestream, and those of the search index, which the server
/// creates and fills itself. If a release changes one of them, the earlier definition stays here, because backups have it.
const KNOWN: [&str; 11] = [
    "CREATE TABLE sqlite_sequence (name, seq)",
    "CREATE TABLE sqlite_stat1 (tbl, idx, stat)",
    "CREATE TABLE sqlite_stat4 (tbl, idx, neq, nlt, ndlt, sample)",
    "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)",
    "CREATE TABLE _litestream_lock (id INTEGER)",
    "CREATE VIRTUAL TABLE search_index USING fts5 (
        name, words, rest, minor, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1')",
    "CREATE VIRTUAL TABLE search_term USING fts5vocab (search_index, row)",
    "CREATE TABLE 'search_index_data' (id INTEGER PRIMARY KEY, block BLOB)",
    "CREATE TABLE 'search_index_idx' (segid, term, pgno, PRIMARY KEY (segid, term)) WITHOUT ROWID",
    "CREATE TABLE 'search_index_docsize' (id INTEGER PRIMARY KEY, sz BLOB, origin INTEGER)",
    "CREATE TABLE 'search_index_config' (k PRIMARY KEY, v) WITHOUT ROWID",
];

/// The tokens of each definition, by type (such as `table`) and name.
type Schema = BTreeMap<(String, String), Vec<String>>;

/// Describes the first difference from the schema of the migrations as a clause. Returns `None` if the schemas are equal.
pub(super) fn foreign(connection: &Connection, path: &Path) -> Result<Option<String>, OpenError> {
    let sorted = |error| OpenError::sorted(path, &error);
    let encoding: String = connection.pragma_query_value(None, "encoding", |row| row.get(0)).map_err(sorted)?;
    if encoding != "UTF-8" {
        return Ok(Some(format!("its encoding is {encoding} instead of UTF-8")));
    }
    let found = entries(connection).map_err(sorted)?;
    let version = migrate::version(connection).map_err(sorted)?.unwrap_or(0);
    let expected = expected(version).map_err(|reason| OpenError::Other { path: path.display().to_string(), reason })?;
    Ok(difference(&expected, &found, version))
}

/// Rejects a database of schema 32 with other definitions or another record of its migrations. Later migrations would change
/// something else than they were written for.
pub(super) fn expect_upgradable(connection: &Connection, path: &Path) -> Result<(), OpenError> {
    let sorted = |error| OpenError::sorted(path, &error);
    if migrate::version(connection).map_err(sorted)? != Some(schema_32::VERSION) {
        return Ok(());
    }
    let is_recorded = schema_32::is_recorded(connection).map_err(sorted)?;
    let altered = match foreign(connection, path)? {
        None if is_recorded => return Ok(()),
        None => "migrations are missing in its record".to_owned(),
        Some(what) => what,
    };
    let reason = format!(
        "{altered}; Planroom has not created this, and cannot upgrade the database. Remove the difference, or restore a backup"
    );
    Err(OpenError::Other { path: path.display().to_string(), reason })
}

fn difference(expected: &Schema, found: &Schema, version: i32) -> Option<String> {
    if let Some((kind, name)) = found.keys().find(|entry| !expected.contains_key(*entry)) {
        return Some(format!("schema version {version} has no {kind} `{name}`"));
    }
    let (entry @ (kind, name), _) = expected.iter().find(|(entry, tokens)| found.get(*entry) != Some(*tokens))?;
    Some(match found.get(entry) {
        None => format!("the {kind} `{name}` is missing"),
        Some(_) => format!("the {kind} `{name}` differs from schema version {version}"),
    })
}

/// The schema of an open database, without the tables that no migration creates and the indexes that SQLite adds.
fn entries(connection: &Connection) -> rusqlite::Result<Schema> {
    let sql = r"SELECT type, name, sql FROM sqlite_schema
                WHERE NOT (type = 'index' AND sql IS NULL AND name LIKE 'sqlite\_autoindex\_%' ESCAPE '\')";
    let known: Vec<_> = KNOWN.into_iter().chain([HISTORY]).map(tokens).collect();
    let mut statement = connection.prepare(sql)?;
    let entries = statement.query_map([], |row| {
        let definition: Option<String> = row.get(2)?;
        Ok(((row.get(0)?, row.get(1)?), tokens(&definition.unwrap_or_default())))
    })?;
    entries.filter(|entry| !entry.as_ref().is_ok_and(|(_, tokens)| known.contains(tokens))).collect()
}

/// The schema of a version, created by its migrations.
fn expected(version: i32) -> Result<Schema, String> {
    let mut connection = Connection::open_in_memory().map_err(|error| error.to_string())?;
    migrate::create(&mut connection, version)?;
    entries(&connection).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_encoded_in_utf_8() {
        let mut database = Connection::open_in_memory().unwrap();
        database.pragma_update(None, "encoding", "UTF-16le").unwrap();
        migrate::create(&mut database, migrate::known()).unwrap();
        let found = foreign(&database, Path::new("copy.db")).unwrap();
        assert_eq!(found.as_deref(), Some("its encoding is UTF-16le instead of UTF-8"));
    }

    #[test]
    fn each_version_has_its_own_schema() {
        for version in [33, 37, migrate::known()] {
            let all = expected(version).unwrap();
            assert_eq!(difference(&all, &all, version), None);
            let keywords = ["and", "check", "collate", "default", "false", "not", "null", "or", "true", "unique"];
            assert!(
                !all.values().flatten().any(|token| keywords.contains(&token.as_str())),
                "{keywords:?} in lowercase"
            );
        }
        let (old, new) = (expected(33).unwrap(), expected(migrate::known()).unwrap());
        assert!(difference(&old, &new, 33).is_some() && difference(&new, &old, 44).is_some());
    }
}
