//! The texts of entries and of emails about them: plain text and simple HTML, without images and remote content.

use super::{
    links,
    model::{DraftEvent, InboxEntry},
};
use crate::domain::{
    comments::model::AnchorType,
    mail::{HEAD, escaped},
    notifications::{EmailChoice, NotificationKind},
    values::AccessLevel,
};

/// Values that only the title of an entry contains.
#[derive(Debug, Default)]
pub(super) struct Details {
    /// Title of the draft.
    pub draft: String,
    /// Whether the reader is the author of the draft.
    pub is_own_draft: bool,
    /// The access level of the reader, as a member of the workspace.
    pub level: Option<AccessLevel>,
    /// Number of days without a sync.
    pub days: i64,
}

/// One sentence that says what happened.
pub(super) fn title(entry: &InboxEntry, details: &Details) -> String {
    let actor = entry.actor.as_ref().map_or("Planroom", |actor| actor.display_name.as_str());
    let workspace = &entry.workspace_name;
    let place = match &entry.anchor {
        Some(anchor) if anchor.anchor_type != AnchorType::Workspace => format!("on {} in {workspace}", anchor.name),
        _ => format!("in {workspace}"),
    };
    match entry.kind {
        NotificationKind::Mention if entry.draft_id.is_some() => {
            format!("{actor} mentioned you in a review of a draft of {workspace}: {}", details.draft)
        }
        NotificationKind::Mention => format!("{actor} mentioned you {place}"),
        NotificationKind::Reply if entry.count > 1 => format!("{} replies {place}", entry.count),
        NotificationKind::Reply => format!("{actor} replied {place}"),
        NotificationKind::Watched if entry.thread_id.is_some() => format!("{actor} commented {place}"),
        NotificationKind::Watched => match entry.changed.as_deref() {
            Some([row]) => format!("{actor} changed {} in {workspace}", row.name),
            _ => format!("{actor} changed {workspace}"),
        },
        NotificationKind::ReviewRequest | NotificationKind::DraftMerged => match entry.draft_event {
            Some(event) => draft_title(event, (actor, workspace), details),
            None => format!("{actor} requested your review of a draft of {workspace}"),
        },
        NotificationKind::Invitation => match details.level {
            Some(AccessLevel::Owner) => format!("{actor} made you an owner of {workspace}"),
            Some(level) => format!("{actor} gave you {} access to {workspace}", level.as_str()),
            None => format!("{actor} gave you access to {workspace}"),
        },
        NotificationKind::StaleSource => {
            let sources = if entry.count == 1 { "A source".into() } else { format!("{} sources", entry.count) };
            let verb = if entry.count == 1 { "was" } else { "were" };
            let time = if details.days == 1 { "a day".into() } else { format!("{} days", details.days) };
            format!("{sources} of {workspace} {verb} not synchronized for {time}")
        }
    }
}

fn draft_title(event: DraftEvent, (actor, workspace): (&str, &str), details: &Details) -> String {
    let done = match event {
        DraftEvent::Approved => "approved",
        DraftEvent::ChangesRequested => "requested changes in",
        DraftEvent::Commented => "commented on",
        DraftEvent::Merged => "merged",
        DraftEvent::Closed => "closed",
    };
    let whose = if details.is_own_draft { "your" } else { "a" };
    format!("{actor} {done} {whose} draft of {workspace}: {}", details.draft)
}

/// What the link in an email ends, as in "emails about mentions".
pub(super) fn scope_name(scope: &str) -> &'static str {
    let kind = NotificationKind::ALL.iter().find(|kind| kind.as_str() == scope);
    match kind {
        Some(NotificationKind::Mention) => "mentions",
        Some(NotificationKind::Reply) => "replies",
        Some(NotificationKind::Watched) => "changes that you watch",
        Some(NotificationKind::ReviewRequest) => "reviews of drafts",
        Some(NotificationKind::DraftMerged) => "merged and closed drafts",
        Some(NotificationKind::Invitation) => "access to workspaces",
        Some(NotificationKind::StaleSource) => "sources that are not synchronized",
        None => "notifications, once a day",
    }
}

/// An entry in an email.
pub(super) struct MailEntry {
    pub entry: InboxEntry,
    /// Messages or names, each in a paragraph.
    pub texts: Vec<String>,
    pub url: String,
}

/// An email about entries.
pub(super) struct Page<'a> {
    /// Name of the instance.
    pub instance: &'a str,
    pub public_url: &'a str,
    /// A kind, or `digest`.
    pub scope: &'a str,
    pub entries: &'a [MailEntry],
    /// Number of entries that are left out.
    pub more: usize,
    pub unsubscribe: &'a str,
}

