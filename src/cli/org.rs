//! `planroom org`.

use clap::{Args, Subcommand, ValueEnum};

use super::{
    operate::operate,
    output::{Failure, print},
    place::Place,
    table::{Column, Form, plain, time},
};
use crate::{
    domain::values::OrgRole,
    operator::{Operation, OrgOperation},
};

#[derive(Debug, Subcommand)]
pub(super) enum Org {
    /// List all organizations
    List(List),
    /// Make an organization, without members
    Create(Create),
    /// Make a user a member of an organization
    AddMember(AddMember),
}

#[derive(Debug, Args)]
pub(super) struct List {
    #[command(flatten)]
    form: Form,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
pub(super) struct Create {
    /// Its name in commands and tokens, for good: lower-case letters, digits and dashes
    #[arg(long)]
    slug: String,
    /// Its name for display
    #[arg(long)]
    name: String,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
pub(super) struct AddMember {
    /// Slug of the organization
    #[arg(long, value_name = "SLUG")]
    org: String,
    /// What the user signs in with
    #[arg(long)]
    login: String,
    /// What they are to be
    #[arg(long, value_enum, default_value_t = Role::Member)]
    role: Role,
    #[command(flatten)]
    place: Place,
}

/// What a user is in an organization.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Role {
    /// Creates workspaces, people and teams
    Member,
    /// Administers the organization
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
            Self::List(List { form, place }) => {
                form.print(&operate(&place, Operation::Orgs(OrgOperation::List))?, &COLUMNS)
            }
            Self::Create(Create { slug, name, place }) => {
                operate(&place, Operation::Orgs(OrgOperation::Create { slug: slug.clone(), name }))?;
                print(&format!("{slug} has no members yet; planroom org add-member --org {slug} gives it some\n"))
            }
            Self::AddMember(AddMember { org, login, role, place }) => {
                let (role, is) = match role {
                    Role::Member => (OrgRole::Member, "a member"),
                    Role::Admin => (OrgRole::Admin, "an admin"),
                };
                let operation = OrgOperation::AddMember { org: org.clone(), login: login.clone(), role };
                operate(&place, Operation::Orgs(operation))?;
                print(&format!("{login} is {is} of {org} now\n"))
            }
        }
    }
}
