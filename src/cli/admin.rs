//! `planroom admin`.

use clap::Subcommand;

use super::{
    data_dir::DataDir,
    first_admin::weakness,
    operate::operate,
    output::{Failure, print, warn},
    prompt,
};
use crate::operator::AdminOperation;

#[derive(Debug, Subcommand)]
pub(super) enum Admin {
    /// Create an administrator of the instance and of an organization
    Create {
        /// Login of the administrator
        #[arg(long)]
        login: String,
        /// Display name
        #[arg(long)]
        name: String,
        /// Slug of the organization, such as acme; created if it does not exist
        #[arg(long, value_name = "SLUG")]
        org: String,
        /// Read the password from standard input (one line) instead of prompting for it
        #[arg(long)]
        password_stdin: bool,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
    /// Reset a user's password; ends their sessions, disables two-factor authentication and lifts rate limits
    ResetPassword {
        /// Login of the user
        #[arg(long)]
        login: String,
        /// Read the password from standard input (one line) instead of prompting for it
        #[arg(long)]
        password_stdin: bool,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
    /// Replace the key that signs sessions; existing sessions remain valid
    RotateKey {
        #[command(flatten)]
        data_dir_args: DataDir,
    },
}

impl Admin {
    pub(super) fn run(self) -> Result<(), Failure> {
        match self {
            Self::Create { login, name, org, password_stdin, data_dir_args } => {
                let password = password(password_stdin, &login, &name)?;
                operate(
                    &data_dir_args,
                    AdminOperation::CreateAdmin { login: login.clone(), name, org: org.clone(), password },
                )?;
                print(&format!("{login} is now an administrator of the instance and of {org}\n"))
            }
            Self::ResetPassword { login, password_stdin, data_dir_args } => {
                let password = password(password_stdin, &login, "")?;
                operate(&data_dir_args, AdminOperation::ResetPassword { login: login.clone(), password })?;
                print(&format!(
                    "Reset the password of {login}. All sessions have ended, and two-factor authentication is disabled.\n"
                ))
            }
            Self::RotateKey { data_dir_args } => {
                operate(&data_dir_args, AdminOperation::RotateKey)?;
                print(
                    "Replaced the signing key. Session tokens that were signed with the previous key remain valid for up to \
             one hour.\n",
                )
            }
        }
    }
}

/// Reads the password from the terminal or standard input. A weak password is allowed, with a warning, because the
/// operator has full access to the data anyway.
fn password(from_stdin: bool, login: &str, name: &str) -> Result<String, Failure> {
    let password = if from_stdin { prompt::standard_input()? } else { prompt::new_password()? };
    if let Some(weakness) = weakness(&password, login, name) {
        warn(&format!("warning: {weakness}"))?;
    }
    Ok(password)
}
