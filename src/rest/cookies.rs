//! Cookies for sessions, known devices, sign-out at the identity provider, pending account links, and redirects to
//! other providers.
//!
//! All cookies are `HttpOnly`. The cookies for redirects are `SameSite=Lax` because a page of another site sends the
//! browser back. All others are `SameSite=Strict`.

use std::borrow::Cow;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header, request::Parts};
use cookie::{Cookie, CookieBuilder, SameSite, time::Duration};
use url::Url;

use super::error::ApiError;
use crate::{
    auth::{device, refresh::RefreshToken},
    base_path::BasePath,
    clock::SECOND,
    domain::{
        accounts::{identity, sessions},
        wiki,
    },
    error::Error,
};

/// The ID token, encrypted. Used to sign out at the identity provider.
const HINT: &str = "planroom_id_hint";
const DEVICE: &str = "planroom_device";
const WIKI: &str = "planroom_wiki";
/// A pending account link to the identity provider, encrypted.
const LINK: &str = "planroom_link";
/// Prefix of all cookie names if the public URL is https. Browsers accept such cookies over https only. Cookies of
/// earlier releases do not have the prefix and are still read.
const SECURE_PREFIX: &str = "__Secure-";
/// Name prefix of the cookies of pending sign-ins at the identity provider.
const OIDC: &str = "planroom_oidc_";
/// Maximum number of these cookies in a browser.
const MAX_OIDC_COOKIES: usize = 5;
/// Number of characters of the state in the cookie name, which distinguishes pending sign-ins in a browser.
const OIDC_ID: usize = 8;

/// Cookie names and attributes, derived from the public URL of the instance.
#[derive(Debug, Clone)]
pub struct CookieRules {
    /// Name of the cookie with the refresh token.
    refresh: &'static str,
    /// `Path` attribute.
    path: String,
    base: BasePath,
    /// `Secure` attribute: sent over https only.
    secure: bool,
    /// Origin of the server's own pages.
    origin: Option<String>,
}

type SetCookie = (HeaderName, HeaderValue);

impl CookieRules {
    /// Rules for an instance with the URL `public_url`.
    pub fn new(public_url: &str) -> Self {
        let url = Url::parse(public_url).ok();
        let secure = url.as_ref().is_some_and(|url| url.scheme() == "https");
        let base = BasePath::of(public_url);
        Self {
            refresh: if secure { "__Secure-planroom_refresh" } else { "planroom_refresh" },
            path: base.join("/api/auth"),
            base,
            secure,
            origin: url.map(|url| url.origin().ascii_serialization()),
        }
    }

    /// Whether the public URL is https.
    pub fn is_secure(&self) -> bool {
        self.secure
    }

    /// Sets the refresh token.
    pub fn refresh(&self, token: &RefreshToken) -> SetCookie {
        self.set(self.refresh, token.reveal(), sessions::IDLE_LIFETIME)
    }

    /// The path of a page of this server, including the path of the public URL.
    pub fn page(&self, path: &str) -> String {
        self.base.join(path)
    }

    /// Removes the refresh token.
    pub fn remove_refresh(&self) -> SetCookie {
        self.set(self.refresh, String::new(), 0)
    }

    /// Sets the cookie of a known device.
    pub fn device(&self, cookie: String) -> SetCookie {
        self.set(DEVICE, cookie, device::LIFETIME)
    }

    /// Sets the state of a pending authorization at the wiki's provider.
    ///
    /// `SameSite=Lax`: the provider's page redirects the browser back, and a `Strict` cookie would not be sent with
    /// that navigation.
    pub fn wiki(&self, state: String) -> SetCookie {
        self.cookie(WIKI, state, wiki::STATE_LIFETIME, SameSite::Lax)
    }

    /// Sets the data of a pending sign-in at the identity provider. `SameSite=Lax`, as in [`Self::wiki`]. Each state
    /// has its own cookie because several tabs can sign in at the same time.
    pub fn oidc(&self, state: &str, value: String) -> SetCookie {
        self.cookie(oidc_name(state), value, identity::PENDING, SameSite::Lax)
    }

    /// Removes the oldest pending sign-ins to make space for a new one.
    ///
    /// Without a limit, the cookies could exceed the maximum header size, since any website can make a browser begin a
    /// sign-in. Browsers send the oldest cookie first.
    pub fn remove_oldest_oidc(&self, headers: &HeaderMap) -> Vec<SetCookie> {
        let is_oidc = |name: &str| name.strip_prefix(SECURE_PREFIX).unwrap_or(name).starts_with(OIDC);
        let mut under_way: Vec<String> =
            cookies(headers).filter(|cookie| is_oidc(cookie.name())).map(|cookie| cookie.name().to_owned()).collect();
        under_way.truncate(under_way.len().saturating_sub(MAX_OIDC_COOKIES - 1));
        under_way.into_iter().map(|name| self.build(name, String::new(), 0, SameSite::Lax)).collect()
    }

