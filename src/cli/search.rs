//! `planroom search`.

use clap::Subcommand;

use super::{
    data_dir::DataDir,
    operate::operate,
    output::{Failure, print},
};
use crate::operator::{AdminOperation, SearchOperation};

#[derive(Debug, Subcommand)]
pub(super) enum Search {
    /// Empty the search index and fill it again, also while the server runs; changes wait until it is done
    Rebuild {
        #[command(flatten)]
        data_dir_args: DataDir,
    },
}

impl Search {
    pub(super) fn run(self) -> Result<(), Failure> {
        let Self::Rebuild { data_dir_args } = self;
        let documents = operate(&data_dir_args, AdminOperation::Search(SearchOperation::Rebuild))?;
        let entries = if documents == 1 { "entry" } else { "entries" };
        print(&format!("Rebuilt the search index: {documents} {entries}\n"))
    }
}
