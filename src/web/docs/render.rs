//! Renders Markdown as pages with a navigation and a table of contents.

use std::{collections::HashMap, fmt::Write};

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use crate::base_path::BasePath;

/// A Markdown file of the repository.
pub(super) struct Source {
    /// Name in the URL; empty for the first page.
    pub name: &'static str,
    /// Path in the repository, which links are relative to.
    pub file: &'static str,
    /// The content.
    pub text: String,
}

impl Source {
    /// The path of the page, without the prefix of this server.
    fn path(&self) -> String {
        if self.name.is_empty() { "/docs".into() } else { format!("/docs/{}", self.name) }
    }

    /// The first heading.
    fn title(&self) -> &str {
        self.text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or(self.name)
    }
}

/// A heading of a page.
struct Heading {
    level: HeadingLevel,
    id: String,
    text: String,
}

/// The page of a file as HTML, for a server with the prefix `base`.
pub(super) fn page(source: &Source, all: &[Source], base: &BasePath) -> String {
    let (body, headings) = render(source, all, base);
    let title = escape(source.title());
    let mut pages = String::new();
    for one in all {
        let current = if one.name == source.name { " aria-current=\"page\"" } else { "" };
        let _ = write!(pages, "<li><a href=\"{}\"{current}>{}</a></li>", base.join(&one.path()), escape(one.title()));
    }
    let mut contents = String::new();
    for Heading { level, id, text } in headings.iter().filter(|heading| heading.level != HeadingLevel::H1) {
        if matches!(level, HeadingLevel::H2 | HeadingLevel::H3) {
            let _ = write!(contents, "<li class=\"{level}\"><a href=\"#{}\">{}</a></li>", escape(id), escape(text));
        }
    }
    let version = env!("CARGO_PKG_VERSION");
    let base = base.as_str();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} · Planroom documentation</title>\n<link rel=\"icon\" href=\"{base}/icon.svg\">\n\
         <link rel=\"stylesheet\" href=\"{base}/docs/style.css\">\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#main\">Skip to content</a>\n\
         <header><a class=\"home\" href=\"{base}/\">Planroom</a><span>Documentation</span>\
         <span class=\"version\">Version {version}</span></header>\n\
         <div class=\"columns\">\n\
         <nav class=\"pages\" aria-label=\"Documentation\"><ul>{pages}\
         <li><a href=\"{base}/docs/reference/\">API reference</a></li></ul></nav>\n\
         <main id=\"main\">\n{body}</main>\n\
         <nav class=\"contents\" aria-label=\"On this page\"><p>On this page</p><ul>{contents}</ul></nav>\n\
         </div>\n</body>\n</html>\n"
    )
}

/// The content of a file as HTML, and its headings.
fn render(source: &Source, all: &[Source], base: &BasePath) -> (String, Vec<Heading>) {
    let mut events: Vec<Event<'_>> = Parser::new_ext(&source.text, Options::ENABLE_TABLES).collect();
    let headings = add_heading_ids(&mut events);
    let mut is_link = true;
    let events = events.into_iter().filter_map(|event| match event {
        // The files contain no HTML. If one did, it would be text.
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let target = target(&dest_url, source, all, base);
            is_link = target.is_some();
            target.map(|url| Event::Start(Tag::Link { link_type, dest_url: url.into(), title, id }))
        }
        Event::End(TagEnd::Link) => is_link.then_some(Event::End(TagEnd::Link)),
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            let url = target(&dest_url, source, all, base).unwrap_or_default();
            Some(Event::Start(Tag::Image { link_type, dest_url: url.into(), title, id }))
        }
        event => Some(event),
    });
    let mut body = String::new();
    html::push_html(&mut body, events);
    // Wide code and tables scroll, which must be possible by keyboard.
    let body = body
        .replace("<pre>", "<pre tabindex=\"0\">")
        .replace("<table>", "<div class=\"table\" tabindex=\"0\"><table>")
        .replace("</table>", "</table></div>");
    (body, headings)
}

