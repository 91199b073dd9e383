//! Upgrades a database of schema 32, which has the tables, indexes and triggers that the first migrations create, but was
//! created by others. Its rows stay as they are, apart from logged and saved rows of even earlier schemas, which lack fields.

use std::{
    collections::{BTreeMap, HashMap},
    fmt::Write as _,
    io::{Read, Write as _},
};

use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use jiff::Timestamp;
use refinery_core::Migration;
use rusqlite::{Connection, Transaction, params};
use serde::Deserialize;
use serde_json::{Map, Value, json, value::RawValue};

/// The schema version.
pub(super) const VERSION: i32 = 32;
/// The last revision of the source with this schema. It upgrades all earlier schemas.
pub(super) const LAST_REVISION: &str = "6525b765";
/// The migration that completes the same schema.
pub(super) const SAME_AS: i32 = 44;

/// Number of logged rows that are read at a time.
const PAGE: i64 = 500;

/// Whether all migrations of schema 32 are recorded, and no others.
pub(super) fn is_recorded(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT count(*) = ?1 AND min(version) = 1 AND max(version) = ?1 FROM refinery_schema_history";
    connection.query_row(sql, [VERSION], |row| row.get(0))
}

/// Records `migrations` in place of those of schema 32, and completes logged and saved rows, in one transaction.
pub(super) fn upgrade(connection: &mut Connection, migrations: &[Migration], now: i64) -> rusqlite::Result<()> {
    let tx = connection.transaction()?;
    let mut added = complete_changes(&tx)?;
    for (organization, bytes) in complete_versions(&tx)? {
        *added.entry(organization).or_default() += bytes;
    }
    complete_drafts(&tx)?;
    for (organization, bytes) in added {
        tx.execute(
            "UPDATE stored_bytes SET bytes = bytes + ? WHERE organization_id = ?",
            params![bytes, organization],
        )?;
    }
    tx.execute("DELETE FROM refinery_schema_history", [])?;
    let applied_on = Timestamp::from_millisecond(now).unwrap_or_default().to_string();
    for migration in migrations.iter().filter(|migration| migration.version() <= SAME_AS) {
        tx.execute(
            "INSERT INTO refinery_schema_history (version, name, applied_on, checksum) VALUES (?, ?, ?, ?)",
            params![migration.version(), migration.name(), applied_on, migration.checksum().to_string()],
        )?;
    }
    tx.commit()
}

/// Completes the rows of the change log. Returns the number of added bytes by organization: no trigger counts updates.
fn complete_changes(tx: &Transaction<'_>) -> rusqlite::Result<HashMap<String, i64>> {
    type Found = (i64, String, String, Option<String>, Option<String>);
    let mut read = tx.prepare(
        "SELECT id, organization_id, entity, before, after FROM change
         WHERE id > ? AND entity IN ('workspace', 'component', 'relationship') ORDER BY id LIMIT ?",
    )?;
    let mut write = tx.prepare("UPDATE change SET before = ?, after = ? WHERE id = ?")?;
    let mut added: HashMap<String, i64> = HashMap::new();
    let mut last = 0;
    loop {
        let page = read.query_map(params![last, PAGE], |row| row.try_into())?;
        let page: Vec<Found> = page.collect::<rusqlite::Result<_>>()?;
        let Some((end, ..)) = page.last() else { return Ok(added) };
        last = *end;
        for (id, organization, entity, before, after) in page {
            let completed = |row: &Option<String>| row.as_deref().and_then(|row| completed(&entity, row));
            let (new_before, new_after) = (completed(&before), completed(&after));
            if new_before.is_none() && new_after.is_none() {
                continue;
            }
            let bytes = |row: &Option<String>| row.as_ref().map_or(0, String::len);
            let had = bytes(&before) + bytes(&after);
            let (before, after) = (new_before.or(before), new_after.or(after));
            let has = bytes(&before) + bytes(&after);
            *added.entry(organization).or_default() += i64::try_from(has - had).unwrap_or_default();
            write.execute(params![before, after, id])?;
        }
    }
}

