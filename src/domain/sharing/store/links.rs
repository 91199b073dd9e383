//! Share links.

use rusqlite::{Connection, Row, params, types::Type};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{
    db::sql::{all, one, run},
    domain::{
        core::{WORKSPACE_COLUMNS, Workspace, read_workspace},
        paging::{Page, Window, page},
        sharing::model::{ShareOptions, ShareTarget, origins::EmbedOrigin},
        users::{self, Profile},
    },
    error::Result,
};

/// A link as it is stored.
#[derive(Debug, Clone)]
pub(in crate::domain) struct StoredLink {
    pub id: String,
    pub workspace_pk: i64,
    pub generation: i64,
    pub owner_id: i64,
    pub name: String,
    pub target: ShareTarget,
    /// When the rows that the target names were created, in the order of [`ShareTarget::rows`]. Empty for links that an
    /// older version created.
    pub target_created_at: Vec<i64>,
    pub options: ShareOptions,
    pub embed_origins: Vec<EmbedOrigin>,
    pub password_hash: Option<String>,
    pub expires_at: Option<i64>,
    pub renewed_at: i64,
    pub is_paused: bool,
    pub created_at: i64,
    pub created_by: i64,
    pub updated_at: i64,
    pub uses: i64,
    pub last_used_day: Option<String>,
}

/// Times in the column with the target.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TargetTimes {
    #[serde(default)]
    created_at: Vec<i64>,
}

/// The column with the target.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TargetColumn<'l> {
    #[serde(flatten)]
    target: &'l ShareTarget,
    created_at: &'l [i64],
}

const COLUMNS: &str =
    "s.id AS share_id, s.workspace_pk, s.generation, s.owner_id, s.name AS share_name, s.target, s.options,
    s.embed_origins, s.password_hash, s.expires_at, s.renewed_at, s.paused_at IS NOT NULL AS is_paused,
    s.created_at AS share_created_at, s.created_by AS share_created_by, s.updated_at AS share_updated_at, s.uses,
    s.last_used_day";

fn json<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| rusqlite::Error::FromSqlConversionFailure(0, Type::Text, error.into()))
}

fn link(row: &Row<'_>) -> rusqlite::Result<StoredLink> {
    Ok(StoredLink {
        id: row.get("share_id")?,
        workspace_pk: row.get("workspace_pk")?,
        generation: row.get("generation")?,
        owner_id: row.get("owner_id")?,
        name: row.get("share_name")?,
        target: json(row, "target")?,
        target_created_at: json::<TargetTimes>(row, "target")?.created_at,
        options: json(row, "options")?,
        // Origins that earlier versions accepted and that are now rejected can no longer embed the link.
        embed_origins: json::<Vec<String>>(row, "embed_origins")?
            .iter()
            .filter_map(|origin| EmbedOrigin::new(origin).ok())
            .collect(),
        password_hash: row.get("password_hash")?,
        expires_at: row.get("expires_at")?,
        renewed_at: row.get("renewed_at")?,
        is_paused: row.get("is_paused")?,
        created_at: row.get("share_created_at")?,
        created_by: row.get("share_created_by")?,
        updated_at: row.get("share_updated_at")?,
        uses: row.get("uses")?,
        last_used_day: row.get("last_used_day")?,
    })
}

pub(in crate::domain) fn find(conn: &Connection, id: &str) -> Result<Option<StoredLink>> {
    one(conn, &format!("SELECT {COLUMNS} FROM share_link s WHERE s.id = ?"), [id], link)
}

/// A link of a workspace, with its owner.
pub(in crate::domain) fn find_in(
    conn: &Connection,
    workspace_pk: i64,
    id: &str,
) -> Result<Option<(StoredLink, Profile)>> {
    let profile = users::PROFILE;
    let sql = format!(
        "SELECT {COLUMNS}, {profile} FROM share_link s JOIN user u ON u.id = s.owner_id
         WHERE s.workspace_pk = ? AND s.id = ?"
    );
    one(conn, &sql, params![workspace_pk, id], |row| Ok((link(row)?, users::profile(row)?)))
}

/// The links of a workspace with their owners, oldest first.
pub(in crate::domain) fn list(
    conn: &Connection,
    workspace_pk: i64,
    window: &Window<(i64, String)>,
) -> Result<Page<(StoredLink, Profile)>> {
    let profile = users::PROFILE;
    let sql = format!(
        "SELECT {COLUMNS}, {profile} FROM share_link s JOIN user u ON u.id = s.owner_id
         WHERE s.workspace_pk = ? AND (s.created_at, s.id) > (?, ?) ORDER BY s.created_at, s.id LIMIT ?"
    );
    page(conn, &sql, params![workspace_pk, window.after.0, window.after.1, window.rows()], window, |row| {
        let link = link(row)?;
        Ok(((link.created_at, link.id.clone()), (link, users::profile(row)?)))
    })
}

