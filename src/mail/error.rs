//! Why an email could not be sent.

use std::{error::Error as StdError, fmt, io, time::Duration};

use lettre::transport::smtp;

/// Why an email could not be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SendError {
    /// Where sending failed.
    pub problem: SendProblem,
    /// The message of the mail server or of the system, in one line.
    pub cause: String,
}

/// Where sending failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SendProblem {
    /// The server could not be reached, or did not respond in time.
    Connection,
    /// The connection could not be encrypted.
    Encryption,
    /// The server rejected the user name or the password, or requires one.
    Authentication,
    /// The server rejected the sender, the recipient or the message, and will do so again.
    Rejected,
    /// The server rejected the message for now.
    Postponed,
    /// The address or the message is invalid.
    Invalid,
}

impl SendProblem {
    /// Whether sending the same message again is useless. A wrong configuration can be corrected in the meantime.
    pub fn is_permanent(self) -> bool {
        matches!(self, Self::Rejected | Self::Invalid)
    }

    /// What an operator can do about it.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::Connection => {
                "check mail.host, mail.port and the firewall; a port for implicit TLS (usually 465) does not respond to \
                 mail.tls = \"starttls\""
            }
            Self::Encryption => {
                "check that mail.tls fits the port (usually \"starttls\" on 587 and \"implicit\" on 465) and that \
                 mail.host is a name in the server's certificate; for a private CA, set mail.ca_file"
            }
            Self::Authentication => {
                "check mail.user and mail.password; some providers require a password that is created for one application"
            }
            Self::Rejected => {
                "check the address of the recipient, and that the server allows this user to send as mail.from"
            }
            Self::Postponed => "wait some minutes and try again; servers delay unknown senders or enforce rate limits",
            Self::Invalid => "check the address",
        }
    }
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.problem {
            SendProblem::Connection => "cannot reach the mail server",
            SendProblem::Encryption => "cannot encrypt the connection to the mail server",
            SendProblem::Authentication => "the mail server rejected the user name or password",
            SendProblem::Rejected => "the mail server rejected the message",
            SendProblem::Postponed => "the mail server does not accept the message now",
            SendProblem::Invalid => "the message is invalid",
        };
        write!(f, "{what}: {}", self.cause)
    }
}

impl StdError for SendError {}

impl SendError {
    /// For a client that panicked. The next attempts are delayed as if the server had rejected the message for now.
    pub fn crashed(error: &dyn StdError) -> Self {
        Self { problem: SendProblem::Postponed, cause: one_line(&error.to_string()) }
    }

    pub(super) fn invalid(error: &dyn StdError) -> Self {
        Self { problem: SendProblem::Invalid, cause: one_line(&error.to_string()) }
    }
}

impl SendError {
    /// Explains an error of the SMTP client, which waited this long for each response.
    pub(super) fn of(error: &smtp::Error, timeout: Duration) -> Self {
        let problem = match error.status().map(u16::from) {
            // RFC 4954: credentials are required, too weak, invalid, or need encryption.
            Some(530 | 534 | 535 | 538 | 454) => SendProblem::Authentication,
            Some(_) if error.is_permanent() => SendProblem::Rejected,
            Some(_) => SendProblem::Postponed,
            None if error.is_tls() || is_encryption(error) => SendProblem::Encryption,
            // Such as no authentication method that both sides support.
            None if error.is_client() => SendProblem::Authentication,
            None => SendProblem::Connection,
        };
        let cause = match error.source() {
            Some(source) if is_timeout(source) => format!("no response within {} s", timeout.as_secs()),
            Some(source) => source.to_string(),
            None => error.to_string(),
        };
        Self { problem, cause: one_line(&cause) }
    }
}

/// Whether TLS failed. The handshake happens while data is written, so its errors are inside I/O errors.
fn is_encryption(error: &smtp::Error) -> bool {
    let mut source = error.source();
    while let Some(error) = source {
        let inner = error.downcast_ref::<io::Error>().and_then(io::Error::get_ref);
        if error.is::<rustls::Error>() || inner.is_some_and(<dyn StdError + Send + Sync>::is::<rustls::Error>) {
            return true;
        }
        source = error.source();
    }
    error.is_client() && error.source().is_some_and(|source| source.to_string().contains("STARTTLS"))
}

/// Whether a socket did not respond in time. With a timeout of the socket, Linux reports that it would block.
fn is_timeout(source: &(dyn StdError + 'static)) -> bool {
    use io::ErrorKind::{TimedOut, WouldBlock};
    source.downcast_ref::<io::Error>().is_some_and(|error| matches!(error.kind(), TimedOut | WouldBlock))
}

/// Maximum length of a cause, in characters. Servers choose the text.
const MAX_CAUSE_CHARS: usize = 300;

fn one_line(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ").chars().take(MAX_CAUSE_CHARS).collect()
}
