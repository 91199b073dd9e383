//! Which scheduled backups are kept.
//!
//! Periods are counted from the backups that exist and not from the current time, so a clock that is set ahead deletes
//! nothing that a backup on the next day would not have deleted too.

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};

use crate::clock::DAY;

/// Beginning of the names of scheduled backups.
pub(super) const PREFIX: &str = "planroom-";
/// End of the name of an archive, and of an encrypted archive.
const SUFFIXES: [&str; 2] = [".tar.zst", ".tar.zst.enc"];
/// Format of the time in names.
const TIME: &str = "%Y%m%dT%H%M%SZ";
/// Maximum number of backups that are deleted after a backup. One is enough in the long run; a few more make a lower
/// limit in the configuration take effect.
const MAX_DELETIONS: usize = 3;

/// How many backups are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Keep {
    pub(super) daily: usize,
    pub(super) weekly: usize,
    pub(super) monthly: usize,
}

/// The name of a backup made at `now` (Unix milliseconds).
pub(super) fn name(now: i64, is_encrypted: bool) -> String {
    let time = Timestamp::from_millisecond(now).unwrap_or(Timestamp::UNIX_EPOCH);
    format!("{PREFIX}{}{}", time.strftime(TIME), SUFFIXES[usize::from(is_encrypted)])
}

/// The time of a backup in Unix milliseconds. None for any other file.
pub(super) fn time_of(name: &str) -> Option<i64> {
    let rest = name.strip_prefix(PREFIX)?;
    let time = SUFFIXES.iter().find_map(|suffix| rest.strip_suffix(suffix))?;
    let parsed = DateTime::strptime(TIME, time).ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp();
    // Rejects other spellings of the same time.
    (parsed.strftime(TIME).to_string() == time).then(|| parsed.as_millisecond())
}

/// The times of the backups to delete, oldest first. Backups with a time after `now` are ignored: the clock was ahead
/// when they were made, or is behind now.
pub(super) fn to_delete(times: &[i64], now: i64, keep: Keep) -> Vec<i64> {
    let mut newest_first: Vec<i64> = times.iter().copied().filter(|time| *time <= now).collect();
    newest_first.sort_unstable_by(|a, b| b.cmp(a));
    let mut kept: Vec<i64> = newest_first.first().copied().into_iter().collect();
    // Weeks begin on Monday; day 0 was a Thursday.
    let week = |time: i64| (time.div_euclid(DAY) + 3).div_euclid(7);
    for (count, period) in [
        (keep.daily, &(|time: i64| time.div_euclid(DAY)) as &dyn Fn(i64) -> i64),
        (keep.weekly, &week),
        (keep.monthly, &month),
    ] {
        let mut periods = Vec::new();
        for time in &newest_first {
            let this = period(*time);
            if periods.len() < count && !periods.contains(&this) {
                periods.push(this);
                kept.push(*time);
            }
        }
    }
    let deletable = newest_first.into_iter().rev().filter(|time| !kept.contains(time));
    deletable.take(MAX_DELETIONS).collect()
}

fn month(time: i64) -> i64 {
    let date = Timestamp::from_millisecond(time).unwrap_or(Timestamp::UNIX_EPOCH).to_zoned(TimeZone::UTC).date();
    i64::from(date.year()) * 12 + i64::from(date.month())
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEEP: Keep = Keep { daily: 7, weekly: 4, monthly: 12 };
    /// 2026-11-23 03:15:00 UTC, a Monday.
    const START: i64 = 1_795_403_700_000;

    /// Makes a backup at each time and deletes as configured. Returns what is left, oldest first.
    fn after(times: impl IntoIterator<Item = i64>, keep: Keep) -> Vec<i64> {
        let mut left = Vec::new();
        for now in times {
            left.push(now);
            let deleted = to_delete(&left, now, keep);
            left.retain(|time| !deleted.contains(time));
        }
        left.sort_unstable();
        left
    }

    #[test]
    fn names_contain_the_time_and_other_names_are_not_recognized() {
        assert_eq!(name(START, false), "planroom-20261123T031500Z.tar.zst");
        assert_eq!(time_of(&name(START, true)), Some(START));
        for other in [
            "planroom-2026.tar.zst",
            "planroom-20261323T031500Z.tar.zst",
            "planroom-20261123T031500Z.tar.zst.keep",
            "my-planroom-20261123T031500Z.tar.zst",
            "before-v21-1795403700000.db",
            "planroom.db",
        ] {
            assert_eq!(time_of(other), None, "{other}");
        }
    }

    #[test]
    fn days_weeks_and_months_are_kept() {
        let left = after((0..800).map(|day| START + day * DAY), KEEP);
        let end = START + 799 * DAY;
        assert_eq!(left[left.len() - 7..], (0..7).rev().map(|day| end - day * DAY).collect::<Vec<_>>());
        assert!((18..=23).contains(&left.len()), "{}", left.len());
        assert!(end - left[0] > 330 * DAY && end - left[0] < 370 * DAY);
        // The last backup of each of the last twelve months.
        let mut months: Vec<i64> = left.iter().map(|time| month(*time)).collect();
        months.dedup();
        assert_eq!(months.len(), 12);
    }

    #[test]
    fn several_backups_a_day_leave_the_last_one() {
        let left = after((0..50).map(|hour| START + hour * 3_600_000), Keep { daily: 2, weekly: 0, monthly: 0 });
        assert_eq!(left.len(), 2);
        assert_eq!(left[1], START + 49 * 3_600_000);
    }

    #[test]
    fn a_clock_that_jumps_deletes_no_more_than_a_backup_on_the_next_day() {
        let days: Vec<i64> = (0..400).map(|day| START + day * DAY).collect();
        let usual = after(days.iter().copied(), KEEP);
        let jump = START + 40 * 365 * DAY;
        let left = after(days.iter().copied().chain([jump]), KEEP);
        assert!(usual.iter().filter(|time| !left.contains(time)).count() <= MAX_DELETIONS);
        // The clock is set back: the backup from the future stays and does not displace others.
        let back = after(days.iter().copied().chain([jump, START + 400 * DAY]), KEEP);
        assert!(back.contains(&jump) && back.contains(&(START + 400 * DAY)));
        assert!(usual.iter().filter(|time| !back.contains(time)).count() <= MAX_DELETIONS);
        // A clock far behind deletes nothing.
        assert!(to_delete(&usual, START - 4000 * DAY, KEEP).is_empty());
    }

    #[test]
    fn a_lower_limit_takes_effect_step_by_step() {
        let days: Vec<i64> = (0..30).map(|day| START + day * DAY).collect();
        let keep = Keep { daily: 1, weekly: 0, monthly: 0 };
        let deleted = to_delete(&days, START + 30 * DAY, keep);
        assert_eq!(deleted, days[..MAX_DELETIONS]);
        assert!(
            to_delete(&days[..1], START + DAY, Keep { daily: 0, ..keep }).is_empty(),
            "the newest is never deleted"
        );
    }
}
