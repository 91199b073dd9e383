//! Output of commands: text on standard output, warnings on standard error, and the error that ends a command.

use std::io::Write;

use serde_json::Value;

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

/// A text as one line. Names can come from a pull request or a modified backup, and must neither change what a terminal shows
/// nor be read as a command: GitHub's runner obeys `##[…]` anywhere in a line.
pub(super) fn one_line(text: &str) -> String {
    let spaced = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    spaced.filter(|c| !import::is_hidden(*c)).collect::<String>().replace("##[", "# #[")
}

/// Prints a warning, or the error that ends a command, to standard error.
pub fn warn(text: &str) -> Result<(), Failure> {
    Ok(writeln!(std::io::stderr().lock(), "planroom: {}", one_line(text))?)
}

/// Prints to standard output. A closed pipe, as with `head`, is not an error.
pub(super) fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(()),
    }
}

/// Prints indented JSON to standard output.
pub(super) fn print_json(value: &Value) -> Result<(), Failure> {
    print(&format!("{value:#}\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_line_without_hidden_characters_and_commands() {
        assert_eq!(one_line("a\r\n::error::b\u{2028}c"), "a  ::error::b c");
        assert_eq!(one_line("\u{1b}[31mred\u{202e} \u{9b}0m"), "[31mred 0m");
        assert_eq!(one_line("#\u{200b}#[add-mask]x ###[y"), "# #[add-mask]x ## #[y");
        assert_eq!(one_line("Ünïcödé 漢字 🚀"), "Ünïcödé 漢字 🚀");
    }
}
