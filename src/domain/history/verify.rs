//! Compares the rows of all workspaces with the change log: the last logged state of a row is its current state.

use std::collections::HashMap;

use rusqlite::Connection;

use super::{
    state::LoggedRows,
    store::{self, verify::LoggedWorkspace},
};
use crate::{
    domain::{
        core::{WorkspaceKey, list_rows},
        state::{KindVisitor, MapRow, each_kind},
    },
    error::{Error, Result},
};

/// Maximum number of differences that are reported.
const MAX_DIFFERENCES: usize = 20;

/// Describes rows that differ from the change log, at most 20. Rows whose last change is older than the retention of
/// the history are not compared.
pub fn compare_with_log(conn: &Connection) -> Result<Vec<String>> {
    let mut differences = Vec::new();
    for workspace in store::verify::workspaces(conn)? {
        let mut logged: LoggedRows = HashMap::new();
        for (entity, key, after) in store::verify::last_changes(conn, workspace.pk)? {
            logged.entry(entity).or_default().insert(key, after);
        }
        each_kind(&mut Comparison { conn, workspace: &workspace, logged, differences: &mut differences })?;
        if differences.len() >= MAX_DIFFERENCES {
            differences.truncate(MAX_DIFFERENCES);
            break;
        }
    }
    Ok(differences)
}

struct Comparison<'c> {
    conn: &'c Connection,
    workspace: &'c LoggedWorkspace,
    logged: LoggedRows,
    differences: &'c mut Vec<String>,
}

impl KindVisitor for Comparison<'_> {
    type Error = Error;

    fn visit<R: MapRow>(&mut self) -> Result<()> {
        let workspace = WorkspaceKey { pk: self.workspace.pk, id: &self.workspace.id };
        let mut logged = self.logged.remove(&R::ENTITY).unwrap_or_default();
        for row in list_rows::<R>(self.conn, &workspace)? {
            let problem = match logged.remove(&row.key()) {
                Some(Some(json)) => {
                    let mut then = R::from_logged(serde_json::from_str(&json)?, workspace.id)?;
                    then.set_order(row.order());
                    (!row.has_same_contents(&then)).then_some("differs from its last change")
                }
                Some(None) => Some("exists although it was deleted"),
                None if self.workspace.is_log_shortened => None,
                None => Some("is not in the log"),
            };
            if let Some(problem) = problem {
                self.report::<R>(&row.key(), problem);
            }
        }
        for (key, _) in logged.into_iter().filter(|(_, after)| after.is_some()) {
            self.report::<R>(&key, "is missing");
        }
        Ok(())
    }
}

impl Comparison<'_> {
    fn report<R: MapRow>(&mut self, key: &str, problem: &str) {
        self.differences.push(format!("{} {key} of workspace {} {problem}", R::ENTITY.as_str(), self.workspace.id));
    }
}
