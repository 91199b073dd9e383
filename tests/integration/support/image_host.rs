//! A host of images on this machine with configurable responses. It counts requests.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};

/// The response at a URL.
#[derive(Debug, Clone)]
pub enum HostBehavior {
    /// 200 with the type `image/png`, whatever the bytes are.
    Bytes(Vec<u8>),
    /// This status without a body.
    Status(u16),
    /// A redirect.
    Elsewhere(String),
    /// Endless zeros.
    Endless,
    /// No response.
    Silence,
}

type Hosted = Arc<Mutex<HashMap<String, (HostBehavior, usize)>>>;

/// The host.
#[derive(Debug, Clone)]
pub struct FakeImageHost {
    address: SocketAddr,
    hosted: Hosted,
}

impl FakeImageHost {
    /// Starts a host that serves until the test ends. Every URL is 404.
    pub async fn start() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (address, hosted) = (listener.local_addr().unwrap(), Hosted::default());
        let router = Router::new().fallback(answer).with_state(Arc::clone(&hosted));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, hosted }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The URL of this name.
    pub fn at(&self, name: &str) -> String {
        format!("{}/{name}", self.url())
    }

    /// Sets the response for a name. Returns its URL.
    pub fn respond_with(&self, name: &str, said: HostBehavior) -> String {
        self.hosted.lock().unwrap().entry(format!("/{name}")).or_insert((HostBehavior::Status(404), 0)).0 = said;
        self.at(name)
    }

    /// How often this name was requested.
    pub fn request_count(&self, name: &str) -> usize {
        self.hosted.lock().unwrap().get(&format!("/{name}")).map_or(0, |(_, count)| *count)
    }
}

async fn answer(State(hosted): State<Hosted>, request: Request) -> Response {
    let said = {
        let mut hosted = hosted.lock().unwrap();
        let (said, count) = hosted.entry(request.uri().path().to_owned()).or_insert((HostBehavior::Status(404), 0));
        *count += 1;
        said.clone()
    };
    match said {
        HostBehavior::Bytes(bytes) => ([("content-type", "image/png")], bytes).into_response(),
        HostBehavior::Status(status) => StatusCode::from_u16(status).unwrap().into_response(),
        HostBehavior::Elsewhere(to) => (StatusCode::FOUND, [("location", to)]).into_response(),
        HostBehavior::Endless => {
            let zeros = futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![0; 1 << 16]));
            Body::from_stream(zeros).into_response()
        }
        // The client times out first.
        HostBehavior::Silence => std::future::pending().await,
    }
}

/// A PNG of one pixel.
pub const PNG: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\xdac\
                         \xfc\xcf\xc0P\x0f\0\x04\x85\x01\x80\x84\xa9\x8c!\0\0\0\0IEND\xaeB`\x82";

/// An animated GIF of two frames.
pub const GIF: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\xff\0\0\0\0\xff!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0!\xf9\x04\0\x32\0\0\0,\
                         \0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0!\xf9\x04\0\x32\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02L\x01\0;";

/// An SVG with one shape.
pub const SVG: &[u8] =
    b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><path d='M0 0h9v9z' fill='#c30'/></svg>";
