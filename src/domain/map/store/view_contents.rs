//! What the selectors of views compare.

use rusqlite::{Connection, params};

use crate::{
    db::sql::all,
    domain::map::model::view_contents::{Candidate, Holder, Relation},
    error::Result,
};

/// Which fields of components to read. Others are empty, which saves most of the time on large maps.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::domain) struct Fields {
    /// Names and descriptions.
    pub(in crate::domain) texts: bool,
    /// Tags and technologies.
    pub(in crate::domain) keywords: bool,
    /// Properties.
    pub(in crate::domain) properties: bool,
}

/// The components of a workspace, in list order.
pub(in crate::domain) fn components(conn: &Connection, workspace_pk: i64, fields: Fields) -> Result<Vec<Candidate>> {
    let sql = "SELECT id, type_id, x, y, width, height, iif(?2, name, ''), iif(?2, description, NULL),
                      iif(?3, tags, '[]'), iif(?3, technology, '[]'), iif(?4, properties, '{}')
               FROM component WHERE workspace_pk = ?1 ORDER BY seq, id";
    let Fields { texts, keywords, properties } = fields;
    all(conn, sql, params![workspace_pk, texts, keywords, properties], |row| {
        let size: (Option<f64>, Option<f64>) = (row.get(4)?, row.get(5)?);
        Ok(Candidate {
            id: row.get(0)?,
            type_id: row.get(1)?,
            at: (row.get(2)?, row.get(3)?),
            size: size.0.zip(size.1),
            name: row.get(6)?,
            description: row.get(7)?,
            tags: row.get(8)?,
            technology: row.get(9)?,
            properties: row.get(10)?,
        })
    })
}

/// The relationships of a workspace, in list order.
pub(in crate::domain) fn relationships(conn: &Connection, workspace_pk: i64) -> Result<Vec<Relation>> {
    let sql = "SELECT id, source_id, target_id, type_id FROM relationship WHERE workspace_pk = ? ORDER BY seq, id";
    all(conn, sql, [workspace_pk], |row| {
        Ok(Relation { id: row.get(0)?, source_id: row.get(1)?, target_id: row.get(2)?, type_id: row.get(3)? })
    })
}

/// The stakeholders of a workspace, in creation order.
pub(in crate::domain) fn holders(conn: &Connection, workspace_pk: i64) -> Result<Vec<Holder>> {
    let sql = "SELECT s.component_id, s.person_id, s.team_id, s.link_type, coalesce(p.name, t.name, '')
         FROM stakeholder s
         LEFT JOIN person p ON p.organization_id = s.organization_id AND p.id = s.person_id
         LEFT JOIN team t ON t.organization_id = s.organization_id AND t.id = s.team_id
         WHERE s.workspace_pk = ? ORDER BY s.id";
    all(conn, sql, [workspace_pk], |row| {
        Ok(Holder {
            component_id: row.get(0)?,
            person_id: row.get(1)?,
            team_id: row.get(2)?,
            role: row.get(3)?,
            name: row.get(4)?,
        })
    })
}
