//! `planroom backup`.

use std::path::PathBuf;

use clap::Args;

use super::{
    data_dir::DataDir,
    output::{Failure, print},
};
use crate::db::backup;

#[derive(Debug, Args)]
pub(super) struct Backup {
    /// New file for the database; the keys are written to the directory FILE.keys next to it
    file: PathBuf,
    #[command(flatten)]
    data_dir_args: DataDir,
}

impl Backup {
    pub(super) fn run(self) -> Result<(), Failure> {
        let data_dir = self.data_dir_args.load()?.config.data_dir;
        backup::of_data_dir(&data_dir, &self.file)?;
        let file = self.file.display();
        print(&format!("Backed up the database to {file} (verified) and the keys to {file}.keys\n"))
    }
}
