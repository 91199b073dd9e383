//! The type catalog: built in and immutable. Custom types exist only in the web client.

use serde::Serialize;

use super::values::Properties;
use crate::{
    describe::{
        ToSchema,
        openapi::{Object, ObjectBuilder, Type, extensions::Extensions, schema::SchemaType},
    },
    error::{Error, FieldPath, Problem, Result},
};

/// A component type, or a stakeholder role of a person or team.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct IconType {
    /// Type id, as in `typeId` or `linkType`.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// Color as `#RRGGBB`, readable on light and dark backgrounds.
    pub color: &'static str,
    /// Name of a Lucide icon.
    pub icon: &'static str,
    /// Same value as `icon`.
    pub icon_name: &'static str,
}

/// A relationship type.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RelationType {
    /// Type id, as in `typeId`.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// Color as `#RRGGBB`.
    pub color: &'static str,
    /// Whether the direction from source to target is meaningful.
    pub directed: bool,
    /// What depends on what, for impact analysis.
    pub depends_on: DependsOn,
}

/// The end of a relationship that the other end depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DependsOn {
    /// The source depends on the target.
    Target,
    /// The target depends on the source.
    Source,
    /// Neither. Impact analysis follows the relationship only if its type is requested.
    None,
}

/// A lifecycle state of a component.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LifecycleState {
    /// State id, as in `properties.lifecycle`.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// Color as `#RRGGBB`.
    pub color: &'static str,
}

/// The type catalog.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Catalogue {
    /// Component types.
    pub component_types: &'static [IconType],
    /// Relationship types.
    pub relation_types: &'static [RelationType],
    /// Lifecycle states of components.
    pub lifecycle_states: &'static [LifecycleState],
    /// Built-in stakeholder roles. The roles that an organization defines are listed by the roles endpoint.
    pub stakeholder_link_types: &'static [IconType],
}

/// The relationship type that makes its target a part of its source.
pub const CONTAINS: &str = "contains";

/// The component type that is drawn as a group even without contents.
pub const GROUP: &str = "group";

