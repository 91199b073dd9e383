//! The `planroom` executable: parses the command line, runs the command, prints its error.

use std::process::ExitCode;

use clap::{Parser, error::ErrorKind};
use planroom::cli::ExitStatus;

// Unlike the system allocator, it returns memory to the system after a large request.
#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

fn main() -> ExitCode {
    allocator::return_memory_at_once();
    let cli = match planroom::cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // The status 2 of `planroom sync` says that the map differs, so its wrong arguments must not have it.
            let is_wrong = !matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
            if is_wrong && std::env::args_os().nth(1).is_some_and(|command| command == "sync") {
                drop(error.print());
                return ExitCode::FAILURE;
            }
            error.exit()
        }
    };
    match cli.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is::<ExitStatus>() => {
            error.downcast::<ExitStatus>().map_or(ExitCode::FAILURE, |status| ExitCode::from(status.0))
        }
        Err(error) => {
            // Without standard error, the exit status has to do.
            drop(planroom::cli::warn(&error.to_string()));
            ExitCode::from(planroom::cli::exit_status(&*error))
        }
    }
}
