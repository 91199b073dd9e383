//! `planroom admin`.

use std::io::{BufRead, IsTerminal};

use clap::{Args, Subcommand};

use super::{Failure, Place, operate::operate, print};
use crate::operator::Operation;

#[derive(Debug, Subcommand)]
pub(super) enum Admin {
    /// Make an administrator of the instance and of an organization
    Create(Create),
}

#[derive(Debug, Args)]
pub(super) struct Create {
    /// What the administrator signs in with
    #[arg(long)]
    login: String,
    /// Name for display
    #[arg(long)]
    name: String,
    /// Slug of the organization, as in acme; it is made if it does not exist
    #[arg(long, value_name = "SLUG")]
    org: String,
    /// Read the password from standard input, one line, instead of asking for it
    #[arg(long)]
    password_stdin: bool,
    #[command(flatten)]
    place: Place,
}

impl Admin {
    pub(super) fn run(self) -> Result<(), Failure> {
        match self {
            Self::Create(create) => create.run(),
        }
    }
}

impl Create {
    fn run(self) -> Result<(), Failure> {
        let Self { login, name, org, password_stdin, place } = self;
        let password = if password_stdin { password_line()? } else { ask_password()? };
        operate(&place, Operation::CreateAdmin { login: login.clone(), name, org: org.clone(), password })?;
        print(&format!("{login} is an administrator now, of the instance and of {org}\n"))
    }
}

fn password_line() -> Result<String, Failure> {
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}

fn ask_password() -> Result<String, Failure> {
    if !std::io::stdin().is_terminal() {
        return Err("there is no terminal to ask for the password; use --password-stdin".into());
    }
    let password = rpassword::prompt_password("Password: ")?;
    if rpassword::prompt_password("The same again: ")? != password {
        return Err("the two passwords differ; nothing was done".into());
    }
    Ok(password)
}
