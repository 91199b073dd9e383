//! Checks of the database, the keys, the backups and the configuration.

use std::path::Path;

use super::findings::{Findings, Status, Subject};
use crate::{
    app::backups,
    auth::keys::Keys,
    cli::{backup::size, output::Failure, table},
    clock::{DAY, HOUR, MINUTE, SECOND},
    db::{
        OpenError,
        inspect::{self, Condition},
    },
    domain::{
        history,
        instance::{self, sealed},
    },
    machine,
};

/// Size of the write-ahead log from which a long read, or another program, seems to keep it from being merged.
const LARGE_LOG_BYTES: u64 = 256 << 20;
/// Unused space from which a vacuum is worthwhile: this much, and a quarter of the file.
const MUCH_UNUSED_BYTES: u64 = 64 << 20;
/// Age of the newest backup from which it is overdue, in milliseconds.
const OVERDUE_AFTER: i64 = DAY + 6 * HOUR;
/// Age of the copy of a standby from which it does not seem to be kept up to date, in milliseconds.
const OLD_COPY: i64 = 10 * MINUTE;

pub(super) fn database(subject: &Subject<'_>, findings: &mut Findings) -> Result<(), Failure> {
    let data_dir = &subject.config.data_dir;
    standby(subject, findings);
    let condition = match inspect::examine(data_dir) {
        Ok(condition) => condition,
        Err(OpenError::Corrupt { reason, .. }) => Condition { damage: Some(reason), ..Condition::default() },
        Err(error) => {
            findings.problem("database", error.to_string());
            unchecked(&["change log", "keys", "clock"], "the database cannot be opened", findings);
            return Ok(());
        }
    };
    integrity(&condition, data_dir, findings);
    if condition.bytes > 0 {
        space(&condition, findings);
    }
    let obstacle = match () {
        () if condition.damage.is_some() => Some("the database is damaged"),
        () if condition.schema == 0 => Some("the database is empty"),
        () if condition.unsupported.is_some() => Some("this release cannot read the database"),
        () => None,
    };
    if let Some(reason) = obstacle {
        unchecked(&["change log", "keys", "clock"], reason, findings);
        return Ok(());
    }
    keys(subject, findings)?;
    if condition.schema < condition.known_schema {
        unchecked(&["change log", "clock"], "the database has to be upgraded first", findings);
        return Ok(());
    }
    let differences = inspect::look(data_dir, history::compare_with_log)?;
    if differences.is_empty() {
        findings.ok("change log", "the rows of all workspaces equal their last logged state");
    } else {
        findings.problem("change log", format!("{}; please report this", differences.join("; ")));
    }
    match inspect::look(data_dir, instance::last_change_at)? {
        Some(at) if at > subject.now + HOUR => findings.problem(
            "clock",
            format!("the last change was made at {}, which is in the future; set the clock", table::time(&at.into())),
        ),
        _ => findings.ok("clock", format!("{}; no change is newer", table::time(&subject.now.into()))),
    }
    Ok(())
}

