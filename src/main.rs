//! The `planroom` executable: parses the command line, runs the command, prints its error.

use std::process::ExitCode;

use clap::Parser;
use planroom::cli::ExitStatus;

// Unlike the system allocator, it returns memory to the system after a large request.
#[global_allocator]
static ALLOCATOR: allocator::Allocator = allocator::Allocator;

fn main() -> ExitCode {
    allocator::return_memory_at_once();
    match planroom::cli::Cli::parse().run() {
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
