//! How far a view follows relationships.

use serde::{Deserialize, Deserializer, Serialize};

use crate::{
    describe::{
        PartialSchema, ToSchema,
        openapi::{ObjectBuilder, RefOr, Schema, schema::Type},
    },
    error::{Problem, reject},
};

/// Maximum number of relationships between a component and the components `around` it.
pub const MAX_DEPTH: u8 = 10;

/// A number of relationships, 1 to 10.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Depth(u8);

impl Depth {
    /// The number.
    pub fn get(self) -> u8 {
        self.0
    }
}

impl Default for Depth {
    fn default() -> Self {
        Self(1)
    }
}

impl<'de> Deserialize<'de> for Depth {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        match Option::<i64>::deserialize(deserializer)? {
            None => Ok(Self::default()),
            Some(number) => match u8::try_from(number) {
                Ok(number @ 1..=MAX_DEPTH) => Ok(Self(number)),
                _ => Err(reject(Problem::range(1, MAX_DEPTH))),
            },
        }
    }
}

impl PartialSchema for Depth {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(1)).maximum(Some(MAX_DEPTH)).into()
    }
}
impl ToSchema for Depth {}
