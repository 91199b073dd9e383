//! Results about components, their dependencies, and processes.

use std::collections::BTreeMap;

use mermaid::Diagnostic;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::NextPage;
use crate::{
    describe::ToSchema,
    domain::{
        map::{
            impact::{AffectedOwner, DependencyPath, Direction},
            lines::RelationshipLine,
            links::Link,
            processes::ProcessStep,
            relationships::{End, Relationship},
            stakeholders::{Stakeholder, StakeholderLink},
        },
        values::{Keywords, Properties, Size},
    },
    mcp::results::truncate,
};

/// The component of a list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ComponentRef {
    pub component_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
}

/// A component with its relationships, stakeholders and links.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DetailedComponent {
    pub id: String,
    pub type_id: String,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub x: f64,
    pub y: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<Size>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub height: Option<Size>,
    pub tags: Keywords,
    pub technology: Keywords,
    pub properties: Properties,
    pub revision: i64,
    pub outgoing_count: usize,
    pub outgoing: Vec<RelationshipEnd>,
    pub incoming_count: usize,
    pub incoming: Vec<RelationshipEnd>,
    pub stakeholder_count: usize,
    pub stakeholders: Vec<StakeholderEntry>,
    pub link_count: usize,
    pub links: Vec<ExternalLink>,
    /// The lists that have more items than are included.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<ComponentList>,
    /// Whether `more` contains a list of relationships.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub more_relationships: bool,
}

/// A page of components.
#[derive(Debug, Serialize)]
pub struct ComponentPage {
    /// Revision of the workspace.
    pub revision: i64,
    pub components: Vec<DetailedComponent>,
    /// Unknown ids.
    pub missing: Vec<String>,
    #[serde(flatten)]
    pub next: NextPage,
}

/// A relationship, as listed for one of its ends.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RelationshipEnd {
    pub relationship_id: String,
    pub type_id: String,
    /// The other end.
    pub component_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    #[serde(skip_serializing_if = "Keywords::is_empty")]
    pub technology: Keywords,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<RelationshipLine>,
}

impl RelationshipEnd {
    pub fn new(row: Relationship, end: End) -> Self {
        let component_id = if end == End::Outgoing { row.target_id } else { row.source_id };
        let Relationship { id: relationship_id, type_id, label, technology, line, .. } = row;
        Self { relationship_id, type_id, component_id, label, technology, line }
    }
}

/// A person or team with a role for a component.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StakeholderEntry {
    /// The component, if several were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component_id: Option<String>,
    /// Id of the role.
    pub link_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub person_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub team_id: Option<String>,
    pub name: String,
}

impl From<Stakeholder> for StakeholderEntry {
    fn from(stakeholder: Stakeholder) -> Self {
        let name = stakeholder.name().to_owned();
        let StakeholderLink { link_type, person_id, team_id, .. } = stakeholder.link;
        Self { component_id: None, link_type, person_id, team_id, name }
    }
}

/// An external link.
#[derive(Debug, Serialize)]
pub struct ExternalLink {
    id: i64,
    url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
}

impl From<Link> for ExternalLink {
    fn from(Link { id, url, title, .. }: Link) -> Self {
        Self { id, url, title }
    }
}

/// A component that a trace has reached.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TracedComponent {
    pub component_id: String,
    pub name: String,
    pub type_id: String,
    /// Number of relationships from the start.
    pub distance: u32,
    /// Components of a shortest path, from the start to this one.
    pub path: Vec<String>,
    /// The last relationship of the path.
    pub relationship_id: String,
    pub relation_type_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// Kind, id, name and number of components of an owner.
pub type OwnerRow = (&'static str, String, String, usize);

/// The row of an owner of affected components.
pub fn owner_row(AffectedOwner { person_id, team_id, name, component_count }: AffectedOwner) -> OwnerRow {
    let kind = if person_id.is_some() { "person" } else { "team" };
    (kind, person_id.or(team_id).unwrap_or_default(), name, component_count)
}

/// What else is affected. Lists are limited; their counts are not.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Affected {
    pub group_count: usize,
    pub groups: Vec<String>,
    pub process_count: usize,
    /// Ids.
    pub processes: Vec<String>,
    pub owner_count: usize,
    pub owners: Vec<OwnerRow>,
    /// Number of relationships by type.
    pub not_followed: BTreeMap<String, usize>,
    /// The lists that have more items than are included.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<AffectedList>,
}

