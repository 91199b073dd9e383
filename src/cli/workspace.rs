//! `planroom workspace`.

use std::{io::Read, path::PathBuf};

use clap::{Args, Subcommand};
use serde_json::Value;

use super::{Failure, Place, operate::operate, print};
use crate::operator::Operation;

#[derive(Debug, Subcommand)]
pub(super) enum Workspace {
    /// Replace a workspace's components and relationships by those of a file, making the workspace if need be
    Import(Import),
    /// Print a workspace's components and relationships, in the form that import takes
    Export(Export),
}

#[derive(Debug, Args)]
pub(super) struct Import {
    /// JSON in the form of the bulk endpoint; - for standard input
    file: PathBuf,
    /// Id of the workspace
    #[arg(long)]
    id: String,
    /// Slug of the organization it belongs to
    #[arg(long, value_name = "SLUG")]
    org: String,
    /// Act as this user [default: the organization's first admin]
    #[arg(long = "as", value_name = "LOGIN")]
    login: Option<String>,
    /// Say what would change, and write nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
pub(super) struct Export {
    /// Id of the workspace
    id: String,
    #[command(flatten)]
    place: Place,
}

impl Workspace {
    pub(super) fn run(self) -> Result<(), Failure> {
        match self {
            Self::Import(import) => import.run(),
            Self::Export(Export { id, place }) => {
                let model = operate(&place, Operation::ExportWorkspace { id })?;
                print(&format!("{model:#}\n"))
            }
        }
    }
}

impl Import {
    fn run(self) -> Result<(), Failure> {
        let Self { file, id, org, login, dry_run, place } = self;
        let shown = file.display();
        let model = if file.as_os_str() == "-" {
            let mut text = String::new();
            std::io::stdin().lock().read_to_string(&mut text).map(|_| text)
        } else {
            std::fs::read_to_string(&file)
        }
        .map_err(|error| format!("cannot read {shown}: {error}"))?;
        let operation = Operation::ImportWorkspace { id: id.clone(), org, login, dry_run, model };
        let outcome = operate(&place, operation).map_err(|error| format!("{shown}: {error}"))?;
        if dry_run {
            return print(&format!("{outcome:#}\n"));
        }
        let count = |kind: &str| outcome[kind].as_array().map_or(0, Vec::len);
        let ignored = outcome["ignored"].as_array().map(|parts| {
            let parts: Vec<_> = parts.iter().filter_map(Value::as_str).collect();
            format!("; passed over: {}", parts.join(", "))
        });
        print(&format!(
            "{id} has {} components and {} relationships now{}\n",
            count("components"),
            count("relationships"),
            ignored.unwrap_or_default()
        ))
    }
}
