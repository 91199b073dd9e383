//! The rows of a three-way merge: as in the base when the draft was branched, in the base now, and in the draft.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    ops::{Deref, DerefMut},
    sync::Arc,
};

use litemap::LiteMap;
use serde_json::{Map, Value};

use crate::domain::{core::Entity, state::KindFacts};

/// Fields of a row by name, without null ones, revision, times, authors and the id of the workspace. Properties have the
/// names `properties.…`. Clones share memory until one is changed, because most rows are the same in two of the three states.
/// A sorted list takes less memory than a tree.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::domain) struct Fields(Arc<LiteMap<Box<str>, Value>>);

impl Deref for Fields {
    type Target = LiteMap<Box<str>, Value>;
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Fields {
    fn deref_mut(&mut self) -> &mut Self::Target {
        Arc::make_mut(&mut self.0)
    }
}

/// Prefix of the names of properties.
const PROPERTY: &str = "properties.";
/// Name of the field with the number of a decision.
pub(in crate::domain) const NUMBER: &str = "number";
/// Fields of a row that are not compared.
const IGNORED: [&str; 6] = ["workspaceId", "revision", "createdAt", "createdBy", "updatedAt", "updatedBy"];

/// A row: its kind, and its key in the base. Rows that only the draft has are named by their key in the draft.
pub(in crate::domain) type RowId = (Entity, String);

/// One of the two maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::domain) enum Side {
    /// The base.
    Base,
    /// The draft.
    Draft,
}

/// A row in the three states; none where it does not exist.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::domain) struct Triple {
    pub(in crate::domain) branch: Option<Fields>,
    pub(in crate::domain) base: Option<Fields>,
    pub(in crate::domain) draft: Option<Fields>,
}

impl Triple {
    /// The row on a side.
    pub(in crate::domain) fn on(&self, side: Side) -> Option<&Fields> {
        match side {
            Side::Base => self.base.as_ref(),
            Side::Draft => self.draft.as_ref(),
        }
    }

    /// The values of a field in the branch, the base and the draft.
    pub(in crate::domain) fn values(&self, field: &str) -> [Option<&Value>; 3] {
        [&self.branch, &self.base, &self.draft].map(|row| row.as_ref().and_then(|fields| fields.get(field)))
    }

    /// Whether the draft has changed the row, and the base has not changed it in the same way.
    pub(in crate::domain) fn is_changed_by_draft(&self) -> bool {
        self.draft != self.branch && self.draft != self.base
    }

    /// Whether the base has changed the row, and the draft has not changed it in the same way.
    pub(in crate::domain) fn is_changed_by_base(&self) -> bool {
        self.base != self.branch && self.draft != self.base
    }
}

/// Rows that are the same in the three states, as far as a merge refers to them.
#[derive(Debug, Default)]
pub(in crate::domain) struct Unchanged {
    /// Keys of components, relationships and views.
    pub(in crate::domain) keys: HashSet<RowId>,
    /// Components that contain a component: id of the relationship, and of the containing component.
    pub(in crate::domain) parents: HashMap<String, Vec<(String, String)>>,
    /// What identifies stakeholders besides their ids.
    pub(in crate::domain) stakeholders: HashSet<String>,
    /// Numbers of decisions.
    pub(in crate::domain) numbers: BTreeSet<i64>,
}

/// The fields of a row from its JSON.
pub(in crate::domain) fn fields_of(mut row: Map<String, Value>) -> Fields {
    row.retain(|name, value| !value.is_null() && !IGNORED.contains(&name.as_str()));
    let properties = match row.get_mut("properties") {
        Some(Value::Object(properties)) => std::mem::take(properties),
        _ => Map::new(),
    };
    row.retain(|name, value| name != "properties" || !value.is_object());
    let mut fields = LiteMap::with_capacity(row.len() + properties.len());
    fields.extend(row.into_iter().map(|(name, value)| (name.into(), value)));
    fields.extend(properties.into_iter().map(|(key, value)| (format!("{PROPERTY}{key}").into(), value)));
    Fields(Arc::new(fields))
}

