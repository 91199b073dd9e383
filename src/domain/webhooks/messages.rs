//! What is known about an event, and messages about it for people, in the formats of Slack and Microsoft Teams.

use serde_json::{Value, json};

use crate::domain::core::Workspace;

/// What happened, as far as it can be reported.
pub(super) struct Report {
    /// Data of the event.
    pub data: Value,
    pub message: Message,
}

/// A workspace in the data of an event.
pub(super) fn named(workspace: &Workspace, link: &str) -> Value {
    json!({ "id": workspace.id, "name": workspace.name, "url": link })
}

/// A message about an event.
#[derive(Debug)]
pub(super) struct Message {
    pub title: String,
    pub lines: Vec<String>,
    /// Label and URL of the link.
    pub link: Option<(&'static str, String)>,
}

impl Message {
    /// For an incoming webhook of Slack. Names are in blocks of plain text, in which they cannot mention or format.
    pub(super) fn slack(&self) -> Value {
        /// Maximum length of the text of a block, in characters.
        const MAX_TEXT: usize = 2_900;
        let plain = |text: &str| {
            let text: String = text.chars().take(MAX_TEXT).collect();
            json!({ "type": "section", "text": { "type": "plain_text", "text": text, "emoji": false } })
        };
        let mut blocks = vec![plain(&self.title)];
        if !self.lines.is_empty() {
            blocks.push(plain(&self.lines.join("\n")));
        }
        if let Some((label, url)) = &self.link {
            let text = format!("<{}|{label}>", escaped(url).replace('|', "%7C"));
            blocks.push(json!({ "type": "section", "text": { "type": "mrkdwn", "text": text } }));
        }
        // Notifications show `text`.
        json!({ "text": escaped(&self.title), "blocks": blocks })
    }

    /// For a workflow of Microsoft Teams that posts to a channel: an adaptive card. Text runs are not Markdown.
    pub(super) fn teams(&self) -> Value {
        let paragraph = |text: &str, weight: &str| json!({ "type": "RichTextBlock", "inlines": [{ "type": "TextRun", "text": text, "weight": weight }] });
        let mut body = vec![paragraph(&self.title, "Bolder")];
        body.extend(self.lines.iter().map(|line| paragraph(line, "Default")));
        let actions: Vec<Value> = self
            .link
            .iter()
            .map(|(title, url)| json!({ "type": "Action.OpenUrl", "title": title, "url": url }))
            .collect();
        let card = json!({
            "$schema": "http://adaptivecards.io/schemas/adaptive-card.json",
            "type": "AdaptiveCard",
            "version": "1.4",
            "body": body,
            "actions": actions,
        });
        json!({
            "type": "message",
            "attachments": [{ "contentType": "application/vnd.microsoft.card.adaptive", "content": card }],
        })
    }
}

/// Escapes the control characters of Slack's format.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message() -> Message {
        Message {
            title: "Ada changed <!channel> & <https://evil.example.org|shop>".into(),
            lines: vec!["Created component [Checkout](https://evil.example.org)".into()],
            link: Some(("Open map", "https://plans.example.org/o/acme/w/shop".into())),
        }
    }

    #[test]
    fn names_cannot_mention_or_link_in_slack() {
        let slack = message().slack();
        assert_eq!(slack["text"], "Ada changed &lt;!channel&gt; &amp; &lt;https://evil.example.org|shop&gt;");
        let blocks = slack["blocks"].as_array().unwrap();
        let types: Vec<&Value> = blocks.iter().map(|block| &block["text"]["type"]).collect();
        assert_eq!(types, ["plain_text", "plain_text", "mrkdwn"]);
        assert_eq!(blocks[2]["text"]["text"], "<https://plans.example.org/o/acme/w/shop|Open map>");
    }

    #[test]
    fn names_are_plain_text_in_teams() {
        let card = &message().teams()["attachments"][0]["content"];
        assert_eq!(card["type"], "AdaptiveCard");
        let blocks = card["body"].as_array().unwrap();
        assert!(blocks.iter().all(|block| block["type"] == "RichTextBlock"));
        assert_eq!(blocks[1]["inlines"][0]["text"], "Created component [Checkout](https://evil.example.org)");
        assert_eq!(card["actions"][0]["url"], "https://plans.example.org/o/acme/w/shop");
    }
}
