//! Tools that describe the caller and list the available types.

use serde::{Deserialize, Serialize};

use super::tool::arguments;
use crate::{
    describe::ToSchema,
    domain::{
        accounts::current::{self, CurrentUser},
        catalogue::{CATALOGUE, DependsOn, IconType, LifecycleState, RelationType},
        core::{Call, Gate, SelfTx, access::User},
        directory::{
            component_kinds::{self, ComponentKind, FieldType},
            people,
        },
        values::{FieldKey, Label},
    },
    error::Result,
    mcp::{
        links::Links,
        results::{SpaceLeft, page, truncate},
        services::Site,
    },
};

/// Nothing.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct GetMe {}

/// Which page.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct GetTypeCatalogue {
    /// `nextCursor` of the previous call.
    #[schema(nullable = false)]
    cursor: Option<String>,
}

arguments!(
    GetMe: "The user and the organization in which you act. Use it when the user says \"I\" or \"my\", or when \
            something is unexpectedly not found: other organizations are never visible. No arguments.",
    GetTypeCatalogue: "All values of `typeId`, `lifecycle` and `linkType`; others are rejected. Read it once \
            before you write. `contains` makes its target a part of its source (one parent each). `dependsOn`: \
            which end the other one depends on. list_people_and_teams has custom roles (`linkType`). `kinds` \
            refine types: set `properties.kind` to the id, `typeId` to `baseType`; field keys are properties.",
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
#[serde(rename_all = "camelCase")]
pub struct Relation {
    id: &'static str,
    name: &'static str,
    /// Whether the relationship has a direction.
    directed: bool,
    /// Which end the other one depends on.
    depends_on: DependsOn,
}

impl From<&RelationType> for Relation {
    fn from(known: &RelationType) -> Self {
        Self { id: known.id, name: known.name, directed: known.directed, depends_on: known.depends_on }
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
        Self { id, name, base_type, description, fields: fields.0.into_iter().map(field).collect() }
    }
}

/// The type catalog, without colors and icons, which do not help a model.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TypeLists {
    /// `typeId` of a component.
    component_types: Vec<Choice>,
    /// `typeId` of a relationship.
    relation_types: Vec<Relation>,
    /// `properties.lifecycle` of a component.
    lifecycle_states: Vec<Choice>,
    /// `linkType` of a stakeholder that every organization starts with.
    stakeholder_link_types: Vec<Choice>,
}

/// The type catalog, and kinds of the organization.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Catalogue {
    #[serde(flatten)]
    types: TypeLists,
    /// Kinds of the organization.
    kinds: Vec<Kind>,
    /// Whether there are more kinds.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<String>,
}

/// Who asks.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Me {
    /// User id.
    id: i64,
    display_name: String,
    /// Login.
    login: Option<String>,
    /// Whether the user is an instance administrator.
    is_admin: bool,
    /// The organization that you act in; null for none.
    org_slug: Option<String>,
    /// `org:admin` or `org:member`.
    org_role: Option<String>,
    /// The person on the maps that the user is, as in `personId`; null for none.
    person_id: Option<String>,
    /// Whether this connection may write at all; access to a workspace is its `myRole`.
    can_write: bool,
    /// The web client.
    url: String,
}

/// The caller.
pub async fn get_me(site: Site, call: Call<User>, _: GetMe) -> Result<Me> {
    let me = |tx: &SelfTx<'_>| Ok((current::current(tx)?, people::of_caller(tx)?, tx.caller().may_write().is_ok()));
    let (user, person_id, can_write) = site.gate.read(call, (), me).await?;
    let CurrentUser { id, display_name, login, is_admin, session, .. } = user;
    let url = Links::new(&site.public_url, session.org_slug.as_deref()).home();
    let (org_slug, org_role) = (session.org_slug, session.org_role);
    Ok(Me { id, display_name, login, is_admin, org_slug, org_role, person_id, can_write, url })
}

/// The type catalogue, and as many kinds as fit. Further pages contain only kinds.
pub async fn get_type_catalogue(gate: Gate, call: Call<User>, ask: GetTypeCatalogue) -> Result<Catalogue> {
    gate.read(call.large(), (), move |tx| {
        let cursor = ask.cursor.as_deref();
        let types = if cursor.is_none_or(str::is_empty) { TypeLists::complete() } else { TypeLists::default() };
        let all = component_kinds::of_caller(tx)?.into_iter().map(Kind::from);
        let (kinds, next_cursor) = page(all, cursor, &mut SpaceLeft::after(&types))?;
        Ok(Catalogue { types, kinds, truncated: next_cursor.is_some(), next_cursor })
    })
    .await
}

impl TypeLists {
    /// All types.
    pub fn complete() -> Self {
        Self {
            component_types: CATALOGUE.component_types.iter().map(Choice::from).collect(),
            relation_types: CATALOGUE.relation_types.iter().map(Relation::from).collect(),
            lifecycle_states: CATALOGUE.lifecycle_states.iter().map(Choice::from).collect(),
            stakeholder_link_types: CATALOGUE.stakeholder_link_types.iter().map(Choice::from).collect(),
        }
    }
}
