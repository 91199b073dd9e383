//! The `planroom` executable: parse the command line, run, print the error.

use std::process::ExitCode;

use clap::Parser;

// It gives memory back to the system after a large request; the system's own keeps it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
