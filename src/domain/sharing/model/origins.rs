//! Origins whose pages may embed a share link.

use psl::Psl;
use serde::{Deserialize, Deserializer, Serialize};
use url::{Host, Url};

use crate::error::{Problem, reject};

/// Maximum length in bytes.
const MAX_BYTES: usize = 253 + 14;

/// An https origin, as in `https://wiki.example.org:8443`, or all subdomains of a host, as in `https://*.example.org`.
/// Contains nothing that has a meaning in a content security policy.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct EmbedOrigin(String);

impl EmbedOrigin {
    /// Checks an origin and writes it as browsers do. A slash at its end is accepted.
    pub fn new(text: &str) -> Result<Self, Problem> {
        let problem = || {
            let text =
                "must be an https origin without a path, as in https://wiki.example.org or https://*.example.org";
            Problem::from(text)
        };
        let text = text.trim().trim_end_matches('/').to_ascii_lowercase();
        let host = text.strip_prefix("https://").filter(|host| host.len() <= MAX_BYTES).ok_or_else(problem)?;
        let (prefix, exact) = host.strip_prefix("*.").map_or(("", host), |rest| ("*.", rest));
        let is_plain = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '.' | '-' | ':');
        let url = Url::parse(&format!("https://{exact}")).ok().filter(|_| exact.chars().all(is_plain));
        let url = url.ok_or_else(problem)?;
        // Addresses have no subdomains, and browsers write `1.2` as an address.
        if !prefix.is_empty() && !matches!(url.host(), Some(Host::Domain(_))) {
            return Err(problem());
        }
        let origin = url.origin().ascii_serialization();
        let written = origin.strip_prefix("https://").unwrap_or_default();
        let labels = url.host_str().unwrap_or_default();
        // A dot at the end is the root of all names.
        if written.is_empty() || labels.strip_suffix('.').unwrap_or(labels).split('.').any(str::is_empty) {
            return Err(problem());
        }
        if !prefix.is_empty() && is_public_suffix(labels) {
            let text = format!(
                "must not match all sites under `{exact}`, where anyone can register one; name your own domain"
            );
            return Err(text.into());
        }
        Ok(Self(format!("https://{prefix}{written}")))
    }

    /// The origin as a source in a content security policy.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Whether a host is a public suffix, such as `com`, `co.uk` or `github.io`, under which anyone can register names, or all names
/// directly under it are, as with `compute.amazonaws.com`.
fn is_public_suffix(host: &str) -> bool {
    let host = host.trim_end_matches('.');
    let reaches = |name: &str| psl::List.suffix(name.as_bytes()).map_or(usize::MAX, |suffix| suffix.as_bytes().len());
    reaches(host) >= host.len() || reaches(&format!("a.b.{host}")) > host.len()
}

impl<'de> Deserialize<'de> for EmbedOrigin {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(&String::deserialize(deserializer)?).map_err(reject)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_origins_can_embed() {
        let written = |text: &str| EmbedOrigin::new(text).map(|origin| origin.0).ok();
        for (given, kept) in [
            ("https://wiki.example.org", "https://wiki.example.org"),
            ("HTTPS://Wiki.Example.ORG/", "https://wiki.example.org"),
            ("https://wiki.example.org:443", "https://wiki.example.org"),
            ("https://wiki.example.org:8443", "https://wiki.example.org:8443"),
            ("https://*.example.org", "https://*.example.org"),
            ("https://192.0.2.1", "https://192.0.2.1"),
        ] {
            assert_eq!(written(given).as_deref(), Some(kept), "{given}");
        }
        for wrong in [
            "",
            "*",
            "https://",
            "https://*",
            "https://*.org",
            "http://wiki.example.org",
            "https://wiki.example.org/page",
            "https://a.example; script-src *",
            "https://a.example 'self'",
            "https://a.example,b.example",
            "https://user@a.example",
            "https://a.example?x",
            "https://a.*.example",
            "https://*.1.2",
            "https://*.192.0.2.1",
            "https://*.0x7f.1",
            "https://..com",
            "https://*..com",
            "https://*..github.io",
            "https://a..example",
            "https://*.co.uk..",
            "javascript:alert(1)",
        ] {
            assert_eq!(written(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn wildcards_under_public_suffixes_are_rejected() {
        for suffix in
            ["com", "co.uk", "github.io", "s3.amazonaws.com", "foo.kawasaki.jp", "xn--p1ai", "CO.UK.", "github.io:8443"]
                .into_iter()
                .chain([
                    "kawasaki.jp",
                    "compute.amazonaws.com",
                    "r.appspot.com",
                    "platformsh.site",
                    "Kawasaki.JP.:8443",
                ])
        {
            let error = EmbedOrigin::new(&format!("https://*.{suffix}")).unwrap_err().to_string();
            assert!(error.contains("where anyone can register one"), "{suffix}: {error}");
        }
        for own in [
            "https://*.example.co.uk",
            "https://*.acme.github.io",
            "https://*.wiki.internal",
            "https://*.city.kawasaki.jp",
            "https://co.uk",
            "https://acme.github.io",
        ] {
            assert_eq!(EmbedOrigin::new(own).unwrap().as_str(), own);
        }
    }
}
