//! Compares the schema of a database with the schema that the migrations create. A database from an untrusted source can
//! contain triggers that run when the server writes, or views in place of tables.

use std::{collections::BTreeMap, path::Path};

use rusqlite::{Connection, OptionalExtension};

use super::{migrate, open_error::OpenError};

/// The table in which the migrations record themselves.
const HISTORY: &str = "CREATE TABLE refinery_schema_history (
    version int4 PRIMARY KEY, name VARCHAR(255), applied_on VARCHAR(255), checksum VARCHAR(255))";
/// Other tables that no migration creates: those of SQLite and Litestream, and those of the search index, which the server
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

/// Whether the table in which the migrations record themselves exists. Nothing else of this name is queried: reading a view
/// might never end.
pub(super) fn has_history(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = 'refinery_schema_history'";
    let definition: Option<String> = connection.query_row(sql, [], |row| row.get(0)).optional()?;
    Ok(definition.is_some_and(|definition| tokens(&definition) == tokens(HISTORY)))
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

/// The tokens of a definition, as SQLite reads them, without comments and quotes of names. Quotes depend on the release of
/// SQLite that last changed the definition. Other quotes stay: SQLite reads `"NULL"` as a string.
fn tokens(definition: &str) -> Vec<String> {
    // No migration contains other control characters. SQLite ends a definition at a null character, even in a comment.
    let control = definition.chars().filter(|c| c.is_control() && !is_space(*c));
    let mut tokens: Vec<String> = control.map(String::from).collect();
    let mut chars = definition.chars().peekable();
    while let Some(c) = chars.next() {
        let mut token = String::from(c);
        match c {
            '-' if chars.peek() == Some(&'-') => {
                while chars.next_if(|c| *c != '\n').is_some() {}
                continue;
            }
            '\'' | '"' | '`' | '[' => {
                let end = if c == '[' { ']' } else { c };
                loop {
                    token.extend(std::iter::from_fn(|| chars.next_if(|c| *c != end)));
                    token.extend(chars.next());
                    // A doubled quote is part of the text.
                    if end == ']' || chars.next_if_eq(&end).is_none() {
                        break;
                    }
                    token.push(end);
                }
                let text = token.strip_prefix(c).and_then(|text| text.strip_suffix(end));
                let name = text.filter(|text| c != '\'' && is_name(text)).map(str::to_owned);
                token = name.unwrap_or(token);
            }
            c if is_space(c) => continue,
            c if is_word(c) => token.extend(std::iter::from_fn(|| chars.next_if(|c| is_word(*c)))),
            _ => {}
        }
        tokens.push(token);
    }
    tokens
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\x0c' | '\r')
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '$') || !c.is_ascii()
}

/// Whether a quoted text means the same without its quotes: the migrations write names in lowercase and keywords in uppercase.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_compared_by_their_tokens() {
        let one = tokens("CREATE TABLE \"a\" ( b TEXT -- it's a comment\n CHECK (b <> 'it''s -- none'))");
        assert_eq!(one, tokens("CREATE TABLE a(b TEXT CHECK(b<>'it''s -- none'))"));
        for other in [
            "CREATE TABLE a(b TEXT CHECK(b<>'it''s  -- none'))",
            "CREATE TABLE a(bTEXT CHECK(b<>'it''s -- none'))",
            "CREATE TABLE a(b TEXT CHECK(b<>'it' 's -- none'))",
        ] {
            assert_ne!(one, tokens(other), "{other}");
        }
    }

    #[test]
    fn quotes_hide_nothing() {
        let definition = "CREATE INDEX i ON t (n) WHERE d IS NULL";
        let own = tokens(definition);
        for same in
            ["CREATE INDEX \"i\" ON `t` ([n]) -- \"\n WHERE\td IS NULL", "CREATE\r\nINDEX i ON t(n)WHERE\"d\"IS NULL"]
        {
            assert_eq!(own, tokens(same), "{same}");
        }
        for other in [
            "CREATE INDEX i ON t (n) WHERE \"d IS NULL\"",
            "CREATE INDEX i ON t (n) WHERE d IS \"NULL\"",
            "CREATE INDEX i ON t (n) WHERE 'd' IS NULL",
            "CREATE INDEX i ON t (\"--\", \n n) WHERE d IS NULL",
            "CREATE INDEX i ON t (`--`, \n n) WHERE d IS NULL",
            "CREATE INDEX i ON t ([--], \n n) WHERE d IS NULL",
            "CREATE INDEX i ON t (\"a\"\"--\", \n n) WHERE d IS NULL",
            "CREATE INDEX i ON t (n) /* WHERE d IS NULL */",
            "CREATE INDEX i ON t (n) -- \0\n WHERE d IS NULL",
            "CREATE INDEX i ON t (n) WHERE d\u{a0} IS NULL",
            "CREATE INDEX i ON t (n) WHERE d\u{b} IS NULL",
        ] {
            assert_ne!(own, tokens(other), "{other}");
        }
    }

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
        for version in [1, 12, migrate::known()] {
            let all = expected(version).unwrap();
            assert_eq!(difference(&all, &all, version), None);
            let keywords = ["and", "check", "collate", "default", "false", "not", "null", "or", "true", "unique"];
            assert!(
                !all.values().flatten().any(|token| keywords.contains(&token.as_str())),
                "{keywords:?} in lowercase"
            );
        }
        let (old, new) = (expected(1).unwrap(), expected(migrate::known()).unwrap());
        assert!(difference(&old, &new, 1).is_some() && difference(&new, &old, 32).is_some());
    }
}
