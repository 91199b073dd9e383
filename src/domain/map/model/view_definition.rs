//! Which components a view shows, and how.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

pub use super::view_depth::{Depth, MAX_DEPTH};
use crate::{
    describe::{
        PartialSchema, ToSchema,
        openapi::{
            ArrayBuilder, Object, ObjectBuilder, RefOr, Schema,
            schema::{SchemaType, Type},
        },
    },
    domain::{
        catalogue,
        input::{ObjectOnly, at_most, objects, optional_at_most, serialized_objects},
        values::{Id, Label, OptionalId, Properties, Term, json_column, words},
    },
    error::{Error, FieldPath, Problem, Result, reject},
};

/// Maximum number of selectors of a view, in `include` and `exclude` together.
pub const MAX_SELECTORS: usize = 50;
/// Maximum number of items of a list in a definition.
pub const MAX_LISTED: usize = 1_000;
/// Maximum number of properties that a selector compares.
const MAX_PROPERTIES: usize = 50;
/// Maximum length of a definition, in bytes of compact JSON.
pub const MAX_DEFINITION_BYTES: usize = 64 << 10;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_SELECTORS == 50 && MAX_LISTED == 1_000 && MAX_DEPTH == 10);

words! {
    /// What is drawn of the neighbors of components in a view that are not in it.
    #[derive(Default)]
    OutsideComponents {
        /// Nothing.
        #[default]
        Hidden = "hidden",
        /// Faint cards at the edge of the view.
        Stubs = "stubs",
    }
}

words! {
    /// The components to follow from a component.
    #[derive(Default)]
    AroundDirection {
        /// Components that depend on it.
        Up = "up",
        /// Components that it depends on.
        Down = "down",
        /// Both.
        #[default]
        Both = "both",
    }
}

/// Which components a view shows, and how. At most 64 KiB of JSON.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ViewDefinition {
    /// A component is in the view if it matches one of these selectors, and none of `exclude`. Without selectors, all
    /// components match. `include` and `exclude` have at most 50 selectors together. Default: none.
    #[serde(default, deserialize_with = "list::<MAX_SELECTORS, _, _>")]
    #[schema(max_items = 50)]
    pub include: Vec<ViewSelector>,
    /// Components that match one of these selectors are not in the view. Default: none.
    #[serde(default, deserialize_with = "list::<MAX_SELECTORS, _, _>")]
    #[schema(max_items = 50)]
    pub exclude: Vec<ViewSelector>,
    /// Types of relationships to draw, from the type catalog. Default: null, all types.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_LISTED, _, _>")]
    #[schema(schema_with = drawn_relation_types)]
    pub relation_types: Option<Vec<String>>,
    /// What is drawn of neighbors outside of the view. Default: `hidden`.
    #[serde(default, deserialize_with = "or_default")]
    pub outside: OutsideComponents,
    /// Whether relationships of components that are not in the view are drawn between the nearest components in the view
    /// that contain them, unless a relationship between these is drawn in this direction. Default: `false`.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "std::ops::Not::not")]
    pub implied_relationships: bool,
    /// Ids of collapsed groups. Default: none.
    #[serde(default, deserialize_with = "list::<MAX_LISTED, _, _>")]
    #[schema(max_items = 1_000)]
    pub collapsed: Vec<Id>,
    /// What the colors of components show. Default: null, the setting of the viewer.
    #[serde(default)]
    pub color_by: Option<Term>,
    /// What cards and lines show.
    #[serde(default, deserialize_with = "or_default")]
    pub show: ViewShow,
}

/// What cards and lines show. Absent fields: the setting of the viewer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ViewShow {
    /// Descriptions of components.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub description: Option<bool>,
    /// Owners of components.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub owner: Option<bool>,
    /// Technologies.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub technology: Option<bool>,
    /// Lifecycle states of components.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub lifecycle: Option<bool>,
    /// Labels of relationships.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub labels: Option<bool>,
}

