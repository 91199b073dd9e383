//! Scheduled backups: a daily archive, its retention, and a program that is started afterwards.

mod command;
mod retention;

use std::{
    fs::{self, OpenOptions},
    io,
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use serde_json::json;
use tokio::sync::oneshot;

use self::retention::Keep;
use crate::{
    clock::{Clock, DAY, HOUR, MINUTE},
    config::Config,
    db::archive::{self, ArchiveOptions, Stage},
    domain::{
        core::{Gate, Via},
        instance,
    },
};

/// Delay until a backup that was missed is made up for, so that it does not slow down the start.
const START_DELAY: Duration = Duration::from_mins(1);
/// Interval of checking whether a backup is due. The time of the next one is not computed, because the clock can be set
/// and the machine can be suspended.
const CHECK_INTERVAL: Duration = Duration::from_mins(1);
/// Time until a failed backup or program is tried again, in milliseconds.
const RETRY_AFTER: i64 = HOUR;

/// End of the name of the file beside a backup for which the program has not succeeded.
const PENDING: &str = ".pending";

/// What is known about scheduled backups. Times are in Unix milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct BackupStatus {
    /// Whether backups are scheduled.
    pub scheduled: bool,
    /// Time of the newest backup in the directory.
    pub last_success_at: Option<i64>,
    /// Time of the last failure of a backup or its program since the start of the server, unless one succeeded since.
    pub last_failure_at: Option<i64>,
}

/// The current [`BackupStatus`]. Clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct StatusMeter(Arc<Mutex<BackupStatus>>);

impl StatusMeter {
    pub(super) fn read(&self) -> BackupStatus {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut BackupStatus)) {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

/// Scheduled backups of one instance.
#[derive(Debug)]
pub struct Backups {
    gate: Gate,
    clock: Clock,
    data_dir: PathBuf,
    schedule: Schedule,
    status: StatusMeter,
}

/// The configuration of scheduled backups.
#[derive(Debug, Clone)]
struct Schedule {
    /// None: no scheduled backups.
    minute_of_day: Option<u16>,
    directory: PathBuf,
    keep: Keep,
    options: ArchiveOptions,
    command: Vec<String>,
}

impl Schedule {
    fn new(config: &Config) -> Self {
        let backup = &config.backup;
        let passphrase = Some(&backup.passphrase).filter(|passphrase| !passphrase.reveal().is_empty()).cloned();
        Self {
            minute_of_day: backup.minute_of_day(),
            directory: directory(config),
            keep: Keep { daily: backup.keep_daily, weekly: backup.keep_weekly, monthly: backup.keep_monthly },
            options: ArchiveOptions { with_keys: passphrase.is_some(), passphrase, now: 0 },
            command: backup.command.clone(),
        }
    }
}

/// The directory of scheduled backups.
pub fn directory(config: &Config) -> PathBuf {
    if config.backup.directory.as_os_str().is_empty() {
        config.data_dir.join("backups")
    } else {
        config.backup.directory.clone()
    }
}

/// The time of the newest scheduled backup in `directory` that is not after `now`, in Unix milliseconds.
pub fn newest(directory: &Path, now: i64) -> io::Result<Option<i64>> {
    Ok(times(directory)?.into_iter().filter(|(time, _)| *time <= now).map(|(time, _)| time).max())
}

/// The scheduled backups in `directory` with their times.
fn times(directory: &Path) -> io::Result<Vec<(i64, PathBuf)>> {
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        let time = entry.file_name().to_str().and_then(retention::time_of);
        if let Some(time) = time.filter(|_| entry.file_type().is_ok_and(|kind| kind.is_file())) {
            found.push((time, entry.path()));
        }
    }
    Ok(found)
}

/// The last time at or before `now` at which a backup was scheduled.
fn scheduled_before(now: i64, minute_of_day: u16) -> i64 {
    let today = now - now.rem_euclid(DAY) + i64::from(minute_of_day) * MINUTE;
    if today <= now { today } else { today - DAY }
}

/// A finished backup.
struct Finished {
    path: PathBuf,
    bytes: u64,
    deleted: usize,
}

impl Backups {
    pub(super) fn new(gate: Gate, clock: Clock, config: &Config) -> Self {
        let schedule = Schedule::new(config);
        let last_success_at = newest(&schedule.directory, clock.now()).unwrap_or_default();
        let status = StatusMeter::default();
        // A standby has no background jobs.
        let scheduled = schedule.minute_of_day.is_some() && !gate.is_standby();
        status.change(|status| *status = BackupStatus { scheduled, last_success_at, last_failure_at: None });
        Self { gate, clock, data_dir: config.data_dir.clone(), schedule, status }
    }

