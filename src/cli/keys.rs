//! `planroom keys`.

use std::sync::Arc;

use clap::{Args, Subcommand};

use super::{
    confirm::Confirmation,
    data_dir::DataDir,
    operate::operate,
    output::{Failure, print},
};
use crate::{
    auth::keys,
    clock::Clock,
    db::{Db, DbOptions, FILE_NAME, lock::DataDirLock},
    domain::instance::sealed::{self, Sealed},
    operator::AdminOperation,
};

#[derive(Debug, Subcommand)]
pub(super) enum Keys {
    /// Discard the data that only lost keys can decrypt, and create new keys
    Reset(Reset),
    /// Replace the key of share links: all their addresses end, and owners of workspaces find new ones in the web client
    RotateSharing(RotateSharing),
}

#[derive(Debug, Args)]
pub(super) struct Reset {
    #[command(flatten)]
    confirmation: Confirmation,
    #[command(flatten)]
    data_dir_args: DataDir,
}

impl Keys {
    pub(super) fn run(self) -> Result<(), Failure> {
        match self {
            Self::Reset(reset) => reset.run(),
            Self::RotateSharing(rotate) => rotate.run(),
        }
    }
}

#[derive(Debug, Args)]
pub(super) struct RotateSharing {
    #[command(flatten)]
    confirmation: Confirmation,
    #[command(flatten)]
    data_dir_args: DataDir,
}

impl RotateSharing {
    fn run(self) -> Result<(), Failure> {
        self.confirmation.confirm("End the addresses of all share links")?;
        operate(&self.data_dir_args, AdminOperation::RotateSharingKey)?;
        print("Replaced the key of share links. Their previous addresses have ended.\n")
    }
}

impl Reset {
    fn run(self) -> Result<(), Failure> {
        let config = self.data_dir_args.load()?.config;
        let (data_dir, now) = (config.data_dir, Clock::default().now());
        let _lock = DataDirLock::take(&data_dir)?;
        if !data_dir.join(FILE_NAME).exists() {
            return Err(format!("there is no database in {}; check --data-dir", data_dir.display()).into());
        }
        let options = DbOptions { max_size_mib: config.database.max_size_mib, ..DbOptions::default() };
        let db = Db::open(&data_dir, &options, now)?;
        let outcome = self.discard(&db, &data_dir, now);
        db.close()?;
        print(&format!("{}\n", outcome?))
    }

    fn discard(&self, db: &Db, data_dir: &std::path::Path, now: i64) -> Result<String, Failure> {
        let lost = if keys::Keys::can_unseal(data_dir) {
            let keys = keys::Keys::load(data_dir)?;
            db.look(|conn| sealed::unreadable(conn, &keys))?
        } else {
            db.look(sealed::count)?
        };
        if lost.total() == 0 {
            return Ok("The keys match the database; nothing was changed".into());
        }
        self.confirmation.confirm(&format!("Discard {lost}"))?;
        let keys = Arc::new(keys::Keys::load(data_dir)?);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(lost_text(&runtime.block_on(sealed::discard(db, keys, now))?))
    }
}

/// Describes the consequences of discarding these values.
pub(super) fn lost_text(lost: &Sealed) -> String {
    let mut text = format!("Discarded {lost}.");
    if lost.second_factors > 0 {
        text += " These users sign in with their password only until they enable two-factor authentication again.";
    }
    if lost.wiki_connections > 0 {
        text += " Admins must reconnect the wiki in the organization settings.";
    }
    if lost.settings > 0 {
        text += " Administrators must enter secret settings again.";
    }
    if lost.webhooks > 0 {
        text += " Webhooks are disabled; admins must create them again.";
    }
    text
}
