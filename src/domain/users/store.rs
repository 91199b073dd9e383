//! User accounts.

use rusqlite::{Connection, Row, params};

use super::{NewUserRow, OwnFields, Profile, User};
use crate::{
    db::sql::{exists, one, run},
    domain::paging::{Page, Window, page},
    error::Result,
};

const COLUMNS: &str =
    "id, login, display_name, email, is_email_confirmed, avatar_url, is_admin, is_suspended, created_at, last_login_at,
    (SELECT issuer FROM user_identity i WHERE i.user_id = user.id ORDER BY i.created_at LIMIT 1) AS issuer";

fn user(row: &Row<'_>) -> rusqlite::Result<User> {
    let email: Option<String> = row.get("email")?;
    Ok(User {
        id: row.get("id")?,
        login: row.get("login")?,
        display_name: row.get("display_name")?,
        email_confirmed: email.is_some() && row.get("is_email_confirmed")?,
        email,
        avatar_url: row.get("avatar_url")?,
        provider: provider(row)?.into(),
        is_admin: row.get("is_admin")?,
        is_suspended: row.get("is_suspended")?,
        created_at: row.get("created_at")?,
        last_login_at: row.get("last_login_at")?,
    })
}

/// The columns of a [`Profile`], from `user u`.
pub(in crate::domain) const PROFILE: &str = "u.id AS profile_id, u.login, u.display_name, u.avatar_url,
    (SELECT issuer FROM user_identity i WHERE i.user_id = u.id ORDER BY i.created_at LIMIT 1) AS issuer";

