//! `planroom doctor`.

mod checks;
mod files;
mod findings;
mod repair;

use std::path::Path;

use clap::Args;
use serde_json::{Value, json};

use self::findings::{Finding, Findings, Status, Subject};
use super::{
    data_dir::{DataDir, expect_database},
    operate::send_to_server,
    output::{ExitStatus, Failure, one_line, print, print_json},
};
use crate::{
    clock::Clock,
    config::Config,
    db::{OpenError, lock::DataDirLock},
    operator::{AdminOperation, Diagnostics},
};

/// Exit status if there are warnings only, and if there are problems.
const EXIT_WARNINGS: u8 = 3;
const EXIT_PROBLEMS: u8 = 4;

/// Check database, keys, files, disk space, backups and configuration, also while the server runs
///
/// Exit status: 0 if everything is in order, 3 for warnings, 4 for problems, 1 if the checks could not run.
#[derive(Debug, Args)]
pub(super) struct Doctor {
    /// First repair what can be repaired without losing data: file permissions, remains of interrupted operations, the
    /// search index; the server must be stopped
    #[arg(long)]
    repair: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data_dir_args: DataDir,
}

impl Doctor {
    pub(super) fn run(self) -> Result<(), Failure> {
        let config = self.data_dir_args.load()?.config;
        let data_dir = &config.data_dir;
        expect_database(data_dir)?;
        let now = Clock::default().now();
        let repaired = if self.repair { repair::run(&config, now)? } else { Vec::new() };
        let server = send_to_server(data_dir, &AdminOperation::Health)?;
        let diagnostics = if server.is_some() { diagnostics(data_dir)? } else { Diagnostics::default() };
        let lock = if server.is_some() { None } else { Some(DataDirLock::take(data_dir)) };
        let mut findings = Findings::default();
        match (&server, &lock) {
            (Some(Err(failure)), _) => findings.problem("server", format!("running, but it reports: {failure}")),
            (Some(Ok(_)), _) if diagnostics.standby_written_at.is_some() => {
                findings.ok("server", "running as a standby, responds to commands");
            }
            (Some(Ok(_)), _) => findings.ok("server", "running, responds to commands"),
            (None, Some(Err(OpenError::Locked(_)))) => {
                findings.warn("server", "another Planroom process is using the data directory");
            }
            (None, Some(Err(error))) => findings.warn("server", format!("not running; {error}")),
            (None, _) => findings.ok("server", "not running"),
        }
        // Another command can hold the lock without being a server.
        let is_running = server.is_some() || matches!(lock, Some(Err(OpenError::Locked(_))));
        let subject = Subject { config: &config, is_running, diagnostics, now };
        checks::database(&subject, &mut findings)?;
        files::check(&subject, &mut findings)?;
        checks::backups(&subject, &mut findings);
        checks::configuration(&subject, &mut findings);
        drop(lock);
        let worst = findings.worst();
        if self.json {
            print_json(&report(&config, &repaired, &findings))?;
        } else {
            let fixed = repaired.iter().map(|text| format!("REPAIRED  {text}\n"));
            let lines = findings.0.iter().map(|Finding { check, status, message }| {
                format!("{:<8}  {check:<13}  {}\n", status.as_str().to_uppercase(), one_line(message))
            });
            print(&fixed.chain(lines).collect::<String>())?;
        }
        match worst {
            Status::Ok => Ok(()),
            Status::Warning => Err(ExitStatus(EXIT_WARNINGS).into()),
            Status::Problem => Err(ExitStatus(EXIT_PROBLEMS).into()),
        }
    }
}

/// The diagnostics of the running server. Empty if its release does not support them.
fn diagnostics(data_dir: &Path) -> Result<Diagnostics, Failure> {
    let diagnostics = send_to_server(data_dir, &AdminOperation::Diagnose)?.and_then(Result::ok);
    Ok(diagnostics.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default())
}

fn report(config: &Config, repaired: &[String], findings: &Findings) -> Value {
    let found = findings.0.iter().map(
        |Finding { check, status, message }| json!({ "check": check, "status": status.as_str(), "message": message }),
    );
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "dataDir": config.data_dir,
        "status": findings.worst().as_str(),
        "repaired": repaired,
        "findings": found.collect::<Vec<_>>(),
    })
}
