//! The page that tells a user what is wrong when no program can be told: nothing is loaded by it, and nobody frames it.

use axum::{
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use sha2::{Digest, Sha256};

/// The colours of the web client's own pages (`assets/web/src/ui/tokens.css`).
const STYLE: &str = "
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center;
       background: light-dark(#f6f3ea, #0e2035); color: light-dark(#1b2631, #e8eff7); }
main { box-sizing: border-box; width: min(30rem, 100vw); padding: 1.5rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
";

/// `text` is ours alone: nothing of what was sent stands in it, so nothing has to be made harmless.
pub(super) fn page(status: StatusCode, text: &'static str) -> Response {
    let style = BASE64_STANDARD.encode(Sha256::digest(STYLE));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>This program cannot be connected · Planroom</title>\n<style>{STYLE}</style>\n\
         <main>\n<h1>This program cannot be connected</h1>\n<p>{text}</p>\n<p>Nothing was granted.</p>\n</main>\n</html>\n"
    );
    let headers =
        [(header::CONTENT_SECURITY_POLICY, policy), (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned())];
    (status, headers, html).into_response()
}
