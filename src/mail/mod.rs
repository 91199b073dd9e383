//! Sends emails through an SMTP server. It blocks, so it runs on a thread pool of its own.

mod error;

use std::{fs, io, path::PathBuf, time::Duration};

use lettre::{
    Address, Message, SmtpTransport, Transport,
    message::{
        Mailbox, MultiPart,
        header::{HeaderName, HeaderValue},
    },
    transport::smtp::{
        authentication::Credentials,
        client::{Certificate, CertificateStore, Tls, TlsParameters},
        extension::ClientId,
    },
};
use serde::{Deserialize, Serialize};

pub use self::error::{SendError, SendProblem};
use crate::secret::Secret;

/// How to reach the mail server, and as whom to send.
#[derive(Debug, Clone)]
pub struct MailOptions {
    /// Host name or IP address.
    pub host: String,
    /// Port.
    pub port: u16,
    /// Encryption.
    pub encryption: Encryption,
    /// User name and password; none: no authentication.
    pub credentials: Option<(String, Secret)>,
    /// Sender: an address, optionally with a name.
    pub from: String,
    /// PEM file with CA certificates; none: Mozilla's list.
    pub ca_file: Option<PathBuf>,
    /// Maximum time to wait for a response.
    pub timeout: Duration,
    /// Name of this host in the greeting.
    pub own_host: String,
}

/// How connections are encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encryption {
    /// STARTTLS, which is required.
    StartTls,
    /// TLS from the beginning.
    Implicit,
    /// None.
    Off,
}

/// An email to one recipient.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Letter {
    /// Address of the recipient.
    pub to: String,
    /// Subject.
    pub subject: String,
    /// Plain text.
    pub text: String,
    /// The same as HTML.
    pub html: String,
    /// Local part of the message ID. A letter that is sent again has the same one, so that mail servers can recognize it.
    pub id: String,
    /// URL that ends such emails with one request (RFC 8058).
    #[serde(default)]
    pub unsubscribe: Option<String>,
}

/// The client of the mail server.
#[derive(Debug)]
pub struct Mailer {
    transport: SmtpTransport,
    from: Mailbox,
    timeout: Duration,
}

impl Mailer {
    /// Prepares the client; does not connect. Fails if the CA certificates cannot be read.
    pub fn new(options: &MailOptions) -> io::Result<Self> {
        let invalid = |error: &dyn std::error::Error| io::Error::new(io::ErrorKind::InvalidData, error.to_string());
        let from = options.from.parse().map_err(|error| invalid(&error))?;
        let tls = match options.encryption {
            Encryption::Off => Tls::None,
            Encryption::StartTls => Tls::Required(tls_parameters(options)?),
            Encryption::Implicit => Tls::Wrapper(tls_parameters(options)?),
        };
        let mut transport = SmtpTransport::builder_dangerous(&options.host)
            .port(options.port)
            .tls(tls)
            .timeout(Some(options.timeout))
            .hello_name(ClientId::Domain(options.own_host.clone()));
        if let Some((user, password)) = &options.credentials {
            transport = transport.credentials(Credentials::new(user.clone(), password.reveal().to_owned()));
        }
        Ok(Self { transport: transport.build(), from, timeout: options.timeout })
    }

    /// Sends a letter over a new connection.
    pub fn send(&self, letter: &Letter) -> Result<(), SendError> {
        let to: Address = letter.to.parse().map_err(|error| SendError::invalid(&error))?;
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, to))
            .subject(&letter.subject)
            .message_id(Some(format!("<{}@{}>", letter.id, self.from.email.domain())))
            .multipart(MultiPart::alternative_plain_html(letter.text.clone(), letter.html.clone()))
            .map_err(|error| SendError::invalid(&error))?;
        let mut add = |name: &'static str, value: String| {
            message.headers_mut().insert_raw(HeaderValue::new(HeaderName::new_from_ascii_str(name), value));
        };
        // Prevents automatic replies (RFC 3834).
        add("Auto-Submitted", "auto-generated".into());
        if let Some(url) = &letter.unsubscribe {
            add("List-Unsubscribe", format!("<{url}>"));
            add("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".into());
        }
        self.transport.send(&message).map(drop).map_err(|error| SendError::of(&error, self.timeout))
    }
}

fn tls_parameters(options: &MailOptions) -> io::Result<TlsParameters> {
    let mut builder = TlsParameters::builder(options.host.clone());
    if let Some(path) = &options.ca_file {
        let named = |error: &dyn std::error::Error| {
            io::Error::new(io::ErrorKind::InvalidData, format!("mail.ca_file {}: {error}", path.display()))
        };
        let pem = fs::read(path).map_err(|error| named(&error))?;
        let certificate = Certificate::from_pem(&pem).map_err(|error| named(&error))?;
        builder = builder.certificate_store(CertificateStore::None).add_root_certificate(certificate);
    }
    builder.build_rustls().map_err(io::Error::other)
}
