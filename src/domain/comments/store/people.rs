//! Users who can view a workspace.

use rusqlite::{Connection, params};

use crate::{
    db::sql::all,
    domain::users::{self, Profile},
    error::Result,
};

/// Active users who can view a workspace and whose login or a part of whose name begins with `prefix`, by name.
pub(in crate::domain) fn with_access(
    conn: &Connection,
    workspace_pk: i64,
    prefix: &str,
    limit: i64,
) -> Result<Vec<Profile>> {
    let mut pattern = String::new();
    for one in prefix.chars() {
        // Characters with a meaning in a pattern.
        if matches!(one, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(one);
    }
    let sql = format!(
        "SELECT {} FROM workspace w JOIN organization_member o ON o.organization_id = w.organization_id
         JOIN user u ON u.id = o.user_id
         WHERE w.pk = ?1 AND NOT u.is_suspended
         AND (w.visibility = 'org' OR w.visibility = 'members' AND o.role = 'org:admin'
              OR EXISTS (SELECT 1 FROM workspace_member m WHERE m.workspace_pk = w.pk AND m.user_id = u.id))
         AND (u.login LIKE ?2 || '%' ESCAPE '\\' OR ' ' || u.display_name LIKE '% ' || ?2 || '%' ESCAPE '\\')
         ORDER BY u.display_name, u.id LIMIT ?3",
        users::PROFILE
    );
    all(conn, &sql, params![workspace_pk, pattern, limit], users::profile)
}