    /// Removes a pending sign-in.
    pub fn remove_oidc(&self, state: &str) -> SetCookie {
        self.cookie(oidc_name(state), String::new(), 0, SameSite::Lax)
    }

    /// Sets the data that signing out at the identity provider requires.
    pub fn hint(&self, hint: identity::SignOutHint) -> SetCookie {
        self.set(HINT, hint.cookie, hint.lifetime)
    }

    /// Sets a pending link, and the data that signing out at the provider requires after the account is linked.
    pub fn pending_link(&self, sealed: String, hint: Option<identity::SignOutHint>) -> Vec<SetCookie> {
        let hint = hint.map(|hint| self.set(HINT, hint.cookie, hint.lifetime.min(identity::DECISION_TIME)));
        hint.into_iter().chain([self.set(LINK, sealed, identity::DECISION_TIME)]).collect()
    }

    /// Removes a pending link.
    pub fn remove_link(&self) -> SetCookie {
        self.set(LINK, String::new(), 0)
    }

    /// Removes the data for signing out at the identity provider, under the cookie name that the browser sent.
    pub fn remove_hint(&self, headers: &HeaderMap) -> Option<SetCookie> {
        let (name, _) = sent_cookie(headers, HINT)?;
        Some(self.build(name, String::new(), 0, SameSite::Strict))
    }

    fn set(&self, name: &'static str, value: String, lifetime: i64) -> SetCookie {
        self.cookie(name, value, lifetime, SameSite::Strict)
    }

    fn cookie(
        &self,
        name: impl Into<Cow<'static, str>>,
        value: String,
        lifetime: i64,
        same_site: SameSite,
    ) -> SetCookie {
        let name = name.into();
        let is_prefixed = !self.secure || name.starts_with(SECURE_PREFIX);
        let name = if is_prefixed { name } else { format!("{SECURE_PREFIX}{name}").into() };
        self.build(name, value, lifetime, same_site)
    }

    /// Like [`Self::cookie`], without adding a prefix to the name.
    fn build(
        &self,
        name: impl Into<Cow<'static, str>>,
        value: String,
        lifetime: i64,
        same_site: SameSite,
    ) -> SetCookie {
        let cookie: CookieBuilder<'_> = Cookie::build((name.into(), value))
            .path(self.path.clone())
            .max_age(Duration::seconds(lifetime / SECOND))
            .http_only(true)
            .secure(self.secure)
            .same_site(same_site);
        // Names, URL paths, and base64url contain only characters that are valid in headers.
        let value = HeaderValue::try_from(cookie.to_string()).unwrap_or_else(|_| HeaderValue::from_static(""));
        (header::SET_COOKIE, value)
    }

    /// The refresh token of a request, if any. Fails if the `Origin` header does not name this server.
    pub fn sent(&self, parts: &Parts) -> Result<Option<String>, ApiError> {
        let Some(token) = cookie(&parts.headers, self.refresh) else { return Ok(None) };
        if self.is_ours(parts) {
            Ok(Some(token))
        } else {
            Err(Error::Forbidden(
                "the header Origin must be the origin of this server: only its own pages can refresh or end a session \
                 by its cookie",
            )
            .into())
        }
    }

    /// Whether `Origin` is this server: the origin of its public URL or the host of the request.
    pub fn is_ours(&self, parts: &Parts) -> bool {
        let Some(origin) = parts.headers.get(header::ORIGIN).and_then(|value| value.to_str().ok()) else {
            return false;
        };
        if self.origin.as_deref() == Some(origin) {
            return true;
        }
        let host = parts.headers.get(header::HOST).and_then(|value| value.to_str().ok());
        let host = host.or_else(|| parts.uri.authority().map(axum::http::uri::Authority::as_str));
        let named = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
        named.zip(host).is_some_and(|(named, host)| named.eq_ignore_ascii_case(host))
    }
}

/// The cookie of a known device.
pub fn device_of(headers: &HeaderMap) -> Option<String> {
    sent_cookie(headers, DEVICE).map(|(_, value)| value)
}

/// The state of a pending authorization at the wiki's provider.
pub fn wiki_of(headers: &HeaderMap) -> Option<String> {
    sent_cookie(headers, WIKI).map(|(_, value)| value)
}

/// The data of the pending sign-in with this state.
pub fn oidc_of(headers: &HeaderMap, state: &str) -> Option<String> {
    sent_cookie(headers, &oidc_name(state)).map(|(_, value)| value)
}

