//! `planroom workspace`.

use std::{io::Read, path::PathBuf};

use clap::{Args, Subcommand};
use serde_json::Value;

use super::{
    data_dir::DataDir,
    operate::operate,
    output::{Failure, print, print_json},
    prompt::Confirmation,
    table::{Column, OutputFormat, plain, time},
    workspace_image::WorkspaceImage,
};
use crate::{
    domain::{sharing::administration::ShareSelection, transfer::formats::ExportFormat},
    operator::{AdminOperation::Workspaces, WorkspaceOperation},
};

#[derive(Debug, Subcommand)]
pub(super) enum Workspace {
    /// Create a workspace from a file, or update it to match; parts that are not in the file are not changed
    Import(Import),
    /// Print a workspace as a file: the map and everything attached to it, or the map in the format of another tool
    Export {
        /// Id of the workspace
        id: String,
        /// Format of the file; only planroom can be imported completely
        #[arg(long, default_value = "planroom", value_parser = clap::builder::PossibleValuesParser::new(
            ExportFormat::ALL.iter().map(|format| format.as_str())))]
        format: String,
        /// Export only what this view shows, with another format than planroom; see planroom workspace views
        #[arg(long, value_name = "ID")]
        view: Option<String>,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
    /// Draw the map or a view as an SVG, PNG or PDF file
    Image(Box<WorkspaceImage>),
    /// List workspaces, or deleted ones that can be restored
    List {
        /// Only workspaces of this organization
        #[arg(long, value_name = "SLUG")]
        org: Option<String>,
        /// List workspaces that were deleted within the last 30 days
        #[arg(long)]
        deleted: bool,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
    /// List the views of a workspace with their numbers of components and relationships
    Views {
        /// Id of the workspace
        id: String,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
    /// Make a member of the organization the owner of a workspace; the previous owner remains a co-owner
    SetOwner {
        /// Id of the workspace
        id: String,
        /// Login of the new owner
        #[arg(long)]
        login: String,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
    /// List the share links of the instance, an organization or a workspace
    Shares {
        /// Only links of the workspace with this ID
        #[arg(long, value_name = "ID", conflicts_with = "org")]
        workspace: Option<String>,
        /// Only links of this organization
        #[arg(long, value_name = "SLUG")]
        org: Option<String>,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
    /// Revoke share links: one, or all of a workspace, an organization or the instance
    #[command(group = clap::ArgGroup::new("selection").required(true).args(["link", "workspace", "org", "all"]))]
    Unshare {
        /// ID of the link, from workspace shares
        link: Option<String>,
        /// All links of the workspace with this ID
        #[arg(long, value_name = "ID")]
        workspace: Option<String>,
        /// All links of this organization
        #[arg(long, value_name = "SLUG")]
        org: Option<String>,
        /// All links of the instance
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        confirmation: Confirmation,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
    /// Delete a workspace; it can be restored for 30 days
    Delete {
        /// Id of the workspace
        id: String,
        #[command(flatten)]
        confirmation: Confirmation,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
    /// Restore a deleted workspace
    Restore {
        /// Number of the workspace, from workspace list --deleted
        pk: i64,
        /// New ID, if another workspace uses the old one
        #[arg(long)]
        id: Option<String>,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
}

#[derive(Debug, Args)]
pub(super) struct Import {
    /// JSON file from export or in the format of the bulk endpoint; - for standard input
    file: PathBuf,
    /// Id of the workspace
    #[arg(long)]
    id: String,
    /// Slug of the organization
    #[arg(long, value_name = "SLUG")]
    org: String,
    /// Act as this user [default: the organization's first admin]
    #[arg(long = "as", value_name = "LOGIN")]
    login: Option<String>,
    /// Show what would change without writing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    data_dir_args: DataDir,
}

const COLUMNS: [Column; 7] = [
    Column { head: "ID", field: "id", show: plain },
    Column { head: "NAME", field: "name", show: plain },
    Column { head: "ORG", field: "org", show: plain },
    Column { head: "VISIBILITY", field: "visibility", show: plain },
    Column { head: "ORG ACCESS", field: "organizationAccess", show: plain },
    Column { head: "OWNER", field: "owner", show: plain },
    Column { head: "CHANGED", field: "updatedAt", show: time },
];
const DELETED: [Column; 6] = [
    Column { head: "PK", field: "pk", show: plain },
    Column { head: "ID", field: "id", show: plain },
    Column { head: "NAME", field: "name", show: plain },
    Column { head: "ORG", field: "org", show: plain },
    Column { head: "OWNER", field: "owner", show: plain },
    Column { head: "DELETED", field: "deletedAt", show: time },
];
const VIEWS: [Column; 6] = [
    Column { head: "ID", field: "id", show: plain },
    Column { head: "NAME", field: "name", show: plain },
    Column { head: "COMPONENTS", field: "components", show: plain },
    Column { head: "RELATIONSHIPS", field: "relationships", show: plain },
    Column { head: "LAYOUT", field: "layout", show: plain },
    Column { head: "CHANGED", field: "updatedAt", show: time },
];

const SHARES: [Column; 9] = [
    Column { head: "ID", field: "id", show: plain },
    Column { head: "WORKSPACE", field: "workspace", show: plain },
    Column { head: "NAME", field: "name", show: plain },
    Column { head: "SCOPE", field: "scope", show: plain },
    Column { head: "STATE", field: "state", show: plain },
    Column { head: "OWNER", field: "owner", show: plain },
    Column { head: "EXPIRES", field: "expiresAt", show: time },
    Column { head: "USES", field: "uses", show: plain },
    Column { head: "LAST USED", field: "lastUsedDay", show: plain },
];

impl Workspace {
    pub(super) fn run(self) -> Result<(), Failure> {
        match self {
            Self::Import(import) => import.run(),
            Self::Export { id, format, view, data_dir_args } => {
                let format = ExportFormat::ALL.iter().copied().find(|known| known.as_str() == format);
                let operation = WorkspaceOperation::Export { id, format, view };
                match operate(&data_dir_args, Workspaces(operation))? {
                    Value::String(text) => print(&text),
                    model => print_json(&model),
                }
            }
            Self::Image(image) => image.run(),
            Self::List { org, deleted, format, data_dir_args } => {
                let rows = operate(&data_dir_args, Workspaces(WorkspaceOperation::List { org, deleted }))?;
                format.print(&rows, if deleted { &DELETED } else { &COLUMNS })
            }
            Self::Views { id, format, data_dir_args } => {
                let rows = operate(&data_dir_args, Workspaces(WorkspaceOperation::Views { id }))?;
                format.print(&rows, &VIEWS)
            }
            Self::SetOwner { id, login, data_dir_args } => {
                let operation = WorkspaceOperation::SetOwner { id: id.clone(), login: login.clone() };
                operate(&data_dir_args, Workspaces(operation))?;
                print(&format!("{login} is now the owner of workspace {id}\n"))
            }
            Self::Shares { workspace, org, format, data_dir_args } => {
                let selection = workspace.map(ShareSelection::Workspace).or(org.map(ShareSelection::Organization));
                let operation = WorkspaceOperation::Shares { selection: selection.unwrap_or(ShareSelection::All) };
                format.print(&operate(&data_dir_args, Workspaces(operation))?, &SHARES)
            }
            Self::Unshare { link, workspace, org, all: _, confirmation, data_dir_args } => {
                let (selection, what) = match (link, workspace, org) {
                    (Some(id), ..) => (ShareSelection::Link(id.clone()), format!("share link {id}")),
                    (None, Some(id), _) => {
                        (ShareSelection::Workspace(id.clone()), format!("all share links of workspace {id}"))
                    }
                    (None, None, Some(slug)) => {
                        (ShareSelection::Organization(slug.clone()), format!("all share links of organization {slug}"))
                    }
                    (None, None, None) => (ShareSelection::All, "all share links of this instance".to_owned()),
                };
                confirmation.confirm(&format!("Revoke {what}"))?;
                let operation = WorkspaceOperation::Unshare { selection };
                let outcome = operate(&data_dir_args, Workspaces(operation))?;
                print(&format!("Revoked share links: {}\n", plain(&outcome["revoked"])))
            }
            Self::Delete { id, confirmation, data_dir_args } => {
                confirmation.confirm(&format!("Delete workspace {id}"))?;
                operate(&data_dir_args, Workspaces(WorkspaceOperation::Delete { id: id.clone() }))?;
                print(&format!("Deleted workspace {id}. To restore it, see `planroom workspace list --deleted`.\n"))
            }
            Self::Restore { pk, id, data_dir_args } => {
                let restored = operate(&data_dir_args, Workspaces(WorkspaceOperation::Restore { pk, id }))?;
                print(&format!("Restored workspace {}\n", plain(&restored["id"])))
            }
        }
    }
}

impl Import {
    fn run(self) -> Result<(), Failure> {
        let Self { file, id, org, login, dry_run, data_dir_args } = self;
        let shown = file.display();
        let model = if file.as_os_str() == "-" {
            let mut text = String::new();
            std::io::stdin().lock().read_to_string(&mut text).map(|_| text)
        } else {
            std::fs::read_to_string(&file)
        }
        .map_err(|error| format!("cannot read {shown}: {error}"))?;
        let operation = WorkspaceOperation::Import { id: id.clone(), org, login, dry_run, model };
        let outcome = operate(&data_dir_args, Workspaces(operation)).map_err(|error| format!("{shown}: {error}"))?;
        if dry_run {
            return print_json(&outcome);
        }
        let count = |what: &str| {
            let parts = outcome[what].as_object().into_iter().flatten().filter(|(kind, _)| *kind != "workspaces");
            parts.filter_map(|(_, ids)| ids.as_array()).map(Vec::len).sum::<usize>()
        };
        let (created, updated, deleted) = (count("created"), count("updated"), count("deleted"));
        let names = |list: &Value| {
            let names: Vec<_> = list.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            names.join(", ")
        };
        let done = if outcome["isNew"] == true { "Created" } else { "Updated" };
        print(&format!("{done} workspace {id}: {created} added, {updated} changed, {deleted} removed\n"))?;
        for kind in ["people", "teams", "roles", "kinds"] {
            let existing = names(&outcome["kept"][kind]);
            if !existing.is_empty() {
                print(&format!("Not changed because they already exist: {kind} {existing}\n"))?;
            }
        }
        match names(&outcome["ignored"]) {
            ignored if ignored.is_empty() => Ok(()),
            ignored => print(&format!("Ignored: {ignored}\n")),
        }
    }
}
