//! Icons uploaded to the wiki. Only the wiki knows the URL of an upload, and signs it for about an hour. The server
//! asks for the URL when a user first views the icon, unless it was read some minutes ago, and never stores the URL.
//! The downloaded image is stored permanently, because an upload never changes: a new image is a new upload and
//! therefore a new icon.

use std::{collections::HashSet, time::Duration};

use super::{Came, Images, LATER, Page};
use crate::{
    domain::{
        access::{Reads, SystemTx},
        links,
        store::{
            self,
            images::{Attempt, Place},
        },
    },
    error::{Error, Result},
    images::Missing,
    secret::Secret,
    wiki::is_upload,
};

/// Why the state of an image is unknown. It is not recorded as a failed attempt.
#[derive(Debug, Clone)]
pub(super) struct Obstacle {
    /// Reason, for the end of an error message.
    pub(super) why: String,
    /// When to try again; none if an administrator must act first.
    pub(super) retry_after: Option<Duration>,
}

impl From<Obstacle> for Error {
    fn from(Obstacle { why, retry_after }: Obstacle) -> Self {
        Self::NoPicture { why, retry_after }
    }
}

impl Obstacle {
    /// The obstacle, if the error concerns the wiki and not this upload.
    pub(super) fn of(error: &Error) -> Option<Self> {
        let (why, retry_after) = match error {
            Error::WikiMisconfigured => ("it was uploaded to the wiki, which is not connected", None),
            Error::WikiAccessDenied => {
                ("it was uploaded to the wiki, which refuses the connection; an admin can connect it again", None)
            }
            Error::WikiUnavailable { retry_after } => {
                ("it was uploaded to the wiki, which does not answer as it should", Some(*retry_after))
            }
            _ => return None,
        };
        Some(Self { why: why.into(), retry_after })
    }
}

impl Images {
    /// Downloads an upload from the URL that the wiki provides.
    pub(super) async fn bring(&self, place: &Place, page: Option<Page>) -> Result<Came> {
        if let Some(address) = self.0.wiki.signed_lately(&place.organization_id, &place.address) {
            match self.fetch_secret(address).await? {
                // Expected when a signature has expired. The wiki may provide a new URL.
                Err(Missing::Status(400..500)) => {}
                came => return Ok(came),
            }
        }
        let Some(page) = page else {
            return Ok(Err("it was uploaded to the wiki, and nothing leads to its page there".to_owned().into()));
        };
        let icon = match self.0.wiki.icon_anew(&place.organization_id, page.clone()).await {
            Err(Error::WikiNotFound) => {
                let why =
                    "it was uploaded to the wiki, which has no such page, or does not share it with the connection";
                return Ok(Err(why.to_owned().into()));
            }
            icon => icon?,
        };
        match icon {
            Some(icon) if icon.text == place.address => match icon.signed {
                Some(address) => self.fetch_secret(address).await,
                None => Err(Error::internal("an upload without an address")),
            },
            other => {
                if let Some(other) = other.filter(|other| is_upload(&other.text)) {
                    // The new icon will be viewed after the link is refreshed, so it is downloaded in advance. If too
                    // many downloads are running, it is downloaded on first view.
                    let organization_id = place.organization_id.clone();
                    drop(self.coming(Place { organization_id, address: other.text }, Some(page)));
                }
                Ok(Err("its page in the wiki has another icon now".to_owned().into()))
            }
        }
    }

    async fn fetch_secret(&self, address: Secret) -> Result<Came> {
        let images = self.clone();
        self.0.lane.run(move || Ok(images.0.source.fetch_secret(&address))).await
    }

    /// Retries uploads sequentially, at the rate of background requests. If the wiki of an organization is unavailable,
    /// the other uploads of that organization wait for the next run.
    pub(super) async fn catch_up_with_uploads(&self, uploads: Vec<Place>) -> Result<()> {
        let mut hindered = HashSet::new();
        for place in uploads {
            let is_hindered = hindered.contains(&place.organization_id) || {
                tokio::time::sleep(self.0.wiki.leisure()).await;
                let at = place.clone();
                let page = self.0.gate.aside_view(move |tx| page_of(tx, &at)).await?;
                self.fetch(place.clone(), page).await.is_some()
            };
            if is_hindered {
                hindered.insert(place.organization_id.clone());
                self.0.gate.aside(move |tx| put_off(tx, &place)).await?;
            }
        }
        Ok(())
    }
}

/// The page or database that has an upload as its icon, according to the links. A link from an imported file may have
/// no valid target.
fn page_of(tx: &SystemTx<'_>, place: &Place) -> Result<Option<Page>> {
    let shown_by = store::images::shown_by(tx.core().conn, place)?;
    let page = shown_by.and_then(|(kind, target_id, url)| links::target_of(kind, target_id.as_deref(), &url).ok()?);
    Ok(page)
}

/// Schedules the next attempt for an upload without recording a failure.
fn put_off(tx: &mut SystemTx<'_>, place: &Place) -> Result<()> {
    let core = tx.core();
    let Some(before) = store::images::find(core.conn, place)? else { return Ok(()) };
    store::images::put(core.conn, place, &Attempt { due_at: core.now + LATER[0], ..before })
}