/// Completes the rows of saved versions. Returns the number of added bytes by organization.
fn complete_versions(tx: &Transaction<'_>) -> rusqlite::Result<HashMap<String, i64>> {
    let mut added: HashMap<String, i64> = HashMap::new();
    for id in ids(tx, "SELECT id FROM version")? {
        let sql = "SELECT v.snapshot, w.organization_id FROM version v JOIN workspace w ON w.pk = v.workspace_pk
                   WHERE v.id = ?";
        let (snapshot, organization): (Vec<u8>, String) =
            tx.query_row(sql, [id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        if let Some(new) = completed_snapshot(&snapshot) {
            let length = |bytes: &[u8]| i64::try_from(bytes.len()).unwrap_or_default();
            *added.entry(organization).or_default() += length(&new) - length(&snapshot);
            tx.execute("UPDATE version SET snapshot = ? WHERE id = ?", params![new, id])?;
        }
    }
    Ok(added)
}

/// Completes the states from which drafts have started. A trigger counts their bytes.
fn complete_drafts(tx: &Transaction<'_>) -> rusqlite::Result<()> {
    for pk in ids(tx, "SELECT pk FROM draft WHERE base_state IS NOT NULL")? {
        let state: Vec<u8> = tx.query_row("SELECT base_state FROM draft WHERE pk = ?", [pk], |row| row.get(0))?;
        if let Some(new) = completed_snapshot(&state) {
            tx.execute("UPDATE draft SET base_state = ? WHERE pk = ?", params![new, pk])?;
        }
    }
    Ok(())
}

fn ids(tx: &Transaction<'_>, sql: &str) -> rusqlite::Result<Vec<i64>> {
    tx.prepare(sql)?.query_map([], |row| row.get(0))?.collect()
}

/// Completes a saved state: a compressed JSON object with a list for each kind of row. None if nothing is missing, or if it
/// cannot be read.
fn completed_snapshot(bytes: &[u8]) -> Option<Vec<u8>> {
    #[derive(Deserialize)]
    struct Rows<'s>(#[serde(borrow)] Vec<&'s RawValue>);

    let mut text = String::new();
    GzDecoder::new(bytes).read_to_string(&mut text).ok()?;
    let parts: BTreeMap<String, &RawValue> = serde_json::from_str(&text).ok()?;
    let mut is_changed = false;
    let mut new = String::from("{");
    let mut push = |name: &str, value: &str| {
        let comma = if new.len() > 1 { "," } else { "" };
        let _ = write!(new, "{comma}\"{name}\":{value}");
    };
    for (name, part) in &parts {
        let entity = match name.as_str() {
            "workspace" => "workspace",
            "components" => "component",
            "relationships" => "relationship",
            _ => {
                push(name, part.get());
                continue;
            }
        };
        let mut complete = |row: &RawValue| {
            let new = completed(entity, row.get());
            is_changed |= new.is_some();
            new.unwrap_or_else(|| row.get().to_owned())
        };
        if entity == "workspace" {
            push(name, &complete(part));
            continue;
        }
        let Rows(rows) = serde_json::from_str(part.get()).ok()?;
        let rows: Vec<String> = rows.into_iter().map(complete).collect();
        push(name, &format!("[{}]", rows.join(",")));
    }
    new.push('}');
    if !is_changed {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(new.as_bytes()).ok()?;
    encoder.finish().ok()
}

/// Adds the fields that a logged row lacks, with the values that the rows of the tables got when the fields were added. The
/// rest of the text stays as it is. None if no field is missing.
fn completed(entity: &str, row: &str) -> Option<String> {
    let fields: Map<String, Value> = serde_json::from_str(row).ok()?;
    let list = |name: &'static str| {
        let property = fields.get("properties").and_then(|properties| properties.get(name));
        (name, json!(keywords(property)))
    };
    let expected = match entity {
        "workspace" => vec![("organizationAccess", json!("view"))],
        "component" => {
            let empty = ["width", "height", "opens"].map(|name| (name, Value::Null));
            [list("tags"), list("technology")].into_iter().chain(empty).collect()
        }
        "relationship" => vec![list("technology"), ("line", Value::Null)],
        _ => return None,
    };
    let missing: Vec<_> = expected.into_iter().filter(|(name, _)| !fields.contains_key(*name)).collect();
    let mut text = row.trim_end().strip_suffix('}').filter(|_| !fields.is_empty() && !missing.is_empty())?.to_owned();
    for (name, value) in missing {
        let _ = write!(text, ",\"{name}\":{value}");
    }
    text.push('}');
    Some(text)
}

/// The tags or technologies in a property: a list of at most 32 texts of 1 to 80 characters, without white space at both
/// ends and without repetitions. None of them if the property has another form.
fn keywords(property: Option<&Value>) -> Vec<&str> {
    let list = property.and_then(Value::as_array).filter(|list| list.len() <= 32);
    let mut keywords = Vec::new();
    for item in list.into_iter().flatten() {
        let text = item.as_str().map(str::trim);
        match text.filter(|text| (1..=80).contains(&text.chars().count()) && !text.contains(char::is_control)) {
            Some(text) if keywords.contains(&text) => {}
            Some(text) => keywords.push(text),
            None => return Vec::new(),
        }
    }
    keywords
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_lists_of_texts() {
        let found = |property: Value| keywords(Some(&property)).join("|");
        assert_eq!(found(json!([" a ", "b", "a", "\u{2003}c\n"])), "a|b|c");
        for other in [
            json!("a"),
            json!({}),
            json!(["a", 1]),
            json!(["a", ""]),
            json!(["a\tb"]),
            json!(["x".repeat(81)]),
            json!(vec!["a"; 33]),
        ] {
            assert_eq!(found(other.clone()), "", "{other}");
        }
        assert!(keywords(None).is_empty());
    }

    #[test]
    fn rows_get_missing_fields_and_keep_their_text() {
        let row = r#"{"id":"a", "x":0.10000000000000001,"properties":{"tags":["t"]},"technology":["kept"]}"#;
        let expected = r#"{"id":"a", "x":0.10000000000000001,"properties":{"tags":["t"]},"technology":["kept"],"tags":["t"],"width":null,"height":null,"opens":null}"#;
        assert_eq!(completed("component", row).as_deref(), Some(expected));
        assert_eq!(completed("component", expected), None);
        assert_eq!(
            completed("workspace", r#"{"id":"w"}"#).as_deref(),
            Some(r#"{"id":"w","organizationAccess":"view"}"#)
        );
        assert_eq!(completed("stakeholder", r#"{"id":1}"#), None);
    }

    #[test]
    fn rows_of_saved_states_get_missing_fields() {
        let pack = |text: &str| {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(text.as_bytes()).unwrap();
            encoder.finish().unwrap()
        };
        let old = r#"{"workspace":{"id":"w"},"components":[],"relationships":[{"id":"r"}],"links":[{"id":1.50}]}"#;
        let new = completed_snapshot(&pack(old)).unwrap();
        let mut text = String::new();
        GzDecoder::new(&new[..]).read_to_string(&mut text).unwrap();
        assert_eq!(
            text,
            r#"{"components":[],"links":[{"id":1.50}],"relationships":[{"id":"r","technology":[],"line":null}],"workspace":{"id":"w","organizationAccess":"view"}}"#
        );
        assert_eq!(completed_snapshot(&new), None);
        assert_eq!(completed_snapshot(b"damaged"), None);
    }
}
