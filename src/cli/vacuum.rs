//! `planroom vacuum`.

use clap::Args;

use super::{
    backup::size,
    data_dir::DataDir,
    output::{Failure, print},
};
use crate::db::{FILE_NAME, inspect, lock::DataDirLock};

#[derive(Debug, Args)]
pub(super) struct Vacuum {
    #[command(flatten)]
    data_dir_args: DataDir,
}

impl Vacuum {
    pub(super) fn run(self) -> Result<(), Failure> {
        let data_dir = self.data_dir_args.load()?.config.data_dir;
        if !data_dir.join(FILE_NAME).exists() {
            return Err(format!("there is no database in {}; check --data-dir", data_dir.display()).into());
        }
        let _lock = DataDirLock::take(&data_dir)?;
        let (before, after) = inspect::vacuum(&data_dir)?;
        print(&format!("Vacuumed the database: {} before, {} now\n", size(before), size(after)))
    }
}