fn unchecked(checks: &[&'static str], reason: &str, findings: &mut Findings) {
    for check in checks {
        findings.warn(check, format!("not checked: {reason}"));
    }
}

/// How old the copy of a standby is.
fn standby(subject: &Subject<'_>, findings: &mut Findings) {
    let Some(written_at) = subject.diagnostics.standby_written_at else { return };
    let age = subject.now - written_at;
    let status = if age > OLD_COPY { Status::Warning } else { Status::Ok };
    let text = format!("the copy of the database is of {}, {} s ago", table::time(&written_at.into()), age / SECOND);
    findings.add("standby", status, text);
}

fn integrity(condition: &Condition, data_dir: &Path, findings: &mut Findings) {
    let Condition { schema, known_schema, bytes, .. } = condition;
    if let Some(damage) = &condition.damage {
        let text = format!("damaged ({damage}); restore a backup with `planroom restore FILE --replace`");
        findings.problem("database", text);
    } else if let Some(what) = &condition.foreign_schema {
        let text = format!(
            "{what}; Planroom has not created this, and it can change the behavior of the server: remove it, or restore a backup"
        );
        findings.problem("database", text);
    } else if !condition.broken_references.is_empty() {
        let tables = condition.broken_references.join(", ");
        findings.problem("database", format!("rows of {tables} refer to missing rows; restore a backup"));
    } else if *schema == 0 && Keys::exist(data_dir) {
        let text = "empty, but there are keys of a database; restore a backup with `planroom restore FILE`";
        findings.problem("database", text);
    } else if *schema == 0 {
        findings.warn("database", "empty; the next start creates an instance");
    } else if let Some(reason) = &condition.unsupported {
        findings.problem("database", reason.as_str());
    } else if schema < known_schema {
        let text = format!("schema {schema}; the next start upgrades it to {known_schema}");
        findings.warn("database", text);
    } else {
        let version = env!("CARGO_PKG_VERSION");
        let text = format!("{}, schema {schema}, version {version}; integrity and references verified", size(*bytes));
        findings.ok("database", text);
    }
    if condition.is_search_index_damaged {
        findings.problem("search index", "damaged; run `planroom doctor --repair` or `planroom search rebuild`");
    } else if condition.damage.is_none() && *schema > 0 {
        findings.ok("search index", "intact");
    }
}

fn space(condition: &Condition, findings: &mut Findings) {
    let Condition { bytes, unused_bytes, log_bytes, free_bytes, .. } = condition;
    if *log_bytes > LARGE_LOG_BYTES {
        let text = format!("the write-ahead log has {}; restart the server to merge it", size(*log_bytes));
        findings.warn("storage", text);
    }
    if *unused_bytes > MUCH_UNUSED_BYTES && unused_bytes * 4 > *bytes {
        findings.warn("storage", format!("{} of the database are unused; run `planroom vacuum`", size(*unused_bytes)));
    }
    match free_bytes {
        // An upgrade copies the database before it changes it.
        Some(free) if *free < bytes * 2 + (64 << 20) => {
            let text =
                format!("only {} are free; backups and upgrades need {}", size(*free), size(bytes * 2 + (64 << 20)));
            findings.warn("storage", text);
        }
        Some(free) => findings.ok("storage", format!("{} free, write-ahead log {}", size(*free), size(*log_bytes))),
        None => findings.warn("storage", "the free space is unknown"),
    }
}

fn keys(subject: &Subject<'_>, findings: &mut Findings) -> Result<(), Failure> {
    let data_dir = &subject.config.data_dir;
    let keys = match Keys::load_unchanged(data_dir) {
        Ok(keys) => keys,
        Err(error) => {
            findings.problem("keys", error.to_string());
            return Ok(());
        }
    };
    let sealed = inspect::look(data_dir, |conn| sealed::count(conn, subject.now))?;
    let missing = sealed.without_keys_in(data_dir);
    if missing.total() > 0 {
        let names = missing.key_names();
        let text = format!("{names} not found; {missing} cannot be used; copy the keys from a backup");
        findings.problem("keys", text);
        return Ok(());
    }
    if !Keys::can_sign(data_dir) && Keys::exist(data_dir) {
        findings
            .warn("keys", "session-signing.pk8 not found; the next start creates it, and clients renew their sessions");
    }
    let lost = inspect::look(data_dir, |conn| sealed::unreadable(conn, &keys))?;
    if lost.total() > 0 {
        let text =
            format!("cannot decrypt {lost}; restore the right keys, or discard the data with `planroom keys reset`");
        findings.problem("keys", text);
    } else if sealed.total() > 0 {
        findings.ok("keys", format!("complete; needed by {sealed}"));
    } else {
        let exist = Keys::exist(data_dir);
        findings.ok("keys", if exist { "nothing needs them" } else { "not created yet; nothing needs them" });
    }
    Ok(())
}

pub(super) fn backups(subject: &Subject<'_>, findings: &mut Findings) {
    let Subject { config, now, .. } = subject;
    if subject.diagnostics.standby_written_at.is_some() {
        findings.ok("backups", "a standby makes none");
        return;
    }
    let directory = backups::directory(config);
    let shown = directory.display();
    if let Ok(Some((at, reason))) = inspect::look(&config.data_dir, instance::last_backup_failure) {
        findings.problem("backups", format!("failed at {}: {reason}", table::time(&at.into())));
    }
    if config.backup.minute_of_day().is_none() {
        findings.warn("backups", "scheduled backups are off (backup.daily); make sure that something else backs up");
        return;
    }
    match backups::newest(&directory, *now) {
        Err(error) => findings.problem("backups", format!("cannot read {shown}: {error}")),
        Ok(None) => findings.warn("backups", format!("there is no scheduled backup in {shown} yet")),
        Ok(Some(at)) if now - at > OVERDUE_AFTER => findings.problem(
            "backups",
            format!("the newest in {shown} is of {}, {} h ago", table::time(&at.into()), (now - at) / HOUR),
        ),
        Ok(Some(at)) => findings.ok("backups", format!("the newest in {shown} is of {}", table::time(&at.into()))),
    }
    if config.backup.passphrase.reveal().is_empty() {
        findings.ok("backups", "scheduled backups do not contain the keys; keep a copy of the directory `keys`");
    }
}

pub(super) fn configuration(subject: &Subject<'_>, findings: &mut Findings) {
    /// Files other than connections.
    const OTHER_FILES: u64 = 64;
    /// Maximum number of addresses in a message.
    const MAX_ADDRESSES: usize = 10;
    let config = subject.config;
    let needed = config.limits.connections as u64 + OTHER_FILES;
    match machine::open_file_limit().filter(|limit| *limit < needed) {
        Some(limit) => findings.warn(
            "file limit",
            format!(
                "{limit} in this shell, but limits.connections needs {needed}; raise it with LimitNOFILE= or ulimit -n"
            ),
        ),
        None => findings.ok("file limit", format!("sufficient for {} connections", config.limits.connections)),
    }
    let forwarding = &subject.diagnostics.forwarding;
    let is_https = config.public_url.starts_with("https:");
    if config.public_url.is_empty() && !config.listen.ip().is_loopback() {
        findings.warn("public URL", "not set, so links point to localhost; set public_url");
    } else if !forwarding.is_empty() {
        let addresses = forwarding.iter().take(MAX_ADDRESSES).map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let text = format!(
            "X-Forwarded-For from {addresses} is ignored, because proxies.trusted does not list it: all visitors behind \
             this proxy share one rate limit. If it is your proxy, add its address"
        );
        findings.warn("proxies", text);
    } else if is_https && config.proxies.trusted.is_empty() && !config.tls.is_on() {
        findings.warn(
            "proxies",
            "public_url is https, so a proxy forwards requests, but proxies.trusted is empty: all visitors share one rate limit",
        );
    } else {
        findings.ok("proxies", if config.proxies.trusted.is_empty() { "none" } else { "trusted proxies are set" });
    }
}
