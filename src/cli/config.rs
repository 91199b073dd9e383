//! `planroom config`.

use std::path::PathBuf;

use clap::Subcommand;

use super::{
    certificate,
    data_dir::DataDir,
    output::{Failure, print},
};
use crate::{app::check_files, clock::Clock};

#[derive(Debug, Subcommand)]
pub(super) enum Config {
    /// Show the effective value and source of every key; secrets are hidden
    Show(DataDir),
    /// Validate a configuration file and the certificates that it names
    Check {
        /// Configuration file
        #[arg(env = "PLANROOM_CONFIG")]
        file: PathBuf,
    },
}

impl Config {
    pub(super) fn run(self) -> Result<(), Failure> {
        match self {
            Self::Show(data_dir_args) => {
                let entries = data_dir_args.load()?.entries;
                let key = entries.iter().map(|entry| entry.key.len()).max().unwrap_or(0);
                let value = entries.iter().map(|entry| entry.value.chars().count()).max().unwrap_or(0);
                let lines = entries
                    .iter()
                    .map(|entry| format!("{:key$} = {:value$}  # {}\n", entry.key, entry.value, entry.source));
                print(&lines.collect::<String>())
            }
            Self::Check { file } => {
                let config = crate::config::check_file(&file)?;
                certificate::load(&config.tls, Clock::default().now())?;
                check_files(&config)?;
                print(&format!("{} is valid\n", file.display()))
            }
        }
    }
}
