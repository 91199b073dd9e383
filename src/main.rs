//! The `planroom` executable: parse the command line, run, print the error.

use std::process::ExitCode;

use clap::Parser;

#[expect(clippy::print_stderr, reason = "this is where a command's failure is told")]
fn main() -> ExitCode {
    match planroom::cli::Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("planroom: {error}");
            ExitCode::FAILURE
        }
    }
}
