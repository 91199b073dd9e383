//! Objects that are read from objects alone.
//!
//! What serde derives also takes a list in the order of the fields: `[null, "api", "A"]` would be a component, and would
//! be another thing after the next field is added.

use serde::{Deserializer, de::Visitor, forward_to_deserialize_any};

/// Reads a struct from a map and from nothing else. Inner structs look after themselves.
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

/// Reads these types from objects alone. Their derived reader must be set aside by `#[serde(remote = "Self")]`.
macro_rules! objects {
    ($($name:ty),+ $(,)?) => { $(
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
                // The derived one, which is an inherent function by now.
                <$name>::deserialize($crate::domain::input::ObjectOnly(deserializer))
            }
        }
    )+ };
}
pub(crate) use objects;
