//! `planroom backup`.

use std::path::PathBuf;

use clap::Args;

use super::{
    output::{Failure, print},
    place::Place,
};
use crate::db::backup;

#[derive(Debug, Args)]
pub(super) struct Backup {
    /// New file for the database; the keys go to the directory FILE.keys beside it
    file: PathBuf,
    #[command(flatten)]
    place: Place,
}

impl Backup {
    pub(super) fn run(self) -> Result<(), Failure> {
        let data_dir = self.place.load()?.config.data_dir;
        backup::of_data_dir(&data_dir, &self.file)?;
        let file = self.file.display();
        print(&format!("{file} holds the database, verified; {file}.keys holds the keys\n"))
    }
}