impl Page<'_> {
    /// The subject, in one line.
    pub(super) fn subject(&self) -> String {
        let subject = match self.entries {
            [only] => only.entry.title.clone(),
            entries => format!("{} notifications from {}", entries.len() + self.more, self.instance),
        };
        subject.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn more(&self) -> Option<String> {
        (self.more > 0).then(|| format!("And {} more in your inbox.", self.more))
    }

    fn reason(&self) -> String {
        let name = scope_name(self.scope);
        if self.scope == EmailChoice::Digest.as_str() {
            return format!("You receive this email because your account collects {name}.");
        }
        format!("You receive this email because your account sends emails about {name}.")
    }

    /// As plain text.
    pub(super) fn plain(&self) -> String {
        let mut parts = Vec::new();
        for MailEntry { entry, texts, url } in self.entries {
            parts.push(entry.title.clone());
            parts.extend(texts.iter().map(|text| quoted(text)));
            parts.push(url.clone());
        }
        parts.extend(self.more());
        parts.push(format!("Inbox: {}", links::inbox(self.public_url)));
        parts.push(format!(
            "-- \n{}\n{}\nUnsubscribe: {}\nSettings: {}",
            self.instance,
            self.reason(),
            self.unsubscribe,
            links::settings(self.public_url)
        ));
        parts.join("\n\n") + "\n"
    }

    /// As HTML.
    pub(super) fn html(&self) -> String {
        let mut parts = vec![HEAD.to_owned()];
        for MailEntry { entry, texts, url } in self.entries {
            parts.push(format!("<p><a href=\"{}\">{}</a></p>\n", escaped(url), escaped(&entry.title)));
            parts.extend(texts.iter().map(|text| {
                let text = escaped(text).replace('\n', "<br>");
                format!("<blockquote style=\"{QUOTE}\">{text}</blockquote>\n")
            }));
        }
        parts.extend(self.more().map(|more| format!("<p>{more}</p>\n")));
        parts.push(format!("<p><a href=\"{}\">Open the inbox</a></p>\n", escaped(&links::inbox(self.public_url))));
        parts.push(format!(
            "<p><small>{}<br>{}<br><a href=\"{}\">Unsubscribe</a> · <a href=\"{}\">Settings</a></small></p>\n</body></html>\n",
            escaped(self.instance),
            escaped(&self.reason()),
            escaped(self.unsubscribe),
            escaped(&links::settings(self.public_url))
        ));
        parts.concat()
    }
}

/// The style of quoted messages in HTML.
const QUOTE: &str = "margin: 0 0 1em; padding-left: 1em; border-left: 3px solid #999";

/// A quote in plain text, which cannot be mistaken for a text of this instance.
fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::users::Profile;

    fn entry(kind: NotificationKind, actor: Option<&str>) -> InboxEntry {
        let profile = |name: &str| Profile {
            id: 1,
            login: Some("ada".into()),
            display_name: name.into(),
            avatar_url: None,
            provider: "local".into(),
        };
        InboxEntry {
            id: 1,
            kind,
            title: String::new(),
            text: String::new(),
            workspace_id: "shop".into(),
            workspace_name: "Shop".into(),
            anchor: None,
            thread_id: None,
            message_id: None,
            draft_id: None,
            draft_event: None,
            changed: None,
            count: 1,
            actor: actor.map(profile),
            created_at: 1,
            updated_at: 1,
            read_at: None,
        }
    }

    #[test]
    fn every_kind_has_a_sentence() {
        let details = Details { draft: "Split payments".into(), is_own_draft: true, level: None, days: 7 };
        let sentences: Vec<String> =
            NotificationKind::ALL.iter().map(|kind| title(&entry(*kind, Some("Ada")), &details)).collect();
        let expected = [
            "Ada mentioned you in Shop",
            "Ada replied in Shop",
            "Ada changed Shop",
            "Ada requested your review of a draft of Shop",
            "Ada requested your review of a draft of Shop",
            "Ada gave you access to Shop",
            "A source of Shop was not synchronized for 7 days",
        ];
        assert_eq!(sentences, expected);
        assert_eq!(title(&entry(NotificationKind::Watched, None), &details), "Planroom changed Shop");
        let about_draft = |event: &DraftEvent, details: &Details| {
            let entry = InboxEntry { draft_event: Some(*event), ..entry(NotificationKind::DraftMerged, Some("Ada")) };
            title(&entry, details)
        };
        let sentences: Vec<String> = DraftEvent::ALL.iter().map(|event| about_draft(event, &details)).collect();
        let expected = [
            "Ada approved your draft of Shop: Split payments",
            "Ada requested changes in your draft of Shop: Split payments",
            "Ada commented on your draft of Shop: Split payments",
            "Ada merged your draft of Shop: Split payments",
            "Ada closed your draft of Shop: Split payments",
        ];
        assert_eq!(sentences, expected);
        let of_another = Details { is_own_draft: false, ..details };
        assert_eq!(about_draft(&DraftEvent::Merged, &of_another), "Ada merged a draft of Shop: Split payments");
    }

    #[test]
    fn what_users_write_is_neither_html_nor_a_part_of_the_email() {
        let mut entry = entry(NotificationKind::Mention, Some("<b>Ada</b>\nBcc: x"));
        entry.title = title(&entry, &Details::default());
        let texts = vec!["<img src=x>\n-- \nUnsubscribe: https://evil.example".to_owned()];
        let entries = [MailEntry { entry, texts, url: "https://maps.example.org/o/a/w/shop?thread=\"x".into() }];
        let page = Page {
            instance: "Maps",
            public_url: "https://maps.example.org",
            scope: "mention",
            entries: &entries,
            more: 2,
            unsubscribe: "https://maps.example.org/unsubscribe/t",
        };
        assert_eq!(page.subject(), "<b>Ada</b> Bcc: x mentioned you in Shop");
        let html = page.html();
        assert!(html.contains("&lt;img src=x&gt;<br>-- <br>") && !html.contains("<img"), "{html}");
        assert!(html.contains("?thread=&quot;x"), "{html}");
        let plain = page.plain();
        assert!(plain.contains("> -- \n> Unsubscribe: https://evil.example\n"), "{plain}");
        assert!(plain.contains("And 2 more in your inbox.\n"), "{plain}");
        assert!(plain.contains("\nUnsubscribe: https://maps.example.org/unsubscribe/t\n"), "{plain}");
    }
}
