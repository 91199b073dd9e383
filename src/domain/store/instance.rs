//! What the instance says of itself.

use rusqlite::Connection;
use serde_json::Value;

use super::one;
use crate::error::Result;

/// Its name, if one was given.
pub(in crate::domain) fn name(conn: &Connection) -> Result<Option<String>> {
    let value: Option<Value> =
        one(conn, "SELECT value FROM setting WHERE key = 'instance.name'", [], |row| row.get::<_, String>(0))?
            .map(|text| serde_json::from_str(&text))
            .transpose()?;
    Ok(value.and_then(|value| value.as_str().map(str::to_owned)))
}