    /// The time of the last backup and of the last failure, for monitoring.
    pub fn status(&self) -> BackupStatus {
        self.status.read()
    }

    pub(super) fn meter(&self) -> StatusMeter {
        self.status.clone()
    }

    /// Makes backups when they are due, until the future is dropped.
    pub async fn run(&self) {
        let Some(minute_of_day) = self.schedule.minute_of_day else {
            tracing::info!("scheduled backups are off (backup.daily)");
            return std::future::pending().await;
        };
        tokio::time::sleep(START_DELAY).await;
        let mut pause_until = None;
        loop {
            if pause_until.is_none_or(|until| self.clock.monotonic() >= until) {
                let succeeded = self.attempt(minute_of_day).await;
                pause_until = (!succeeded).then(|| self.clock.monotonic() + RETRY_AFTER);
            }
            tokio::time::sleep(CHECK_INTERVAL).await;
        }
    }

    /// Makes a backup if it is due at this minute of the day, and starts the program for the newest backup unless it has
    /// succeeded for it. Returns whether everything succeeded.
    pub async fn attempt(&self, minute_of_day: u16) -> bool {
        let now = self.clock.now();
        let newest = newest(&self.schedule.directory, now).unwrap_or_default();
        let is_due = newest.is_none_or(|newest| newest < scheduled_before(now, minute_of_day));
        if is_due && self.back_up().await.is_none() {
            return false;
        }
        let schedule = self.schedule.clone();
        match on_thread(move || run_program(&schedule)).await {
            Ok(false) => true,
            Ok(true) => {
                self.status.change(|status| status.last_failure_at = None);
                true
            }
            Err(reason) => {
                self.failed("the program of backup.command failed", &reason).await;
                false
            }
        }
    }

    /// Makes a backup now, and deletes backups that are no longer kept. Returns the path of the new one; none if it
    /// failed, which is logged and recorded in the audit log.
    pub async fn back_up(&self) -> Option<PathBuf> {
        let (data_dir, schedule, now) = (self.data_dir.clone(), self.schedule.clone(), self.clock.now());
        let started = std::time::Instant::now();
        match on_thread(move || make(&data_dir, schedule, now)).await {
            Ok(Finished { path, bytes, deleted }) => {
                let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
                tracing::info!(path = %path.display(), bytes, deleted, ms, "backed up the database");
                self.status.change(|status| {
                    (status.last_success_at, status.last_failure_at) = (Some(now), None);
                });
                let details = json!({ "file": path.display().to_string(), "bytes": bytes, "deleted": deleted });
                self.record("backup.create", details).await;
                Some(path)
            }
            Err(reason) => {
                self.failed("the scheduled backup failed", &reason).await;
                None
            }
        }
    }

    async fn failed(&self, what: &str, reason: &str) {
        tracing::error!(reason, "{what}; it is tried again in an hour");
        let now = self.clock.now();
        self.status.change(|status| status.last_failure_at = Some(now));
        self.record("backup.fail", json!({ "reason": format!("{what}: {reason}") })).await;
    }

    async fn record(&self, kind: &'static str, details: serde_json::Value) {
        let recorded = self.gate.system(Via::Job, move |tx| instance::backup_event(tx, kind, &details)).await;
        if let Err(error) = recorded {
            tracing::warn!(%error, "cannot record the backup in the audit log");
        }
    }
}