/// A page of a trace.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DependencyTrace {
    pub component_id: String,
    pub direction: Direction,
    /// Revision of the workspace.
    pub revision: i64,
    /// Number of components on all pages.
    pub total: usize,
    /// Number of reached components that are not in the view.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outside_view: Option<usize>,
    pub reached: Vec<TracedComponent>,
    /// On the first page.
    #[serde(flatten)]
    pub affected: Option<Affected>,
    #[serde(flatten)]
    pub next: NextPage,
    /// The text of the result, with rows instead of `reached`.
    #[serde(rename = "$text")]
    pub text: Value,
}

/// A page of paths.
#[derive(Debug, Serialize)]
pub struct PathPage {
    /// Revision of the workspace.
    pub revision: i64,
    /// Number of paths on all pages.
    pub total: usize,
    pub paths: Vec<DependencyPath>,
    /// Whether these are all paths of the requested length.
    pub complete: bool,
    #[serde(flatten)]
    pub next: NextPage,
}

/// The process of a list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProcessRef {
    pub process_id: String,
    pub revision: i64,
    pub workspace_revision: i64,
}

/// A process with its diagram, or a part of the diagram.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProcessDetails {
    #[serde(flatten)]
    pub process: ProcessRef,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    pub mermaid: String,
    /// Participant alias to component id.
    pub participants: Properties,
    /// Aliases without a component.
    pub unresolved: Vec<String>,
    /// Number of messages.
    pub step_count: usize,
    /// The first messages, on the first page, for programs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<Step>>,
    #[serde(flatten)]
    pub problems: ProcessProblems,
    #[serde(flatten)]
    pub next: NextPage,
    /// The text of the result, without `steps`, which models read in the diagram.
    #[serde(rename = "$text", skip_serializing_if = "Option::is_none")]
    pub text: Option<Value>,
}

/// What should be fixed in a process: parse errors, and messages between components without a relationship.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ProcessProblems {
    pub diagnostics: Vec<Diagnostic>,
    /// Number of all diagnostics, if not all are included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagnostic_count: Option<usize>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps_without_relationship: Vec<UnrelatedStep>,
    /// Number of all of these steps, if not all are included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steps_without_relationship_count: Option<usize>,
    /// The lists that have more items than are included.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub more: Vec<ProcessList>,
}

/// A message between components without a relationship.
#[derive(Debug, Serialize, Deserialize)]
pub struct UnrelatedStep {
    /// Number of the message, starting at 1.
    step: usize,
    /// Line of the message, starting at 1.
    line: u32,
    /// Component id of the sender.
    from: Option<String>,
    /// Component id of the receiver.
    to: Option<String>,
}

impl From<&ProcessStep> for UnrelatedStep {
    fn from(step: &ProcessStep) -> Self {
        let (from, to) = (step.source_id.clone(), step.target_id.clone());
        Self { step: step.index + 1, line: step.line, from, to }
    }
}

/// A message.
#[derive(Debug, Serialize)]
pub struct Step {
    /// Component id of the sender, or its alias if it is not mapped to a component.
    pub from: String,
    /// Component id or alias of the receiver.
    pub to: String,
    pub text: String,
}

impl From<&ProcessStep> for Step {
    fn from(step: &ProcessStep) -> Self {
        let end = |id: &Option<String>, alias: &String| id.as_ref().unwrap_or(alias).clone();
        Self {
            from: end(&step.source_id, &step.source),
            to: end(&step.target_id, &step.target),
            text: truncate(&step.text),
        }
    }
}

/// A list of a component.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ComponentList {
    /// Relationships from other components.
    Incoming,
    /// Relationships from the component.
    Outgoing,
    /// Stakeholders.
    Stakeholders,
    /// Links.
    Links,
}

/// A list of what else is affected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum AffectedList {
    /// Enclosing groups.
    Groups,
    /// Processes.
    Processes,
    /// Owners.
    Owners,
}

/// A list of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ProcessList {
    /// Messages.
    Steps,
    /// Parse errors.
    Diagnostics,
}
