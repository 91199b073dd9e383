//! Constraints on the value of each key beyond its type, and their descriptions for error messages.

mod urls;

use std::net::{IpAddr, SocketAddr};

use ipnet::IpNet;
use lettre::message::Mailbox;
use toml::Value;
use url::Host;

use self::urls::{is_base_url, is_issuer, is_native_redirect, is_origin, is_public_url};
use crate::settings::{self, Setting};

/// Whether the value of `key` is secret.
pub(super) fn is_secret(key: &str) -> bool {
    ["backup.passphrase", "identity.oidc.client_secret", "mail.password", "metrics.token"].contains(&key)
        || settings::find(key).is_some_and(Setting::is_secret)
}

/// The value as TOML, or a placeholder for a secret that is not empty.
pub(super) fn shown(key: &str, value: &Value) -> String {
    if is_secret(key) && value.as_str() != Some("") { "\"(hidden)\"".into() } else { value.to_string() }
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
    /// Empty or a URL, whose path can be below that of other services.
    PublicUrl,
    /// Empty or a base URL.
    BaseUrl,
    /// A list of base URLs.
    BaseUrls,
    /// Empty or an address and a port.
    Address,
    /// Empty or a bearer token.
    Token,
    /// Empty or an API version, which is a date.
    Version,
    /// Empty or the issuer of tokens.
    Issuer,
    /// Empty or a slug.
    Slug,
    /// Empty or a host name or IP address.
    Host,
    /// Empty or an email address, optionally with a name.
    Mailbox,
    /// A list of non-empty strings.
    Texts,
    /// A list of origins.
    Origins,
    /// A list of redirect URIs with an app's own scheme.
    NativeRedirects,
    /// A list of addresses and networks.
    Networks,
    /// Empty or a time of the day.
    Time,
    /// Empty or a new passphrase.
    Passphrase,
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
            "public_url" => Self::PublicUrl,
            "outbound.wiki_url" => Self::BaseUrl,
            "log.format" => Self::Type("\"text\" or \"json\""),
            "log.level" => Self::Type("\"error\", \"warn\", \"info\", \"debug\" or \"trace\""),
            "metrics.listen" => Self::Address,
            "metrics.token" => Self::Token,
            "limits.body_bytes" | "limits.bulk_body_bytes" => Self::Whole(1 << 10, 1 << 30),
            "limits.request_seconds" | "limits.idle_seconds" => Self::Whole(1, 3600),
            "limits.in_flight_mib" => Self::Whole(0, 65_536),
            "limits.connections" | "limits.connections_per_address" => Self::Whole(1, 100_000),
            key if key.starts_with("quotas.") => Self::Whole(0, 1_000_000_000),
            "session.token_minutes" | "outbound.webhook_timeout_seconds" => Self::Whole(1, 60),
            "database.readers" | "database.heavy_readers" => Self::Whole(1, 64),
            "database.cache_mib" => Self::Whole(0, 65_536),
            "database.max_size_mib" => Self::Whole(0, u32::MAX.into()),
            "backup.daily" => Self::Time,
            "backup.directory" | "identity.oidc.ca_file" | "mail.ca_file" | "tls.certificate" | "tls.key" => {
                Self::Type("a path, or empty")
            }
            "backup.keep_daily" | "outbound.wiki_requests_per_second" => Self::Whole(1, 1000),
            "backup.keep_weekly" | "backup.keep_monthly" => Self::Whole(0, 1000),
            "backup.passphrase" => Self::Passphrase,
            "backup.command" | "pictures.fonts" => Self::Texts,
            "cors.origins" => Self::Origins,
            "proxies.trusted" => Self::Networks,
            "outbound.allow_private"
            | "identity.oidc.sso_only"
            | "identity.oidc.sign_out"
            | "identity.oidc.allow_private" => Self::Type("true or false"),
            "mail.host" => Self::Host,
            "mail.port" => Self::Whole(1, 65_535),
            "mail.tls" => Self::Type("\"starttls\", \"implicit\" or \"none\""),
            "mail.from" => Self::Mailbox,
            "mail.timeout_seconds" => Self::Whole(1, 120),
            "outbound.picture_urls" | "outbound.webhook_urls" => Self::BaseUrls,
            "oauth.native_redirects" => Self::NativeRedirects,
            "outbound.wiki_version" => Self::Version,
            "identity.oidc.issuer" => Self::Issuer,
            "identity.oidc.session_hours" => Self::Whole(1, 2160),
            "identity.oidc.default_org" => Self::Slug,
            "identity.oidc.name"
            | "identity.oidc.client_id"
            | "identity.oidc.client_secret"
            | "mail.user"
            | "mail.password" => Self::Type("a string"),
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
            Self::PublicUrl => value.as_str().is_some_and(|text| text.is_empty() || is_public_url(text)),
            Self::BaseUrl => value.as_str().is_some_and(|text| text.is_empty() || is_base_url(text)),
            Self::Address => value.as_str().is_some_and(|text| text.is_empty() || text.parse::<SocketAddr>().is_ok()),
            Self::Token => value.as_str().is_some_and(|text| text.is_empty() || is_token(text)),
            Self::Version => value.as_str().is_some_and(|text| {
                text.len() <= 20 && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.'))
            }),
            Self::BaseUrls => is_list(value, is_base_url),
            Self::Issuer => value.as_str().is_some_and(|text| text.is_empty() || is_issuer(text)),
            Self::Slug => value.as_str().is_some_and(|text| text.is_empty() || is_slug(text)),
            Self::Host => value.as_str().is_some_and(|text| text.is_empty() || is_host(text)),
            Self::Mailbox => value.as_str().is_some_and(|text| text.is_empty() || text.parse::<Mailbox>().is_ok()),
            Self::Texts => is_list(value, |text| !text.trim().is_empty() && text.trim() == text),
            Self::Origins => is_list(value, is_origin),
            Self::NativeRedirects => is_list(value, is_native_redirect),
            Self::Networks => is_list(value, |text| network(text).is_some()),
            Self::Time => value.as_str().is_some_and(|text| text.is_empty() || minute_of_day(text).is_some()),
            Self::Passphrase => value.as_str().is_some_and(|text| text.is_empty() || text.chars().count() >= 12),
        }
    }

    /// The allowed values, to follow "it must be".
    pub(super) fn allowed(&self) -> String {
        match self {
            Self::Type(words) => (*words).into(),
            Self::Path => "a non-empty path in UTF-8".into(),
            Self::Setting(setting) => setting.allowed(),
            Self::Whole(min, max) => format!("an integer from {min} to {max}"),
            Self::PublicUrl => "empty, or an http or https URL such as \"https://plans.example.org\" or \
                                \"https://example.org/plans\": host in lowercase, no default port, user, query, fragment or \
                                trailing slash, and a path of letters, digits, `-`, `_` and `.` that does not begin with a \
                                path of Planroom itself, such as /api, /docs or /o"
                .into(),
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
            Self::Address => "empty, or an IP address and a port, such as \"127.0.0.1:9420\" or \"[::1]:9420\"".into(),
            Self::Token => "empty, or 16 to 500 visible ASCII characters without spaces".into(),
            Self::Version => "empty, or a date such as \"2026-03-11\"".into(),
            Self::Issuer => {
                "empty, or the issuer exactly as in its tokens: an http or https URL without user, query and fragment"
                    .into()
            }
            Self::Slug => "empty, or a slug: lowercase letters, digits and single hyphens between them".into(),
            Self::Host => "empty, or a host name or IP address such as \"mail.example.org\", without a port".into(),
            Self::Mailbox => {
                "empty, or an address such as \"planroom@example.org\" or \"Planroom <planroom@example.org>\"".into()
            }
            Self::Texts => "a list of non-empty strings without leading or trailing spaces".into(),
            Self::Origins => "a list of origins such as [\"https://maps.example.org\"]: http or https, host in \
                              lowercase, port unless it is the default, and nothing else"
                .into(),
            Self::NativeRedirects => "a list of redirect URIs of apps such as \
                                      [\"cursor://anysphere.cursor-mcp/oauth/callback\"]: the app's own scheme, a \
                                      host, no user, query or fragment"
                .into(),
            Self::Time => "empty, or a time of the day in UTC such as \"03:15\"".into(),
            Self::Passphrase => "empty, or at least 12 characters".into(),
            Self::Networks => "a list of IP addresses and networks such as [\"127.0.0.1\", \"10.0.0.0/8\"]".into(),
        }
    }
}

