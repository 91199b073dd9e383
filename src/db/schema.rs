//! Compares the schema of a database with the schema that the migrations create. A database from an untrusted source can
//! contain triggers that run when the server writes, or views in place of tables.

use std::{collections::BTreeMap, path::Path};

use rusqlite::Connection;

use super::{migrate, open_error::OpenError};

/// The migrations record themselves in this table, whose definition depends on the release that created it.
const HISTORY: &str = "refinery_schema_history";
/// Tables of Litestream.
const OF_LITESTREAM: [&str; 2] = ["_litestream_seq", "_litestream_lock"];
/// Virtual tables that the server creates and fills itself, with their modules. Their definition depends on the release that
/// filled them.
const OF_SEARCH: [(&str, &str); 2] = [("search_index", "fts5"), ("search_term", "fts5vocab")];
/// Tables that store the content of `search_index`.
const STORES_OF_SEARCH: [&str; 5] = ["_data", "_idx", "_content", "_docsize", "_config"];

/// The tokens of each definition, by type (such as `table`) and name.
type Schema = BTreeMap<(String, String), Vec<String>>;

/// Describes the first difference from the schema of the migrations as a clause. Returns `None` if the schemas are equal.
pub(super) fn foreign(connection: &Connection, path: &Path) -> Result<Option<String>, OpenError> {
    let sorted = |error| OpenError::sorted(path, &error);
    let found = entries(connection).map_err(sorted)?;
    let version = migrate::version(connection).map_err(sorted)?.unwrap_or(0);
    let expected = expected(version).map_err(|reason| OpenError::Other { path: path.display().to_string(), reason })?;
    Ok(difference(&expected, &found, version))
}

fn difference(expected: &Schema, found: &Schema, version: i32) -> Option<String> {
    let unknown = found.iter().find(|(entry, tokens)| !expected.contains_key(*entry) && !is_known(entry, tokens));
    if let Some(((kind, name), _)) = unknown {
        return Some(format!("schema version {version} has no {kind} `{name}`"));
    }
    expected.iter().find_map(|((kind, name), tokens)| match found.get(&(kind.clone(), name.clone())) {
        None => Some(format!("the {kind} `{name}` is missing")),
        Some(other) if other != tokens && name != HISTORY => {
            Some(format!("the {kind} `{name}` differs from schema version {version}"))
        }
        Some(_) => None,
    })
}

/// Whether an entry that no migration creates belongs to the server, SQLite or Litestream.
fn is_known((kind, name): &(String, String), tokens: &[String]) -> bool {
    let begins_with = |words: &[&str]| tokens.len() >= words.len() && words.iter().zip(tokens).all(|(a, b)| a == b);
    let is_virtual =
        |(table, module)| name == table && begins_with(&["CREATE", "VIRTUAL", "TABLE", table, "USING", module, "("]);
    let is_store = name.strip_prefix(OF_SEARCH[0].0).is_some_and(|rest| STORES_OF_SEARCH.contains(&rest));
    let is_plain = (is_store || OF_LITESTREAM.contains(&name.as_str())) && begins_with(&["CREATE", "TABLE"]);
    kind == "table" && (is_plain || OF_SEARCH.into_iter().any(is_virtual))
}

/// The schema of an open database, without the entries that SQLite adds.
fn entries(connection: &Connection) -> rusqlite::Result<Schema> {
    let sql = r"SELECT type, name, sql FROM sqlite_schema
                WHERE NOT (type = 'table' AND name IN ('sqlite_sequence', 'sqlite_stat1', 'sqlite_stat4')
                           AND sql LIKE 'CREATE TABLE sqlite\_%' ESCAPE '\')
                  AND NOT (type = 'index' AND sql IS NULL AND name LIKE 'sqlite\_autoindex\_%' ESCAPE '\')";
    let mut statement = connection.prepare(sql)?;
    let entries = statement.query_map([], |row| {
        let definition: Option<String> = row.get(2)?;
        Ok(((row.get(0)?, row.get(1)?), tokens(&definition.unwrap_or_default())))
    })?;
    entries.collect()
}

/// The schema of a version, created by its migrations.
fn expected(version: i32) -> Result<Schema, String> {
    let mut connection = Connection::open_in_memory().map_err(|error| error.to_string())?;
    migrate::create(&mut connection, version)?;
    entries(&connection).map_err(|error| error.to_string())
}

/// The tokens of a definition without comments and quotes of names. Quotes depend on the release of SQLite that last changed
/// the definition.
fn tokens(definition: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut chars = definition.chars().peekable();
    while let Some(c) = chars.next() {
        let mut token = String::from(c);
        match c {
            '-' if chars.peek() == Some(&'-') => {
                while chars.next_if(|c| *c != '\n').is_some() {}
                continue;
            }
            // A doubled quote inside a string yields two adjacent strings.
            '\'' => {
                token.extend(std::iter::from_fn(|| chars.next_if(|c| *c != '\'')));
                token.extend(chars.next());
            }
            '"' | '`' => continue,
            c if c.is_whitespace() => continue,
            c if is_word(c) => token.extend(std::iter::from_fn(|| chars.next_if(|c| is_word(*c)))),
            _ => {}
        }
        tokens.push(token);
    }
    tokens
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_compared_by_their_tokens() {
        let one = tokens("CREATE TABLE \"a\" ( b TEXT -- it's a comment\n CHECK (b <> 'it''s -- none'))");
        assert_eq!(one, tokens("CREATE TABLE a(b TEXT CHECK(b<>'it''s -- none'))"));
        for other in
            ["CREATE TABLE a(b TEXT CHECK(b<>'it''s  -- none'))", "CREATE TABLE a(bTEXT CHECK(b<>'it''s -- none'))"]
        {
            assert_ne!(one, tokens(other), "{other}");
        }
    }

    #[test]
    fn each_version_has_its_own_schema() {
        for version in [1, 12, migrate::known()] {
            let all = expected(version).unwrap();
            assert_eq!(difference(&all, &all, version), None);
        }
        let (old, new) = (expected(1).unwrap(), expected(migrate::known()).unwrap());
        assert!(difference(&old, &new, 1).is_some() && difference(&new, &old, 32).is_some());
    }
}
