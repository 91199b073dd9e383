//! `planroom org`.

use clap::{Args, Subcommand, ValueEnum};

use super::{
    data_dir::DataDir,
    operate::operate,
    output::{Failure, print},
    table::{Column, OutputFormat, plain, time},
};
use crate::{
    domain::values::OrgRole,
    operator::{AdminOperation, OrgOperation},
};

#[derive(Debug, Subcommand)]
pub(super) enum Org {
    /// List all organizations
    List(List),
    /// Create an organization without members
    Create(Create),
    /// Add a user to an organization
    AddMember(AddMember),
}

#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    format: OutputFormat,
    #[command(flatten)]
    data_dir_args: DataDir,
}

#[derive(Debug, Args)]
pub(super) struct Create {
    /// Permanent identifier in commands and tokens: lowercase letters, digits and hyphens
    #[arg(long)]
    slug: String,
    /// Display name
    #[arg(long)]
    name: String,
    #[command(flatten)]
    data_dir_args: DataDir,
}

#[derive(Debug, Args)]
pub(super) struct AddMember {
    /// Slug of the organization
    #[arg(long, value_name = "SLUG")]
    org: String,
    /// Login of the user
    #[arg(long)]
    login: String,
    /// Role in the organization
    #[arg(long, value_enum, default_value_t = Role::Member)]
    role: Role,
    #[command(flatten)]
    data_dir_args: DataDir,
}

/// A user's role in an organization.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Role {
    /// Can create workspaces, people and teams
    Member,
    /// Can administer the organization
    Admin,
}

const COLUMNS: [Column; 5] = [
    Column { head: "SLUG", field: "slug", show: plain },
    Column { head: "NAME", field: "name", show: plain },
    Column { head: "MEMBERS", field: "members", show: plain },
    Column { head: "WORKSPACES", field: "workspaces", show: plain },
    Column { head: "CREATED", field: "createdAt", show: time },
];

impl Org {
    pub(super) fn run(self) -> Result<(), Failure> {
        match self {
            Self::List(List { format, data_dir_args }) => {
                format.print(&operate(&data_dir_args, AdminOperation::Orgs(OrgOperation::List))?, &COLUMNS)
            }
            Self::Create(Create { slug, name, data_dir_args }) => {
                operate(&data_dir_args, AdminOperation::Orgs(OrgOperation::Create { slug: slug.clone(), name }))?;
                print(&format!(
                    "Created organization {slug}. It has no members; add one with `planroom org add-member \
                     --org {slug}`.\n"
                ))
            }
            Self::AddMember(AddMember { org, login, role, data_dir_args }) => {
                let (role, is) = match role {
                    Role::Member => (OrgRole::Member, "a member"),
                    Role::Admin => (OrgRole::Admin, "an admin"),
                };
                let operation = OrgOperation::AddMember { org: org.clone(), login: login.clone(), role };
                operate(&data_dir_args, AdminOperation::Orgs(operation))?;
                print(&format!("{login} is now {is} of {org}\n"))
            }
        }
    }
}
