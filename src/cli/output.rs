//! Output of commands: text on standard output, warnings on standard error, and the error that ends a command.

use std::io::Write;

/// Why a command failed: one sentence for the terminal.
pub type Failure = Box<dyn std::error::Error>;

/// Warns on standard error; the command goes on.
pub(super) fn warn(text: &str) -> Result<(), Failure> {
    Ok(writeln!(std::io::stderr().lock(), "planroom: {text}")?)
}

/// Prints to standard output. A reader that has gone away, as `head` does, is no failure.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
