//! `planroom restore`.

mod report;

use std::path::{Path, PathBuf};

use clap::Args;

use self::report::{Report, regained};
use super::{
    data_dir::DataDir,
    keys::lost_text,
    operate::block_on,
    output::{Failure, print, warn},
    passphrase::Passphrase,
};
use crate::{
    auth::keys::Keys,
    clock::Clock,
    config::Config,
    db::{
        Db, DbOptions, FILE_NAME, OpenError,
        archive::BackupKind,
        checksum,
        lock::{DataDirLock, FILE_NAME as LOCK_NAME},
        restore::{self, KeySource, Staged},
    },
    domain::instance::{
        self, RestorePolicy,
        sealed::{self, KeyCheck, Sealed},
    },
};

#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(super) struct Restore {
    /// Backup from `planroom backup`: an archive, a database file, or another copy of a database
    file: PathBuf,
    #[command(flatten)]
    passphrase: Passphrase,
    /// Directory of the keys [default: those in the archive or in FILE.keys, otherwise the keys in the data directory]
    #[arg(long, value_name = "DIR", conflicts_with = "without_keys")]
    keys: Option<PathBuf>,
    /// Restore without the keys: discard the data that only they can decrypt, and end the addresses of share links
    #[arg(long)]
    without_keys: bool,
    /// Move an existing database to the directory replaced-TIME
    #[arg(long)]
    replace: bool,
    /// Keep sessions and connected apps valid instead of ending them
    #[arg(long)]
    keep_sessions: bool,
    /// Revoke all personal access tokens
    #[arg(long)]
    revoke_tokens: bool,
    #[command(flatten)]
    data_dir_args: DataDir,
}

impl Restore {
    pub(super) fn run(self) -> Result<(), Failure> {
        let config = self.data_dir_args.load()?.config;
        let is_new = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let new: Vec<PathBuf> = config.data_dir.ancestors().take_while(is_new).map(Path::to_owned).collect();
        let restored = self.restore(&config);
        // The lock of another process stays.
        let is_locked = |error: &Failure| matches!(error.downcast_ref(), Some(OpenError::Locked(_)));
        if restored.as_ref().is_err_and(|error| !is_locked(error)) && !new.is_empty() {
            // Directories that are not empty remain.
            drop(std::fs::remove_file(config.data_dir.join(LOCK_NAME)));
            for path in &new {
                drop(std::fs::remove_dir(path));
            }
        }
        restored
    }

    fn restore(&self, config: &Config) -> Result<(), Failure> {
        let kind = restore::recognize(&self.file)?;
        let (data_dir, now) = (config.data_dir.clone(), Clock::default().now());
        let _lock = DataDirLock::take(&data_dir)?;
        let database = data_dir.join(FILE_NAME);
        if !self.replace && std::fs::metadata(&database).is_ok_and(|found| found.len() > 0) {
            let text = format!(
                "{} already exists; use --replace to move it aside, or choose another --data-dir",
                database.display()
            );
            return Err(text.into());
        }
        let has_checksum = kind != BackupKind::Database || restore::verify_checksum(&self.file)?;
        let staged = self.stage(kind, &data_dir)?;
        let lost = self.expect_keys(&staged, now)?;
        // A missing, damaged or older database is not compared.
        let before = restore::look_at(&data_dir, instance::access_list).ok();
        // All steps that can fail work on the copy. The existing database is only moved aside afterwards.
        let options = DbOptions { max_size_mib: config.database.max_size_mib, ..DbOptions::default() };
        let db = Db::open(staged.directory(), &options, now)?;
        let keys = std::sync::Arc::new(Keys::load(staged.directory())?);
        let discarded = if self.without_keys {
            block_on(sealed::discard(&db, keys, lost.share_links, now))??
        } else {
            Sealed::default()
        };
        let policy = RestorePolicy { keep_sessions: self.keep_sessions, revoke_tokens: self.revoke_tokens };
        let restored = block_on(instance::restored(&db, policy, now))??;
        let after = db.look(instance::access_list);
        db.close()?;
        let aside = staged.put_in_place(now)?;
        let regained = before.zip(after.ok()).map(|(before, after)| regained(&before, &after));
        let report = Report { file: &self.file, database: &database, aside: aside.as_deref(), restored, regained };
        let lost = if discarded.total() > 0 { format!("{}\n", lost_text(&discarded)) } else { String::new() };
        // The restore is complete. Exit codes other than 0 mean that nothing was changed.
        if let Err(error) = print(&format!("{report}{lost}")) {
            drop(warn(&format!("warning: restored {}, but cannot print the report: {error}", self.file.display())));
        }
        if !has_checksum {
            let path = checksum::path_of(&self.file);
            drop(warn(&format!("warning: {} not found, so the backup cannot be checked for changes", path.display())));
        }
        Ok(())
    }

