//! Data that needs the keys of the instance, and its handling when they are lost.
//!
//! Without the sealing key, a two-factor secret, a wiki connection, a secret setting or a webhook cannot be used. Without
//! the sharing key, the addresses of share links are invalid. The server then refuses to start, because the keys usually
//! still exist and only have to be restored; `planroom keys reset` accepts the loss: it deletes the values that cannot be
//! decrypted, and share links get new addresses.

use std::{fmt, path::Path};

use base64::{Engine, engine::general_purpose::STANDARD};
use rusqlite::Connection;
use serde_json::{Value, json};

use super::store;
use crate::{
    auth::keys::Keys,
    db::Db,
    domain::{
        accounts::two_factor,
        core::{delete_answers, insert_audit_event},
        settings, webhooks, wiki,
    },
    error::{Error, Result},
    settings::{REGISTRY, Setting},
};

/// The amount of data of each kind that needs the keys.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sealed {
    /// Secrets of authenticator apps, one for each user with two-factor authentication.
    pub second_factors: usize,
    /// Wiki connections of organizations.
    pub wiki_connections: usize,
    /// Secret settings.
    pub settings: usize,
    /// URLs and secrets of webhooks.
    pub webhooks: usize,
    /// Share links that have not expired.
    pub share_links: usize,
}

impl Sealed {
    /// Number of encrypted values and share links.
    pub fn total(&self) -> usize {
        self.encrypted() + self.share_links
    }

    fn encrypted(&self) -> usize {
        self.second_factors + self.wiki_connections + self.settings + self.webhooks
    }

    /// The part of this data that cannot be used because its key is not in `data_dir/keys`.
    #[must_use]
    pub fn without_keys_in(self, data_dir: &Path) -> Self {
        let encrypted = if Keys::can_unseal(data_dir) { Self::default() } else { self };
        Self { share_links: if Keys::can_share(data_dir) { 0 } else { self.share_links }, ..encrypted }
    }

    /// The names of the keys that this data needs.
    pub fn key_names(&self) -> &'static str {
        match (self.encrypted(), self.share_links) {
            (0, _) => "sharing.key",
            (_, 0) => "sealing.key",
            _ => "sealing.key and sharing.key",
        }
    }
}

impl fmt::Display for Sealed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = [
            (self.second_factors, "two-factor secret"),
            (self.wiki_connections, "wiki connection"),
            (self.settings, "secret setting"),
            (self.webhooks, "webhook"),
            (self.share_links, "share link"),
        ];
        let words = counts.iter().filter(|(count, _)| *count > 0);
        let words: Vec<String> =
            words.map(|(count, what)| format!("{count} {what}{}", if *count == 1 { "" } else { "s" })).collect();
        match words.split_last() {
            None => f.write_str("nothing"),
            Some((last, [])) => f.write_str(last),
            Some((last, others)) => write!(f, "{} and {last}", others.join(", ")),
        }
    }
}

/// A sealed value.
struct SealedValue {
    place: SecretLocation,
    purpose: String,
    bytes: Vec<u8>,
}

/// Location of a sealed value.
enum SecretLocation {
    SecondFactor(i64),
    WikiConnection(String),
    Setting(&'static Setting),
    Webhook(String),
}

/// Counts the data that needs the keys, in a database that may have been created only in part.
pub fn count(conn: &Connection, now: i64) -> Result<Sealed> {
    Ok(Sealed { share_links: store::sealed::share_links(conn, now)?, ..tally(&values(conn)?) })
}

/// Counts the sealed values that `keys` cannot decrypt.
pub fn unreadable(conn: &Connection, keys: &Keys) -> Result<Sealed> {
    Ok(tally(&unreadable_values(conn, keys)?))
}

/// Counts the data that cannot be used with the keys in `data_dir/keys`. `keys` are these keys.
pub fn lost(conn: &Connection, data_dir: &Path, keys: &Keys, now: i64) -> Result<Sealed> {
    let share_links = count(conn, now)?.without_keys_in(data_dir).share_links;
    Ok(Sealed { share_links, ..unreadable(conn, keys)? })
}

/// How the keys fit the data that needs them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyCheck {
    /// Keys are missing, without which this data cannot be used.
    Missing(Sealed),
    /// They are those of another instance: they decrypt none of these values.
    Wrong(Sealed),
    /// They are those of the instance. These values cannot be decrypted, as the result of an earlier loss.
    Usable(Sealed),
}

