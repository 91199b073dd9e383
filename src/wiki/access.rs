//! Calls of the provider on behalf of a connection.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{
    cache::{CACHE_TIME, CachedPage, CachedUpload},
    client::Client,
    error::WikiError,
    icon::Icon,
    kind::ObjectKind,
    model::{self, Bot, Resolved, WikiObject},
    rate_limit::RateLimit,
};
use crate::{outbound::Method, secret::Secret};

/// Permission to call the provider on a connection, until a deadline.
#[derive(Debug)]
pub struct ConnectionAccess<'c> {
    pub(super) client: &'c Client,
    pub(super) connection: String,
    pub(super) token: Secret,
    pub(super) rate_limit: Arc<RateLimit>,
    /// The reserved turn of the first call, if any.
    pub(super) reserved: Mutex<Option<Instant>>,
    pub(super) deadline: Instant,
}

impl Client {
    /// Access with `token` on the connection of this name. No call waits beyond `deadline`. `reserved` is the turn of
    /// the first call, if [`Client::reserve`] has taken it.
    pub fn access(
        &self,
        connection: &str,
        token: Secret,
        deadline: Instant,
        reserved: Option<Instant>,
    ) -> ConnectionAccess<'_> {
        let (rate_limit, reserved) = (self.rate_limit(connection), Mutex::new(reserved));
        ConnectionAccess { client: self, connection: connection.to_owned(), token, rate_limit, reserved, deadline }
    }
}

impl ConnectionAccess<'_> {
    /// The integration and the user behind the token.
    pub fn me(&self) -> Result<Bot, WikiError> {
        let answer: Value = self.get(&["users", "me"], &[])?;
        model::bot(&answer).ok_or_else(|| WikiError::unavailable("the identity of the integration is missing"))
    }

    /// The page or database with this id. A URL does not tell the kind, so `likely` is tried first.
    pub fn resolve(&self, id: &str, likely: ObjectKind) -> Result<Resolved, WikiError> {
        let found = self.found(id, likely)?;
        found.resolved().ok_or_else(|| WikiError::unavailable("the response has no id"))
    }

    fn found(&self, id: &str, likely: ObjectKind) -> Result<WikiObject, WikiError> {
        match self.object(id, likely) {
            // Not found, or of the other kind. The result of the second attempt is final.
            Err(WikiError::NotFound | WikiError::Unfit(_)) => match self.object(id, likely.other()) {
                Err(WikiError::Unfit(_)) => Err(WikiError::NotFound),
                second => second,
            },
            first => first,
        }
    }

    /// The stored text of the icon of the page or database with this id, if it has one.
    pub fn icon(&self, id: &str) -> Result<Option<String>, WikiError> {
        match self.seen(id) {
            Some(CachedPage { shared: true, icon: Some(icon), .. }) => Ok(Some(icon)),
            _ => self.resolve(id, ObjectKind::Page).map(|resolved| resolved.icon),
        }
    }

    /// The current icon of the page or database with this id, including the URL of an upload.
    pub fn current_icon(&self, id: &str, likely: ObjectKind) -> Result<Option<Icon>, WikiError> {
        self.found(id, likely).map(|object| object.icon())
    }

    /// Reads a page or database, and caches what lists need of it.
    pub(super) fn object(&self, id: &str, kind: ObjectKind) -> Result<WikiObject, WikiError> {
        let of = match kind {
            ObjectKind::Page => "pages",
            ObjectKind::Database => "databases",
        };
        let read: Result<WikiObject, WikiError> = self.get(&[of, id], &[]);
        match &read {
            Ok(object) => self.remember(id, true, object.icon()),
            Err(WikiError::NotFound) => self.remember(id, false, None),
            Err(_) => {}
        }
        read
    }

    pub(super) fn remember(&self, id: &str, shared: bool, icon: Option<Icon>) {
        let at = Instant::now();
        let icon = icon.map(|Icon { text, signed }| {
            if let Some(address) = signed {
                self.client.signed.insert((self.connection.clone(), text.clone()), CachedUpload { address, at });
            }
            text
        });
        let seen = CachedPage { shared, icon, at };
        self.client.seen.insert((self.connection.clone(), id.to_owned()), seen);
    }

    /// Recently read data of a page or database.
    pub(super) fn seen(&self, id: &str) -> Option<CachedPage> {
        let seen = self.client.seen.get(&(self.connection.clone(), id.to_owned()))?;
        (seen.at.elapsed() < CACHE_TIME).then_some(seen)
    }

    pub(super) fn get<T: DeserializeOwned>(&self, path: &[&str], query: &[(&str, &str)]) -> Result<T, WikiError> {
        let mut url = self.client.url(path);
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        self.call(Method::Get, &url, None)
    }

    pub(super) fn post<T: DeserializeOwned>(&self, path: &[&str], body: &Value) -> Result<T, WikiError> {
        self.call(Method::Post, &self.client.url(path), Some(body))
    }

    fn call<T: DeserializeOwned>(&self, method: Method, url: &url::Url, body: Option<&Value>) -> Result<T, WikiError> {
        let bearer = format!("Bearer {}", self.token.reveal());
        let reserved = self.reserved.lock().unwrap_or_else(PoisonError::into_inner).take();
        self.client.call(method, url, &bearer, body, Some((&self.rate_limit, reserved)), self.deadline)
    }
}

impl Drop for ConnectionAccess<'_> {
    fn drop(&mut self) {
        // The reserved turn was not used because the cache answered.
        let reserved = self.reserved.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(turn) = reserved {
            self.rate_limit.cancel_turn(turn);
        }
    }
}
