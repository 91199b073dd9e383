//! The cookies: one that renews the session, one by which a browser is known again, one for signing out at the identity
//! provider, and those that it takes along there and to the wiki's. Scripts see none of them, and no other site's page can
//! have the first three sent.

use std::borrow::Cow;

use axum::http::{HeaderMap, HeaderName, HeaderValue, header, request::Parts};
use cookie::{Cookie, CookieBuilder, SameSite, time::Duration};
use url::Url;

use super::error::ApiError;
use crate::{
    auth::{device, refresh::RefreshToken},
    clock::SECOND,
    domain::{identity, sessions, wiki},
    error::Error,
};

/// The ID token, sealed.
const HINT: &str = "planroom_id_hint";
const DEVICE: &str = "planroom_device";
const WIKI: &str = "planroom_wiki";
/// A link to the identity provider that waits for a decision, sealed.
const LINK: &str = "planroom_link";
/// Before the name of each cookie where browsers come over https: they then accept it over https only. Cookies set by
/// earlier releases have names without it, and are still read.
const SECURE_PREFIX: &str = "__Secure-";
/// Beginning of the cookies of sign-ins that are under way.
const OIDC: &str = "planroom_oidc_";
/// How many of them a browser keeps.
const OIDC_MOST: usize = 5;
/// How much of a state tells one sign-in from another of the same browser, in characters.
const OIDC_ID: usize = 8;

/// How cookies are made, from the URL under which browsers reach this instance.
#[derive(Debug, Clone)]
pub struct CookieRules {
    /// Name of the cookie with the refresh token.
    refresh: &'static str,
    /// Where browsers send them.
    path: String,
    /// Over https only.
    secure: bool,
    /// The origin of our own pages.
    origin: Option<String>,
}

type SetCookie = (HeaderName, HeaderValue);

impl CookieRules {
    /// For an instance that is reached at `public_url`.
    pub fn new(public_url: &str) -> Self {
        let url = Url::parse(public_url).ok();
        let secure = url.as_ref().is_some_and(|url| url.scheme() == "https");
        let base = url.as_ref().map(|url| url.path().trim_end_matches('/').to_owned()).unwrap_or_default();
        Self {
            refresh: if secure { "__Secure-planroom_refresh" } else { "planroom_refresh" },
            path: format!("{base}/api/auth"),
            secure,
            origin: url.map(|url| url.origin().ascii_serialization()),
        }
    }

    /// Whether browsers come over https.
    pub fn is_secure(&self) -> bool {
        self.secure
    }

    /// Gives the browser a refresh token.
    pub fn refresh(&self, token: &RefreshToken) -> SetCookie {
        self.set(self.refresh, token.reveal(), sessions::IDLE)
    }

    /// A path of our pages, as browsers see it.
    pub fn page(&self, path: &str) -> String {
        format!("{}{path}", self.path.strip_suffix("/api/auth").unwrap_or_default())
    }

    /// Takes the refresh token away.
    pub fn forget(&self) -> SetCookie {
        self.set(self.refresh, String::new(), 0)
    }

    /// Lets the browser be known again.
    pub fn device(&self, cookie: String) -> SetCookie {
        self.set(DEVICE, cookie, device::LIFETIME)
    }

    /// Lets the browser be known when it comes back from the wiki's provider. It is another site's page that sends it
    /// back, so the cookie is sent with what comes from there too, but for what a page does unseen.
    pub fn wiki(&self, state: String) -> SetCookie {
        self.cookie(WIKI, state, wiki::PENDING, SameSite::Lax)
    }

    /// Keeps what a browser needs when it comes back from the identity provider, likewise. Each tab may be under way.
    pub fn oidc(&self, state: &str, kept: String) -> SetCookie {
        self.cookie(oidc_name(state), kept, identity::PENDING, SameSite::Lax)
    }

    /// Takes the oldest away where many are under way already: together they would be more than a request can hold, and
    /// any page elsewhere can have a browser begin. Browsers send the oldest first.
    pub fn forget_oldest_oidc(&self, headers: &HeaderMap) -> Vec<SetCookie> {
        let is_oidc = |name: &str| name.strip_prefix(SECURE_PREFIX).unwrap_or(name).starts_with(OIDC);
        let mut under_way: Vec<String> =
            cookies(headers).filter(|cookie| is_oidc(cookie.name())).map(|cookie| cookie.name().to_owned()).collect();
        under_way.truncate(under_way.len().saturating_sub(OIDC_MOST - 1));
        under_way.into_iter().map(|name| self.build(name, String::new(), 0, SameSite::Lax)).collect()
    }

