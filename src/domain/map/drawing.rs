//! Images of maps: reads the data, and draws the images on threads of their own.
//!
//! [`map::read`] converts rows to a [`drawing::map::Map`], which has no personal data. [`MapImages`]
//! draws it, unless the image is known to the caller or in the cache.

mod format;
pub mod map;
mod part;
mod process;
mod query;
mod request;
mod rows;
mod view_rows;
mod weight;

use std::{
    io::Write,
    path::PathBuf,
    sync::{Arc, OnceLock},
    thread::JoinHandle,
    time::Duration,
};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use bytes::Bytes;
use drawing::{Cancellation, Detail, Fonts, Options};
use flate2::{Compression, write::GzEncoder};
use quick_cache::{
    DefaultHashBuilder, OptionsBuilder, Weighter,
    sync::{Cache, DefaultLifecycle},
};
use sha2::{Digest, Sha256};

use self::weight::refused;
pub use self::{
    format::Format,
    map::{Content, DrawnView, Part},
    part::{ImageDetail, ImageDirection, ImageTheme},
    query::ImageQuery,
    request::PartRequest,
    rows::Descriptions,
    weight::{weigh, weigh_whole},
};
use super::bundle::is_known;
use crate::{
    blocking::{BlockingPool, PoolMeter},
    cancel::Cancel,
    domain::core::{Call, Gate, Reads, ViewTx, WholeMap, access::Viewer},
    encoding,
    error::{Error, Problem, Remedy, Result},
    images::ImageResponse,
    schedule::{self, QueueKey, QueueLimits},
};

/// Memory for images that were drawn before, in bytes.
const CACHE_BYTES: u64 = 32 << 20;
/// Widths of PNG images, in pixels. A fixed list, so that few images are drawn again for another width.
pub const PNG_WIDTHS: [u32; 4] = [600, 1_200, 1_568, 2_400];
/// Number of threads. A user has at most one of them, and so do all readers of share links together.
const THREADS: usize = 2;
/// Maximum number of images that wait to be drawn. Further ones are rejected with [`Error::Busy`].
const MAX_WAITING: usize = 16;
/// Maximum number of waiting images of one user, or of all readers of share links. Further images are rejected with
/// [`Error::TooManyRequests`].
const MAX_WAITING_PER_KEY: usize = MAX_WAITING / 4;

/// Number of bytes to compress between two checks for cancellation.
const GZIP_CHUNK: usize = 1 << 18;

/// An image to draw.
#[derive(Debug, Clone, PartialEq)]
pub struct ImageRequest {
    /// What is drawn.
    pub content: Content,
    /// How it is drawn.
    pub options: Options,
    /// The format.
    pub format: Format,
}

impl ImageRequest {
    /// The image of a view or the map. `now` is in milliseconds since 1970. `ids` adds the ids of rows to an SVG.
    ///
    /// # Errors
    /// If parameters contradict each other or are out of range.
    pub fn new(query: &ImageQuery, view: Option<DrawnView>, format: Format, ids: bool, now: i64) -> Result<Self> {
        if query.at.is_some() {
            let text = "must not be given: images show the current state";
            return Err(Error::invalid("at", Problem::Solvable(text.into(), Remedy::ReadEarlierState)));
        }
        match format {
            Format::Png(Some(width)) if !PNG_WIDTHS.contains(&width) => {
                Err(Error::invalid("width", "must be 600, 1200, 1568 or 2400 pixels"))
            }
            _ => Ok(Self { content: Content { view, part: query.part()? }, options: query.options(ids, now), format }),
        }
    }

    /// The entity tag, without quotes: it depends on the state of the workspace and its directory, on the drawing, and on the
    /// request.
    fn tag(&self, tx: &ViewTx<'_>) -> String {
        let (workspace, incarnation) = (tx.workspace(), tx.core().incarnation());
        let hash = Sha256::digest(format!("{self:?}"));
        format!(
            "{}-{}-{}-{}-image{}-{}",
            incarnation.short(),
            workspace.pk,
            workspace.metadata.revision,
            tx.directory_revision(),
            drawing::VERSION,
            URL_SAFE_NO_PAD.encode(&hash[..12])
        )
    }
}

/// The size of an image in the cache.
#[derive(Debug, Clone)]
struct Size;

impl Weighter<String, Bytes> for Size {
    fn weight(&self, tag: &String, image: &Bytes) -> u64 {
        (tag.len() + image.len()) as u64 + 200
    }
}

/// Draws images. Clones share the threads, the cache and the fonts.
#[derive(Debug, Clone)]
pub struct MapImages {
    pool: BlockingPool,
    cache: Arc<Cache<String, Bytes, Size>>,
    fonts: Arc<LazyFonts>,
    request_time: Duration,
}