/// A condition on components. It has at least one field; a component matches if it matches all of them. A list matches if
/// one of its items does. Ids of components, people, teams, roles and kinds that do not exist match nothing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
#[schema(min_properties = 1)]
pub struct ViewSelector {
    /// Component ids.
    #[serde(default, deserialize_with = "items", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_items = 1, max_items = 1_000)]
    pub ids: Option<Vec<Id>>,
    /// Component type ids from the type catalog.
    #[serde(default, deserialize_with = "items", skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = component_types)]
    pub types: Option<Vec<String>>,
    /// Ids of kinds of the organization.
    #[serde(default, deserialize_with = "items", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_items = 1, max_items = 1_000)]
    pub kinds: Option<Vec<Id>>,
    /// Ids of lifecycle states from the type catalog; an empty text for components without one.
    #[serde(default, deserialize_with = "items", skip_serializing_if = "Option::is_none")]
    #[schema(schema_with = lifecycle_states)]
    pub lifecycle: Option<Vec<String>>,
    /// Tags, in any case.
    #[serde(default, deserialize_with = "items", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_items = 1, max_items = 1_000)]
    pub tags: Option<Vec<Label>>,
    /// Technologies, in any case.
    #[serde(default, deserialize_with = "items", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_items = 1, max_items = 1_000)]
    pub technology: Option<Vec<Label>>,
    /// Ids of groups: each group, and all components that it contains at any depth.
    #[serde(default, deserialize_with = "items", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_items = 1, max_items = 1_000)]
    pub within: Option<Vec<Id>>,
    /// Ids of people and teams with the role `owner`; an empty text for components without an owner that need one.
    #[serde(default, deserialize_with = "items", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_items = 1, max_items = 1_000)]
    pub owners: Option<Vec<OptionalId>>,
    /// Ids of teams that are stakeholders of the component, or that people who are stakeholders belong to.
    #[serde(default, deserialize_with = "items", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_items = 1, max_items = 1_000)]
    pub teams: Option<Vec<Id>>,
    /// Ids of the roles of its stakeholders. With `teams`, the same stakeholder has both.
    #[serde(default, deserialize_with = "items", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, min_items = 1, max_items = 1_000)]
    pub roles: Option<Vec<Id>>,
    /// Words to find, as with the text filter of the map.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub text: Option<Term>,
    /// Properties with their values.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub properties: Option<PropertyValues>,
    /// Components that are connected to others.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub around: Option<ViewAround>,
}

/// Components that are connected to the given ones, and these themselves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct ViewAround {
    /// Component ids.
    #[serde(deserialize_with = "some_items")]
    #[schema(min_items = 1, max_items = 1_000)]
    pub of: Vec<Id>,
    /// Direction to follow. Default: `both`.
    #[serde(default, deserialize_with = "or_default")]
    pub direction: AroundDirection,
    /// Maximum number of relationships in between, 1 to 10. Default: 1.
    #[serde(default)]
    pub depth: Depth,
    /// Types of relationships to follow, from the type catalog. Default: null, the types that impact analysis follows.
    #[serde(default, deserialize_with = "items")]
    #[schema(schema_with = followed_relation_types)]
    pub relation_types: Option<Vec<String>>,
}

objects!(ViewShow, ViewAround);
serialized_objects!(ViewDefinition, ViewShow, ViewSelector, ViewAround);

impl<'de> Deserialize<'de> for ViewDefinition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        // The derived implementation, an inherent function.
        let definition = Self::deserialize(ObjectOnly(deserializer))?;
        if definition.include.len() + definition.exclude.len() > MAX_SELECTORS {
            let text = format!("must have at most {MAX_SELECTORS} selectors in `include` and `exclude` together");
            return Err(reject(text.into()));
        }
        Ok(definition)
    }
}

impl<'de> Deserialize<'de> for ViewSelector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        match Self::deserialize(ObjectOnly(deserializer))? {
            empty if empty == Self::default() => Err(reject("must have at least one field".into())),
            selector => Ok(selector),
        }
    }
}

impl ViewDefinition {
    /// All selectors.
    pub(in crate::domain) fn selectors(&self) -> impl Iterator<Item = &ViewSelector> {
        self.include.iter().chain(&self.exclude)
    }

    /// Checks the size, and returns errors for ids that the type catalog does not have. Not done while the definition is
    /// read, so that stored definitions stay readable when the catalog changes.
    pub fn problems(&self) -> Result<Vec<Error>> {
        let actual = serde_json::to_vec(self)?.len();
        if actual > MAX_DEFINITION_BYTES {
            let problem = Problem::TooLarge { max: MAX_DEFINITION_BYTES, actual, unit: "bytes of JSON" };
            return Err(Error::invalid(FieldPath::default(), problem));
        }
        let mut problems = all("relationTypes", self.relation_types.as_deref(), catalogue::relation_type);
        for (field, selectors) in [("include", &self.include), ("exclude", &self.exclude)] {
            for (at, selector) in selectors.iter().enumerate() {
                problems.extend(selector.problems().into_iter().map(|one| one.within(FieldPath::item(field, at))));
            }
        }
        Ok(problems)
    }
}

