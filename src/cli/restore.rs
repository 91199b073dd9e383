//! `planroom restore`.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;

use super::{
    data_dir::DataDir,
    keys::lost_text,
    output::{Failure, print, warn},
    table,
};
use crate::{
    auth::keys::Keys,
    clock::Clock,
    db::{Db, DbOptions, FILE_NAME, lock::DataDirLock, restore::Staged},
    domain::instance::{
        self,
        sealed::{self, Sealed},
    },
};

#[derive(Debug, Args)]
pub(super) struct Restore {
    /// Backup file from `planroom backup`, or another copy of a database
    file: PathBuf,
    /// Directory of the keys [default: FILE.keys if it exists, otherwise the keys in the data directory]
    #[arg(long, value_name = "DIR", conflicts_with = "without_keys")]
    keys: Option<PathBuf>,
    /// Restore without the keys, and discard the data that only they can decrypt
    #[arg(long)]
    without_keys: bool,
    /// Move an existing database to the directory replaced-TIME
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    data_dir_args: DataDir,
}

impl Restore {
    pub(super) fn run(self) -> Result<(), Failure> {
        let config = self.data_dir_args.load()?.config;
        let (data_dir, now) = (config.data_dir, Clock::default().now());
        let _lock = DataDirLock::take(&data_dir)?;
        let database = data_dir.join(FILE_NAME);
        if !self.replace && std::fs::metadata(&database).is_ok_and(|found| found.len() > 0) {
            let text = format!(
                "{} already exists; use --replace to move it aside, or choose another --data-dir",
                database.display()
            );
            return Err(text.into());
        }
        let staged = Staged::prepare(&self.file, self.keys_dir(&data_dir)?.as_deref(), &data_dir)?;
        self.expect_keys(&staged)?;
        let aside = staged.put_in_place(now)?;

        let options = DbOptions { max_size_mib: config.database.max_size_mib, ..DbOptions::default() };
        let db = Db::open(&data_dir, &options, now)?;
        let keys = std::sync::Arc::new(Keys::load(&data_dir)?);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let discarded =
            if self.without_keys { runtime.block_on(sealed::discard(&db, keys, now))? } else { Sealed::default() };
        let restored = runtime.block_on(instance::restored(&db, now))?;
        db.close()?;
        self.report(&data_dir, aside.as_deref(), &restored)?;
        if discarded.total() > 0 { print(&format!("{}\n", lost_text(&discarded))) } else { Ok(()) }
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
        Ok(Keys::can_unseal(data_dir).then(|| data_dir.join("keys")))
    }

    /// Rejects a copy whose secrets cannot be decrypted, before anything is moved.
    fn expect_keys(&self, staged: &Staged) -> Result<(), Failure> {
        let sealed = staged.look(sealed::count)?;
        if self.without_keys || sealed.total() == 0 {
            return Ok(());
        }
        let remedy = "select the right directory with --keys, or use --without-keys to discard this data; nothing was \
                      changed";
        if !Keys::can_unseal(staged.directory()) {
            return Err(format!(
                "the backup contains {sealed} that only its keys can decrypt, and no keys were found; {remedy}"
            )
            .into());
        }
        let keys = Keys::load(staged.directory())?;
        let lost = staged.look(|conn| sealed::unreadable(conn, &keys))?;
        if lost == sealed {
            return Err(format!("the keys do not belong to the backup: they cannot decrypt {lost}; {remedy}").into());
        }
        if lost.total() > 0 {
            warn(&format!("warning: the keys cannot decrypt {lost}; discard these with `planroom keys reset`"))?;
        }
        Ok(())
    }

    fn report(
        &self,
        data_dir: &Path,
        aside: Option<&Path>,
        restored: &instance::RestoredDatabase,
    ) -> Result<(), Failure> {
        let instance::CredentialCounts { sessions, tokens, connected_apps } = restored.credentials;
        let count = |count: i64, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let (sessions, tokens) = (count(sessions, "session"), count(tokens, "token"));
        let connected_apps = count(connected_apps, "connected app");
        let last_change =
            restored.last_change_at.map(|at| format!("; its last change was at {}", table::time(&json!(at))));
        let aside = aside.map(|aside| format!("The previous database was moved to {}.\n", aside.display()));
        print(&format!(
            "Restored {} to {}{}.\n{}\
             Valid again, even if ended or revoked since the backup: {sessions}, {tokens} and {connected_apps}.\n\
             As of the backup: members, invitations and suspended accounts. Check `planroom user list` and revoke what \
             must not be valid.\n\
             Clients reload all data when they reconnect.\n",
            self.file.display(),
            data_dir.join(FILE_NAME).display(),
            last_change.unwrap_or_default(),
            aside.unwrap_or_default(),
        ))
    }
}
