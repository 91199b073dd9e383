//! The program that is started after a scheduled backup.

use std::{
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// How long the program may run.
const TIMEOUT: Duration = Duration::from_hours(1);
/// Interval of checking whether it has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Runs `command` with the path of the backup as its last argument, and waits for its end. Its error output goes to
/// the log of the server. It does not inherit the configuration, which can contain secrets.
pub(super) fn run(command: &[String], backup: &Path) -> Result<(), String> {
    run_for(command, backup, TIMEOUT)
}

fn run_for(command: &[String], backup: &Path, timeout: Duration) -> Result<(), String> {
    let Some((program, arguments)) = command.split_first() else { return Ok(()) };
    let mut command = Command::new(program);
    command.args(arguments).arg(backup).stdin(Stdio::null()).stdout(Stdio::null());
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("PLANROOM_")) {
        command.env_remove(name);
    }
    let mut child = command.spawn().map_err(|error| format!("cannot start {program}: {error}"))?;
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("{program} failed: {status}")),
            Ok(None) if started.elapsed() < timeout => std::thread::sleep(POLL_INTERVAL),
            Ok(None) => {
                drop(child.kill());
                drop(child.wait());
                return Err(format!("{program} did not end within {} s and was killed", timeout.as_secs()));
            }
            Err(error) => return Err(format!("cannot wait for {program}: {error}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Vec<String> {
        ["sh", "-c", script, "sh"].map(String::from).to_vec()
    }

    #[test]
    fn the_program_gets_the_path_and_its_failure_is_reported() {
        let dir = tempfile::tempdir().unwrap();
        let backup = dir.path().join("copy with spaces");
        std::fs::write(&backup, "x").unwrap();
        run(&shell("cp \"$1\" \"$1.uploaded\""), &backup).unwrap();
        assert!(dir.path().join("copy with spaces.uploaded").exists());
        assert_eq!(run(&shell("exit 7"), &backup).unwrap_err(), "sh failed: exit status: 7");
        assert!(run(&["/no/such/program".into()], &backup).unwrap_err().starts_with("cannot start /no/such/program"));
        let slow = run_for(&shell("sleep 60"), &backup, Duration::from_millis(300)).unwrap_err();
        assert!(slow.contains("did not end within"), "{slow}");
        run(&[], &backup).unwrap();
    }
}
