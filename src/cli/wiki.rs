//! `planroom wiki`.

use clap::{Args, Subcommand};
use serde_json::Value;

use super::{
    data_dir::DataDir,
    operate::operate,
    output::{Failure, print},
    prompt::{self, Confirmation},
    table::{Column, OutputFormat, plain, time},
};
use crate::{
    operator::{AdminOperation, WikiOperation},
    wiki::{INTERNAL, REGISTRATION},
};

#[derive(Debug, Subcommand)]
pub(super) enum Wiki {
    /// Set the OAuth client of this instance, so that admins can connect organizations in a browser
    Setup(Setup),
    /// Connect an organization with an internal integration token, for servers without a public redirect URI
    Connect {
        /// Slug of the organization
        #[arg(long, value_name = "SLUG")]
        org: String,
        /// Read the token from standard input (one line) instead of prompting for it
        #[arg(long)]
        token_stdin: bool,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
    /// Show the OAuth client and list the connected organizations
    Status {
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
    /// Test the connection of an organization
    Test {
        /// Slug of the organization
        #[arg(long, value_name = "SLUG")]
        org: String,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
    /// Disconnect an organization; links to the wiki remain but are no longer refreshed
    Disconnect {
        /// Slug of the organization
        #[arg(long, value_name = "SLUG")]
        org: String,
        #[command(flatten)]
        confirmation: Confirmation,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
}

#[derive(Debug, Args)]
pub(super) struct Setup {
    /// Client ID from the provider [default: verify the configured one, or prompt for it]
    #[arg(long, value_name = "ID")]
    client_id: Option<String>,
    /// Read the client secret from standard input (one line) instead of prompting for it
    #[arg(long, requires = "client_id")]
    secret_stdin: bool,
    #[command(flatten)]
    data_dir_args: DataDir,
}

const COLUMNS: [Column; 6] = [
    Column { head: "ORG", field: "org", show: plain },
    Column { head: "BY", field: "kind", show: plain },
    Column { head: "WORKSPACE", field: "workspaceName", show: plain },
    Column { head: "OWNER", field: "ownerName", show: plain },
    Column { head: "CONNECTED", field: "connectedAt", show: time },
    Column { head: "BROKEN SINCE", field: "brokenSince", show: time },
];

impl Wiki {
    pub(super) fn run(self) -> Result<(), Failure> {
        match self {
            Self::Setup(setup) => setup.run(),
            Self::Connect { org, token_stdin, data_dir_args } => {
                if !token_stdin {
                    print(&format!("The token is {INTERNAL}\n"))?;
                }
                let token = prompt::secret(token_stdin, "Token: ", "--token-stdin")?;
                let bot =
                    operate(&data_dir_args, AdminOperation::Wiki(WikiOperation::Connect { org: org.clone(), token }))?;
                print(&connected_message(&org, &bot))
            }
            Self::Status { format, data_dir_args } => {
                let all = operate(&data_dir_args, AdminOperation::Wiki(WikiOperation::Status))?;
                if format.is_json() {
                    return format.print(&all, &COLUMNS);
                }
                let facts = operate(&data_dir_args, AdminOperation::Wiki(WikiOperation::Facts))?;
                print(&match facts["clientId"].as_str() {
                    Some(id) => format!("Client ID: {id}. Verify it with `planroom wiki setup`.\n"),
                    None => "No client ID is configured. Set one with `planroom wiki setup`.\n".to_owned(),
                })?;
                if all.as_array().is_some_and(Vec::is_empty) {
                    return print("No organization is connected\n");
                }
                format.print(&all, &COLUMNS)
            }
            Self::Test { org, data_dir_args } => {
                let bot = operate(&data_dir_args, AdminOperation::Wiki(WikiOperation::Test { org: org.clone() }))?;
                print(&connected_message(&org, &bot))
            }
            Self::Disconnect { org, confirmation, data_dir_args } => {
                confirmation.confirm(&format!("Disconnect {org} from the wiki"))?;
                operate(&data_dir_args, AdminOperation::Wiki(WikiOperation::Disconnect { org: org.clone() }))?;
                print(&format!("Disconnected {org} from the wiki\n"))
            }
        }
    }
}

impl Setup {
    fn run(self) -> Result<(), Failure> {
        let Self { client_id, secret_stdin, data_dir_args } = self;
        let client_secret = |stdin| prompt::secret(stdin, "Client secret: ", "--secret-stdin");
        let facts = operate(&data_dir_args, AdminOperation::Wiki(WikiOperation::Facts))?;
        let redirect_uri = facts["redirectUri"].as_str().unwrap_or_default();
        print(&format!("To connect organizations, {REGISTRATION}:\n\n  {redirect_uri}\n\n"))?;
        let client = match (client_id, facts["clientId"].as_str()) {
            (Some(id), _) => Some((id, client_secret(secret_stdin)?)),
            (None, Some(_)) => None,
            (None, None) => {
                Some((prompt::line("Client ID: ", "--client-id and --secret-stdin")?, client_secret(false)?))
            }
        };
        if client.is_none() {
            let id = facts["clientId"].as_str().unwrap_or_default();
            print(&format!("Verifying the configured client ID {id}. Use --client-id to set another one.\n"))?;
        }
        operate(&data_dir_args, AdminOperation::Wiki(WikiOperation::Setup { client }))?;
        print(
            "The provider accepted the client ID and secret. Admins can now connect their organizations in the \
             organization settings, under Wiki.\n",
        )
    }
}

/// The message for a working connection.
fn connected_message(org: &str, bot: &Value) -> String {
    let name = |field: &str| bot[field].as_str().unwrap_or("unnamed");
    format!("{org} is connected to the wiki workspace {} as {}\n", name("workspaceName"), name("name"))
}