/// Where an account is managed, by the issuer of its first identity: `local` without an identity, `clerk` for Clerk's
/// issuers, `oidc` for any other identity provider.
fn provider(row: &Row<'_>) -> rusqlite::Result<&'static str> {
    let issuer: Option<String> = row.get("issuer")?;
    let host = issuer.as_deref().map(|issuer| issuer.split("://").last().unwrap_or_default());
    Ok(match host {
        None => "local",
        Some(host) if host.starts_with("clerk.") || host.ends_with(".clerk.accounts.dev") => "clerk",
        Some(_) => "oidc",
    })
}

pub(in crate::domain) fn profile(row: &Row<'_>) -> rusqlite::Result<Profile> {
    Ok(Profile {
        id: row.get("profile_id")?,
        display_name: row.get("display_name")?,
        login: row.get("login")?,
        avatar_url: row.get("avatar_url")?,
        provider: provider(row)?.into(),
    })
}

pub(in crate::domain) fn profile_by_id(conn: &Connection, id: i64) -> Result<Option<Profile>> {
    one(conn, &format!("SELECT {PROFILE} FROM user u WHERE u.id = ?"), [id], profile)
}

pub(in crate::domain) fn by_id(conn: &Connection, id: i64) -> Result<Option<User>> {
    one(conn, &format!("SELECT {COLUMNS} FROM user WHERE id = ?"), [id], user)
}

/// A user and their password hash, by login; case is ignored.
pub(in crate::domain) fn by_login(conn: &Connection, login: &str) -> Result<Option<(User, Option<String>)>> {
    one(conn, &format!("SELECT {COLUMNS}, password_hash FROM user WHERE login = ?"), [login], |row| {
        Ok((user(row)?, row.get("password_hash")?))
    })
}

/// Subject of a user's session JWTs: the id at the external identity provider that issues them, or the user id.
pub(in crate::domain) fn subject(conn: &Connection, id: i64) -> Result<String> {
    let sql = "SELECT subject FROM user_identity WHERE user_id = ? ORDER BY created_at LIMIT 1";
    Ok(one(conn, sql, [id], |row| row.get(0))?.unwrap_or_else(|| id.to_string()))
}

pub(in crate::domain) fn any(conn: &Connection) -> Result<bool> {
    exists(conn, "SELECT EXISTS (SELECT 1 FROM user)", [])
}

/// Users, in creation order.
pub(in crate::domain) fn list(conn: &Connection, window: &Window<i64>) -> Result<Page<User>> {
    let sql = format!("SELECT {COLUMNS} FROM user WHERE id > ? ORDER BY id LIMIT ?");
    page(conn, &sql, [window.after, window.rows()], window, |row| Ok((row.get("id")?, user(row)?)))
}

/// Whether a user other than `id` is an administrator of the instance and not suspended.
pub(in crate::domain) fn another_admin(conn: &Connection, id: i64) -> Result<bool> {
    const SQL: &str = "SELECT EXISTS (SELECT 1 FROM user WHERE is_admin = 1 AND is_suspended = 0 AND id <> ?)";
    exists(conn, SQL, [id])
}

/// Login of an account other than `id` with this email address; case is ignored.
pub(in crate::domain) fn with_email(conn: &Connection, email: &str, id: i64) -> Result<Option<String>> {
    one(conn, "SELECT login FROM user WHERE email = ? COLLATE NOCASE AND id <> ?", params![email, id], |row| row.get(0))
}

/// Updates the fields of an account that an administrator controls.
pub(in crate::domain) fn decide(
    conn: &Connection,
    id: i64,
    (is_admin, is_suspended): (bool, bool),
    (email, is_email_confirmed): (Option<&str>, bool),
) -> Result<()> {
    let sql = "UPDATE user SET is_admin = ?, is_suspended = ?, email = ?, is_email_confirmed = ? WHERE id = ?";
    run(conn, sql, params![is_admin, is_suspended, email, is_email_confirmed, id])?;
    Ok(())
}

/// Updates the fields of an account that its user controls.
pub(in crate::domain) fn set_own_fields(conn: &Connection, id: i64, own: &OwnFields<'_>) -> Result<()> {
    let OwnFields { display_name, avatar_url, email, is_email_confirmed } = own;
    let sql = "UPDATE user SET display_name = ?, avatar_url = ?, email = ?, is_email_confirmed = ? WHERE id = ?";
    run(conn, sql, params![display_name, avatar_url, email, is_email_confirmed, id])?;
    Ok(())
}

/// Returns the id of the new user.
pub(in crate::domain) fn insert(conn: &Connection, new: &NewUserRow<'_>, now: i64) -> Result<i64> {
    run(
        conn,
        "INSERT INTO user (login, display_name, email, password_hash, is_admin, created_at) VALUES (?, ?, ?, ?, ?, ?)",
        params![new.login, new.display_name, new.email, new.password_hash, new.is_admin, now],
    )?;
    Ok(conn.last_insert_rowid())
}

pub(in crate::domain) fn signed_in(conn: &Connection, id: i64, now: i64) -> Result<()> {
    run(conn, "UPDATE user SET last_login_at = ? WHERE id = ?", params![now, id])?;
    Ok(())
}

/// Argon2id hash of a user's password; none for an account without a password.
pub(in crate::domain) fn password_hash(conn: &Connection, id: i64) -> Result<Option<String>> {
    Ok(one(conn, "SELECT password_hash FROM user WHERE id = ?", [id], |row| row.get(0))?.flatten())
}

/// Accepts the user's password until a time even if passwords are refused.
pub(in crate::domain) fn open_password(conn: &Connection, id: i64, until: i64) -> Result<()> {
    run(conn, "UPDATE user SET password_open_until = ? WHERE id = ?", params![until, id])?;
    Ok(())
}

/// Time until which the password is accepted even if passwords are refused.
pub(in crate::domain) fn password_open_until(conn: &Connection, id: i64) -> Result<Option<i64>> {
    Ok(one(conn, "SELECT password_open_until FROM user WHERE id = ?", [id], |row| row.get(0))?.flatten())
}

/// Whether the password is accepted at `now` even if passwords are refused.
pub(in crate::domain) fn is_password_open(conn: &Connection, id: i64, now: i64) -> Result<bool> {
    exists(conn, "SELECT EXISTS (SELECT 1 FROM user WHERE id = ? AND password_open_until > ?)", params![id, now])
}

/// Removes a user's password. Returns whether there was one.
pub(in crate::domain) fn remove_password(conn: &Connection, id: i64) -> Result<bool> {
    let sql = "UPDATE user SET password_hash = NULL, password_open_until = NULL
               WHERE id = ? AND password_hash IS NOT NULL";
    Ok(run(conn, sql, [id])? > 0)
}

pub(in crate::domain) fn set_password_hash(conn: &Connection, id: i64, hash: &str) -> Result<()> {
    run(conn, "UPDATE user SET password_hash = ? WHERE id = ?", params![hash, id])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::paging::list_tests::{assert_read_by_key, seeded};

    #[test]
    fn a_page_of_a_long_list_reads_only_its_own_rows() {
        let conn = seeded();
        assert_read_by_key("users", &conn, |window| list(&conn, window));
    }
}
