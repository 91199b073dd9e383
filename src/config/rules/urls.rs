//! URLs in the configuration.

use url::Url;

/// Parses an http or https URL. Rejects `*` in the host, which the parser accepts but which is meant as a pattern.
fn web_url(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok().filter(|url| ["http", "https"].contains(&url.scheme()))?;
    url.host_str().is_some_and(|host| !host.contains('*')).then_some(url)
}

/// Whether this is a URL to which paths can be appended. It must be in normalized form, so that links and tokens
/// contain the same text that browsers and clients produce.
pub(super) fn is_base_url(text: &str) -> bool {
    web_url(text).is_some_and(|url| {
        let bare = url.username().is_empty() && url.password().is_none();
        let written = url.as_str().strip_suffix('/').unwrap_or(url.as_str());
        bare && url.query().is_none() && url.fragment().is_none() && written == text
    })
}

/// First segments of the server's own paths. If one of them were the prefix of all, it would be unknown whether a proxy has
/// removed the prefix from a request.
const OWN_SEGMENTS: [&str; 22] = [
    "account",
    "admin",
    "api",
    "assets",
    "confirm-email",
    "consent",
    "docs",
    "forgot-password",
    "healthz",
    "icon.svg",
    "join",
    "link-account",
    "mcp",
    "metrics",
    "o",
    "oauth",
    "openapi.json",
    "readyz",
    "reset-password",
    "setup",
    "sign-in",
    "signed-in",
];
/// Maximum length of the path of the public URL, which is a part of all links.
const MAX_PATH_BYTES: usize = 100;

/// Whether this server can be reached at this URL.
pub(super) fn is_public_url(text: &str) -> bool {
    let is_plain = |segment: &str| {
        let allowed = segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
        allowed && !segment.is_empty() && !segment.starts_with('.')
    };
    is_base_url(text)
        && web_url(text).is_some_and(|url| {
            let mut segments = url.path().trim_matches('/').split('/');
            let is_root = url.path() == "/";
            let is_own = segments.clone().next().is_some_and(|first| OWN_SEGMENTS.contains(&first));
            is_root || (!is_own && segments.all(is_plain) && url.path().len() <= MAX_PATH_BYTES)
        })
}

/// Whether this can be the `iss` of tokens. It is compared exactly and therefore not required to be normalized.
pub(super) fn is_issuer(text: &str) -> bool {
    web_url(text).is_some_and(|url| {
        let bare = url.username().is_empty() && url.password().is_none();
        bare && url.query().is_none() && url.fragment().is_none() && text.trim() == text
    })
}

/// Whether this is a URI that opens an app, rather than a web page or something that browsers run or read themselves.
/// It is compared exactly.
pub(super) fn is_native_redirect(text: &str) -> bool {
    const RESERVED_SCHEMES: [&str; 12] =
        ["http", "https", "ws", "wss", "ftp", "file", "data", "javascript", "vbscript", "blob", "about", "view-source"];
    Url::parse(text).is_ok_and(|url| {
        let bare = url.username().is_empty() && url.password().is_none();
        let whole = url.host_str().is_some_and(|host| !host.is_empty()) && url.as_str() == text;
        bare && whole && url.query().is_none() && url.fragment().is_none() && !RESERVED_SCHEMES.contains(&url.scheme())
    })
}

/// Whether this is an origin as browsers send it. The header is compared byte by byte, so any other spelling would
/// never match.
pub(super) fn is_origin(text: &str) -> bool {
    web_url(text).is_some_and(|url| url.origin().ascii_serialization() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn issuers_are_validated() {
        for good in ["https://accounts.example.org", "https://a.org/", "http://localhost:8080/realms/acme"] {
            assert!(is_issuer(good), "{good}");
        }
        for bad in ["a.org", "https://a.org?x", "https://a.org/#x", "https://me@a.org", " https://a.org", "ftp://a.org"]
        {
            assert!(!is_issuer(bad), "{bad}");
        }
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

    #[test]
    fn pages_of_the_web_client_are_no_prefixes() {
        let routes = include_str!("../../../assets/web/src/app/Routes.tsx");
        let paths = routes.split("path=\"/").skip(1).filter_map(|rest| rest.split(['/', '"']).next());
        let first: Vec<&str> = paths.filter(|first| !first.is_empty()).collect();
        assert!(first.len() > 10, "{first:?}");
        for first in first {
            assert!(OWN_SEGMENTS.contains(&first), "{first}");
        }
    }
}
