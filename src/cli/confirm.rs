//! Confirmation of destructive commands.

use std::io::{BufRead, IsTerminal, Write};

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
    /// Asks on the terminal to confirm `action`, an imperative such as "Delete workspace shop". Any answer but yes
    /// cancels the command. Without a terminal, `--yes` is required.
    pub(super) fn confirm(&self, action: &str) -> Result<(), Failure> {
        if self.yes {
            return Ok(());
        }
        let stdin = std::io::stdin();
        if !stdin.is_terminal() {
            return Err(format!("cannot ask \"{action}?\" without a terminal; confirm with --yes").into());
        }
        let mut err = std::io::stderr();
        write!(err, "{action}? [y/N] ").and_then(|()| err.flush())?;
        let mut answer = String::new();
        stdin.lock().read_line(&mut answer)?;
        match answer.trim().to_lowercase().as_str() {
            "y" | "yes" => Ok(()),
            _ => Err("canceled; nothing was changed".into()),
        }
    }
}