impl ViewSelector {
    fn problems(&self) -> Vec<Error> {
        let state = |field, id: &str| if id.is_empty() { Ok(()) } else { catalogue::lifecycle_state(field, id) };
        let around = self.around.as_ref().and_then(|around| around.relation_types.as_deref());
        let around = all("relationTypes", around, catalogue::relation_type).into_iter();
        let mut problems = all("types", self.types.as_deref(), catalogue::component_type);
        problems.extend(all("lifecycle", self.lifecycle.as_deref(), state));
        problems.extend(around.map(|error| error.within("around")));
        problems
    }
}

/// What is wrong with the ids in the list `field`.
fn all(field: &str, ids: Option<&[String]>, check: impl Fn(FieldPath, &str) -> Result<()>) -> Vec<Error> {
    let ids = ids.unwrap_or_default().iter().enumerate();
    ids.filter_map(|(index, id)| check(FieldPath::item(field, index), id).err()).collect()
}

/// A list that is empty if it is absent or `null`.
fn list<'de, const MAX_ITEMS: usize, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Vec<T>, D::Error> {
    optional_at_most::<MAX_ITEMS, _, _>(deserializer).map(Option::unwrap_or_default)
}

/// A list that has items, unless it is absent or `null`.
fn items<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Option<Vec<T>>, D::Error> {
    match optional_at_most::<MAX_LISTED, _, _>(deserializer)? {
        Some(list) if list.is_empty() => Err(reject(Problem::items(MAX_LISTED))),
        list => Ok(list),
    }
}

/// A list that has items.
fn some_items<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<Vec<T>, D::Error> {
    match at_most::<MAX_LISTED, _, _>(deserializer)? {
        list if list.is_empty() => Err(reject(Problem::items(MAX_LISTED))),
        list => Ok(list),
    }
}

/// A value that is the default if it is `null`.
fn or_default<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(
    deserializer: D,
) -> std::result::Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Schema of a list of ids.
fn ids(id: Object, min: usize, types: SchemaType) -> Schema {
    ArrayBuilder::new().items(id).schema_type(types).min_items(Some(min)).max_items(Some(MAX_LISTED)).into()
}

fn component_types() -> Schema {
    ids(catalogue::component_type_ids(), 1, Type::Array.into())
}

fn lifecycle_states() -> Schema {
    ids(catalogue::lifecycle_states(), 1, Type::Array.into())
}

fn drawn_relation_types() -> Schema {
    ids(catalogue::relation_type_ids(), 0, SchemaType::from_iter([Type::Array, Type::Null]))
}

fn followed_relation_types() -> Schema {
    ids(catalogue::relation_type_ids(), 1, SchemaType::from_iter([Type::Array, Type::Null]))
}

/// Properties with their values: 1 to 50, each a string, a number or a boolean.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct PropertyValues(Map<String, Value>);

impl PropertyValues {
    /// The values by the name of their property.
    pub fn entries(&self) -> &Map<String, Value> {
        &self.0
    }
}

impl<'de> Deserialize<'de> for PropertyValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let entries = Properties::deserialize(deserializer)?.entries();
        if !(1..=MAX_PROPERTIES).contains(&entries.len()) {
            return Err(reject(format!("must have 1 to {MAX_PROPERTIES} properties, has {}", entries.len()).into()));
        }
        match entries.iter().find(|(_, value)| value.is_null() || value.is_array() || value.is_object()) {
            Some((key, _)) => {
                Err(reject(format!("the value of `{key}` must be a string, a number or a boolean").into()))
            }
            None => Ok(Self(entries)),
        }
    }
}

impl PartialSchema for PropertyValues {
    fn schema() -> RefOr<Schema> {
        let types = SchemaType::from_iter([Type::String, Type::Number, Type::Boolean]);
        let mut schema = ObjectBuilder::new()
            .schema_type(Type::Object)
            .additional_properties(Some(ObjectBuilder::new().schema_type(types)))
            .build();
        (schema.min_properties, schema.max_properties) = (Some(1), Some(MAX_PROPERTIES));
        schema.into()
    }
}
impl ToSchema for PropertyValues {}

json_column!(ViewDefinition);
