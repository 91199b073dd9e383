//! The pages of share links. They work without scripts: an image with a legend.

use axum::{http::StatusCode, response::Response};
use base64::{Engine, prelude::BASE64_STANDARD};
use drawing::CARD_SIZE;

use super::{
    headers::{self, Framing},
    html::escaped,
    pages::Pages,
};
use crate::{
    auth::keys,
    domain::sharing::{model::ShareTheme, opening::SharePage},
};

/// The name of a link whose name is not shown.
pub(super) const NAMELESS: &str = "A shared map";
/// What readers see of a map that the server does not draw.
pub(super) const TOO_LARGE: &str = "This map is too large to be drawn.";
/// The styles of the pages.
const STYLE: &str = include_str!("style.css");

/// A document. `head` and `body` are HTML, `title` is text. `theme` is an attribute, empty for that of the browser.
fn document(nonce: &str, title: &str, theme: &str, head: &str, body: &str) -> String {
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\"{theme}>\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"robots\" content=\"noindex, nofollow\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n{head}<style nonce=\"{nonce}\">{STYLE}</style>\n</head>\n<body>\n{body}</body>\n</html>\n"
    )
}

fn new_nonce() -> String {
    BASE64_STANDARD.encode(keys::random::<16>())
}

/// The page of a link.
pub(super) fn shown(pages: &Pages, token: &str, page: &SharePage, title: &str, framing: Framing<'_>) -> Response {
    let nonce = new_nonce();
    let is_embed = matches!(framing, Framing::Origins(_));
    let path = escaped(&pages.path(token));
    let theme = match page.theme {
        ShareTheme::Auto => "",
        ShareTheme::Light => " data-theme=\"light\"",
        ShareTheme::Dark => " data-theme=\"dark\"",
    };
    let image = |theme: &str| format!("{path}/image.svg?legend=true&amp;theme={theme}");
    let dark = match page.theme {
        ShareTheme::Auto => {
            format!("<source media=\"(prefers-color-scheme: dark)\" srcset=\"{}\">", image("dark"))
        }
        _ => String::new(),
    };
    let own = if page.theme == ShareTheme::Dark { "dark" } else { "light" };
    let name = escaped(title);
    let header = if is_embed { String::new() } else { format!("<header><h1>{name}</h1></header>\n") };
    let footer = if is_embed {
        ""
    } else {
        "<footer>Read-only map, shared with Planroom. It shows the current state.</footer>\n"
    };
    let kind = if is_embed { "embed" } else { "page" };
    let map = if page.is_too_large {
        format!("<p>{TOO_LARGE}</p>")
    } else {
        format!("<picture>{dark}<img src=\"{}\" alt=\"{name}\"></picture>", image(own))
    };
    let body = format!(
        "{header}<main id=\"share\" data-base=\"{path}/\" data-kind=\"{kind}\"{theme}>\n{map}\n</main>\n{footer}"
    );
    let shown_title = if page.shows_title() { title } else { NAMELESS };
    let previews = if is_embed { String::new() } else { previews(pages, token, page, shown_title) };
    let script = pages
        .script
        .as_deref()
        .map_or_else(String::new, |script| format!("<script type=\"module\" src=\"{}\"></script>\n", escaped(script)));
    let head = previews + &script;
    headers::page(StatusCode::OK, &nonce, framing, document(&nonce, shown_title, theme, &head, &body))
}

/// What other sites show of a link.
fn previews(pages: &Pages, token: &str, page: &SharePage, title: &str) -> String {
    let (title, url) = (escaped(title), escaped(&pages.url(token)));
    let (width, height) = CARD_SIZE;
    let picture = if page.shows_picture() {
        format!(
            "<meta property=\"og:image\" content=\"{url}/image.png?card=true\">\n\
             <meta property=\"og:image:width\" content=\"{width}\">\n\
             <meta property=\"og:image:height\" content=\"{height}\">\n\
             <meta name=\"twitter:card\" content=\"summary_large_image\">\n"
        )
    } else {
        "<meta name=\"twitter:card\" content=\"summary\">\n".to_owned()
    };
    let discovery = if page.shows_title() {
        let address = escaped(&pages.oembed_url(token));
        format!("<link rel=\"alternate\" type=\"application/json+oembed\" href=\"{address}\" title=\"{title}\">\n")
    } else {
        String::new()
    };
    format!(
        "<meta property=\"og:type\" content=\"website\">\n<meta property=\"og:title\" content=\"{title}\">\n\
         <meta property=\"og:url\" content=\"{url}\">\n{picture}{discovery}"
    )
}

/// The page of a link whose password was not given yet. `is_wrong` is whether a wrong one was given.
pub(super) fn locked(pages: &Pages, token: &str, status: StatusCode, is_wrong: bool) -> Response {
    let nonce = new_nonce();
    let path = escaped(&pages.path(token));
    let problem =
        if is_wrong { "<p id=\"problem\" role=\"alert\">The password is wrong. Try again.</p>\n" } else { "" };
    let described = if is_wrong { " aria-describedby=\"problem\" aria-invalid=\"true\"" } else { "" };
    let body = format!(
        "<main class=\"card\">\n<h1>{NAMELESS}</h1>\n<p>Enter the password that you received with the link.</p>\n{problem}\
         <form method=\"post\" action=\"{path}/unlock\">\n<label for=\"password\">Password</label>\n\
         <input id=\"password\" name=\"password\" type=\"password\" autocomplete=\"off\" required autofocus{described}>\n\
         <button type=\"submit\">Open map</button>\n</form>\n</main>\n"
    );
    headers::page(status, &nonce, Framing::Nowhere, document(&nonce, NAMELESS, "", "", &body))
}

/// A page with a heading and a few sentences or a form. `body` is HTML.
pub(in crate::web) fn card(status: StatusCode, title: &str, body: &str) -> Response {
    let nonce = new_nonce();
    let body = format!("<main class=\"card\">\n<h1>{}</h1>\n{body}\n</main>\n", escaped(title));
    headers::page(status, &nonce, Framing::Nowhere, document(&nonce, title, "", "", &body))
}

/// The page for all links that do not work.
pub(super) fn not_found() -> Response {
    let text =
        "This link does not exist, or it has expired or been revoked. Ask the person who gave it to you for a new one.";
    card(StatusCode::NOT_FOUND, "Link not available", &format!("<p>{text}</p>"))
}

/// The page for another error.
pub(super) fn failed(status: StatusCode, text: &str) -> Response {
    card(status, "Map not available", &format!("<p>{}</p>", escaped(text)))
}
