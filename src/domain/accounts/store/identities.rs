//! Accounts by their subject at an external identity provider.

use rusqlite::{Connection, params};

use crate::{
    db::sql::{all, one, run},
    error::Result,
};

/// User id of the account with a subject.
pub(in crate::domain) fn user_of(conn: &Connection, issuer: &str, subject: &str) -> Result<Option<i64>> {
    let sql = "SELECT user_id FROM user_identity WHERE issuer = ? AND subject = ?";
    one(conn, sql, [issuer, subject], |row| row.get(0))
}

pub(in crate::domain) fn insert(conn: &Connection, issuer: &str, subject: &str, user_id: i64, now: i64) -> Result<()> {
    let sql = "INSERT INTO user_identity (issuer, subject, user_id, created_at) VALUES (?, ?, ?, ?)";
    run(conn, sql, params![issuer, subject, user_id, now])?;
    Ok(())
}

/// Issue time of the newest token processed for a subject, in Unix seconds.
pub(in crate::domain) fn asserted_at(conn: &Connection, issuer: &str, subject: &str) -> Result<i64> {
    let sql = "SELECT said_at FROM user_identity WHERE issuer = ? AND subject = ?";
    Ok(one(conn, sql, [issuer, subject], |row| row.get(0))?.unwrap_or_default())
}

pub(in crate::domain) fn mark_asserted(conn: &Connection, issuer: &str, subject: &str, at: i64) -> Result<()> {
    let sql = "UPDATE user_identity SET said_at = ? WHERE issuer = ? AND subject = ?";
    run(conn, sql, params![at, issuer, subject])?;
    Ok(())
}

/// Accounts with this confirmed email address and no identity of the issuer; case is ignored.
pub(in crate::domain) fn unclaimed(conn: &Connection, issuer: &str, email: &str) -> Result<Vec<i64>> {
    all(
        conn,
        "SELECT id FROM user u WHERE email = ?1 COLLATE NOCASE AND is_email_confirmed = 1
         AND NOT EXISTS (SELECT 1 FROM user_identity i WHERE i.user_id = u.id AND i.issuer = ?2) ORDER BY id",
        [email, issuer],
        |row| row.get(0),
    )
}

/// Updates a user's profile from an identity provider. Missing values stay unchanged.
pub(in crate::domain) fn describe(
    conn: &Connection,
    user_id: i64,
    (display_name, email, avatar_url): (Option<&str>, Option<&str>, Option<&str>),
) -> Result<()> {
    run(
        conn,
        "UPDATE user SET display_name = coalesce(?1, display_name), email = coalesce(?2, email),
                         is_email_confirmed = ?2 IS NOT NULL OR is_email_confirmed,
                         avatar_url = coalesce(?3, avatar_url) WHERE id = ?4",
        params![display_name, email, avatar_url, user_id],
    )?;
    Ok(())
}

/// A membership managed by an identity provider.
#[derive(Debug)]
pub(in crate::domain) struct ManagedMembership {
    pub organization_id: String,
    pub until: i64,
}

/// A user's memberships that are managed by an identity provider.
pub(in crate::domain) fn mirrored(conn: &Connection, user_id: i64) -> Result<Vec<ManagedMembership>> {
    all(
        conn,
        "SELECT organization_id, mirrored_until FROM organization_member
         WHERE user_id = ? AND mirrored_until IS NOT NULL ORDER BY created_at, rowid",
        [user_id],
        |row| Ok(ManagedMembership { organization_id: row.get(0)?, until: row.get(1)? }),
    )
}

/// Memberships that no identity provider has confirmed in time: organization and user.
pub(in crate::domain) fn expired(conn: &Connection, now: i64) -> Result<Vec<(String, i64)>> {
    let sql = "SELECT organization_id, user_id FROM organization_member WHERE mirrored_until <= ?";
    all(conn, sql, [now], |row| Ok((row.get(0)?, row.get(1)?)))
}

pub(in crate::domain) fn mirror_until(
    conn: &Connection,
    organization_id: &str,
    user_id: i64,
    until: i64,
) -> Result<()> {
    let sql = "UPDATE organization_member SET mirrored_until = ? WHERE organization_id = ? AND user_id = ?";
    run(conn, sql, params![until, organization_id, user_id])?;
    Ok(())
}

/// Whether an organization belongs to an issuer; none if the organization does not exist.
pub(in crate::domain) fn is_of(conn: &Connection, organization_id: &str, issuer: &str) -> Result<Option<bool>> {
    one(conn, "SELECT issuer IS ? FROM organization WHERE id = ?", [issuer, organization_id], |row| row.get(0))
}

/// Organizations of an issuer in which the user has a managed membership.
pub(in crate::domain) fn organizations_of(conn: &Connection, issuer: &str, user_id: i64) -> Result<Vec<String>> {
    all(
        conn,
        "SELECT o.id FROM organization o JOIN organization_member m ON m.organization_id = o.id
         WHERE o.issuer = ? AND m.user_id = ? AND m.mirrored_until IS NOT NULL ORDER BY o.rowid",
        params![issuer, user_id],
        |row| row.get(0),
    )
}
