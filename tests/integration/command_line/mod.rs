//! Tests of the real binary on the command line: output, errors and side effects.

mod access;
mod administrators;
mod archives;
mod audit;
mod backups;
mod config;
mod connections;
mod crash;
mod demo;
mod doctor;
mod documented_sync;
mod first_account;
mod help;
mod identity;
mod keys;
mod log;
mod mcp;
mod memory;
mod metrics;
mod models;
mod organizations;
mod restoring;
mod search;
mod server;
mod serving;
mod sharing;
mod sign_in_work;
mod slow_clients;
mod slow_followers;
mod sources;
mod splitting;
mod standby;
mod sync;
mod terminal;
mod tls;
mod untrusted_archives;
mod untrusted_backups;
mod untrusted_repositories;
mod uploads;
mod users;
mod wiki;
mod workspace_images;
mod workspaces;

use std::{
    fs,
    io::Write,
    path::PathBuf,
    process::{Command, ExitStatus, Stdio},
};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::PASSWORD;

/// An empty working directory for commands, with the data in `data` by default.
struct WorkDir(TempDir);

/// The result of a command.
#[derive(Debug)]
struct Outcome {
    status: ExitStatus,
    out: String,
    err: String,
}

impl Outcome {
    /// Expects success. Returns the output.
    #[track_caller]
    fn ok(self) -> String {
        assert!(self.status.success(), "{self:?}");
        self.out
    }

    /// Expects failure in the standard form: exit code 1, and a single line that begins with the name of the program
    /// and contains `text`.
    #[track_caller]
    fn expect_error(self, text: &str) -> String {
        // 78 is for an invalid configuration.
        assert!(matches!(self.status.code(), Some(1 | 78)), "{self:?}");
        assert!(self.err.starts_with("planroom: "), "{self:?}");
        assert_eq!(self.err.trim_end().lines().count(), 1, "{self:?}");
        assert!(self.err.contains(text), "expected `{text}` in {self:?}");
        assert_eq!(self.out, "");
        self.err
    }
}

impl WorkDir {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    /// The binary in this directory, without `PLANROOM_` variables.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_planroom"));
        command.args(arguments).current_dir(self.0.path());
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("PLANROOM_")) {
            command.env_remove(name);
        }
        command
    }

    fn run(&self, arguments: &[&str]) -> Outcome {
        self.run_with(arguments, &[], "")
    }

    fn run_with(&self, arguments: &[&str], variables: &[(&str, &str)], input: &str) -> Outcome {
        let mut command = self.command(arguments);
        command.envs(variables.iter().copied());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // A command that does not read its input may have ended already.
        drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Outcome { status: output.status, out: text(output.stdout), err: text(output.stderr) }
    }

    /// Runs the command on a terminal. `err` contains standard error, including prompts.
    fn run_on_terminal(&self, arguments: &[&str], typed: &str) -> Outcome {
        let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&terminal).unwrap();
        unlockpt(&terminal).unwrap();
        let name = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
        let input = fs::OpenOptions::new().read(true).write(true).open(name).unwrap();
        let mut command = self.command(arguments);
        let child = command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        fs::File::from(terminal.try_clone().unwrap()).write_all(typed.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Outcome { status: output.status, out: text(output.stdout), err: text(output.stderr) }
    }

    /// Creates the administrator `login` of `acme`.
    fn admin(&self, login: &str) -> Outcome {
        let arguments = ["admin", "create", "--login", login, "--name", "Ada", "--org", "acme", "--password-stdin"];
        self.run_with(&arguments, &[], &format!("{PASSWORD}\n"))
    }
}

/// A small map in the format and order of an export.
fn model() -> Value {
    json!({
        "format": "planroom/1",
        "workspace": { "id": "лавка", "name": "Лавка", "description": "Ein Laden.\n",
                       "visibility": "private", "properties": { "z": 1, "a": [2.5] } },
        "people": [], "teams": [], "roles": [],
        "components": [
            { "id": "заказ/сервис", "typeId": "service", "name": "Заказ", "x": 10.5, "y": -20.0,
              "width": null, "height": null, "tags": [], "technology": [], "opens": null, "properties": {} },
            { "id": "漢字 🚀", "typeId": "database", "name": "漢字", "description": "", "x": 0.1, "y": 0.2,
              "width": 320.0, "height": 200.0, "tags": ["pci"], "technology": ["Valkey"], "opens": null,
              "properties": { "lifecycle": "live" } },
        ],
        "relationships": [
            { "id": "пишет", "sourceId": "заказ/сервис", "targetId": "漢字 🚀", "typeId": "writes", "label": "Zeilen",
              "technology": ["RESP"], "line": { "shape": "straight", "via": [[5.0, 6.5]], "labelPosition": 0.25 },
              "properties": {} },
        ],
        "stakeholders": [], "links": [], "processes": [], "notes": [], "views": [], "viewPlaces": [],
        "viewLines": [], "tours": [],
    })
}

const IMPORT: [&str; 6] = ["workspace", "import", "--id", "лавка", "--org", "acme"];

fn import<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&IMPORT[..], more].concat()
}
