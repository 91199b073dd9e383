//! The passphrase of a backup archive.

use std::{
    io::{BufRead, IsTerminal},
    path::{Path, PathBuf},
};

use clap::Args;

use super::output::Failure;
use crate::secret::Secret;

/// Minimum length of a new passphrase, in characters.
const MIN_CHARS: usize = 12;
/// Maximum length of a passphrase, in bytes.
const MAX_BYTES: usize = 4096;

/// Flags of commands that read or write archives.
#[derive(Debug, Args)]
pub(super) struct Passphrase {
    /// File with the passphrase of the archive in its first line
    #[arg(long, value_name = "FILE", conflicts_with = "passphrase_stdin")]
    passphrase_file: Option<PathBuf>,
    /// Read the passphrase of the archive from the first line of standard input
    #[arg(long)]
    passphrase_stdin: bool,
}

impl Passphrase {
    /// Whether a flag is used.
    pub(super) fn is_present(&self) -> bool {
        self.passphrase_file.is_some() || self.passphrase_stdin
    }

    /// The passphrase to encrypt with; none without a flag.
    pub(super) fn for_encryption(&self) -> Result<Option<Secret>, Failure> {
        let passphrase = self.selected()?;
        passphrase.as_ref().map(check).transpose()?;
        Ok(passphrase)
    }

    /// The passphrase of the encrypted archive `file`. Without a flag, asks on the terminal.
    pub(super) fn of(&self, file: &Path) -> Result<Option<Secret>, Failure> {
        match self.selected()? {
            None if std::io::stdin().is_terminal() => {
                let prompt = format!("Passphrase of {}: ", file.display());
                Ok(Some(Secret::new(rpassword::prompt_password(prompt)?)))
            }
            passphrase => Ok(passphrase),
        }
    }

    fn selected(&self) -> Result<Option<Secret>, Failure> {
        if self.passphrase_stdin {
            return first_line(std::io::stdin().lock(), "standard input").map(Some);
        }
        self.passphrase_file.as_deref().map(read).transpose()
    }
}

/// Reads the passphrase from the first line of a file.
pub(super) fn read(file: &Path) -> Result<Secret, Failure> {
    let name = file.display().to_string();
    let open = std::fs::File::open(file).map_err(|error| format!("cannot read the passphrase from {name}: {error}"))?;
    first_line(std::io::BufReader::new(open), &name)
}

fn first_line(source: impl BufRead, name: &str) -> Result<Secret, Failure> {
    let mut line = String::new();
    source
        .take(MAX_BYTES as u64 + 2)
        .read_line(&mut line)
        .map_err(|error| format!("cannot read the passphrase from {name}: {error}"))?;
    let passphrase = line.trim_end_matches(['\n', '\r']);
    if passphrase.is_empty() || passphrase.len() > MAX_BYTES {
        return Err(format!("{name} must have a passphrase of at most {MAX_BYTES} bytes in its first line").into());
    }
    Ok(Secret::new(passphrase))
}

/// Rejects a passphrase that is too short for a file that an attacker can copy and try at leisure.
fn check(passphrase: &Secret) -> Result<(), Failure> {
    if passphrase.reveal().chars().count() < MIN_CHARS {
        return Err(format!("the passphrase must have at least {MIN_CHARS} characters").into());
    }
    Ok(())
}
