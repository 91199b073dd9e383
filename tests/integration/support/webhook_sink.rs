//! A receiver of webhooks on this machine with configurable responses. It keeps the requests.

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use planroom::config::Config;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::TestServer;

/// The response to a request.
#[derive(Debug, Clone, Copy)]
pub enum SinkBehavior {
    /// This status without a body.
    Status(u16),
    /// 200 with an endless body.
    Endless,
    /// A redirect to the path `/elsewhere`.
    Redirect,
    /// No response.
    Silence,
}

/// A received message.
#[derive(Debug, Clone)]
pub struct Received {
    pub path: String,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Received {
    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map(|value| value.to_str().unwrap()).unwrap_or_default()
    }

    /// The data of the event.
    pub fn data(&self) -> Value {
        self.json()["data"].clone()
    }

    /// Whether one of the signatures is that of this secret.
    pub fn is_signed_with(&self, secret: &str) -> bool {
        let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
        let head = format!("{}.{}.", self.header("webhook-id"), self.header("webhook-timestamp"));
        let expected = format!("v1,{}", STANDARD.encode(hmac_sha256(&key, &[head.as_bytes(), &self.body].concat())));
        self.header("webhook-signature").split(' ').any(|signature| signature == expected)
    }
}

/// HMAC by RFC 2104, independent of the library of the server.
pub fn hmac_sha256(key: &[u8], message: &[u8]) -> Vec<u8> {
    const BLOCK: usize = 64;
    let mut padded = [0; BLOCK];
    if key.len() > BLOCK {
        padded[..32].copy_from_slice(&Sha256::digest(key));
    } else {
        padded[..key.len()].copy_from_slice(key);
    }
    let hash = |pad: u8, rest: &[u8]| Sha256::digest([&padded.map(|byte| byte ^ pad)[..], rest].concat());
    hash(0x5c, &hash(0x36, message)).to_vec()
}

type Sunk = Arc<Mutex<(SinkBehavior, Vec<Received>)>>;

/// The receiver.
#[derive(Debug, Clone)]
pub struct WebhookSink {
    address: SocketAddr,
    state: Sunk,
}

impl WebhookSink {
    /// Starts a receiver that accepts everything until the test ends.
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state: Sunk = Arc::new(Mutex::new((SinkBehavior::Status(204), Vec::new())));
        let router = Router::new().fallback(answer).with_state(Arc::clone(&state));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, state }
    }

    /// The URL of this path.
    pub fn at(&self, path: &str) -> String {
        format!("http://{}/{path}", self.address)
    }

    /// Sets the response.
    pub fn respond_with(&self, behavior: SinkBehavior) {
        self.state.lock().unwrap().0 = behavior;
    }

    /// Takes the received messages.
    pub fn take(&self) -> Vec<Received> {
        std::mem::take(&mut self.state.lock().unwrap().1)
    }

    /// Takes the only message.
    #[track_caller]
    pub fn take_one(&self) -> Received {
        let mut messages = self.take();
        assert_eq!(messages.len(), 1, "{messages:?}");
        messages.remove(0)
    }

    /// Configures a server to send webhooks here.
    pub fn configure(&self, config: &mut Config) {
        config.outbound.webhook_urls = vec![format!("http://{}", self.address)];
        config.outbound.webhook_timeout_seconds = 1;
    }

    /// A server that can send webhooks here, with the organization `acme` and its administrator `ada`.
    pub async fn planroom(&self) -> TestServer {
        let server = TestServer::empty(|config| self.configure(config));
        server.seed_admin("ada", "acme").await;
        server
    }
}

async fn answer(State(state): State<Sunk>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, 1 << 20).await.unwrap().to_vec();
    let behavior = {
        let mut state = state.lock().unwrap();
        state.1.push(Received { path: parts.uri.path().to_owned(), headers: parts.headers, body });
        state.0
    };
    match behavior {
        SinkBehavior::Status(status) => StatusCode::from_u16(status).unwrap().into_response(),
        SinkBehavior::Redirect => (StatusCode::TEMPORARY_REDIRECT, [("location", "/elsewhere")]).into_response(),
        SinkBehavior::Endless => {
            let zeros = futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![0; 1 << 16]));
            Body::from_stream(zeros).into_response()
        }
        // The client times out first.
        SinkBehavior::Silence => std::future::pending().await,
    }
}
