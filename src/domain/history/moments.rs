//! Past states of a workspace as people name them: by revision, time or name of a version.

use jiff::Timestamp;

use super::{
    difference::{WorkspaceDifference, between},
    state::weigh_at,
    store,
    versions::{decompress, weigh_version},
};
use crate::{
    domain::{
        core::{Reads, ViewTx, WholeMap},
        state::WorkspaceState,
    },
    error::{Error, Result},
};

/// A past state of a workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moment {
    /// At this revision.
    Revision(i64),
    /// At this time, in Unix milliseconds.
    Time(i64),
    /// The newest version of this name.
    Version(String),
}

impl Moment {
    /// Reads a revision, an RFC 3339 time, a date (its beginning in UTC), or the name of a version.
    pub fn read(text: &str) -> Self {
        let text = text.trim();
        match text.parse() {
            Ok(revision) => Self::Revision(revision),
            Err(_) => time(text).map_or_else(|| Self::Version(text.to_owned()), Self::Time),
        }
    }

    /// The revision, and the id of the version if the moment is a version. `field` names the moment in errors.
    fn find(&self, tx: &ViewTx<'_>, field: &'static str) -> Result<(i64, Option<i64>)> {
        let (conn, pk) = (tx.core().conn, tx.pk());
        let revision = match self {
            Self::Revision(revision) if *revision < 1 => {
                return Err(Error::invalid(field, "must be a revision, 1 or more"));
            }
            Self::Revision(revision) => *revision,
            // The log may be empty.
            Self::Time(time) if *time >= tx.workspace().metadata.updated_at => tx.workspace().metadata.revision,
            Self::Time(time) => {
                let found = store::history::revision_at(conn, pk, *time)?;
                found.ok_or_else(|| Error::invalid(field, "the history of this workspace begins after this time"))?
            }
            Self::Version(name) => {
                let version = store::versions::named(conn, pk, name)?;
                let Some(version) = version else {
                    return Err(Error::invalid(field, unknown_version(tx, name)?));
                };
                return Ok((version.revision, Some(version.id)));
            }
        };
        Ok((revision, None))
    }

    /// The state and its revision.
    fn state(&self, tx: &ViewTx<'_>, field: &'static str, whole: &WholeMap) -> Result<(i64, WorkspaceState)> {
        let (revision, version) = self.find(tx, field)?;
        let state = match version {
            Some(id) => decompress(tx, id, whole)?.ok_or(super::versions::NOT_FOUND)?,
            None => WorkspaceState::at(tx, revision, whole)?,
        };
        Ok((revision, state))
    }

    /// Estimated memory of the state in bytes.
    fn weigh(&self, tx: &ViewTx<'_>, field: &'static str) -> Result<usize> {
        match self.find(tx, field)? {
            (_, Some(id)) => weigh_version(tx, id),
            (revision, None) => weigh_at(tx, revision),
        }
    }
}

/// The text about a version that does not exist, with the names of the newest ones.
fn unknown_version(tx: &ViewTx<'_>, name: &str) -> Result<String> {
    const NAMED: u32 = 5;
    let names = store::versions::newest_names(tx.core().conn, tx.pk(), NAMED)?;
    let name: String = name.chars().take(60).collect();
    let known = match names.as_slice() {
        [] => "there are no versions".to_owned(),
        names => format!("the newest are `{}`", names.join("`, `")),
    };
    Ok(format!("`{name}` is no revision, no time such as 2026-11-22T10:00:00Z, and no name of a version; {known}"))
}

/// Reads an RFC 3339 time or a date, in Unix milliseconds.
pub fn time(text: &str) -> Option<i64> {
    let read = |text: &str| text.parse::<Timestamp>().ok().map(Timestamp::as_millisecond);
    read(text).or_else(|| read(&format!("{text}T00:00:00Z")))
}

/// Estimated memory of [`compare`] in bytes: both states and their difference.
pub fn weigh_comparison(tx: &ViewTx<'_>, from: &Moment, to: Option<&Moment>) -> Result<usize> {
    let to = to.map_or_else(|| tx.weight(), |to| to.weigh(tx, "to"))?;
    Ok(from.weigh(tx, "from")?.saturating_add(to).saturating_mul(2))
}

/// Compares two states; without `to`, with the current one.
pub fn compare(tx: &ViewTx<'_>, from: &Moment, to: Option<&Moment>, whole: &WholeMap) -> Result<WorkspaceDifference> {
    let (from, a) = from.state(tx, "from", whole)?;
    let (to, b) = match to {
        Some(to) => to.state(tx, "to", whole)?,
        None => (tx.workspace().metadata.revision, WorkspaceState::now(tx, whole)?),
    };
    between((from, &a), (to, &b))
}

/// The user who is named in a filter of the history: `me`, an id, or the display name of someone who changed the
/// workspace.
pub fn user_named(tx: &ViewTx<'_>, text: &str) -> Result<i64> {
    if text == "me" {
        return tx.user_id();
    }
    if let Ok(id) = text.parse() {
        return Ok(id);
    }
    let found = store::history::users_named(tx.core().conn, tx.pk(), text, 3)?;
    match found.as_slice() {
        [id] => Ok(*id),
        [] => Err(Error::invalid("actor", "no user of this name has changed this workspace")),
        ids => {
            let ids: Vec<String> = ids.iter().map(i64::to_string).collect();
            Err(Error::invalid("actor", format!("several users have this name; give an id: {}", ids.join(", "))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_a_revision_a_time_or_a_name() {
        assert_eq!(Moment::read(" 12 "), Moment::Revision(12));
        assert_eq!(Moment::read("1970-01-01T00:00:01Z"), Moment::Time(1_000));
        assert_eq!(Moment::read("1970-01-01T02:00:00+01:00"), Moment::Time(3_600_000));
        assert_eq!(Moment::read("1970-01-02"), Moment::Time(86_400_000));
        assert_eq!(Moment::read("As approved"), Moment::Version("As approved".into()));
        assert_eq!(Moment::read("1970-13-02"), Moment::Version("1970-13-02".into()));
    }
}
