//! The layout of emails: the same paragraphs as plain text and as simple HTML, without images and remote content.

use super::model::Text;

/// The beginning of all emails as HTML.
pub(in crate::domain) const HEAD: &str = "<!doctype html><html lang=\"en\"><body style=\"font-family: sans-serif; font-size: 15px; line-height: 1.5; \
                    max-width: 36em\">\n";

impl Text {
    /// As plain text.
    pub(super) fn plain(&self) -> String {
        let Self { before, link: (label, url), after, instance, .. } = self;
        let link = format!("{label}:\n{url}");
        let paragraphs: Vec<&str> =
            before.iter().map(String::as_str).chain([link.as_str()]).chain(after.iter().map(String::as_str)).collect();
        format!("{}\n\n-- \n{instance}\n", paragraphs.join("\n\n"))
    }

    /// As HTML.
    pub(super) fn html(&self) -> String {
        let Self { before, link: (label, url), after, instance, .. } = self;
        let url = escaped(url);
        // Some mail programs show no links, so the URL is also shown.
        let link = [format!("<a href=\"{url}\">{}</a>", escaped(label)), format!("<small>{url}</small>")];
        let before = before.iter().map(|text| escaped(text));
        let after = after.iter().map(|text| escaped(text));
        let instance = format!("<small>{}</small>", escaped(instance));
        let paragraphs = before.chain(link).chain(after).chain([instance]).map(|text| format!("<p>{text}</p>\n"));
        format!("{HEAD}{}</body></html>\n", paragraphs.collect::<String>())
    }
}

/// Text in HTML, also in attributes.
pub(in crate::domain) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_users_choose_are_not_html() {
        let text = Text {
            subject: String::new(),
            instance: "A & B".into(),
            before: vec!["<img src=x> invites you".into()],
            link: ("Accept", "https://maps.example.org/join#a\"b".into()),
            after: vec!["Bye".into()],
        };
        let html = text.html();
        assert!(html.contains("<p>&lt;img src=x&gt; invites you</p>"), "{html}");
        assert!(html.contains("href=\"https://maps.example.org/join#a&quot;b\""), "{html}");
        assert!(html.contains("<small>A &amp; B</small>"), "{html}");
        assert!(text.plain().contains("Accept:\nhttps://maps.example.org/join#a\"b\n\nBye\n\n-- \nA & B\n"));
    }
}
