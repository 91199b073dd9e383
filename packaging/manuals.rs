//! Writes the manual pages, one per command, to a directory. Run by `make dist`; not part of the binary.

use std::path::PathBuf;

use clap::CommandFactory;
use planroom::cli::Cli;

fn main() -> std::io::Result<()> {
    let directory = PathBuf::from(std::env::args_os().nth(1).ok_or(std::io::ErrorKind::InvalidInput)?);
    std::fs::create_dir_all(&directory)?;
    clap_mangen::generate_to(Cli::command(), &directory)
}