/// The built-in type catalog.
pub const CATALOGUE: Catalogue = Catalogue {
    component_types: &[
        icon("person", "Person", "#8B5CF6", "user"),
        icon("external-system", "External system", "#6B7280", "globe"),
        icon("system", "System", "#2563EB", "boxes"),
        icon("web-app", "Web app", "#0EA5E9", "app-window"),
        icon("mobile-app", "Mobile app", "#06B6D4", "smartphone"),
        icon("desktop-app", "Desktop app", "#0891B2", "monitor"),
        icon("service", "Service", "#3B82F6", "server"),
        icon("api", "API", "#6366F1", "plug"),
        icon("gateway", "Gateway", "#4F46E5", "door-open"),
        icon("function", "Function", "#A855F7", "square-function"),
        icon("job", "Job", "#7C3AED", "clock"),
        icon("database", "Database", "#059669", "database"),
        icon("cache", "Cache", "#10B981", "zap"),
        icon("queue", "Queue", "#D97706", "list-ordered"),
        icon("topic", "Topic", "#F59E0B", "radio"),
        icon("storage", "Storage", "#0D9488", "hard-drive"),
        icon("search-index", "Search index", "#14B8A6", "search"),
        icon("data-pipeline", "Data pipeline", "#CA8A04", "workflow"),
        icon("ml-model", "ML model", "#DB2777", "brain-circuit"),
        icon("component", "Component", "#0284C7", "component"),
        icon("library", "Library", "#78716C", "library"),
        icon("identity-provider", "Identity provider", "#E11D48", "key-round"),
        icon("network", "Network", "#64748B", "network"),
        icon("host", "Host", "#475569", "cpu"),
        icon("cluster", "Cluster", "#334155", "layers"),
        icon("capability", "Capability", "#EA580C", "target"),
        icon("domain", "Domain", "#C2410C", "map"),
        icon(GROUP, "Group", "#71717A", "group"),
        icon("document", "Document", "#92400E", "file-text"),
    ],
    relation_types: &[
        relation("uses", "uses", "#64748B", DependsOn::Target),
        relation("calls", "calls", "#2563EB", DependsOn::Target),
        relation("depends-on", "depends on", "#475569", DependsOn::Target),
        relation("reads", "reads", "#059669", DependsOn::Target),
        relation("writes", "writes", "#B45309", DependsOn::Target),
        relation("publishes", "publishes", "#D97706", DependsOn::Target),
        relation("subscribes", "subscribes", "#CA8A04", DependsOn::Target),
        relation("streams-to", "streams to", "#0891B2", DependsOn::Source),
        relation("authenticates-with", "authenticates with", "#E11D48", DependsOn::Target),
        relation("deployed-on", "deployed on", "#334155", DependsOn::Target),
        relation(CONTAINS, "contains", "#94A3B8", DependsOn::None),
        relation("owns", "owns", "#7C3AED", DependsOn::None),
        relation("replicates-to", "replicates to", "#0D9488", DependsOn::Source),
        relation("monitors", "monitors", "#DB2777", DependsOn::None),
        RelationType {
            id: "related-to",
            name: "related to",
            color: "#9CA3AF",
            directed: false,
            depends_on: DependsOn::None,
        },
    ],
    lifecycle_states: &[
        LifecycleState { id: "idea", name: "Idea", color: "#A78BFA" },
        LifecycleState { id: "planned", name: "Planned", color: "#60A5FA" },
        LifecycleState { id: "building", name: "Building", color: "#FBBF24" },
        LifecycleState { id: "live", name: "Live", color: "#34D399" },
        LifecycleState { id: "deprecated", name: "Deprecated", color: "#F97316" },
        LifecycleState { id: "retired", name: "Retired", color: "#9CA3AF" },
    ],
    stakeholder_link_types: &[
        icon("owner", "Owner", "#2563EB", "crown"),
        icon("support", "Support", "#059669", "life-buoy"),
        icon("business-owner", "Business owner", "#D97706", "briefcase"),
    ],
};

/// Number of icons: one per component type and built-in role.
const ICON_COUNT: usize = CATALOGUE.component_types.len() + CATALOGUE.stakeholder_link_types.len();

/// The icons of the catalog, which all clients have.
const ICONS: [&str; ICON_COUNT] = {
    let mut icons = [""; ICON_COUNT];
    let mut at = 0;
    while at < ICON_COUNT {
        let types = CATALOGUE.component_types.len();
        let known =
            if at < types { &CATALOGUE.component_types[at] } else { &CATALOGUE.stakeholder_link_types[at - types] };
        icons[at] = known.icon_name;
        at += 1;
    }
    icons
};

const fn icon(id: &'static str, name: &'static str, color: &'static str, icon: &'static str) -> IconType {
    IconType { id, name, color, icon, icon_name: icon }
}

const fn relation(id: &'static str, name: &'static str, color: &'static str, depends_on: DependsOn) -> RelationType {
    RelationType { id, name, color, directed: true, depends_on }
}

/// The relationship type with this id, which is in the catalog; otherwise one that nothing follows.
pub(super) fn known_relation_type(id: &str) -> RelationType {
    const PLAIN: RelationType = relation("", "", "", DependsOn::None);
    CATALOGUE.relation_types.iter().find(|known| known.id == id).copied().unwrap_or(PLAIN)
}

/// Schema of a component type id.
pub fn component_type_ids() -> Object {
    ids(CATALOGUE.component_types.iter().map(|known| known.id))
}

/// Schema of the name of an icon.
pub fn icon_names() -> Object {
    ids(ICONS.iter().copied())
}

/// Schema of a relationship type id.
pub fn relation_type_ids() -> Object {
    ids(CATALOGUE.relation_types.iter().map(|known| known.id))
}

/// Schema of the id of a lifecycle state, or an empty text for none.
pub fn lifecycle_states() -> Object {
    ids(CATALOGUE.lifecycle_states.iter().map(|known| known.id).chain([""]))
}