/// Makes a backup and deletes backups that are no longer kept.
fn make(data_dir: &Path, schedule: Schedule, now: i64) -> Result<Finished, String> {
    let directory = &schedule.directory;
    if directory.exists() {
        // This process has locked the data directory, so no other backup with such a name is running.
        archive::remove_unfinished(directory, retention::PREFIX)
            .and_then(|_| remove_marks_of_unfinished(directory))
            .map_err(|error| format!("cannot clean up {}: {error}", directory.display()))?;
    }
    let options = ArchiveOptions { now, ..schedule.options };
    let path = directory.join(retention::name(now, options.passphrase.is_some()));
    let has_command = !schedule.command.is_empty();
    let mut marked = Ok(());
    let created = archive::create(data_dir, &path, &options, &mut |stage| {
        // Before the backup appears under its name: a server that stops then starts the program for it later.
        if has_command && stage == Stage::Verifying {
            marked = mark_pending(&path);
        }
    });
    if let Err(error) = created {
        drop(fs::remove_file(pending(&path)));
        return Err(error.to_string());
    }
    marked?;
    let bytes = fs::metadata(&path).map_or(0, |file| file.len());
    let found = times(directory).unwrap_or_default();
    let all: Vec<i64> = found.iter().map(|(time, _)| *time).collect();
    let mut deleted = 0;
    for time in retention::to_delete(&all, now, schedule.keep) {
        for (_, path) in found.iter().filter(|(found, _)| *found == time) {
            drop(fs::remove_file(pending(path)));
            match fs::remove_file(path) {
                Ok(()) => deleted += 1,
                Err(error) => {
                    tracing::warn!(path = %path.display(), %error, "cannot delete an old backup; delete it yourself");
                }
            }
        }
    }
    Ok(Finished { path, bytes, deleted })
}

/// The file beside a backup that exists until the program has succeeded for it, also after a restart.
fn pending(backup: &Path) -> PathBuf {
    let mut name = backup.as_os_str().to_owned();
    name.push(PENDING);
    name.into()
}

/// Deletes the files made by [`mark_pending`] for backups that were interrupted.
fn remove_marks_of_unfinished(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        let backup = name.to_str().and_then(|name| name.strip_suffix(PENDING));
        if let Some(backup) = backup.filter(|backup| retention::time_of(backup).is_some())
            && !directory.join(backup).exists()
        {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn mark_pending(backup: &Path) -> Result<(), String> {
    let path = pending(backup);
    let created = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&path);
    created.map(drop).map_err(|error| format!("cannot create {}: {error}", path.display()))
}

/// Runs the program for the newest backup for which it has not succeeded, after which older ones do not need it. Returns
/// whether there was one.
fn run_program(schedule: &Schedule) -> Result<bool, String> {
    if schedule.command.is_empty() {
        return Ok(false);
    }
    let found = times(&schedule.directory);
    let found = found.map_err(|error| format!("cannot read {}: {error}", schedule.directory.display()))?;
    let waiting: Vec<_> = found.iter().filter(|(_, path)| pending(path).exists()).collect();
    let Some((_, newest)) = waiting.iter().max_by_key(|(time, _)| *time) else { return Ok(false) };
    command::run(&schedule.command, newest)?;
    for (_, path) in waiting {
        let pending = pending(path);
        fs::remove_file(&pending).map_err(|error| format!("cannot delete {}: {error}", pending.display()))?;
    }
    Ok(true)
}

/// Runs `work` on a thread of its own: it takes minutes for large databases and must not occupy a pool.
async fn on_thread<T: Send + 'static>(work: impl FnOnce() -> Result<T, String> + Send + 'static) -> Result<T, String> {
    let (reply, answer) = oneshot::channel();
    std::thread::Builder::new()
        .name("backup".into())
        .spawn(move || drop(reply.send(work())))
        .map_err(|error| format!("cannot start a thread: {error}"))?;
    answer.await.unwrap_or_else(|_| Err("the thread panicked".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheduled_time_is_today_or_yesterday() {
        let (midnight, minute) = (20_000 * DAY, 195);
        assert_eq!(scheduled_before(midnight, minute), midnight - DAY + 195 * MINUTE);
        assert_eq!(scheduled_before(midnight + 195 * MINUTE, minute), midnight + 195 * MINUTE);
        assert_eq!(scheduled_before(midnight + DAY - 1, minute), midnight + 195 * MINUTE);
        assert_eq!(scheduled_before(midnight, 0), midnight);
    }

    #[test]
    fn only_complete_scheduled_backups_count() {
        let dir = tempfile::tempdir().unwrap();
        let now = 1_795_403_700_000;
        for name in [
            retention::name(now - DAY, false),
            retention::name(now + DAY, true),
            retention::name(now, false) + ".x.unfinished",
            "other.tar.zst".into(),
        ] {
            fs::write(dir.path().join(name), "").unwrap();
        }
        fs::create_dir(dir.path().join(retention::name(now, false))).unwrap();
        assert_eq!(newest(dir.path(), now).unwrap(), Some(now - DAY));
        assert_eq!(newest(dir.path(), now - 2 * DAY).unwrap(), None);
        assert_eq!(newest(&dir.path().join("missing"), now).unwrap(), None);
    }
}
