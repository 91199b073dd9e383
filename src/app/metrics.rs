//! The metrics of an instance.

use std::{
    fmt, fs,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use super::backups::StatusMeter;
use crate::{
    auth::throttle::Throttle,
    blocking::PoolMeter,
    bodies::Bodies,
    budget::Budget,
    db::DbMeter,
    domain::{live::Live, mail::MailCounts, map::bundle::Bundles, webhooks::WebhookCounts},
    listen::ConnectionCounts,
    log::LogWriter,
    machine,
    metrics::{Source, Values},
    tls::Certificates,
};

/// The parts of an instance that have metrics. It keeps none of their threads running.
#[derive(Debug)]
pub(super) struct InstanceMetrics {
    pub(super) db: DbMeter,
    pub(super) pools: Vec<PoolMeter>,
    pub(super) bundles: Bundles,
    pub(super) live: Arc<Live>,
    pub(super) bodies: Bodies,
    pub(super) responses: Budget,
    pub(super) throttle: Arc<Throttle>,
    pub(super) mail: Arc<MailCounts>,
    pub(super) webhooks: Arc<WebhookCounts>,
    pub(super) stale_sources: Arc<AtomicU64>,
    pub(super) connections: Arc<ConnectionCounts>,
    pub(super) backups: StatusMeter,
    /// None without TLS.
    pub(super) certificates: Option<Arc<Certificates>>,
    /// None if the log is not written by this process.
    pub(super) log: Option<LogWriter>,
}

impl Source for InstanceMetrics {
    fn read(&self, out: &mut Values<'_>) -> fmt::Result {
        let version = [(env!("CARGO_PKG_VERSION"), 1)];
        out.gauges("build_info", "Version of the server; the value is always 1", "version", version)?;
        self.read_connections(out)?;
        self.read_writer(out)?;
        self.read_pools(out)?;
        self.read_memory(out)?;
        self.read_files(out)?;
        self.read_standby(out)?;
        self.read_backups(out)?;
        let failures = self.throttle.tallies().failures();
        out.counters(
            "sign_in_failures",
            "Wrong passwords and two-factor codes, by what was entered",
            "kind",
            failures,
        )?;
        let rejections = self.throttle.tallies().rejections();
        let help = "Attempts that a rate limit rejected without checking them, by kind";
        out.counters("rate_limited_attempts", help, "kind", rejections)?;
        if let Some(certificates) = &self.certificates {
            let help = "Time since the Unix epoch at which the TLS certificate expires";
            let expires_at = Duration::from_millis(u64::try_from(certificates.expires_at()).unwrap_or_default());
            out.seconds("tls_certificate_expiry", help, expires_at.as_secs_f64())?;
        }
        out.gauge("mail_queued", "Emails that wait for the mail server", self.mail.queued())?;
        out.counter("mail_sent", "Emails that the mail server accepted", self.mail.sent())?;
        out.counter("mail_failed", "Failed attempts to send an email", self.mail.failed())?;
        out.gauge("webhook_deliveries_pending", "Deliveries of webhooks that wait", self.webhooks.pending())?;
        out.counter("webhook_deliveries", "Deliveries that a receiver accepted", self.webhooks.delivered())?;
        out.counter("webhook_failures", "Failed attempts to deliver a webhook", self.webhooks.failed())?;
        let stale = self.stale_sources.load(Ordering::Relaxed);
        out.gauge("stale_sources", "Sources of workspaces that were not synchronized for a while", stale)?;
        if let Some(log) = &self.log {
            let help = "Log lines that were lost because standard error was blocked";
            out.counter("log_lines_dropped", help, log.dropped())?;
        }
        Ok(())
    }
}

impl InstanceMetrics {
    fn read_connections(&self, out: &mut Values<'_>) -> fmt::Result {
        let counts = &self.connections;
        out.gauge("connections", "Open client connections", counts.open())?;
        let help = "Connections closed at once because their address had too many";
        out.counter("connections_refused", help, counts.refused())?;
        out.counter("connections_evicted", "Idle and slow connections closed to accept others", counts.evicted())?;
        out.gauge("event_streams", "Open event streams of clients that follow a workspace", self.live.streams() as u64)
    }

    fn read_writer(&self, out: &mut Values<'_>) -> fmt::Result {
        let writer = &self.db.writer;
        out.gauge("writer_queue", "Writes that wait for the writer thread", writer.waiting() as u64)?;
        out.histogram("commit_duration", "Time of a commit until it is on disk", &writer.commits.durations)?;
        out.counter("writes", "Committed writes; several can share a commit", writer.commits.jobs.get())?;
        out.counter("commit_failures", "Commits that failed", writer.commits.failures.get())
    }

    fn read_pools(&self, out: &mut Values<'_>) -> fmt::Result {
        let pools = || self.db.pools.iter().chain(&self.pools);
        let threads = pools().map(|pool| (pool.name.as_str(), pool.threads as u64));
        out.gauges("pool_threads", "Threads of a pool", "pool", threads)?;
        let running = pools().map(|pool| (pool.name.as_str(), pool.running() as u64));
        out.gauges("pool_running", "Jobs that run on the threads of a pool", "pool", running)?;
        let waiting = pools().map(|pool| (pool.name.as_str(), pool.waiting() as u64));
        out.gauges("pool_waiting", "Jobs that wait for a thread of a pool", "pool", waiting)?;
        let stopped = pools().map(|pool| (pool.name.as_str(), pool.stopped()));
        let help = "Jobs that were stopped because the client disconnected or the deadline passed";
        out.counters("pool_stopped", help, "pool", stopped)
    }

    fn read_memory(&self, out: &mut Values<'_>) -> fmt::Result {
        let (hits, misses) = self.bundles.hits_and_misses();
        out.counter("bundle_cache_hits", "Workspace reads answered from the cache", hits)?;
        out.counter("bundle_cache_misses", "Workspace reads for which the workspace was serialized", misses)?;
        out.bytes("bundle_cache", "Size of the cache of serialized workspaces", self.bundles.bytes())?;
        out.bytes("request_bodies", "Request bodies in memory", self.bodies.in_use() as u64)?;
        out.bytes("request_bodies_limit", "Maximum for the request bodies of users", self.bodies.limit() as u64)?;
        out.bytes("responses", "Large responses in memory", self.responses.in_use() as u64)
    }

    fn read_files(&self, out: &mut Values<'_>) -> fmt::Result {
        out.bytes("database", "Size of the database file", self.db.file_bytes())?;
        out.bytes("database_wal", "Size of the write-ahead log", self.db.wal_bytes())?;
        match self.db.free_bytes() {
            Some(free) => out.bytes("disk_free", "Free space on the file system of the database", free),
            None => Ok(()),
        }
    }

    fn read_standby(&self, out: &mut Values<'_>) -> fmt::Result {
        let written_at = self.db.standby_written_at;
        out.gauge("standby", "1 if this server is a standby, otherwise 0", u64::from(written_at.is_some()))?;
        let Some(written_at) = written_at else { return Ok(()) };
        let help = "Unix time at which the copy of the database was written that the standby reads";
        out.seconds("standby_database_time", help, written_at.as_secs_f64())
    }

    fn read_backups(&self, out: &mut Values<'_>) -> fmt::Result {
        let status = self.backups.read();
        if !status.scheduled {
            return Ok(());
        }
        // Zero makes the alert for overdue backups fire.
        let at = Duration::from_millis(status.last_success_at.unwrap_or(0).unsigned_abs());
        out.seconds("last_backup_time", "Unix time of the newest scheduled backup", at.as_secs_f64())?;
        let help = "1 if the last scheduled backup or its program failed, otherwise 0";
        out.gauge("backup_failing", help, u64::from(status.last_failure_at.is_some()))
    }
}

/// The metrics of the process that all Prometheus clients have under these names.
#[derive(Debug)]
pub(super) struct ProcessMetrics;

impl Source for ProcessMetrics {
    fn read(&self, out: &mut Values<'_>) -> fmt::Result {
        if let Some(usage) = machine::process_usage() {
            out.counted_seconds("process_cpu", "CPU time of the process", usage.cpu_seconds)?;
            out.bytes("process_resident_memory", "Resident memory of the process", usage.resident_bytes)?;
            let help = "Start time of the process since the Unix epoch";
            out.seconds("process_start_time", help, usage.started_at)?;
        }
        if let Ok(files) = fs::read_dir("/proc/self/fd") {
            // One of them is the directory itself.
            out.gauge("process_open_fds", "Open files and connections", files.count().saturating_sub(1) as u64)?;
        }
        match machine::open_file_limit() {
            Some(limit) => out.gauge("process_max_fds", "Maximum number of open files and connections", limit),
            None => Ok(()),
        }
    }
}
