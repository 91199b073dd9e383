//! `planroom backup`.

use std::{
    io::{IsTerminal, Write},
    path::{Path, PathBuf},
};

use clap::Args;

use super::{
    data_dir::DataDir,
    output::{Failure, print, warn},
    passphrase::Passphrase,
};
use crate::{
    clock::Clock,
    db::{
        archive::{self, ArchiveOptions, Stage},
        backup,
    },
};

#[derive(Debug, Args)]
pub(super) struct Backup {
    /// New file for the database; its checksum is written to FILE.sha256 and the keys to the directory FILE.keys next to it
    #[arg(required_unless_present = "archive", conflicts_with = "archive")]
    file: Option<PathBuf>,
    /// Write one compressed file instead, such as backup.tar.zst; it contains the keys only with --with-keys or a
    /// passphrase
    #[arg(long, value_name = "FILE")]
    archive: Option<PathBuf>,
    /// Store the keys in the archive without encryption: anyone who can read it can decrypt the secrets in the database
    #[arg(long, requires = "archive")]
    with_keys: bool,
    #[command(flatten)]
    passphrase: Passphrase,
    #[command(flatten)]
    data_dir_args: DataDir,
}

impl Backup {
    pub(super) fn run(self) -> Result<(), Failure> {
        let config = self.data_dir_args.load()?.config;
        let data_dir = config.data_dir;
        match (&self.archive, &self.file) {
            (Some(archive), _) if archive.as_os_str() == "-" => {
                Err("an archive cannot be written to standard output; specify a file, or ./- for a file of this name"
                    .into())
            }
            (Some(archive), _) => {
                let has_passphrase = !config.backup.passphrase.reveal().is_empty();
                if has_passphrase && !self.passphrase.is_present() {
                    warn(
                        "warning: the archive is not encrypted, because backup.passphrase is for scheduled backups only; \
                         use --passphrase-file",
                    )?;
                }
                self.archive(&data_dir, archive)
            }
            (None, Some(file)) if !self.passphrase.is_present() => {
                backup::of_data_dir(&data_dir, file)?;
                let file = file.display();
                print(&format!(
                    "Backed up the database to {file} (verified; checksum in {file}.sha256) and the keys to {file}.keys\n"
                ))
            }
            (None, _) => Err("only archives can be encrypted; use --archive FILE".into()),
        }
    }

    fn archive(&self, data_dir: &Path, target: &Path) -> Result<(), Failure> {
        let passphrase = self.passphrase.for_encryption()?;
        let with_keys = self.with_keys || passphrase.is_some();
        let options = ArchiveOptions { with_keys, passphrase, now: Clock::default().now() };
        let mut progress = Progress::start();
        let manifest = archive::create(data_dir, target, &options, &mut |stage| progress.show(stage));
        progress.end();
        let manifest = manifest?;
        let bytes = std::fs::metadata(target)?.len();
        let encrypted = if options.passphrase.is_some() { ", encrypted" } else { "" };
        let keys = match (with_keys, options.passphrase.is_some()) {
            (true, true) => "It contains the keys. It cannot be restored without the passphrase.",
            (true, false) => "It contains the keys: anyone who can read it can decrypt the secrets in the database.",
            (false, _) => {
                "It does not contain the keys. Keep a copy of the directory `keys` in another place: without it, \
                 two-factor secrets, wiki connections, secret settings, webhooks and share links are lost."
            }
        };
        print(&format!(
            "Backed up to {} ({}{encrypted}, verified; the database has {}).\n{keys}\n",
            target.display(),
            size(bytes),
            size(manifest.database_bytes()),
        ))
    }
}

/// A size in units for people.
pub(super) fn size(bytes: u64) -> String {
    const KIB: u64 = 1 << 10;
    const MIB: u64 = 1 << 20;
    const GIB: u64 = 1 << 30;
    let tenths = |unit: u64| format!("{}.{}", bytes / unit, bytes % unit * 10 / unit);
    match bytes {
        0..MIB => format!("{} KiB", bytes.div_ceil(KIB)),
        MIB..GIB => format!("{} MiB", tenths(MIB)),
        _ => format!("{} GiB", tenths(GIB)),
    }
}

/// Progress on standard error, if that is a terminal.
struct Progress {
    is_shown: bool,
    last: String,
}

impl Progress {
    fn start() -> Self {
        Self { is_shown: std::io::stderr().is_terminal(), last: String::new() }
    }

    fn show(&mut self, stage: Stage) {
        let text = match stage {
            Stage::Copying => "Copying and checking the database…".to_owned(),
            Stage::Compressing(done, total) => format!("Writing the archive… {}%", done * 100 / total.max(1)),
            Stage::Verifying => "Verifying the archive…".to_owned(),
        };
        if self.is_shown && text != self.last {
            // A closed standard error must not fail the backup.
            drop(write!(std::io::stderr(), "\r\x1b[K{text}"));
            self.last = text;
        }
    }

    /// Erases the progress, so that the result or the error follows.
    fn end(&self) {
        if self.is_shown {
            drop(write!(std::io::stderr(), "\r\x1b[K"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (bytes, text) in [(1, "1 KiB"), (1 << 20, "1.0 MiB"), (3 << 19, "1.5 MiB"), (5 << 29, "2.5 GiB")] {
            assert_eq!(size(bytes), text);
        }
    }
}
