//! Constraints on the value of each key beyond its type, and their descriptions for error messages.

use std::net::IpAddr;

use ipnet::IpNet;
use toml::Value;
use url::Url;

use crate::settings::{self, Setting};

/// Whether the value of `key` is secret.
pub(super) fn is_secret(key: &str) -> bool {
    key == "identity.oidc.client_secret" || settings::find(key).is_some_and(Setting::is_secret)
}

/// The value as TOML, or a placeholder for a secret.
pub(super) fn shown(key: &str, value: &Value) -> String {
    if is_secret(key) { "\"(hidden)\"".into() } else { value.to_string() }
}

/// The value as JSON. None for types that settings do not have.
pub(super) fn json(value: &Value) -> Option<serde_json::Value> {
    match value {
        Value::String(text) => Some(text.as_str().into()),
        Value::Boolean(flag) => Some((*flag).into()),
        Value::Integer(number) => Some((*number).into()),
        _ => None,
    }
}

/// The constraint on a key.
#[derive(Debug, PartialEq)]
pub(super) enum Rule {
    /// Any value of its type, with this description.
    Type(&'static str),
    /// A non-empty path.
    Path,
    /// An integer in an inclusive range.
    Whole(i64, i64),
    /// Empty or a base URL.
    BaseUrl,
    /// A list of base URLs.
    BaseUrls,
    /// Empty or an API version, which is a date.
    Version,
    /// Empty or the issuer of tokens.
    Issuer,
    /// Empty or a slug.
    Slug,
    /// A list of non-empty strings.
    Texts,
    /// A list of origins.
    Origins,
    /// A list of redirect URIs with an app's own scheme.
    NativeRedirects,
    /// A list of addresses and networks.
    Networks,
    /// The constraint of a setting.
    Setting(&'static Setting),
}

impl Rule {
    /// For the name of a section.
    pub(super) const SECTION: Self = Self::Type("a section: its name in brackets, its keys on the following lines");
    /// For a key without a rule.
    const LIKE_DEFAULT: Self = Self::Type("of the same type as in config.example.toml");

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
            "identity.oidc.name" | "identity.oidc.client_id" | "identity.oidc.client_secret" => Self::Type("a string"),
            "identity.oidc.ca_file" => Self::Type("a path, or empty"),
            key if key.starts_with("identity.oidc.") => Self::Texts,
            key => settings::find(key).map_or(Self::LIKE_DEFAULT, Self::Setting),
        }
    }

    /// Whether a value of the right type satisfies the rule.
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

    /// The allowed values, to follow "it must be".
    pub(super) fn allowed(&self) -> String {
        match self {
            Self::Type(words) => (*words).into(),
            Self::Path => "a non-empty path in UTF-8".into(),
            Self::Setting(setting) => setting.allowed(),
            Self::Whole(min, max) => format!("an integer from {min} to {max}"),
            Self::BaseUrl => {
                "empty, or an http or https URL such as \"https://plans.example.org\": host in lowercase, \
                              no default port, user, query, fragment or trailing slash"
                    .into()
            }
            Self::BaseUrls => {
                "a list of http or https URLs such as [\"https://photos.example.org\"]: host in lowercase, no \
                               default port, user, query, fragment or trailing slash"
                    .into()
            }
            Self::Version => "empty, or a date such as \"2026-03-11\"".into(),
            Self::Issuer => {
                "empty, or the issuer exactly as in its tokens: an http or https URL without user, query and fragment"
                    .into()
            }
            Self::Slug => "empty, or a slug: lowercase letters, digits and single hyphens between them".into(),
            Self::Texts => "a list of non-empty strings without leading or trailing spaces".into(),
            Self::Origins => "a list of origins such as [\"https://maps.example.org\"]: http or https, host in \
                              lowercase, port unless it is the default, and nothing else"
                .into(),
            Self::NativeRedirects => "a list of redirect URIs of apps such as \
                                      [\"cursor://anysphere.cursor-mcp/oauth/callback\"]: the app's own scheme, a \
                                      host, no user, query or fragment"
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

/// Parses an http or https URL. Rejects `*` in the host, which the parser accepts but which is meant as a pattern.
fn web_url(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok().filter(|url| ["http", "https"].contains(&url.scheme()))?;
    url.host_str().is_some_and(|host| !host.contains('*')).then_some(url)
}

/// Whether this is a URL to which paths can be appended. It must be in normalized form, so that links and tokens
/// contain the same text that browsers and clients produce.
fn is_base_url(text: &str) -> bool {
    web_url(text).is_some_and(|url| {
        let bare = url.username().is_empty() && url.password().is_none();
        let written = url.as_str().strip_suffix('/').unwrap_or(url.as_str());
        bare && url.query().is_none() && url.fragment().is_none() && written == text
    })
}

/// Whether this can be the `iss` of tokens. It is compared exactly and therefore not required to be normalized.
fn is_issuer(text: &str) -> bool {
    web_url(text).is_some_and(|url| {
        let bare = url.username().is_empty() && url.password().is_none();
        bare && url.query().is_none() && url.fragment().is_none() && text.trim() == text
    })
}

/// Whether this is a URI that opens an app, rather than a web page or something that browsers run or read themselves.
/// It is compared exactly.
fn is_native_redirect(text: &str) -> bool {
    const RESERVED_SCHEMES: [&str; 12] =
        ["http", "https", "ws", "wss", "ftp", "file", "data", "javascript", "vbscript", "blob", "about", "view-source"];
    Url::parse(text).is_ok_and(|url| {
        let bare = url.username().is_empty() && url.password().is_none();
        let whole = url.host_str().is_some_and(|host| !host.is_empty()) && url.as_str() == text;
        bare && whole && url.query().is_none() && url.fragment().is_none() && !RESERVED_SCHEMES.contains(&url.scheme())
    })
}

fn is_slug(text: &str) -> bool {
    let part = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    text.len() <= 50 && text.split('-').all(part)
}

/// Whether this is an origin as browsers send it. The header is compared byte by byte, so any other spelling would
/// never match.
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
    fn base_urls_are_normalized_and_have_no_trailing_slash() {
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
    fn issuers_and_slugs_are_validated() {
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
    fn native_redirects_only_open_apps() {
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
    fn origins_have_the_format_of_browsers() {
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
