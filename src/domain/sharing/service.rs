//! Answers requests for share links, within limits that protect the users who signed in.

use std::{net::IpAddr, sync::Arc};

use bytes::Bytes;
use drawing::{Options, Theme};
use serde_json::json;

use super::{
    admission::{Admission, ContentTurn, Slot},
    model::{SharePreview, ShareTheme},
    opening::{OpenShare, SharePage, UnlockProof},
    store::links::StoredLink,
    uses::ShareUses,
};
use crate::{
    auth::{
        passwords,
        throttle::{AttemptKind, LimitKey, Throttle},
    },
    blocking::BlockingPool,
    domain::{
        core::{Call, Gate, Reads, SharedTx, WholeMap, access::SharedLink},
        map::drawing::{Format, MapImages},
    },
    encoding,
    error::Result,
    images::ImageResponse,
    schedule::{self, QueueKey},
};

/// Maximum length of a password that is verified, in bytes.
const MAX_PASSWORD_BYTES: usize = 1_024;

/// An image of a share link.
#[derive(Debug, Clone)]
pub struct SharedImage {
    /// Colors; none for those of the link.
    pub theme: Option<Theme>,
    /// Message of the process to emphasize, counted from 1. Ignored unless the link shows a process.
    pub step: Option<usize>,
    /// Whether components and relationships have their keys, in an SVG.
    pub ids: bool,
    /// Whether to draw a legend of the types.
    pub legend: bool,
    /// Whether the image has the aspect ratio of a link preview.
    pub is_card: bool,
    /// The format.
    pub format: Format,
}

impl SharedImage {
    /// The image as the link allows it. Equal images are drawn once.
    fn of(&self, link: &StoredLink) -> Self {
        let own = if link.options.theme == ShareTheme::Dark { Theme::Dark } else { Theme::Light };
        Self {
            theme: Some(self.theme.unwrap_or(own)),
            step: self.step.filter(|_| link.target.process_id.is_some()),
            ids: self.ids && self.format == Format::Svg,
            ..self.clone()
        }
    }

    fn options(&self) -> Options {
        let theme = self.theme.unwrap_or_default();
        Options { theme, legend: self.legend, ids: self.ids, is_card: self.is_card, ..Options::default() }
    }
}

/// A request for a share link.
#[derive(Debug, Clone)]
pub struct ShareRequest {
    /// The request, without a credential.
    pub call: Call<SharedLink>,
    /// The part of the address that names and proves the link.
    pub token: String,
    /// Proof that the client has given the password.
    pub proof: Option<UnlockProof>,
    /// Entity tags that the client has.
    pub known: Vec<String>,
    /// Whether the client accepts gzip.
    pub accepts_gzip: bool,
    /// Address of the client.
    pub address: IpAddr,
    /// Whether the request counts as a use of the link: not if a page of the link sent it.
    pub is_use: bool,
}

/// The answer to a request for content of a share link.
#[derive(Debug)]
pub struct SharedContent {
    /// The content, unless the client has it.
    pub response: ImageResponse,
    /// Whether only this client may see it, because it has given a password.
    pub is_private: bool,
    /// Identifies the state that the content shows: equal for the image and the model of one state.
    pub state: String,
}

/// Answers requests for share links. Clones share the counts and limits.
#[derive(Debug, Clone)]
pub struct Shares {
    gate: Gate,
    images: MapImages,
    passwords: BlockingPool,
    throttle: Arc<Throttle>,
    uses: Arc<ShareUses>,
    admission: Admission,
}

impl Shares {
    /// Creates the service.
    pub fn new(gate: Gate, images: MapImages, passwords: BlockingPool, throttle: Arc<Throttle>) -> Self {
        Self { gate, images, passwords, throttle, uses: Arc::default(), admission: Admission::new() }
    }

    /// The counts of uses that are not in the database yet.
    pub fn uses(&self) -> &ShareUses {
        &self.uses
    }

    /// Reads what the page of a link needs.
    pub async fn page(&self, request: ShareRequest) -> Result<SharePage> {
        let ShareRequest { call, token, proof, is_use, .. } = request;
        let read = move |tx: &SharedTx<'_>| OpenShare::open(tx, proof.as_ref())?.page();
        let page = self.gate.read(call, token, read).await?;
        self.count(is_use && page.title.is_some(), &page.link_id);
        Ok(page)
    }

