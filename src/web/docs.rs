//! The documentation: the Markdown files of the repository as HTML pages, without scripts. Works without other hosts.

mod render;

use std::{
    collections::BTreeMap,
    io::Write,
    sync::{Arc, OnceLock},
};

use axum::{
    Router,
    extract::{Path, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use flate2::{Compression, write::GzEncoder};
use rust_embed::Embed;
use sha2::{Digest, Sha256};

use self::render::{Source, page};
use super::client::{Client, content_type};
use crate::{base_path::BasePath, contracts, encoding::AcceptsGzip};

/// The screenshots in the documentation.
#[derive(Embed)]
#[folder = "docs/pictures"]
struct Pictures;

/// Content security policy: styles, images and fonts of this server.
const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";

/// A compressed copy of a file, made by the build script.
macro_rules! compressed {
    ($file:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $file, ".gz"))
    };
}

/// The name of a page, its file, and a compressed copy of the file.
macro_rules! pages {
    ($($name:literal $file:literal)+) => { &[$(($name, $file, compressed!($file))),+] };
}

/// The pages, in the order of the navigation. The first is at `/docs`, the others at `/docs/{name}`.
const PAGES: &[(&str, &str, &[u8])] = pages! {
    "" "README.md"
    "operations" "docs/operations.md"
    "installation" "docs/installation.md"
    "monitoring" "docs/monitoring.md"
    "capacity" "docs/capacity.md"
    "identity" "docs/identity.md"
    "email" "docs/email.md"
    "views" "docs/views.md"
    "notifications" "docs/notifications.md"
    "drafts" "docs/drafts.md"
    "comments" "docs/comments.md"
    "decisions" "docs/decisions.md"
    "importing" "docs/importing.md"
    "images" "docs/images.md"
    "exports" "docs/exports.md"
    "sharing" "docs/sharing.md"
    "webhooks" "docs/webhooks.md"
    "sync" "docs/sync.md"
    "assistants" "docs/assistants.md"
    "api" "docs/api.md"
    "development" "docs/development.md"
    "changelog" "CHANGELOG.md"
};
const DASHBOARD: &[u8] = compressed!("docs/grafana-dashboard.json");
const CONFIGURATION: &[u8] = compressed!("config.example.toml");
/// The colors and sizes of the web client, so that both look the same.
const TOKENS: &str = include_str!("../../assets/web/src/ui/tokens.css");
const STYLE: &str = include_str!("docs/style.css");
/// Fonts of the web client: family, weight, beginning of the file name.
const FONTS: &[(&str, &str, &str)] = &[
    ("Source Sans 3 Variable", "200 900", "assets/source-sans-3-latin-wght-normal"),
    ("Barlow Condensed", "500", "assets/barlow-condensed-latin-500-normal"),
    ("Barlow Condensed", "600", "assets/barlow-condensed-latin-600-normal"),
];

/// A file of the documentation.
struct Document {
    media_type: &'static str,
    tag: HeaderValue,
    plain: Vec<u8>,
    /// None if compression does not make it smaller.
    gzip: Option<Vec<u8>>,
}

impl Document {
    fn new(media_type: &'static str, plain: Vec<u8>) -> Self {
        let hash = Sha256::digest(&plain);
        let tag = hash.iter().take(16).fold(String::new(), |tag, byte| tag + &format!("{byte:02x}"));
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let packed = encoder.write_all(&plain).and_then(|()| encoder.finish()).ok();
        Self {
            media_type,
            tag: HeaderValue::try_from(format!("\"{tag}\"")).unwrap_or(HeaderValue::from_static("\"\"")),
            gzip: packed.filter(|packed| packed.len() < plain.len()),
            plain,
        }
    }
}

/// All documents, by path below `/docs/`. They are rendered on the first request.
#[derive(Clone)]
struct Documents {
    base: BasePath,
    rendered: Arc<OnceLock<BTreeMap<String, Document>>>,
}

impl Documents {
    fn get(&self, path: &str) -> Option<&Document> {
        self.rendered.get_or_init(|| render(&self.base)).get(path)
    }
}

/// The routes of the documentation, whose links have the prefix `base`.
pub(super) fn router(base: BasePath) -> Router {
    Router::new()
        .route("/docs", get(first))
        .route("/docs/", get(first))
        .route(
            "/docs/{*path}",
            get(|documents: State<Documents>, Path(path): Path<String>, headers: HeaderMap, gzip: AcceptsGzip| async move {
                respond(&documents, &path, &headers, gzip)
            }),
        )
        .with_state(Documents { base, rendered: Arc::default() })
}

async fn first(documents: State<Documents>, headers: HeaderMap, gzip: AcceptsGzip) -> Response {
    respond(&documents, "", &headers, gzip)
}

fn respond(documents: &Documents, path: &str, sent: &HeaderMap, AcceptsGzip(gzip): AcceptsGzip) -> Response {
    let Some(document) = documents.get(path) else { return StatusCode::NOT_FOUND.into_response() };
    let mut headers = HeaderMap::new();
    headers.insert(header::ETAG, document.tag.clone());
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    let known = sent.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let tag = document.tag.to_str().unwrap_or_default();
    if known.flat_map(|value| value.split(',')).any(|value| value.trim().trim_start_matches("W/") == tag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(document.media_type));
    match &document.gzip {
        Some(packed) if gzip => {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            (headers, packed.clone()).into_response()
        }
        _ => (headers, document.plain.clone()).into_response(),
    }
}

/// Renders all documents.
fn render(base: &BasePath) -> BTreeMap<String, Document> {
    let html = "text/html; charset=utf-8";
    let text = |compressed| contracts::text(compressed).unwrap_or_default();
    let sources: Vec<Source> =
        PAGES.iter().map(|&(name, file, compressed)| Source { name, file, text: text(compressed) }).collect();
    let mut all: BTreeMap<String, Document> = sources
        .iter()
        .map(|source| (source.name.to_owned(), Document::new(html, page(source, &sources, base).into_bytes())))
        .collect();
    let style = format!("{}{TOKENS}{STYLE}", font_faces(base));
    all.insert("style.css".into(), Document::new("text/css; charset=utf-8", style.into_bytes()));
    let configuration = Document::new("text/plain; charset=utf-8", text(CONFIGURATION).into());
    all.insert("config.example.toml".into(), configuration);
    all.insert("grafana-dashboard.json".into(), Document::new("application/json", text(DASHBOARD).into()));
    for name in Pictures::iter() {
        if let Some(file) = Pictures::get(&name) {
            all.insert(format!("pictures/{name}"), Document::new(content_type(&name), file.data.into_owned()));
        }
    }
    all
}

/// The fonts of the web client, whose file names contain a hash. Without the web client, other fonts are used.
fn font_faces(base: &BasePath) -> String {
    let face = |(family, weight, prefix): &(&str, &str, &str)| {
        let file = Client::iter().find(|file| file.starts_with(prefix) && file.ends_with(".woff2"))?;
        Some(format!(
            "@font-face {{ font-family: \"{family}\"; font-weight: {weight}; font-display: swap; \
             src: url({}) format(\"woff2\"); }}\n",
            base.join(&format!("/{file}"))
        ))
    };
    FONTS.iter().filter_map(face).collect()
}
