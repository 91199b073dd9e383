//! Tours: ordered stops that explain a workspace.

use std::collections::HashSet;

use serde::{Deserialize, Deserializer, Serialize};

use super::views::ListPosition;
use crate::{
    describe::{
        PartialSchema, ToSchema,
        openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
    },
    domain::{
        core::RowMetadata,
        input::{Input, ObjectOnly, objects, optional_at_most, serialized_objects, stamped},
        values::{Id, KebabId, Name, StopText, Text, json_column},
    },
    error::{Error, FieldPath, Problem, Result, reject},
};

/// Maximum number of stops of a tour.
pub const MAX_STOPS: usize = 100;
/// Maximum number of a step of a process.
const MAX_STEP: u32 = 10_000;

// The attributes of utoipa accept only literals.
const _: () = assert!(MAX_STOPS == 100);

/// A tour: stops in order, each with a text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tour {
    /// Id in kebab case, unique in the workspace.
    #[schema(example = "first-day")]
    pub id: String,
    /// Id of the workspace.
    #[schema(example = "web-shop")]
    pub workspace_id: String,
    /// Name.
    #[schema(example = "First day")]
    pub name: String,
    /// Description; absent if never set.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub description: Option<String>,
    /// Position in the list of tours, which is ordered by position and id.
    #[schema(example = 1_048_576_i64)]
    pub position: i64,
    /// Stops, in order.
    #[schema(value_type = Vec<TourStop>)]
    pub stops: Stops,
    /// Revision, timestamps, and authors.
    #[serde(flatten)]
    pub metadata: RowMetadata,
}

/// The stops of a tour.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Stops(pub(in crate::domain) Vec<TourStop>);

json_column!(Stops);

/// A stop of a tour.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TourStop {
    /// Id of the stop, unique in the tour.
    #[schema(example = "s1")]
    pub id: String,
    /// Text that explains the stop.
    pub text: String,
    /// What the stop shows.
    pub target: StopTarget,
}

/// What a stop shows. At least one of the ids is given, and not both `componentId` and `processId`. Rows that do not exist
/// are allowed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct StopTarget {
    /// Id of the view in which it is shown; `all` for the whole map.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub view_id: Option<Id>,
    /// Id of a component.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub component_id: Option<Id>,
    /// Id of a process.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub process_id: Option<Id>,
    /// Number of a step of the process, starting at 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub step: Option<Step>,
}

serialized_objects!(StopTarget);

impl<'de> Deserialize<'de> for StopTarget {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        // The derived implementation, an inherent function.
        let target = Self::deserialize(ObjectOnly(deserializer))?;
        let wrong = match &target {
            Self { view_id: None, component_id: None, process_id: None, .. } => {
                "must have `viewId`, `componentId` or `processId`"
            }
            Self { component_id: Some(_), process_id: Some(_), .. } => {
                "must not have both `componentId` and `processId`"
            }
            Self { process_id: None, step: Some(_), .. } => "must have `processId` if it has `step`",
            _ => return Ok(target),
        };
        Err(reject(wrong.into()))
    }
}

/// The number of a step of a process, 1 to 10,000.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Step(u32);

impl<'de> Deserialize<'de> for Step {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        match u32::try_from(i64::deserialize(deserializer)?) {
            Ok(number @ 1..=MAX_STEP) => Ok(Self(number)),
            _ => Err(reject(Problem::range(1, MAX_STEP))),
        }
    }
}

impl PartialSchema for Step {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).maximum(Some(MAX_STEP)).into()
    }
}
impl ToSchema for Step {}

/// A stop to write.
#[derive(Debug, Clone, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewTourStop {
    /// Id of the stop, unique in the tour. Default: `s1`, `s2`, and so on.
    #[schema(nullable = false)]
    pub id: Option<Id>,
    /// Text that explains the stop. Default: empty.
    #[schema(nullable = false)]
    pub text: Option<StopText>,
    /// What the stop shows.
    pub target: StopTarget,
}

/// Fields of a new tour.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct NewTour {
    /// Default: derived from the name.
    #[schema(nullable = false)]
    pub id: Option<KebabId>,
    /// Name.
    pub name: Name,
    /// Description.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Position in the list of tours. Default: at the end.
    #[schema(nullable = false)]
    pub position: Option<ListPosition>,
    /// Stops, in order. Default: none.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_STOPS, _, _>")]
    #[schema(nullable = false, max_items = 100)]
    pub stops: Option<Vec<NewTourStop>>,
}

/// Fields of a tour to update. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct TourPatch {
    /// Read-only. If given, must equal the current value.
    #[schema(nullable = false)]
    pub id: Option<String>,
    /// Name.
    #[schema(nullable = false)]
    pub name: Option<Name>,
    /// Description; `""` clears it.
    #[schema(nullable = false)]
    pub description: Option<Text>,
    /// Position in the list of tours. To move a tour between two others, use a number between their positions.
    #[schema(nullable = false)]
    pub position: Option<ListPosition>,
    /// Replaces all stops.
    #[serde(default, deserialize_with = "optional_at_most::<MAX_STOPS, _, _>")]
    #[schema(nullable = false, max_items = 100)]
    pub stops: Option<Vec<NewTourStop>>,
}

impl Stops {
    /// The stops of a request. Those without an id get one.
    pub(in crate::domain) fn of(new: Vec<NewTourStop>) -> Result<Self> {
        let mut ids = HashSet::new();
        for (index, stop) in new.iter().enumerate() {
            if let Some(id) = &stop.id
                && !ids.insert(id.as_str().to_owned())
            {
                let field = FieldPath::item("stops", index).field("id");
                return Err(Error::invalid(field, format!("another stop has the id `{}`", id.as_str())));
            }
        }
        let mut numbers = 1..;
        let stops = new.into_iter().map(|stop| TourStop {
            id: stop.id.map_or_else(
                || {
                    let free = numbers.by_ref().map(|number: u32| format!("s{number}")).find(|id| !ids.contains(id));
                    free.unwrap_or_default()
                },
                String::from,
            ),
            text: stop.text.map(String::from).unwrap_or_default(),
            target: stop.target,
        });
        Ok(Self(stops.collect()))
    }
}

/// Fields of a row in responses that a client cannot write.
const ROW: &[&str] = stamped!(""["workspaceId"]);

objects!(NewTourStop, NewTour, TourPatch);
impl Input for NewTour {
    const READ_ONLY: &'static [&'static str] = ROW;
}
impl Input for TourPatch {
    const READ_ONLY: &'static [&'static str] = ROW;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_without_an_id_get_the_first_free_ones() {
        let stop = |id: Option<&str>| NewTourStop {
            id: id.map(|id| Id::new(id).unwrap()),
            text: None,
            target: StopTarget { view_id: Some(Id::new("all").unwrap()), ..StopTarget::default() },
        };
        let ids = |stops: Vec<NewTourStop>| {
            Stops::of(stops).map(|stops| stops.0.into_iter().map(|stop| stop.id).collect::<Vec<_>>())
        };
        assert_eq!(ids(vec![stop(None), stop(Some("s2")), stop(None)]).unwrap(), ["s1", "s2", "s3"]);
        let error = ids(vec![stop(Some("a")), stop(Some("a"))]).unwrap_err();
        assert_eq!(error.to_string(), "stops[1].id: another stop has the id `a`");
    }
}
