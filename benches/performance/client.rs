//! A small HTTP client that takes little processor time, because it runs on the machine that is measured: connections are
//! tasks instead of threads, and bodies are read without being decompressed.

use std::{
    io::{Error, ErrorKind, Result},
    sync::Arc,
};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

/// A server and a credential for it.
#[derive(Clone)]
pub struct Address {
    /// Host and port.
    pub host: Arc<str>,
    pub token: Arc<str>,
}

/// A client with at most one connection.
pub struct Client {
    address: Address,
    content: Vec<u8>,
    connection: Option<BufReader<TcpStream>>,
}

/// A response.
pub struct Answer {
    pub status: u16,
    pub entity_tag: Option<String>,
}

impl Client {
    pub fn new(address: &Address) -> Self {
        Self { address: address.clone(), content: Vec::new(), connection: None }
    }

    /// The body of the first response. Later ones overwrite its beginning.
    pub fn content(&self) -> &[u8] {
        &self.content
    }

    /// Sends a request and reads the whole response. The server closes idle connections; then a new one is opened.
    pub async fn send(&mut self, method: &str, path: &str, headers: &str, body: &str) -> Result<Answer> {
        if let Some(connection) = self.connection.take() {
            match self.send_on(connection, method, path, headers, body).await {
                Err(error) if error.kind() != ErrorKind::InvalidData => {}
                answer => return answer,
            }
        }
        let connection = self.address.connect().await?;
        self.send_on(connection, method, path, headers, body).await
    }

    async fn send_on(
        &mut self,
        mut connection: BufReader<TcpStream>,
        method: &str,
        path: &str,
        headers: &str,
        body: &str,
    ) -> Result<Answer> {
        connection.write_all(self.address.head(method, path, headers, body).as_bytes()).await?;
        let (answer, length) = read_head(&mut connection).await?;
        match length {
            Length::Known(length) => self.read(&mut connection, length).await?,
            Length::Chunked => self.read_chunks(&mut connection).await?,
        }
        self.connection = Some(connection);
        Ok(answer)
    }

    async fn read(&mut self, connection: &mut BufReader<TcpStream>, length: usize) -> Result<()> {
        if self.content.len() < length {
            self.content.resize(length, 0);
        }
        connection.read_exact(&mut self.content[..length]).await.map(|_| ())
    }

    async fn read_chunks(&mut self, connection: &mut BufReader<TcpStream>) -> Result<()> {
        let mut line = String::new();
        loop {
            line.clear();
            connection.read_line(&mut line).await?;
            let length = usize::from_str_radix(line.trim_end(), 16).map_err(|_| invalid(&line))?;
            // Each chunk ends with a line break.
            self.read(connection, length + 2).await?;
            if length == 0 {
                return Ok(());
            }
        }
    }
}

impl Address {
    pub fn new(url: &str, token: &str) -> Self {
        Self { host: url.trim_start_matches("http://").into(), token: token.into() }
    }

    async fn connect(&self) -> Result<BufReader<TcpStream>> {
        let stream = TcpStream::connect(&*self.host).await?;
        stream.set_nodelay(true)?;
        Ok(BufReader::with_capacity(32 << 10, stream))
    }

    fn head(&self, method: &str, path: &str, headers: &str, body: &str) -> String {
        let (host, token, length) = (&self.host, &self.token, body.len());
        let content = if body.is_empty() {
            String::new()
        } else {
            format!("Content-Type: application/json\r\nContent-Length: {length}\r\n")
        };
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n{content}{headers}\r\n{body}"
        )
    }

    /// Opens a stream of events. Returns its status and the connection, from which the events can be read.
    pub async fn follow(&self, path: &str) -> Result<(u16, BufReader<TcpStream>)> {
        let mut connection = self.connect().await?;
        connection.write_all(self.head("GET", path, "", "").as_bytes()).await?;
        let (answer, _) = read_head(&mut connection).await?;
        Ok((answer.status, connection))
    }
}

/// The length of a body.
enum Length {
    Known(usize),
    Chunked,
}

fn invalid(line: &str) -> Error {
    Error::new(ErrorKind::InvalidData, line.to_owned())
}

/// Reads status and headers.
async fn read_head(connection: &mut BufReader<TcpStream>) -> Result<(Answer, Length)> {
    let mut line = String::new();
    if connection.read_line(&mut line).await? == 0 {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(|| invalid(&line))?;
    let (mut answer, mut length) = (Answer { status, entity_tag: None }, Length::Known(0));
    loop {
        line.clear();
        connection.read_line(&mut line).await?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "etag" => answer.entity_tag = Some(value.to_owned()),
            "transfer-encoding" => length = Length::Chunked,
            "content-length" => length = Length::Known(value.parse().map_err(|_| invalid(&line))?),
            _ => {}
        }
    }
    // A 304 has the length of the body that it does not send.
    Ok((answer, if status == 304 { Length::Known(0) } else { length }))
}
