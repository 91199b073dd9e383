//! Opening a share link: everything that decides whether its address works, besides the permission of its owner.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

use super::{
    links,
    model::{SharePreview, ShareScope, ShareState, ShareTheme, origins::EmbedOrigin},
    rules::{self, SharingMode, SharingRules},
    shared_model::{self, SharedModel},
    store::{self, links::StoredLink},
    targets,
};
use crate::{
    auth::keys::Keys,
    clock::{DAY, HOUR},
    domain::{
        core::{Reads, SharedTx, WholeMap},
        map::{
            drawing::{self as drawings, Descriptions, Format},
            tables::{self, Part},
        },
    },
    error::{Error, Result},
};

/// How long the password of a link need not be entered again, in milliseconds.
pub const UNLOCKED_FOR: i64 = 12 * HOUR;

/// How long a browser is recognized after [`UNLOCKED_FOR`], in milliseconds. Its attempts have a separate rate limit.
pub const RECOGNIZED_FOR: i64 = 90 * DAY;

const NOT_FOUND: Error = Error::NotFound("share link");

/// Proof that a client has given the password of a link: the value of a cookie.
#[derive(Debug, Clone)]
pub struct UnlockProof(pub String);

impl UnlockProof {
    /// When the proof expires, which can be in the past. `None` if it is not for this link and its current password.
    fn expires_at(&self, keys: &Keys, link: &StoredLink) -> Option<i64> {
        let (expires_at, code) = self.0.split_once('.')?;
        let expires_at = expires_at.parse().ok()?;
        let hash = link.password_hash.as_deref()?;
        keys.is_unlock_code(&link.id, link.generation, hash, expires_at, code).then_some(expires_at)
    }
}

/// An address that works.
pub(super) struct OpenShare<'t, 'c> {
    tx: &'t SharedTx<'c>,
    pub(super) link: StoredLink,
    rules: SharingRules,
    is_unlocked: bool,
    /// If the client has entered the current password before: when the proof of that expires, which can be in the past.
    pub(super) recognized: Option<i64>,
}

/// What the page of a link needs.
#[derive(Debug, Clone)]
pub struct SharePage {
    /// Id of the link.
    pub link_id: String,
    /// The name of what the link shows; none before the password is given.
    pub title: Option<String>,
    /// Whether the link needs a password.
    pub has_password: bool,
    /// What the link shows.
    pub scope: ShareScope,
    /// Colors.
    pub theme: ShareTheme,
    /// What other sites show of the link.
    pub preview: SharePreview,
    /// Origins whose pages may embed the link. Empty if the rules do not allow it.
    pub embed_origins: Vec<EmbedOrigin>,
    /// Whether the map has too many components to be drawn. Views and parts are not counted.
    pub is_too_large: bool,
}

impl<'t, 'c> OpenShare<'t, 'c> {
    /// Opens a link.
    ///
    /// # Errors
    /// The same error whether a link is unknown, expired, paused or not allowed by the rules, or what it shows was deleted.
    pub(super) fn open(tx: &'t SharedTx<'c>, proof: Option<&UnlockProof>) -> Result<Self> {
        let core = tx.view().core();
        let mut link = store::links::find(core.conn, tx.link_id())?.ok_or(NOT_FOUND)?;
        link.target = targets::remaining(core.conn, &link)?.ok_or(NOT_FOUND)?;
        let rules = rules::in_organization(core, tx.view().workspace().org_id.as_deref().unwrap_or_default())?;
        // `SharedTx` has checked that the owner of the link is an owner of the workspace.
        if links::state(&link, rules, true, core.now) != ShareState::Active {
            return Err(NOT_FOUND);
        }
        let expires_at = proof.and_then(|proof| proof.expires_at(&core.shared.keys, &link));
        let is_unlocked = link.password_hash.is_none() || expires_at.is_some_and(|time| time > core.now);
        let recognized = expires_at.filter(|time| time + RECOGNIZED_FOR > core.now);
        Ok(Self { tx, link, rules, is_unlocked, recognized })
    }

    /// What the page needs.
    pub(super) fn page(&self) -> Result<SharePage> {
        let StoredLink { target, options, password_hash, .. } = &self.link;
        let can_embed = self.rules.mode == SharingMode::Embeds && password_hash.is_none();
        let title = target.title(self.tx.view())?;
        let is_map = target.scope == ShareScope::Map;
        let is_too_large = is_map && tables::count(self.tx.view(), Part::Components)? > drawing::MAX_COMPONENTS;
        Ok(SharePage {
            is_too_large,
            link_id: self.link.id.clone(),
            title: self.is_unlocked.then_some(title),
            has_password: password_hash.is_some(),
            scope: target.scope,
            theme: options.theme,
            preview: options.preview,
            embed_origins: if can_embed { self.link.embed_origins.clone() } else { Vec::new() },
        })
    }

    /// Rejects clients that have not given the password.
    pub(super) fn expect_unlocked(&self) -> Result<()> {
        if self.is_unlocked { Ok(()) } else { Err(Error::Unauthenticated("this share link needs its password")) }
    }

    /// Identifies the state of what the link shows. `request` is how it is shown. Reveals nothing about the workspace.
    pub(super) fn tag(&self, request: &str) -> Result<String> {
        let (workspace, core) = (self.tx.view().workspace(), self.tx.view().core());
        let state = format!(
            "{} {} {} {} {} {} {} {} {} {request}",
            core.incarnation().short(),
            workspace.pk,
            workspace.metadata.revision,
            self.tx.view().directory_revision(),
            self.link.id,
            self.tx.generation(),
            serde_json::to_string(&self.link.options)?,
            drawing::VERSION,
            self.link.updated_at,
        );
        Ok(format!("s-{}", URL_SAFE_NO_PAD.encode(&Sha256::digest(state)[..18])))
    }

    /// Reads what the link shows, with whole descriptions.
    pub(super) fn model(&self, whole: &WholeMap) -> Result<SharedModel> {
        self.expect_unlocked()?;
        shared_model::read(self.tx.view(), &self.link, None, Descriptions::Whole, whole)
    }

    /// Reads what the link shows for an image.
    pub(super) fn drawn(&self, step: Option<usize>, whole: &WholeMap) -> Result<SharedModel> {
        self.expect_unlocked()?;
        shared_model::read(self.tx.view(), &self.link, step, Descriptions::Beginning, whole)
    }

    /// Estimated memory in bytes of an image in a format, or of the JSON.
    ///
    /// # Errors
    /// If the map is too large to be drawn.
    pub(super) fn weigh(&self, format: Option<Format>) -> Result<usize> {
        self.expect_unlocked()?;
        let view = self.tx.view();
        match format {
            Some(format) => drawings::weigh(view, &self.link.target.content(None), None, format),
            None => drawings::weigh_whole(view),
        }
    }

    /// The proof that the client has given the password, until `expires_at`.
    pub(super) fn proof(&self) -> Option<UnlockProof> {
        let (core, expires_at) = (self.tx.view().core(), self.tx.view().core().now + UNLOCKED_FOR);
        let hash = self.link.password_hash.as_deref()?;
        let proof = core.shared.keys.unlock_code(&self.link.id, self.link.generation, hash, expires_at);
        Some(UnlockProof(format!("{expires_at}.{proof}")))
    }
}