/// Adds the ids that GitHub gives to headings, so that links to them work in both places.
fn add_heading_ids(events: &mut [Event<'_>]) -> Vec<Heading> {
    let mut headings = Vec::new();
    let mut used: HashMap<String, usize> = HashMap::new();
    for at in 0..events.len() {
        let Event::Start(Tag::Heading { level, .. }) = events[at] else { continue };
        let inside = events[at + 1..].iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))));
        let text: String = inside
            .filter_map(|event| match event {
                Event::Text(text) | Event::Code(text) => Some(text.as_ref()),
                _ => None,
            })
            .collect();
        let base = anchor(&text);
        let count = used.entry(base.clone()).or_default();
        let unique = if *count == 0 { base } else { format!("{base}-{count}") };
        *count += 1;
        if let Event::Start(Tag::Heading { id, .. }) = &mut events[at] {
            *id = Some(CowStr::from(unique.clone()));
        }
        headings.push(Heading { level, id: unique, text });
    }
    headings
}

fn anchor(text: &str) -> String {
    let kept = text.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The URL of a link; none if the target is not part of the documentation, such as source code.
fn target(link: &str, source: &Source, all: &[Source], base: &BasePath) -> Option<String> {
    if link.starts_with('#') || link.contains("://") || link.starts_with("mailto:") {
        return Some(link.to_owned());
    }
    let (path, fragment) = link.split_once('#').map_or((link, None), |(path, fragment)| (path, Some(fragment)));
    let mut parts: Vec<&str> = source.file.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            ".." => drop(parts.pop()),
            "." | "" => {}
            part => parts.push(part),
        }
    }
    let file = parts.join("/");
    let url = match all.iter().find(|one| one.file == file) {
        Some(one) => one.path(),
        None if file == "config.example.toml" => "/docs/config.example.toml".into(),
        None if file == "docs/grafana-dashboard.json" => "/docs/grafana-dashboard.json".into(),
        None => format!("/docs/pictures/{}", file.strip_prefix("docs/pictures/")?),
    };
    let url = base.join(&url);
    Some(fragment.map_or(url.clone(), |fragment| format!("{url}#{fragment}")))
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &'static str) -> [Source; 2] {
        let other = "# REST API".to_owned();
        [
            Source { name: "", file: "README.md", text: text.to_owned() },
            Source { name: "api", file: "docs/api.md", text: other },
        ]
    }

    #[test]
    fn links_lead_to_pages_or_are_text() {
        let all = source("");
        for (file, link, url) in [
            (0, "docs/api.md", Some("/docs/api")),
            (0, "docs/api.md#paging", Some("/docs/api#paging")),
            (1, "../README.md", Some("/docs")),
            (1, "#paging", Some("#paging")),
            (1, "../config.example.toml", Some("/docs/config.example.toml")),
            (1, "grafana-dashboard.json", Some("/docs/grafana-dashboard.json")),
            (0, "docs/pictures/map.png", Some("/docs/pictures/map.png")),
            (1, "https://example.org/a.md", Some("https://example.org/a.md")),
            (1, "../src/lib.rs", None),
            (1, "../../../etc/passwd", None),
        ] {
            assert_eq!(target(link, &all[file], &all, &BasePath::of("https://a.org")).as_deref(), url, "{link}");
        }
    }

    #[test]
    fn a_page_has_anchors_a_table_of_contents_and_no_html_of_the_file() {
        let all = source(
            "# A & B\n\n## Lists of `rows`\n\ntext <script>x</script> [code](src/lib.rs)\n\n## Lists of rows\n\n<b>x</b>",
        );
        let html = page(&all[0], &all, &BasePath::of("https://a.org"));
        assert!(html.contains("<h2 id=\"lists-of-rows\">") && html.contains("<h2 id=\"lists-of-rows-1\">"), "{html}");
        assert!(html.contains("<li class=\"h2\"><a href=\"#lists-of-rows\">Lists of rows</a></li>"), "{html}");
        assert!(html.contains("<title>A &amp; B · Planroom documentation</title>"), "{html}");
        assert!(html.contains("<a href=\"/docs\" aria-current=\"page\">") && html.contains("&lt;script&gt;"), "{html}");
        assert!(!html.contains("<script") && !html.contains("<b>") && !html.contains("lib.rs"), "{html}");
    }
}