/// Compares the keys in `data_dir/keys` with the data that needs them. `keys` are these keys.
pub fn check(conn: &Connection, data_dir: &Path, keys: &Keys, now: i64) -> Result<KeyCheck> {
    let all = count(conn, now)?;
    let missing = all.without_keys_in(data_dir);
    if missing.total() > 0 {
        return Ok(KeyCheck::Missing(missing));
    }
    let lost = unreadable(conn, keys)?;
    let is_wrong = lost.total() > 0 && lost.total() == all.encrypted();
    Ok(if is_wrong { KeyCheck::Wrong(lost) } else { KeyCheck::Usable(lost) })
}

/// Deletes the sealed values that `keys` cannot decrypt, with everything that depends on them: the affected users sign
/// in with their password alone, the organizations must connect their wiki again, and webhooks are disabled. `share_links`
/// is the number of share links whose key was replaced. Returns what was lost.
pub async fn discard(db: &Db, keys: std::sync::Arc<Keys>, share_links: usize, now: i64) -> Result<Sealed> {
    db.write(move |conn| {
        let lost = unreadable_values(conn, &keys)?;
        for value in &lost {
            match &value.place {
                SecretLocation::SecondFactor(user_id) => drop(two_factor::delete(conn, *user_id)?),
                SecretLocation::WikiConnection(organization_id) => wiki::delete(conn, organization_id)?,
                SecretLocation::Setting(setting) => settings::delete(conn, setting.key)?,
                SecretLocation::Webhook(id) => webhooks::discard(conn, id, now)?,
            }
        }
        let lost = Sealed { share_links, ..tally(&lost) };
        let details = json!({ "secondFactors": lost.second_factors, "wikiConnections": lost.wiki_connections,
                              "settings": lost.settings, "webhooks": lost.webhooks, "shareLinks": share_links });
        insert_audit_event(conn, now, "keys.reset", None, None, &details)?;
        // Stored responses for idempotent retries cannot be decrypted either. They expire after a day anyway.
        delete_answers(conn, now)?;
        Ok((lost, Vec::new()))
    })
    .await
}

fn tally(values: &[SealedValue]) -> Sealed {
    let of = |is: fn(&SecretLocation) -> bool| values.iter().filter(|value| is(&value.place)).count();
    Sealed {
        second_factors: of(|place| matches!(place, SecretLocation::SecondFactor(_))),
        wiki_connections: of(|place| matches!(place, SecretLocation::WikiConnection(_))),
        settings: of(|place| matches!(place, SecretLocation::Setting(_))),
        webhooks: of(|place| matches!(place, SecretLocation::Webhook(_))),
        share_links: 0,
    }
}

fn unreadable_values(conn: &Connection, keys: &Keys) -> Result<Vec<SealedValue>> {
    let mut values = values(conn)?;
    values.retain(|value| keys.open(&value.purpose, &value.bytes).is_err());
    Ok(values)
}

fn values(conn: &Connection) -> Result<Vec<SealedValue>> {
    let mut found = Vec::new();
    for (user_id, bytes) in store::sealed::second_factors(conn)? {
        found.push(SealedValue {
            place: SecretLocation::SecondFactor(user_id),
            purpose: two_factor::PURPOSE.to_owned(),
            bytes,
        });
    }
    for (organization_id, bytes) in store::sealed::wiki_connections(conn)? {
        let purpose = wiki::purpose(&organization_id, wiki::ACCESS_TOKEN);
        found.push(SealedValue { place: SecretLocation::WikiConnection(organization_id), purpose, bytes });
    }
    // A webhook whose URL and secret were discarded has none.
    for (id, bytes) in store::sealed::webhooks(conn)?.into_iter().filter(|(_, bytes)| !bytes.is_empty()) {
        found.push(SealedValue { purpose: webhooks::url_purpose(&id), place: SecretLocation::Webhook(id), bytes });
    }
    for setting in REGISTRY.into_iter().filter(|setting| setting.is_secret()) {
        let Some(text) = settings::get(conn, setting.key)? else { continue };
        let value: Value = serde_json::from_str(&text)?;
        let bytes = STANDARD.decode(value.as_str().unwrap_or_default()).map_err(Error::internal)?;
        if !bytes.is_empty() {
            found.push(SealedValue {
                place: SecretLocation::Setting(setting),
                purpose: settings::purpose(setting),
                bytes,
            });
        }
    }
    Ok(found)
}