/// The JSON of a row from its fields.
pub(in crate::domain) fn json_of(fields: &Fields) -> Map<String, Value> {
    let (mut row, mut properties) = (Map::new(), Map::new());
    for (name, value) in fields.iter() {
        match name.strip_prefix(PROPERTY) {
            Some(key) => properties.insert(key.to_owned(), value.clone()),
            None => row.insert(name.to_string(), value.clone()),
        };
    }
    row.insert("properties".into(), Value::Object(properties));
    row
}

/// A field as text; empty if it is not set.
pub(in crate::domain) fn text<'f>(fields: &'f Fields, name: &str) -> &'f str {
    fields.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The rows without which a row cannot exist.
pub(in crate::domain) fn references(kind: Entity, fields: &Fields) -> Vec<RowId> {
    KindFacts::of(kind).needs.iter().map(|(needed, name)| (*needed, text(fields, name).to_owned())).collect()
}

/// Whether rows of a kind can be the target of [`references`].
pub(in crate::domain) fn is_referenced(kind: Entity) -> bool {
    Entity::ALL.into_iter().any(|other| needs(other, kind))
}

/// Whether rows of a kind cannot exist without a row of another one.
pub(in crate::domain) fn needs(kind: Entity, other: Entity) -> bool {
    KindFacts::of(kind).needs.iter().any(|(needed, _)| *needed == other)
}

/// What identifies a stakeholder besides its id: a component has each of them once.
pub(in crate::domain) fn stakeholder(fields: &Fields) -> String {
    let names = ["componentId", "linkType", "personId", "teamId"];
    names.map(|name| text(fields, name)).join("\n")
}

/// The number of a decision.
pub(in crate::domain) fn number(fields: &Fields) -> Option<i64> {
    fields.get(NUMBER).and_then(Value::as_i64)
}

/// Whether a field only says where something is drawn or listed.
pub(in crate::domain) fn is_position(field: &str) -> bool {
    matches!(field, "x" | "y" | "width" | "height" | "line" | "layer" | "seq" | "position")
}

/// Whether both sides can change a field without a conflict: the base then keeps its value. These are the place in a list,
/// the number of a decision, and what the wiki says about a link.
pub(in crate::domain) fn never_conflicts(kind: Entity, field: &str) -> bool {
    matches!(field, "seq" | "position") || KindFacts::of(kind).yielding.contains(&field)
}

/// Display name of a row.
pub(in crate::domain) fn name_of(kind: Entity, key: &str, fields: &Fields) -> String {
    const MAX_CHARS: usize = 80;
    let name = match kind {
        Entity::Relationship => {
            let label = Some(text(fields, "label")).filter(|label| !label.is_empty());
            let label = label.unwrap_or_else(|| text(fields, "typeId"));
            format!("{} {label} {}", text(fields, "sourceId"), text(fields, "targetId"))
        }
        Entity::Stakeholder => {
            let who = Some(text(fields, "personId")).filter(|id| !id.is_empty());
            let who = who.unwrap_or_else(|| text(fields, "teamId"));
            format!("{who} ({}) of {}", text(fields, "linkType"), text(fields, "componentId"))
        }
        Entity::Link => {
            Some(text(fields, "title")).filter(|title| !title.is_empty()).unwrap_or(text(fields, "url")).into()
        }
        Entity::Decision => text(fields, "title").to_owned(),
        Entity::Note => text(fields, "text").lines().next().unwrap_or_default().into(),
        Entity::ViewPlace => format!("{} in {}", text(fields, "componentId"), text(fields, "viewId")),
        Entity::ViewLine => format!("{} in {}", text(fields, "relationshipId"), text(fields, "viewId")),
        Entity::Workspace
        | Entity::Component
        | Entity::Process
        | Entity::View
        | Entity::Tour
        | Entity::Member
        | Entity::Person
        | Entity::Team
        | Entity::TeamMember
        | Entity::Role
        | Entity::Kind => text(fields, "name").to_owned(),
    };
    let name: String = name.trim().chars().take(MAX_CHARS).collect();
    if name.is_empty() { key.to_owned() } else { name }
}
