//! Output of commands: text on standard output, warnings on standard error, and the error that ends a command.

use std::io::Write;

use crate::{config::ConfigError, db::OpenError, tls::CertificateError};

/// The error of a command, printed in one line.
pub type Failure = Box<dyn std::error::Error>;

/// The exit status of a command that has reported its result itself, instead of an error message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("exit status {0}")]
pub struct ExitStatus(pub u8);

/// Exit status for an invalid configuration (`EX_CONFIG` in sysexits.h). Starting again does not help, so the systemd unit
/// does not restart the server after it.
const INVALID_CONFIGURATION: u8 = 78;

/// The exit status for an error.
pub fn exit_status(error: &(dyn std::error::Error + 'static)) -> u8 {
    let names_unusable_file = matches!(error.downcast_ref(), Some(OpenError::Configuration(_)));
    let is_invalid = error.is::<ConfigError>() || error.is::<CertificateError>() || names_unusable_file;
    if is_invalid { INVALID_CONFIGURATION } else { 1 }
}

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
