//! Two-factor authentication: encrypted secrets and unused recovery codes.

use rusqlite::{Connection, params};

use crate::{
    db::sql::{one, run},
    domain::accounts::two_factor::Factor,
    error::Result,
};

pub(in crate::domain) fn of_user(conn: &Connection, user_id: i64) -> Result<Option<Factor>> {
    one(
        conn,
        "SELECT secret, confirmed_at, last_step, recovery_codes FROM user_second_factor WHERE user_id = ?",
        [user_id],
        |row| {
            Ok(Factor {
                secret: row.get(0)?,
                confirmed_at: row.get(1)?,
                last_step: row.get(2)?,
                recovery_codes: row.get(3)?,
            })
        },
    )
}

/// Inserts or replaces the second factor of a user.
pub(in crate::domain) fn put(conn: &Connection, user_id: i64, factor: &Factor) -> Result<()> {
    run(
        conn,
        "INSERT OR REPLACE INTO user_second_factor (user_id, secret, confirmed_at, last_step, recovery_codes)
         VALUES (?, ?, ?, ?, ?)",
        params![user_id, factor.secret, factor.confirmed_at, factor.last_step, factor.recovery_codes],
    )?;
    Ok(())
}

/// Returns whether a row was deleted.
pub(in crate::domain) fn delete(conn: &Connection, user_id: i64) -> Result<bool> {
    Ok(run(conn, "DELETE FROM user_second_factor WHERE user_id = ?", [user_id])? > 0)
}