/// The links of the workspaces of an organization that are not deleted, with their workspaces and owners, oldest first.
/// Without an organization, those of all.
pub(in crate::domain) fn list_all(
    conn: &Connection,
    organization_id: Option<&str>,
    window: &Window<(i64, String)>,
) -> Result<Page<(StoredLink, Workspace, Profile)>> {
    let profile = users::PROFILE;
    let sql = format!(
        "SELECT {COLUMNS}, {WORKSPACE_COLUMNS}, {profile} FROM share_link s JOIN user u ON u.id = s.owner_id
         JOIN workspace w ON w.pk = s.workspace_pk
         WHERE w.deleted_at IS NULL AND (?1 IS NULL OR w.organization_id = ?1) AND (s.created_at, s.id) > (?2, ?3)
         ORDER BY s.created_at, s.id LIMIT ?4"
    );
    page(conn, &sql, params![organization_id, window.after.0, window.after.1, window.rows()], window, |row| {
        let link = link(row)?;
        Ok(((link.created_at, link.id.clone()), (link, read_workspace(row)?, users::profile(row)?)))
    })
}

/// The number of links of a workspace.
pub(in crate::domain) fn count(conn: &Connection, workspace_pk: i64) -> Result<i64> {
    let sql = "SELECT count(*) FROM share_link WHERE workspace_pk = ?";
    Ok(one(conn, sql, [workspace_pk], |row| row.get(0))?.unwrap_or(0))
}

pub(in crate::domain) fn insert(conn: &Connection, link: &StoredLink) -> Result<()> {
    run(
        conn,
        "INSERT INTO share_link (id, workspace_pk, generation, owner_id, name, target, options, embed_origins,
                                 password_hash, expires_at, renewed_at, created_at, created_by, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            link.id,
            link.workspace_pk,
            link.generation,
            link.owner_id,
            link.name,
            serde_json::to_string(&TargetColumn { target: &link.target, created_at: &link.target_created_at })?,
            serde_json::to_string(&link.options)?,
            serde_json::to_string(&link.embed_origins)?,
            link.password_hash,
            link.expires_at,
            link.renewed_at,
            link.created_at,
            link.created_by,
            link.updated_at
        ],
    )
    .map(drop)
}

/// Writes the fields that can change, and the time.
pub(in crate::domain) fn update(conn: &Connection, link: &StoredLink, now: i64) -> Result<()> {
    run(
        conn,
        "UPDATE share_link SET generation = ?, owner_id = ?, name = ?, options = ?, embed_origins = ?, password_hash = ?,
                               expires_at = ?, renewed_at = ?, paused_at = CASE WHEN ? THEN paused_at END, updated_at = ?
         WHERE id = ?",
        params![
            link.generation,
            link.owner_id,
            link.name,
            serde_json::to_string(&link.options)?,
            serde_json::to_string(&link.embed_origins)?,
            link.password_hash,
            link.expires_at,
            link.renewed_at,
            link.is_paused,
            now,
            link.id
        ],
    )
    .map(drop)
}

pub(in crate::domain) fn delete(conn: &Connection, id: &str) -> Result<()> {
    run(conn, "DELETE FROM share_link WHERE id = ?", [id]).map(drop)
}

/// Adds uses of a link on a day. Nothing if the link has been revoked since.
pub(in crate::domain) fn add_uses(conn: &Connection, id: &str, uses: i64, day: &str) -> Result<()> {
    let sql = "UPDATE share_link SET uses = uses + ?, last_used_day = max(coalesce(last_used_day, ''), ?) WHERE id = ?";
    run(conn, sql, params![uses, day, id]).map(drop)
}

/// Ids, keys of workspaces and organizations of all links that match: of one workspace, or of one organization, or all.
pub(in crate::domain) fn matching(
    conn: &Connection,
    workspace_pk: Option<i64>,
    organization_id: Option<&str>,
) -> Result<Vec<(String, i64, String)>> {
    let sql =
        "SELECT s.id, s.workspace_pk, w.organization_id FROM share_link s JOIN workspace w ON w.pk = s.workspace_pk
               WHERE (?1 IS NULL OR s.workspace_pk = ?1) AND (?2 IS NULL OR w.organization_id = ?2)";
    all(conn, sql, params![workspace_pk, organization_id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
}
