//! `planroom admin`.

use std::io::{BufRead, IsTerminal};

use clap::{Args, Subcommand};

use super::{
    first_admin::weakness,
    operate::operate,
    output::{Failure, print, warn},
    place::Place,
};
use crate::operator::Operation;

#[derive(Debug, Subcommand)]
pub(super) enum Admin {
    /// Make an administrator of the instance and of an organization
    Create(Create),
    /// Give a user another password; ends their sessions, removes their second factor and lifts every wait
    ResetPassword(ResetPassword),
    /// Sign sessions with a new key; those that there are stay good
    RotateKey(RotateKey),
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

#[derive(Debug, Args)]
pub(super) struct ResetPassword {
    /// What the user signs in with
    #[arg(long)]
    login: String,
    /// Read the password from standard input, one line, instead of asking for it
    #[arg(long)]
    password_stdin: bool,
    #[command(flatten)]
    place: Place,
}

#[derive(Debug, Args)]
pub(super) struct RotateKey {
    #[command(flatten)]
    place: Place,
}

impl Admin {
    pub(super) fn run(self) -> Result<(), Failure> {
        match self {
            Self::Create(create) => create.run(),
            Self::ResetPassword(reset) => reset.run(),
            Self::RotateKey(rotate) => rotate.run(),
        }
    }
}

impl Create {
    fn run(self) -> Result<(), Failure> {
        let Self { login, name, org, password_stdin, place } = self;
        let password = password(password_stdin, &login, &name)?;
        operate(&place, Operation::CreateAdmin { login: login.clone(), name, org: org.clone(), password })?;
        print(&format!("{login} is an administrator now, of the instance and of {org}\n"))
    }
}

impl ResetPassword {
    fn run(self) -> Result<(), Failure> {
        let Self { login, password_stdin, place } = self;
        let password = password(password_stdin, &login, "")?;
        operate(&place, Operation::ResetPassword { login: login.clone(), password })?;
        print(&format!("{login} has a new password; all sessions ended, and no second factor is asked for\n"))
    }
}

impl RotateKey {
    fn run(self) -> Result<(), Failure> {
        operate(&self.place, Operation::RotateKey)?;
        print("sessions are signed with a new key; what the one before signed stays good for at most an hour\n")
    }
}

/// The password that is typed or piped in. Whoever holds the machine may choose a weak one, and is told.
fn password(from_stdin: bool, login: &str, name: &str) -> Result<String, Failure> {
    let password = if from_stdin { password_line()? } else { ask_password()? };
    if let Some(weakness) = weakness(&password, login, name) {
        warn(&format!("warning: {weakness}"))?;
    }
    Ok(password)
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
