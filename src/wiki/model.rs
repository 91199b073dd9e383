//! Pages and databases in the provider's format, and their conversion.

use jiff::Timestamp;
use serde::{Deserialize, de::IgnoredAny};
use serde_json::{Map, Value};

use super::{
    icon::{self, Icon},
    kind::ObjectKind,
};

/// Maximum length of a stored title, in characters.
const MAX_TITLE_LENGTH: usize = 300;

/// A page or database that a link refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// Page or database.
    pub kind: ObjectKind,
    /// Id: 32 hexadecimal digits.
    pub id: String,
    /// Title; `Untitled` if it has none.
    pub title: String,
    /// Icon: an emoji, a permanent URL, or `upload:` and 32 hexadecimal digits.
    pub icon: Option<String>,
}

/// The integration behind a connection.
#[derive(Debug, Clone)]
pub struct Bot {
    /// Id of the integration.
    pub id: String,
    /// Name of the integration.
    pub name: Option<String>,
    /// Id of the wiki's workspace.
    pub workspace_id: Option<String>,
    /// Name of the wiki's workspace.
    pub workspace_name: Option<String>,
    /// Name of the user who connected it; none if the workspace itself did.
    pub owner: Option<String>,
}

/// A page, database or data source: the fields that all three share, and those of each.
#[derive(Debug, Deserialize)]
pub(super) struct WikiObject {
    pub(super) object: String,
    pub(super) id: String,
    pub(super) url: Option<String>,
    icon: Option<Value>,
    #[serde(default)]
    pub(super) parent: Parent,
    /// Data sources only: the parent of the database.
    pub(super) database_parent: Option<Parent>,
    last_edited_time: Option<String>,
    /// Databases and data sources only.
    title: Option<Vec<RichText>>,
    /// Pages only.
    #[serde(default)]
    properties: Map<String, Value>,
    /// Databases only.
    #[serde(default)]
    pub(super) data_sources: Vec<DataSource>,
}

/// A data source: a part of a database that contains rows.
#[derive(Debug, Deserialize)]
pub(super) struct DataSource {
    pub(super) id: String,
}

/// The parent of an object: `{"type": "page_id", "page_id": "…"}`.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Parent {
    #[serde(rename = "type", default)]
    pub(super) kind: String,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

impl Parent {
    /// The id of the parent, if it has one.
    pub(super) fn id(&self) -> Option<String> {
        super::id(self.rest.get(&self.kind)?.as_str()?)
    }
}

#[derive(Debug, Deserialize)]
struct RichText {
    #[serde(default)]
    plain_text: String,
}

/// A page of a paginated response.
#[derive(Debug, Deserialize)]
pub(super) struct ListPage<T> {
    pub(super) results: Vec<T>,
    #[serde(default)]
    has_more: bool,
    next_cursor: Option<String>,
    request_status: Option<RequestStatus>,
}

/// Whether a query was completed.
#[derive(Debug, Deserialize)]
struct RequestStatus {
    #[serde(rename = "type")]
    kind: String,
}

impl<T> ListPage<T> {
    /// The cursor of the next page.
    pub(super) fn next(&self) -> Option<&str> {
        self.next_cursor.as_deref().filter(|_| self.has_more)
    }

    /// Whether results are missing although there is no next page: a query ends at 10,000 rows.
    pub(super) fn is_incomplete(&self) -> bool {
        self.request_status.as_ref().is_some_and(|status| status.kind == "incomplete")
    }
}

/// A block of a page's content.
#[derive(Debug, Deserialize)]
pub(super) struct PageBlock {
    pub(super) id: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
    #[serde(default)]
    pub(super) has_children: bool,
    #[serde(default)]
    pub(super) parent: Parent,
    last_edited_time: Option<String>,
    child_page: Option<ChildBlock>,
    child_database: Option<ChildBlock>,
    #[serde(rename = "synced_block")]
    synced: Option<SyncedBlock>,
}

#[derive(Debug, Deserialize)]
struct ChildBlock {
    #[serde(default)]
    title: String,
}

#[derive(Debug, Deserialize)]
struct SyncedBlock {
    synced_from: Option<IgnoredAny>,
}

impl PageBlock {
    /// The kind and title of the page or database that the block represents.
    pub(super) fn child(&self) -> Option<(ObjectKind, String)> {
        let page = self.child_page.as_ref().map(|titled| (ObjectKind::Page, shown(&titled.title)));
        page.or_else(|| self.child_database.as_ref().map(|titled| (ObjectKind::Database, shown(&titled.title))))
    }

