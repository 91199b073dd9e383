//! `planroom vacuum`.

use clap::Args;

use super::{
    backup::size,
    data_dir::{DataDir, lock_database},
    output::{Failure, print},
};
use crate::db::inspect;

#[derive(Debug, Args)]
pub(super) struct Vacuum {
    #[command(flatten)]
    data_dir_args: DataDir,
}

impl Vacuum {
    pub(super) fn run(self) -> Result<(), Failure> {
        let data_dir = self.data_dir_args.load()?.config.data_dir;
        let _lock = lock_database(&data_dir)?;
        let (before, after) = inspect::vacuum(&data_dir)?;
        print(&format!("Vacuumed the database: {} before, {} now\n", size(before), size(after)))
    }
}