    /// Copies the backup into the data directory, next to the existing data, and verifies it.
    fn stage(&self, kind: BackupKind, data_dir: &Path) -> Result<Staged, Failure> {
        if kind != BackupKind::EncryptedArchive && self.passphrase.is_present() {
            return Err(format!("{} is not encrypted; omit the passphrase", self.file.display()).into());
        }
        let keys = self.keys_dir(data_dir)?;
        if kind == BackupKind::Database {
            return Ok(Staged::prepare(&self.file, keys.as_deref(), data_dir)?);
        }
        let encrypted = kind == BackupKind::EncryptedArchive;
        let passphrase = if encrypted { self.passphrase.of(&self.file)? } else { None };
        let source = match (&keys, self.without_keys) {
            (_, true) => KeySource::Nowhere,
            (Some(keys), false) if self.keys.is_some() => KeySource::Directory(keys),
            (keys, false) => KeySource::OfArchive(keys.as_deref()),
        };
        Ok(Staged::unpack(&self.file, passphrase.as_ref(), source, data_dir)?)
    }

    /// The directory with the keys of the backup, if there is one.
    fn keys_dir(&self, data_dir: &Path) -> Result<Option<PathBuf>, Failure> {
        if self.without_keys {
            return Ok(None);
        }
        if let Some(keys) = &self.keys {
            return if keys.is_dir() {
                Ok(Some(keys.clone()))
            } else {
                Err(format!("--keys: there is no directory {}", keys.display()).into())
            };
        }
        let mut beside = self.file.clone().into_os_string();
        beside.push(".keys");
        let beside = PathBuf::from(beside);
        if beside.is_dir() {
            return Ok(Some(beside));
        }
        Ok(Keys::exist(data_dir).then(|| data_dir.join("keys")))
    }

    /// Rejects a copy with data that needs keys that were not found, before anything is moved. Returns the data that was
    /// accepted to be lost.
    fn expect_keys(&self, staged: &Staged, now: i64) -> Result<Sealed, Failure> {
        if self.without_keys {
            return Ok(staged.look(|conn| sealed::count(conn, now))?);
        }
        let remedy = "select the right directory with --keys, or use --without-keys to accept the loss; nothing was \
                      changed";
        let keys = Keys::load_unchanged(staged.directory())?;
        match staged.look(|conn| sealed::check(conn, staged.directory(), &keys, now))? {
            KeyCheck::Missing(lost) => {
                let names = lost.key_names();
                return Err(format!("{names} not found; {lost} in the backup cannot be used; {remedy}").into());
            }
            KeyCheck::Wrong(lost) => {
                return Err(
                    format!("the keys do not belong to the backup: they cannot decrypt {lost}; {remedy}").into()
                );
            }
            KeyCheck::Usable(lost) if lost.total() > 0 => {
                warn(&format!("warning: the keys cannot decrypt {lost}; discard these with `planroom keys reset`"))?;
            }
            KeyCheck::Usable(_) => {}
        }
        Ok(Sealed::default())
    }
}
