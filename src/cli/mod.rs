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
mod output;
mod place;
mod restore;
mod serve;
mod table;
mod user;
mod wiki;
mod workspace;

use clap::{CommandFactory, Parser, Subcommand};

pub use self::output::Failure;

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
            Verb::Completions(verb) => verb.run(Self::command()),
        }
    }
}