    /// Reads or draws an image of a link.
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::error::Error::Invalid) if the map is too large to be drawn.
    pub async fn image(&self, request: ShareRequest, image: SharedImage) -> Result<SharedContent> {
        let wanted = {
            let image = image.clone();
            move |link: &StoredLink| format!("{:?}", image.of(link))
        };
        let media_type = image.format.media_type();
        let state = match self.state(&request, media_type, wanted.clone()).await? {
            Quick::Answered(content) => return Ok(content),
            Quick::Missing(state) => state,
        };
        let (bytes, state) = match self.cached_or_turn(&state).await? {
            Found::Cached(bytes) => (bytes, state),
            Found::Turn(turn) => {
                // There are only a few images without a step, and each is drawn once for a state of the map.
                let counted = image.step.map(|_| LimitKey::share_link(&state.link_id));
                let _slot = self.admit(&turn, &state.link_id, request.address, counted).await?;
                let (proof, format) = (request.proof.clone(), image.format);
                // Kept until the image is drawn.
                let whole = self.whole_map(&request, Some(format)).await?;
                let read_for = whole.clone();
                let read = move |tx: &SharedTx<'_>| {
                    let share = OpenShare::open(tx, proof.as_ref())?;
                    let image = image.of(&share.link);
                    let state = State::of(&share, &wanted(&share.link))?;
                    Ok((state, share.drawn(image.step, &read_for)?, image.options()))
                };
                let (state, model, options) =
                    self.gate.read(request.call.clone().large(), request.token.clone(), read).await?;
                let drawing = self.images.draw(state.tag.clone(), model.into_map(), options, format);
                // All readers of all links share one place in the queue for drawings, so that others always have a thread.
                let bytes = schedule::scope(QueueKey::Readers, drawing).await?;
                drop(whole);
                (bytes, state)
            }
        };
        self.content(&request, state, media_type, &bytes).await
    }

    /// Reads what a link shows as JSON.
    pub async fn model(&self, request: ShareRequest) -> Result<SharedContent> {
        const WANTED: &str = "model";
        const MEDIA_TYPE: &str = "application/json";
        let state = match self.state(&request, MEDIA_TYPE, |_| WANTED.to_owned()).await? {
            Quick::Answered(content) => return Ok(content),
            Quick::Missing(state) => state,
        };
        let (bytes, state) = match self.cached_or_turn(&state).await? {
            Found::Cached(bytes) => (bytes, state),
            Found::Turn(turn) => {
                let _slot = self.admit(&turn, &state.link_id, request.address, None).await?;
                let proof = request.proof.clone();
                let whole = self.whole_map(&request, None).await?;
                let read = move |tx: &SharedTx<'_>| {
                    let share = OpenShare::open(tx, proof.as_ref())?;
                    Ok((State::of(&share, WANTED)?, share.model(&whole)?.to_json()?))
                };
                let (state, bytes) = self.gate.read(request.call.clone().large(), request.token.clone(), read).await?;
                let bytes = Bytes::from(bytes);
                self.images.keep(state.tag.clone(), bytes.clone());
                (bytes, state)
            }
        };
        self.content(&request, state, MEDIA_TYPE, &bytes).await
    }

    /// Verifies the password of a link. Returns the proof for a cookie; none if the password is wrong or the link has
    /// none.
    pub async fn unlock(&self, request: ShareRequest, password: String) -> Result<Option<UnlockProof>> {
        let ShareRequest { call, token, address, proof, .. } = request;
        let read = move |tx: &SharedTx<'_>| {
            let share = OpenShare::open(tx, proof.as_ref())?;
            Ok((share.link.id.clone(), share.link.password_hash.clone(), share.recognized))
        };
        let (id, hash, recognized) = self.gate.read(call.clone(), token.clone(), read).await?;
        if hash.is_none() {
            return Ok(None);
        }
        let keys = match recognized {
            Some(expires_at) => [LimitKey::device_address(address), LimitKey::share_link_device(&id, expires_at)],
            None => [LimitKey::address(address), LimitKey::share_link(&id)],
        };
        let attempt = self.throttle.attempt(AttemptKind::ShareUnlock, keys)?;
        let verified = hash.clone();
        let is_right = password.len() <= MAX_PASSWORD_BYTES
            && self.passwords.run(move || Ok(passwords::verify(&password, verified.as_deref()))).await?;
        if !is_right {
            let refuse = move |tx: &mut SharedTx<'_>| {
                let core = tx.view().core();
                let details = json!({ "shareId": tx.link_id(), "workspacePk": tx.view().workspace().pk });
                let organization_id = tx.view().workspace().org_id.as_deref();
                core.audit_repeated("share.unlock_failed", tx.link_id(), organization_id, &details)
            };
            self.gate.write_unstored(call, token, refuse).await?;
            return Ok(None);
        }
        attempt.succeeded();
        let prove = move |tx: &SharedTx<'_>| {
            let share = OpenShare::open(tx, None)?;
            // The password may have changed since it was verified.
            Ok(share.proof().filter(|_| share.link.password_hash == hash))
        };
        self.gate.read(call, token, prove).await
    }

    /// Answers a request if the client has the current state.
    async fn state(
        &self,
        request: &ShareRequest,
        media_type: &str,
        wanted: impl Fn(&StoredLink) -> String + Send + 'static,
    ) -> Result<Quick> {
        let proof = request.proof.clone();
        let read = move |tx: &SharedTx<'_>| {
            let share = OpenShare::open(tx, proof.as_ref())?;
            share.expect_unlocked()?;
            State::of(&share, &wanted(&share.link))
        };
        let state = self.gate.read(request.call.clone(), request.token.clone(), read).await?;
        self.count(request.is_use, &state.link_id);
        if request.known.iter().any(|known| *known == state.tag || known == "*") {
            let tag = encoding::tag_of(&state.tag, request.accepts_gzip && encoding::is_compressible(media_type));
            let response = ImageResponse::Unchanged(tag);
            let content = SharedContent { response, is_private: state.is_private, state: state.shown };
            return Ok(Quick::Answered(content));
        }
        Ok(Quick::Missing(state))
    }

    /// Content from the cache, where another request may have put it while this one waited, or the turn to make it.
    async fn cached_or_turn(&self, state: &State) -> Result<Found> {
        if let Some(bytes) = self.images.cached(&state.tag) {
            return Ok(Found::Cached(bytes));
        }
        let turn = self.admission.turn(&state.tag).await?;
        Ok(self.images.cached(&state.tag).map_or_else(|| Found::Turn(turn), Found::Cached))
    }

    /// Admits a request that reads or draws a map. It counts for its address and for `link`.
    async fn admit(&self, turn: &ContentTurn, link_id: &str, address: IpAddr, link: Option<LimitKey>) -> Result<Slot> {
        let keys = [LimitKey::address(address)].into_iter().chain(link);
        let attempt = self.throttle.attempt(AttemptKind::SharedDrawing, keys)?;
        let slot = turn.slot(link_id, address).await;
        if slot.is_err() {
            attempt.withdraw();
        }
        // Otherwise the attempt stays counted: this limits work, not failures.
        slot
    }

    /// Waits for the memory for an image in a format, or for the JSON.
    async fn whole_map(&self, request: &ShareRequest, format: Option<Format>) -> Result<WholeMap> {
        let proof = request.proof.clone();
        let weigh = move |tx: &SharedTx<'_>| OpenShare::open(tx, proof.as_ref())?.weigh(format);
        self.gate.whole_map(&request.call.clone().large(), request.token.clone(), weigh).await
    }

    async fn content(
        &self,
        request: &ShareRequest,
        state: State,
        media_type: &str,
        bytes: &Bytes,
    ) -> Result<SharedContent> {
        let State { tag, is_private, shown, .. } = state;
        let image = ImageResponse::image(tag, media_type, bytes.to_vec());
        let response = if request.accepts_gzip { self.images.compressed(&self.gate, image).await? } else { image };
        Ok(SharedContent { response, is_private, state: shown })
    }

    fn count(&self, is_use: bool, link_id: &str) {
        if is_use && !self.gate.is_standby() {
            self.uses.add(link_id, self.gate.now());
        }
    }
}

impl SharePage {
    /// Whether other sites may show the name before the link is opened.
    pub fn shows_title(&self) -> bool {
        !self.has_password && self.preview != SharePreview::Nothing
    }

    /// Whether other sites may show an image before the link is opened.
    pub fn shows_picture(&self) -> bool {
        !self.has_password && self.preview == SharePreview::Picture && !self.is_too_large
    }
}

/// The state of what a link shows.
struct State {
    link_id: String,
    tag: String,
    /// The same for all ways to show it.
    shown: String,
    is_private: bool,
}

impl State {
    fn of(share: &OpenShare<'_, '_>, wanted: &str) -> Result<Self> {
        Ok(Self {
            link_id: share.link.id.clone(),
            tag: share.tag(wanted)?,
            shown: share.tag("")?,
            is_private: share.link.password_hash.is_some(),
        })
    }
}

/// Content in the cache, or the turn to make it.
enum Found {
    Cached(Bytes),
    Turn(ContentTurn),
}

/// The answer of the first transaction of a request.
enum Quick {
    /// The client has the current state.
    Answered(SharedContent),
    /// The content must be read.
    Missing(State),
}
