//! The command line: what can be typed, and a file per verb for what it does.

#![allow(clippy::doc_markdown, rustdoc::bare_urls, reason = "the comments on flags are help texts, read in a terminal")]

mod admin;
mod ask;
mod audit;
mod backup;
mod completions;
mod config;
mod demo;
mod first_admin;
mod healthcheck;
mod keys;
mod mcp;
mod openapi;
mod operate;
mod org;
mod restore;
mod serve;
mod table;
mod user;
mod wiki;
mod workspace;

use std::{collections::BTreeMap, io::Write, net::SocketAddr, path::PathBuf};

use clap::{Args, Parser, Subcommand};

use crate::config::{ConfigError, Flags, Loaded, Notice};

/// The plan room of a software team: architecture maps from one binary and one SQLite file.
#[derive(Debug, Parser)]
#[command(name = "planroom", version, propagate_version = true)]
pub struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Serve the API and the pages until stopped
    Serve(serve::Serve),
    /// Administrators of the instance
    #[command(subcommand)]
    Admin(admin::Admin),
    /// User accounts: list them, suspend them, make administrators of the instance
    #[command(subcommand)]
    User(user::User),
    /// Organizations: list them, make them, give them members
    #[command(subcommand)]
    Org(org::Org),
    /// Workspaces: bring models in and take them out, delete and restore
    #[command(subcommand)]
    Workspace(workspace::Workspace),
    /// The wiki: make this instance known to its provider, connect organizations
    #[command(subcommand)]
    Wiki(wiki::Wiki),
    /// What happened: sign-ins, tokens, permissions, writes
    #[command(subcommand)]
    Audit(audit::Audit),
    /// The configuration: what is in force, and whether a file is right
    #[command(subcommand)]
    Config(config::Config),
    /// Copy database and keys, also beside a running server, and verify the copy
    Backup(backup::Backup),
    /// Put a backup in the place of the database, while no server runs
    Restore(restore::Restore),
    /// The keys that sign sessions and encrypt secrets
    #[command(subcommand)]
    Keys(keys::Keys),
    /// Ask the running server whether it works
    Healthcheck(healthcheck::Healthcheck),
    /// Speak MCP for a client without HTTP, with a personal access token, to any instance
    Mcp(mcp::Mcp),
    /// Print the OpenAPI document
    Openapi,
    /// Print completions for a shell
    Completions(completions::Completions),
}

/// Where the data is, for every verb that needs to know.
#[derive(Debug, Args)]
struct Place {
    /// Configuration file [default: built-in values, see config.example.toml]
    #[arg(long, value_name = "FILE", env = "PLANROOM_CONFIG")]
    config: Option<PathBuf>,
    /// Directory of the database and keys [env: PLANROOM_DATA_DIR] [default: data]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

impl Place {
    fn load(&self) -> Result<Loaded, ConfigError> {
        let loaded = load(&Flags { config: self.config.clone(), data_dir: self.data_dir.clone(), ..Flags::default() })?;
        for notice in &loaded.notices {
            if let Notice::UnknownVariable(name) = notice {
                // A reader of warnings that has gone away keeps nothing from being done.
                drop(warn(&format!("warning: ignored the unknown environment variable {name}")));
            }
        }
        Ok(loaded)
    }
}

/// Loads the configuration with this process's environment.
fn load(flags: &Flags) -> Result<Loaded, ConfigError> {
    // Names and values that are not UTF-8 cannot be ours.
    let variables =
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    crate::config::load(flags, &variables.collect::<BTreeMap<_, _>>())
}

/// Why a command failed: one sentence for the terminal.
pub type Failure = Box<dyn std::error::Error>;

impl Cli {
    /// Does what was typed.
    pub fn run(self) -> Result<(), Failure> {
        match self.verb {
            Verb::Serve(verb) => verb.run(),
            Verb::Admin(verb) => verb.run(),
            Verb::User(verb) => verb.run(),
            Verb::Org(verb) => verb.run(),
            Verb::Workspace(verb) => verb.run(),
            Verb::Wiki(verb) => verb.run(),
            Verb::Audit(verb) => verb.run(),
            Verb::Config(verb) => verb.run(),
            Verb::Backup(verb) => verb.run(),
            Verb::Restore(verb) => verb.run(),
            Verb::Keys(verb) => verb.run(),
            Verb::Healthcheck(verb) => verb.run(),
            Verb::Mcp(verb) => verb.run(),
            Verb::Openapi => openapi::run(),
            Verb::Completions(verb) => verb.run(),
        }
    }
}

/// Where browsers reach a server with this configuration: an address that stands for all interfaces is none that they
/// could open.
fn public_url(config: &crate::config::Config, address: SocketAddr) -> String {
    match config.public_url.as_str() {
        "" if address.ip().is_unspecified() => format!("http://localhost:{}", address.port()),
        "" => format!("http://{address}"),
        configured => configured.to_owned(),
    }
}

/// Warns on standard error; the command goes on.
fn warn(text: &str) -> Result<(), Failure> {
    Ok(writeln!(std::io::stderr().lock(), "planroom: {text}")?)
}

/// Prints to standard output. A reader that has gone away, as `head` does, is no failure.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