/// Fonts that are loaded when the first image needs them.
#[derive(Debug)]
struct LazyFonts {
    directories: Vec<PathBuf>,
    loaded: OnceLock<Fonts>,
}

impl MapImages {
    /// Starts the threads. `fonts` are directories with the fonts of the machine. Drawings for requests end after
    /// `request_time`. Join the handle after the last clone is dropped.
    ///
    /// # Panics
    /// Never: all required options of the cache are set.
    pub fn start(fonts: Vec<PathBuf>, request_time: Duration) -> std::io::Result<(Self, JoinHandle<()>)> {
        let limits = QueueLimits { waiting: MAX_WAITING, waiting_per_key: MAX_WAITING_PER_KEY, running_per_key: 1 };
        let (pool, thread) = BlockingPool::start_limited("drawing", THREADS, limits)?;
        let options =
            OptionsBuilder::new().shards(1).estimated_items_capacity(200).weight_capacity(CACHE_BYTES).build();
        let options = options.expect("all that the builder asks for is given");
        let cache = Cache::with_options(options, Size, DefaultHashBuilder::default(), DefaultLifecycle::default());
        let fonts = LazyFonts { directories: fonts, loaded: OnceLock::new() };
        Ok((Self { pool, cache: Arc::new(cache), fonts: Arc::new(fonts), request_time }, thread))
    }

    /// The load of the threads.
    pub fn meter(&self) -> PoolMeter {
        self.pool.meter()
    }

    /// Returns an image of the workspace `id`, unless `known`, the entity tags that the caller has, contains its tag.
    ///
    /// # Errors
    /// [`Error::Busy`] or [`Error::TooManyRequests`] if too many images wait to be drawn, [`Error::Invalid`] if there is too
    /// much to draw.
    pub async fn read(
        &self,
        gate: &Gate,
        call: Call<Viewer>,
        id: String,
        request: ImageRequest,
        known: Vec<String>,
    ) -> Result<ImageResponse> {
        let (wanted, cache) = (request.clone(), Arc::clone(&self.cache));
        let quick = gate
            .read(call.clone(), id.clone(), move |tx| {
                let tag = wanted.tag(tx);
                // The image and its tag are of the same state of the workspace.
                let found = if is_known(&known, &tag) { None } else { Some(cache.get(&tag)) };
                Ok((tag, found))
            })
            .await?;
        let media_type = request.format.media_type();
        match quick {
            (tag, None) => return Ok(ImageResponse::Unchanged(tag)),
            (tag, Some(Some(bytes))) => {
                return Ok(ImageResponse::image(tag, media_type, bytes.to_vec()));
            }
            (_, Some(None)) => {}
        }
        let wanted = request.clone();
        // Kept until the image is drawn.
        let whole = whole_map(gate, &call, &id, &request).await?;
        let read_for = whole.clone();
        let read = move |tx: &ViewTx<'_>| Ok((wanted.tag(tx), map::read(tx, &wanted.content, &read_for)?));
        let (tag, map) = gate.read(call.large(), id, read).await?;
        let bytes = self.draw(tag.clone(), map, request.options, request.format).await?;
        drop(whole);
        Ok(ImageResponse::image(tag, media_type, bytes.to_vec()))
    }

