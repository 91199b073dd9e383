//! Asking before something is destroyed.

use std::io::{BufRead, IsTerminal, Write};

use clap::Args;

use super::output::Failure;

/// How a verb that destroys is agreed to.
#[derive(Debug, Args)]
pub(super) struct Consent {
    /// Do it without asking
    #[arg(long, short)]
    yes: bool,
}

impl Consent {
    /// Asks on the terminal whether `deed` is to be done; anything but a yes is a no. Without a terminal nobody can be
    /// asked, and it takes `--yes`.
    pub(super) fn obtain(&self, deed: &str) -> Result<(), Failure> {
        if self.yes {
            return Ok(());
        }
        let stdin = std::io::stdin();
        if !stdin.is_terminal() {
            return Err(format!("to {deed}, say --yes: there is no terminal to ask").into());
        }
        let mut err = std::io::stderr();
        write!(err, "Really {deed}? [y/N] ").and_then(|()| err.flush())?;
        let mut answer = String::new();
        stdin.lock().read_line(&mut answer)?;
        match answer.trim().to_lowercase().as_str() {
            "y" | "yes" => Ok(()),
            _ => Err("nothing was done".into()),
        }
    }
}
