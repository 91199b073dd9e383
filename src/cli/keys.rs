//! `planroom keys`.

use std::sync::Arc;

use clap::{Args, Subcommand};

use super::{
    data_dir::{DataDir, lock_database},
    operate::{block_on, operate},
    output::{Failure, print},
    prompt::Confirmation,
};
use crate::{
    auth::keys,
    clock::Clock,
    db::{Db, DbOptions, inspect},
    domain::instance::sealed::{self, Sealed},
    operator::AdminOperation,
};

#[derive(Debug, Subcommand)]
pub(super) enum Keys {
    /// Discard the data that cannot be used without lost keys, and create new keys
    Reset(Reset),
    /// Replace the key of share links: all their addresses end, and owners of workspaces find new ones in the web client
    RotateSharing {
        #[command(flatten)]
        confirmation: Confirmation,
        #[command(flatten)]
        data_dir_args: DataDir,
    },
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
            Self::RotateSharing { confirmation, data_dir_args } => {
                confirmation.confirm("End the addresses of all share links")?;
                operate(&data_dir_args, AdminOperation::RotateSharingKey)?;
                print("Replaced the key of share links. Their previous addresses have ended.\n")
            }
        }
    }
}

impl Reset {
    fn run(self) -> Result<(), Failure> {
        let config = self.data_dir_args.load()?.config;
        let (data_dir, now) = (config.data_dir, Clock::default().now());
        let _lock = lock_database(&data_dir)?;
        let keys = keys::Keys::load_unchanged(&data_dir)?;
        // Opening the database migrates it, which must not happen before the confirmation.
        let lost = inspect::look_before_opening(&data_dir, |conn| sealed::lost(conn, &data_dir, &keys, now))?;
        let lost = lost.ok_or("the database cannot be read; run `planroom doctor` to find the cause")?;
        if lost.total() == 0 {
            return print("The keys match the database; nothing was changed\n");
        }
        self.confirmation.confirm(&format!("Discard {lost}"))?;
        let options = DbOptions { max_size_mib: config.database.max_size_mib, ..DbOptions::default() };
        let db = Db::open(&data_dir, &options, now)?;
        let keys = Arc::new(keys::Keys::load(&data_dir)?);
        let discarded = block_on(sealed::discard(&db, keys, lost.share_links, now))?;
        db.close()?;
        print(&format!("{}\n", lost_text(&discarded?)))
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
    if lost.share_links > 0 {
        text += " Share links have new addresses, which owners of workspaces find in the web client.";
    }
    text
}