    /// Whether the block may contain child pages of this page. A copy of a synced block contains those of the original.
    pub(super) fn is_container(&self) -> bool {
        const CONTAINERS: [&str; 15] = [
            "toggle",
            "column_list",
            "column",
            "synced_block",
            "bulleted_list_item",
            "numbered_list_item",
            "to_do",
            "quote",
            "callout",
            "paragraph",
            "template",
            "heading_1",
            "heading_2",
            "heading_3",
            "tab",
        ];
        let is_copy = self.synced.as_ref().is_some_and(|synced| synced.synced_from.is_some());
        self.has_children && !is_copy && CONTAINERS.contains(&self.kind.as_str())
    }

    pub(super) fn last_edited_at(&self) -> Option<String> {
        moment(self.last_edited_time.as_deref())
    }
}

impl WikiObject {
    /// The title. Pages store it in the property of type `title`, which can have any name.
    pub(super) fn title(&self) -> String {
        let of_page = || {
            let property = self.properties.values().find(|property| property["type"] == "title")?;
            Vec::<RichText>::deserialize(&property["title"]).ok()
        };
        let joined = |texts: &[RichText]| texts.iter().map(|text| text.plain_text.as_str()).collect::<String>();
        shown(&self.title.as_deref().map(joined).or_else(|| of_page().map(|texts| joined(&texts))).unwrap_or_default())
    }

    /// The icon, if it has one.
    pub(super) fn icon(&self) -> Option<Icon> {
        icon::read(self.icon.as_ref()?)
    }

    pub(super) fn last_edited_at(&self) -> Option<String> {
        moment(self.last_edited_time.as_deref())
    }

    /// Conversion to a link target. A data source is replaced by its database.
    pub(super) fn resolved(&self) -> Option<Resolved> {
        let kind = if self.object == "page" { ObjectKind::Page } else { ObjectKind::Database };
        let id = if self.object == "data_source" { self.parent.id()? } else { super::id(&self.id)? };
        Some(Resolved { kind, id, title: self.title(), icon: self.icon().map(|icon| icon.text) })
    }
}

/// A title for display: a single line, limited in length, and never empty.
fn shown(title: &str) -> String {
    line(Some(title)).unwrap_or_else(|| "Untitled".into())
}

/// A name from the provider: a single line, limited in length.
pub(super) fn line(text: Option<impl AsRef<str>>) -> Option<String> {
    let text = text?;
    let line = text.as_ref().split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty());
    let line = line.collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MAX_TITLE_LENGTH) {
        _ if line.is_empty() => None,
        Some((end, _)) => Some(format!("{}…", &line[..end])),
        None => Some(line),
    }
}

/// Normalizes a time to RFC 3339 in UTC: databases have an offset.
fn moment(text: Option<&str>) -> Option<String> {
    text?.parse::<Timestamp>().ok().map(|moment| format!("{moment:.3}"))
}

/// The name of the owner of a connection: `{"type": "user", "user": {"name": …}}`, or the workspace.
pub(super) fn owner_name(owner: &Value) -> Option<String> {
    line(owner.pointer("/user/name").and_then(Value::as_str))
}

/// Parses the response of the endpoint for the current user.
pub(super) fn bot(answer: &Value) -> Option<Bot> {
    let text = |path: &str| line(answer.pointer(path).and_then(Value::as_str));
    Some(Bot {
        id: text("/id")?,
        name: text("/name"),
        workspace_id: text("/bot/workspace_id"),
        workspace_name: text("/bot/workspace_name"),
        owner: owner_name(&answer["bot"]["owner"]),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_title_is_found_by_its_type_and_is_never_empty() {
        let titled = |properties: Value| {
            let object = json!({ "object": "page", "id": "x", "properties": properties });
            serde_json::from_value::<WikiObject>(object).unwrap().title()
        };
        let title = json!([{ "plain_text": "Check" }, { "plain_text": "out\n now" }]);
        assert_eq!(
            titled(json!({ "A": { "type": "url" }, "Nom": { "type": "title", "title": title } })),
            "Checkout now"
        );
        assert_eq!(titled(json!({ "title": { "type": "title", "title": [] } })), "Untitled");
        assert_eq!(titled(json!({})), "Untitled");
        let database = json!({ "object": "database", "id": "x", "title": [{ "plain_text": "x".repeat(400) }] });
        assert_eq!(
            serde_json::from_value::<WikiObject>(database).unwrap().title().chars().count(),
            MAX_TITLE_LENGTH + 1
        );
    }

    #[test]
    fn times_are_formatted_in_utc() {
        assert_eq!(moment(Some("2026-03-11T10:00:00.000Z")).unwrap(), "2026-03-11T10:00:00.000Z");
        assert_eq!(moment(Some("2026-03-11T12:00:00.000+02:00")).unwrap(), "2026-03-11T10:00:00.000Z");
        assert_eq!(moment(Some("yesterday")), None);
    }
}
