//! Structs that are parsed from JSON objects only.
//!
//! A deserializer derived by serde also accepts an array of the fields in declaration order: `[null, "api", "A"]` would
//! be a component, and would mean something else after a field is added.

use serde::{Deserializer, de::Visitor, forward_to_deserialize_any};

/// Deserializes a struct from a map only. Does not apply to nested structs.
pub struct ObjectOnly<D>(pub D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for ObjectOnly<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Implements `Deserialize` for these types from objects only. They need `#[serde(remote = "Self")]`, which turns the
/// derived implementation into an inherent function.
macro_rules! objects {
    ($($name:ty),+ $(,)?) => { $(
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
                // The derived implementation, an inherent function.
                <$name>::deserialize($crate::domain::input::ObjectOnly(deserializer))
            }
        }
    )+ };
}
pub(crate) use objects;
