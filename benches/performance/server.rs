//! The real binary in its own process, so that its start, memory and processor time can be measured.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use rustix::process::{Pid, Signal, kill_process};

use super::PASSWORD;

/// The binary that is measured.
pub const BINARY: &str = env!("CARGO_BIN_EXE_planroom");

/// A running server, killed on drop.
pub struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

impl Server {
    /// Starts Planroom for `data` with settings in environment variables. Returns its URL.
    pub fn start(data: &Path, settings: &[(&str, &str)]) -> (Self, String) {
        let mut command = Command::new(BINARY);
        command.args(["serve", "--listen", "127.0.0.1:0", "--data-dir"]).arg(data).envs(settings.iter().copied());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        (Self(child), line.trim().strip_prefix("listening on ").unwrap().to_owned())
    }

    /// Starts any server, without waiting for it.
    pub fn spawn(command: &mut Command) -> Self {
        Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// Stops the server in an orderly way.
    pub fn stop(mut self) {
        kill_process(Pid::from_child(&self.0), Signal::TERM).unwrap();
        self.0.wait().unwrap();
    }

    /// Resident memory in MiB.
    pub fn memory(&self) -> f64 {
        self.status("VmRSS:")
    }

    /// Resident memory without pages of files, such as those of the binary, in MiB.
    pub fn private_memory(&self) -> f64 {
        self.status("RssAnon:")
    }

    /// The highest resident memory so far in MiB.
    pub fn peak_memory(&self) -> f64 {
        self.status("VmHWM:")
    }

    fn status(&self, name: &str) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.0.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0
    }

    /// Processor time that the server has used.
    pub fn processor_time(&self) -> Duration {
        processor_time(&self.0.id().to_string())
    }
}

/// Processor time of a process in `/proc`. Linux counts it in hundredths of a second.
pub fn processor_time(process: &str) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    // The second field is the name in parentheses; the times are the 14th and 15th.
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let ticks = fields.split_whitespace().skip(11).take(2).map(|field| field.parse::<u64>().unwrap());
    Duration::from_millis(ticks.sum::<u64>() * 10)
}

/// Creates the administrator `ada` and the organization `acme`.
pub fn create_admin(data: &Path) {
    let mut command = Command::new(BINARY);
    command.args(["admin", "create", "--login", "ada", "--name", "Ada", "--org", "acme", "--password-stdin"]);
    let mut child = command.arg("--data-dir").arg(data).stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    writeln!(child.stdin.take().unwrap(), "{PASSWORD}").unwrap();
    assert!(child.wait().unwrap().success());
}
