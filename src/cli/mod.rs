//! The command-line interface, with one file per command.

#![allow(clippy::doc_markdown, rustdoc::bare_urls, reason = "comments on flags are help texts for the terminal")]

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

/// Planroom, a self-hosted map of your software: what runs, how it connects, and who owns it
#[derive(Debug, Parser)]
#[command(name = "planroom", version, propagate_version = true)]
pub struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, Subcommand)]
enum Verb {
    /// Start the server
    Serve(serve::Serve),
    /// Manage administrators of the instance and signing keys
    #[command(subcommand)]
    Admin(admin::Admin),
    /// Manage user accounts: list, suspend, set administrators and email addresses
    #[command(subcommand)]
    User(user::User),
    /// Manage organizations: list, create, add members
    #[command(subcommand)]
    Org(org::Org),
    /// Manage workspaces: list, import, export, delete, restore, set owners
    #[command(subcommand)]
    Workspace(workspace::Workspace),
    /// Manage wiki connections of organizations
    #[command(subcommand)]
    Wiki(wiki::Wiki),
    /// Read the audit log: sign-ins, tokens, permissions, changes
    #[command(subcommand)]
    Audit(audit::Audit),
    /// Show or validate the configuration
    #[command(subcommand)]
    Config(config::Config),
    /// Back up the database and keys, also while the server runs, and verify the copy
    Backup(backup::Backup),
    /// Replace the database with a backup; the server must be stopped
    Restore(restore::Restore),
    /// Manage the keys that sign sessions and encrypt secrets
    #[command(subcommand)]
    Keys(keys::Keys),
    /// Check that the running server works
    Healthcheck(healthcheck::Healthcheck),
    /// Run a stdio bridge to the MCP server of an instance, with a personal access token
    Mcp(mcp::Mcp),
    /// Print the OpenAPI document
    Openapi,
    /// Print shell completions
    Completions(completions::Completions),
}

/// Flags of every command that uses the configuration or the data.
#[derive(Debug, Args)]
struct Place {
    /// Configuration file [default: none; for built-in values see config.example.toml]
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
                // A closed standard error must not fail the command.
                drop(warn(&format!("warning: ignored unknown environment variable {name}")));
            }
        }
        Ok(loaded)
    }
}

/// Loads the configuration with the environment of this process.
fn load(flags: &Flags) -> Result<Loaded, ConfigError> {
    // No variable of Planroom is valid without being UTF-8.
    let variables =
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    crate::config::load(flags, &variables.collect::<BTreeMap<_, _>>())
}

/// The error of a command, printed in one line.
pub type Failure = Box<dyn std::error::Error>;

impl Cli {
    /// Runs the command.
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

/// The public URL of a server with this configuration. Browsers cannot open an address that stands for all interfaces,
/// so that becomes `localhost`.
fn public_url(config: &crate::config::Config, address: SocketAddr) -> String {
    match config.public_url.as_str() {
        "" if address.ip().is_unspecified() => format!("http://localhost:{}", address.port()),
        "" => format!("http://{address}"),
        configured => configured.to_owned(),
    }
}

/// Prints a warning to standard error.
fn warn(text: &str) -> Result<(), Failure> {
    Ok(writeln!(std::io::stderr().lock(), "planroom: {text}")?)
}

/// Prints to standard output. A closed pipe, as with `head`, is not an error.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
