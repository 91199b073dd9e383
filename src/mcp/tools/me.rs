//! Tools that describe the caller and list the available types.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::tool::arguments;
use crate::{
    domain::{
        accounts::current::{self, CurrentUser},
        catalogue::{CATALOGUE, IconType, LifecycleState, RelationType},
        core::{Call, Gate, access::User},
        directory::component_kinds::{self, ComponentKind, FieldType},
        values::{FieldKey, Label},
    },
    error::Result,
    mcp::results::{SpaceLeft, page, truncate},
};

/// Nothing.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct GetMe {}

/// Which page.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct GetTypeCatalogue {
    /// `nextCursor` of the previous call, for more kinds.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

arguments!(
    GetMe: "The user and the organization in which you act. Use it when the user says \"I\" or \"my\", or when \
            something is unexpectedly not found: another organization's workspaces are never visible. No arguments.",
    GetTypeCatalogue: "All values of `typeId` of components and relationships, `properties.lifecycle` and `linkType`. \
                       Read it once before you write; other values are rejected. `contains` makes its target a part \
                       of its source (one parent each). `linkType` can also be a custom role of the organization: see \
                       list_people_and_teams. `kinds` refine types: set `properties.kind` to the \
                       id, `typeId` to `baseType`; field keys are properties. Further pages \
                       have only kinds.",
);

/// A thing to choose.
#[derive(Debug, Serialize)]
pub struct Choice {
    id: &'static str,
    name: &'static str,
}

impl From<&IconType> for Choice {
    fn from(known: &IconType) -> Self {
        Self { id: known.id, name: known.name }
    }
}

impl From<&LifecycleState> for Choice {
    fn from(known: &LifecycleState) -> Self {
        Self { id: known.id, name: known.name }
    }
}

/// A type of relationship.
#[derive(Debug, Serialize)]
pub struct Relation {
    id: &'static str,
    name: &'static str,
    /// Whether the relationship has a direction.
    directed: bool,
}

impl From<&RelationType> for Relation {
    fn from(known: &RelationType) -> Self {
        Self { id: known.id, name: known.name, directed: known.directed }
    }
}

/// A field of a kind.
#[derive(Debug, Serialize)]
pub struct Field {
    key: FieldKey,
    #[serde(rename = "type")]
    value_type: FieldType,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    choices: Vec<Label>,
}

/// A kind of component.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Kind {
    id: String,
    name: String,
    base_type: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<Field>,
}

impl From<ComponentKind> for Kind {
    fn from(kind: ComponentKind) -> Self {
        let field = |field: component_kinds::KindField| {
            let component_kinds::KindField { key, field_type, choices, .. } = field;
            Field { key, value_type: field_type, choices }
        };
        let ComponentKind { id, name, base_type, description, fields, .. } = kind;
        let description = description.filter(|text| !text.is_empty()).map(|text| truncate(&text));
        Self { id, name, base_type, description, fields: fields.into_iter().map(field).collect() }
    }
}

/// The type catalog, without colors and icons. The schemas of its items are not in the tool list, because clients read
/// that with every conversation.
#[derive(Debug, Default, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Catalogue {
    /// `typeId` of a component.
    #[schema(value_type = Vec<Object>)]
    component_types: Vec<Choice>,
    /// `typeId` of a relationship.
    #[schema(value_type = Vec<Object>)]
    relation_types: Vec<Relation>,
    /// `properties.lifecycle` of a component.
    #[schema(value_type = Vec<Object>)]
    lifecycle_states: Vec<Choice>,
    /// `linkType` of a stakeholder that every organization starts with.
    #[schema(value_type = Vec<Object>)]
    stakeholder_link_types: Vec<Choice>,
    /// Kinds of the organization.
    #[schema(value_type = Vec<Object>)]
    kinds: Vec<Kind>,
    /// Whether there are more kinds.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next_cursor: Option<String>,
}

/// Who asks.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// User id.
    id: i64,
    display_name: String,
    /// Login.
    #[schema(required)]
    login: Option<String>,
    /// Whether the user is an instance administrator.
    is_admin: bool,
    /// The organization that you act in; null for none.
    #[schema(required)]
    org_slug: Option<String>,
    /// `org:admin` or `org:member`.
    #[schema(required)]
    org_role: Option<String>,
}

/// The caller.
pub async fn get_me(gate: Gate, call: Call<User>, _: GetMe) -> Result<Me> {
    let CurrentUser { id, display_name, login, is_admin, session, .. } = gate.read(call, (), current::current).await?;
    Ok(Me { id, display_name, login, is_admin, org_slug: session.org_slug, org_role: session.org_role })
}

/// The type catalogue, and as many kinds as fit. Further pages contain only kinds.
pub async fn get_type_catalogue(gate: Gate, call: Call<User>, ask: GetTypeCatalogue) -> Result<Catalogue> {
    gate.read(call.large(), (), move |tx| {
        let cursor = ask.cursor.as_deref();
        let types = if cursor.is_none_or(str::is_empty) { Catalogue::of_types() } else { Catalogue::default() };
        let all = component_kinds::of_caller(tx)?.into_iter().map(Kind::from);
        let (kinds, next_cursor) = page(all, cursor, &mut SpaceLeft::after(&types))?;
        Ok(Catalogue { kinds, truncated: next_cursor.is_some(), next_cursor, ..types })
    })
    .await
}

impl Catalogue {
    fn of_types() -> Self {
        Self {
            component_types: CATALOGUE.component_types.iter().map(Choice::from).collect(),
            relation_types: CATALOGUE.relation_types.iter().map(Relation::from).collect(),
            lifecycle_states: CATALOGUE.lifecycle_states.iter().map(Choice::from).collect(),
            stakeholder_link_types: CATALOGUE.stakeholder_link_types.iter().map(Choice::from).collect(),
            ..Self::default()
        }
    }
}
