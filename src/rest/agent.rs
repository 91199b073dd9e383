//! The kind of client, according to its `User-Agent`.

use axum::http::{HeaderMap, header};

/// Beginnings and parts of user agents, in lowercase, and the kind of client that they stand for. The first match applies.
const KINDS: [(&str, &[&str]); 4] = [
    (
        "probe",
        &["kube-probe", "healthcheck", "health-check", "prometheus", "blackbox", "uptime", "pingdom", "googlehc"],
    ),
    ("bot", &["bot", "crawler", "spider", "slurp"]),
    ("browser", &["mozilla/"]),
    (
        "tool",
        &[
            "curl",
            "wget",
            "python",
            "go-http",
            "node",
            "undici",
            "axios",
            "okhttp",
            "java",
            "ruby",
            "reqwest",
            "ureq",
            "hyper",
            "httpie",
            "postman",
            "insomnia",
            "powershell",
            "planroom",
            "aiohttp",
            "httpx",
            "mcp",
            "claude",
            "cursor",
        ],
    ),
];

/// The kind of client for the log. Clients can send anything, so permissions must not depend on it.
pub(super) fn kind(headers: &HeaderMap) -> &'static str {
    let Some(agent) = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()) else { return "none" };
    let agent = agent.to_ascii_lowercase();
    let found = KINDS.iter().find(|(_, parts)| parts.iter().any(|part| agent.contains(part)));
    found.map_or("other", |(kind, _)| kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_classified() {
        for (agent, expected) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36",
                "browser",
            ),
            ("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)", "bot"),
            ("curl/8.5.0", "tool"),
            ("python-requests/2.32", "tool"),
            ("kube-probe/1.30", "probe"),
            ("Something else", "other"),
        ] {
            let headers = HeaderMap::from_iter([(header::USER_AGENT, agent.parse().unwrap())]);
            assert_eq!(kind(&headers), expected, "{agent}");
        }
        assert_eq!(kind(&HeaderMap::new()), "none");
    }
}
