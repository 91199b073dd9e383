//! The page that shows a user errors that must not be redirected to a client. It loads nothing and cannot be framed.

use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use sha2::{Digest, Sha256};
use url::Url;

/// The colors of the web client (`assets/web/src/ui/tokens.css`).
const STYLE: &str = "
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center;
       background: light-dark(#f6f3ea, #0e2035); color: light-dark(#1b2631, #e8eff7); }
main { box-sizing: border-box; width: min(30rem, 100vw); padding: 1.5rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
";

/// A page with a fixed text that contains no part of the request.
pub(super) fn page(status: StatusCode, text: &'static str) -> Response {
    html_page(status, &format!("<p>{text}</p>"))
}

/// A page about an invalid request of a client that no user has authorized, with a link to the client.
pub(super) fn page_with_link(status: StatusCode, text: &'static str, address: &str) -> Response {
    let named = Url::parse(address).ok();
    let host = named.as_ref().and_then(Url::host_str).unwrap_or_default();
    html_page(
        status,
        &format!(
            "<p>The request of the app is not valid: {}.</p>\n<p>No user of this server has authorized this app. Continue \
             only if you trust it: <a rel=\"noreferrer\" href=\"{}\">return to {}</a></p>",
            escaped(text),
            escaped(address),
            escaped(host)
        ),
    )
}

/// Escapes a text for an element or attribute.
fn escaped(text: &str) -> String {
    text.chars().fold(String::new(), |mut escaped, letter| {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter => escaped.push(letter),
        }
        escaped
    })
}

fn html_page(status: StatusCode, content: &str) -> Response {
    let style = BASE64_STANDARD.encode(Sha256::digest(STYLE));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>This app cannot be connected · Planroom</title>\n<style>{STYLE}</style>\n\
         <main>\n<h1>This app cannot be connected</h1>\n{content}\n<p>Nothing was authorized.</p>\n</main>\n</html>\n"
    );
    let headers =
        [(header::CONTENT_SECURITY_POLICY, policy), (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned())];
    (status, headers, html).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_text_is_escaped_in_html() {
        assert_eq!(escaped("<a href='x' id=\"y\">&"), "&lt;a href=&#39;x&#39; id=&quot;y&quot;&gt;&amp;");
        assert_eq!(escaped("https://a.example/cb"), "https://a.example/cb");
    }
}
