//! What is deleted and replaced when a user is erased, in all areas.

use rusqlite::{Connection, params};

use crate::{
    db::sql::{all, run},
    error::Result,
};

/// Whether SQLite overwrites pages that become free too, and not only deleted rows in other pages.
pub(in crate::domain) fn overwrite_freed_pages(conn: &Connection, is_on: bool) -> Result<()> {
    let mode = if is_on { "ON" } else { "FAST" };
    Ok(conn.pragma_update_and_check(None, "secure_delete", mode, |_| Ok(()))?)
}

/// Organizations of a user: id and slug.
pub(in crate::domain) fn organizations(conn: &Connection, user_id: i64) -> Result<Vec<(String, String)>> {
    let sql = "SELECT o.id, o.slug FROM organization o JOIN organization_member m ON m.organization_id = o.id
               WHERE m.user_id = ? ORDER BY o.slug";
    all(conn, sql, [user_id], |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Organizations in whose directory the user is a person, including organizations that the user has left.
pub(in crate::domain) fn directories(conn: &Connection, user_id: i64) -> Result<Vec<String>> {
    all(conn, "SELECT organization_id FROM person WHERE user_id = ?", [user_id], |row| row.get(0))
}

/// Deletes credentials, personal data, and pending requests of a user.
pub(in crate::domain) fn delete_all(conn: &Connection, user_id: i64, email: Option<&str>) -> Result<()> {
    const OF_USER: [&str; 18] = [
        "DELETE FROM oauth_token WHERE grant_id IN (SELECT id FROM oauth_grant WHERE user_id = ?)",
        "DELETE FROM oauth_code WHERE grant_id IN (SELECT id FROM oauth_grant WHERE user_id = ?)",
        "DELETE FROM oauth_grant WHERE user_id = ?",
        "DELETE FROM oauth_request WHERE user_id = ?",
        "DELETE FROM api_token WHERE user_id = ?",
        "DELETE FROM session WHERE user_id = ?",
        "DELETE FROM user_second_factor WHERE user_id = ?",
        "DELETE FROM user_identity WHERE user_id = ?",
        "DELETE FROM user_photo WHERE user_id = ?",
        "DELETE FROM email_confirmation WHERE user_id = ?",
        "DELETE FROM password_reset WHERE user_id = ?",
        "DELETE FROM personal_view WHERE user_id = ?",
        "DELETE FROM access_request WHERE user_id = ?",
        "DELETE FROM idempotency WHERE user_id = ?",
        "DELETE FROM wiki_pending WHERE user_id = ?",
        "DELETE FROM ended_membership WHERE user_id = ?",
        "DELETE FROM invitation WHERE created_by = ? AND accepted_at IS NULL",
        "UPDATE invitation SET email = NULL WHERE accepted_by = ?",
    ];
    for sql in OF_USER {
        run(conn, sql, [user_id])?;
    }
    if let Some(email) = email {
        run(conn, "DELETE FROM waitlist WHERE email = ?", [email])?;
        run(conn, "UPDATE invitation SET email = NULL WHERE email = ? COLLATE NOCASE", [email])?;
    }
    Ok(())
}

/// Replaces everything in the account that identifies the user. The account remains suspended.
pub(in crate::domain) fn anonymize(conn: &Connection, user_id: i64, login: &str, name: &str) -> Result<()> {
    run(
        conn,
        "UPDATE user SET login = ?, display_name = ?, email = NULL, is_email_confirmed = 1, avatar_url = NULL,
                         password_hash = NULL, password_open_until = NULL, is_admin = 0, is_suspended = 1,
                         last_login_at = NULL
         WHERE id = ?",
        params![login, name, user_id],
    )?;
    Ok(())
}

/// Replaces the earlier versions of the user's people in the change log.
pub(in crate::domain) fn anonymize_log(conn: &Connection, user_id: i64, name: &str) -> Result<()> {
    const SIZE: &str = "SELECT c.organization_id,
               sum(coalesce(octet_length(c.before), 0) + coalesce(octet_length(c.after), 0))
         FROM change c JOIN person p ON p.organization_id = c.organization_id AND p.id = c.entity_id
         WHERE c.workspace_pk IS NULL AND c.entity = 'person' AND p.user_id = ? GROUP BY c.organization_id";
    let sizes = || all(conn, SIZE, [user_id], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)));
    let before = sizes()?;
    let image = |column: &str| {
        format!(
            "{column} = CASE WHEN {column} IS NOT NULL THEN
                 json_set(json_remove({column}, '$.email', '$.photoUrl', '$.title', '$.bio', '$.clerkUserId'),
                          '$.name', ?2, '$.contact', json('{{}}'), '$.properties', json('{{}}')) END"
        )
    };
    let sql = format!(
        "UPDATE change SET {}, {} WHERE workspace_pk IS NULL AND entity = 'person'
         AND (organization_id, entity_id) IN (SELECT organization_id, id FROM person WHERE user_id = ?1)",
        image("before"),
        image("after")
    );
    run(conn, &sql, params![user_id, name])?;
    // Additions to the log are counted when they are made, and removals with the size that a row has then.
    for ((organization_id, before), (_, after)) in before.into_iter().zip(sizes()?) {
        let sql = "UPDATE stored_bytes SET bytes = max(0, bytes + ?) WHERE organization_id = ?";
        run(conn, sql, params![after - before, organization_id])?;
    }
    Ok(())
}

/// Replaces login and email address of the user in the audit log, and removes the names of their tokens and the addresses
/// of their clients.
pub(in crate::domain) fn anonymize_audit(
    conn: &Connection,
    user_id: i64,
    login: &str,
    email: Option<&str>,
) -> Result<()> {
    // Failed sign-ins have no actor.
    let sql = "UPDATE audit SET address = NULL
               WHERE actor_id = ?1 OR actor_id IS NULL AND details ->> '$.userId' = ?1";
    run(conn, sql, [user_id])?;
    // The subject is the id of the user at the identity provider.
    let sql = "UPDATE audit SET details = json_remove(json_replace(details, '$.login', ?2), '$.subject')
               WHERE details ->> '$.userId' = ?1";
    run(conn, sql, params![user_id, login])?;
    // Names of tokens, which the user chose.
    let sql = "UPDATE audit SET details = json_remove(details, '$.name') WHERE kind = 'token.create' AND actor_id = ?";
    run(conn, sql, [user_id])?;
    if let Some(email) = email {
        let sql = "UPDATE audit SET details = json_replace(details, '$.email', NULL)
                   WHERE details ->> '$.email' = ? COLLATE NOCASE";
        run(conn, sql, [email])?;
    }
    Ok(())
}
