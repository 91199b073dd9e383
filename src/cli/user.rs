//! `planroom user`.

use clap::Subcommand;

use super::{
    data_dir::DataDir,
    operate::operate,
    output::{Failure, print},
    prompt::Confirmation,
    table::{Column, OutputFormat, flag, plain, time},
};
use crate::operator::{AdminOperation::Users, UserOperation};

#[derive(Debug, Subcommand)]
pub(super) enum User {
    /// List all accounts
    List {
        #[command(flatten)]
        format: OutputFormat,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
    /// Suspend a user: all their credentials are rejected until the suspension is lifted
    Suspend {
        /// Login of the user
        login: String,
        #[command(flatten)]
        confirmation: Confirmation,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
    /// Lift a suspension
    Unsuspend {
        /// Login of the user
        login: String,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
    /// Make a user an administrator of the instance, or remove the role with --off
    SetAdmin {
        /// Login of the user
        login: String,
        /// Remove the administrator role
        #[arg(long)]
        off: bool,
        #[command(flatten)]
        confirmation: Confirmation,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
    /// Set or remove a user's email address, which links sign-ins from an identity provider to the account
    SetEmail {
        /// Login of the user
        login: String,
        /// Email address; omit it to remove the current one
        #[arg(value_name = "ADDRESS")]
        email: Option<String>,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
    /// Erase a user: make the account anonymous and delete everything that identifies or signs in the user
    Erase {
        /// Login of the user
        login: String,
        #[command(flatten)]
        confirmation: Confirmation,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
}

const COLUMNS: [Column; 8] = [
    Column { head: "ID", field: "id", show: plain },
    Column { head: "LOGIN", field: "login", show: plain },
    Column { head: "NAME", field: "displayName", show: plain },
    Column { head: "EMAIL", field: "email", show: plain },
    Column { head: "ADMIN", field: "isAdmin", show: flag },
    Column { head: "SUSPENDED", field: "isSuspended", show: flag },
    Column { head: "CREATED", field: "createdAt", show: time },
    Column { head: "LAST SIGN-IN", field: "lastLoginAt", show: time },
];

impl User {
    pub(super) fn run(self) -> Result<(), Failure> {
        match self {
            Self::List { format, data_dir_args } => {
                format.print(&operate(&data_dir_args, Users(UserOperation::List))?, &COLUMNS)
            }
            Self::Suspend { login, confirmation, data_dir_args } => {
                confirmation.confirm(&format!("Suspend {login}"))?;
                operate(&data_dir_args, Users(UserOperation::Suspend { login: login.clone() }))?;
                print(&format!("Suspended {login}. All credentials of this user are rejected.\n"))
            }
            Self::Unsuspend { login, data_dir_args } => {
                operate(&data_dir_args, Users(UserOperation::Unsuspend { login: login.clone() }))?;
                print(&format!("Lifted the suspension of {login}\n"))
            }
            Self::SetAdmin { login, off, confirmation, data_dir_args } => {
                if off {
                    confirmation.confirm(&format!("Remove the administrator role from {login}"))?;
                }
                operate(&data_dir_args, Users(UserOperation::SetAdmin { login: login.clone(), admin: !off }))?;
                let is = if off { "no longer" } else { "now" };
                print(&format!("{login} is {is} an administrator of the instance\n"))
            }
            Self::SetEmail { login, email, data_dir_args } => {
                let done = match &email {
                    Some(email) => format!("Set the email address of {login} to {email}\n"),
                    None => format!("Removed the email address of {login}\n"),
                };
                operate(&data_dir_args, Users(UserOperation::SetEmail { login, email: email.unwrap_or_default() }))?;
                print(&done)
            }
            Self::Erase { login, confirmation, data_dir_args } => {
                confirmation.confirm(&format!("Erase {login}, which cannot be undone"))?;
                let name = operate(&data_dir_args, Users(UserOperation::Erase { login: login.clone() }))?;
                let name = name.as_str().unwrap_or_default();
                print(&format!("Erased {login}. History and audit log show the name \"{name}\".\n"))
            }
        }
    }
}
