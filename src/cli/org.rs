//! `planroom org`.

use clap::{Subcommand, ValueEnum};

use super::{
    data_dir::DataDir,
    operate::operate,
    output::{Failure, print},
    prompt::Confirmation,
    table::{Column, OutputFormat, plain, time},
};
use crate::{
    domain::{values::OrgRole, webhooks::administration::WebhookSelection},
    operator::{AdminOperation::Orgs, OrgOperation},
};

#[derive(Debug, Subcommand)]
pub(super) enum Org {
    /// List all organizations
    List {
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
    /// Create an organization without members
    Create {
        /// Permanent identifier in commands and tokens: lowercase letters, digits and hyphens
        #[arg(long)]
        slug: String,
        /// Display name
        #[arg(long)]
        name: String,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
    /// Add a user to an organization
    AddMember {
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
    },
    /// List the webhooks of the instance or an organization
    Webhooks {
        /// Only webhooks of this organization
        #[arg(long, value_name = "SLUG")]
        org: Option<String>,
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
    /// Disable webhooks: one, or all of an organization or the instance
    #[command(group = clap::ArgGroup::new("selection").required(true).args(["webhook", "org", "all"]))]
    DisableWebhooks {
        /// ID of the webhook, from org webhooks
        webhook: Option<String>,
        /// All webhooks of this organization
        #[arg(long, value_name = "SLUG")]
        org: Option<String>,
        /// All webhooks of the instance
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        confirmation: Confirmation,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
}

/// A user's role in an organization.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(super) enum Role {
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

const WEBHOOKS: [Column; 8] = [
    Column { head: "ID", field: "id", show: plain },
    Column { head: "ORGANIZATION", field: "organization", show: plain },
    Column { head: "NAME", field: "name", show: plain },
    Column { head: "HOST", field: "host", show: plain },
    Column { head: "FORMAT", field: "format", show: plain },
    Column { head: "STATE", field: "state", show: plain },
    Column { head: "WAITING", field: "pending", show: plain },
    Column { head: "DELIVERED", field: "deliveredAt", show: time },
];

impl Org {
    pub(super) fn run(self) -> Result<(), Failure> {
        match self {
            Self::List { format, data_dir_args } => {
                format.print(&operate(&data_dir_args, Orgs(OrgOperation::List))?, &COLUMNS)
            }
            Self::Create { slug, name, data_dir_args } => {
                operate(&data_dir_args, Orgs(OrgOperation::Create { slug: slug.clone(), name }))?;
                print(&format!(
                    "Created organization {slug}. It has no members; add one with `planroom org add-member \
                     --org {slug}`.\n"
                ))
            }
            Self::AddMember { org, login, role, data_dir_args } => {
                let (role, is) = match role {
                    Role::Member => (OrgRole::Member, "a member"),
                    Role::Admin => (OrgRole::Admin, "an admin"),
                };
                let operation = OrgOperation::AddMember { org: org.clone(), login: login.clone(), role };
                operate(&data_dir_args, Orgs(operation))?;
                print(&format!("{login} is now {is} of {org}\n"))
            }
            Self::Webhooks { org, format, data_dir_args } => {
                let selection = org.map_or(WebhookSelection::All, WebhookSelection::Organization);
                let operation = OrgOperation::Webhooks { selection };
                format.print(&operate(&data_dir_args, Orgs(operation))?, &WEBHOOKS)
            }
            Self::DisableWebhooks { webhook, org, all: _, confirmation, data_dir_args } => {
                let (selection, what) = match (webhook, org) {
                    (Some(id), _) => (WebhookSelection::Webhook(id.clone()), format!("webhook {id}")),
                    (None, Some(slug)) => {
                        (WebhookSelection::Organization(slug.clone()), format!("all webhooks of organization {slug}"))
                    }
                    (None, None) => (WebhookSelection::All, "all webhooks of this instance".to_owned()),
                };
                confirmation.confirm(&format!("Disable {what}"))?;
                let operation = OrgOperation::DisableWebhooks { selection };
                let outcome = operate(&data_dir_args, Orgs(operation))?;
                print(&format!("Disabled webhooks: {}\n", plain(&outcome["disabled"])))
            }
        }
    }
}
