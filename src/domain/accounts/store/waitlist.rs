//! The waitlist.

use rusqlite::{Connection, Row, params};

use crate::{
    db::sql::{one, run},
    domain::{
        accounts::waitlist::{NewWaitlistEntry, WaitlistEntry},
        paging::{Page, Window, page},
        values::{Name, Text},
    },
    error::Result,
};

fn entry(row: &Row<'_>) -> rusqlite::Result<WaitlistEntry> {
    Ok(WaitlistEntry {
        id: row.get("id")?,
        email: row.get("email")?,
        name: row.get("name")?,
        company: row.get("company")?,
        note: row.get("note")?,
        created_at: row.get("created_at")?,
        invited_at: row.get("invited_at")?,
    })
}

/// Returns the id of the new entry; none if the address is on the waitlist already.
pub(in crate::domain) fn insert(conn: &Connection, new: &NewWaitlistEntry, now: i64) -> Result<Option<i64>> {
    one(
        conn,
        "INSERT INTO waitlist (email, name, company, note, created_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (email) DO NOTHING RETURNING id",
        params![
            new.email.as_str(),
            new.name.as_ref().map(Name::as_str),
            new.company.as_ref().map(Name::as_str),
            new.note.as_ref().map(Text::as_str),
            now
        ],
        |row| row.get(0),
    )
}

/// Waitlist entries, in creation order.
pub(in crate::domain) fn list(conn: &Connection, window: &Window<i64>) -> Result<Page<WaitlistEntry>> {
    let sql = "SELECT * FROM waitlist WHERE id > ? ORDER BY id LIMIT ?";
    page(conn, sql, [window.after, window.rows()], window, |row| Ok((row.get("id")?, entry(row)?)))
}

pub(in crate::domain) fn by_id(conn: &Connection, id: i64) -> Result<Option<WaitlistEntry>> {
    one(conn, "SELECT * FROM waitlist WHERE id = ?", [id], entry)
}

/// Returns whether a row was deleted.
pub(in crate::domain) fn delete(conn: &Connection, id: i64) -> Result<bool> {
    Ok(run(conn, "DELETE FROM waitlist WHERE id = ?", [id])? > 0)
}

pub(in crate::domain) fn invited(conn: &Connection, id: i64, now: i64) -> Result<()> {
    run(conn, "UPDATE waitlist SET invited_at = ? WHERE id = ?", params![now, id])?;
    Ok(())
}

/// Number of waitlist entries without an invitation.
pub(in crate::domain) fn count_open(conn: &Connection) -> Result<i64> {
    Ok(one(conn, "SELECT count(*) FROM waitlist WHERE invited_at IS NULL", [], |row| row.get(0))?.unwrap_or_default())
}
