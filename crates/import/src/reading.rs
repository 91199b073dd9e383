//! What a reader found: the rows of a workspace file, each with its origin.
//!
//! Serialized, a [`Reading`] is a `planroom/1` document, which the import of workspaces accepts.

use std::{collections::BTreeMap, sync::Arc};

use serde::Serialize;
use serde_json::{Map, Value};

use super::Refusal;

/// The rows of a workspace, and what was not read.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Reading {
    /// Format version of the document.
    pub format: &'static str,
    /// The workspace's own fields.
    pub workspace: Workspace,
    /// People.
    pub people: Vec<Person>,
    /// Teams with their members.
    pub teams: Vec<Team>,
    /// Components. Groups are components too.
    pub components: Vec<Component>,
    /// Relationships, including those that put components into others.
    pub relationships: Vec<Relationship>,
    /// People and teams of components.
    pub stakeholders: Vec<Stakeholder>,
    /// External links of components.
    pub links: Vec<Link>,
    /// Processes.
    pub processes: Vec<Process>,
    /// Views.
    pub views: Vec<View>,
    /// Positions of components in views.
    pub view_places: Vec<ViewPlace>,
    /// What the user should know, in the order of the files; at most [`MAX_DIAGNOSTICS`](super::MAX_DIAGNOSTICS).
    #[serde(skip)]
    pub diagnostics: Vec<Diagnostic>,
    /// Number of all diagnostics.
    #[serde(skip)]
    pub diagnostic_count: usize,
    /// Number of items of the source that have no counterpart on the map, by their name in the source.
    #[serde(skip)]
    pub ignored: BTreeMap<String, usize>,
    /// Files that were not read: their notation is invalid, or they have another format or none. The source may have had rows in
    /// them.
    #[serde(skip)]
    pub unreadable: Vec<Refusal>,
}

/// Where a row is in its source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// Key of the row in its source. Unique among the rows of its kind, and the same when the source is read again, as
    /// long as its author does not rename the row.
    pub key: String,
    /// What the key begins with if other files or projects of the source have the same, unless it is the name of the file
    /// and a colon.
    pub scope: Option<Arc<str>>,
    /// Name of the file.
    pub file: Arc<str>,
    /// Line in the file, from 1.
    pub line: u32,
}

/// The workspace's own fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Workspace {
    /// Name of the system, or of the first file if the files do not contain one.
    pub name: String,
    /// Whether the files contain the name.
    #[serde(skip)]
    pub is_named: bool,
    /// Description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// A person.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Person {
    /// Where the person is in the source.
    #[serde(skip)]
    pub origin: Origin,
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Email address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// Title in the organization.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Free-form properties.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub properties: Map<String, Value>,
}

/// A team.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Team {
    /// Where the team is in the source.
    #[serde(skip)]
    pub origin: Origin,
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Free-form properties.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub properties: Map<String, Value>,
    /// Members.
    pub members: Vec<TeamMember>,
}

/// A member of a team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TeamMember {
    /// Id of a person.
    pub person_id: String,
}

/// A component.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Component {
    /// Where the component is in the source.
    #[serde(skip)]
    pub origin: Origin,
    /// Whether the component only groups others in the source: a group, a boundary, an environment.
    #[serde(skip)]
    pub is_box: bool,
    /// Whether the source names the id that the component has on the map.
    #[serde(skip)]
    pub has_own_id: bool,
    /// The fields that the source does not state: the reader concluded them from a key, an image or a host.
    #[serde(skip)]
    pub inferred: Vec<&'static str>,
    /// The name in files and addresses, if the component has another display name.
    #[serde(skip)]
    pub code_name: Option<String>,
    /// The namespace that distinguishes the component from others with the same name.
    #[serde(skip)]
    pub namespace: Option<String>,
    /// Id.
    pub id: String,
    /// Component type id.
    pub type_id: &'static str,
    /// Name.
    pub name: String,
    /// Description, in Markdown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Horizontal position of the left edge, if the source has positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// Vertical position of the top edge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
    /// Tags.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Technologies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub technology: Vec<String>,
    /// Free-form properties.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub properties: Map<String, Value>,
}

/// A relationship.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Relationship {
    /// Where the relationship is in the source.
    #[serde(skip)]
    pub origin: Origin,
    /// Id.
    pub id: String,
    /// Id of the source component.
    pub source_id: String,
    /// Id of the target component.
    pub target_id: String,
    /// Relationship type id.
    pub type_id: &'static str,
    /// Label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Technologies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub technology: Vec<String>,
    /// Free-form properties.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub properties: Map<String, Value>,
}

/// A person or team of a component.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stakeholder {
    /// Where the stakeholder is in the source.
    #[serde(skip)]
    pub origin: Origin,
    /// Id of the component.
    pub component_id: String,
    /// Id of the person, unless it is a team.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person_id: Option<String>,
    /// Id of the team, unless it is a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team_id: Option<String>,
    /// Id of a built-in role.
    pub link_type: &'static str,
}

/// An external link of a component.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// Where the link is in the source.
    #[serde(skip)]
    pub origin: Origin,
    /// Id of the component.
    pub component_id: String,
    /// Kind of link target: always `url`.
    pub kind: &'static str,
    /// Address.
    pub url: String,
    /// Title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}

/// A process.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Process {
    /// Where the process is in the source.
    #[serde(skip)]
    pub origin: Origin,
    /// Number of steps.
    #[serde(skip)]
    pub steps: usize,
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// A Mermaid sequence diagram.
    pub mermaid: String,
    /// Component ids, by participant.
    pub participants: Map<String, Value>,
}

/// A view.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct View {
    /// Where the view is in the source.
    #[serde(skip)]
    pub origin: Origin,
    /// Id.
    pub id: String,
    /// Name.
    pub name: String,
    /// Description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Which components the view shows.
    pub definition: ViewDefinition,
    /// `own` if the view has positions, otherwise `shared`.
    pub layout: &'static str,
}

/// Which components a view shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ViewDefinition {
    /// One selector.
    pub include: [ViewSelector; 1],
    /// Whether relationships of parts that the view does not show are drawn on the components that contain them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub implied_relationships: bool,
}

/// Components of a view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ViewSelector {
    /// Component ids.
    pub ids: Vec<String>,
}

/// The position of a component in a view.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ViewPlace {
    /// Id of the view.
    pub view_id: String,
    /// Id of the component.
    pub component_id: String,
    /// Horizontal position of the left edge.
    pub x: f64,
    /// Vertical position of the top edge.
    pub y: f64,
}

/// Something that the user should know about the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// Name of the file.
    pub file: Arc<str>,
    /// Line in the file, from 1.
    pub line: u32,
    /// How serious it is.
    pub severity: Severity,
    /// What is wrong and what to do.
    pub text: String,
}

/// How serious a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// The map is as intended; this explains it.
    Info,
    /// A part of the source is missing on the map, or not as written.
    Warning,
    /// A part of the source is invalid.
    Error,
}

impl Severity {
    /// The severity as a word.
    pub fn id(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}
