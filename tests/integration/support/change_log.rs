//! The check of the change log at the end of every test.

use std::path::PathBuf;

use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;

/// Two consecutive writes of a row in a change set that do not fit: the row before the second is not the row after the first.
const GAP: &str = "
    SELECT entity || ' ' || entity_id || ' in the change ' || id || ': ' || coalesce(earlier, 'nothing')
           || ' was followed by ' || coalesce(before, 'nothing')
    FROM (SELECT id, entity, entity_id, before, lag(after) OVER writes AS earlier, row_number() OVER writes AS number
          FROM change
          WINDOW writes AS (PARTITION BY organization_id, workspace_pk, batch, entity, entity_id ORDER BY id))
    WHERE number > 1 AND before IS NOT earlier LIMIT 1";

/// Fails the test if the log of its server has a write that did not happen: undo would find a gap there.
pub struct ChangeLogCheck(PathBuf);

impl ChangeLogCheck {
    /// Checks the database of this data directory when the value is dropped.
    pub fn new(dir: &TempDir) -> Self {
        Self(dir.path().join("planroom.db"))
    }
}

impl Drop for ChangeLogCheck {
    #[expect(clippy::disallowed_methods, reason = "a test looks behind the scenes")]
    fn drop(&mut self) {
        // Tests that damage or remove their database have nothing to check.
        let Ok(conn) = Connection::open_with_flags(&self.0, OpenFlags::SQLITE_OPEN_READ_WRITE) else { return };
        if let Ok(gap) = conn.query_row(GAP, [], |row| row.get::<_, String>(0))
            && !std::thread::panicking()
        {
            panic!("the change log has a gap: {gap}");
        }
    }
}
