//! Reads definitions in the schema of a database as SQLite does.

use rusqlite::{Connection, OptionalExtension};

/// The table in which the migrations record themselves.
pub(super) const HISTORY: &str = "CREATE TABLE refinery_schema_history (
    version int4 PRIMARY KEY, name VARCHAR(255), applied_on VARCHAR(255), checksum VARCHAR(255))";

/// Whether the table in which the migrations record themselves exists. Nothing else of this name is queried: reading a view
/// might never end.
pub(super) fn has_history(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = 'refinery_schema_history'";
    let definition: Option<String> = connection.query_row(sql, [], |row| row.get(0)).optional()?;
    Ok(definition.is_some_and(|definition| tokens(&definition) == tokens(HISTORY)))
}

/// The tokens of a definition, as SQLite reads them, without comments and quotes of names. Quotes depend on the release of
/// SQLite that last changed the definition. Other quotes stay: SQLite reads `"NULL"` as a string.
pub(super) fn tokens(definition: &str) -> Vec<String> {
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
}
