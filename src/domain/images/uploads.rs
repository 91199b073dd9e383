//! Icons that were uploaded to the wiki. Where one is, the wiki alone can say, and it signs the address for about an hour:
//! it is asked when somebody first looks, unless it has said so some minutes ago, and the address is never kept. What came
//! stays, for what was uploaded never changes: another picture is another upload, and so another icon.

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

/// Why nothing was found out about a picture: there is nothing to note of it.
#[derive(Debug, Clone)]
pub(super) struct Obstacle {
    /// The end of a sentence, for people.
    pub(super) why: String,
    /// When it is worth another look; none: not before somebody does something about it.
    pub(super) retry_after: Option<Duration>,
}

impl From<Obstacle> for Error {
    fn from(Obstacle { why, retry_after }: Obstacle) -> Self {
        Self::NoPicture { why, retry_after }
    }
}

impl Obstacle {
    /// What of an error concerns the wiki and not this upload.
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
    /// Has an upload brought from where the wiki says that it is.
    pub(super) async fn bring(&self, place: &Place, page: Option<Page>) -> Result<Came> {
        if let Some(address) = self.0.wiki.signed_lately(&place.organization_id, &place.address) {
            match self.fetch_secret(address).await? {
                // So ends a signature. There may be a new one.
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
                    // Somebody will look at it when the link is refreshed. If too many are under way, it is fetched then.
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

    /// Tries uploads again, one after the other and at the pace of what nobody waits for. Where the wiki of an organization
    /// is in the way of one, it is so for all: they wait for the next time.
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

/// A page or database that has an upload for its icon, by what is known of links. One that came with a file may lead nowhere.
fn page_of(tx: &SystemTx<'_>, place: &Place) -> Result<Option<Page>> {
    let shown_by = store::images::shown_by(tx.core().conn, place)?;
    let page = shown_by.and_then(|(kind, target_id, url)| links::target_of(kind, target_id.as_deref(), &url).ok()?);
    Ok(page)
}

/// Has an upload tried again at the next opportunity. What is known of it stays as it is.
fn put_off(tx: &mut SystemTx<'_>, place: &Place) -> Result<()> {
    let core = tx.core();
    let Some(before) = store::images::find(core.conn, place)? else { return Ok(()) };
    store::images::put(core.conn, place, &Attempt { due_at: core.now + LATER[0], ..before })
}
