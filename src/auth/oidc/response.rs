//! Reads responses of the provider.

use serde::de::DeserializeOwned;
use serde_json::Value;
use url::Url;

use crate::outbound::OutboundResponse;

/// Parses a response body.
pub(super) fn json<T: DeserializeOwned>(body: &[u8]) -> Result<T, String> {
    // The message of the parser may quote the response, including a token, so it is not passed on.
    serde_json::from_slice(body).map_err(|error| format!("unexpected response, at column {}", error.column()))
}

/// Whether the response is signed (`OpenID` Connect Core, section 5.3.2), as some providers do for clients that are
/// registered for it. A signed response contains nothing more than the plain one over the same connection.
pub(super) fn is_signed(answer: &OutboundResponse) -> bool {
    answer.header("content-type").is_some_and(|kind| kind.to_ascii_lowercase().starts_with("application/jwt"))
}

/// Describes a failed response, with the OAuth error if there is one.
pub(super) fn failure_text(url: &Url, answer: &OutboundResponse) -> String {
    let host = url.host_str().unwrap_or_default();
    if answer.status == 200 && is_signed(answer) {
        return format!(
            "{host} responded with a signed JWT; configure this client at the provider for UserInfo in plain JSON"
        );
    }
    let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    let word: String =
        body["error"].as_str().unwrap_or_default().chars().filter(char::is_ascii_graphic).take(60).collect();
    format!("{host} responded {} {word}", answer.status)
}

#[cfg(test)]
mod tests {
    use ureq::http::HeaderMap;

    use super::*;

    #[test]
    fn a_logged_failure_names_host_and_remedy_without_secrets() {
        let url = Url::parse("https://id.example.org/me?code=s3cret").unwrap();
        let answer = |status, kind: &'static str, body: &str| {
            let headers = HeaderMap::from_iter([("content-type".parse().unwrap(), kind.parse().unwrap())]);
            failure_text(&url, &OutboundResponse { status, headers, body: body.into() })
        };
        let json = "application/json";
        assert_eq!(
            answer(401, json, r#"{"error":"invalid_client","error_description":"s3cret"}"#),
            "id.example.org responded 401 invalid_client"
        );
        assert_eq!(answer(500, "text/html", "<html>s3cret"), "id.example.org responded 500 ");
        let signed = answer(200, "application/jwt", "eyJ.s3cret.x");
        assert_eq!(
            signed,
            "id.example.org responded with a signed JWT; configure this client at the provider for UserInfo in plain JSON"
        );
    }
}
