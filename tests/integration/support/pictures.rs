//! A host of pictures on this machine, which says what it is told to, and counts who asks.

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

/// What is said at an address.
#[derive(Debug, Clone)]
pub enum Said {
    /// 200, called `image/png` whatever it is.
    Bytes(Vec<u8>),
    /// This status and no more.
    Status(u16),
    /// Go there.
    Elsewhere(String),
    /// Zeros without end.
    Endless,
    /// Nothing at all.
    Silence,
}

type Hosted = Arc<Mutex<HashMap<String, (Said, usize)>>>;

/// The host.
#[derive(Debug, Clone)]
pub struct PictureHost {
    address: SocketAddr,
    hosted: Hosted,
}

impl PictureHost {
    /// One that serves until the test is over. Nothing is on it: 404.
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

    /// The address of this name.
    pub fn at(&self, name: &str) -> String {
        format!("{}/{name}", self.url())
    }

    /// From now on this is said at this name. Answers with its address.
    pub fn says(&self, name: &str, said: Said) -> String {
        self.hosted.lock().unwrap().entry(format!("/{name}")).or_insert((Said::Status(404), 0)).0 = said;
        self.at(name)
    }

    /// How often this name was asked for.
    pub fn asked(&self, name: &str) -> usize {
        self.hosted.lock().unwrap().get(&format!("/{name}")).map_or(0, |(_, count)| *count)
    }
}

async fn answer(State(hosted): State<Hosted>, request: Request) -> Response {
    let said = {
        let mut hosted = hosted.lock().unwrap();
        let (said, count) = hosted.entry(request.uri().path().to_owned()).or_insert((Said::Status(404), 0));
        *count += 1;
        said.clone()
    };
    match said {
        Said::Bytes(bytes) => ([("content-type", "image/png")], bytes).into_response(),
        Said::Status(status) => StatusCode::from_u16(status).unwrap().into_response(),
        Said::Elsewhere(to) => (StatusCode::FOUND, [("location", to)]).into_response(),
        Said::Endless => {
            let zeros = futures_util::stream::repeat_with(|| Ok::<_, std::io::Error>(vec![0; 1 << 16]));
            Body::from_stream(zeros).into_response()
        }
        // Whoever asks gives up first.
        Said::Silence => std::future::pending().await,
    }
}

/// A PNG of one pixel.
pub const PNG: &[u8] =
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\xdac\
                         \xfc\xcf\xc0P\x0f\0\x04\x85\x01\x80\x84\xa9\x8c!\0\0\0\0IEND\xaeB`\x82";

/// A GIF of two pictures that change for ever.
pub const GIF: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\xff\0\0\0\0\xff!\xff\x0bNETSCAPE2.0\x03\x01\0\0\0!\xf9\x04\0\x32\0\0\0,\
                         \0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0!\xf9\x04\0\x32\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02L\x01\0;";

/// An SVG of a shape.
pub const SVG: &[u8] =
    b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><path d='M0 0h9v9z' fill='#c30'/></svg>";
