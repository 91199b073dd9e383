//! What `planroom restore` reports: the restored state, and who regained access.

use std::{collections::BTreeSet, fmt, path::Path};

use serde_json::json;

use crate::{
    cli::{output::one_line, table},
    domain::instance::{AccessList, CredentialCounts, RestoredDatabase},
};

/// Maximum number of names in a line.
const MAX_NAMES: usize = 20;

/// The outcome of a restore.
pub(super) struct Report<'r> {
    pub(super) file: &'r Path,
    pub(super) database: &'r Path,
    /// Directory of the previous database, if there was one.
    pub(super) aside: Option<&'r Path>,
    pub(super) restored: RestoredDatabase,
    /// What was valid at the time of the backup and had been ended since; none if there was no database to compare with.
    pub(super) regained: Option<AccessList>,
}

/// The access in a backup that the replaced database no longer had.
pub(super) fn regained(replaced: &AccessList, restored: &AccessList) -> AccessList {
    let new = |before: &BTreeSet<String>, after: &BTreeSet<String>| after.difference(before).cloned().collect();
    AccessList {
        tokens: new(&replaced.tokens, &restored.tokens),
        members: new(&replaced.members, &restored.members),
        users: new(&replaced.users, &restored.users),
        administrators: new(&replaced.administrators, &restored.administrators),
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, database, aside, restored, regained } = self;
        write!(f, "Restored {} to {}", file.display(), database.display())?;
        if let Some(at) = restored.last_change_at {
            write!(f, "; its last change was at {}", table::time(&json!(at)))?;
        }
        writeln!(f, ".")?;
        if let Some(aside) = aside {
            writeln!(f, "The previous database was moved to {}.", aside.display())?;
        }
        if let Some(ended) = counts(restored.ended) {
            writeln!(f, "Ended: {ended}.")?;
        }
        if let Some(valid) = counts(restored.valid) {
            writeln!(f, "Valid again, even if ended or revoked since the backup: {valid}.")?;
        }
        match regained {
            Some(regained) => {
                let lines = [
                    ("Tokens that had been revoked or deleted", &regained.tokens),
                    ("Members that had been removed", &regained.members),
                    ("Users that had been suspended or deleted", &regained.users),
                    ("Administrators whose role had been removed", &regained.administrators),
                ];
                for (what, names) in lines.into_iter().filter(|(_, names)| !names.is_empty()) {
                    writeln!(f, "{what}: {}.", listed(names))?;
                }
            }
            None => writeln!(
                f,
                "As of the backup: members, invitations and suspended accounts, also those that were removed since."
            )?,
        }
        let tokens =
            if restored.valid.tokens > 0 { "; restore again with --revoke-tokens to revoke all tokens" } else { "" };
        writeln!(f, "Check `planroom user list`, and suspend accounts with `planroom user suspend`{tokens}.")?;
        writeln!(f, "Clients reload all data when they reconnect.")
    }
}

/// Counts in words; none if all are zero.
fn counts(counts: CredentialCounts) -> Option<String> {
    let CredentialCounts { sessions, tokens, connected_apps } = counts;
    let kinds = [(sessions, "session"), (tokens, "token"), (connected_apps, "connected app")];
    let words = kinds.iter().filter(|(count, _)| *count > 0);
    let words: Vec<String> =
        words.map(|(count, what)| format!("{count} {what}{}", if *count == 1 { "" } else { "s" })).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

fn listed(names: &BTreeSet<String>) -> String {
    // Names in a modified backup can have any characters.
    let shown: Vec<String> = names.iter().take(MAX_NAMES).map(|name| one_line(name)).collect();
    let rest = names.len() - shown.len();
    if rest == 0 { shown.join(", ") } else { format!("{} and {rest} more", shown.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_shortened() {
        let names = |count: usize| (0..count).map(|n| format!("n{n:02}")).collect::<BTreeSet<_>>();
        assert_eq!(listed(&names(2)), "n00, n01");
        assert!(listed(&names(25)).ends_with("n19 and 5 more"));
    }

    #[test]
    fn names_cannot_change_the_lines_of_the_report() {
        let names = BTreeSet::from(["ada\u{1b}[1A\u{1b}[2K".to_owned(), "eve\r\nClients reload\u{202e}".to_owned()]);
        assert_eq!(listed(&names), "ada[1A[2K, eve  Clients reload");
    }
}
