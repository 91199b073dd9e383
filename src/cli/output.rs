//! Output of commands: text on standard output, warnings on standard error, and the error that ends a command.

use std::io::Write;

/// The error of a command, printed in one line.
pub type Failure = Box<dyn std::error::Error>;

/// Prints a warning to standard error.
pub(super) fn warn(text: &str) -> Result<(), Failure> {
    Ok(writeln!(std::io::stderr().lock(), "planroom: {text}")?)
}

/// Prints to standard output. A closed pipe, as with `head`, is not an error.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}
