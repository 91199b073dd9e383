//! Lines of relationships: how a relationship is drawn on the map.

use serde::{Deserialize, Deserializer, Serialize};

use crate::{
    describe::{
        PartialSchema, ToSchema,
        openapi::{ArrayBuilder, ObjectBuilder, Ref, RefOr, Schema, schema::Type},
    },
    domain::{
        input::{at_most, objects, serialized_objects},
        values::{Coordinate, json_column, words},
    },
    error::reject,
};

/// Maximum number of points in `via`.
const MAX_VIA_POINTS: usize = 50;

/// Number of coordinates of a point.
const COORDINATES: usize = 2;

words! {
    /// How a line is drawn.
    LineShape {
        /// Routed around components.
        Routed = "routed",
        /// Straight between its points.
        Straight = "straight",
    }
}

/// How a relationship is drawn. Written as a whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", remote = "Self")]
pub struct RelationshipLine {
    /// Default: the setting of the viewer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub shape: Option<LineShape>,
    /// Points that the line passes through, each `[x, y]`.
    #[serde(default)]
    pub via: Waypoints,
    /// From 0, the source, to 1, the target. Default: chosen by the viewer.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(nullable = false)]
    pub label_position: Option<Fraction>,
}

objects!(RelationshipLine);
serialized_objects!(RelationshipLine);

/// Points of a line, each `[x, y]`.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Waypoints(Vec<Point>);

impl Waypoints {
    /// The points, each x and y.
    pub(in crate::domain) fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        self.0.iter().map(|Point([x, y])| (x.get(), y.get()))
    }
}

/// A point on the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(transparent)]
struct Point([Coordinate; COORDINATES]);

impl<'de> Deserialize<'de> for Waypoints {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // `null` is equivalent to an absent list, as everywhere.
        let points = crate::domain::input::optional_at_most::<MAX_VIA_POINTS, _, _>(deserializer)?;
        Ok(Self(points.unwrap_or_default()))
    }
}

impl<'de> Deserialize<'de> for Point {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let numbers: Vec<Coordinate> = at_most::<COORDINATES, _, _>(deserializer)?;
        let point = <[Coordinate; COORDINATES]>::try_from(numbers);
        point.map(Self).map_err(|_| reject("must be `[x, y]`, two numbers".into()))
    }
}

impl PartialSchema for Waypoints {
    fn schema() -> RefOr<Schema> {
        let point = ArrayBuilder::new()
            .items(Ref::from_schema_name(Coordinate::name()))
            .min_items(Some(COORDINATES))
            .max_items(Some(COORDINATES));
        ArrayBuilder::new().items(point).max_items(Some(MAX_VIA_POINTS)).into()
    }
}

impl ToSchema for Waypoints {
    fn name() -> std::borrow::Cow<'static, str> {
        "Via".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((Coordinate::name().into(), Coordinate::schema()));
    }
}

/// A number from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Fraction(f64);

impl Fraction {
    /// The number.
    pub(in crate::domain) fn get(self) -> f64 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Fraction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match f64::deserialize(deserializer)? {
            number if (0.0..=1.0).contains(&number) => Ok(Self(number)),
            number => Err(reject(format!("must be from 0 to 1, is {number}").into())),
        }
    }
}

impl PartialSchema for Fraction {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Number).minimum(Some(0.0)).maximum(Some(1.0)).into()
    }
}
impl ToSchema for Fraction {}

json_column!(RelationshipLine);