    /// Takes it away again.
    pub fn forget_oidc(&self, state: &str) -> SetCookie {
        self.cookie(oidc_name(state), String::new(), 0, SameSite::Lax)
    }

    /// Keeps what a browser needs to sign out at the identity provider.
    pub fn hint(&self, hint: identity::Hint) -> SetCookie {
        self.set(HINT, hint.kept, hint.lifetime)
    }

    /// Stores a pending link, and what signing out at the provider needs once the account is linked.
    pub fn pending_link(&self, sealed: String, hint: Option<identity::Hint>) -> Vec<SetCookie> {
        let hint = hint.map(|hint| self.set(HINT, hint.kept, hint.lifetime.min(identity::DECISION_TIME)));
        hint.into_iter().chain([self.set(LINK, sealed, identity::DECISION_TIME)]).collect()
    }

    /// Removes a pending link.
    pub fn forget_link(&self) -> SetCookie {
        self.set(LINK, String::new(), 0)
    }

    /// Takes it away again, under the name that the browser sent it by.
    pub fn forget_hint(&self, headers: &HeaderMap) -> Option<SetCookie> {
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

    /// The same under exactly this name.
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
        // Names, paths of URLs and base64url have no character that a header could not hold.
        let value = HeaderValue::try_from(cookie.to_string()).unwrap_or_else(|_| HeaderValue::from_static(""));
        (header::SET_COOKIE, value)
    }

    /// The refresh token that came with a request, if any. It must come from one of our own pages: a browser says so in
    /// `Origin`.
    pub fn sent(&self, parts: &Parts) -> Result<Option<String>, ApiError> {
        let Some(token) = cookie(&parts.headers, self.refresh) else { return Ok(None) };
        if self.is_ours(parts) {
            Ok(Some(token))
        } else {
            Err(Error::Forbidden(
                "the header Origin must name this server: only its own pages renew or end a session \
                                  by its cookie",
            )
            .into())
        }
    }

    /// Whether the request says that it comes from a page of this server: under its public URL, or under the name by
    /// which it was asked.
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

/// The cookie by which a browser is known again.
pub fn device_of(headers: &HeaderMap) -> Option<String> {
    sent_cookie(headers, DEVICE).map(|(_, value)| value)
}

/// The state that the browser took along to the wiki's provider.
pub fn wiki_of(headers: &HeaderMap) -> Option<String> {
    sent_cookie(headers, WIKI).map(|(_, value)| value)
}

/// What the browser has kept for the sign-in of this state.
pub fn oidc_of(headers: &HeaderMap, state: &str) -> Option<String> {
    sent_cookie(headers, &oidc_name(state)).map(|(_, value)| value)
}

/// What the browser has kept to sign out at the identity provider.
pub fn hint_of(headers: &HeaderMap) -> Option<String> {
    cookie(headers, HINT)
}

/// The state may be anybody's writing; a name has few characters to choose from.
fn oidc_name(state: &str) -> String {
    let id: String =
        state.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')).take(OIDC_ID).collect();
    format!("{OIDC}{id}")
}

/// The pending link that a browser has stored, sealed.
pub fn link_of(headers: &HeaderMap) -> Option<String> {
    sent_cookie(headers, LINK).map(|(_, value)| value)
}

/// Name and value of a cookie that may have been set over https, under either name.
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
    fn cookies_are_for_our_own_scripts_paths_and_schemes_alone() {
        let plain = text("http://localhost:8420");
        assert!(plain.starts_with("planroom_refresh="), "{plain}");
        for part in ["; HttpOnly", "; SameSite=Strict", "; Path=/api/auth", "; Max-Age=1209600"] {
            assert!(plain.contains(part), "{part} in {plain}");
        }
        assert!(!plain.contains("Secure"), "{plain}");
        let https = text("https://plans.example.org");
        assert!(https.starts_with("__Secure-planroom_refresh=") && https.contains("; Secure"), "{https}");
        assert!(text("https://example.org/plans").contains("; Path=/plans/api/auth"));
        let (_, gone) = CookieRules::new("http://a").forget();
        assert!(gone.to_str().unwrap().contains("Max-Age=0"));
    }

    #[test]
    fn on_https_all_names_have_the_prefix_and_cookies_of_earlier_releases_are_still_read() {
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
        let (_, forgotten) = https.forget_hint(&headers).unwrap();
        assert!(forgotten.to_str().unwrap().starts_with("planroom_id_hint=;"), "{forgotten:?}");
    }

    #[test]
    fn a_page_of_ours_is_known_by_its_origin() {
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