/// The data that signing out at the identity provider requires.
pub fn hint_of(headers: &HeaderMap) -> Option<String> {
    cookie(headers, HINT)
}

/// The cookie name for a state. Drops characters that are invalid in names: the state comes from the URL and is
/// untrusted.
fn oidc_name(state: &str) -> String {
    let id: String =
        state.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).take(OIDC_ID).collect();
    format!("{OIDC}{id}")
}

/// The pending account link, encrypted.
pub fn link_of(headers: &HeaderMap) -> Option<String> {
    sent_cookie(headers, LINK).map(|(_, value)| value)
}

/// Name and value of a cookie, with or without [`SECURE_PREFIX`].
fn sent_cookie(headers: &HeaderMap, name: &str) -> Option<(String, String)> {
    let secure = format!("{SECURE_PREFIX}{name}");
    let found = |name: &str| cookie(headers, name).map(|value| (name.to_owned(), value));
    found(&secure).or_else(|| found(name))
}

fn cookie(headers: &HeaderMap, name: &str) -> Option<String> {
    cookies(headers).find(|cookie| cookie.name() == name).map(|cookie| cookie.value().to_owned())
}

fn cookies(headers: &HeaderMap) -> impl Iterator<Item = Cookie<'_>> {
    let values = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(Cookie::split_parse).filter_map(Result::ok)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(public_url: &str) -> String {
        let (_, value) = CookieRules::new(public_url).refresh(&RefreshToken::first());
        value.to_str().unwrap().to_owned()
    }

    #[test]
    fn cookies_are_limited_to_scripts_paths_and_schemes_of_this_server() {
        let plain = text("http://localhost:8420");
        assert!(plain.starts_with("planroom_refresh="), "{plain}");
        for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/api/auth", "; Max-Age=1209600"] {
            assert!(plain.contains(part), "{part} in {plain}");
        }
        assert!(!plain.contains("Secure"), "{plain}");
        let https = text("https://plans.example.org");
        assert!(https.starts_with("__Secure-planroom_refresh=") && https.contains("; Secure"), "{https}");
        assert!(text("https://example.org/plans").contains("; Path=/plans/api/auth"));
        let (_, gone) = CookieRules::new("http://a").remove_refresh();
        assert!(gone.to_str().unwrap().contains("Max-Age=0"));
    }

    #[test]
    fn on_https_all_cookies_have_the_prefix_and_older_names_are_still_read() {
        let (https, plain) = (CookieRules::new("https://a.example"), CookieRules::new("http://a.example"));
        let names = |rules: &CookieRules| {
            let set = [rules.device("1".into()), rules.wiki("2".into()), rules.oidc("abc", "3".into())];
            set.map(|(_, value)| value.to_str().unwrap().split_once('=').unwrap().0.to_owned())
        };
        assert_eq!(names(&plain), ["planroom_device", "planroom_wiki", "planroom_oidc_abc"]);
        assert_eq!(names(&https), names(&plain).map(|name| format!("__Secure-{name}")));

        let mut headers = HeaderMap::new();
        let sent = "planroom_id_hint=old; planroom_device=old; __Secure-planroom_device=new; planroom_wiki=old; \
                    __Secure-planroom_oidc_abc=new";
        headers.insert(header::COOKIE, HeaderValue::from_static(sent));
        assert_eq!(device_of(&headers).as_deref(), Some("new"));
        assert_eq!(wiki_of(&headers).as_deref(), Some("old"));
        assert_eq!(oidc_of(&headers, "abc").as_deref(), Some("new"));
        assert_eq!(hint_of(&headers).as_deref(), Some("old"));
        let (_, removed) = https.remove_hint(&headers).unwrap();
        assert!(removed.to_str().unwrap().starts_with("planroom_id_hint=;"), "{removed:?}");
    }

    #[test]
    fn pages_of_this_server_are_recognized_by_their_origin() {
        let rules = CookieRules::new("https://plans.example.org");
        let is_ours = |origin: Option<&str>, host: &str| {
            let mut request = axum::http::Request::builder().uri("/").header("host", host);
            if let Some(origin) = origin {
                request = request.header("origin", origin);
            }
            rules.is_ours(&request.body(()).unwrap().into_parts().0)
        };
        assert!(is_ours(Some("https://plans.example.org"), "10.0.0.1:8420"));
        assert!(is_ours(Some("http://10.0.0.1:8420"), "10.0.0.1:8420"));
        for foreign in
            [None, Some("null"), Some("https://evil.example"), Some("https://plans.example.org.evil.example")]
        {
            assert!(!is_ours(foreign, "plans.example.org"), "{foreign:?}");
        }
        assert!(!is_ours(Some("https://plans.example.org:444"), "10.0.0.1"));
    }
}
