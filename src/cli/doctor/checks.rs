//! Checks of the database, the keys, the backups and the configuration.

use super::findings::{Findings, Subject};
use crate::{
    app::backups,
    auth::keys::Keys,
    cli::{backup::size, output::Failure, table},
    clock::{DAY, HOUR},
    db::inspect::{self, Condition},
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

pub(super) fn database(subject: &Subject<'_>, findings: &mut Findings) -> Result<(), Failure> {
    let data_dir = &subject.config.data_dir;
    let condition = inspect::examine(data_dir)?;
    integrity(&condition, findings);
    space(&condition, findings);
    if condition.damage.is_some() || condition.schema != condition.known_schema {
        return Ok(());
    }
    let differences = inspect::look(data_dir, history::compare_with_log)?;
    if differences.is_empty() {
        findings.ok("change log", "the rows of all workspaces equal their last logged state");
    } else {
        findings.problem("change log", format!("{}; please report this", differences.join("; ")));
    }
    keys(subject, findings)?;
    match inspect::look(data_dir, instance::last_change_at)? {
        Some(at) if at > subject.now + HOUR => findings.problem(
            "clock",
            format!("the last change was made at {}, which is in the future; set the clock", table::time(&at.into())),
        ),
        _ => findings.ok("clock", format!("{}; no change is newer", table::time(&subject.now.into()))),
    }
    Ok(())
}

fn integrity(condition: &Condition, findings: &mut Findings) {
    let Condition { schema, known_schema, bytes, .. } = condition;
    if let Some(damage) = &condition.damage {
        let text = format!("damaged ({damage}); restore a backup with `planroom restore FILE --replace`");
        findings.problem("database", text);
    } else if !condition.broken_references.is_empty() {
        let tables = condition.broken_references.join(", ");
        findings.problem("database", format!("rows of {tables} refer to missing rows; restore a backup"));
    } else if schema > known_schema {
        let text = format!("schema {schema} of a newer release; this release supports {known_schema}");
        findings.problem("database", text);
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
    } else if condition.damage.is_none() {
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
    let sealed = inspect::look(data_dir, sealed::count)?;
    if !Keys::can_unseal(data_dir) {
        if sealed.total() > 0 {
            let text =
                format!("keys/sealing.key is missing, and only it decrypts {sealed}; copy the keys from a backup");
            findings.problem("keys", text);
        } else {
            findings.ok("keys", "not created yet; nothing is encrypted");
        }
        return Ok(());
    }
    let keys = match Keys::load_existing(data_dir) {
        Ok(keys) => keys,
        Err(error) => {
            findings.warn("keys", format!("{error}; the next start creates a missing signing key"));
            return Ok(());
        }
    };
    let lost = inspect::look(data_dir, |conn| sealed::unreadable(conn, &keys))?;
    if lost.total() > 0 {
        let text =
            format!("cannot decrypt {lost}; restore the right keys, or discard the data with `planroom keys reset`");
        findings.problem("keys", text);
    } else {
        findings
            .ok("keys", if sealed.total() > 0 { format!("decrypt {sealed}") } else { "nothing is encrypted".into() });
    }
    Ok(())
}

pub(super) fn backups(subject: &Subject<'_>, findings: &mut Findings) {
    let Subject { config, now, .. } = *subject;
    let directory = backups::directory(config);
    let shown = directory.display();
    if let Ok(Some((at, reason))) = inspect::look(&config.data_dir, instance::last_backup_failure) {
        findings.problem("backups", format!("failed at {}: {reason}", table::time(&at.into())));
    }
    if config.backup.minute_of_day().is_none() {
        findings.warn("backups", "scheduled backups are off (backup.daily); make sure that something else backs up");
        return;
    }
    match backups::newest(&directory, now) {
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
    let is_https = config.public_url.starts_with("https:");
    if config.public_url.is_empty() && !config.listen.ip().is_loopback() {
        findings.warn("public URL", "not set, so links point to localhost; set public_url");
    } else if is_https && config.proxies.trusted.is_empty() {
        findings.warn(
            "proxies",
            "public_url is https, so a proxy forwards requests, but proxies.trusted is empty: all visitors share one rate limit",
        );
    } else {
        findings.ok("proxies", if config.proxies.trusted.is_empty() { "none" } else { "trusted proxies are set" });
    }
}