/// Schema of the id of a lifecycle state, or null.
pub fn lifecycle_state_ids() -> Object {
    let known = CATALOGUE.lifecycle_states.iter().map(|known| Some(known.id)).chain([None]);
    ObjectBuilder::new().schema_type(SchemaType::AnyValue).enum_values(Some(known)).build()
}

/// Schema of a comma-separated list of relationship type ids.
pub fn relation_type_list() -> Object {
    let ids: Vec<&str> = CATALOGUE.relation_types.iter().map(|known| known.id).collect();
    let one = format!("({})", ids.join("|"));
    ObjectBuilder::new().schema_type(Type::String).pattern(Some(format!("^{one}(,{one})*$"))).build()
}

/// Extension of the schema of an id in the type catalogue.
pub const FROM_CATALOGUE: &str = "x-catalogue";

fn ids(known: impl Iterator<Item = &'static str>) -> Object {
    let text = "Id from the type catalogue";
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(known))
        .description(Some(text))
        .extensions(Some(Extensions::builder().add(FROM_CATALOGUE, true).build()))
        .build()
}

/// Rejects a component type that is not in the catalog.
pub fn component_type(field: impl Into<FieldPath>, id: &str) -> Result<()> {
    known(field, "component type", id, CATALOGUE.component_types.iter().map(|known| known.id))
}

/// The component type with this id, which is in the catalog; otherwise the plain component.
pub(super) fn known_component_type(id: &str) -> IconType {
    const PLAIN: IconType = icon("component", "Component", "#0284C7", "component");
    CATALOGUE.component_types.iter().find(|known| known.id == id).copied().unwrap_or(PLAIN)
}

/// Rejects an icon that is not in the catalog.
pub(super) fn icon_name(field: impl Into<FieldPath>, name: &str) -> Result<()> {
    known(field, "icon", name, ICONS.into_iter())
}

/// Rejects a relationship type that is not in the catalog.
pub(super) fn relation_type(field: impl Into<FieldPath>, id: &str) -> Result<()> {
    known(field, "relation type", id, CATALOGUE.relation_types.iter().map(|known| known.id))
}

/// Rejects `properties.lifecycle` if it is present and not a state in the catalog.
pub(super) fn lifecycle(field: &str, properties: &Properties) -> Result<()> {
    let Some(state) = properties.get("lifecycle") else { return Ok(()) };
    let field = FieldPath::from([field, "lifecycle"]);
    let id = state.as_str().ok_or_else(|| Error::invalid(field.clone(), "must be a lifecycle state's id, a string"))?;
    lifecycle_state(field, id)
}

/// Rejects a lifecycle state that is not in the catalog.
pub fn lifecycle_state(field: impl Into<FieldPath>, id: &str) -> Result<()> {
    known(field, "lifecycle state", id, CATALOGUE.lifecycle_states.iter().map(|known| known.id))
}

fn known(
    field: impl Into<FieldPath>,
    what: &'static str,
    id: &str,
    mut all: impl Iterator<Item = &'static str>,
) -> Result<()> {
    if all.any(|known| known == id) {
        return Ok(());
    }
    // The value comes from the request and may be a megabyte long; the message shows only its beginning.
    let id = id.chars().take(60).collect();
    Err(Error::invalid(field, Problem::UnknownType { what, id }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_of_other_formats_choose_types_of_the_catalog() {
        let known: Vec<&str> = CATALOGUE.component_types.iter().map(|known| known.id).collect();
        assert_eq!(import::COMPONENT_TYPES.to_vec(), known);
        let relations = CATALOGUE.relation_types.iter().map(|known| known.id).filter(|id| *id != "contains");
        assert_eq!(import::RELATIONSHIP_TYPES.to_vec(), relations.collect::<Vec<_>>());
        let states: Vec<&str> = CATALOGUE.lifecycle_states.iter().map(|known| known.id).collect();
        assert_eq!(import::LIFECYCLE_STATES.to_vec(), states);
    }
}