    /// Draws an image of the workspace `id` with as many details as fit in `max_bytes`. None if it is too large without any.
    ///
    /// # Errors
    /// Like [`MapImages::read`].
    pub async fn read_fitting(
        &self,
        gate: &Gate,
        call: Call<Viewer>,
        id: String,
        request: ImageRequest,
        max_bytes: usize,
    ) -> Result<Option<(Detail, Bytes)>> {
        let wanted = request.clone();
        // Kept until the images are drawn.
        let whole = whole_map(gate, &call, &id, &request).await?;
        let read_for = whole.clone();
        let read = move |tx: &ViewTx<'_>| {
            let with = |detail| {
                let options = Options { detail: Some(detail), ..wanted.options.clone() };
                (detail, ImageRequest { options, ..wanted.clone() }.tag(tx))
            };
            let tags = [Detail::Full, Detail::Overview, Detail::Thumbnail].map(with);
            Ok((tags, Arc::new(map::read(tx, &wanted.content, &read_for)?)))
        };
        let (tags, map) = gate.read(call.large(), id, read).await?;
        let most = request.options.detail_of(&map);
        let mut refusal = None;
        for (detail, tag) in tags.into_iter().skip_while(|(detail, _)| *detail != most) {
            let options = Options { detail: Some(detail), ..request.options.clone() };
            match self.draw(tag, Arc::clone(&map), options, request.format).await {
                Ok(bytes) if bytes.len() <= max_bytes => return Ok(Some((detail, bytes))),
                Ok(_) => refusal = None,
                // With less detail, it may not be too large.
                Err(error @ Error::Invalid { .. }) => refusal = Some(error),
                Err(error) => return Err(error),
            }
        }
        drop(whole);
        refusal.map_or(Ok(None), Err)
    }

    /// The image that was kept as `tag`, if it is still in the cache.
    pub fn cached(&self, tag: &str) -> Option<Bytes> {
        self.cache.get(tag)
    }

    /// Keeps content as `tag`, which must identify it.
    pub fn keep(&self, tag: String, content: Bytes) {
        self.cache.insert(tag, content);
    }

    /// Compresses content of a compressible type, for a client that accepts gzip. The tag then names the encoding.
    pub async fn compressed(&self, gate: &Gate, response: ImageResponse) -> Result<ImageResponse> {
        match response {
            ImageResponse::Unchanged(tag) => Ok(ImageResponse::Unchanged(encoding::tag_of(&tag, true))),
            ImageResponse::Image { tag, media_type, bytes, .. } if encoding::is_compressible(&media_type) => {
                let tag = encoding::tag_of(&tag, true);
                let packed = match self.cache.get(&tag) {
                    Some(packed) => packed,
                    None => {
                        let (cache, key) = (Arc::clone(&self.cache), tag.clone());
                        let (_, cancel) = self.requester();
                        let _guard = cancel.on_drop();
                        let pack = move || {
                            // Another request may have compressed it while this one waited.
                            if let Some(packed) = cache.get(&key) {
                                return Ok(packed);
                            }
                            let packed = Bytes::from(gzip(&bytes, &cancel)?);
                            cache.insert(key, packed.clone());
                            Ok(packed)
                        };
                        gate.heavy_work(pack).await?
                    }
                };
                Ok(ImageResponse::Image { tag, media_type, bytes: packed.to_vec(), is_gzip: true })
            }
            image @ ImageResponse::Image { .. } => Ok(image),
        }
    }

    /// The queue of the current request, and its cancellation at its deadline or when its future is dropped.
    fn requester(&self) -> (QueueKey, Cancel) {
        let key = schedule::current();
        let cancel = Cancel::after((key != QueueKey::System).then_some(self.request_time));
        (key, cancel)
    }

    /// Draws a map on one of the threads for images, and keeps the image as `tag`, which must identify the map and how it is
    /// drawn. The drawing ends when the request is canceled.
    ///
    /// # Errors
    /// Like [`MapImages::read`].
    pub async fn draw(
        &self,
        tag: String,
        map: impl Into<Arc<drawing::map::Map>>,
        options: Options,
        format: Format,
    ) -> Result<Bytes> {
        let map = map.into();
        let (cache, fonts) = (Arc::clone(&self.cache), Arc::clone(&self.fonts));
        let (key, cancel) = self.requester();
        let draw = move |cancel: &Cancel| {
            // Another request may have drawn it while this one waited.
            if let Some(bytes) = cache.get(&tag) {
                return Ok(bytes);
            }
            let cancel = cancel.clone();
            let cancellation = Cancellation::new(move || cancel.is_cancelled());
            let fonts = || fonts.loaded.get_or_init(|| Fonts::load(&fonts.directories));
            let drawn = match format {
                Format::Svg => drawing::svg(&map, &options, &cancellation).map(String::into_bytes),
                Format::Png(width) => drawing::png(&map, &options, width, fonts(), &cancellation),
                Format::PngWithin(edge) => drawing::png_within(&map, &options, edge, fonts(), &cancellation),
                Format::Pdf => drawing::pdf(&map, &options, fonts(), &cancellation),
            };
            let bytes = Bytes::from(drawn.map_err(refused)?);
            cache.insert(tag, bytes.clone());
            Ok(bytes)
        };
        self.pool.run_for(key, cancel, draw).await
    }
}

/// Waits for the memory for an image.
async fn whole_map(gate: &Gate, call: &Call<Viewer>, id: &str, request: &ImageRequest) -> Result<WholeMap> {
    let ImageRequest { content, options, format } = request.clone();
    let weigh = move |tx: &ViewTx<'_>| weigh(tx, &content, options.detail, format);
    gate.whole_map(&call.clone().large(), id.to_owned(), weigh).await
}

fn gzip(bytes: &[u8], cancel: &Cancel) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    for chunk in bytes.chunks(GZIP_CHUNK) {
        cancel.check()?;
        encoder.write_all(chunk)?;
    }
    Ok(encoder.finish()?)
}
