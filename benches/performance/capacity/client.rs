//! A small HTTP client whose connections are tasks instead of threads, because a thread for each simulated user would
//! take the processor time that is measured.

use std::{
    io::{Error, ErrorKind, Result},
    sync::Arc,
};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

/// A client with at most one connection.
#[derive(Clone)]
pub struct Address {
    /// Host and port.
    pub host: Arc<str>,
    pub token: Arc<str>,
}

pub struct Client {
    address: Address,
    connection: Option<BufReader<TcpStream>>,
}

/// A response.
pub struct Answer {
    pub status: u16,
    pub entity_tag: Option<String>,
}

impl Client {
    pub fn new(address: &Address) -> Self {
        Self { address: address.clone(), connection: None }
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
        let mut content = vec![0; length];
        connection.read_exact(&mut content).await?;
        self.connection = Some(connection);
        Ok(answer)
    }
}

impl Address {
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

/// Reads status and headers. Returns the length of the body too, which is 0 for streams.
async fn read_head(connection: &mut BufReader<TcpStream>) -> Result<(Answer, usize)> {
    let invalid = |line: &str| Error::new(ErrorKind::InvalidData, line.to_owned());
    let mut line = String::new();
    if connection.read_line(&mut line).await? == 0 {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    let status = line.split(' ').nth(1).and_then(|status| status.parse().ok()).ok_or_else(|| invalid(&line))?;
    let (mut answer, mut length) = (Answer { status, entity_tag: None }, 0);
    loop {
        line.clear();
        connection.read_line(&mut line).await?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "etag" => answer.entity_tag = Some(value.to_owned()),
            "content-length" => length = value.parse().map_err(|_| invalid(&line))?,
            _ => {}
        }
    }
    // A 304 has the length of the body that it does not send.
    Ok((answer, if status == 304 { 0 } else { length }))
}
