//! The command-line interface, with one file per command.

#![allow(clippy::doc_markdown, rustdoc::bare_urls, reason = "comments on flags are help texts for the terminal")]

mod admin;
mod audit;
mod backup;
mod certificate;
mod client;
mod completions;
mod config;
mod data_dir;
mod demo;
mod doctor;
mod first_admin;
mod healthcheck;
mod keys;
mod mail;
mod mcp;
mod metrics;
mod notify;
mod openapi;
mod operate;
mod org;
mod output;
mod passphrase;
mod prompt;
mod restore;
mod search;
mod serve;
mod standby;
mod sync;
mod table;
mod user;
mod vacuum;
mod wiki;
mod workspace;
mod workspace_image;

use clap::{CommandFactory, Parser, Subcommand};

pub use self::output::{ExitStatus, Failure, exit_status, warn};

/// Planroom, a self-hosted map of your software: what runs, how it connects, and who owns it
#[derive(Debug, Parser)]
#[command(name = "planroom", version, propagate_version = true)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Start the server
    Serve(serve::Serve),
    /// Manage administrators of the instance and signing keys
    #[command(subcommand)]
    Admin(admin::Admin),
    /// Manage user accounts: list, suspend, erase, set administrators and email addresses
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
    /// Manage the search index
    #[command(subcommand)]
    Search(search::Search),
    /// Read the audit log: sign-ins, tokens, permissions, changes
    #[command(subcommand)]
    Audit(audit::Audit),
    /// Check that emails can be sent
    #[command(subcommand)]
    Mail(mail::Mail),
    /// Show or validate the configuration
    #[command(subcommand)]
    Config(config::Config),
    /// Back up the database and keys, also while the server runs, and verify the copy
    Backup(backup::Backup),
    /// Replace the database with a backup; the server must be stopped
    Restore(restore::Restore),
    /// Check database, keys, files, disk space, backups and configuration, also while the server runs
    Doctor(doctor::Doctor),
    /// Return unused space in the database file to the file system; the server must be stopped
    Vacuum(vacuum::Vacuum),
    /// Manage the keys that sign sessions and encrypt secrets
    #[command(subcommand)]
    Keys(keys::Keys),
    /// Check that the running server works
    Healthcheck(healthcheck::Healthcheck),
    /// Update a map from files such as compose.yaml or workspace.dsl, or check that it matches them; for CI
    Sync(Box<sync::Sync>),
    /// Run a stdio bridge to the MCP server of an instance, with a personal access token
    Mcp(mcp::Mcp),
    /// Print the OpenAPI document
    Openapi,
    /// Print shell completions
    Completions(completions::Completions),
}

impl Cli {
    /// Runs the command.
    pub fn run(self) -> Result<(), Failure> {
        match self.command {
            Command::Serve(command) => command.run(),
            Command::Admin(command) => command.run(),
            Command::User(command) => command.run(),
            Command::Org(command) => command.run(),
            Command::Workspace(command) => command.run(),
            Command::Wiki(command) => command.run(),
            Command::Search(command) => command.run(),
            Command::Audit(command) => command.run(),
            Command::Mail(command) => command.run(),
            Command::Config(command) => command.run(),
            Command::Backup(command) => command.run(),
            Command::Restore(command) => command.run(),
            Command::Doctor(command) => command.run(),
            Command::Vacuum(command) => command.run(),
            Command::Keys(command) => command.run(),
            Command::Healthcheck(command) => command.run(),
            Command::Sync(command) => command.run(),
            Command::Mcp(command) => command.run(),
            Command::Openapi => openapi::run(),
            Command::Completions(command) => command.run(Self::command()),
        }
    }
}
