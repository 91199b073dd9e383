//! Icons uploaded to the wiki. Only the wiki knows the URL of an upload, and signs it for about an hour. The server
//! asks for the URL when a user first views the icon, unless it was read some minutes ago, and never stores the URL.
//! The downloaded image is stored permanently, because an upload never changes: a new image is a new upload and
//! therefore a new icon.

use std::collections::HashSet;

pub(in crate::domain) use super::model::WikiFailure;
use super::{
    Images,
    model::{DownloadResult, RETRY_DELAYS, WikiTarget},
    store::{self, DownloadAttempt, ImageKey},
};
use crate::{
    domain::{
        core::{Reads, SystemTx},
        map::links,
    },
    error::{Error, Result},
    images::ImageError,
    secret::Secret,
    wiki::is_upload,
};

impl Images {
    /// Downloads an upload from the URL that the wiki provides.
    pub(super) async fn download_upload(&self, key: &ImageKey, page: Option<WikiTarget>) -> Result<DownloadResult> {
        if let Some(address) = self.0.wiki.recent_upload_url(&key.organization_id, &key.address) {
            match self.fetch_secret(address).await? {
                // Expected when a signature has expired. The wiki may provide a new URL.
                Err(ImageError::Status(400..500)) => {}
                downloaded => return Ok(downloaded),
            }
        }
        let Some(page) = page else {
            return Ok(Err("it was uploaded to the wiki, and nothing leads to its page there".to_owned().into()));
        };
        let icon = match self.0.wiki.current_icon(&key.organization_id, page.clone()).await {
            Err(Error::WikiNotFound) => {
                let why =
                    "it was uploaded to the wiki, which has no such page, or does not share it with the connection";
                return Ok(Err(why.to_owned().into()));
            }
            icon => icon?,
        };
        match icon {
            Some(icon) if icon.text == key.address => match icon.signed {
                Some(address) => self.fetch_secret(address).await,
                None => Err(Error::internal("an upload without an address")),
            },
            other => {
                if let Some(other) = other.filter(|other| is_upload(&other.text)) {
                    // The new icon will be viewed after the link is refreshed, so it is downloaded in advance. If too
                    // many downloads are running, it is downloaded on first view.
                    let organization_id = key.organization_id.clone();
                    drop(self.start_fetch(ImageKey { organization_id, address: other.text }, Some(page)));
                }
                Ok(Err("its page in the wiki has another icon now".to_owned().into()))
            }
        }
    }

    async fn fetch_secret(&self, address: Secret) -> Result<DownloadResult> {
        let images = self.clone();
        self.0.pool.run(move || Ok(images.0.client.fetch_secret(&address))).await
    }

    /// Retries uploads sequentially, at the rate of background requests. If the wiki of an organization is unavailable,
    /// the other uploads of that organization wait for the next run.
    pub(super) async fn fetch_due_uploads(&self, uploads: Vec<ImageKey>) -> Result<()> {
        let mut unavailable = HashSet::new();
        for key in uploads {
            let is_unavailable = unavailable.contains(&key.organization_id) || {
                tokio::time::sleep(self.0.wiki.background_delay()).await;
                let at = key.clone();
                let page = self.0.gate.aside_view(move |tx| page_of(tx, &at)).await?;
                self.fetch(key.clone(), page).await.is_some()
            };
            if is_unavailable {
                unavailable.insert(key.organization_id.clone());
                self.0.gate.aside(move |tx| postpone(tx, &key)).await?;
            }
        }
        Ok(())
    }
}

/// The page or database that has an upload as its icon, according to the links. A link from an imported file may have
/// no valid target.
fn page_of(tx: &SystemTx<'_>, key: &ImageKey) -> Result<Option<WikiTarget>> {
    let link_with_icon = store::link_with_icon(tx.core().conn, key)?;
    let page =
        link_with_icon.and_then(|(kind, target_id, url)| links::target_of(kind, target_id.as_deref(), &url).ok()?);
    Ok(page)
}

/// Schedules the next attempt for an upload without recording a failure.
fn postpone(tx: &mut SystemTx<'_>, key: &ImageKey) -> Result<()> {
    let core = tx.core();
    let Some(before) = store::find(core.conn, key)? else { return Ok(()) };
    store::put(core.conn, key, &DownloadAttempt { due_at: core.now + RETRY_DELAYS[0], ..before })
}
