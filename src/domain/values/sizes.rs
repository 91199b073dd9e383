//! Widths and heights on the canvas.

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::{Deserialize, Deserializer, Serialize};

use crate::{
    describe::{
        PartialSchema, ToSchema,
        openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
    },
    error::reject,
};

/// A width or height on the canvas: a number from 1 to 1,000,000.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Size(f64);

impl Size {
    /// The smallest size.
    pub const MIN: f64 = 1.0;
    /// The largest size.
    pub const MAX: f64 = 1e6;

    /// The size closest to this number.
    pub(in crate::domain) fn nearest(number: f64) -> Self {
        Self(number.clamp(Self::MIN, Self::MAX))
    }

    /// The size as a number.
    pub(in crate::domain) fn get(self) -> f64 {
        self.0
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match f64::deserialize(deserializer)? {
            number if (Self::MIN..=Self::MAX).contains(&number) => Ok(Self(number)),
            number => Err(reject(format!("must be from 1 to 1,000,000, is {number}").into())),
        }
    }
}

impl PartialSchema for Size {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Number).minimum(Some(Self::MIN)).maximum(Some(Self::MAX)).into()
    }
}
impl ToSchema for Size {}

impl ToSql for Size {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_sql()
    }
}

impl FromSql for Size {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        f64::column_result(value).map(Self)
    }
}