fn is_list(value: &Value, of: impl Fn(&str) -> bool) -> bool {
    value.as_array().is_some_and(|all| all.iter().all(|one| one.as_str().is_some_and(&of)))
}

/// Parses a time of the day such as `03:15`, in minutes since midnight.
pub(super) fn minute_of_day(text: &str) -> Option<u16> {
    let (hours, minutes) = text.split_once(':')?;
    let number = |digits: &str, end: u16| {
        let is_valid = digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_digit());
        digits.parse::<u16>().ok().filter(|number| is_valid && *number < end)
    };
    Some(number(hours, 24)? * 60 + number(minutes, 60)?)
}

/// Parses an address or a network.
pub(super) fn network(text: &str) -> Option<IpNet> {
    text.parse().ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
}

/// Whether this can be sent as a bearer token, and cannot be guessed by trying.
fn is_token(text: &str) -> bool {
    (16..=500).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

fn is_host(text: &str) -> bool {
    text.parse::<IpAddr>().is_ok()
        || !text.contains(':') && Host::parse(text).is_ok_and(|host| host.to_string() == text)
}

fn is_slug(text: &str) -> bool {
    let part = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    text.len() <= 50 && text.split('-').all(part)
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
    fn times_of_the_day_have_four_digits() {
        assert_eq!([minute_of_day("00:00"), minute_of_day("23:59")], [Some(0), Some(1439)]);
        for bad in ["24:00", "3:15", "03:60", "03:5", "0315", "+3:15", "03:15:00"] {
            assert_eq!(minute_of_day(bad), None, "{bad}");
        }
    }

    #[test]
    fn secrets_are_hidden() {
        let value = Value::from("s3cret");
        assert_eq!(shown("wiki.client_secret", &value), r#""(hidden)""#);
        assert_eq!(shown("wiki.client_id", &value), r#""s3cret""#);
    }

    #[test]
    fn slugs_are_validated() {
        assert!(is_slug("acme-2") && !is_slug("-acme") && !is_slug("Acme") && !is_slug("a--b"));
    }
}
