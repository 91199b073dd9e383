//! Prompts on the terminal: confirmation of destructive commands, and input.

use std::io::{BufRead, IsTerminal, Write, stderr, stdin};

use clap::Args;

use super::output::Failure;

/// Flags of a destructive command.
#[derive(Debug, Args)]
pub(super) struct Confirmation {
    /// Do not ask for confirmation
    #[arg(long, short)]
    yes: bool,
}

impl Confirmation {
    /// Asks on the terminal to confirm `action`, an imperative such as "Delete workspace shop". Any response but yes
    /// cancels the command. Without a terminal, `--yes` is required.
    pub(super) fn confirm(&self, action: &str) -> Result<(), Failure> {
        if self.yes {
            return Ok(());
        }
        if !stdin().is_terminal() {
            return Err(format!("cannot ask \"{action}?\" without a terminal; confirm with --yes").into());
        }
        match prompted(&format!("{action}? [y/N] "))?.trim().to_lowercase().as_str() {
            "y" | "yes" => Ok(()),
            _ => Err("canceled; nothing was changed".into()),
        }
    }
}

/// Prompts for a line. Without a terminal, `flags` are required.
pub(super) fn line(prompt: &str, flags: &str) -> Result<String, Failure> {
    expect_terminal("", flags)?;
    non_empty(&prompted(prompt)?)
}

/// Reads a secret from standard input, or from the terminal without echo. Without a terminal, `flag` is required.
pub(super) fn secret(from_stdin: bool, prompt: &str, flag: &str) -> Result<String, Failure> {
    if from_stdin {
        return non_empty(&standard_input()?);
    }
    expect_terminal("", flag)?;
    non_empty(&rpassword::prompt_password(prompt)?)
}

/// Prompts for a new password twice.
pub(super) fn new_password() -> Result<String, Failure> {
    expect_terminal(" for the password", "--password-stdin")?;
    let password = rpassword::prompt_password("Password: ")?;
    if rpassword::prompt_password("Repeat password: ")? != password {
        return Err("the passwords do not match; nothing was changed".into());
    }
    Ok(password)
}

/// A line of standard input.
pub(super) fn standard_input() -> Result<String, Failure> {
    let mut line = String::new();
    stdin().lock().read_line(&mut line)?;
    Ok(line.trim_end_matches(['\n', '\r']).to_owned())
}

fn prompted(prompt: &str) -> Result<String, Failure> {
    let mut err = stderr();
    write!(err, "{prompt}").and_then(|()| err.flush())?;
    standard_input()
}

fn expect_terminal(what: &str, flags: &str) -> Result<(), Failure> {
    if stdin().is_terminal() {
        return Ok(());
    }
    Err(format!("cannot prompt{what} without a terminal; use {flags}").into())
}

fn non_empty(text: &str) -> Result<String, Failure> {
    let text = text.trim();
    if text.is_empty() { Err("the input is empty; nothing was changed".into()) } else { Ok(text.to_owned()) }
}
