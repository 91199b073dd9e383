//! What each key may hold, beyond what its type already says; and the words for it.

use std::net::IpAddr;

use ipnet::IpNet;
use toml::Value;
use url::Url;

use crate::settings::{self, Setting};

/// Whether the value of `key` is never shown.
pub(super) fn is_secret(key: &str) -> bool {
    key == "identity.oidc.client_secret" || settings::find(key).is_some_and(Setting::is_secret)
}

/// The value as TOML, unless it is secret.
pub(super) fn shown(key: &str, value: &Value) -> String {
    if is_secret(key) { "\"(hidden)\"".into() } else { value.to_string() }
}

/// The value as JSON, if it is of a type that a setting may have.
pub(super) fn json(value: &Value) -> Option<serde_json::Value> {
    match value {
        Value::String(text) => Some(text.as_str().into()),
        Value::Boolean(flag) => Some((*flag).into()),
        Value::Integer(number) => Some((*number).into()),
        _ => None,
    }
}

/// What a key may hold.
#[derive(Debug, PartialEq)]
pub(super) enum Rule {
    /// Whatever its type takes; in these words.
    Type(&'static str),
    /// A path that is not empty.
    Path,
    /// A whole number from the first to the second.
    Whole(i64, i64),
    /// A base URL, or nothing.
    BaseUrl,
    /// A list of base URLs.
    BaseUrls,
    /// The date of an interface, or nothing.
    Version,
    /// The issuer of tokens, or nothing.
    Issuer,
    /// A slug, or nothing.
    Slug,
    /// A list of texts that are not empty.
    Texts,
    /// A list of origins.
    Origins,
    /// A list of redirect addresses with a scheme of an app's own.
    NativeRedirects,
    /// A list of addresses and networks.
    Networks,
    /// What a setting may hold.
    Setting(&'static Setting),
}

impl Rule {
    /// For the name of a section.
    pub(super) const SECTION: Self = Self::Type("a section: its name in brackets, its keys on the lines below");
    /// For a key that has no rule of its own.
    const LIKE_DEFAULT: Self = Self::Type("of the type that it has in config.example.toml");

    /// The rule for `key`.
    pub(super) fn of(key: &str) -> Self {
        match key {
            "data_dir" => Self::Path,
            "listen" => Self::Type("an IP address and a port, such as \"127.0.0.1:8420\" or \"[::]:8420\""),
            "public_url" | "outbound.wiki_url" => Self::BaseUrl,
            "log.format" => Self::Type("\"text\" or \"json\""),
            "log.level" => Self::Type("\"error\", \"warn\", \"info\", \"debug\" or \"trace\""),
            "limits.body_bytes" | "limits.bulk_body_bytes" => Self::Whole(1 << 10, 1 << 30),
            "limits.request_seconds" | "limits.idle_seconds" => Self::Whole(1, 3600),
            "limits.in_flight_mib" => Self::Whole(0, 65_536),
            "limits.connections" | "limits.connections_per_address" => Self::Whole(1, 100_000),
            key if key.starts_with("quotas.") => Self::Whole(0, 1_000_000_000),
            "session.token_minutes" => Self::Whole(1, 60),
            "database.readers" | "database.heavy_readers" => Self::Whole(1, 64),
            "database.cache_mib" => Self::Whole(0, 65_536),
            "database.max_size_mib" => Self::Whole(0, u32::MAX.into()),
            "cors.origins" => Self::Origins,
            "proxies.trusted" => Self::Networks,
            "outbound.allow_private"
            | "identity.oidc.sso_only"
            | "identity.oidc.sign_out"
            | "identity.oidc.allow_private" => Self::Type("true or false"),
            "outbound.picture_urls" => Self::BaseUrls,
            "oauth.native_redirects" => Self::NativeRedirects,
            "outbound.wiki_version" => Self::Version,
            "outbound.wiki_requests_per_second" => Self::Whole(1, 1000),
            "identity.oidc.issuer" => Self::Issuer,
            "identity.oidc.session_hours" => Self::Whole(1, 2160),
            "identity.oidc.default_org" => Self::Slug,
            "identity.oidc.name" | "identity.oidc.client_id" | "identity.oidc.client_secret" => Self::Type("a text"),
            "identity.oidc.ca_file" => Self::Type("a path, or empty"),
            key if key.starts_with("identity.oidc.") => Self::Texts,
            key => settings::find(key).map_or(Self::LIKE_DEFAULT, Self::Setting),
        }
    }

    /// Whether a value of the right type keeps to the rule.
    pub(super) fn admits(&self, value: &Value) -> bool {
        match self {
            Self::Type(_) => true,
            Self::Path => value.as_str().is_some_and(|text| !text.is_empty()),
            Self::Setting(setting) => json(value).is_some_and(|value| setting.admits(&value)),
            Self::Whole(min, max) => value.as_integer().is_some_and(|number| (*min..=*max).contains(&number)),
            Self::BaseUrl => value.as_str().is_some_and(|text| text.is_empty() || is_base_url(text)),
            Self::Version => value.as_str().is_some_and(|text| {
                text.len() <= 20 && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.'))
            }),
            Self::BaseUrls => is_list(value, is_base_url),
            Self::Issuer => value.as_str().is_some_and(|text| text.is_empty() || is_issuer(text)),
            Self::Slug => value.as_str().is_some_and(|text| text.is_empty() || is_slug(text)),
            Self::Texts => is_list(value, |text| !text.trim().is_empty() && text.trim() == text),
            Self::Origins => is_list(value, is_origin),
            Self::NativeRedirects => is_list(value, is_native_redirect),
            Self::Networks => is_list(value, |text| network(text).is_some()),
        }
    }

    /// What the value must be: the end of a sentence.
    pub(super) fn allowed(&self) -> String {
        match self {
            Self::Type(words) => (*words).into(),
            Self::Path => "a path, in UTF-8 and not empty".into(),
            Self::Setting(setting) => setting.allowed(),
            Self::Whole(min, max) => format!("a whole number from {min} to {max}"),
            Self::BaseUrl => {
                "empty, or an http or https URL such as \"https://plans.example.org\": host in lower case, \
                              no default port, user, query, fragment or slash at the end"
                    .into()
            }
            Self::BaseUrls => {
                "a list of http or https URLs such as [\"https://photos.example.org\"]: host in lower case, no \
                               default port, user, query, fragment or slash at the end"
                    .into()
            }
            Self::Version => "empty, or a date such as \"2026-03-11\"".into(),
            Self::Issuer => {
                "empty, or the issuer exactly as its tokens name it: an http or https URL without user, query and fragment"
                    .into()
            }
            Self::Slug => "empty, or a slug: lower-case letters, digits and single dashes between them".into(),
            Self::Texts => "a list of texts, none of them empty or with white space at its ends".into(),
            Self::Origins => "a list of origins such as [\"https://maps.example.org\"]: http or https, host in lower \
                              case, port unless it is the default, and nothing else"
                .into(),
            Self::NativeRedirects => "a list of redirect addresses of apps such as \
                                      [\"cursor://anysphere.cursor-mcp/oauth/callback\"]: a scheme of the app's own, a host, \
                                      no user, query or fragment"
                .into(),
            Self::Networks => "a list of IP addresses and networks such as [\"127.0.0.1\", \"10.0.0.0/8\"]".into(),
        }
    }
}

fn is_list(value: &Value, of: impl Fn(&str) -> bool) -> bool {
    value.as_array().is_some_and(|all| all.iter().all(|one| one.as_str().is_some_and(&of)))
}

/// Parses an address or a network.
pub(super) fn network(text: &str) -> Option<IpNet> {
    text.parse().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
}

/// Parses an http or https URL. The parser takes `*` for part of a name; whoever writes it means a pattern.
fn web_url(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok().filter(|url| ["http", "https"].contains(&url.scheme()))?;
    url.host_str().is_some_and(|host| !host.contains('*')).then_some(url)
}

/// Whether it is a URL to which paths can be appended. It must be spelled the way the parser would write it: what we
/// put into links and tokens is then the same text that browsers and clients arrive at.
fn is_base_url(text: &str) -> bool {
    web_url(text).is_some_and(|url| {
        let bare = url.username().is_empty() && url.password().is_none();
        let written = url.as_str().strip_suffix('/').unwrap_or(url.as_str());
        bare && url.query().is_none() && url.fragment().is_none() && written == text
    })
}

/// Whether it can be the `iss` of tokens. It is compared as it is, so how it is spelled is the provider's affair.
fn is_issuer(text: &str) -> bool {
    web_url(text).is_some_and(|url| {
        let bare = url.username().is_empty() && url.password().is_none();
        bare && url.query().is_none() && url.fragment().is_none() && text.trim() == text
    })
}

/// Whether it is an address that opens an app: not one of the web, nor of what a browser runs or reads by itself. It is
/// compared as it is.
fn is_native_redirect(text: &str) -> bool {
    const BROWSERS_OWN: [&str; 12] =
        ["http", "https", "ws", "wss", "ftp", "file", "data", "javascript", "vbscript", "blob", "about", "view-source"];
    Url::parse(text).is_ok_and(|url| {
        let bare = url.username().is_empty() && url.password().is_none();
        let whole = url.host_str().is_some_and(|host| !host.is_empty()) && url.as_str() == text;
        bare && whole && url.query().is_none() && url.fragment().is_none() && !BROWSERS_OWN.contains(&url.scheme())
    })
}

fn is_slug(text: &str) -> bool {
    let part = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    text.len() <= 50 && text.split('-').all(part)
}

/// Whether it is an origin as browsers send it: the header is compared byte by byte, so another spelling would silently
/// allow nobody.
fn is_origin(text: &str) -> bool {
    web_url(text).is_some_and(|url| url.origin().ascii_serialization() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_rule() {
        for entry in crate::config::layers::Layers::defaults().unwrap().entries() {
            assert_ne!(Rule::of(&entry.key), Rule::LIKE_DEFAULT, "{}", entry.key);
        }
    }

    #[test]
    fn secrets_are_hidden() {
        let value = Value::from("s3cret");
        assert_eq!(shown("wiki.client_secret", &value), r#""(hidden)""#);
        assert_eq!(shown("wiki.client_id", &value), r#""s3cret""#);
    }

    #[test]
    fn base_urls_have_no_end_of_their_own() {
        for good in ["https://plans.example.org", "http://localhost:8420", "http://[::1]:8420", "https://a.org/plans"] {
            assert!(is_base_url(good), "{good}");
        }
        for bad in [
            "plans.example.org",
            "ftp://a.org",
            "https://",
            "https://a.org/",
            "https://a.org/plans/",
            "https://a.org//",
            "https://a.org?",
            "https://a.org/#",
            "https://me@a.org",
            "https://:pw@a.org",
            "https://A.org",
            "https://a.org:443",
            " https://a.org",
        ] {
            assert!(!is_base_url(bad), "{bad}");
        }
    }

    #[test]
    fn issuers_and_slugs_are_what_they_are_elsewhere() {
        for good in ["https://accounts.example.org", "https://a.org/", "http://localhost:8080/realms/acme"] {
            assert!(is_issuer(good), "{good}");
        }
        for bad in ["a.org", "https://a.org?x", "https://a.org/#x", "https://me@a.org", " https://a.org", "ftp://a.org"]
        {
            assert!(!is_issuer(bad), "{bad}");
        }
        assert!(is_slug("acme-2") && !is_slug("-acme") && !is_slug("Acme") && !is_slug("a--b"));
    }

    #[test]
    fn native_redirects_open_an_app_and_nothing_else() {
        assert!(is_native_redirect("cursor://anysphere.cursor-mcp/oauth/callback"));
        assert!(is_native_redirect("vscode-insiders://publisher.extension/callback"));
        for bad in [
            "https://a.org/cb",
            "http://localhost/cb",
            "javascript:alert(1)",
            "javascript://a.org/%0aalert(1)",
            "data:text/html,x",
            "file:///etc/passwd",
            "cursor:",
            "cursor://",
            "cursor://me@a/cb",
            "cursor://a/cb?x=1",
            "cursor://a/cb#x",
            " cursor://a/cb",
            "CURSOR://a/cb",
            "*",
            "",
        ] {
            assert!(!is_native_redirect(bad), "{bad}");
        }
    }

    #[test]
    fn origins_are_spelled_as_browsers_do() {
        for good in
            ["https://maps.example.org", "http://localhost:3000", "http://[::1]:3000", "https://xn--bcher-kva.de"]
        {
            assert!(is_origin(good), "{good}");
        }
        for bad in [
            "*",
            "null",
            "",
            "maps.example.org",
            "file://a",
            "https://a.org/",
            "https://a.org/maps",
            "https://a.org?q",
            "https://me@a.org",
            "https://A.org",
            "https://a.org:443",
            "https://*.a.org",
            "https://bücher.de",
        ] {
            assert!(!is_origin(bad), "{bad}");
        }
    }
}
