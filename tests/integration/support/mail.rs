//! A mail server that keeps the messages that it accepts.

use std::sync::{Arc, Mutex};

use planroom::config::{Config, MailTls};
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufStream},
    net::{TcpListener, TcpStream},
};
use tokio_rustls::TlsAcceptor;

use super::{TestServer, tls::Authority};

/// The only password that the server accepts.
pub const MAIL_PASSWORD: &str = "s3cret mail";

/// An accepted message.
#[derive(Debug, Clone)]
pub struct Mail {
    /// Address in the envelope.
    pub to: String,
    /// Headers and body, without the line breaks and the equals signs of the encoding.
    pub content: String,
}

impl Mail {
    /// The secret of the link to this path in the plain text.
    #[track_caller]
    pub fn secret(&self, path: &str) -> String {
        let link = format!("http://planroom.test{path}#");
        let (_, rest) = self.content.split_once(&link).unwrap_or_else(|| panic!("no {link} in {}", self.content));
        rest.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).collect()
    }
}

#[derive(Default)]
struct State {
    mails: Vec<Mail>,
    /// Response to recipients instead of 250.
    refusal: Option<&'static str>,
}

/// The mail server.
pub struct MailHost {
    pub port: u16,
    state: Arc<Mutex<State>>,
}

impl MailHost {
    /// A server without encryption.
    pub async fn start() -> Self {
        Self::run(None, MailTls::None).await
    }

    /// A server that requires TLS, with a certificate of this CA.
    pub async fn with_tls(authority: &Authority, tls: MailTls) -> Self {
        Self::run(Some(authority), tls).await
    }

    async fn run(authority: Option<&Authority>, tls: MailTls) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (port, state) = (listener.local_addr().unwrap().port(), Arc::<Mutex<State>>::default());
        let acceptor = authority.map(|authority| authority.acceptor(&listener));
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(connection(stream, acceptor.clone(), tls, Arc::clone(&shared)));
            }
        });
        Self { port, state }
    }

    /// Rejects recipients with this response, or accepts them again.
    pub fn refuse(&self, response: Option<&'static str>) {
        self.state.lock().unwrap().refusal = response;
    }

    /// Takes the accepted messages.
    pub fn take(&self) -> Vec<Mail> {
        std::mem::take(&mut self.state.lock().unwrap().mails)
    }

    /// Configures a server to send emails here.
    pub fn configure(&self, config: &mut Config) {
        config.mail.host = "127.0.0.1".into();
        config.mail.port = self.port;
        config.mail.tls = MailTls::None;
        config.mail.from = "Maps <maps@planroom.test>".into();
    }

    /// A server that sends emails here, with the organization `acme` and its administrator `ada`.
    pub async fn planroom(&self) -> TestServer {
        let server = TestServer::empty(|config| self.configure(config));
        server.seed_admin("ada", "acme").await;
        server
    }
}

async fn connection(stream: TcpStream, acceptor: Option<TlsAcceptor>, tls: MailTls, state: Arc<Mutex<State>>) {
    match (tls, acceptor) {
        (MailTls::Implicit, Some(acceptor)) => {
            if let Ok(stream) = acceptor.accept(stream).await {
                drop(session(BufStream::new(stream), &state, true, false).await);
            }
        }
        (MailTls::Starttls, Some(acceptor)) => {
            // The client waits after STARTTLS, so the buffer is empty then.
            let Ok(Some(stream)) = session(BufStream::new(stream), &state, true, true).await else { return };
            if let Ok(stream) = acceptor.accept(stream.into_inner()).await {
                drop(session(BufStream::new(stream), &state, false, false).await);
            }
        }
        _ => drop(session(BufStream::new(stream), &state, true, false).await),
    }
}

/// Talks to a client until it quits, or returns the stream when it asks for TLS.
async fn session<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: BufStream<S>,
    state: &Mutex<State>,
    greets: bool,
    offers_tls: bool,
) -> std::io::Result<Option<BufStream<S>>> {
    let (mut line, mut to) = (String::new(), String::new());
    let mut reply = greets.then(|| "220 mail.test".to_owned());
    loop {
        if let Some(reply) = reply.take() {
            stream.write_all(format!("{reply}\r\n").as_bytes()).await?;
            stream.flush().await?;
        }
        line.clear();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(None);
        }
        let command = line.trim_end();
        let verb = command.split([' ', ':']).next().unwrap_or_default().to_uppercase();
        reply = Some(match verb.as_str() {
            "EHLO" if offers_tls => "250-mail.test\r\n250 STARTTLS".into(),
            "EHLO" => "250-mail.test\r\n250 AUTH PLAIN".into(),
            "STARTTLS" => {
                stream.write_all(b"220 go ahead\r\n").await?;
                stream.flush().await?;
                return Ok(Some(stream));
            }
            _ if offers_tls => "530 5.7.0 Must issue a STARTTLS command first".into(),
            "AUTH" => {
                use base64::{Engine, engine::general_purpose::STANDARD};
                let given = command.rsplit(' ').next().unwrap_or_default();
                let given = String::from_utf8(STANDARD.decode(given).unwrap_or_default()).unwrap_or_default();
                if given.ends_with(&format!("\0{MAIL_PASSWORD}")) {
                    "235 2.7.0 Accepted".into()
                } else {
                    "535 5.7.8 Username and Password not accepted".into()
                }
            }
            "RCPT" => {
                to = command.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
                state.lock().unwrap().refusal.unwrap_or("250 ok").to_owned()
            }
            "DATA" => {
                stream.write_all(b"354 go ahead\r\n").await?;
                stream.flush().await?;
                let content = data(&mut stream).await?;
                state.lock().unwrap().mails.push(Mail { to: to.clone(), content });
                "250 queued".into()
            }
            "QUIT" => {
                stream.write_all(b"221 bye\r\n").await?;
                stream.flush().await?;
                return Ok(None);
            }
            _ => "250 ok".into(),
        });
    }
}

/// Reads a message up to the line with a dot.
async fn data<S: AsyncRead + AsyncWrite + Unpin>(stream: &mut BufStream<S>) -> std::io::Result<String> {
    let mut content = String::new();
    loop {
        let at = content.len();
        if stream.read_line(&mut content).await? == 0 || &content[at..] == ".\r\n" {
            content.truncate(at);
            return Ok(content.replace("=\r\n", "").replace("=3D", "=").replace("\r\n", "\n"));
        }
    }
}
